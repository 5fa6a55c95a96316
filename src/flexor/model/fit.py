"""Whether the parts of a model meet in their initial position.

Two bodies that the user placed must meet in their joints: a gap is a mistake. Where joints put the bodies
on and a loop does not close, the bodies that were left open are moved until it does (`assembly`); that deserves
a warning, unless they are led there from a position in which it is closed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from flexor.bodies import Body
from flexor.coordinates.measure import wrap
from flexor.declaration import Item, answers
from flexor.effects import AlongLine, Drive, OfTime
from flexor.errors import AssemblyError, LawError, Problem
from flexor.functions import Constant
from flexor.joints import Guide, Joint
from flexor.joints.motor import variable_index
from flexor.model.attachments import attachments
from flexor.model.givens import EXACT
from flexor.model.joint_frames import JointState, JointStates
from flexor.model.joint_state import GROUND, Placement
from flexor.model.joint_table import gaps
from flexor.model.placement import counted_from, moved, place_with_gaps
from flexor.model.report import Findings, Say
from flexor.model.roster import Roster
from flexor.model.tree import fits_in_one_way, is_tree_of_placed, parts_with_loops
from flexor.spatial import stacked

ROUNDING = 1e-12
"""Distances that are no size of a mechanism but come of rounding [m]."""


def _check_sliders(found: Findings, items: Roster, bodies: dict[str, Body], placement: Placement, least: float) -> None:
    """Whether sliders whose bodies have a position are drawn where what drives them along their guides begins."""
    guides = {item.name: item for _, item in items.of(Guide) if isinstance(item, Guide)}
    for number, item in items if guides else ():
        drive = item.drive
        guide = item if isinstance(item, Guide) else guides.get(drive.joint) if drive is not None else None
        given = item.position if isinstance(item, Guide) else drive.position if drive is not None else None
        if guide is None or given is None or guide.b.body not in bodies or not bodies[guide.b.body].placed:
            continue
        points = np.array([placement.point(bodies, ref) for ref in attachments(guide)])
        drawn, begin = guide.drawn_at(points), float(given(0.0))
        if abs(drawn - begin) > least:
            what = f"position: the slider of guide '{guide.name}' is drawn {drawn:.6g} m along it, its drive begins with {begin:.6g} m"
            fix = (
                f"place body '{guide.b.body}' there, leave out its position, or let the drive begin with {drawn:.6g} m"
            )
            found.error(number, what, "", fix, "position")


def check_fit(found: Findings, items: Roster, tolerance: float, complete: bool) -> Placement:
    """Report gaps larger than `tolerance` times the model's size; warnings only if it is complete."""
    declared, bodies, joints = items.items, items.bodies, items.joints
    placement, apart = place_with_gaps(declared)
    placement = replace(placement, declared=placement)
    placed = {GROUND, *(name for name, body in bodies.items() if body.placed)}
    lines, ends = _lines(items, bodies, placement)
    size = model_size(placement, declared, ends)
    loose = []
    reach = tolerance * size
    for number, item in items.of_kinds(_may_misfit):
        kind = type(item)
        refs = attachments(item) if answers(kind, "misplaced") else ()
        if refs and (wrong := item.misplaced(np.array([placement.point(bodies, ref) for ref in refs]))):
            found.error(number, wrong.what, wrong.why, wrong.fix, *([wrong.field] if wrong.field else []))
        if isinstance(item, Joint):
            if item.a.body in placed and item.b.body in placed:
                _check_gap(found.error, number, apart[item.name], reach, tolerance, True)
                if item.start is not None:
                    _check_start(found.error, number, item, placement.joints[item.name], reach, tolerance)
            else:
                loose.append((number, item))
            if complete and item.start is not None:
                _tell_label(found, number, item, bodies, placement)
            if item.start_rate is not None:
                _check_start_rate(found, number, item, placement.joints[item.name], bodies, tolerance)
        elif number in lines:
            _check_length(found, number, *lines[number], size, complete)
        elif answers(kind, "drive") and (drive := item.drive) is not None and drive.joint in joints:
            _check_drive(found, number, drive, joints[drive.joint], placement.joints[drive.joint], size, tolerance)
    _check_sliders(found, items, bodies, placement, reach)
    if complete:
        _tell_undecided(found, items, placement)
    if not complete or found.problems or _tree_as_drawn(declared, apart, placement, size):
        return placement
    parts = parts_with_loops(declared)
    parts = [part for part in parts if not (is_tree_of_placed(part) and _fits_as_drawn(part, apart, placement, size))]
    if not parts:
        return placement
    try:
        placement, origin, doubts = _with_loops_closed(declared, parts, placement, size)
    except AssemblyError as failure:
        flexible = [name for name, body in bodies.items() if body.flexible]
        bent = [item for item in declared if _bends(item, flexible)]
        if not bent:
            found.cannot_be(failure)
            return placement
        try:
            kept = [[item for item in part if item not in bent] for part in parts]
            placement, origin, doubts = _with_loops_closed(declared, kept, placement, size)
        except AssemblyError:
            found.cannot_be(failure)
            return placement
    found.doubt(doubts)
    apart = _apart((item for _, item in loose), origin)
    certain = {item.name for part in parts if fits_in_one_way(part) for item in part}
    for number, item in loose:
        if item.name in certain:
            continue
        _check_gap(found.warning, number, apart[item.name], tolerance * size, tolerance, False)
    return placement


