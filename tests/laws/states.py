"""The state that a law reads: at random, perturbed in one coordinate, or moved on along its own velocities."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from flexor.law import Element
from flexor.spatial import exp_so3, tangent

Array = np.ndarray


@dataclass(frozen=True)
class State:
    """Nodes, scalars, multipliers, history and time of one element; `a` is the true acceleration.

    x (n, 3), R (n, 3, 3), v and a (n, 6), s (m, 3) = value, rate, second rate.
    """

    x: Array
    R: Array
    v: Array
    a: Array
    s: Array
    lam: Array
    h: Array
    t: float
    gravity: Array
    load: float = 1.0

    @property
    def proper(self) -> Array:
        """Accelerations as a law gets them: gravity subtracted."""
        proper = self.a.copy()
        proper[:, :3] -= self.gravity
        return proper

    @property
    def rates(self) -> Array:
        """Velocities in the order of the residual's rows, without multipliers."""
        return np.concatenate([self.v.ravel(), self.s[:, 1]])


def random_rotation(random: np.random.Generator) -> Array:
    """About any axis, by up to several turns."""
    return exp_so3(random.normal(size=3) * random.uniform(0.5, 8.0))


def random_state(element: Element, seed: int) -> State:
    """Any positions, large rotations, velocities, accelerations and multipliers of both signs."""
    random = np.random.default_rng(seed)
    n, m = len(element.nodes), len(element.scalars)
    return State(
        x=random.normal(size=(n, 3)),
        R=np.array([random_rotation(random) for _ in range(n)]).reshape(n, 3, 3),
        v=random.normal(size=(n, 6)) * 2.0,
        a=random.normal(size=(n, 6)) * 3.0,
        s=random.normal(size=(m, 3)),
        lam=random.normal(size=len(element.rows)) * 4.0,
        h=np.array(element.history, dtype=float),
        t=random.uniform(0.3, 1.5),
        gravity=random.normal(size=3) * 5.0,
        load=random.uniform(0.5, 1.5),
    )


COORDINATES, VELOCITIES, ACCELERATIONS, MULTIPLIERS = range(4)


def perturbed(state: State, what: int, j: int, step: float) -> State:
    """One coordinate, velocity, acceleration or multiplier changed by `step`; everything else is held fixed.

    Coordinates are numbered like the residual's rows; a rotation is changed by a global spin, R ← exp(δθ) R.
    """
    if what == MULTIPLIERS:
        lam = state.lam.copy()
        lam[j] += step
        return replace(state, lam=lam)
    node, dof = divmod(j, 6)
    if node >= len(state.x):
        s = state.s.copy()
        s[j - 6 * len(state.x), what] += step
        return replace(state, s=s)
    if what == COORDINATES and dof < 3:
        x = state.x.copy()
        x[node, dof] += step
        return replace(state, x=x)
    if what == COORDINATES:
        R = state.R.copy()
        R[node] = exp_so3(step * np.eye(3)[dof - 3]) @ R[node]
        return replace(state, R=R)
    rates = (state.v if what == VELOCITIES else state.a).copy()
    rates[node, dof] += step
    return replace(state, v=rates) if what == VELOCITIES else replace(state, a=rates)


def moved(state: State, tau: float) -> State:
    """The state a little later, on a motion that has the state's velocities and accelerations now."""
    x = state.x + tau * state.v[:, :3] + 0.5 * tau**2 * state.a[:, :3]
    theta = tau * state.v[:, 3:] + 0.5 * tau**2 * state.a[:, 3:]
    theta_dot = state.v[:, 3:] + tau * state.a[:, 3:]
    v = state.v + tau * state.a
    v[:, 3:] = np.einsum("nij,nj->ni", tangent(theta), theta_dot)
    s = state.s.copy()
    s[:, 0] += tau * state.s[:, 1] + 0.5 * tau**2 * state.s[:, 2]
    s[:, 1] += tau * state.s[:, 2]
    return replace(state, x=x, R=exp_so3(theta) @ state.R, v=v, s=s, t=state.t + tau)


def slope(f, step: float = 4e-3):
    """f′(0) by central differences of eighth order."""
    weights = ((1, 4 / 5), (2, -1 / 5), (3, 4 / 105), (4, -1 / 280))
    return sum(w * (f(k * step) - f(-k * step)) for k, w in weights) / step
