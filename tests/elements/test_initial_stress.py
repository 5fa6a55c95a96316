"""Geometric stiffness: exact for uniform stress, and against columns, strings and turned elements."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import linalg

from flexor.elements import SOLIDS
from flexor.elements.assembly.initial_stress import (
    beam_matrices,
    geometric_stiffness,
    initial_stress,
    moment_matrices,
    shell_matrices,
    solid_matrices,
)
from flexor.elements.assembly.loads import Traction
from flexor.elements.assembly.model import assemble
from flexor.elements.shells.shell3 import Shell3
from flexor.elements.shells.shell4 import Shell4
from flexor.materials import Isotropic
from flexor.mesh.generate import bar, plate
from flexor.mesh.section import Rectangle, ShellSection
from flexor.mesh.spring_section import SpringSection
from flexor.spatial import exp_so3, log_so3
from tests.elements import samples
from tests.elements.structures import STEEL, mesh_of, properties

LENGTH, WIDTH, HEIGHT = 1.0, 0.02, 0.01
CORK = Isotropic(210e9, 0.0, 7850.0)
"""Without Poisson's contraction, which a clamped root of solids and shells would hinder."""
SIGMA = np.array([3.0, -1.0, 2.0, 0.7, -0.4, 1.2])
TENSOR = np.array([[3.0, 0.7, 1.2], [0.7, -1.0, -0.4], [1.2, -0.4, 2.0]])


@pytest.mark.parametrize("kind", SOLIDS, ids=lambda kind: kind.name)
def test_solids_in_a_linear_field(kind):
    """Uniform stress in any element, u = A x: ½ uᵀ K_g u = ½ V σ : AᵀA."""
    X, p = samples.distorted(kind, 3), samples.properties()
    stress = np.broadcast_to(SIGMA, (1, len(kind.stiffness_rule.weights), 6))
    K = solid_matrices(kind, X, p, stress)[0]
    A = np.random.default_rng(1).normal(size=(3, 3))
    u = samples.linear_field(A, X[0]).ravel()
    expected = kind.volume(X, p)[0] * np.trace(TENSOR @ A.T @ A)
    assert u @ K @ u == pytest.approx(expected, rel=1e-6)
    np.testing.assert_allclose(K, K.T, atol=1e-13 * np.abs(K).max())
    np.testing.assert_allclose(K @ np.tile([1.0, -2.0, 0.5], kind.n_nodes), 0, atol=1e-12 * np.abs(K).max())


@pytest.mark.parametrize("kind", [Shell3, Shell4], ids=lambda kind: kind.name)
def test_shells_in_a_linear_field(kind):
    """Uniform membrane force in the element's plane, tilted in space."""
    flat = np.array([[0.0, 0.0], [1.1, 0.1], [1.3, 0.9], [-0.1, 0.8]])[: kind.n_nodes]
    R = exp_so3([0.3, -0.8, 0.5])
    X = (np.c_[flat, np.zeros(len(flat))] @ R.T)[None]
    p = properties(ShellSection(0.01))
    force = np.array([[2.0, 0.3], [0.3, -1.0]])
    axes = kind.plane(X)[0]
    K = shell_matrices(kind, X, p, np.broadcast_to([2.0, -1.0, 0.3], (1, len(kind.rule.weights), 3)))[0]
    A = np.random.default_rng(2).normal(size=(3, 3))
    u = np.zeros((kind.n_nodes, 6))
    u[:, :3] = X[0] @ A.T
    slopes = A @ axes[:, :2]  # ∂u/∂x, ∂u/∂y of the element
    area = kind.volume(X, p)[0] / 0.01
    assert u.ravel() @ K @ u.ravel() == pytest.approx(area * np.trace(slopes @ force @ slopes.T), rel=1e-9)
    np.testing.assert_allclose(K, K.T, atol=1e-13)


def test_beam_is_the_beam_column():
    """∫ N v'² of the cubic v = x² (3 − x)/L …, and N I_p/A θ'² of a twist, in a turned beam."""
    R = exp_so3([0.5, 0.2, -1.0])
    L, N = 0.7, 5.0
    X = np.array([[[0.1, 0.2, 0.3], np.array([0.1, 0.2, 0.3]) + L * R[:, 0]]])
    section = Rectangle(WIDTH, HEIGHT)
    K = beam_matrices(X, properties(section, orientation=R[None]), np.tile([N, 0, 0, 0, 0, 0], (1, 2, 1)))[0]
    local = np.zeros((2, 6))
    local[1, 1], local[1, 5] = L**3, 3 * L**2  # v = x³
    local[1, 2], local[1, 4] = L**2, -2 * L  # w = x²
    local[1, 3] = 0.4
    d = (local.reshape(2, 2, 3) @ R.T).ravel()
    polar = (WIDTH**2 + HEIGHT**2) / 12
    expected = N * (9 * L**5 / 5 + 4 * L**3 / 3 + polar * 0.16 / L)
    assert d @ K @ d == pytest.approx(expected, rel=1e-12)
    np.testing.assert_allclose(K @ np.tile([1.0, 2.0, 3.0, 0, 0, 0], 2), 0, atol=1e-12)


