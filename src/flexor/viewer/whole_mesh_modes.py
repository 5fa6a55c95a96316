"""Modes of a whole mesh: how its nodes move in each of them, as shapes of its skin."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexor.bodies import DeformableBody
from flexor.bodies.full_mesh.formulation import FullMesh
from flexor.results.mode_shapes import ModeShapes
from flexor.spatial import Pose
from flexor.viewer.bodies import Meshed
from flexor.viewer.buffers import Buffers
from flexor.viewer.mesh_picture import mesh_header
from flexor.viewer.picture import POSE, Picture


def whole_mesh_modes(
    every: Sequence[ModeShapes], body: DeformableBody, picture: Picture, meshed: Meshed, buffers: Buffers, frame: Pose
) -> np.ndarray:
    """Gives the picture a shape for the real and one for the imaginary part of each of all modes; (n, width) complex."""
    motion = np.concatenate([nodal_motion(modes, body) for modes in every])
    own = np.concatenate([motion[..., :3] @ frame.R, motion[..., 3:] @ frame.R], axis=-1)
    carried = meshed.skin.carried(own)
    n = len(motion)
    shapes = np.empty((2 * n, *carried.shape[1:]))
    shapes[::2], shapes[1::2] = carried.real, carried.imag
    header = mesh_header(meshed.made, meshed.skin, buffers, modes=2 * n, z=POSE, shapes=buffers.add(shapes), fields=())
    picture.header["mesh"] = header
    picture.width = POSE + 2 * n
    found = np.zeros((n, picture.width), dtype=complex)
    k = np.arange(n)
    found[k, POSE + 2 * k], found[k, POSE + 2 * k + 1] = 1.0, 1.0j
    return found


def nodal_motion(modes: ModeShapes, body: DeformableBody) -> np.ndarray:
    """(modes, n_nodes, 6) complex, global axes."""
    at_work = body.realisation
    assert isinstance(at_work, FullMesh)
    mesh = at_work.mesh
    found = np.zeros((len(modes), len(mesh.points), 6), dtype=complex)
    named = {i: name for i, name in at_work.named.items() if i not in at_work.dependents}
    names = {**named, **{i: f"node_{mesh.node_ids[i]}" for i in at_work.recorded}}
    rows = {name: row for row, name in enumerate(modes.names)}
    for i, name in names.items():
        for column, direction in enumerate(("x", "y", "z", "rotation x", "rotation y", "rotation z")):
            row = rows.get(f"{body.name}.{name}: {direction}")
            if row is not None:
                found[:, i, column] = modes.shapes[row]
    frame = next(iter(modes.frames.values()))[1] if body.name not in modes.frames else modes.frames[body.name][1]
    for link in at_work.links:
        for i in link.dependents:
            arm = frame @ (mesh.points[i] - mesh.points[link.node])
            found[:, i, :3] = found[:, link.node, :3] + np.cross(found[:, link.node, 3:], arm)
            found[:, i, 3:] = found[:, link.node, 3:]
    return found
