"""Floating body: exact equations of motion, and motions that are known otherwise."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.bodies.floating.law import FloatingBody
from flexor.bodies.floating.mean_axes import mean_axes
from flexor.bodies.floating.stiffened import StiffenedBody, stiffened_body
from flexor.bodies.rigid_body import Inertial, rigid_body
from flexor.elements.assembly.loads import Centrifugal
from flexor.elements.assembly.model import assemble
from flexor.law import ENERGY, MATRIX, OUTPUT, RESIDUAL, Term
from flexor.law.record import Packed
from flexor.mesh.generate import bar
from flexor.reduce import CraigBampton, from_mesh, reduce_problem
from tests.bodies.floating_bodies import (
    axes_of,
    beam_axes,
    cloud,
    drawn,
    floating,
    soft_beam,
    stiffened,
)
from tests.laws.calls import call, call_compiled, energies, matrix, residual
from tests.laws.states import ACCELERATIONS, COORDINATES, VELOCITIES, moved, perturbed, slope, superposed

CASES = {
    "diagonal": lambda: floating(axes_of(cloud(3))),
    "full damping": lambda: floating(axes_of(cloud(4), full_damping=True)),
    "stiffened": lambda: stiffened(4, 3),
    "one mode, stiffened": lambda: stiffened(1, 2, full_damping=True),
    "beam": lambda: floating(soft_beam()),
}
on_cases = pytest.mark.parametrize("case", CASES)
MIXED = (0.7, -1.3, 0.4)


@on_cases
@pytest.mark.parametrize("turning", [0.0, 1.0])
def test_tangent_is_the_derivative_of_the_residual(case, turning):
    """With ω and ω̇ of the frame held in space, or turning with it as in a time step."""
    element = CASES[case]()
    state = replace(drawn(element, 1), turning=turning)
    n = element.size
    parts = [
        np.array([slope(lambda d, j=j, w=what: residual(element, perturbed(state, w, j, d))) for j in range(n)]).T
        for what in (COORDINATES, VELOCITIES, ACCELERATIONS)
    ]
    for c in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), MIXED):
        expected = sum(f * D for f, D in zip(c, parts))
        scale = np.abs(expected).max()
        np.testing.assert_allclose(matrix(element, state, c), expected, rtol=0, atol=1e-9 * scale, err_msg=f"c = {c}")


@on_cases
def test_equations_are_those_of_lagrange(case):
    """d/dt ∂T/∂q̇ − ∂T/∂q + ∂V/∂q + D q̇ for modes; ṗ and L̇ + v × p for the frame: from the energies alone."""
    element = CASES[case]()
    state = replace(drawn(element, 2), gravity=np.zeros(3))
    n = element.size

    def kinetic(s):
        return energies(element, s)[0]

    def momentum(s):
        return np.array([slope(lambda d, j=j: kinetic(perturbed(s, VELOCITIES, j, d)), 0.1) for j in range(n)])

    def gradient(s, what, step=1e-3):
        return np.array([slope(lambda d, j=j: what(perturbed(s, COORDINATES, j, d)), step) for j in range(6, n)])

    def lost(s, j):
        return slope(lambda d: energies(element, perturbed(s, VELOCITIES, j, d))[3], 0.1)

    now = momentum(state)
    expected = slope(lambda tau: momentum(moved(state, tau)))
    expected[3:6] += np.cross(state.v[0, :3], now[:3])
    expected[6:] += gradient(state, lambda s: energies(element, s)[2] - kinetic(s))
    expected[6:] += [0.5 * lost(state, j) for j in range(6, n)]  # Rayleigh: q̇ᵀDq̇ = 2 × the dissipation function
    found = residual(element, state)
    np.testing.assert_allclose(found, expected, rtol=0, atol=2e-9 * np.abs(expected).max())


@on_cases
def test_power_balance_with_gravity(case):
    """r·q̇ = d(T + V + U)/dt + dissipated power, along any motion."""
    element = CASES[case]()
    state = drawn(element, 3)
    power = residual(element, state) @ state.rates
    stored = slope(lambda tau: energies(element, moved(state, tau))[:3].sum())
    scale = np.abs(residual(element, state)).max() * np.abs(state.rates).max()
    assert energies(element, state)[3] > 0
    np.testing.assert_allclose(power, stored + energies(element, state)[3], rtol=0, atol=1e-9 * scale)


@on_cases
def test_free_motion_keeps_momentum_and_energy(case):
    """With accelerations that solve the equations: ṗ = 0, d/dt (x × p + L) = 0, Ė = −dissipation. No truncation."""
    element = CASES[case]()
    state = replace(drawn(element, 4), gravity=np.zeros(3))
    n = element.size
    still = replace(state, a=0 * state.a, s=state.s * [1, 1, 0])
    acceleration = np.linalg.solve(matrix(element, still, (0.0, 0.0, 1.0)), -residual(element, still))
    state = replace(still, a=acceleration[None, :6], s=still.s + np.outer(acceleration[6:], [0, 0, 1]))

    def momenta(s):
        p = [slope(lambda d, j=j: energies(element, perturbed(s, VELOCITIES, j, d))[0], 0.1) for j in range(6)]
        return np.array([*p[:3], *(np.cross(s.x[0], p[:3]) + p[3:])])

    rate = slope(lambda tau: momenta(moved(state, tau)), 1e-4)
    size = np.abs(momenta(state)).max() * max(np.abs(acceleration).max() / np.abs(state.rates).max(), 1.0)
    np.testing.assert_allclose(rate, 0, atol=1e-8 * size)
    energy = slope(lambda tau: energies(element, moved(state, tau))[:3].sum(), 1e-4)
    lost = energies(element, state)[3]
    np.testing.assert_allclose(energy, -lost, rtol=0, atol=1e-8 * energies(element, state)[:3].sum() * n)


@pytest.mark.parametrize("seed", range(3))
def test_inertia_is_the_sum_over_points(seed):
    """Newton for every point: f = m (r̈ − g), summed for the frame and in each mode."""
    body = cloud(4, seed)
    axes = axes_of(body)
    element = floating(axes)
    state = drawn(element, seed)
    R, (q, qd, qdd) = state.R[0], state.s.T
    omega, alpha = state.v[0, 3:], state.a[0, 3:]
    arm, flow, push = ((part @ R.T) for part in (body.x + body.S @ q, body.S @ qd, body.S @ qdd))
    a = state.a[0, :3] - state.gravity + np.cross(alpha, arm) + np.cross(omega, np.cross(omega, arm))
    f = body.mass[:, None] * (a + 2 * np.cross(omega, flow) + push)
    modal = np.einsum("nk,ki,nir->r", f, R, body.S)
    M = np.einsum("n,nkr,nks->rs", body.mass, body.S, body.S)
    modal += axes.squares * q + axes.damping @ qd + qdd - M @ qdd  # the modal mass is set to one
    expected = np.concatenate([f.sum(axis=0), np.cross(arm, f).sum(axis=0), modal])
    np.testing.assert_allclose(residual(element, state), expected, rtol=1e-11, atol=1e-11 * np.abs(expected).max())


@on_cases
def test_another_inertial_frame_turns_forces_and_leaves_scalars(case):
    element = CASES[case]()
    state = drawn(element, 5)
    Q, shift = drawn(element, 6).R[0], np.array([0.4, -2.0, 1.1])
    start = Q @ np.array([0.3, -0.2, 0.5]) + shift
    other = replace(element, parameters=Packed(element.parameters.words.copy()))
    words = other.parameters.words
    body = StiffenedBody(words).body if element.law.function is stiffened_body.function else FloatingBody(words)
    np.testing.assert_array_equal(body.start, [0.3, -0.2, 0.5])
    body.start[:] = start
    turned = superposed(state, Q, shift)
    r, r_turned = residual(element, state), residual(other, turned)
    scale = np.abs(r).max()
    np.testing.assert_allclose(r_turned[:6].reshape(2, 3), r[:6].reshape(2, 3) @ Q.T, rtol=0, atol=1e-12 * scale)
    np.testing.assert_allclose(r_turned[6:], r[6:], rtol=0, atol=1e-12 * scale)
    np.testing.assert_allclose(energies(other, turned), energies(element, state), rtol=1e-11, atol=1e-11 * scale)


@on_cases
def test_compiled_law_does_the_same_and_keeps_to_its_memory(case):
    element = CASES[case]()
    state = drawn(element, 7)
    for want in (RESIDUAL, MATRIX, RESIDUAL | MATRIX, ENERGY, OUTPUT):
        expected, found = call(element, state, want, MIXED), call_compiled(element, state, want, MIXED)
        assert found.status == expected.status == 0
        for name in ("r", "K"):
            values = getattr(expected, name)
            atol = 1e-13 * max(np.abs(values).max(), 1.0)
            np.testing.assert_allclose(getattr(found, name), values, rtol=0, atol=atol, err_msg=name)
        count = 5 if want & ENERGY else 3 if want & OUTPUT else 0
        np.testing.assert_allclose(found.w[:count], expected.w[:count], rtol=1e-12)
        if not want & MATRIX:
            assert not expected.K.any()
        if not want & RESIDUAL:
            assert not expected.r.any()


def test_a_body_that_does_not_deform_is_a_rigid_body():
    axes = beam_axes()
    element = floating(axes)
    state = replace(drawn(element, 8), s=np.zeros((axes.size, 3)))
    inv = axes.invariants
    J = inv.inertia
    moments = (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
    parameters = Inertial.pack(mass=inv.mass, inertia=moments, start=(0.3, -0.2, 0.5), point=0)
    rigid = Term("rigid", rigid_body, (1,), parameters=parameters)
    alone = replace(state, s=np.zeros((0, 3)))
    expected = residual(rigid, alone)
    np.testing.assert_allclose(residual(element, state)[:6], expected, rtol=0, atol=1e-11 * np.abs(expected).max())
    expected = matrix(rigid, alone, MIXED)
    found = matrix(element, state, MIXED)[:6, :6]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11 * np.abs(expected).max())
    np.testing.assert_allclose(energies(element, state), energies(rigid, alone), rtol=1e-11)


def test_spinning_bar_stretches_like_its_mesh_under_centrifugal_load():
    """With all modes of the mesh: K q + Σ ωᵢωⱼ (C + W q) = 0 is the static solution under ρω²x, to first order."""
    mesh = bar(1.0, 0.1, 0.08, divisions=(6, 1, 1))
    problem = from_mesh(mesh, {"left": "x_min", "right": "x_max"})
    reduced = reduce_problem(problem, CraigBampton(modes=problem.n - problem.n_connections), check=False)
    axes = mean_axes(reduced)
    assert axes.size == problem.n - 6
    element = floating(axes)
    speed = np.array([0.3, -2.0, 1.5])  # slow: the change of stiffness, ω²/ω₁², is of the order 10⁻⁶
    still = replace(drawn(element, 9), R=np.eye(3)[None], v=np.array([[0, 0, 0, *speed]]), a=np.zeros((1, 6)))
    still = replace(still, s=np.zeros((axes.size, 3)), gravity=np.zeros(3))
    answer = call_compiled(element, still, RESIDUAL | MATRIX, (1.0, 0.0, 0.0))
    q = np.linalg.solve(answer.K[6:, 6:], -answer.r[6:])
    found = reduced.displacement(axes.modes @ q)

    model = assemble(problem.mesh)
    f = model.T.T @ Centrifugal(tuple(speed), tuple(axes.com)).nodal_forces(model)
    expected = model.dofs.nodal(model.T @ problem.solve_free(problem.balanced(f[:, None]))[:, 0])
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5 * np.abs(expected).max())
    # ρ ω² L³ / 12 E, ω across the bar; its stiff ends and Poisson's ratio count for some per cent
    stretch = found[-1, 0] - found[-2, 0]
    assert stretch == pytest.approx(7850 * (speed[1] ** 2 + speed[2] ** 2) / (12 * 210e9), rel=0.05)
