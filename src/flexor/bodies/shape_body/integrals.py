"""Integrals of a series over a body: stiffness, mass and what large motion needs.   NAK 3.5, 3.7, 7.4"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from flexor.bodies.shape_body.series import Quadrature, ShapeSeries, Sum
from flexor.spatial import PERMUTATION


@dataclass(frozen=True, eq=False)
class Integrals:
    """Of shape functions `chosen` (size, n) of a series over its body; in the axes of the series.

    stiffness: 6×6 matrix from strain to stress, xx yy zz xy yz zx [Pa], in the axes of the coordinates.   density: [kg/m³]
    """

    series: ShapeSeries
    chosen: sparse.csc_array
    stiffness: np.ndarray
    density: float

    @cached_property
    def q(self) -> Quadrature:
        return self.series.quadrature()

    @cached_property
    def _tables(self) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        return dict(self.series.plane_tables(*self.q.plane)), dict(self.series.line_tables(self.q.line))

    @cached_property
    def _of_products(self) -> dict[tuple[str, str, str], np.ndarray]:
        return {}

    def _gram(self, kind: str, one: str, two: str) -> np.ndarray:
        """∫ of the products of two tables of the plane or of the line; each is found once."""
        if (kind, one, two) not in self._of_products:
            tables = self._tables[kind == "line"]
            weights = self.q.line_weights if kind == "line" else self.q.weights
            self._of_products[kind, one, two] = tables[one].T @ (weights[:, None] * tables[two])
        return self._of_products[kind, one, two]

    def _matrix(self, pairs: list[tuple[float, Sum, Sum]]) -> np.ndarray:
        """(n, n) Σ factor ∫ sumᵀ sum, of the chosen functions."""
        n = self.chosen.shape[1]
        found = np.zeros((n, n))
        blocks: dict[tuple[int, int], np.ndarray] = {}
        for factor, one, two in pairs:
            for k, p, l, sign in one:
                for k2, p2, l2, sign2 in two:
                    (_, a, b), (_, a2, b2) = self._entries[k], self._entries[k2]
                    A, B = self._gram("plane", p, p2), self._gram("line", l, l2)
                    block = (factor * sign * sign2) * A[np.ix_(a, a2)] * B[np.ix_(b, b2)]
                    blocks[k, k2] = blocks[k, k2] + block if (k, k2) in blocks else block
        for (k, k2), block in blocks.items():
            (own, _, _), (other, _, _) = self._entries[k], self._entries[k2]
            found[np.ix_(own, other)] += np.outer(self._signs[k], self._signs[k2]) * block
        return found

    @cached_property
    def _entries(self) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """For each component: the functions that have it, and their functions in the plane and along the line."""
        s, c = self.series, self.chosen.tocoo()
        product, line = np.divmod(c.row, s.n_line)
        component, plane = np.divmod(product, s.n_plane)
        return [(c.col[component == k], plane[component == k], line[component == k]) for k in range(3)]

    @cached_property
    def _signs(self) -> list[np.ndarray]:
        c = self.chosen.tocoo()
        component = c.row // (self.series.n_line * self.series.n_plane)
        return [c.data[component == k] for k in range(3)]

    @cached_property
    def K(self) -> np.ndarray:
        """∫ Bᵀ C B dV"""
        e, C = self.series.strain, self.stiffness
        K = self._matrix([(C[i, j], e[i], e[j]) for i in range(6) for j in range(6) if C[i, j]])
        return 0.5 * (K + K.T)

    @cached_property
    def M(self) -> np.ndarray:
        """∫ρ SᵀS"""
        M = self._matrix([(self.density, row, row) for row in self.series.displacement])
        return 0.5 * (M + M.T)

    def products(self, V: np.ndarray) -> np.ndarray:
        """(3, 3, m, m) ∫ρ Sₖᵀ Sₗ of shapes V (n, m) made of the functions.   NAK (3-22)"""
        u, m = self.series.displacement, V.shape[1]
        found = np.zeros((3, 3, m, m))
        for i in range(3):
            for j in range(i, 3):
                found[i, j] = V.T @ self._matrix([(self.density, u[i], u[j])]) @ V
                found[j, i] = found[i, j].T
        return found

    def _vector(self, rows: Sum, plane: np.ndarray, line: np.ndarray) -> np.ndarray:
        """(n,) ∫ρ (plane · line) · sum"""
        s = self.series
        found = np.zeros((3, s.n_plane, s.n_line))
        tables, lines = self._tables
        for k, p, l, sign in rows:
            found[k] += sign * np.outer(
                tables[p].T @ (self.q.weights * plane), lines[l].T @ (self.q.line_weights * line)
            )
        return np.asarray(self.density * (self.chosen.T @ found.ravel()))

    @cached_property
    def translation(self) -> np.ndarray:
        """(3, n) ∫ρ S"""
        one, line = np.ones(len(self.q.weights)), np.ones(len(self.q.line))
        return np.array([self._vector(row, one, line) for row in self.series.displacement])

    @cached_property
    def position_products(self) -> np.ndarray:
        """(3, 3, n) ∫ρ xₖ Sₗ   NAK (3-23)"""
        x = self.series.position(self.q)
        return np.array([[self._vector(row, *x[k]) for row in self.series.displacement] for k in range(3)])

    @cached_property
    def mass(self) -> float:
        return float(self.density * self.q.weights.sum() * self.q.line_weights.sum())

    @cached_property
    def first(self) -> np.ndarray:
        """(3,) ∫ρ x"""
        q = self.q
        x = self.series.position(q)
        return self.density * np.array([(q.weights @ p) * (q.line_weights @ l) for p, l in x])

    @cached_property
    def second(self) -> np.ndarray:
        """(3, 3) ∫ρ x xᵀ"""
        q = self.q
        x = self.series.position(q)
        return self.density * np.array(
            [[(q.weights @ (a * b)) * (q.line_weights @ (c * d)) for b, d in x] for a, c in x]
        )

    def momentum(self, center: np.ndarray) -> np.ndarray:
        """(6, n) ∫ρ S and ∫ρ (x − c) × S"""
        turning = np.einsum("kij,ijn->kn", PERMUTATION, self.position_products)
        turning -= np.cross(center, self.translation, axisb=0, axisc=0)
        return np.vstack([self.translation, turning])
