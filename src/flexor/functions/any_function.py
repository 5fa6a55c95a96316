"""The field type for a function: any kind of it, a number, a value with a unit, or a formula."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from numbers import Real
from typing import Annotated, get_args, overload

from pydantic import (
    AfterValidator,
    Field,
    SerializerFunctionWrapHandler,
    ValidatorFunctionWrapHandler,
    WrapSerializer,
    WrapValidator,
)
from pydantic.fields import FieldInfo

from flexor.declaration import Declaration
from flexor.errors import UnitError
from flexor.functions.constant import Constant
from flexor.functions.expression import Expression
from flexor.functions.function import Function
from flexor.functions.harmonics import Harmonics
from flexor.functions.measure import refuse, seen_by
from flexor.functions.parser import parse
from flexor.functions.polynomial import Polynomial
from flexor.functions.product import Product
from flexor.functions.ramp import Ramp
from flexor.functions.scaled import Scaled
from flexor.functions.sine import Sine
from flexor.functions.step import Step
from flexor.functions.sum import Sum
from flexor.functions.table import Table
from flexor.functions.units_in_formula import refuse_units
from flexor.units import Dimension, Measured, Quantity, measured

FUNCTIONS: tuple[type[Function], ...] = (
    Constant, Polynomial, Ramp, Step, Sine, Harmonics, Table, Expression, Scaled, Sum, Product
)  # fmt: skip
"""All kinds of functions."""

_Union = Annotated[
    Constant | Polynomial | Ramp | Step | Sine | Harmonics | Table | Expression | Scaled | Sum | Product,
    Field(discriminator="type"),
]
_KINDS = {kind.model_fields["type"].default: kind for kind in FUNCTIONS}


_VALUE = re.compile(
    r"\s*[+-]?(?>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*(?P<unit>[^\W_].*|[°%(].*|)", re.DOTALL
)
_TONNE = re.compile(r"(?<![^\W\d_])t(?![^\W\d_])")


@overload
def as_function(value: Function | Quantity) -> Function: ...
@overload
def as_function(value: object) -> Function | dict[str, object]: ...
def as_function(value: object) -> Function | dict[str, object]:
    """What stands for a function, made one: 5, "3000 rpm", "2*sin(3*t)"; a dictionary is only checked."""
    if isinstance(value, Real) and not isinstance(value, bool):
        return Constant(value=float(value))
    if isinstance(value, str):
        return _from_text(value)
    if isinstance(value, dict):
        kind = value.get("type")
        if not isinstance(kind, str) or kind not in _KINDS:
            given = f"type {kind!r} is unknown" if "type" in value else "it has no type"
            raise ValueError(f"{given}; a function has one of the types {', '.join(_KINDS)}")
    elif not isinstance(value, Function):
        raise ValueError(
            f"a {type(value).__name__} is no function; write a number, a value with a unit, a formula in t, "
            "or e.g. {type: ramp, initial: 0, final: 1, over: 1 s}"
        )
    return value


def _from_text(text: str) -> Function:
    """A number followed by a unit is a constant, everything else a formula."""
    match = _VALUE.fullmatch(text)
    try:
        if match is None:
            parse(text)  # its message needs no word on the field `text`
            return Expression(text=text)
        if _TONNE.search(match["unit"]):
            raise ValueError("its t may be the time or the tonne; write products with *, e.g. 2*t, and masses in kg")
        return Constant(value=measured(text))
    except (ValueError, UnitError):
        refuse_units(text)
        raise


def _short(function: Function, write: SerializerFunctionWrapHandler) -> object:
    """The shortest form that is read back as the same function."""
    for short in (getattr(function, "value", None), getattr(function, "text", None)):
        if short is not None and as_function(short) == function:
            return short.text if isinstance(short, Measured) else short
    return write(function)


def _validated(value: object, validate: ValidatorFunctionWrapHandler) -> Function:
    function = as_function(value)
    return function if isinstance(function, Function) else validate(function)


AnyFunction = Annotated[
    _Union,
    WrapValidator(_validated, json_schema_input_type=float | str | _Union),
    WrapSerializer(_short),
]
"""Field type of functions."""


@dataclass(frozen=True)
class FunctionOf(AfterValidator):
    """Judges the units of a function in a field, and tells what it is a function of, and what it measures, where that is known."""

    argument: str = ""
    values: str | None = None


def function_of(argument: str, values: str | None = None) -> AfterValidator:
    """Makes `Annotated[AnyFunction, function_of("time", "force")]` a field: a function of time that measures a force.

    Without `values` what it measures is judged later; so is the argument of a function of a sensor.
    """
    arguments, wanted = Dimension.of(argument), None if values is None else Dimension.of(values)

    def fitting(function: Function) -> Function:
        refuse(function.misfits(wanted, seen_by(function, {None: arguments})))
        return function

    return FunctionOf(fitting, argument, values)


@cache
def function_fields(declared: type[Declaration]) -> Mapping[str, FunctionOf]:
    """Fields that hold functions of a known argument."""
    return {
        name: mark
        for name, field in declared.model_fields.items()
        for mark in _marks(field.annotation, field.metadata)
        if isinstance(mark, FunctionOf)
    }


def values_of(field: FieldInfo) -> Dimension | None:
    """What the function in a field declared by `function_of` has to measure, if that is known there."""
    marks = _marks(field.annotation, field.metadata)
    found = next((mark.values for mark in marks if isinstance(mark, FunctionOf)), None)
    return None if found is None else Dimension.of(found)


def time_fields(declared: type[Declaration]) -> tuple[str, ...]:
    """Fields that hold functions of time."""
    return tuple(name for name, mark in function_fields(declared).items() if mark.argument == "time")


def _marks(annotation: object, metadata: Iterable[object] = ()) -> Iterator[object]:
    """All that stands beside a type in Annotated, also within a union."""
    yield from metadata
    yield from getattr(annotation, "__metadata__", ())
    for part in get_args(annotation):
        yield from _marks(part)


for _kind in (Scaled, Sum, Product):
    _kind.model_rebuild(_types_namespace={"AnyFunction": AnyFunction})
    _kind.__pydantic_init_subclass__()
