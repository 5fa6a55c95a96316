"""The items of a component under the name of an instance, and in its place.

Everything that is given in global axes counts from the origin and the axes of the component: bodies, points on the ground, directions that are fixed in
space, the motion that sensors see from the ground. Gravity is that of the model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from flexor.bodies import Body, MarkerRef
from flexor.control import Sensor
from flexor.control.marker_motion import NUMBER
from flexor.declaration import Declaration, Item
from flexor.dotted import owner
from flexor.functions import Expression, Function
from flexor.functions.parser import TOKEN
from flexor.joints import Joint
from flexor.model.joint_state import GROUND
from flexor.model.signals import ENERGY, TIME
from flexor.spatial import Pose, matrix_to_quaternion, quaternion_product, quaternion_to_matrix

Rename = Callable[[str], str]


# ---- names


def renamed(item: Any, prefix: str) -> Any:
    """The item as it is called outside: its name, and all names in it, behind the name of the instance."""

    def rename(name: str) -> str:
        return name if name == GROUND else f"{prefix}.{name}"

    changes: dict[str, Any] = {"name": rename(item.name)}
    kind: type[Item] = type(item)
    naming = _naming(kind)
    for key in type(item).model_fields:
        if key in ("name", "type"):
            continue
        old = getattr(item, key)
        if isinstance(item, Sensor) and key == "of":
            new: Any = old if old == TIME or old.partition(".")[0] in (ENERGY, GROUND) else rename(old)
        elif key in naming:
            new = (
                {rename(each): weight for each, weight in old.items()} if isinstance(old, dict) else old and rename(old)
            )
        else:
            new = _within(old, rename)
        if new is not old:
            changes[key] = new
    return item.replace(**changes)


@cache
def _naming(kind: type[Item]) -> tuple[str, ...]:
    """Fields that hold names of joints, of their variables, or of bodies."""
    fields = kind.model_fields.items()
    return tuple(
        key for key, field in fields if "joint_name" in f"{field.annotation} {field.metadata}" or key == "body"
    )


def _within(value: Any, rename: Rename) -> Any:
    """A value with other names in it; itself if there are none."""
    if isinstance(value, MarkerRef):
        return value if value.body == GROUND else value.replace(body=rename(value.body))
    if isinstance(value, Declaration):
        changes: dict[str, Any] = {}
        if isinstance(value, Function) and value.sensor is not None:
            changes["sensor"] = rename(value.sensor)
        if isinstance(value, Expression) and value.sensors and value.sensor is None:
            changes["text"] = _formula(value, rename)
        for key in type(value).model_fields:
            old = getattr(value, key)
            if key not in changes and (new := _within(old, rename)) is not old:
                changes[key] = new
        return value.replace(**changes) if changes else value
    if isinstance(value, tuple) and value and not isinstance(value[0], float | int | str):
        several = tuple(_within(each, rename) for each in value)
        return several if any(new is not old for new, old in zip(several, value, strict=True)) else value
    if isinstance(value, dict):
        table = {key: _within(each, rename) for key, each in value.items()}
        return table if any(table[key] is not value[key] for key in value) else value
    return value


def _formula(function: Expression, rename: Rename) -> str:
    """The formula with the names of sensors in quotes, as they have dots."""
    found, place = [], 0
    while (match := TOKEN.match(function.text, place)) is not None and match.lastgroup != "end":
        kind = str(match.lastgroup)
        start, end = match.span()
        if kind in ("name", "quoted") and match[kind] in function.sensors:
            begin = match.start(kind) - (kind == "quoted")
            found.append(f"{function.text[start:begin]}'{rename(match[kind])}'")
        else:
            found.append(function.text[start:end])
        place = end
    return "".join(found)


# ---- places


def moved(items: Sequence[Any], X_WC: Pose) -> list[Any]:
    """The items of a component as they stand in the world; X_WC: where the component is."""
    turned = not np.array_equal(X_WC.R, np.eye(3))
    drawn = _drawn(items)
    bodies = {item.name for item in items if isinstance(item, Body)}
    found = []
    for item in items:
        if isinstance(item, Body):
            found.append(_moved_body(item, X_WC) if item.placed or item.name in drawn else _turned_rates(item, X_WC))
            continue
        found.append(_moved_item(item, X_WC, bodies, turned))
    return found


def _drawn(items: Sequence[Any]) -> set[str]:
    """Bodies without a pose of their own that stand at the origin: of each group that nothing else places, the first; and those of joints in space."""
    joints = [item for item in items if isinstance(item, Joint)]
    bodies = [item for item in items if isinstance(item, Body)]
    ends = {end.body for joint in joints if joint.at is not None for end in (joint.a, joint.b)}
    drawn = {body.name for body in bodies if not body.placed and body.name in ends}
    known = {GROUND, *drawn, *(body.name for body in bodies if body.placed)}
    around: dict[str, list[str]] = {}
    for joint in joints:
        around.setdefault(joint.a.body, []).append(joint.b.body)
        around.setdefault(joint.b.body, []).append(joint.a.body)

    def reach(names: list[str]) -> None:
        while names:
            for other in around.get(names.pop(), ()):
                if other not in known:
                    known.add(other)
                    names.append(other)

    reach(list(known))
    for body in bodies:
        if body.name not in known:
            drawn.add(body.name)
            known.add(body.name)
            reach([body.name])
    return drawn


def _moved_body(body: Any, X: Pose) -> Any:
    changes: dict[str, Any] = {"position": _point(body.position or (0.0, 0.0, 0.0), X)}
    if not np.array_equal(X.R, np.eye(3)):
        changes["orientation"] = _orientation(body.orientation, X)
    return _turned_rates(body, X).replace(**changes)


def _turned_rates(body: Any, X: Pose) -> Any:
    rates = {key: getattr(body, key) for key in ("velocity", "angular_velocity")}
    changes = {key: _direction(rate, X) for key, rate in rates.items() if rate is not None}
    return body.replace(**changes) if changes else body


def _moved_item(item: Any, X: Pose, bodies: set[str], turned: bool) -> Any:
    changes: dict[str, Any] = {}
    in_space = dict(item.in_space)
    if isinstance(item, Joint) and item.at is not None:
        in_space["at"] = "point"
        if turned:
            changes["orientation"] = _orientation(item.orientation, X)
    for key, kind in in_space.items():
        if (value := getattr(item, key)) is not None:
            changes[key] = _point(value, X) if kind == "point" else _direction(value, X)
    if not (isinstance(item, Joint) and item.at is not None):
        for key in type(item).model_fields:
            old = getattr(item, key)
            if isinstance(old, MarkerRef):
                changes[key] = moved_ref(old, X)
            elif isinstance(old, tuple) and old and isinstance(old[0], MarkerRef):
                changes[key] = tuple(moved_ref(ref, X) for ref in old)
    sees = isinstance(item, Sensor) and owner(item.of, bodies) in bodies and item.of.rpartition(".")[2] in NUMBER
    if (sees or (turned and item.type == "prescribed_motion")) and item.seen_from is None:
        changes["seen_from"] = moved_ref(MarkerRef(body=GROUND), X)
    return item.replace(**changes) if changes else item


def moved_ref(ref: MarkerRef, X: Pose) -> MarkerRef:
    """An attachment of a component in its place: points on the ground move with it, those on bodies do so by their bodies."""
    if ref.body != GROUND or ref.marker is not None:
        return ref
    changes: dict[str, Any] = {"at": _point(ref.at or (0.0, 0.0, 0.0), X)}
    if not np.array_equal(X.R, np.eye(3)):
        changes["orientation"] = _orientation(ref.orientation, X)
    return ref.replace(**changes)


def _point(p: Sequence[float], X: Pose) -> tuple[float, ...]:
    turned = np.array_equal(X.R, np.eye(3))
    return tuple((X.p + (np.array(p) if turned else X.R @ np.array(p))).tolist())


def _direction(d: Sequence[float], X: Pose) -> tuple[float, ...]:
    return tuple(d) if np.array_equal(X.R, np.eye(3)) else tuple((X.R @ np.array(d)).tolist())


def _orientation(q: Sequence[float] | None, X: Pose) -> tuple[float, ...]:
    own = matrix_to_quaternion(X.R)
    return tuple((own if q is None else quaternion_product(own, q)).tolist())


def pose_of(position: Sequence[float] | None, orientation: Sequence[float] | None) -> Pose | None:
    """Where an instance stands; None if it was not placed."""
    if position is None and orientation is None:
        return None
    R = np.eye(3) if orientation is None else quaternion_to_matrix(orientation)
    return Pose(np.array(position or (0.0, 0.0, 0.0)), R)
