"""The check of a model: every mistake at once, each with its place, its reason and its fix.

What a single item can get wrong is found when it is declared. Here the items are looked at together: names
and references (this file), whether bodies of finite elements can be made (`flexible`), whether the parts fit in
their initial position (`fit`), whether something can move that has no inertia (`mobility`), and whether joints that are probably
meant to agree lock each other (`locked_pairs`).
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any

from flexor.bodies import Body, MarkerRef
from flexor.contact import Contact
from flexor.control.block import ControlBlock
from flexor.declaration import Item, answers, has, told_by
from flexor.dotted import prefixes, within
from flexor.errors import ModelError, Problem
from flexor.joints import Joint
from flexor.joints.along import ActsAlong, HasVariables, acting_along, acts_along, has_variables
from flexor.joints.path import Path
from flexor.mistakes import suggestion
from flexor.model.attachments import attaching, attachments, references
from flexor.model.coupled import check_coupled, check_running, check_transmissions
from flexor.model.driven_motion import check_driven_motion
from flexor.model.fit import check_fit
from flexor.model.flexible import check_held_points, check_line_loads, check_makings, check_mesh_loads
from flexor.model.joint_state import GROUND, attachment
from flexor.model.locked_pairs import check_locked_pairs
from flexor.model.mobility import check_mobility
from flexor.model.quantities import check_quantities
from flexor.model.report import Findings, Locate, Report
from flexor.model.roster import Entry, Roster
from flexor.model.sensing import check_arguments, check_circles, check_readings
from flexor.model.sides import check_sides

FIT_TOLERANCE = 1e-6
"""Largest gap in a joint that is passed over, as a part of the model's size."""


def check(
    items: Sequence[Entry],
    source: Locate = lambda number, path: "",
    broken: Collection[str] = (),
    tolerance: float = FIT_TOLERANCE,
    gravity: Sequence[float] = (0.0, 0.0, 0.0),
    guessed: Collection[int] = (),
) -> Report:
    """Look through the items of a model, given with their numbers in it.

    source: file and line of an item's field.   broken: names of items that could not be read; no message
    blames others for their absence.   gravity: of the model [m/s²].   guessed: numbers of items that were taken as they were
    probably meant; of them only what they refer to is judged.
    """
    found = Findings(Roster(items), source, guessed=frozenset(guessed))
    if (
        not broken
        and not found.items.of(Body, ControlBlock)
        and not any(told_by(item, "own_scalars") for _, item in found.items.having("own_scalars"))
    ):
        fix = "add one, e.g. RigidBody('arm', mass=1) or - {type: rigid_body, name: arm, mass: 1}"
        found.problems.append(Problem("model", "it has no bodies", "nothing can move", fix))
    _check_names(found)
    unmade = check_makings(found)
    broken = {*broken, *(item.name for number, item in items if number in unmade)} if unmade else broken
    unsound = _check_references(found, broken) | unmade
    sound = _coherent(Roster(entry for entry in items if entry[0] not in unsound) if unsound else found.items)
    _check_elimination(found, sound)
    _check_observers(found, sound)
    _check_point_masses(found, sound)
    _check_each(found, sound, gravity)
    _check_shapes(found, sound)
    _check_doubled(found, sound)
    _check_on_joints(found, sound)
    check_quantities(found, sound)
    check_arguments(found, sound, broken)
    check_circles(found)
    check_driven_motion(found, sound)
    check_mesh_loads(found, sound, broken)
    check_held_points(found, sound)
    check_transmissions(found, sound)
    check_line_loads(found, sound, broken)
    complete = not found.problems and not broken and not guessed
    placement = check_fit(found, sound, tolerance, complete)
    if not complete:
        check_readings(found, sound, placement, _unsure(found, sound, broken))
    if complete and not found.problems:
        check_mobility(found, sound, placement)
        check_locked_pairs(found, sound, placement)
        check_readings(found, sound, placement)
        check_running(found, sound, placement)
        check_sides(found, sound, placement)
    return found.report(placement if complete else None)


