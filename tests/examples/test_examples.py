"""Every example runs and gives a number that is known from elsewhere."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import root
from scipy.spatial.transform import Rotation

import flexor as fx
from docs.pictures import PICTURES
from flexor.spatial import quaternion_to_matrix
from tests.examples.newton_euler import motor_torques

EXAMPLES = Path(__file__).parents[2] / "examples"
RIGID = {
    "pendulum.yaml",
    "four_bar.yaml",
    "slider_crank.yaml",
    "slider_crank.py",
    "double_wishbone.yaml",
    "valve_train.py",
    "cam_and_roller.py",
    "ball_in_race.py",
    "ratchet.py",
    "crowned_roller.py",
    "front_suspension.py",
    "robot_arm.py",
    "car.py",
}
FLEXIBLE = {
    "flexible_slider_crank.py",
    "rotating_blade.py",
    "two_booms.py",
    "telescopic_crane.py",
    "fatigue_of_rod.py",
    "shaker_test.py",
    "servo_arm.py",
    "ring_gyroscope.py",
    "rolling_ring.py",
}  # test_flexible_examples.py
G = 9.81


def load(name):
    return fx.Model.load(EXAMPLES / name)


def test_every_example_is_tested_and_pictured():
    found = {path.name for path in EXAMPLES.iterdir() if path.suffix in (".yaml", ".py")}
    assert found == RIGID | FLEXIBLE
    assert {Path(name).stem.replace("_", "-") for name in found} == set(PICTURES)


def test_pendulum_swings_as_its_differential_equation():
    """J θ̈ = −m g l/2 cos θ − d θ̇, J = m l²/3, by an explicit method of order 8."""
    run = load("pendulum.yaml").dynamics(until="2 s", step="0.25 ms", show=False)
    m, l, d = 1.2, 0.5, 0.01

    def rates(_, y):
        return y[1], (-m * G * l / 2 * np.cos(y[0]) - d * y[1]) / (m * l**2 / 3)

    exact = solve_ivp(rates, (0, 2), (0, 0), method="DOP853", rtol=1e-12, atol=1e-12, t_eval=run.time)
    np.testing.assert_allclose(run["pin.angle"], exact.y[0], atol=1e-5)


def test_four_bar_rocker_swings_by_its_triangles():
    """At the ends of the stroke crank and coupler are in line: A, C, D is a triangle of 0.5 ± 0.1, 0.4, 0.4 m."""
    run = load("four_bar.yaml").dynamics(until="1 s", step="1 ms", show=False)
    corner = [np.degrees(np.arccos((2 * 0.4**2 - (0.5 + r) ** 2) / (2 * 0.4**2))) for r in (-0.1, 0.1)]
    swing = np.degrees(run["D.angle"].max() - run["D.angle"].min())
    assert swing == pytest.approx(corner[1] - corner[0], abs=2e-3)  # rows stand every 0.36° of the crank
    assert run["A.angle"].values[-1] == pytest.approx(2 * np.pi, abs=1e-9)


def slider_crank_torque(phi, speed, acceleration):
    """Torque on the crank by Lagrange's equation for the crank angle: J φ̈ + ½ J′ φ̇² + V′."""
    r, l = 0.08, 0.3

    def inertia_and_height(phi):
        beta = -np.arcsin(r / l * np.sin(phi))  # angle of the rod
        beta_rate = -r / l * np.cos(phi) / np.cos(beta)
        middle_x = -r * np.sin(phi) - l / 2 * np.sin(beta) * beta_rate  # velocities per unit speed of the crank
        middle_y = r * np.cos(phi) + l / 2 * np.cos(beta) * beta_rate
        piston = -r * np.sin(phi) - l * np.sin(beta) * beta_rate
        inertia = 4e-3 + 0.8 * (middle_x**2 + middle_y**2) + 6e-3 * beta_rate**2 + 0.5 * piston**2
        return inertia, 0.8 * G * (r * np.sin(phi) + l / 2 * np.sin(beta))

    h = 1e-5
    (before, low), (after, high) = inertia_and_height(phi - h), inertia_and_height(phi + h)
    slope, weight = (after - before) / (2 * h), (high - low) / (2 * h)
    return inertia_and_height(phi)[0] * acceleration + slope / 2 * speed**2 + weight


