"""The check of units that depend on other items.

The speed of a motor is in m/s along a slider and in rad/s about a hinge; a function of a sensor is one of what that reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flexor.declaration import Item
from flexor.functions import Function, values_of
from flexor.joints import Joint
from flexor.joints.along import Along, acts_along, misfits_along
from flexor.joints.choice import chosen_variable
from flexor.joints.motor import variable_index
from flexor.joints.path import Path
from flexor.model.report import Findings
from flexor.units import Dimension


def check_quantities(found: Findings, sound: Sequence[tuple[int, Item]]) -> None:
    """Every value with a unit that acts on a joint variable measures what is needed there."""
    joints: dict[str, Any] = {item.name: item for _, item in sound if isinstance(item, Joint | Path)}
    for number, item in sound:
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


def check_units_of_readings(found: Findings, sound: Sequence[tuple[int, Item]], units: Mapping[str, str]) -> None:
    """Every value with a unit in a function of a sensor measures what the sensor reads; units: of the sensors' readings."""
    for number, item in sound:
        for key, field in type(item).model_fields.items():
            function = getattr(item, key)
            unit = units.get(function.reads or "") if isinstance(function, Function) else None
            if not unit:
                continue
            for each in function.misfits(values_of(field), Dimension.measured_in(unit)):
                p = each.problem
                subject = ".".join(str(part) for part in (key, *each.path))
                why = f"{p.why}, since sensor '{function.reads}' reads {unit}"
                found.error(number, f"{subject} = {p.where}: {p.what}", why, p.fix, key, *each.path)
