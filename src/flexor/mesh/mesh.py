"""A finite-element mesh with everything that belongs to it: materials, sections, sets, couplings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.mistakes import suggestion
from flexor.shown import counted

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler
    from pydantic_core import CoreSchema

    from flexor.declaration import Declaration
    from flexor.materials import Material
    from flexor.mesh.section import Section
    from flexor.spatial import Pose

FARTHEST = 1e15
"""Coordinates beyond are mistakes [m]: Neptune is 4.5e12 m away, and squares of numbers beyond 1e154 are infinite."""
_WORDS = {"harmless": "note", "approximate": "warning", "left out": "left out"}
"""How notes are told, by their severity."""
_MOST = 12
"""Lines or names of a kind that are printed."""


class UnknownSet(ModelError, KeyError):
    """The mesh has no set of that name."""


@dataclass(frozen=True)
class Block:
    """Elements of one kind with the same material, section and options.

    element: name in the registry of elements ("hex8").
    nodes: (m, k) indices into the mesh's points, in Flexor's node order of that element.
    ids: (m,) element numbers of the file (or 1, 2, … if made).
    material, section: names in the mesh's tables; section only for shells, beams, bushes, …
    orientation: (m, 3, 3) material or section axes in global axes as columns (None: global axes), for beams column 1
        is the direction of the section's y axis.
    data: further arrays that the element kind asks for by name (beam end offsets (m, 2, 3), pin flags, …).
    """

    element: str
    nodes: np.ndarray
    ids: np.ndarray
    material: str | None = None
    section: str | None = None
    orientation: np.ndarray | None = None
    data: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __repr__(self) -> str:
        named = [("material", self.material), ("section", self.section)]
        about = [name if name == what else f"{what} {name}" for what, name in named if name]
        return f"{len(self.nodes)} {self.element}" + (f", {', '.join(about)}" if about else "")


@dataclass(frozen=True)
class RigidLink:
    """Dependent nodes that follow one independent node rigidly (RBE2, RGD).

    components: dependent degrees of freedom 0…5 that are tied at every dependent node.
    """

    node: int
    dependents: tuple[int, ...]
    components: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    id: int = 0


@dataclass(frozen=True)
class RigidBar:
    """Two nodes joined rigidly with independent and dependent components on either end (RBAR)."""

    nodes: tuple[int, int]
    independent: tuple[tuple[int, ...], tuple[int, ...]] = ((0, 1, 2, 3, 4, 5), ())
    dependent: tuple[tuple[int, ...], tuple[int, ...]] = ((), (0, 1, 2, 3, 4, 5))
    id: int = 0


@dataclass(frozen=True)
class AverageLink:
    """A reference node that moves with the weighted average of others (RBE3, WAVGM).   FTG (A.14)–(A.20)

    components: reference degrees of freedom 0…5 that follow; weights: one per independent node;
    independent_components: which of the independents' degrees of freedom take part.
    levers: (3,) per independent node, for the average over a surface (see `elements.shares`); weight × (place − mean)
    without them.
    """

    node: int
    independents: tuple[int, ...]
    weights: tuple[float, ...] = ()
    components: tuple[int, ...] = (0, 1, 2, 3, 4, 5)
    independent_components: tuple[int, ...] = (0, 1, 2)
    id: int = 0
    levers: tuple[tuple[float, float, float], ...] = ()


@dataclass(frozen=True)
class NodalMass:
    """Concentrated mass: 6×6 inertia matrix at a node, global axes [kg, kg m, kg m²]."""

    node: int
    matrix: np.ndarray
    id: int = 0


def refuse_swapped(function: str, path: object, mesh: object) -> None:
    """ModelError for a writer's arguments in the wrong order, or something else in the place of the mesh."""
    if not isinstance(mesh, Mesh):
        what = "file and mesh are given the wrong way round" if isinstance(path, Mesh) else f"{mesh!r:.60} is no mesh"
        raise ModelError(
            Problem(function, what, "the file comes first", f'write {function}("part.{function[-3:]}", mesh)')
        )


