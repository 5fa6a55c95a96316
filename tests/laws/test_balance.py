"""Action = reaction, objectivity, and the balance of power."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.joints import Joint
from flexor.law import ACCELERATION_LEVEL, VELOCITY_LEVEL
from tests.laws.calls import energies, matrix, outputs, residual
from tests.laws.random_states import SEEDS, allowed_state, random_state
from tests.laws.samples import MECHANISM, REGISTERED, has_two_nodes, on_samples, random_rotation
from tests.laws.states import assert_derivative, moved, slope_and_error, superposed

seeds = pytest.mark.parametrize("seed", SEEDS)
between_two_bodies = on_samples(*REGISTERED, where=has_two_nodes)
on_one_body = on_samples(*REGISTERED, where=lambda sample: not has_two_nodes(sample))


def same_multipliers(term, state, expected):
    """The state with the multipliers that give the expected nodal forces: they may be components in axes that turn."""
    if not term.rows:
        return state
    free = len(state.rates)
    idle = nodal(term, residual(term, replace(state, lam=0 * state.lam)))
    gradient = matrix(term, state, (1.0, 0.0, 0.0))[:free, free:]
    lam = np.linalg.lstsq(gradient, (expected - idle).ravel(), rcond=None)[0]
    np.testing.assert_allclose(np.linalg.norm(lam), np.linalg.norm(state.lam), rtol=1e-10)
    return replace(state, lam=lam)


def seen_by_readers(sample, state, Q):
    """The state with the multipliers turned that a term reads of its joint: three locked translations stand in global axes."""
    joint = MECHANISM.get(getattr(sample.declaration, "joint", ""))
    if not sample.term.reads or not isinstance(joint, Joint) or joint.translations:
        return state
    return replace(state, lam=np.concatenate([Q @ state.lam[:3], state.lam[3:]]))


def nodal(term, r):
    """Forces and moments of each node, (n, 2, 3)."""
    return r[: 6 * len(term.nodes)].reshape(-1, 2, 3)


def binds(sample):
    """A free joint carries nothing."""
    return not isinstance(sample.declaration, Joint) or bool(sample.declaration.binds)


@seeds
@between_two_bodies
def test_action_is_reaction(sample, seed):
    """Σ f = 0 and Σ (x × f + m) = 0. Joints: where the two points coincide as they should."""
    term = sample.term
    state = allowed_state(sample, seed)
    forces = nodal(term, residual(term, state))
    assert np.abs(forces).max() > 1e-3 or not binds(sample)
    np.testing.assert_allclose(forces[:, 0].sum(axis=0), 0, atol=1e-12 * np.abs(forces).max())
    moments = np.cross(state.x, forces[:, 0]) + forces[:, 1]
    np.testing.assert_allclose(moments.sum(axis=0), 0, atol=1e-12 * np.abs(moments).max())


@seeds
@between_two_bodies
def test_a_superposed_rigid_motion_turns_forces_and_leaves_scalars(sample, seed):
    """Any rigid motion of both bodies, with its velocities and accelerations, changes nothing between them.

    Multipliers may be components in global axes; they turn like the constraints do, so λ·Φ, |λ| and |Φ| stay.
    """
    term = sample.term
    random = np.random.default_rng([seed, 2])
    Q, shift, rates = random_rotation(random), random.normal(size=3), random.normal(size=(4, 3))
    state = allowed_state(sample, seed)
    other = seen_by_readers(sample, superposed(state, Q, shift, rates), Q)
    free = len(state.rates)
    expected = nodal(term, residual(term, state)) @ Q.T
    other = same_multipliers(term, other, expected)
    scale = np.abs(expected).max()
    np.testing.assert_allclose(nodal(term, residual(term, other)), expected, rtol=0, atol=1e-11 * scale)
    for level in (0, VELOCITY_LEVEL, ACCELERATION_LEVEL):
        before, after = residual(term, state, level)[free:], residual(term, other, level)[free:]
        np.testing.assert_allclose(np.linalg.norm(after), np.linalg.norm(before), rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(other.lam @ after, state.lam @ before, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(outputs(term, other), outputs(term, state), rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(energies(term, other), energies(term, state), rtol=1e-10, atol=1e-10)


@seeds
@on_one_body
def test_another_inertial_frame_turns_forces_and_leaves_scalars(sample, seed):
    random = np.random.default_rng([seed, 3])
    Q, shift = random_rotation(random), random.normal(size=3)
    for term, turned in zip(sample.terms(), sample.terms(turn=Q, shift=shift), strict=True):
        state = random_state(term, seed)
        expected = nodal(term, residual(term, state)) @ Q.T
        other = same_multipliers(turned, superposed(state, Q, shift), expected)
        scale = np.abs(expected).max()
        np.testing.assert_allclose(nodal(turned, residual(turned, other)), expected, rtol=0, atol=1e-12 * scale)
        found, told = (outputs(*each) for each in ((turned, other), (term, state)))
        if term.rows:  # components of its force may be in axes that turn otherwise
            found, told = np.linalg.norm(found), np.linalg.norm(told)
        np.testing.assert_allclose(found, told, rtol=1e-11, atol=1e-11)
        np.testing.assert_allclose(energies(turned, other), energies(term, state), rtol=1e-11, atol=1e-11)


@seeds
@on_samples(*REGISTERED)
def test_power_balance(sample, seed):
    """r·q̇ − λ·Φ̇ = d(T + V + U)/dt + dissipated power − input power, along any motion.   FTG 9.2

    r·q̇ is the power that the law takes from the bodies. With λ·Φ̇ it holds for velocities that violate the
    constraints, too; a scleronomic constraint takes none, a motor with Φ = q − u(t) gives −λ u̇.
    """
    for term in sample.terms():
        state = random_state(term, seed)
        free = len(state.rates)
        power = residual(term, state)[:free] @ state.rates
        power -= state.lam @ residual(term, state, VELOCITY_LEVEL)[free:]
        stored, error = slope_and_error(lambda tau, e=term, s=state: energies(e, moved(s, tau))[:3].sum())
        _, _, _, dissipated, supplied = energies(term, state)
        scale = 1.0 + np.abs(residual(term, state)).max() * np.abs(state.rates).max()
        assert_derivative(power, stored + dissipated - supplied, error, scale)
