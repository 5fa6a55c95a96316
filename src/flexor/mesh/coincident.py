"""Points of a mesh that lie at the same place."""

from __future__ import annotations

import numpy as np


def coincident_pairs(points: np.ndarray, tolerance: float) -> np.ndarray:
    """(p, 2) pairs of points no farther apart than the tolerance [m]."""
    from scipy.spatial import cKDTree  # takes long to load

    return cKDTree(points).query_pairs(tolerance, output_type="ndarray")


def merged(points: np.ndarray, tolerance: float) -> tuple[np.ndarray, np.ndarray]:
    """The points that remain if coincident ones become one, and for each old point its new index."""
    target = np.arange(len(points))
    pairs = coincident_pairs(points, tolerance)
    while len(pairs):
        low = np.minimum(target[pairs[:, 0]], target[pairs[:, 1]])
        before = target.copy()
        for side in (0, 1):
            np.minimum.at(target, pairs[:, side], low)
        if np.array_equal(before, target):
            break
    kept, index = np.unique(target, return_inverse=True)
    return points[kept], index
