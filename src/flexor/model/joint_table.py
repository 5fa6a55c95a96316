"""All joints of a model in arrays: their frames on the bodies and their free and locked motions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np

from flexor.coordinates.measure import TRANSLATION, VECTOR, Measure
from flexor.joints import Joint
from flexor.joints.batches import Frames, Markers, Values, turned_frames, variable_rows
from flexor.joints.kinematics import FreeMotions
from flexor.model.joint_frames import JointFrames, JointState, JointStates, Stands
from flexor.spatial import log_so3, stacked

_FULL_TURN = 2.0 * np.pi


class JointTable:
    """Joints by number, their variables and locked motions by row.

    variable_of, measures     joint and `Measure` of each variable, in the joints' order
    point_of, axis, fixed     joint and axis of each locked translation; fixed: along global axes, as all three are locked
    pair_of, pairs            joint and axes (i, j) of each pair A_i ⊥ B_j
    bisects                   whether its row is A_i · B_j − A_j · B_i
    angular, turning          whether a variable is an angle, and whether it counts turns
    """

    def __init__(self, joints: Sequence[Joint], markers: Markers) -> None:
        self.joints, self.markers = list(joints), markers
        self.number = {joint.name: i for i, joint in enumerate(self.joints)}
        free = [joint.free for joint in self.joints]
        different = {id(each): each for each in free}
        place = {key: i for i, key in enumerate(different)}
        which = np.array([place[id(each)] for each in free], dtype=int)
        kinds = [_kind(each) for each in different.values()]
        number, chosen = np.arange(len(free)), which.tolist()
        counts = np.array([len(words) // Measure.WORDS for words, _, _, _ in kinds], dtype=int)[which]
        self.variable_of = np.repeat(number, counts)
        self.first = np.concatenate([[0], np.cumsum(counts)])
        self.measures = np.concatenate([np.zeros(0), *(kinds[i][0] for i in chosen)]).view(Measure.dtype())
        self.angular = self.measures["kind"] != TRANSLATION
        self.turning = self.angular & (self.measures["kind"] != VECTOR)
        self.locked = np.array([kind[1] for kind in kinds], dtype=bool).reshape(-1, 3)[which]
        self.point_of, self.axis = np.nonzero(self.locked)
        self.fixed = np.all(self.locked[self.point_of], axis=1)
        self.pair_of = np.repeat(number, np.array([len(kind[2]) for kind in kinds], dtype=int)[which])
        self.pairs = np.concatenate([np.zeros((0, 2), dtype=int), *(kinds[i][2] for i in chosen)])
        self.by_vector = np.array([each.by_vector for each in different.values()], dtype=bool)[which]
        self.bisects = np.array([each.bisecting for each in different.values()], dtype=bool)[which][self.pair_of]
        self.axes = np.array([kind[3] for kind in kinds], dtype=int).reshape(-1, 3)[which]

    def variables(self, frames: Frames) -> Values:
        """Values of all variables, angles in [−π, π], and their gradients."""
        return variable_rows(frames, self.variable_of, self.measures)

    def gaps(self, frames: Frames, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How far the frames of each joint are apart [m] and turned against each other [rad] in what it locks."""
        d = (np.swapaxes(frames.A, 1, 2) @ frames.d[..., None])[..., 0]
        angles = np.zeros((len(self.joints), 3))
        first = self.first[:-1] + np.bincount(self.variable_of[~self.angular], minlength=len(self.joints))
        slot = np.arange(len(values)) - first[self.variable_of]
        angles[self.variable_of[self.angular], slot[self.angular]] = values[self.angular]
        P = turned_frames(self.axes, angles)
        for i in np.flatnonzero(self.by_vector):
            P[i] = self.joints[i].free.pose(values[self.first[i] : self.first[i + 1]]).R
        tilt = np.linalg.norm(log_so3(np.swapaxes(P, 1, 2) @ np.swapaxes(frames.A, 1, 2) @ frames.B), axis=1)
        held = np.bincount(self.pair_of, minlength=len(self.joints)) > 0
        return np.linalg.norm(np.where(self.locked, d, 0.0), axis=1), np.where(held, tilt, 0.0)


class PlacedJoints:
    """The joints with their frames, on bodies that stand somewhere."""

    def __init__(self, joints: Sequence[Joint], frames: JointFrames, stands: Stands) -> None:
        self._frames, self._bodies = frames, stands.number
        self._table = JointTable(joints, frames.markers(joints, stands))
        found = self._at = self._table.markers.frames(stands.x, stands.R)
        self._values, self._gradient = self._table.variables(found)
        a, b = self._table.markers.a, self._table.markers.b
        self._origins = stands.x[a] + found.s_a, stands.x[b] + found.s_b

    def states(self, twists: Mapping[str, np.ndarray], near: Sequence[Sequence[float]]) -> JointStates:
        """The joints with bodies at these velocities (those that are not named stand still); angles are counted in the turn of `near`."""
        table, close = self._table, _in_one(near)
        off = self._values - close
        turns = np.floor(off / _FULL_TURN + 0.5 - 1e-9)  # of half a turn the positive one, whatever its rounding
        self._values = np.where(table.turning, close + off - _FULL_TURN * turns, self._values)
        rates = np.zeros(len(self._values))
        if twists:
            still = np.zeros(6)
            v = stacked([twists.get(name, still) for name in self._bodies], 6)
            ends = np.concatenate([v[table.markers.a], v[table.markers.b]], axis=1)
            rates = np.sum(self._gradient * ends[table.variable_of], axis=1)
        return JointStates(self._frames, self._at, self._origins, table.first.tolist(), self._values, rates)

    def gaps(self) -> dict[str, tuple[float, float]]:
        """How far the frames of each joint are apart [m] and turned against each other [rad] in what it locks."""
        gap, tilt = self._table.gaps(self._at, self._values)
        return dict(zip(self._frames.number, zip(gap.tolist(), tilt.tolist()), strict=True))


def _in_one(values: Sequence[Sequence[float]]) -> np.ndarray:
    return np.array([each for own in values for each in own], dtype=float)


def gaps(joints: Sequence[Joint], states: Sequence[JointState]) -> tuple[np.ndarray, np.ndarray]:
    """How far the frames of each joint are apart [m] and turned against each other [rad] in what it locks."""
    none, same = np.zeros(3), np.eye(3)
    ends = [(2 * i, none, same, 2 * i + 1, none, same) for i in range(len(joints))]
    poses = [X for state in states for X in (state.X_WJa, state.X_WJb)]
    table = JointTable(joints, Markers.of(ends))
    x, R = stacked([X.p for X in poses], 3), stacked([X.R for X in poses], 3, 3)
    return table.gaps(table.markers.frames(x, R), _in_one([state.values for state in states]))


@cache
def _kind(free: FreeMotions) -> tuple[np.ndarray, list[bool], np.ndarray, list[int]]:
    """Measures of the variables, whether each translation is locked, perpendicular axes, axes of rotation (padded)."""
    points, pairs = free.locked_translations, free.perpendicular_axes
    axes = ["xyz".index(axis) for axis in free.rotations]
    return (
        np.concatenate([np.zeros(0), *(measure.words for measure in free.measures)]),
        [i in points for i in range(3)],
        np.array(pairs, dtype=int).reshape(-1, 2),
        axes + [0] * (3 - len(axes)),
    )
