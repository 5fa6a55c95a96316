"""Rings, a torus or a washer, on flat faces: they lie as on a plane, hang over edges, and touch at one place where they are tilted."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.contact.approach.pair import ELSEWHERE
from flexor.spatial import exp_so3
from tests.contact.test_approach import Meeting, _duals, _flat

WASHER = fx.Profile([(0.03, -0.02), (0.06, -0.02), (0.06, 0.02), (0.03, 0.02)], closed=True, kind="lines")
SQUARE = fx.Profile([(-0.3, -0.3), (0.3, -0.3), (0.3, 0.3), (-0.3, 0.3)], closed=True, kind="lines")
CORNERS = tuple((x, y, z) for x in (-0.3, 0.3) for y in (-0.3, 0.3) for z in (-0.1, 0.0))
SKIN = ((0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3))  # fmt: skip
RINGS = {"torus": fx.Torus(0.05, 0.02), "washer": fx.Revolved(WASHER)}
FACES = {
    "plane": fx.Plane(),
    "box": fx.Box(0.6, 0.6, 0.1, at=(0, 0, -0.05)),
    "cylinder": fx.Cylinder(0.3, 0.1, at=(0, 0, -0.05)),
    "prism": fx.Extruded(SQUARE, 0.1, at=(0, 0, -0.05)),
    "triangles": fx.Triangles(CORNERS, SKIN),
}
BLOCK = fx.Box(0.6, 0.6, 0.1)


def model(ring, face, at=(0.0, 0.0, 0.02), **about):
    """A ring on a face at z = 0."""
    body = fx.RigidBody("ring", 2.0, (2e-3, 2e-3, 3e-3), position=at, shapes=[RINGS[ring]], **about)
    contact = fx.Contact(
        "floor", fx.ground.surface(FACES[face]), body, fx.Penalty("1e6 N/m", restitution=0.3), friction=0.3
    )
    return fx.Model("ring", [body, contact], gravity=(0, 0, -9.81))


def touching(meeting, p, R):
    """All places that are some."""
    found = [meeting(p, R, k) for k in range(meeting.pair.places)]
    return [each for each in found if each[0] < 0.5 * ELSEWHERE]


@pytest.mark.parametrize(
    ("ring", "face"), [*(("torus", face) for face in FACES if face != "plane"), ("washer", "box"), ("washer", "prism")]
)
def test_lies_as_on_a_plane(ring, face):
    """The same equilibrium; landing on the face it takes about as many steps, and neither tilts nor spins."""
    on_plane, on_face = model(ring, "plane"), model(ring, face)
    assert on_face.statics()["ring.position_z"] == pytest.approx(on_plane.statics()["ring.position_z"], abs=1e-13)
    plane, found = (each.dynamics(until=0.1, step=1e-3, show=False) for each in (on_plane, on_face))
    np.testing.assert_allclose(found["ring.orientation"].values[:, 1:], 0.0, atol=1e-12)
    assert len(found.history["step_size"]) < min(1.1 * len(plane.history["step_size"]), 400)


def test_hangs_over_an_edge():
    """It stays while its centre is over the box, however it is turned, and falls when it is beyond the edge."""
    heights = []
    for turn in ("0 deg", "20 deg"):
        over = model("torus", "box", at=(0.29, 0.01, 0.02), orientation={"axis": "z", "angle": turn})
        run = over.dynamics(until=0.1, step=1e-3, show=False)
        heights.append(over.statics()["ring.position_z"])
        assert run["ring.position_z"][-1] == pytest.approx(heights[-1], abs=1e-8)
        assert len(run.history["step_size"]) < 400
    assert heights[0] == pytest.approx(heights[1], abs=1e-13)
    run = model("torus", "box", at=(0.31, 0.01, 0.02)).dynamics(until=0.03, step=1e-3, show=False)
    assert 2 * run["ring.orientation"].values[-1, 2] > np.radians(1.1)  # it tips over the edge


@pytest.mark.parametrize("shift", [0.0, 0.26, 0.29, 0.32, 0.345])
@pytest.mark.parametrize("turn", [0.0, 0.7])
def test_potential_of_a_level_ring_goes_on_over_an_edge(shift, turn):
    """Four places, all as deep, whatever part of it is over the box; past it none."""
    meeting = Meeting(BLOCK, RINGS["torus"])
    R, depth = exp_so3(np.array([0, 0, turn])), 1e-5
    found = touching(meeting, (shift, 0.01, 0.07 - depth), R)
    np.testing.assert_allclose([g for g, _, _ in found], 4 * [-depth], atol=1e-12)
    for _, n, x in found:
        np.testing.assert_allclose(n, (0, 0, 1), atol=1e-12)
        assert x[0] <= 0.3 + 1e-8
        assert np.hypot(x[0] - shift, x[1] - 0.01) == pytest.approx(0.05, abs=1e-12)
    assert not [g for g, _, _ in touching(meeting, (0.375, 0.01, 0.07 - depth), R) if g < 0]


def test_bridges_a_bar():
    """Two arcs over it: their four ends."""
    found = touching(Meeting(fx.Box(0.6, 0.04, 0.1), RINGS["torus"]), (0.0, 0.0, 0.07 - 1e-5), exp_so3([0, 0, 0.3]))
    x = np.array([each[2] for each in found])
    assert len(x) == 4
    np.testing.assert_allclose(np.sort(x[:, 1]), [-0.02, -0.02, 0.02, 0.02], atol=1e-8)
    np.testing.assert_allclose(np.abs(x[:, 0]), np.sqrt(0.05**2 - 0.02**2), atol=1e-8)


def test_lies_on_the_corners_of_a_block():
    """Four arcs over it: one end of each."""
    found = touching(Meeting(fx.Box(0.08, 0.08, 0.1), RINGS["torus"]), (0.0, 0.0, 0.07 - 1e-5), exp_so3([0, 0, 0.1]))
    x = np.array([each[2] for each in found])
    assert {tuple(np.sign(each[:2])) for each in x} == {(1, 1), (1, -1), (-1, 1), (-1, -1)}
    np.testing.assert_allclose(np.sort(np.abs(x[:, :2])), 4 * [(0.03, 0.04)], atol=1e-8)


@pytest.mark.parametrize("ring", RINGS)
@pytest.mark.parametrize("face", ["box", "cylinder", "prism", "triangles"])
def test_derivatives_on_and_beside_an_edge(ring, face):
    """Of gap, normal and point of all places of a ring that is tilted a little: those by differences."""
    if (ring, face) == ("washer", "cylinder"):
        pytest.skip("touches as on a plane")
    meeting, rng, step = Meeting(FACES[face], RINGS[ring]), np.random.default_rng(1), 1e-6
    top = 0.0 if face == "triangles" else 0.05
    for shift in (0.1, 0.28):
        R, p = exp_so3(np.array([2e-3, 3e-3, 0.4])), np.array([shift, 0.02, top + 0.02 - 2e-4])
        v, w = rng.normal(size=3), rng.normal(size=3)
        dot_R = np.cross(w, R, axisb=0).T
        met = 0
        for k in range(meeting.pair.places):
            if meeting(p, R, k)[0] > 0.0:
                continue
            one, other = (_flat(meeting(p + s * step * v, exp_so3(s * step * w) @ R, k)) for s in (-1, 1))
            found = meeting(_duals(p, v), _duals(R.ravel(), dot_R.ravel()), k)
            slopes = [each.b for each in (found[0], *found[1], *found[2])]
            np.testing.assert_allclose(slopes, (other - one) / (2 * step), atol=2e-5)
            met += 1
        assert met >= 2


def test_tilted_it_touches_at_one_place():
    """Upright, or by more than 1.1°: the nearest point, with which it rolls."""
    meeting = Meeting(BLOCK, RINGS["torus"])
    for tilt in (np.radians(1.2), 0.3, np.pi / 2):
        R = exp_so3(np.array([0, tilt, 0]))
        found = touching(meeting, (0.0, 0.0, 0.07 + 0.05 * np.sin(tilt) - 1e-5), R)
        assert len(found) == 1
        assert found[0][0] == pytest.approx(-1e-5, abs=1e-12)


def test_a_washer_that_leaps_comes_to_an_end():
    """One that falls anyhow on the edges of a block touches with slices, from one of which to the next its normal leaps: no step can be short enough for that, and none is tried without end."""
    section = fx.Profile([(0.05, -0.01), (0.09, -0.01), (0.09, 0.01), (0.05, 0.01)], closed=True, kind="lines")
    turned = {"axis": (-0.19141945, -0.0258437, -0.98116803), "angle": 1.85026277}
    place = (0.003781, -0.010455, 0.2)
    ring = fx.RigidBody("ring", 0.5, (1e-3, 1e-3, 2e-3), position=place, orientation=turned, shapes=[fx.Revolved(section)])  # fmt: skip
    law = fx.Penalty(1e5, restitution=0.5)
    fall = fx.Contact("fall", fx.ground.surface(fx.Box(0.1, 0.07, 0.05)), ring, law, friction=0.2)
    model = fx.Model("washer", [ring, fall], gravity=(0, 0, -9.81))
    with pytest.warns(fx.UnresolvedContact, match="'fall'"):
        run = model.dynamics(until=0.25, step="2 ms", show=False)
    assert len(run.history["step_size"]) < 4000
    assert run["ring.position_z"][-1] > 0.0


def tube(inner, outer, **at):
    points = [(inner, -0.005), (outer, -0.005), (outer, 0.005), (inner, 0.005)]
    return fx.Revolved(fx.Profile(points, kind="lines", closed=True), **at)


LOW = {"at": (0, 0, -0.005)}
FLUSH = {
    "equal tubes": (tube(0.02, 0.03, **LOW), tube(0.02, 0.03), 16, 0.0),
    "tubes nearly on one axis": (tube(0.02, 0.03, **LOW), tube(0.02, 0.03), 16, 1e-6),
    "tubes of one bore": (tube(0.02, 0.04, **LOW), tube(0.02, 0.03), 12, 0.0),
    "a can on a tube": (tube(0.02, 0.03, **LOW), fx.Cylinder(0.025, 0.01), 8, 0.0),
    "a can as wide as the tube": (tube(0.02, 0.03, **LOW), fx.Cylinder(0.03, 0.01), 8, 0.0),
    "a frustum on a tube": (tube(0.02, 0.03, **LOW), fx.Cone(0.025, 0.01, top=0.01), 8, 0.0),
    "a tube on a can": (fx.Cylinder(0.025, 0.01, **LOW), tube(0.02, 0.03), 8, 0.0),
}


@pytest.mark.parametrize("scene", FLUSH)
def test_tubes_and_cans_lie_flush(scene):
    """A central load takes no moment of a guide, W = n K δ; left free they stay."""
    low, up, places, off = FLUSH[scene]
    body = fx.RigidBody("b", 0.2, 5e-5, position=(off, 0, 0.005 - 1e-6), shapes=[up])
    contact = fx.Contact("c", fx.ground.surface(low), body, fx.Penalty(1e7, restitution=0.2), friction=0.3)
    guide = fx.Prismatic("p", fx.ground.at(off, 0, 0.005), body, axis="z")
    load = fx.PointForce("f", body, direction="-z", force=1000)
    rest = fx.Model("guided", [body, guide, load, contact]).statics()
    assert max(abs(rest["p.torque_x"]), abs(rest["p.torque_y"])) < 1e-9 + 1000 * off
    assert rest["p.displacement"] == pytest.approx(-1000 / (places * 1e7), rel=1e-6)
    run = fx.Model("free", [body, contact], gravity=(0, 0, -9.81)).dynamics(until=0.1, step=1e-3, show=False)
    assert run["c.normal_force"][-1] == pytest.approx(0.2 * 9.81, rel=1e-2)
    assert run["b.position_z"][-1] == pytest.approx(0.005, abs=1e-7)
