"""The scene of modes: every body moves as the shapes tell, real or complex, about the position that they belong to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from flexor.bodies import Beam, Body, DeformableBody
from flexor.bodies.floating.formulation import Floating
from flexor.bodies.full_mesh.formulation import FullMesh
from flexor.bodies.superelement.formulation import Superelement
from flexor.errors import FlexorError
from flexor.results.mode_shapes import ModeShapes
from flexor.solve.modes import whirl_name
from flexor.spatial import Pose
from flexor.viewer.bodies import Bodies
from flexor.viewer.buffers import Buffers
from flexor.viewer.items import items_of
from flexor.viewer.mode_rows import mode_header, rows_of_modes
from flexor.viewer.picture import POSE, Picture, pose_row
from flexor.viewer.rows import Layout
from flexor.viewer.scene import Scene, box_of, header, up_of
from flexor.viewer.whole_mesh_modes import whole_mesh_modes

SHOWN = 0.05
"""Largest displacement of a mode in parts of the scene, as it is sent; the page multiplies it."""


def scene_of_modes(modes: ModeShapes) -> Scene:
    """Modes of a mechanism."""
    scene, moves, rest = stage_modes(modes.model, [modes])
    told = {**scene.header, "modes": headers_of(modes)}
    rows = rows_of_modes(moves, rest)
    told["frames"] = {"count": len(rows), "width": rows.shape[1]}
    return Scene(told, scene.buffers, lambda first, count: rows[first : first + count])


def stage_modes(model: Any, every: Sequence[ModeShapes]) -> tuple[Scene, np.ndarray, np.ndarray]:
    """The bodies, and how they move in all these modes (n, width), scaled to be seen, about the position of the first."""
    buffers, notes = Buffers(), list[str]()
    bodies = Bodies(model, buffers, notes)
    first = every[0]
    rests, moves, sizes = [], [], np.zeros(sum(map(len, every)))
    for name, picture in zip(bodies.number, bodies.pictures):
        body = bodies.items.get(name)
        if body is None:
            continue
        try:
            rest = _rest(first, body, picture, bodies)
            own = _all_moves(every, body, picture, bodies, buffers)
        except (FlexorError, KeyError) as error:
            notes.append(f"body '{name}' is drawn at rest: {error}")
            rest, own = picture.still(bodies.placement.poses[name]), np.zeros((sum(map(len, every)), picture.width))
        sizes = np.maximum(sizes, _largest(picture, own, buffers))
        rests.append(np.concatenate([rest, np.zeros(picture.width - len(rest))]))
        moves.append(own)
    widths = [picture.width for picture in bodies.pictures]
    offsets = [int(n) for n in np.cumsum([0, *widths])[:-1]]
    row = np.concatenate(rests)
    items, _ = items_of(bodies, Layout(), notes)
    box, size = box_of(bodies.pictures, row[None], offsets)
    told = header(
        "modes",
        model.name,
        summary=[["model", model.name], ["modes", str(len(first))]],
        notes=notes,
        times={"buffer": buffers.add(np.zeros(1), "f8")["buffer"], "count": 1},
        box=box,
        up=up_of(model.gravity),
        glyph_size=size,
        bodies=[picture.shifted(offset) for picture, offset in zip(bodies.pictures, offsets)],
        items=items,
    )
    scale = SHOWN * float(np.linalg.norm(np.subtract(box[1], box[0]))) / np.where(sizes > 0, sizes, 1.0)
    return Scene(told, buffers), scale[:, None] * np.hstack(moves), row


def headers_of(modes: ModeShapes) -> list[dict[str, Any]]:
    """Frequency, damping and kind of each mode."""
    found = []
    for i, (frequency, damping, most) in enumerate(zip(modes.frequencies, modes.damping, modes.moves_most)):
        kind = "rigid" if modes.rigid[i] else "unstable" if modes.unstable[i] else ""
        sense = "" if modes.whirl is None else whirl_name(float(modes.whirl[i]))
        found.append(mode_header(float(frequency), float(damping) if modes.complex else None, kind, sense, most))
    return found


def node_pose(modes: ModeShapes, name: str) -> Pose:
    """Where a node reports its position, in the state of the modes."""
    assert modes.state is not None
    names = [str(each) for each in modes.state["node_names"]]
    offset, R = modes.frames[name]
    return Pose.trusted(np.asarray(modes.state["x"]).reshape(-1, 3)[names.index(name)] + offset, R)


def frame_of(modes: ModeShapes, body: Body) -> Pose:
    """The body's frame in the state of the modes; of one that has none, from its first node, as if it were rigid."""
    if body.name in modes.frames:
        return node_pose(modes, body.name)
    marker = next(name for name in body.marker_names if f"{body.name}.{name}" in modes.frames)
    X = node_pose(modes, f"{body.name}.{marker}")
    return Pose.trusted(X.p - X.R @ np.asarray(body.marker(marker).at), X.R)


