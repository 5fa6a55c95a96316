"""Cams: lift, speed and acceleration of a follower; beads on wires; contact that is lost and returns."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.errors import FlexorError, ModelError

R, E, RHO = 0.05, 0.02, 0.01
"""Radius, eccentricity and roller of a circular cam [m]."""
TAPPET = {"mass": 0.3, "inertia": 1e-4}


def valve(*more, speed=20.0, profile=None, **cam):
    """A cam shaft about z that turns at a given speed, and a tappet along y above it."""
    shaft, tappet = fx.RigidBody("shaft", mass=1, inertia=1e-3), fx.RigidBody("tappet", **TAPPET)
    return fx.Model(
        "valve",
        items=[
            shaft,
            tappet,
            fx.Revolute("bearing", fx.ground, shaft, axis="z"),
            fx.Prismatic("guide", fx.ground, tappet, axis="y", start=lift(0.0)),
            fx.Motor("drive", joint="bearing", speed=speed),
            fx.Cam("cam", shaft, tappet, profile or fx.Profile.circle(R, at=(E, 0)), **{"radius": RHO, **cam}),
            *more,
        ],
    )


def lift(theta):
    """Of a roller of radius ρ above a circle of radius R, e off the shaft: y = e sin θ + √((R + ρ)² − e² cos² θ)."""
    return E * np.sin(theta) + np.sqrt((R + RHO) ** 2 - (E * np.cos(theta)) ** 2)


def slope(f, x, order):
    """Derivative by Cauchy's formula on a small circle."""
    z = 0.1 * np.exp(2j * np.pi * np.arange(32) / 32)
    values = [f(x + each) / each**order for each in z]
    return np.real(np.mean(values, axis=0)) * (1 if order == 1 else 2)


def test_lift_speed_acceleration_and_force_of_a_circular_cam():
    model = valve(speed=20.0)
    run = model.kinematics(until=2 * np.pi / 20, step=2 * np.pi / 20 / 90)
    theta = 20.0 * run.time
    np.testing.assert_allclose(run["guide.displacement"].values, lift(theta), atol=1e-12)
    np.testing.assert_allclose(run["guide.displacement_rate"].values, 20 * slope(lift, theta, 1), atol=1e-10)
    second = 400 * slope(lift, theta, 2)
    np.testing.assert_allclose(run["tappet.acceleration_y"].values, second, atol=1e-8)
    normal = run["cam.force"].values * np.sqrt(1 - (E * np.cos(theta) / (R + RHO)) ** 2)
    np.testing.assert_allclose(normal, TAPPET["mass"] * second, atol=1e-8)
    position = np.mod(run["cam.position"].values, 2 * np.pi * R)
    to_contact = np.arctan2(lift(theta) - E * np.sin(theta), -E * np.cos(theta)) - theta
    apart = np.mod(position / R - to_contact + np.pi, 2 * np.pi) - np.pi
    np.testing.assert_allclose(apart, 0, atol=1e-9)


def test_a_spline_through_points_of_the_circle_is_nearly_the_circle():
    """The error of a cubic spline falls with the fourth power of the distance of the points."""
    errors = []
    for count in (16, 32):
        angles = 2 * np.pi * np.arange(count) / count
        points = np.stack([E + R * np.cos(angles), R * np.sin(angles)], axis=1)
        run = valve(profile=fx.Profile(points, closed=True)).kinematics(until=0.3, step=0.003)
        errors.append(np.abs(run["guide.displacement"].values - lift(20.0 * run.time)).max())
    assert errors[0] < 2e-5
    assert errors[0] / errors[1] > 10


@pytest.mark.parametrize("enforcement", ["groove", "spring"])
def test_dynamics_follow_the_lift(enforcement):
    cam = {} if enforcement == "groove" else {"stiffness": "5 MN/m", "damping": "500 N s/m"}
    spring = fx.AxialSpring("spring", fx.ground.at(0, 0.3, 0), "tappet", stiffness=3000, free_length=0.3)
    run = valve(spring, **cam).dynamics(until=0.4, step=1e-4)
    np.testing.assert_allclose(run["guide.displacement"].values[300:], lift(20.0 * run.time[300:]), atol=6e-5)


