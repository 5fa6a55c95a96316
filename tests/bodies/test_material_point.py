"""Material points: the constraint that binds a node to a floating body, and what a point does in the modes."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from flexor.bodies.carried_load import nodal_forces
from flexor.bodies.floating.control_point import load_on, nearest_node, shape_at, strain_at, stress_at
from flexor.bodies.floating.mean_axes import mean_axes
from flexor.elements.assembly.loads import Gravity, Pressure
from flexor.errors import ModelError
from flexor.law import ACCELERATION_LEVEL, ENERGY, MATRIX, RESIDUAL, VELOCITY_LEVEL
from flexor.reduce import CraigBampton, reduce_problem
from flexor.spatial import exp_so3, skew
from tests.bodies.floating_bodies import beam_axes, drawn, reduced_beam
from tests.bodies.material_point import material_point_element
from tests.laws.calls import call, call_compiled, energies, matrix, residual
from tests.laws.states import ACCELERATIONS, COORDINATES, MULTIPLIERS, VELOCITIES, moved, perturbed, slope, superposed
from tests.reduce.bodies import held_rod

LEVELS = {0: COORDINATES, VELOCITY_LEVEL: VELOCITIES, ACCELERATION_LEVEL: ACCELERATIONS}
MIXED = (0.7, -1.3, 0.4)
seeds = pytest.mark.parametrize("seed", range(3))


def sample(seed: int, modes: int = 4):
    """A point with shapes at random, in any state where it is turned by up to some 2 rad against the frame."""
    random = np.random.default_rng([seed, modes])
    shapes = 0.3 * random.normal(size=(2, 3, modes))
    element = material_point_element("point", 1, 2, tuple(range(modes)), random.normal(size=3), *shapes)
    state = drawn(element, seed)
    R = state.R.copy()
    R[1] = R[0] @ exp_so3(random.uniform(-1.2, 1.2, 3))
    return element, replace(state, R=R)


def derivative(element, state, level, what, j):
    return slope(lambda d: residual(element, perturbed(state, what, j, d), level))


@seeds
@pytest.mark.parametrize("modes", [0, 1, 4])
def test_tangent_is_the_derivative_of_the_residual(modes, seed):
    element, state = sample(seed, modes)
    free = len(state.rates)
    for level, own in LEVELS.items():
        by = [
            np.array([derivative(element, state, level, what, j) for j in range(count)]).T
            for what, count in ((COORDINATES, free), (VELOCITIES, free), (ACCELERATIONS, free), (MULTIPLIERS, 6))
        ]
        for c in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), MIXED):
            expected = np.hstack([sum(f * D for f, D in zip(c, by[:3])), by[3]])
            expected[free:, :free] = c[own] * by[own][free:]
            found = matrix(element, state, c, level)
            atol = 1e-9 * max(np.abs(expected).max(), 1.0)
            np.testing.assert_allclose(found, expected, rtol=0, atol=atol, err_msg=f"c = {c}, level {level}")


@seeds
def test_levels_are_rates_of_each_other_and_forces_the_gradient(seed):
    element, state = sample(seed)
    free = len(state.rates)

    def violation(s, level=0):
        return residual(element, s, level)[free:]

    for lower, level in ((0, VELOCITY_LEVEL), (VELOCITY_LEVEL, ACCELERATION_LEVEL)):
        expected = slope(lambda tau, l=lower: violation(moved(state, tau), l))
        np.testing.assert_allclose(violation(state, level), expected, rtol=1e-9, atol=1e-9)
    columns = [slope(lambda d, j=j: violation(perturbed(state, COORDINATES, j, d))) for j in range(free)]
    force = residual(element, state)[:free]
    np.testing.assert_allclose(force, np.array(columns) @ state.lam, rtol=0, atol=1e-9 * np.abs(force).max())
    weightless = replace(state, gravity=np.zeros(3))
    for level in LEVELS:
        np.testing.assert_allclose(residual(element, state, level), residual(element, weightless, level), atol=1e-12)
    power = force @ state.rates
    assert power == pytest.approx(state.lam @ violation(state, VELOCITY_LEVEL), rel=1e-10)
    np.testing.assert_array_equal(energies(element, state), 0)


@seeds
def test_a_point_where_it_belongs_keeps_the_constraint_and_balances_forces(seed):
    element, state = sample(seed)
    p, q, R = np.array(element.floats), state.s[:, 0], state.R[0]
    S, Psi = p[3:].reshape(-1, 2, 3).transpose(1, 2, 0)
    x = np.array([state.x[0], state.x[0] + R @ (p[:3] + S @ q)])
    state = replace(state, x=x, R=np.array([R, R @ exp_so3(Psi @ q)]))
    found = residual(element, state)
    np.testing.assert_allclose(found[-6:], 0, atol=1e-13)
    forces = found[:12].reshape(2, 2, 3)
    np.testing.assert_allclose(forces[:, 0].sum(axis=0), 0, atol=1e-13)
    moments = np.cross(state.x, forces[:, 0]) + forces[:, 1]
    np.testing.assert_allclose(moments.sum(axis=0), 0, atol=1e-12)
    # a rigid motion of both leaves it kept
    other = superposed(state, drawn(element, 9).R[0], np.array([1.0, -2.0, 0.3]))
    np.testing.assert_allclose(residual(element, other)[-6:], 0, atol=1e-13)


def test_compiled_law_does_the_same():
    element, state = sample(5)
    for level in LEVELS:
        for want in (RESIDUAL | level, MATRIX | level, RESIDUAL | MATRIX | level, ENERGY):
            expected, found = call(element, state, want, MIXED), call_compiled(element, state, want, MIXED)
            assert found.status == expected.status == 0
            for name in ("r", "K"):
                values = getattr(expected, name)
                np.testing.assert_allclose(
                    getattr(found, name), values, rtol=0, atol=1e-13 * max(np.abs(values).max(), 1.0)
                )


# -- shapes of points -------------------------------------------------------------------------------------------


@cache
def rod_body():
    reduced = reduce_problem(held_rod(), CraigBampton(modes=8), name="rod", check=False)
    return reduced, mean_axes(reduced)


def test_interface_moves_as_its_connection_node():
    reduced, axes = reduced_beam(), beam_axes()
    S, Psi = shape_at(reduced, axes.modes, "right")
    np.testing.assert_allclose(np.vstack([S, Psi]), axes.modes[6:12])
    by_place = shape_at(reduced, axes.modes, reduced.at("right"))
    np.testing.assert_allclose(np.vstack(by_place), np.vstack([S, Psi]), atol=1e-12 * np.abs(S).max())
    with pytest.raises(ModelError, match="no interface 'middle'"):
        shape_at(reduced, axes.modes, "middle")


@pytest.mark.parametrize("body", ["beam", "rod"])
def test_rigid_motion_is_recovered_at_any_point(body):
    """With rigid motions in place of modes S = 1, −x̂ and Ψ = 0, 1: exactly, between nodes and off the mesh too."""
    reduced = reduced_beam() if body == "beam" else rod_body()[0]
    for point in (reduced.nodes[3], [0.31, 0.02, -0.01], [0.7, 0.3, 0.2]):
        S, Psi = shape_at(reduced, reduced.rigid, point)
        np.testing.assert_allclose(S, np.hstack([np.eye(3), -skew(np.array(point))]), atol=1e-9)
        np.testing.assert_allclose(Psi, np.hstack([np.zeros((3, 3)), np.eye(3)]), atol=1e-8)


def test_rotation_in_a_solid_is_the_slope_of_its_bending():
    reduced, axes = rod_body()
    slopes = []
    for x in (0.25, 0.5, 0.75):
        _, Psi = shape_at(reduced, axes.modes[:, :1], (x, 0.0, 0.0))
        ends = [shape_at(reduced, axes.modes[:, :1], (x + d, 0.0, 0.0))[0] for d in (-1 / 12, 1 / 12)]
        slopes.append((Psi[:, 0], ((ends[1] - ends[0])[:, 0]) * 6))
    for turn, slope_of in slopes:  # z up: first bending, θy = −w′ or θz = v′
        largest = np.abs(np.concatenate([s for _, s in slopes])).max()
        np.testing.assert_allclose(turn[1], -slope_of[2], atol=0.03 * largest)
        np.testing.assert_allclose(turn[2], slope_of[1], atol=0.03 * largest)


def test_stress_and_strain_at_a_point():
    reduced, axes = rod_body()
    point = (0.5, 0.05, 0.04)
    found = stress_at(reduced, axes.modes, point)
    expected = reduced.stress_modes[nearest_node(reduced, point)] @ axes.modes
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())
    # Hooke
    strain = strain_at(reduced, axes.modes, point)
    material = next(iter(reduced.mesh.materials.values()))
    np.testing.assert_allclose(material.stiffness() @ strain, found, rtol=0, atol=1e-9 * np.abs(found).max())
    stiffer = reduced.scaled(stiffness=3.0)
    np.testing.assert_allclose(stress_at(stiffer, axes.modes, point), 3 * found, rtol=1e-9, atol=1e-6)
    with pytest.raises(ModelError, match="no stress at a point"):
        stress_at(reduced_beam(), beam_axes().modes, (0.5, 0, 0))


def test_loads_become_forces_on_the_frame_and_the_modes():
    reduced, axes = rod_body()
    weight, lever = load_on(reduced, axes, nodal_forces(reduced, [Gravity((0.0, 0.0, -9.0))]))
    mass = axes.invariants.mass
    np.testing.assert_allclose(weight[:6], [0, 0, -9 * mass, 0, 0, 0], atol=1e-9 * mass)
    np.testing.assert_allclose(weight[6:], 0, atol=1e-7 * mass)  # gravity does not deform a free body
    np.testing.assert_allclose(lever, 0, atol=1e-7 * mass)  # nor has it a moment about the centre of mass, bent or not
    heavy = load_on(
        reduced.scaled(density=3.0), axes, nodal_forces(reduced.scaled(density=3.0), [Gravity((0, 0, -9))])
    )[0]
    np.testing.assert_allclose(heavy[:3], [0, 0, -27 * mass], rtol=1e-9, atol=1e-9)
    pressed, lever = load_on(reduced, axes, nodal_forces(reduced, [Pressure("z_max", 2e5)]))
    np.testing.assert_allclose(pressed[:6], [0, 0, -2e4, 0, 0, 0], atol=1e-6)
    # the work on a mode is that of the nodal forces on its displacements; half the top is half the force, with a moment
    assert np.abs(pressed[6:]).max() > 1.0
    ends, lever = load_on(reduced, axes, nodal_forces(reduced, [Pressure("x_max", 1e5)]))
    np.testing.assert_allclose(ends[:6], [-800, 0, 0, 0, 0, 0], atol=1e-7)
    S, _ = shape_at(reduced, axes.modes, "right")
    np.testing.assert_allclose(ends[6:], -800 * S[0], rtol=1e-9, atol=1e-9)  # the end is one rigid face
    np.testing.assert_allclose(lever, np.cross(S, [[-800], [0], [0]], axis=0), rtol=1e-9, atol=1e-6)
