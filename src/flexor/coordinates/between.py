"""A coordinate evaluated by hand, outside the engine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexor.coordinates.frames import OnNode, packed
from flexor.coordinates.measure import Coordinate, add_gradient, turns, value_and_rate
from flexor.law.face import State
from flexor.law.record import Packed


class Between:
    """What is measured between two sites ."""

    def __init__(self, measure: Packed, a: OnNode, b: OnNode) -> None:
        self._p = Coordinate(Coordinate.pack(m=measure, a=packed(a), b=packed(b)).words)

    @property
    def turns(self) -> bool:
        """Whether it is an angle, known up to whole turns."""
        return bool(turns(self._p.m))

    def value_and_rate(self, x: Sequence[float], R: Sequence[float], v: Sequence[float]) -> tuple[float, float]:
        """q and q̇ for positions (6), orientations (18) and velocities (12) of the two nodes."""
        return value_and_rate(self._p.m, self._p, _now(x, R, v))

    def gradient(self, x: Sequence[float], R: Sequence[float]) -> np.ndarray:
        """∂q/∂(x_a, θ_a, x_b, θ_b)"""
        g = np.zeros(12)
        add_gradient(self._p.m, self._p, _now(x, R, [0.0] * 12), 1.0, g)
        return g


def _now(x: Sequence[float], R: Sequence[float], v: Sequence[float]) -> State:
    """What a coordinate reads of the state."""
    return State(None, None, 0.0, None, x, R, v, None, None, None)  # type: ignore[arg-type]
