"""∫ρ Sₖ Sₗ over beams, solids and mixed meshes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.mesh import Block, Mesh
from flexor.mesh.section import Rectangle
from flexor.reduce import from_mesh
from flexor.reduce.translation_products import translation_products
from flexor.spatial import exp_so3
from tests.elements.structures import STEEL, line
from tests.reduce.bodies import held_beams, held_rod

AREA = 2e-4


def beam_along(direction: np.ndarray, elements: int = 4) -> Mesh:
    """One metre of thin beam from the origin."""
    points, nodes = line((0.0, 0.0, 0.0), direction, elements)
    block = Block("beam2", nodes, np.arange(1, elements + 1), "material", "section")
    section = Rectangle(2e-2, 1e-2)
    ids = np.arange(1, elements + 2)
    return Mesh(points, ids, (block,), {"material": STEEL}, {"section": section})


def bent(problem, R: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
    """(N,) freedoms of u = R (c₀ s, c₁ s² (3 − s), c₂ s³) along the beam, slopes as rotations."""
    s = np.linalg.norm(problem.nodes, axis=1)
    c0, c1, c2 = coefficients
    u = np.stack([c0 * s, c1 * s**2 * (3 - s), c2 * s**3], axis=-1) @ R.T
    turn = np.stack([0 * s, -c2 * 3 * s**2, c1 * (6 * s - 3 * s**2)], axis=-1) @ R.T
    node, component = problem.owners.T
    return np.hstack([u, turn])[node, component]


@pytest.mark.parametrize("seed", range(3))
def test_beam_of_known_shape(seed):
    """Linear along and cubic across the axis, which the elements represent: integrals of polynomials."""
    random = np.random.default_rng(seed)
    R = exp_so3(random.normal(size=3))
    problem = from_mesh(beam_along(R[:, 0]), {})
    a, b = random.normal(size=(2, 3))
    U = np.stack([bent(problem, R, a), bent(problem, R, b)], axis=-1)
    found = translation_products(problem, U)
    s, w = np.polynomial.legendre.leggauss(8)
    s, w = (s + 1) / 2, w / 2
    shape = np.stack([s, s**2 * (3 - s), s**3])
    S = np.stack([R @ (a[:, None] * shape), R @ (b[:, None] * shape)], axis=-1)  # (3, points, 2)
    expected = STEEL.density * AREA * np.einsum("q,kqr,lqs->klrs", w, S, S)
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-4 * np.abs(expected).max())


def test_all_directions_and_the_rotary_inertia_make_the_mass():
    """∫ρ SᵀS is below the mass matrix in every motion, and near it in slow ones of a slender beam."""
    problem = held_beams()
    U = problem.T.toarray()
    Q = np.einsum("kkrs->rs", translation_products(problem, U))
    M = problem.M.toarray()
    rest = np.linalg.eigvalsh(M - Q)
    assert rest[0] > -1e-12 * np.linalg.eigvalsh(M)[-1]
    _, shapes = problem.free_modes(6)
    share = np.einsum("ra,rs,sa->a", shapes, Q, shapes)
    assert np.all(share < 1)
    assert np.all(share[:5] > 0.99)


def test_solids_take_the_scalar_mass():
    problem = held_rod()
    U = problem.T.toarray()[:, ::7]
    found = translation_products(problem, U)
    np.testing.assert_allclose(np.einsum("kkrs->rs", found), U.T @ (problem.M_full @ U), rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(found, found.transpose(1, 0, 3, 2), rtol=0, atol=1e-14)


def test_rigid_translations_have_the_mass():
    mesh = beam_along(np.array([0.6, 0.0, 0.8]))
    for lumped in (False, True):
        problem = from_mesh(mesh, {}, lumped=lumped)
        U = problem.T @ problem.rigid[:, :3]
        expected = np.einsum("kr,ls->klrs", np.eye(3), np.eye(3)) * STEEL.density * AREA
        np.testing.assert_allclose(translation_products(problem, U), expected, atol=1e-12)
    without = replace(problem, mesh=None)
    np.testing.assert_allclose(translation_products(without, U), expected, atol=1e-12)
