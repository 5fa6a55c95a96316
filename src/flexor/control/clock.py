"""The time as a signal, which a sensor may read."""

from __future__ import annotations

from flexor.law import OUTPUT, Term, law
from flexor.law.record import Record, integer


class Clock(Record):
    """Parameters of the law."""

    spare = integer("nothing")


def time_now(p, now, w):
    """t"""
    w[0] = now.t
    return 0


@law(Clock, outputs=(("time", "s"),), signals=time_now)
def clock(want, p, now, out):
    """It acts on nothing."""
    if want & OUTPUT:
        return time_now(p, now, out.w)
    return 0


def clock_term() -> Term:
    """The term whose signal is the time."""
    return Term("", clock, parameters=Clock.pack(spare=0))
