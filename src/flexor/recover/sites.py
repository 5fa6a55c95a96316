"""Where stress is recovered, and the stress or strain by the coordinates of the body there.

nodes      averages of the elements that meet at a node
elements   every element at its own nodes, not averaged: jumps show how fine the mesh is
centers    the middle of every element
fibres     the stress points of the sections of beams, at both ends
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from flexor.elements.assembly.batches import batches, kind_of
from flexor.elements.assembly.stress import has_stress
from flexor.elements.lines.beam2 import Beam2
from flexor.errors import ModelError, Problem
from flexor.mesh.mesh import Mesh
from flexor.mistakes import suggestion
from flexor.recover.history import BodyHistory, Portion
from flexor.recover.linear_field import LinearField
from flexor.reduce.meshed_body import MeshedBody
from flexor.reduce.surface_strain import SURFACES as SURFACES
from flexor.reduce.surface_strain import mesh_of as mesh_of

PLACES = ("nodes", "elements", "centers", "fibres")
NONE = -1


@dataclass(frozen=True, eq=False)
class Sites:
    """n sites with their modes.

    modes: stress [Pa] or strain by the coordinates of the body, six components in the axes of the mesh.
    positions: (n, 3) [m], undeformed.   nodes, elements, fibres: (n,) numbers, −1 where it has none.
    rows: (n,) row of each site in a field of `count` rows; at nodes, those without elements are left out.
    """

    modes: LinearField
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


def sites_of(history: BodyHistory, quantity: str = "stress", place: str = "nodes", surface: str = "top") -> Sites:
    """Sites of "stress" or "strain" in a body; surface: of shells, top, middle or bottom."""
    name = history.reduced.name
    for noun, word, choice in (("place", place, PLACES), ("surface", surface, SURFACES)):
        if word not in choice:
            where = f"{quantity} of body '{name}'"
            raise ModelError(Problem(where, f"there is no {noun} '{word}'", "", suggestion(word, choice, "there are")))
    mesh_of(history.reduced)
    if place == "nodes":
        sites = _nodes(history, quantity, surface)
    else:
        sites = _fibres(history, quantity) if place == "fibres" else _elements(history, quantity, surface, place)
    if not len(sites):
        what = "there is no beam" if place == "fibres" else "no element has stress"
        fix = (
            "solids and shells: places 'nodes', 'elements', 'centers'" if place == "fibres" else "beams: place='fibres'"
        )
        raise ModelError(Problem(f"body '{name}'", what, "", fix))
    return sites


def has_shells(mesh: Mesh | None) -> bool:
    """Whether stress differs between the top and the bottom of some elements."""
    return mesh is not None and any(kind_of(b).dofs == 6 and kind_of(b).faces for b in mesh.blocks)


def operators(reduced: MeshedBody, quantity: str, surface: str, where: str) -> Iterator[Portion]:
    """Stress [Pa] or strain by the motion of solids and shells, at their "nodes" or their "center"."""
    scale = reduced.stiffening if quantity == "stress" else 1.0
    for b, block in enumerate(mesh_of(reduced).blocks):
        if not has_stress(kind_of(block)):
            continue
        for batch in batches(mesh_of(reduced), block, reduced.options):
            make = batch.kind.stress_operator if quantity == "stress" else batch.kind.strain_operator
            values = make(batch.X, batch.properties, where)
            if batch.kind.dofs == 6:
                each = values.shape[1] // 3
                at = SURFACES.index(surface)
                values = values[:, at * each : (at + 1) * each]
            rows = np.arange(batch.rows.start, batch.rows.stop)
            yield Portion(b, rows, batch.nodes, batch.kind.dofs, scale * values)


def _nodes(history: BodyHistory, quantity: str, surface: str) -> Sites:
    reduced = history.reduced
    modes, rows = history.nodal_modes(quantity, surface)
    none = np.full(len(rows), NONE)
    return Sites(modes, reduced.nodes[rows], reduced.node_ids[rows], none, none, rows, len(reduced.nodes))


def _elements(history: BodyHistory, quantity: str, surface: str, place: str) -> Sites:
    reduced = history.reduced
    portions, positions, nodes, elements = [], [], [], []
    for part in operators(reduced, quantity, surface, "nodes" if place == "elements" else "center"):
        m, k = part.nodes.shape
        ids = np.asarray(mesh_of(reduced).blocks[part.block].ids)[part.rows]
        corners = reduced.nodes[part.nodes]
        portions.append(part)
        if place == "elements":
            nodes.append(reduced.node_ids[part.nodes].ravel())
            elements.append(np.repeat(ids, k))
            positions.append(corners.reshape(-1, 3))
        else:
            nodes.append(np.full(m, NONE))
            elements.append(ids)
            positions.append(corners.mean(axis=1))
    return _stacked(history, portions, positions, nodes, elements, [np.full(len(p), NONE) for p in positions])


def _fibres(history: BodyHistory, quantity: str) -> Sites:
    reduced = history.reduced
    mesh, scale = mesh_of(reduced), reduced.stiffening if quantity == "stress" else 1.0
    portions, positions, nodes, elements, fibres = [], [], [], [], []
    for b, block in enumerate(mesh.blocks):
        if kind_of(block) is not Beam2:
            continue
        for batch in batches(mesh, block, reduced.options):
            make = Beam2.fibre_stress_operator if quantity == "stress" else Beam2.fibre_strain_operator
            operator = scale * make(batch.X, batch.properties)  # (m, fibres × ends, 6, 12)
            m, count = operator.shape[:2]
            portions.append(Portion(b, np.arange(batch.rows.start, batch.rows.stop), batch.nodes, 6, operator))
            nodes.append(np.tile(reduced.node_ids[batch.nodes], (1, count // 2)).ravel())
            positions.append(np.tile(reduced.nodes[batch.nodes], (1, count // 2, 1)).reshape(-1, 3))
            elements.append(np.repeat(block.ids[batch.rows], count))
            fibres.append(np.tile(np.repeat(np.arange(count // 2) + 1, 2), m))
    return _stacked(history, portions, positions, nodes, elements, fibres)


def _stacked(
    history: BodyHistory,
    portions: list[Portion],
    positions: list[np.ndarray],
    nodes: list[np.ndarray],
    elements: list[np.ndarray],
    fibres: list[np.ndarray],
) -> Sites:
    none = np.zeros(0, dtype=int)
    total = sum(len(part) for part in positions)
    return Sites(
        modes=history.modes_of(portions),
        positions=np.concatenate([*positions, np.zeros((0, 3))]),
        nodes=np.concatenate([*nodes, none]),
        elements=np.concatenate([*elements, none]),
        fibres=np.concatenate([*fibres, none]),
        rows=np.arange(total),
        count=total,
    )


def tied_nodes(mesh: Mesh | None) -> np.ndarray:
    """Numbers of the nodes that rigid links or bars carry, or that an average is taken over, interfaces among them.

    Stress there tells of the tie as well as of the part.
    """
    if mesh is None:
        return np.empty(0, dtype=int)
    tied = [n for link in mesh.rigid_links for n in (link.node, *link.dependents)]
    tied += [n for bar in mesh.rigid_bars for n in bar.nodes]
    tied += [n for link in mesh.average_links for n in (link.node, *link.independents)]
    return mesh.node_ids[np.unique(np.array(tied, dtype=int))]
