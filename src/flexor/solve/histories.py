"""What laws remember: springs that yield or break."""

from __future__ import annotations

import numpy as np

from flexor.engine.system import System


def commit(system: System) -> bool:
    """Let the laws take the present state as their history; whether one of them breaks in it."""
    terms = enumerate(system.mechanism.terms)
    marks = [int(system.terms["h"][i]) + term.place(term.breaks) for i, term in terms if term.breaks]
    before = system.memory.history[marks]
    system.call("commit")
    return not np.array_equal(before, system.memory.history[marks])
