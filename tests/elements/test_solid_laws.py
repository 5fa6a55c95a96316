"""What every solid element must obey."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.elements import SOLIDS, by_name
from flexor.elements.solids.isoparametric import Solid
from flexor.spatial import exp_so3
from tests.elements import samples

KINDS = [*[(kind, {}) for kind in SOLIDS], (by_name["hex8"], samples.PLAIN)]
each_solid = pytest.mark.parametrize(("kind", "options"), KINDS, ids=lambda value: getattr(value, "name", ""))


def rigid_motions(X: np.ndarray) -> np.ndarray:
    """(3k, 6)"""
    rotations = [np.cross(axis, X) for axis in np.eye(3)]
    translations = [np.tile(axis, (len(X), 1)) for axis in np.eye(3)]
    return np.stack([m.ravel() for m in (*translations, *rotations)], axis=1)


@each_solid
def test_shape_functions(kind: type[Solid], options: dict) -> None:
    """One at the own node, zero at the others; they add up to one; gradients are derivatives."""
    nodes = np.array(kind.corners, dtype=float)
    assert np.allclose(kind.shape(nodes), np.eye(kind.n_nodes), atol=1e-14)
    points = np.random.default_rng(0).uniform(0, 0.3, size=(5, 3))
    assert np.allclose(kind.shape(points).sum(axis=1), 1, atol=1e-14)
    h = 1e-6
    for d in range(3):
        step = h * np.eye(3)[d]
        numerical = (kind.shape(points + step) - kind.shape(points - step)) / (2 * h)
        assert np.allclose(kind.shape_gradient(points)[:, :, d], numerical, atol=1e-8)


@each_solid
def test_rigid_motions_and_number_of_zero_eigenvalues(kind: type[Solid], options: dict) -> None:
    """No stiffness against six rigid motions, and against nothing else."""
    for seed in range(5):
        X = samples.distorted(kind, seed)
        K = kind.stiffness(X, samples.properties(**options))[0]
        values = np.linalg.eigvalsh(K)
        assert np.abs(K @ rigid_motions(X[0])).max() < 1e-12 * values[-1]
        assert np.sum(np.abs(values) < 1e-10 * values[-1]) == 6
        assert values[6] > 1e-5 * values[-1]
        assert np.abs(K - K.T).max() < 1e-14 * values[-1]


@each_solid
def test_objective(kind: type[Solid], options: dict) -> None:
    """A turned element has the turned stiffness: K(R x) = Q K(x) Qᵀ."""
    X, p = samples.distorted(kind), samples.properties(**options)
    R = exp_so3(np.array([0.4, -1.1, 0.7]))
    Q = np.kron(np.eye(kind.n_nodes), R)
    K, turned = kind.stiffness(X, p)[0], kind.stiffness(X @ R.T, p)[0]
    assert np.allclose(turned, Q @ K @ Q.T, atol=1e-12 * np.abs(K).max())


@each_solid
def test_batch_is_each_one_alone(kind: type[Solid], options: dict) -> None:
    X, p = samples.distorted(kind, count=4), samples.properties(**options)
    for method in (kind.stiffness, kind.mass, kind.volume, kind.stress_operator):
        together = method(X, p)
        for i in range(4):
            alone = method(X[i : i + 1], p)[0]
            assert np.allclose(together[i], alone, rtol=1e-12, atol=1e-12 * np.abs(alone).max())


@each_solid
def test_volume_by_divergence(kind: type[Solid], options: dict) -> None:
    """V = ⅓ ∮ x · n dA over the element's faces, which also proves that their normals point outwards."""
    from flexor.elements.faces import area_vectors

    X = samples.distorted(kind)
    flux = 0.0
    for face in kind.faces:
        N, dA = area_vectors(X[:, face])
        flux += float(np.einsum("qk,mkc,mqc->", N, X[:, face], dA)) / 3
    assert kind.volume(X, samples.properties())[0] == pytest.approx(flux, rel=1e-12)


