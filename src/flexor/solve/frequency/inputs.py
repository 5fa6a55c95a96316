"""Inputs of a frequency response: fields of items that hold functions of time, and what the equations feel of them.

An input u is added to its function. In the frequency domain a law sees with it the rate iω u, the second rate −ω² u and the integral
u/(iω), as far as it reads them (a motor by its speed reads the integral). The residual depends on each of these by a column,

    δr = (d₀ + iω d₁ − ω² d₂ + d₃/(iω) − d₄/ω²) u,

which are differences of residuals at the same state: a *probe* beside the function gives them their values. d₄ is of the position that a
prescribed acceleration has led to, which laws remember.
"""

from __future__ import annotations

import cmath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexor.arguments import quantity_of
from flexor.coordinates.constraint import Reached
from flexor.declaration import Item
from flexor.dotted import split
from flexor.engine.diagnose import describe_failure
from flexor.engine.initial import set_proper
from flexor.engine.memory import OK
from flexor.engine.system import System
from flexor.errors import ModelError, Problem
from flexor.functions import Function, Sum
from flexor.functions.any_function import function_fields, time_fields
from flexor.functions.probe import Probe
from flexor.joints.along import DIMENSIONS_ALONG, acts_along
from flexor.joints.motor import variable_index
from flexor.law import RESIDUAL
from flexor.law.term import Term
from flexor.mistakes import suggestion
from flexor.model import Model
from flexor.model.lower import lower
from flexor.units import unit_of

ANALYSIS = "frequency_response"
MARK = 1.7320508075688772e-3
"""By multiples of it probes are found among the parameters of laws."""
COLUMNS = 5
"""Of value, rate, second rate, integral, and of the position that an acceleration has led to."""
Amplitude = complex | float | str | tuple[Any, Any]


@dataclass(frozen=True)
class Input:
    """A field of an item, and the amplitude with which it is excited."""

    item: str
    field: str
    amplitude: complex = 1.0

    @property
    def name(self) -> str:
        return f"{self.item}.{self.field}"


def read_inputs(
    model: Model, given: str | Sequence[str] | Mapping[str, Amplitude], analysis: str = ANALYSIS
) -> tuple[Input, ...]:
    """The inputs by name, push.force (or push, if that has one function of time), with amplitudes: complex, or (amplitude, phase)."""
    listed = [given] if isinstance(given, str) else given
    if not isinstance(listed, Mapping | Sequence) or not all(isinstance(name, str) for name in listed):
        why = "inputs are given by their names"
        raise ModelError(Problem(analysis, f"inputs = {given!r:.60}", why, _choice(model)))
    if not listed:
        raise ModelError(Problem(analysis, "no input is given", "", _choice(model)))
    named = listed.items() if isinstance(listed, Mapping) else [(name, 1.0) for name in listed]
    found = tuple(_input(model, name, amplitude, analysis) for name, amplitude in named)
    names = [each.name for each in found]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ModelError(Problem(analysis, f"the input '{twice[0]}' is given twice", "", "give it once"))
    return found


def _input(model: Model, name: str, amplitude: Amplitude, analysis: str) -> Input:
    own, field = split(name, [item.name for item in model.items])
    fields = _fields(model[own]) if own in model else ()
    if not field and len(fields) == 1:
        field = fields[0]
    if field not in fields:
        why = "it is no field with a function of time" if own in model else "there is no such item"
        raise ModelError(Problem(analysis, f"the input '{name}' is unknown", why, _choice(model, name)))
    return Input(own, field, _amplitude(_dimension(model, own, field), name, amplitude))


def _dimension(model: Model, own: str, field: str) -> str | None:
    """What the values of a field measure; of what acts along a joint variable, by that."""
    item = model[own]
    kind: type[Item] = type(item)
    if acts_along(item) and field in item.along:
        joint: Any = model[item.joint]
        return DIMENSIONS_ALONG[joint.units[variable_index(joint, item.variable)]][item.along[field][0]]
    return function_fields(kind)[field].values


