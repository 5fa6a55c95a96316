"""Motion prescribed to markers, against closed forms."""

import numpy as np
import pytest

import flexor as fx
from flexor.spatial import about

G = 9.81


def shaken(k=400.0, d=3.0, m=2.0, **about):
    """An oscillator on a table that is shaken; the table may do nothing else."""
    table = fx.RigidBody("table", mass=5, inertia=0.1, position=(0, 0, 0.4))
    load = fx.RigidBody("load", mass=m, inertia=0.1, position=(0, 0, 1.0))
    return fx.Model(
        "shaken",
        [
            table,
            load,
            fx.Prismatic("guide", table, load, axis="z"),
            fx.JointSpring("spring", "guide", stiffness=k, damping=d, free=0.6),
            fx.PrescribedMotion("shaker", table, x=0, y=0, angle_x=0, angle_y=0, angle_z=0, **about),
        ],
    )


def test_a_shaken_base_passes_on_what_the_transmissibility_says():
    """|H| = √((k² + d²Ω²)/((k − mΩ²)² + d²Ω²)) after the transients are gone."""
    k, d, m, u, omega = 400.0, 30.0, 2.0, 0.01, 20.0
    model = shaken(k, d, m, z=fx.sine(u, frequency=omega / (2 * np.pi)))
    run = model.dynamics(until=5, step=0.002, show=False)
    last = run["time"] > 4.5
    z = run["load.position"][last, 2] - 1.0
    H = abs((k + 1j * d * omega) / (k - m * omega**2 + 1j * d * omega))
    assert (z.max() - z.min()) / 2 == pytest.approx(u * H, rel=2e-3)
    t = run["time"]
    np.testing.assert_allclose(run["table.position"][:, 2], 0.4 + u * np.sin(omega * t), atol=1e-9)
    # the shaker bears table and load: F = m_t ü + m z̈
    force = 5 * run["table.acceleration"][:, 2] + m * run["load.acceleration"][:, 2]
    np.testing.assert_allclose(run["shaker.z.force"][last], force[last], rtol=1e-3, atol=0.02)
    np.testing.assert_allclose(run["shaker.z.power"], run["shaker.z.force"] * run["table.velocity"][:, 2], atol=1e-3)
    stored = run["energy.kinetic"] + run["energy.strain"] + run["energy.dissipated"]
    np.testing.assert_allclose(stored - stored[0], run["energy.input"], atol=2e-3 * run["energy.input"].max())


@pytest.mark.parametrize("given", ["displacement", "velocity", "acceleration"])
def test_displacement_velocity_and_acceleration_lead_to_the_same(given):
    """u = a t²/2 with a start at rest."""
    a = 3.0
    motion = {"displacement": fx.polynomial(0, 0, a / 2), "velocity": fx.polynomial(0, a), "acceleration": a}
    body = fx.RigidBody("body", mass=2, inertia=0.1, position=(1, 2, 3), orientation={"axis": "x", "angle": "20 deg"})
    push = fx.PrescribedMotion("push", body.at(0.3, 0, 0), x=motion[given], y=0, z=0, angle_z=0, given=given)
    model = fx.Model("pushed", [body, push.replace(angle_y=0, angle_x=0)], gravity=(0, 0, -G))
    for run in (model.dynamics(until=1, step=0.01, show=False), model.kinematics(until=1, step=0.1)):
        t = run["time"]
        np.testing.assert_allclose(run["body.position"][:, 0], 1 + a * t**2 / 2, atol=1e-9)
        np.testing.assert_allclose(run["body.position"][:, 1:], [[2, 3]] * len(t), atol=1e-9)
        np.testing.assert_allclose(run["push.x.force"], 2 * a, rtol=1e-6)
        np.testing.assert_allclose(run["push.z.force"], 2 * G, rtol=1e-6)


