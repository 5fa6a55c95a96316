"""A reading: a signal of a law as an unknown y of the equations, which other laws may depend on.

    0 = y − signal(q, q̇, q̈, λ)

Its derivatives come from dual numbers through the law that gives the signal, so that whatever depends on y has an exact tangent,
feedback through rates, accelerations and reactions included.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Sequence

from flexor.law.face import COMMIT, ENERGY, MATRIX, OUTPUT, RESIDUAL, SWITCH, TRANSITION, Answer, State
from flexor.law.law import Law, Output, Plain, law
from flexor.law.primitives import at
from flexor.law.record import Record, integer, nested, numbers
from flexor.law.term import Term

ENERGIES = ("kinetic", "potential", "strain")
"""Kinds of energy that a law tells, in the order of `EnergyAnswer`."""


def _asked(body: Callable, want: int) -> Callable:
    """A law asked for one thing alone, as a function (p, now, w)."""

    def answer(p, now, w):  # type: ignore[no-untyped-def]
        return body(want, p, now, Answer(w, w, w))

    return answer


def _nothing(p, now, w):  # type: ignore[no-untyped-def]
    """Of a law that remembers nothing."""
    return 0


def _memory(of: Law) -> Callable:
    """What a law does under COMMIT."""
    return of.remember or (_asked(of.body, COMMIT) if of.history else _nothing)


def _without_regimes(want, p, now, out):  # type: ignore[no-untyped-def]
    """Of a law that has none."""
    return 0


def _by_its_value(reading: Callable) -> Callable:
    """The reading of a law that sees the states of all nodes: its own matrix, without derivatives of the signal; of what is added to it, it has them."""

    def called(want, p, now, out):  # type: ignore[no-untyped-def]
        if want & MATRIX:
            first = now.n.scalars
            row = at(out.K, first * (first + now.n.multipliers) + first)
            row[0] = 1.0
            for i in range(1, now.n.multipliers):
                row[i] = -1.0
        return reading(want, p, now, out)

    called.__name__ = reading.__name__
    return called


@functools.cache
def reading_law(of: Law) -> Law:
    """The law of readings of the signals of another one, which has named parameters."""
    inner = of.parameters
    if inner is None:
        raise TypeError(f"{of.name} has no named parameters, so that its signals cannot be read by others")
    signals = of.signals or _asked(of.body, OUTPUT)
    alone = of.told_by_unknowns
    remember = _nothing if alone else _memory(of)
    switch = of.body if of.transitions and not alone else _without_regimes

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
        if want & (TRANSITION | SWITCH):  # it remembers the same as the law itself
            return switch(want, p.of, seen, out)
        if want & OUTPUT:
            out.w[0] = now.lam[0]
        return 0

    reading.__name__ = f"reading_of_{of.name}"
    Reading.__name__ = Reading.__qualname__ = f"ReadingOf_{of.name}"
    return law(
        Reading,
        history=Plain if alone or of.history is None else of.history,
        errors=of.errors,
        outputs=(("value", ""),),
        scratch=of.scratch,
        symmetric=False,
        transitions=of.transitions and not alone,
        tangent="own" if of.everywhere else "dual",
    )(_by_its_value(reading) if of.everywhere else reading)


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
        history=() if of.law.told_by_unknowns else of.history,
        forgets=of.forgets,
        own_outputs=(Output("value", of.outputs[signal].unit),),
        readings=1,
        reads=((of.name, len(of.rows)), *of.reads) if of.rows else of.reads,
        scratch=of.scratch,
    )


@functools.cache
def energy_law(of: Law) -> Law:
    """The law of readings of the energy of another one, added to another reading."""
    inner = of.parameters
    if inner is None:
        raise TypeError(f"{of.name} has no named parameters, so that its energy cannot be read by others")
    remember, switch = _memory(of), of.body if of.transitions else _without_regimes
    energies = of.energies or _asked(of.body, ENERGY)

    class Energy(Record):
        """Parameters of the reading of an energy."""

        shares = numbers(3, "1 for each that counts: kinetic, potential, strain energy")
        adds = integer("1: the last multiplier is added")
        of = nested(inner, "parameters of the law that has it")  # type: ignore[arg-type]

    def energy(want, p, now, out):  # type: ignore[no-untyped-def]
        """y − before − E"""
        seen = State(now.n, now.h, now.t, now.c, now.x, now.R, now.v, now.a, now.s, at(now.lam, 1))
        if want & RESIDUAL:
            for i in range(5):
                out.w[i] = 0.0
            status = energies(p.of, seen, out.w)
            if status != 0:
                return status
            y = now.lam[0]
            for i in range(3):
                y -= p.shares[i] * out.w[i]
            if p.adds == 1:
                y -= now.lam[now.n.multipliers - 1]
            out.r[6 * now.n.nodes + now.n.scalars] = y
        if want & COMMIT:
            return remember(p.of, seen, out.w)
        if want & (TRANSITION | SWITCH):
            return switch(want, p.of, seen, out)
        if want & OUTPUT:
            out.w[0] = now.lam[0]
        return 0

    energy.__name__ = f"energy_of_{of.name}"
    Energy.__name__ = Energy.__qualname__ = f"EnergyOf_{of.name}"
    return law(
        Energy,
        history=of.history or Plain,
        errors=of.errors,
        outputs=(("value", "J"),),
        scratch=of.scratch,
        symmetric=False,
        transitions=of.transitions,
        tangent="own" if of.everywhere else "dual",
    )(_by_its_value(energy) if of.everywhere else energy)


def energy_terms(name: str, of: Sequence[Term], kinds: Collection[str]) -> list[Term]:
    """The reading of the energy of several terms: a chain, in which each adds its own to that of those before.

    kinds: those of ENERGIES that count.
    """
    found: list[Term] = []
    shares = [float(kind in kinds) for kind in ENERGIES]
    for i, term in enumerate(of):
        energy = energy_law(term.law)
        record = energy.parameters
        assert record is not None
        assert term.parameters is not None
        last = i == len(of) - 1
        found.append(
            Term(
                name if last else f"{name}.{i + 1}",
                energy,
                term.nodes,
                term.scalars,
                ("value",),
                parameters=record.pack(shares=shares, adds=int(i > 0), of=term.parameters),
                history=term.history,
                own_outputs=None if last else (),
                readings=1,
                reads=(*term.reads, *([(found[-1].name, 1)] if found else [])),
                scratch=term.scratch,
            )
        )
    return found
