"""Where the bodies of a model are and how they move at the start.

A body whose position or orientation is given stands there. Every other body is put on by a joint: its
marker meets that of a body which already has its place, with the joint variables at their `start` (else at
the value of a motor that prescribes the position, else 0),

    X_WB = X_WA X_AJ P(start) X_BJ⁻¹        FTG (6.1)

where X_AJ, X_BJ are the joint frames on the two bodies. Joints that leave no open question, because nothing
slides in them or `start` is given, come before those with a free translation; then the order of the
declaration counts. A joint given by the global point `at` puts on no body. Bodies that no joint leads to
start at the global origin.

The joint frame on A is the marker's orientation times the joint's own `frame`. On B it is the same, if the
marker on B has an orientation or the body has been put on by joints; if the user placed B, its frame is the
one that makes the joint variables `start` in this very position.

Velocities are found in the same way: given ones are kept, every other body moves with a neighbour as if the
joint were rigid, plus the joint's `start_rate`.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from flexor.bodies import Body, MarkerRef
from flexor.errors import LawError
from flexor.joints import Joint, Motor
from flexor.joints.motor import variable_index
from flexor.joints.pose_constraint import locks
from flexor.joints.variable import nearest, patterns, value_and_rate
from flexor.spatial import Pose, exp_so3, log_so3, quaternion_to_matrix, shift_twist

GROUND = "ground"


@dataclass(frozen=True)
class JointState:
    """A joint in the initial position: its frames on the bodies A and B, its variables and their rates."""

    X_AJ: Pose
    X_BJ: Pose
    X_WJa: Pose
    X_WJb: Pose
    values: tuple[float, ...]
    rates: tuple[float, ...]


@dataclass
class Placement:
    """Initial poses X_WB and twists (v of the origin, ω; global axes) of the bodies, and the joints."""

    poses: dict[str, Pose] = field(default_factory=lambda: {GROUND: Pose()})
    twists: dict[str, np.ndarray] = field(default_factory=lambda: {GROUND: np.zeros(6)})
    put_on_by: dict[str, str] = field(default_factory=dict)
    joints: dict[str, JointState] = field(default_factory=dict)

    def point(self, bodies: Mapping[str, Body], ref: MarkerRef) -> np.ndarray:
        """Global position of an attachment."""
        return self.poses[ref.body].apply(attachment(bodies, ref)[0])


def place(items: Iterable[Any]) -> Placement:
    """The initial position of these items, whose references must be sound."""
    items = list(items)
    bodies = {item.name: item for item in items if isinstance(item, Body)}
    joints = [item for item in items if isinstance(item, Joint)]
    motors: dict[str, list[Motor]] = {}
    for item in items:
        if isinstance(item, Motor):
            motors.setdefault(item.joint, []).append(item)
    result = Placement()
    frames = {joint.name: _marker_frames(bodies, joint) for joint in joints}
    _place_bodies(result, bodies, joints, lambda joint: start_values(joint, motors), frames)
    by_joints = set(result.put_on_by.values())
    for joint in joints:
        X_AJ, X_BJ = frames[joint.name]
        if joint.at is not None or joint.name not in by_joints:
            X_AJ, X_BJ = _fitted(result, bodies, joint, X_AJ, X_BJ)
        X_WJa, X_WJb = result.poses[joint.a.body] @ X_AJ, result.poses[joint.b.body] @ X_BJ
        values, rates = _measure(joint, X_WJa, X_WJb, (np.zeros(6), np.zeros(6)), start_values(joint, motors))
        result.joints[joint.name] = JointState(X_AJ, X_BJ, X_WJa, X_WJb, values, rates)
    _move_bodies(result, bodies, joints, motors)
    for joint in joints:
        state = result.joints[joint.name]
        twists = (
            shift_twist(result.twists[joint.a.body], state.X_WJa.p - result.poses[joint.a.body].p),
            shift_twist(result.twists[joint.b.body], state.X_WJb.p - result.poses[joint.b.body].p),
        )
        _, rates = _measure(joint, state.X_WJa, state.X_WJb, twists, state.values)
        result.joints[joint.name] = replace(state, rates=rates)
    return result


def moved(
    placement: Placement, items: Iterable[Any], poses: Mapping[str, Pose], twists: Mapping[str, np.ndarray]
) -> Placement:
    """The placement with the bodies at other poses and velocities; joint frames stay where they are on the bodies."""
    result = replace(placement, poses={**placement.poses, **poses}, twists={**placement.twists, **twists}, joints={})
    for joint in (item for item in items if isinstance(item, Joint)):
        old = placement.joints[joint.name]
        (A, a), (B, b) = ((result.poses[ref.body], result.twists[ref.body]) for ref in (joint.a, joint.b))
        X_WJa, X_WJb = A @ old.X_AJ, B @ old.X_BJ
        at_joint = shift_twist(a, X_WJa.p - A.p), shift_twist(b, X_WJb.p - B.p)
        values, rates = _measure(joint, X_WJa, X_WJb, at_joint, old.values)
        result.joints[joint.name] = JointState(old.X_AJ, old.X_BJ, X_WJa, X_WJb, values, rates)
    return result


def poses_at_zero(items: Iterable[Any], placement: Placement) -> dict[str, Pose]:
    """Where the bodies would be with all joint variables zero, the joint frames on them as in this placement."""
    items = list(items)
    bodies = {item.name: item for item in items if isinstance(item, Body)}
    joints = [item for item in items if isinstance(item, Joint)]
    frames = {name: (state.X_AJ, state.X_BJ) for name, state in placement.joints.items()}
    result = Placement()
    _place_bodies(result, bodies, joints, lambda joint: (0.0,) * len(joint.variables), frames)
    return result.poses


def gaps(joint: Joint, state: JointState) -> tuple[float, float]:
    """How far the frames of a joint are apart [m] and turned against each other [rad] in what it locks."""
    d = state.X_WJa.R.T @ (state.X_WJb.p - state.X_WJa.p)
    points, pairs = locks(joint.translations, joint.rotations)
    P = joint.relative_pose(state.values)
    tilt = float(np.linalg.norm(log_so3(P.R.T @ state.X_WJa.R.T @ state.X_WJb.R))) if pairs else 0.0
    return float(np.linalg.norm(d[points])), tilt


def attachment(bodies: Mapping[str, Body], ref: MarkerRef) -> tuple[np.ndarray, np.ndarray | None]:
    """Position of an attachment in its body's axes, and its orientation there if it has one."""
    marker: Any = bodies[ref.body].marker(ref.marker) if ref.marker is not None else ref
    p = np.array(marker.at if marker.at is not None else (0.0, 0.0, 0.0))
    return p, None if marker.orientation is None else quaternion_to_matrix(marker.orientation)