def test_slider_crank_needs_the_torque_of_lagranges_equation():
    run = load("slider_crank.yaml").dynamics(until="0.2 s", step="0.1 ms", show=False)
    ramp = fx.ramp(0, "3000 rpm", over="0.1 s")
    t = run.time
    expected = slider_crank_torque(ramp.integral(t), ramp(t), ramp.derivative(t))
    assert np.abs(expected).max() > 400
    np.testing.assert_allclose(run["drive.torque"], expected, atol=5e-4 * np.abs(expected).max())


def test_slider_crank_in_python_is_the_same_model(capsys):
    module = runpy.run_path(str(EXAMPLES / "slider_crank.py"))
    assert module["model"].to_yaml() == load("slider_crank.yaml").to_yaml()
    runpy.run_path(str(EXAMPLES / "slider_crank.py"), run_name="__main__")
    assert float(capsys.readouterr().out) == pytest.approx(405.7, rel=1e-3)


def test_double_wishbone_settles_where_virtual_work_vanishes():
    """F δz − g Σ m δz_c = S δℓ between equilibria under neighbouring loads F, with the force S in the strut."""
    model = load("double_wishbone.yaml")
    run = model.dynamics(until="2 s", step="1 ms", show=False)
    assert run["strut.length"].values[-1] == pytest.approx(model.statics(time=2.0)["strut.length"], abs=1e-6)
    assert run["tie_rod.length"].values == pytest.approx(run["tie_rod.length"].values[0], abs=1e-9)

    low, high = (model.with_item(model["road"].replace(force=force)).statics() for force in (4490, 4510))

    def rise(body, point):
        at = [s[f"{body}.position"] + quaternion_to_matrix(s[f"{body}.orientation"]) @ point for s in (low, high)]
        return at[1][2] - at[0][2]

    bodies = [model[name] for name in ("lower_arm", "upper_arm", "upright")]
    lifted = G * sum(body.mass * rise(body.name, body.center_of_mass) for body in bodies)
    strut = (low["strut.force"] + high["strut.force"]) / 2 * (high["strut.length"] - low["strut.length"])
    pushed = 4500 * rise("upright", (0, 0.75, 0))
    assert pushed > 1
    assert pushed - lifted == pytest.approx(strut, rel=1e-5)


def test_the_valve_follows_up_to_the_speed_at_which_it_jumps():
    """Over the nose the roller's centre is at y = d cos ψ + √((r + ρ)² − d² sin² ψ) above the shaft, ψ from the top."""
    example = runpy.run_path(str(EXAMPLES / "valve_train.py"))
    d, reach, spring = example["OFFSET"], example["NOSE"] + example["ROLLER"], example["SPRING"]
    speed = 0.8 * example["JUMP"]
    run = example["follow"](speed)
    psi = run["bearing.angle"].values - 2 * np.pi
    nose = np.abs(psi) < np.radians(12)
    height = d * np.cos(psi[nose]) + np.sqrt(reach**2 - (d * np.sin(psi[nose])) ** 2)
    np.testing.assert_allclose(run["guide.displacement"].values[nose], height, atol=3e-5)
    throw = example["MASS"] * speed**2 * d * (1 + d / reach)
    top = int(np.argmin(np.abs(psi)))
    expected = spring * (example["LIFT"] + example["PRELOAD"]) - throw
    assert run["cam.force"].values[top] == pytest.approx(expected, rel=0.01)
    assert run["cam.gap"].values.max() < 5e-6
    assert example["follow"](1.2 * example["JUMP"])["cam.gap"].values.max() > 1e-3


