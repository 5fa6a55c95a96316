"""The integral of another function: the force of a stiffness that is given over the deflection."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

from flexor.functions.composite import Composite
from flexor.functions.function import Function
from flexor.functions.quadrature import with_integral
from flexor.law.primitives import at


@functools.cache
def _moment(member: Callable) -> Callable:
    """x f(x) and its derivatives, for its integral"""

    def moment(p, x, out):
        status = member(p, x, out)
        f, f1, f2 = out[0], out[1], out[2]
        out[0] = x * f
        out[1] = f + x * f1
        out[2] = 2.0 * f1 + x * f2
        out[3] = math.nan
        return status

    return moment


@functools.cache
def accumulated_evaluator(member: Callable) -> Callable:
    """p = whether the integral is wanted, floats of the member, these, and those of ∫ x f

    F = ∫₀ˣ f and ∫₀ˣ F = x F − ∫₀ˣ ξ f(ξ) dξ
    """
    moment = with_integral(_moment(member))

    def accumulated(p, x, out):
        size = int(p[1])
        status = member(at(p, 2), x, out)
        f, f1, F = out[0], out[1], out[3]
        second = math.nan
        if p[0] != 0.0 and status == 0:
            status = moment(at(p, 2 + size), x, out)
            second = x * F - out[3]
        out[0] = F
        out[1] = f
        out[2] = f1
        out[3] = second
        return status

    return accumulated


class Accumulated(Composite):
    """∫₀ˣ f. Not declared by users: springs make it of a stiffness, dampers of a damping coefficient."""

    function: Function

    @property
    def members(self) -> tuple[Function, ...]:
        return (self.function,)

    @property
    def evaluator(self) -> Callable[..., int]:  # type: ignore[override]
        return accumulated_evaluator(self.function.evaluator)

    def _packed(self, wanted: float) -> tuple[float, ...]:
        own, points = self.function.parameters, self.breakpoints
        behind = (wanted, float(len(points)), *points, *self.function.value_parameters)
        return (wanted, float(len(own)), *own, *behind)

    @property
    def parameters(self) -> tuple[float, ...]:
        return self._packed(1.0)

    @property
    def value_parameters(self) -> tuple[float, ...]:
        return self._packed(0.0)


def with_slope(force: Function | None, slope: Function | None) -> Function | None:
    """A force over its argument, given by itself, by its slope, or by both.   FTG (5.2), (5.20): implicit, explicit"""
    if slope is None:
        return force
    more = Accumulated(function=slope)
    return more if force is None else force + more
