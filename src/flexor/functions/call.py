"""A function among the parameters of a law."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from flexor.law.law import Law, by_duals
from flexor.law.primitives import call_function
from flexor.law.record import Packed, Record, evaluator, integer, nested, tail

if TYPE_CHECKING:
    from flexor.functions.function import Function


class Call(Record):
    """What it takes to evaluate a function: its evaluator (0: there is none) and its numbers."""

    address = evaluator("the evaluator")
    p = tail("its numbers")


class Argued(Record):
    """A function of time, or of a reading."""

    call = nested(Call, "the function")
    source = integer("−1: of time; else number of the multiplier that it is a function of")


def drive(d, now, out):
    """As `evaluate`, at the present time or reading; derivatives are with respect to that."""
    x = now.t
    if d.source >= 0:
        x = now.lam[d.source]
    return evaluate(d.call, x, out)


def drive_rate(d, out):
    """Of what `drive` has put into out: its rate in time, as far as it is a function of that."""
    return out[1] if d.source < 0 else 0.0 * out[1]


def packed(function: Function | None, *, integral: bool = False) -> Packed:
    """A declared function, or None, as a `Call`.

    integral: whether the law reads the integral too, which costs time for expressions and products.
    """
    if function is None:
        return _none()
    return Call.pack(address=function.evaluator, p=function.parameters if integral else function.value_parameters)


@cache
def _none() -> Packed:
    """No function."""
    found = Call.pack(address=None, p=())
    found.words.flags.writeable = False
    return found


def driven(function: Function | None, source: int = -1) -> Packed:
    """A declared function as a `Argued`."""
    return Argued.pack(call=packed(function), source=source)


class Reads:
    """The sensors that a term depends on, in the order in which its law finds them behind its own multipliers."""

    def __init__(self, own: int = 0) -> None:
        self.own = own
        self.names: list[str] = []

    def drive(self, function: Function | None) -> Packed:
        """A declared function of time or of one sensor as a `Argued`; those of several things are made one of a reading before."""
        if function is None or not function.sensors:
            return driven(function)
        (name,) = function.arguments
        return driven(function, self.number(str(name)))

    def number(self, name: str) -> int:
        """Under which number its law finds what is read of this name."""
        if name not in self.names:
            self.names.append(name)
        return self.own + self.names.index(name)

    @property
    def reads(self) -> tuple[tuple[str, int], ...]:
        """As `Term` takes them."""
        return tuple((name, 1) for name in self.names)

    def law(self, law: Law) -> Law:
        """The law as it is, or with a tangent that knows of the sensors."""
        return by_duals(law) if self.names else law


def evaluate(call, x, out):
    """Status; out = (f, f′, f″, ∫₀ˣ f), OUT_SIZE floats."""
    return call_function(call.address, call.p, x, out)
