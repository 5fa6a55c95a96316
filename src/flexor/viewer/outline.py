"""Outlines of beam sections: closed polygons in the y-z plane of the section, for pictures."""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

import numpy as np

ROUND = 16
"""Corners of a circle."""


def outline_of(section: Any) -> np.ndarray | None:
    """(k, 2) corners [m], counter-clockwise, with the reference line at the origin; None where nothing tells a size."""
    make = _OUTLINES.get(getattr(section, "type", ""))
    return None if make is None else make(section)


def is_convex(outline: np.ndarray) -> bool:
    """Whether a fan of triangles from its first corner fills it."""
    sides = np.roll(outline, -1, axis=0) - outline
    after = np.roll(sides, -1, axis=0)
    return bool(np.all(sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] >= 0))


def _rectangle(section: Any) -> np.ndarray:
    return _corners(section.width / 2, section.height / 2)


def _corners(y: float, z: float) -> np.ndarray:
    return np.array([(y, z), (-y, z), (-y, -z), (y, -z)])


def _circle(section: Any) -> np.ndarray:
    return _ring(section.radius)


def _ring(radius: float) -> np.ndarray:
    angle = 2 * pi * np.arange(ROUND) / ROUND
    return radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _i_profile(section: Any) -> np.ndarray:
    y, z = section.width / 2, section.height / 2
    w, f = section.web / 2, z - section.flange
    right = [(y, -z), (y, -f), (w, -f), (w, f), (y, f), (y, z)]
    return np.array([*right, *((-a, b) for a, b in reversed(right))])


def _general(section: Any) -> np.ndarray | None:
    """The rectangle with its radii of gyration, h²/12 = Iy/A; a circle of its area where it has none."""
    A, Iy, Iz = section.area, section.Iy, section.Iz
    if not A > 0:
        return None
    return _corners(sqrt(3 * Iz / A), sqrt(3 * Iy / A)) if Iy > 0 and Iz > 0 else _ring(sqrt(A / pi))


def _stiffness(section: Any) -> np.ndarray | None:
    """The rectangle with the radii of gyration that its stiffness tells: h²/12 = EIy/EA."""
    EA, _, _, _, EIy, EIz = np.diag(np.array(section.stiffness, dtype=float))
    return _corners(sqrt(3 * EIz / EA), sqrt(3 * EIy / EA)) if min(EA, EIy, EIz) > 0 else None


_OUTLINES = {
    "rectangle": _rectangle,
    "box": _rectangle,
    "circle": _circle,
    "tube": _circle,
    "i": _i_profile,
    "general": _general,
    "stiffness": _stiffness,
}
