"""Sections of beams put together from rectangular walls, for profiles that have no class of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from flexor.mesh.section import GeneralSection, IProfile

Wall = tuple[float, float, float, float]
"""A rectangle y₀ … y₁, z₀ … z₁ [m]."""


def composed(walls: Sequence[Wall], shear_center: tuple[float, float]) -> tuple[dict[str, object], np.ndarray]:
    """Values of a GeneralSection made of walls that do not overlap, and its centroid (y, z) in the walls' axes.

    Open and thin: J = Σ ℓ t³/3; shear is carried by the walls along it, 5/6 of their area. `shear_center` in the
    walls' axes.
    """
    y0, y1, z0, z1 = np.array(walls, dtype=float).T
    b, h = y1 - y0, z1 - z0
    A = b * h
    area = float(A.sum())
    y, z = (y0 + y1) / 2, (z0 + z1) / 2
    yc, zc = float((A * y).sum() / area), float((A * z).sum() / area)
    values = {
        "area": area,
        "Iy": float((b * h**3 / 12 + A * (z - zc) ** 2).sum()),
        "Iz": float((h * b**3 / 12 + A * (y - yc) ** 2).sum()),
        "Iyz": float((A * (y - yc) * (z - zc)).sum()),
        "J": float((np.maximum(b, h) * np.minimum(b, h) ** 3 / 3).sum()),
        "shear_factors": (5 / 6 * float(A[b > h].sum()) / area, 5 / 6 * float(A[h >= b].sum()) / area),
        "shear_center": (shear_center[0] - yc, shear_center[1] - zc),
        "points": tuple((float(p) - yc, float(q) - zc) for p, q in _corners(y0, y1, z0, z1)),
    }
    return values, np.array([yc, zc])


def _corners(y0: np.ndarray, y1: np.ndarray, z0: np.ndarray, z1: np.ndarray) -> list[tuple[float, float]]:
    """Corners of the walls that lie on the outline's box: where bending stress is highest."""
    found = [(p, q) for a, b, c, d in zip(y0, y1, z0, z1) for p in (a, b) for q in (c, d)]
    low, high = np.min(found, axis=0), np.max(found, axis=0)
    return sorted({(p, q) for p, q in found if p in (low[0], high[0]) or q in (low[1], high[1])})


def upright(section: IProfile) -> dict[str, object]:
    """Values of a GeneralSection with y and z exchanged, for profiles whose web stands along y."""
    ky, kz = section.shear_factors
    points = tuple((float(z), float(y)) for y, z, *_ in section.stress_points())
    return {
        "area": section.area,
        "Iy": section.Iz,
        "Iz": section.Iy,
        "J": section.J,
        "shear_factors": (kz, ky),
        "points": points,
    }


def general(values: Mapping[str, object], **more: object) -> GeneralSection:
    return GeneralSection(**{**values, **more})
