"""hex8: brick with eight nodes, by default with incompatible modes that let it bend.   FTG A.7

Nine internal displacements αᵢ (1 − ξ²), βᵢ (1 − η²), γᵢ (1 − ζ²) are added (Wilson et al. 1973) and eliminated. Their
gradients use the Jacobian of the center, scaled by |J₀|/|J|, so that they integrate to zero and any distorted mesh
passes the patch test (Taylor, Beresford and Wilson 1976). The option `incompatible_modes: False` leaves them
out: the plain brick, which locks in bending.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from flexor.elements import quadrature
from flexor.elements.element import Properties
from flexor.elements.solids.gradient_stiffness import gradient_stiffness
from flexor.elements.solids.isoparametric import Solid, jacobian, strain_matrix
from flexor.mesh.cells import BRICK


class Hex8(Solid):
    """Brick, linear: quadrilateral 0, 1, 2, 3, whose normal points towards 4, 5, 6, 7."""

    name = "hex8"
    n_nodes = 8
    options: ClassVar[dict[str, object]] = {"incompatible_modes": True}
    corners = (
        *((-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1)),
        *((-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)),
    )
    edges = BRICK
    faces = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
    monomials = (
        *((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)),
        *((1, 1, 0), (0, 1, 1), (1, 0, 1), (1, 1, 1)),
    )
    stiffness_rule = quadrature.hexahedron(2)
    mass_rule = quadrature.hexahedron(2)
    stress_rule = quadrature.hexahedron(2)
    stress_monomials = monomials
    abaqus = ("C3D8", "C3D8R", "C3D8I")
    nastran = ("CHEXA",)
    gmsh = 5
    vtk = 12

    @classmethod
    def stiffness(cls, X: np.ndarray, p: Properties) -> np.ndarray:
        if not p.options.get("incompatible_modes", True):
            return super().stiffness(X, p)
        K = _with_modes(X, p)
        # K_uu − K_uα K_αα⁻¹ K_αu
        return K[:, :24, :24] + np.matmul(K[:, :24, 24:], _modes(K))

    @classmethod
    def strain_matrices(cls, X: np.ndarray, points: np.ndarray, p: Properties) -> np.ndarray:
        if not p.options.get("incompatible_modes", True):
            return super().strain_matrices(X, points, p)
        B = strain_matrix(_gradients_with_modes(X, points, p)[0])
        return B[..., :24] + np.matmul(B[..., 24:], _modes(_with_modes(X, p))[:, None])


def _gradients_with_modes(X: np.ndarray, points: np.ndarray, p: Properties) -> tuple[np.ndarray, np.ndarray]:
    """Gradients (m, q, 8 + 3, 3) of shape functions and modes, and |J| (m, q)."""
    G, det = Hex8.gradients(X, points, p)
    inverse, det_center = jacobian(X, Hex8.shape_gradient(np.zeros((1, 3))))
    # ∂(1 − ξ_d²)/∂x = −2 ξ_d (J₀⁻¹)_d |J₀|/|J|
    scale = -2 * points * (det_center / det)[:, :, None]
    return np.concatenate([G, scale[..., None] * inverse], axis=2), det


def _with_modes(X: np.ndarray, p: Properties) -> np.ndarray:
    """(m, 33, 33) stiffness of nodes and modes."""
    rule = Hex8.stiffness_rule
    G, det = _gradients_with_modes(X, rule.points, p)
    return gradient_stiffness(G, det * rule.weights, p.D)


def _modes(K: np.ndarray) -> np.ndarray:
    """(m, 9, 24) modes that go with nodal displacements, α = −K_αα⁻¹ K_αu u: nothing loads them."""
    return -np.matmul(np.linalg.inv(K[:, 24:, 24:]), K[:, 24:, :24])  # in half the time of 24 solutions
