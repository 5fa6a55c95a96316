"""Joints: free motions and constraints complement each other, and the variables are read back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.joints import JOINTS, Joint
from flexor.law import COMMIT
from flexor.spatial import unskew
from tests.laws.calls import call, matrix, outputs, residual
from tests.laws.random_states import SEEDS, allowed_state, placed, random_state, random_values
from tests.laws.samples import on_samples
from tests.laws.states import slope

on_joints = on_samples(*JOINTS, where=lambda sample: isinstance(sample.declaration, Joint))
seeds = pytest.mark.parametrize("seed", SEEDS)


@on_joints
def test_constraints_and_variables_make_six(sample):
    joint = sample.declaration
    assert len(sample.term.rows) + len(joint.variables) == 6
    assert len(joint.variables) == len(joint.translations) + len(joint.rotations) == len(joint.units)


@seeds
@on_joints
def test_free_motions_satisfy_the_constraints(sample, seed):
    term = sample.term
    state = allowed_state(sample, seed)
    np.testing.assert_allclose(residual(term, state)[12:], 0, atol=2e-15 * 10)


@seeds
@on_joints
def test_constraints_are_independent(sample, seed):
    term = sample.term
    B = matrix(term, allowed_state(sample, seed), (1.0, 0.0, 0.0))[12:, :12]
    singular = np.linalg.svd(B, compute_uv=False)
    assert np.all(singular > 1e-2 * np.max(singular, initial=0.0))


@seeds
@on_joints
def test_free_velocities_satisfy_the_constraints(sample, seed):
    """B·(velocity of a free motion) = 0; and every free motion is one more direction."""
    term, joint = sample.term, sample.declaration
    values = random_values(joint, np.random.default_rng(seed))
    state = random_state(term, seed)
    here = placed(sample, state, values)
    motions = []
    for i in range(len(values)):

        def pose(d, i=i):
            return placed(sample, state, values + d * np.eye(len(values))[i])

        x_dot = slope(lambda d: pose(d).x[1])
        omega = unskew(slope(lambda d: pose(d).R[1]) @ here.R[1].T)
        motions.append(np.concatenate([np.zeros(6), x_dot, omega]))
    B = matrix(term, here, (1.0, 0.0, 0.0))[12:, :12]
    if motions:
        np.testing.assert_allclose(B @ np.array(motions).T, 0, atol=1e-10)
        assert np.linalg.matrix_rank(np.array(motions), tol=1e-6) == len(motions)


@seeds
@on_joints
def test_variables_and_their_rates_are_read_back(sample, seed):
    term, joint = sample.term, sample.declaration
    random = np.random.default_rng(seed)
    values, rates = random_values(joint, random), random.normal(size=len(joint.variables))
    state = random_state(term, seed)

    def pose(tau):
        return placed(sample, state, values + tau * rates)

    here = pose(0.0)
    v = np.zeros((2, 6))
    v[1, :3] = slope(lambda tau: pose(tau).x[1])
    v[1, 3:] = unskew(slope(lambda tau: pose(tau).R[1]) @ here.R[1].T)
    here = replace(here, v=v, h=values[len(joint.translations) :])
    read = outputs(term, here)[: 2 * len(values)].reshape(-1, 2)
    np.testing.assert_allclose(read[:, 0], values, atol=1e-13)
    np.testing.assert_allclose(read[:, 1], rates, atol=1e-9)


@pytest.mark.parametrize("sense", [1.0, -1.0], ids=["forwards", "backwards"])
@on_samples(
    *JOINTS,
    where=lambda sample: (
        isinstance(sample.declaration, Joint)
        and len(sample.declaration.rotations) in (1, 2)
        and not sample.declaration.bisecting
    ),
)
def test_turns_are_counted(sample, sense):
    """Seven turns in steps of up to 170°, committed one by one."""
    term, joint = sample.term, sample.declaration
    first = len(joint.translations)
    values = np.zeros(len(joint.variables))
    state = replace(random_state(term, 0), h=np.zeros(len(joint.rotations)))
    random = np.random.default_rng(5)
    while abs(values[first]) < 14 * np.pi:
        values[first:] += sense * random.uniform(0.1, np.radians(170), len(joint.rotations))
        state = placed(sample, state, values)
        np.testing.assert_allclose(outputs(term, state)[: 2 * len(values) : 2], values, atol=1e-12)
        state = replace(state, h=call(term, state, COMMIT).h)
