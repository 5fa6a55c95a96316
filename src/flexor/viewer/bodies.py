"""The bodies of a model as pictures, and where something attaches to them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexor.bodies import Beam, Body, DeformableBody, PointMass
from flexor.bodies.full_mesh.formulation import FullMesh
from flexor.errors import FlexorError
from flexor.model import Model
from flexor.model.attachments import references
from flexor.model.joint_state import GROUND, Placement, attachment
from flexor.model.placement import place
from flexor.recover import MeshHistory, history_of_body
from flexor.recover.lost_stress import warn_of_lost_stress
from flexor.reduce.meshed_body import MeshedBody
from flexor.reduce.reduced import ReducedBody
from flexor.spatial import Pose
from flexor.viewer.beam_frame import weights_of
from flexor.viewer.beam_picture import Stations
from flexor.viewer.beam_stress import PARTS, stress_rows
from flexor.viewer.buffers import Buffers
from flexor.viewer.mesh_picture import body_skin, mesh_header, reduced_shapes, stress_fields
from flexor.viewer.picture import POSE, Picture, header_of, pose_row, recorded_pose, standing
from flexor.viewer.primitive import floats, quaternion
from flexor.viewer.properties import properties_of
from flexor.viewer.rows import NamedRows, Window
from flexor.viewer.shapes import common_radius, declared_shapes, derived_shapes, span_of
from flexor.viewer.skin import MeshSkin
from flexor.viewer.whole_mesh_picture import WholeMotion

SAMPLES = 400
"""Rows at most that are looked at to judge the whole run."""


@dataclass(frozen=True, eq=False)
class Meshed:
    """A body with a mesh and its skin."""

    made: MeshedBody
    skin: MeshSkin


class Bodies:
    """The pictures of all bodies, the ground first.

    run: whose rows are shown; without one the bodies stand as they are placed.   growing: whether more rows will come.
    placement: where they start, loops closed, if that is known.
    """

    def __init__(
        self,
        model: Model,
        buffers: Buffers,
        notes: list[str],
        run: NamedRows | None = None,
        growing: bool = False,
        placement: Placement | None = None,
    ) -> None:
        self.model, self.run, self.growing = model, run, growing
        self.buffers, self._notes = buffers, notes
        self.items = {item.name: item for item in model.items if isinstance(item, Body)}
        self.placement: Placement = place(model.items) if placement is None else placement
        self.number = {GROUND: 0, **{name: 1 + i for i, name in enumerate(self.items)}}
        self.meshed: dict[str, Meshed] = {}
        self.stations: dict[str, Stations] = {}
        self._points = self._attached()
        bare = [body.name for body in self.items.values() if not body.shapes and not body.flexible]
        self._radius = common_radius([span_of(self._points[name]) for name in bare])
        self._slides = self._sliding()
        ground = header_of(GROUND, "ground", 0, pose=-1, color="#888888")
        self.pictures = [Picture(ground, 0, _nothing, lambda _: np.zeros(0), np.zeros((0, 3)))]
        self.pictures += [self._picture(body) for body in self.items.values()]

    def recorded(self, node: str) -> bool:
        """Whether the pose of a node is among the signals."""
        return self.run is not None and f"{node}.position_x" in self.run.units

    def rows_of(self, body: str) -> int:
        """Numbers of a body in a row."""
        return self.pictures[self.number[body]].width

    # ---- one kind of body after the other

    def _picture(self, body: Body) -> Picture:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                found = self._beam(body) if isinstance(body, Beam) else self._of_mesh(body)
        except (FlexorError, OSError) as error:
            self._notes.append(f"body '{body.name}' is drawn without its mesh: {error}")
            found = None
        return found or self._rigid(body)

    def _rigid(self, body: Body) -> Picture:
        point = isinstance(body, PointMass)
        header = self._common(body, "point" if point else "rigid")
        shapes = declared_shapes(body, self.buffers, self._notes)
        if not shapes:
            mass, J = getattr(body, "mass", 0.0), getattr(body, "inertia_matrix", np.zeros((3, 3)))
            center = np.array(getattr(body, "center_of_mass", (0.0, 0.0, 0.0)))
            points = [] if point else self._points.get(body.name, [])
            shapes = derived_shapes(points, mass, J, center, self._radius, self._slides.get(body.name))
        header["shapes"] = shapes
        return self._framed(body, header, POSE, _corners(shapes))

    def _framed(self, body: Body, header: dict[str, Any], width: int, corners: np.ndarray) -> Picture:
        """A body that follows its frame."""

        def still(pose: Pose) -> np.ndarray:
            return np.concatenate([pose_row(pose), np.zeros(width - POSE)])

        def moving(window: Window) -> np.ndarray:
            return np.pad(recorded_pose(body.name, window), ((0, 0), (0, width - POSE)))

        return Picture(header, width, self._if_recorded(body, body.name, moving, still), still, corners)

    def _beam(self, body: Beam) -> Picture:
        stations = self.stations[body.name] = Stations(body, weights_of(body, self.model.items, self.placement))
        stress, note = stress_rows(stations, self.model.items, self.run)
        width = stations.width + (PARTS * len(stations.list) if stress else 0)
        about = {**stations.header(), "stress": stations.width if stress else -1, "note": note}
        header = self._common(body, "beam", beam=about)
        if body.shapes:
            self._notes.append(
                f"beam '{body.name}' is drawn by its sections, not by its shapes: it has no frame of its own"
            )

        def moving(window: Window) -> np.ndarray:
            own = stations.moving(window)
            return own if stress is None else np.hstack([own, stress(window)])

        def still(pose: Pose) -> np.ndarray:
            return np.pad(stations.still(pose), (0, width - stations.width))

        return Picture(
            header, width, self._if_recorded(body, body.node_name(0), moving, still), still, stations.corners
        )

    def _of_mesh(self, body: Body) -> Picture | None:
        if not isinstance(body, DeformableBody):
            return None
        made = body.made
        skin = body_skin(made)
        if not len(skin.wires):
            self._notes.append(f"body '{body.name}' was reduced from matrices: it has no surface to draw")
            return None
        self.meshed[body.name] = Meshed(made, skin)
        header = self._common(body, "modal")
        header["properties"].insert(
            0, ["mesh", f"{len(made.nodes)} nodes, {made.mesh.n_elements if made.mesh else 0} elements"]
        )
        header["shapes"] = declared_shapes(body, self.buffers, self._notes)
        vertices = skin.vertices(made.nodes)
        corners = np.array(np.meshgrid(*zip(vertices.min(axis=0), vertices.max(axis=0)))).reshape(3, -1).T
        if body.formulation_class is FullMesh:
            return self._whole(body, made, skin, header, corners)
        if isinstance(made, ReducedBody) and body.flexible:
            return self._modal(body, made, skin, header, corners)
        header["mesh"] = mesh_header(made, skin, self.buffers, modes=0, z=-1, shapes=None, fields=())
        return self._framed(body, header, POSE, corners)

    def _modal(
        self, body: DeformableBody, made: ReducedBody, skin: MeshSkin, header: dict[str, Any], corners: np.ndarray
    ) -> Picture:
        fields = stress_fields(made, skin, self.buffers, self._lost(body))
        shapes = reduced_shapes(made, skin, self.buffers)
        header["mesh"] = mesh_header(made, skin, self.buffers, modes=made.size, z=POSE, shapes=shapes, fields=fields)
        gravity = self.model.gravity
        told = {made.name, body.name}

        def moving(window: Window) -> np.ndarray:
            history = history_of_body(body, window, gravity, told)
            return np.hstack([recorded_pose(body.name, window), history.z])

        def still(pose: Pose) -> np.ndarray:
            return np.concatenate([pose_row(pose), np.zeros(made.size)])

        return Picture(header, POSE + made.size, self._if_recorded(body, body.name, moving, still), still, corners)

    def _whole(
        self, body: DeformableBody, made: MeshedBody, skin: MeshSkin, header: dict[str, Any], corners: np.ndarray
    ) -> Picture:
        """The rows of a whole mesh in few shapes; while more rows come only its frame moves."""
        if self.run is None or self.growing or not self.recorded(body.name) or not len(self.run):
            if self.growing:
                self._notes.append(
                    f"body '{body.name}' is a whole mesh: it is shown undeformed until the run has ended"
                )
            header["mesh"] = mesh_header(made, skin, self.buffers, modes=0, z=-1, shapes=None, fields=())
            return self._framed(body, header, POSE, corners)
        history = history_of_body(body, self.run, self.model.gravity, set())
        assert isinstance(history, MeshHistory)
        motion = WholeMotion(history, skin)
        shapes, fields = motion.parts(self.buffers)
        r = motion.z.shape[1]
        header["mesh"] = mesh_header(made, skin, self.buffers, modes=r, z=POSE, shapes=shapes, fields=fields)
        rows = np.hstack([motion.poses, motion.z])

        def still(pose: Pose) -> np.ndarray:
            return np.concatenate([pose_row(pose), np.zeros(r)])

        return Picture(header, POSE + r, lambda window: rows[window.numbers], still, corners)

    def _lost(self, body: DeformableBody) -> str:
        """What recovery says of the stress of this body, judged by some rows of the run."""
        if self.run is None or self.growing or not self.recorded(body.name) or not len(self.run):
            return ""
        every = max(1, len(self.run) // SAMPLES)
        some = Window(("time", *self.run.names), np.concatenate([each[::every] for each in self.run.blocks("signals")]))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            warn_of_lost_stress(history_of_body(body, some, self.model.gravity, set()))
        return "; ".join(str(each.message) for each in told)

    # ---- what they have in common

    def _if_recorded(
        self, body: Body, node: str, moving: Callable[[Window], np.ndarray], still: Callable[[Pose], np.ndarray]
    ) -> Callable[[Window], np.ndarray]:
        if self.run is not None and not self.recorded(node):
            self._notes.append(f"body '{body.name}' was not recorded: it is drawn where it starts")
        if self.recorded(node):
            return moving
        return standing(still(self.placement.poses[body.name]))

    def _common(self, body: Body, kind: str, **more: Any) -> dict[str, Any]:
        header = header_of(body.name, kind, self.number[body.name] - 1, **more)
        header["properties"] = properties_of(body)
        for name in self._marker_names(body):
            if isinstance(body, Beam) and name not in body.markers and name not in ("start", "end"):
                continue
            marker = body.marker(name)
            turn = list(marker.orientation) if marker.orientation else quaternion(None)
            header["markers"].append({"name": name, "position": floats(marker.at), "orientation": turn})
        return header

    def _marker_names(self, body: Body) -> tuple[str, ...]:
        try:
            return body.marker_names
        except FlexorError:  # its mesh cannot be read, which is noted
            return tuple(body.markers)

    def _sliding(self) -> dict[str, np.ndarray]:
        """Axes of bodies, whose z they slide along on another one."""
        found: dict[str, np.ndarray] = {}
        for item in self.model.items:
            state = self.placement.joints.get(item.name)
            if state is None or not {"displacement", "length"} & set(getattr(item, "variables", ())):
                continue
            for ref, X in ((item.b, state.X_BJ), (item.a, state.X_AJ)):  # type: ignore[attr-defined]
                found.setdefault(ref.body, X.R)
        return found

    def _attached(self) -> dict[str, list[np.ndarray]]:
        """Points of each body where something attaches, in its axes."""
        found: dict[str, list[np.ndarray]] = {name: [] for name in self.items}
        for name, body in self.items.items():
            found[name] += [np.array(marker.at) for marker in body.markers.values()]
        for item in self.model.items:
            state = self.placement.joints.get(item.name)
            if state is not None:
                for ref, X in ((item.a, state.X_AJ), (item.b, state.X_BJ)):  # type: ignore[attr-defined]
                    found.get(ref.body, []).append(X.p)
                continue
            for _, ref in references(item):
                if ref.body in self.items and not self.items[ref.body].flexible:
                    found[ref.body].append(attachment(self.items, ref)[0])
        return found


def _nothing(window: Window) -> np.ndarray:
    return np.zeros((len(window), 0))


def _corners(shapes: list[dict[str, Any]]) -> np.ndarray:
    """Points that span primitives, in the body's axes; each within a ball of its largest size."""
    found = [np.zeros(3)]
    for shape in shapes:
        at = np.array(shape["position"])
        if shape.get("box"):
            found += [at + np.array(corner) for corner in shape["box"]]
        elif not shape["relative"]:
            half = {"box": 0.5, "cylinder": 0.5}.get(shape["kind"], 1.0) * max(shape["size"], default=0.0)
            found += [at + half * e for e in (*np.eye(3), *-np.eye(3))]
    return np.array(found)
