"""The check of units that depend on other items.

The speed of a motor is in m/s along a slider and in rad/s about a hinge; a function of a sensor is one of what that reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flexor.declaration import Item, answers
from flexor.functions import Function, values_of
from flexor.functions.measure import seen_by
from flexor.joints import Joint
from flexor.joints.along import Along, acting_along, acts_along, misfits_along
from flexor.joints.choice import chosen_variable
from flexor.joints.motor import variable_index
from flexor.joints.path import Path
from flexor.model.report import Findings
from flexor.model.roster import Roster
from flexor.units import Dimension


def check_quantities(found: Findings, sound: Roster) -> None:
    """Every value with a unit that acts on a joint variable measures what is needed there."""
    joints: dict[str, Any] = {item.name: item for _, item in sound.of(Joint, Path)}
    for number, item in sound.of_kinds(_of_joints):
        if acts_along(item):
            joint = joints[item.joint]
            index = variable_index(joint, item.variable)
            argument = joint.units[index]
        elif item.couples:
            first, last = item.couples[0], item.couples[-1]
            joint, index = joints[last.joint], chosen_variable(joints[last.joint], last)
            argument = joints[first.joint].units[chosen_variable(joints[first.joint], first)]
        else:
            continue
        along: Along = getattr(type(item), "along", {})
        for each in misfits_along(item, along, joint.units[index], argument):
            p = each.problem
            subject = ".".join(str(part) for part in each.path)
            why = f"{p.why} along '{joint.name}.{joint.variables[index]}'"
            found.error(number, f"{subject} = {p.where}: {p.what}", why, p.fix, *each.path)


def _of_joints(kind: type[Item]) -> bool:
    """Whether items of a kind act on variables of joints."""
    return acting_along(kind) or answers(kind, "couples")


def check_units_of_readings(found: Findings, sound: Sequence[tuple[int, Item]], units: Mapping[str, str]) -> None:
    """Every value with a unit in a function of sensors measures what these read; units: of the sensors' readings."""
    for number, item in sound:
        for key, field in type(item).model_fields.items():
            function = getattr(item, key)
            read = {name: units[name] for name in getattr(function, "sensors", ()) if units.get(name)}
            if not isinstance(function, Function) or not read:
                continue
            measured = {name: Dimension.measured_in(unit) for name, unit in read.items()} | {None: Dimension.of("time")}
            for each in function.misfits(values_of(field), seen_by(function, measured)):
                p = each.problem
                subject = ".".join(str(part) for part in (key, *each.path))
                listed = " and ".join(f"sensor '{name}' reads {unit}" for name, unit in read.items())
                why = f"{p.why}, since {listed}"
                found.error(number, f"{subject} = {p.where}: {p.what}", why, p.fix, key, *each.path)
