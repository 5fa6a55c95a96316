"""Boxes along the global axes around surfaces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from flexor.contact.surfaces import SURFACES


def reach_of(shapes: Sequence[Any]) -> np.ndarray:
    """Half sides (n, 3) of a box around each shape, in its own axes about their origin [m]; infinite for a plane."""
    return np.array([SURFACES[type(shape)].reach(shape) for shape in shapes], dtype=float).reshape(-1, 3)


def boxes(reach: np.ndarray, x: np.ndarray, R: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corners (n, 3) of boxes along the global axes; x, R: origins (n, 3) and axes (n, 3, 3) of the surfaces.

    Along a global axis a box of half sides h that is turned by R reaches Σ |R_ij| h_j.
    """
    with np.errstate(invalid="ignore"):
        half = np.einsum("nij,nj->ni", np.abs(R), reach)
    half[np.isnan(half)] = np.inf
    return x - half, x + half
