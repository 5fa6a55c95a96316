"""Edges of boxes, prisms and triangulated solids across the mouths of what is hollow: against points of rims and edges, and of what is followed beside the contact."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.spatial import cKDTree

import flexor as fx
from flexor.contact.approach import pair_of
from flexor.contact.approach.hollow.mouth import cubic_angle, nearest_on_circle
from flexor.contact.approach.limits import left_out
from flexor.contact.approach.pair import ELSEWHERE
from flexor.law.dual import Dual
from flexor.spatial import exp_so3
from tests.contact.test_approach import Meeting as Plain
from tests.contact.test_unseen import L_SECTION, Meeting, floor_of

CORNERS = ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))
SOLIDS = {
    "box": fx.Box(1, 0.8, 0.6),
    "tetrahedron": fx.Triangles(tuple(tuple(1.5 * (x - 0.25) for x in corner) for corner in CORNERS), ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))),
    "angle": fx.Extruded(fx.Profile(L_SECTION, kind="lines", closed=True), 0.8),
}  # fmt: skip
HOLES = {
    "bore": fx.Cylinder(0.9, 1.2, inside=True),
    "funnel": fx.Cone(1.1, 1.2, top=0.8, inside=True),
    "race": fx.Revolved(fx.Profile([(0.8, -0.5), (1.0, 0.0), (0.8, 0.5)], kind="arcs"), inside=True),
    "throat": fx.Revolved(fx.Profile([(1.4, -1.5), (0.9, 0), (1.4, 1.5)], kind="lines"), inside=True),
    "slot": fx.Extruded(fx.Profile.circle(0.9), 1.2, inside=True),
    "oval": fx.Extruded(fx.Profile([(1.1, 0), (0, 0.8), (-1.1, 0), (0, -0.8)], closed=True), 1.2, inside=True),
}


def reached(meeting, p, way, R):
    """How far a solid goes along a way until it touches, or an edge of one is in the other; None: it does not, or has from the begin."""
    if min(meeting(p, R)) <= 0.0:
        return None
    high = next((s for s in np.arange(0.02, 2.5, 0.02) if min(meeting(p + s * way, R)) <= 0.0), None)
    if high is None:
        return None
    low = high - 0.02
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if min(meeting(p + middle * way, R)) > 0.0 else (low, middle)
    return high


def standing(rng):
    """Somewhere in a hole, or in one of its mouths, turned anyhow; and a way."""
    R, way, p = exp_so3(2 * rng.normal(size=3)), rng.normal(size=3), rng.uniform(-0.3, 0.3, 3)
    if rng.random() < 0.6:
        p[2] += rng.choice([-1, 1]) * rng.uniform(0.3, 1.0)
    return p, way / np.linalg.norm(way), R


@pytest.mark.parametrize("hole", HOLES)
@pytest.mark.parametrize("solid", SOLIDS)
def test_edges_in_mouths_are_seen(hole, solid):
    """Where edges have sunk in by 0.01 and 0.2 % of a box they are told, and nothing is told that is much deeper; before, 4 of 10 were not seen."""
    meeting, rng, met = Meeting(HOLES[hole], SOLIDS[solid]), np.random.default_rng(2), 0
    for _ in range(400):
        p, way, R = standing(rng)
        high = reached(meeting, p, way, R)
        if high is None:
            continue
        met += 1
        for deep in (1e-4, 2e-3):
            told, edges = meeting(p + (high + deep) * way, R)
            assert edges >= floor_of(meeting.slack, told)
            assert told >= -deep - 1e-9  # along this way they are apart after as much
        if met == 40:
            break
    assert met >= 12


@pytest.mark.parametrize("hole", ["bore", "funnel", "slot"])
def test_gap_in_a_mouth(hole):
    """Apart, the least of all distances between points of rims, edges and corners of a box and of the wall and the ends."""
    box, size = SOLIDS["box"], np.array([1, 0.8, 0.6])
    meeting, rng = Meeting(HOLES[hole], box), np.random.default_rng(4)
    shape = HOLES[hole]
    low, high = (shape.radius, shape.top) if hole == "funnel" else (0.9, 0.9)
    turn = np.linspace(0, 2 * np.pi, 2000, endpoint=False)
    rims = cKDTree(
        np.concatenate(
            [np.column_stack([r * np.cos(turn), r * np.sin(turn), 0 * turn + z]) for r, z in ((low, -0.6), (high, 0.6))]
        )
    )
    s = np.linspace(-0.5, 0.5, 800)
    edges = (
        np.concatenate(
            [
                np.roll(np.column_stack([s, 0 * s + y, 0 * s + z]), axis, axis=1)
                for axis in range(3)
                for y in (-0.5, 0.5)
                for z in (-0.5, 0.5)
            ]
        )
        * size
    )
    corners, nearer = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]) * size, 0
    wall = Plain(shape, fx.Sphere(1e-9))
    for _ in range(200):
        p, _, R = standing(rng)
        told, deepest = meeting(p, R)
        if told <= 1e-3 or deepest <= 0.0:
            continue
        by_corners = min(wall(p + R @ corner, np.eye(3))[0] for corner in corners)
        by_rims = float(rims.query(p + edges @ R.T)[0].min())
        nearer += by_rims < by_corners - 1e-3
        assert told == pytest.approx(min(by_corners, by_rims), abs=5e-4 + 2e-6 / told)
    assert nearer > 10


@pytest.mark.parametrize("hole", HOLES)
def test_derivatives_and_speeds(hole):
    """Of gap, normal and point by dual numbers as by differences; the gap changes by the speed of what touches along the normal."""
    meeting, seen = Plain(HOLES[hole], SOLIDS["box"]), Meeting(HOLES[hole], SOLIDS["box"])
    rng, step, met = np.random.default_rng(3), 1e-6, 0
    for _ in range(300):
        p, way, R = standing(rng)
        high = reached(seen, p, way, R)
        if high is None:
            continue
        p = p + (high + rng.choice([-1e-2, 1e-3, 3e-3])) * way
        v, w = rng.normal(size=3), rng.normal(size=3)
        for k in range(8, meeting.pair.places):
            found = meeting(p, R, k)
            if found[0] > 0.2:
                continue
            ways = [
                np.array([each[0], *each[1], *each[2]], dtype=float)
                for each in (meeting(p + s * step * v, exp_so3(s * step * w) @ R, k) for s in (-1, 1))
            ]
            if max(each[0] for each in ways) > 0.3:
                continue  # at its end
            slope = (ways[1] - ways[0]) / (2 * step)
            dual = meeting(
                [Dual(*each) for each in zip(p, v)],
                [Dual(*each) for each in zip(R.ravel(), np.cross(w, R, axisb=0).T.ravel())],
                k,
            )
            own = np.array([each.b for each in (dual[0], *dual[1], *dual[2])])
            np.testing.assert_allclose(own, slope, atol=2e-5 * max(1.0, np.abs(slope).max()))
            g, n, x = found
            at_b = np.array(x) + 0.5 * g * np.array(n)
            assert own[0] == pytest.approx(np.dot(n, v + np.cross(w, at_b - p)), abs=1e-9)
            met += 1
        if met > 20:
            break
    assert met > 20


def test_a_line_and_a_circle():
    """The smallest distances on both sides are those of a search."""
    rng = np.random.default_rng(5)
    turn = np.linspace(0, 2 * np.pi, 721)
    for i in range(200):
        c, u, r = rng.normal(size=3), rng.normal(size=3) * ([1, 1, 0.1] if i % 2 else [0.1, 0.1, 1]), 0.7
        u /= np.linalg.norm(u)

        def away(angle, c=c, u=u, r=r):
            d = c - r * np.array([np.cos(angle), np.sin(angle), 0])
            return float(np.linalg.norm(d - (d @ u) * u))

        values = np.array([away(angle) for angle in turn[:-1]])
        lowest = np.flatnonzero((values < np.roll(values, 1)) & (values <= np.roll(values, -1)))
        expected = sorted(minimize_scalar(away, bounds=(turn[k] - 0.01, turn[k] + 0.01), method="bounded", options={"xatol": 1e-12}).x % (2 * np.pi) for k in lowest)  # fmt: skip
        found = sorted(
            np.arctan2(e[1], e[0]) % (2 * np.pi)
            for there, e in (nearest_on_circle(tuple(c), tuple(u), r, way) for way in (1.0, -1.0))
            if there
        )
        assert found == pytest.approx(expected, abs=1e-6)
    assert cubic_angle(1.0, 8.0) == pytest.approx(np.arctan(0.5))


def test_a_bar_across_a_hole():
    """A bar that lies with one end over a hole rests on its corners on the plate, and where its edges cross the rim, as deep as these; one all across it on its corners and the rim."""
    hole, depth = fx.Cylinder(0.1, 0.2, inside=True), 1e-5
    meeting = Plain(hole, fx.Box(0.4, 0.04, 0.04))
    for x, places in ((0.25, 4), (0.0, 8), (0.5, 4)):
        found = [meeting((x, 0.003, 0.12 - depth), np.eye(3), k) for k in range(meeting.pair.places)]
        down = [each for each in found if each[0] < 0]
        assert len(down) == places
        for g, n, _ in down:
            assert g == pytest.approx(-depth, rel=1e-6)
            np.testing.assert_allclose(n, (0, 0, 1), atol=1e-9)
        tilted = exp_so3(np.array([2e-6, -3e-6, 0]))
        found = [meeting((x, 0.003, 0.12 - depth), tilted, k)[0] for k in range(meeting.pair.places)]
        assert sum(g < 0 for g in found) == places
        assert min(found) > -2 * depth


def test_upright_in_a_bore():
    """A post that stands through a bore and leans on its wall touches it with its edges at both mouths, and nothing is as deep as the bore is long."""
    meeting = Plain(fx.Cylinder(0.1, 0.2, inside=True), fx.Box(0.1, 0.1, 0.6))
    wide = np.hypot(0.05, 0.05)
    for lean in (0.0, 1e-6, -1e-6):
        R = exp_so3(np.array([0.0, lean, 0.0])) @ exp_so3(np.array([0.0, 0.0, np.pi / 4]))
        found = [meeting((0.1 - wide + 1e-5, 0.0, 0.0), R, k) for k in range(meeting.pair.places)]
        down = [each for each in found if each[0] < 0]
        assert sorted(round(x[2], 6) for _, _, x in down) == pytest.approx([-0.1, 0.1], abs=1e-5)
        for g, n, _ in down:
            assert g == pytest.approx(-1e-5, rel=0.02)
            np.testing.assert_allclose(n, (-1, 0, 0), atol=1e-5)


def test_far_places_are_far():
    meeting = Plain(HOLES["bore"], SOLIDS["box"])
    assert meeting.pair.places == 8 + 2 * 2 * 12
    assert (
        pair_of(HOLES["bore"], fx.Extruded(fx.Profile.circle(0.2), 0.5)).places == 2 + 2
    )  # its ends, and edges of the bore
    found = [meeting((0.0, 0.0, 0.0), np.eye(3), k)[0] for k in range(meeting.pair.places)]
    assert min(found) > 0.0
    assert max(found) == ELSEWHERE


@pytest.mark.parametrize("hole", [fx.Cylinder(0.2, 0.1, inside=True), fx.Cone(0.15, 0.1, top=0.2, inside=True)])
def test_a_box_tips_over_the_edge_of_a_hole(hole):
    """Pushed over it, it falls in, turns on the rim and strikes the wall; without losses its energy stays."""
    box = fx.RigidBody(
        "box", 1, (1.3e-3, 2.1e-3, 2.1e-3), shapes=[fx.Box(0.15, 0.1, 0.05)], position=(0.19, 0.01, 0.0755), velocity=(-0.3, 0.05, 0)
    )  # fmt: skip
    touch = fx.Contact("touch", fx.ground.surface(hole), box, fx.Penalty("1e6 N/m"))
    run = fx.Model("tips", [box, touch], gravity=(0, 0, -9.81)).dynamics(until=0.3, step="2 ms", show=False)
    assert run["box.position_z"][-1] < -0.1
    assert np.abs(run["box.angular_velocity_y"].values).max() > 1.0
    assert run["touch.unseen"][-1] == 0.0
    assert 0.0 < run["touch.deepest"][-1] < 2e-4
    assert np.ptp(run["energy.check_sum"].values) < 2e-4 * np.ptp(run["energy.potential"].values)


def test_what_is_not_seen_is_told():
    """Edges over what bulges inwards, and curved prisms; of sharp rims about an axis, and walls that are hollow all over, there is nothing to tell."""
    box, cam = SOLIDS["box"], fx.Extruded(fx.Profile.circle(0.2), 0.5)
    hourglass = fx.Revolved(fx.Profile([(1.4, -1.0), (1.0, 0.0), (1.4, 1.0)], kind="arcs"), inside=True)
    cross = fx.Profile([(1, 0), (0.2, 0.2), (0, 1), (-1, 0), (0, -1)], kind="lines", closed=True)
    for hole in HOLES.values():
        assert left_out(hole, box) is None
        assert left_out(box, hole) is None
        assert "curved prism" in left_out(cam, hole)[0]
    assert "tube" in left_out(fx.Torus(2.0, 0.8, inside=True), box)[0]
    for hole in (hourglass, fx.Extruded(cross, 1.0, inside=True)):
        assert "sharp rims" in left_out(box, hole)[0]
    balls = fx.Contact("touch", fx.ground.surface(hourglass), "box", fx.Penalty(1e5))
    told = [
        str(each) for each in fx.Model("m", [fx.RigidBody("box", 1, 1, shapes=[fx.Box(0.1, 0.1, 0.1)]), balls]).check()
    ]
    assert any("edges and faces that lie across" in each for each in told)


def test_boxes_of_two_sizes_among_many():
    """Explicit steps, in a bore: each stands on its own corners, on the edge of the hole."""
    hole = fx.ground.surface(fx.Cylinder(0.1, 0.2, inside=True))
    bodies = [
        fx.RigidBody(f"b{i}", 1, 1e-3, position=(0, y, 0.1 + side / 2), shapes=[fx.Box(0.3, side, side)])
        for i, (y, side) in enumerate([(0.04, 0.04), (-0.05, 0.05)])
    ]
    many = fx.Contacts("many", bodies, fx.Penalty("1e4 N/m", restitution=0.3), walls=[hole])
    model = fx.Model("two", [*bodies, many], gravity=(0, 0, -9.81))
    run = model.dynamics(until=0.01, output="2 ms", solver="explicit", show=False)
    for i, side in enumerate((0.04, 0.05)):
        assert run[f"b{i}.position_z"].values == pytest.approx(0.1 + side / 2, abs=4e-4)  # 4 mm, or as it falls, else
    assert run["many.deepest"][-1] < 4e-4
