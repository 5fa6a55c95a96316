"""Parts of symmetric matrices, and matrices with links taken in."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import flexor as fx
from flexor.elements.assembly.model import assemble
from flexor.elements.assembly.places import by_number
from flexor.elements.assembly.principal import principal
from flexor.mesh.generate import bar
from flexor.reduce.interface import Interface
from flexor.reduce.of_mesh import connected


@pytest.mark.parametrize("kept", [[], [0], [19], [0, 3, 4, 11, 19], list(range(20))])
def test_a_principal_part_is_that_of_the_dense_matrix(kept):
    A = sparse.random_array((20, 20), density=0.2, rng=np.random.default_rng(0))
    A = sparse.csc_array(A + A.T)
    found = principal(A, np.array(kept, dtype=int))
    assert np.array_equal(found.toarray(), A.toarray()[np.ix_(kept, kept)])
    assert found.has_sorted_indices


def test_order_by_counting_is_that_of_a_stable_sort():
    numbers = np.random.default_rng(0).integers(0, 50, 1000)
    assert np.array_equal(by_number(numbers, 60), np.argsort(numbers, kind="stable"))


@pytest.mark.parametrize("tie", ["rigid", "average"])
def test_links_are_taken_in_as_the_transformation_says(tie):
    """TᵀKT and TᵀMT against dense products, exactly symmetric."""
    mesh = bar(1.0, 0.2, 0.2, (4, 2, 2), material=fx.Steel())
    faces = {
        name: Interface(nodes=fx.plane(at=(x, 0, 0), normal="x"), tie=tie) for name, x in (("left", 0), ("right", 1))
    }
    model = assemble(connected(mesh, faces).mesh)
    T = model.T.toarray()
    for full, reduced in ((model.K, model.K_reduced), (model.M, model.M_reduced)):
        expected = T.T @ full.toarray() @ T
        assert np.allclose(reduced.toarray(), expected, rtol=0, atol=1e-13 * np.abs(expected).max())
        assert abs(reduced - reduced.T).max() == 0
        assert reduced.has_sorted_indices
