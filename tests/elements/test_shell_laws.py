"""What every shell must obey."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

from flexor.elements.shells.shell import Shell
from flexor.elements.shells.shell3 import Shell3
from flexor.elements.shells.shell4 import Shell4
from flexor.errors import ModelError
from flexor.materials import Isotropic, Orthotropic
from flexor.materials.laminate import Laminate, Ply
from flexor.mesh.section import ShellSection
from flexor.spatial import exp_so3
from tests.elements.structures import STEEL, properties, rigid_motions

each_shell = pytest.mark.parametrize("kind", [Shell3, Shell4], ids=lambda kind: kind.name)
PLY = Orthotropic(young=(140e9, 9e9, 9e9), poisson=(0.3, 0.4, 0.3), shear=(5e9, 3.2e9, 5e9), density=1600.0)
CROOKED = Laminate([Ply(PLY, 0.004, "20 deg"), Ply(STEEL, 0.002), Ply(PLY, 0.003, "-65 deg")], offset=0.003)
SECTIONS = [ShellSection(0.02), ShellSection(0.02, offset=0.015, shear=0.5, bending=2.0), CROOKED]


def in_space(kind: type[Shell], seed: int = 0, warp: float = 0.05, count: int = 1) -> np.ndarray:
    """(count, k, 3) elements in a general position, quadrilaterals warped."""
    rng = np.random.default_rng(seed)
    flat = np.array(kind.corners) @ [[0.5, 0.1], [-0.05, 0.4]]
    X = np.zeros((count, kind.n_nodes, 3))
    X[..., :2] = flat + 0.08 * rng.uniform(-1, 1, (count, kind.n_nodes, 2))
    X[..., 2] = warp * rng.uniform(-1, 1, (count, kind.n_nodes))
    return X @ exp_so3(np.array([0.5, -0.8, 0.3])).T + [0.4, -0.7, 0.2]


@each_shell
@pytest.mark.parametrize("section", SECTIONS, ids=["plain", "offset", "laminate"])
def test_six_rigid_motions_and_no_other_mode_without_stiffness(kind: type[Shell], section) -> None:
    for seed in range(5):
        X = in_space(kind, seed)
        K = kind.stiffness(X, properties(section))[0]
        values = np.linalg.eigvalsh(K)
        assert np.abs(K @ rigid_motions(X[0])).max() < 1e-12 * values[-1]
        assert np.sum(np.abs(values) < 1e-12 * values[-1]) == 6
        assert values[6] > 1e-8 * values[-1]
        assert np.abs(K - K.T).max() == 0.0


@each_shell
def test_no_stress_in_rigid_motions(kind: type[Shell]) -> None:
    X = in_space(kind)
    for section in SECTIONS:
        for where in ("nodes", "center", "points"):
            S = kind.stress_operator(X, properties(section), where)[0]
            assert np.abs(S @ rigid_motions(X[0])).max() < 1e-12 * np.abs(S).max()


@pytest.mark.parametrize("size", [1.0, 30.0])
def test_thin_slender_elements_keep_their_modes(size: float) -> None:
    """Aspect ratio 1:30 and thickness 1:1000 still leave six zero eigenvalues and no negative one."""
    X = np.array([[[0, 0, 0], [size, 0, 0], [size + 0.3, 1, 0], [0.3, 1, 0]]])
    K = Shell4.stiffness(X, properties(ShellSection(1e-3)))[0]
    scale = 1 / np.sqrt(np.diag(K))
    values = np.linalg.eigvalsh(K * scale[:, None] * scale)
    assert np.all(np.abs(values[:6]) < 1e-10)
    assert values[6] > 1e-7


@each_shell
def test_objective(kind: type[Shell]) -> None:
    """A turned element with turned material axes has the turned stiffness, mass and stress."""
    axes = exp_so3(np.array([0.2, 0.1, -0.4]))[None]
    R = exp_so3(np.array([0.4, -1.1, 0.7]))
    Q = np.kron(np.eye(2 * kind.n_nodes), R)
    X = in_space(kind)
    for section in SECTIONS:
        p, turned = properties(section, PLY, axes), properties(section, PLY, R @ axes)
        for matrix in (kind.stiffness, kind.mass):
            A = matrix(X, p)[0]
            assert np.allclose(matrix(X @ R.T, turned)[0], Q @ A @ Q.T, atol=1e-12 * np.abs(A).max())
        stress = as_tensor(kind.stress_operator(X, p)[0])
        expected = np.einsum("ia,jb,pabn,nm->pijm", R, R, stress, Q.T)
        found = as_tensor(kind.stress_operator(X @ R.T, turned)[0])
        assert np.allclose(found, expected, atol=1e-12 * np.abs(stress).max())


def as_tensor(stress: np.ndarray) -> np.ndarray:
    """(p, 3, 3, N) from (p, 6, N)"""
    return stress[:, [[0, 3, 5], [3, 1, 4], [5, 4, 2]]]


@each_shell
def test_another_first_node_changes_nothing(kind: type[Shell]) -> None:
    X = in_space(kind)
    k = kind.n_nodes
    for section in SECTIONS:
        K = kind.stiffness(X, properties(section))[0].reshape(k, 6, k, 6)
        for shift in range(1, k):
            order = np.roll(np.arange(k), shift)
            turned = kind.stiffness(X[:, order], properties(section))[0].reshape(k, 6, k, 6)
            assert np.allclose(turned, K[order][:, :, order], atol=1e-11 * np.abs(K).max())


@each_shell
def test_batch_is_each_one_alone(kind: type[Shell]) -> None:
    X = in_space(kind, count=4)
    thickness, offset = np.array([0.01, 0.02, 0.03, 0.04]), np.array([0.0, 0.01, 0.0, -0.02])
    axes = np.stack([exp_so3(np.array([0.0, 0.1, a])) for a in range(4)])
    p = properties(ShellSection(1.0), PLY, axes, thickness=thickness, offset=offset)
    for method in (kind.stiffness, kind.mass, kind.volume, kind.stress_operator, kind.strain_operator):
        together = method(X, p)
        for i in range(4):
            one = properties(ShellSection(thickness[i], offset=offset[i]), PLY, axes[i : i + 1])
            alone = method(X[i : i + 1], one)[0]
            assert np.allclose(together[i], alone, rtol=1e-12, atol=1e-12 * np.abs(alone).max())


@each_shell
def test_mass_and_inertia(kind: type[Shell]) -> None:
    """Rigid inertia of a flat shell with an offset: ∫ρ dV and its moments in closed form; lumped keeps the mass."""
    flat = np.array([[[0.0, 0, 0], [0.6, 0, 0], [0.6, 0.3, 0], [0, 0.3, 0]]])[:, : kind.n_nodes]
    t, offset = 0.02, 0.03
    p = properties(ShellSection(t, offset=offset, area_mass=7.0))
    area = kind.volume(flat, p)[0] / t
    assert area == pytest.approx(0.18 if kind is Shell4 else 0.09)
    R = rigid_motions(flat[0])
    total = R.T @ kind.mass(flat, p)[0] @ R
    per_area = 7850 * t + 7
    corners = flat[0, :, :2]
    if kind is Shell3:  # ∫ x xᵀ dA of a triangle
        second = area / 12 * (corners.T @ corners + np.outer(corners.sum(axis=0), corners.sum(axis=0)))
    else:
        second = area * (np.diag([0.6**2, 0.3**2]) / 12 + np.outer(corners.mean(axis=0), corners.mean(axis=0)))
    mean = corners.mean(axis=0)
    zz = area * (7850 * t**3 / 12 + per_area * offset**2)
    S = np.zeros((3, 3))
    S[:2, :2] = per_area * second
    S[2, 2] = zz
    S[:2, 2] = S[2, :2] = per_area * area * offset * mean
    assert np.allclose(total[:3, :3], per_area * area * np.eye(3), rtol=1e-12, atol=1e-9)
    assert np.allclose(total[3:, 3:], np.trace(S) * np.eye(3) - S, rtol=1e-12, atol=1e-12)
    lumped = kind.mass(flat, p, lumped=True)[0]
    assert np.count_nonzero(lumped - np.diag(np.diag(lumped))) == 0
    assert np.diag(lumped).min() > 0
    for M in (lumped, kind.mass(in_space(kind), p)[0]):
        assert np.linalg.eigvalsh(M)[0] > -1e-12 * M.max()
    assert np.allclose(np.diag(lumped)[0::6].sum(), per_area * area)


@each_shell
def test_mass_of_an_unsymmetric_laminate_with_offset(kind: type[Shell]) -> None:
    """Heavy and light plies: inertia about axes in the node plane, summed ply by ply."""
    flat = np.array([[[-0.3, -0.15, 0], [0.3, -0.15, 0], [0.3, 0.15, 0], [-0.3, 0.15, 0]]])[:, : kind.n_nodes]
    laminate = Laminate([Ply(STEEL, 0.01), Ply(PLY, 0.03)], offset=0.05)
    M = kind.mass(flat, properties(laminate))[0]
    R = rigid_motions(flat[0])
    total = R.T @ M @ R
    area = kind.volume(flat, properties(laminate))[0] / 0.04
    first = second = 0.0
    for rho, low, high in ((7850, 0.03, 0.04), (1600, 0.04, 0.07)):  # z from the nodes
        first += area * rho * (high**2 - low**2) / 2
        second += area * rho * (high**3 - low**3) / 3
    assert total[0, 4] == pytest.approx(first)  # u = θy z
    assert total[1, 3] == pytest.approx(-first)
    plane = kind.mass(flat, properties(ShellSection(1e-9, area_mass=7850 * 0.01 + 1600 * 0.03)))[0]
    in_plane = R.T @ plane @ R
    assert total[3, 3] - in_plane[3, 3] == pytest.approx(second)
    assert total[5, 5] == pytest.approx(in_plane[5, 5])


def test_mass_of_a_warped_shell_is_that_of_its_surface() -> None:
    """z = 2 h x y over the unit square: area ∫√(1 + 4h²(x² + y²)), by a fine sum."""
    h = 0.3
    X = np.array([[[0, 0, 0], [1, 0, 0], [1, 1, 2 * h], [0, 1, 0]]])
    x = (np.arange(400) + 0.5) / 400
    area = np.sqrt(1 + 4 * h**2 * (x[:, None] ** 2 + x**2)).mean()
    assert Shell4.volume(X, properties(ShellSection(0.1)))[0] == pytest.approx(0.1 * area, rel=1e-4)


@each_shell
def test_material_axis_is_the_projected_first_axis(kind: type[Shell]) -> None:
    """An orthotropic plate pulled along its fibre and across: E₁ and E₂, whatever the element's own axes are."""
    angle = 0.6
    fibre = np.array([np.cos(angle), np.sin(angle), 0.0])
    tilted = fibre + np.array([0, 0, 0.4])
    axes = np.stack([tilted, np.cross([0, 0, 1], tilted), [0, 0, 1]], axis=-1)[None]
    X = in_space(kind, warp=0.0) @ exp_so3(np.array([0.5, -0.8, 0.3]))
    p = properties(ShellSection(0.01), PLY, axes)
    S_of = np.linalg.inv(PLY.stiffness())
    for direction, modulus, nu in ((fibre, 140e9, 0.3), (np.cross([0, 0, 1], fibre), 9e9, 0.3 * 9 / 140)):
        across = np.cross([0, 0, 1], direction)
        A = np.outer(direction, direction) - nu * np.outer(across, across)
        u = np.concatenate([X[0] @ A.T, np.zeros_like(X[0])], axis=1).ravel()
        stress = as_tensor((kind.stress_operator(X, p)[0] @ u)[..., None])[..., 0]
        assert np.allclose(stress, modulus * np.outer(direction, direction), atol=1e-9 * modulus)
        strain = kind.strain_operator(X, p)[0] @ u
        assert np.allclose(strain[:, 2], S_of[2, 0 if direction is fibre else 1] * modulus)
    standing = np.stack([[0, 0, 1.0], np.cross(fibre, [0, 0, 1]), fibre], axis=-1)[None]
    assert np.allclose(
        kind.stiffness(X, properties(ShellSection(0.01), PLY, standing)), kind.stiffness(X, p), rtol=1e-12, atol=1e-3
    )


