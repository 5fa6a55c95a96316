"""Where the bodies of a model are and how they move at the start.

A body whose position or orientation is given stands there. Every other body is put on by a joint: its
marker meets that of a body which already has its place, with the joint variables at their `start` (else at
the value of a motor that prescribes the position, else 0),

    X_WB = X_WA X_AJ P(start) X_BJ⁻¹        FTG (6.1)

where X_AJ, X_BJ are the joint frames on the two bodies. Joints that leave no open question, because nothing
slides in them or `start` is given, come before those with a free translation, those of them that turn as well (a pin that may
slide along its axis) before slides; then the order of the declaration counts. A joint given by the global point `at` puts on no body. Bodies that no joint leads to
start at the global origin. What does not fit then (loops, rods, stated values) is brought together in `assembly`.

The joint frame on A is the marker's orientation times the joint's own `frame`. On B it is the same, if the
marker on B has an orientation or the body has been put on by joints; if the user placed B, its frame is the
one that makes the joint variables `start` in this very position.

Velocities are found in the same way: given ones are kept, every other body moves with a neighbour as if the
joint were rigid, plus the joint's `start_rate`; but a body that springs hold on the ground rests where a joint
without a rate lets it. Where nothing tells how any of the bodies moves, one of them rests (`resting`).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from flexor.bodies import Body
from flexor.declaration import Item, answers
from flexor.effects import Drive
from flexor.joints import Joint
from flexor.model.attachments import attachments, references
from flexor.model.joint_frames import JointFrames, JointState, Stands
from flexor.model.joint_state import (
    GROUND,
    Placement,
    attachment,
    has_axes,
    marker_frames,
    measure,
    relative_twist,
    start_rates,
    start_values,
)
from flexor.model.joint_table import PlacedJoints
from flexor.model.resting import Twists, held, resting
from flexor.spatial import Pose, quaternion_to_matrix, shift_twist, stacked


def place(items: Iterable[Item]) -> Placement:
    """The initial position of these items, whose references must be sound."""
    return place_with_gaps(items)[0]


def place_with_gaps(items: Iterable[Item]) -> tuple[Placement, dict[str, tuple[float, float]]]:
    """The same, and how far the frames of each joint are apart [m] and turned against each other [rad] there."""
    items = list(items)
    bodies = {item.name: item for item in items if isinstance(item, Body)}
    joints = [item for item in items if isinstance(item, Joint)]
    drives: dict[str, list[Drive]] = {}
    for item in items:
        if answers(type(item), "drive") and (drive := item.drive) is not None:
            drives.setdefault(drive.joint, []).append(drive)
    result = Placement()
    frames = marker_frames(bodies, joints)
    begin = {joint.name: (start_values(joint, drives), joint.start is not None) for joint in joints}
    _place_bodies(result, bodies, joints, begin, frames)
    by_joints = set(result.put_on_by.values())
    own = [joint for joint in joints if joint.at is not None or joint.name not in by_joints]
    stands = Stands.of(result.poses)
    _fit(frames, stands, bodies, own)
    near = [begin[joint.name][0] for joint in joints]
    placed = PlacedJoints(joints, frames, stands)
    result.joints = placed.states({}, near)
    if _move_bodies(result, bodies, joints, drives, items):
        near = [state.values for state in result.joints.values()]
        result.joints = placed.states(result.twists, near)
    return result, placed.gaps()


def moved(
    placement: Placement, items: Iterable[Item], poses: Mapping[str, Pose], twists: Mapping[str, np.ndarray]
) -> Placement:
    """The placement with the bodies at other poses and velocities; joint frames stay where they are on the bodies."""
    result = replace(placement, poses={**placement.poses, **poses}, twists={**placement.twists, **twists})
    joints = [item for item in items if isinstance(item, Joint)]
    states = {joint.name: placement.joints[joint.name] for joint in joints}
    frames = JointFrames.of({name: (state.X_AJ, state.X_BJ) for name, state in states.items()})
    near = [state.values for state in states.values()]
    result.joints = PlacedJoints(joints, frames, Stands.of(result.poses)).states(result.twists, near)
    return result


def poses_at_zero(items: Iterable[Item], placement: Placement) -> dict[str, Pose]:
    """Where the bodies would be with all joint variables zero, the joint frames on them as in this placement."""
    items = list(items)
    bodies = {item.name: item for item in items if isinstance(item, Body)}
    joints = [item for item in items if isinstance(item, Joint)]
    frames = JointFrames.of({name: (state.X_AJ, state.X_BJ) for name, state in placement.joints.items()})
    result = Placement()
    zero: dict[str, tuple[Sequence[float], bool]] = {
        joint.name: ((0.0,) * len(joint.variables), False) for joint in joints
    }
    _place_bodies(result, bodies, joints, zero, frames)
    return result.poses


def _from_known(
    names: Iterable[str],
    joints: Sequence[Joint],
    known: Mapping[str, object],
    rank: Callable[[Joint, str], int],
    extend: Callable[[Joint, str], None],
    seed: Callable[[str], str],
) -> None:
    """Walk along the joints from the known bodies to all others.

    Where several joints lead on, that of lowest `rank` (joint, known body) is taken, then the first declared.
    `extend` makes the body known at the other end of a joint, `seed` one of those that no joint leads to, and tells which.
    """
    names = list(names)
    if names and all(name in known for name in names):
        return
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
        while name not in known:
            reach(seed(name))
            walk()


_ORIGIN = (0.0, 0.0, 0.0)
_AS_GLOBAL = np.eye(3)
_AS_GLOBAL.setflags(write=False)


def _place_bodies(
    result: Placement,
    bodies: Mapping[str, Body],
    joints: Sequence[Joint],
    begin: Mapping[str, tuple[Sequence[float], bool]],
    frames: JointFrames,
) -> None:
    """Put the bodies on; begin: variables of each joint, and whether they are stated."""
    placed = {name: body for name, body in bodies.items() if body.placed}
    points = np.array([body.position or _ORIGIN for body in placed.values()], dtype=float).reshape(-1, 3)
    points.setflags(write=False)
    for (name, body), p in zip(placed.items(), points):
        q = body.orientation
        result.poses[name] = Pose.frozen(p, _AS_GLOBAL) if q is None else Pose(p, quaternion_to_matrix(q))
    own = [joint for joint in joints if joint.at is None]
    holding: dict[str, list[Joint]] = {}
    for joint in own:
        if not joint.rotations:
            for end in (joint.a.body, joint.b.body):
                holding.setdefault(end, []).append(joint)

    def rank(joint: Joint, known: str) -> int:
        values, stated = begin[joint.name]
        slides = bool(joint.translations) and not stated and not any(values)
        return 0 if not slides else 1 if joint.rotations else 2

    def put(joint: Joint, known: str, values: Sequence[float]) -> Pose:
        X_AJ, X_BJ = frames[joint.name]
        P = joint.free.pose(values)
        if known == joint.a.body:
            return result.poses[known] @ X_AJ @ P @ X_BJ.inverse()
        return result.poses[known] @ X_BJ @ P.inverse() @ X_AJ.inverse()

    def extend(joint: Joint, known: str) -> None:
        new = joint.b.body if known == joint.a.body else joint.a.body
        values, stated = begin[joint.name]
        if joint.rotations and not stated and not any(values):
            values = turned(joint, known, new, values)
        X = put(joint, known, values)
        result.poses[new] = X if 3 not in bodies[new].locked else Pose(X.p)
        result.put_on_by[new] = joint.name

    def turned(joint: Joint, known: str, new: str, values: Sequence[float]) -> Sequence[float]:
        """Angles that were left open, such that another joint which holds the body's orientation fits."""
        for other in holding.get(new, ()):
            base = other.a.body if other.b.body == new else other.b.body
            if base in result.poses:
                R = put(other, base, (0.0,) * len(other.variables)).R
                X_AJ, X_BJ = frames[joint.name]
                poses = {known: result.poses[known], new: Pose(np.zeros(3), R)}
                X_WJa, X_WJb = poses[joint.a.body] @ X_AJ, poses[joint.b.body] @ X_BJ
                found = measure(joint, X_WJa, X_WJb, values)
                n = len(joint.translations)
                return (*values[:n], *found[n:])
        return values

    def seed(name: str) -> str:
        result.poses[name] = Pose()
        return name

    _from_known(bodies, own, result.poses, rank, extend, seed)


