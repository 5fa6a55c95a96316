"""The motion of a whole mesh in few shapes: a basis of [u/û; σ/σ̂] over all rows, built up as rows come.

Of each batch of rows the part that the basis lacks is divided by singular values; directions are added until every number of every
row is met to TOLERANCE of the largest displacement û and the largest stress σ̂ of the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

TOLERANCE = 1e-5

Batches = Callable[[], Iterator[np.ndarray]]
"""Rows (n, m) of a history, some after the other, as often as asked for."""


@dataclass(frozen=True, eq=False)
class Compressed:
    """z: (T, r) coordinates of every row.   shapes: (r, m), so that rows ≈ z shapes."""

    z: np.ndarray
    shapes: np.ndarray


def compressed(batches: Batches, scale: np.ndarray, tolerance: float = TOLERANCE) -> Compressed:
    """Rows in few shapes. scale: (m,) size of each column; an error of `tolerance` times it is none."""
    basis = np.zeros((0, len(scale)))
    for rows in batches():
        rest = rows / scale
        rest = rest - (rest @ basis.T) @ basis
        rest = rest - (rest @ basis.T) @ basis  # twice is enough
        new = _directions(rest, tolerance)
        if len(new):
            basis = np.linalg.qr(np.concatenate([basis, new]).T)[0].T
    z = [(rows / scale) @ basis.T for rows in batches()]
    return Compressed(np.concatenate([*z, np.zeros((0, len(basis)))]), basis * scale)


def _directions(rest: np.ndarray, tolerance: float) -> np.ndarray:
    """As few orthonormal directions as leave nothing of the rows beyond the tolerance."""
    if not rest.size or np.abs(rest).max() <= tolerance:
        return np.zeros((0, rest.shape[1]))
    _, values, directions = np.linalg.svd(rest, full_matrices=False)
    kept = int(np.count_nonzero(values > 1e-9 * values[0]))
    low, high = 1, max(kept, 1)
    while low < high:  # the least number of directions that serves
        count = (low + high) // 2
        some = directions[:count]
        if np.abs(rest - (rest @ some.T) @ some).max() <= tolerance / 2:
            high = count
        else:
            low = count + 1
    return directions[:high]
