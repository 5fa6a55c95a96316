"""Stiffness from gradients, against BᵀDB point by point."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.elements.solids.gradient_stiffness import gradient_stiffness
from flexor.elements.solids.isoparametric import strain_matrix


@pytest.mark.parametrize("tensors", [1, 5])
@pytest.mark.parametrize(("points", "functions"), [(1, 4), (8, 11), (14, 10)])
def test_stiffness_is_the_sum_over_the_points(points, functions, tensors):
    """Any elasticity, of all elements or of each."""
    rng = np.random.default_rng(points)
    G, dV = rng.standard_normal((5, points, functions, 3)), rng.uniform(0.5, 2, (5, points))
    D = rng.standard_normal((tensors, 6, 6))
    D = D @ D.transpose(0, 2, 1)
    B = strain_matrix(G)
    exact = np.einsum("mqsi,mst,mqtj,mq->mij", B, np.broadcast_to(D, (5, 6, 6)), B, dV, optimize=True)
    found = gradient_stiffness(G, dV, D)
    np.testing.assert_allclose(found, exact, rtol=0, atol=1e-13 * np.abs(exact).max())


def test_no_elements_have_no_stiffness():
    assert gradient_stiffness(np.zeros((0, 8, 11, 3)), np.zeros((0, 8)), np.eye(6)[None]).shape == (0, 33, 33)
