"""Springs and motors that depend on sensors: free lengths, scales, yield limits."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexor as fx

QUIET = {"show": False}
BLOCK = fx.RigidBody("block", mass=2.0, inertia=0.1)
OTHER = fx.RigidBody("other", mass=1.0, inertia=0.1)
RAIL = fx.Prismatic("rail", fx.ground, BLOCK, axis="x")
TRACK = fx.Prismatic("track", fx.ground, OTHER, axis="x", start=0.1)


def test_a_free_length_follows_a_sensor():
    """k (x − y) to ground is, of the block alone, a spring to the other mass; the other feels nothing:  m ẍ = −k (x − y)"""
    items = [
        BLOCK,
        OTHER,
        RAIL,
        TRACK,
        fx.JointSpring("own", "track", stiffness=25.0),
        fx.Sensor("seen", "track.displacement"),
        fx.JointSpring("servo", "rail", stiffness=200, free=fx.polynomial(0, 1, sensor="seen")),
    ]
    run = fx.Model("servo", items).dynamics(until=2, step=1e-3, **QUIET)
    found = solve_ivp(lambda t, y: [y[1], -100 * (y[0] - 0.1 * np.cos(5 * t))], (0, 2), [0, 0], rtol=1e-10, atol=1e-12)
    assert run["rail.displacement"][-1] == pytest.approx(found.y[0, -1], abs=4e-5)
    assert np.ptp(run["energy.check_sum"].values) < 2e-4  # the work of whoever moves the free length is known


def test_a_scale_by_a_sensor():
    """A spring that stiffens with its own deflection, by a sensor: k (1 + c x²) x, in dynamics, statics and modes."""
    k, c = 100.0, 50.0
    scale = fx.polynomial(1, 0, c, sensor="x")
    items = [BLOCK, RAIL.replace(start=0.2), fx.Sensor("x", "rail.displacement")]
    steered = fx.Model("m", [*items, fx.JointSpring("s", "rail", stiffness=k, scale=scale)])
    plain = fx.Model("m", [*items, fx.JointSpring("s", "rail", force=f"{k}*x + {k * c}*x^3")])
    exact = fx.Tolerances(prediction=1e-8)
    runs = [model.dynamics(until=1, step=1e-3, tolerances=exact, **QUIET) for model in (steered, plain)]
    np.testing.assert_allclose(runs[0]["rail.displacement"], runs[1]["rail.displacement"], rtol=0, atol=1e-10)
    push = fx.PointForce("push", BLOCK, direction="x", force=30)
    pushed = [model.replace(items=[*model.items, push]) for model in (steered, plain)]
    rests = [model.statics()["rail.displacement"] for model in pushed]
    assert rests[0] == pytest.approx(rests[1], rel=1e-10)


def test_an_active_damper_by_the_rate_of_a_sensor():
    """A sky-hook: the damper's force is scaled by a sensor."""
    items = [BLOCK, RAIL.replace(start_rate=1.0), fx.Sensor("v", "rail.displacement_rate")]
    damper = fx.JointSpring("d", "rail", damping=3.0, damping_scale=fx.polynomial(1, 0, 2, sensor="v"))
    run = fx.Model("m", [*items, damper]).dynamics(until=1, step=1e-3, **QUIET)
    found = solve_ivp(lambda t, y: [-1.5 * (1 + 2 * y[0] ** 2) * y[0]], (0, 1), [1.0], rtol=1e-10, atol=1e-12)
    assert run["block.velocity_x"][-1] == pytest.approx(found.y[0, -1], abs=1e-6)


def test_a_brake_whose_limit_is_a_reaction():
    """A yield limit μ N with the normal force N of the guide, read in the same instant: m a = −μ N while it slips."""
    mu, g, v = 0.3, 9.81, 2.0
    rail = RAIL.replace(start_rate=v)
    model = fx.Model("m", [BLOCK, rail, fx.Sensor("normal", "rail.force_x")], gravity=(0, -g, 0))
    up = np.sign(model.dynamics(until=0.01, step=0.005, **QUIET)["normal.value"][-1])
    limit = fx.polynomial(0, mu * up, sensor="normal")
    brake = fx.JointSpring("brake", "rail", stiffness=1e6, yields=fx.Yield(above=limit, below=-limit))
    run = model.replace(items=[*model.items, brake]).dynamics(until=0.4, step=1e-4, **QUIET)
    assert run["block.velocity_x"][-1] == pytest.approx(v - mu * g * 0.4, abs=1e-3)


def test_the_force_of_a_yielding_spring_may_be_read():
    """It pulls at another mass by a load that follows the force."""
    items = [
        BLOCK,
        OTHER,
        RAIL.replace(start_rate=2.0),
        TRACK.replace(start=0.0),
        fx.JointSpring("sheet", "rail", stiffness=1000, yields=30),
        fx.Sensor("felt", "sheet.force"),
        fx.PointForce("pull", OTHER, direction="x", force=fx.polynomial(0, 0.5, sensor="felt")),
    ]
    run = fx.Model("m", items).dynamics(until=0.5, step=1e-3, tolerances={"residual": 1e-12}, **QUIET)
    np.testing.assert_allclose(run["felt.value"].values, run["sheet.force"].values, atol=1e-9)
    np.testing.assert_allclose(run["other.acceleration_x"].values, 0.5 * run["sheet.force"].values, atol=1e-6)


def test_a_function_of_its_own_variable_cannot_depend_on_a_sensor():
    items = [BLOCK, RAIL, fx.Sensor("x", "rail.displacement")]
    spring = fx.JointSpring("s", "rail", force=fx.polynomial(0, 1, sensor="x"))
    with pytest.raises(fx.ModelError, match=r"force cannot depend on a sensor.*free, scale"):
        fx.Model("m", [*items, spring]).check()
    spring = fx.JointSpring("s", "rail", stiffness=1, yields=fx.Yield(above=fx.polynomial(0, 1, sensor="y")))
    with pytest.raises(fx.ModelError, match=r"yields\.above: there is no sensor 'y'"):
        fx.Model("m", [*items, spring]).check()


def test_springs_that_fail_together_are_no_sensors():
    """A statics that finds no equilibrium blames no sensor where the model has none."""
    body = fx.RigidBody("body", mass=1, inertia=1)
    rail = fx.Prismatic("rail", fx.ground, body, axis="x")
    weak = fx.JointSpring("weak", "rail", stiffness=1e3, fails=fx.Failure(force_above=5, others=True))
    strong = fx.JointSpring("strong", "rail", stiffness=1e3)
    pull = fx.PointForce("pull", body, direction="x", force=100)
    with pytest.raises(fx.FlexorError) as caught:
        fx.Model("model", [body, rail, weak, strong, pull]).statics()
    assert "sensor" not in str(caught.value)