def _may_misfit(kind: type[Item]) -> bool:
    return issubclass(kind, Joint) or any(answers(kind, question) for question in ("misplaced", "line", "drive"))


def _with_loops_closed(
    items: Sequence[Item], parts: Sequence[Sequence[Item]], placement: Placement, size: float
) -> tuple[Placement, Placement, list[Problem]]:
    """`assembled`; rods whose length is left out are as long as the rest of their mechanism, closed without them, makes them."""
    from flexor.model.assembly import assembled  # loads SciPy

    origin, before = placement, list[Problem]()
    without = [[item for item in part if not _open_rod(item)] for part in parts]
    if any(len(rest) < len(part) for rest, part in zip(without, parts, strict=True)):
        try:
            rest, led_from, doubts = assembled(items, without, placement, size)
        except AssemblyError:  # what is wrong is told of the whole
            rest = placement
        if _far(rest, placement, size):
            origin, before = led_from, doubts
            placement = replace(moved(placement, items, rest.poses, placement.twists), closed=rest)
    found, led_from, doubts = assembled(items, parts, placement, size)
    if placement.closed is not None:
        return replace(found, closed=found), origin, [*before, *(each for each in doubts if each not in before)]
    return replace(found, closed=found), led_from, doubts


def _open_rod(item: Item) -> bool:
    """Whether it keeps the length that its ends have at the start."""
    return item.line is not None and item.line.prescribed and item.line.length is None


def _far(a: Placement, b: Placement, size: float) -> bool:
    """Whether some body is elsewhere than in the other placement, by more than rounding."""
    pairs = [(a.poses[name], b.poses[name]) for name in a.poses]
    return any(
        np.abs(one.p - other.p).max() > EXACT * size or np.abs(one.R - other.R).max() > EXACT for one, other in pairs
    )


def _lines(
    items: Roster, bodies: dict[str, Body], placement: Placement
) -> tuple[dict[int, tuple[AlongLine, float]], np.ndarray]:
    """What acts along a line, by its number, and how far its ends are apart [m]; and where all ends are."""
    every = [
        (number, line, attachments(item)) for number, item in items.answering("line") if (line := item.line) is not None
    ]
    points = placement.points(bodies, [end for _, _, ends in every for end in ends[:2]])
    lengths = np.linalg.norm(points[1::2] - points[::2], axis=1).tolist()
    return {number: (line, length) for (number, line, _), length in zip(every, lengths, strict=True)}, points


FITS = 1e-14
"""Gap of a joint that is rounding, in parts of the model's size and in rad."""


def _tree_as_drawn(
    items: Sequence[Item], apart: dict[str, tuple[float, float]], placement: Placement, size: float
) -> bool:
    """Whether all that binds or drives is a tree of joints that fits as it is drawn, so that nothing is to be brought together."""
    binding = [
        item
        for item in items
        if isinstance(item, Body | Joint) or answers(type(item), "binds") or answers(type(item), "drive")
    ]
    return is_tree_of_placed(binding) and _fits_as_drawn(binding, apart, placement, size)


