"""What an item of a model finds around it when it becomes terms: the one object that `terms` is given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import numpy as np

from flexor.bodies.flexible_body import FlexibleBody
from flexor.bodies.marker import Site
from flexor.law import Term
from flexor.spatial import Pose

if TYPE_CHECKING:
    from flexor.joints.joint import Joint


class Carrier(NamedTuple):
    """A flexible body that something acts on, and the numbers of its first node and of its first scalar."""

    body: FlexibleBody
    node: int
    scalar: int


class Surroundings(Protocol):
    """What an item may ask for. It is found when it is asked for; an item asks only for what belongs to its own fields."""

    @property
    def a(self) -> Site:
        """Where its first end, field `a`, is; if it acts on a joint, where the joint stands on its first body."""

    @property
    def b(self) -> Site:
        """Where its second end, field `b`, is; if it acts on a joint, where the joint stands on its second body."""

    @property
    def site(self) -> Site:
        """Where its only attachment, field `on`, is."""

    @property
    def sites(self) -> tuple[Site, ...]:
        """Where each of its attachments, field `on`, is."""

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
    def signal(self) -> tuple[Term, int]:
        """The term that gives the signal which it reads, field `of`, and the number of the signal among the term's."""

    @property
    def carrier(self) -> Carrier:
        """The flexible body that it acts on, field `body`."""

    @property
    def length(self) -> float:
        """Distance of its two ends as the bodies are declared, wherever they have been brought since [m]."""

    @property
    def offset(self) -> np.ndarray:
        """From its first end to its second as the bodies stand, in the axes of marker A [m]."""

    def poses(self, when: Literal["declared", "begin", "now"]) -> tuple[Pose, ...]:
        """Its attachments in the order of its fields, in global axes: as the bodies are declared, at t = 0, or as they stand."""
