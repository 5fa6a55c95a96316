"""A body with its mesh and its interfaces: what loads on it and recovery ask of it, whether it is reduced or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.sparse import csc_array

from flexor.elements.assembly.dofs import DofMap
from flexor.elements.assembly.model import FeModel
from flexor.errors import ModelError, Problem
from flexor.io.file_mark import FileMark
from flexor.mesh.mesh import Mesh
from flexor.reduce.free_body import FreeBody
from flexor.spatial import MassProperties


@dataclass(frozen=True, eq=False, kw_only=True)
class MeshedBody:
    """Nodes, elements and connection nodes of a body, in the axes of its mesh.

    interfaces, points: names and positions (c, 3) of the connection nodes [m].
    nodes, node_ids: (n_nodes, 3) positions [m] and numbers, connection nodes included.
    node_dofs: (n_nodes, 6) number of the equation of each node and component, −1 where a node lacks it.
    mesh, options: elements for loads and the recovery of stress, or None.
    stretch, stiffening: factors on the lengths and Young's moduli of that mesh.
    files: length and check-sum of the files that it was made of for this model, by path; not part of the body itself.
    """

    name: str
    interfaces: tuple[str, ...]
    points: np.ndarray
    nodes: np.ndarray
    node_ids: np.ndarray
    node_dofs: np.ndarray
    mesh: Mesh | None = field(default=None, repr=False)
    options: Mapping[str, object] = field(default_factory=dict)
    stretch: float = 1.0
    stiffening: float = 1.0
    files: Mapping[str, FileMark] = field(default_factory=dict, repr=False)

    @property
    def mass_properties(self) -> MassProperties:
        """Mass, centre of mass and inertia of the undeformed body."""
        raise NotImplementedError

    def at(self, interface: str) -> np.ndarray:
        """Position of a connection node [m]."""
        if interface not in self.interfaces:
            names = ", ".join(self.interfaces) or "none"
            raise ModelError(
                Problem(f"body '{self.name}'", f"there is no interface '{interface}'", "", f"it has {names}")
            )
        return self.points[self.interfaces.index(interface)]

    def elements(self) -> FeModel:
        """The mesh as it was before scaling, with its equations but without matrices."""
        if self.mesh is None:
            why, fix = "it was reduced from matrices", "reduce the mesh itself to recover stress"
            raise ModelError(Problem(f"body '{self.name}'", "there are no elements to recover stress in", why, fix))
        dofs, none = DofMap(self.node_dofs, int(self.node_dofs.max()) + 1), csc_array((0, 0))
        return FeModel(self.mesh, dofs, none, none, none, np.zeros((0, 2), dtype=int), options=self.options)

    def loadable(self) -> FeModel:
        """The same for loads on its faces and nodes."""
        if self.mesh is None or self.stretch != 1.0:
            why = "it was reduced from matrices" if self.mesh is None else "it was scaled"
            fix = "reduce the mesh itself"
            raise ModelError(Problem(f"body '{self.name}'", "there are no faces to load", why, fix))
        return self.elements()


def fields_of(p: FreeBody) -> dict[str, Any]:
    """What a meshed body takes over from the matrices it is made of."""
    return {
        "interfaces": p.names,
        "points": p.points,
        "nodes": p.nodes,
        "node_ids": p.node_ids,
        "node_dofs": p.node_dofs,
        "mesh": p.mesh,
        "options": dict(p.options),
    }
