"""A joint in the initial position: its frames on the bodies, its variables and their rates, what is stated about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from flexor.bodies import Body, MarkerRef
from flexor.bodies.marker import Marker, Site
from flexor.coordinates.between import Between
from flexor.coordinates.measure import nearest
from flexor.effects import Drive
from flexor.errors import LawError
from flexor.joints import Joint
from flexor.joints.motor import variable_index
from flexor.model.joint_frames import JointFrames, JointState
from flexor.spatial import Pose, about, quaternion_to_matrix, stacked

GROUND = "ground"


@dataclass(frozen=True)
class Undecided:
    """Two bodies of which either might rest, and the joint whose rate moves them against each other."""

    joint: str
    rests: str
    moves: str


@dataclass
class Placement:
    """Initial poses X_WB and twists (v of the origin, ω; global axes) of the bodies, and the joints."""

    poses: dict[str, Pose] = field(default_factory=lambda: {GROUND: Pose()})
    twists: dict[str, np.ndarray] = field(default_factory=lambda: {GROUND: np.zeros(6)})
    put_on_by: dict[str, str] = field(default_factory=dict)
    joints: Mapping[str, JointState] = field(default_factory=dict)
    undecided: list[Undecided] = field(default_factory=list)
    declared: Placement | None = None
    """The bodies as they are declared, where they have been brought elsewhere since, and that is known."""
    closed: Placement | None = None
    """The bodies with their loops closed, where that is known: springs and rods whose length is left out are as long as there."""

    def point(self, bodies: Mapping[str, Body], ref: MarkerRef) -> np.ndarray:
        """Global position of an attachment."""
        return self.poses[ref.body].apply(attachment(bodies, ref)[0])

    def points(self, bodies: Mapping[str, Body], refs: Sequence[MarkerRef]) -> np.ndarray:
        """The same of several attachments, (n, 3)."""
        poses = [self.poses[ref.body] for ref in refs]
        x, R = stacked([pose.p for pose in poses], 3), stacked([pose.R for pose in poses], 3, 3)
        return (R @ points_on(bodies, refs)[..., None])[..., 0] + x


def has_axes(bodies: Mapping[str, Body], ref: MarkerRef) -> bool:
    """Whether an attachment has an orientation of its own in its body."""
    return _orientation(bodies, ref) is not None


def _orientation(bodies: Mapping[str, Body], ref: MarkerRef) -> tuple[float, ...] | None:
    """Orientation of an attachment in its body, a quaternion; None if it has none."""
    return ref.orientation if ref.marker is None else bodies[ref.body].marker(ref.marker).orientation


def points_on(bodies: Mapping[str, Body], refs: Sequence[MarkerRef]) -> np.ndarray:
    """Positions of attachments in the axes of their bodies, (n, 3)."""
    found = [(ref if ref.marker is None else bodies[ref.body].marker(ref.marker)).at or _ORIGIN for ref in refs]
    return np.array(found, dtype=float).reshape(-1, 3)


_ORIGIN = (0.0, 0.0, 0.0)


def attachment(bodies: Mapping[str, Body], ref: MarkerRef) -> tuple[np.ndarray, np.ndarray | None]:
    """Position of an attachment in its body's axes, and its orientation there if it has one."""
    marker: Marker | MarkerRef = bodies[ref.body].marker(ref.marker) if ref.marker is not None else ref
    p = np.array(marker.at or _ORIGIN)
    return p, None if marker.orientation is None else quaternion_to_matrix(marker.orientation)


AT_NODE = Site(0, np.zeros(3), np.eye(3))
"""A marker that sits on its node, with its axes."""


def measure(joint: Joint, X_WJa: Pose, X_WJb: Pose, near: Sequence[float]) -> tuple[float, ...]:
    """Joint variables between two frames; angles are counted in the turn of `near`."""
    x, v = [*X_WJa.p, *X_WJb.p], [0.0] * 12
    R = [*X_WJa.R.ravel(), *X_WJb.R.ravel()]
    values = [Between(m, AT_NODE, AT_NODE).value_and_rate(x, R, v)[0] for m in joint.free.measures]
    for i in range(len(joint.translations), len(values)):
        values[i] = nearest(values[i], near[i])
    return tuple(map(float, values))


def start_values(joint: Joint, drives: Mapping[str, list[Drive]]) -> tuple[float, ...]:
    """`start` of a joint, else what motors prescribe at t = 0, else zeros."""
    if joint.start is not None:
        return joint.start
    return _driven(joint, drives, Drive.value)


def start_rates(joint: Joint, drives: Mapping[str, list[Drive]]) -> tuple[float, ...]:
    """`start_rate` of a joint, else what motors prescribe at t = 0, else zeros."""
    if joint.start_rate is not None:
        return joint.start_rate
    return _driven(joint, drives, Drive.rate)


def _driven(
    joint: Joint, drives: Mapping[str, list[Drive]], target: Callable[[Drive], float | None]
) -> tuple[float, ...]:
    if joint.name not in drives:
        return (0.0,) * len(joint.variables)
    values = [0.0] * len(joint.variables)
    for drive in drives[joint.name]:
        try:
            value = target(drive)
        except LawError:  # a table that does not reach t = 0; the run will say so
            value = None
        if value is not None and np.isfinite(value):
            values[variable_index(joint, drive.variable)] = value
    return tuple(values)


def marker_frames(bodies: Mapping[str, Body], joints: Sequence[Joint]) -> JointFrames:
    """The frames of each joint on both bodies: orientation of the marker times the joint's own frame."""
    own, n = stacked([joint.frame for joint in joints], 3, 3), len(joints)
    refs = [*[joint.a for joint in joints], *[joint.b for joint in joints]]
    p, R = points_on(bodies, refs), np.concatenate([own, own])
    for i, ref in enumerate(refs):
        if (ref.orientation is not None or ref.marker is not None) and (q := _orientation(bodies, ref)) is not None:
            R[i] = quaternion_to_matrix(q) @ R[i]
    return JointFrames({joint.name: i for i, joint in enumerate(joints)}, p[:n], R[:n], p[n:], R[n:])


def relative_twist(joint: Joint, state: JointState, rates: Sequence[float]) -> np.ndarray:
    """Velocity of B's joint point relative to body A, and B's spin relative to A's, in global axes."""
    v, omega, R = np.zeros(3), np.zeros(3), state.X_WJa.R
    n = len(joint.translations)
    for axis, rate in zip(joint.translations, rates):
        v = v + rate * R[:, "xyz".index(axis)]
    if joint.free.by_vector:
        return np.concatenate([v, _turning(joint, state, rates[n:])])
    for axis, value, rate in zip(joint.rotations, state.values[n:], rates[n:], strict=True):
        i = "xyz".index(axis)
        omega = omega + rate * R[:, i]
        R = R @ about(i, value)
    return np.concatenate([v, omega])


def _turning(joint: Joint, state: JointState, rates: Sequence[float]) -> np.ndarray:
    """Spin of B against A where components of the rotation vector change at these rates, and what is locked does not."""
    A, B, n = state.X_WJa, state.X_WJb, len(joint.translations)
    x, R = [*A.p, *B.p], [*A.R.ravel(), *B.R.ravel()]
    gradients = [Between(m, AT_NODE, AT_NODE).gradient(x, R)[9:] for m in joint.free.measures[n:]]
    locked = joint.free.turnings(A.R, B.R)
    return np.linalg.solve(np.array([*gradients, *locked]), [*rates, *[0.0] * len(locked)])