def _fits_as_drawn(
    part: Sequence[Item], apart: dict[str, tuple[float, float]], placement: Placement, size: float
) -> bool:
    """Whether all joints of a part are closed to rounding with the bodies where they are placed, at the values that are stated."""
    for joint in part:
        if isinstance(joint, Joint):
            gap, tilt = apart[joint.name]
            if gap > FITS * size or tilt > FITS:
                return False
            if joint.start is not None or joint.start_rate is not None:
                state = placement.joints[joint.name]
                if joint.start not in (None, state.values) or joint.start_rate not in (None, state.rates):
                    return False
    return True


def _bends(item: Item, flexible: Sequence[str]) -> bool:
    """Whether it prescribes the motion of a point of a flexible body, which may have to bend for it."""
    return bool(item.prescribes) and item.drive is None and any(ref.body in flexible for ref in attachments(item))


def _tell_label(found: Findings, number: int, joint: Joint, bodies: dict[str, Body], placement: Placement) -> None:
    """Where bodies stand as they are drawn, whatever `start` says: at a global point, or where they are placed."""
    assert joint.start is not None
    given = list(zip(joint.variables, joint.start, joint.units))
    if joint.at is None:
        given = given[len(joint.translations) :]  # distances are those of the points
    told = ", ".join(f"{v} = {q:.6g} {u}" for v, q, u in given if q)
    if not told:
        return
    if joint.at is not None:
        what = f"start gives {told} in the position that is drawn; it moves no body"
        why = "with at the bodies stand where the joint point is at the start"
        fix = "give points on the bodies instead of at to have them moved, else leave out start to count from the drawn position"
        found.warning(number, what, why, fix, "start")
    elif (placed := counted_from(placement, bodies, joint)) is not None:
        what = f"start gives {told} in the position that is drawn; it turns no body"
        why = f"{'orientation' if placed.orientation is not None else 'position'} of '{placed.name}' is given, and it stands as drawn"
        fix = "leave that out to have the joint turn it, else leave out start to count from the drawn position"
        found.warning(number, what, why, fix, "start")


def _tell_undecided(found: Findings, items: Sequence[tuple[int, Item]], placement: Placement) -> None:
    numbers = {item.name: number for number, item in items} if placement.undecided else {}
    for each in placement.undecided:
        what = f"its rate may move '{each.moves}' while '{each.rests}' rests, or the other way round"
        why = f"both stand on springs or nothing at all; '{each.rests}' is taken to rest"
        fix = "give velocity or angular_velocity of one of them"
        found.warning(numbers[each.joint], what, why, fix)


def model_size(placement: Placement, items: Sequence[Item], ends: np.ndarray | None = None) -> float:
    """Diagonal of the box around all bodies, joints and springs [m]; 1 if they are all in one point, but for rounding.

    ends: of what acts along a line, where they are known [m].
    """
    bodies = {item.name: item for item in items if isinstance(item, Body)}
    points = [pose.p for name, pose in placement.poses.items() if name != GROUND]
    poses = [placement.poses[name] for name in bodies]
    if poses:
        x, R = stacked([pose.p for pose in poses], 3), stacked([pose.R for pose in poses], 3, 3)
        points.append((x + (R @ np.array([body.node_offset for body in bodies.values()])[..., None])[..., 0]).ravel())
    if isinstance(placement.joints, JointStates):
        points.append(placement.joints.origins.ravel())
    else:
        points += [X.p for state in placement.joints.values() for X in (state.X_WJa, state.X_WJb)]
    if ends is None:
        ends = placement.points(bodies, [ref for item in items if item.line is not None for ref in attachments(item)])
    points.append(ends.ravel())
    every = np.concatenate(points).reshape(-1, 3)
    size = float(np.linalg.norm(np.ptp(every, axis=0))) if len(every) else 0.0
    return size if size > ROUNDING else 1.0


def _apart(joints: Iterable[Joint], placement: Placement) -> dict[str, tuple[float, float]]:
    """Gap [m] and tilt [rad] of each joint."""
    joints = list(joints)
    gap, tilt = gaps(joints, [placement.joints[joint.name] for joint in joints])
    return {joint.name: each for joint, each in zip(joints, zip(gap.tolist(), tilt.tolist()))}


def _check_gap(say: Say, number: int, apart: tuple[float, float], reach: float, angle: float, given: bool) -> None:
    gap, tilt = apart
    if gap <= reach and tilt <= angle:
        return
    if given:
        why = "the joint holds them together"
        fix = "correct points or positions, or leave out the position of one body to have the joint place it"
    else:
        why = "the loop does not close"
        fix = "the bodies are moved by as little as closes it; give the joint a start that says which position is meant"
    if gap > reach:
        say(number, f"its points are {gap:.4g} m apart at the start", why, fix)
    if tilt > angle:
        say(
            number,
            f"its frames are turned by {np.degrees(tilt):.4g} deg against each other at the start",
            why,
            fix,
        )