class Wishbones:
    """Kinematics of one side of the axle with hinges for bushings, by the angle a of its lower arm; written anew for the tests."""

    def __init__(self, example):
        self.at = {name: np.array(point, dtype=float) for name, point in example["POINTS"].items()}
        self.bodies = example["BODIES"]
        self.twist = example["RUBBER"][5]

    def turned(self, point, pivot, axis, angle):
        return self.at[pivot] + Rotation.from_rotvec(angle * np.eye(3)[axis]).apply(self.at[point] - self.at[pivot])

    def pose(self, a):
        """Points, and rotations of the bodies [rad]: the upright meets the upper arm and keeps the tie rod's length, so does the drop link."""
        at, p = self.at, {}
        for name in ("lower ball", "strut", "link"):
            p[name] = self.turned(name, "lower front", 0, a)

        def open(x):
            spin = Rotation.from_rotvec(x[1:4])
            p["upper ball"] = self.turned("upper ball", "upper front", 0, x[0])
            p["lever"] = self.turned("lever", "bar", 1, x[4])
            for name in ("contact", "steering arm", "top"):
                drawn = at["upper ball" if name == "top" else name]
                p[name] = p["lower ball"] + spin.apply(drawn - at["lower ball"])
            rods = [("steering arm", at["rack"], "rack"), ("lever", p["link"], "link")]
            lengths = [np.linalg.norm(p[end] - other) - np.linalg.norm(at[end] - at[name]) for end, other, name in rods]
            return np.r_[p["top"] - p["upper ball"], lengths]

        x = root(open, np.zeros(5), tol=1e-13).x
        open(x)
        axes = ((a, 0, 0), (x[0], 0, 0), x[1:4], (0, x[4], 0))
        return at | p, dict(zip(self.bodies, map(Rotation.from_rotvec, axes), strict=True))

    def middle(self, points, name):
        return np.mean([points[end] for end in self.bodies[name][2]], axis=0)

    def energy(self, a):
        """Of the strut (45 N/mm, 0.645 m), the rubber that is twisted, and the weight [J]."""
        p, spin = self.pose(a)
        twists = sum(2 * self.twist / 2 * spin[arm].magnitude() ** 2 for arm in ("lower arm", "upper arm"))
        weight = sum(G * mass * self.middle(p, name)[2] for name, (mass, *_) in self.bodies.items())
        return 45e3 / 2 * (np.linalg.norm(p["strut"] - p["tower"]) - 0.645) ** 2 + twists + weight

    def slopes(self, a, h=2e-4):
        """By the rise of the wheel: its load [N], its shift to the side [m/m], the lever's angle [rad/m], the mass that moves [kg]."""
        (p, before), (q, after) = self.pose(a - h), self.pose(a + h)
        y, rise = (q["contact"] - p["contact"])[1:]
        mass = 0.0
        for name, (m, J, _) in self.bodies.items():
            move = self.middle(q, name) - self.middle(p, name)
            mass += m * move @ move + (after[name] * before[name].inv()).as_rotvec() ** 2 @ J
        lever = np.diff([s["lever"].as_rotvec()[1] for s in (before, after)])[0]
        return (self.energy(a + h) - self.energy(a - h)) / rise, y / rise, lever / rise, mass / rise**2

    def settled(self, load):
        """The angle under a wheel load, and the rate there [N/m]."""
        a = root(lambda a: self.slopes(a[0])[0] - load, [0.0], tol=1e-12).x[0]
        h = 1e-3
        rise = np.diff([self.pose(x)[0]["contact"][2] for x in (a - h, a + h)])[0]
        return a, np.diff([self.slopes(x)[0] for x in (a - h, a + h)])[0] / rise


@pytest.fixture(scope="module")
def suspension():
    return runpy.run_path(str(EXAMPLES / "front_suspension.py"))


def test_front_suspension_has_the_rates_of_virtual_work(suspension):
    """Hard bushings are hinges: rest, rates and frequencies follow from one angle; the bar adds 2 kₜ (dφ/dz)² in roll alone."""
    axle, rate, hard = (suspension[name] for name in ("axle", "rate", "HARD"))
    hinged = Wishbones(suspension)
    a, heave = hinged.settled(suspension["LOAD"])
    _, _, lever, mass = hinged.slopes(a)
    roll = heave + 2 * suspension["BAR"] * lever**2
    assert roll > 2 * heave
    assert axle(rubber=hard).statics()["left rise.value"] == pytest.approx(hinged.pose(a)[0]["contact"][2], abs=2e-7)
    assert [rate(rubber=hard), rate(True, rubber=hard)] == pytest.approx([heave, roll], rel=1e-5)
    assert rate(True, rubber=hard, bar=0) == pytest.approx(heave, rel=1e-5)
    assert rate() == pytest.approx(rate(bar=0), rel=1e-7)
    expected = np.sqrt(np.array([heave, roll]) / mass) / (2 * np.pi)
    np.testing.assert_allclose(axle(rubber=hard).modes(2).frequencies, expected, rtol=1e-5)


