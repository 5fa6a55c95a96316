"""Mean axes: modes without momentum, orthonormal, in every reduction."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import block_diag

from flexor.bodies.floating.mean_axes import mean_axes
from flexor.errors import ModelError
from flexor.reduce import CraigBampton, FreeInterface, Guyan, Krylov, Modal, reduce_problem
from tests.bodies.floating_bodies import drawn, floating, reduced_beam
from tests.laws.calls import matrix
from tests.reduce.bodies import held_beams, held_rod, hertz

METHODS = {
    "craig-bampton": CraigBampton(modes=6),
    "guyan": Guyan(),
    "free": FreeInterface(modes=6),
    "krylov": Krylov(frequencies=(50.0, 400.0)),
    "modal": Modal(modes=6),
}
BODIES = {"beams": held_beams, "rod": held_rod, "average": lambda: held_rod("average")}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("body", BODIES)
def test_modes_have_no_momentum_and_are_orthonormal(body, method):
    reduced = reduce_problem(BODIES[body](), METHODS[method], check=False)
    axes = mean_axes(reduced)
    inv, m = axes.invariants, axes.size
    assert m == reduced.size - (0 if method == "modal" else 6)
    np.testing.assert_allclose(axes.com, reduced.mass_properties.com)
    np.testing.assert_allclose(inv.first, 0, atol=1e-12 * inv.mass)
    # relative to what motions of their kinetic energy, ½, can have at most
    np.testing.assert_allclose(inv.translation, 0, atol=1e-8 * np.sqrt(inv.mass))
    np.testing.assert_allclose(inv.rotation, 0, atol=1e-8 * np.sqrt(np.trace(inv.inertia)))
    Phi = axes.modes
    np.testing.assert_allclose(Phi.T @ reduced.M @ Phi, np.eye(m), atol=1e-9)
    np.testing.assert_allclose(Phi.T @ reduced.K @ Phi, np.diag(axes.squares), atol=1e-8 * axes.squares[-1])
    assert np.all(np.diff(axes.squares) >= 0)
    assert axes.squares[0] > 0


def test_frequencies_are_those_of_the_free_body():
    problem = held_beams()
    axes = mean_axes(reduce_problem(problem, FreeInterface(modes=8), check=False))
    np.testing.assert_allclose(axes.frequencies[:8], hertz(problem.free_modes(8)[0]), rtol=1e-8)
    # the free slender beam: f = (4.730041)² / 2π √(EI/μL⁴); FE and rotary inertia change it by less than 0.2 %
    b, h, E, rho = 0.02, 0.01, 210e9, 7850.0
    first = 4.730041**2 / (2 * np.pi) * np.sqrt(E * h**2 / (12 * rho))
    assert axes.frequencies[0] == pytest.approx(first, rel=2e-3)
    assert axes.frequencies[1] == pytest.approx(first * b / h, rel=3e-3)


def test_modes_and_rigid_motions_span_the_reduced_body():
    reduced = reduced_beam()
    both = np.hstack([reduced.rigid, mean_axes(reduced).modes])
    assert np.linalg.matrix_rank(both / np.linalg.norm(both, axis=0), tol=1e-8) == reduced.size


def test_only_modes_up_to_a_frequency():
    reduced = reduced_beam()
    everything = mean_axes(reduced)
    some = mean_axes(reduced, "300 Hz")
    kept = everything.frequencies <= 300
    np.testing.assert_array_equal(some.frequencies, everything.frequencies[kept])
    np.testing.assert_array_equal(some.modes, everything.modes[:, kept])
    assert 0 < some.size < everything.size
    with pytest.raises(ModelError, match="no elastic mode up to 1 Hz"):
        mean_axes(reduced, 1.0)


def test_a_motion_without_mass_is_left_out():
    reduced = reduced_beam()
    wide = np.eye(reduced.size, reduced.size + 1)
    heavier = replace(
        reduced,
        K=block_diag(reduced.K, 3e5),
        M=block_diag(reduced.M, 0.0),
        at_connections=reduced.at_connections @ wide,
        shapes=reduced.shapes @ wide,
        invariants=reduced.invariants.in_basis(wide),
    )
    np.testing.assert_allclose(mean_axes(heavier).frequencies, mean_axes(reduced).frequencies, rtol=1e-9)


def test_damping_of_the_body_becomes_that_of_the_modes():
    from flexor.reduce import ModalDamping

    reduced = replace(reduced_beam(), damping=ModalDamping(0.02))
    axes = mean_axes(reduced)
    np.testing.assert_allclose(
        axes.damping, np.diag(0.04 * np.sqrt(axes.squares)), atol=1e-8 * np.sqrt(axes.squares[-1])
    )


def test_no_motion_has_negative_kinetic_energy():
    """Products of displacements above the mass itself, as an approximation may give them, lose what is too much."""
    reduced = reduced_beam()
    inv = reduced.invariants
    axes = mean_axes(replace(reduced, invariants=replace(inv, products=1.5 * inv.products)))
    element = floating(axes)
    state = drawn(element, 1)
    state = replace(state, s=0 * state.s)
    state.s[:, 0] = 0.03  # bent by 5 cm, where the slender beam has hardly any inertia about its axis
    M = matrix(element, state, (0.0, 0.0, 1.0))
    assert np.linalg.eigvalsh(M)[0] > 0
    np.testing.assert_allclose(M, M.T, atol=1e-12)
