"""Blocks with states: ẋ = f(t, x, u), y = g(t, x, u), integrated by Lobatto IIIC together with the mechanism.

Unknowns are the outputs y, the first stage Y₁ and the states x = Y₂ at the end of the step; rows are

    0 = y − g(t, x, u)
    0 = Y₁ + x − 2 x₀ − h f(t₀, Y₁, u₀)          FTG (8.16)
    0 = x − Y₁ − h f(t, x, u)                    FTG (8.17)

x₀, u₀ at the begin of the step are remembered. At an instant (accelerations at the start, or behind a switch) the states are held, at rest
f = 0 (8.6). For small motions the last rows are ẋ − f.
The local error is the difference from backward Euler (8.18); one Newton step of (8.15) from x has the residual x − x₀ − h f = x₀ − Y₁.
It counts relative to the largest state so far, or to where its rate would bring it in the longest step: states begin at zero.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from flexor.law import ACCELERATION_LEVEL, COMMIT, OUTPUT, RESIDUAL, Law, Output, Term, law
from flexor.law.face import ERROR, INTEGRATED, SWITCH, TRANSITION
from flexor.law.primitives import at
from flexor.law.record import Packed, Record, integer, nested, number, tail

SMALL = 1e-9
"""States smaller than that are zero to error control; in units of their own."""


class PastStates(Record):
    """What a block with states remembers."""

    regime = number("0: it has not begun")
    time = number("end of the last step", "s")
    largest = number("largest state so far, or change of one in a step")
    values = tail("states, then inputs")


@functools.cache
def state_law(equations: Callable, inner: type[Record], name: str) -> Law:
    """The law of blocks with given equations.

    equations(p, t, x, u, dx, y): sets dx = f and y = g, by its parameters p; returns 0 or an error number.
    """

    class Parameters(Record):
        """Of a block with states."""

        states = integer("how many states")
        inputs = integer("how many inputs")
        outputs = integer("how many outputs")
        steady = integer("1: it begins at rest")
        of = nested(inner, "parameters of its equations")  # type: ignore[arg-type]

    def block(want, p, now, out):  # type: ignore[no-untyped-def]
        n, q = p.states, p.outputs
        first, x, u = at(now.lam, q), at(now.lam, q + n), at(now.lam, q + 2 * n)
        h, r, w = now.h, out.r, out.w
        if want & RESIDUAL:
            dx, y = w, at(w, n)
            status = equations(p.of, now.t, x, u, dx, y)
            if status != 0:
                return status
            for i in range(q):
                r[i] = now.lam[i] - y[i]
            if want & ACCELERATION_LEVEL:
                dt = now.t - h.time if h.regime != 0.0 else 0.0
                rests = p.steady == 1 and h.regime == 0.0
                for i in range(n):
                    r[q + i] = first[i] - x[i]
                    r[q + n + i] = -dx[i] if rests else x[i] - h.values[i] - dt * dx[i]
            elif now.c.states == INTEGRATED:
                step = now.c.step
                for i in range(n):
                    r[q + n + i] = x[i] - first[i] - step * dx[i]
                status = equations(p.of, now.t - step, first, at(h.values, n), dx, y)
                for i in range(n):
                    r[q + i] = first[i] + x[i] - 2.0 * h.values[i] - step * dx[i]
                return status
            else:
                for i in range(n):
                    r[q + i] = first[i] - x[i]
                    r[q + n + i] = now.c.leak * (x[i] - h.values[i]) - dx[i]
        if want & (COMMIT | SWITCH):
            _keep(p, now, x)
            if want & SWITCH:
                h.regime = 1.0
                w[0] = 0.0
        if want & TRANSITION:
            w[0] = w[1] = 1.0
        if want & ERROR:
            longest, found = w[1], 0.0
            for i in range(n):
                ahead = longest * abs(x[i] - first[i]) / now.c.step
                size = max(max(h.largest, SMALL), max(abs(x[i]), ahead))
                found = max(found, abs(first[i] - h.values[i]) / size)
            w[0] = found
        if want & OUTPUT:
            for i in range(q):
                w[i] = now.lam[i]
        return 0

    block.__name__ = name
    Parameters.__name__ = Parameters.__qualname__ = f"Parameters_{name}"
    return law(
        Parameters,
        history=PastStates,
        errors=getattr(equations, "errors", {}),
        symmetric=False,
        transitions=True,
        signals=read_outputs,
        told_by_unknowns=True,
    )(block)


def _keep(p, now, x):  # type: ignore[no-untyped-def]
    """States and inputs for the next step."""
    h = now.h
    h.time = now.t
    for i in range(p.states):
        h.largest = max(h.largest, abs(x[i]))
    for i in range(p.states):
        h.values[i] = x[i]
    for i in range(p.inputs):
        h.values[p.states + i] = x[p.states + i]


def read_outputs(p, now, w):  # type: ignore[no-untyped-def]
    """The outputs as signals."""
    for i in range(p.outputs):
        w[i] = now.lam[i]
    return 0


def state_term(
    name: str,
    of: Law,
    parameters: Packed,
    *,
    states: int,
    inputs: Sequence[str],
    outputs: Sequence[Output],
    steady: bool = False,
    initial: Sequence[float] = (),
) -> Term:
    """A block with states in use.   inputs: names of readings.   initial: states at the begin, zero if left out."""
    q, n, m = len(outputs), states, len(inputs)
    record = of.parameters
    assert record is not None
    begin = [*initial] if len(initial) else [0.0] * n
    numbers = [str(i + 1) for i in range(n)]
    return Term(
        name,
        of,
        rows=(*(output.name for output in outputs), *(f"stage {i}" for i in numbers), *(f"state {i}" for i in numbers)),
        parameters=record.pack(states=n, inputs=m, outputs=q, steady=int(steady), of=parameters),
        history=tuple(PastStates.pack(regime=0.0, time=0.0, largest=0.0, values=[*begin, *[0.0] * m]).words.tolist()),
        own_outputs=tuple(outputs),
        readings=q + 2 * n,
        reads=tuple((each, 1) for each in inputs),
        scratch=n + q,
        rates=tuple((q + n + i, q + n + i, 1.0) for i in range(n)),
    )
