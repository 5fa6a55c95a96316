"""Sensors: feedback is that of the same instant, through positions, rates, accelerations and reactions."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexor as fx
from flexor.solve.mode_doubts import UnsymmetricStiffness

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
    assert not steered().modes(1).complex
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


@pytest.mark.parametrize("together", [False, True])
def test_an_inverted_pendulum_is_balanced(together: bool) -> None:
    """On a cart, by a force on it that follows tilt and its rate (in one formula, too), against an independent integration."""
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
    ]
    if together:
        items.append(fx.PointForce("pd", cart, direction="x", force=f"-{kp}*tilt - {kd}*spin"))
    else:
        items.append(fx.PointForce("p", cart, direction="x", force=fx.polynomial(0, -kp, sensor="tilt")))
        items.append(fx.PointForce("d", cart, direction="x", force=fx.polynomial(0, -kd, sensor="spin")))
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
            [fx.Sensor("tilt", "pin.angle"), fx.Motor("m", "pin", acceleration=fx.polynomial(0, 1, sensor="tilt"))],
            r"motor 'm': acceleration cannot depend on a sensor",
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


def test_parts_of_a_function_depend_on_one_thing_or_on_several() -> None:
    assert (fx.polynomial(0, 1, sensor="tilt") + fx.sine(1, frequency=2)).arguments == ("tilt", None)
    assert (2 * fx.polynomial(0, 1, sensor="tilt") + 3).arguments == ("tilt",)


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


SLIDER = fx.RigidBody("b", mass=2.0, inertia=0.1)


def slides(*items: object, **start: float) -> fx.Model:
    return fx.Model("slides", [SLIDER, fx.Prismatic("s", fx.ground, SLIDER, axis="x", **start), *items])


def pushed(force: object, of: str = "s.displacement") -> fx.Model:
    return slides(fx.Sensor("x", of), fx.PointForce("F", SLIDER, direction="x", force=force))


@pytest.mark.parametrize(
    "force",
    [
        fx.polynomial("1 N", "-200 N/m", sensor="x"),
        fx.table(["0 mm", "20 mm"], ["0 N", "5 N"], sensor="x"),
        fx.step(0, "1 N", at="10 mm", sensor="x"),
        2 * fx.ramp(0, "1 kN", over="10 mm", sensor="x"),
    ],
)
def test_units_in_a_function_of_a_sensor_are_those_of_what_it_reads(force: object) -> None:
    pushed(force).check()
    with pytest.raises(fx.ModelError, match="sensor 'x' reads m/s"):
        pushed(force, "s.displacement_rate").check()


@pytest.mark.parametrize(
    "force",
    [
        fx.polynomial(0, "-200 N/s", sensor="x"),
        fx.table(["0 s", "1 s"], [0, 1], sensor="x"),
        fx.step(0, 1, at="1 s", sensor="x"),
        fx.sine(1, frequency="10 Hz", sensor="x"),
    ],
)
def test_units_of_time_in_a_function_of_a_position_are_refused(force: object) -> None:
    with pytest.raises(fx.ModelError, match="sensor 'x' reads m"):
        pushed(force).check()


def test_the_value_of_a_function_of_a_sensor_has_the_unit_of_its_place() -> None:
    for force in (fx.polynomial("1 m", "2 N/m", sensor="x"), fx.table([0, 1], ["0 m", "5 m"], sensor="x")):
        with pytest.raises(fx.ModelError, match="force is measured in N"):
            pushed(force)


def test_a_view_from_a_marker_is_refused_where_nothing_is_seen() -> None:
    with pytest.raises(fx.ModelError, match="leave out seen_from"):
        slides(fx.Sensor("x", "s.displacement", seen_from="b")).check()


def test_the_ground_is_seen_from_a_body() -> None:
    run = slides(fx.Sensor("x", "ground.position_x", seen_from="b"), start=0.3).dynamics(until=0.01, step=0.01, **QUIET)
    np.testing.assert_allclose(run["x.value"], -0.3, rtol=1e-12)


def test_sensors_read_sensors_in_any_order_but_not_themselves() -> None:
    read = [fx.Sensor("first", "second.value"), fx.Sensor("second", "s.displacement")]
    for sensors in (read, read[::-1]):
        run = slides(*sensors, start=0.3).dynamics(until=0.01, step=0.01, **QUIET)
        np.testing.assert_allclose(run["first.value"], 0.3, rtol=1e-12)
    for sensors in ([fx.Sensor("a", "b c.value"), fx.Sensor("b c", "a.value")], [fx.Sensor("a", "a.value")]):
        with pytest.raises(fx.ModelError, match="it reads itself: a → "):
            slides(*sensors).check()


def test_the_angle_of_an_eliminated_joint_is_read() -> None:
    pin = PIN.replace(enforcement="elimination")
    model = steered().replace(items=tuple(pin if item.name == "pin" else item for item in steered().items))
    model = model.with_item(fx.Sensor("rate", "pin.angle_rate"), fx.Sensor("second", "pin.angle_acceleration"))
    run = model.dynamics(until=0.5, step=0.001, **QUIET)
    np.testing.assert_allclose(run["tilt.value"], run["pin.angle"], rtol=0, atol=1e-14)
    np.testing.assert_allclose(run["rate.value"], run["spin.value"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(run["second.value"], run["arm.angular_acceleration_z"], rtol=0, atol=1e-9)
    assert run.units["second.value"] == "rad/s²"
    other = sprung().dynamics(until=0.5, step=0.001, **QUIET)
    assert run["pin.angle"][-1] == pytest.approx(other["pin.angle"][-1], abs=1e-5)
    with pytest.raises(fx.ModelError, match="enforcement: multipliers"):
        model.with_item(fx.Sensor("N", "pin.force_x")).check()


@pytest.mark.parametrize("gain", [-200.0, 200.0])
def test_an_equilibrium_that_feedback_makes_unstable_is_told(gain: float) -> None:
    model = pushed(fx.polynomial(0, gain, sensor="x"))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert model.statics()["s.displacement"] == pytest.approx(0, abs=1e-9)
    assert [each.category for each in told] == [fx.UnstableEquilibrium] * (gain > 0)


def test_an_equilibrium_that_feedback_holds_is_stable() -> None:
    """A pole that stands on its pivot, held by a torque against its tilt that is stronger than its weight."""
    pole = fx.RigidBody("pole", mass=1.0, inertia=0.1, center_of_mass=(0, 0.5, 0))
    torque = fx.PointTorque("t", pole, direction="z", torque=fx.polynomial(0, -10, sensor="tilt"))
    items = [pole, fx.Revolute("pivot", fx.ground, pole, start=0.2), fx.Sensor("tilt", "pivot.angle"), torque]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert fx.Model("held", items, gravity=DOWN).statics()["pivot.angle"] == pytest.approx(0, abs=1e-9)


def test_modes_count_accelerations_that_are_fed_back() -> None:
    """F = −c ẍ₁ on the second of two sprung masses: M = [[m, 0], [c, m]], which is not symmetric."""
    a, b = (fx.RigidBody(name, mass=1.0, inertia=0.1) for name in "ab")
    items = [
        *(a, b),
        fx.Prismatic("s", fx.ground, a, axis="x"),
        fx.Prismatic("r", fx.ground, b, axis="x"),
        fx.JointSpring("k", "s", stiffness=100),
        fx.JointSpring("l", "r", stiffness=150),
        fx.AxialSpring("c", a.at(-1, 0, 0), b.at(1, 0, 0), stiffness=50, free_length=2),
        fx.Sensor("acc", "a.acceleration_x"),
        fx.PointForce("F", b, direction="x", force=fx.polynomial(0, -0.6, sensor="acc")),
    ]
    K, M = np.array([[150.0, -50.0], [-50.0, 200.0]]), np.array([[1.0, 0.0], [0.6, 1.0]])
    squares = np.sort(np.linalg.eigvals(np.linalg.solve(M, K)))
    found = fx.Model("two", items).modes(2)
    np.testing.assert_allclose(found.frequencies, np.sqrt(squares) / (2 * np.pi), rtol=1e-9)
    with pytest.warns(UnsymmetricStiffness, match="mass .* not symmetric.*complex=True"):
        fx.Model("two", items).modes(2, complex=False)


def felt_back(gain: float, of: str = "b.acceleration_x") -> fx.Model:
    force = fx.PointForce("F", SLIDER, direction="x", force=fx.polynomial(0, gain, sensor="x"))
    return slides(fx.JointSpring("k", "s", stiffness=200), fx.Sensor("x", of), force)


def test_feedback_of_more_than_the_mass_is_unstable() -> None:
    """m ẍ = c ẍ − k x:  λ² = k/(c − m)"""
    found = felt_back(4.0).modes(1)
    assert found.unstable.all()
    assert found.eigenvalues[0] == pytest.approx(10.0, rel=1e-9)
    with pytest.raises(fx.SolveError, match="mass about this state is not positive"):
        felt_back(4.0).modes(1, complex=False)


@pytest.mark.parametrize(("gain", "of"), [(2.0, "b.acceleration_x"), (1.0, "F.force")])
def test_feedback_that_makes_up_for_what_it_reads_is_told(gain: float, of: str) -> None:
    with pytest.raises(fx.SolveError, match="feedback by sensor 'x'"):
        felt_back(gain, of).dynamics(until=0.01, step=0.01, **QUIET)


def test_a_force_that_is_its_own_has_no_equilibrium() -> None:
    with pytest.raises(fx.SolveError, match="feedback by sensor 'x'"):
        felt_back(1.0, "F.force").statics()


def test_a_sensor_does_not_read_itself():
    body = fx.RigidBody("body", mass=1, inertia=0.1)
    model = fx.Model("m", [body, fx.Prismatic("rail", fx.ground, body), fx.Sensor("eye", "eye.value")])
    with pytest.raises(fx.ModelError, match="it reads itself"):
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


def test_a_marker_that_is_not_there() -> None:
    body = fx.RigidBody("body", mass=1, inertia=0.1, markers={"tip": (1, 0, 0)})
    for of, told in (
        ("body.tpi.position_x", "body 'body' has no marker 'tpi', did you mean 'tip'"),
        ("ground.tip.position_x", "the ground has no markers"),
    ):
        model = fx.Model("m", [body, fx.Prismatic("rail", fx.ground, body), fx.Sensor("eye", of)])
        with pytest.raises(fx.ModelError, match=told):
            model.check()
