"""An input of a block that is a function of time or of a reading: a reading of its own.

0 = u − f(t)   or   0 = u − f(y),   loose: 0 = u − u₀ over a step, u₀ the value at its begin
"""

from __future__ import annotations

from flexor.functions import ERRORS, OUT_SIZE, Expression, Function, Polynomial
from flexor.functions.call import Argued, Reads, drive
from flexor.law import ACCELERATION_LEVEL, COMMIT, RESIDUAL, Term, law
from flexor.law.face import INTEGRATED
from flexor.law.record import Record, nested, number

MANY = 50
"""Points of a function from which on they are samples of something smooth, and steps need not end there."""
ONCE, BESIDE = 1e30, 1e-7
"""Period of what happens once [s], and how near to a jump a step ends."""


class BlockInput(Record):
    """Parameters of both laws."""

    of = nested(Argued, "the function")


class HeldInput(Record):
    """What a loose input remembers."""

    value = number("at the end of the last step")


@law(BlockInput, errors=ERRORS, scratch=OUT_SIZE, symmetric=False)
def block_input(want, p, now, out):
    """u − f"""
    if want & RESIDUAL:
        status = drive(p.of, now, out.w)
        if status != 0:
            return status
        out.r[0] = now.lam[0] - out.w[0]
    return 0


@law(BlockInput, history=HeldInput, errors=ERRORS, scratch=OUT_SIZE, symmetric=False)
def loose_input(want, p, now, out):
    """u − u₀ over a step, else u − f"""
    if not want & (RESIDUAL | COMMIT):
        return 0
    status = drive(p.of, now, out.w)
    if want & COMMIT:
        now.h.value = out.w[0]
    elif now.c.states == INTEGRATED and not want & ACCELERATION_LEVEL:
        out.r[0] = now.lam[0] - now.h.value
    else:
        out.r[0] = now.lam[0] - out.w[0]
    return status


def input_term(name: str, function: Function, loose: bool) -> Term:
    """The reading of a function of time or of one reading."""
    by = Reads(own=1)
    return Term(
        name,
        loose_input if loose else block_input,
        rows=("value",),
        parameters=BlockInput.pack(of=by.drive(function)),
        history=(0.0,) if loose else (),
        own_outputs=(),
        readings=1,
        reads=by.reads,
        scratch=OUT_SIZE,
        clocks=_instants(function),
    )


def _instants(function: Function) -> tuple[tuple[float, float], ...]:
    """Just before and just after every instant at which a function of time may jump or have a kink."""
    if function.arguments != (None,) or len(function.breakpoints) > MANY:
        return ()
    times = [time for time in function.breakpoints if time > 0.0]
    return tuple((ONCE, time + side * BESIDE * max(time, 1.0)) for time in times for side in (-1.0, 1.0))


def identity(function: Function) -> str | None:
    """The reading that a function just is, by its name."""
    if len(function.sensors) != 1 or function.several:
        return None
    (name,) = function.sensors
    plain = isinstance(function, Expression) and function.text.strip().strip("'") == name
    straight = isinstance(function, Polynomial) and function.coefficients == (0.0, 1.0)
    return name if plain or straight else None
