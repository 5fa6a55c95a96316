"""Outputs of a frequency response: sensors and blocks of the model, or signals that sensors may read."""

from __future__ import annotations

from collections.abc import Sequence

from flexor.control import Sensor
from flexor.errors import ModelError, Problem
from flexor.model import Model


def with_outputs(
    model: Model, given: str | Sensor | Sequence[str | Sensor] | None, analysis: str = "frequency_response"
) -> tuple[Model, dict[str, str]]:
    """The model with sensors for all outputs, and the sensor of each output by its name.

    given: names of sensors, blocks or signals, or sensors; all sensors of the model, or all blocks if it has none, if left out.
    """
    declared = {item.name for item in model.items if item.readable}
    if given is None:
        sensors_of = sorted(item.name for item in model.items if isinstance(item, Sensor))
        asked: list[str | Sensor] = [*(sensors_of or sorted(declared))]
    else:
        asked = [given] if isinstance(given, str | Sensor) else [*given] if isinstance(given, Sequence) else []
    fix = 'outputs=["tip.position_x"], any signal that a sensor may read, or add fx.Sensor(…) to the model'
    if (given is not None and not isinstance(given, str | Sensor | Sequence)) or not all(
        isinstance(each, str | Sensor) for each in asked
    ):
        raise ModelError(Problem(analysis, f"outputs = {given!r:.60}", "they are no names, nor sensors", fix))
    if not asked:
        raise ModelError(
            Problem(analysis, "no output is given", "the model has no sensors" if given is None else "", fix)
        )
    taken, sensors, found = {item.name for item in model.items}, [], {}
    for each in asked:
        if isinstance(each, str) and each in declared:
            found[each] = each
        elif isinstance(each, Sensor):
            found[each.name] = each.name
            if each.name not in declared:
                sensors.append(each)
        else:
            name = each.replace(".", " ").strip() or "output"
            while name in taken:
                name += "'"
            taken.add(name)
            sensors.append(Sensor(name, each))
            found[each] = name
    return model.with_item(*sensors) if sensors else model, found
