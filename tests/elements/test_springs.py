"""Bushings and springs."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.elements.lines.bush import Bush
from flexor.elements.lines.rotational_spring import RotationalSpring
from flexor.elements.lines.spring import Spring
from flexor.errors import ModelError
from flexor.mesh.section import BushSection, RotationalSpringSection, SpringSection
from flexor.spatial import exp_so3
from tests.elements.structures import properties, rigid_motions

APART = np.array([[[0.1, 0.2, 0.3], [0.5, -0.1, 0.4]]])
R = exp_so3(np.array([0.4, -0.2, 0.9]))


def test_bush_between_nodes_at_one_place() -> None:
    """Six springs along and about its axes; FTG (A.21)."""
    section = BushSection((1e6, 2e6, 3e6), (10.0, 20.0, 30.0))
    X = np.zeros((1, 2, 3))
    K = Bush.stiffness(X, properties(section, orientation=R[None]))[0]
    k = np.kron(np.eye(2), R) @ np.diag([1e6, 2e6, 3e6, 10, 20, 30]) @ np.kron(np.eye(2), R).T
    assert np.allclose(K, np.block([[k, -k], [-k, k]]))


@pytest.mark.parametrize("place", [None, np.array([[0.7, 0.7, 0.7]])], ids=["between", "elsewhere"])
def test_bush_on_arms(place) -> None:
    """Rigid motions free; rank six; a force at its place moves node 2 by F/k without turning it."""
    section = BushSection((1e6, 2e6, 3e6), (1e4, 2e4, 3e4), location=0.3)
    data = {} if place is None else {"location": place}
    K = Bush.stiffness(APART, properties(section, orientation=R[None], **data))[0]
    assert np.abs(K @ rigid_motions(APART[0])).max() < 1e-9 * K.max()
    assert np.linalg.matrix_rank(K, tol=1e-6 * K.max()) == 6
    at = APART[0, 0] + 0.3 * (APART[0, 1] - APART[0, 0]) if place is None else place[0]
    force = R[:, 1] * 100.0
    moment = np.cross(at - APART[0, 1], force)  # the same force, seen from node 2
    u = np.linalg.solve(K[6:, 6:], np.concatenate([force, moment]))
    assert np.allclose(u, np.concatenate([force / 2e6, np.zeros(3)]), atol=1e-15)


def test_bush_with_a_full_matrix() -> None:
    rng = np.random.default_rng(0)
    A = rng.normal(size=(6, 6))
    A = A @ A.T
    K = Bush.stiffness(np.zeros((1, 2, 3)), properties(BushSection(matrix=A.tolist())))[0]
    assert np.allclose(K[6:, 6:], A)
    A[0, 1] += 1
    with pytest.raises(ModelError, match="symmetric"):
        BushSection(matrix=A.tolist())
    assert np.all(Bush.mass(APART, properties(BushSection())) == 0)


def test_axial_spring() -> None:
    """k n nᵀ along the line; a rigid motion strains it not; three freedoms per node suffice."""
    K = Spring.stiffness(APART, properties(SpringSection("20 N/mm")))[0]
    n = APART[0, 1] - APART[0, 0]
    n /= np.linalg.norm(n)
    assert np.allclose(K[3:, 3:], 2e4 * np.outer(n, n))
    translations = np.arange(12) % 6 < 3
    assert np.allclose(K @ rigid_motions(APART[0])[translations], 0, atol=1e-9)


def test_spring_in_a_direction_and_with_a_matrix() -> None:
    together = np.zeros((1, 2, 3))
    K = Spring.stiffness(together, properties(SpringSection(5.0, "z")))[0]
    expected = np.zeros((6, 6))
    expected[np.ix_([2, 5], [2, 5])] = [[5, -5], [-5, 5]]
    assert np.allclose(K, expected)
    assert np.allclose(Spring.stiffness(together, properties(SpringSection(5.0, (0, 0, 7.0))))[0], expected)
    assert np.allclose(Spring.stiffness(together, properties(SpringSection(matrix=expected.tolist())))[0], expected)
    with pytest.raises(ModelError, match="its nodes coincide; it has no direction"):
        Spring.stiffness(together, properties(SpringSection(5.0)))


def test_rotational_spring() -> None:
    K = RotationalSpring.stiffness(APART, properties(RotationalSpringSection("12 N*m/rad", R[:, 0].tolist())))[0]
    assert np.allclose(K[9:, 9:], 12 * np.outer(R[:, 0], R[:, 0]))
    assert np.allclose(K[9:, 3:6], -K[9:, 9:])
    assert np.abs(K @ rigid_motions(APART[0])).max() < 1e-12
    assert np.linalg.matrix_rank(K) == 1
