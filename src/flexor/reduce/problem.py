"""What a reduction works on: matrices of a free body, its connection nodes, and its rigid-body motions."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from flexor.reduce.factor import Factors, factorise


@dataclass(frozen=True)
class Problem:
    """Stiffness and mass of a free body in its independent coordinates.

    K, M: (n, n) symmetric;  boundary: (c, 6) coordinates of the c connection nodes, in order x y z θx θy θz;
    points: (c, 3) positions of the connection nodes [m];  rigid: (n, 6) displacement of every coordinate in unit
    rigid-body translations along and rotations about the global axes through the origin;  names: of the interfaces;
    T: (N, n) from the independent coordinates to all degrees of freedom of the mesh, or None;  model: the FE model.
    """

    K: sparse.csc_matrix
    M: sparse.csc_matrix
    boundary: np.ndarray
    points: np.ndarray
    rigid: np.ndarray
    names: tuple[str, ...]
    T: sparse.csc_matrix | None = None
    model: Any = field(default=None, repr=False)

    @property
    def n(self) -> int:
        return self.K.shape[0]

    @cached_property
    def b(self) -> np.ndarray:
        """Boundary coordinates, node by node."""
        return self.boundary.ravel()

    @cached_property
    def i(self) -> np.ndarray:
        """Interior coordinates."""
        return np.setdiff1d(np.arange(self.n), self.b)

    @cached_property
    def interior_factors(self) -> Factors:
        """Factors of K_ii: one factorisation serves constraint modes and fixed-interface modes."""
        i = self.i
        return factorise(self.K[i][:, i])

    @cached_property
    def shift(self) -> float:
        """A small negative shift that makes K − σ M definite for a free body [1/s²]."""
        d_k, d_m = self.K.diagonal(), self.M.diagonal()
        return -1e-7 * float(np.median(d_k[d_m > 0] / d_m[d_m > 0]))

    @cached_property
    def shifted_factors(self) -> Factors:
        """Factors of K − σ M, for the modes of the free body."""
        return factorise(self.K - self.shift * self.M)

    @property
    def mass_matrix(self) -> np.ndarray:
        """6×6 rigid-body mass matrix about the origin."""
        return self.rigid.T @ (self.M @ self.rigid)
