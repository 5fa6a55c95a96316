"""A function among the parameters of a law."""

from __future__ import annotations

from typing import Any

from flexor.law.primitives import call_function
from flexor.law.record import Packed, Record, evaluator, integer, nested, tail


class Call(Record):
    """What it takes to evaluate a function: its evaluator (0: there is none) and its numbers."""

    address = evaluator("the evaluator")
    p = tail("its numbers")


class Drive(Record):
    """A function of time, or of a reading."""

    call = nested(Call, "the function")
    source = integer("−1: of time; else number of the multiplier that it is a function of")


def drive(d, now, out):
    """As `evaluate`, at the present time or reading; derivatives are with respect to that."""
    x = now.t
    if d.source >= 0:
        x = now.lam[d.source]
    return evaluate(d.call, x, out)


def packed(function: Any | None, *, integral: bool = False) -> Packed:
    """A declared function, or None, as a `Call`.

    integral: whether the law reads the integral too, which costs time for expressions and products.
    """
    if function is None:
        return Call.pack(address=None, p=())
    return Call.pack(address=function.evaluator, p=function.parameters if integral else function.value_parameters)


def driven(function: Any | None, source: int = -1) -> Packed:
    """A declared function as a `Drive`."""
    return Drive.pack(call=packed(function), source=source)


def evaluate(call, x, out):
    """Status; out = (f, f′, f″, ∫₀ˣ f), OUT_SIZE floats."""
    return call_function(call.address, call.p, x, out)