def test_springs_come_to_the_constraint_as_they_get_stiff():
    """Error of the motion ~ 1/k; the force that moves it is the same in the limit."""
    motion = {"z": fx.sine(0.01, frequency=2, phase="90 deg", offset=-0.01)}
    held = shaken(**motion).dynamics(until=0.5, step=0.001, show=False)
    errors = []
    for k in (1e5, 1e6, 1e7):
        soft = shaken(**motion, stiffness=k, damping=1e-2 * k, rotational_stiffness=k, rotational_damping=1e-2 * k)
        run = soft.dynamics(until=0.5, step=0.001, show=False)
        errors.append(np.abs(run["load.position"][:, 2] - held["load.position"][:, 2]).max())
    assert errors[1] < 0.2 * errors[0]
    assert errors[2] < 0.2 * errors[1]
    assert errors[2] < 5e-6
    np.testing.assert_allclose(run["shaker.z.force"][20:], held["shaker.z.force"][20:], atol=0.05)


def test_locked_by_elimination_multipliers_and_springs_alike():
    """A pendulum whose pin is moved: eliminated on a moved slide, or its body prescribed directly."""
    u = fx.sine(0.05, frequency=1.5, phase="90 deg", offset=-0.05)
    ends = []
    for way in ("elimination", "multipliers", "marker", "springs"):
        cart = fx.RigidBody("cart", mass=3, inertia=0.2)
        bob = fx.RigidBody("bob", mass=1, inertia=0.02, center_of_mass=(0, 0, -0.5))
        items = [cart, bob, fx.Revolute("pin", cart, bob, axis="y", start="20 deg")]
        if way in ("elimination", "multipliers"):
            items += [
                fx.Prismatic("rail", fx.ground, cart, axis="x", enforcement=way),
                fx.Motor("m", "rail", position=u),
            ]
        else:
            stiff = {"stiffness": 1e8, "rotational_stiffness": 1e8, "damping": 1e4} if way == "springs" else {}
            items.append(fx.PrescribedMotion("m", cart, x=u, y=0, z=0, angle_x=0, angle_y=0, angle_z=0, **stiff))
        model = fx.Model("cart", items, gravity=(0, 0, -G))
        run = model.dynamics(until=1, step=0.002, show=False)
        ends.append(run["pin.angle"][-1])
    np.testing.assert_allclose(ends[1:], ends[0], atol=2e-5)


def test_a_turning_base_throws_a_slider_outwards():
    """r̈ = ω² r on a bar that a prescribed rotation turns: r = r₀ cosh ωt."""
    omega, r0 = 3.0, 0.1
    bar = fx.RigidBody("bar", mass=1, inertia=0.1, orientation={"axis": "x", "angle": "30 deg"})
    bead = fx.RigidBody("bead", mass=0.2, inertia=1e-3)
    tilted = fx.ground.at(orientation={"axis": "x", "angle": "30 deg"})
    turn = fx.PrescribedMotion(
        "turn", bar, x=0, y=0, z=0, angle_z=omega, angle_y=0, angle_x=0, given="velocity", seen_from=tilted
    )
    slide = fx.Prismatic("slide", bar, bead, axis="x", start=r0)
    run = fx.Model("thrown", [bar, bead, slide, turn]).dynamics(until=0.6, step=0.001, show=False)
    np.testing.assert_allclose(run["slide.displacement"], r0 * np.cosh(omega * run["time"]), rtol=1e-4)
    torque = 2 * 0.2 * omega**2 * r0**2 * np.sinh(omega * run["time"]) * np.cosh(omega * run["time"])  # 2 m r ṙ ω
    np.testing.assert_allclose(run["turn.angle_z.torque"][5:], torque[5:], atol=1e-3)


