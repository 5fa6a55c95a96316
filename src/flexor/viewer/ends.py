"""Where an item stands on its bodies: its ends, for glyphs that follow them and for the axes that its forces are told in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from flexor.bodies import MarkerRef
from flexor.control import Sensor
from flexor.control.block import ControlBlock
from flexor.declaration import Item
from flexor.dotted import split
from flexor.joints import Joint
from flexor.model.attachments import references
from flexor.model.feedback import functions_in
from flexor.model.joint_state import GROUND, attachment
from flexor.spatial import Pose, quaternion_to_matrix
from flexor.viewer.bodies import Bodies
from flexor.viewer.mesh_picture import nearest_vertex
from flexor.viewer.primitive import floats, quaternion
from flexor.viewer.rows import Window

NEAR = 1e-6


@dataclass(frozen=True, eq=False)
class End:
    """A point with axes on a body.

    p, R: in the body's axes, undeformed.   frame: name of the recorded frame that carries it ("" for the ground or a body that
    was not recorded); p_frame, R_frame: in that frame.   fixed: R in global axes where nothing carries it.
    """

    body: str
    p: np.ndarray
    R: np.ndarray
    frame: str = ""
    p_frame: np.ndarray = field(default_factory=lambda: np.zeros(3))
    R_frame: np.ndarray = field(default_factory=lambda: np.eye(3))
    fixed: Pose = field(default_factory=Pose)

    def axes(self, window: Window) -> np.ndarray:
        """(n, 3, 3) its axes in global ones at recorded rows."""
        if not self.frame:
            return np.tile(self.fixed.R @ self.R, (len(window), 1, 1))
        return quaternion_to_matrix(window.vector(f"{self.frame}.orientation", "wxyz")) @ self.R_frame

    def position(self, window: Window) -> np.ndarray:
        """(n, 3) global positions."""
        if not self.frame:
            return np.tile(self.fixed.apply(self.p), (len(window), 1))
        R = quaternion_to_matrix(window.vector(f"{self.frame}.orientation", "wxyz"))
        return window.vector(f"{self.frame}.position") + R @ self.p_frame


class Ends:
    """Finds the ends of items."""

    def __init__(self, bodies: Bodies) -> None:
        self._bodies = bodies
        self._items = {item.name: item for item in bodies.model.items}

    def of(self, item: Item) -> list[End]:
        """In the order of its fields; of what acts on joints, both ends of each of them."""
        if isinstance(item, Joint):
            state = self._bodies.placement.joints[item.name]
            return [self._end(item.a, state.X_AJ), self._end(item.b, state.X_BJ)]
        joints = [name for name in self._joints(item) if isinstance(self._items.get(name), Joint)]
        if joints:
            return [end for name in joints for end in self.of(self._items[name])]
        if isinstance(item, Sensor):
            return self._read_by(item)
        if isinstance(item, ControlBlock):
            return self._fed_to(item)
        refs = [ref for _, ref in references(item)]
        if not refs and getattr(item, "body", None) in self._bodies.items:
            refs = [MarkerRef(body=item.body)]  # type: ignore[attr-defined]
        return [self._marker(ref) for ref in refs]

    def header(self, end: End) -> dict[str, Any]:
        """An end as the page reads it."""
        bodies = self._bodies
        found: dict[str, Any] = {"body": bodies.number[end.body]}
        stations, meshed = bodies.stations.get(end.body), bodies.meshed.get(end.body)
        if stations is not None:
            node, p_BN = bodies.items[end.body].carrier(None, end.p)
            number = stations.at(node)
            S = stations.list[number].axes
            return found | {
                "position": floats(S.T @ (end.p - p_BN)),
                "orientation": quaternion(S.T @ end.R),
                "station": number,
            }
        found |= {"position": floats(end.p), "orientation": quaternion(end.R)}
        if meshed is not None and bodies.items[end.body].flexible:
            found["node"] = nearest_vertex(meshed.made, meshed.skin, end.p)
        return found

    def _joints(self, item: Item) -> list[str]:
        if hasattr(item, "joint"):
            return [item.joint]
        return list(dict.fromkeys(each.joint for each in item.couples))

    def _read_by(self, sensor: Sensor) -> list[End]:
        owner, _, _ = sensor.of.rpartition(".")
        name, marker = split(owner, self._bodies.items)
        if name in self._bodies.items:
            known = marker in self._bodies.items[name].marker_names
            return [self._marker(MarkerRef(body=name, marker=marker if known else None))]
        other = self._items.get(owner)
        return self.of(other) if other is not None and other is not sensor else []

    def _fed_to(self, block: ControlBlock) -> list[End]:
        """Where the first sensor reads that its inputs come from, by way of other blocks if need be."""
        waiting, seen = [block.name], {block.name}
        while waiting:
            item = self._items[waiting.pop(0)]
            if isinstance(item, Sensor) and (ends := self._read_by(item)):
                return ends
            names = [name for _, function in functions_in(item) for name in function.sensors]
            waiting += [name for name in dict.fromkeys(names) if name in self._items and name not in seen]
            seen.update(names)
        return []

    def _marker(self, ref: MarkerRef) -> End:
        p, R = attachment(self._bodies.items, ref)
        return self._end(ref, Pose(p, np.eye(3) if R is None else R))

    def _end(self, ref: MarkerRef, X_BM: Pose) -> End:
        bodies, name = self._bodies, ref.body
        if name == GROUND:
            return End(GROUND, X_BM.p, X_BM.R)
        body, frame, p_frame = bodies.items[name], name, X_BM.p
        stations, meshed = bodies.stations.get(name), bodies.meshed.get(name)
        if stations is not None:
            node, p_BN = body.carrier(None, X_BM.p)
            frame, p_frame = stations.beam.node_name(node), X_BM.p - p_BN
        elif meshed is not None and body.flexible:
            points = meshed.made.points
            size = float(np.ptp(meshed.made.nodes, axis=0).max())
            near = np.linalg.norm(points - X_BM.p, axis=1) if len(points) else np.array([np.inf])
            k = int(np.argmin(near))
            if near[k] <= NEAR * size and bodies.recorded(f"{name}.{meshed.made.interfaces[k]}"):
                frame, p_frame = f"{name}.{meshed.made.interfaces[k]}", X_BM.p - points[k]
        if not bodies.recorded(frame):
            return End(name, X_BM.p, X_BM.R, fixed=bodies.placement.poses[name])
        return End(name, X_BM.p, X_BM.R, frame, p_frame, X_BM.R)
