"""States at random: any state at all, or one that a joint allows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flexor.joints import Joint
from flexor.law import COMMIT, GROUND, VELOCITY_LEVEL, Term
from flexor.spatial import Pose
from tests.laws.calls import call, matrix, residual
from tests.laws.samples import Sample, random_rotation
from tests.laws.states import State

SEEDS = range(3)


def random_state(term: Term, seed: int) -> State:
    """Any positions, large rotations, velocities, accelerations and multipliers of both signs.

    The history was committed shortly before, with the same positions. States whose constraints are violated by
    more than 2 (m, rad) are drawn again: an angle measured up to whole turns jumps at half a turn.
    """
    random = np.random.default_rng(seed)
    for _ in range(100):
        state = _drawn(term, random)
        state = replace(state, h=call(term, replace(state, t=state.t - 0.02), COMMIT).h)
        if np.all(np.abs(residual(term, state)[len(state.rates) :]) < 2.0):
            return state
    raise AssertionError(f"{term.law.name}: its constraints are far from fulfilled in 100 random states")


def _drawn(term: Term, random: np.random.Generator) -> State:
    n, m = len(term.nodes), len(term.scalars)
    x, R = random.normal(size=(n, 3)), np.array([random_rotation(random) for _ in range(n)]).reshape(n, 3, 3)
    v, a = random.normal(size=(n, 6)) * 2.0, random.normal(size=(n, 6)) * 3.0
    ground = [node == GROUND for node in term.nodes]
    x[ground], R[ground], v[ground], a[ground] = 0.0, np.eye(3), 0.0, 0.0
    return State(
        x=x,
        R=R,
        v=v,
        a=a,
        s=random.normal(size=(m, 3)),
        lam=random.normal(size=len(term.rows) + term.n_read) * 4.0,
        h=np.array(term.history, dtype=float),
        t=random.uniform(0.3, 1.5),
        gravity=random.normal(size=3) * 5.0,
        load=random.uniform(0.5, 1.5),
    )


def equations(term: Term) -> np.ndarray:
    """Rows and columns that exist: all but those of the ground."""
    nodal = [6 * i + dof for i, node in enumerate(term.nodes) if node != GROUND for dof in range(6)]
    return np.array([*nodal, *range(6 * len(term.nodes), term.size)])


def random_values(joint: Joint, random: np.random.Generator) -> np.ndarray:
    """Joint variables: any translations, any angles, but the middle one of three and bends below 90°."""
    angles = random.uniform(-3.1, 3.1, len(joint.rotations))
    if len(angles) == 3:
        angles[1] *= 0.45
    if joint.bisecting:
        angles *= 0.4
    return np.concatenate([random.uniform(-2.0, 2.0, len(joint.translations)), angles])


def placed(sample: Sample, state: State, values: np.ndarray) -> State:
    """The second body put where the joint variables have the given values."""
    (site_a, site_b), joint = sample.sites, sample.declaration
    X_WA = Pose(state.x[0], state.R[0]) @ Pose(site_a.p_NM, site_a.R_NM)
    X_WN = X_WA @ joint.free.pose(values) @ Pose(site_b.p_NM, site_b.R_NM).inverse()
    return replace(state, x=np.array([state.x[0], X_WN.p]), R=np.array([state.R[0], X_WN.R]))


def allowed_state(sample: Sample, seed: int) -> State:
    """A random state with the second body where its joint allows it, and velocities that keep the constraints."""
    term = sample.term
    state = random_state(term, seed)
    if isinstance(sample.declaration, Joint):
        values = random_values(sample.declaration, np.random.default_rng([seed, 1]))
        state = placed(sample, state, values)
        state = replace(state, h=values[len(sample.declaration.translations) :])
    if not term.rows:
        return state
    free = len(state.rates)
    B = matrix(term, state, (1.0, 0.0, 0.0))[free:, :free]
    correction = np.linalg.pinv(B) @ residual(term, state, VELOCITY_LEVEL)[free:]
    n = state.v.size
    s = state.s.copy()
    s[:, 1] -= correction[n:]
    return replace(state, v=state.v - correction[:n].reshape(-1, 6), s=s)
