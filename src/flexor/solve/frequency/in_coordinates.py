"""The equations of a harmonic response in coordinates alone: readings are told by them, multipliers are taken out.

    A(s) q + Bᵀλ + d(s) u = 0,   B q + g(s) u = 0,   y = −(R(s) q + e(s) u),      s = iω

Possible where constraints bind positions, and act as they bind. Readings that are fed back are expressed by what they read, and those
with rates of their own are coordinates too. Powers of s: A and R have 0, 1, 2; d, g and e −2 … 2.
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
    R: rows of outputs, dense, by powers 0, 1, 2.   e: (outputs, inputs, 5).   rows: which unknowns the coordinates are.
    allowed: takes out of forces, as rows, what constraints bear."""

    A: tuple[sparse.csr_array, sparse.csr_array, sparse.csr_array]
    d: np.ndarray
    lift: np.ndarray
    R: tuple[np.ndarray, np.ndarray, np.ndarray]
    e: np.ndarray
    B: sparse.csr_array
    gram: object
    rows: np.ndarray

    def allowed(self, rows: np.ndarray) -> np.ndarray:
        """Rows P with P Bᵀ = 0, nearest to the given ones."""
        if self.gram is None:
            return rows
        return rows - self.gram.solve(self.B @ rows.T).T @ self.B  # type: ignore[attr-defined]


def in_coordinates(system: LinearSystem) -> InCoordinates | None:
    """None where it is not possible; `obstacle` tells why."""
    found = _written(system)
    return None if isinstance(found, str) else found


def obstacle(system: LinearSystem) -> str:
    """Why the equations cannot be written in coordinates alone; empty if they can."""
    found = _written(system)
    return found if isinstance(found, str) else ""


def _written(system: LinearSystem) -> InCoordinates | str:
    q, c, y = _kinds(system)
    K = sparse.csr_array(system.K + 1j * system.H)
    if system.C[:, y].count_nonzero():
        return "blocks of a control system have states of their own"
    try:
        Y = _inverse(system.K[y][:, y])
    except np.linalg.LinAlgError:
        return "readings have no unique values"
    told = Y[np.searchsorted(y, system.read[np.isin(system.read, y)])]
    parts = [K, system.C, system.M]
    felt = system.felt
    K_qc = sparse.csr_array(system.K[q][:, c])
    fed_back = _fed_back(system, np.concatenate([q, c]), y, Y)
    if fed_back.count_nonzero():
        if (fed_back[len(q) :] @ sparse.hstack([system.C[y], system.M[y]])).count_nonzero():
            return "a rate is fed back into a constraint"
        by_q = fed_back[: len(q)]
        K_qc = K_qc - by_q @ system.K[y][:, c]
        A = [sparse.csr_array(X[q][:, q] - by_q @ X[y][:, q]) for X in parts]
        B = sparse.csr_array(system.K[c][:, q] - fed_back[len(q) :] @ system.K[y][:, q])
        d = felt[q] - np.einsum("qy,yik->qik", by_q.toarray(), felt[y])
        g = felt[c] - np.einsum("cy,yik->cik", fed_back[len(q) :].toarray(), felt[y])
    else:
        A = [sparse.csr_array(X[q][:, q]) for X in parts]
        B, d, g = sparse.csr_array(system.K[c][:, q]), felt[q], felt[c]
    if len(c):
        if any(X[c].count_nonzero() for X in parts[1:]):
            return "a constraint binds velocities, as of rolling"
        if system.K[c][:, c].count_nonzero() or abs(K_qc - B.T).max() > 1e-12 * max(abs(B).max(), 1.0):
            return "forces depend on reactions, or a motor follows sensors"
    gram = None
    if len(c):
        try:
            gram = splu(sparse.csc_array(B @ B.T))
        except RuntimeError:
            return "constraints depend on each other"
    R, e = _outputs(system, q, y, told, parts)
    lift = np.zeros(d.shape)
    if gram is not None:
        lift = -(B.T @ gram.solve(g.reshape(len(c), -1))).reshape(d.shape)
        by_reactions = np.zeros((len(system.read), len(c)))
        by_reactions[np.isin(system.read, y)] = told @ system.K[y][:, c]  # λ = −(BBᵀ)⁻¹ B (A q + d u)
        if np.any(by_reactions):
            G = gram.solve(np.ascontiguousarray(by_reactions.T)).T @ B
            R = [own - G @ X for own, X in zip(R, A, strict=True)]
            e = e - np.einsum("oq,qik->oik", G, d)
    return InCoordinates((A[0], A[1], A[2]), d, lift, (R[0], R[1], R[2]), e, B, gram, q)


def _kinds(system: LinearSystem) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Numbers of coordinates (readings with rates of their own among them), multipliers, and readings."""
    rates = (abs(system.C) + abs(system.M)).sum(axis=0) > 0
    moving = system.own | (system.reading & np.asarray(rates).ravel())
    return tuple(np.flatnonzero(which) for which in (moving, ~system.own & ~system.reading, system.reading & ~moving))  # type: ignore[return-value]


def _inverse(Y: sparse.csr_array) -> np.ndarray:
    return np.linalg.solve(Y.toarray(), np.eye(Y.shape[0]))


def _fed_back(system: LinearSystem, others: np.ndarray, y: np.ndarray, Y: np.ndarray) -> sparse.csr_array:
    """What equations feel of what readings read."""
    felt = sparse.csr_array(system.K[others][:, y])
    return sparse.csr_array(felt @ sparse.csr_array(Y)) if felt.count_nonzero() else felt


def _outputs(
    system: LinearSystem, q: np.ndarray, y: np.ndarray, told: np.ndarray, parts: list[sparse.csr_array]
) -> tuple[list[np.ndarray], np.ndarray]:
    """Rows of outputs, and what they feel of inputs themselves."""
    by_reading = np.isin(system.read, y)
    R = [np.zeros((len(system.read), len(q)), dtype=complex if i == 0 else float) for i in range(3)]
    for row, X in zip(R, parts, strict=True):
        row[by_reading] = told @ X[y][:, q]
    R[0][np.flatnonzero(~by_reading), np.searchsorted(q, system.read[~by_reading])] = -1.0
    e = np.zeros((len(system.read), *system.felt.shape[1:]))
    e[by_reading] = np.einsum("oy,yik->oik", told, system.felt[y])
    return R, e