def _fit(frames: JointFrames, stands: Stands, bodies: Mapping[str, Body], joints: Sequence[Joint]) -> None:
    """Set the frames of joints where the position of the bodies determines them: with `at`, or where the user placed B."""
    turned = [joint for joint in joints if joint.at is None and _placed(bodies, joint) is not None]
    if turned:
        i, (a, b) = np.array([frames.number[joint.name] for joint in turned]), stands.ends(turned)
        P = stacked([_drawn(joint).R for joint in turned], 3, 3)
        frames.R_B[i] = np.swapaxes(stands.R[b], 1, 2) @ stands.R[a] @ frames.R_A[i] @ P
    for joint in joints:
        if joint.at is not None:
            X_WJ = Pose(np.array(joint.at), joint.drawn_frame)
            X_WA, X_WB = stands.pose(joint.a.body), stands.pose(joint.b.body)
            frames.put(joint.name, X_WA.inverse() @ X_WJ, X_WB.inverse() @ X_WJ @ _drawn(joint))


def _drawn(joint: Joint) -> Pose:
    """Of its frame on B against that on A, as the bodies stand."""
    return joint.free.drawn if joint.start is None else joint.free.pose(joint.start)


def _placed(bodies: Mapping[str, Body], joint: Joint) -> Body | None:
    """The body that the user placed, if the joint's angles count from where it stands."""
    if joint.bisecting:  # its bends are what is between the two shafts
        return None
    b = joint.b
    placed = bodies.get(b.body) or bodies.get(joint.a.body)  # the ground has no orientation of its own
    if placed is None or not placed.placed or has_axes(bodies, b):
        return None
    return placed