def _unsure(found: Findings, sound: Roster, broken: Collection[str]) -> set[str]:
    """Names of all items with mistakes, and of those that are not as they were written."""
    wrong, kept = {problem.where for problem in found.problems}, {number for number, _ in sound} - found.guessed
    unsure = {item.name for number, item in found.items if number not in kept or item.called(item.name) in wrong}
    return unsure | {*broken}


def _coherent(items: Roster) -> Roster:
    """The items that have a name of their own and refer only to such as are left, too."""
    uses = Counter([item.name for item in items.items])
    if GROUND in uses or len(uses) < len(items):
        items = Roster(entry for entry in items if uses[entry[1].name] == 1 and entry[1].name != GROUND)
    bodies = {GROUND, *items.bodies}
    items = _without(
        items,
        [n for n, item in items.of_kinds(_attaches) if not bodies.issuperset([ref.body for ref in attachments(item)])],
    )
    names = {None, *[item.name for item in items.items]}
    on_joints: list[tuple[int, Any]] = items.having("joint")  # type: ignore[assignment]
    items = _without(items, [number for number, item in on_joints if item.joint not in names])
    coupling = items.answering("couples")
    return _without(items, [n for n, item in coupling if not all(each.joint in names for each in item.couples)])


def _without(items: Roster, numbers: Collection[int]) -> Roster:
    return Roster(entry for entry in items if entry[0] not in {*numbers}) if numbers else items


_NO_SIGNS = ("Cc", "Cs", "Zl", "Zp")  # control, half of a pair, line and paragraph


def unfit_name(name: str) -> str:
    """What is wrong with the name of an item or marker."""
    if name.isascii() and name.isidentifier():  # most are
        return ""
    if not name.strip():
        return "is empty"
    if name != name.strip():
        return "begins or ends with a blank"
    if name.isprintable():
        return ""
    return "has a control sign" if any(unicodedata.category(sign) in _NO_SIGNS for sign in name) else ""


def _check_names(found: Findings) -> None:
    first: dict[str, Item] = {}
    for number, item in found.items:
        names = [("name", item.name)]
        for several in ("markers", "interfaces"):
            if has(type(item), several) and (own := getattr(item, several)):
                names += [(several, name) for name in own]
        for key, name in names:
            if complaint := unfit_name(name):
                what = f"its {key.removesuffix('s')} {name!r} {complaint}"
                found.error(
                    number, what, "signals are called by it", "write e.g. left_arm", key, *[name][key == "name" :]
                )
        if item.name == GROUND:
            fix = "rename it, or leave it out if the fixed frame is meant"
            found.error(number, "its name is taken", "the ground is there in every model", fix, "name")
        elif item.name in first:
            other = first[item.name]
            what = f"its name is given twice, also to a {other.type.replace('_', ' ')}"
            found.error(number, what, "every item needs a name of its own", "rename one of them", "name")
        else:
            first[item.name] = item
    groups = {each for name in first if "." in name for each in prefixes(name) if each != name}
    for number, item in found.items if groups else ():
        if item.name in groups:
            inner = next(other.name for _, other in found.items if other.name.startswith(f"{item.name}."))
            why = f"'{inner}' stands in a component of that name"
            found.error(number, "its name is that of a component", why, "rename one of them", "name")


