"""The check of prescribed motion: where it jumps or has a corner the force that it takes is infinite, or rings."""

from __future__ import annotations

import math
from collections.abc import Sequence

from flexor.errors import LawError
from flexor.functions.function import Function
from flexor.functions.kinks import Kink, kinks, without_kinks
from flexor.model.report import Findings
from flexor.model.roster import Roster

REACHED = ("position", "velocity", "acceleration")


def check_driven_motion(found: Findings, sound: Roster) -> None:
    """Motion that is finite at t = 0, and positions, velocities and accelerations that do not jump."""
    for number, item in sound.answering("prescribes"):
        for field, given in item.prescribes.items():
            function = getattr(item, field)
            if (
                isinstance(function, Function)
                and not function.sensors
                and _check_begin(found, number, field, function, given)
            ):
                _check_kinks(found, number, field, function, given)


def _check_begin(found: Findings, number: int, field: str, function: Function, given: int) -> bool:
    """Whether it is finite: no analysis can begin with an infinite velocity or acceleration."""
    for order in range(3 - given):
        try:
            value = function.derivative(0.0, order) if order else function(0.0)
        except LawError:  # told where it is evaluated, with the remedy
            return False
        if not math.isfinite(value):
            what = f"{field} asks for an infinite {REACHED[given + order]} at t = 0"
            why = f"{function.title} has {('no value', 'an infinite slope', 'an infinite curvature')[order]} there"
            found.error(number, what, why, "let it begin smoothly, e.g. with a ramp or with t^2", field)
            return False
    return True


def _check_kinks(found: Findings, number: int, field: str, function: Function, given: int) -> None:
    all_kinks = kinks(function, order=2 - given)
    for rings in (False, True):  # infinite forces before those that ring
        if same := [kink for kink in all_kinks if (kink.order + given == 2) == rings]:
            _tell(found, number, field, function, given, same)


def _tell(found: Findings, number: int, field: str, function: Function, given: int, same: Sequence[Kink]) -> None:
    """Warn of the first of several kinks, which all take an infinite force, or all a force that rings."""
    first = min(same, key=lambda kink: kink.x)
    more = f" (and {len(same) - 1} more)" if len(same) > 1 else ""
    what = f"{field} has a {_called(first)} at t = {first.x:g} s{more}: {_size(first)}"
    reached = REACHED[given + first.order]
    fix = without_kinks(function, first, 2 - given)
    if not math.isfinite(first.by):
        why = f"no force can bring about a {reached} that grows beyond all bounds"
    elif reached == "acceleration":
        why = (
            "the force of the motor steps with the acceleration, and in a run it then overshoots to about twice its step "
            "and rings, from one time step to the next, however short these are; positions are right"
        )
        fix += "; or take the force from kinematics, or a smaller rho, with which it rings for fewer steps"
    else:
        why = f"a {reached} that changes in no time takes an infinite force, which only grows with a shorter step"
    found.warning(number, what, why, fix, field, since=first.x)


def _called(kink: Kink) -> str:
    return (
        "pole"
        if not math.isfinite(kink.by) and not kink.order
        else ("jump", "corner", "jump of its curvature")[kink.order]
    )


def _size(kink: Kink) -> str:
    what = ("it", "its rate", "its second rate")[kink.order]
    return f"{what} jumps by {kink.by:.4g}" if math.isfinite(kink.by) else f"{what} grows beyond all bounds"
