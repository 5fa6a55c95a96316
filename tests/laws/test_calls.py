"""A law does what is asked and no more; compiled it does the same as in Python and keeps to its memory."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.contact.touch import Touch
from flexor.law import ACCELERATION_LEVEL, COMMIT, ENERGY, MATRIX, OUTPUT, RESIDUAL, VELOCITY_LEVEL
from tests.laws.calls import GUARD, call, call_compiled, memory
from tests.laws.random_states import random_state
from tests.laws.samples import REGISTERED, on_samples

MIXED = (0.7, -1.3, 0.4)
REQUESTS = (
    RESIDUAL, MATRIX, RESIDUAL | MATRIX, RESIDUAL | VELOCITY_LEVEL, RESIDUAL | MATRIX | VELOCITY_LEVEL,
    RESIDUAL | ACCELERATION_LEVEL, RESIDUAL | MATRIX | ACCELERATION_LEVEL, OUTPUT, ENERGY, COMMIT,
)  # fmt: skip
requests = pytest.mark.parametrize("want", REQUESTS)


def answers_count(term, want):
    """How many floats of the scratch memory are an answer."""
    return len(term.outputs) if want & OUTPUT else 5 if want & ENERGY else 0


def known(term):
    """Which numbers of a history tell of the last step; what a contact found at a pose is there for whoever asks for that again."""
    kept = np.ones(len(term.history), dtype=bool)
    if term.law.history is Touch or term.law.name == "touch_every_pair":  # of many pairs one after the other
        for field in (Touch.found, Touch.place, Touch.pose):
            for place in range(len(kept) // Touch.WORDS):
                kept[place * Touch.WORDS + field.offset + np.arange(field.size)] = False
    return kept


@requests
@on_samples(*REGISTERED)
def test_only_what_is_asked_for_is_written(sample, want):
    for term in sample.terms():
        state = random_state(term, 1)
        before = memory(term, state, MIXED)
        answer = call(term, state, want, MIXED)
        assert answer.status == 0
        if not want & RESIDUAL:
            np.testing.assert_array_equal(answer.r, 0)
        if not want & MATRIX:
            np.testing.assert_array_equal(answer.K, 0)
        if not want & COMMIT:
            kept = known(term)
            np.testing.assert_array_equal(answer.h[kept], before["h"][kept])
        written = answer.w[: answers_count(term, want)]
        assert np.all(written != GUARD), "an output was not written"
        assert np.all(np.isfinite(written))


@on_samples(*REGISTERED)
def test_matrix_does_not_depend_on_whether_the_residual_is_wanted(sample):
    for term in sample.terms():
        state = random_state(term, 2)
        both = call(term, state, RESIDUAL | MATRIX, MIXED)
        np.testing.assert_array_equal(call(term, state, MATRIX, MIXED).K, both.K)
        np.testing.assert_array_equal(call(term, state, RESIDUAL, MIXED).r, both.r)


@on_samples(*REGISTERED)
def test_compiled_law_does_the_same(sample):
    for term in sample.terms():
        state = random_state(term, 3)
        for want in REQUESTS:
            expected = call(term, state, want, MIXED)
            answer = call_compiled(term, state, want, MIXED)
            assert answer.status == expected.status == 0
            for name in ("r", "K", "h"):
                values = getattr(expected, name)
                scale = max(np.abs(values).max(initial=0.0), 1.0)
                np.testing.assert_allclose(getattr(answer, name), values, rtol=0, atol=1e-13 * scale, err_msg=name)
            count = answers_count(term, want)
            np.testing.assert_allclose(answer.w[:count], expected.w[:count], rtol=1e-12, atol=1e-12)
