"""Equilibrium with friction that slides in several places: its asperities are soft at first, and then ever stiffer.

With their own stiffness, some micrometres of deflection lie between what holds and what slides either way, and Newton's method may leap
to and fro over them. Soft ones let it see from afar where what slides comes to rest; what holds moves back to where it was drawn as they
stiffen. Meanwhile what slides has the stiffness of the secant, L/|q − z|: with the load F, where it is held (F < L), distances shrink by F/L from step to
step until it holds, else they go to where it comes to rest.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexor.engine.system import System
from flexor.joints.friction_force import Surfaces
from flexor.joints.friction_regimes import Asperities

SOFTEST = 1e-6
"""Part of their stiffness that asperities have at first: friction is then reached after a metre, or a radian."""
STIFFER = 10.0
"""By how much they are stiffened at a time."""


def asperities(system: System) -> list[int]:
    """Numbers of the terms of surfaces that may stick."""
    terms = enumerate(system.mechanism.terms)
    return [i for i, term in terms if term.law.history is not None and issubclass(term.law.history, Asperities)]


def stiffened(system: System, balance: Callable[[], int]) -> int:
    """Iterations of `balance` with asperities that become as stiff as they are; whatever it raises, they are so afterwards.

    All stand where they stood at first, until the last one tells where they have been pulled along.
    """
    rubbing, memory = asperities(system), system.memory
    begin = np.unique(system.terms["p"][rubbing]).astype(int)
    places = [int(system.terms["h"][i]) + system.mechanism.terms[i].place("place") for i in rubbing]
    stiffness, secant = (begin + getattr(Surfaces, field).offset for field in ("stiffness", "secant"))
    own, stood, factor, total = memory.p_parameters[stiffness].copy(), memory.history[places].copy(), SOFTEST, 0
    try:
        memory.p_parameters.view(np.int64)[secant] = 1
        while factor < 1.5:
            memory.p_parameters[stiffness] = factor * own
            total += balance()
            memory.history[places] = stood
            factor *= STIFFER
    finally:
        memory.p_parameters[stiffness] = own
        memory.p_parameters.view(np.int64)[secant] = 0
    return total + balance()