def counted_from(placement: Placement, bodies: Mapping[str, Body], joint: Joint) -> Body | None:
    """The body that the user placed, if the joint's angles count from there, and `start` only tells what they are; or None."""
    if joint.at is not None or joint.name in (
        placement.put_on_by.get(joint.a.body),
        placement.put_on_by.get(joint.b.body),
    ):
        return None
    return _placed(bodies, joint)


def _move_marker(result: Placement, bodies: Mapping[str, Body], item: Item, rates: Sequence[float]) -> None:
    """Let a body whose velocity is left open begin with the motion that is prescribed to a marker of it, seen from the ground."""
    refs = dict(references(item))
    on, observer = refs["on"], refs.get("seen_from")
    if on.body in result.twists or (observer is not None and observer.body != GROUND):
        return
    turned = None if observer is None else attachment(bodies, observer)[1]
    R = np.eye(3) if turned is None else turned
    v, omega = R @ rates[:3], R @ rates[3:]
    arm = result.poses[on.body].rotate(attachment(bodies, on)[0])
    result.twists[on.body] = np.concatenate([v - np.cross(omega, arm), omega])


def _move_bodies(
    result: Placement,
    bodies: Mapping[str, Body],
    joints: Sequence[Joint],
    drives: Mapping[str, list[Drive]],
    items: Sequence[Item],
) -> bool:
    """Find the velocities of all bodies; whether any of them moves."""
    for name, body in bodies.items():
        if body.velocity is not None or body.angular_velocity is not None:
            result.twists[name] = np.array([*(body.velocity or _ORIGIN), *(body.angular_velocity or _ORIGIN)])
    for item in items:
        moving = item.start_rates_of_marker if answers(type(item), "start_rates_of_marker") else None
        if moving is not None and any(moving):
            _move_marker(result, bodies, item, moving)
    still = {name for name, twist in result.twists.items() if not np.any(twist)}
    moved = [joint for joint in joints if joint.start_rate is not None or joint.name in drives]
    driven = {joint.name: start_rates(joint, drives) for joint in moved}
    if len(still) == len(result.twists) and not any(map(any, driven.values())):  # nothing moves
        left = [name for name in bodies if name not in result.twists]
        result.twists |= zip(left, np.zeros((len(left), 6)))
        return False
    rates = {joint.name: driven.get(joint.name) or start_rates(joint, drives) for joint in joints}
    on_springs = held(items)

    def rank_in(twists: Twists) -> Callable[[Joint, str], int]:
        def rank(joint: Joint, known: str) -> int:
            if joint.start_rate is not None or any(rates[joint.name]):
                return 0
            resting = twists is result.twists and known in still
            return 1 if not resting and np.any(twists[known]) else 2

        return rank

    def extend_in(twists: dict[str, np.ndarray]) -> Callable[[Joint, str], None]:
        def extend(joint: Joint, known: str) -> None:
            forward = known == joint.a.body
            new = joint.b.body if forward else joint.a.body
            if known in still and twists is result.twists and not any(rates[joint.name]):
                twists[new] = np.zeros(6)
                still.add(new)
                return
            state = result.joints[joint.name]
            added = relative_twist(joint, state, rates[joint.name])
            at_joint = shift_twist(twists[known], state.X_WJb.p - result.poses[known].p)
            open_rate = joint.name not in drives and joint.start_rate is None
            if new in on_springs and open_rate and _lets_rest(joint, state, at_joint):
                twists[new] = np.zeros(6)
                return
            at_joint = at_joint + added if forward else at_joint - added
            twists[new] = shift_twist(at_joint, result.poses[new].p - state.X_WJb.p)
            if 3 in bodies[new].locked:
                twists[new][3:] = 0.0

        return extend

    @cache
    def groups() -> dict[str, tuple[set[str], list[Joint]]]:
        return _connected(joints)

    @cache
    def holding() -> dict[str, list[Item]]:
        found: dict[str, list[Item]] = {}
        for item in items:
            for end in {ref.body for ref in attachments(item)} if item.holds else ():
                found.setdefault(end, []).append(item)
        return found

    def seed(name: str) -> str:
        group, own = groups().get(name, ({name}, []))
        driven = [joint for joint in own if any(rates[joint.name])]
        if driven:
            ties = {item.name: item for body in sorted(group) for item in holding().get(body, ())}
            name, doubt = resting(group, driven, list(ties.values()), bodies, result, lambda root: motion(root, own))
            result.undecided += [doubt] if doubt else []
        result.twists[name] = np.zeros(6)
        still.add(name)
        return name

    def motion(root: str, own: Sequence[Joint]) -> Twists:
        twists = {root: np.zeros(6)}
        _from_known((), own, twists, rank_in(twists), extend_in(twists), lambda name: name)
        return twists

    _from_known(bodies, joints, result.twists, rank_in(result.twists), extend_in(result.twists), seed)
    return True


