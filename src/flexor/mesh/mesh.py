"""A finite-element mesh with everything that belongs to it: materials, sections, sets, couplings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np


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
    data: Mapping[str, Any] = field(default_factory=dict)


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


@dataclass(frozen=True)
class Mesh:
    """Points, elements and what belongs to them, SI units.

    points: (n, 3) positions [m];  node_ids: (n,) numbers in the file.
    node_sets: name → indices of points;  element_sets: name → element ids.
    fixed: (node index, components) that are held (SPC, *BOUNDARY);  retained: likewise ASET, interface candidates.
    frames: coordinate systems by id, each a Pose.
    """

    points: np.ndarray
    node_ids: np.ndarray
    blocks: tuple[Block, ...]
    materials: Mapping[str, Any] = field(default_factory=dict)
    sections: Mapping[str, Any] = field(default_factory=dict)
    node_sets: Mapping[str, np.ndarray] = field(default_factory=dict)
    element_sets: Mapping[str, np.ndarray] = field(default_factory=dict)
    rigid_links: tuple[RigidLink, ...] = ()
    rigid_bars: tuple[RigidBar, ...] = ()
    average_links: tuple[AverageLink, ...] = ()
    masses: tuple[NodalMass, ...] = ()
    fixed: tuple[tuple[int, tuple[int, ...]], ...] = ()
    retained: tuple[tuple[int, tuple[int, ...]], ...] = ()
    frames: Mapping[int, Any] = field(default_factory=dict)
    title: str = ""
    notes: tuple[str, ...] = ()
    """What a reader could not take over, one line each: card or element name, line, count."""

    @property
    def n_elements(self) -> int:
        return sum(len(block.nodes) for block in self.blocks)

    def index_of(self, node_id: int) -> int:
        """Index of the point with a number of the file."""
        found = np.flatnonzero(self.node_ids == node_id)
        if not len(found):
            raise KeyError(f"the mesh has no node {node_id}")
        return int(found[0])
