"""Equilibrium with contacts that rub: surfaces that touch hold on to each other at first, and then as far as friction does.

Friction that slides has no stiffness, and that which sticks grows with the normal force: from a gap, or a micrometre too far, Newton's method leaps over the place where asperities hold, for ever. So
at first

    T = μ F ξ/ε       without a limit, with the largest load F instead of the normal force

as of springs where surfaces touch, soft ones at first. From the equilibrium with them, with friction as it is, what sticks has micrometres to go, and so has what slides in part. If there is no rest then, the forces
of the first one tell what friction would have to hold.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexor.contact.laws.friction import STICK, SurfaceFriction
from flexor.contact.touch import Touch
from flexor.engine.columns import choose_signals, take_rows
from flexor.engine.memory import TRANSLATION
from flexor.engine.system import System
from flexor.errors import SolveError
from flexor.law import RESIDUAL, Term

SOFT, FIRMER = 1e-2, 30.0
"""Way over which they hold at first as friction does over micrometres, in sizes of the model, so that what falls aside comes back; by how much it is shortened at a time."""
FULL = 0.999
"""Part of what friction can hold from which on that is all."""


def touching(system: System) -> bool:
    """Whether there are contacts: what bounces off them is free in between."""
    return any(map(touches, system.mechanism.terms))


def touches(term: Term) -> bool:
    """Whether it is of a contact."""
    return term.law.history is not None and issubclass(term.law.history, Touch)


def extent_of_contacts(system: System) -> float:
    """How far surfaces that touch reach from the origins of their axes [m]: gaps are known to rounding of that, however near to the global origin their bodies are."""
    found = 0.0
    for i, term in enumerate(system.mechanism.terms):
        record = term.law.parameters
        for field in record.FIELDS if record is not None and touches(term) else ():
            if field.name == "extent":
                found = max(found, float(system.memory.p_parameters[int(system.terms["p"][i]) + field.offset]))
    return found


def rubbing(system: System) -> dict[int, list[str]]:
    """Where in the parameters friction of surfaces in contact stands that may stick, and the contacts that it is of."""
    found: dict[int, list[str]] = {}
    whole = system.memory.p_parameters.view(np.int64)
    for i, term in enumerate(system.mechanism.terms):
        record = term.law.parameters
        for field in record.FIELDS if record is not None else ():
            begin = int(system.terms["p"][i]) + field.offset
            if field.record is SurfaceFriction and whole[begin + _offset("model")] == STICK:
                names = found.setdefault(begin, [])
                if term.name not in names:
                    names.append(term.name)
    return found


def gripped(system: System, balance: Callable[[], int], slides: list[str]) -> int:
    """Iterations of `balance` with surfaces that hold, then with friction as it is; whatever it raises, friction is so afterwards.

    slides: to which is added, if only the first is possible, of which contacts friction cannot hold them.
    """
    memory, found = system.memory, rubbing(system)
    begin, before, total = np.array(list(found)), system.copy("history"), 0
    held, slip = begin + _offset("held"), float(memory.p_parameters[begin + _offset("micro_slip")].min())
    load, share = largest_load(system), min(1.0, slip / (SOFT * float(system.run.length_scale)))
    holds = memory.p_parameters.view(np.int64)  # of the same words
    try:
        holds[begin + _offset("holds")] = 1
        while True:
            memory.p_parameters[held] = share * load
            total += balance()
            signals = present_signals(system)
            system.put(before)
            if share >= 1.0:
                break
            share = min(1.0, FIRMER * share)
    finally:
        memory.p_parameters[held], holds[begin + _offset("holds")] = 0.0, 0
    try:
        return total + balance()
    except SolveError:
        slides += _slides(system, found, signals)
        raise


def largest_load(system: System) -> float:
    """The largest force of gravity and applied loads on a body [N]; without any, one newton."""
    now = system.memory.coefficients.load
    shares = []
    for share in (1.0, 0.0):
        system.share_loads(share)
        system.evaluate(RESIDUAL)
        shares.append(system.memory.residual[system.memory.norm_kind == TRANSLATION].copy())
    system.share_loads(float(now))
    return float(np.abs(shares[0] - shares[1]).max(initial=0.0)) or 1.0


def present_signals(system: System) -> dict[str, float]:
    """All signals where it is."""
    names = [name for name, _ in choose_signals(system, None, True)]
    system.run.step_size = 0.0
    system.call("energies")
    system.call("write")
    return dict(zip(names, take_rows(system)[0][0].tolist(), strict=True))


def _slides(system: System, found: dict[int, list[str]], forces: dict[str, float]) -> list[str]:
    """Of which contacts friction cannot hold what it would have to; forces: signals where it did."""
    told = []
    for begin, names in found.items():
        p = SurfaceFriction(system.memory.p_parameters[begin : begin + SurfaceFriction.WORDS])
        for name in names:
            N, T = forces.get(f"{name}.normal_force", 0.0), forces.get(f"{name}.friction_force", 0.0)
            most = p.coefficient * (1.0 + p.stribeck) * N
            if most * FULL <= T:
                told.append(
                    f"contact '{name}' slides: at rest it would have to hold {T:.3g} N along the surface, and under {N:.3g} N friction holds {most:.3g} N; "
                    "a larger coefficient, less load along the surface, or something that stops it"
                )
    return told


def _offset(name: str) -> int:
    return next(field.offset for field in SurfaceFriction.FIELDS if field.name == name)