def test_front_suspension_yields_to_the_side_by_its_bushings_in_series(suspension):
    """Free of load, a push moves the wheel by (dy/dz)²/k of the hinged axle in roll and Σ f²/k of the bushings, f their forces per newton."""

    eyes = [f"left {arm} {end}.force" for arm in ("lower", "upper") for end in ("front", "rear")]

    def yielding(rubber):
        """Of the left wheel [m/N], and forces of its bushings [N/N]."""
        model = suspension["axle"](0, 0, rubber=rubber).replace(gravity=(0, 0, 0))
        loose = model.with_item(*(model[f"{side} strut"].replace(free_length=None) for side in ("left", "right")))
        grips = ([loose[f"{side} grip"].replace(force=push) for side in ("left", "right")] for push in (-1.0, 1.0))
        low, high = (loose.with_item(*pair).statics() for pair in grips)
        return [(high[name] - low[name]) / 2 for name in ("left shift.value", *eyes)]

    hinged, h = Wishbones(suspension), 1e-4
    (p, before), (q, after) = hinged.pose(-h), hinged.pose(h)
    _, side, lever, _ = hinged.slopes(0.0)
    rise = q["contact"][2] - p["contact"][2]
    shorter = np.diff([np.linalg.norm(x["strut"] - x["tower"]) for x in (p, q)])[0] / rise
    turns = [(after[arm] * before[arm].inv()).magnitude() / rise for arm in ("lower arm", "upper arm")]
    roll = 45e3 * shorter**2 + 2 * hinged.twist * np.square(turns).sum() + 2 * suspension["BAR"] * lever**2
    hard, *forces = yielding(suspension["HARD"])
    bushings = sum((force**2 / suspension["RUBBER"][:3]).sum() for force in forces)
    assert bushings > 5 * side**2 / roll
    assert hard == pytest.approx(side**2 / roll + 1e-4 * bushings, rel=1e-5)
    assert yielding(suspension["RUBBER"])[0] == pytest.approx(side**2 / roll + bushings, rel=5e-4)


def test_front_suspension_settles_and_meets_its_bump_stop(suspension):
    run = suspension["ride"]().dynamics(until="2.5 s", step="2 ms", show=False)
    rest, bump = (suspension["ride"]().statics(time=time) for time in (2.5, 0.7))
    for side in ("left", "right"):
        assert run[f"{side} rise.value"][-1] == pytest.approx(rest[f"{side} rise.value"], abs=1e-5)
    assert np.abs(run["torsion.torque"].values[run.time < 1.3]).max() < 1e-6  # in heave
    length = bump["left strut.length"]
    assert length < 0.46
    assert bump["left strut.force"] == pytest.approx(45e3 * (length - 0.645) - 200e3 * (0.46 - length), rel=1e-9)


@pytest.fixture(scope="module")
def arm():
    return runpy.run_path(str(EXAMPLES / "robot_arm.py"))