def _amplitude(dimension: str | None, name: str, amplitude: Amplitude) -> complex:
    """A number, a complex one, a value with a unit, or (amplitude, phase)."""
    what = f"amplitude of '{name}'"
    if isinstance(amplitude, tuple) and len(amplitude) != 2:
        fix = '(5, "90 deg"): the amplitude and its phase'
        raise ModelError(Problem(ANALYSIS, f"{what} = {amplitude!r:.60}", f"it has {len(amplitude)} parts", fix))
    size, phase = amplitude if isinstance(amplitude, tuple) else (amplitude, 0.0)
    angle = quantity_of(ANALYSIS, f"phase of '{name}'", phase, "angle")
    if isinstance(size, complex):
        value = complex(*(quantity_of(ANALYSIS, what, part, "dimensionless") for part in (size.real, size.imag)))
    elif isinstance(size, str) and dimension is None:
        raise ModelError(
            Problem(ANALYSIS, f"{what} = {size!r}", "its unit is not known here", "write a number in SI units")
        )
    else:
        value = complex(quantity_of(ANALYSIS, what, size, dimension or "dimensionless"))
    return value * cmath.exp(1j * angle)


def _fields(item: Any) -> tuple[str, ...]:
    """Fields of an item that hold a function of time."""
    return tuple(field for field in time_fields(type(item)) if isinstance(getattr(item, field), Function))


def _choice(model: Model, name: str = "") -> str:
    known = [f"{item.name}.{field}" for item in model.items for field in _fields(item)]
    return (
        suggestion(name, known, "inputs are")
        if known
        else "add a load or a motor: fx.PointForce('push', arm, …, force=0)"
    )


def probed(model: Model, inputs: Sequence[Input], marked: bool = False) -> Model:
    """The model with a probe beside the function of each input.   marked: it has numbers by which it is found."""
    probes: dict[str, dict[str, Function]] = {}
    for number, each in enumerate(inputs):
        values = tuple(MARK * (4 * number + i + 1) for i in range(4)) if marked else (0.0,) * 4
        function = getattr(model[each.item], each.field)
        terms = function.terms if isinstance(function, Sum) else (function,)
        both = Sum.model_construct(terms=(*terms, Probe(values=values)))
        probes.setdefault(each.item, {})[each.field] = both
    items = tuple(item.model_copy(update=probes[item.name]) if item.name in probes else item for item in model.items)
    return model.model_copy(update={"items": items})


Place = tuple[np.ndarray, np.ndarray]
"""A memory of the engine, and where in it something stands."""


def input_places(system: System, model: Model, inputs: Sequence[Input]) -> list[list[Place]]:
    """Of each input, where the engine holds its value, rate, second rate, integral, and the position that an acceleration has led
    to; model: without probes, the system with them."""
    terms, marked = system.mechanism.terms, lower(probed(model, inputs, marked=True)).terms
    found = []
    for number, each in enumerate(inputs):
        places = [_places(system, terms, marked, 4 * number + i + 1) for i in range(4)]
        if not any(map(len, places)):
            why = "what it belongs to does not read it as a function of time"
            raise ModelError(Problem(ANALYSIS, f"'{each.name}' cannot be an input", why, _choice(model)))
        reached = np.zeros(0, dtype=np.int64)
        if _by_acceleration(model[each.item], each.field):
            holders = [i for i, term in enumerate(terms) if len(_marks(system, term, marked[i], 4 * number + 1))]
            reached = np.array([system.terms["h"][i] + _reached(terms[i], each.field) for i in holders])
        found.append([(system.memory.p_parameters, place) for place in places] + [(system.memory.history, reached)])
    return found


