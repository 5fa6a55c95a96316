"""Isoparametric solids: what tetrahedra, wedges and hexahedra share.

A kind states its nodes in natural coordinates and the monomials it is made of; its shape functions are the
combinations of those monomials that are 1 at one node and 0 at the others. Everything else follows:

    K = ∫ Bᵀ D B dV,  M = ∫ ρ Nᵀ N dV,  ε = B u,  σ = D ε

Stress is evaluated where it is most accurate and carried to the nodes by a polynomial through those points.
Lumped mass: the diagonal of the consistent matrix, scaled to the element's mass (Hinton, Rock and Zienkiewicz 1976),
which is never negative.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from flexor.elements.element import Element, Properties
from flexor.elements.quadrature import Rule
from flexor.elements.solids.gradient_stiffness import VOIGT, gradient_stiffness

Exponents = tuple[tuple[int, ...], ...]


def monomials(exponents: Exponents, points: np.ndarray) -> np.ndarray:
    """(q, terms) values r^i s^j t^k at (q, d) points."""
    return np.prod(points[:, None, :] ** np.array(exponents), axis=2)


def monomial_gradients(exponents: Exponents, points: np.ndarray) -> np.ndarray:
    """(q, terms, d) derivatives of the monomials."""
    powers = np.array(exponents)
    gradients = np.empty((len(points), *powers.shape))
    for d in range(powers.shape[1]):
        lowered = powers.copy()
        lowered[:, d] = np.maximum(lowered[:, d] - 1, 0)
        gradients[:, :, d] = powers[:, d] * np.prod(points[:, None, :] ** lowered, axis=2)
    return gradients


def with_midsides(
    faces: tuple[tuple[int, ...], ...], edges: tuple[tuple[int, int], ...], first: int
) -> tuple[tuple[int, ...], ...]:
    """Faces of a quadratic kind: the corners of the linear one, then the nodes in the middle of its sides."""
    middle = {frozenset(edge): first + i for i, edge in enumerate(edges)}
    return tuple(face + tuple(middle[frozenset(side)] for side in zip(face, face[1:] + face[:1])) for face in faces)


def midside_coordinates(
    corners: Sequence[tuple[float, ...]], edges: tuple[tuple[int, int], ...]
) -> tuple[tuple[float, ...], ...]:
    """Natural coordinates of corners and mid-side nodes."""
    middles = (tuple((a + b) / 2 for a, b in zip(corners[i], corners[j])) for i, j in edges)
    return (*corners, *middles)


def jacobian(X: np.ndarray, dN: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Inverse (m, q, 3, 3) and determinant (m, q) of J[i, d] = ∂xᵢ/∂ξ_d = Σₐ xₐᵢ ∂Nₐ/∂ξ_d, by cofactors."""
    J = [[X[:, :, i] @ dN[:, :, d].T for d in range(3)] for i in range(3)]
    inverse = np.empty((len(X), len(dN), 3, 3))
    for i in range(3):
        for d in range(3):
            (i1, i2), (d1, d2) = ((i + 1) % 3, (i + 2) % 3), ((d + 1) % 3, (d + 2) % 3)
            inverse[:, :, d, i] = J[i1][d1] * J[i2][d2] - J[i1][d2] * J[i2][d1]
    det = sum(J[0][d] * inverse[:, :, d, 0] for d in range(3))
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse /= det[:, :, None, None]
    return inverse, np.asarray(det)


def strain_matrix(G: np.ndarray) -> np.ndarray:
    """B (m, q, 6, 3k): strain xx, yy, zz, γxy, γyz, γzx of nodal displacements, from gradients (m, q, k, 3)."""
    m, q, k, _ = G.shape
    B = np.zeros((m, q, 6, k, 3))
    for i in range(3):
        for j in range(3):
            B[:, :, VOIGT[i, j], :, i] = G[..., j]
    return B.reshape(m, q, 6, 3 * k)


