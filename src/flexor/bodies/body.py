"""What all bodies have in common: a name, a pose, a velocity, markers and shapes; and how a body becomes coordinates."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from flexor.bodies.follower import Follower
from flexor.bodies.marker import Attachable, Marker
from flexor.bodies.shape import Shape
from flexor.declaration import AngularVelocity, Item, Point, Rotation, Velocity
from flexor.dotted import NAME
from flexor.frozen import frozen
from flexor.law import Term
from flexor.law.coordinates import Node, Scalar
from flexor.spatial import Pose

AT_ORIGIN = np.zeros(3)
"""Where the node of a body is that sits at the body's origin."""
AT_ORIGIN.setflags(write=False)


@frozen
class Start:
    """How a body stands and moves at the start, and the numbers that its coordinates get.

    X_WB, twist: pose of the body frame; velocity of its origin and angular velocity, in global axes.
    node, scalar: numbers of its first node and of its first scalar.
    used: its markers that something of the model attaches to.
    """

    X_WB: Pose
    twist: np.ndarray
    node: int = 1
    scalar: int = 0
    used: frozenset[str] = frozenset()

    def here(self, name: str, **about: Any) -> Node:
        """A node that is the body frame."""
        return Node(name, self.X_WB.p.copy(), self.X_WB.R, self.twist.copy(), AT_ORIGIN, **about)

    def at(self, name: str, p_BN: ArrayLike, **about: Any) -> Node:
        """A node at p_BN of the body frame, with the axes of the body, that moves with it as if it were rigid."""
        arm = self.X_WB.rotate(np.asarray(p_BN, dtype=float))
        x, y, z = arm.tolist()
        v_x, v_y, v_z, w_x, w_y, w_z = self.twist.tolist()
        v = v_x + (w_y * z - w_z * y), v_y + (w_z * x - w_x * z), v_z + (w_x * y - w_y * x)  # v + ω × arm
        return Node(name, self.X_WB.p + arm, self.X_WB.R, np.array((*v, w_x, w_y, w_z)), **about)


@frozen
class Parts:
    """What a body consists of in a mechanism."""

    nodes: tuple[Node, ...]
    terms: tuple[Term, ...]
    scalars: tuple[Scalar, ...] = ()
    followers: tuple[Follower, ...] = ()


class Body(Attachable, Item):
    """Base of bodies. A body whose position and orientation are left out is placed by its joints."""

    positional: ClassVar[tuple[str, ...]] = ("name",)
    noun: ClassVar[str] = "body"
    name: str = Field(description="Unique name of the body.", min_length=1, pattern=NAME)
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
    def flexible(self) -> bool:
        """Whether it deforms: then it has several nodes, and `rigid` tells what it is as a rigid body."""
        return False

    @property
    def prefers_elimination(self) -> bool:
        """Whether joints on it are better enforced by elimination: its nodes are many, soft and carry mass."""
        return self.flexible

    @property
    def may_follow(self) -> bool:
        """Whether its nodes may be made to follow another body by an eliminated joint."""
        return not self.locked

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
        """Mass and mean rotational inertia, which weigh moves in statics and at the begin of a run [kg, kg m²]."""
        return (1.0, 1.0)

    @property
    def mass_and_inertia(self) -> tuple[float, np.ndarray] | None:
        """Mass and inertia about its node, in its axes [kg, kg m²], if they may be too little for what it can do; else None."""
        return None

    @property
    def marker_names(self) -> tuple[str, ...]:
        """Where something can attach by name."""
        return tuple(self.markers)

    def marker(self, name: str) -> Marker:
        """The marker of this name; KeyError if there is none."""
        return self.markers[name]

    def prepare(self) -> None:
        """What takes time or can fail before the body can be used: reading and reducing a mesh."""

    def carrier(self, marker: str | None, p_BM: np.ndarray) -> tuple[int, np.ndarray]:
        """Which of its nodes (0, 1, …) carries what is attached at p_BM, and where that node is, in the body's axes."""
        offset = self.node_offset
        return 0, np.array(offset) if any(offset) else AT_ORIGIN

    def parts(self, start: Start) -> Parts:
        """Nodes, scalars and what the body contributes to the equations."""
        about: dict[str, Any] = {"locked": self.locked, "weights": self.weights, "placed": self.placed}
        if any(own := self.node_offset):
            offset = np.array(own)
            node = start.at(self.name, offset, p_NO=-offset, **about)
        else:
            node = start.here(self.name, **about)
        return Parts((node,), tuple(self.terms(start.node, node.x)))

    def terms(self, node: int, x0: np.ndarray) -> list[Term]:
        """What a body with one node contributes to the equations; x0 is the node's initial position."""
        raise TypeError(f"{type(self).__name__} declares no terms")

    def rigid(self) -> Body:
        """The body as a RigidBody with the same mass, markers and place; itself unless it is flexible."""
        return self
