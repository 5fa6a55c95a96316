"""Stress and strain of a mesh from its displacements: element by element, and averaged at the nodes.

Six components xx, yy, zz, xy, yz, zx in global axes [Pa]; shear strain is the engineering one, γ = 2 ε.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

import numpy as np
import scipy.sparse as sp

from flexor.elements.assembly.batches import Batch, batches
from flexor.elements.assembly.model import FeModel
from flexor.elements.element import Element
from flexor.mesh.mesh import Block

Where = Literal["nodes", "points", "center"]
Quantity = Literal["stress", "strain"]
_SURFACES = ("top", "middle", "bottom")


def has_stress(kind: type[Element]) -> bool:
    """Whether an element kind has stress: solids and shells do, beams and springs have forces."""
    return kind.stress_operator.__func__ is not Element.stress_operator.__func__  # type: ignore[attr-defined]


def element_stress(
    model: FeModel, u: np.ndarray, *, where: Where = "nodes", quantity: Quantity = "stress"
) -> list[np.ndarray]:
    """Per block of the mesh (m, points, 6, …) values from displacements u (n, …); empty for blocks without stress."""
    values = []
    for block in model.mesh.blocks:
        parts = [_apply(operator, b, model, u) for b, operator in _operators(model, block, where, quantity)]
        values.append(np.concatenate(parts) if parts else np.empty((0, 0, 6, *u.shape[1:])))
    return values


def nodal_stress(
    model: FeModel,
    u: np.ndarray,
    *,
    quantity: Quantity = "stress",
    surface: str = "top",
    blocks: Sequence[int] | None = None,
) -> np.ndarray:
    """(n_nodes, 6, …) mean of the elements that meet at a node; not-a-number where none has stress.

    surface: of shells, top, middle or bottom.  blocks: only these blocks of the mesh; stress jumps where the material
    or the thickness changes, so average each side on its own there.
    """
    total = np.zeros((len(model.mesh.points), 6, *u.shape[1:]))
    count = np.zeros(len(total))
    for b in range(len(model.mesh.blocks)) if blocks is None else blocks:
        for batch, operator in _operators(model, model.mesh.blocks[b], "nodes", quantity):
            values = _apply(_surface(operator, batch, surface), batch, model, u)
            np.add.at(total, batch.nodes, values)
            np.add.at(count, batch.nodes, 1.0)
    with np.errstate(invalid="ignore"):
        return total / count.reshape(-1, *[1] * (total.ndim - 1))


def nodal_stress_matrix(
    model: FeModel, nodes: np.ndarray, *, quantity: Quantity = "stress", surface: str = "top"
) -> sp.csr_array:
    """(6 · len(nodes), n) matrix from displacements of all equations to averaged stress at some nodes."""
    row_of = np.full(len(model.mesh.points), -1)
    row_of[nodes] = np.arange(len(nodes))
    count = np.zeros(len(nodes))
    rows, columns, values = [], [], []
    for block in model.mesh.blocks:
        for batch, operator in _operators(model, block, "nodes", quantity):
            element, local = np.nonzero(row_of[batch.nodes] >= 0)
            if not len(element):
                continue
            at = row_of[batch.nodes[element, local]]
            np.add.at(count, at, 1.0)
            chosen = _surface(operator, batch, surface)[element, local]  # (entries, 6, N)
            equations = model.dofs.node_dofs[batch.nodes[element], : batch.kind.dofs].reshape(len(element), 1, -1)
            lines = (6 * at[:, None] + np.arange(6))[:, :, None]
            rows.append(np.broadcast_to(lines, chosen.shape).ravel())
            columns.append(np.broadcast_to(equations, chosen.shape).ravel())
            values.append(chosen.ravel())
    shape = (6 * len(nodes), model.dofs.n)
    if not rows:
        return sp.csr_array(shape)
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    scale = sp.diags_array(np.repeat(1 / np.maximum(count, 1), 6))
    return sp.csr_array(scale @ sp.csr_array(entries, shape=shape))


def von_mises(stress: np.ndarray) -> np.ndarray:
    """Equivalent stress of (…, 6) components.   σ² = ½ Σ (σᵢ − σⱼ)² + 3 Σ τ²"""
    x, y, z, xy, yz, zx = np.moveaxis(stress, -1, 0)
    return np.sqrt(((x - y) ** 2 + (y - z) ** 2 + (z - x) ** 2) / 2 + 3 * (xy**2 + yz**2 + zx**2))


def _operators(model: FeModel, block: Block, where: str, quantity: str) -> Iterator[tuple[Batch, np.ndarray]]:
    for batch in batches(model.mesh, block, model.options):
        if not has_stress(batch.kind):
            return
        make = batch.kind.stress_operator if quantity == "stress" else batch.kind.strain_operator
        yield batch, make(batch.X, batch.properties, where)


def _apply(operator: np.ndarray, batch: Batch, model: FeModel, u: np.ndarray) -> np.ndarray:
    """(m, points, 6, …)"""
    equations = model.dofs.node_dofs[batch.nodes, : batch.kind.dofs].reshape(len(batch.nodes), -1)
    local = u[equations].reshape(*equations.shape, -1)
    m, points, _, N = operator.shape
    values = np.matmul(operator.reshape(m, points * 6, N), local)
    return values.reshape(m, points, 6, *u.shape[1:])


def _surface(operator: np.ndarray, batch: Batch, surface: str) -> np.ndarray:
    """The points of one surface of a shell; all points of a solid."""
    k = batch.kind.n_nodes
    at = _SURFACES.index(surface)
    return operator if operator.shape[1] == k else operator[:, at * k : (at + 1) * k]
