"""Constant states of strain on distorted meshes of shells, and bending with shear of a strip."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.elements import by_name
from flexor.elements.assembly.model import assemble
from flexor.elements.assembly.stress import element_stress
from flexor.materials import Isotropic, Orthotropic
from flexor.materials.laminate import Laminate, Ply
from flexor.mesh import Mesh
from flexor.mesh.section import ShellSection
from flexor.spatial import exp_so3
from tests.elements.structures import grid, mesh_of, properties, solve

E, NU, T = 1e6, 0.25, 0.02
MATERIAL = Isotropic(E, NU, 1.0)
R = exp_so3(np.array([0.7, -0.4, 0.9]))  # the plate stands askew in space
each_shell = pytest.mark.parametrize("element", ["shell3", "shell4"])

MEMBRANE = {"xx": (1e-3, 0, 0), "yy": (0, 1e-3, 0), "xy": (0, 0, 1e-3), "all": (1e-3, -2e-3, 0.5e-3)}
BENDING = {"xx": (1e-2, 0, 0), "yy": (0, 1e-2, 0), "twist": (0, 0, 1e-2), "all": (1e-2, -2e-2, 0.5e-2)}


def patch(element: str, seed: int, section=None, material=MATERIAL) -> tuple[Mesh, np.ndarray, np.ndarray]:
    """A plate of 3 × 3 cells with its inner nodes out of place, its plane coordinates, and which nodes are inside."""
    points, nodes = grid(element, 3, 3, lambda s, t: (0.24 * s, 0.12 * t, 0 * s))
    inner = (points[:, 0] > 1e-9) & (points[:, 0] < 0.24 - 1e-9) & (points[:, 1] > 1e-9) & (points[:, 1] < 0.12 - 1e-9)
    points[inner, :2] += np.random.default_rng(seed).uniform(-1, 1, (inner.sum(), 2)) * [0.025, 0.012]
    axes = np.tile(R, (len(nodes), 1, 1))
    mesh = mesh_of(element, points @ R.T, nodes, section or ShellSection(T), material, orientation=axes)
    return mesh, points, inner


def motion(points: np.ndarray, strain, curvature) -> np.ndarray:
    """(n, 6) motion of nodes with constant membrane strain (xx, yy, γxy) and curvature (xx, yy, 2xy), global axes."""
    x, y, _ = points.T
    (exx, eyy, gxy), (kxx, kyy, kxy) = strain, curvature
    skewed = 0.3e-3  # and some rotation in the plane
    u = np.zeros((len(points), 6))
    u[:, 0], u[:, 1] = exx * x + (gxy / 2 - skewed) * y, (gxy / 2 + skewed) * x + eyy * y
    u[:, 5] = skewed
    # w,xx = −κxx: the normal turns by β = −∇w
    u[:, 2] = -(kxx * x**2 + kyy * y**2 + kxy * x * y) / 2
    u[:, 3], u[:, 4] = -(kyy * y + kxy * x / 2), kxx * x + kxy * y / 2
    return np.concatenate([u[:, :3] @ R.T, u[:, 3:] @ R.T], axis=1)


def interior(mesh: Mesh, inner: np.ndarray, given: np.ndarray) -> np.ndarray:
    """(n, 6) displacements with the outer nodes moved as given and the inner ones free of force."""
    model = assemble(mesh)
    dofs = model.dofs.node_dofs
    free, held = dofs[inner].ravel(), dofs[~inner].ravel()
    K = model.K.tocsr()
    u = np.zeros(model.dofs.n)
    u[held] = given[~inner].ravel()
    u[free] = np.linalg.solve(K[free][:, free].toarray(), -K[free][:, held] @ u[held])
    return u


def in_plane(stress: np.ndarray) -> np.ndarray:
    """Stress (…, 6) in the axes of the plate."""
    tensor = stress[..., [[0, 3, 5], [3, 1, 4], [5, 4, 2]]]
    turned = np.einsum("ai,bj,...ab->...ij", R, R, tensor)
    return turned[..., [0, 1, 2, 0, 1, 2], [0, 1, 2, 1, 2, 0]]


@each_shell
@pytest.mark.parametrize("state", MEMBRANE)
def test_constant_membrane_strain(element: str, state: str) -> None:
    strain = np.array(MEMBRANE[state])
    Q = E / (1 - NU**2) * np.array([[1, NU, 0], [NU, 1, 0], [0, 0, (1 - NU) / 2]])
    for seed in range(3):
        mesh, points, inner = patch(element, seed)
        exact = motion(points, strain, (0, 0, 0))
        u = interior(mesh, inner, exact)
        assert np.allclose(u, exact.ravel(), atol=1e-12 * np.abs(exact).max() + 1e-15)
        stress = in_plane(element_stress(assemble(mesh), u)[0])
        expected = np.zeros(6)
        expected[[0, 1, 3]] = Q @ strain
        assert np.allclose(stress, expected, atol=1e-8 * np.abs(expected).max())


@each_shell
@pytest.mark.parametrize("thickness", [1e-4, T, 0.2])
@pytest.mark.parametrize("state", BENDING)
def test_constant_curvature(element: str, thickness: float, state: str) -> None:
    """From very thin to as thick as it is wide; no transverse shear appears."""
    curvature = np.array(BENDING[state])
    Q = E / (1 - NU**2) * np.array([[1, NU, 0], [NU, 1, 0], [0, 0, (1 - NU) / 2]])
    for seed in range(2):
        mesh, points, inner = patch(element, seed, ShellSection(thickness))
        exact = motion(points, (0, 0, 0), curvature)
        u = interior(mesh, inner, exact)
        assert np.allclose(u, exact.ravel(), atol=1e-9 * np.abs(exact).max())
        stress = in_plane(element_stress(assemble(mesh), u)[0])
        k = by_name[element].n_nodes
        for at, z in ((0, thickness / 2), (k, 0.0), (2 * k, -thickness / 2)):
            expected = np.zeros(6)
            expected[[0, 1, 3]] = z * Q @ curvature
            scale = thickness / 2 * np.abs(Q @ curvature).max()
            assert np.allclose(stress[:, at : at + k], expected, atol=1e-6 * scale)


@each_shell
def test_constant_strain_and_curvature_of_an_offset_laminate(element: str) -> None:
    """Membrane and bending coupled: the patch test holds and the resultants are A ε + B κ and B ε + D κ."""
    ply = Orthotropic(young=(14e6, 0.9e6, 0.9e6), poisson=(0.3, 0.4, 0.3), shear=(5e5, 3e5, 5e5))
    laminate = Laminate([Ply(ply, 0.004, "30 deg"), Ply(ply, 0.003, "90 deg"), Ply(ply, 0.005, "-10 deg")])
    strain, curvature = np.array([1e-3, -2e-3, 0.5e-3]), np.array([1e-2, -2e-2, 0.5e-2])
    mesh, points, inner = patch(element, 0, laminate, ply)
    exact = motion(points, strain, curvature)
    u = interior(mesh, inner, exact)
    assert np.allclose(u, exact.ravel(), atol=1e-10 * np.abs(exact).max())
    c = laminate.stiffness()
    stress = in_plane(element_stress(assemble(mesh), u)[0])
    k = by_name[element].n_nodes
    for index, layer in enumerate(c.layers):
        expected = layer.in_plane[0] @ (strain + layer.z[0] * curvature)
        assert np.allclose(stress[:, index * k : (index + 1) * k][..., [0, 1, 3]], expected, rtol=1e-8)
    # the same plate held by nodes below its middle: their motion follows from that of the middle
    below = replace(mesh, sections={"section": laminate.replace(offset=0.01)})
    lowered = exact.copy()
    normal = R[:, 2]
    lowered[:, :3] -= 0.01 * np.cross(exact[:, 3:], normal)
    u_below = interior(below, inner, lowered)
    assert np.allclose(u_below, lowered.ravel(), atol=1e-10 * np.abs(exact).max())


@each_shell
def test_resultants(element: str) -> None:
    kind = by_name[element]
    mesh, points, _ = patch(element, 1)
    strain, curvature = np.array([1e-3, -2e-3, 0.5e-3]), np.array([1e-2, -2e-2, 0.5e-2])
    u = motion(points, strain, curvature)
    X = mesh.points[mesh.blocks[0].nodes]
    p = properties(ShellSection(T), MATERIAL, mesh.blocks[0].orientation)
    values = np.einsum("mpin,mn->mpi", kind.resultant_operator(X, p), u[mesh.blocks[0].nodes].reshape(len(X), -1))
    invariant = E * T / (1 - NU) * (strain[0] + strain[1]), E * T**3 / 12 / (1 - NU) * (curvature[0] + curvature[1])
    assert np.allclose(values[..., 0] + values[..., 1], invariant[0])
    assert np.allclose(values[..., 3] + values[..., 4], invariant[1])
    assert np.allclose(values[..., 6:], 0, atol=1e-6 * abs(invariant[1]))


@pytest.mark.parametrize("thickness", [0.001, 0.1, 1.0])
def test_strip_with_tip_load_is_a_timoshenko_beam(thickness: float) -> None:
    """Bending with constant shear, ν = 0: w = P L³/3EI + P L/(5/6 G A), exact for any thickness and few elements."""
    L, b = 1.0, 0.2
    material = Isotropic(E, 0.0, 1.0)
    points, nodes = grid("shell4", 3, 1, lambda s, t: (L * s**1.3, b * t, 0 * s))
    mesh = mesh_of("shell4", points, nodes, ShellSection(thickness), material)
    mesh = replace(mesh, fixed=tuple((i, (0, 1, 2, 3, 4, 5)) for i in range(8) if points[i, 0] == 0))
    f = np.zeros((8, 6))
    f[points[:, 0] == L, 2] = 0.5
    u = solve(mesh, f)
    inertia = b * thickness**3 / 12
    exact = L**3 / (3 * E * inertia) + L / (5 / 6 * E / 2 * b * thickness)
    assert np.allclose(u[points[:, 0] == L, 2], exact, rtol=1e-7)
    # transverse shear stress 3/2 P/A in the middle, none at the faces
    model = assemble(mesh)
    all_u = np.zeros(model.dofs.n)
    all_u[model.dofs.node_dofs.ravel()] = u.ravel()
    stress = element_stress(model, all_u, where="center")[0]
    assert np.allclose(stress[:, 1, 5], 1.5 / (b * thickness), rtol=1e-5)
    assert np.allclose(stress[:, [0, 2], 5], 0)


@each_shell
def test_constant_transverse_shear_of_thick_plates(element: str) -> None:
    """w = γ·x with unturned normals: the exact shear strain where shear is soft against bending."""
    mesh, points, _ = patch(element, 2, ShellSection(1e3))
    gamma = np.array([2e-3, -1e-3])
    u = np.zeros((len(points), 6))
    u[:, :3] = (points[:, :2] @ gamma)[:, None] * R[:, 2]
    X = mesh.points[mesh.blocks[0].nodes]
    p = properties(ShellSection(1e3), MATERIAL, mesh.blocks[0].orientation)
    local = u[mesh.blocks[0].nodes].reshape(len(X), -1)
    strain = np.einsum("mpin,mn->mpi", by_name[element].strain_operator(X, p, "points"), local)
    points_per_layer = strain.shape[1] // 3
    middle = strain[:, points_per_layer : 2 * points_per_layer]
    half = middle.copy()
    half[..., 3:] /= 2
    found = in_plane(half)[..., [5, 4]] * 2
    assert np.allclose(found, 1.25 * gamma, rtol=1e-6)  # 3/2 · 5/6 of the mean at mid-height
