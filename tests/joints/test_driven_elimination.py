"""Motion by elimination: what is a function of time is no unknown. The same as by multipliers and as by stiff springs."""

import numpy as np
import pytest

import flexor as fx
from flexor.errors import LawError, ModelError
from flexor.mesh.generate import bar

G = 9.81
U = fx.sine(0.05, frequency=1.5, phase="90 deg", offset=-0.05)
STILL = {"y": 0, "z": 0, "angle_x": 0, "angle_y": 0, "angle_z": 0}
STIFF = {"stiffness": 1e8, "rotational_stiffness": 1e8, "damping": 1e4, "rotational_damping": 1e4}


def cart(way, pin="auto"):
    """A pendulum on a cart that is moved."""
    body = fx.RigidBody("cart", mass=3, inertia=0.2)
    bob = fx.RigidBody("bob", mass=1, inertia=0.02, center_of_mass=(0, 0, -0.5))
    items = [body, bob, fx.Revolute("pin", body, bob, axis="y", start="20 deg", enforcement=pin)]
    if way.startswith("motor"):
        how = way.removeprefix("motor by ")
        rail = fx.Prismatic("rail", fx.ground, body, axis="x", enforcement=how)
        items += [rail, fx.Motor("m", rail, position=U, enforcement=how)]
    elif way == "springs":
        items.append(fx.PrescribedMotion("m", body, x=U, **STILL, **STIFF))
    else:
        items.append(fx.PrescribedMotion("m", body, x=U, **STILL, enforcement=way))
    return fx.Model("cart", items, gravity=(0, 0, -G))


def force_of(run):
    return run["m.x.force" if "m.x.force" in run else "m.force"]


@pytest.mark.parametrize("pin", ["auto", "elimination"])
@pytest.mark.parametrize("way", ["motor by elimination", "elimination", "springs"])
def test_the_same_as_by_multipliers(way, pin):
    """Motion and reaction force; F = m ẍ of cart and bob together."""
    held = cart("multipliers", pin).dynamics(until=1, step=0.002, show=False)
    run = cart(way, pin).dynamics(until=1, step=0.002, show=False)
    near = (
        1e-7 if (way, pin) in {("elimination", "auto"), ("motor by elimination", "auto")} else 2e-5
    )  # as their steps differ
    np.testing.assert_allclose(run["pin.angle"], held["pin.angle"], atol=near)
    last = slice(200, None) if way == "springs" else slice(5, None)  # springs ring at first
    np.testing.assert_allclose(force_of(run)[last], force_of(held)[last], atol=5e-3)
    if way != "springs":
        arm = run["bob.acceleration"][:, 0]
        spin, turn = run["bob.angular_velocity_y"], run["bob.angular_acceleration_y"]
        angle = run["pin.angle"]
        # centre of the bob: a + α × r + ω × (ω × r), r = −½ m along its z axis
        centre = arm - 0.5 * (turn * np.cos(angle) - spin**2 * np.sin(angle))
        np.testing.assert_allclose(force_of(run), 3 * run["cart.acceleration"][:, 0] + centre, atol=1e-9)
        np.testing.assert_allclose(run["cart.position"][:, 0], U(run.time), atol=1e-15)
        np.testing.assert_allclose(run["cart.velocity"][:, 0], U.derivative(run.time), atol=1e-14)
    assert np.ptp(np.array(run["energy.check_sum"])) < 1e-3


def test_the_variable_of_the_joint_is_told():
    run = cart("motor by elimination").dynamics(until=0.2, step=0.002, show=False)
    np.testing.assert_allclose(run["rail.displacement"], U(run.time), atol=1e-15)
    np.testing.assert_allclose(run["rail.displacement_rate"], U.derivative(run.time), atol=1e-15)
    np.testing.assert_allclose(run["rail.force_z"], run["m.force"], atol=1e-12)
    np.testing.assert_allclose(run["m.power"], run["m.force"] * run["rail.displacement_rate"], atol=1e-12)


def test_it_converges_of_second_order():
    """Against a fine step: angle and force alike."""
    fine = cart("elimination").dynamics(until=0.5, step=2.5e-4, show=False)
    errors = []
    for step in (4e-3, 2e-3):
        run = cart("elimination").dynamics(until=0.5, step=step, show=False)
        errors.append([abs(run["pin.angle"][-1] - fine["pin.angle"][-1]), abs(force_of(run)[-1] - force_of(fine)[-1])])
    assert np.all(np.array(errors[1]) < 0.3 * np.array(errors[0]))


