"""What lies in a bore, slot or funnel: with its ends and with the edges of that, wherever both end; flush ends among them."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.spatial import exp_so3
from tests.contact.test_approach import Meeting, _duals

LENGTH, R_PIN, PLAY, DEPTH = 0.05, 0.02, 1e-3, 1e-5
HALF = R_PIN + PLAY
SQUARE = fx.Profile([(-HALF, -HALF), (HALF, -HALF), (HALF, HALF), (-HALF, HALF)], kind="lines", closed=True)
WALL = fx.Profile([(HALF, -LENGTH / 2), (HALF, LENGTH / 2)], kind="lines")
HOLLOW = {
    "bore": fx.Cylinder(HALF, LENGTH, inside=True),
    "bush": fx.Revolved(WALL, inside=True),
    "slot": fx.Extruded(SQUARE, LENGTH, inside=True),
}
INNER = {
    "pin": lambda length: fx.Cylinder(R_PIN, length),
    "prism": lambda length: fx.Extruded(fx.Profile.circle(R_PIN), length),
}
PAIRS = [("bore", "pin"), ("bush", "pin"), ("slot", "pin"), ("bore", "prism")]


@pytest.mark.parametrize(("hollow", "inner"), PAIRS)
@pytest.mark.parametrize("length", [LENGTH, 0.9 * LENGTH, 1.2 * LENGTH])
@pytest.mark.parametrize("along", [0.0, 1e-6, -1e-6, 1e-3])
def test_both_ends_of_what_both_share_are_held(hollow, inner, length, along):
    """Pressed aside by the play and a little more, it touches once at each end, by that much and straight from the wall: flush, shorter or longer, and shifted along."""
    meeting = Meeting(HOLLOW[hollow], INNER[inner](length))
    p = np.array([PLAY + DEPTH, 0.0, along])
    found = [meeting(p, np.eye(3), k) for k in range(meeting.pair.places)]
    touching = [each for each in found if each[0] < 1e-12]
    assert len(touching) == 2
    ends = sorted(float(x[2]) for _, _, x in touching)
    low, high = max(-LENGTH / 2, along - length / 2), min(LENGTH / 2, along + length / 2)
    for (g, n, _), end, expected in zip(touching, ends, (low, high)):
        assert g == pytest.approx(-DEPTH, rel=1e-9)
        np.testing.assert_allclose(n, (-1, 0, 0), atol=1e-12)
        assert end == pytest.approx(expected, abs=2.1e-3 * LENGTH)


@pytest.mark.parametrize(("hollow", "inner"), PAIRS)
@pytest.mark.parametrize("length", [LENGTH, 1.2 * LENGTH])
def test_gaps_close_with_the_velocity_along_the_normal(hollow, inner, length):
    """Tilted in it by a little: ġ = n · u of all that touches."""
    meeting, rng = Meeting(HOLLOW[hollow], INNER[inner](length)), np.random.default_rng(1)
    met = 0
    for _ in range(4):
        R = exp_so3(np.array([0.0, rng.uniform(5e-3, 2e-2), 0.0]))
        p, v, w = np.array([PLAY, 0.0, 0.0]), rng.normal(size=3), rng.normal(size=3)
        slopes = np.cross(w, R, axisb=0).T
        for k in range(meeting.pair.places):
            if meeting(p, R, k)[0] > 0:
                continue
            g, n, x = meeting(_duals(p, v), _duals(R.ravel(), slopes.ravel()), k)
            n, x = (np.array([each.a for each in u]) for u in (n, x))
            assert g.b == pytest.approx(n @ (v + np.cross(w, x - p)), abs=5 * abs(g.a) + 1e-9)
            met += 1
    assert met >= 4


def test_a_funnel_holds_a_cone_as_long_as_it_is():
    """Alike cones, sunk in by the same everywhere: both ends, with the play across the slope."""
    meeting = Meeting(fx.Cone(0.021, LENGTH, top=0.019, inside=True), fx.Cone(0.02, LENGTH, top=0.018))
    found = [meeting(np.array([PLAY + DEPTH, 0, 0]), np.eye(3), k) for k in range(meeting.pair.places)]
    touching = [g for g, _, _ in found if g < 1e-12]
    assert len(touching) == 2
    np.testing.assert_allclose(touching, -DEPTH * np.cos(np.arctan(0.002 / LENGTH)), rtol=2e-3)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("along", [0.0, 1e-6])
def test_a_pin_falls_by_its_play(along):
    """And lies there on both ends, however near both are to those of the bore; nothing pushes it along."""
    shape = fx.Cylinder(R_PIN, LENGTH, axis="y")
    pin = fx.RigidBody("pin", 0.26, 4e-5, position=(0, along, 0), shapes=[shape])
    around = fx.ground.surface(fx.Cylinder(HALF, LENGTH, axis="y", inside=True))
    contact = fx.Contact("c", around, pin, fx.Penalty(1e6, restitution=0.3))
    run = fx.Model("m", [pin, contact], gravity=(0, 0, -9.81)).dynamics(until=0.1, step="1 ms", show=False)
    assert run["pin.position_z"][-1] == pytest.approx(-PLAY - 0.26 * 9.81 / 2e6, abs=2e-8)
    assert run["c.normal_force"][-1] == pytest.approx(0.26 * 9.81, rel=1e-3)
    assert run["pin.position_y"][-1] == pytest.approx(along, abs=1e-8)
    assert len(run.history["step_size"]) < 300


def test_a_roller_as_wide_as_its_cam_runs_like_a_wider_one():
    """Flush ends of a prism and a roller do not stand on each other: no step is made short for them, and the motor feels nothing."""
    found = []
    for width in (0.02, 0.0202):
        shaft = fx.RigidBody("shaft", 1, 1e-3, shapes=[fx.Extruded(fx.Profile.circle(0.03, at=(0.008, 0)), 0.02)])
        arm = fx.RigidBody("arm", 0.3, 1e-4, shapes=[fx.Cylinder(0.01, width)])
        items = [
            shaft, arm, fx.Revolute("b", fx.ground, shaft, axis="z"),
            fx.Prismatic("g", fx.ground, arm, axis="y", start=np.sqrt(0.04**2 - 0.008**2)), fx.Motor("d", "b", speed=72.0),
            fx.PointForce("s", arm, direction="-y", force=60.0), fx.Contact("c", shaft, arm, fx.Penalty(20e6, restitution=0.4)),
        ]  # fmt: skip
        run = fx.Model("cam", items).dynamics(until=0.03, step="0.2 ms", show=False)
        found.append((np.abs(run["d.torque"].values).max(), run["energy.input"][-1], len(run.history["step_size"])))
    np.testing.assert_allclose(found[0], found[1], rtol=1e-3)
