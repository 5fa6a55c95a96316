"""Shells against closed forms and published cases."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from flexor.elements import by_name
from flexor.elements.assembly.model import assemble
from flexor.elements.assembly.stress import nodal_stress
from flexor.materials import Isotropic, Orthotropic
from flexor.materials.laminate import Laminate, Ply
from flexor.mesh import Mesh
from flexor.mesh.section import ShellSection
from tests.elements.structures import fixed, grid, mesh_of, properties, solve

ALL = (0, 1, 2, 3, 4, 5)
each_shell = pytest.mark.parametrize("element", ["shell3", "shell4"])


def cantilever(element: str, nx: int, ny: int, place=None, length: float = 10.0, height: float = 1.0, nu: float = 0.25):
    """A strip in the plane x, y, clamped at x = 0 but free to contract there."""
    place = place or (lambda s, t: (length * s, height * (t - 0.5), 0 * s))
    points, nodes = grid(element, nx, ny, place)
    root, axis = np.abs(points[:, 0]) < 1e-9, np.abs(points[:, 1]) < 1e-9
    mesh = mesh_of(element, points, nodes, ShellSection(0.1), Isotropic(1e6, nu, 1.0))
    return fixed(mesh, (root, (0, 2, 3, 4, 5)), (root & axis, (1,))), points


def end_forces(points: np.ndarray, sigma, parabola: float = 1.0) -> np.ndarray:
    """(n, 6) consistent forces of a traction σ(y) along x on the end of a strip, 0.1 thick: work on the linear motion
    of the edges and on Allman's parabolas, which turn the corners: ∫ L/8 (1 − s²) σ ds (optimal triangle: × 3/2)."""
    f = np.zeros((len(points), 6))
    end = np.flatnonzero(points[:, 0] == points[:, 0].max())
    for i, j in pairwise(end):
        L = points[j, 1] - points[i, 1]
        a, b = 0.1 * sigma(points[i, 1]), 0.1 * sigma(points[j, 1])
        f[i, 0] += L / 6 * (2 * a + b)
        f[j, 0] += L / 6 * (a + 2 * b)
        f[i, 5] -= parabola * L**2 / 24 * (a + b)
        f[j, 5] += parabola * L**2 / 24 * (a + b)
    return f


@pytest.mark.parametrize("nx", [2, 10])
@pytest.mark.parametrize(("nu", "tolerance"), [(0.0, 1e-9), (0.25, 7e-3)])
def test_in_plane_bending_of_rectangles(nx: int, nu: float, tolerance: float) -> None:
    """Pure bending, v = M L²/2EI and θ = M L/EI whatever the aspect ratio; exact without Poisson's effect, whose
    anticlastic curve along the short edges is not among their displacements."""
    mesh, points = cantilever("shell4", nx, 2, nu=nu)
    I = 0.1 / 12
    u = solve(mesh, end_forces(points, lambda y: -y / I))
    tip = (points[:, 0] == 10) & (points[:, 1] == 0)
    assert u[tip, 1] == pytest.approx(10**2 / (2 * 1e6 * I), rel=tolerance)
    assert u[tip, 5] == pytest.approx(10 / (1e6 * I), rel=tolerance)


def test_optimal_triangle_has_the_energy_of_pure_bending() -> None:
    """A rectangle of four triangles about its diagonals' crossing bends as a beam: energy ratio 1 for any aspect ratio
    (Felippa 2003, § 6: the rotations and translations of pure bending on a rectangle of two triangles)."""
    for nu in (0.0, 0.3, 0.45):
        for height in (1.0, 0.2, 0.05):
            E, t = 1e6, 0.1
            X = np.array([[0, 0, 0], [1, 0, 0], [1, height, 0], [0, height, 0.0]]) - [0.5, height / 2, 0]
            x, y, _ = X.T
            u = np.zeros((4, 6))
            u[:, 0], u[:, 1], u[:, 5] = x * y, -(x**2) / 2 - nu * y**2 / 2, -x
            energy = 0.0
            kind = by_name["shell3"]
            p = properties(ShellSection(t), Isotropic(E, nu, 1.0))
            for nodes in ([0, 1, 2], [0, 2, 3]):
                K = kind.stiffness(X[None, nodes], p)[0]
                energy += u[nodes].ravel() @ K @ u[nodes].ravel() / 2
            exact = E * t * height**3 / 12 / 2  # ½ EI κ² L
            assert energy == pytest.approx(exact, rel=1e-9)


@each_shell
def test_moment_about_the_normal_is_carried(element: str) -> None:
    """A couple at one node's drilling freedom bends the strip as a couple on its end does."""
    mesh, points = cantilever(element, 20, 2, nu=0.0)
    f = np.zeros((len(points), 6))
    f[(points[:, 0] == 10) & (points[:, 1] == 0), 5] = 1.0
    u = solve(mesh, f)
    middle = (points[:, 0] == 5) & (points[:, 1] == 0)
    assert u[middle, 1] == pytest.approx(5**2 / (2 * 1e6 * 0.1 / 12), rel=2e-3)


