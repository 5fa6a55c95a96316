"""Small motions as an eigenvalue problem, (λ²M + λC + K) ξ + Bᵀμ + Aᵀν = 0."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg, sparse

from flexor.solve.linearise import ROUNDING, Linearisation


@dataclass(frozen=True)
class Pencil:
    """Matrices in coordinates ξ = q/size of like inertia; rows of the constraints have unit length.

    B ξ = 0 for positions, (λA + A_q) ξ = 0 for velocities.
    accuracy: relative error of the entries of K.   stiffest: of each coordinate, the largest stiffness of the vector that it is
        a component of: a spring in one direction leaves rounding in the others.   states: how many of the last coordinates are
        states of control blocks, without inertia, whose rows have nothing to do with forces.
    """

    K: sparse.csr_array
    C: sparse.csr_array
    M: sparse.csr_array
    B: sparse.csr_array
    A: sparse.csr_array
    A_q: sparse.csr_array
    size: np.ndarray
    accuracy: float
    stiffest: np.ndarray
    states: int = 0

    def __len__(self) -> int:
        return len(self.size)

    def shapes(self, xi: np.ndarray) -> np.ndarray:
        """In the mechanism's own coordinates."""
        return self.size[:, None] * xi


def pencil(m: Linearisation, *, symmetric: bool = False) -> Pencil:
    """The small motions of a linearisation; symmetric: without damping, and constraints on velocities as on positions."""
    K, C, M, B, A, A_q = m.K, m.C, m.M, m.B, m.A, m.A_q
    if symmetric:
        K, M, C = 0.5 * (K + K.T), 0.5 * (M + M.T), sparse.csr_array(C.shape)
        B, A, A_q = sparse.vstack([B, A], format="csr"), A[:0], A_q[:0]
    size = _sizes(K.diagonal(), C.diagonal(), M.diagonal(), sparse.vstack([B, A], format="csr"))
    S = sparse.dia_array((size[None], [0]), shape=(len(size), len(size)))
    K, C, M = (sparse.csr_array(S @ X @ S) for X in (K, C, M))
    B, A, A_q = (sparse.csr_array(X @ S) for X in (B, A, A_q))
    rolling = _lengths(A) > 0
    unit = sparse.diags_array(1.0 / _lengths(A)[rolling], shape=(rolling.sum(),) * 2)
    A, A_q = (sparse.csr_array(unit @ X[rolling]) for X in (A, A_q))
    held = _lengths(B) > 0
    B = sparse.csr_array(sparse.diags_array(1.0 / _lengths(B)[held], shape=(held.sum(),) * 2) @ B[held])
    _, vector = np.unique(m.vectors, return_inverse=True)
    stiffest = np.zeros(len(size))
    np.maximum.at(stiffest, vector, np.abs(K.diagonal()))
    return Pencil(K, C, M, B, A, A_q, size, m.accuracy, stiffest[vector], m.states)


def _lengths(B: sparse.csr_array) -> np.ndarray:
    return np.sqrt(np.asarray(B.multiply(B).sum(axis=1))).ravel()


def _sizes(k: np.ndarray, c: np.ndarray, m: np.ndarray, B: sparse.csr_array) -> np.ndarray:
    """Light coordinates count as much as heavy ones.

    Those without inertia count as far as their constraints make them go along with others; where nothing leads to one with
    inertia, by stiffness, or by damping. (Stiffness alone would not do: that of a node which no force has reached is rounding.)
    """
    k, c = np.abs(k), np.abs(c)
    massive = m > 0
    both = massive & (k > 0)
    square = float(np.median(k[both] / m[both])) if np.any(both) else 1.0  # [1/s²]
    entries = abs(B).tocoo()
    largest = np.zeros(B.shape[0])
    np.maximum.at(largest, entries.row, entries.data)
    counts = entries.data > 1e-6 * largest[entries.row]
    row, column, value = entries.row[counts], entries.col[counts], entries.data[counts]
    inertia = np.where(massive, m, 0.0)
    for more in (k / square * (k > ROUNDING * k.max(initial=0.0)), c / np.sqrt(square), np.ones(len(m))):
        inertia = _handed_on(inertia, row, column, value, B.shape[0])
        inertia = np.where(inertia > 0, inertia, more)
    return 1.0 / np.sqrt(inertia)


def _handed_on(inertia: np.ndarray, row: np.ndarray, column: np.ndarray, value: np.ndarray, rows: int) -> np.ndarray:
    """Inertia of coordinates that have none from those that they move with: in a row of B, b_i/√m_i of all are alike."""
    while True:
        known = inertia[column] > 0
        reach = np.zeros(rows)
        np.maximum.at(reach, row[known], value[known] / np.sqrt(inertia[column[known]]))
        new = ~known & (reach[row] > 0)
        if not np.any(new):
            return inertia
        inertia = inertia.copy()
        np.maximum.at(inertia, column[new], (value[new] / reach[row[new]]) ** 2)


def constrained(p: Pencil) -> np.ndarray:
    """Orthonormal basis of the displacements that the constraints on positions allow."""
    return null_space(p.B.toarray())


def null_space(B: np.ndarray) -> np.ndarray:
    """Orthonormal null space of a matrix whose rows have unit length."""
    return linalg.null_space(B, rcond=1e-9) if len(B) else np.eye(B.shape[1])


def undamped_exactly(p: Pencil, values: np.ndarray, xi: np.ndarray) -> np.ndarray:
    """Eigenvalues with their real part zero where neither damping nor follower forces do work on the shape.

    With m = ξᴴMξ, c = ξᴴCξ, k = ξᴴKξ an eigenvalue solves m λ² + c λ + k = 0; if c is imaginary and k real but for rounding, and
    −c² + 4mk > 0, then λ is imaginary.
    """
    few = np.flatnonzero((np.abs(values.real) <= 1e-6 * np.abs(values)) & (values.real != 0))
    if not len(few):
        return values
    x = xi[:, few] / np.linalg.norm(xi[:, few], axis=0)
    size = np.abs(x)
    (m, _), (c, c_terms), (k, k_terms) = (
        (np.einsum("ik,ik->k", x.conj(), X @ x), np.einsum("ik,ik->k", size, abs(X) @ size)) for X in (p.M, p.C, p.K)
    )
    rate = np.abs(values[few])
    terms = rate * c_terms + k_terms
    idle = np.abs(rate * c.real) + np.abs(k.imag) <= p.accuracy * terms
    conservative = idle & (c.imag**2 + 4 * m.real * k.real > 0)
    values = values.copy()
    values[few[conservative]] = 1j * values[few[conservative]].imag
    return values
