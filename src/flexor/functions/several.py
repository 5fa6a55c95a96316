"""Functions of several things: of time and of sensors, with their rates.

Such a function has the signature of all evaluators, but finds what it depends on behind OUT_SIZE floats of `out`: for each thing its
value, rate and second rate. It sets out = (f, ḟ, f̈), by the chain rule; x is of no matter. With the rate of one thing 1 and all
others 0, ḟ is the derivative with respect to that.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence

import numpy as np

from flexor.functions.function import OUT_SIZE, Function
from flexor.functions.program import run_program, with_inputs
from flexor.law.primitives import at

Several = tuple[Callable[..., int], tuple[float, ...]]
"""Evaluator and its parameters."""


def _times(a, b):
    """a·b, where b = 0 means that nothing changes, even at a vertical tangent (a infinite)."""
    return a * b if b != 0.0 else 0.0


@functools.cache
def of_one(member: Callable) -> Callable:
    """A function of one of the things: p = its number, parameters of the function"""

    def one(p, x, out):
        k = OUT_SIZE + 3 * int(p[0])
        status = member(at(p, 1), out[k], out)
        f1 = out[1]
        rate = out[k + 1]
        out[1] = _times(f1, rate)
        out[2] = _times(out[2], rate * rate) + _times(f1, out[k + 2])
        out[3] = math.nan
        return status

    return one


@functools.cache
def added(first: Callable, rest: Callable) -> Callable:
    """Sum of two: p = number of floats of the first, these floats, floats of the rest"""

    def both(p, x, out):
        failed = first(at(p, 1), x, out)
        f = out[0]
        f1 = out[1]
        f2 = out[2]
        status = rest(at(p, 1 + int(p[0])), x, out)
        out[0] += f
        out[1] += f1
        out[2] += f2
        return status if status != 0 else failed

    return both


def of_formula(code: Sequence[float], numbers: Sequence[int]) -> Several:
    """The program of an expression, whose inputs have these numbers among the things."""
    return run_program, with_inputs(code, numbers)


def folded(members: Sequence[Several], pair: Callable[[Callable, Callable], Callable]) -> Several:
    """Members combined by `pair`, one after the other."""
    evaluator, parameters = members[-1]
    for first, own in reversed(members[:-1]):
        evaluator, parameters = pair(first, evaluator), (float(len(own)), *own, *parameters)
    return evaluator, parameters


def evaluated(function: Function, *things: tuple[float, float, float]) -> tuple[float, float, float]:
    """f, ḟ, f̈ of a function for values, rates and second rates of its `arguments`, in that order."""
    evaluator, parameters = function.of_several(function.arguments)
    out = np.concatenate([np.zeros(OUT_SIZE), np.ravel(things)])
    status = evaluator(np.array(parameters), 0.0, out)
    if status:
        raise function.failed("these values", status)
    return float(out[0]), float(out[1]), float(out[2])