@each_shell
def test_drilling_leaves_plane_stretching_alone(element: str) -> None:
    """A strip pulled by a uniform stress: u = σ L/E and no rotation, exact on a distorted mesh; by plain nodal forces
    without the corners' couples the end moves the same on average."""

    def place(s, t):
        wave = 0.3 * np.sin(np.pi * s) * np.sin(np.pi * t)
        return 4 * s + wave, (t - 0.5) * 1.0 + 0.2 * wave, 0 * s

    mesh, points = cantilever(element, 4, 4, place)
    end = points[:, 0] == 4
    f = end_forces(points, lambda y: 10.0, parabola=1.5 if element == "shell3" else 1.0)
    u = solve(mesh, f)
    assert np.allclose(u[end, 0], 4e-5, rtol=1e-10)
    assert np.abs(u[:, 5]).max() < 1e-12
    model = assemble(mesh)
    values = np.zeros(model.dofs.n)
    values[model.dofs.node_dofs.ravel()] = u.ravel()
    assert np.allclose(nodal_stress(model, values, surface="middle")[:, 0], 10.0, rtol=1e-9)
    f[:, 5] = 0.0
    assert f[:, 0] @ solve(mesh, f)[:, 0] == pytest.approx(4e-5, rel=0.01)


COOK = {"shell4": {2: 25.04, 4: 24.24, 8: 24.00}, "shell3": {2: 20.56, 4: 22.45, 8: 23.43}}


