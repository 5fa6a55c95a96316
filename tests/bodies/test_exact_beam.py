"""Geometrically exact beam: tangent, balance of power, action and reaction, objectivity, limits it must meet."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.bodies.beam.exact_parameters import ExactBeam
from flexor.bodies.beam.exact_term import exact_beam_term, helix
from flexor.bodies.beam.helical_strain import LARGEST_TURN, TURN_ERRORS, TURNED_TOO_FAR
from flexor.bodies.beam.section_stiffness import SectionProperties
from flexor.law import Term
from flexor.spatial import exp_so3, log_so3, skew
from tests.laws.by_duals import assert_tangent
from tests.laws.calls import call, call_compiled, energies, matrix, outputs, residual
from tests.laws.random_states import _drawn
from tests.laws.states import ACCELERATIONS, COORDINATES, VELOCITIES, moved, slope, superposed
from tests.laws.test_tangent import COEFFICIENTS, derivative

random = np.random.default_rng(5)
A = random.normal(size=(6, 6))
COUPLED_SECTION = SectionProperties(
    0.3 * (np.diag([1.0, 2.0, 1.5, 3.0, 2.5, 1.2]) + 0.1 * (A + A.T)),
    1.3,
    np.diag([0.5, 0.2, 0.35]) + 0.03,
    (0.1, -0.2),
)
PLAIN_SECTION = SectionProperties(np.diag([0.2, 0.5, 0.4, 0.8, 0.9, 0.7]), 2.0, np.diag([0.3, 0.1, 0.2]))
STRAIGHT = np.array([[0, 0, 0], [0.8, 0, 0]]), np.array([np.eye(3)] * 2)
CURVED = np.array([[0.1, 0.2, -0.3], [0.7, 0.3, 0.1]]), np.array([exp_so3([0.2, -0.5, 0.9]), exp_so3([0.5, -0.2, 1.4])])


def made(ends, section: SectionProperties, **options) -> Term:
    return exact_beam_term("beam", (1, 2), *ends, section, **options)


ELEMENTS = {
    "straight": made(STRAIGHT, PLAIN_SECTION),
    "straight damped": made(STRAIGHT, PLAIN_SECTION, damping=0.3),
    "without rotary inertia": made(STRAIGHT, PLAIN_SECTION, rotary=(0.0, 0.0)),
    "curved damped": made(CURVED, PLAIN_SECTION, damping=0.3),
    "curved coupled": made(CURVED, COUPLED_SECTION),
    "curved coupled damped": made(CURVED, COUPLED_SECTION, damping=0.3, rotary=(0.5, 0.0)),
}


def turn(element: Term, state) -> float:
    T = ExactBeam(element.parameters.words).T.reshape(3, 3)
    return float(np.linalg.norm(log_so3(state.R[1] @ T @ state.R[0].T)))


def random_state(element: Term, seed: int):
    """Any state whose ends are turned against each other by less than the element allows."""
    random = np.random.default_rng(seed)
    return next(state for state in (_drawn(element, random) for _ in range(100)) if turn(element, state) < LARGEST_TURN)


elements = pytest.mark.parametrize("element", ELEMENTS.values(), ids=ELEMENTS.keys())
seeds = pytest.mark.parametrize("seed", range(3))


@seeds
@elements
def test_tangent_is_the_derivative_of_the_residual(element, seed):
    state = random_state(element, seed)
    by = [derivative(element, state, 0, what, 12) for what in (COORDINATES, VELOCITIES, ACCELERATIONS)]
    for c in COEFFICIENTS:
        expected = c[0] * by[0] + c[1] * by[1] + c[2] * by[2]
        scale = max(np.abs(expected).max(), 1.0)
        np.testing.assert_allclose(matrix(element, state, c), expected, rtol=0, atol=1e-9 * scale)


@seeds
@elements
def test_tangent_is_that_of_dual_numbers(element, seed):
    assert_tangent(element, random_state(element, seed))


@elements
def test_tangent_at_small_deformation(element):
    """Where the rotation between the ends is small, in the range of the series."""
    state = random_state(element, 4)
    X = np.array([state.x[0], state.x[0] + state.R[0] @ [0.75, 0.1, 0.05]])
    for angle in (1e-9, 0.02, 0.45, 0.55):
        near = replace(state, x=X, R=np.array([state.R[0], exp_so3(angle * np.array([0.6, 0.64, 0.48])) @ state.R[0]]))
        expected = derivative(element, near, 0, COORDINATES, 12)
        scale = np.abs(expected).max()
        np.testing.assert_allclose(matrix(element, near, (1.0, 0.0, 0.0)), expected, rtol=0, atol=1e-9 * scale)


@seeds
@elements
def test_power_balance(element, seed):
    state = random_state(element, seed)
    power = residual(element, state) @ state.rates
    stored = slope(lambda tau: energies(element, moved(state, tau))[:3].sum())
    _, _, _, dissipated, supplied = energies(element, state)
    assert supplied == 0
    assert dissipated >= 0
    scale = 1.0 + np.abs(residual(element, state)).max() * np.abs(state.rates).max()
    np.testing.assert_allclose(power, stored + dissipated, rtol=0, atol=1e-9 * scale)


@seeds
@elements
def test_objectivity(element, seed):
    """A rigid motion on top turns the elastic and damping forces and leaves section forces and strain energy."""
    state = random_state(element, seed)
    Q, shift = exp_so3([0.4, -1.3, 2.2]), np.array([3.0, -1.0, 0.5])
    rates = np.random.default_rng(seed).normal(size=(4, 3))

    def elastic(s):
        """Elastic and damping forces alone, without mass."""
        packed = replace(element.parameters, words=element.parameters.words.copy())
        p = ExactBeam(packed.words)
        for part in (p.mass, p.J_1, p.J_2):
            part[:] = 0.0
        return residual(replace(element, parameters=packed), s)

    other = superposed(state, Q, shift, rates)
    expected = (elastic(state).reshape(-1, 3) @ Q.T).ravel()
    np.testing.assert_allclose(elastic(other), expected, rtol=0, atol=1e-11 * np.abs(expected).max())
    np.testing.assert_allclose(outputs(element, other), outputs(element, state), rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(energies(element, other)[2], energies(element, state)[2], rtol=1e-10)
    forces = elastic(state).reshape(2, 2, 3)
    np.testing.assert_allclose(forces[:, 0].sum(axis=0), 0, atol=1e-12 * np.abs(forces).max())
    moments = np.cross(state.x, forces[:, 0]) + forces[:, 1]
    np.testing.assert_allclose(moments.sum(axis=0), 0, atol=1e-11 * np.abs(moments).max())


@elements
def test_compiled_law_does_the_same(element):
    state = random_state(element, 3)
    for want in (1, 2, 3, 4, 8, 16):
        expected = call(element, state, want, (0.7, -1.3, 0.4))
        answer = call_compiled(element, state, want, (0.7, -1.3, 0.4))
        for name in ("r", "K"):
            values = getattr(expected, name)
            scale = max(np.abs(values).max(), 1.0)
            np.testing.assert_allclose(getattr(answer, name), values, rtol=0, atol=1e-13 * scale)
        count = 6 if want & 4 else 5 if want & 8 else 0
        np.testing.assert_allclose(answer.w[:count], expected.w[:count], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize(("ends", "section"), [(STRAIGHT, PLAIN_SECTION), (CURVED, COUPLED_SECTION)])
def test_energy_is_that_of_the_flexibility(ends, section):
    """U = ½ (v − v₀)ᵀ F(ψ)⁻¹ (v − v₀),  F = L S + L/12 A S_κκ Aᵀ,  A = [û₀; ψ̂], all in the section axes of end 1."""
    element = made(ends, section)
    for seed in range(3):
        state = random_state(element, seed)
        S_1 = ends[1][0]
        u_0, psi_0 = (S_1.T @ part for part in helix(*ends))
        now = helix(state.x, state.R @ ends[1])
        u, psi = ((state.R[0] @ S_1).T @ part for part in now)
        L = np.linalg.norm(u_0)
        A = np.concatenate([skew(u_0), skew(psi)])
        F = L * section.compliance + L / 12 * A @ section.compliance[3:, 3:] @ A.T
        e = np.concatenate([u - u_0, psi - psi_0])
        np.testing.assert_allclose(energies(element, state)[2], 0.5 * e @ np.linalg.solve(F, e), rtol=1e-9)


@elements
def test_ends_turned_too_far(element):
    """Up to 150°, whatever the axis; beyond that the law refuses, in all it is asked for, and says what to do."""
    state = random_state(element, 1)
    T = ExactBeam(element.parameters.words).T.reshape(3, 3)
    for axis in np.random.default_rng(2).normal(size=(5, 3)):
        for angle, status in ((149.0, 0), (151.0, TURNED_TOO_FAR), (180.0, TURNED_TOO_FAR), (215.0, 0)):
            relative = exp_so3(np.radians(angle) * axis / np.linalg.norm(axis))
            far = replace(state, R=np.array([state.R[0], relative @ state.R[0] @ T.T]))
            for want in (1, 2, 4, 8):
                assert call(element, far, want).status == status
    assert "raise divisions" in TURN_ERRORS[TURNED_TOO_FAR]
