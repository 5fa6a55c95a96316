"""Layered materials of shells: plies of any material, each at its own angle, to one stiffness of the whole.

    [ N ]   [ A  B ] [ ε ]
    [ M ] = [ B  D ] [ κ ] ,   q = S γ          N, M, q per unit length of edge

z runs along the normal from the bottom to the top of the shell and is 0 at half its thickness. Strains are
(xx, yy, γxy), curvatures (xx, yy, 2xy), transverse shear (xz, yz).
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
    """Stiffness and mass of shells per unit of their area in material axes; leading axis: elements, or 1 for all.

    A, B, D: (m|1, 3, 3) membrane [N/m], coupling [N] and bending [N m];  S: (m|1, 2, 2) transverse shear [N/m].
    mass: (m|1, 3) moments ∫ρ dz, ∫ρ z dz, ∫ρ z² dz [kg/m², kg/m, kg];  thickness: (m|1,) [m].
    layers: the material at the top, in the middle and at the bottom, from which stress is recovered.
    isotropic: whether the stiffness is the same in all directions of the plane.
    """

    A: np.ndarray
    B: np.ndarray
    D: np.ndarray
    S: np.ndarray
    mass: np.ndarray
    thickness: np.ndarray
    layers: tuple[Layer, Layer, Layer]
    isotropic: bool = False


@dataclass(frozen=True)
class Layer:
    """What turns strain into stress at one height of a shell, in material axes.

    z: (m|1,) [m];  in_plane: (3, 3) plane stress [Pa];  transverse: (2, 2) shear moduli [Pa];
    thinning: (3,) εzz per in-plane strain;  flow: (m|1, 2) transverse shear stress per unit of q [1/m].
    """

    z: np.ndarray
    in_plane: np.ndarray
    transverse: np.ndarray
    thinning: np.ndarray
    flow: np.ndarray


class Ply(Declaration):
    """One layer of a laminate."""

    positional: ClassVar[tuple[str, ...]] = ("material", "thickness", "angle")
    material: Material = Field(description="What it is made of; axis 1 of an orthotropic material is the fibre.")
    thickness: Length = Field(description="Thickness [m].", gt=0)
    angle: Angle = Field(0.0, description="From the shell's material axis to axis 1, about the normal [rad].")


class Laminate(Declaration):
    """The section of a layered shell: classical lamination theory with first-order transverse shear."""

    positional: ClassVar[tuple[str, ...]] = ("plies",)
    type: Literal["laminate"] = "laminate"
    plies: tuple[Ply, ...] = Field(description="Layers from the bottom to the top.", min_length=1)
    offset: Length = Field(0.0, description="From the nodes to the middle of the thickness along the normal [m].")
    area_mass: float = Field(0.0, description="Mass beside the plies' own [kg/m²].", ge=0)

    def stiffness(self, material: Any = None, thickness: Any = None) -> ShellStiffness:
        """Stiffness of the whole; the plies bring their own materials and thicknesses."""
        t = np.array([ply.thickness for ply in self.plies])
        edges = np.concatenate([[0.0], np.cumsum(t)]) - t.sum() / 2
        lower, upper = edges[:-1], edges[1:]
        parts = [ply_stiffness(ply.material, ply.angle) for ply in self.plies]
        Q, G, thinning = (np.stack(part) for part in zip(*parts))
        powers = [(upper**n - lower**n) / n for n in (1, 2, 3)]
        A, B, D = (np.einsum("p,pij->ij", power, Q)[None] for power in powers)
        density = np.array([ply.material.density for ply in self.plies])
        mass = np.array([[density @ power for power in powers]])
        mass[0, 0] += self.area_mass
        S, flow = _transverse_shear(Q, G, lower, upper, A[0], B[0], D[0])
        top, middle = len(t) - 1, min(int(np.searchsorted(upper, 0.0, side="right")), len(t) - 1)
        heights = ((top, upper[-1], np.zeros(2)), (middle, 0.0, flow), (0, lower[0], np.zeros(2)))
        first, second, third = (
            Layer(np.array([z]), Q[ply], G[ply], thinning[ply], tau[None]) for ply, z, tau in heights
        )
        return ShellStiffness(A, B, D, S[None], mass, t.sum(keepdims=True), (first, second, third))


def ply_stiffness(material: Any, angle: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Plane stress (3, 3) [Pa], transverse shear (2, 2: xz, yz) [Pa] and εzz per in-plane strain (3,) of a material
    whose axis 1 is turned by `angle` [rad] from x."""
    C = material.stiffness()
    plane = [0, 1, 3]
    thinning = -C[2, plane] / C[2, 2]  # σzz = 0
    Q = C[np.ix_(plane, plane)] + np.outer(C[plane, 2], thinning)
    T, R = strain_rotation(angle), shear_rotation(angle)
    return T.T @ Q @ T, R.T @ np.diag([C[5, 5], C[4, 4]]) @ R, thinning @ T


