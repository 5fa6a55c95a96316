"""Stiffness and inertia of a beam's section, 6×6: from a profile and a material, or as given numbers.

Order of section forces: N, Qy, Qz, T, My, Mz; of strains: ε, γy, γz, κx (twist), κy, κz; x along the beam.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, TypeAdapter, field_validator, model_validator

from flexor.declaration import Declaration, Length, LinearDensity
from flexor.elements.element import Properties
from flexor.elements.lines.beam2 import _compliance, _inertia
from flexor.errors import ModelError
from flexor.errors import Problem as Mistake
from flexor.materials import Material
from flexor.mesh.section import BeamSection
from flexor.units import Quantity, si

_material: TypeAdapter[Material | None] = TypeAdapter(Material | None)
_Six = tuple[float, float, float, float, float, float]
Part = tuple[BeamSection, Material | str] | tuple[BeamSection, Material | str, tuple[Quantity, Quantity]]


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

    @classmethod
    def composite(cls, parts: Sequence[Part], torsion: float | None = None) -> StiffnessSection:
        """A section glued together from profiles: parts (section, material) or (section, material, (y, z)) with the place
        of each part's centroid in the whole [m].

        Plane sections stay plane, so that axial and bending stiffness add up about the reference line, EI + EA z², with
        their coupling where the line is not the elastic centre. Shear stiffnesses add up. Torsion is the sum of the
        parts' own G J, exact for parts about one centre that are circular, else too small: give `torsion` [N m²].
        """
        K, mass, first, second = np.zeros((6, 6)), 0.0, np.zeros(2), np.zeros((3, 3))
        if not len(parts):
            raise ModelError(Mistake("composite section", "it has no parts", "", "give (section, material) of each"))
        for number, part in enumerate(parts, 1):
            section, material = part[:2]
            y, z = (float(si(each, "length")) for each in (part[2] if len(part) > 2 else (0.0, 0.0)))
            try:
                p = section_properties(section, _material.validate_python(material))
            except ValueError as error:
                raise ModelError(Mistake("composite section", f"part {number}: {error}")) from None
            own = np.linalg.inv(p.compliance)
            own[3, :3] = own[:3, 3] = 0.0  # the parts turn about their own shear centres
            move = np.eye(6)  # ε = ε₀ + z κy − y κz
            move[0, 4], move[0, 5] = z, -y
            K += move.T @ own @ move
            centre = np.array([y, z]) + p.mass_center
            mass += p.mass
            first += p.mass * centre
            second += p.inertia + p.mass * _steiner(*centre)
        if torsion is not None:
            K[3, 3] = torsion
        centre = first / mass if mass else first
        inertia = second - mass * _steiner(*centre)
        entries = (*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2])
        return cls(K.tolist(), mass, tuple(map(float, entries)), mass_center=tuple(map(float, centre)))

    @field_validator(
        "stiffness", mode="before", json_schema_input_type=_Six | tuple[_Six, _Six, _Six, _Six, _Six, _Six]
    )
    @classmethod
    def _six_by_six(cls, value: ArrayLike) -> tuple[tuple[float, ...], ...]:
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


def section_properties(section: BeamSection | StiffnessSection, material: Material | None) -> SectionProperties:
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


def between(a: BeamSection, b: BeamSection, share: float) -> BeamSection:
    """The profile between two of one kind: sizes linear from a (share 0) to b (share 1)."""
    sizes = {}
    for name in type(a).model_fields:
        first, second = getattr(a, name), getattr(b, name)
        if isinstance(first, float) and isinstance(second, float):
            sizes[name] = (1 - share) * first + share * second
        elif first != second:
            raise ValueError(f"its sections differ in {name}, which cannot change along a taper; make it the same")
    return a.replace(**sizes)


def along_taper(
    sections: Sequence[SectionProperties], points: Sequence[tuple[float, float]], length: float
) -> SectionProperties:
    """One section with the energy of an element whose own one changes along it, from those at Gauss points.

    Forces σ of the middle are T(ξ) σ at a distance ξ: My + ξ Qz, Mz − ξ Qy. The element itself has L²/12 T'ᵀ S T' of a constant
    S already, so that      S = 1/L ∫ Tᵀ S(ξ) T dξ − L²/12 T'ᵀ S T'        (21.15a) of the theory manual

    points: where in −1 … 1 each section is, and its weight; the weights sum up to two.
    """
    lever = np.zeros((6, 6))
    lever[4, 2], lever[5, 1] = 1.0, -1.0
    S, inertia, mass = np.zeros((6, 6)), np.zeros((3, 3)), 0.0
    for section, (point, weight) in zip(sections, points, strict=True):
        T = np.eye(6) + 0.5 * length * point * lever
        S += 0.5 * weight * T.T @ section.compliance @ T
        mass += 0.5 * weight * section.mass
        inertia += 0.5 * weight * section.inertia
    S -= length**2 / 12 * lever.T @ S @ lever
    return SectionProperties(S, mass, inertia, sections[len(sections) // 2].mass_center)


def _steiner(y: float, z: float) -> np.ndarray:
    """Rotary inertia of a unit mass at (y, z) about the reference line."""
    return np.array([[y * y + z * z, 0, 0], [0, z * z, -y * z], [0, -y * z, y * y]])


def _scaled(K: np.ndarray) -> np.ndarray:
    size = np.sqrt(np.abs(np.diag(K)))
    return K / np.maximum(np.outer(size, size), 1e-300)


def _matrix(moments: tuple[float, ...]) -> np.ndarray:
    xx, yy, zz, xy, xz, yz = (*moments, 0.0, 0.0, 0.0)[:6]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
