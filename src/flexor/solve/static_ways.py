"""Ways to an equilibrium that is not found at once: held by what touches, along the stable path of loads, with patience or care, or along any path."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flexor.contact.touch import Touch
from flexor.engine.redundancy import choice
from flexor.engine.system import System
from flexor.errors import LawError, SolveError
from flexor.solve.soft_asperities import asperities, stiffened
from flexor.solve.static_grip import gripped, rubbing, touches, touching
from flexor.solve.static_search import ANY, CAREFUL, DOWNHILL, PLAIN_NEWTON, no_equilibrium

FIRST_TRY = 60
"""Iterations at the full load before it is raised in steps."""
PLAIN = 15
"""Iterations of plain Newton in such a step, which is halved if they do not suffice."""
SMALLEST = 1e-3
"""Smallest step, as a share of the load."""
TIPS = (
    "a body that tips, rolls or slides off what it touches, as no place of it lies under its weight and the other loads; "
    "move it, hold it, or lower loads beside it"
)
LINES = (
    "a side that deforms and is touched along a line or a face, as by a roller across a beam: it touches in one place, which leaps from end to end; "
    "every_node=True of the side, points or slices of it touch in several"
)
POSITION = ("x", "R", "s", "lam", "history")
"""What tells where a system is."""


def try_all(
    system: System, balanced: Callable[[float, int, str], int], low: float, high: float, max_iterations: int
) -> int:
    """From `low` to `high` of the load along the stable path, at once with patience, with asperities that stiffen, or along any path."""
    before, left_out, slides = system.copy(*POSITION), choice(system), list[str]()
    for care in (ANY, CAREFUL) if rubbing(system) else ():
        try:
            return gripped(system, partial(balanced, high, FIRST_TRY, care), slides)
        except SolveError:
            system.put(before)
            system.lock(*left_out)
            if slides:
                break
    ways: list[Callable[[], int]] = [lambda: balanced(high, max_iterations, ANY)]
    if not slides:
        ways.insert(0, lambda: _raise(system, balanced, low, high, DOWNHILL))
    if touching(system):
        ways.append(lambda: balanced(high, max_iterations, CAREFUL))
    if asperities(system):
        ways.append(lambda: stiffened(system, lambda: balanced(high, max_iterations, ANY)))
    for way in ways:
        try:
            return way()
        except SolveError:
            continue
    system.put(before)  # not from where the first way came to
    system.lock(*left_out)
    try:
        if slides:
            return balanced(high, PLAIN, PLAIN_NEWTON)
        return _raise(system, balanced, low, high, PLAIN_NEWTON)
    except SolveError as error:
        error.causes = (*(slides or _of_contacts(system)), *error.causes)
        raise


def _of_contacts(system: System) -> list[str]:
    """What contacts may have to do with it."""
    if not touching(system):
        return []
    sides = any(touches(term) and term.law.history is not Touch for term in system.mechanism.terms)
    return [*([LINES] if sides else []), TIPS]


def _raise(system: System, balanced: Callable[[float, int, str], int], low: float, high: float, way: str) -> int:
    """Raise the load from `low` to `high` in steps of adaptive size."""
    done, step, total = low, 0.5 * (high - low), 0
    while done < high - 1e-12:
        target = min(high, done + step)
        try:
            used = balanced(target, PLAIN, way)
        except SolveError as error:
            total += PLAIN
            step *= 0.5
            if step < SMALLEST * (high - low):
                if isinstance(error, LawError):
                    raise
                raise no_equilibrium(system, f"no equilibrium found beyond {done:.1%} of the load") from None
            continue
        total, done = total + used, target
        if used <= PLAIN // 2:
            step *= 1.7
    return total