@dataclass(frozen=True)
class Mesh:
    """Points, elements and what belongs to them, SI units.

    points: (n, 3) positions [m];  node_ids: (n,) numbers in the file.
    node_sets: name → indices of points;  element_sets: name → element ids.
    surfaces: name → faces, arrays (m, k) of point indices for each number of nodes of a face, normals outward.
    fixed: (node index, components) that are held (SPC, *BOUNDARY);  retained: likewise ASET, interface candidates.
    loads: those of the file's first static step or subcase, see `flexor.elements.assembly.loads`.
    frames: coordinate systems by id, each a Pose.
    """

    points: np.ndarray
    node_ids: np.ndarray
    blocks: tuple[Block, ...]
    materials: Mapping[str, Material] = field(default_factory=dict)
    sections: Mapping[str, Section] = field(default_factory=dict)
    node_sets: Mapping[str, np.ndarray] = field(default_factory=dict)
    element_sets: Mapping[str, np.ndarray] = field(default_factory=dict)
    surfaces: Mapping[str, tuple[np.ndarray, ...]] = field(default_factory=dict)
    rigid_links: tuple[RigidLink, ...] = ()
    rigid_bars: tuple[RigidBar, ...] = ()
    average_links: tuple[AverageLink, ...] = ()
    masses: tuple[NodalMass, ...] = ()
    fixed: tuple[tuple[int, tuple[int, ...]], ...] = ()
    retained: tuple[tuple[int, tuple[int, ...]], ...] = ()
    loads: tuple[Declaration, ...] = ()
    frames: Mapping[int, Pose] = field(default_factory=dict)
    title: str = ""
    notes: tuple[str, ...] = ()
    """What a reader could not take over, one line each (a Note, which knows whether it changes an answer)."""

    def __post_init__(self) -> None:
        points = np.asarray(self.points)
        near = np.abs(points) <= FARTHEST
        if not near.all():
            at = int(np.argmin(near.all(axis=1)))
            what = f"node {self.node_ids[at]} lies at {', '.join(f'{c:g}' for c in points[at])} m"
            raise ModelError(Problem("mesh", what, "that is no place for a part", "correct its coordinates"))

    @classmethod
    def __get_pydantic_core_schema__(cls, source: type, handler: GetCoreSchemaHandler) -> CoreSchema:
        """A field of a declaration takes it as it is."""
        from pydantic_core import core_schema

        return core_schema.is_instance_schema(cls)

    def __repr__(self) -> str:
        title = f" '{self.title}'" if self.title else ""
        return f"mesh{title}: {counted(len(self.points), 'node')}, {counted(self.n_elements, 'element')}"

    def __str__(self) -> str:
        """Kinds of elements, size, sets, couplings, loads, and what a reader left out or took otherwise than the file says."""
        lines = [repr(self)]
        if len(self.points):
            size, low = np.ptp(self.points, axis=0), self.points.min(axis=0)
            at = ", ".join(f"{v:.5g}" for v in low)
            lines.append(f"  size {' × '.join(f'{v:.5g}' for v in size)} m, from ({at}) m")
        lines += [f"  {block!r}" for block in self.blocks[:_MOST]]
        lines += [f"  and {len(self.blocks) - _MOST} more kinds of elements"] if len(self.blocks) > _MOST else []
        for what, sets in (("node sets", self.node_sets), ("element sets", self.element_sets)):
            listed = [f"{name} ({len(members)})" for name, members in list(sets.items())[:_MOST]]
            more = f" and {len(sets) - _MOST} more" if len(sets) > _MOST else ""
            lines += [f"  {what}: {', '.join(listed)}{more}"] if listed else []
        couplings = {
            "rigid link": self.rigid_links,
            "rigid bar": self.rigid_bars,
            "average link": self.average_links,
            "concentrated mass": self.masses,
            "held node": self.fixed,
        }
        told = [counted(len(things), what) for what, things in couplings.items() if things]
        lines += [f"  {', '.join(told)}"] if told else []
        kinds = Counter(str(getattr(load, "type", "load")).replace("_", " ") for load in self.loads)
        lines += [f"  loads: {', '.join(counted(n, kind) for kind, n in kinds.items())}"] if kinds else []
        lines += [f"  {_WORDS[getattr(note, 'severity', 'left out')]}: {note}" for note in self.notes[:_MOST]]
        lines += [f"  and {len(self.notes) - _MOST} more notes"] if len(self.notes) > _MOST else []
        return "\n".join(lines)

    def nodes_of(self, name: str) -> np.ndarray:
        """Indices of the points in a node set."""
        if name not in self.node_sets:
            fix = suggestion(name, self.node_sets, "there are") or "it has no node sets"
            raise UnknownSet(Problem(repr(self), f"there is no node set '{name}'", "", fix))
        return np.asarray(self.node_sets[name])

    @property
    def n_elements(self) -> int:
        return sum(len(block.nodes) for block in self.blocks)

    @cached_property
    def node_order(self) -> np.ndarray:
        """Indices of the points by ascending number."""
        return np.argsort(self.node_ids, kind="stable")

    @cached_property
    def diagonal(self) -> float:
        """Of the box around the points [m]."""
        return float(np.linalg.norm(np.ptp(self.points, axis=0))) if len(self.points) else 0.0

    def index_of(self, node_id: int) -> int:
        """Index of the point with a number of the file."""
        found = np.flatnonzero(self.node_ids == node_id)
        if not len(found):
            raise KeyError(f"the mesh has no node {node_id}")
        return int(found[0])
