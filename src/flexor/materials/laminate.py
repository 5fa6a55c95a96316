"""Layered materials of shells: plies of any material, each at its own angle, to one stiffness of the whole.

    [ N ]   [ A  B ] [ ε ]
    [ M ] = [ B  D ] [ κ ] ,   q = S γ          N, M, q per unit length of edge

z runs along the normal from the bottom to the top of the shell and is 0 at half its thickness. Strains are
(xx, yy, γxy), curvatures (xx, yy, 2xy), transverse shear (xz, yz).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from flexor.declaration import Angle, Declaration, Length
from flexor.materials.material import Material


@dataclass(frozen=True)
class Layer:
    """What turns strain into stress at one height of shells; leading axis: elements, or 1 for all.

    z: (m|1,) [m];  in_plane: (m|1, 3, 3) plane stress [Pa];  transverse: (m|1, 2, 2) shear moduli [Pa];
    thinning: (m|1, 3) εzz per in-plane strain;  flow: (m|1, 2, 2) transverse shear stress per unit of q [1/m].
    """

    z: np.ndarray
    in_plane: np.ndarray
    transverse: np.ndarray
    thinning: np.ndarray
    flow: np.ndarray


@dataclass(frozen=True)
class ShellStiffness:
    """Stiffness of shells per unit of their area; leading axis: elements, or 1 for all.

    A, B, D: (m|1, 3, 3) membrane [N/m], coupling [N] and bending [N m];  S: (m|1, 2, 2) transverse shear [N/m].
    thickness: (m|1,) [m];  layers: top, middle, bottom;  isotropic: alike in all directions of the plane.
    """

    A: np.ndarray
    B: np.ndarray
    D: np.ndarray
    S: np.ndarray
    thickness: np.ndarray
    layers: tuple[Layer, ...]
    isotropic: bool = False

    def turned(self, angle: np.ndarray) -> ShellStiffness:
        """The same in axes from which the material's are reached by turns `angle` (m,) about the normal [rad]."""
        if self.isotropic:
            return self
        T, R = strain_rotation(angle), shear_rotation(angle)
        Tt, Rt = T.swapaxes(1, 2), R.swapaxes(1, 2)
        layers = tuple(
            Layer(
                layer.z,
                Tt @ layer.in_plane @ T,
                Rt @ layer.transverse @ R,
                (layer.thinning[:, None] @ T)[:, 0],
                Rt @ layer.flow @ R,
            )
            for layer in self.layers
        )
        A, B, D = (Tt @ each @ T for each in (self.A, self.B, self.D))
        return replace(self, A=A, B=B, D=D, S=Rt @ self.S @ R, layers=layers)


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

    def stiffness(self) -> ShellStiffness:
        """Stiffness of the whole; the plies bring their own materials and thicknesses."""
        lower, upper = self._faces()
        parts = [ply_stiffness(ply.material, ply.angle) for ply in self.plies]
        Q, G, thinning = (np.stack(part) for part in zip(*parts))
        A, B, D = (np.einsum("p,pij->ij", (upper**n - lower**n) / n, Q) for n in (1, 2, 3))
        middle = min(int(np.searchsorted(upper, 0.0, side="right")), len(Q) - 1)
        S, flow = _transverse_shear(Q, G, lower, upper, middle)
        heights = ((len(Q) - 1, upper[-1], 0 * flow), (middle, 0.0, flow), (0, lower[0], 0 * flow))
        layers = tuple(
            Layer(np.array([z]), Q[[ply]], G[[ply]], thinning[[ply]], np.diag(tau)[None]) for ply, z, tau in heights
        )
        return ShellStiffness(A[None], B[None], D[None], S[None], np.array([upper[-1] - lower[0]]), layers)

    def area_moments(self, density: np.ndarray | None = None, thickness: np.ndarray | None = None) -> np.ndarray:
        """(1, 3) moments of mass ∫ρ dz, ∫ρ z dz, ∫ρ z² dz [kg/m², kg/m, kg]."""
        lower, upper = self._faces()
        rho = np.array([ply.material.density for ply in self.plies])
        moments = np.array([[rho @ (upper**n - lower**n) / n for n in (1, 2, 3)]])
        moments[0, 0] += self.area_mass
        return moments

    def _faces(self) -> tuple[np.ndarray, np.ndarray]:
        """z of the lower and upper faces of the plies."""
        edges = np.cumsum([0.0, *(ply.thickness for ply in self.plies)])
        edges -= edges[-1] / 2
        return edges[:-1], edges[1:]


def ply_stiffness(material: Material, angle: float = 0.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
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
    Q: np.ndarray, G: np.ndarray, lower: np.ndarray, upper: np.ndarray, middle: int
) -> tuple[np.ndarray, np.ndarray]:
    """Shear stiffness S (2, 2) that stores the energy of the shear stress which equilibrium asks for, and that
    stress at z = 0, in ply `middle`, per unit of q (2,).

    Bending about one axis alone gives σ = Qᵢᵢ (z − zₙ) κ, zₙ the neutral plane, and τ,z = −σ,x the shear stress
        τᵢ(z) = qᵢ fᵢ(z),   fᵢ = −∫ Qᵢᵢ (ζ − zₙ) dζ / ∫ Qᵢᵢ (ζ − zₙ)² dζ     upper integral from the bottom to z
        (S⁻¹)ᵢⱼ = ∫ fᵢ (G⁻¹)ᵢⱼ fⱼ dz                                       which is 6/5 1/(G t) for like plies.
    """
    E = Q[:, [0, 1], [0, 1]]
    low, up = lower[:, None], upper[:, None]
    neutral = (E * (up**2 - low**2)).sum(axis=0) / (2 * (E * (up - low)).sum(axis=0))
    bending = (E * ((up - neutral) ** 3 - (low - neutral) ** 3)).sum(axis=0) / 3

    def rise(z: np.ndarray) -> np.ndarray:  # of f, from the lower face of each ply
        return -E * ((z - neutral) ** 2 - (low - neutral) ** 2) / (2 * bending)

    below = np.cumsum(rise(up), axis=0) - rise(up)
    compliance, G_inverse = np.zeros((2, 2)), np.linalg.inv(G)
    for point, weight in zip(*np.polynomial.legendre.leggauss(3)):  # f² is of degree 4 in z
        f = below + rise(low + (up - low) * (1 + point) / 2)
        compliance += np.einsum("p,pi,pij,pj->ij", weight * (upper - lower) / 2, f, G_inverse, f)
    return np.linalg.inv(compliance), (below + rise(np.zeros((1, 1))))[middle]
