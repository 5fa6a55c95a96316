"""Whether a line returns more energy than it received, judged by the recorded waves of its ends.

A wave w carries the power w²/4Z. What an end took for the arriving wave follows from what it sent and its velocity, w = 2 Z v − u; what
it should have taken is the other end's wave, a delay ago and damped. An end that extrapolates, changes a sign, or takes another
impedance shows at once, long before the motion grows; one that takes what arrived gains nothing, whatever its steps are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexor.cosim.tlm.line import TransmissionLine
from flexor.cosim.tlm.waves import Waves

WIDTH = {1: 4, 3: 25}
"""Numbers of a sample. 1-D: t, x, v, u. 3-D: t, x (3), R (9), v (3), ω (3), u (6)."""
ROUNDING = 1e-9
GAIN = 1e-3
"""Share of the energy that has passed by which a line may seem to return more: interpolations of other programs."""


@dataclass(frozen=True)
class LineBalance:
    """Energy through one direction of a line [J]."""

    passed: float
    """That of the waves which arrived."""
    gained: float
    """By how much the receiving end took them for more than that; negative: for less."""
    until: float
    """Time at the receiving end up to which it was looked at [s]."""
    scale: float = 0.0
    """Energies that were subtracted from each other to find the gain."""

    @property
    def gains(self) -> bool:
        """Whether it returns more than it received, beyond interpolation error and rounding."""
        return self.gained > GAIN * self.passed + ROUNDING * self.scale


class Passage:
    """One direction of a line, followed while samples come in: from the sending to the receiving end."""

    def __init__(self, line: TransmissionLine, dimensions: int = 3) -> None:
        self.line, self.dimensions = line, dimensions
        self._Z = np.array(line.impedances(dimensions))
        self._carries = self._Z > 0
        self._filtered = Waves(line.delay, line.alpha) if line.alpha else None
        self._sent = np.zeros((0, 1 + len(self._Z)))
        self._waiting: list[np.ndarray] = []
        self._last: np.ndarray | None = None  # time, power taken, power arrived, and what both were found from
        self.balance = LineBalance(0.0, 0.0, -np.inf)

    def sent(self, samples: np.ndarray) -> None:
        """Samples of the sending end, one in a row."""
        new = np.column_stack([samples[:, 0], samples[:, -len(self._Z) :]])
        if self._filtered is not None:
            damped = self._filtered
            for row in new.tolist():
                damped.receive(row[0], row[1:])
            new[:, 1:] = damped.waves[-len(new) :]
            damped.forget(damped.times[-1] - 4 * self.line.delay)
        self._sent = np.vstack([self._sent, new])

    def taken(self, samples: np.ndarray) -> None:
        """Samples of the receiving end."""
        self._waiting.append(samples)

    def look(self) -> LineBalance:
        """Balance up to the last time for which the waves of both ends are known."""
        if not self._waiting or not len(self._sent):
            return self.balance
        rows = np.vstack(self._waiting)
        arrives = self._sent[:, 0] + self.line.delay
        known = rows[:, 0] <= arrives[-1] + 1e-9 * self.line.delay
        ready, self._waiting = rows[known], ([rows[~known]] if not known.all() else [])
        if not len(ready):
            return self.balance
        u, v = ready[:, -len(self._Z) :], self.velocities(ready)
        took = 2 * self._Z * v - u
        came = np.column_stack([np.interp(ready[:, 0], arrives, self._sent[:, 1 + i]) for i in range(len(self._Z))])
        each = 1 / (4 * np.where(self._carries, self._Z, np.inf))
        large = (u**2 + (2 * self._Z * v) ** 2) @ each
        powers = np.column_stack([ready[:, 0], took**2 @ each, came**2 @ each, large])
        if self._last is not None:
            powers = np.vstack([self._last, powers])
        dt = np.diff(powers[:, 0])
        taken, arrived, scale = (dt @ (0.5 * (powers[1:, 1:] + powers[:-1, 1:]))).tolist()
        self._last = powers[-1]
        old = self.balance
        self.balance = LineBalance(
            old.passed + arrived, old.gained + taken - arrived, float(self._last[0]), old.scale + scale
        )
        keep = max(int(np.searchsorted(arrives, self._last[0])) - 2, 0)
        self._sent = self._sent[keep:]
        return self.balance

    @property
    def impedances(self) -> np.ndarray:
        """Of each component of a wave."""
        return self._Z

    def velocities(self, rows: np.ndarray) -> np.ndarray:
        """Of samples, in the axes of their waves [m/s], [rad/s]."""
        if self.dimensions == 1:
            return rows[:, 2:3]
        R = rows[:, 4:13].reshape(-1, 3, 3)
        return np.hstack([rows[:, 13:16], np.einsum("nij,ni->nj", R, rows[:, 16:19])])


def passivity(
    line: TransmissionLine, a: np.ndarray, b: np.ndarray, dimensions: int = 3
) -> tuple[LineBalance, LineBalance]:
    """Balances from a to b and from b to a, of the samples that the two ends recorded."""
    found = []
    for sender, receiver in ((a, b), (b, a)):
        passage = Passage(line, dimensions)
        passage.sent(np.asarray(sender, dtype=float))
        passage.taken(np.asarray(receiver, dtype=float))
        found.append(passage.look())
    return found[0], found[1]