def strain_rotation(angle: np.ndarray | float) -> np.ndarray:
    """(…, 3, 3) from strain (xx, yy, γxy) in given axes to that in axes turned by `angle` about the normal."""
    c, s = np.cos(angle), np.sin(angle)
    rows = [[c * c, s * s, c * s], [s * s, c * c, -c * s], [-2 * c * s, 2 * c * s, c * c - s * s]]
    return np.stack([np.stack(row, -1) for row in rows], -2)


def shear_rotation(angle: np.ndarray | float) -> np.ndarray:
    """(…, 2, 2) the same for transverse shear (xz, yz)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([np.stack([c, s], -1), np.stack([-s, c], -1)], -2)


def _transverse_shear(
    Q: np.ndarray, G: np.ndarray, lower: np.ndarray, upper: np.ndarray, A: np.ndarray, B: np.ndarray, D: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Shear stiffness S (2, 2) that stores the energy of the shear stress which equilibrium asks for, and that
    stress in the middle per unit of q (2,).

    Bending about one axis alone gives σ = Qᵢᵢ (z − zₙ) κ, and τ,z = −σ,x the course of the shear stress,
        τᵢ(z) = qᵢ fᵢ(z),   fᵢ = −1/Dₙ ∫ Qᵢᵢ (ζ − zₙ) dζ from the bottom to z,   zₙ = Bᵢᵢ/Aᵢᵢ,   Dₙ = Dᵢᵢ − Bᵢᵢ²/Aᵢᵢ
        (S⁻¹)ᵢⱼ = ∫ fᵢ (G⁻¹)ᵢⱼ fⱼ dz                              which is 6/5 1/(G t) if all plies are alike.
    """
    axis = np.arange(2)
    neutral = B[axis, axis] / A[axis, axis]
    D_n = D[axis, axis] - B[axis, axis] * neutral
    E = Q[:, axis, axis]

    def course(z: np.ndarray, ply: np.ndarray) -> np.ndarray:
        return -E[ply] * ((z[:, None] - neutral) ** 2 - (lower[ply, None] - neutral) ** 2) / (2 * D_n)

    plies = np.arange(len(E))
    below = np.cumsum(course(upper, plies), axis=0) - course(upper, plies)  # f at the lower face of each ply
    compliance, G_inverse = np.zeros((2, 2)), np.linalg.inv(G)
    for point, weight in zip(*np.polynomial.legendre.leggauss(3)):  # f² is of degree 4 in z
        f = below + course(lower + (upper - lower) * (1 + point) / 2, plies)
        compliance += np.einsum("p,pi,pij,pj->ij", weight * (upper - lower) / 2, f, G_inverse, f)
    middle = np.array([min(int(np.searchsorted(upper, 0.0, side="right")), len(E) - 1)])
    return np.linalg.inv(compliance), (below[middle] + course(np.zeros(1), middle))[0]
