"""Connection nodes: interfaces become nodes of six degrees of freedom with rigid or average links to the mesh."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from scipy import sparse

from flexor.elements.assembly.dofs import COMPONENTS
from flexor.elements.assembly.shares import shares_of
from flexor.errors import ModelError
from flexor.errors import Problem as Mistake
from flexor.mesh.mesh import AverageLink, Mesh, RigidLink
from flexor.reduce.interface import Interface
from flexor.warning import warn


class UnevenTie(UserWarning):
    """The nodes of an average tie are not those of whole faces; they count alike instead of by their area."""


def tied(mesh: Mesh, widths: np.ndarray, interfaces: Mapping[str, Interface]) -> tuple[Mesh, list[int]]:
    """The mesh with connection nodes and ties added, and the indices of the connection nodes.

    widths: (n_nodes,) degrees of freedom that each node has, 0, 3 or 6.
    """
    taken = _dependents(mesh)
    masters = {link.node for link in mesh.rigid_links} | {link.node for link in mesh.average_links}
    points, ids, rigid, average = [*mesh.points], [*mesh.node_ids], [], []
    connections: list[int] = []
    next_id = int(max(mesh.node_ids, default=0)) + 1
    owner: dict[int, str] = {}
    for name, interface in interfaces.items():
        nodes = _chosen(name, interface, mesh)
        _refuse_shared(name, interface, nodes, owner, taken, mesh)
        if len(nodes) == 1 and interface.at is None and (widths[nodes[0]] == 6 or int(nodes[0]) in masters):
            connections.append(int(nodes[0]))
            continue
        _refuse_line(name, nodes, widths, mesh)
        connections.append(len(points))
        points.append(interface.center(mesh, nodes))
        ids.append(next_id)
        if interface.tie == "rigid":
            rigid.append(RigidLink(connections[-1], tuple(nodes.tolist()), id=next_id))
        elif interface.by_area:
            average.append(_average(name, connections[-1], nodes, mesh, next_id))
        else:
            average.append(AverageLink(connections[-1], tuple(nodes.tolist()), id=next_id))
        next_id += 1
    changed = replace(
        mesh,
        points=np.array(points).reshape(-1, 3),
        node_ids=np.array(ids, dtype=int),
        rigid_links=(*mesh.rigid_links, *rigid),
        average_links=(*mesh.average_links, *average),
    )
    return changed, connections


def _average(name: str, node: int, nodes: np.ndarray, mesh: Mesh, number: int) -> AverageLink:
    """A node that moves with the mean over the surface of some nodes, or over the nodes where they make no surface."""
    shares = shares_of(mesh, nodes)
    if shares.apart:
        what = f"{shares.apart} of its {len(nodes)} nodes belong to no whole face among them, so all nodes count alike"
        why = "a load on it is then spread unevenly, and stress near it shows that"
        fix = "select whole faces of the surface"
        warn(str(Mistake(f"interface '{name}'", what, why, fix)), UnevenTie)
    weights = tuple((shares.weights / shares.weights.sum()).tolist())
    levers = tuple(map(tuple, (shares.levers / shares.weights.sum()).tolist()))
    return AverageLink(node, tuple(nodes.tolist()), weights, id=number, levers=levers)


def _chosen(name: str, interface: Interface, mesh: Mesh) -> np.ndarray:
    """The nodes that an interface selects; a mistake tells its name."""
    try:
        return interface.nodes.nodes(mesh)
    except ModelError as error:
        raise ModelError([replace(p, where=f"interface '{name}', {p.where}") for p in error.problems]) from None


def _dependents(mesh: Mesh) -> dict[int, str]:
    """Nodes that follow a link of the mesh already, with its name."""
    found = {d: f"rigid link {link.id}" for link in mesh.rigid_links for d in link.dependents}
    for bar in mesh.rigid_bars:
        found |= {n: f"rigid bar {bar.id}" for n, c in zip(bar.nodes, bar.dependent) if c}
    return found


def _refuse_shared(
    name: str, interface: Interface, nodes: np.ndarray, owner: dict[int, str], taken: dict[int, str], mesh: Mesh
) -> None:
    """A node may follow one thing only: an interface, or a link of the mesh."""
    for node in nodes.tolist():
        number = mesh.node_ids[node]
        if node in owner:
            what, fix = f"node {number} belongs to interface '{owner[node]}' too", "select nodes apart from each other"
        elif node in taken and interface.tie == "rigid":
            what, fix = f"node {number} follows {taken[node]} already", "name that link's own node as the interface"
        else:
            continue
        raise ModelError(Mistake(f"interface '{name}'", what, "a node can follow one tie only", fix))
    if interface.tie == "rigid":
        owner.update(dict.fromkeys(nodes.tolist(), name))


def _refuse_line(name: str, nodes: np.ndarray, widths: np.ndarray, mesh: Mesh) -> None:
    """Nodes of solids carry a moment only if they are three or more and not on one line."""
    if np.any(widths[nodes] == 6):
        return
    spread = mesh.points[nodes] - mesh.points[nodes].mean(axis=0)
    s = np.linalg.svd(spread, compute_uv=False) if len(nodes) > 2 else np.zeros(3)
    if s[1] <= 1e-6 * max(s[0], 1e-300):
        what = f"its {len(nodes)} node(s) lie on one line" if len(nodes) > 1 else "it is a single node of a solid"
        why, fix = "they leave a rotation free", "select a surface, at least three nodes not on one line"
        raise ModelError(Mistake(f"interface '{name}'", what, why, fix))


def connections_of(T: sparse.csc_array, equations: np.ndarray, names: tuple[str, ...]) -> sparse.csr_array:
    """(6c, n) rows of T for the equations (c, 6) of the connection nodes, which must all move."""
    rows = sparse.csr_array(T.tocsr()[equations.ravel()])
    lost = np.flatnonzero((equations.ravel() < 0) | (np.diff(rows.indptr) == 0))
    if len(lost):
        what = f"its connection node has no {COMPONENTS[lost[0] % 6]}"
        why, fix = "nothing resists that motion there", "tie more nodes to it, or choose another node"
        raise ModelError(Mistake(f"interface '{names[lost[0] // 6]}'", what, why, fix))
    return rows
