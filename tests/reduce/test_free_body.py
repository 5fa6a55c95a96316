"""Static solutions and modes of free and held bodies against dense algebra; bodies that are refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import eigh

from flexor.errors import SolveError
from flexor.mesh import Block
from flexor.mesh.generate import bar
from flexor.reduce import from_mesh
from tests.reduce.bodies import held_beams, held_rod, rod

PROBLEMS = {"rigid": lambda: held_rod("rigid"), "average": lambda: held_rod("average"), "beams": held_beams}
problems = pytest.mark.parametrize("p", [make() for make in PROBLEMS.values()], ids=PROBLEMS)


def saddle(p):
    """Inverse of [[K, Cᵀ], [C, 0]], dense."""
    K, C = p.K.toarray(), p.C.toarray()
    size = np.abs(K).max()
    A = np.block([[K / size, C.T], [C, np.zeros((len(C), len(C)))]])
    return np.linalg.inv(A), size


@problems
def test_static_shapes(p):
    inverse, _ = saddle(p)
    exact = inverse[: p.n, p.n :]
    assert np.allclose(p.static, exact, atol=1e-7 * np.abs(exact).max())
    assert np.allclose(p.C @ p.static, np.eye(p.n_connections), atol=1e-12)


@problems
def test_held_under_load(p):
    inverse, size = saddle(p)
    f = np.random.default_rng(0).standard_normal((p.n, 3))
    found, exact = p.held.solve(f), inverse[: p.n, : p.n] @ f / size
    assert np.allclose(found, exact, atol=1e-6 * np.abs(exact).max())
    assert np.abs(p.C @ found).max() < 1e-12 * np.abs(found).max()


@problems
def test_rigid_motion_is_a_static_shape(p):
    assert np.allclose(p.static @ (p.C @ p.rigid), p.rigid, atol=1e-9)
    assert np.allclose(p.rigid_modes.T @ (p.M @ p.rigid_modes), np.eye(6), atol=1e-12)


@problems
def test_free_under_balanced_load(p):
    f = p.balanced(np.random.default_rng(1).standard_normal((p.n, 4)))
    assert np.abs(p.rigid.T @ f).max() < 1e-9
    q = p.solve_free(f)
    assert np.abs(p.K @ q - f).max() < 1e-6
    assert np.abs(p.rigid_modes.T @ (p.M @ q)).max() < 1e-10 * np.abs(q).max() * np.sqrt(p.rigid_mass[0, 0])


@problems
def test_free_modes(p):
    squares, shapes = p.free_modes(8)
    exact = eigh(p.K.toarray(), p.M.toarray(), eigvals_only=True)[6:14]
    assert np.allclose(squares, exact, rtol=1e-5)
    assert np.abs(p.rigid_modes.T @ (p.M @ shapes)).max() < 1e-9


@problems
def test_clamped_modes(p):
    _, _, W = np.linalg.svd(p.C[:6].toarray())
    free = W[6:].T  # motions with the first connection node at rest
    exact = eigh(free.T @ (p.K @ free), free.T @ (p.M @ free), eigvals_only=True)[:6]
    assert np.allclose(p.clamped_modes("left", 6)[0], exact, rtol=1e-6)


@problems
def test_held_modes(p):
    _, _, W = np.linalg.svd(p.C.toarray())
    free = W[p.n_connections :].T
    exact = eigh(free.T @ (p.K @ free), free.T @ (p.M @ free), eigvals_only=True)[:6]
    squares, shapes = p.held_modes(6)
    assert np.allclose(squares, exact, rtol=1e-7)
    assert np.abs(p.C @ shapes).max() < 1e-9 * np.abs(shapes).max()


def test_without_interfaces_free_modes_are_the_same():
    bare = from_mesh(rod(), {})
    assert bare.n_connections == 0
    full = eigh(bare.K.toarray(), bare.M.toarray(), eigvals_only=True)[6:12]
    assert np.allclose(bare.free_modes(6)[0], full, rtol=1e-6)


def test_a_body_on_springs_to_ground_is_refused():
    p = held_rod()
    K = p.K.tolil()
    K[5, 5] += 1e8
    with pytest.raises(SolveError, match=r"rigid-body .* meets a force .*: it is not free"):
        replace(p, K=K.tocsc()).check()


def test_pieces_are_refused():
    one, other = rod(), bar(1.0, 0.1, 0.08, divisions=(3, 2, 2))
    n = len(one.points)
    block = other.blocks[0]
    mesh = replace(
        one,
        points=np.vstack([one.points, other.points + np.array([0, 5.0, 0])]),
        node_ids=np.arange(1, n + len(other.points) + 1),
        blocks=(*one.blocks, Block(block.element, block.nodes + n, block.ids + 1000, block.material)),
    )
    with pytest.raises(SolveError, match="2 pieces that nothing connects"):
        from_mesh(mesh, {"left": "x_min", "right": "x_max"})


def test_a_straight_beam_is_one_piece():
    """Stretching, torsion and bending of a straight beam are not coupled; that makes no pieces of it."""
    held_beams().check()


def test_a_body_without_density_is_refused():
    mesh = rod()
    light = replace(mesh, materials={"material": mesh.materials["material"].replace(density=0.0)})
    with pytest.raises(SolveError, match="no mass"):
        from_mesh(light, {"left": "x_min"})