@pytest.mark.parametrize("given", ["displacement", "velocity", "acceleration"])
def test_displacement_velocity_and_acceleration(given):
    """u = a t²/2 of a marker off the centre, seen from a body that turns: in dynamics and in kinematics."""
    a, omega = 3.0, 2.0
    motion = {"displacement": fx.polynomial(0, 0, a / 2), "velocity": fx.polynomial(0, a), "acceleration": a}[given]
    table = fx.RigidBody("table", mass=10, inertia=1)
    pin = fx.Revolute("pin", fx.ground, table, axis="z")
    bug = fx.RigidBody("bug", mass=0.1, inertia=1e-4, position=(0.5, 0, 0))
    bug = bug.replace(velocity=(0, 0.5 * omega, 0), angular_velocity=(0, 0, omega))
    walk = fx.PrescribedMotion("walk", bug, seen_from=table, x=motion, given=given, **STILL, enforcement="elimination")
    model = fx.Model("spiral", [table, pin, fx.Motor("drive", pin, speed=omega), bug, walk])
    for run in (model.kinematics(until=0.5, step=0.05), model.dynamics(until=0.5, step=0.005, show=False)):
        t = run.time
        r, rate = 0.5 + a * t**2 / 2, a * t
        np.testing.assert_allclose(run["bug.position"][:, 0], r * np.cos(omega * t), atol=1e-6)
        np.testing.assert_allclose(run["bug.position"][:, 1], r * np.sin(omega * t), atol=1e-6)
        np.testing.assert_allclose(run["walk.x.force"], 0.1 * (a - omega**2 * r), atol=2e-5)
        np.testing.assert_allclose(run["walk.y.force"], 0.1 * 2 * rate * omega, atol=2e-5)  # Coriolis


def test_a_table_that_is_turned_over():
    """Three angles are no unknowns, and have no limit; T = J ω̇ about y. A slider on it is thrown outwards."""
    J, a = (0.3, 0.5, 0.4), 2.0
    table = fx.RigidBody("table", mass=5, inertia=J)
    turn = fx.PrescribedMotion(
        "turn",
        table,
        x=0,
        y=0,
        z=0,
        angle_z=0,
        angle_x=0,
        angle_y=fx.polynomial(0, 0, a / 2),
        enforcement="elimination",
    )
    run = fx.Model("over", [table, turn]).dynamics(until=2.5, step=0.01, show=False)
    np.testing.assert_allclose(run["table.angular_velocity_y"], a * run.time, atol=1e-12)
    np.testing.assert_allclose(run["turn.angle_y.torque"], J[1] * a, rtol=1e-9)
    np.testing.assert_allclose(run["energy.input"], 0.5 * J[1] * (a * run.time) ** 2, atol=1e-9)


def test_what_is_left_free_moves_freely():
    """Guided along x alone, a body falls and turns as if nothing held it; it may hang on others."""
    start = {"velocity": (0.3, 0.2, 1.0), "angular_velocity": (0.0, 0.0, 2.0), "position": (0, 0, 1)}
    body = fx.RigidBody("body", mass=2, inertia=(0.1, 0.2, 0.3), **start)
    guide = fx.PrescribedMotion("guide", body, x="0.3*t + t^2", enforcement="elimination")
    run = fx.Model("falls", [body, guide], gravity=(0, 0, -G)).dynamics(until=0.5, step=0.005, show=False)
    t = run.time
    np.testing.assert_allclose(run["body.position"][:, 2], 1 + t - G * t**2 / 2, atol=1e-9)
    np.testing.assert_allclose(run["body.position"][:, 1], 0.2 * t, atol=1e-12)
    np.testing.assert_allclose(run["guide.angle_z"], 2.0 * t, atol=1e-9)
    np.testing.assert_allclose(run["guide.x.force"], 2 * 2.0, rtol=1e-9)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_support_of_a_beam_that_sinks_and_its_modes():
    """Clamped at both ends, one sinks by Δ: Q = 12 EI Δ/L³; frequencies as by multipliers, at rest whatever the rates are."""
    steel, side, length, sink = fx.Steel(), 0.02, 2.0, 1e-4
    section = fx.Rectangle(side, side, shear=False)
    beam = fx.Beam("beam", [(0, 0, 0), (length, 0, 0)], section, steel, divisions=6)
    clamp = fx.Fixed("clamp", fx.ground, beam["start"])
    ends = {"x": 0, "y": 0, "angle_x": 0, "angle_y": 0, "angle_z": 0}
    EI = steel.young * side**4 / 12
    found = {}
    for way in ("elimination", "multipliers"):
        moved = fx.PrescribedMotion("sink", beam["end"], z=f"{-sink} + t", **ends, enforcement=way)
        model = fx.Model("sinks", [beam, clamp, moved])
        rest = model.statics()
        assert rest["sink.z.force"] == pytest.approx(-12 * EI * sink / length**3, rel=1e-4)
        assert abs(rest["sink.angle_y.torque"]) == pytest.approx(6 * EI * sink / length**2, rel=1e-4)
        found[way] = model.modes(3).frequencies
        run = model.dynamics(until=0.02, step=5e-4, show=False)
        found[f"{way} run"] = run["sink.z.force"][-1]
    np.testing.assert_allclose(found["elimination"], found["multipliers"], rtol=1e-6)
    assert found["elimination run"] == pytest.approx(found["multipliers run"], rel=2e-2)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("formulation", ["superelement", "full_mesh", "rigid"])