def _check_references(found: Findings, broken: Collection[str]) -> set[int]:
    """Numbers of the items that refer to something which is not there."""
    bodies = found.items.bodies
    others = {item.name: item for _, item in found.items.of_kinds(_no_body)}
    joints = {name: item for name, item in others.items() if has_variables(item)}
    every = {**bodies, **others}
    unsound = set()
    for number, item in found.items.of_kinds(_refers):
        before = len(found.problems)
        refs = references(item)
        for key, ref in refs:
            if broken and within(ref.body, broken):
                unsound.add(number)
            else:
                _check_marker(found, number, key, ref, bodies, others)
        if len(refs) == 2 and refs[0][1].body == refs[1][1].body and [key for key, _ in refs] == ["a", "b"]:
            what = f"it connects {_the(refs[0][1].body)} with itself"
            found.error(number, what, "nothing can move between its two ends", "let a and b be on two bodies", "b")
        if refs and refs[0][0] == "on" and all(key == "on" and ref.body == GROUND for key, ref in refs):
            found.error(number, "it acts on the ground", "the ground never moves", "name a body in on: …", "on")
        if told_by(item, "at") is not None and any(ref != MarkerRef(body=ref.body) for _, ref in refs):
            fix = "leave out at, or name the bodies only: a: crank"
            found.error(number, "it has both a global point (at) and points on its bodies", "", fix, "at")
        if isinstance(item, Joint) and item.orientation is not None and item.at is None:
            why = "it turns the frame of a joint at a global point; this one stands on its markers"
            fix = "leave it out, or turn the marker: a: {body: crank, at: …, orientation: …}"
            found.error(number, "orientation is given without at", why, fix, "orientation")
        if answers(type(item), "couples") and not check_coupled(found, number, item, every, broken):
            unsound.add(number)
        if acts_along(item):
            if within(item.joint, broken):
                unsound.add(number)
            else:
                _check_variable(found, number, item, others.get(item.joint) or bodies.get(item.joint), joints)
        if len(found.problems) > before:
            unsound.add(number)
    _check_one_motor_each(found, unsound, joints)
    return unsound


def _attaches(kind: type[Item]) -> bool:
    return bool(attaching(kind))


@cache
def _refers(kind: type[Item]) -> bool:
    """Whether items of a kind may refer to others."""
    return bool(attaching(kind)) or answers(kind, "couples") or acting_along(kind)


def _no_body(kind: type[Item]) -> bool:
    return not issubclass(kind, Body)


def _the(body: str) -> str:
    return "the ground" if body == GROUND else f"body '{body}'"


def _check_marker(
    found: Findings, number: int, key: str, ref: MarkerRef, bodies: dict[str, Body], others: dict[str, Item]
) -> None:
    body = bodies.get(ref.body)
    if body is not None and ref.marker is None and ref.body != GROUND and not body.flexible:  # most are fine
        return
    if ref.body == GROUND:
        if ref.marker is not None:
            what, fix = (
                f"{key} = ground.{ref.marker}: the ground has no markers",
                "write {body: ground, at: [0, 0, 0]}",
            )
            found.error(number, what, "", fix, key)
    elif ref.body in others and ref.body not in bodies:
        what = f"{key} = {ref}: '{ref.body}' is a {others[ref.body].type.replace('_', ' ')}"
        found.error(number, what, "it attaches to a body", suggestion("", bodies, "bodies are"), key)
    elif ref.body not in bodies:
        fix = suggestion(ref.body, [*bodies, GROUND], "bodies are")
        found.error(number, f"{key} = {ref}: there is no body '{ref.body}'", "", fix, key)
    elif ref.marker is not None and ref.marker not in bodies[ref.body].marker_names:
        known = bodies[ref.body].marker_names
        fix = suggestion(ref.marker, known, "its markers are") or f"give it one: markers: {{{ref.marker}: [0, 0, 0]}}"
        found.error(number, f"{key} = {ref}: body '{ref.body}' has no marker '{ref.marker}'", "", fix, key)
    elif bodies[ref.body].flexible and key not in (item := found.item(number)).over_surfaces:
        if isinstance(item, Contact) and ref == MarkerRef(body=ref.body):
            what = f"{key} = {ref}: body '{ref.body}' deforms, and none of its sides is named"
            fix = f"write {ref.body}.surface(…) with one of its sides, in a file shape_{key}: {{type: side, side: …}}"
            found.error(number, what, "contact moves over a side of a body that deforms", fix, key)
            return
        try:
            bodies[ref.body].carrier(ref.marker, attachment(bodies, ref)[0])
        except ModelError as error:
            for problem in error.problems:
                found.error(number, f"{key} = {ref}: {problem.what}", problem.why, problem.fix, key)


