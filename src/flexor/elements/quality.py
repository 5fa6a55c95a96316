"""Is a mesh fit for use? Distorted elements, nodes that belong to nothing, nodes at one place, loose pieces."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from flexor.elements.assembly.batches import kind_of
from flexor.elements.thin import HARDLY_BEND, one_layer
from flexor.mesh.coincident import coincident_pairs
from flexor.mesh.mesh import Block, Mesh
from flexor.mesh.select import mesh_size

_PORTION = 10_000  # elements at a time


@dataclass(frozen=True)
class MeshQuality:
    """What was found; `str()` is a report for people.

    inverted: ids of elements with a Jacobian determinant that is not positive.
    distorted: ids of elements whose Jacobian varies by more than a factor of ten, inverted ones left out.
    free: ids of nodes that no element, link or mass uses.
    duplicates: pairs of ids of nodes at the same place that belong to elements.
    pieces: ids of the nodes of each connected piece, largest first; links connect.
    one_layer: elements by kind that hardly bend, of a part that is one layer of them thick.
    worst: smallest ratio of smallest to largest Jacobian determinant of an element, 1 for a parallelepiped.
    """

    n_nodes: int
    elements: dict[str, int]
    inverted: np.ndarray
    distorted: np.ndarray
    free: np.ndarray
    duplicates: np.ndarray
    pieces: tuple[np.ndarray, ...]
    worst: float
    one_layer: dict[str, int] = field(default_factory=dict)

    @property
    def good(self) -> bool:
        """Nothing found that spoils an analysis: no inverted element and one piece."""
        return not len(self.inverted) and len(self.pieces) <= 1

    def __str__(self) -> str:
        counted = ", ".join(f"{count} {name}" for name, count in self.elements.items()) or "no elements"
        lines = [f"{self.n_nodes} nodes, {counted}; smallest Jacobian ratio {self.worst:.3g}"]
        if len(self.inverted):
            lines.append(f"{_some(self.inverted, 'element')} turned inside out or folded: {_list(self.inverted)}")
        if len(self.distorted):
            lines.append(f"{_some(self.distorted, 'element')} badly distorted: {_list(self.distorted)}")
        if len(self.free):
            lines.append(f"{_some(self.free, 'node')} used by nothing: {_list(self.free)}")
        if len(self.duplicates):
            pairs = [f"{a} and {b}" for a, b in self.duplicates]
            lines.append(f"{_some(self.duplicates, 'pair')} of nodes at the same place: {_list(pairs)}")
        if len(self.pieces) > 1:
            sizes = ", ".join(f"{len(p)} nodes with {p[0]}" for p in self.pieces[:6])
            lines.append(f"{len(self.pieces)} pieces that nothing connects: {sizes}")
        for kind, count in self.one_layer.items():
            better = HARDLY_BEND[kind]
            lines.append(f"{count} {kind} in one layer: far too stiff in bending, mesh the part with {better}")
        if len(lines) == 1:
            lines.append("nothing to complain about")
        return "\n".join(lines)


def quality(mesh: Mesh, *, tolerance: float | None = None) -> MeshQuality:
    """Examine a mesh. tolerance: distance at which nodes count as at one place [m]; 1e-8 of the mesh's size."""
    inverted, distorted, worst = [], [], 1.0
    elements: dict[str, int] = {}
    for block in mesh.blocks:
        kind = kind_of(block)
        elements[kind.name] = elements.get(kind.name, 0) + len(block.nodes)
        ids = np.asarray(block.ids)
        low, high = _jacobian_range(mesh, block)
        if not len(low):
            continue
        ratio = np.where(high > 0, low / np.where(high > 0, high, 1), -1.0)
        inverted.append(ids[~(low > 0)])
        distorted.append(ids[(low > 0) & (ratio < 0.1)])
        worst = min(worst, float(ratio.min(initial=1.0)))
    used = _used(mesh)
    return MeshQuality(
        n_nodes=len(mesh.points),
        elements=elements,
        inverted=np.concatenate([*inverted, np.empty(0, dtype=int)]),
        distorted=np.concatenate([*distorted, np.empty(0, dtype=int)]),
        free=mesh.node_ids[~used],
        duplicates=_duplicates(mesh, tolerance),
        pieces=_pieces(mesh, used),
        worst=worst,
        one_layer=one_layer(mesh),
    )


def _jacobian_range(mesh: Mesh, block: Block) -> tuple[np.ndarray, np.ndarray]:
    """Smallest and largest Jacobian determinant of each element; empty for lines and points."""
    portions = [block.nodes[i : i + _PORTION] for i in range(0, len(block.nodes), _PORTION)]
    found = [kind_of(block).jacobians(mesh.points[nodes]) for nodes in portions]
    if not found or not found[0].shape[1]:
        return np.empty(0), np.empty(0)
    low, high = (np.concatenate([pick(det, axis=1) for det in found]) for pick in (np.min, np.max))
    return low, high


def _groups(mesh: Mesh) -> list[np.ndarray]:
    """Nodes that something holds together: (m, k) arrays, a row per element or link."""
    groups = [np.asarray(block.nodes) for block in mesh.blocks]
    groups += [np.array([[link.node, *link.dependents]]) for link in mesh.rigid_links]
    groups += [np.array([[link.node, *link.independents]]) for link in mesh.average_links]
    return groups + [np.array([bar.nodes]) for bar in mesh.rigid_bars]


def _used(mesh: Mesh) -> np.ndarray:
    used = np.zeros(len(mesh.points), dtype=bool)
    for group in _groups(mesh):
        used[group.ravel()] = True
    used[[mass.node for mass in mesh.masses]] = True
    return used


def _duplicates(mesh: Mesh, tolerance: float | None) -> np.ndarray:
    in_elements = np.zeros(len(mesh.points), dtype=bool)
    for block in mesh.blocks:
        in_elements[np.asarray(block.nodes).ravel()] = True
    where = np.flatnonzero(in_elements)
    if not len(where):
        return np.empty((0, 2), dtype=int)
    pairs = coincident_pairs(mesh.points[where], 1e-8 * mesh_size(mesh) if tolerance is None else tolerance)
    ids = np.sort(mesh.node_ids[where[pairs]], axis=1)
    return ids[np.lexsort(ids.T[::-1])]


def _pieces(mesh: Mesh, used: np.ndarray) -> tuple[np.ndarray, ...]:
    i = [np.repeat(group[:, 0], group.shape[1] - 1) for group in _groups(mesh)]
    j = [group[:, 1:].ravel() for group in _groups(mesh)]
    rows, columns = (np.concatenate([*part, np.empty(0, dtype=int)]) for part in (i, j))
    n = len(mesh.points)
    graph = sp.csr_array((np.ones(len(rows)), (rows, columns)), shape=(n, n))
    _, label = connected_components(graph, directed=False)
    order = np.argsort(label[used], kind="stable")
    ids, labels = mesh.node_ids[used][order], label[used][order]
    pieces = np.split(ids, np.flatnonzero(np.diff(labels)) + 1) if len(ids) else []
    return tuple(sorted(pieces, key=len, reverse=True))


def _some(things: np.ndarray, noun: str) -> str:
    return f"{len(things)} {noun}{'' if len(things) == 1 else 's'}"


def _list(things: np.ndarray | list[str]) -> str:
    return ", ".join(str(t) for t in things[:8]) + (" …" if len(things) > 8 else "")
