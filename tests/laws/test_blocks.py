"""Laws of control blocks: tangent = derivative of the residual, compiled = Python, over a step, at rest and at an instant."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.control import CONTROLS, Sensor
from flexor.law import ACCELERATION_LEVEL, COMMIT, MATRIX, RESIDUAL
from flexor.law.face import AT_REST, INTEGRATED, SWITCH, TRANSITION
from tests.laws.calls import call, call_compiled, residual
from tests.laws.samples import samples_of
from tests.laws.states import State

SAMPLES = samples_of(*[kind for kind in CONTROLS if kind is not Sensor])
MODES = [(INTEGRATED, 0), (AT_REST, 0), (AT_REST, ACCELERATION_LEVEL)]
EPS = 1e-6


def terms_of(sample):
    for number, term in enumerate(sample.declaration.terms(None)):
        random = np.random.default_rng(number)
        lam = random.normal(size=len(term.rows) + term.n_read)
        none = np.zeros((0, 3))
        state = State(
            none,
            np.zeros((0, 3, 3)),
            np.zeros((0, 6)),
            np.zeros((0, 6)),
            none,
            lam,
            np.array(term.history),
            0.7,
            np.zeros(3),
        )
        if term.history:
            for want in (SWITCH | ACCELERATION_LEVEL, COMMIT) if term.law.transitions else (COMMIT,):
                before = replace(state, t=0.699, lam=lam + 0.1 * random.normal(size=len(lam)), states=INTEGRATED)
                state = replace(state, h=call(term, before, want).h)
        yield term, state


@pytest.mark.parametrize(("states", "level"), MODES, ids=["step", "rest", "instant"])
@pytest.mark.parametrize("sample", SAMPLES, ids=[sample.name for sample in SAMPLES])
def test_tangent_and_compiled(sample, states, level):
    for term, begin in terms_of(sample):
        state = replace(begin, states=states)
        found = call(term, state, RESIDUAL | MATRIX | level)
        for j in range(len(state.lam)):
            move = EPS * np.eye(len(state.lam))[j]
            up, down = (residual(term, replace(state, lam=state.lam + side * move), level) for side in (1, -1))
            np.testing.assert_allclose(found.K[:, j], (up - down) / (2 * EPS), rtol=1e-6, atol=1e-7, err_msg=term.name)
        compiled = call_compiled(term, state, RESIDUAL | MATRIX | level)
        np.testing.assert_allclose(compiled.K, found.K, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(compiled.r, found.r, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("sample", SAMPLES, ids=[sample.name for sample in SAMPLES])
def test_memory_is_the_same_compiled(sample):
    for term, begin in terms_of(sample):
        wanted = [COMMIT, SWITCH, TRANSITION] if term.law.transitions else [COMMIT] if term.history else []
        for want in wanted:
            state = replace(begin, states=INTEGRATED, t=0.71)
            found, compiled = call(term, state, want), call_compiled(term, state, want)
            np.testing.assert_array_equal(found.h, compiled.h)
            if want == TRANSITION:
                np.testing.assert_allclose(found.w[:2], compiled.w[:2], rtol=1e-12)