def _check_variable(
    found: Findings, number: int, item: ActsAlong, joint: Item | None, joints: Mapping[str, HasVariables]
) -> None:
    """joint: what has the name of the item's joint, if anything."""
    if joint is None:
        fix = suggestion(item.joint, joints, "joints are")
        found.error(number, f"there is no joint '{item.joint}'", "", fix, "joint")
    elif not has_variables(joint):
        fix = suggestion("", joints, "joints are")
        found.error(number, f"'{item.joint}' is a {joint.type.replace('_', ' ')}, no joint", "", fix, "joint")
    elif not joint.variables:
        what = f"joint '{item.joint}' ({joint.type.replace('_', ' ')}) has no variable"
        found.error(number, what, "there is nothing that it could act on", "choose another joint", "joint")
    elif item.variable is None and len(joint.variables) > 1:
        fix = f"add variable: {' or '.join(joint.variables)}"
        found.error(number, f"joint '{item.joint}' has {len(joint.variables)} variables", "", fix, "joint")
    elif item.variable is not None and item.variable not in joint.variables:
        fix = suggestion(item.variable, joint.variables, "it has")
        found.error(number, f"joint '{item.joint}' has no variable '{item.variable}'", "", fix, "variable")


def _check_one_motor_each(found: Findings, unsound: set[int], joints: Mapping[str, HasVariables]) -> None:
    driven: dict[tuple[str, str], str] = {}
    for number, item in found.items.answering("drive"):
        if (drive := item.drive) is not None and number not in unsound:
            variable = drive.variable or joints[drive.joint].variables[0]
            first = driven.setdefault((drive.joint, variable), item.name)
            if first != item.name:
                what = f"joint '{drive.joint}' is already driven by motor '{first}'"
                found.error(number, what, "one motor prescribes the motion", "remove one of them", "joint")


def _check_elimination(found: Findings, sound: Roster) -> None:
    bodies = sound.bodies
    master: dict[str, str] = {}
    for number, item in sound.answering("eliminates"):
        if item.eliminates is None:
            continue
        first, follower = item.eliminates
        field = "enforcement"
        if follower == GROUND and isinstance(item, Joint):
            why = "elimination makes b follow a"
            found.error(number, "its b is the ground, which cannot follow", why, "exchange a and b", field)
        elif follower == GROUND:
            found.error(number, "it moves the ground, which cannot follow", "", "move a body", "on")
        elif follower in bodies and not bodies[follower].may_follow:
            point = bool(bodies[follower].locked)
            why = "a point mass has no orientation to follow with" if point else "its points follow its own frame"
            found.error(number, f"body '{follower}' cannot follow by elimination", why, "use multipliers", field)
        elif follower in master:
            why = "two joints or motions make it follow by elimination"
            fix = "use enforcement: multipliers for one of them"
            found.error(number, f"body '{follower}' would follow two bodies at once", why, fix, field)
        else:
            master[follower] = first
            body = first
            while body in master and body != follower:
                body = master[body]
            if body == follower:
                del master[follower]
                fix = "use enforcement: multipliers for one of them"
                found.error(number, "what is eliminated forms a loop", "a body cannot follow itself", fix, field)


def _check_observers(found: Findings, sound: Roster) -> None:
    """What is moved is seen from something against which it can move."""
    moved = sound.having("seen_from")
    deform = {name for name, body in sound.bodies.items() if body.flexible} if moved else ()
    for number, item in moved:
        refs = dict(references(item))
        on, observer = refs.get("on"), refs.get("seen_from")
        if on is None or observer is None or on.body != observer.body:
            continue
        if on.body not in deform or on == observer:
            what = f"it is seen from '{observer}', on the body '{on.body}' that it moves"
            fix = "name another body in seen_from, or leave it out: the ground"
            found.error(number, what, "nothing moves against its own body", fix, "seen_from")


