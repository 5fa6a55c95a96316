"""Measures of stress and strain against eigenvalues and textbook states."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.elements.assembly.stress import von_mises
from flexor.errors import ModelError
from flexor.recover import measure_of
from flexor.recover.measures import COMPONENTS, principal


def tensor(components, shear=1.0):
    """(…, 3, 3) from (…, 6)."""
    x, y, z, xy, yz, zx = np.moveaxis(np.asarray(components), -1, 0) * np.array([1, 1, 1, *3 * [shear]])[:, None]
    return np.moveaxis(np.array([[x, xy, zx], [xy, y, yz], [zx, yz, z]]), (0, 1), (-2, -1))


RANDOM = np.random.default_rng(0).standard_normal((200, 6))
SPECIAL = np.array(
    [
        [5.0, 0, 0, 0, 0, 0],  # tension: a double principal value
        [0, 0, 0, 3.0, 0, 0],  # pure shear
        [-7.0, -7, -7, 0, 0, 0],  # pressure
        [0, 0, 0, 0, 0, 0],
        [1, 1, 1 + 1e-9, 0, 0, 0],
        [1e-90, 0, 0, 0, 0, 0],
    ]
)


@pytest.mark.parametrize("states", [RANDOM, SPECIAL], ids=["random", "special"])
@pytest.mark.parametrize(("quantity", "shear"), [("stress", 1.0), ("strain", 0.5)])
def test_principal_values_are_eigenvalues(states, quantity, shear):
    exact = np.linalg.eigvalsh(tensor(states, shear))[:, ::-1]
    size = np.abs(exact).max(axis=1, initial=0) + 1e-300
    found = np.stack([measure_of(f"principal_{k}", quantity)(states) for k in (1, 2, 3)], axis=1)
    assert np.all(np.abs(found - exact) <= 1e-7 * size[:, None])
    assert np.all(np.abs(measure_of("tresca", quantity)(states) - (exact[:, 0] - exact[:, 2])) <= 2e-7 * size)
    largest = np.where(np.abs(exact[:, 0]) >= np.abs(exact[:, 2]), exact[:, 0], exact[:, 2])
    clear = np.abs(np.abs(exact[:, 0]) - np.abs(exact[:, 2])) > 1e-6 * size
    assert np.all(np.abs(measure_of("signed_max", quantity)(states) - largest)[clear] <= 1e-7 * size[clear])


def test_von_mises():
    assert np.allclose(measure_of("von_mises")(RANDOM), von_mises(RANDOM), rtol=1e-13)
    e = tensor(RANDOM, 0.5)
    e = e - np.trace(e, axis1=1, axis2=2)[:, None, None] / 3 * np.eye(3)
    expected = np.sqrt(2 / 3 * np.einsum("nij,nij->n", e, e))
    assert np.allclose(measure_of("von_mises", "strain")(RANDOM), expected, rtol=1e-13)


def test_components_pressure_and_shear():
    for i, name in enumerate(COMPONENTS):
        assert np.array_equal(measure_of(name)(RANDOM), RANDOM[:, i])
    assert np.allclose(measure_of("pressure")(RANDOM), -RANDOM[:, :3].mean(axis=1))
    shear = np.array([0, 0, 0, 3.0, 0, 0])
    assert measure_of("max_shear")(shear) == pytest.approx(3.0)  # τ
    assert measure_of("max_shear", "strain")(shear) == pytest.approx(3.0)  # γ
    assert measure_of("principal_1")(shear) == pytest.approx(3.0)
    assert measure_of("principal_2")(shear) == pytest.approx(0.0, abs=1e-7)
    assert measure_of("principal_3")(shear) == pytest.approx(-3.0)


def test_principal_works_over_any_shape():
    many = RANDOM.reshape(20, 10, 6)
    assert np.allclose(principal(np.moveaxis(many, -1, 0))[0].ravel(), principal(RANDOM.T)[0])


def test_unknown_measure():
    with pytest.raises(ModelError, match="no measure 'vonmises'; did you mean 'von_mises'"):
        measure_of("vonmises")
