"""What a body slides along that is no straight axis: a guide through markers, the curve of a cam.   FTG 6.3

Its only variable is the position along it. Friction acts on it as on a joint variable; on a guide motors and springs do, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from flexor.declaration import Item
from flexor.law.law import Law
from flexor.law.record import Packed, Record

if TYPE_CHECKING:
    from flexor.joints.surroundings import Surroundings


class RubbingSite(NamedTuple):
    """Where friction acts: its law on these nodes, the parameters that tell the path, and what it remembers at first.

    start: the coordinate that slides, as it stands [m].   history: further fields.
    """

    law: Law
    parameters: type[Record]
    fields: dict[str, Packed | int | float]
    nodes: tuple[int, ...]
    start: float
    history: dict[str, float]


class Path(Item):
    """Base of guides and cams."""

    variables: ClassVar[tuple[str, ...]] = ("position",)
    units: ClassVar[tuple[str, ...]] = ("m",)

    def directions(self, points: np.ndarray) -> tuple[np.ndarray, ...]:
        """In which directions forces along it act on what slides, if that is known; points: its attachments, in the order of its fields."""
        return ()

    def rubs(self, around: Surroundings, sticks: bool) -> RubbingSite:
        """Where friction on it acts; around: of the path.   sticks: whether it is that which sticks, or a smooth one."""
        raise NotImplementedError
