"""States of control blocks at rest: f(x, u) = 0, solved along with the equilibrium.   FTG (8.6)

An integrator in a loop has there what it needs to have. One that nothing leads back keeps its value if its input is zero; else it goes on
for ever and there is no rest: a slow leak, f = ε (x − x₀), tells both apart.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexor.engine.system import System
from flexor.errors import SingularError, SolveError

LEAK = 1e-9
"""ε, by which a state that nothing else determines goes back to where it was [1/s]."""
STILL = 1e-6
"""Rate of such a state, relative to its size before or one, from which on it does not rest [1/s]."""


def settled_states(system: System, balance: Callable[[], int]) -> int:
    """Iterations of the search for an equilibrium, with a leak where it is needed."""
    c = system.memory.coefficients
    c.leak = 0.0
    before = system.copy("history")["history"]
    try:
        return balance()
    except SingularError:
        if not system.run.n_states:
            raise
    c.leak = LEAK
    try:
        used = balance()
        _refuse_restless(system, before)
        return used
    finally:
        c.leak = 0.0


def _refuse_restless(system: System, before: np.ndarray) -> None:
    lam, terms = system.memory.lam, system.terms
    for i in system.memory.with_states:
        term = system.mechanism.terms[int(i)]
        if term.law.history is None or not hasattr(term.law.history, "values"):
            continue
        first, place = int(terms["lam"][i]), int(terms["h"][i]) + len(term.law.history.begin())
        gap = -len(term.law.history.begin()) % 4
        for number, (_, column, _) in enumerate(term.rates):
            begin = before[place + gap + number]
            rate = LEAK * (lam[first + column] - begin)
            if abs(rate) > STILL * max(1.0, abs(begin)):
                raise SolveError(
                    f"block '{term.name}' cannot come to rest: {term.rows[column]} goes on with {rate:.3g} per second, "
                    "and nothing leads it back",
                    causes=[
                        "an integrator whose input is not zero at rest; lead what it acts on back to its input, or give the input zero",
                        "a loop that is cut, as by a limitation or a dead zone that the integrator cannot get out of",
                    ],
                )
