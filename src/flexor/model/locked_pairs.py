"""Bodies that two joints lock because they nearly, but not quite, agree: a door whose hinges are not in line.

The rows of all joints between two bodies on their relative velocity (v, ω), each of unit length, ω measured by the distance between
the joints, have as many vanishing singular values as motions are left free. A small one that does not vanish is a motion that
would be free if the joints agreed.
"""

from __future__ import annotations

import numpy as np

from flexor.joints import Fixed, Joint
from flexor.joints.joint import AxisJoint
from flexor.model.joint_frames import JointState
from flexor.model.joint_state import GROUND, Placement
from flexor.model.mobility import joint_rows
from flexor.model.report import Findings
from flexor.model.roster import Roster

EXACT, NEARLY = 1e-8, 0.1
"""Singular values below which rows agree, and up to which they are probably meant to."""


def check_locked_pairs(found: Findings, items: Roster, placement: Placement) -> None:
    """Warn of joints between the same rigid parts that nearly agree."""
    whole = _rigid_parts(items)
    between: dict[tuple[str, str], list[tuple[int, Joint]]] = {}
    for number, item in items.of(Joint):
        if isinstance(item, Joint) and item.a.body in whole and item.b.body in whole:
            a, b = sorted((whole[item.a.body], whole[item.b.body]))
            if a != b:
                between.setdefault((a, b), []).append((number, item))
    for (_, first), *others in between.values():
        for number, second in others:
            _check_pair(found, number, first, second, placement)


def _rigid_parts(items: Roster) -> dict[str, str]:
    """The ground and rigid bodies, each with one of those that are fixed to it as their name."""
    part = {GROUND: GROUND, **{name: name for name, body in items.bodies.items() if not body.flexible}}

    def root(name: str) -> str:
        while part[name] != name:
            name = part[name]
        return name

    for _, item in items.of(Fixed):
        if isinstance(item, Fixed) and item.a.body in part and item.b.body in part:
            part[root(item.b.body)] = root(item.a.body)
    return {name: root(name) for name in part}


def _check_pair(found: Findings, number: int, first: Joint, second: Joint, placement: Placement) -> None:
    """number: of the second."""
    at_first, at_second = (placement.joints[joint.name] for joint in (first, second))
    origin = at_first.X_WJb.p
    distance = float(np.linalg.norm(at_second.X_WJb.p - origin)) or 1.0
    wrenches = joint_rows(first, at_first) + joint_rows(second, at_second)
    rows = np.array([[*f, *((np.cross(p - origin, f) + m) / distance)] for f, p, m in wrenches]).reshape(-1, 6)
    sizes = np.linalg.norm(rows, axis=1)
    if not np.all(np.isfinite(sizes) & (sizes > 0)):
        return
    singular = np.append(np.linalg.svd(rows / sizes[:, None], compute_uv=False), np.zeros(6))[:6]
    meant, left = int(np.sum(singular < NEARLY)), int(np.sum(singular < EXACT))
    if meant > left:
        why = f"between '{second.a.body}' and '{second.b.body}' they leave {left} motions free, {meant} if they agreed"
        fix = "let both have the same axis, or one of them hold less, e.g. spherical"
        found.warning(number, _apart(first, second, at_first, at_second), why, fix)


def _apart(first: Joint, second: Joint, at_first: JointState, at_second: JointState) -> str:
    """How two joints fail to agree."""
    if isinstance(first, AxisJoint) and isinstance(second, AxisJoint):
        along, other = at_first.X_WJa.R[:, 2], at_second.X_WJa.R[:, 2]
        angle = float(np.arctan2(np.linalg.norm(np.cross(along, other)), abs(along @ other)))
        if angle > EXACT:
            return f"its axis is {angle:.3g} rad ({np.degrees(angle):.3g} deg) off that of joint '{first.name}'"
        beside = float(np.linalg.norm(np.cross(along, at_second.X_WJb.p - at_first.X_WJb.p)))
        return f"its axis is parallel to that of joint '{first.name}', but {beside:.3g} m beside it"
    return f"it and joint '{first.name}' nearly hold the same motions, but not quite"
