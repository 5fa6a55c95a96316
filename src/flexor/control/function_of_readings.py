"""A function of several sensors, and of time, as a reading of its own: an unknown y that one law depends on.

    0 = y − f(y₁, y₂, …, t)

Whatever may be a function of one sensor may so be one of several.
"""

from __future__ import annotations

from collections.abc import Mapping

from flexor.functions import ERRORS, OUT_SIZE, Function
from flexor.functions.call import Call, evaluate
from flexor.law import MATRIX, OUTPUT, RESIDUAL, Output, Term, law
from flexor.law.record import Record, integer, nested, tail


class FunctionOfReadings(Record):
    """Parameters of the law."""

    outputs = integer("1")
    call = nested(Call, "the function of several things")
    count = integer("how many")
    sources = tail("of each thing −1: it is the time; else number of the multiplier that it is")


def value_now(p, now, w):
    """y"""
    w[0] = now.lam[0]
    return 0


@law(
    FunctionOfReadings,
    tangent="own",
    signals=value_now,
    told_by_unknowns=True,
    errors=ERRORS,
    scratch=OUT_SIZE,
    symmetric=False,
)
def function_of_readings(want, p, now, out):
    """y − f, on no nodes: its unknown and those that it reads are all that it depends on."""
    w = out.w
    if want & OUTPUT:
        w[0] = now.lam[0]
    if not want & (RESIDUAL | MATRIX):
        return 0
    for seed in range(-1, p.count):  # −1: the value alone
        source = -1
        for i in range(p.count):
            own = int(p.sources[i])
            w[OUT_SIZE + 3 * i] = now.t if own < 0 else now.lam[own]
            w[OUT_SIZE + 3 * i + 1] = 1.0 if i == seed else 0.0
            w[OUT_SIZE + 3 * i + 2] = 0.0
            if i == seed:
                source = own
        if seed >= 0 and source < 0:
            continue
        status = evaluate(p.call, 0.0, w)
        if status != 0:
            return status
        if seed < 0:
            out.r[0] = now.lam[0] - w[0]
            out.K[0] = 1.0
        else:
            out.K[source] = -w[1]
        if not want & MATRIX:
            break
    return 0


def function_term(
    name: str, function: Function, signals: tuple[Output, ...] = (), called: Mapping[str, str] | None = None
) -> Term:
    """The reading of a function of several things.

    signals: under which it is recorded.   called: readings by the names that they have in the function, if these are others.
    """
    called = called or {}
    evaluator, parameters = function.of_several(function.arguments)
    sources = [-1 if sensor is None else 1 + function.sensors.index(sensor) for sensor in function.arguments]
    return Term(
        name,
        function_of_readings,
        rows=("value",),
        parameters=FunctionOfReadings.pack(
            outputs=1, call=Call.pack(address=evaluator, p=parameters), count=len(sources), sources=sources
        ),
        own_outputs=signals,
        readings=1,
        reads=tuple((called.get(sensor, sensor), 1) for sensor in function.sensors),
        scratch=OUT_SIZE + 3 * len(sources),
    )