def felt_inputs(system: System, model: Model, inputs: Sequence[Input]) -> np.ndarray:
    """Columns d of every equation, input and kind, (equations, inputs, 5); model: without probes, the system with them."""
    kept = int(system.run.still)
    system.run.still = 0
    found = np.zeros((system.equations.pattern.n, len(inputs), COLUMNS))
    try:
        for number, places in enumerate(input_places(system, model, inputs)):
            size = max(1.0, abs(float(_value(system, model, inputs[number]))))
            for i, (memory, place) in enumerate(places):
                found[:, number, i] = _slope(system, memory, place, size if i < 4 else 1.0)
    finally:
        system.run.still = kept
        _residual(system)
    return found


def _value(system: System, model: Model, each: Input) -> float:
    function: Function = getattr(model[each.item], each.field)
    return 0.0 if function.sensors else float(function(float(system.run.time)))


def _by_acceleration(item: Any, field: str) -> bool:
    return field == "acceleration" or getattr(item, "given", "") == "acceleration"


def _reached(term: Term, field: str) -> int:
    """Where its history holds how far it has come."""
    if hasattr(term.law.history, "value"):
        return term.place("value")
    return term.place(field[-1], Reached.value.offset)  # type: ignore[attr-defined]


def _marks(system: System, term: Term, marked: Term, number: int) -> np.ndarray:
    own, other = term.words(system.python), marked.words(system.python)
    if len(own) != len(other):
        return np.zeros(0, dtype=np.int64)
    return np.flatnonzero((own == 0.0) & (other == MARK * number))


def _places(system: System, terms: Sequence[Term], marked: Sequence[Term], number: int) -> np.ndarray:
    """Where the engine's parameters hold a number of a probe."""
    found = [
        int(system.terms["p"][i]) + _marks(system, a, b, number)
        for i, (a, b) in enumerate(zip(terms, marked, strict=True))
    ]
    return np.concatenate(found) if found else np.zeros(0, dtype=np.int64)


def _residual(system: System) -> np.ndarray:
    system.call("follow")
    set_proper(system)  # bodies that follow what an input accelerates feel their inertia
    status = system.evaluate(RESIDUAL)
    if status != OK:
        raise describe_failure(system, status)
    return np.array(system.memory.residual)


def _slope(system: System, memory: np.ndarray, places: np.ndarray, size: float) -> np.ndarray:
    """∂r by what stands at these places of a memory: of loads and constraints exactly, as they are linear; else by differences of
    fourth order whose width is that with the least error."""
    if not len(places):
        return np.zeros(system.equations.pattern.n)
    before = memory[places].copy()

    def at(h: float) -> np.ndarray:
        memory[places] = before + h
        try:
            return _residual(system)
        finally:
            memory[places] = before

    return _derivative(at, size)


def _derivative(at: Callable[[float], np.ndarray], size: float) -> np.ndarray:
    best, least = None, np.inf
    failure: Exception | None = None
    for h in size * 10.0 ** -np.arange(6.0):
        try:
            wide, narrow = (at(h) - at(-h)) / (2 * h), (at(0.5 * h) - at(-0.5 * h)) / h
        except Exception as error:  # beyond what the law is defined for
            failure = error
            continue
        off, large = float(np.abs(wide - narrow).max()), float(np.abs(narrow).max())
        if off < least:
            best, least = (4 * narrow - wide) / 3, off
        if off <= 1e-12 * large:
            return narrow
    if best is None:
        assert failure is not None
        raise failure
    return best


def unit_of_input(system: System, model: Model, each: Input) -> str:
    """The unit in which an input counts."""
    item: Any = model[each.item]
    kind: type[Item] = type(item)
    dimension = function_fields(kind)[each.field].values
    if dimension is not None:
        return unit_of(dimension)
    order = {"velocity": 1, "acceleration": 2}.get(getattr(item, "given", ""), item.prescribes.get(each.field, 0))
    for term in system.mechanism.terms:
        for output in term.outputs:
            if f"{term.name}.{output.name}" in (f"{each.item}.target", f"{each.name}.target"):
                return output.unit + ("", "/s", "/s²")[order]
    return ""
