"""The scene of the natural modes of a whole mesh."""

from __future__ import annotations

import numpy as np

from flexor.reduce.full import NaturalModes
from flexor.spatial import Pose
from flexor.viewer.mesh_picture import mesh_header
from flexor.viewer.mode_rows import mode_header, rows_of_modes
from flexor.viewer.of_mesh import mesh_body, scene_of_mesh
from flexor.viewer.of_modes import SHOWN
from flexor.viewer.picture import POSE, pose_row
from flexor.viewer.scene import Scene


def most_moved(nodal: np.ndarray, node_ids: np.ndarray) -> list[str]:
    """The node that moves most in each shape (modes, nodes, 3 …), and which way: "node 12: z"."""
    sizes = np.abs(nodal[..., :3])
    nodes = np.argmax(sizes.max(axis=2), axis=1) if sizes.size else np.zeros(len(nodal), dtype=int)
    return [f"node {node_ids[i]}: {'xyz'[int(np.argmax(size[i]))]}" for i, size in zip(nodes, sizes)]


def scene_of_mesh_modes(modes: NaturalModes) -> Scene:
    """Every mode is a shape of its own."""
    mesh = modes.model.mesh
    scene = scene_of_mesh(mesh)
    made, skin = mesh_body(mesh)
    carried = skin.carried(modes.nodal)
    n = len(modes.frequencies)
    size = float(np.linalg.norm(np.ptp(mesh.points, axis=0))) or 1.0
    largest = np.abs(carried).max(axis=(1, 2), initial=0.0)
    carried = carried * (SHOWN * size / np.where(largest > 0, largest, 1.0))[:, None, None]
    shapes = scene.buffers.add(carried)
    ground, body = scene.header["bodies"]
    shown = mesh_header(made, skin, scene.buffers, modes=n, z=POSE, shapes=shapes, fields=())
    moves = np.concatenate([np.zeros((n, POSE)), np.eye(n)], axis=1).astype(complex)
    rows = rows_of_modes(moves, np.concatenate([pose_row(Pose()), np.zeros(n)]))
    kinds = ["rigid" if i < modes.rigid else "" for i in range(n)]
    told = {
        **scene.header,
        "kind": "modes",
        "bodies": [ground, {**body, "mesh": shown}],
        "modes": [
            mode_header(float(f), None, kind, most=most)
            for f, kind, most in zip(modes.frequencies, kinds, most_moved(modes.nodal, mesh.node_ids))
        ],
        "frames": {"count": len(rows), "width": rows.shape[1]},
    }
    return Scene(told, scene.buffers, lambda first, count: rows[first : first + count])