def _measure(
    joint: Joint, X_WJa: Pose, X_WJb: Pose, twists: tuple[np.ndarray, np.ndarray], near: Sequence[float]
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Joint variables and their rates between two frames; angles are counted in the turn of `near`."""
    at_node = [0.0, 0.0, 0.0, *np.eye(3).ravel()]
    x, v = [*X_WJa.p, *X_WJb.p], [*twists[0], *twists[1]]
    R = [*X_WJa.R.ravel(), *X_WJb.R.ravel()]
    found = [value_and_rate(p, 0, at_node * 2, x, R, v) for p in patterns(joint.translations, joint.rotations)]
    values = [value for value, _ in found]
    for i in range(len(joint.translations), len(values)):
        values[i] = nearest(values[i], near[i])
    return tuple(map(float, values)), tuple(float(rate) for _, rate in found)


def start_values(joint: Joint, motors: Mapping[str, list[Motor]]) -> tuple[float, ...]:
    """`start` of a joint, else what motors prescribe at t = 0, else zeros."""
    if joint.start is not None:
        return joint.start
    return _driven(joint, motors, lambda motor: None if motor.position is None else motor.position(0.0))


def start_rates(joint: Joint, motors: Mapping[str, list[Motor]]) -> tuple[float, ...]:
    """`start_rate` of a joint, else what motors prescribe at t = 0, else zeros."""
    if joint.start_rate is not None:
        return joint.start_rate

    def rate(motor: Motor) -> float | None:
        if motor.position is not None:
            return motor.position.derivative(0.0)
        return None if motor.speed is None else motor.speed(0.0)

    return _driven(joint, motors, rate)


def _driven(
    joint: Joint, motors: Mapping[str, list[Motor]], target: Callable[[Motor], float | None]
) -> tuple[float, ...]:
    values = [0.0] * len(joint.variables)
    for motor in motors.get(joint.name, ()):
        try:
            value = target(motor)
        except LawError:  # a table that does not reach t = 0; the run will say so
            value = None
        if value is not None and np.isfinite(value):
            values[variable_index(joint, motor.variable)] = value
    return tuple(values)


def _from_known(
    names: Iterable[str],
    joints: Sequence[Joint],
    known: Mapping[str, Any],
    rank: Callable[[Joint, str], int],
    extend: Callable[[Joint, str], None],
    seed: Callable[[str], None],
) -> None:
    """Walk along the joints from the known bodies to all others.

    Where several joints lead on, that of lowest `rank` (joint, known body) is taken, then the first declared.
    `extend` makes the body known at the other end of a joint, `seed` one that no joint leads to.
    """
    around: dict[str, list[tuple[int, Joint]]] = {}
    for number, joint in enumerate(joints):
        for end in {joint.a.body, joint.b.body}:
            around.setdefault(end, []).append((number, joint))
    ready: list[tuple[int, int, str]] = []

    def reach(body: str) -> None:
        for number, joint in around.get(body, ()):
            heapq.heappush(ready, (rank(joint, body), number, body))

    def walk() -> None:
        while ready:
            _, number, body = heapq.heappop(ready)
            joint = joints[number]
            other = joint.b.body if joint.a.body == body else joint.a.body
            if other not in known:
                extend(joint, body)
                reach(other)

    for body in list(known):
        reach(body)
    walk()
    for name in names:
        if name not in known:
            seed(name)
            reach(name)
            walk()


def _place_bodies(
    result: Placement,
    bodies: Mapping[str, Body],
    joints: Sequence[Joint],
    values: Callable[[Joint], Sequence[float]],
    frames: Mapping[str, tuple[Pose, Pose]],
) -> None:
    for name, body in bodies.items():
        if body.placed:
            R = np.eye(3) if body.orientation is None else quaternion_to_matrix(body.orientation)
            result.poses[name] = Pose(np.array(body.position or (0.0, 0.0, 0.0)), R)
    own = [joint for joint in joints if joint.at is None]
    holding: dict[str, list[Joint]] = {}
    for joint in own:
        if not joint.rotations:
            for end in (joint.a.body, joint.b.body):
                holding.setdefault(end, []).append(joint)

    def rank(joint: Joint, known: str) -> int:
        return int(bool(joint.translations) and not any(values(joint)) and joint.start is None)

    def put(joint: Joint, known: str, variables: Sequence[float]) -> Pose:
        X_AJ, X_BJ = frames[joint.name]
        P = joint.relative_pose(variables)
        if known == joint.a.body:
            return result.poses[known] @ X_AJ @ P @ X_BJ.inverse()
        return result.poses[known] @ X_BJ @ P.inverse() @ X_AJ.inverse()

    def extend(joint: Joint, known: str) -> None:
        new = joint.b.body if known == joint.a.body else joint.a.body
        variables = values(joint)
        if joint.rotations and joint.start is None and not any(variables):
            variables = turned(joint, known, new, variables)
        X = put(joint, known, variables)
        result.poses[new] = X if 3 not in bodies[new].locked else Pose(X.p)
        result.put_on_by[new] = joint.name

    def turned(joint: Joint, known: str, new: str, variables: Sequence[float]) -> Sequence[float]:
        """Angles that were left open, such that another joint which holds the body's orientation fits."""
        for other in holding.get(new, ()):
            base = other.a.body if other.b.body == new else other.b.body
            if base in result.poses:
                R = put(other, base, (0.0,) * len(other.variables)).R
                X_AJ, X_BJ = frames[joint.name]
                poses = {known: result.poses[known], new: Pose(np.zeros(3), R)}
                X_WJa, X_WJb = poses[joint.a.body] @ X_AJ, poses[joint.b.body] @ X_BJ
                found, _ = _measure(joint, X_WJa, X_WJb, (np.zeros(6), np.zeros(6)), variables)
                n = len(joint.translations)
                return (*variables[:n], *found[n:])
        return variables

    def seed(name: str) -> None:
        result.poses[name] = Pose()

    _from_known(bodies, own, result.poses, rank, extend, seed)


def _marker_frames(bodies: Mapping[str, Body], joint: Joint) -> tuple[Pose, Pose]:
    """The joint frames on both bodies: orientation of the marker times the joint's own frame."""
    own = joint.frame
    (p_a, R_a), (p_b, R_b) = attachment(bodies, joint.a), attachment(bodies, joint.b)
    return Pose(p_a, own if R_a is None else R_a @ own), Pose(p_b, own if R_b is None else R_b @ own)


def _fitted(result: Placement, bodies: Mapping[str, Body], joint: Joint, X_AJ: Pose, X_BJ: Pose) -> tuple[Pose, Pose]:
    """The joint frames where the position of the bodies determines them: with `at`, or where the user placed B."""
    X_WA, X_WB = result.poses[joint.a.body], result.poses[joint.b.body]
    P = joint.relative_pose(joint.start or (0.0,) * len(joint.variables))
    if joint.at is not None:
        X_WJ = Pose(np.array(joint.at), joint.frame)
        return X_WA.inverse() @ X_WJ, X_WB.inverse() @ X_WJ @ P
    placed = bodies.get(joint.b.body) or bodies.get(joint.a.body)  # the ground has no orientation of its own
    if placed is not None and placed.placed and attachment(bodies, joint.b)[1] is None:
        X_BJ = Pose(X_BJ.p, X_WB.R.T @ X_WA.R @ X_AJ.R @ P.R)
    return X_AJ, X_BJ


def _move_bodies(
    result: Placement,
    bodies: Mapping[str, Body],
    joints: Sequence[Joint],
    motors: Mapping[str, list[Motor]],
) -> None:
    for name, body in bodies.items():
        if body.velocity is not None or body.angular_velocity is not None:
            zero = (0.0, 0.0, 0.0)
            result.twists[name] = np.array([*(body.velocity or zero), *(body.angular_velocity or zero)])

    def rank(joint: Joint, known: str) -> int:
        if joint.start_rate is not None or any(start_rates(joint, motors)):
            return 0
        return 1 if np.any(result.twists[known]) else 2

    def extend(joint: Joint, known: str) -> None:
        forward = known == joint.a.body
        new = joint.b.body if forward else joint.a.body
        state = result.joints[joint.name]
        added = _relative_twist(joint, state, start_rates(joint, motors))
        at_joint = shift_twist(result.twists[known], state.X_WJb.p - result.poses[known].p)
        at_joint = at_joint + added if forward else at_joint - added
        result.twists[new] = shift_twist(at_joint, result.poses[new].p - state.X_WJb.p)
        if 3 in bodies[new].locked:
            result.twists[new][3:] = 0.0

    def seed(name: str) -> None:
        result.twists[name] = np.zeros(6)

    _from_known(bodies, joints, result.twists, rank, extend, seed)


def _relative_twist(joint: Joint, state: JointState, rates: Sequence[float]) -> np.ndarray:
    """Velocity of B's joint point relative to body A, and B's spin relative to A's, in global axes."""
    v, omega, R = np.zeros(3), np.zeros(3), state.X_WJa.R
    n = len(joint.translations)
    for axis, rate in zip(joint.translations, rates):
        v = v + rate * R[:, "xyz".index(axis)]
    for axis, value, rate in zip(joint.rotations, state.values[n:], rates[n:], strict=True):
        i = "xyz".index(axis)
        omega = omega + rate * R[:, i]
        R = R @ exp_so3(value * np.eye(3)[i])
    return np.concatenate([v, omega])
