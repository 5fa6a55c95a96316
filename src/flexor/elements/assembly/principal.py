"""Some rows and the same columns of a large symmetric matrix."""

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
    entries &= np.repeat(stays, np.diff(A.indptr))
    before = np.concatenate([[0], np.cumsum(entries)])[A.indptr]  # entries that stay up to each column
    indptr = np.concatenate([[0], before[1:][stays]]).astype(A.indptr.dtype)
    found = sparse.csc_array((A.data[entries], number[A.indices[entries]], indptr), shape=(m, m))
    found.has_sorted_indices = A.has_sorted_indices
    return found
