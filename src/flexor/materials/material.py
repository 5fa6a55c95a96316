"""Materials of finite elements."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator, Field

from flexor.declaration import Declaration, Density, Modulus
from flexor.mistakes import suggestion


class Isotropic(Declaration):
    """A linearly elastic, isotropic material."""

    positional: ClassVar[tuple[str, ...]] = ("young", "poisson", "density")
    type: Literal["isotropic"] = "isotropic"
    young: Modulus = Field(description="Young's modulus [Pa].", gt=0)
    poisson: float = Field(description="Poisson's ratio.", gt=-1.0, lt=0.5)
    density: Density = Field(0.0, description="Density [kg/m³].", ge=0)
    damping: float = Field(0.0, description="Stiffness-proportional damping [s].", ge=0)

    @property
    def shear(self) -> float:
        """Shear modulus [Pa]."""
        return self.young / (2 * (1 + self.poisson))

    def stiffness(self) -> np.ndarray:
        """6×6 matrix from strain (xx, yy, zz, γxy, γyz, γzx) to stress, material axes."""
        lam = self.young * self.poisson / ((1 + self.poisson) * (1 - 2 * self.poisson))
        C = np.zeros((6, 6))
        C[:3, :3] = lam
        C[np.arange(3), np.arange(3)] += 2 * self.shear
        C[np.arange(3, 6), np.arange(3, 6)] = self.shear
        return C


class Orthotropic(Declaration):
    """A linearly elastic material with three perpendicular planes of symmetry, in its own axes 1, 2, 3."""

    type: Literal["orthotropic"] = "orthotropic"
    young: tuple[Modulus, Modulus, Modulus] = Field(description="E₁, E₂, E₃ [Pa].")
    poisson: tuple[float, float, float] = Field(description="ν₁₂, ν₂₃, ν₁₃.")
    shear: tuple[Modulus, Modulus, Modulus] = Field(description="G₁₂, G₂₃, G₁₃ [Pa].")
    density: Density = Field(0.0, description="Density [kg/m³].", ge=0)
    damping: float = Field(0.0, description="Stiffness-proportional damping [s].", ge=0)

    def stiffness(self) -> np.ndarray:
        """6×6 matrix from strain (11, 22, 33, γ12, γ23, γ31) to stress, material axes."""
        e1, e2, e3 = self.young
        n12, n23, n13 = self.poisson
        S = np.zeros((6, 6))
        S[:3, :3] = [[1 / e1, -n12 / e1, -n13 / e1], [-n12 / e1, 1 / e2, -n23 / e2], [-n13 / e1, -n23 / e2, 1 / e3]]
        S[3, 3], S[4, 4], S[5, 5] = 1 / self.shear[0], 1 / self.shear[1], 1 / self.shear[2]
        if np.linalg.eigvalsh(S)[0] <= 0:
            raise ValueError("the orthotropic constants are not physical: the compliance is not positive definite")
        return np.linalg.inv(S)


def Steel() -> Isotropic:
    """Structural steel: 210 GPa, ν = 0.3, 7850 kg/m³."""
    return Isotropic("210 GPa", 0.3, 7850.0)


def Aluminium() -> Isotropic:
    """Aluminium alloy: 70 GPa, ν = 0.33, 2700 kg/m³."""
    return Isotropic("70 GPa", 0.33, 2700.0)


MATERIALS = (Isotropic, Orthotropic)
READY_MADE = {"steel": Steel, "aluminium": Aluminium}
"""Materials that a field takes by their name."""
_SPELLINGS = {"aluminum": "aluminium"}


def _by_name(value: object) -> object:
    """A ready-made material from its name, and from its function that was not called."""
    if isinstance(value, str):
        name = value.strip().lower()
        name = _SPELLINGS.get(name, name)
        if name not in READY_MADE:
            known = suggestion(name, READY_MADE)
            own = "{type: isotropic, young: 210 GPa, poisson: 0.3, density: 7850}"
            raise ValueError(f"it is no known material; {known}, or write its constants: {own}")
        return READY_MADE[name]()
    return next((make() for make in READY_MADE.values() if value is make), value)


_Any = Annotated[Isotropic | Orthotropic, Field(discriminator="type")]
Material = Annotated[_Any, BeforeValidator(_by_name, json_schema_input_type=_Any | Literal["steel", "aluminium"])]
"""Field type: one of the materials, or the name of a ready-made one."""
