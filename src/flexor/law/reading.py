"""A reading: a signal of a law as an unknown y of the equations, which other laws may depend on.

    0 = y − signal(q, q̇, q̈, λ)

Its derivatives come from dual numbers through the law that gives the signal, so that whatever depends on y has an exact tangent,
feedback through rates, accelerations and reactions included.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from flexor.law.face import COMMIT, OUTPUT, RESIDUAL, SWITCH, TRANSITION, Answer, State
from flexor.law.law import Law, Output, Plain, law
from flexor.law.primitives import at
from flexor.law.record import Record, integer, nested
from flexor.law.term import Term


def _asked(body: Callable, want: int) -> Callable:
    """A law asked for one thing alone, as a function (p, now, w)."""

    def answer(p, now, w):  # type: ignore[no-untyped-def]
        return body(want, p, now, Answer(w, w, w))

    return answer


@functools.cache
def reading_law(of: Law) -> Law:
    """The law of readings of the signals of another one, which has named parameters."""
    inner = of.parameters
    if inner is None:
        raise TypeError(f"{of.name} has no named parameters, so that its signals cannot be read by others")
    signals = of.signals or _asked(of.body, OUTPUT)
    remember = of.remember or _asked(of.body, COMMIT)
    changes, body = of.transitions, of.body

    class Reading(Record):
        """Parameters of a reading."""

        which = integer("number of the signal")
        of = nested(inner, "parameters of the law that gives it")  # type: ignore[arg-type]

    def reading(want, p, now, out):  # type: ignore[no-untyped-def]
        """y − signal"""
        seen = State(now.n, now.h, now.t, now.c, now.x, now.R, now.v, now.a, now.s, at(now.lam, 1))
        if want & RESIDUAL:
            status = signals(p.of, seen, out.w)
            if status != 0:
                return status
            out.r[6 * now.n.nodes + now.n.scalars] = now.lam[0] - out.w[p.which]
        if want & COMMIT:
            return remember(p.of, seen, out.w)
        if changes and want & (TRANSITION | SWITCH):  # it remembers the same as the law itself
            return body(want, p.of, seen, out)
        if want & OUTPUT:
            out.w[0] = now.lam[0]
        return 0

    reading.__name__ = f"reading_of_{of.name}"
    Reading.__name__ = Reading.__qualname__ = f"ReadingOf_{of.name}"
    return law(
        Reading,
        history=of.history or Plain,
        errors=of.errors,
        outputs=(("value", ""),),
        scratch=of.scratch,
        symmetric=False,
        transitions=of.transitions,
    )(reading)


def reading_term(name: str, of: Term, signal: int) -> Term:
    """The reading of a signal of a term, by its number."""
    record = reading_law(of.law).parameters
    assert record is not None
    assert of.parameters is not None
    return Term(
        name,
        reading_law(of.law),
        of.nodes,
        of.scalars,
        ("value",),
        parameters=record.pack(which=signal, of=of.parameters),
        history=of.history,
        own_outputs=(Output("value", of.outputs[signal].unit),),
        readings=1,
        reads=((of.name, len(of.rows)), *of.reads) if of.rows else of.reads,
        scratch=of.scratch,
    )
