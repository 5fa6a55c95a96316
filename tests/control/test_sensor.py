"""Sensors: feedback is that of the same instant, through positions, rates, accelerations and reactions."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexor as fx

QUIET = {"show": False}
ARM = fx.RigidBody("arm", mass=1.0, inertia=0.1, center_of_mass=(0.5, 0, 0), markers={"tip": (1, 0, 0)})
PIN = fx.Revolute("pin", fx.ground, ARM, start=0.3)
DOWN = (0, -9.81, 0)


def steered(k: float = 3.0, d: float = 0.2) -> fx.Model:
    """A pendulum with the torque of a spring and damper, by sensors."""
    return fx.Model(
        "steered",
        [
            ARM,
            PIN,
            fx.Sensor("tilt", "pin.angle"),
            fx.Sensor("spin", "arm.angular_velocity_z"),
            fx.PointTorque("spring", ARM, direction="z", torque=fx.polynomial(0, -k, sensor="tilt")),
            fx.PointTorque("damper", ARM, direction="z", torque=fx.polynomial(0, -d, sensor="spin")),
        ],
        gravity=DOWN,
    )


def sprung(k: float = 3.0, d: float = 0.2) -> fx.Model:
    return fx.Model("sprung", [ARM, PIN, fx.JointSpring("spring", "pin", stiffness=k, damping=d)], gravity=DOWN)


@pytest.mark.parametrize("python", [False, True])
def test_a_torque_by_angle_and_rate_is_a_spring_and_damper(python: bool) -> None:
    until = 0.05 if python else 1.0
    runs = [model.dynamics(until=until, step=0.005, python=python, **QUIET) for model in (steered(), sprung())]
    np.testing.assert_allclose(runs[0]["pin.angle"], runs[1]["pin.angle"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(runs[0]["tilt.value"], runs[0]["pin.angle"], rtol=0, atol=1e-12)
    assert runs[0].units["tilt.value"] == "rad"


def test_statics_and_modes_know_of_feedback() -> None:
    rests = [model.statics()["pin.angle"] for model in (steered(), sprung())]
    assert rests[0] == pytest.approx(rests[1], abs=1e-12)
    values = [model.modes(1, complex=True).eigenvalues[0] for model in (steered(), sprung())]
    assert values[0] == pytest.approx(values[1], rel=1e-9)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_friction_by_the_normal_force_of_the_guide(sign: float) -> None:
    """A block pushed along a slide, braked by μ N:  m a = F − μ m g, N being the reaction of the joint itself."""
    block = fx.RigidBody("block", mass=2.0, inertia=0.1)
    slide = fx.Prismatic("slide", fx.ground, block, axis="x")
    push = fx.PointForce("push", block, direction="x", force=sign * 10.0)
    normal = fx.Sensor("normal", "slide.force_x")  # the joint's own x axis is vertical
    run = fx.Model("bare", [block, slide, push, normal], gravity=DOWN).dynamics(until=0.01, step=0.005, **QUIET)
    up = float(run["normal.value"][-1])
    assert abs(up) == pytest.approx(2.0 * 9.81, rel=1e-12)
    mu = 0.3 * np.sign(up)
    brake = fx.PointForce("brake", block, direction="x", force=fx.polynomial(0, -sign * mu, sensor="normal"))
    run = fx.Model("braked", [block, slide, push, normal, brake], gravity=DOWN).dynamics(until=0.5, step=0.005, **QUIET)
    expected = sign * (10.0 / 2.0 - 0.3 * 9.81) * 0.5 * 0.5**2
    assert run["slide.displacement"][-1] == pytest.approx(expected, rel=1e-10)
    assert run["block.acceleration_x"][0] == pytest.approx(sign * (5.0 - 0.3 * 9.81), rel=1e-12)  # from the start


def test_feedback_of_an_acceleration_is_a_mass() -> None:
    """F = −c a:  (m + c) a = f"""
    block = fx.RigidBody("block", mass=2.0, inertia=0.1)
    items = [
        block,
        fx.Prismatic("slide", fx.ground, block, axis="x"),
        fx.Sensor("felt", "block.acceleration_x"),
        fx.PointForce("push", block, direction="x", force=10.0),
        fx.PointForce("more", block, direction="x", force=fx.polynomial(0, -3.0, sensor="felt")),
    ]
    run = fx.Model("heavier", items).dynamics(until=0.5, step=0.01, **QUIET)
    assert run["felt.value"][0] == pytest.approx(2.0, rel=1e-12)
    assert run["slide.displacement"][-1] == pytest.approx(0.5 * 2.0 * 0.5**2, rel=1e-9)


def test_an_inverted_pendulum_is_balanced() -> None:
    """On a cart, by a force on it that follows tilt and its rate, against an independent integration."""
    M, m, L, kp, kd = 2.0, 0.5, 0.8, 60.0, 12.0
    cart = fx.RigidBody("cart", mass=M, inertia=0.1)
    pole = fx.RigidBody("pole", mass=m, inertia=(1e-3, 1e-3, 1e-3), center_of_mass=(0, L, 0))
    items = [
        cart,
        pole,
        fx.Prismatic("rail", fx.ground, cart, axis="x"),
        fx.Revolute("pivot", cart, pole, start=0.2),
        fx.Sensor("tilt", "pivot.angle"),
        fx.Sensor("spin", "pivot.angle_rate"),
        fx.PointForce("p", cart, direction="x", force=fx.polynomial(0, -kp, sensor="tilt")),
        fx.PointForce("d", cart, direction="x", force=fx.polynomial(0, -kd, sensor="spin")),
    ]
    run = fx.Model("balanced", items, gravity=DOWN).dynamics(until=1.0, step=0.0005, **QUIET)

    def rates(t: float, y: np.ndarray) -> list[float]:
        phi, w, _, v = y  # the pole leans by −sin φ along x
        force = -kp * phi - kd * w
        matrix = [[M + m, -m * L * np.cos(phi)], [-m * L * np.cos(phi), 1e-3 + m * L**2]]
        a, alpha = np.linalg.solve(matrix, [force - m * L * w**2 * np.sin(phi), m * 9.81 * L * np.sin(phi)])
        return [w, alpha, v, a]

    found = solve_ivp(rates, (0, 1.0), [0.2, 0, 0, 0], rtol=1e-10, atol=1e-12)
    assert run["pivot.angle"][-1] == pytest.approx(found.y[0, -1], abs=2e-6)
    assert abs(found.y[0, -1]) < 0.2


def test_a_marker_is_seen_from_another() -> None:
    """Position, velocity and acceleration as an observer on the first of two links sees the end of the second."""
    lower = fx.RigidBody("lower", mass=1.0, inertia=0.1, center_of_mass=(0.5, 0, 0), markers={"end": (1, 0.2, 0.1)})
    items = [
        ARM,
        lower,
        fx.Revolute("pin", fx.ground, ARM, start=0.3, start_rate=2.0),
        fx.Revolute("knee", ARM.at(1, 0, 0), lower, axis=(0, 0.3, 1), start=0.7, start_rate=-3.0),
        *(
            fx.Sensor(f"{what} {axis}", f"lower.end.{what}_{axis}", seen_from="arm.tip")
            for what in ("position", "velocity", "acceleration")
            for axis in "xyz"
        ),
    ]
    run = fx.Model("two", items, gravity=DOWN).dynamics(until=0.02, step=1e-4, **QUIET)
    seen = {w: np.array([run[f"{w} {a}.value"] for a in "xyz"]) for w in ("position", "velocity", "acceleration")}
    between = run.between("arm.tip", "lower.end")
    np.testing.assert_allclose(seen["position"].T, np.asarray(between.position), rtol=0, atol=1e-12)
    differences = np.gradient(seen["position"], run.time, axis=1)[:, 1:-1]
    np.testing.assert_allclose(seen["velocity"][:, 1:-1], differences, rtol=0, atol=2e-5)
    differences = np.gradient(seen["velocity"], run.time, axis=1)[:, 1:-1]
    np.testing.assert_allclose(seen["acceleration"][:, 1:-1], differences, rtol=0, atol=2e-3)


@pytest.mark.parametrize(
    ("items", "message"),
    [
        ([fx.Sensor("tilt", "pin.angel")], r"sensor 'tilt': it cannot read 'pin.angel'; .*did you mean 'pin.angle'"),
        (
            [fx.PointTorque("t", ARM, direction="z", torque=fx.polynomial(0, 1, sensor="til")), fx.Sensor("tilt", "pin.angle")],
            r"torque 't': torque: there is no sensor 'til'; did you mean 'tilt'",
        ),
        (
            [fx.Sensor("tilt", "pin.angle"), fx.Motor("m", "pin", speed=fx.polynomial(0, 1, sensor="tilt"))],
            r"motor 'm': speed cannot depend on a sensor",
        ),
    ],
)  # fmt: skip
def test_mistakes_are_told(items: list, message: str) -> None:
    with pytest.raises(fx.ModelError, match=message):
        fx.Model("wrong", [ARM, PIN, *items], gravity=DOWN).check()


def test_a_loop_without_a_solution_is_refused() -> None:
    """m a = f + c a with c = m."""
    block = fx.RigidBody("block", mass=2.0, inertia=0.1)
    items = [
        block,
        fx.Prismatic("slide", fx.ground, block, axis="x"),
        fx.Sensor("felt", "block.acceleration_x"),
        fx.PointForce("push", block, direction="x", force=10.0),
        fx.PointForce("less", block, direction="x", force=fx.polynomial(0, 2.0, sensor="felt")),
    ]
    with pytest.raises(fx.SolveError):
        fx.Model("weightless", items).dynamics(until=0.1, step=0.01, **QUIET)


def test_parts_of_a_function_depend_on_one_thing() -> None:
    with pytest.raises(fx.ModelError, match="functions of different things: time, sensor 'tilt'"):
        _ = fx.polynomial(0, 1, sensor="tilt") + fx.sine(1, frequency=2)
    assert (2 * fx.polynomial(0, 1, sensor="tilt") + 3).reads == "tilt"


def test_sensors_in_a_closed_loop() -> None:
    """A four-bar whose crank is held by a torque that a sensor of the rocker steers: the same as a spring on the rocker's angle,
    seen through the ratio of the parallelogram, which is one."""
    a, c = (fx.RigidBody(name, mass=1, inertia=0.01, center_of_mass=(0.15, 0, 0)) for name in "ac")
    b = fx.RigidBody("b", mass=1, inertia=0.1, center_of_mass=(0.5, 0, 0))
    items = [
        a,
        b,
        c,
        fx.Revolute("A", fx.ground, a, start="60 deg"),
        fx.Revolute("B", a.at(0.3, 0, 0), b),
        fx.Revolute("C", fx.ground.at(1, 0, 0), c),
        fx.Revolute("D", b.at(1, 0, 0), c.at(0.3, 0, 0)),
    ]
    steered = [
        *items,
        fx.Sensor("seen", "C.angle"),
        fx.PointTorque("t", a, direction="z", torque=fx.polynomial(4, -8, sensor="seen")),
    ]
    sprung = [*items, fx.JointSpring("s", "A", stiffness=8, free=0.5)]
    runs = [
        fx.Model("four-bar", each, gravity=DOWN).dynamics(until=0.3, step=1e-3, **QUIET) for each in (steered, sprung)
    ]
    np.testing.assert_allclose(runs[0]["A.angle"], runs[1]["A.angle"], rtol=0, atol=1e-9)


def test_a_sensor_does_not_read_itself():
    body = fx.RigidBody("body", mass=1, inertia=0.1)
    model = fx.Model("m", [body, fx.Prismatic("rail", fx.ground, body), fx.Sensor("eye", "eye.value")])
    with pytest.raises(fx.ModelError, match="it would read itself"):
        model.check()


@pytest.mark.parametrize(
    ("of", "force", "wrong"),
    [
        ("rail.displacement", fx.ramp("0 N", "5 N", over="2 m", sensor="eye"), None),
        ("rail.displacement", fx.ramp("0 N", "5 N", over="2 s", sensor="eye"), "force.over = '2 s'"),
        ("rail.displacement", fx.polynomial(0, "-60 N/m", sensor="eye"), None),
        ("rail.displacement_rate", fx.polynomial(0, "-60 N/m", sensor="eye"), "-60 N/m"),
        ("rail.displacement_rate", fx.polynomial(0, "-60 N s/m", sensor="eye"), None),
        ("rail.torque_x", 2 * fx.step("0 N", "5 N", at="1 N m", sensor="eye"), None),
        ("rail.displacement", fx.sine(amplitude=1, frequency="3 Hz", sensor="eye"), "Hz is a frequency in time"),
    ],
)
def test_functions_of_a_sensor_have_its_units(of, force, wrong):
    body = fx.RigidBody("body", mass=1, inertia=0.1)
    items = [body, fx.Prismatic("rail", fx.ground, body, axis="x"), fx.Sensor("eye", of)]
    found = str(
        fx.Model("m", [*items, fx.PointForce("push", body, direction="x", force=force)]).check(raise_errors=False)
    )
    if wrong is None:
        assert found == "no problems"
    else:
        assert wrong in found
        assert "sensor 'eye' reads" in found


def test_lengths_of_a_sensor_are_refused_for_that_reason():
    body = fx.RigidBody("body", mass=1, inertia=0.1)
    rod = fx.Distance("rod", fx.ground.at(-1, 0, 0), body, length=fx.polynomial(0, 1, sensor="eye"))
    items = [body, fx.Prismatic("rail", fx.ground, body, axis="x"), fx.Sensor("eye", "rail.displacement"), rod]
    assert "length cannot depend on a sensor" in str(fx.Model("m", items).check(raise_errors=False))
