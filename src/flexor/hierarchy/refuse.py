"""What the tree solver cannot do, told by the name of the item and with the remedy."""

from __future__ import annotations

import numpy as np

from flexor.engine.system import System
from flexor.errors import ModelError, Problem
from flexor.hierarchy.memory import CONSTRAINT, LATE, ONE_SIDED, READING
from flexor.law import Term

REMEDY = "leave solver out: the implicit solver does it"


def kinds_of(system: System) -> np.ndarray:
    """CONSTRAINT or READING of each term, as far as its declaration tells; ModelError names what cannot be done."""
    kinds = np.zeros(len(system.mechanism.terms), dtype=np.int64)
    problems = []
    for i, term in enumerate(system.mechanism.terms):
        if term.readings and (term.rates or term.law.transitions):
            why = "they are solved together with the mechanism in every implicit step"
            problems.append((term.name, "it has states or switches of its own", why))
        elif term.law.transitions:
            problems.append(
                (term.name, "it sticks and slides", "its regimes end within a step, where explicit stages cannot look")
            )
        if term.law.limits_step:
            why = "steps are not shortened where surfaces meet, so that they could pass through each other"
            problems.append((term.name, "it is a contact", why))
        if term.reads and term.n_multipliers and not term.readings:
            why = "its force does not act along what it binds, so that mobilities are not symmetric"
            problems.append((term.name, f"it is led by {_named(term)}", why))
        if term.readings and term.readings < term.n_multipliers:
            problems.append(
                (term.name, "it is a constraint that reads", "what it reads is an unknown of the whole system")
            )
        if term.readings:
            kinds[i] |= READING
        elif term.n_multipliers:
            kinds[i] |= CONSTRAINT
    _raise(problems)
    return kinds


def refuse_one_sided(system: System, kinds: np.ndarray) -> None:
    """Constraints whose force is not along their gradient have no symmetric mobility."""
    names = [
        term.name
        for term, kind in zip(system.mechanism.terms, kinds, strict=True)
        if kind & ONE_SIDED and kind & CONSTRAINT
    ]
    why = "its force does not act along what it binds, so that mobilities are not symmetric"
    _raise([(name, "it is a one-sided constraint", why) for name in dict.fromkeys(names)])


def refuse_late(system: System, kinds: np.ndarray) -> None:
    """Forces that depend on accelerations or reactions, which are known when all forces are."""
    kind_of = {term.name: kind for term, kind in zip(system.mechanism.terms, kinds, strict=True)}
    why = "accelerations and reactions are unknowns of the whole system, which no subsystem has"
    _raise(
        [
            (term.name, f"it depends on {_named(term)}", why)
            for term in system.mechanism.terms
            if not term.readings and any(kind_of[name] & (LATE | CONSTRAINT) for name, _ in term.reads)
        ]
    )


def _named(term: Term) -> str:
    return ", ".join(f"'{name}'" for name, _ in term.reads)


def refuse_unmoved(system: System, numbers: list[int]) -> None:
    """Constraints between parts that have no coordinates."""
    names = dict.fromkeys(system.mechanism.terms[i].name for i in numbers)
    _raise([(name, "it joins parts that cannot move", "there is no body that it could act on") for name in names])


def refuse_massless(name: str) -> None:
    """A body without inertia in some direction has no acceleration of its own."""
    why = "the accelerations of each body alone are the begin of the sweep through the tree"
    what = "it has no inertia in some direction"
    raise ModelError(Problem(f"solver tree: '{name}'", what, why, f"give it mass and inertia, or {REMEDY}"))


def _raise(problems: list[tuple[str, str, str]]) -> None:
    if problems:
        raise ModelError(
            [Problem(f"solver tree: '{name}'", what, why, REMEDY) for name, what, why in dict.fromkeys(problems)]
        )
