"""Thickness of shells."""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np
from pydantic import Field

from flexor.declaration import Declaration, Length
from flexor.materials.laminate import Layer, ShellStiffness, ply_stiffness
from flexor.materials.material import Isotropic, Material


class ShellSection(Declaration):
    """A shell of one material throughout its thickness."""

    positional: ClassVar[tuple[str, ...]] = ("thickness",)
    type: Literal["shell"] = "shell"
    thickness: Length = Field(description="Thickness [m].", gt=0)
    offset: Length = Field(0.0, description="From the nodes to the middle of the thickness along the normal [m].")
    bending: float = Field(1.0, description="Bending stiffness as a multiple of that of the solid plate.", gt=0)
    shear: float = Field(5 / 6, description="Transverse shear factor: q = shear G t γ.", gt=0)
    area_mass: float = Field(0.0, description="Mass beside that of the material [kg/m²].", ge=0)

    def stiffness(self, material: Material, thickness: np.ndarray | None = None) -> ShellStiffness:
        """Stiffness with a material; `thickness` (m,) [m] gives elements their own instead of the section's."""
        t = self._thickness(thickness)
        each = t[:, None, None]
        Q, G, thinning = (array[None] for array in ply_stiffness(material))
        courses = ((t / 2, 0.0), (0 * t, 1.5), (-t / 2, 0.0))  # τ = 3/2 q/t in the middle
        return ShellStiffness(
            A=Q * each,
            B=0 * Q * each,
            D=self.bending * Q * each**3 / 12,
            S=self.shear * G * each,
            thickness=t,
            layers=tuple(Layer(z, Q, G, thinning, flow * np.eye(2) / each) for z, flow in courses),
            isotropic=isinstance(material, Isotropic),
        )

    def area_moments(self, density: np.ndarray, thickness: np.ndarray | None = None) -> np.ndarray:
        """(m|1, 3) moments of mass ∫ρ dz, ∫ρ z dz, ∫ρ z² dz [kg/m², kg/m, kg] for a density (m|1,) [kg/m³]."""
        t = self._thickness(thickness)
        return np.stack([density * t + self.area_mass, 0 * density * t, density * t**3 / 12], axis=-1)

    def _thickness(self, thickness: np.ndarray | None) -> np.ndarray:
        return np.array([self.thickness]) if thickness is None else np.asarray(thickness, dtype=float)
