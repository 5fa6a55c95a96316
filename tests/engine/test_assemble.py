"""Residual and matrix of small mechanisms against those written down by hand; the engine as plain Python."""

import numpy as np
import pytest

import flexor as fx
from flexor.engine.initial import set_proper
from flexor.law import ACCELERATION_LEVEL, MATRIX, RESIDUAL, VELOCITY_LEVEL
from flexor.solve.prepare import compile_model
from flexor.spatial import exp_so3, skew

MASS, INERTIA, GRAVITY = 2.0, np.diag([0.1, 0.2, 0.3]), np.array([0.5, -9.81, 1.0])
STIFFNESS, DAMPING, FREE = 300.0, 7.0, 0.8


def body(**more):
    return fx.RigidBody("body", MASS, tuple(np.diag(INERTIA)), **more)


def moving(items, seed=0):
    """The mechanism in any motion: its system, and the pose, velocity and acceleration of its only body."""
    system = compile_model(fx.Model("m", list(items), gravity=tuple(GRAVITY)), python=True)
    draw = np.random.default_rng(seed).standard_normal
    x, R = np.array([1.0, 0.3, -0.2]) + 0.1 * draw(3), exp_so3(draw(3))
    v, a = draw(6), draw(6)
    system.nodes("x")[1], system.nodes("R")[1] = x, R.ravel()
    system.nodes("v")[1], system.nodes("a")[1] = v, a
    set_proper(system)
    return system, x, R, v, a


def rows(system):
    """The six equations of the body."""
    nodes, equations = system.node_rows
    return equations[list(nodes).index(1)]


def inertia_force(R, v, a):
    """Newton's and Euler's equations about the centre of mass, global axes."""
    J, omega = R @ INERTIA @ R.T, v[3:]
    return np.concatenate([MASS * (a[:3] - GRAVITY), J @ a[3:] + np.cross(omega, J @ omega)])


def test_residual_of_a_body_on_a_spring():
    free = body(position=(1, 0, 0))
    arm = np.array([0.0, 0.2, 0.1])
    spring = fx.AxialSpring(
        "s", fx.ground.at(0, 0, 0), free.at(*arm), stiffness=STIFFNESS, damping=DAMPING, free_length=FREE
    )
    system, x, R, v, a = moving([free, spring])
    assert system.evaluate(RESIDUAL) == 0
    lever = R @ arm
    length = np.linalg.norm(x + lever)
    along = (x + lever) / length
    force = STIFFNESS * (length - FREE) + DAMPING * along @ (v[:3] + np.cross(v[3:], lever))
    by_hand = inertia_force(R, v, a) + force * np.concatenate([along, np.cross(lever, along)])
    np.testing.assert_allclose(system.memory.residual[rows(system)], by_hand, rtol=1e-13, atol=1e-12)


@pytest.mark.parametrize(("level", "coefficients"), [(0, (0.02, 0.3, 0.9)), (VELOCITY_LEVEL, (0.0, 0.3, 0.0)),
                                                     (ACCELERATION_LEVEL, (0.0, 0.0, 0.9))])  # fmt: skip
