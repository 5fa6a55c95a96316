"""Choosing nodes of a mesh: by geometry, by number or by the name of a set.

    fx.cylinder(at=(0.3, 0, 0), radius="10 mm", axis="z")      the nodes on the wall of a bore

A selection that finds nothing says how far away the nearest node is.
"""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import BeforeValidator, Field

from flexor.declaration import Declaration, Direction, Length, Point
from flexor.errors import ModelError, Problem
from flexor.mesh.mesh import Mesh
from flexor.spatial import direction

_FLAT = 1e-5  # tolerance of planes and boxes, of the size of the mesh
_ROUND = 1e-2  # tolerance of cylinders and spheres, of the radius: mid-side nodes may lie on chords


class _Selection(Declaration):
    noun: ClassVar[str] = "selection"

    def nodes(self, mesh: Mesh) -> np.ndarray:
        """Indices of the chosen nodes, ascending."""
        distance, tolerance = self.distances(mesh)
        found = np.flatnonzero(distance <= tolerance)
        if not len(found):
            raise ModelError(_nothing(f"selection '{self.type}'", distance, mesh))  # type: ignore[attr-defined]
        return found

    def distances(self, mesh: Mesh) -> tuple[np.ndarray, float]:
        """How far each node is from the geometry [m], and how far it may be."""
        raise TypeError(f"{type(self).__name__} has no distances")

    def _within(self, usual: float) -> float:
        """The tolerance that was given, or the usual one [m]."""
        given: float | None = getattr(self, "tolerance", None)
        return usual if given is None else given


class OnCylinder(_Selection):
    """Nodes on the surface of a circular cylinder, e.g. the wall of a bore."""

    positional: ClassVar[tuple[str, ...]] = ("at", "radius", "axis")
    type: Literal["cylinder"] = "cylinder"
    at: Point = Field(description="A point on the axis; the middle if a length is given [m].")
    radius: Length = Field(description="Radius [m].", gt=0)
    axis: Direction = Field((0.0, 0.0, 1.0), description="Direction of the axis.")
    length: Length | None = Field(None, description="Only nodes within half of it from `at` along the axis [m].", gt=0)
    filled: bool = Field(False, description="Take the nodes inside as well.")
    tolerance: Length | None = Field(None, description="Distance that counts as on [m]; 1 % of the radius.", ge=0)

    def distances(self, mesh: Mesh) -> tuple[np.ndarray, float]:
        a = direction(self.axis)
        r = mesh.points - np.array(self.at)
        along = r @ a
        off = _from_surface(_lengths(r - np.outer(along, a)) - self.radius, self.filled)
        if self.length is not None:
            off = np.hypot(off, np.maximum(np.abs(along) - self.length / 2, 0))
        return off, self._within(_ROUND * self.radius)


class OnPlane(_Selection):
    """Nodes on a plane, e.g. a flat end face."""

    positional: ClassVar[tuple[str, ...]] = ("at", "normal")
    type: Literal["plane"] = "plane"
    at: Point = Field(description="A point of the plane [m].")
    normal: Direction = Field(description="Direction perpendicular to the plane.")
    tolerance: Length | None = Field(None, description="Distance that counts as on [m]; 1e-5 of the mesh.", ge=0)

    def distances(self, mesh: Mesh) -> tuple[np.ndarray, float]:
        off = np.abs((mesh.points - np.array(self.at)) @ direction(self.normal))
        return off, self._within(_FLAT * mesh_size(mesh))


class OnSphere(_Selection):
    """Nodes on the surface of a sphere, e.g. a ball socket."""

    positional: ClassVar[tuple[str, ...]] = ("at", "radius")
    type: Literal["sphere"] = "sphere"
    at: Point = Field(description="Centre [m].")
    radius: Length = Field(description="Radius [m].", gt=0)
    filled: bool = Field(False, description="Take the nodes inside as well.")
    tolerance: Length | None = Field(None, description="Distance that counts as on [m]; 1 % of the radius.", ge=0)

    def distances(self, mesh: Mesh) -> tuple[np.ndarray, float]:
        off = _from_surface(_lengths(mesh.points - np.array(self.at)) - self.radius, self.filled)
        return off, self._within(_ROUND * self.radius)


class InBox(_Selection):
    """Nodes inside a box with edges along the global axes."""

    positional: ClassVar[tuple[str, ...]] = ("low", "high")
    type: Literal["box"] = "box"
    low: Point = Field(description="Corner with the smallest coordinates [m].")
    high: Point = Field(description="Corner with the largest coordinates [m].")
    tolerance: Length | None = Field(None, description="Distance that counts as inside [m]; 1e-5 of the mesh.", ge=0)

    def distances(self, mesh: Mesh) -> tuple[np.ndarray, float]:
        outside = np.maximum(np.array(self.low) - mesh.points, mesh.points - np.array(self.high))
        off = _lengths(np.maximum(outside, 0, out=outside))
        return off, self._within(_FLAT * mesh_size(mesh))


