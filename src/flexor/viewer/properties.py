"""What was declared of an item, as an engineer reads it: numbers with units, vectors, places on bodies, functions in words.

Units come from the declarations: the description of a field, what its function measures, the joint variable that it acts along.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from flexor.bodies import MarkerRef
from flexor.declaration import Declaration, Item
from flexor.functions import Constant, Expression, Function
from flexor.functions.any_function import function_fields
from flexor.functions.polynomial import Polynomial
from flexor.functions.product import Product
from flexor.functions.scaled import Scaled
from flexor.functions.sum import Sum
from flexor.joints import Joint
from flexor.joints.along import DIMENSIONS_ALONG, acts_along
from flexor.spatial import log_so3, quaternion_to_matrix
from flexor.units import Measured, unit_of
from flexor.viewer.unit_text import numbers, rows, value

SKIPPED = {"name", "type", "shapes", "markers", "mesh"}
LONGEST = 400
"""Letters of a value at most."""
MOST = 6
"""Values of a list that are told one by one."""
GIVEN = ("displacement", "velocity", "acceleration")
LIKE = {"y": "x", "z": "x", "angle_y": "angle_z", "angle_x": "angle_z"}
"""Fields of a motion whose unit is told with another one."""
_UNIT = re.compile(r"\[([^\]]+)\]\.?")
Units = tuple[str, str]
"""Of what a field holds, and of the argument of a function; empty if not known."""


def properties_of(item: Declaration, around: Mapping[str, Item] | None = None) -> list[list[str]]:
    """What was given, field by field. around: the items of the model by name, where units depend on them."""
    teller = _Teller(item, around or {})
    found = [["type", type(item).__name__]]
    for field in type(item).model_fields:
        if field not in SKIPPED and field in item.model_fields_set and getattr(item, field) is not None:
            found.append([field.replace("_", " "), _cut(teller.field(item, field))])
    return found


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


class _Teller:
    def __init__(self, item: Declaration, around: Mapping[str, Item]) -> None:
        given = getattr(item, "given", None)
        self._derivative = GIVEN.index(given) if given in GIVEN else 0
        self._variable = _variable_unit(item, around)
        along = getattr(type(item), "along", None) or {} if self._variable else {}
        names = DIMENSIONS_ALONG.get(self._variable, {})
        self._along: dict[str, Units] = {
            path: (_si(names[what]), _si(names[of]) if of else "") for path, (what, of) in along.items()
        }

    def field(self, owner: Declaration, name: str, path: str = "") -> str:
        """The value of a field. path: of the owner within the item, `yields.`"""
        held = getattr(owner, name)
        if isinstance(owner, Joint) and name in ("start", "start_rate"):
            units = [unit if name == "start" else f"{unit}/s" for unit in owner.units]
            return ", ".join(value(each, unit) for each, unit in zip(held, units))
        if name == "orientation" and isinstance(held, tuple) and len(held) == 4:
            return turn(held)
        told = _UNIT.findall(type(owner).model_fields[name].description or "")
        if len(told) == 2 and isinstance(held, tuple) and len(held) == 6:  # of displacements, then of rotations
            return ", ".join(numbers(half, unit) for half, unit in zip((held[:3], held[3:]), told))
        return self._value(held, *self._units(owner, name, path), f"{path}{name}.")

    def _units(self, owner: Declaration, name: str, path: str) -> Units:
        if (found := self._along.get(path + name)) is not None:
            return found
        fields = type(owner).model_fields
        told = _UNIT.search(fields[name].description or "")
        if told is None and (like := LIKE.get(name)) in fields:
            told = _UNIT.search(fields[like].description or "")
        unit = self._chosen(told[1]) if told else ""
        mark = function_fields(type(owner)).get(name)
        if mark is None:
            return unit, ""
        return _si(mark.values) if mark.values else unit, _si(mark.argument) if mark.argument else ""

    def _chosen(self, unit: str) -> str:
        """Of `rad or m` the one that the joint variable has; both where it is not known."""
        if unit == "SI":  # of whatever it couples
            return ""
        choices = re.split(r" or |, ", unit)
        if len(choices) == 1 or self._variable not in ("rad", "m"):
            return choices[self._derivative] if len(choices) == 3 else unit
        angular = [each for each in choices if "rad" in each or "N m" in each]
        return next((each for each in choices if (each in angular) == (self._variable == "rad")), unit)

    def _value(self, held: Any, unit: str, argument: str, path: str) -> str:
        if isinstance(held, Function):
            return self._function(held, unit, argument)
        if isinstance(held, MarkerRef):
            return place(held)
        if isinstance(held, Declaration):
            return self._declaration(held, path)
        if isinstance(held, bool):
            return "yes" if held else "no"
        if isinstance(held, Measured):
            return held.text
        if isinstance(held, int | float):
            return value(float(held), unit)
        if isinstance(held, Mapping):
            return ", ".join(f"{key}: {self._value(each, unit, argument, path)}" for key, each in held.items())
        if isinstance(held, np.ndarray):
            held = held.tolist()
        if isinstance(held, list | tuple):
            return self._list(held, unit, argument, path)
        return str(held) if held is not None else "–"

    def _list(self, held: list[Any] | tuple[Any, ...], unit: str, argument: str, path: str) -> str:
        plain = all(isinstance(each, int | float) and not isinstance(each, bool) for each in held)
        if plain and len(held) == 3 and not unit and (axis := _axis(held)):
            return axis
        if plain and len(held) <= MOST:
            return numbers(held, unit)
        if held and unit and len(held) <= MOST and all(isinstance(each, tuple) and len(each) <= 3 for each in held):
            return rows(held, unit)
        if plain:
            ends = numbers((min(held), max(held)), unit).strip("()").replace(", ", " … ")
            return f"{len(held)} values, {ends}"
        if len(held) > MOST:
            first, last = (self._value(held[i], unit, argument, path) for i in (0, -1))
            return f"{first}, …, {last} ({len(held)} of them)"
        return ", ".join(self._value(each, unit, argument, path) for each in held)

    def _declaration(self, held: Declaration, path: str) -> str:
        given = [name for name in type(held).model_fields if name != "type" and name in held.model_fields_set]
        parts = [f"{name.replace('_', ' ')} {self.field(held, name, path)}" for name in given]
        kind = str(getattr(held, "type", "")).replace("_", " ")
        if path.count(".") > 1 and parts:
            return f"{kind} ({', '.join(parts)})".lstrip()
        return ": ".join(each for each in (kind, ", ".join(parts)) if each)

    # ---- functions

    def _function(self, f: Function, unit: str, argument: str) -> str:
        of = f" of sensor {f.sensor}" if f.sensor else ""
        if f.sensor:
            argument = ""
        if isinstance(f, Constant):
            return self._value(f.value, unit, "", "")
        if isinstance(f, Expression):
            return f"{f.text}{f' [{unit}]' if unit else ''}{of}"
        if isinstance(f, Polynomial):
            return f"{polynomial(f.coefficients)}{f' [{unit}]' if unit else ''}{f' of x [{argument}]' if argument else ''}{of}"
        if isinstance(f, Sum):
            return " + ".join(self._function(each, unit, argument) for each in f.terms)
        if isinstance(f, Scaled):
            return f"{self._value(f.factor, '', '', '')} × ({self._function(f.function, unit, argument)})"
        if isinstance(f, Product):
            return " × ".join(f"({self._function(each, '', argument)})" for each in f.factors)
        parts = []
        for name in type(f).model_fields:
            if name in ("type", "sensor") or name not in f.model_fields_set or getattr(f, name) is None:
                continue
            own = unit if name in f.value_fields else argument if name in f.argument_fields else ""
            own = "Hz" if name == "frequency" and argument == "s" else own
            told = _UNIT.search(type(f).model_fields[name].description or "")
            parts.append(
                f"{name.replace('_', ' ')} {self._value(getattr(f, name), own or (told[1] if told else ''), '', '')}"
            )
        return f"{getattr(f, 'type', type(f).__name__)}{of}: {', '.join(parts)}"


def _si(dimension: str) -> str:
    return unit_of(dimension).replace("·", " ")


def _variable_unit(item: Declaration, around: Mapping[str, Item]) -> str:
    """Of what an item acts along, a line, an angle, joint variables: rad or m; empty if that is not known, or both."""
    if not acts_along(item):
        if getattr(item, "line", None) is not None or getattr(item, "direction", None) is not None:
            return "m"
        if getattr(item, "angle", None) is not None:
            return "rad"
        coupled = [around.get(each.joint) for each in getattr(item, "couples", ())]
        known = {str(unit) for joint in coupled for unit in getattr(joint, "units", ("",))}
        return known.pop() if len(known) == 1 else ""
    joint = around.get(item.joint)
    names: tuple[str, ...] = getattr(joint, "variables", ())
    units: tuple[str, ...] = getattr(joint, "units", ())
    if item.variable in names:
        return units[names.index(item.variable)]
    return units[0] if len(set(units)) == 1 else ""


def place(ref: MarkerRef) -> str:
    """A place on a body: crank, crank.tip, crank at (80, 0, 0) mm."""
    if ref.marker or ref.at is None:
        text = f"{ref.body}.{ref.marker}" if ref.marker else ref.body
    else:
        text = f"{ref.body} at {numbers(ref.at, 'm')}"
    return text if ref.orientation is None else f"{text}, turned {turn(ref.orientation)}"


def turn(q: Iterable[float]) -> str:
    """A rotation in words: 30° about z."""
    phi = log_so3(quaternion_to_matrix(np.array(tuple(q))))
    angle = float(np.linalg.norm(phi))
    if angle < 1e-12:
        return "0°"
    axis = tuple(float(c) for c in phi / angle)
    return f"{value(angle, 'rad')} about {_axis(axis) or numbers(axis, '')}"


def _axis(direction: Iterable[float]) -> str:
    """x for (1, 0, 0), −z for (0, 0, −1); empty for others."""
    v = np.array(tuple(direction), dtype=float)
    i = int(np.argmax(np.abs(v)))
    if not math.isclose(abs(v[i]), 1.0) or np.abs(np.delete(v, i)).max() > 1e-12:
        return ""
    return ("−" if v[i] < 0 else "") + "xyz"[i]


def polynomial(coefficients: Iterable[float]) -> str:
    """2 + 3 x − 4 x²"""
    terms = [(c, k) for k, c in enumerate(coefficients) if c]
    text = ""
    for c, k in terms:
        power = "" if k == 0 else " x" if k == 1 else f" x{str(k).translate(_RAISED)}"
        size = value(abs(float(c)), "")
        sign = "−" if c < 0 else "+"
        text += f" {sign} {size}{power}" if text else f"{'−' if c < 0 else ''}{size}{power}"
    return text or "0"


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
