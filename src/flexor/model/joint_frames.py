"""The frames of joints on their bodies, and where these stand, in arrays: large models have thousands of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexor.joints import Joint
from flexor.joints.batches import Frames, Markers
from flexor.spatial import Pose, stacked


@dataclass(frozen=True)
class Stands:
    """Where bodies stand: number of each by its name, positions x (n, 3) and orientations R (n, 3, 3)."""

    number: Mapping[str, int]
    x: np.ndarray
    R: np.ndarray

    @classmethod
    def of(cls, poses: Mapping[str, Pose]) -> Stands:
        x, R = stacked([X.p for X in poses.values()], 3), stacked([X.R for X in poses.values()], 3, 3)
        return cls({name: i for i, name in enumerate(poses)}, x, R)

    def pose(self, body: str) -> Pose:
        """Of one of them."""
        i = self.number[body]
        return Pose.trusted(self.x[i].copy(), self.R[i].copy())

    def ends(self, joints: Sequence[Joint]) -> tuple[np.ndarray, np.ndarray]:
        """Numbers of the bodies A and B of each joint."""
        a, b = [self.number[joint.a.body] for joint in joints], [self.number[joint.b.body] for joint in joints]
        return np.array(a, dtype=int), np.array(b, dtype=int)


class JointFrames:
    """Origins p (n, 3) and axes R (n, 3, 3) of the frames of joints on their bodies A and B; `frames[name]`: X_AJ and X_BJ of one."""

    def __init__(
        self, number: Mapping[str, int], p_A: np.ndarray, R_A: np.ndarray, p_B: np.ndarray, R_B: np.ndarray
    ) -> None:
        self.number, self.p_A, self.R_A, self.p_B, self.R_B = number, p_A, R_A, p_B, R_B

    @classmethod
    def of(cls, frames: Mapping[str, tuple[Pose, Pose]]) -> JointFrames:
        """From the two frames of each joint."""
        A, B = [A for A, _ in frames.values()], [B for _, B in frames.values()]
        arrays = [
            each for side in (A, B) for each in (stacked([X.p for X in side], 3), stacked([X.R for X in side], 3, 3))
        ]
        return cls({name: i for i, name in enumerate(frames)}, *arrays)

    def __getitem__(self, name: str) -> tuple[Pose, Pose]:
        i = self.number[name]
        A, B = (self.p_A[i], self.R_A[i]), (self.p_B[i], self.R_B[i])
        return Pose.trusted(*(each.copy() for each in A)), Pose.trusted(*(each.copy() for each in B))

    def put(self, name: str, X_AJ: Pose, X_BJ: Pose) -> None:
        """Other frames of a joint."""
        i = self.number[name]
        self.p_A[i], self.R_A[i], self.p_B[i], self.R_B[i] = X_AJ.p, X_AJ.R, X_BJ.p, X_BJ.R

    def markers(self, joints: Sequence[Joint], stands: Stands) -> Markers:
        """As markers on the bodies of that number; joints: all of these, in their order."""
        return Markers(*stands.ends(joints), self.p_A, self.R_A, self.p_B, self.R_B)


class JointState:
    """A joint in the initial position: its frames on the bodies A and B, and globally, its variables and their rates."""

    __slots__ = ("_among", "_number", "rates", "values")

    def __init__(self, among: JointStates, number: int, values: tuple[float, ...], rates: tuple[float, ...]) -> None:
        self._among, self._number, self.values, self.rates = among, number, values, rates

    def at(self, values: tuple[float, ...]) -> JointState:
        """The same with other values of its variables, as with the turns that they have made."""
        return JointState(self._among, self._number, values, self.rates)

    @property
    def on_bodies(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Origin and axes of its frame on A, and of that on B."""
        frames, i = self._among.frames, self._number
        return frames.p_A[i], frames.R_A[i], frames.p_B[i], frames.R_B[i]

    @property
    def X_AJ(self) -> Pose:
        frames, i = self._among.frames, self._number
        return Pose.frozen(frames.p_A[i], frames.R_A[i])

    @property
    def X_BJ(self) -> Pose:
        frames, i = self._among.frames, self._number
        return Pose.frozen(frames.p_B[i], frames.R_B[i])

    @property
    def X_WJa(self) -> Pose:
        among, i = self._among, self._number
        return Pose.frozen(among.x_a[i], among.stand.A[i])

    @property
    def X_WJb(self) -> Pose:
        among, i = self._among, self._number
        return Pose.frozen(among.x_b[i], among.stand.B[i])


class JointStates(Mapping[str, JointState]):
    """All joints in the initial position, by name.

    stand: axes of their frames, globally.   x_a, x_b: origins of these.   first: of the variables of each, one more than joints.
    """

    def __init__(
        self,
        frames: JointFrames,
        stand: Frames,
        origins: tuple[np.ndarray, np.ndarray],
        first: Sequence[int],
        values: np.ndarray,
        rates: np.ndarray,
    ) -> None:
        self.frames, self.stand, self.values_of_all = frames, stand, values
        self.x_a, self.x_b = origins
        for array in (frames.p_A, frames.R_A, frames.p_B, frames.R_B, self.x_a, self.x_b, stand.A, stand.B):
            array.setflags(write=False)
        self._first, self._values, self._rates = first, values.tolist(), rates.tolist()

    def __getitem__(self, name: str) -> JointState:
        i = self.frames.number[name]
        first, last = self._first[i], self._first[i + 1]
        return JointState(self, i, tuple(self._values[first:last]), tuple(self._rates[first:last]))

    def __iter__(self) -> Iterator[str]:
        return iter(self.frames.number)

    def __len__(self) -> int:
        return len(self.frames.number)

    @cached_property
    def origins(self) -> np.ndarray:
        """Of all frames, globally [m], (2 n, 3)."""
        return np.concatenate([self.x_a, self.x_b])