def column(element: str):
    """A cantilever along x, its free end pushed by a unit force."""
    if element == "beam2":
        mesh = bar(
            LENGTH, WIDTH, HEIGHT, divisions=(8,), element=element, section=Rectangle(WIDTH, HEIGHT), material=STEEL
        )
    elif element.startswith("shell"):
        section = ShellSection(HEIGHT)
        mesh = plate(LENGTH, WIDTH, divisions=(16, 1), element=element, section=section, material=CORK)
    else:
        mesh = bar(LENGTH, WIDTH, HEIGHT, divisions=(12, 1, 1), element=element, material=CORK)
    model = assemble(mesh)
    tip, dofs = mesh.node_sets["x_max"], model.dofs
    if dofs.node_dofs.min() >= 0:  # with rotations: shares of the width
        f = np.zeros(dofs.n)
        share = np.where(np.abs(mesh.points[tip, 1] - mesh.points[tip, 1].mean()) > WIDTH / 4, 1.0, 2.0)
        f[dofs.node_dofs[tip, 0]] = -share / share.sum()
    else:
        f = Traction("x_max", (-1 / (WIDTH * HEIGHT), 0, 0)).nodal_forces(model)
    held = dofs.node_dofs[mesh.node_sets["x_min"]]
    free = np.setdiff1d(np.arange(dofs.n), held[held >= 0])
    return model, f, free


@pytest.mark.parametrize("element", ["beam2", "shell4", "shell3", "hex8", "hex20", "tet10"])
def test_column_buckles_at_eulers_load(element):
    """P = π² EI / 4 L²"""
    model, f, free = column(element)
    K = model.K.toarray()[np.ix_(free, free)]
    u = np.zeros(model.dofs.n)
    u[free] = np.linalg.solve(K, f[free])
    K_g = geometric_stiffness(model, initial_stress(model, u)).toarray()[np.ix_(free, free)]
    load = 1 / linalg.eigh(-K_g, K, eigvals_only=True)[-1]
    euler = np.pi**2 * STEEL.young * WIDTH * HEIGHT**3 / 12 / (4 * LENGTH**2)
    assert load == pytest.approx(euler, rel=2e-4 if element == "beam2" else 5e-3)


def test_string_under_tension():
    """f = n/2L √(N/μ): bending of a wire as thin as this counts for 10⁻⁴."""
    size, N = 1e-3, 1e3
    mesh = bar(LENGTH, size, size, divisions=(40,), element="beam2", section=Rectangle(size, size), material=STEEL)
    model = assemble(mesh)
    forces = [np.tile([N, 0, 0, 0, 0, 0], (40, 2, 1))]
    dofs = model.dofs.node_dofs
    free = np.setdiff1d(np.arange(model.dofs.n), [*dofs[0, :4], *dofs[-1, :4]])
    K = (model.K + geometric_stiffness(model, forces)).toarray()[np.ix_(free, free)]
    squares = linalg.eigh(K, model.M.toarray()[np.ix_(free, free)], eigvals_only=True)[:6]
    line = STEEL.density * size**2
    expected = np.repeat([1, 2, 3], 2) / (2 * LENGTH) * np.sqrt(N / line)
    bending = 1 + (np.repeat([1, 2, 3], 2) * np.pi) ** 2 * STEEL.young * size**4 / 12 / (N * LENGTH**2)
    np.testing.assert_allclose(np.sqrt(squares) / (2 * np.pi), expected * np.sqrt(bending), rtol=1e-4)


def test_stress_of_several_loads_at_once_and_kinds_without_stress():
    model, _, _ = column("hex8")
    u = np.random.default_rng(4).normal(size=(model.dofs.n, 2))
    both = initial_stress(model, u)
    for case in range(2):
        np.testing.assert_allclose(both[0][..., case], initial_stress(model, u[:, case])[0], rtol=1e-12, atol=1e-3)
    springs = mesh_of("spring", [[0, 0, 0], [1.0, 0, 0]], [[0, 1]], SpringSection(stiffness=100.0))
    model = assemble(springs)
    stress = initial_stress(model, np.ones(model.dofs.n))
    assert geometric_stiffness(model, stress).nnz == 0


def test_moments_of_a_beam_work_on_its_local_rotations():
    """Against differences of f·ψ(u, θ) in the exact kinematics of a frame that turns with chord and mean twist."""
    random = np.random.default_rng(2)
    L, forces = 0.7, random.normal(size=(2, 6))
    forces[1, 3] = forces[0, 3]  # torque is constant along the beam
    forces[:, :3] = 0.0
    held = np.array([[-1.0], [1.0]]) * forces[:, 3:]  # what the ends are held by

    def work(q):
        chord = np.array([L, 0, 0]) + q[6:9] - q[:3]
        e = chord / np.linalg.norm(chord)
        axis = np.cross([1.0, 0, 0], e)
        swing = exp_so3(axis * np.arcsin(np.linalg.norm(axis)) / np.linalg.norm(axis)) if axis.any() else np.eye(3)
        ends = [exp_so3(q[3:6]), exp_so3(q[9:12])]
        turn = 0.0
        for _ in range(20):  # no mean twist against the frame
            frame = swing @ exp_so3(np.array([turn, 0, 0]))
            local = [log_so3(frame.T @ R) for R in ends]
            turn += 0.5 * (local[0][0] + local[1][0])
        return held[0] @ local[0] + held[1] @ local[1]

    h, n = 1e-3, np.eye(12)
    expected = np.array(
        [
            [(work(h * (a + b)) - work(h * (a - b)) - work(h * (b - a)) + work(-h * (a + b))) / (4 * h**2) for b in n]
            for a in n
        ]
    )
    found = moment_matrices(np.array([L]), forces[None])[0]
    np.testing.assert_allclose(found, expected, atol=2e-5 * np.abs(expected).max())
