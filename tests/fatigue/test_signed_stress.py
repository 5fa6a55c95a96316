"""The compiled measures are those of recovery, and of the eigenvalues."""

import numpy as np
import pytest

from flexor.fatigue.signed_stress import SignedValues, fast
from flexor.recover.measures import measure_of

SPECIAL = np.array([
    [0, 0, 0, 0, 0, 0],
    [5, 5, 5, 0, 0, 0],
    [-7, -7, -7, 0, 0, 0],
    [3, 0, 0, 0, 0, 0],
    [-3, 0, 0, 0, 0, 0],
    [1, 2, -4, 0, 0, 0],
    [2, 2, -1, 0.5, 0, 0],
])  # fmt: skip


@pytest.mark.parametrize("name", ["signed_max", "signed_von_mises"])
def test_they_are_those_of_recovery(name):
    tensors = 1e8 * np.concatenate([SPECIAL, np.random.default_rng(0).normal(size=(500, 6))])
    np.testing.assert_allclose(fast(name)(tensors), measure_of(name)(tensors), rtol=1e-7, atol=1.0)
    x, y, z, xy, yz, zx = tensors.T
    principal = np.linalg.eigvalsh(np.moveaxis(np.array([[x, xy, zx], [xy, y, yz], [zx, yz, z]]), 2, 0))
    largest = np.where(np.abs(principal[:, 2]) >= np.abs(principal[:, 0]), principal[:, 2], principal[:, 0])
    a, b, c = principal.T
    mises = np.sqrt(((a - b) ** 2 + (b - c) ** 2 + (c - a) ** 2) / 2)
    expected = largest if name == "signed_max" else np.copysign(mises, largest)
    np.testing.assert_allclose(fast(name)(tensors), expected, rtol=1e-7, atol=20.0)


def test_compiled_is_python():
    tensors = np.random.default_rng(1).normal(size=(6, 4, 5))
    for mises in (False, True):
        one, other = (SignedValues(mises, python)(tensors) for python in (False, True))
        assert one.shape == (4, 5)
        np.testing.assert_allclose(one, other, rtol=1e-12)
