"""The check of transmissions: whether the joint variables that they couple are there, and turn in one housing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from flexor.bodies import Body
from flexor.declaration import Item
from flexor.dotted import within
from flexor.effects import Coupled
from flexor.errors import ModelError
from flexor.joints import Joint
from flexor.joints.choice import NotThere, chosen_variable
from flexor.mistakes import suggestion
from flexor.model.joint_state import GROUND, Placement
from flexor.model.placement import place
from flexor.model.report import Findings
from flexor.model.roster import Roster
from flexor.model.surroundings import Around, Placed

G = 9.81
"""Gravity by which weights are judged, whatever the model's [m/s²]."""


def check_coupled(
    found: Findings, number: int, item: Item, others: Mapping[str, Item], broken: Collection[str]
) -> bool:
    """Whether every variable that an item couples is there. others: all items by name."""
    if not item.couples:
        return True
    joints = {name: other for name, other in others.items() if isinstance(other, Joint)}
    before, known = len(found.problems), True
    meant: dict[tuple[str, int], Coupled] = {}
    for each in item.couples:
        joint = others.get(each.joint)
        if within(each.name, broken):
            known = False
        elif joint is None:
            fix = suggestion(each.joint, joints, "joints are")
            found.error(number, f"{each.field} = {each.name}: there is no joint '{each.joint}'", "", fix, each.field)
        elif not isinstance(joint, Joint):
            what = f"{each.field} = {each.name}: '{each.joint}' is a {joint.type.replace('_', ' ')}, no joint"
            found.error(number, what, "", suggestion("", joints, "joints are"), each.field)
        else:
            try:
                index = chosen_variable(joint, each)
            except NotThere as problem:
                found.error(number, f"{each.field} = {each.name}: {problem.what}", "", problem.fix, each.field)
                continue
            first = meant.setdefault((each.joint, index), each)
            if first is not each:
                what = f"it couples '{each.joint}.{joint.variables[index]}' with itself"
                why, fix = f"'{first.name}' and '{each.name}' are the same", "name two different joints or variables"
                found.error(number, what, why, fix, each.field)
    return known and len(found.problems) == before


def check_transmissions(found: Findings, sound: Roster) -> None:
    """Senses of rotation that follow from the axes, and wheels that turn in one housing."""
    coupling: list[tuple[int, Any]] = [entry for entry in sound.answering("couples") if entry[1].couples]
    if not coupling:
        return
    placed = _placed(sound)
    firm = _rigid_groups(list(sound.joints.values()))
    for number, item in coupling:
        around = Around(placed, item)
        try:
            item.terms(around)
        except ModelError as error:
            for problem in error.problems:
                found.error(number, problem.what, problem.why, problem.fix)
            continue
        if item.one_housing:
            _check_housing(found, number, item, [variable.joint for variable in around.variables], firm)


def check_running(found: Findings, sound: Roster, placement: Placement) -> None:
    """What is probably not meant in how they start."""
    coupling = sound.answering("doubts_at_start")
    if not coupling:
        return
    placed = _placed(sound, placement)
    for number, item in coupling:
        for what, why, fix, field in item.doubts_at_start(Around(placed, item)):
            found.warning(number, what, why, fix, *([field] if field else []))


def _placed(sound: Sequence[tuple[int, Any]], placement: Placement | None = None) -> Placed:
    """The items, their bodies as rigid."""
    items = tuple(item.rigid() if isinstance(item, Body) else item for _, item in sound)
    bodies = [item.name for item in items if isinstance(item, Body)]
    first = {name: (i, 0) for i, name in enumerate(bodies, start=1)}
    weight = G * sum(item.weights[0] for item in items if isinstance(item, Body))
    return Placed(items, place(items) if placement is None else placement, first, {}, weight=weight)


def _check_housing(found: Findings, number: int, item: Any, joints: Sequence[Joint], firm: Mapping[str, str]) -> None:
    sides = [{firm.get(ref.body, ref.body) for ref in (joint.a, joint.b)} for joint in joints]
    if not set.intersection(*sides):
        first, last = joints[0], joints[-1]
        what = f"joint '{first.name}' stands on '{first.a.body}', joint '{last.name}' on '{last.a.body}'"
        why = "the ratio is taken between their variables as they are, as if both stood in one housing"
        found.warning(number, what, why, item.one_housing)


def _rigid_groups(joints: Sequence[Joint]) -> dict[str, str]:
    """Bodies that fixed joints hold together, each with one of them that stands for all."""
    above: dict[str, str] = {}

    def root(name: str) -> str:
        while name in above:
            name = above[name]
        return name

    for joint in joints:
        if not joint.variables:
            a, b = root(joint.a.body), root(joint.b.body)
            if a != b:
                above[a if b == GROUND else b] = b if b == GROUND else a
    return {name: root(name) for name in above}
