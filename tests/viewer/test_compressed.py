"""Rows in few shapes."""

import numpy as np
import pytest

from flexor.viewer.compressed import compressed


def batches_of(rows, size=16):
    return lambda: (rows[i : i + size] for i in range(0, len(rows), size))


def test_every_number_of_every_row_is_met():
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(100, 5)) @ rng.normal(size=(5, 300)) * np.logspace(0, -4, 100)[:, None]
    scale = np.full(300, np.abs(rows).max())
    found = compressed(batches_of(rows), scale)
    assert found.z.shape == (100, len(found.shapes))
    assert len(found.shapes) <= 5
    assert np.abs(found.z @ found.shapes - rows).max() <= 1e-5 * scale[0]


def test_columns_of_other_size_are_met_as_well():
    """Displacements of micrometres beside stresses of megapascals."""
    t = np.linspace(0, 1, 50)[:, None]
    u = 1e-6 * np.sin(7 * t) * np.linspace(0, 1, 30)
    s = 1e8 * np.cos(5 * t) * np.linspace(1, 2, 60) + 1e7 * t**2
    rows = np.hstack([u, s])
    found = compressed(batches_of(rows), np.repeat([1e-6, 3e8], [30, 60]))
    back = found.z @ found.shapes
    assert np.abs(back - rows)[:, :30].max() <= 1e-11
    assert np.abs(back - rows)[:, 30:].max() <= 3e3


def test_rest_needs_no_shape():
    found = compressed(batches_of(np.zeros((20, 9))), np.ones(9))
    assert found.z.shape == (20, 0)


@pytest.mark.parametrize("count", [1, 16, 17])
def test_any_number_of_rows(count):
    rows = np.random.default_rng(1).normal(size=(count, 40))
    found = compressed(batches_of(rows), np.ones(40))
    assert np.abs(found.z @ found.shapes - rows).max() <= 1e-5
