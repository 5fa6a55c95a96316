"""Friction on guides and cams: inclines, wires, eccentric cams, rollers."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.errors import ModelError

g = 9.81
G = (0, 0, -g)


def lost(run):
    """How much of the energy exchanged is not accounted for."""
    return np.ptp(run["energy.check_sum"].values)


# -- guides ----------------------------------------------------------------------------------------------------------


def incline(slope, coefficient, rate=0.0, guide=None, **friction):
    """A block on a guide that goes down along x."""
    down = np.array([np.cos(slope), 0, -np.sin(slope)])
    block = fx.RigidBody("block", mass=2, inertia=0.1, position=tuple(5 * down), velocity=tuple(rate * down))
    rail = fx.Guide("rail", [fx.ground.at(*(s * down)) for s in (0, 4, 9, 20)], block, **guide or {})
    return fx.Model("incline", [block, rail, fx.Friction("dry", rail, coefficient, **friction)], gravity=G)


PIPE = {"stiffness": 1e5, "damping": 800}


@pytest.mark.parametrize("guide", [{}, {"twist": "locked"}, PIPE], ids=["bound", "no twist", "pipe"])
def test_a_block_slides_down_an_inclined_guide(guide):
    """With g (sin α − µ cos α); the load is m g cos α, in the pipe once it has sunk in."""
    slope, mu = np.radians(30), 0.3
    run = incline(slope, mu, guide=guide).dynamics(until=1, step=0.005, show=False)
    a = g * (np.sin(slope) - mu * np.cos(slope))
    tolerance = 1e-3 if guide is PIPE else 1e-9
    assert run["rail.position"][-1] == pytest.approx(5 + a / 2, abs=tolerance)
    assert run["dry.load"][-1] == pytest.approx(2 * g * np.cos(slope), rel=tolerance)
    assert run["dry.force"][-1] == pytest.approx(-2 * mu * g * np.cos(slope), rel=tolerance)
    assert run["dry.power"][-1] == pytest.approx(2 * mu * g * np.cos(slope) * a, rel=tolerance)
    assert lost(run) < 3e-4


@pytest.mark.parametrize("rate", [2.0, -2.0])
@pytest.mark.parametrize("step", [0.01, 0.13])
def test_a_block_on_a_guide_comes_to_rest(rate, step):
    """After v²/2a, in one transition that is found in time, and stays."""
    slope, mu = np.radians(20), 0.5
    run = incline(slope, mu, rate).dynamics(until=6.5, step=step, show=False)
    braking = g * (mu * np.cos(slope) - np.sign(rate) * np.sin(slope))
    assert run["rail.position"][-1] - 5 == pytest.approx(np.sign(rate) * 2 / braking, abs=3e-6)
    assert run["dry.sticks"][-1] == 1
    assert run.history["transitions"].sum() == 1


def test_a_block_rests_on_a_guide_for_a_thousand_seconds():
    run = incline(np.radians(20), 0.5).dynamics(until=1000, step=1.0, start="equilibrium", show=False)
    s = run["rail.position"].values
    assert np.ptp(s) < 1e-12
    assert abs(s[0] - 5) < 1e-6
    assert np.all(run["dry.sticks"].values == 1)


def test_a_block_sinks_into_a_pipe_and_sticks():
    """It slides while it is not pressed hard enough, and rests from then on."""
    run = incline(np.radians(20), 0.5, guide=PIPE).dynamics(until=1, step=1e-3, show=False)
    s = run["rail.position"].values
    assert s[-1] - 5 < 1e-4
    assert np.ptp(s[500:]) < 1e-9
    assert run["dry.sticks"][-1] == 1
    assert run.history["transitions"].sum() >= 1


def test_the_smooth_models_agree_while_it_slides():
    sharp = incline(np.radians(30), 0.3, 0.5).dynamics(until=0.5, step=0.01, show=False)
    for model in ("tanh", "ramp"):
        run = incline(np.radians(30), 0.3, 0.5, model=model, smooth_speed=1e-4).dynamics(
            until=0.5, step=0.01, show=False
        )
        np.testing.assert_allclose(run["rail.position"].values, sharp["rail.position"].values, atol=1e-4)


@pytest.mark.parametrize("offset", [0.3, -0.3])
def test_a_key_keeps_a_slider_from_turning(offset):
    """The weight acts beside the guide: f across, m about it; F_e by FTG (6.49)–(6.51)."""
    block = fx.RigidBody("block", mass=2, inertia=0.1, position=(1, offset, 0))
    rail = fx.Guide("rail", [fx.ground, fx.ground.at(8, 0, 0)], block.at(0, -offset, 0), twist="locked")
    other = fx.Guide("second", [fx.ground, fx.ground.at(8, 0, 0)], block.at(0.5, -offset, 0))  # against pitch and yaw
    dry = fx.Friction("dry", rail, 0.2, load="guide", key=0.1, factor=1.5)
    model = fx.Model("key", [block, rail, other, dry, fx.Motor("push", rail, speed=0.4)], gravity=G)
    run = model.dynamics(until=0.1, step=0.01, show=False)
    last = {name: run[f"rail.{name}"][-1] for name in ("force_1", "force_2", "torque")}
    assert abs(last["torque"]) == pytest.approx(2 * g * 0.3, rel=1e-6)
    on_key = last["torque"] / 0.1
    expected = (
        min(np.hypot(last["force_2"], last["force_1"] - sign * on_key) for sign in (1, -1)),
        max(np.hypot(last["force_2"], last["force_1"] - sign * on_key) for sign in (1, -1)),
    )
    assert any(run["dry.load"][-1] == pytest.approx(each + 1.5 * abs(on_key), rel=1e-6) for each in expected)
    assert run["push.force"][-1] == pytest.approx(0.2 * run["dry.load"][-1], rel=1e-6)


def test_a_bead_runs_out_on_a_bent_wire():
    """On half a circle in a plane without gravity it is pressed outward by m v²/R: v = v₀ exp(−µ s/R)."""
    R, mu, v = 2.0, 0.3, 3.0
    angles = np.linspace(-np.pi / 2, np.pi / 2, 33)
    first = 0.0
    bead = fx.RigidBody("bead", mass=0.4, inertia=0.01, position=(R * np.cos(first), R * np.sin(first), 0),
                        velocity=(-v * np.sin(first), v * np.cos(first), 0))  # fmt: skip
    wire = fx.Guide("wire", [fx.ground.at(R * np.cos(a), R * np.sin(a), 0) for a in angles], bead)
    run = fx.Model("wire", [bead, wire, fx.Friction("dry", wire, mu)]).dynamics(until=1.0, step=0.002, show=False)
    way = R / mu * np.log(1 + mu * v * run.time / R)
    np.testing.assert_allclose(run["wire.position"].values - run["wire.position"][0], way, atol=5e-4)
    np.testing.assert_allclose(run["dry.load"].values[5:], 0.4 * run["wire.speed"].values[5:] ** 2 / R, rtol=2e-2)
    assert lost(run) < 1e-4


@pytest.mark.parametrize(("mu", "stays"), [(0.06, True), (0.02, False)])
def test_a_slider_on_a_bent_beam(mu, stays):
    """It stays where the beam is less steep than its friction: w' = P a b (b − a)/(3 E I L) and of its own weight
    q (L³ − 6 L a² + 4 a³)/(24 E I), together 0.045 there; else it sets out with g (w' − µ)."""
    L, x, m, stiff = 2.0, 0.4, 0.1, 2e9 * 0.02 * 0.01**3 / 12
    steep = m * g * x * (L - x) * (L - 2 * x) / (3 * stiff * L)
    steep += 50 * 2e-4 * g * (L**3 - 6 * L * x**2 + 4 * x**3) / (24 * stiff)
    section, steel = fx.Rectangle(0.02, 0.01), fx.Isotropic(2e9, 0.3, 50.0)
    beam = fx.Beam("beam", [(0, 0, 0), (L, 0, 0)], section, steel, divisions=10, up="z")
    ball = fx.PointMass("ball", m, position=(x, 0, 0))
    items = [
        beam,
        ball,
        fx.Revolute("left", fx.ground, beam["start"], axis="y"),
        fx.PointOnLine("right", fx.ground.at(L), beam["end"], axis="x"),
        fx.Guide("rail", [beam[f"node {i}"] for i in range(11)], ball),
        fx.Friction("dry", "rail", 0.06),
    ]
    model = fx.Model("bridge", items, gravity=G)
    at_rest = model.statics()
    assert at_rest["rail.position"] == pytest.approx(x, abs=1e-5)
    run = model.with_item(model["dry"].replace(coefficient=mu)).dynamics(
        until=0.3, step=0.005, start=at_rest, show=False
    )
    assert run["dry.load"][-1] == pytest.approx(m * g, rel=0.1)
    moved = run["rail.position"][-1] - x
    if stays:
        assert abs(moved) < 1e-4
    else:
        assert moved == pytest.approx(g * (steep - mu) * 0.045, rel=0.03)
    assert run["dry.sticks"][-1] == stays


# -- cams ------------------------------------------------------------------------------------------------------------

R, E, M, K, SPEED = 0.03, 0.01, 0.2, 2000.0, 20.0
"""Radius and eccentricity of a circular cam [m], mass and spring of its tappet [kg, N/m], speed of the shaft [rad/s]."""


def valve(mu, rho=0.0, sense=1.0, roller=False, **cam):
    """A cam shaft about z, and a tappet along y above it on a spring; with a point, a round shoe, or a roller on a pin."""
    shaft, tappet = fx.RigidBody("shaft", mass=1, inertia=1e-3), fx.RigidBody("tappet", mass=M, inertia=1e-4)
    wheel = fx.RigidBody("wheel", mass=1e-6, inertia=1e-9)
    lobe = fx.Cam("lobe", shaft, wheel if roller else tappet, fx.Profile.circle(R, at=(E, 0)), radius=rho, **cam)
    items = [
        shaft,
        tappet,
        fx.Revolute("bearing", fx.ground, shaft, axis="z"),
        fx.Prismatic("slide", fx.ground, tappet, axis="y", start=float(lift(0.0, rho)[0])),
        fx.JointSpring("coil", "slide", stiffness=K),
        fx.Motor("drive", "bearing", speed=sense * SPEED),
        lobe,
        fx.Friction("dry", lobe, mu),
    ]
    more = [wheel, fx.Revolute("pin", tappet, wheel, axis="z")] if roller else []
    return fx.Model("valve", [*items, *more], gravity=(0, -g, 0))


def lift(theta, rho):
    """y, y', y'' = dy/dθ, … of a follower of radius ρ above the circle: y = e sin θ + √((R + ρ)² − e² cos² θ)."""
    root = np.sqrt((R + rho) ** 2 - (E * np.cos(theta)) ** 2)
    first = E**2 * np.sin(theta) * np.cos(theta) / root
    second = E**2 * np.cos(2 * theta) / root - first**2 / root
    return E * np.sin(theta) + root, E * np.cos(theta) + first, -E * np.sin(theta) + second


def by_hand(t, mu, rho, sense):
    """Force of contact, torque that the shaft takes, and power lost.

    At the point of contact c the normal force N n and friction −µ N sgn(v) t act on the tappet, N from m ÿ + m g + k y = N (n_y − µ sgn(v) t_y);
    the shaft takes c × that.
    """
    w, theta = sense * SPEED, sense * SPEED * t
    y, first, second = lift(theta, rho)
    center = E * np.array([np.cos(theta), np.sin(theta)])
    n = (np.array([0 * y, y]) - center) / (R + rho)
    along, c = np.array([n[1], -n[0]]), center + R * n
    v = np.sum((np.array([0 * y, w * first]) - w * np.array([-c[1], c[0]])) * along, axis=0)
    N = (M * w**2 * second + M * g + K * y) / (n[1] - mu * np.sign(v) * along[1])
    F = N * n - mu * N * np.sign(v) * along
    return N, c[0] * F[1] - c[1] * F[0], mu * N * np.abs(v)


@pytest.mark.parametrize("sense", [1.0, -1.0])
@pytest.mark.parametrize("rho", [0.0, 0.01])
def test_torque_of_an_eccentric_cam(rho, sense):
    """With a knife edge, or a round shoe, over more than one turn."""
    mu = 0.15
    run = valve(mu, rho, sense).dynamics(until=0.4, step=5e-4, show=False)
    N, torque, power = by_hand(run.time, mu, rho, sense)
    late = slice(20, None)
    np.testing.assert_allclose(run["dry.load"].values[late], N[late], rtol=1e-4)
    np.testing.assert_allclose(run["lobe.force"].values[late], N[late], rtol=1e-4)
    np.testing.assert_allclose(run["drive.torque"].values[late], torque[late], atol=1e-4 * np.abs(torque).max())
    np.testing.assert_allclose(run["dry.power"].values[late], power[late], rtol=1e-4)
    np.testing.assert_allclose(np.abs(run["dry.force"].values), mu * run["dry.load"].values, rtol=1e-9)
    assert lost(run) < 1e-4
    assert run.history["transitions"].sum() == 0
    smooth = np.abs(by_hand(run.time, 0.0, rho, sense)[1] - torque).max()
    assert smooth > 0.2 * np.abs(torque).max()  # friction matters


@pytest.mark.parametrize("rho", [0.0, 0.01])
def test_a_sprung_cam_has_the_same_torque(rho):
    """The load is then the force of the contact spring, FTG 6.5.8."""
    run = valve(0.15, rho, stiffness=2e6, damping=400).dynamics(until=0.2, step=1e-4, show=False)
    N, torque, _ = by_hand(run.time, 0.15, rho, 1.0)
    late = slice(200, None)
    np.testing.assert_allclose(run["dry.load"].values[late], run["lobe.force"].values[late], rtol=1e-6)
    np.testing.assert_allclose(run["dry.load"].values[late], N[late], rtol=5e-3)
    np.testing.assert_allclose(run["drive.torque"].values[late], torque[late], atol=5e-3 * np.abs(torque).max())
    assert lost(run) < 1e-3


@pytest.mark.parametrize("rho", [0.0, 0.01])
def test_kinematics_know_the_torque(rho):
    run = valve(0.15, rho).kinematics(until=0.4, step=0.01)
    N, torque, power = by_hand(run.time, 0.15, rho, 1.0)
    np.testing.assert_allclose(run["dry.load"].values, N, rtol=1e-9)
    np.testing.assert_allclose(run["drive.torque"].values, torque, atol=1e-9 * np.abs(torque).max())
    np.testing.assert_allclose(run["dry.power"].values, power, rtol=1e-9)


def test_runs_go_on_bit_by_bit(tmp_path):
    """What friction on a guide and on a cam remembers is kept, and sensors read it."""
    slope = incline(np.radians(20), 0.5, 2.0).with_item(fx.Sensor("rub", "dry.force"))
    for model, until, signal in ((slope, 1.5, "rail.position"), (valve(0.15, 0.01), 0.1, "drive.torque")):
        whole = model.dynamics(until=until, step=until / 100, show=False)
        for share in (0.3, 0.9):
            kept = tmp_path / f"{model.name} {share}.h5"
            part = model.dynamics(until=share * until, step=until / 100, file=kept, show=False)
            np.testing.assert_array_equal(part.continue_until(until)[signal], whole[signal])
        if model is slope:
            np.testing.assert_allclose(whole["rub.value"], whole["dry.force"], atol=1e-9)


def test_a_roller_rolls():
    """On its own pin, nearly without inertia, it sticks to the cam: its rim runs as fast as the cam's at the point of contact."""
    rho = 0.01
    run = valve(0.5, rho, roller=True).dynamics(until=0.4, step=5e-4, show=False)
    theta = SPEED * run.time
    y, first, _ = lift(theta, rho)
    center = E * np.array([np.cos(theta), np.sin(theta)])
    n = (np.array([0 * y, y]) - center) / (R + rho)
    along, c = np.array([n[1], -n[0]]), center + R * n
    v = np.sum((np.array([0 * y, SPEED * first]) - SPEED * np.array([-c[1], c[0]])) * along, axis=0)
    # the rim of the roller at −ρ n moves with v_P − ω ρ ẑ × n, and that is the cam's velocity there; ẑ × n = −along
    spin = -v / rho
    late = slice(100, None)
    np.testing.assert_allclose(run["pin.angle_rate"].values[late], spin[late], atol=2e-3 * np.abs(spin).max())
    assert run["dry.sticks"][-1] == 1
    torque = by_hand(run.time, 0.0, rho, 1.0)[1]
    np.testing.assert_allclose(run["drive.torque"].values[late], torque[late], atol=2e-3 * np.abs(torque).max())


def test_a_bead_goes_round_and_round_on_a_ring():
    """Pressed outward by m v²/R it runs down as v₀ exp(−µ s/R), also over the seam of the closed curve."""
    ring, mu, v = 0.5, 0.05, 8.0
    bead = fx.RigidBody("bead", mass=0.4, inertia=0.01, position=(ring, 0, 0), velocity=(0, v, 0))
    track = fx.Cam("track", fx.ground, bead, fx.Profile.circle(ring), side="inside")
    run = fx.Model("ring", [bead, track, fx.Friction("dry", track, mu)]).dynamics(until=2, step=1e-3, show=False)
    angle = np.unwrap(np.arctan2(run["bead.position_y"].values, run["bead.position_x"].values))
    assert angle[-1] > 2 * np.pi * 2
    np.testing.assert_allclose(angle, np.log(1 + mu * v * run.time / ring) / mu, atol=1e-3)
    assert lost(run) < 1e-3 * 0.2 * v**2
    assert run.history["transitions"].sum() == 0


@pytest.mark.parametrize("sprung", [{}, {"stiffness": 1e5, "damping": 500}], ids=["bound", "sprung"])
def test_a_follower_rests_or_slides_on_an_inclined_curve(sprung):
    """tan 20° = 0.364; a spline through points of a straight line."""
    slope = np.radians(20)
    points = [(s * np.cos(slope), -s * np.sin(slope)) for s in (-5, 0, 3, 8)]
    for mu, braked in ((0.5, True), (0.3, False)):
        start = (points[1][0], points[1][1], 0)
        foot = fx.PointMass("foot", 0.5, position=start)
        track = fx.Cam("track", fx.ground, foot, fx.Profile(points), side="left", **sprung)
        model = fx.Model("slope", [foot, track, fx.Friction("dry", track, mu)], gravity=(0, -g, 0))
        run = model.dynamics(until=0.6, step=0.002, show=False)
        s = np.hypot(run["foot.position_x"].values, run["foot.position_y"].values)[-1]
        if braked:
            assert s < (1e-3 if sprung else 2e-6)
            assert run["dry.sticks"][-1] == 1
        else:
            a = g * (np.sin(slope) - mu * np.cos(slope))
            assert s == pytest.approx(a * 0.18, rel=2e-2 if sprung else 1e-4)
            assert run["dry.sticks"][-1] == 0


def test_without_contact_a_cam_does_not_rub():
    """A follower that flies over the edge slides on unbraked."""
    foot = fx.PointMass("foot", 0.5, position=(0.5, 0.0, 0), velocity=(2, 0, 0))
    track = fx.Cam(
        "track", fx.ground, foot, fx.Profile([(0, 0), (1, 0)], kind="lines"), stiffness=1e5, damping=300, ends="leave"
    )
    run = fx.Model("edge", [foot, track, fx.Friction("dry", track, 0.2)], gravity=(0, -g, 0)).dynamics(
        until=0.8, step=1e-3, show=False
    )
    v = run["foot.velocity_x"].values
    over = run["foot.position_x"].values > 1.001
    assert over.any()
    assert np.ptp(v[over]) < 1e-4
    assert run["dry.load"][-1] < 1e-6
    assert v[over][0] == pytest.approx(np.sqrt(4 - 2 * 0.2 * g * 0.5), rel=1e-2)


# -- what cannot be meant ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "friction", "message"),
    [
        ({"along": [fx.ground, fx.ground.at(5, 0, 0)]}, {"radius": 0.1}, "radius is given"),
        ({"along": [fx.ground, fx.ground.at(5, 0, 0)]}, {"load": "bearing", "span": 0.1}, "is a translation"),
        ({"along": [fx.ground, fx.ground.at(5, 0, 0)]}, {"load": "axial"}, "is a translation"),
        ({"along": [fx.ground, fx.ground.at(5, 0, 0)]}, {"load": "guide", "key": 0.1}, "twist: locked"),
        ({"a": fx.ground, "profile": fx.Profile.circle(1)}, {"load": "guide", "key": 0.1}, "there is no key"),
        ({"a": fx.ground, "profile": fx.Profile.circle(1)}, {"variable": "angle"}, "no variable 'angle'"),
    ],
)
def test_wrong_friction_on_a_path(path, friction, message):
    ball = fx.RigidBody("ball", mass=2, inertia=0.1, position=(1, 0, 0))
    way = (fx.Cam if "profile" in path else fx.Guide)(name="way", b=ball, **path)
    with pytest.raises(ModelError, match=message):
        fx.Model("wrong", [ball, way, fx.Friction("dry", "way", 0.2, **friction)]).check()


