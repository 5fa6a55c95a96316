"""Layered materials of shells: plies of any material, each at its own angle, to one stiffness of the whole.

    [ N ]   [ A  B ] [ ε ]
    [ M ] = [ B  D ] [ κ ] ,   q = S γ          N, M, q per unit length of edge

z runs along the normal from the bottom to the top of the shell and is 0 at half its thickness. Strains are
(xx, yy, γxy), curvatures (xx, yy, 2xy), transverse shear (γxz, γyz).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from flexor.declaration import Angle, Declaration, Length
from flexor.materials.material import Material


@dataclass(frozen=True)
class ShellStiffness:
    """Stiffness and mass of a shell per unit of its area, and what its stress is made of at three heights.

    A, B, D: (3, 3) membrane [N/m], coupling [N] and bending [N m];  S: (2, 2) transverse shear [N/m].
    mass: moments ∫ρ dz, ∫ρ z dz, ∫ρ z² dz [kg/m², kg/m, kg];  thickness: [m].
    heights, ply_stiffness, shear_stress: z [m], (3, 3) plane stress [Pa] and (2, 2) from q to (τxz, τyz) [1/m]
    at the top, in the middle and at the bottom.
    """

    A: np.ndarray
    B: np.ndarray
    D: np.ndarray
    S: np.ndarray
    mass: np.ndarray
    thickness: float
    heights: np.ndarray
    ply_stiffness: np.ndarray
    shear_stress: np.ndarray


class Ply(Declaration):
    """One layer of a laminate."""

    positional: ClassVar[tuple[str, ...]] = ("material", "thickness", "angle")
    material: Material = Field(description="What it is made of; axis 1 of an orthotropic material is the fibre.")
    thickness: Length = Field(description="Thickness [m].", gt=0)
    angle: Angle = Field(0.0, description="From the shell's material axis to axis 1, about the normal [rad].")


class Laminate(Declaration):
    """The section of a layered shell."""

    positional: ClassVar[tuple[str, ...]] = ("plies",)
    type: Literal["laminate"] = "laminate"
    plies: tuple[Ply, ...] = Field(description="Layers from the bottom to the top.", min_length=1)
    offset: Length = Field(0.0, description="From the nodes to the middle of the thickness along the normal [m].")
    area_mass: float = Field(0.0, description="Mass beside the plies' own [kg/m²].", ge=0)

    def stiffness(self, material: Any = None) -> ShellStiffness:
        """Classical lamination theory with first-order transverse shear; the plies bring their materials."""
        return layered(self.plies, self.area_mass)


def plane_stress(material: Any) -> tuple[np.ndarray, np.ndarray]:
    """In-plane (3, 3) and transverse (2, 2: xz, yz) stiffness of a material with σzz = 0, in its own axes [Pa]."""
    C = material.stiffness()
    Q = C - np.outer(C[:, 2], C[2]) / C[2, 2]  # σzz = 0 gives εzz
    return Q[np.ix_([0, 1, 3], [0, 1, 3])], C[np.ix_([5, 4], [5, 4])]


def strain_rotation(angle: np.ndarray | float) -> np.ndarray:
    """(…, 3, 3) from strain (xx, yy, γxy) in given axes to those turned by `angle` about the normal."""
    c, s = np.cos(angle), np.sin(angle)
    rows = [[c * c, s * s, c * s], [s * s, c * c, -c * s], [-2 * c * s, 2 * c * s, c * c - s * s]]
    return np.stack([np.stack(row, -1) for row in rows], -2)


def shear_rotation(angle: np.ndarray | float) -> np.ndarray:
    """(…, 2, 2) the same for transverse shear (γxz, γyz)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([np.stack([c, s], -1), np.stack([-s, c], -1)], -2)


