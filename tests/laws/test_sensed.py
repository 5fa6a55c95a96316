"""Springs that depend on sensors, composed at random: their tangents know of the readings."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.forces import AxialSpring, GlobalSpring, JointSpring
from flexor.law import MATRIX, RESIDUAL
from tests.laws.by_duals import assert_tangent
from tests.laws.calls import call, call_compiled, matrix
from tests.laws.random_states import random_state
from tests.laws.samples import Sample, samples_of

KINDS = {AxialSpring: "free_length", JointSpring: "free", GlobalSpring: "free"}
MIXED = (0.7, -1.3, 0.4)


def composed(seed: int) -> Sample:
    """A spring of any kind, with some of its functions by one of two sensors."""
    random = np.random.default_rng(seed)
    kind = list(KINDS)[seed % 3]

    def of_a_sensor(*coefficients):
        return fx.polynomial(*coefficients, sensor=str(random.choice(["tilt", "spin"])))

    fields = {
        KINDS[kind]: lambda: of_a_sensor(0.3, 0.2, 0.05),
        "scale": lambda: of_a_sensor(1.2, 0.1, 0.03),
        "damping_scale": lambda: of_a_sensor(0.8, -0.1, 0.2),
        "yields": lambda: fx.Yield(above=of_a_sensor(0.5, 0, 0.02), below=of_a_sensor(-0.4, 0, -0.03)),
        "hysteresis": lambda: fx.BoucWen(2, 0.3, sharpness=1.7),
    }
    chosen = {name: make() for name, make in fields.items() if random.random() < 0.6}
    if not any(name in chosen for name in ("scale", KINDS[kind])):
        chosen["scale"] = fields["scale"]()
    sample = samples_of(kind)[0]
    return Sample(sample.declaration.replace(stiffness=3.0, damping=0.8, **chosen), sample.sites)


@pytest.mark.parametrize("seed", range(9))
def test_the_tangent_knows_of_the_sensors(seed):
    (term,) = composed(seed).terms()
    assert term.n_read in (1, 2)
    state = random_state(term, seed)
    assert_tangent(term, state, MIXED)
    by_readings = matrix(term, state, MIXED)[:12, 12:]
    assert np.abs(by_readings).max() > 1e-6


@pytest.mark.parametrize("seed", [0, 4])
def test_compiled_they_say_the_same(seed):
    (term,) = composed(seed).terms()
    state = random_state(term, seed)
    found, expected = (each(term, state, RESIDUAL | MATRIX, MIXED) for each in (call_compiled, call))
    np.testing.assert_allclose(found.K, expected.K, rtol=0, atol=1e-12 * np.abs(expected.K).max())
