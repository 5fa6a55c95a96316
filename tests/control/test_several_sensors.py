"""Loads, springs and friction that are functions of several sensors and of time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexor as fx
from flexor.law import MATRIX, RESIDUAL
from flexor.model.lower import lower
from tests.laws.calls import call, call_compiled, matrix, residual
from tests.laws.random_states import random_state

QUIET = {"show": False}
BLOCK = fx.RigidBody("block", mass=2.0, inertia=0.1)
RAIL = fx.Prismatic("rail", fx.ground, BLOCK, axis="x", start=0.1, start_rate=0.5)
SENSORS = (fx.Sensor("x", "rail.displacement"), fx.Sensor("v", "rail.displacement_rate"))


def block(*items: object) -> fx.Model:
    return fx.Model("m", [BLOCK, RAIL, *SENSORS, *items])


def pushed(force: object) -> fx.Model:
    return block(fx.PointForce("push", BLOCK, direction="x", force=force))


FORCES = {
    "formula": "-30*'x' - 0.8*v + 5*sin(4*t)*v",
    "functions": fx.polynomial(0, "-30 N/m", sensor="x")
    + fx.polynomial(0, "-0.8 N s/m", sensor="v")
    + fx.expression("5*sin(4*t)") * fx.polynomial(0, 1, sensor="v"),
}


@pytest.mark.parametrize("force", FORCES.values(), ids=FORCES)
@pytest.mark.parametrize("python", [False, True])
def test_a_load_by_position_rate_and_time(force: object, python: bool) -> None:
    until, step = (0.01, 0.005) if python else (1.0, 0.001)
    run = pushed(force).dynamics(until=until, step=step, python=python, **QUIET)
    found = solve_ivp(
        lambda t, y: [y[1], (-30 * y[0] - 0.8 * y[1] + 5 * np.sin(4 * t) * y[1]) / 2],
        (0, until), [0.1, 0.5], rtol=1e-10, atol=1e-12,
    )  # fmt: skip
    assert run["rail.displacement"][-1] == pytest.approx(found.y[0, -1], abs=2e-6)
    assert not [name for name in run.units if name.startswith("push.force.")]  # the load's reading is its own affair


def test_the_tangent_of_the_reading() -> None:
    term = next(term for term in lower(pushed(FORCES["formula"])).terms if term.name == "push.force")
    assert (term.readings, term.n_read) == (1, 2)
    state = random_state(term, 1)
    for each in range(3):
        up, down = (
            residual(term, replace(state, lam=state.lam + sign * 1e-6 * np.eye(3)[each]))[0] for sign in (1, -1)
        )
        assert matrix(term, state, (0.7, -1.3, 0.4))[0, each] == pytest.approx((up - down) / 2e-6, rel=1e-8)
    found, expected = (each(term, state, RESIDUAL | MATRIX, (1.0, 0.0, 0.0)) for each in (call_compiled, call))
    np.testing.assert_allclose(found.K, expected.K, rtol=1e-14)
    assert np.count_nonzero(expected.K[0]) == 3


def test_a_loop_through_several_sensors_is_solved() -> None:
    """m a = F − c a − d v, a itself being read: F = f − c a − d v of one formula."""
    felt = fx.Sensor("a", "block.acceleration_x")
    run = block(felt, fx.PointForce("push", BLOCK, direction="x", force="10 - 3*a - 2*v")).dynamics(
        until=0.5, step=0.001, **QUIET
    )
    assert run["a.value"][0] == pytest.approx((10 - 2 * 0.5) / 5, rel=1e-12)
    assert run["rail.displacement_rate"][-1] == pytest.approx(5 - 4.5 * np.exp(-0.4 * 0.5), rel=1e-7)


def test_a_formula_that_is_its_own_has_no_value() -> None:
    felt = fx.Sensor("F", "push.force")
    circle = block(felt, fx.PointForce("push", BLOCK, direction="x", force="F + 2*v"))
    with pytest.raises(fx.SolveError, match="feedback by sensors 'v', 'F'"):
        circle.dynamics(until=0.01, step=0.005, **QUIET)
    run = block(felt, fx.PointForce("push", BLOCK, direction="x", force="0.5*F - 2*v")).dynamics(
        until=0.5, step=0.001, **QUIET
    )  # F = −4 v
    assert run["rail.displacement_rate"][-1] == pytest.approx(0.5 * np.exp(-2 * 0.5), rel=1e-6)


def test_the_reaction_of_a_joint_in_a_formula() -> None:
    """A block on a rail, braked by 0.3 of its weight, as the rail feels it, and by 2 v."""
    model = block(fx.Sensor("N", "rail.force_x"), fx.PointForce("F", BLOCK, direction="x", force="-0.3*abs(N) - 2*v"))
    run = model.replace(gravity=(0, -9.81, 0)).dynamics(until=0.1, step=0.0005, **QUIET)
    c = 0.3 * 9.81
    assert run["rail.displacement_rate"][-1] == pytest.approx((0.5 + c) * np.exp(-0.1) - c, rel=1e-6)


def test_statics_and_modes_know_of_it() -> None:
    model = pushed("7 - 30*'x' - 0.8*v")
    model = model.replace(items=tuple(RAIL.replace(start_rate=0) if item is RAIL else item for item in model.items))
    assert model.statics()["rail.displacement"] == pytest.approx(7 / 30, rel=1e-9)
    value = model.modes(1, complex=True).eigenvalues[0]
    assert value == pytest.approx(-0.2 + 1j * np.sqrt(15 - 0.04), rel=1e-9)


def test_a_spring_and_friction_by_two_sensors() -> None:
    """The free value of a spring that follows −2 x − 0.1 v: k (x + 2 x + 0.1 v), and a load of friction by both."""
    spring = fx.JointSpring("k", "rail", stiffness=20, free="-2*'x' - 0.1*v")
    rub = fx.Friction("dry", "rail", coefficient=0.1, load="5 + 0*'x' + v^2", model="tanh", smooth_speed=1e-3)
    run = block(spring, rub).dynamics(until=0.05, step=0.0005, **QUIET)

    def rates(t: float, y: np.ndarray) -> list[float]:
        x, v = y
        return [v, (-20 * (3 * x + 0.1 * v) - 0.1 * (5 + v**2) * np.tanh(v / 1e-3)) / 2]

    found = solve_ivp(rates, (0, 0.05), [0.1, 0.5], rtol=1e-10, atol=1e-12)
    assert run["rail.displacement"][-1] == pytest.approx(found.y[0, -1], abs=1e-7)


def test_limits_of_yield_by_two_sensors() -> None:
    """A clutch: what it carries follows two sensors, 3 + x + v/10."""
    limits = fx.Yield(above="3 + 'x' + v/10", below=-50)
    run = block(fx.JointSpring("k", "rail", stiffness=1e4, free=0.1, yields=limits)).dynamics(
        until=0.02, step=1e-4, **QUIET
    )
    x, v = run["rail.displacement"][-1], run["rail.displacement_rate"][-1]
    assert -run["k.force"][-1] == pytest.approx(3 + x + v / 10, rel=1e-9)


@pytest.mark.parametrize(
    ("force", "message"),
    [
        ("2*'x' + vv", "there is no sensor 'vv'; did you mean 'v'"),
        ("2*'x' + nowhere*t", "there is no sensor 'nowhere'"),
        ("2*x", "what is x in the formula.*write 'x' in quotes, or t"),
        (fx.polynomial(0, "1 N/m", sensor="x") + fx.polynomial(0, "1 N/m", sensor="v"), "sensor 'v' reads m/s"),
    ],
)
def test_mistakes_are_told(force: object, message: str) -> None:
    with pytest.raises(fx.ModelError, match=message):
        pushed(force).check()


def test_units_are_those_of_the_place() -> None:
    with pytest.raises(fx.ModelError, match="force is measured in N"):
        pushed(fx.polynomial("1 m", sensor="x") + fx.polynomial(0, 1, sensor="v"))