def layered(plies: tuple[Ply, ...], area_mass: float = 0.0) -> ShellStiffness:
    """Stiffness of plies laid from the bottom to the top."""
    t = np.array([ply.thickness for ply in plies])
    edges = np.concatenate([[0.0], np.cumsum(t)]) - t.sum() / 2
    lower, upper = edges[:-1], edges[1:]
    in_plane, transverse = zip(*(_turned(ply) for ply in plies))
    Q, G = np.stack(in_plane), np.stack(transverse)
    A, B, D = (np.einsum("p,pij->ij", (upper**n - lower**n) / n, Q) for n in (1, 2, 3))
    S, flow = _transverse_shear(Q, G, lower, upper, A, B, D)
    density = np.array([ply.material.density for ply in plies])
    mass = np.array([density @ (upper**n - lower**n) / n for n in (1, 2, 3)])
    mass[0] += area_mass
    middle = int(np.searchsorted(upper, 0.0, side="right")) if len(plies) > 1 else 0
    outer = [len(plies) - 1, min(middle, len(plies) - 1), 0]
    heights = np.array([upper[-1], 0.0, lower[0]])
    stress = np.stack([np.zeros((2, 2)), np.diag(flow), np.zeros((2, 2))])
    return ShellStiffness(A, B, D, S, mass, float(t.sum()), heights, Q[outer], stress)


def _turned(ply: Ply) -> tuple[np.ndarray, np.ndarray]:
    """Plane-stress and transverse stiffness of a ply in the axes of the laminate."""
    Q, G = plane_stress(ply.material)
    T, R = strain_rotation(ply.angle), shear_rotation(ply.angle)
    return T.T @ Q @ T, R.T @ G @ R


def _transverse_shear(
    Q: np.ndarray, G: np.ndarray, lower: np.ndarray, upper: np.ndarray, A: np.ndarray, B: np.ndarray, D: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Shear stiffness S (2, 2) that stores the energy of the shear stress which equilibrium asks for, and that
    stress in the middle per unit of q.

    Bending about each axis by itself gives σᵢ = Qᵢᵢ (z − zₙ) κ, and τ,z = −σ,x the course of the shear stress
        τᵢ(z) = qᵢ fᵢ(z),   fᵢ = −1/Dₙ ∫ Qᵢᵢ (ζ − zₙ) dζ from the bottom to z,   zₙ = Bᵢᵢ/Aᵢᵢ,   Dₙ = Dᵢᵢ − Bᵢᵢ²/Aᵢᵢ
        (S⁻¹)ᵢⱼ = ∫ fᵢ (G⁻¹)ᵢⱼ fⱼ dz                              which is 5/6 G t if all plies are alike.
    """
    axis = np.arange(2)
    neutral = B[axis, axis] / A[axis, axis]
    D_n = D[axis, axis] - B[axis, axis] * neutral
    E = Q[:, axis, axis]  # (plies, 2)

    def flow(z: np.ndarray, ply: np.ndarray, begun: np.ndarray) -> np.ndarray:
        low = lower[ply, None]
        return begun[ply] - E[ply] * ((z[:, None] - neutral) ** 2 - (low - neutral) ** 2) / (2 * D_n)

    plies = np.arange(len(E))
    whole = -E * ((upper[:, None] - neutral) ** 2 - (lower[:, None] - neutral) ** 2) / (2 * D_n)
    begun = np.concatenate([np.zeros((1, 2)), np.cumsum(whole, axis=0)[:-1]])
    compliance, G_inverse = np.zeros((2, 2)), np.linalg.inv(G)
    for point, weight in zip(*np.polynomial.legendre.leggauss(3)):  # f² is of degree 4 in z
        z = lower + (upper - lower) * (1 + point) / 2
        f = flow(z, plies, begun)
        compliance += np.einsum("p,pi,pij,pj->ij", weight * (upper - lower) / 2, f, G_inverse, f)
    middle = np.array([min(int(np.searchsorted(upper, 0.0, side="right")), len(E) - 1)])
    return np.linalg.inv(compliance), flow(np.zeros(1), middle, begun)[0]
