"""Measures between two markers: how far apart they are, and how one moves as seen from the other."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from flexor.results.marker_motion import UNITS, MarkerMotion, seen_from
from flexor.results.signal import Signal
from flexor.spatial import log_so3


class RelativeMotion:
    """The second marker seen from the first, in the axes of the first.

    Each property is a Signal over time, or of an equilibrium a number or an array.
    """

    def __init__(self, names: tuple[str, str], first: MarkerMotion, second: MarkerMotion, single: bool = False) -> None:
        self.names = names
        self._first, self._second, self._single = first, second, single

    @property
    def distance(self) -> Signal | float:
        """Between the two points [m]."""
        return self._number("distance", np.linalg.norm(self._seen.position, axis=1), "m")

    @property
    def distance_rate(self) -> Signal | float:
        """ℓ̇ = (p · ṗ)/ℓ [m/s]; where the points coincide, their relative speed."""
        p, v = self._seen.position, self._seen.velocity
        length = np.linalg.norm(p, axis=1)
        apart = length > 0
        along = np.einsum("ti,ti->t", p, v) / np.where(apart, length, 1.0)
        return self._number("distance_rate", np.where(apart, along, np.linalg.norm(v, axis=1)), "m/s")

    @property
    def position(self) -> Signal | np.ndarray:
        """(…, 3) of the second marker in the axes of the first [m]."""
        return self._quantity("position")

    @property
    def velocity(self) -> Signal | np.ndarray:
        """(…, 3) its rate as seen from the first [m/s]."""
        return self._quantity("velocity")

    @property
    def acceleration(self) -> Signal | np.ndarray:
        """(…, 3) as seen from the first [m/s²]."""
        return self._quantity("acceleration")

    @property
    def orientation(self) -> Signal | np.ndarray:
        """(…, 4) quaternion w, x, y, z of the second against the first."""
        return self._quantity("orientation")

    @property
    def angular_velocity(self) -> Signal | np.ndarray:
        """(…, 3) of the second against the first [rad/s]."""
        return self._quantity("angular_velocity")

    @property
    def angular_acceleration(self) -> Signal | np.ndarray:
        """(…, 3) of the second against the first [rad/s²]."""
        return self._quantity("angular_acceleration")

    @property
    def angle(self) -> Signal | float:
        """Of the turn from the first to the second, 0 … π [rad]."""
        return self._number("angle", np.linalg.norm(log_so3(self._seen.R), axis=1), "rad")

    def euler(self, sequence: str = "zyx", *, fixed: bool = False) -> Signal | np.ndarray:
        """(…, 3) Euler angles of the second against the first [rad], see `flexor.spatial.matrix_to_euler`."""
        return self._vector(f"euler_{sequence}", self._seen.euler(sequence, fixed), "rad")

    def __repr__(self) -> str:
        first, second = self.names
        length = np.linalg.norm(self._seen.position, axis=1)
        told = (
            f"{length[0]:.6g} m"
            if self._single
            else f"{length.min():.6g} … {length.max():.6g} m"
            if len(length)
            else "no rows"
        )
        return f"{second} seen from {first}: distance {told}"

    @cached_property
    def _seen(self) -> MarkerMotion:
        return seen_from(self._first, self._second)

    def _quantity(self, what: str) -> Signal | np.ndarray:
        return self._vector(what, getattr(self._seen, what), UNITS[what])

    def _number(self, what: str, values: np.ndarray, unit: str) -> Signal | float:
        return float(values[0]) if self._single else self._signal(what, values, unit)

    def _vector(self, what: str, values: np.ndarray, unit: str) -> Signal | np.ndarray:
        return values[0] if self._single else self._signal(what, values, unit)

    def _signal(self, what: str, values: np.ndarray, unit: str) -> Signal:
        return Signal(values, self._seen.time, f"{self.names[1]} from {self.names[0]}.{what}", unit)
