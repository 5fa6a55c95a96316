"""The check of sensors: whether what they read is there, and whether functions that depend on them may."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from flexor.control import Sensor
from flexor.dotted import within
from flexor.errors import FlexorError, ModelError
from flexor.functions import Expression, Function
from flexor.functions.composite import Composite
from flexor.functions.parser import CONSTANTS
from flexor.mistakes import suggestion
from flexor.model.attachments import references
from flexor.model.feedback import functions_in, may_hold_functions, takes_sensors
from flexor.model.joint_state import Placement
from flexor.model.quantities import check_units_of_readings
from flexor.model.report import Findings
from flexor.model.roster import Roster
from flexor.model.signals import circles, circular
from flexor.units import Dimension

BARE_X = re.compile(r"\bx\b")


def check_arguments(found: Findings, sound: Roster, broken: Collection[str]) -> None:
    """Every function of a sensor stands where one may, and its sensor is there."""
    sensors = [item.name for _, item in found.items.answering("readable") if item.readable]
    for number, item in sound.of_kinds(may_hold_functions):
        for path, function in functions_in(item):
            key = ".".join(path)
            if "x" in sensors and takes_sensors(item, path) and _has_bare_x(function):
                why = "it means the argument of the function, the time, and there is a sensor of that name"
                found.error(
                    number, f"{key}: what is x in the formula?", why, "write 'x' in quotes, or t for the time", *path
                )
            for name, value in (*CONSTANTS.items(), ("t", None)):
                if name in sensors and takes_sensors(item, path) and _has_bare(function, name):
                    meaning = "the time" if value is None else f"a number there, {value:.4g}"
                    why = f"it means {meaning}, and there is a block or sensor of that name"
                    found.error(
                        number,
                        f"{key}: what is {name} in the formula?",
                        why,
                        f"write '{name}' in quotes, or rename it",
                        *path,
                    )
            missing = [name for name in function.sensors if name not in sensors and not within(name, broken)]
            for name in missing:
                fix = (
                    suggestion(name, sensors, "sensors are")
                    or f"add one: - {{type: sensor, name: {name}, of: pin.angle}}"
                )
                if isinstance(function, Expression):
                    fix += "; the variable of a formula is called t"
                    if name.isalpha() and Dimension.measured_in(name) is not None:
                        fix += "; if the unit is meant, leave it out: formulas are in SI units (m, kg, s, N, rad)"
                found.error(number, f"{key}: there is no sensor '{name}'", "", fix, *path)
            if function.sensors and not missing and not takes_sensors(item, path):
                able = ", ".join(getattr(type(item), "by_sensor", ()))
                instead = "a load" if item.drive is None else "the free value of a stiff joint spring"
                fix = f"{able} may depend on one" if able else f"let {instead} depend on it instead"
                found.error(
                    number, f"{key} cannot depend on a sensor", "it is a function of its own variable", fix, *path
                )


def _has_bare_x(function: Function) -> bool:
    """Whether a formula of time calls it x."""
    if isinstance(function, Composite):
        return any(map(_has_bare_x, function.members))
    return isinstance(function, Expression) and function.arguments == (None,) and bool(BARE_X.search(function.text))


def _has_bare(function: Function, name: str) -> bool:
    """Whether a formula speaks of a name without quotes."""
    if isinstance(function, Composite):
        return any(_has_bare(each, name) for each in function.members)
    return isinstance(function, Expression) and bool(re.search(rf"(?<!')\b{name}\b(?!')", function.text))


def check_circles(found: Findings) -> None:
    """No sensor reads itself by way of others."""
    for circle in circles(item for _, item in found.items.of(Sensor)):
        problem = circular(circle)
        number = next(number for number, item in found.items if item is circle[0])
        found.error(number, problem.what, problem.why, problem.fix, "of")


def check_readings(found: Findings, sound: Roster, placement: Placement, unknown: Collection[str] = ()) -> None:
    """Every sensor reads a signal that is there, and functions of it are in its unit.

    unknown: names of items that have mistakes and are not among the sound ones; what reads them, is not judged.
    """
    if not any(item.readable for _, item in sound.answering("readable")):
        return
    from flexor.model.lower import lowered_items  # loads the compiler

    wrong = {*unknown}
    while True:
        part = _apart_from(sound, wrong)
        sensors = {item.called(item.name): item.name for _, item in part if item.readable}
        if not sensors:
            return
        try:
            terms = lowered_items(tuple(item for _, item in part), placement)[2]
            break
        except FlexorError as error:
            unreadable = {sensors[problem.where] for problem in error.problems if problem.where in sensors}
            if not unreadable and unknown:  # follows from the mistakes that are told
                return
            if not isinstance(error, ModelError):
                raise
            _tell(found, part, error)
            if not unreadable:
                return
            wrong |= unreadable
    units = {term.name: term.outputs[0].unit for term in terms if term.name in sensors.values()}
    check_units_of_readings(found, part, units)


def _apart_from(items: Sequence[tuple[int, Any]], names: Collection[str]) -> list[tuple[int, Any]]:
    """The items without those of these names, and without all that depends on them."""
    gone: set[str] = set()
    while more := {item.name for _, item in items if item.name in names or _needs(item) & {*names, *gone}} - gone:
        gone |= more
    return [(number, item) for number, item in items if item.name not in gone]


def _needs(item: Any) -> set[str]:
    """Names of what an item stands on, acts on or reads."""
    found = {ref.body for _, ref in references(item)} | {each.joint for each in item.couples}
    found |= {name for _, function in functions_in(item) for name in function.sensors}
    if isinstance(item, Sensor):
        found.update(item.reads)
    named = (getattr(item, "joint", None), getattr(item, "body", None), item.reads_reactions_of)
    return found | {name for name in named if name}


def _tell(found: Findings, part: Sequence[tuple[int, Any]], error: ModelError) -> None:
    numbers = {item.called(item.name): number for number, item in part}
    sensors = [number for number, item in part if isinstance(item, Sensor)]
    first = min(number for number, item in part if item.readable)
    for problem in error.problems:
        number = numbers.get(problem.where, first)
        found.error(number, problem.what, problem.why, problem.fix, *(["of"] if number in sensors else []))
