"""Planes through a point, for the search of the one on which the normal stress does most damage."""

from __future__ import annotations

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.recover.measures import StressMeasure
from flexor.units import Quantity, si

LEAST, MOST = np.radians(2), np.radians(45)


def step_of(given: Quantity) -> float:
    """Angle between neighbouring planes [rad]."""
    step = float(si(given, "angle"))
    if not LEAST <= step <= MOST:
        what, why = f"plane_step = {np.degrees(step):.4g}°", "planes stand 2° to 45° apart"
        raise ModelError(Problem("critical plane", what, why, 'write e.g. "10 deg"'))
    return step


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


def normal_stress(normal: np.ndarray) -> StressMeasure:
    """σ_n = nᵀ σ n on the plane with a normal."""
    x, y, z = normal
    row = np.array([x * x, y * y, z * z, 2 * x * y, 2 * y * z, 2 * z * x])
    return StressMeasure("critical_plane", row[None], lambda values: values[0])
