"""The skin of a meshed body, or a part of it, as triangles with the shapes of its modes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from flexor.bodies.side import Side
from flexor.elements.assembly.batches import kind_of
from flexor.elements.faces import Skin, outer_faces
from flexor.errors import ModelError, Problem
from flexor.mesh.select import NodeSet

TRIANGLES = {
    3: ((0, 1, 2),),
    4: ((0, 1, 2), (0, 2, 3)),
    6: ((0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5)),
    8: ((0, 4, 7), (4, 1, 5), (5, 2, 6), (6, 3, 7), (4, 5, 6), (4, 6, 7)),
}
"""Faces by their number of nodes, corners first, then mid-sides."""
WHOLE = "skin"


@dataclass(frozen=True, eq=False)
class BodySkin:
    """Vertices (n, 3) in the axes of the body, the nodes of its mesh that they are, triangles (k, 3), shapes Φ (n, 3, m); center: of mass.

    faces_out: whether all triangles are of solids, and face outward; shells are touched from both sides.
    """

    points: np.ndarray
    nodes: np.ndarray
    triangles: np.ndarray
    shapes: np.ndarray
    center: np.ndarray
    faces_out: bool = True


def body_skin(made: Any, modes: np.ndarray, center: np.ndarray, side: Side) -> BodySkin:
    """Of a reduced body that moves in the modes Φ (r, m) of its coordinates, or of a full mesh, which has none."""
    faces = faces_of(made, side)
    triangles = np.concatenate([each[:, t] for each in faces for t in TRIANGLES[each.shape[1]]])
    nodes, numbers = np.unique(triangles, return_inverse=True)
    dofs = made.node_dofs[nodes, :3]
    if np.any(dofs < 0):
        raise ModelError(Problem(f"body '{made.name}'", "nodes of its skin do not move in all three directions"))
    moved = made.shapes[dofs.ravel()] @ modes if modes.size else np.zeros((3 * len(nodes), 0))
    shapes = moved.reshape(len(nodes), 3, modes.shape[1])
    solid = all(kind_of(block).dofs == 3 for block in made.mesh.blocks if kind_of(block).faces)
    return BodySkin(made.nodes[nodes], nodes, numbers.reshape(-1, 3), shapes, center, solid)


def faces_of(made: Any, side: Side) -> list[np.ndarray]:
    """Outer faces of a mesh that a side is of: arrays (m, k) of nodes."""
    where = f"body '{made.name}'"
    if made.mesh is None:
        raise ModelError(
            Problem(where, "it has no mesh, so that it has no skin", "", "touch a shape at one of its markers")
        )
    if side.on is None and side.side == WHOLE:
        found = [each for each in outer_faces(made.mesh) if len(each)]
    else:
        chosen = side.on if side.on is not None else NodeSet(name=side.side)
        found = Skin(made.mesh).on(chosen.nodes(made.mesh))
    if not found:
        fix = "choose nodes of whole faces of solids or shells, e.g. fx.plane(at=(0, 0, 0.01), normal='z')"
        raise ModelError(Problem(where, "the part of its skin that is to touch has no faces", "", fix))
    return found
