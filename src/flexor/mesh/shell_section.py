"""Thickness of shells."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from flexor.declaration import Declaration, Length
from flexor.materials.laminate import Layer, ShellStiffness, ply_stiffness
from flexor.materials.material import Isotropic


class ShellSection(Declaration):
    """A shell of one material throughout its thickness."""

    positional: ClassVar[tuple[str, ...]] = ("thickness",)
    type: Literal["shell"] = "shell"
    thickness: Length = Field(description="Thickness [m].", gt=0)
    offset: Length = Field(0.0, description="From the nodes to the middle of the thickness along the normal [m].")
    bending: float = Field(1.0, description="Bending stiffness as a multiple of that of the solid plate.", gt=0)
    shear: float = Field(5 / 6, description="Transverse shear factor: q = shear G t γ.", gt=0)
    area_mass: float = Field(0.0, description="Mass beside that of the material [kg/m²].", ge=0)

    def stiffness(self, material: Any, thickness: np.ndarray | None = None) -> ShellStiffness:
        """Stiffness with a material; `thickness` (m,) [m] gives elements their own instead of the section's."""
        t = np.array([self.thickness]) if thickness is None else np.asarray(thickness, dtype=float)
        Q, G, thinning = ply_stiffness(material)
        each = t[:, None, None]
        mass = np.stack([material.density * t + self.area_mass, 0 * t, material.density * t**3 / 12], axis=-1)
        none, parabola = np.zeros((len(t), 2)), np.repeat(1.5 / t[:, None], 2, axis=1)  # τ = 3/2 q/t in the middle
        top, middle, bottom = (
            Layer(z, Q, G, thinning, flow) for z, flow in ((t / 2, none), (0 * t, parabola), (-t / 2, none))
        )
        return ShellStiffness(
            A=Q * each,
            B=0 * Q * each,
            D=self.bending * Q * each**3 / 12,
            S=self.shear * G * each,
            mass=mass,
            thickness=t,
            layers=(top, middle, bottom),
            isotropic=isinstance(material, Isotropic),
        )