def test_a_bead_on_a_circular_wire_is_a_pendulum():
    bead = fx.PointMass("bead", mass=0.4, position=(np.sin(1.2), -np.cos(1.2), 0))
    wire = fx.Cam("wire", fx.ground, bead, fx.Profile.circle(1.0), side="inside")
    rod = fx.Distance("rod", fx.ground, bead, length=1.0)
    gravity = (0, -9.81, 0)
    run, same = (fx.Model("bead", [bead, held], gravity=gravity).dynamics(until=3, step=1e-3) for held in (wire, rod))
    for signal in ("bead.position_x", "bead.position_y"):
        np.testing.assert_allclose(run[signal].values, same[signal].values, atol=1e-8)


def test_a_drop_bounces_on_the_curve_and_keeps_its_energy():
    """Contact is lost and returns; without damping the drop comes back to its height."""
    drop = fx.PointMass("drop", mass=1.0, position=(0, 0.1, 0))
    floor = fx.Cam("floor", fx.ground, drop, fx.Profile([(-1, 0), (1, 0)], kind="lines"), stiffness=1e4)
    run = fx.Model("bounce", [drop, floor], gravity=(0, -9.81, 0)).dynamics(until=1.0, step=1e-4)
    deepest = 9.81e-4 + np.sqrt(9.81e-4**2 + 2 * 9.81e-4 * 0.1)  # ½ k δ² = m g (h + δ)
    assert run["floor.gap"].values.min() == pytest.approx(-deepest, rel=1e-3)
    later = run["drop.position_y"].values[2000:]
    assert later.max() == pytest.approx(0.1, rel=2e-3)
    assert np.all(run["floor.force"].values >= 0)


def test_a_drop_rounds_a_corner():
    """A point pressed along a roof falls beyond its ridge on the other side; at the ridge it is held by the vertex."""
    roof = fx.Profile([(-1, 0), (0, 0), (1, -1)], kind="lines")
    drop = fx.PointMass("drop", mass=1.0, position=(-0.3, 0, 0), velocity=(0.5, 0, 0))
    model = fx.Model(
        "roof", [drop, fx.Cam("roof", fx.ground, drop, roof, stiffness=1e6, damping=300)], gravity=(0, -9.81, 0)
    )
    run = model.dynamics(until=1.1, step=1e-4)
    x, y = run["drop.position_x"].values, run["drop.position_y"].values
    past = x > 0.3
    assert np.any(past)
    np.testing.assert_allclose(y[past], -x[past], atol=0.1)


def test_ends():
    """A slide down a slope: a stop throws it back, without one it flies on, and by default the run ends."""
    slope_ = fx.Profile([(-1, 1), (0, 0)], kind="lines")
    block = fx.PointMass("block", mass=1.0, position=(-0.5, 0.5, 0))

    def model(**cam):
        return fx.Model("slope", [block, fx.Cam("slope", fx.ground, block, slope_, **cam)], gravity=(0, -9.81, 0))

    stopped = model(ends="stop", stop=1e5).dynamics(until=1.0, step=1e-4)
    assert stopped["block.position_x"].values.max() == pytest.approx(0, abs=2e-2)
    assert stopped["slope.position"].values[-1] < np.sqrt(2)
    left = model(stiffness=1e6, damping=100, ends="leave").dynamics(until=1.0, step=1e-4)
    assert left["slope.force"].values[-1] == 0
    assert left["block.position_y"].values[-1] < -1
    with pytest.raises(FlexorError, match="left its curve at the end"):
        model().dynamics(until=1.0, step=1e-4)


