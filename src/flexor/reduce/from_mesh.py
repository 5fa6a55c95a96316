"""A mesh with interfaces as the free body that a reduction works on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from flexor.elements.assembly import assemble
from flexor.elements.dofs import COMPONENTS, element_widths
from flexor.errors import ModelError
from flexor.errors import Problem as Mistake
from flexor.mesh.mesh import AverageLink, Mesh, RigidLink
from flexor.reduce.interface import Interface, interfaces_of
from flexor.reduce.problem import Problem


def from_mesh(
    mesh: Mesh,
    interfaces: Mapping[str, Any] | None = None,
    *,
    ignore_supports: bool = False,
    lumped: bool = False,
    options: Mapping[str, Any] | None = None,
) -> Problem:
    """The free body of a mesh.

    interfaces: name → selection, name of a node set, node numbers, or Interface; those of the mesh (ASET) if left out.
    ignore_supports: leave out the supports of the mesh (SPC, *BOUNDARY) instead of refusing them.
    lumped, options: as for `assemble`.
    """
    if mesh.fixed and not ignore_supports:
        node = mesh.node_ids[mesh.fixed[0][0]]
        what = f"it holds {len(mesh.fixed)} nodes, e.g. {node}"
        why, fix = "a body to be reduced must be free to move", "remove the supports, or pass ignore_supports=True"
        raise ModelError(Mistake("mesh", what, why, fix))
    named = interfaces_of(interfaces, mesh)
    tied, connections = _tied(replace(mesh, fixed=(), retained=()), named)
    model = assemble(tied, lumped=lumped, options=options)
    _refuse_lost(model.T, model.dofs.node_dofs[connections], tuple(named))
    rigid_full = model.dofs.rigid_modes(tied.points)
    rigid = rigid_full[model.dofs.node_dofs[tuple(model.independent.T)]]
    problem = Problem(
        K=model.K_reduced,
        M=model.M_reduced,
        C=sparse.csr_array(model.T.tocsr()[model.dofs.node_dofs[connections].ravel()]),
        points=tied.points[connections].reshape(-1, 3),
        names=tuple(named),
        rigid=rigid,
        T=model.T,
        M_full=model.M,
        owners=model.dofs.owners,
        nodes=tied.points,
        node_ids=tied.node_ids,
        model=model,
    )
    problem.check()
    return problem


def _tied(mesh: Mesh, interfaces: Mapping[str, Interface]) -> tuple[Mesh, list[int]]:
    """The mesh with connection nodes and ties added, and the indices of the connection nodes."""
    widths, taken = element_widths(mesh), _dependents(mesh)
    masters = {link.node for link in mesh.rigid_links} | {link.node for link in mesh.average_links}
    points, ids, rigid, average = [*mesh.points], [*mesh.node_ids], [], []
    connections: list[int] = []
    next_id = int(max(mesh.node_ids, default=0)) + 1
    owner: dict[int, str] = {}
    for name, interface in interfaces.items():
        nodes = interface.nodes.nodes(mesh)
        _refuse_shared(name, interface, nodes, owner, taken, mesh)
        if len(nodes) == 1 and interface.at is None and (widths[nodes[0]] == 6 or int(nodes[0]) in masters):
            connections.append(int(nodes[0]))
            continue
        _refuse_line(name, nodes, widths, mesh)
        connections.append(len(points))
        points.append(interface.center(mesh, nodes))
        ids.append(next_id)
        tie = {"node": connections[-1], "id": next_id}
        if interface.tie == "rigid":
            rigid.append(RigidLink(dependents=tuple(nodes.tolist()), **tie))
        else:
            average.append(AverageLink(independents=tuple(nodes.tolist()), **tie))
        next_id += 1
    changed = replace(
        mesh,
        points=np.array(points).reshape(-1, 3),
        node_ids=np.array(ids, dtype=int),
        rigid_links=(*mesh.rigid_links, *rigid),
        average_links=(*mesh.average_links, *average),
    )
    return changed, connections


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


def _refuse_lost(T: sparse.csc_array, equations: np.ndarray, names: tuple[str, ...]) -> None:
    """Every connection node moves in six ways."""
    rows = T.tocsr()
    for name, six in zip(names, equations):
        for component, equation in enumerate(six):
            if equation < 0 or rows.indptr[equation] == rows.indptr[equation + 1]:
                what = f"its connection node has no {COMPONENTS[component]}"
                why, fix = "nothing resists that motion there", "tie more nodes to it, or choose another node"
                raise ModelError(Mistake(f"interface '{name}'", what, why, fix))