class Nearest(_Selection):
    """The node nearest to a point."""

    positional: ClassVar[tuple[str, ...]] = ("at",)
    type: Literal["nearest"] = "nearest"
    at: Point = Field(description="The point [m].")
    within: Length | None = Field(None, description="Largest distance that is accepted [m]; any.", ge=0)

    def nodes(self, mesh: Mesh) -> np.ndarray:
        off = _lengths(mesh.points - np.array(self.at))
        if not len(off) or (self.within is not None and off.min() > self.within):
            raise ModelError(_nothing("selection 'nearest'", off, mesh))
        return np.array([int(np.argmin(off))])


class NodeSet(_Selection):
    """The nodes of a named set of the mesh."""

    positional: ClassVar[tuple[str, ...]] = ("name",)
    type: Literal["set"] = "set"
    name: str = Field(description="Name of the set, as in the mesh file.")

    def nodes(self, mesh: Mesh) -> np.ndarray:
        if self.name not in mesh.node_sets:
            near = get_close_matches(self.name, list(mesh.node_sets), 1)
            names = ", ".join(list(mesh.node_sets)[:12]) or "none"
            fix = f"did you mean '{near[0]}'?" if near else f"the mesh has these sets: {names}"
            raise ModelError(Problem("selection 'set'", f"the mesh has no node set '{self.name}'", "", fix))
        found = np.unique(mesh.node_sets[self.name])
        if not len(found):
            raise ModelError(Problem("selection 'set'", f"the node set '{self.name}' is empty", "", "choose another"))
        return found


class Numbered(_Selection):
    """Nodes by their numbers in the mesh file."""

    positional: ClassVar[tuple[str, ...]] = ("ids",)
    type: Literal["numbered"] = "numbered"
    ids: tuple[int, ...] = Field(description="Node numbers.", min_length=1)

    def nodes(self, mesh: Mesh) -> np.ndarray:
        order = mesh.node_order
        at = np.searchsorted(mesh.node_ids, self.ids, sorter=order)
        found = order[np.minimum(at, len(order) - 1)]
        missing = np.array(self.ids)[mesh.node_ids[found] != np.array(self.ids)]
        if len(missing):
            span = f"its nodes are {mesh.node_ids.min()}…{mesh.node_ids.max()}"
            what = f"the mesh has no node {', '.join(map(str, missing[:8]))}"
            raise ModelError(Problem("selection 'numbered'", what, span, "check the numbers"))
        return np.unique(found)


SELECTIONS = (OnCylinder, OnPlane, OnSphere, InBox, Nearest, NodeSet, Numbered)


def _selected(value: object) -> object:
    """What a user may write instead of a selection: the name of a node set, one node number or several."""
    if isinstance(value, str):
        return {"type": "set", "name": value}
    if isinstance(value, (Mapping, *SELECTIONS)):
        return value
    given = list(value) if isinstance(value, list | tuple | np.ndarray) else [value]
    numbers = [int(i) for i in given if isinstance(i, int | np.integer) and not isinstance(i, bool)]
    if len(numbers) < len(given):
        example = 'cylinder(at=(0, 0, 0), radius="10 mm")'
        raise ValueError(
            f"it selects no nodes; write a selection, e.g. {example}, the name of a node set or node numbers"
        )
    return {"type": "numbered", "ids": numbers}


_Any = Annotated[OnCylinder | OnPlane | OnSphere | InBox | Nearest | NodeSet | Numbered, Field(discriminator="type")]
Selection = Annotated[_Any, BeforeValidator(_selected, json_schema_input_type=str | int | list[int] | _Any)]
"""Field type: one of the selections, the name of a node set, or node numbers."""

cylinder, plane, sphere, box, nearest = OnCylinder, OnPlane, OnSphere, InBox, Nearest


def mesh_size(mesh: Mesh) -> float:
    """Diagonal of the box around the mesh [m]."""
    return mesh.diagonal


def _lengths(vectors: np.ndarray) -> np.ndarray:
    """Of (n, 3) vectors; several times as fast as a norm along the short axis."""
    return np.sqrt(np.einsum("ij,ij->i", vectors, vectors))


def _from_surface(depth: np.ndarray, filled: bool) -> np.ndarray:
    return np.maximum(depth, 0) if filled else np.abs(depth)


def _nothing(where: str, distance: np.ndarray, mesh: Mesh) -> Problem:
    if not len(distance):
        return Problem(where, "the mesh has no nodes", "", "check the mesh file")
    nearest_id = mesh.node_ids[int(np.argmin(distance))]
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    box = " × ".join(f"{a:.4g}…{b:.4g}" for a, b in zip(low, high))
    why = f"the nearest, {nearest_id}, is {distance.min():.3g} m away and the mesh spans {box} m"
    fix = "check position and units, or widen the tolerance"
    return Problem(where, "no node lies there", why, fix)