def test_the_end_of_a_meshed_body(formulation):
    """Shaken and turned at its root."""
    mesh = bar(0.3, 0.02, 0.01, (4, 1, 1), element="hex20", material=fx.Steel())
    about = {"interfaces": {"root": "x_min", "tip": "x_max"}, "reduction": fx.CraigBampton(modes=4)}
    arm = fx.FlexibleBody("arm", mesh, formulation=formulation, **about)
    found = []
    for way in ("elimination", "multipliers"):
        moves = {**STILL, "z": "0.01*sin(30*t)", "angle_z": "2*t^2"}
        moved = fx.PrescribedMotion("p", arm["root"], x=0, **moves, enforcement=way)
        run = fx.Model("arm", [arm, moved], gravity=(0, 0, -G)).dynamics(until=0.05, step=5e-4, show=False)
        found.append([run[f"p.{each}"][-1] for each in ("z.force", "angle_z.torque", "angle_y.torque")])
        assert np.ptp(np.array(run["energy.check_sum"])) < 1e-4
    np.testing.assert_allclose(found[0], found[1], rtol=5e-3)


def test_the_engine_in_plain_python_and_a_run_that_goes_on():
    model = cart("elimination", "elimination")
    whole = model.dynamics(until=0.1, step=0.005, show=False)
    np.testing.assert_allclose(
        model.dynamics(until=0.1, step=0.005, show=False, python=True)["pin.angle"], whole["pin.angle"], atol=1e-12
    )
    half = model.dynamics(until=0.05, step=0.005, show=False)
    on = model.dynamics(until=0.1, step=0.005, show=False, start=half)
    assert on["cart.position"][-1][0] == pytest.approx(whole["cart.position"][-1][0], abs=1e-15)
    assert on["pin.angle"][-1] == pytest.approx(whole["pin.angle"][-1], abs=1e-6)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_function_that_ends_is_named():
    table = fx.table([0, 0.05, 0.1], [0, 0.001, 0.004], kind="cubic", extrapolation="error")
    body = fx.RigidBody("body", mass=1, inertia=0.1)
    moved = fx.PrescribedMotion("m", body, x=table, **STILL, enforcement="elimination")
    with pytest.raises(LawError, match=r"'m\.x'.*outside the table"):
        fx.Model("ends", [body, moved]).dynamics(until=0.2, step=0.01, show=False)


def test_wrong_input():
    body = fx.RigidBody("body", mass=1, inertia=0.1)
    rail = fx.Prismatic("rail", fx.ground, body, axis="x")
    with pytest.raises(ModelError, match="give the joint enforcement: elimination, too"):
        fx.Model("m", [body, rail, fx.Motor("m", rail, position=0, enforcement="elimination")]).check()
    ball = fx.Spherical("ball", fx.ground, body, form="rotation_vector", enforcement="elimination")
    motor = fx.Motor("m", ball, variable="rotation_x", position=0, enforcement="elimination")
    with pytest.raises(ModelError, match="leave out enforcement of the motor"):
        fx.Model("m", [body, ball, motor]).check()
    with pytest.raises(ModelError, match="leave out enforcement or stiffness"):
        fx.Motor("m", "rail", position=0, stiffness=1e3, enforcement="elimination")
    with pytest.raises(ModelError, match="springs are not enforced by elimination"):
        fx.PrescribedMotion("p", body, x=0, stiffness=1e3, enforcement="elimination")
    moved = fx.PrescribedMotion("p", body, x=0, enforcement="elimination")
    with pytest.raises(ModelError, match="would follow two bodies at once"):
        fx.Model("m", [body, rail.replace(enforcement="elimination"), moved]).check()
    point = fx.PointMass("body", mass=1)
    with pytest.raises(ModelError, match="a point mass has no orientation to follow with"):
        fx.Model("m", [point, fx.PrescribedMotion("p", point, x=0, enforcement="elimination")]).check()
    sensor = fx.Sensor("felt", of="p.x.force")
    with pytest.raises(ModelError, match="use enforcement: multipliers for it"):
        fx.Model(
            "m",
            [body, moved, sensor, fx.PointForce("f", body, direction="y", force=fx.expression("0.1*x", sensor="felt"))],
        ).statics()


def test_modes_about_rest_leave_the_speed_of_the_drive_out():
    """√((k + m g l |sin|)/I)/2π of a pendulum in its rest, as by multipliers; what is left out is told."""

    def model(how):
        first = fx.RigidBody("first", mass=1, inertia=0.1, center_of_mass=(0.5, 0, 0))
        second = fx.RigidBody("second", mass=1, inertia=0.1, center_of_mass=(0.3, 0, 0))
        items = [
            *(first, second),
            fx.Revolute("p", fx.ground, first, enforcement=how),
            fx.Revolute("q", first.at(1, 0, 0), second, enforcement=how),
            fx.Motor("drive", "p", position="3*t", enforcement=how),
            fx.JointSpring("k", "q", stiffness=3),
        ]
        return fx.Model("driven", items, gravity=(0, -9.81, 0))

    for how in ("multipliers", "elimination"):
        with pytest.warns(fx.VelocitiesLeftOut):
            found = model(how).modes(1)
        assert found.frequencies[0] == pytest.approx(0.81349851, rel=1e-6)