class Solid(Element):
    """Base of the isoparametric solids."""

    dofs = 3
    edges: ClassVar[tuple[tuple[int, int], ...]]
    """Corners at the ends of each edge; quadratic kinds have their mid-side nodes in this order."""
    monomials: ClassVar[Exponents]
    """Exponents of the terms its shape functions consist of, as many as nodes."""
    stiffness_rule: ClassVar[Rule]
    mass_rule: ClassVar[Rule]
    stress_rule: ClassVar[Rule]
    """Where stress is evaluated: "points"."""
    stress_monomials: ClassVar[Exponents]
    """Terms of the polynomial that carries stress from those points to the nodes, as many as points."""
    coefficients: ClassVar[np.ndarray]
    """(terms, k): column a holds the coefficients of Nₐ, which make Nₐ(node b) = δₐᵦ."""
    extrapolation: ClassVar[np.ndarray]
    """(k, q): values at the nodes of the polynomial through values at the stress points."""

    def __init_subclass__(cls) -> None:
        nodes = np.array(cls.corners, dtype=float)
        cls.coefficients = np.linalg.inv(monomials(cls.monomials, nodes))
        at_points = monomials(cls.stress_monomials, cls.stress_rule.points)
        cls.extrapolation = monomials(cls.stress_monomials, nodes) @ np.linalg.inv(at_points)

    @classmethod
    def shape(cls, points: np.ndarray) -> np.ndarray:
        """(q, k) shape functions at natural coordinates (q, 3)."""
        return monomials(cls.monomials, np.asarray(points, dtype=float)) @ cls.coefficients

    @classmethod
    def shape_gradient(cls, points: np.ndarray) -> np.ndarray:
        """(q, k, 3) derivatives of the shape functions by the natural coordinates."""
        terms = monomial_gradients(cls.monomials, np.asarray(points, dtype=float))
        return np.einsum("qtd,tk->qkd", terms, cls.coefficients)

    @classmethod
    def gradients(cls, X: np.ndarray, points: np.ndarray, p: Properties) -> tuple[np.ndarray, np.ndarray]:
        """Gradients (m, q, k, 3) of the shape functions by position, and Jacobian determinants (m, q)."""
        dN = cls.shape_gradient(points)
        inverse, det = jacobian(X, dN)
        return np.matmul(dN, inverse), det

    @classmethod
    def stiffness(cls, X: np.ndarray, p: Properties) -> np.ndarray:
        G, det = cls.gradients(X, cls.stiffness_rule.points, p)
        return gradient_stiffness(G, det * cls.stiffness_rule.weights, p.D)

    @classmethod
    def scalar_mass(cls, X: np.ndarray, p: Properties) -> np.ndarray:
        """(m, k, k) matrices ∫ ρ Nₐ N_b dV, one component of the motion."""
        N = cls.shape(cls.mass_rule.points)
        _, det = jacobian(X, cls.shape_gradient(cls.mass_rule.points))
        dm = det * cls.mass_rule.weights * p.density[:, None]
        products = (N[:, :, None] * N[:, None, :]).reshape(len(N), -1)
        return (dm @ products).reshape(len(X), cls.n_nodes, cls.n_nodes)

    @classmethod
    def mass(cls, X: np.ndarray, p: Properties, lumped: bool = False) -> np.ndarray:
        m, k = len(X), cls.n_nodes
        one = cls.scalar_mass(X, p)
        if lumped:
            diagonal = np.einsum("maa->ma", one)
            total = diagonal.sum(axis=1, keepdims=True)
            share = np.divide(diagonal, total, out=np.zeros_like(diagonal), where=total != 0)
            one = share[:, :, None] * np.eye(k) * one.sum(axis=(1, 2))[:, None, None]
        M = np.zeros((m, k, 3, k, 3))
        for i in range(3):
            M[:, :, i, :, i] = one
        return M.reshape(m, 3 * k, 3 * k)

    @classmethod
    def volume(cls, X: np.ndarray, p: Properties) -> np.ndarray:
        _, det = jacobian(X, cls.shape_gradient(cls.mass_rule.points))
        return det @ cls.mass_rule.weights

    @classmethod
    def jacobians(cls, X: np.ndarray) -> np.ndarray:
        return jacobian(X, cls.shape_gradient(cls.stiffness_rule.points))[1]

    @classmethod
    def body_load(cls, X: np.ndarray, p: Properties, field: np.ndarray) -> np.ndarray:
        return np.matmul(cls.scalar_mass(X, p), field).reshape(len(X), -1)

    @classmethod
    def strain_matrices(cls, X: np.ndarray, points: np.ndarray, p: Properties) -> np.ndarray:
        """(m, q, 6, N) strain of nodal displacements at natural coordinates."""
        return strain_matrix(cls.gradients(X, points, p)[0])

    @classmethod
    def strain_operator(cls, X: np.ndarray, p: Properties, where: str = "nodes") -> np.ndarray:
        if where == "center":
            return cls.strain_matrices(X, np.mean(cls.corners, axis=0, keepdims=True), p)
        B = cls.strain_matrices(X, cls.stress_rule.points, p)
        if where == "points":
            return B
        if where == "nodes":
            m, q, _, N = B.shape
            return np.matmul(cls.extrapolation, B.reshape(m, q, 6 * N)).reshape(m, cls.n_nodes, 6, N)
        raise ValueError(f"{cls.name} has strain and stress at 'nodes', 'points' and the 'center', not '{where}'")

    @classmethod
    def stress_operator(cls, X: np.ndarray, p: Properties, where: str = "nodes") -> np.ndarray:
        return np.matmul(p.D[:, None], cls.strain_operator(X, p, where))
