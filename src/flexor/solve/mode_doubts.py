"""What is doubtful about modes: nothing is free to move, the state changes as it moves on, the stiffness is not symmetric."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from flexor.engine.system import System
from flexor.solve.begin import a_little_later
from flexor.solve.linearise import Linearisation, linearise
from flexor.solve.steady import rate_of
from flexor.solve.turning_constraints import turned_by_accelerations
from flexor.warning import warn

SAME = 1e-3
"""Change of the coefficients over 0.05 rad of a motion below which they count as constant."""


class NoModes(UserWarning):
    """Nothing in the model is free to move, so that it has no modes."""


def nothing_free(system: System) -> str:
    drivers = [term.name for term in system.mechanism.terms if term.drives]
    by = (
        f"motors drive what joints leave free ({', '.join(repr(name) for name in drivers[:4])})"
        if drivers
        else "joints hold it"
    )
    return f"nothing in the model is free to move: {by}. It has no modes"


class MovingState(UserWarning):
    """Modes about a state whose coefficients change as it moves on."""


FROZEN = (
    "the mechanism moves, and its mass, damping or stiffness changes as it does: these are modes of frozen "
    "coefficients. If it turns steadily as a whole, give angular_velocity=; for a rotor use campbell"
)


def warn_of_motion(system: System) -> None:
    """Warn where mass, damping or stiffness change by more than 0.1 % while the mechanism turns by 0.05 rad."""
    rate = rate_of(system)
    if rate < 1e-6:
        return
    now = linearise(system)
    with a_little_later(system, 0.05 / rate):
        later = linearise(system)
    inertia = now.M.diagonal()
    size = sparse.diags_array(1 / np.sqrt(np.where(inertia > 0, inertia, 1.0)))
    change = max(
        float(abs(size @ (b - a) @ size).max() / max(abs(size @ a @ size).max(), 1e-300))
        for a, b in ((now.M, later.M), (now.C, later.C), (now.K, later.K))
    )
    if change > SAME:
        warn(FROZEN, MovingState)


def warn_of_accelerations(system: System, eigenvalues: np.ndarray) -> None:
    """Warn where a mechanism at rest sets out to move: its slow modes depend on the coordinates in which it does."""
    if rate_of(system) >= 1e-6 or not len(eigenvalues):
        return
    turned = turned_by_accelerations(system)
    slow = np.abs(eigenvalues) ** 2 < turned / SAME
    if np.any(slow & (eigenvalues != 0.0)):
        hertz = np.sqrt(turned / SAME) / (2 * np.pi)
        warn(
            f"the mechanism is at rest, but not in balance: it sets out to move. Modes below about {hertz:.3g} Hz are then no property of it, but of the "
            'coordinates that they are reckoned in; what helps: at="equilibrium", or springs, motors or loads that hold it where it is',
            MovingState,
        )


class UnsymmetricStiffness(UserWarning):
    """Undamped modes leave out that the stiffness, or the mass with feedback, is not symmetric."""


def warn_of_followers(m: Linearisation, squares: np.ndarray, shapes: np.ndarray) -> None:
    """Warn where what is skew in K couples modes with more than 1 % of their stiffness, or M is not symmetric."""
    if m.M.shape[0] and abs(m.M - m.M.T).max() > 1e-6 * abs(m.M).max():
        warn(
            "the mass about this state is not symmetric, since accelerations of one body are fed back into forces on another, "
            "and undamped modes take its symmetric part; complex=True counts all of it",
            UnsymmetricStiffness,
        )
    moving = squares != 0
    if not np.any(moving):
        return
    phi = shapes[:, moving] / np.sqrt(np.einsum("ik,ik->k", shapes[:, moving], m.M @ shapes[:, moving]))
    stiffness = np.sqrt(np.abs(squares[moving]))
    coupling = np.abs(phi.T @ (0.5 * (m.K - m.K.T) @ phi)) / np.outer(stiffness, stiffness)
    if coupling.max() > 0.01:
        i = int(np.argmax(coupling.max(axis=0)))
        warn(
            f"the stiffness about this state is not symmetric: it couples the mode of {stiffness[i] / (2 * np.pi):.4g} Hz with "
            f"others by {coupling.max():.2g} of their stiffness, which undamped modes leave out. Loads that follow their body, "
            "moments of fixed direction, feedback or a state out of balance do that; complex=True counts it",
            UnsymmetricStiffness,
        )
