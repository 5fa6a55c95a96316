"""Stiffness and inertia of a beam's section, 6×6: from a profile and a material, or as given numbers.

Order of section forces: N, Qy, Qz, T, My, Mz; of strains: ε, γy, γz, κx (twist), κy, κz; x along the beam.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field, field_validator, model_validator

from flexor.declaration import Declaration, Length
from flexor.elements.beam2 import _compliance, _inertia
from flexor.elements.element import Properties
from flexor.mesh.quantities import LinearDensity
from flexor.mesh.section import BeamSection


@dataclass(frozen=True)
class SectionProperties:
    """What a beam needs to know of its section, at the reference line, in section axes.

    compliance: (6, 6) strains per section forces [SI].   mass: [kg/m].
    inertia: (3, 3) per length about the mass centre [kg m].   mass_center: (y, z) from the reference line [m].
    """

    compliance: np.ndarray
    mass: float
    inertia: np.ndarray
    mass_center: tuple[float, float] = (0.0, 0.0)


class StiffnessSection(Declaration):
    """A section by its 6×6 stiffness (forces N, Qy, Qz, T, My, Mz per strains ε, γy, γz, κx, κy, κz) and its mass."""

    positional: ClassVar[tuple[str, ...]] = ("stiffness", "mass", "inertia")
    type: Literal["stiffness"] = "stiffness"
    stiffness: tuple[tuple[float, ...], ...] = Field(
        description="EA, GAy, GAz, GJ, EIy, EIz, or the full symmetric 6×6 matrix [N, N m, N m²]."
    )
    mass: LinearDensity = Field(0.0, description="Mass per length [kg/m].", ge=0)
    inertia: tuple[float, ...] = Field(
        (0.0, 0.0, 0.0),
        description="Rotary inertia per length about the mass centre [kg m]: xx, yy, zz (, xy, xz, yz).",
    )
    mass_center: tuple[Length, Length] = Field((0.0, 0.0), description="Mass centre (y, z) in the section [m].")

    @field_validator("stiffness", mode="before", json_schema_input_type=tuple[Any, ...])
    @classmethod
    def _six_by_six(cls, value: Any) -> Any:
        try:
            K = np.asarray(value, dtype=float)
        except (TypeError, ValueError):
            K = np.empty(0)
        K = np.diag(K) if K.shape == (6,) else K
        if K.shape != (6, 6):
            raise ValueError("it needs six numbers (EA, GAy, GAz, GJ, EIy, EIz) or a 6×6 matrix")
        if np.abs(K - K.T).max() > 1e-9 * np.abs(K).max() or np.linalg.eigvalsh(_scaled(K))[0] <= 1e-14:
            raise ValueError("its matrix is not symmetric and positive definite; check the order N, Qy, Qz, T, My, Mz")
        return tuple(map(tuple, K.tolist()))

    @model_validator(mode="after")
    def _moments(self) -> StiffnessSection:
        if len(self.inertia) not in (3, 6) or np.linalg.eigvalsh(_matrix(self.inertia))[0] < -1e-12:
            raise ValueError("its inertia needs 3 or 6 numbers (xx, yy, zz, xy, xz, yz) of a non-negative matrix")
        return self


def section_properties(section: BeamSection | StiffnessSection, material: Any) -> SectionProperties:
    """Compliance and inertia of a section; ValueError if it is incomplete."""
    if isinstance(section, StiffnessSection):
        return SectionProperties(
            np.linalg.inv(np.array(section.stiffness)), section.mass, _matrix(section.inertia), section.mass_center
        )
    if material is None:
        raise ValueError("it has a profile but no material; give one, e.g. steel")
    p = Properties(material.stiffness()[None], np.array([material.density]), material, section)
    S, bears = _compliance(p)
    if len(bears) < 6:
        names = ("axial force", "shear along y", "shear along z", "torque", "bending about y", "bending about z")
        missing = ", ".join(name for i, name in enumerate(names) if i not in bears)
        raise ValueError(f"its section bears no {missing}; give area, Iy, Iz and J")
    M = _inertia(p)[0]
    return SectionProperties(S, float(M[0, 0]), M[3:, 3:])


def _scaled(K: np.ndarray) -> np.ndarray:
    size = np.sqrt(np.abs(np.diag(K)))
    return K / np.maximum(np.outer(size, size), 1e-300)


def _matrix(moments: tuple[float, ...]) -> np.ndarray:
    xx, yy, zz, xy, xz, yz = (*moments, 0.0, 0.0, 0.0)[:6]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