@each_solid
def test_mass(kind: type[Solid], options: dict) -> None:
    """Mass ρV; centre and inertia of the straight reference shape in closed form; positive; lumped keeps the mass."""
    p = samples.properties()
    X = samples.distorted(kind)
    volume = kind.volume(X, p)[0]
    for lumped in (False, True):
        M = kind.mass(X, p, lumped)[0]
        R = rigid_motions(X[0])
        total = R.T @ M @ R
        assert np.allclose(total[:3, :3], 7850 * volume * np.eye(3), rtol=1e-12, atol=1e-9)
        assert np.linalg.eigvalsh(M)[0] > 0
    assert np.count_nonzero(M - np.diag(np.diag(M))) == 0
    straight = samples.distorted(kind, amount=0.0)
    R = rigid_motions(straight[0])
    total = R.T @ kind.mass(straight, p)[0] @ R
    second = 7850 * second_moment(straight[0], kind.name.rstrip("0123456789"))
    assert np.allclose(total[3:, 3:], np.trace(second) * np.eye(3) - second, rtol=1e-12)


def second_moment(X: np.ndarray, shape: str) -> np.ndarray:
    """∫ x xᵀ dV in closed form of a tetrahedron, a prism or a parallelepiped with straight edges."""
    if shape == "tet":
        volume = np.linalg.det(X[1:4] - X[0]) / 6
        total = X[:4].sum(axis=0)
        return volume / 20 * (X[:4].T @ X[:4] + np.outer(total, total))
    if shape == "wedge":
        center, half = X[:6].mean(axis=0), (X[3] - X[0]) / 2
        volume = np.linalg.det([X[1] - X[0], X[2] - X[0], 2 * half]) / 2
        corner = X[:3] - X[:3].mean(axis=0)
        return volume * (np.outer(center, center) + corner.T @ corner / 12 + np.outer(half, half) / 3)
    center = X[:8].mean(axis=0)
    halves = np.array([X[1] - X[0], X[3] - X[0], X[4] - X[0]]) / 2
    return 8 * np.linalg.det(halves) * (np.outer(center, center) + halves.T @ halves / 3)


@each_solid
def test_constant_strain_and_stress(kind: type[Solid], options: dict) -> None:
    """A linear displacement field has its exact strain and stress everywhere, however distorted the element."""
    A = 1e-3 * np.random.default_rng(3).normal(size=(3, 3))
    p = samples.properties(**options)
    X = samples.distorted(kind, 1)
    u = samples.linear_field(A, X[0]).ravel()
    for where, points in (("nodes", kind.n_nodes), ("points", len(kind.stress_rule.points)), ("center", 1)):
        strain = kind.strain_operator(X, p, where)[0] @ u
        stress = kind.stress_operator(X, p, where)[0] @ u
        assert strain.shape == (points, 6)
        assert np.allclose(strain, samples.strain_of(A), atol=1e-15)
        assert np.allclose(stress, p.D[0] @ samples.strain_of(A), rtol=1e-10)
    with pytest.raises(ValueError, match="corners"):
        kind.strain_operator(X, p, "corners")


@each_solid
def test_uniform_body_load(kind: type[Solid], options: dict) -> None:
    """Constant acceleration: total force = mass × acceleration, moment about the origin that of the weight."""
    p, X = samples.properties(), samples.distorted(kind)
    g = np.array([1.0, -2.0, 9.81])
    f = kind.body_load(X, p, np.tile(g, (1, kind.n_nodes, 1)))[0]
    assert np.allclose(f, kind.mass(X, p)[0] @ np.tile(g, kind.n_nodes), rtol=1e-12, atol=1e-9)
    assert np.allclose(f.reshape(-1, 3).sum(axis=0), 7850 * kind.volume(X, p)[0] * g, rtol=1e-12)


@each_solid
def test_jacobian_sign(kind: type[Solid], options: dict) -> None:
    """Positive for our node order, negative for the mirror image."""
    X = samples.distorted(kind)
    assert np.all(kind.jacobians(X) > 0)
    assert np.all(kind.jacobians(X * [1, 1, -1]) < 0)
