"""Where stress is recovered, and the stress or strain of unit coordinates there.

nodes      averages of the elements that meet at a node
elements   every element at its own nodes, not averaged: jumps show how fine the mesh is
centers    the middle of every element
fibres     the stress points of the sections of beams, at both ends
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexor.elements.batches import batches, kind_of
from flexor.elements.beam2 import Beam2
from flexor.elements.stress import element_stress, nodal_stress
from flexor.errors import ModelError, Problem
from flexor.mesh.mesh import Mesh
from flexor.mistakes import suggestion
from flexor.reduce.reduced import ReducedBody

PLACES = ("nodes", "elements", "centers", "fibres")
SURFACES = ("top", "middle", "bottom")
NONE = -1


@dataclass(frozen=True, eq=False)
class Sites:
    """n sites with their modes.

    modes: (n, 6, r) stress [Pa] or strain of unit coordinates, in the axes of the mesh.
    positions: (n, 3) [m], undeformed.   nodes, elements, fibres: (n,) numbers, −1 where it has none.
    rows: (n,) row of each site in a field of `count` rows; at nodes, those without elements are left out.
    """

    modes: np.ndarray
    positions: np.ndarray
    nodes: np.ndarray
    elements: np.ndarray
    fibres: np.ndarray
    rows: np.ndarray
    count: int

    def __len__(self) -> int:
        return len(self.modes)

    def label(self, site: int) -> str:
        """`node 8841`, `element 12, node 33`"""
        named = (("element", self.elements), ("node", self.nodes), ("fibre", self.fibres))
        return ", ".join(f"{noun} {ids[site]}" for noun, ids in named if ids[site] != NONE)

    def find(self, where: str, node: int | None, element: int | None, fibre: int | None) -> int:
        """The site with these numbers; the first one if several have them."""
        found = np.ones(len(self), dtype=bool)
        asked = []
        for noun, ids, wanted in (
            ("element", self.elements, element),
            ("node", self.nodes, node),
            ("fibre", self.fibres, fibre),
        ):
            if wanted is None:
                continue
            asked.append(f"{noun} {wanted}")
            if not np.any(found & (ids == wanted)):
                present = np.unique(ids[found])
                near = present[np.argsort(np.abs(present - wanted), kind="stable")[:3]]
                why = f"stress is not recovered at {' of '.join(reversed(asked))}"
                known = bool(near.size and near.max() != NONE)
                fix = f"near that number there are {', '.join(map(str, near))}" if known else f"name no {noun} here"
                raise ModelError(Problem(where, f"there is no {asked[-1]}", why, fix))
            found &= ids == wanted
        if not asked:
            raise ModelError(Problem(where, "no place was named", "", "say at(node=…), or at(element=…)"))
        return int(np.flatnonzero(found)[0])


def sites_of(reduced: ReducedBody, quantity: str = "stress", place: str = "nodes", surface: str = "top") -> Sites:
    """Sites of "stress" or "strain" in a body; surface: of shells, top, middle or bottom."""
    for noun, word, choice in (("place", place, PLACES), ("surface", surface, SURFACES)):
        if word not in choice:
            where = f"{quantity} of body '{reduced.name}'"
            raise ModelError(Problem(where, f"there is no {noun} '{word}'", "", suggestion(word, choice, "there are")))
    make = {"nodes": _nodes, "fibres": _fibres}.get(place)
    sites = make(reduced, quantity, surface) if make else _elements(reduced, quantity, surface, place)
    if not len(sites):
        what = "there is no beam" if place == "fibres" else "no element has stress"
        fix = (
            "solids and shells: places 'nodes', 'elements', 'centers'" if place == "fibres" else "beams: place='fibres'"
        )
        raise ModelError(Problem(f"body '{reduced.name}'", what, "", fix))
    return sites


def has_shells(mesh: Mesh | None) -> bool:
    """Whether stress differs between the top and the bottom of some elements."""
    return mesh is not None and any(kind_of(b).dofs == 6 and kind_of(b).faces for b in mesh.blocks)


def mesh_of(reduced: ReducedBody) -> Mesh:
    """The mesh of a body, as it was before scaling."""
    if reduced.mesh is None:
        what, why = "there are no elements to recover anything in", "it was reduced from matrices"
        raise ModelError(Problem(f"body '{reduced.name}'", what, why, "reduce the mesh itself"))
    return reduced.mesh


def node_motion(reduced: ReducedBody, nodes: np.ndarray) -> np.ndarray:
    """(…, 6, r) motion of nodes (…) that strains the mesh, as it was before scaling, like the body."""
    dofs = reduced.node_dofs[nodes]
    motion = np.where(dofs[..., None] >= 0, reduced.shapes[dofs], 0.0)
    motion[..., :3, :] /= reduced.stretch
    return motion


def _nodes(reduced: ReducedBody, quantity: str, surface: str) -> Sites:
    if quantity == "stress" and surface == "top":
        modes = reduced.stress_modes
    else:
        model, u = reduced.strained()
        modes = nodal_stress(model, u, quantity=quantity, surface=surface)  # type: ignore[arg-type]
        modes *= reduced.stiffening if quantity == "stress" else 1.0
    rows = np.flatnonzero(np.isfinite(modes[:, 0, 0])) if modes.shape[2] else np.zeros(0, dtype=int)
    none = np.full(len(rows), NONE)
    if np.array_equal(rows, np.arange(len(rows))):  # connection nodes come last: a view will do
        values = modes[: len(rows)]
    else:
        values = modes[rows]
    return Sites(values, reduced.nodes[rows], reduced.node_ids[rows], none, none, rows, len(modes))


def _elements(reduced: ReducedBody, quantity: str, surface: str, place: str) -> Sites:
    model, u = reduced.strained()
    where = "nodes" if place == "elements" else "center"
    found = element_stress(model, u, where=where, quantity=quantity)  # type: ignore[arg-type]
    modes, positions, nodes, elements = [], [], [], []
    for block, values in zip(model.mesh.blocks, found):
        if not values.size:
            continue
        m, k = block.nodes.shape
        if kind_of(block).dofs == 6:
            each = values.shape[1] // 3
            at = SURFACES.index(surface)
            values = values[:, at * each : (at + 1) * each]
        modes.append(values.reshape(-1, 6, u.shape[1]))
        corners = reduced.nodes[block.nodes]
        if place == "elements":
            nodes.append(reduced.node_ids[block.nodes].ravel())
            elements.append(np.repeat(block.ids, k))
            positions.append(corners.reshape(-1, 3))
        else:
            nodes.append(np.full(m, NONE))
            elements.append(np.asarray(block.ids))
            positions.append(corners.mean(axis=1))
    scale = reduced.stiffening if quantity == "stress" else 1.0
    return _stacked(reduced, modes, positions, nodes, elements, [np.full(len(p), NONE) for p in positions], scale)


def _fibres(reduced: ReducedBody, quantity: str, surface: str) -> Sites:
    mesh = mesh_of(reduced)
    modes, positions, nodes, elements, fibres = [], [], [], [], []
    for block in mesh.blocks:
        if kind_of(block) is not Beam2:
            continue
        for batch in batches(mesh, block, reduced.options):
            make = Beam2.fibre_stress_operator if quantity == "stress" else Beam2.fibre_strain_operator
            operator = make(batch.X, batch.properties)  # (m, fibres × ends, 6, 12)
            m, count = operator.shape[:2]
            motion = node_motion(reduced, batch.nodes).reshape(m, 12, -1)
            modes.append((operator.reshape(m, -1, 12) @ motion).reshape(m * count, 6, -1))
            nodes.append(np.tile(reduced.node_ids[batch.nodes], (1, count // 2)).ravel())
            positions.append(np.tile(reduced.nodes[batch.nodes], (1, count // 2, 1)).reshape(-1, 3))
            elements.append(np.repeat(block.ids[batch.rows], count))
            fibres.append(np.tile(np.repeat(np.arange(count // 2) + 1, 2), m))
    scale = reduced.stiffening if quantity == "stress" else 1.0
    return _stacked(reduced, modes, positions, nodes, elements, fibres, scale)


def _stacked(
    reduced: ReducedBody,
    modes: list[np.ndarray],
    positions: list[np.ndarray],
    nodes: list[np.ndarray],
    elements: list[np.ndarray],
    fibres: list[np.ndarray],
    scale: float,
) -> Sites:
    none = np.zeros(0, dtype=int)
    total = sum(len(part) for part in positions)
    return Sites(
        modes=scale * np.concatenate([*modes, np.zeros((0, 6, reduced.size))]),
        positions=np.concatenate([*positions, np.zeros((0, 3))]),
        nodes=np.concatenate([*nodes, none]),
        elements=np.concatenate([*elements, none]),
        fibres=np.concatenate([*fibres, none]),
        rows=np.arange(total),
        count=total,
    )
