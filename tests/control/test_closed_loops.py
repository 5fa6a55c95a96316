"""Controllers and mechanisms together, against independent integrations and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import signal
from scipy.integrate import solve_ivp

import flexor as fx

QUIET = {"show": False}
M, C, K = 2.0, 1.0, 50.0
KP, TI, TD, TF = 30.0, 0.5, 0.2, 0.02
NUM, DEN = KP * np.polymul([TI, 1], [TD, 1]), np.polymul([TI, 0], [TF, 1])
CLOSED = np.polyadd(np.polymul([M, C, K], DEN), NUM)
"""Characteristic polynomial of a mass on a spring under PI + limited D."""


def servo(**fields):
    mass = fx.RigidBody("mass", M, 1)
    return fx.Model(
        "servo",
        [
            mass,
            fx.Prismatic("rail", fx.ground, mass, axis="x"),
            fx.JointSpring("spring", "rail", stiffness=K, damping=C),
            fx.Sensor("place", "rail.displacement"),
            fx.PILimitedD("controller", "0.1 - place", KP, TI, TD, TF, **fields),
            fx.PointForce("drive", mass, direction="x", force="controller"),
            fx.PointForce("load", mass, direction="x", force=0),
        ],
    )


def test_closed_loop_poles_are_eigenvalues_of_the_linearised_whole():
    found = servo().modes(10).eigenvalues
    expected = np.roots(CLOSED)
    expected = expected[expected.imag >= 0]
    np.testing.assert_allclose(found[np.argsort(np.abs(found))], expected[np.argsort(np.abs(expected))], rtol=1e-8)


def test_modes_without_damping_are_refused():
    with pytest.raises(fx.SolveError, match=r"controller: state 1.*complex=True"):
        servo().modes(3, complex=False)


def test_frequency_response_of_the_closed_loop():
    f = np.array([0.1, 1.0, 2.0, 5.0])
    found = servo().frequency_response(f, "load", outputs=["place", "controller"]).values[:, :, 0]
    s = 2j * np.pi * f
    place = np.polyval(DEN, s) / np.polyval(CLOSED, s)
    np.testing.assert_allclose(found[:, 0], place, rtol=1e-9)
    np.testing.assert_allclose(found[:, 1], -place * np.polyval(NUM, s) / np.polyval(DEN, s), rtol=1e-9)


def test_an_integrator_holds_what_rest_needs():
    """No error is left, and the run goes on from there."""
    model = servo()
    rest = model.statics()
    assert rest["place.value"] == pytest.approx(0.1, rel=1e-12)
    assert rest["controller.value"] == pytest.approx(K * 0.1, rel=1e-12)
    run = model.dynamics(until=0.1, step=0.01, start=rest, **QUIET)
    np.testing.assert_allclose(run["place.value"].values, 0.1, rtol=1e-10)


@pytest.mark.filterwarnings("ignore::flexor.solve.EnergyDrift")
def test_the_loop_is_of_second_order_and_loose_coupling_of_first():
    _, y = signal.step(signal.TransferFunction(0.1 * NUM, CLOSED), T=np.linspace(0, 1, 2001))
    errors = {}
    for coupling in ("tight", "loose"):
        for step in (0.01, 0.005):
            run = servo(coupling=coupling).dynamics(until=1, step=step, **QUIET)
            errors[coupling, step] = run["place.value"].values[-1] - y[-1]
    assert 3.2 < errors["tight", 0.01] / errors["tight", 0.005] < 4.5
    assert 1.6 < errors["loose", 0.01] / errors["loose", 0.005] < 2.5
    assert abs(errors["loose", 0.005]) < 5e-3


@pytest.mark.parametrize("rate", [None, "-spin"])
def test_pid_holds_an_inverted_pendulum(rate):
    """J φ̈ = m g l sin φ + M, M = K_p (e + ∫e/T_i + T_d ė), e = −φ, with a differentiated or a measured rate."""
    m, length, inertia, g = 1.3, 0.4, 0.02, 9.81
    J, kp, ti, td = inertia + m * length**2, 14.0, 0.8, 0.3
    rod = fx.RigidBody("rod", m, inertia, center_of_mass=(0, length, 0))
    model = fx.Model(
        "pendulum",
        gravity=(0, -g, 0),
        items=[
            rod,
            fx.Revolute("pivot", fx.ground, rod, axis="z", start=0.2),
            fx.Sensor("tilt", "pivot.angle"),
            fx.Sensor("spin", "pivot.angle_rate"),
            fx.PID("pid", "-tilt", kp, ti, td, rate=rate),
            fx.PointTorque("motor", rod, direction="z", torque="pid"),
        ],
    )
    run = model.dynamics(until=1.5, step=1e-3, **QUIET)

    def rates(t, x):
        return [x[1], (m * g * length * np.sin(x[0]) - kp * (x[0] + x[2] / ti + td * x[1])) / J, x[0]]

    exact = solve_ivp(rates, (0, 1.5), [0.2, 0, 0], t_eval=run.time, rtol=1e-10, atol=1e-12).y[0]
    assert np.abs(run["tilt.value"].values - exact).max() < (2e-6 if rate else 1e-4)


@pytest.mark.parametrize("where", ["hub", "tip"])
def test_flexible_arm_with_the_sensor_at_the_drive_or_at_the_tip(where):
    """Two inertias and a torsion spring under PD with a filter: collocated it is damped, non-collocated it is unstable."""
    j1, j2, k, kp, td, tf = 0.3, 0.1, 40.0, 20.0, 0.15, 0.004
    hub, tip = fx.RigidBody("hub", 1, j1), fx.RigidBody("tip", 1, j2)
    model = fx.Model(
        "arm",
        [
            *(hub, tip),
            fx.Revolute("shaft", fx.ground, hub, axis="z"),
            fx.Revolute("arm", hub, tip, axis="z"),
            fx.JointSpring("bending", "arm", stiffness=k),
            fx.Sensor("hub angle", "shaft.angle"),
            fx.Sensor("bend", "arm.angle"),
            fx.PLimitedD("controller", "0.1 - 'hub angle'" + (" - bend" if where == "tip" else ""), kp, td, tf),
            fx.PointTorque("motor", hub, direction="z", torque="controller"),
        ],
    )
    A = np.zeros((5, 5))  # φ1, φ2, rates, state of u/(1 + T s): y = K (T_d/T_f) u + K (1 − T_d/T_f) x
    A[0, 2] = A[1, 3] = 1
    A[2, :2], A[3, :2] = np.array([-k, k]) / j1, np.array([k, -k]) / j2
    read = -np.eye(5)[0 if where == "hub" else 1]
    A[2] += kp * td / tf / j1 * read
    A[2, 4] += kp * (1 - td / tf) / j1
    A[4] = read / tf
    A[4, 4] -= 1 / tf
    poles = np.linalg.eigvals(A)
    modes = model.modes(10)
    expected = np.sort_complex(poles[poles.imag >= 0])
    np.testing.assert_allclose(np.sort_complex(modes.eigenvalues), expected, rtol=1e-6)
    assert modes.unstable.any() == (where == "tip")
    given = np.array([0, 0, kp * td / tf / j1, 0, 1 / tf]) * 0.1
    run = model.dynamics(until=0.3, step=2e-4, **QUIET)
    exact = solve_ivp(lambda t, x: A @ x + given, (0, 0.3), np.zeros(5), t_eval=run.time, rtol=1e-10, atol=1e-12).y
    np.testing.assert_allclose(run["hub angle.value"].values, exact[0], atol=5e-4 * np.abs(exact[0]).max())


def test_a_sampled_controller_is_dead_beat():
    """m ẍ = u held over T: u = −m (x − r)/T² − 3 m v/(2 T) brings it to rest in two samples."""
    m, T, goal = 1.7, 0.05, 0.3
    mass = fx.RigidBody("mass", m, 1)
    law = f"{m / T**2}*({goal} - place) - {1.5 * m / T}*speed"
    model = fx.Model(
        "positioner",
        [
            mass,
            fx.Prismatic("rail", fx.ground, mass, axis="x"),
            fx.Sensor("place", "rail.displacement"),
            fx.Sensor("speed", "rail.displacement_rate"),
            fx.SampleAndHold("hold", law, T),
            fx.PointForce("drive", mass, direction="x", force="hold"),
        ],
    )
    run = model.dynamics(until=4 * T, step=T / 7.3, output=T / 7.3, **QUIET)
    late = run.time > 2 * T + 1e-9
    assert late.sum() > 5
    np.testing.assert_allclose(run["place.value"].values[late], goal, rtol=1e-9)
    np.testing.assert_allclose(run["speed.value"].values[late], 0.0, atol=1e-8)


@pytest.mark.filterwarnings("ignore::flexor.solve.EnergyDrift")
def test_second_order_is_kept_across_switches():
    """A mass on a spring under a relay and a limited controller: both switch several times."""
    m, k = 1.0, 30.0
    mass = fx.RigidBody("mass", m, 1)
    items = [
        mass,
        fx.Prismatic("rail", fx.ground, mass, axis="x", start=0.5),
        fx.JointSpring("spring", "rail", stiffness=k),
        fx.Sensor("place", "rail.displacement"),
        fx.Sensor("speed", "rail.displacement_rate"),
        fx.LogicSwitch("relay", "place", 2, -2, 0.05),
        fx.Limitation("limit", "-5*speed", -4, 4),
        fx.RealPole("lag", "relay", 0.05),
        fx.PointForce("drive", mass, direction="x", force="lag + limit"),
    ]

    def rates(t, x):
        relay = -2.0 if x[0] >= 0.05 else 2.0
        return [x[1], (-k * x[0] + x[2] + np.clip(-5 * x[1], -4, 4)) / m, (relay - x[2]) / 0.05]

    exact = solve_ivp(rates, (0, 1), [0.5, 0, 0], rtol=1e-9, atol=1e-11, max_step=1e-3).y[0, -1]
    errors = []
    for step in (0.01, 0.005, 0.0025):
        run = fx.Model("switched", items).dynamics(until=1, step=step, **QUIET)
        errors.append(abs(run["place.value"].values[-1] - exact))
    assert errors[0] / errors[2] > 9  # 16 at second order, 4 at first
    assert errors[2] < 1e-4


def test_limit_cycle_with_a_dead_zone():
    """m ẍ − c ẋ + g dz(ẋ) + k x = 0 swings up to where damping beyond the dead zone makes up for what feeds it."""
    m, k, c, g, width = 1.0, 100.0, 0.8, 3.0, 0.5
    mass = fx.RigidBody("mass", m, 1)
    model = fx.Model(
        "cycle",
        [
            mass,
            fx.Prismatic("rail", fx.ground, mass, axis="x", start=0.02),
            fx.JointSpring("spring", "rail", stiffness=k),
            fx.Sensor("speed", "rail.displacement_rate"),
            fx.DeadZone("brake", "speed", -width, width),
            fx.PointForce("drive", mass, direction="x", force=f"{c}*speed - {g}*brake"),
        ],
    )
    run = model.dynamics(until=12, step=5e-3, **QUIET)
    last = run.time > 11
    top = np.abs(run["speed.value"].values[last]).max()

    def rates(t, x):
        return [x[1], (c * x[1] - g * (x[1] - np.clip(x[1], -width, width)) - k * x[0]) / m]

    exact = solve_ivp(rates, (0, 12), [0.02, 0], rtol=1e-9, atol=1e-11, max_step=5e-3)
    assert top == pytest.approx(np.abs(exact.y[1][exact.t > 11]).max(), rel=2e-3)
    ratio = width / top  # describing function of the dead zone: c = g (1 − (2/π)(asin r + r √(1 − r²)))
    assert g * (1 - 2 / np.pi * (np.arcsin(ratio) + ratio * np.sqrt(1 - ratio**2))) == pytest.approx(c, rel=0.03)


def test_an_algebraic_loop_is_solved():
    """y = 1 − 2 y"""
    loop = [fx.Amplifier("gain", "sum", 2), fx.Comparator("sum", [1, "gain"]), fx.Multiplier("square", ["sum", "sum"])]
    run = fx.Model("loop", loop).dynamics(until=0.1, step=0.05, **QUIET)
    np.testing.assert_allclose(run["sum.value"].values, 1 / 3, rtol=1e-12)
    np.testing.assert_allclose(run["square.value"].values, 1 / 9, rtol=1e-12)
    assert fx.Model("loop", loop).statics()["sum.value"] == pytest.approx(1 / 3, rel=1e-12)


def test_a_loop_without_solution_is_refused():
    loop = [fx.Amplifier("gain", "sum", 1), fx.Adder("sum", [1, "gain"])]
    with pytest.raises(fx.SolveError, match=r"algebraic loop.*(gain → sum → gain|sum → gain → sum).*lag"):
        fx.Model("loop", loop).dynamics(until=0.1, step=0.05, **QUIET)


def test_an_integrator_that_cannot_rest_is_named():
    with pytest.raises(fx.SolveError, match=r"'total' cannot come to rest.*2 per second"):
        fx.Model("open", [fx.Integrator("total", 2.0)]).statics()
    kept = fx.Model("open", [fx.Integrator("total", 0.0, initial=3.0)]).statics()
    assert kept["total.value"] == pytest.approx(3.0, rel=1e-9)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: fx.TransferFunction("d", 1, [1, 2, 3], [1, 1]), "improper.*degree 2.*degree 1.*add a pole"),
        (lambda: fx.PLimitedD("d", 1, 2, 0.1, 0.2), "derivative_time = 0.1 s is not longer than filter_time"),
        (lambda: fx.Limitation("l", 1, 3, 2), "lower = 3 is not below upper = 2"),
        (lambda: fx.StateSpace("p", [1], [[1, 2]], [[1]], [[1]]), "A: it must be 1 × 1"),
        (lambda: fx.RealPole("p", 1, "3 m"), "time"),
        (lambda: fx.Comparator("c", [1, 2, 3]), "compares two, and 3 are given"),
    ],
)
def test_what_is_wrong_is_told(make, told):
    with pytest.raises((fx.ModelError, ValueError), match=told):
        make()


def test_an_unknown_input_is_told():
    with pytest.raises(fx.ModelError, match=r"there is no sensor 'tlit'.*tilt"):
        fx.Model("m", [fx.Amplifier("tilt", 1, 2), fx.Amplifier("b", "tlit", 2)]).check()


def test_systems_of_other_packages():
    lag = signal.TransferFunction([2], [0.1, 1])
    assert fx.TransferFunction.of("lag", 1, lag).denominator == pytest.approx((1, 10))
    assert fx.StateSpace.of("lag", 1, lag.to_ss()).A == ((-10.0,),)
    with pytest.raises(fx.ModelError, match=r"discrete time.*SampleAndHold"):
        fx.TransferFunction.of("lag", 1, signal.TransferFunction([2], [0.1, 1], dt=0.1))
    control = pytest.importorskip("control", reason="the extra `control`")
    assert fx.TransferFunction.of("lag", 1, control.tf([2], [0.1, 1])).numerator == (2.0,)
    assert fx.StateSpace.of("lag", 1, control.ss([[-1.0]], [[1.0]], [[2.0]], [[0.0]])).C == ((2.0,),)


def test_a_run_goes_on_after_a_restart(tmp_path):
    model = servo()
    whole = model.dynamics(until=0.4, step=0.01, **QUIET)
    half = model.dynamics(until=0.2, step=0.01, **QUIET)
    rest = model.dynamics(until=0.4, step=0.01, start=half, **QUIET)
    assert rest["place.value"].values[-1] == pytest.approx(whole["place.value"].values[-1], rel=2e-3)


def test_a_slow_pole_beside_a_stiff_body_is_no_free_motion():
    """J s³ + K_p T_d s² + K_p s + K_p/T_i, whatever stiff part is carried along."""
    hub, load = fx.RigidBody("hub", 1, 0.5), fx.RigidBody("load", 1, 0.2)
    J, kp, ti, td = 0.7, 22.0, 2.0, 0.3
    model = fx.Model(
        "stiff",
        [
            *(hub, load),
            fx.Revolute("shaft", fx.ground, hub, axis="z"),
            fx.Revolute("coupling", hub, load, axis="z"),
            fx.JointSpring("teeth", "coupling", stiffness=1e9, damping=1e3),
            fx.Sensor("angle", "shaft.angle"),
            fx.Sensor("rate", "shaft.angle_rate"),
            fx.PID("pid", "0.3 - angle", kp, ti, td, rate="-rate"),
            fx.PointTorque("motor", hub, direction="z", torque="pid"),
        ],
    )
    expected = np.roots([J, kp * td, kp, kp / ti])
    found = model.modes(3).eigenvalues[:2]
    np.testing.assert_allclose(found, sorted(expected[expected.imag >= 0], key=abs), rtol=1e-5)
    free = fx.Model("open", [*model.items[:7], fx.Integrator("total", "rate")]).modes(5)
    assert free.rigid.sum() == 2  # the angle, and what the integrator begins with


def test_a_jump_of_the_input_costs_no_order():
    """Step to 1 at t = 0.103 into a lag, between points of the grid."""
    lag = fx.RealPole("lag", fx.step(0, 1, at=0.103), 0.05)
    errors = []
    for step in (0.01, 0.005):
        run = fx.Model("jump", [lag]).dynamics(until=0.2, step=step, **QUIET)
        errors.append(run["lag.value"].values[-1] - (1 - np.exp(-(0.2 - 0.103) / 0.05)))
    assert 3.0 < errors[0] / errors[1] < 5.0
    assert abs(errors[1]) < 2e-3


def test_a_block_that_is_called_like_a_number():
    items = [fx.PI("pi", 1, 2, 0.5), fx.Amplifier("twice", "2*pi", 1)]
    with pytest.raises(fx.ModelError, match=r"what is pi in the formula.*3.142.*quotes"):
        fx.Model("m", items).check()
    fx.Model("m", [items[0], fx.Amplifier("twice", items[0], 2)]).check()


def test_a_block_that_is_called_like_the_time():
    items = [fx.Amplifier("t", 3, 1), fx.Integrator("sum", "t")]
    with pytest.raises(fx.ModelError, match=r"block 'sum'.*what is t in the formula.*the time.*'t' in quotes"):
        fx.Model("m", items).check()
    fx.Model("m", [items[0], fx.Integrator("sum", items[0])]).check()


RUNNING = (fx.Revolute, {"axis": "z"}, "angle"), (fx.Prismatic, {"axis": "x"}, "displacement")


@pytest.mark.parametrize(("kind", "fields", "variable"), RUNNING)
@pytest.mark.parametrize("position", ["goal", "2*goal + 0.1*'seen' + 0.05*sin(3*t)"])
def test_a_motor_with_stiffness_follows_blocks(kind, fields, variable, position):
    """As the joint spring with the same free value, about which nothing is new; its power is what the energy balance takes for work."""
    body = fx.RigidBody("mass", 2, 1)
    joint = kind("joint", fx.ground, body, **fields)
    items = [body, joint, fx.Sensor("seen", of=f"joint.{variable}"), fx.RealPole("goal", "0.3*sin(4*t)", 0.1)]
    motor = fx.Motor("drive", joint, position=position, stiffness=4e3, damping=20)
    spring = fx.JointSpring("drive", joint, free=position, stiffness=4e3, damping=20)
    run, same = (fx.Model("m", [*items, each]).dynamics(until=1, step=2e-3, **QUIET) for each in (motor, spring))
    moved = run[f"joint.{variable}"].values
    np.testing.assert_allclose(moved, same[f"joint.{variable}"].values, atol=1e-10)
    assert np.abs(moved).max() > 0.1
    np.testing.assert_allclose(run["drive.error"].values, moved - run["drive.target"].values, atol=1e-12)
    effort = run["drive.torque" if variable == "angle" else "drive.force"].values
    np.testing.assert_allclose(effort, same["drive.torque" if variable == "angle" else "drive.force"].values, atol=1e-6)
    sums = run["energy.check_sum"].values
    assert np.abs(sums - sums[0]).max() < 2e-3 * run["energy.kinetic"].values.max()
    poles, of_spring = (fx.Model("m", [*items, each]).modes(2).eigenvalues for each in (motor, spring))
    np.testing.assert_allclose(poles, of_spring, rtol=1e-9)


def test_a_motor_holds_by_a_spring_what_it_is_told_in_equilibrium():
    arm = fx.RigidBody("arm", 2, (0.1, 0.1, 0.1), center_of_mass=(0.5, 0, 0))
    pin = fx.Revolute("pin", fx.ground, arm, axis="z")
    drive = fx.Motor("drive", pin, position="goal", stiffness=1e5)
    model = fx.Model("m", [arm, pin, fx.Amplifier("goal", "0.4", 1.0), drive], gravity=(0, -9.81, 0))
    angle = float(model.statics()["pin.angle"])
    assert 1e5 * (0.4 - angle) == pytest.approx(2 * 9.81 * 0.5 * np.cos(angle), rel=1e-6)


def test_a_stiff_spring_follows_a_block_and_a_motor_says_so():
    mass = fx.RigidBody("mass", 2, 1)
    items = [mass, fx.Prismatic("rail", fx.ground, mass, axis="x"), fx.RealPole("goal", "0.1*sin(t)", 0.1)]
    with pytest.raises(fx.ModelError, match=r"cannot follow block 'goal'.*stiffness.*position='goal'"):
        fx.Model("motor", [*items, fx.Motor("drive", "rail", position="goal")]).check()
    spring = fx.JointSpring("drive", "rail", stiffness=1e5, damping=100, free="goal")
    run = fx.Model("spring", [*items, spring]).dynamics(until=0.5, step=0.01, **QUIET)
    np.testing.assert_allclose(run["rail.displacement"].values, run["goal.value"].values, atol=1e-4)