def test_motors_of_the_arm_need_the_torques_of_newton_and_euler(arm):
    """Inertia of links and rotors, weight, friction of seals, bearings under load; while it moves, for at rest friction is what it likes."""
    run = arm["run"](5, "motors", until=arm["BEGIN"] + 0.999 * arm["OVER"])
    moves = [fx.ramp(*np.radians(arm["MOVE"][axis]), over=arm["OVER"], start=arm["BEGIN"]) for axis in arm["AXES"]]
    u = np.clip((run.time - arm["BEGIN"]) / arm["OVER"], 0, 1)
    bends = 60 * u * (1 - 3 * u + 2 * u**2) / arm["OVER"] ** 2  # second derivative of u³ (10 − 15 u + 6 u²)
    q = np.array([move(run.time) for move in moves]).T
    rate = np.array([move.derivative(run.time) for move in moves]).T
    acceleration = np.outer(bends, [move.final - move.initial for move in moves])
    fastest = np.maximum.accumulate(np.abs(rate))
    expected = np.array([motor_torques(*row, 5) for row in zip(q, rate, acceleration, fastest)])
    moving = u > 0.05  # reactions ring for some steps after friction lets go
    for k, (axis, most) in enumerate(zip(arm["AXES"], (2.00, 1.44, 1.40))):
        assert run[f"{axis}.angle"].values == pytest.approx(q[:, k], abs=1e-9)
        torque, load = run[f"{axis} motor.torque"].values, run[f"{axis} bearing.load"].values
        assert np.abs(torque).max() == pytest.approx(most, abs=0.01)
        assert torque[moving] == pytest.approx(expected[moving, k], abs=2e-4)
        assert load[moving] == pytest.approx(expected[moving, 3 + k], rel=2e-3)


def test_the_arm_holds_its_payload_without_power_up_to_the_friction_through_its_gears(arm):
    heaviest = arm["heaviest"]()
    lighter, heavier = (arm["run"](share * heaviest, "off", until=0.5) for share in (0.999, 1.001))
    assert heaviest == pytest.approx(6.36, abs=0.01)
    for axis in arm["AXES"]:
        assert np.ptp(lighter[f"{axis}.angle"].values) < 1e-9
    assert heavier["elbow.angle"][-1] < heavier["elbow.angle"][0] - 1e-4


def test_servos_bring_the_arm_where_teeth_and_play_let_it(arm):
    """Once the move is over the elbow hangs below its shaft by half the play and the bend of the teeth, the shaft below its target by what
    its servo needs; friction has what is left. As the power is cut 5 kg stay, 9 kg come down."""
    run, falls = (arm["run"](payload, "servos", until=arm["CUT"] + 0.5) for payload in (5, 9))
    row = int(np.searchsorted(run.time, arm["CUT"] - 1e-9))
    at = {axis: np.degrees(run[f"{axis}.angle"].values[row]) for axis in arm["AXES"]}
    for axis in ("waist", "shoulder"):
        assert at[axis] == pytest.approx(arm["MOVE"][axis][1], abs=0.05)
    reach = 0.4 * np.cos(np.radians(at["shoulder"] + at["elbow"]))
    weight = G * (6 / 2 + 5) * reach
    teeth = weight - run["elbow bearing.torque"].values[row]
    servo = teeth / 100 - run["elbow seal.torque"].values[row]
    below = 0.025 + np.degrees(teeth / 40e3 + servo / 8 / 100)
    assert at["elbow"] == pytest.approx(-40 - below, abs=2e-4)
    assert abs(run["elbow.angle"].values[row] - run["elbow.angle"].values[-1]) < 1e-6
    assert falls["elbow.angle"][-1] < falls["elbow.angle"].values[row] - np.radians(5)


@pytest.fixture(scope="module")
def car():
    example = runpy.run_path(str(EXAMPLES / "car.py"))
    model = example["car"]()
    runs = [
        model.dynamics(until="6 s", step="1 ms", output="20 ms", show=False, **options)
        for options in ({"solver": "tree"}, {})
    ]
    return example, model, *runs


def test_the_car_moves_as_by_the_implicit_solver(car):
    _, model, tree, implicit = car
    assert sum(isinstance(item, fx.RigidBody) for item in model.items) == 17
    assert (
        len(
            [item for item in model.items if type(item).__name__ in ("Revolute", "Spherical", "Prismatic", "Universal")]
        )
        == 20
    )
    assert np.abs(tree["body.position_z"][:] - implicit["body.position_z"][:]).max() < 1e-6
    assert np.ptp(tree["body.position_z"][:]) > 0.03


def test_the_loops_of_the_car_stay_closed(car):
    """Drift at the feet of the struts: the arm's end against the rod's."""
    _, model, tree, _ = car
    feet = [item for item in model.items if isinstance(item, fx.Spherical)]
    assert len(feet) == 4
    for foot in feet:
        ends = [tree[f"{end}.position"][:] for end in (foot.a, foot.b)]
        assert np.abs(ends[0] - ends[1]).max() < 1e-10


