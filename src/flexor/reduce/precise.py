"""Products of a stiffness matrix with shapes, exact to the last digit of the result.

In a smooth shape the forces K_ij x_j on a node cancel: bending a slender solid takes 10⁻¹² of what its elements
push each other with, so a sum in double precision has few digits left. K and X are split into leading and
remaining bits,

    K X = K₁X₁ + (K₁X₂ + K₂X),

such that K₁X₁ is summed without any rounding (multiples of one quantum, below 2⁵³ of it) and the remainder is smaller
by 2⁻²⁰ (Ozaki, Ogita, Oishi and Rump 2012). The price is three products instead of one.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

DIGITS = 53
"""Bits of a double."""


def product(K: sparse.csc_array, X: np.ndarray) -> np.ndarray:
    """K X for a symmetric matrix, as if summed with some 20 bits more than double precision."""
    bits = (DIGITS - int(np.diff(K.indptr).max(initial=1)).bit_length()) // 2
    leading = _leading(K.data, bits)
    K1, K2 = (sparse.csr_array((data, K.indices, K.indptr), shape=K.shape) for data in (leading, K.data - leading))
    X1 = _leading(X, bits)
    return K1 @ X1 + (K1 @ (X - X1) + K2 @ X)


def _leading(values: np.ndarray, bits: int) -> np.ndarray:
    """The values rounded to multiples of a quantum, 2^−bits of the largest (of each column)."""
    _, exponent = np.frexp(np.abs(values).max(axis=0, initial=0.0))
    quantum = np.ldexp(1.0, exponent - bits)
    return np.rint(values / quantum) * quantum
