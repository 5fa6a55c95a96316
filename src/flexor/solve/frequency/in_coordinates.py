"""The equations of a harmonic response in coordinates alone: readings are told by them, multipliers are taken out.

    A(s) q + Bᵀλ + d(s) u = 0,   B q + g(s) u = 0,   y = −(R(s) q + e(s) u),      s = iω

Possible where nothing depends on readings, and constraints bind positions. Powers of s: A and R have 0, 1, 2; d, g and e −2 … 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from flexor.solve.frequency.linear_system import LinearSystem

POWERS = (0, 1, 2, -1, -2)
"""Of s, by which the columns of an input count."""


@dataclass(frozen=True)
class InCoordinates:
    """A: by powers 0, 1, 2 of s.   d, lift: (coordinates, inputs, 5), by POWERS, where B·lift = −g.
    R: rows of outputs, dense, by powers 0, 1, 2.   e: (outputs, inputs, 5).
    allowed: takes out of forces, as rows, what constraints bear.   size: of the coordinates, such that all have like stiffness."""

    A: tuple[sparse.csr_array, sparse.csr_array, sparse.csr_array]
    d: np.ndarray
    lift: np.ndarray
    R: tuple[np.ndarray, np.ndarray, np.ndarray]
    e: np.ndarray
    B: sparse.csr_array
    gram: object

    def allowed(self, rows: np.ndarray) -> np.ndarray:
        """Rows P with P Bᵀ = 0, nearest to the given ones."""
        if self.gram is None:
            return rows
        return rows - self.gram.solve(self.B @ rows.T).T @ self.B  # type: ignore[attr-defined]


def in_coordinates(system: LinearSystem) -> InCoordinates | None:
    """None where it is not possible."""
    q, y = np.flatnonzero(system.own), np.flatnonzero(system.reading)
    c = np.flatnonzero(~system.own & ~system.reading)
    K = sparse.csr_array(system.K + 1j * system.H)
    parts = (K, system.C, system.M)
    B = sparse.csr_array(system.K[c][:, q])
    moves = any(X[c].count_nonzero() for X in parts[1:]) or system.K[c][:, c].count_nonzero()
    excess = abs(system.K[q][:, c] - B.T).max() if len(c) else 0.0
    if moves or excess > 1e-12 * abs(B).max() if len(c) else False:
        return None
    others = np.flatnonzero(~system.reading)
    if system.C[:, y].count_nonzero():  # states of control blocks
        return None
    if system.K[others][:, y].count_nonzero():
        return None
    gram = None
    if len(c):
        try:
            gram = splu(sparse.csc_array(B @ B.T))
        except RuntimeError:
            return None
    told = np.linalg.solve(system.K[y][:, y].toarray(), np.eye(len(y)))[np.searchsorted(y, system.read)]
    A = tuple(sparse.csr_array(X[q][:, q]) for X in parts)
    R = [told @ X[y][:, q] for X in parts]
    d, g, e = system.felt[q], system.felt[c], np.einsum("oy,yik->oik", told, system.felt[y])
    lift = np.zeros(d.shape)
    if gram is not None:
        flat = g.reshape(len(c), -1)
        lift = -(B.T @ gram.solve(flat)).reshape(d.shape)
        by_reactions = told @ system.K[y][:, c]  # λ = −(BBᵀ)⁻¹ B (A q + d u)
        if np.any(by_reactions):
            G = gram.solve(np.ascontiguousarray(by_reactions.T)).T @ B
            R = [own - G @ X for own, X in zip(R, A, strict=True)]
            e = e - np.einsum("oq,qik->oik", G, d)
    return InCoordinates(A, d, lift, (R[0], R[1], R[2]), e, B, gram)  # type: ignore[arg-type]