@each_shell
def test_cook_membrane(element: str) -> None:
    """Tip of Cook's tapered panel, 23.96 converged. The triangle's values are those that Felippa (2003) prints."""
    for n, expected in COOK[element].items():
        points, nodes = grid(element, n, n, lambda s, t: (48 * s, 44 * s + t * (44 - 28 * s), 0 * s))
        mesh = mesh_of(element, points, nodes, ShellSection(1.0), Isotropic(1.0, 1 / 3, 1.0))
        mesh = fixed(mesh, (np.ones(len(points), bool), (2, 3, 4)), (points[:, 0] == 0, (0, 1)))
        f = np.zeros((len(points), 6))
        end = np.flatnonzero(points[:, 0] == 48)
        f[end, 1] = 1 / n
        f[end[[0, -1]], 1] = 0.5 / n
        assert solve(mesh, f)[end[n // 2], 1] == pytest.approx(expected, abs=0.006)


def twisted_beam(element: str, n: int, thickness: float) -> tuple[Mesh, np.ndarray]:
    """12 × 1.1 strip twisted by 90°, clamped at the root (MacNeal & Harder 1985)."""
    turn = np.pi / 2
    points, nodes = grid(
        element, 6 * n, n, lambda s, t: (12 * s, 1.1 * (t - 0.5) * np.cos(turn * s), 1.1 * (t - 0.5) * np.sin(turn * s))
    )
    mesh = mesh_of(element, points, nodes, ShellSection(thickness), Isotropic(29e6, 0.22, 1.0))
    return fixed(mesh, (points[:, 0] == 0, ALL)), points


@pytest.mark.parametrize(
    ("thickness", "in_plane", "out_of_plane"), [(0.32, 5.424e-3, 1.754e-3), (0.0032, 5256.0, 1294.0)]
)
def test_twisted_beam(thickness: float, in_plane: float, out_of_plane: float) -> None:
    """Warped elements, thick and very thin, 2 × 12 mesh; unit tip loads. Thick: MacNeal & Harder (1985), thin: Simo,
    Fox, Rifai (1989), 5.256e-3 and 1.294e-3 for loads of 1e-6. The worst is 1.03 % off."""
    mesh, points = twisted_beam("shell4", 2, thickness)
    end = np.flatnonzero(points[:, 0] == 12)
    for component, expected in ((2, in_plane), (1, out_of_plane)):
        f = np.zeros((len(points), 6))
        f[end, component] = [0.25, 0.5, 0.25]
        assert solve(mesh, f)[end[1], component] == pytest.approx(expected, rel=0.011)


@each_shell
@pytest.mark.parametrize(("thickness", "n"), [(1e-3, 8), (0.1, 8)])
def test_simply_supported_square_plate(element: str, thickness: float, n: int) -> None:
    """Uniform load, hard supports: Navier's series with shear, w = Σ q_mn/(D k⁴) (1 + D k²/S)."""
    E, nu = 1e7, 0.3
    D, S = E * thickness**3 / 12 / (1 - nu**2), 5 / 6 * E / 2 / (1 + nu) * thickness
    exact = 0.0
    for i in range(1, 60, 2):
        for j in range(1, 60, 2):
            k2 = np.pi**2 * (i**2 + j**2)
            exact += (-1) ** ((i + j) // 2 - 1) * 16 / (np.pi**2 * i * j) * (1 / (D * k2**2) + 1 / (S * k2))
    points, nodes = grid(element, n, n, lambda s, t: (s / 2, t / 2, 0 * s))  # a quarter, centre at the origin
    x, y, _ = points.T
    mesh = mesh_of(element, points, nodes, ShellSection(thickness), Isotropic(E, nu, 1.0))
    edge_x, edge_y = x == 0.5, y == 0.5
    mesh = fixed(
        mesh,
        (x >= 0, (0, 1, 5)),
        (x == 0, (4,)),
        (y == 0, (3,)),
        (edge_x | edge_y, (2,)),
        (edge_x, (3,)),
        (edge_y, (4,)),
    )
    u = solve(mesh, lumped_pressure(mesh, 1.0))
    assert u[0, 2] == pytest.approx(exact, rel=0.007)


def lumped_pressure(mesh: Mesh, pressure: float) -> np.ndarray:
    """(n, 6) forces of a pressure along z in equal shares of the elements."""
    f = np.zeros((len(mesh.points), 6))
    nodes = mesh.blocks[0].nodes
    X = mesh.points[nodes]
    p, q = (X[:, 2] - X[:, 0], X[:, 3] - X[:, 1]) if nodes.shape[1] == 4 else (X[:, 1] - X[:, 0], X[:, 2] - X[:, 0])
    area = np.linalg.norm(np.cross(p, q), axis=1) / 2
    for corner in nodes.T:
        np.add.at(f[:, 2], corner, pressure * area / nodes.shape[1])
    return f


@each_shell
@pytest.mark.parametrize("angles", [(0, 90, 0), (0, 90)], ids=["symmetric", "coupled"])
def test_cross_ply_plate_under_sine_load(element: str, angles: tuple[int, ...]) -> None:
    """Navier's solution of first-order shear theory for a simply supported cross-ply plate, a/h = 10."""
    ply = Orthotropic(young=(25e6, 1e6, 1e6), poisson=(0.25, 0.25, 0.25), shear=(0.5e6, 0.2e6, 0.5e6))
    laminate = Laminate([Ply(ply, 0.1 / len(angles), np.radians(a)) for a in angles])
    c = laminate.stiffness()
    exact = navier(c)
    n = 8
    points, nodes = grid(element, n, n, lambda s, t: (s / 2, t / 2, 0 * s))
    x, y, _ = points.T
    mesh = mesh_of(element, points, nodes, laminate, ply)
    # a quarter of the plate with its centre at the origin: symmetry planes x = 0 and y = 0, SS-1 on the others
    mesh = fixed(mesh, (x == 0, (0, 4)), (y == 0, (1, 3)), (x == 0.5, (1, 2, 3)), (y == 0.5, (0, 2, 4)))
    X = mesh.points[nodes]
    f = np.zeros((len(points), 6))
    kind = by_name[element]
    for point, weight in zip(kind.rule.points, kind.rule.weights):
        N, dN = kind.shapes(point)
        at = N @ X
        dA = weight * np.linalg.norm(np.cross(dN[0] @ X, dN[1] @ X), axis=1)
        load = np.cos(np.pi * at[:, 0]) * np.cos(np.pi * at[:, 1]) * dA
        np.add.at(f[:, 2], nodes, load[:, None] * N)
    assert solve(mesh, f)[0, 2] == pytest.approx(exact, rel=0.015)


def navier(c) -> float:
    """Centre deflection of a unit square under q = sin πx sin πy; unknowns U, V, W, X, Y of
    u = U cos sin, v = V sin cos, w = W sin sin, βx = X cos sin, βy = Y sin cos."""
    A, B, D, S = c.A[0], c.B[0], c.D[0], c.S[0]
    k = np.pi
    # strains: xx, yy ∝ −sin sin, shear ∝ cos cos; energies of both squares have the same mean ¼
    strain = np.array([[-k, 0, 0, 0, 0], [0, -k, 0, 0, 0], [k, k, 0, 0, 0]], dtype=float)
    curvature = np.array([[0, 0, 0, -k, 0], [0, 0, 0, 0, -k], [0, 0, 0, k, k]], dtype=float)
    shear = np.array([[0, 0, k, 1, 0], [0, 0, k, 0, 1]], dtype=float)
    K = strain.T @ A @ strain + curvature.T @ D @ curvature + shear.T @ S @ shear
    K += strain.T @ B @ curvature + curvature.T @ B @ strain
    return np.linalg.solve(K, [0, 0, 1, 0, 0])[2]
