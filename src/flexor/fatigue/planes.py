"""Planes through a point, for the search of the one on which normal or shear stress does most damage."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.recover.measures import StressMeasure
from flexor.units import Quantity, si

LEAST, MOST = np.radians(2), np.radians(45)
CRITICAL_PLANE, CRITICAL_SHEAR = "critical_plane", "critical_shear"


class Look(NamedTuple):
    """What is counted in one pass over all places: a measure, of a plane with its normal, of shear along a direction in it."""

    measure: StressMeasure
    normal: np.ndarray | None = None
    along: np.ndarray | None = None

    @property
    def across(self) -> StressMeasure:
        """The normal stress on its plane."""
        assert self.normal is not None
        return normal_stress(self.normal)


def step_of(given: Quantity) -> float:
    """Angle between neighbouring planes [rad]."""
    step = float(si(given, "angle"))
    if not LEAST <= step <= MOST:
        what, why = f"plane_step = {np.degrees(step):.4g}°", "planes stand 2° to 45° apart"
        raise ModelError(Problem("critical plane", what, why, 'write e.g. "10 deg"'))
    return step


def looks_at(measure: str, plane_step: Quantity, *, surface: bool = False) -> list[Look]:
    """All planes `plane_step` apart, and for shear all directions in each. surface: normal stress across a free surface alone."""
    step = step_of(plane_step)
    if measure == CRITICAL_PLANE:
        return [Look(normal_stress(n), n) for n in (in_surface(step) if surface else directions(step))]
    return [Look(twice_shear(n, d), n, d) for n in directions(step) for d in in_plane(n, step)]


def directions(step: float) -> np.ndarray:
    """(k, 3) normals all over the half-sphere, about `step` [rad] apart."""
    found = [(0.0, 0.0, 1.0)]
    rings = int(np.ceil(np.pi / 2 / step))
    for i in range(1, rings + 1):
        polar = np.pi / 2 * i / rings
        count = int(np.ceil((np.pi if i == rings else 2 * np.pi) * np.sin(polar) / step))
        whole = np.pi if i == rings else 2 * np.pi  # opposite normals are one plane
        for angle in whole * np.arange(count) / count:
            found.append((np.sin(polar) * np.cos(angle), np.sin(polar) * np.sin(angle), np.cos(polar)))
    return np.array(found)


def in_surface(step: float) -> np.ndarray:
    """(k, 3) normals in the x-y plane, `step` [rad] apart."""
    angles = np.arange(0, np.pi, np.pi / np.ceil(np.pi / step))
    return np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)


def in_plane(normal: np.ndarray, step: float) -> np.ndarray:
    """(k, 3) directions in the plane across a normal, `step` [rad] apart; opposite ones are one."""
    flat = in_surface(step)[:, :2]
    first = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    first /= np.linalg.norm(first)
    return flat @ np.stack([first, np.cross(normal, first)])


def normal_stress(normal: np.ndarray) -> StressMeasure:
    """σ_n = nᵀ σ n on the plane with a normal."""
    x, y, z = normal
    return _linear(CRITICAL_PLANE, [x * x, y * y, z * z, 2 * x * y, 2 * y * z, 2 * z * x])


def twice_shear(n: np.ndarray, d: np.ndarray) -> StressMeasure:
    """2τ = 2 nᵀ σ d: on its worst plane, what pulls at a rod."""
    mixed = [n[0] * d[1] + n[1] * d[0], n[1] * d[2] + n[2] * d[1], n[2] * d[0] + n[0] * d[2]]
    return _linear(CRITICAL_SHEAR, [*(2 * n * d), *(2 * np.array(mixed))])


def _linear(name: str, row: list[float]) -> StressMeasure:
    return StressMeasure(name, np.array(row)[None], _first)


def _first(values: np.ndarray) -> np.ndarray:
    return values[0]
