"""∫ρ Sₖ Sₗ over a mesh: what gyroscopic forces and the change of inertia with deformation are made of.

Solids and shells move between their nodes as the nodes' displacements say, alike in all directions: a scalar mass per pair
of nodes tells everything. A beam bends between its nodes by their rotations as well, and differently along and
across its axis. There the element's own displacements count, in its own axes,

    ∫ρA Nᵢᵀ Nⱼ dx      i, j = along, across, across
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from flexor.elements.assembly.batches import batches, kind_of
from flexor.elements.assembly.dofs import DofMap
from flexor.elements.lines.beam2 import Beam2, _Beam
from flexor.reduce.free_body import MassOnMesh


def translation_products(p: MassOnMesh, U: np.ndarray) -> np.ndarray:
    """(3, 3, r, r) ∫ρ Sₖ Sₗ of a body whose degrees of freedom move as u = U z, U (N, r)."""
    beams = _beams(p)
    if beams is None:
        return _by_nodes(p, p.M_full, U)
    pairs, mass = beams
    found = _by_nodes(p, p.M_full - mass, U)
    for (k, l), G in pairs.items():
        part = U.T @ (G @ U)
        found[k, l] += part
        if k != l:
            found[l, k] += part.T
    return found


def _by_nodes(p: MassOnMesh, M: sparse.csc_array, U: np.ndarray) -> np.ndarray:
    """With the scalar mass of pairs of nodes, ⅓ of the trace of their 3×3 blocks."""
    r = U.shape[1]
    node, component = p.owners.T
    n = len(p.nodes)
    i, j = M.indices, np.repeat(np.arange(M.shape[0]), np.diff(M.indptr))
    alike = (component[i] == component[j]) & (component[i] < 3)
    pairs = (M.data[alike] / 3, (node[i[alike]], node[j[alike]]))
    mass = sparse.csr_array(sparse.coo_array(pairs, shape=(n, n)))
    S = np.zeros((n, 3, r))
    moves = component < 3
    S[node[moves], component[moves]] = U[moves]
    every = S.reshape(n, 3 * r)
    found = every.T @ (mass @ every)
    return (0.5 * (found + found.T)).reshape(3, r, 3, r).transpose(0, 2, 1, 3)


def _beams(p: MassOnMesh) -> tuple[dict[tuple[int, int], sparse.csc_array], sparse.csc_array] | None:
    """∫ρA uₖ uₗ of all beams for k ≤ l, and their mass matrix; None without beams or with lumped masses."""
    if p.mesh is None or not any(kind_of(block) is Beam2 for block in p.mesh.blocks):
        return None
    numbers = np.full((len(p.nodes), 6), -1)
    numbers[tuple(p.owners.T)] = np.arange(len(p.owners))
    dofs = DofMap(numbers, len(p.owners))
    entries: dict[tuple[int, int] | str, list[np.ndarray]] = {}
    where = []
    for block in p.mesh.blocks:
        if kind_of(block) is not Beam2:
            continue
        for batch in batches(p.mesh, block, p.options):
            where.append(dofs.node_dofs[batch.nodes].reshape(len(batch.nodes), -1))
            entries.setdefault("mass", []).append(Beam2.mass(batch.X, batch.properties))
            for pair, matrices in _in_global_axes(batch.X, batch.properties).items():
                entries.setdefault(pair, []).append(matrices)
    assembled = {name: _assembled(where, parts, dofs.n) for name, parts in entries.items()}
    mass = assembled.pop("mass")
    rest = p.M_full.diagonal() - mass.diagonal()
    if rest.min(initial=0.0) < -1e-9 * mass.diagonal().max(initial=0.0):
        return None  # lumped: the nodes alone have mass
    return assembled, mass  # type: ignore[return-value]


def _in_global_axes(X: np.ndarray, properties) -> dict[tuple[int, int], np.ndarray]:  # type: ignore[no-untyped-def]
    """(m, 12, 12) ∫ρA uₖ uₗ in the nodes' freedoms, global axes, k ≤ l."""
    beam, section = _Beam(X, properties), properties.section
    line = np.asarray(properties.density, dtype=float) * section.area + section.line_mass
    found = {(k, l): np.zeros((len(X), 12, 12)) for k in range(3) for l in range(k, 3)}
    for i in range(3):
        for j in range(3):
            one = np.zeros((len(line), 6, 6))
            one[:, j, i] = line  # `to_nodes` is for symmetric matrices and returns the transpose of others
            own = beam.to_nodes(beam.mass(one))
            for k, l in found:
                found[k, l] += (beam.R[:, k, i] * beam.R[:, l, j])[:, None, None] * own
    return found


def _assembled(where: list[np.ndarray], parts: list[np.ndarray], n: int) -> sparse.csc_array:
    rows = [np.broadcast_to(e[:, :, None], A.shape).ravel() for e, A in zip(where, parts)]
    columns = [np.broadcast_to(e[:, None, :], A.shape).ravel() for e, A in zip(where, parts)]
    values = np.concatenate([A.ravel() for A in parts])
    return sparse.csc_array(sparse.coo_array((values, (np.concatenate(rows), np.concatenate(columns))), shape=(n, n)))