def test_motion_seen_from_a_body_that_moves():
    """A point that is moved across a turning table goes on a spiral."""
    table = fx.RigidBody("table", mass=10, inertia=1)
    pin = fx.Revolute("pin", fx.ground, table, axis="z")
    drive = fx.Motor("drive", "pin", speed=2.0)
    bug = fx.RigidBody("bug", mass=0.1, inertia=1e-4, position=(0.5, 0, 0))
    walk = fx.PrescribedMotion(
        "walk", bug, seen_from=table, x=0.3, y=0, z=0, angle_x=0, angle_y=0, angle_z=0, given="velocity"
    )
    run = fx.Model("spiral", [table, pin, drive, bug, walk]).kinematics(until=1, step=0.1)
    t = run["time"]
    r = 0.5 + 0.3 * t
    np.testing.assert_allclose(run["bug.position"][:, 0], r * np.cos(2 * t), atol=1e-9)
    np.testing.assert_allclose(run["bug.position"][:, 1], r * np.sin(2 * t), atol=1e-9)
    np.testing.assert_allclose(run["walk.y.force"], 0.1 * 2 * 0.3 * 2.0, rtol=1e-6)  # Coriolis
    np.testing.assert_allclose(run["walk.x.force"], -0.1 * r * 4.0, rtol=1e-6)  # centripetal


def test_the_support_of_a_beam_that_sinks():
    """Clamped at both ends, one sinks by Δ: Q = 12 EI Δ/L³, M = 6 EI Δ/L²; held in modes, too."""
    steel, side, length, sink = fx.Steel(), 0.02, 2.0, 1e-4
    section = fx.Rectangle(side, side, shear=False)
    beam = fx.Beam("beam", [(0, 0, 0), (length, 0, 0)], section, steel, divisions=8)
    ends = {"x": 0, "y": 0, "angle_x": 0, "angle_y": 0, "angle_z": 0}
    clamp = fx.Fixed("clamp", fx.ground, beam["start"])
    model = fx.Model("sinks", [beam, clamp, fx.PrescribedMotion("sink", beam["end"], z=-sink, **ends)])
    EI = steel.young * side**4 / 12
    rest = model.statics()
    assert rest["sink.z.force"] == pytest.approx(-12 * EI * sink / length**3, rel=1e-4)
    assert abs(rest["sink.angle_y.torque"]) == pytest.approx(6 * EI * sink / length**2, rel=1e-4)
    held = fx.Model("held", [beam, clamp, fx.PrescribedMotion("sink", beam["end"], z=0, **ends)]).modes(1)
    omega = 4.7300**2 / length**2 * np.sqrt(EI / (steel.density * side**2))
    assert held.frequencies[0] * 2 * np.pi == pytest.approx(omega, rel=1e-3)


def test_a_sensor_reads_the_force_of_a_shaker():
    sensed = shaken(z=fx.sine(0.01, frequency=2)).with_item(fx.Sensor("cell", "shaker.z.force"))
    run = sensed.dynamics(until=0.1, step=0.002, show=False)
    np.testing.assert_allclose(run["cell.value"], run["shaker.z.force"], rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({}, "prescribes nothing; give one or more of x, y, z"),
        ({"z": "3 mm/s"}, "length"),
        ({"z": "3 mm", "given": "velocity"}, "velocity"),
        ({"angle_z": "3 mm"}, "angle"),
        ({"z": 0, "rotational_stiffness": 5}, "rotational_stiffness is given, but none of angle_x"),
        ({"z": 0, "damping": 5}, "damping stands beside stiffness"),
        ({"z": 0, "stiffness": -5}, "stiffness.*greater than 0"),
        (
            {"angle_y": "100 deg"},
            "angle_y begins at 100 deg, and without both other angles it has to stay below 90 deg; give all",
        ),
        ({"angle_y": "-1.6*cos(t)", "angle_z": 0}, "angle_y begins at -91.67 deg"),
    ],
)
def test_what_makes_no_sense_is_refused(fields, told):
    with pytest.raises(fx.ModelError, match=told):
        fx.PrescribedMotion("m", "body", **fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"angle_y": "100 deg", "angle_x": 0, "angle_z": 0},
        {"angle_y": 5, "given": "velocity"},
        {"angle_y": fx.ramp(0, 1, over=1)},
        {"angle_y": fx.polynomial(2, 1, sensor="eye")},
    ],
)
def test_a_middle_angle_that_begins_within_its_limit(fields):
    assert fx.PrescribedMotion("m", "body", **fields).directions


