"""Mean axes: the combinations of shape functions that are the free modes of the body.   NAK 8.3

From every shape S v the rigid motion R p with the same momentum is taken away, so that nothing is lost where a set does not contain the
rigid motions (a filtered one), and those that are rigid motions vanish:

    M′ = M − Pᵀ M_R⁻¹ P,   P = ∫ρ RᵀS,   M_R = ∫ρ RᵀR;        K V = M′ V Λ,   Vᵀ M′ V = 1                     NAK (8-8)–(8-12)

It is solved class by class (one number of waves, one symmetry), between which there is no coupling: equal frequencies, such as of the two
bending modes of a ring, then belong to shapes that do not depend on rounding.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from flexor.bodies.shape_body.integrals import Integrals

DEPENDENT = 1e-11
"""Kinetic energy of a combination of shape functions, relative to that of its parts, below which it counts as a sum of others."""
RIGID = 1e-9
"""Share of kinetic energy of a shape beyond its rigid motion below which it is one."""
EQUAL = 1e-7
"""Relative difference of ω² below which two modes count as a pair."""


@dataclass(frozen=True, eq=False)
class FreeShapes:
    """Modes of the free body.

    squares: (m,) ω² [1/s²], ascending.   V: (n, m) by the shape functions.   rigid: (6, m) motion of the axes of the series at
    the centre of mass that is taken away: displacement and rotation.   dependent: combinations that were left out as sums of others.
    blur: relative error of the lowest frequency by rounding, ½ ε ω²_max/ω²_min of all shape functions: thin bodies bend far more easily than they shear.
    """

    squares: np.ndarray
    V: np.ndarray
    rigid: np.ndarray
    dependent: int
    blur: float = 0.0

    def picked(self, modes: np.ndarray) -> FreeShapes:
        """Some of them."""
        return FreeShapes(self.squares[modes], self.V[:, modes], self.rigid[:, modes], self.dependent, self.blur)

    def combined(self, W: np.ndarray, squares: np.ndarray) -> FreeShapes:
        """Orthonormal combinations W (m, k) of them."""
        return FreeShapes(squares, self.V @ W, self.rigid @ W, self.dependent, self.blur)


def free_shapes(found: Integrals, classes: np.ndarray) -> FreeShapes:
    """All of them."""
    center = found.first / found.mass
    d = found.second - found.mass * np.outer(center, center)
    inertia = np.trace(d) * np.eye(3) - d
    M_R = linalg.block_diag(found.mass * np.eye(3), inertia)
    P, K, M = found.momentum(center), found.K, found.M
    squares, labels, dependent = [], [], 0
    columns, motions = [], []
    for label in np.unique(classes):
        own = np.flatnonzero(classes == label)
        part = np.ix_(own, own)
        W, lost = _orthonormal(M[part])
        dependent += lost
        G = P[:, own] @ W
        rest, U = np.linalg.eigh(np.eye(W.shape[1]) - G.T @ np.linalg.solve(M_R, G))
        elastic = rest > RIGID
        W = W @ (U[:, elastic] / np.sqrt(rest[elastic]))
        if not W.shape[1]:
            continue
        A = W.T @ K[part] @ W
        ω2, turned = np.linalg.eigh(0.5 * (A + A.T))
        v = _oriented(W @ turned)
        whole = np.zeros((len(M), len(ω2)))
        whole[own] = v
        columns.append(whole)
        motions.append(np.linalg.solve(M_R, P[:, own] @ v))
        squares.append(ω2)
        labels.append(np.full(len(ω2), label))
    ω2, label = np.concatenate(squares), np.concatenate(labels)
    order = _ascending(ω2, label)
    blur = 0.5 * np.finfo(float).eps * ω2.max() / max(ω2.min(), 1e-300)
    return FreeShapes(ω2[order], np.hstack(columns)[:, order], np.hstack(motions)[:, order], dependent, float(blur))


def _orthonormal(M: np.ndarray) -> tuple[np.ndarray, int]:
    """W with Wᵀ M W = 1, and how many combinations were left out because they are sums of others."""
    d = 1 / np.sqrt(np.diag(M))
    size, U = np.linalg.eigh(M * np.outer(d, d))
    kept = size > DEPENDENT * size[-1]
    return d[:, None] * U[:, kept] / np.sqrt(size[kept]), int((~kept).sum())


def _ascending(squares: np.ndarray, label: np.ndarray) -> np.ndarray:
    """Order of frequency; pairs in the order of their classes, whatever rounding says."""
    order = np.argsort(squares, kind="stable")
    group, first, groups = 0, squares[order[0]], []
    for ω2 in squares[order]:
        if ω2 > first * (1 + EQUAL):
            group, first = group + 1, ω2
        groups.append(group)
    return order[np.lexsort(np.array([np.arange(len(order)), label[order], groups]))]


def _oriented(v: np.ndarray) -> np.ndarray:
    """Shapes with the sign that makes the first of their largest entries positive."""
    size = np.abs(v)
    first = np.argmax(size >= (1 - 1e-6) * size.max(axis=0), axis=0)
    return v * np.where(v[first, np.arange(v.shape[1])] < 0, -1.0, 1.0)