@pytest.mark.parametrize(
    "friction",
    [
        {"coefficient": 0.2, "load": 5},
        {"prestress": 1},
        {"viscous": 1},
        {"model": "tanh", "smooth_speed": 1e-3, "prestress": 1},
    ],
)
def test_nothing_rubs_in_the_air(friction: dict) -> None:
    body = fx.RigidBody("body", mass=1, inertia=0.1)
    plane = fx.Planar("plane", fx.ground, body, axis="z", start=(1, 0.5, 0), start_rate=(2, 0, 0))
    floor = fx.Cam("floor", fx.ground, body, fx.Profile([(-1, 0), (30, 0)], kind="lines"), stiffness=1e5)
    run = fx.Model("above", [body, plane, floor, fx.Friction("f", "floor", **friction)]).dynamics(
        until=0.2, step=0.002, show=False
    )
    np.testing.assert_allclose(run["plane.x_rate"], 2, rtol=1e-12)


def test_loads_may_be_tiny() -> None:
    """A grain of 1 ng: v = v₀ − μ g t"""
    grain = fx.RigidBody("grain", mass=1e-12, inertia=1e-20)
    slide = fx.Prismatic("slide", fx.ground, grain, axis="x", start_rate=0.01)
    friction = fx.Friction("f", slide, 0.1, micro_slip=1e-9)
    run = fx.Model("grain", [grain, slide, friction], gravity=(0, 0, -9.81)).dynamics(
        until=0.005, step=1e-4, show=False
    )
    assert run["slide.displacement_rate"][-1] == pytest.approx(0.01 - 0.981 * 0.005, rel=1e-6)
    assert run["f.load"][-1] == pytest.approx(9.81e-12, rel=1e-6)