def test_a_start_elsewhere_is_told_and_a_jump_too():
    body = fx.RigidBody("body", mass=1, inertia=1, position=(0, 0, 0.4))
    model = fx.Model("m", [body, fx.PrescribedMotion("m1", body, z="0.1*cos(3*t)")])
    assert "z begins at 0.1 m" in str(model.check().warnings[0])
    with pytest.warns(fx.DoubtfulModel):
        assert model.statics()["body.position"][2] == pytest.approx(0.5)
    jump = fx.Model("m", [body, fx.PrescribedMotion("m1", body, z=fx.step(0, 1, at=0.5))])
    assert "jump" in str(jump.check().warnings[0])
    point = fx.Model("m", [fx.PointMass("p", 1), fx.PrescribedMotion("m1", "p", angle_z=0)])
    with pytest.raises(fx.ModelError, match="point mass"):
        point.check()


@pytest.mark.parametrize("start", ["consistent", "equilibrium"])
def test_bodies_begin_with_the_motion_as_on_a_driven_rail(start):
    """A load on a table that is moving at t = 0 moves along, and settles on its spring where it is asked to."""
    runs = []
    for way in ("rail", "marker"):
        table = fx.RigidBody("table", mass=5, inertia=0.1)
        load = fx.RigidBody("load", mass=2, inertia=0.1)
        guide = fx.Prismatic("guide", table, load, axis="z", start=0.5)
        spring = fx.JointSpring("spring", "guide", stiffness=400, damping=3, free=0.5)
        u = fx.sine(0.01, frequency=3)
        rail = [fx.Prismatic("rail", fx.ground, table, axis="z"), fx.Motor("motor", "rail", position=u)]
        still = dict.fromkeys(("x", "y", "angle_x", "angle_y", "angle_z"), 0)
        moved = rail if way == "rail" else [fx.PrescribedMotion("shaker", table, z=u, **still)]
        model = fx.Model("table", [table, load, guide, spring, *moved], gravity=(0, 0, -G))
        runs.append(model.dynamics(until=0.2, step=0.002, start=start, show=False))
    for signal in ("load.position", "load.velocity", "energy.input"):
        np.testing.assert_allclose(runs[1][signal], runs[0][signal], atol=1e-9)
    assert runs[1]["load.velocity"][0, 2] == pytest.approx(0.06 * np.pi)


def test_a_motor_by_a_spring_comes_to_the_motor_as_it_gets_stiff():
    """A driven pendulum: the torque is that of the motor, and the error is that torque over the stiffness."""
    arm = fx.RigidBody("arm", mass=2, inertia=0.1, center_of_mass=(0.5, 0, 0))
    swing = fx.sine("30 deg", frequency=1, phase="90 deg")
    pin = fx.Revolute("pin", fx.ground, arm, axis="y", start="30 deg")
    runs = {}
    for k in (None, 1e4, 1e5):
        motor = fx.Motor("motor", "pin", position=swing, stiffness=k, damping=0 if k is None else 0.02 * k)
        model = fx.Model("driven", [arm, pin, motor], gravity=(0, 0, -G))
        runs[k] = model.dynamics(until=1, step=0.002, show=False)
    off = {k: np.abs(runs[k]["pin.angle"] - runs[None]["pin.angle"]).max() for k in (1e4, 1e5)}
    assert off[1e5] < 0.12 * off[1e4] < 1e-3
    torque = runs[None]["motor.torque"]
    np.testing.assert_allclose(runs[1e5]["motor.torque"][250:], torque[250:], atol=0.01 * np.abs(torque).max())
    with pytest.raises(fx.ModelError, match="damping stands beside stiffness"):
        fx.Motor("motor", "pin", position=0, damping=1)
    with pytest.raises(fx.ModelError, match=r"rotational stiffness|N·m/rad"):
        model.with_item(fx.Motor("motor", "pin", position=swing, stiffness="5 N/m")).check()