@each_shell
def test_nodes_on_one_line_are_refused(kind: type[Shell]) -> None:
    X = np.zeros((2, kind.n_nodes, 3))
    X[0] = in_space(kind)[0]
    X[1, :, 0] = range(kind.n_nodes)
    with pytest.raises(ModelError, match="element 2 of its block: its nodes lie on one line"):
        kind.stiffness(X, properties(ShellSection(0.01)))
    with pytest.raises(ValueError, match="corners"):
        kind.stress_operator(X[:1], properties(ShellSection(0.01)), "corners")


@each_shell
def test_jacobians(kind: type[Shell]) -> None:
    """Positive at the corners of a convex element, not positive where a quadrilateral is folded in."""
    assert np.all(kind.jacobians(in_space(kind)) > 0)
    if kind is Shell4:
        assert kind.jacobians(np.array([[[0, 0, 0], [1, 0, 0], [0.2, 0.2, 0], [0, 1.0, 0]]])).min() < 0


def test_balance_of_a_warped_shell() -> None:
    """Forces of any motion are in balance with the nodes where they are, off the mean plane."""
    X = in_space(Shell4, warp=0.2)
    f = Shell4.stiffness(X, properties(ShellSection(0.01)))[0] @ np.random.default_rng(0).normal(size=24)
    f = f.reshape(4, 6)
    moment = f[:, 3:].sum(axis=0) + np.cross(X[0], f[:, :3]).sum(axis=0)
    assert np.abs(f[:, :3].sum(axis=0)).max() < 1e-12 * np.abs(f).max()
    assert np.abs(moment).max() < 1e-12 * np.abs(f).max()


def test_isotropic_laminate_is_a_plain_shell() -> None:
    X = in_space(Shell4)
    material = Isotropic(70e9, 0.33, 2700.0)
    layered = Laminate([Ply(material, 0.003, pi / 3), Ply(material, 0.007)], offset=0.001)
    plain = properties(ShellSection(0.01, offset=0.001), material)
    for method in (Shell4.stiffness, Shell4.mass, Shell4.stress_operator, Shell4.strain_operator):
        expected = method(X, plain)
        assert np.allclose(method(X, properties(layered, material)), expected, atol=1e-11 * np.abs(expected).max())