def _check_point_masses(found: Findings, sound: Roster) -> None:
    bodies = sound.bodies.values()
    points = {body.name: body for body in bodies if body.locked and {3, 4, 5} <= set(body.locked)}
    if not points:
        return
    for number, item in sound:
        if (
            isinstance(item, Body)
            and item.name in points
            and (item.angular_velocity is not None or item.orientation is not None)
        ):
            field = "orientation" if item.orientation is not None else "angular_velocity"
            found.error(number, f"{field} is given", "a point mass has no orientation", "leave it out", field)
        on = [key for key in _ends(type(item)) if getattr(getattr(item, key), "body", None) in points]
        for key in on:
            ref = getattr(item, key)
            marker = points[ref.body].marker(ref.marker) if ref.marker is not None else ref
            if any(marker.at or ()):
                what = f"{key} = {ref} is not at the origin of point mass '{ref.body}'"
                why = "a point mass cannot take a moment"
                found.error(number, what, why, "attach at its origin or declare a rigid_body", key)
        if on and item.needs_orientation:
            why, fix = "it cannot turn", "declare a rigid_body"
            if item.binds:
                why = f"the {item.called(None)} would hold the orientation that it does not have"
                fix = "use a spherical joint or a rigid_body"
            body = getattr(item, on[0]).body
            found.error(number, f"body '{body}' is a point mass", why, fix, on[0])


@cache
def _ends(kind: type[Item]) -> list[str]:
    """Fields by which items of a kind may be attached to one point."""
    return [key for key in ("a", "b", "on") if has(kind, key)]


def _check_on_joints(found: Findings, sound: Roster) -> None:
    """What cannot be meant in an item, seen with the joint that it acts on."""
    joints: dict[str, Any] = {item.name: item for _, item in sound.of(Joint, Path)}
    for number, item in sound.of_kinds(acting_along):
        if acts_along(item):
            for what, why, fix, field in item.objections(joints[item.joint]):
                found.error(number, what, why, fix, *([field] if field else []))


def _check_shapes(found: Findings, sound: Roster) -> None:
    """What touches with shapes that its bodies do not have."""
    touching = sound.answering("unfit")
    shapes = {name: body.shapes for name, body in sound.bodies.items()} if touching else {}
    for number, item in touching:
        for what, why, fix, field in item.unfit(shapes):
            found.error(number, what, why, fix, *([field] if field else []))


def _check_doubled(found: Findings, sound: Roster) -> None:
    """Contacts of the same two surfaces."""
    seen: dict[object, list[Contact]] = {}
    for number, item in sound.of(Contact):
        assert isinstance(item, Contact)
        ends = (item.a, item.shape_a), (item.b, item.shape_b)
        alike = seen.setdefault(frozenset((end.body, end.marker, end.at) for end, _ in ends), [])
        for other in alike:
            others = (other.a, other.shape_a), (other.b, other.shape_b)
            if others in (ends, ends[::-1]):
                why = "both press, as with a stiffness twice as large or so"
                found.warning(number, f"contact '{other.name}' has the same two surfaces", why, "leave one of them out")
                break
        alike.append(item)


def _check_each(found: Findings, sound: Roster, gravity: Sequence[float]) -> None:
    """What is probably not meant in an item, seen alone."""
    for number, item in sound.of_kinds(_may_be_doubtful):
        kind = type(item)
        for what, why, fix, field in item.doubts(gravity) if answers(kind, "doubts") else ():
            found.warning(number, what, why, fix, *([field] if field else []))
        for field in PULLING:
            if has(kind, field) and isinstance(value := getattr(item, field), float) and value < 0:
                why = "it drives the motion instead of holding it"
                found.warning(number, f"{field} = {value:g} is negative", why, "check the sign", field)


PULLING = ("stiffness", "damping")
"""Fields that are hardly ever meant to be negative."""


def _may_be_doubtful(kind: type[Item]) -> bool:
    return answers(kind, "doubts") or any(has(kind, field) for field in PULLING)
