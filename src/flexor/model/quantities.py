"""The check of units that depend on a joint: the speed of a motor is in m/s along a slider and in rad/s about a hinge."""

from __future__ import annotations

from collections.abc import Sequence

from flexor.declaration import Item
from flexor.joints import Joint
from flexor.joints.along import ActsAlong, misfits_along
from flexor.joints.motor import variable_index
from flexor.model.report import Findings


def check_quantities(found: Findings, sound: Sequence[tuple[int, Item]]) -> None:
    """Every value with a unit that acts on a joint variable measures what is needed there."""
    joints = {item.name: item for _, item in sound if isinstance(item, Joint)}
    for number, item in sound:
        if not isinstance(item, ActsAlong):
            continue
        joint = joints[item.joint]
        index = variable_index(joint, item.variable)
        for each in misfits_along(item, item.along, joint.units[index]):
            p = each.problem
            subject = ".".join(str(part) for part in each.path)
            why = f"{p.why} along '{joint.name}.{joint.variables[index]}'"
            found.error(number, f"{subject} = {p.where}: {p.what}", why, p.fix, *each.path)