def test_constraints_are_scaled_to_their_gradient(level, coefficients):
    """Φ = x + R s = 0, r = … + Bᵀλ with B = [1, −(R s)^]; rows are divided by cK, cC or cM, so that the matrix has B itself."""
    held, arm = body(position=(1, 0, 0)), np.array([-1.0, 0.0, 0.0])
    joint = fx.Spherical("j", fx.ground.at(0, 0, 0), held.at(*arm))
    system, x, R, v, a = moving([held, joint])
    reaction = np.array([3.0, -2.0, 5.0])
    system.memory.lam[:] = reaction
    assert system.evaluate(RESIDUAL | MATRIX | level, *coefficients) == 0
    lever, omega = R @ arm, v[3:]
    B = np.hstack([np.eye(3), -skew(lever)])
    r, six, three = system.memory.residual, rows(system), system.multiplier_rows
    np.testing.assert_allclose(r[six], inertia_force(R, v, a) + B.T @ reaction, rtol=1e-13, atol=1e-12)
    values = {
        0: x + lever,
        VELOCITY_LEVEL: B @ v,
        ACCELERATION_LEVEL: B @ a + np.cross(omega, np.cross(omega, lever)),
    }[level]
    scale = {0: 0, VELOCITY_LEVEL: 1, ACCELERATION_LEVEL: 2}[level]
    np.testing.assert_allclose(r[three], values / coefficients[scale], rtol=1e-12, atol=1e-12)
    matrix = system.solver.to_csc().toarray()
    np.testing.assert_allclose(matrix[np.ix_(three, six)], B, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(matrix[np.ix_(six, three)], B.T, rtol=1e-13, atol=1e-13)
    np.testing.assert_array_equal(matrix[np.ix_(three, three)], 0.0)


def test_mass_and_stiffness_stand_in_the_matrix():
    """cM M + cC ∂r/∂v + cK ∂r/∂q of translations: a spring along x has k there, and f/ℓ across."""
    free = body(position=(1, 0, 0))
    spring = fx.AxialSpring(
        "s", fx.ground.at(0, 0, 0), free.at(0, 0, 0), stiffness=STIFFNESS, damping=DAMPING, free_length=FREE
    )
    system = compile_model(fx.Model("m", [free, spring]), python=True)
    cK, cC, cM = 0.7, 1.3, 0.4
    assert system.evaluate(RESIDUAL | MATRIX, cK, cC, cM) == 0
    across = STIFFNESS * (1.0 - FREE) / 1.0
    three = rows(system)[:3]
    by_hand = cM * MASS * np.eye(3) + np.diag([cK * STIFFNESS + cC * DAMPING, cK * across, cK * across])
    np.testing.assert_allclose(system.solver.to_csc().toarray()[np.ix_(three, three)], by_hand, rtol=1e-13, atol=1e-12)


def test_forces_on_a_follower_go_to_its_master():
    """A weight on a revolute joint that is eliminated: the joint's equation has its moment about the axis."""
    arm = np.array([0.5, 0.0, 0.0])
    swinging = body()
    pin = fx.Revolute(
        "pin", fx.ground.at(0, 0, 0), swinging.at(*-arm), axis="z", start="30 deg", enforcement="elimination"
    )
    system = compile_model(fx.Model("m", [swinging, pin], gravity=tuple(GRAVITY)), python=True)
    system.memory.s[1], system.memory.s[2] = 1.5, -0.7  # φ̇, φ̈
    system.call("follow")
    set_proper(system)
    assert system.evaluate(RESIDUAL) == 0
    angle, second = np.radians(30), -0.7
    moment = (MASS * 0.25 + INERTIA[2, 2]) * second
    moment -= MASS * 0.5 * (np.cos(angle) * GRAVITY[1] - np.sin(angle) * GRAVITY[0])
    np.testing.assert_allclose(system.memory.residual[system.memory.scalar_eq[0]], moment, rtol=1e-13)


@pytest.mark.parametrize("python", [False, True])
def test_terms_alone_add_up_to_the_whole(python):
    """What each term puts into the equations by itself; afterwards all are seen again."""
    held = body(position=(1, 0, 0))
    spring = fx.AxialSpring("s", fx.ground.at(0, 1, 0), held, stiffness=STIFFNESS, free_length=FREE)
    system = compile_model(fx.Model("m", [held, spring], gravity=tuple(GRAVITY)), python=python)
    assert system.evaluate(RESIDUAL) == 0
    whole, total = system.memory.residual.copy(), 0.0
    assert np.any(whole)
    for i, term in enumerate(system.mechanism.terms):
        with system.alone(i):
            assert system.evaluate(RESIDUAL) == 0
            own = system.memory.buffer_residual[: term.size].reshape(-1, 6)
            np.testing.assert_array_equal(system.memory.residual[rows(system)], own[-1])
            total = total + system.memory.residual
    np.testing.assert_allclose(total, whole, rtol=1e-14, atol=1e-12)
    assert system.evaluate(RESIDUAL) == 0
    np.testing.assert_array_equal(system.memory.residual, whole)


def test_coordinates_and_constraints():
    """Of two bodies on a hinge; a constraint that is switched off is still one, but does not count."""
    held, tip = body(position=(1, 0, 0)), fx.RigidBody("tip", 1.0, (1, 1, 1), position=(1, 0, 0))
    joints = [fx.Revolute("j", fx.ground, held.at(-1, 0, 0)), fx.Fixed("k", held, tip)]
    system = compile_model(fx.Model("m", [held, tip, *joints]))
    assert len(system.coordinates) == 12
    assert sorted(system.constraints) == sorted(system.multiplier_rows)
    assert len(system.constraints) == 11
    first = int(system.constraints[0])
    system.lock([first])
    assert len(system.constraints) == 10
    assert first not in system.constraints
    assert system.is_constraint[first]
    assert not np.any(system.is_constraint & system.is_coordinate)
