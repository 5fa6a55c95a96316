"""What all bodies have in common: a name, a pose, a velocity, markers and shapes."""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from flexor.bodies.marker import Attachable, Marker
from flexor.bodies.shape import Shape
from flexor.declaration import AngularVelocity, Declaration, Point, Rotation, Velocity
from flexor.law import Element


class Body(Attachable, Declaration):
    """Base of bodies. A body whose position and orientation are left out is placed by its joints."""

    positional: ClassVar[tuple[str, ...]] = ("name",)
    noun: ClassVar[str] = "body"
    name: str = Field(description="Unique name of the body.", min_length=1, pattern=r"^[^.\s][^.]*$")
    position: Point | None = Field(None, description="Initial position of the body's origin, global [m].")
    orientation: Rotation | None = Field(None, description="Initial orientation.")
    velocity: Velocity | None = Field(None, description="Initial velocity of the body's origin, global [m/s].")
    angular_velocity: AngularVelocity | None = Field(None, description="Initial angular velocity, global [rad/s].")
    markers: dict[str, Marker] = Field({}, description="Named points on the body.")
    shapes: tuple[Shape, ...] = Field((), description="What the body looks like.")

    @property
    def placed(self) -> bool:
        """Whether the user gave the initial pose."""
        return self.position is not None or self.orientation is not None

    @property
    def node_offset(self) -> tuple[float, float, float]:
        """Where the body's node sits, in the body's axes: the centre of mass."""
        return (0.0, 0.0, 0.0)

    @property
    def locked(self) -> tuple[int, ...]:
        """Degrees of freedom (0…5) that the node does not have."""
        return ()

    @property
    def weights(self) -> tuple[float, float]:
        """Mass and mean rotational inertia, which weigh moves when a mechanism is assembled [kg, kg m²]."""
        return (1.0, 1.0)

    def elements(self, node: int, x0: Any) -> list[Element]:
        """What the body contributes to the equations; x0 is the node's initial position."""
        raise TypeError(f"{type(self).__name__} declares no elements")