def _rest(modes: ModeShapes, body: Body, picture: Picture, bodies: Bodies) -> np.ndarray:
    if not isinstance(body, Beam):
        return pose_row(frame_of(modes, body))
    nodes = [node_pose(modes, body.node_name(i)) for i in range(body.divisions + 1)]
    return bodies.stations[body.name].rows(np.array([[X.p for X in nodes]]), np.array([[X.R for X in nodes]]))[0]


def _all_moves(
    every: Sequence[ModeShapes], body: Body, picture: Picture, bodies: Bodies, buffers: Buffers
) -> np.ndarray:
    """(n, width) complex, how the numbers of a body move in all modes; a whole mesh gets shapes for all of them."""
    meshed = bodies.meshed.get(body.name)
    if meshed is not None and isinstance(body, DeformableBody) and body.formulation_class is FullMesh:
        return whole_mesh_modes(every, body, picture, meshed, buffers, frame_of(every[0], body))
    return np.concatenate([_moves(modes, body, picture, bodies) for modes in every])


def _moves(modes: ModeShapes, body: Body, picture: Picture, bodies: Bodies) -> np.ndarray:
    """(n, width) complex, how the numbers of a body move in each mode."""
    n = len(modes)
    found = np.zeros((n, picture.width), dtype=complex)
    if isinstance(body, Beam):
        stations = bodies.stations[body.name].list
        found[:, POSE:] = np.concatenate([_motion(modes, body.node_name(each.node)) for each in stations], axis=1)
        return found  # all of it deflection: the frame stays
    kind = body.formulation_class if isinstance(body, DeformableBody) and body.name in bodies.meshed else None
    if kind is Superelement and isinstance(body, DeformableBody):
        reduced = body.reduced
        R = frame_of(modes, body).R
        ends = [
            np.hstack(
                [part @ R for part in (modes[f"{body.name}.{name}.position"], modes[f"{body.name}.{name}.rotation"])]
            )
            for name in reduced.interfaces
        ]
        count = reduced.size - reduced.n_connections
        inner = [modes[f"{body.name}.mode_{i + 1}"][:, None] for i in range(count)]
        found[:, POSE:] = np.hstack([*ends, *inner])
        return found
    found[:, :POSE] = _frame_motion(modes, body)
    if kind is Floating and isinstance(body, DeformableBody):
        at_work = body.realisation
        assert isinstance(at_work, Floating)
        own = np.stack([modes[f"{body.name}.mode_{i + 1}"] for i in range(at_work.modes.shape[1])], axis=1)
        found[:, POSE:] = own @ at_work.modes.T
    return found


def _motion(modes: ModeShapes, owner: str) -> np.ndarray:
    """(n, 7) displacement and small rotation of a node."""
    zero = np.zeros((len(modes), 1))
    return np.hstack([modes[f"{owner}.position"], modes[f"{owner}.rotation"], zero])


def _frame_motion(modes: ModeShapes, body: Body) -> np.ndarray:
    if body.name in modes.frames:
        return _motion(modes, body.name)
    marker = next(name for name in body.marker_names if f"{body.name}.{name}" in modes.frames)
    own = _motion(modes, f"{body.name}.{marker}")
    arm = frame_of(modes, body).R @ np.asarray(body.marker(marker).at)
    own[:, :3] -= np.cross(own[:, 3:6], arm)
    return own


def _largest(picture: Picture, moves: np.ndarray, buffers: Buffers) -> np.ndarray:
    """(n,) largest displacement of a body in each mode [m]."""
    header, count = picture.header, len(moves)
    if not picture.width:
        return np.zeros(count)
    poses = moves.reshape(count, -1, POSE) if header["beam"] is not None else moves[:, None, :POSE]
    reach = 0.0 if header["beam"] is not None else float(np.abs(picture.corners).max(initial=0.0))
    found = (np.abs(poses[..., :3]).max(axis=-1) + reach * np.abs(poses[..., 3:6]).max(axis=-1)).max(axis=1)
    mesh = header["mesh"]
    if mesh is not None and mesh["modes"]:
        z = moves[:, mesh["z"] : mesh["z"] + mesh["modes"]]
        found = found + np.abs(np.tensordot(z, buffers.array(mesh["shapes"]), axes=1)).max(axis=(1, 2), initial=0.0)
    return np.asarray(found, dtype=float)
