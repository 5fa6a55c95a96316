"""A function among the parameters of a law."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexor.law.primitives import call_function
from flexor.law.record import Packed, Record, evaluator, tail

if TYPE_CHECKING:
    from flexor.functions.function import Function


class Call(Record):
    """What it takes to evaluate a function: its evaluator (0: there is none) and its numbers."""

    address = evaluator("the evaluator")
    p = tail("its numbers")


def packed(function: Function | None, *, integral: bool = False) -> Packed:
    """A declared function, or None, as a `Call`.

    integral: whether the law reads the integral too, which costs time for expressions and products.
    """
    if function is None:
        return Call.pack(address=None, p=())
    return Call.pack(address=function.evaluator, p=function.parameters if integral else function.value_parameters)


def evaluate(call, x, out):
    """Status; out = (f, f′, f″, ∫₀ˣ f), OUT_SIZE floats."""
    return call_function(call.address, call.p, x, out)