def test_the_car_comes_to_rest_where_forces_balance(car):
    """The last position is the equilibrium with the passenger; springs by their levers and tyres in series say about the same."""
    example, model, tree, _ = car
    passenger = next(item for item in model.items if item.name == "passenger")
    rest = model.with_item(passenger.replace(force=example["WEIGHT"])).statics()
    assert tree["body.position_z"][-1] == pytest.approx(rest["body.position_z"], abs=2e-4)
    wheel = example["SPRING"] * (example["STRUT"] / example["HUB"]) ** 2
    rate = 4 / (1 / wheel + 1 / example["TYRE"]["z"][0])
    sinks = tree["body.position_z"].at(2.4) - tree["body.position_z"][-1]
    assert sinks == pytest.approx(example["WEIGHT"] / rate, rel=0.15)


def test_a_ball_in_a_race_rolls_or_slides():
    """2π √(7 (R − r)/(5 g)) and 2π √((R − r)/g), longer by θ²/16 for swings of θ = 0.1."""
    example = runpy.run_path(str(EXAMPLES / "ball_in_race.py"))
    for friction, expected in ((0.3, example["ROLLING"]), (0.0, example["SLIDING"])):
        run = example["swings"](friction)
        assert example["period"](run) == pytest.approx(expected * (1 + 0.1**2 / 16), rel=5e-4)
        rolls = run["ball.angular_velocity_y"].values * example["BALL"]
        assert np.abs(rolls).max() > 0.05 if friction else np.abs(rolls).max() < 1e-9


def test_a_logarithmic_profile_is_pressed_evenly():
    example = runpy.run_path(str(EXAMPLES / "crowned_roller.py"))
    half, even = example["LENGTH"] / 2, example["HERTZ"]
    s, p = example["along"](example["pressed"](example["CROWNED"]))
    np.testing.assert_allclose(p[np.abs(s) < 0.95 * half], even, rtol=0.02)
    straight, tilted, both = (
        example["pressed"](example[name], angle).peak
        for name, angle in (("STRAIGHT", 0.0), ("STRAIGHT", example["TILT"]), ("CROWNED", example["TILT"]))
    )
    assert tilted > straight > 1.15 * even
    assert even < both < 0.9 * tilted


def test_a_roller_leaves_its_cam_beyond_the_lift_off_speed():
    example = runpy.run_path(str(EXAMPLES / "cam_and_roller.py"))
    run = example["turns"](0.9 * example["LIFT_OFF"])
    assert run["cam.gap"].values.max() < 1e-9
    lift = run["guide.displacement"].values - example["LOW"]
    np.testing.assert_allclose(lift, example["lift"](run["bearing.angle"].values), atol=1e-4)
    run = example["turns"](1.3 * example["LIFT_OFF"])
    assert run["cam.gap"].values.max() > 1e-3
    assert run["cam.gap"].values.min() > -1e-3


def test_a_ratchet_turns_one_way_and_holds_the_other():
    """Held without friction: the forces in the notch are those of the equilibrium on 5 MN/m at both ends of the nose, 571.090 N on the flank and 17.050 N on the back."""
    example = runpy.run_path(str(EXAMPLES / "ratchet.py"))
    run = example["held"](torque=20.0, friction=0.0)
    expected = example["forces"](run["axle.angle"][-1], run["pivot.angle"][-1], 20.0)
    assert expected == pytest.approx((571.0898, 17.0499), rel=1e-5)
    assert run["tooth.normal_force"][-1] == pytest.approx(sum(expected), rel=1e-6)
    assert run["tooth.gap"][-1] == pytest.approx(-expected[0] / 10e6, rel=1e-6)
    assert np.abs(run["wheel.angular_velocity_z"].values[-50:]).max() < 1e-5

    run = example["freely"](teeth=2.0)
    falls = np.flatnonzero(np.diff(np.sign(np.diff(run["pivot.angle"].values) - 5e-3)) > 0)  # faster than 25 rad/s
    assert len(falls) == 2
    assert run["tooth.deepest"][-1] < 0.1e-3
