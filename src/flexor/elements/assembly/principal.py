"""Some rows and the same columns of a large symmetric matrix, and the numbers that are left."""

from __future__ import annotations

import numpy as np
from scipy import sparse


def principal(A: sparse.csc_array, kept: np.ndarray) -> sparse.csc_array:
    """A[kept][:, kept] for ascending numbers; entries that stay keep their order, so nothing is sorted anew."""
    n, m = A.shape[0], len(kept)
    if m == n:
        return A
    stays = np.zeros(n, dtype=bool)
    stays[kept] = True
    number = np.cumsum(stays, dtype=A.indices.dtype) - 1
    entries = stays[A.indices]
    for column in np.flatnonzero(~stays).tolist():
        entries[A.indptr[column] : A.indptr[column + 1]] = False
    until = np.concatenate([[0], np.cumsum(entries, dtype=A.indptr.dtype)])  # entries that stay up to each place
    indptr = np.concatenate([[0], until[A.indptr[1:]][stays]]).astype(A.indptr.dtype)
    found = sparse.csc_array((A.data[entries], number[A.indices[entries]], indptr), shape=(m, m))
    found.has_sorted_indices = A.has_sorted_indices
    return found


def left(n: int, taken: np.ndarray) -> np.ndarray:
    """The numbers below n that are not among some, ascending."""
    there = np.ones(n, dtype=bool)
    there[taken] = False
    return np.flatnonzero(there)