@pytest.mark.parametrize(
    ("profile", "cam", "message"),
    [
        ({"points": [(0, 0), (1, 0), (0.5, 0)], "kind": "lines"}, {"stiffness": 1}, "no corner of 180°"),
        ({"points": [(0, 0), (1, 0), (1, 1)], "kind": "lines"}, {}, "round it by an arc"),
        ({"points": [(0, 0), (1, 0)], "kind": "spline"}, {}, "needs 3 or more"),
        ({"points": [(0, 0), (1, 0), (1, 0)], "kind": "lines"}, {}, "points 2 and 3 coincide"),
        ({"points": [(0, 0), (1, 1), (2, 0), (3, 1)], "kind": "arcs"}, {}, "odd number"),
        ({"points": [(0, 0), (1, 1), (2, 0)]}, {"side": "inside"}, "left or right"),
        ({"points": [(0, 0), (1, 1), (2, 0)]}, {"damping": 3}, "without stiffness"),
        ({"points": [(0, 0), (1, 1), (2, 0)]}, {"ends": "leave"}, "cannot leave it"),
        ({"points": [(0, 0), (1, 1), (2, 0)]}, {"ends": "stop"}, "stops need both"),
        ({"points": [(0, 0), (1, 1), (2, 0)], "closed": True}, {"ends": "stop", "stop": 1}, "has no ends"),
    ],
)
def test_wrong_input(profile, cam, message):
    with pytest.raises(ModelError, match=message):
        fx.Cam("cam", "a", "b", profile, **cam)


FEDEM = {
    0.05: (9.49178314, -9.79965782, -29.6054058),
    0.10: (41.4789314, -42.8584671, -61.0843849),
    0.20: (167.662308, -177.565414, -119.608505),
}
"""Kinetic and potential energy [J] and damper force [N] over time [s] of a mass that falls towards a curve of two arcs, damped all the way:
CamWithDamping of the solver tests of Fedem R7.2.2 (open source, github.com/SAP/fedem-solvers), step 10 ms."""


def test_a_mass_falls_towards_fedems_curve():
    """Fedem begins without acceleration, so that its motion lags by half a step: its check-sum is off by 0.18 J from there on.
    The bounces that follow are not resolved by its step (nor by ours), and are not compared."""
    mass = fx.PointMass("mass", mass=100, position=(0.2, 10, 0))
    arcs = fx.Profile([(0, 10), (5, 5), (7.5, 2.7), (10, 2), (12, 2.1)], kind="arcs")
    force = fx.expression("if(x > 0, 5e8*x^2, 0)")  # its stiffness rises to 1e6 N/m at 1 mm, FTG (5.2)
    cam = fx.Cam("cam", fx.ground, mass, arcs, force=force, damping=100, always_damped=True, ends="leave")
    run = fx.Model("cam", [mass, cam], gravity=(0, -9.81, 0)).dynamics(until=0.2, step=5e-3)
    for t, (kinetic, potential, force) in FEDEM.items():
        at = int(np.argmin(abs(run.time - (t - 5e-3))))
        assert run["energy.kinetic"].values[at] == pytest.approx(kinetic, rel=0.005, abs=0.2)
        fallen = run["energy.potential"].values[at] - run["energy.potential"].values[0]
        assert fallen == pytest.approx(potential, rel=0.005, abs=0.2)
        assert run["cam.force"].values[at] == pytest.approx(-force, rel=0.01)


def test_corners_towards_the_follower():
    """In a valley the nearer side presses: a drop comes to rest at its bottom."""
    valley = fx.Profile([(-1, 1), (0, 0), (1, 1)], kind="lines")
    drop = fx.PointMass("drop", mass=1.0, position=(-0.2, 0.3, 0))
    cam = fx.Cam("valley", fx.ground, drop, valley, stiffness=1e5, damping=100, exponent=1)
    run = fx.Model("valley", [drop, cam], gravity=(0, -9.81, 0)).dynamics(until=2.0, step=2e-4)
    assert abs(run["drop.position_x"].values[-1]) < 0.01
    assert run["drop.position_y"].values[-1] == pytest.approx(0, abs=0.01)
