"""The scene of a reduced body: the modes that it has when nothing holds it, with their stress."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import eigh

from flexor.reduce.reduced import ReducedBody
from flexor.spatial import Pose
from flexor.viewer.buffers import Buffers
from flexor.viewer.glyph_size import GLYPH
from flexor.viewer.mesh_picture import body_skin, mesh_header, reduced_shapes, stress_fields
from flexor.viewer.mode_rows import mode_header, rows_of_modes
from flexor.viewer.of_mesh_modes import most_moved
from flexor.viewer.picture import POSE, header_of, pose_row
from flexor.viewer.primitive import floats, points_of, quaternion, sign
from flexor.viewer.scene import Scene, header


def scene_of_reduced(reduced: ReducedBody) -> Scene:
    buffers = Buffers()
    skin = body_skin(reduced)
    name = reduced.name or "reduced body"
    body = header_of(name, "modal", 0)
    fields = stress_fields(reduced, skin, buffers)
    shapes = reduced_shapes(reduced, skin, buffers)
    body["mesh"] = mesh_header(reduced, skin, buffers, modes=reduced.size, z=POSE, shapes=shapes, fields=fields)
    body["properties"] = [["nodes", str(len(reduced.nodes))], ["coordinates", str(reduced.size)]]
    body["markers"] = [
        {"name": each, "position": floats(p), "orientation": quaternion(None)}
        for each, p in zip(reduced.interfaces, reduced.points)
    ]
    frequencies, z = free_modes(reduced)
    moves = np.concatenate([np.zeros((len(z), POSE)), z], axis=1).astype(complex)
    rest = np.concatenate([pose_row(Pose()), np.zeros(reduced.size)])
    rows = rows_of_modes(moves, rest)
    nodal = np.array([reduced.displacement(each)[:, :3] for each in z]).reshape(len(z), -1, 3)
    low, high = reduced.nodes.min(axis=0), reduced.nodes.max(axis=0)
    size = GLYPH * float(np.linalg.norm(high - low) or 1.0)
    told = header(
        "reduced",
        name,
        summary=[["reduced body", name], *([each, ""] for each in str(reduced).split("\n")[1:])],
        times={"buffer": buffers.add(np.zeros(1), "f8")["buffer"], "count": 1},
        frames={"count": len(rows), "width": rows.shape[1]},
        box=points_of([low, high]),
        glyph_size=size,
        bodies=[header_of("ground", "ground", 0, pose=-1), body],
        items=[_interface(each, p) for each, p in zip(reduced.interfaces, reduced.points)],
        modes=[mode_header(float(f), most=most) for f, most in zip(frequencies, most_moved(nodal, reduced.node_ids))],
    )
    return Scene(told, buffers, lambda first, count: rows[first : first + count])


def free_modes(reduced: ReducedBody) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies [Hz] and coordinates (n, r) of the modes that deform it, scaled to a largest coordinate that shows them well."""
    values, vectors = eigh(reduced.K, reduced.M)
    frequencies = np.sqrt(np.maximum(values, 0.0)) / (2 * np.pi)
    deforming = frequencies > 1e-3 * frequencies[-1] if len(frequencies) else np.zeros(0, dtype=bool)
    deforming[:6] &= frequencies[:6] > 1.0
    z = vectors[:, deforming].T
    return frequencies[deforming], _to_size(reduced, z)


def _to_size(reduced: ReducedBody, z: np.ndarray) -> np.ndarray:
    """Mode shapes with a largest displacement of one per cent of the body's size."""
    size = float(np.linalg.norm(np.ptp(reduced.nodes, axis=0))) or 1.0
    for row in z:
        largest = float(np.abs(reduced.displacement(row)[:, :3]).max())
        row *= 0.05 * size / largest if largest > 0 else 1.0
    return z


def _interface(name: str, p: np.ndarray) -> dict[str, Any]:
    end = {"body": 1, "position": floats(p), "orientation": quaternion(None)}
    about = {"name": name, "type": "Interface", "group": "interfaces", "ends": [end], "glyph": [sign("frame", 1.5)]}
    return {**about, "properties": [["position", ", ".join(f"{c:.5g} m" for c in p)]], "signals": []}