def test_a_displaced_start_keeps_what_is_stated_otherwise():
    """A body that is lifted at a point off its middle does not turn, since its orientation is given."""
    turn = {"axis": "y", "angle": "10 deg"}
    body = fx.RigidBody("body", mass=1, inertia=1, position=(0, 0, 0.4), orientation=turn)
    model = fx.Model("m", [body, fx.PrescribedMotion("lift", body.at(0.3, 0, 0), z=0.1)])
    pose = model.check().placement.poses["body"]
    np.testing.assert_allclose(pose.p, (0, 0, 0.5), atol=1e-9)
    assert pose.R[0, 0] == pytest.approx(np.cos(np.radians(10)), abs=1e-9)
    tilted = fx.Model("m", [body, fx.PrescribedMotion("tilt", body, x=0, y=0, z=0, angle_y="5 deg")])
    pose = tilted.check().placement.poses["body"]
    np.testing.assert_allclose(pose.p, (0, 0, 0.4), atol=1e-9)
    assert pose.R[0, 0] == pytest.approx(np.cos(np.radians(15)), abs=1e-9)


def test_a_table_that_is_turned_over_about_y():
    """Through 90° and 180°, where the middle one of three angles by itself ends; T = J ω̇ about y."""
    J, a = (0.3, 0.5, 0.4), 2.0
    table = fx.RigidBody("table", mass=5, inertia=J)
    still = dict.fromkeys(("x", "y", "z", "angle_z", "angle_x"), 0)
    motion = fx.PrescribedMotion("turn", table, angle_y=fx.polynomial(0, 0, a / 2), **still)
    model = fx.Model("turned", [table, motion])
    for run in (model.dynamics(until=2.5, step=0.01, show=False), model.kinematics(until=2.5, step=0.05)):
        t = np.array(run["time"])
        u = a * t**2 / 2
        assert u[-1] > np.radians(350)
        z = np.array([run[f"table.euler_zyx_{i}"] for i in (1, 2, 3)])
        np.testing.assert_allclose(np.abs(np.sin(z[1])), np.abs(np.sin(u)), atol=1e-8)
        np.testing.assert_allclose(run["table.angular_velocity_y"], a * t, atol=1e-8)
        np.testing.assert_allclose(run["turn.angle_y.torque"][1:], J[1] * a, rtol=1e-5)
        np.testing.assert_allclose(run["turn.angle_y.target"], u, atol=1e-12)
        np.testing.assert_allclose(run["turn.angle_y.power"][1:], (J[1] * a * a * t)[1:], rtol=1e-5)


def rolled(way):
    """A body that three angles turn at once, seen from one that turns; through 90° of the middle one."""
    base = fx.RigidBody("base", mass=3, inertia=0.4)
    body = fx.RigidBody("body", mass=2, inertia=(0.05, 0.08, 0.1), position=(0.2, 0.1, 0))
    body = body.replace(velocity=(0, 0.15, 0.07), angular_velocity=(0.7, 1.0, 1.2))
    turns = {"angle_z": "1.2*t", "angle_y": "t + t^2", "angle_x": "0.5*t^2"}
    stiff = {"stiffness": 1e7, "damping": 1e4, "rotational_stiffness": 1e7, "rotational_damping": 1e4}
    items = [base, body, fx.Revolute("pin", fx.ground, base, axis="x"), fx.Motor("m", "pin", speed=0.7)]
    held = {"x": 0, "y": "0.05*sin(3*t)", "z": 0}
    more = stiff if way == "springs" else {}
    return fx.Model(way, [*items, fx.PrescribedMotion("p", body, seen_from=base, **held, **turns, **more)])


