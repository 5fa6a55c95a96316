"""Virtual strain gauges and rosettes on the surface of a body.   FTG 9.1

gauge = StrainGauge("g1", body="rod", at=(0.1, 0, "5 mm"), direction="x", kind="triple 45")
reading = gauge.read(history)
reading.legs                                      (T, 3) strain along each leg
reading.principal_stress[:, 0].max()
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from flexor.declaration import Angle, Declaration, Direction, Point
from flexor.elements.assembly.batches import kind_of
from flexor.elements.surface import SurfacePoint, nearest_on_surface, on_face, sharing
from flexor.errors import ModelError, Problem
from flexor.materials.laminate import strain_rotation
from flexor.recover.history import BodyHistory, Portion, Series
from flexor.recover.lost_stress import warn_of_lost_stress
from flexor.recover.measures import signed_largest
from flexor.reduce.meshed_body import MeshedBody
from flexor.reduce.reduced import ReducedBody
from flexor.reduce.surface_strain import axes_on, in_plane, mesh_of, operators_at

Kind = Literal["single", "double 90", "triple 45", "triple 60"]
LEGS: dict[str, tuple[float, ...]] = {
    "single": (0.0,),
    "double 90": (0.0, 90.0),
    "triple 45": (0.0, 45.0, 90.0),
    "triple 60": (0.0, 60.0, 120.0),
}
"""Angles of the legs from the first one [deg], counter-clockwise seen from outside."""


class StrainGauge(Declaration):
    """A strain gauge or rosette on a face of a solid or on a side of a shell."""

    noun: ClassVar[str] = "strain gauge"
    positional: ClassVar[tuple[str, ...]] = ("name", "body")
    type: Literal["strain_gauge"] = "strain_gauge"
    name: str = Field(description="Name; its signals begin with it.")
    body: str = Field("", description="Name of the flexible body it sits on.")
    kind: Kind = Field("single", description="single, double 90, triple 45 or triple 60: legs and their angles.")
    at: Point | None = Field(None, description="It sits on the nearest point of the surface; axes of the body [m].")
    element: int | None = Field(None, description="Or: in the middle of a face of the element with this number.")
    face: int | None = Field(None, description="Which face of that element, 1, 2, …; needed if several are outside.")
    side: Literal["top", "bottom"] = Field("top", description="Side of a shell; its normal points to the top.")
    direction: Direction = Field(
        description="Direction of the first leg, projected onto the surface; axes of the body."
    )
    angle: Angle = Field(0.0, description="Turns the gauge on the surface, counter-clockwise from outside [rad].")

    @model_validator(mode="after")
    def _placed(self) -> StrainGauge:
        if (self.at is None) == (self.element is None):
            said = "place it once: at: [x, y, z], or element: 12 with face: 3"
            raise ValueError(f"it has {'no place' if self.at is None else 'two places'}; {said}")
        if self.face is not None and self.element is None:
            raise ValueError("face belongs to an element; add element: …")
        return self

    def locate(self, reduced: MeshedBody) -> SurfacePoint:
        """Where it sits on the mesh (lengths as before scaling)."""
        mesh = mesh_of(reduced)
        if self.element is not None:
            return on_face(mesh, self.called(self.name), self.element, self.face)
        return nearest_on_surface(mesh, self.called(self.name), np.array(self.at) / reduced.stretch)

    def axes(self, normal: np.ndarray, shell: bool = False) -> np.ndarray:
        """(3, 3) columns: first leg, across it in the surface, outward normal; axes of the body.

        normal: of the surface; of a shell, that of its top.
        """
        n = -normal if shell and self.side == "bottom" else normal
        return axes_on(n, np.array(self.direction), self.angle, self.called(self.name))

    def read(self, history: BodyHistory) -> GaugeReading:
        """Its readings over a history of its body, averaged over the elements that share its place on the surface."""
        reduced = history.reduced
        if self.body and self.body != reduced.name:
            what = f"it sits on '{self.body}', the history is that of '{reduced.name}'"
            raise ModelError(Problem(self.called(self.name), what, "", "read it on its own body"))
        mesh, point = mesh_of(reduced), self.locate(reduced)
        points = sharing(mesh, point)
        normal = np.mean([each.normal for each in points], axis=0)
        axes = self.axes(normal / np.linalg.norm(normal), kind_of(mesh.blocks[point.block]).dofs == 6)
        exact = reduced.tensors_at(point.position) if isinstance(reduced, ReducedBody) else None
        if exact is not None:
            tensors = [history.z @ each.T for each in exact]
        else:
            operators = [self._operators(reduced, each) for each in points]  # strain and stress at each
            tensors = [
                np.mean([history.modes_of([here]).at(0, history.z) for here in every], axis=0)
                for every in zip(*operators)
            ]
        strain, stress = (each @ in_plane(axes, shear).T for each, shear in zip(tensors, (0.5, 1.0)))
        warn_of_lost_stress(history)
        elements = tuple(int(mesh.blocks[each.block].ids[each.row]) for each in points)
        return GaugeReading(self, history.times, strain, stress, axes, reduced.stretch * point.position, elements)

    def _operators(self, reduced: MeshedBody, point: SurfacePoint) -> tuple[Portion, Portion]:
        """Strain and stress [Pa] at a point by the motion of its element, in the axes of the mesh."""
        strain, stress = (
            Portion(point.block, np.array([point.row]), each.nodes[None], each.dofs, each.matrix[None, None])
            for each in operators_at(reduced, point, self.side)
        )
        return strain, stress


@dataclass(frozen=True, eq=False)
class GaugeReading:
    """What a gauge shows over time.

    strain: (T, 3) εx, εy, γxy and stress: (T, 3) σx, σy, τxy [Pa] in the surface, x along the first leg.
    axes: (3, 3) columns first leg, across, outward normal;  position [m], both in the axes of the body.
    elements: numbers of the elements it sits on: several, whose average it shows, if it lies on a border between them.
    """

    gauge: StrainGauge
    time: np.ndarray
    strain: np.ndarray
    stress: np.ndarray
    axes: np.ndarray
    position: np.ndarray
    elements: tuple[int, ...]

    def __repr__(self) -> str:
        on = ", ".join(map(str, self.elements))
        x, y, z = (f"{v + 0.0:.5g}" for v in self.position)
        place = f"on element{'s' if len(self.elements) > 1 else ''} {on} at ({x}, {y}, {z}) m"
        return f"gauge '{self.gauge.name}' ({self.gauge.kind}) {place}: {len(self.time)} times"

    def __str__(self) -> str:
        """Smallest and largest value of each reading."""
        found = self.signals()
        width = max(map(len, found))
        lines = [repr(self), f"  {'':{width}} {'smallest':>12} {'largest':>12}"]
        for name, (values, _, _, unit) in found.items():
            lines.append(f"  {name:{width}} {values.min():12.4g} {values.max():12.4g} {unit}".rstrip())
        return "\n".join(lines)

    @property
    def element(self) -> int:
        """Number of the element it sits on, or of one of them."""
        return self.elements[0]

    @property
    def legs(self) -> np.ndarray:
        """(T, legs) strain along each leg."""
        return self.strain @ _leg_rows(self.gauge.kind).T

    @property
    def principal_strain(self) -> np.ndarray:
        """(T, 2) principal strains in the surface, larger first."""
        return _principal(self.strain, 0.5)

    @property
    def principal_stress(self) -> np.ndarray:
        """(T, 2) principal stresses in the surface, larger first [Pa]."""
        return _principal(self.stress, 1.0)

    @property
    def angle(self) -> np.ndarray:
        """(T,) from the first leg to the direction of the larger principal strain, −π/2 … π/2 [rad]."""
        x, y, g = self.strain.T
        return 0.5 * np.arctan2(g, x - y)

    @property
    def max_shear(self) -> np.ndarray:
        """(T,) largest shear strain in the surface, γ = ε₁ − ε₂."""
        return self.principal_strain @ [1.0, -1.0]

    @property
    def signed_max_strain(self) -> np.ndarray:
        """(T,) the principal strain of larger absolute value, with its sign.   FTG (9.1)"""
        return signed_largest(*self.principal_strain.T)

    @property
    def signed_max_stress(self) -> np.ndarray:
        """(T,) the same for stress [Pa]."""
        return signed_largest(*self.principal_stress.T)

    @property
    def von_mises(self) -> np.ndarray:
        """(T,) equivalent stress of the surface [Pa]: √(σ₁² − σ₁σ₂ + σ₂²)."""
        one, two = self.principal_stress.T
        return np.sqrt(one**2 - one * two + two**2)

    def signals(self) -> dict[str, Series]:
        """All readings by name: g1.leg_1 …, g1.strain_1, g1.strain_2, g1.angle, g1.stress_1, …"""
        strains, stresses = self.principal_strain, self.principal_stress
        found = {f"leg_{i + 1}": (leg, "") for i, leg in enumerate(self.legs.T)}
        found |= {"strain_1": (strains[:, 0], ""), "strain_2": (strains[:, 1], ""), "max_shear": (self.max_shear, "")}
        found |= {"angle": (self.angle, "rad"), "signed_max_strain": (self.signed_max_strain, "")}
        found |= {"stress_1": (stresses[:, 0], "Pa"), "stress_2": (stresses[:, 1], "Pa")}
        found |= {"signed_max_stress": (self.signed_max_stress, "Pa"), "von_mises": (self.von_mises, "Pa")}
        named = {f"{self.gauge.name}.{name}": value for name, value in found.items()}
        return {name: Series(values, self.time, name, unit) for name, (values, unit) in named.items()}


def rosette_strain(legs: np.ndarray, kind: str) -> np.ndarray:
    """(…, 3) εx, εy, γxy from the legs (…, 3) of a triple rosette, as measured, x along the first leg."""
    if len(LEGS.get(kind, ())) != 3:
        raise ModelError(Problem("rosette", f"'{kind}' does not tell the whole strain", "", "triple 45 or triple 60"))
    return np.asarray(legs) @ np.linalg.inv(_leg_rows(kind)).T


def _leg_rows(kind: str) -> np.ndarray:
    """(legs, 3) ε(θ) = εx cos²θ + εy sin²θ + γ sinθ cosθ"""
    return strain_rotation(np.radians(LEGS[kind]))[:, 0]


def _principal(plane: np.ndarray, shear: float) -> np.ndarray:
    x, y, xy = plane.T
    middle, radius = (x + y) / 2, np.hypot((x - y) / 2, shear * xy)
    return np.stack([middle + radius, middle - radius], axis=1)