def _check_start(say: Say, number: int, joint: Joint, state: JointState, reach: float, angle: float) -> None:
    assert joint.start is not None
    for i, (variable, unit) in enumerate(zip(joint.variables, joint.units, strict=True)):
        off = state.values[i] - joint.start[i]
        if abs(off) > reach if unit == "m" else abs(wrap(off)) > angle:
            given = f"start gives {variable} = {joint.start[i]:.6g} {unit}"
            what = f"{given}, the bodies stand at {state.values[i]:.6g} {unit}"
            say(
                number,
                what,
                "they contradict each other",
                "leave out start or the position of one body",
                "start",
            )


def _check_start_rate(
    found: Findings, number: int, joint: Joint, state: JointState, bodies: dict[str, Body], tolerance: float
) -> None:
    """Only where the user gave the velocities of both bodies as well."""
    assert joint.start_rate is not None
    ends = [bodies.get(ref.body) for ref in (joint.a, joint.b)]
    if any(end and end.velocity is None and end.angular_velocity is None for end in ends):
        return
    for variable, unit, rate, found_rate in zip(
        joint.variables, joint.units, joint.start_rate, state.rates, strict=True
    ):
        if abs(rate - found_rate) > tolerance * max(1.0, abs(rate)):
            given = f"start_rate gives {variable} {rate:.6g} {unit}/s"
            what = f"{given}, the bodies move at {found_rate:.6g} {unit}/s"
            fix = "leave out start_rate or the velocity of one body"
            found.error(number, what, "they contradict each other", fix, "start_rate")


def _check_length(found: Findings, number: int, line: AlongLine, length: float, size: float, complete: bool) -> None:
    target, field = line.length, line.field
    if length < 1e-9 * size:
        if line.pulls or (target is not None and _at_start(target) not in (0.0, None)):
            found.error(number, "its ends coincide", "it has no direction", line.remedy)
    elif line.prescribed and complete and isinstance(target, Constant) and abs(target.value - length) > 0.1 * size:
        what = f"{field} = {target.value:.6g} m, but its ends are {length:.6g} m apart"
        found.warning(number, what, "the bodies will be moved to fit", f"check {field} and the points", field)


def _check_drive(
    found: Findings, number: int, drive: Drive, joint: Joint, state: JointState, size: float, tolerance: float
) -> None:
    i = variable_index(joint, drive.variable)
    unit = joint.units[i]
    if drive.position is not None and (target := _at_start(drive.position)) is not None:

        def differs(value: float, target: float = target) -> bool:
            off = target - value
            return abs(off) > tolerance * size if unit == "m" else abs(wrap(off)) > tolerance

        what = f"position begins at {target:.6g} {unit}, joint '{joint.name}'"
        if joint.start is not None and differs(joint.start[i]):
            what += f" at {joint.start[i]:.6g} {unit}"
            found.error(number, what, "they contradict each other", "change one of them", "position")
        elif joint.start is None and differs(state.values[i]):
            what += f" stands at {state.values[i]:.6g} {unit}"
            why, fix = "the bodies are moved to fit", "give the joint a start, or shift the function"
            found.warning(number, what, why, fix, "position")
        elif joint.start is None and differs(0.0):
            why = f"the bodies start at {target:.6g} {unit}, not at 0"
            fix = f"give the joint start: {target:.6g} if that is meant, else let the function begin at 0"
            found.warning(number, f"{what} has no start", why, fix, "position")
    if drive.speed is not None and joint.start_rate is not None and (target := _at_start(drive.speed)) is not None:
        rate = joint.start_rate[i]
        if abs(target - rate) > tolerance * max(1.0, abs(rate)):
            moves = f"joint '{joint.name}' at start_rate {rate:.6g} {unit}/s"
            what = f"speed begins at {target:.6g} {unit}/s, {moves}"
            found.error(number, what, "they contradict each other", "leave out start_rate", "speed")


def _at_start(function: OfTime) -> float | None:
    try:
        return float(function(0.0))
    except LawError:  # the run will say so
        return None