def test_three_angles_at_once_against_the_spins_of_their_axes():
    """ω = ω_base + ż e_z + ẏ e_y + ẋ e_x, the moment by Euler's equations; springs come to the same."""
    run = rolled("held").dynamics(until=0.8, step=0.002, show=False)
    t = np.array(run["time"])
    J, h = np.diag((0.05, 0.08, 0.1)), 1e-4

    def orientation(t):
        return about(0, 0.7 * t) @ about(2, 1.2 * t) @ about(1, t + t * t) @ about(0, 0.5 * t * t)

    def momentum(t):
        R = orientation(t)
        S = (orientation(t + h) - orientation(t - h)) / (2 * h) @ R.T
        omega = np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]]) / 2
        return R @ J @ R.T @ omega, omega

    last = t[-1]
    _, omega = momentum(last)
    np.testing.assert_allclose([run[f"body.angular_velocity_{i}"][-1] for i in "xyz"], omega, atol=2e-5)
    M = (momentum(last + h)[0] - momentum(last - h)[0]) / (2 * h)
    base = about(0, 0.7 * last)
    axes = [
        base[:, 2],
        (base @ about(2, 1.2 * last))[:, 1],
        (base @ about(2, 1.2 * last) @ about(1, last + last**2))[:, 0],
    ]
    torques = [run[f"p.angle_{i}.torque"][-1] for i in "zyx"]
    np.testing.assert_allclose(torques, [M @ axis for axis in axes], atol=2e-4)
    soft = rolled("springs").dynamics(until=0.8, step=0.002, show=False)
    np.testing.assert_allclose([soft[f"p.angle_{i}.torque"][-1] for i in "zyx"], torques, atol=1e-3)
    assert np.ptp(np.array(run["energy.check_sum"])) < 1e-3


def test_it_may_be_turned_over_at_once():
    """What is drawn upright and prescribed to begin upside down begins there."""
    body = fx.RigidBody("body", mass=1, inertia=(0.1, 0.2, 0.3))
    still = dict.fromkeys(("x", "y", "z", "angle_z", "angle_x"), 0)
    run = fx.Model("over", [body, fx.PrescribedMotion("p", body, angle_y="180 deg", **still)]).kinematics(
        until=0.1, step=0.1
    )
    assert run["p.angle_y.target"][0] == pytest.approx(np.pi)
    assert abs(run["body.euler_zyx_1"][0]) + abs(run["body.euler_zyx_3"][0]) == pytest.approx(2 * np.pi, abs=1e-9)


def test_it_is_not_seen_from_its_own_body():
    body = fx.RigidBody("body", mass=1, inertia=0.1)
    for move in ({"z": 0}, {"z": "0.1*sin(t)"}, {"z": 0, "stiffness": 1e3}):
        with pytest.raises(fx.errors.ModelError, match="nothing moves against its own body"):
            fx.Model("own", [body, fx.PrescribedMotion("p", body.at(1, 0, 0), seen_from=body, **move)]).check()
    beam = fx.Beam("beam", [(0, 0, 0), (1, 0, 0)], fx.Rectangle(0.02, 0.02), fx.Steel(), divisions=2)
    bent = [beam, fx.Fixed("clamp", fx.ground, beam["start"])]
    stretched = fx.PrescribedMotion("p", beam["end"], seen_from=beam["start"], x=1e-4)
    rest = fx.Model("bent", [*bent, stretched]).statics()
    assert rest["p.x.force"] == pytest.approx(fx.Steel().young * 0.02**2 * 1e-4, rel=1e-3)
    with pytest.raises(fx.errors.ModelError, match="nothing moves against its own body"):
        fx.Model("bent", [*bent, fx.PrescribedMotion("p", beam["end"], seen_from=beam["end"], x=1e-4)]).statics()