def _connected(joints: Sequence[Joint]) -> dict[str, tuple[set[str], list[Joint]]]:
    """Of each body all that joints connect it with, itself among them, and these joints."""
    found: dict[str, tuple[set[str], list[Joint]]] = {}
    for joint in joints:
        a, b = (found.setdefault(end, ({end}, [])) for end in (joint.a.body, joint.b.body))
        if a is not b:
            less, more = sorted((a, b), key=lambda each: len(each[0]))
            more[0].update(less[0])
            more[1].extend(less[1])
            found.update(dict.fromkeys(less[0], more))
        found[joint.a.body][1].append(joint)
    number = {joint.name: i for i, joint in enumerate(joints)}
    for _, own in {id(each): each for each in found.values()}.values():
        own.sort(key=lambda joint: number[joint.name])
    return found


def _lets_rest(joint: Joint, state: JointState, at_joint: np.ndarray) -> bool:
    """Whether the free motions of a joint take up a motion of one side, so that the other may rest."""
    if not joint.variables or not np.any(at_joint):
        return False
    free = np.array([relative_twist(joint, state, rates) for rates in np.eye(len(joint.variables)).tolist()]).T
    left = at_joint - free @ np.linalg.lstsq(free, at_joint, rcond=None)[0]
    return bool(np.linalg.norm(left) <= 1e-9 * np.linalg.norm(at_joint))
