"""A beam: stations along its line, each a section with its outline; a row holds the frame that follows it, then their poses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from flexor.bodies import Beam
from flexor.spatial import Pose, continuous_quaternions, matrix_to_quaternion, quaternion_to_matrix
from flexor.viewer.beam_frame import frames_of
from flexor.viewer.outline import outline_of
from flexor.viewer.picture import POSE, pose_row
from flexor.viewer.primitive import points_of
from flexor.viewer.rows import Window

SLENDER = 0.02
"""Size of a section that tells none, in parts of the beam's length."""
SAME = 1e-9


@dataclass(frozen=True, eq=False)
class Station:
    """A section: the node that carries it, its axes in the body's, its outline (k, 2) [m]."""

    node: int
    axes: np.ndarray
    outline: np.ndarray


class Stations:
    """The stations of a beam: one at each node, two where the section or its axes jump.

    weights: of its nodes' places and turns, for the frame that its deflection is seen from (`beam_frame`).
    """

    def __init__(self, beam: Beam, weights: tuple[np.ndarray, np.ndarray]) -> None:
        self.beam, self._weights = beam, weights
        x, S, s = beam.geometry
        outlines = [outline_of(section) for section, _ in beam.profiles]
        side = SLENDER * float(s[-1]) / 2
        plain = np.array([(side, side), (-side, side), (-side, -side), (side, -side)])
        shown = [plain if outline is None else outline for outline in outlines]
        most = max(map(len, shown))
        shown = [_resampled(outline, most) for outline in shown]
        found: list[Station] = []
        self.sides: list[list[tuple[int, int]]] = []
        """Ends of elements (number, 0 or 1) that meet in each station."""
        for i, outline in enumerate(shown):
            for end in (0, 1):
                station = Station(i + end, S[i, end], outline)
                if not (found and _same(found[-1], station)):
                    found.append(station)
                    self.sides.append([])
                self.sides[-1].append((i, end))
        self.list = found
        self.x = x

    def at(self, node: int) -> int:
        """Number of the station at a node."""
        return next(i for i, station in enumerate(self.list) if station.node == node)

    def header(self) -> dict[str, Any]:
        outlines = [points_of(station.outline) for station in self.list]
        return {
            "stations": len(self.list),
            "poses": POSE,
            "outlines": outlines,
            "rest": points_of(self.still(Pose()).reshape(-1, POSE)[1:]),
        }

    def moving(self, window: Window) -> np.ndarray:
        """(n, 7 + 7 stations) from the recorded nodes."""
        names = [self.beam.node_name(i) for i in range(len(self.x))]
        x = np.stack([window.vector(f"{name}.position") for name in names], axis=1)
        A = np.stack([quaternion_to_matrix(window.vector(f"{name}.orientation", "wxyz")) for name in names], axis=1)
        return self.rows(x, A)

    def rows(self, x: np.ndarray, A: np.ndarray) -> np.ndarray:
        """(n, 7 + 7 stations) from nodes at x (n, nodes, 3), turned by A (n, nodes, 3, 3)."""
        poses = [frames_of(x, A, self.x, *self._weights)]
        for station in self.list:
            q = continuous_quaternions(matrix_to_quaternion(A[:, station.node] @ station.axes))
            poses.append(np.hstack([x[:, station.node], q]))
        return np.hstack(poses)

    def still(self, pose: Pose) -> np.ndarray:
        rows = [np.concatenate([pose.apply(self.x[s.node]), matrix_to_quaternion(pose.R @ s.axes)]) for s in self.list]
        return np.concatenate([pose_row(pose), *rows])

    @property
    def width(self) -> int:
        return POSE * (1 + len(self.list))

    @property
    def corners(self) -> np.ndarray:
        """Points that span it, in the body's axes."""
        far = [self.x[s.node] + np.pad(s.outline, ((0, 0), (1, 0))) @ s.axes.T for s in self.list]
        return np.concatenate(far)


def _same(a: Station, b: Station) -> bool:
    near = bool(np.abs(a.axes - b.axes).max() < SAME)
    return a.node == b.node and near and np.array_equal(a.outline, b.outline)


def _resampled(outline: np.ndarray, count: int) -> np.ndarray:
    """The same polygon with more corners, so that all sections of a beam have equally many."""
    if len(outline) == count:
        return outline
    closed = np.vstack([outline, outline[:1]])
    s = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(closed, axis=0), axis=1))])
    at = np.linspace(0.0, s[-1], count, endpoint=False)
    return np.stack([np.interp(at, s, closed[:, i]) for i in (0, 1)], axis=1)
