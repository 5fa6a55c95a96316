"""A body with a mesh: its skin and shapes once, its frame and coordinates per row; stress likewise, when it is asked for.

What the page shows at a vertex is   x + R (X + s Σ z_k φ_k),   σ = Σ z_k σ_k   with the shapes φ, σ of unit coordinates that
recovery itself uses (`flexor.recover`), so that both give the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from flexor.elements.assembly.batches import kind_of
from flexor.elements.assembly.stress import has_stress
from flexor.mesh.mesh import Mesh
from flexor.recover import BodyHistory
from flexor.recover.sites import has_shells
from flexor.reduce.meshed_body import MeshedBody
from flexor.reduce.reduced import ReducedBody
from flexor.viewer.buffers import Buffers, Ref
from flexor.viewer.skin import MeshSkin, skin_of

COMPONENTS = ["xx", "yy", "zz", "xy", "yz", "zx"]
SIDES = {"top": "stress", "bottom": "stress at the bottom of shells"}


def body_skin(made: MeshedBody) -> MeshSkin:
    """Its surface, with a vertex at every connection node."""
    skin = skin_of(made.mesh, made.nodes) if made.mesh is not None else skin_of(_no_elements(made))
    near = [int(np.argmin(np.linalg.norm(made.nodes[::-1] - p, axis=1))) for p in made.points]  # the last ones first
    ends = np.array([len(made.nodes) - 1 - i for i in near], dtype=int)
    return skin.with_nodes(ends)


def _no_elements(made: MeshedBody) -> Mesh:
    return Mesh(points=made.nodes, node_ids=made.node_ids, blocks=())


def mesh_header(
    made: MeshedBody,
    skin: MeshSkin,
    buffers: Buffers,
    *,
    modes: int,
    z: int,
    shapes: Ref | None,
    fields: Sequence[dict[str, Any]],
) -> dict[str, Any]:
    """What is sent of a mesh; z: where its coordinates stand."""
    return {
        "vertices": buffers.add(skin.vertices(made.nodes)),
        "triangles": buffers.add(skin.triangles, "u4"),
        "edges": buffers.add(skin.edges, "u4"),
        "wires": buffers.add(skin.wires, "u4"),
        "nodes": buffers.add(np.asarray(made.node_ids)[skin.nodes], "u4"),
        "modes": modes,
        "z": z if modes else -1,
        "shapes": shapes,
        "fields": list(fields),
    }


def reduced_shapes(reduced: ReducedBody, skin: MeshSkin, buffers: Buffers) -> Ref:
    """(r, N, 3) displacements of unit coordinates."""
    return buffers.later((reduced.size, len(skin.nodes), 3), lambda: _displacements(reduced, skin))


def _displacements(reduced: ReducedBody, skin: MeshSkin) -> np.ndarray:
    found = np.zeros((reduced.size, len(skin.nodes), 3), dtype=np.float32)
    dofs = reduced.node_dofs[skin.nodes]
    motion = np.where(dofs[..., None] >= 0, reduced.shapes[dofs], 0.0)  # (N, 6, r)
    found[:] = np.moveaxis(motion[:, :3], 2, 0)
    if skin.arms.any():
        found += np.cross(np.moveaxis(motion[:, 3:], 2, 0), skin.arms)
    return found


def stress_fields(reduced: ReducedBody, skin: MeshSkin, buffers: Buffers, note: str = "") -> list[dict[str, Any]]:
    """Stress by unit coordinates, averaged at the nodes."""
    if reduced.mesh is None or not any(has_stress(kind_of(block)) for block in reduced.mesh.blocks):
        return []
    shape = (reduced.size, len(skin.nodes), 6)
    sides = ("top", "bottom") if has_shells(reduced.mesh) else ("top",)
    return [
        stress_field(SIDES[side], buffers.later(shape, lambda side=side: _stresses(reduced, skin, side)), note)  # type: ignore[misc]
        for side in sides
    ]


def stress_field(name: str, shapes: Ref, note: str = "") -> dict[str, Any]:
    return {"name": name, "unit": "Pa", "components": COMPONENTS, "shapes": shapes, "constant": None, "note": note}


def _stresses(reduced: ReducedBody, skin: MeshSkin, side: str) -> np.ndarray:
    modes, rows = at_rest(reduced).nodal_modes("stress", side)
    place = np.full(len(reduced.nodes), -1)
    place[rows] = np.arange(len(rows))
    own = place[skin.nodes]
    found = np.zeros((reduced.size, len(skin.nodes), 6), dtype=np.float32)
    found[:, own >= 0] = np.moveaxis(modes.values[own[own >= 0]], 2, 0)  # type: ignore[attr-defined]
    return found


def at_rest(reduced: ReducedBody) -> BodyHistory:
    """The body as a history of one row, undeformed in the global axes."""
    return BodyHistory(reduced, np.zeros(1), np.zeros((1, 3)), np.eye(3)[None], np.zeros((1, reduced.size)))


def nearest_vertex(made: MeshedBody, skin: MeshSkin, p: np.ndarray) -> int:
    """The vertex nearest to a point of the body; of several the last, which is a connection node."""
    distance = np.linalg.norm(skin.vertices(made.nodes)[::-1] - p, axis=1)
    return len(distance) - 1 - int(np.argmin(distance))
