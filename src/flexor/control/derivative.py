"""The rate of a reading, by differences over the last steps.

    d = u̇:   0 = d − (u − u₀)/h − (h/(h + h₀)) ((u − u₀)/h − (u₀ − u₁)/h₀)         of second order, h₀ the step before

Behind a start or a switch, where there is no step before, backward differences of first order serve. At rest d = 0; for small
motions z = u, d = ż.
"""

from __future__ import annotations

from flexor.law import ACCELERATION_LEVEL, COMMIT, RESIDUAL, Term, law
from flexor.law.face import INTEGRATED, SWITCH, TRANSITION
from flexor.law.record import Record, integer, number

JUMP = 1e-9
"""Change of the input at an instant, relative to it, that is a jump."""


class Derivative(Record):
    """Parameters of the law."""

    spare = integer("nothing")


class Before(Record):
    """What it remembers."""

    regime = number("0: it has not begun; 1: at a start or switch; 2: there is a step before")
    value = number("u₀ at the end of the last step")
    earlier = number("u₁ at its begin")
    step = number("its length", "s")
    rate = number("u̇ at its end")


@law(Derivative, history=Before, symmetric=False, transitions=True)
def derivative(want, p, now, out):
    """Unknowns d, z; reads u"""
    h, d, z, u = now.h, now.lam[0], now.lam[1], now.lam[2]
    if want & RESIDUAL:
        out.r[1] = z - u
        if want & ACCELERATION_LEVEL:
            out.r[0] = d - h.rate
        elif now.c.states == INTEGRATED:
            slope = (u - h.value) / now.c.step
            if h.regime == 2.0:
                slope += now.c.step / (now.c.step + h.step) * (slope - (h.value - h.earlier) / h.step)
            out.r[0] = d - slope
        else:
            out.r[0] = d + 0.0
    if want & COMMIT:
        if now.c.step > 0.0 and h.regime != 0.0:
            h.regime, h.step, h.earlier = 2.0, now.c.step, h.value
        h.value, h.rate = u, d
    if want & SWITCH:
        if h.regime == 0.0 or abs(u - h.value) > JUMP * (abs(u) + abs(h.value)):
            h.regime, h.value = 1.0, u
        out.w[0] = 0.0
    if want & TRANSITION:
        out.w[0] = out.w[1] = 1.0
    return 0


def derivative_term(name: str, of: str) -> Term:
    """The reading of the rate of another one, by its name."""
    return Term(
        name,
        derivative,
        rows=("value", "input"),
        parameters=Derivative.pack(spare=0),
        history=Before.begin(),
        own_outputs=(),
        readings=2,
        reads=((of, 1),),
        rates=((0, 1, -1.0),),
    )
