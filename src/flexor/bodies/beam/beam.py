"""Beam: a slender body by its reference line and its section or sections, divided into two-node elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import pairwise
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexor.bodies.beam.doubts import stout, weightless
from flexor.bodies.beam.exact_term import helix, line_mass
from flexor.bodies.beam.formulations import BEAM_FORMULATIONS, BeamPiece
from flexor.bodies.beam.line import Curve, Line, section_axes
from flexor.bodies.beam.section_stiffness import (
    SectionProperties,
    StiffnessSection,
    along_taper,
    between,
    section_properties,
)
from flexor.bodies.body import Body, Parts, Start
from flexor.bodies.marker import Marker
from flexor.bodies.rigid_body import RigidBody
from flexor.declaration import Angle, Direction, Point
from flexor.effects import Doubt
from flexor.materials import Material
from flexor.mesh.section import BoxProfile, Circle, GeneralSection, IProfile, Rectangle, Tube
from flexor.spatial import skew

AnyBeamSection = Annotated[
    Rectangle | Circle | Tube | IProfile | BoxProfile | GeneralSection | StiffnessSection, Field(discriminator="type")
]

Profile = tuple[AnyBeamSection, Material | None]
Geometry = tuple[np.ndarray, np.ndarray, np.ndarray]


@lru_cache(maxsize=64)
def _geometry(points: tuple, curve: Curve, divisions: int, twist: tuple, up: tuple | None, at_points: bool) -> Geometry:
    line = Line(np.array(points), curve)
    s = line.divide(divisions, at_points)
    angles = np.interp(s, line.stations, twist) if twist else np.zeros(len(s))
    x, before = line.at(s, np.zeros(len(s), dtype=bool))
    _, after = line.at(s, np.ones(len(s), dtype=bool))
    tangents = np.concatenate([after[:-1], before[1:]])
    angles = np.concatenate([angles[:-1], angles[1:]])
    S = section_axes(tangents, None if up is None else np.array(up), angles)
    return x, S.reshape(2, divisions, 3, 3).swapaxes(0, 1), s


_properties = lru_cache(maxsize=1024)(section_properties)
_GAUSS = np.polynomial.legendre.leggauss(5)
STEEP = 8.0
"""How much the compliance may grow between five Gauss points of a taper: sizes by 1.7 to 1, an error of 10⁻⁶."""


@lru_cache(maxsize=64)
def _tapered(points: tuple, curve: Curve, s: tuple, sections: tuple, materials: tuple) -> tuple[SectionProperties, ...]:
    """Sections of the elements of a tapered beam between arc lengths s, which change along each of them."""
    stations = Line(np.array(points), curve).stations
    found = []
    for begin, end in pairwise(s):
        piece = int(np.clip(np.searchsorted(stations, (begin + end) / 2) - 1, 0, len(points) - 2))
        material = materials[piece if len(materials) > 1 else 0]
        shares = (np.array([begin, end]) - stations[piece]) / (stations[piece + 1] - stations[piece])
        at = partial(_section_between, sections[piece : piece + 2], material, np.clip(shares, 0.0, 1.0))
        places = _gauss_points(at, -1.0, 1.0)
        found.append(along_taper([at(place) for place, _ in places], places, end - begin))
    return tuple(found)


def _section_between(sections: tuple, material: Material | None, shares: np.ndarray, place: float) -> SectionProperties:
    """The section at a place from −1 to 1 of an element between two shares of the way from one section to the other."""
    share = shares[0] + (shares[1] - shares[0]) * (1 + place) / 2
    return section_properties(between(sections[0], sections[1], float(share)), material)


def _gauss_points(at: Callable[[float], SectionProperties], first: float, last: float) -> list[tuple[float, float]]:
    """(place, weight): five between two places, or those of both halves where the section changes much."""
    a, b = (np.diag(at(place).compliance) for place in (first, last))
    if np.any(np.maximum(a, b) > STEEP * np.minimum(a, b)) and last - first > 1e-6:
        middle = (first + last) / 2
        return _gauss_points(at, first, middle) + _gauss_points(at, middle, last)
    half = (last - first) / 2
    return [(float(first + half * (1 + x)), float(half * w)) for x, w in zip(*_GAUSS)]


@lru_cache(maxsize=64)
def _profiles(
    points: tuple, curve: Curve, s: tuple, sections: tuple, materials: tuple, tapered: bool
) -> tuple[Profile, ...]:
    """Section and material of the elements between arc lengths s."""
    stations = Line(np.array(points), curve).stations
    found = []
    for middle in (np.array(s[1:]) + s[:-1]) / 2:
        piece = int(np.clip(np.searchsorted(stations, middle) - 1, 0, len(points) - 2))
        section, material = (each[piece if len(each) > 1 else 0] for each in (sections, materials))
        if tapered:
            share = (middle - stations[piece]) / (stations[piece + 1] - stations[piece])
            section = between(sections[piece], sections[piece + 1], float(share))
        found.append((section, material))
    return tuple(found)


class Beam(Body):
    """A beam along points of the body's axes. Attach to it at "start", "end" or any "node i", i = 0 … divisions.

    A stepped shaft has a section for each piece between two points, `sections`, and may have a material for each; a tapered
    beam has a profile at each point, and sizes between them are linear.
    """

    positional: ClassVar[tuple[str, ...]] = ("name", "points", "section", "material")
    type: Literal["beam"] = "beam"
    flexible: ClassVar[bool] = True
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {
            "name": "fin",
            "points": ((0, 0, 0), (0.7, 0.2, 0), (1, 0.8, 0)),
            "section": {"type": "rectangle", "width": "0.2 m", "height": "0.3 m"},
            "material": {"type": "isotropic", "young": "4 kPa", "poisson": 0.3, "density": 900},
            "divisions": 2,
            "curve": "spline",
            "twist": (0, "10 deg", "30 deg"),
            "damping": 2e-3,
        },
    )
    points: tuple[Point, ...] = Field(description="Points of the reference line in the body's axes [m].", min_length=2)
    section: AnyBeamSection | None = Field(
        None, description="Cross-section of the whole beam: a profile, or a stiffness with its mass."
    )
    material: Material | None = Field(None, description="Material, where the section is a profile.")
    sections: tuple[AnyBeamSection, ...] = Field(
        (), description="In place of `section`: one for each piece between two points, or at each point if tapered."
    )
    materials: tuple[Material, ...] = Field(
        (), description="In place of `material`: one for each piece between two points."
    )
    tapered: bool = Field(
        False, description="Whether `sections` are profiles of one kind at the points, with linear sizes between them."
    )
    divisions: int = Field(8, description="Number of elements.", ge=1)
    curve: Curve = Field("polyline", description="How the points are joined: polyline, spline, or arc (three points).")
    up: Direction | None = Field(
        None, description="Where the section's z axis points, as far as it can; z, or across the plane of the line."
    )
    twist: tuple[Angle, ...] = Field(
        (), description="Initial twist of the section at each point [rad], linear between them; none if left out."
    )
    formulation: Literal["exact", "corotational"] = Field("exact", description="Theory of the elements.")
    damping: float | None = Field(
        None, description="Stiffness-proportional damping [s]; the material's if left out.", ge=0
    )

    @model_validator(mode="after")
    def _complete(self) -> Beam:
        if self.twist and len(self.twist) != len(self.points):
            raise ValueError(
                f"it has {len(self.twist)} twist angles for {len(self.points)} points; give one for each point"
            )
        self._check_sections()
        theory = BEAM_FORMULATIONS[self.formulation]
        if theory.needs_profile and any(isinstance(s, StiffnessSection) for s, _ in self.profiles):
            raise ValueError(f"a {self.formulation} beam needs a profile; give one, or choose formulation exact")
        _ = self.properties
        return self

    def _check_sections(self) -> None:
        pieces = len(self.points) - 1
        if (self.section is None) == (not self.sections):
            raise ValueError("it needs one of section and sections; give one section, or one for each piece")
        wanted = pieces + 1 if self.tapered else pieces
        if self.sections and len(self.sections) != wanted:
            where = "points" if self.tapered else "pieces between its points"
            raise ValueError(f"it has {len(self.sections)} sections for {wanted} {where}; give one for each")
        if self.materials and (self.material is not None or len(self.materials) != pieces):
            what = f"{len(self.materials)} materials for {pieces} pieces between its points"
            raise ValueError(f"it has {what}; give one for each and no material beside them, or one material for all")
        if self.tapered and (not self.sections or len({type(s) for s in self.sections}) > 1):
            raise ValueError("a tapered beam needs a profile of one kind at each of its points; give sections")
        if self.tapered and isinstance(self.sections[0], StiffnessSection):
            raise ValueError("a tapered beam needs profiles; give the stiffness of each piece instead, not tapered")

    @property
    def geometry(self) -> Geometry:
        """Nodes (n + 1, 3), section axes at both ends of every element (n, 2, 3, 3), arc lengths of the nodes."""
        several = bool(self.sections or self.materials)
        return _geometry(self.points, self.curve, self.divisions, self.twist, self.up, several)

    @property
    def profiles(self) -> tuple[Profile, ...]:
        """Section and material of every element; of a tapered one those of its middle."""
        given = (self.sections or (self.section,), self.materials or (self.material,))
        return _profiles(self.points, self.curve, tuple(self.geometry[2].tolist()), *given, self.tapered)

    @property
    def properties(self) -> tuple[SectionProperties, ...]:
        """Compliance and inertia of the section of every element; in a taper as its energy has it."""
        if self.tapered:
            given = (self.sections, self.materials or (self.material,))
            return _tapered(self.points, self.curve, tuple(self.geometry[2].tolist()), *given)
        return tuple(_properties(section, material) for section, material in self.profiles)

    def doubts(self, gravity: Sequence[float]) -> list[Doubt]:
        field = "sections" if self.sections else "section"
        return weightless(self, gravity) + stout(self, float(self.geometry[2][-1]), field)

    def beta(self, material: Material | None) -> float:
        """Stiffness-proportional damping [s] of elements of a material."""
        return self.damping if self.damping is not None else getattr(material, "damping", 0.0)

    @property
    def marker_names(self) -> tuple[str, ...]:
        return (*self.markers, "start", "end", *(f"node {i}" for i in range(self.divisions + 1)))

    def marker(self, name: str) -> Marker:
        if name in self.markers:
            return self.markers[name]
        return Marker(tuple(self.geometry[0][self._number(name)]))

    def _number(self, name: str) -> int:
        """Node of a built-in marker; KeyError if there is none."""
        if name in ("start", "end"):
            return 0 if name == "start" else self.divisions
        word, _, number = name.partition(" ")
        if word != "node" or not number.isdecimal() or int(number) > self.divisions:
            raise KeyError(name)
        return int(number)

    def carrier(self, marker: str | None, p_BM: np.ndarray) -> tuple[int, np.ndarray]:
        """The node of a built-in marker, else the nearest one, which then carries the attachment on a rigid arm."""
        x = self.geometry[0]
        if marker is not None and marker not in self.markers:
            node = self._number(marker)
        else:
            node = int(np.argmin(np.linalg.norm(x - np.asarray(p_BM), axis=1)))
        return node, x[node]

    def node_name(self, i: int) -> str:
        return f"{self.name}.{'start' if i == 0 else 'end' if i == self.divisions else f'node {i}'}"

    def parts(self, start: Start) -> Parts:
        x, S, s = self.geometry
        lengths, sections = np.diff(s), self.properties
        mass = float(sum(p.mass * length for p, length in zip(sections, lengths)))
        inertia = float(sum(np.trace(p.inertia) * length / 3 for p, length in zip(sections, lengths)))
        weights = (mass / len(x) or 1.0, (inertia + mass * np.diff(s).mean() ** 2 / 12) / len(x) or 1.0)
        nodes = tuple(
            start.at(self.node_name(i), x[i], weights=weights, placed=self.placed) for i in range(self.divisions + 1)
        )
        term = BEAM_FORMULATIONS[self.formulation].term
        pieces = [
            BeamPiece(
                f"{self.name}.element {i + 1}",
                (start.node + i, start.node + i + 1),
                x[i : i + 2],
                S[i],
                start.X_WB,
                own,
                section,
                material,
                self.beta(material),
                self._rotary(i, x, S),
            )
            for i, (own, (section, material)) in enumerate(zip(sections, self.profiles, strict=True))
        ]
        return Parts(nodes, tuple(map(term, pieces)))

    def _rotary(self, i: int, x: np.ndarray, S: np.ndarray) -> tuple[float, float]:
        """Element i carries all rotary inertia of its first node; that of its second only at the end and at a corner."""
        before, own = (float(np.linalg.norm(helix(x[e : e + 2], S[e])[0])) for e in (max(i - 1, 0), i))
        first = own / 2 if i == 0 or self._corner(i) else (before + own) / 2
        last = own / 2 if i == self.divisions - 1 or self._corner(i + 1) else 0.0
        return first, last

    def _corner(self, node: int) -> bool:
        """Whether the section or its axes jump at an inner node."""
        _, S, _ = self.geometry
        profiles = self.profiles if self.sections or self.materials else ()
        step = bool(profiles) and profiles[node - 1] != profiles[node]
        return step or bool(np.abs(S[node - 1, 1] - S[node, 0]).max() > 1e-9)

    def rigid(self) -> RigidBody:
        """The undeformed beam as a rigid body."""
        x, S, _ = self.geometry
        mass, first, J = 0.0, np.zeros(3), np.zeros((3, 3))
        for X, axes, section in zip(np.stack([x[:-1], x[1:]], axis=1), S, self.properties):
            L = float(np.linalg.norm(helix(X, axes)[0]))
            offset = axes @ np.array([0.0, *section.mass_center])
            points = np.stack([X[0] + offset[0], axes[0, :, 0], X[1] + offset[1], axes[1, :, 0]])
            M = line_mass(section, L)
            mass += section.mass * L
            first += (M[0] + M[2]) @ points
            second = points.T @ M @ points  # ∫ρ x xᵀ ds
            J += np.trace(second) * np.eye(3) - second
            J += L / 2 * sum(R @ section.inertia @ R.T for R in axes)
        center = first / mass if mass else x.mean(axis=0)
        J += mass * skew(center) @ skew(center)
        return RigidBody(
            self.name,
            mass,
            (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]),
            center_of_mass=tuple(center),
            markers={name: self.marker(name) for name in self.marker_names},
            **{
                key: getattr(self, key) for key in ("position", "orientation", "velocity", "angular_velocity", "shapes")
            },
        )
