"""From a model with components to the same mechanism, item by item.

Every instance becomes the items of its component, from the innermost outwards: other values are put in, ports become the markers that they name, and the
items get the instance's name before theirs and its place. Items of a model without components, but with dots in their names, are read in the same way.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from flexor.bodies import Body, MarkerRef
from flexor.control import Sensor
from flexor.declaration import Item
from flexor.dotted import split
from flexor.errors import ModelError, Problem
from flexor.joints import Joint
from flexor.joints.choice import NotThere, chosen_variable
from flexor.mistakes import suggestion
from flexor.model.attachments import references
from flexor.model.component import Component, Instance, Place
from flexor.model.joint_state import GROUND
from flexor.model.override import leads_nowhere, overridden
from flexor.model.placed_component import moved, moved_ref, pose_of, renamed
from flexor.spatial import Pose
from flexor.transmissions.transmission import Transmission

DEEPEST = 40
"""Components inside each other."""
MOST = 200_000
"""Items of an instance; a few small files that use each other many times would fill the memory."""


def _nowhere(path: tuple[str | int, ...]) -> str:
    return ""


@dataclass
class Expanded:
    """Items of a model or of a component, by dotted names, with their places in files.

    origin: number of the member that each item comes from.   broken: names of items and instances that could not be expanded.
    """

    items: list[Any] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    origin: list[int] = field(default_factory=list)
    ports: dict[str, MarkerRef] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)


def needs_expansion(members: Sequence[Item]) -> bool:
    """Whether there are components, or names that have dots."""
    return any(isinstance(each, Instance) or "." in each.name for each in members)


def expand(members: Sequence[Item], places: Mapping[int, Place] | None = None, depth: int = 0) -> Expanded:
    """All items of a model, or of a component. places: where each member stands in a file, by its number."""
    found = Expanded()
    instances: dict[str, Expanded] = {}
    own: list[int] = []
    for number, member in enumerate(members):
        place = (places or {}).get(number, _nowhere)
        if not isinstance(member, Instance):
            own.append(len(found.items))
            _add(found, member, place, number)
            continue
        inner = _instance(member, place, depth)
        found.problems += inner.problems
        found.broken |= inner.broken
        instances[member.name] = inner
        for item, inner_place in zip(inner.items, inner.places, strict=True):
            _add(found, item, inner_place, number)
        found.ports |= inner.ports
    bodies = {item.name: item for item in found.items if isinstance(item, Body)}
    joints = {item.name: item for item in found.items if isinstance(item, Joint)}
    for number in own:
        try:
            item = _resolved(found.items[number], found.ports, bodies, instances)
            found.items[number] = item.replace(**changes) if (changes := _variables(item, joints, depth > 0)) else item
        except ModelError as error:
            item, place = found.items[number], found.places[number]
            found.problems += [
                replace(p, source=place((p.where,)), where=item.called(item.name)) for p in error.problems
            ]
            found.broken.add(item.name)
    return found


def _add(found: Expanded, item: Item, place: Place, number: int) -> None:
    found.items.append(item)
    found.places.append(place)
    found.origin.append(number)


def _instance(instance: Instance, place: Place, depth: int) -> Expanded:
    """The items of an instance, as they are called and stand outside it."""
    component, name = instance.use, instance.name
    failed = Expanded(broken={name})
    called = instance.called(name)
    if name == GROUND:
        what, fix = "its name is taken", "rename it"
        failed.problems = [Problem(called, what, "ground is what does not move", fix, place(("name",)))]
        return failed
    if depth >= DEEPEST:
        failed.problems = [
            Problem(called, f"components are nested more than {DEEPEST} deep", "", "check them", place(("use",)))
        ]
        return failed
    if depth == 0 and (count := _count(component, {})) > MOST:
        what, fix = f"it has {count:,} items", f"at most {MOST:,} are read; check how often components use each other"
        failed.problems = [Problem(called, what, "", fix, place(("use",)))]
        return failed
    try:
        set_by: dict[tuple[str, str], str] = {}
        members = overridden(component, instance.values, set_by)
    except ModelError as error:
        failed.problems = [
            Problem(called, f"values.{p.where}: {p.what}", p.why, p.fix, place(("values", p.where)))
            for p in error.problems
        ]
        return failed
    places = {number: _place_in(component, member, set_by, place) for number, member in enumerate(members)}
    inner = expand(members, places, depth + 1)
    inner.problems += _same_names(members, component) + _parameters_of_nothing(component)
    bodies = {item.name: item for item in inner.items if isinstance(item, Body)}
    ports: dict[str, MarkerRef] = {}
    for port, ref in component.ports.items():
        if ref.body in inner.broken:
            continue
        try:
            ports[port] = _port(_marker(ref, inner.ports, bodies, {}), bodies)
        except ModelError as error:
            where = f"component '{component.name}'"
            inner.problems += [
                Problem(where, f"port {port} = {ref}: {p.what}", p.why, p.fix, component.at("", ("ports", port)))
                for p in error.problems
            ]
    if inner.problems:
        failed.problems = [_outside(problem, name) for problem in inner.problems]
        return failed
    pose = pose_of(instance.position, instance.orientation)
    try:
        items = inner.items if pose is None else moved(inner.items, pose)
    except ModelError as error:
        failed.problems = [replace(problem, source=place(("orientation",))) for problem in error.problems]
        return failed
    return Expanded(
        items=[renamed(item, name) for item in items],
        places=inner.places,
        ports={f"{name}.{port}": _outer_port(ref, name, pose) for port, ref in {**inner.ports, **ports}.items()},
    )


def _outer_port(ref: MarkerRef, name: str, pose: Pose | None) -> MarkerRef:
    """A port as it is seen from outside an instance of this name: on its body there; on the ground, in the place of the instance."""
    if ref.body != GROUND:
        return ref.replace(body=f"{name}.{ref.body}")
    return ref if pose is None else moved_ref(ref, pose)


def _count(component: Component, known: dict[int, int]) -> int:
    """Items of a component and of those in it. known: of components, by their identity."""
    if id(component) not in known:
        members = component.items
        known[id(component)] = sum(_count(each.use, known) if isinstance(each, Instance) else 1 for each in members)
    return known[id(component)]


def _place_in(component: Component, member: Item, set_by: Mapping[tuple[str, str], str], outer: Place) -> Place:
    """Where the fields of a member stand: in the file of its component, or where the instance gives other values."""
    own = {field: path for (name, field), path in set_by.items() if name == member.name}

    def place(field: tuple[str | int, ...]) -> str:
        for changed, path in own.items():
            parts = ("values", changed) if isinstance(member, Instance) else tuple(changed.split("."))
            if field and tuple(map(str, field[: len(parts)])) == parts[: len(field)]:
                return outer(("values", path))
        return component.at(member.name, field)

    return place


def _outside(problem: Problem, instance: str) -> Problem:
    """A problem inside an instance: `joint 'front_left.pin'`; that of the component itself, which stands in a file, is told as it is."""
    kind, quote, name = problem.where.partition(" '")
    if not quote or (problem.where.startswith("component '") and problem.source):
        return problem
    return replace(problem, where=f"{kind} '{instance}.{name}")


def _same_names(members: Sequence[Item], component: Component) -> list[Problem]:
    seen: set[str] = set()
    found = []
    for member in members:
        if member.name in seen or member.name == GROUND:
            what = "its name is given twice" if member.name in seen else "its name is taken"
            found.append(
                Problem(
                    member.called(member.name), what, "", "rename one of them", component.at(member.name, ("name",))
                )
            )
        seen.add(member.name)
    return found


def _parameters_of_nothing(component: Component) -> list[Problem]:
    """Parameters that set a field which is not there."""
    found = []
    for name, fields in component.parameters.items():
        for target in fields:
            if (problem := leads_nowhere(component, target)) is not None:
                where, source = f"component '{component.name}'", component.at("", ("parameters", name))
                found.append(
                    Problem(where, f"parameter {name} = {target}: {problem.what}", problem.why, problem.fix, source)
                )
    return found


def _port(ref: MarkerRef, bodies: Mapping[str, Any]) -> MarkerRef:
    """A port, refused where its body has no such marker."""
    if ref.body != GROUND and ref.marker is not None and not bodies[ref.body].flexible:
        known = bodies[ref.body].marker_names
        if ref.marker not in known:
            fix = (
                suggestion(ref.marker, known, "its markers are") or f"give it one: markers: {{{ref.marker}: [0, 0, 0]}}"
            )
            raise ModelError(Problem("", f"body '{ref.body}' has no marker '{ref.marker}'", "", fix))
    return ref


def _marker(
    ref: MarkerRef, ports: Mapping[str, MarkerRef], bodies: Collection[str], instances: Mapping[str, Expanded]
) -> MarkerRef:
    """An attachment by the body that it is on: of a port, its marker; of front.arm.tip, marker tip of the body front.arm."""
    if ref.body == GROUND or ref.body in bodies:
        return ref
    name = f"{ref.body}.{ref.marker}" if ref.marker is not None else ref.body
    if name in ports and ref.at is None and ref.orientation is None:
        return ports[name]
    body, marker = split(name, bodies)
    if body in bodies:
        return ref.replace(body=body, marker=marker or None)
    if ref.body in instances and not instances[ref.body].broken:
        own = [rest for port in ports if "." not in (rest := port.removeprefix(f"{ref.body}.")) and rest != port]
        wanted = name.removeprefix(ref.body).lstrip(".")
        what = f"component '{ref.body}' has no port '{wanted}'" if wanted else f"'{ref.body}' is a component, no body"
        raise ModelError(
            Problem("", what, "", suggestion(wanted, own, "its ports are") or "give it ports: {name: body.marker}")
        )
    if not instances:
        fix = suggestion(body, [*bodies, *ports, GROUND], "bodies are")
        raise ModelError(Problem("", f"there is no body '{body}'", "", fix))
    return ref  # the check of the model tells


def found_marker(ref: MarkerRef, ports: Mapping[str, MarkerRef], bodies: Collection[str]) -> MarkerRef:
    """The attachment on its body as far as there is one; else as it is."""
    return _marker(ref, ports, bodies, {"": Expanded()})


def _resolved(
    item: Any,
    ports: Mapping[str, MarkerRef],
    bodies: Mapping[str, Any],
    instances: Mapping[str, Expanded],
) -> Any:
    """The item with its attachments on bodies. The problems' `where` is the field."""
    changes: dict[str, Any] = {}
    problems = []
    for key, ref in references(item):
        if "." not in f"{ref.body}.{ref.marker}".removesuffix(".None") and ref.body not in instances:
            continue
        try:
            new = _marker(ref, ports, bodies, instances or {"": Expanded()})
        except ModelError as error:
            problems += [Problem(key, f"{key} = {ref}: {p.what}", p.why, p.fix) for p in error.problems]
            continue
        if new is not ref:
            old = changes.get(key, getattr(item, key))
            changes[key] = tuple(new if each is ref else each for each in old) if isinstance(old, tuple) else new
    if isinstance(item, Sensor):
        owner, _, signal = item.of.rpartition(".")
        if owner in ports:
            changes["of"] = f"{ports[owner]}.{signal}"
    if problems:
        raise ModelError(problems)
    return item.replace(**changes) if changes else item


def _variables(item: Any, joints: Mapping[str, Joint], inside: bool) -> dict[str, Any]:
    """Joints of a transmission with the variable that is meant behind them, as what is behind the last dot is taken for one: `front.strut.displacement`.

    inside: also those whose name has no dot, as it will get one.
    """
    found: dict[str, Any] = {}
    for each in item.couples if isinstance(item, Transmission) else ():
        if each.name not in joints or not (inside or "." in each.name) or isinstance(found.get(each.field), str):
            continue
        joint = joints[each.name]
        try:
            full = (
                f"{each.name}.{joint.variables[chosen_variable(joint, each._replace(joint=each.name, variable=None))]}"
            )
        except NotThere as problem:
            raise ModelError(
                Problem(each.field, f"{each.field} = {each.name}: {problem.what}", "", problem.fix)
            ) from None
        old = found.get(each.field, getattr(item, each.field))
        found[each.field] = (
            {full if key == each.name else key: w for key, w in old.items()} if isinstance(old, dict) else full
        )
    return found
