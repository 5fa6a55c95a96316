"""Which degrees of freedom the nodes of a mesh have, and their equation numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexor.elements.assembly.batches import kind_of
from flexor.errors import ModelError, Problem
from flexor.mesh.mesh import Mesh

COMPONENTS = ("x", "y", "z", "rotation x", "rotation y", "rotation z")


@dataclass(frozen=True)
class DofMap:
    """Equation numbers of nodes: node_dofs (n_nodes, 6), −1 where a node lacks the degree of freedom; n equations."""

    node_dofs: np.ndarray
    n: int

    @property
    def owners(self) -> np.ndarray:
        """(n, 2) node and component of every equation."""
        return np.argwhere(self.node_dofs >= 0)

    def nodal(self, u: np.ndarray) -> np.ndarray:
        """(n_nodes, 6, …) displacements and rotations of nodes from a vector (or columns) of all equations."""
        padded = np.concatenate([u, np.zeros((1, *u.shape[1:]))])
        return padded[self.node_dofs]

    def rigid_modes(self, points: np.ndarray, about: np.ndarray | tuple[float, ...] = (0, 0, 0)) -> np.ndarray:
        """(n, 6) motions of all equations for unit translations and unit rotations about a point."""
        node, component = self.owners.T
        modes = np.zeros((self.n, 6))
        modes[np.arange(self.n), component] = 1.0
        r = points[node] - np.asarray(about, dtype=float)
        for axis in range(3):
            u = np.cross(np.eye(3)[axis], r)  # u = e × r
            moves = component < 3
            modes[moves, 3 + axis] = u[moves, component[moves]]
        return modes

    def equation(self, node: int, component: int, mesh: Mesh) -> int:
        """Equation of a node's component 0…5; an error that names it if there is none."""
        equation = int(self.node_dofs[node, component])
        if equation < 0:
            why = "only solids meet there" if component > 2 else "no element meets there"
            fix = (
                "tie a node with rotations to it by a rigid or average link" if component > 2 else "choose another node"
            )
            what = f"it has no degree of freedom '{COMPONENTS[component]}'"
            raise ModelError(Problem(f"node {mesh.node_ids[node]}", what, why, fix))
        return equation


def dof_map(mesh: Mesh) -> DofMap:
    """Translations at every node that something meets; rotations where an element, link or mass needs them.

    A node that only solids meet has no rotations, and links and inertias that speak of them leave them out there
    (FTG A.12, A.14).
    """
    width = element_widths(mesh)
    has = np.arange(6) < width[:, None]
    inertia = [m for m in mesh.masses if np.any(m.matrix[3:])]
    with_inertia = {m.node for m in inertia}
    for link in mesh.rigid_links:
        has[link.node] = True
        dependents = np.array(link.dependents, dtype=int)
        turning = np.array([width[d] != 3 or d in with_inertia for d in dependents], dtype=bool)
        for c in link.components:
            has[dependents if c < 3 else dependents[turning], c] = True
    for bar in mesh.rigid_bars:
        for node, *components in zip(bar.nodes, bar.independent, bar.dependent):
            if not any(bar.dependent):
                has[node] = True
            has[node, [c for group in components for c in group]] = True
    for average in mesh.average_links:
        has[average.node, list(average.components)] = True
        for c in set(average.independent_components) & {0, 1, 2}:
            has[list(average.independents), c] = True
    for mass in mesh.masses:
        has[mass.node, :3] = True
    for mass in inertia:
        if width[mass.node] != 3:
            has[mass.node] = True
    numbers = np.where(has, np.cumsum(has.ravel()).reshape(has.shape) - 1, -1)
    return DofMap(numbers, int(has.sum()))


def element_widths(mesh: Mesh) -> np.ndarray:
    """(n_nodes,) degrees of freedom that elements use at each node: 0, 3 or 6."""
    width = np.zeros(len(mesh.points), dtype=np.int64)
    for block in mesh.blocks:
        nodes = np.unique(block.nodes)
        width[nodes] = np.maximum(width[nodes], kind_of(block).dofs)
    return width
