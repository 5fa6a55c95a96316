"""What is told about damage: the worst place with its life."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

_SPANS = ((365.25 * 86400, "years"), (86400, "days"), (3600, "h"), (60, "min"), (1, "s"))


@dataclass(frozen=True)
class WorstPlace:
    """A place and its damage.

    value: C of one passage of the history;  row: in `Damage.values`;  position: in the axes of the body [m].
    largest: range after mean-stress correction [Pa].
    """

    value: float
    row: int
    label: str
    node: int | None
    position: tuple[float, ...] | None
    duration: float
    largest: float
    tied: bool = False
    """Whether a tie holds the node: stress there tells of the tie as well as of the part."""
    away: WorstPlace | None = None
    """Where a tie holds the node, the worst of all other places."""
    corrected: bool = False
    """Whether the largest range is one after mean-stress correction."""

    @property
    def life(self) -> float:
        """Repetitions of the history until failure, 1/C."""
        return 1 / self.value if self.value > 0 else np.inf

    @property
    def life_time(self) -> float:
        """Time until failure [s].   FTG (9.3)"""
        return self.duration * self.life

    def __str__(self) -> str:
        on = " (on a tie)" if self.tied else ""
        if not self.largest > 0:
            return "no damage: the stress does not change"
        if not self.value > 0:
            kind = "largest corrected range" if self.corrected else "largest range"
            return (
                f"no damage: the {kind}, {self.largest / 1e6:.4g} MPa at {self.label}{on}, is below the endurance limit"
            )
        return f"C = {self.value:.4g} at {self.label}{on}: {self.life:.4g} repetitions, {span_of_time(self.life_time)}"


def span_of_time(seconds: float) -> str:
    """`3.2 h`, `12.4 years`"""
    for size, unit in _SPANS:
        if seconds >= size or size == 1:
            return f"{seconds / size:.4g} {unit}"
    return ""
