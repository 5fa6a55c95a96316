"""The check of sensors: whether what they read is there, and whether functions that depend on them may."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

from flexor.control import Sensor
from flexor.errors import ModelError
from flexor.functions import Expression, Function
from flexor.functions.composite import Composite
from flexor.mistakes import suggestion
from flexor.model.feedback import functions_in
from flexor.model.joint_state import Placement
from flexor.model.quantities import check_units_of_readings
from flexor.model.report import Findings
from flexor.units import Dimension

BARE_X = re.compile(r"\bx\b")


def check_arguments(found: Findings, sound: Sequence[tuple[int, Any]], broken: Collection[str]) -> None:
    """Every function of a sensor stands where one may, and its sensor is there."""
    sensors = [item.name for _, item in found.items if isinstance(item, Sensor)]
    for number, item in sound:
        for path, function in functions_in(item):
            key = ".".join(path)
            if "x" in sensors and key in getattr(type(item), "by_sensor", ()) and _has_bare_x(function):
                why = "it means the argument of the function, the time, and there is a sensor of that name"
                found.error(
                    number, f"{key}: what is x in the formula?", why, "write 'x' in quotes, or t for the time", *path
                )
            missing = [name for name in function.sensors if name not in sensors and name not in broken]
            for name in missing:
                fix = (
                    suggestion(name, sensors, "sensors are")
                    or f"add one: - {{type: sensor, name: {name}, of: pin.angle}}"
                )
                if isinstance(function, Expression):
                    fix += "; the variable of a formula is called t"
                    if Dimension.measured_in(name) is not None:
                        fix = "formulas are in SI units (m, kg, s, N, rad) and hold no units: leave it out"
                found.error(number, f"{key}: there is no sensor '{name}'", "", fix, *path)
            if function.sensors and not missing and key not in getattr(type(item), "by_sensor", ()):
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


def check_readings(found: Findings, sound: Sequence[tuple[int, Any]], placement: Placement | None) -> None:
    """Every sensor reads a signal that is there, and functions of it are in its unit."""
    from flexor.model.lower import lowered_items  # loads the compiler

    sensors = {item.name: number for number, item in sound if isinstance(item, Sensor)}
    if not sensors or placement is None:
        return
    try:
        terms = lowered_items(tuple(item for _, item in sound), placement)[2]
        check_units_of_readings(
            found, sound, {term.name: term.outputs[0].unit for term in terms if term.name in sensors}
        )
    except ModelError as error:
        for problem in error.problems:
            named = (n for n, item in sound if item.called(item.name) == problem.where)
            number = next(named, min(sensors.values()))
            found.error(number, problem.what, problem.why, problem.fix, *(["of"] if number in sensors.values() else []))
