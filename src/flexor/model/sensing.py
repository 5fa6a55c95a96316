"""The check of sensors: whether what they read is there, and whether functions that depend on them may."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from flexor.control import Sensor
from flexor.errors import ModelError
from flexor.functions import Function
from flexor.functions.any_function import function_fields
from flexor.mistakes import suggestion
from flexor.model.joint_state import Placement
from flexor.model.report import Findings
from flexor.units import Dimension, read_unit


def check_arguments(found: Findings, sound: Sequence[tuple[int, Any]], broken: Collection[str]) -> None:
    """Every function of a sensor stands where one may, and its sensor is there."""
    sensors = [item.name for _, item in found.items if isinstance(item, Sensor)]
    for number, item in sound:
        for key in type(item).model_fields:
            function = getattr(item, key)
            name = function.reads if isinstance(function, Function) else None
            if name is None or name in broken:
                continue
            if name not in sensors:
                fix = (
                    suggestion(name, sensors, "sensors are")
                    or f"add one: - {{type: sensor, name: {name}, of: pin.angle}}"
                )
                found.error(number, f"{key}: there is no sensor '{name}'", "", fix, key)
            elif key not in getattr(type(item), "by_sensor", ()):
                able = ", ".join(getattr(type(item), "by_sensor", ()))
                fix = f"{able} may depend on one" if able else "let a load depend on it instead"
                found.error(
                    number, f"{key} cannot depend on a sensor", "it is a function of its own variable", fix, key
                )


def check_readings(found: Findings, sound: Sequence[tuple[int, Any]], placement: Placement | None) -> None:
    """Every sensor reads a signal that is there."""
    from flexor.model.lower import lowered_items  # loads the compiler

    sensors = {item.name: number for number, item in sound if isinstance(item, Sensor)}
    if not sensors or placement is None:
        return
    try:
        terms = lowered_items(tuple(item for _, item in sound), placement)[2]
        _check_units(found, sound, {term.name: term.outputs[0].unit for term in terms if term.name in sensors})
    except ModelError as error:
        for problem in error.problems:
            number = next((n for name, n in sensors.items() if f"'{name}'" in problem.where), min(sensors.values()))
            found.error(number, problem.what, problem.why, problem.fix, "of")


def _check_units(found: Findings, sound: Sequence[tuple[int, Any]], units: dict[str, str]) -> None:
    """Every function of a sensor has the units of what that reads."""
    for number, item in sound:
        for key, field in function_fields(type(item)).items():
            function = getattr(item, key)
            name = None if function is None else function.reads
            if name is None or name not in units:
                continue
            read = Dimension(units[name], read_unit(units[name]).powers)
            wanted = None if field.values is None else Dimension.of(field.values)
            for each in function.misfits(wanted, read):
                p, path = each.problem, (key, *each.path)
                where = ".".join(str(part) for part in path)
                why = f"sensor '{name}' reads {units[name] or 'a pure number'}; {p.why}"
                found.error(number, f"{where} = {p.where}: {p.what}", why, p.fix, *path)
