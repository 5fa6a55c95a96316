"""Motors whose position or speed follows sensors: constraints at all levels, which push their joint alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexor as fx
from flexor.law import ACCELERATION_LEVEL, MATRIX, RESIDUAL, VELOCITY_LEVEL
from flexor.model.lower import lower
from tests.laws.calls import call, call_compiled, matrix, residual
from tests.laws.random_states import equations, random_state
from tests.laws.states import ACCELERATIONS, COORDINATES, MULTIPLIERS, VELOCITIES, perturbed

QUIET = {"show": False}
DOWN = (0, -9.81, 0)
ARM = fx.RigidBody("arm", mass=1.0, inertia=0.1, center_of_mass=(0.5, 0, 0), markers={"tip": (1, 0, 0)})
LED = fx.RigidBody("led", mass=2.0, inertia=0.2, center_of_mass=(0.4, 0, 0))
SLED = fx.RigidBody("sled", mass=3.0, inertia=0.2)
TILT = fx.Sensor("tilt", "pin.angle")
MIXED = (0.7, -1.3, 0.4)


def model(*items: object, **start: float) -> fx.Model:
    bodies = [
        *(ARM, LED, SLED),
        fx.Revolute("pin", fx.ground, ARM, start=0.3, start_rate=0.5),
        fx.Revolute("other", fx.ground.at(0, 3, 0), LED, **start),
        fx.Prismatic("rail", fx.ground.at(0, -3, 0), SLED, axis="x", **(start if "rail" in str(items) else {})),
    ]
    return fx.Model("led", [*bodies, *items], gravity=DOWN)


def pendulum(t: float, angle: float = 0.3, rate: float = 0.5) -> tuple[float, float]:
    """Angle and rate of the arm, which feels nothing of what follows it."""

    def rates(_: float, y: np.ndarray) -> list[float]:
        return [y[1], -9.81 * 0.5 * np.cos(y[0]) / (0.1 + 0.25)]

    found = solve_ivp(rates, (0, t), [angle, rate], rtol=1e-10, atol=1e-12)
    return found.y[0, -1], found.y[1, -1]


@pytest.mark.parametrize("enforcement", ["multipliers", "elimination"])
def test_a_position_by_a_joint_variable_and_time(enforcement: str) -> None:
    """The measured arm swings freely; the led one follows it, and its motor supplies what the motion takes."""
    led = model(TILT, fx.Motor("m", "other", position="2*tilt - 0.6 + 0.1*t^2"), start_rate=1.0)
    items = tuple(
        item.replace(enforcement=enforcement) if isinstance(item, fx.Revolute) and item.name == "pin" else item
        for item in led.items
    )
    run = led.replace(items=items).dynamics(until=0.5, step=0.0005, **QUIET)
    angle, target = run["pin.angle"], 2 * run["pin.angle"] - 0.6 + 0.1 * run.time**2
    assert angle[-1] == pytest.approx(pendulum(0.5)[0], abs=2e-6)
    np.testing.assert_allclose(run["other.angle"], target, rtol=0, atol=1e-12)
    np.testing.assert_allclose(run["other.angle_rate"], 2 * run["pin.angle_rate"] + 0.2 * run.time, rtol=0, atol=1e-10)
    alpha = 2 * -9.81 * 0.5 * np.cos(angle) / 0.35 + 0.2
    torque = (0.2 + 2 * 0.16) * alpha + 2 * 9.81 * 0.4 * np.cos(target)
    np.testing.assert_allclose(run["m.torque"], torque, rtol=0, atol=1e-3)
    assert np.ptp(run["energy.check_sum"]) < 1e-3


def test_plain_python_says_the_same() -> None:
    led = model(TILT, fx.Motor("m", "other", position="sin(tilt)"), start=np.sin(0.3), start_rate=0.5 * np.cos(0.3))
    runs = [led.dynamics(until=0.01, step=0.005, python=python, **QUIET) for python in (True, False)]
    np.testing.assert_allclose(runs[0]["m.torque"], runs[1]["m.torque"], rtol=1e-9)


def test_a_slider_follows_the_position_of_a_marker() -> None:
    seen = fx.Sensor("x", "arm.tip.position_x")
    y = fx.Sensor("y", "arm.tip.position_y", seen_from="sled")
    begin = {"start": np.cos(0.3), "start_rate": -0.5 * np.sin(0.3)}
    run = model(seen, y, fx.Motor("m", "rail", position="'x'"), **begin).dynamics(until=0.5, step=0.001, **QUIET)
    np.testing.assert_allclose(run["rail.displacement"], np.cos(run["pin.angle"]), rtol=0, atol=1e-12)
    assert run["pin.angle"][-1] == pytest.approx(pendulum(0.5)[0], abs=1e-5)


def test_a_length_is_followed() -> None:
    wire = fx.AxialSpring("wire", fx.ground.at(0, 2, 0), ARM["tip"], stiffness=0.1, free_length=0)
    there = np.hypot(np.cos(0.3), np.sin(0.3) - 2)
    rate = -2 * np.cos(0.3) * 0.5 / there
    items = wire, fx.Sensor("l", "wire.length"), fx.Motor("m", "rail", position="l^2")
    run = model(*items, start=there**2, start_rate=2 * there * rate).dynamics(until=0.3, step=0.001, **QUIET)
    np.testing.assert_allclose(run["rail.displacement"], run["wire.length"].values ** 2, rtol=0, atol=1e-11)


def test_a_speed_by_positions_is_a_controller() -> None:
    """q̇ = 5 (tilt − q): the led arm runs after the other one."""
    items = TILT, fx.Sensor("own", "other.angle"), fx.Motor("m", "other", speed="5*(tilt - own)")
    run = model(*items, start=0.1, start_rate=1.0).dynamics(until=0.5, step=0.001, **QUIET)

    def rates(_: float, y: np.ndarray) -> list[float]:
        return [y[1], -9.81 * 0.5 * np.cos(y[0]) / 0.35, 5 * (y[0] - y[2])]

    found = solve_ivp(rates, (0, 0.5), [0.3, 0.5, 0.1], rtol=1e-10, atol=1e-12)
    assert run["other.angle"][-1] == pytest.approx(found.y[2, -1], abs=5e-6)
    assert run["pin.angle"][-1] == pytest.approx(found.y[0, -1], abs=1e-5)


def test_many_turns_are_counted() -> None:
    turning = fx.Motor("drive", "pin", speed=200)
    led = model(turning, TILT, fx.Motor("m", "other", position="tilt/10 - 0.03"), start_rate=20.0)
    items = tuple(item.replace(start_rate=None) if item.name == "pin" else item for item in led.items)
    run = led.replace(items=items).dynamics(until=0.5, step=0.001, **QUIET)
    assert run["other.angle"][-1] == pytest.approx(10.0, abs=1e-9)


def test_statics_and_kinematics_know_of_it() -> None:
    """Where the arm hangs, the other one stands at what is told; with the arm driven, nothing is left free."""
    led = model(TILT, fx.Motor("m", "other", position="0.5*tilt - 0.15"), start_rate=0.25)
    stop = fx.JointSpring("stop", "rail", stiffness=10)
    spring = fx.JointSpring("k", "pin", stiffness=30, free=0.3)
    found = led.with_item(stop, spring).statics()
    assert found["other.angle"] == pytest.approx(0.5 * found["pin.angle"] - 0.15, abs=1e-12)
    angle = found["pin.angle"]
    assert 30 * (angle - 0.3) + 9.81 * 0.5 * np.cos(angle) == pytest.approx(0, abs=1e-6)
    with pytest.raises(fx.SolveError, match="'m': a motor that follows sensors; modes"):
        led.with_item(stop, spring).modes(1)
    driven = led.with_item(fx.Motor("drive", "pin", position="0.3 + 0.5*t"), fx.Motor("hold", "rail", position=0))
    moves = driven.kinematics(until=0.2, step=0.01)
    np.testing.assert_allclose(moves["other.angle"], 0.5 * (0.3 + 0.5 * moves.time) - 0.15, rtol=0, atol=1e-12)


MOTIONS = ["position", "speed"]


def led_term(field: str):
    items = TILT, fx.Sensor("x", "arm.tip.position_y", seen_from="sled"), fx.Sensor("l", "wire.length")
    wire = fx.AxialSpring("wire", fx.ground.at(0, 2, 0), ARM["tip"], stiffness=0.1, free_length=0)
    made = model(*items, wire, fx.Motor("m", "other", **{field: "0.3*tilt^2 + 0*t + 0.2*'x'*l"}))
    with pytest.raises(fx.ModelError) as told:  # what it begins with
        made.check()
    start = {} if field == "speed" else {"start": float(str(told.value).rsplit("start: ", 1)[1])}
    items_ = tuple(item.replace(**start) if item.name == "other" else item for item in made.items)
    made = made.replace(items=items_)
    with pytest.raises(fx.ModelError, match="start_rate") as told:
        made.check()
    rate = float(str(told.value).rsplit("start_rate: ", 1)[1])
    made = made.replace(
        items=tuple(item.replace(start_rate=rate) if item.name == "other" else item for item in made.items)
    )
    made.check()
    return next(term for term in lower(made).terms if term.name == "m")


@pytest.mark.parametrize("level", [0, VELOCITY_LEVEL, ACCELERATION_LEVEL])
@pytest.mark.parametrize("field", MOTIONS)
def test_the_tangent_is_exact(field: str, level: int) -> None:
    """Against central differences; rows of a level carry what belongs to it, those of a speed at position level both."""
    term = led_term(field)
    state = random_state(term, 3)
    free, there, h = 6 * len(term.nodes), equations(term), 1e-6
    expected = np.zeros((term.size, term.size))
    own = {0: COORDINATES, VELOCITY_LEVEL: VELOCITIES, ACCELERATION_LEVEL: ACCELERATIONS}[level]
    for kind, c in zip((COORDINATES, VELOCITIES, ACCELERATIONS), MIXED):
        for j in range(free):
            up, down = (residual(term, perturbed(state, kind, j, sign * h), level) for sign in (1, -1))
            slope = c * (up - down) / (2 * h)
            expected[:free, j] += slope[:free]
            if kind == own or (field == "speed" and level == 0):
                expected[free, j] += slope[free]
    up, down = (residual(term, perturbed(state, MULTIPLIERS, 0, sign * h), level) for sign in (1, -1))
    expected[:, free] = (up - down) / (2 * h)
    found = matrix(term, state, MIXED, level)
    at = np.ix_(there, there)
    np.testing.assert_allclose(found[at], expected[at], rtol=0, atol=2e-8 * np.abs(expected).max())
    compiled = call_compiled(term, state, RESIDUAL | MATRIX | level, MIXED)
    np.testing.assert_allclose(compiled.K, call(term, state, RESIDUAL | MATRIX | level, MIXED).K, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([fx.Motor("m", "other", position="2*tilt")], "begins at 0 rad, the motor with 0.6 rad.*start: 0.6"),
        ([fx.Motor("m", "other", speed="2*tilt")], r"begins at 0 rad/s, the motor with 0.6 rad/s.*start_rate: 0.6"),
        ([fx.Motor("m", "other", acceleration="2*tilt")], "acceleration cannot depend on a sensor.*position, speed may"),
        (
            [fx.Sensor("w", "pin.angle_rate"), fx.Motor("m", "other", position="2*w")],
            "cannot follow sensor 'w', which reads 'pin.angle_rate'.*a stiffness",
        ),
        ([fx.Sensor("F", "pin.force_x"), fx.Motor("m", "other", speed="2*F")], "cannot follow sensor 'F'"),
        ([fx.Sensor("clock", "time"), fx.Motor("m", "other", speed="2*clock")], "the time is written t"),
        (
            [fx.Sensor("own", "other.angle"), fx.Motor("m", "other", position="own + 0.1*tilt")],
            "follows 'other.angle', which it drives",
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told(items: list, message: str) -> None:
    with pytest.raises(fx.ModelError, match=message):
        model(TILT, *items).check()


def test_a_spring_in_its_place_follows_positions_only() -> None:
    with pytest.raises(fx.ModelError, match="follows a position; give that, or leave out stiffness"):
        fx.Motor("m", "other", speed="2*tilt", stiffness=10)


@pytest.mark.parametrize("order", [1, -1])
def test_motors_that_follow_each_other_in_a_circle_without_a_solution_are_refused(order):
    bodies = [fx.RigidBody(name, mass=1, inertia=0.1) for name in ("a", "b")]
    joints = [fx.Revolute("p", fx.ground, bodies[0]), fx.Revolute("q", fx.ground, bodies[1])]
    sensors = [fx.Sensor("sp", "p.angle"), fx.Sensor("sq", "q.angle")]
    motors = [fx.Motor("d1", "q", position="2*sp"), fx.Motor("d2", "p", position="0.5*sq")][::order]
    with pytest.raises(fx.ModelError, match=r"motor '\w+' and '\w+': they follow sensors.*in a circle"):
        fx.Model("circle", [*bodies, *joints, *sensors, *motors]).dynamics(until=1, step=0.1)
