"""Static solutions of a body whose connection nodes are held: one factorisation for everything that follows.

With C q the motion of the connection nodes,

    K q = f + Cᵀ λ,   C q = g

is solved with the factors of K without one coordinate per row of C. Where the connection nodes' motions are coordinates
themselves (nodes of the mesh, rigid links), those coordinates are simply left out and nothing else remains. Where they
are averages of other coordinates, coordinates that determine them well are left out instead, and they and λ follow
from a small dense system.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from scipy import sparse
from scipy.linalg import lu_factor, lu_solve, qr

from flexor.elements.assembly.principal import left, principal
from flexor.reduce.factor import Factors, factorise
from flexor.reduce.modes import lowest_modes


class Held:
    """The stiffness K of a body, its connection motions C q held or prescribed; `nodes` (n,) that coordinates move, at `points` (n, 3)."""

    def __init__(
        self,
        K: sparse.csc_array,
        C: sparse.csr_array,
        size: float,
        nodes: np.ndarray,
        points: np.ndarray,
        equation: Callable[[int], str],
    ) -> None:
        self.K, self.C = K, sparse.csr_array(C)
        self.plain = bool(np.all(np.diff(self.C.indptr) == 1) and np.all(self.C.data == 1.0))
        self.left_out = self.C.indices.copy() if self.plain else _pivots(self.C, size)
        self.free = left(K.shape[0], self.left_out)
        self._nodes, self._points, self._equation = nodes, points, equation

    @cached_property
    def factors(self) -> Factors:
        f = self.free
        return factorise(
            principal(self.K, f),
            nodes=self._nodes[f],
            points=self._points[f],
            equation=lambda i: self._equation(f[i]),
        )

    def solve(self, f: np.ndarray) -> np.ndarray:
        """q of K q = f + Cᵀλ, C q = 0, for several columns f."""
        q = np.zeros(f.shape)
        q[self.free] = self.factors.solve(f[self.free])
        return q if self.plain else self._bordered(q, f, np.zeros((self.C.shape[0], f.shape[1])))

    def modes(
        self, M: sparse.csc_array, count: int, up_to: float = 0.0, roughly: int = 0
    ) -> tuple[np.ndarray, np.ndarray]:
        """(ω², shapes) of the lowest modes; see `lowest_modes`."""
        if not self.plain:
            return lowest_modes(self.solve, M, count, up_to=up_to, roughly=roughly)
        f = self.free
        squares, inner = lowest_modes(self.factors.solve, principal(M, f), count, up_to=up_to, roughly=roughly)
        shapes = np.zeros((len(self.K.indptr) - 1, inner.shape[1]))
        shapes[f] = inner
        return squares, shapes

    def static(self) -> np.ndarray:
        """(n, 6c) shapes of unit motions of the connection nodes, no load elsewhere.   B of FTG (3.7)"""
        n, m = self.K.shape[0], self.C.shape[0]
        q = np.zeros((n, m))
        if self.plain:
            q[self.left_out, np.arange(m)] = 1.0
            if len(self.free):
                q[self.free] = -self.factors.solve(self.K[:, self.left_out].tocsr()[self.free].toarray())
            return q
        return self._bordered(q, np.zeros((n, m)), np.eye(m))

    def _bordered(self, q: np.ndarray, f: np.ndarray, g: np.ndarray) -> np.ndarray:
        """Add to the solution q with coordinates left out what they and λ do."""
        p, size = self.left_out, len(self.left_out)
        Y, lu, scale = self._border
        right = np.vstack([f[p] - self.K[p] @ q, g - self.C @ q]) / scale[:, None]
        found = lu_solve(lu, right) / scale[:, None]
        q = q.copy()
        q[self.free] += Y @ found
        q[p] += found[:size]
        return q

    @cached_property
    def _border(self) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray], np.ndarray]:
        """Response Y of the free coordinates to those left out and to λ, factors of the small system, its scaling."""
        p, f = self.left_out, self.free
        K_p, C_f = self.K[:, p].tocsr(), self.C[:, f]
        K_pf, C_p = K_p[f].toarray().T, self.C[:, p].toarray()
        Y = self.factors.solve(np.hstack([-K_pf.T, C_f.T.toarray()]))
        m = len(p)
        A = np.zeros((2 * m, 2 * m))
        A[:m] = K_pf @ Y
        A[:m, :m] += K_p[p].toarray()
        A[:m, m:] -= C_p.T
        A[m:] = C_f @ Y
        A[m:, :m] += C_p
        stiff = np.sqrt(np.abs(np.diag(A)[:m]).max())
        scale = np.concatenate([np.full(m, stiff), np.full(m, 1 / stiff)])
        return Y, lu_factor(A / scale[:, None] / scale), scale


def _pivots(C: sparse.csr_array, size: float) -> np.ndarray:
    """Coordinates that determine the motions C q well: pivots of a QR factorisation, rotations times length."""
    columns = np.unique(C.indices)
    dense = C[:, columns].toarray() * np.tile(np.repeat([1.0, size], 3), C.shape[0] // 6)[:, None]
    _, order = qr(dense, mode="r", pivoting=True)
    return columns[order[: C.shape[0]]]
