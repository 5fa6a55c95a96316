"""A mesh with interfaces as the free body that a reduction works on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from flexor.elements.assembly.dofs import DofMap, element_widths
from flexor.elements.assembly.loads import loads_of
from flexor.elements.assembly.model import assemble
from flexor.errors import ModelError, Problem
from flexor.mesh.mesh import Mesh
from flexor.mesh.note import Note
from flexor.reduce.free_body import FreeBody
from flexor.reduce.interface import Interfaces, interfaces_of
from flexor.reduce.tie import connections_of, tied


def from_mesh(
    mesh: Mesh,
    interfaces: Interfaces | None = None,
    *,
    ignore_supports: bool = False,
    lumped: bool = False,
    options: Mapping[str, object] | None = None,
) -> FreeBody:
    """The free body of a mesh.

    interfaces: name → selection, name of a node set, node numbers, or Interface; those of the mesh (ASET) if left out.
    ignore_supports: leave out the supports of the mesh (SPC, *BOUNDARY) instead of refusing them.
    lumped, options: as for `assemble`.
    """
    return free_body(connected(mesh, interfaces, ignore_supports), lumped=lumped, options=options)


class Connected(NamedTuple):
    """A mesh without supports and loads, its interfaces tied by links.

    nodes: indices of the connection nodes;  names: of the interfaces.
    """

    mesh: Mesh
    nodes: list[int]
    names: tuple[str, ...]


def connected(mesh: Mesh, interfaces: Interfaces | None, ignore_supports: bool = False) -> Connected:
    """The mesh of a body that is free to move, with connection nodes; see `from_mesh`."""
    if mesh.fixed and not ignore_supports:
        what = f"{len(mesh.fixed)} of its nodes are supported, e.g. {mesh.node_ids[mesh.fixed[0][0]]}"
        raise ModelError(Problem("mesh", what, "a body of a mechanism must be free to move", _instead(mesh)))
    named = interfaces_of(interfaces, mesh)
    free = replace(mesh, fixed=(), retained=(), loads=(), notes=(*mesh.notes, *_note_of_loads(mesh)))
    whole, nodes = tied(free, element_widths(free), named)
    return Connected(whole, nodes, tuple(named))


def free_body(body: Connected, *, lumped: bool = False, options: Mapping[str, object] | None = None) -> FreeBody:
    """Its matrices; refused if it is not one free piece with mass."""
    whole, nodes, names = body
    model = assemble(whole, lumped=lumped, options=options)
    problem = FreeBody(
        K=model.K_reduced,
        M=model.M_reduced,
        C=connections_of(model.T, model.dofs.node_dofs[nodes], names),
        points=whole.points[nodes].reshape(-1, 3),
        names=names,
        rigid=rigid_coordinates(model.dofs, whole.points, model.independent),
        T=model.T,
        M_full=model.M,
        owners=model.dofs.owners,
        nodes=whole.points,
        node_ids=whole.node_ids,
        mesh=whole,
        options=model.options,
    )
    problem.check()
    return problem


def _instead(mesh: Mesh) -> str:
    """What to do about supports: leave them out, and hold the body where they were by a joint."""
    nodes = {node for node, _ in mesh.fixed}
    sets = (f"the node set '{name}'" for name, own in mesh.node_sets.items() if set(np.asarray(own).tolist()) == nodes)
    there = next(sets, "these nodes")
    fix = "leave them out with ignore_supports (command line: --ignore-supports)"
    return f"{fix}; to hold the body there, make {there} an interface and fix it to the ground"


def _note_of_loads(mesh: Mesh) -> tuple[Note, ...]:
    if not mesh.loads:
        return ()
    kinds = ", ".join(sorted({str(load.type).replace("_", " ") for load in loads_of(mesh)}))
    why = "of the mesh do not act on the body; give them as fx.MeshLoad in the model, or leave them out with "
    why += "ignore_loads (command line: --ignore-loads)"
    return (Note(f"loads ({kinds}) {why}", "approximate", "loads"),)


def rigid_coordinates(dofs: DofMap, points: np.ndarray, independent: np.ndarray) -> np.ndarray:
    """(n, 6) independent coordinates, (n, 2) node and component of each, in rigid-body motions about the origin."""
    return dofs.rigid_modes(points)[dofs.node_dofs[tuple(independent.T)]]
