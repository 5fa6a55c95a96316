"""The state that a law reads; changed in one coordinate, moved on along its velocities, or seen in another frame."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from flexor.spatial import exp_so3, tangent

Array = np.ndarray


@dataclass(frozen=True)
class State:
    """Nodes, scalars, multipliers, history and time of one term; `a` is the true acceleration.

    x (n, 3), R (n, 3, 3), v and a (n, 6), s (m, 3) = value, rate, second rate.
    states: what states of control blocks do, see `Coefficients`.
    turning: 1 where spins of nodes turn with them when these are turned, as in a time step of nodes with own axes.
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
    turning: float = 0.0
    states: float = 0.0

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
        R, v, a = state.R.copy(), state.v.copy(), state.a.copy()
        Q = exp_so3(step * np.eye(3)[dof - 3])
        R[node] = Q @ R[node]
        if state.turning:
            v[node, 3:], a[node, 3:] = Q @ v[node, 3:], Q @ a[node, 3:]
        return replace(state, R=R, v=v, a=a)
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


def superposed(state: State, Q: Array, shift: Array, rates: Array | None = None) -> State:
    """The state with a rigid motion on top: everything, gravity too, turned by Q and shifted.

    rates (4, 3): velocity V, acceleration A, angular velocity Ω and angular acceleration of the superposed motion.
    """
    V, A, omega, alpha = np.zeros((4, 3)) if rates is None else rates
    turned = state.x @ Q.T
    v, w = state.v[:, :3] @ Q.T, state.v[:, 3:] @ Q.T
    a, b = state.a[:, :3] @ Q.T, state.a[:, 3:] @ Q.T
    # x′ = Q x + s:  v′ = Q v + Ω × Q x + ṡ,   a′ = Q a + 2 Ω × Q v + Ω̇ × Q x + Ω × (Ω × Q x) + s̈
    spin = np.cross(omega, turned)
    return replace(
        state,
        x=turned + shift,
        R=Q @ state.R,
        v=np.hstack([v + spin + V, w + omega]),
        a=np.hstack(
            [
                a + 2 * np.cross(omega, v) + np.cross(alpha, turned) + np.cross(omega, spin) + A,
                b + np.cross(omega, w) + alpha,
            ]
        ),
        gravity=Q @ state.gravity,
    )


_WEIGHTS = ((1, 3 / 4), (2, -3 / 20), (3, 1 / 60))


def slope(f, step: float = 1e-3):
    """f′(0) by central differences of sixth order."""
    return sum(w * (f(k * step) - f(-k * step)) for k, w in _WEIGHTS) / step


def slope_and_error(f, step: float = 1e-3):
    """f′(0) by central differences of sixth order, and how far they are from those of half the step: what they may be wrong by,
    where f bends sharply or jumps nearby."""
    half = step / 2
    across = {k: f(k * half) - f(-k * half) for k in (1, 2, 3, 4, 6)}
    fine, coarse = (sum(w * across[n * k] for k, w in _WEIGHTS) / (n * half) for n in (1, 2))
    return fine, np.abs(fine - coarse)


def assert_derivative(found, expected, error, scale, told="") -> None:
    """To 1e-9 of the scale, and to what the differences themselves are uncertain by."""
    found, expected, error = np.broadcast_arrays(*(np.atleast_1d(each) for each in (found, expected, error)))
    off, allowed = np.abs(found - expected), 1e-9 * scale + error
    worst = np.unravel_index(np.argmax(off - allowed), off.shape)
    assert np.all(off <= allowed), f"{told}: entry {worst} is {found[worst]}, by differences {expected[worst]}"
