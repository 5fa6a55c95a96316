"""Contact against records of the reference set: Hertz's impact, a ball that bounces until it rests, a block that stops, the balls of a bearing."""

import numpy as np
import pytest

import flexor as fx

G = 9.81


def over_floor(body, law, gravity=G, **more):
    floor = fx.Contact("floor", fx.ground.surface(fx.Plane()), body, law, **more)
    return fx.Model("floor", [body, floor], gravity=(0, 0, -gravity))


def test_depth_and_time_of_a_hertz_impact():
    """δ = (15 m v²/16 E*√R)^0.4 and T = 2.9432 δ/v = 2.868 (m²/R E*² v)^0.2, to 0.1 % (record hertz_line_and_impact; Johnson 1985, 11.1).

    With 160 steps an impact: 0.01 and 0.02 % off; with the 40 of the default 0.19 and 0.11 %.
    """
    m, v, r, steel = 0.3, 2.0, 0.05, fx.Steel()
    E = steel.young / (2 * (1 - steel.poisson**2))
    depth = (15 * m * v**2 / (16 * E * np.sqrt(r))) ** 0.4
    duration = 2.868 * (m**2 / (r * E**2 * v)) ** 0.2
    ball = fx.RigidBody("ball", m, 1e-4, position=(0, 0, r), velocity=(0, 0, -v), shapes=[fx.Sphere(r)])
    run = over_floor(ball, fx.Hertz(steel), 0.0).dynamics(until=1e-3, step=1e-3, impact_steps=160, show=False)
    assert run["floor.deepest"][-1] == pytest.approx(depth, rel=1e-3)
    back = (run["ball.position_z"][-1] - r) / run["ball.velocity_z"][-1]  # for how long it has been apart
    assert 1e-3 - back == pytest.approx(duration, rel=1e-3)


def test_a_ball_bounces_eleven_times():
    """Until it rebounds with less than 0.1 m/s: times of the first impacts, 2.49911 s of the eleventh, to 1 ms (record bouncing_ball; Modelica Reference FMUs)."""
    ball = fx.RigidBody("ball", 1.0, 1e-3, position=(0, 0, 1.05), shapes=[fx.Sphere(0.05)])
    law = fx.Penalty(1e10, restitution=0.7)
    run = over_floor(ball, law).dynamics(until=2.515, step=5e-3, impact_steps=200, show=False)
    t, z, v = run.time, run["ball.position_z"].values - 0.05, run["ball.velocity_z"].values
    up = np.flatnonzero(np.diff(v) > 0)  # between these rows and the next ones it hits the floor
    times = t[up] + (v[up] + np.sqrt(v[up] ** 2 + 2 * G * np.maximum(z[up], 0))) / G
    assert len(times) == 11
    expected = [0.4515236409857, 1.083656738365754, 1.52614990653177, 1.835895124247982]
    np.testing.assert_allclose(times[[0, 1, 2, 3, 10]], [*expected, 2.4991133142246], atol=1e-3)
    assert v[-1] < 0.1


def test_a_block_stops_in_time():
    """v₀/(μ g) = 0.679579 s, to 0.2 % (record coulomb_block)."""
    low = 0.01 - 2 * G / 4e6
    block = fx.RigidBody("block", 2.0, 0.01, position=(0, 0, low), velocity=(2, 0, 0), shapes=[fx.Box(0.2, 0.2, 0.02)])
    run = over_floor(block, fx.Penalty(1e6), friction=0.3).dynamics(until=0.7, step=5e-4, show=False)
    assert run.time[np.argmax(run["floor.sticks"].values > 0)] == pytest.approx(0.679579, rel=2e-3)


def bearing(count, clearance, sunk, load=None):
    """A shaft of 20 mm between balls of 5 mm that stand around it, one of them below; pressed down by a load, or held so deep."""
    shaft = fx.RigidBody("shaft", 1.0, 1e-3, position=(0, 0, -sunk), shapes=[fx.Cylinder(0.02, 0.1, axis="y")])
    angles = 2 * np.pi * np.arange(count) / count
    reach = 0.025 + clearance
    around = [fx.ground.at(reach * np.sin(psi), 0, -reach * np.cos(psi)).surface(fx.Sphere(0.005)) for psi in angles]
    balls = [fx.Contact(f"ball{i}", place, shaft, fx.Hertz("steel")) for i, place in enumerate(around)]
    at = fx.ground.at(0, 0, -sunk)
    held = [fx.Fixed("held", at, shaft)] if load is None else [
        fx.Prismatic("held", at, shaft, axis="z"), fx.PointForce("load", shaft, direction=(0, 0, -1), force=load)
    ]  # fmt: skip
    return fx.Model("bearing", [shaft, *balls, *held])


@pytest.mark.filterwarnings("ignore::flexor.DoubtfulModel")  # pressed together at the start
@pytest.mark.parametrize(("count", "share"), [(8, 4.34571), (12, 4.36449)])
def test_the_ball_below_carries_most_of_the_load(count, share):
    """Q_max Z/F_r without clearance (record bearing_load_distribution: discrete sums, one ball below; 4.37 of many balls, NSK)."""
    load = 2000.0
    found = bearing(count, 0.0, 1e-5, load).statics()
    assert found["ball0.normal_force"] * count / load == pytest.approx(share, rel=2e-3)


@pytest.mark.filterwarnings("ignore::flexor.DoubtfulModel")
@pytest.mark.parametrize(("zone", "integral"), [(0.3, 0.1892), (0.5, 0.2288), (0.8, 0.2559), (1.25, 0.2289)])
def test_a_bearing_with_clearance_or_preload(zone, integral):
    """F_r = Z Q_max J_r(ε), δ = δ_max (1 − (1 − cos ψ)/2ε) (record bearing_load_distribution, J_r of points: Sjovall)."""
    count, sunk = 60, 1e-5
    found = bearing(count, sunk * (1 - 2 * zone), sunk).statics()
    Q = found["ball0.normal_force"]
    load = sum(found[f"ball{i}.force_z"] for i in range(count))
    assert load / (count * Q) == pytest.approx(integral, rel=2e-3)
