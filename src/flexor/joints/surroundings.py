"""What an item of a model finds around it when it becomes terms: the one object that `terms` is given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import numpy as np

from flexor.bodies.deformable_body import DeformableBody
from flexor.bodies.marker import Site
from flexor.bodies.shape import Shape
from flexor.declaration import Item
from flexor.law import Term
from flexor.law.record import Packed
from flexor.spatial import Pose

if TYPE_CHECKING:
    from flexor.joints.joint import Joint
    from flexor.joints.path import Path


class Carrier(NamedTuple):
    """A flexible body that something acts on, and the numbers of its first node and of its first scalar."""

    body: DeformableBody
    node: int
    scalar: int


@dataclass(frozen=True)
class Sensed:
    """A position that a sensor reads: what measures it between two markers, its value and rate at the start.

    variable: name of the joint variable that it is, if it is one.   turns: whether it is an angle, of which turns are counted.
    single: whether it is the only angle of its joint.
    """

    measure: Packed
    a: Site
    b: Site
    value: float
    rate: float
    variable: str = ""
    turns: bool = False
    single: bool = False


@dataclass(frozen=True)
class Variable:
    """A variable of a joint, by its number; where the joint stands on its two bodies; what it was at t = 0, and where.

    joint: with its initial variables filled in.   frame: axes of the joint on its first body then, X_WJ.
    open_rate: whether nothing tells with which rate it starts.
    """

    joint: Joint
    index: int
    a: Site
    b: Site
    begin: float
    frame: Pose
    open_rate: bool = False

    @property
    def name(self) -> str:
        """pin.angle"""
        return f"{self.joint.name}.{self.joint.variables[self.index]}"

    @property
    def unit(self) -> str:
        return self.joint.units[self.index]

    @property
    def now(self) -> float:
        """With what it starts [m, rad]."""
        return 0.0 if self.joint.start is None else self.joint.start[self.index]

    @property
    def rate(self) -> float:
        """With which rate it starts [m/s, rad/s]."""
        return 0.0 if self.joint.start_rate is None else self.joint.start_rate[self.index]

    @property
    def axis(self) -> np.ndarray | None:
        """Direction in global axes along or about which it moves; None where that turns with other angles."""
        slides = len(self.joint.translations)
        if self.index >= slides and len(self.joint.rotations) > 1:
            return None
        name = (self.joint.translations + self.joint.rotations)[self.index]
        direction: np.ndarray = self.frame.R[:, "xyz".index(name)]
        return direction


class Drawn(NamedTuple):
    """Two markers as the bodies are declared, in global axes: x (2, 3), R (2, 3, 3), and their velocities at the start v (2, 6)."""

    x: np.ndarray
    R: np.ndarray
    v: np.ndarray


class Surroundings(Protocol):
    """What an item may ask for. It is found when it is asked for; an item asks only for what belongs to its own fields."""

    @property
    def a(self) -> Site:
        """Where its first end, field `a`, is; if it acts on a joint, where the joint stands on its first body."""

    @property
    def b(self) -> Site:
        """Where its second end, field `b`, is; if it acts on a joint, where the joint stands on its second body."""

    @property
    def shapes(self) -> tuple[tuple[Shape, ...], ...]:
        """Of the bodies at its attachments, in the order of its fields: of both ends of a contact."""

    @property
    def attached(self) -> tuple[Site, ...]:
        """Where each of its attachments is, in the order of its fields."""

    @property
    def site(self) -> Site:
        """Where its only attachment, field `on`, is."""

    @property
    def sites(self) -> tuple[Site, ...]:
        """Where each of its attachments, field `on`, is."""

    @property
    def observer(self) -> Site:
        """Where the marker from which it is seen, field `seen_from`, is; the ground if that is left out."""

    @property
    def drawn(self) -> Drawn:
        """The markers `seen_from` and `on` as the bodies are declared, wherever they have been brought since."""

    @property
    def along(self) -> tuple[Site, ...]:
        """Where each marker of its line, field `along`, is."""

    @property
    def scalars(self) -> tuple[int, ...]:
        """Numbers of its own scalar coordinates, in the order of its `own_scalars`."""

    @property
    def joint(self) -> Joint:
        """The joint that it acts on, field `joint`, with the initial variables filled in."""

    @property
    def path(self) -> tuple[Path, Surroundings] | None:
        """The guide or cam that it acts on, field `joint`, and what that finds around it; None if it acts on a joint."""

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The joint variables that it couples, in the order of its `couples`."""

    @property
    def partners(self) -> tuple[Item, ...]:
        """The other items that act on the same joint."""

    def sensed(self, sensor: str) -> Sensed:
        """The position that a sensor reads, by its name; ModelError if it reads something else."""

    @property
    def readings(self) -> list[Term]:
        """Terms of the reading of what it reads, field `of`; the last one has its name."""

    @property
    def carrier(self) -> Carrier:
        """The flexible body that it acts on, field `body`."""

    def end(self, field: str) -> Site:
        """Where one of its ends is alone, by its field: a or b."""

    def deforming(self, field: str) -> Carrier:
        """The flexible body that one of its ends, a or b, is attached to as a whole."""

    def mass_of(self, body: str) -> float:
        """Mass of a body by name [kg]; infinite of the ground."""

    def held(self, body: str) -> bool:
        """Whether a joint holds a body by name; the ground is."""

    @property
    def weight(self) -> float:
        """Weight of all bodies [N], in a field of 1 m/s² at least: a measure of the forces that joints transmit."""

    @property
    def length(self) -> float:
        """Distance of its two ends at t = 0 with all loops closed, wherever the bodies have been brought since [m]."""

    @property
    def offset(self) -> np.ndarray:
        """From its first end to its second as the bodies stand, in the axes of marker A [m]."""

    @property
    def ends_drawn(self) -> tuple[Pose, Pose]:
        """Poses of the markers at its two ends at t = 0 with all loops closed, in global axes."""

    def poses(self, when: Literal["declared", "begin", "now"]) -> tuple[Pose, ...]:
        """Its attachments in the order of its fields, in global axes: as the bodies are declared, at t = 0, or as they stand."""

    def velocities(self) -> tuple[np.ndarray, ...]:
        """Of its attachments in the order of its fields at t = 0, in global axes: linear and angular [m/s, rad/s]."""
