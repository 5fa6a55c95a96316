"""How near two surfaces of every kind are: against a search over both, in both orders, moved together, and with exact derivatives."""

from __future__ import annotations

import ctypes
from itertools import product

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

import flexor as fx
from flexor.contact.approach import pair_of, records_of, sizes_of
from flexor.contact.approach.limits import refusal
from flexor.contact.approach.pair import ELSEWHERE
from flexor.contact.surfaces import SURFACES
from flexor.law.compile import compiled
from flexor.law.dual import Dual
from flexor.law.primitives import duals
from flexor.law.record import Record, integer, tail
from flexor.law.tuples import mat, vec
from flexor.spatial import exp_so3
from tests.contact.solids import CONVEX, HOLLOW, cloud, from_hollow, inside, overlapping, support

PLANE = fx.Plane()
OUTSIDE = [(a, b) for a, b in product(CONVEX, CONVEX) if a <= b]
CLOUDS: dict = {}
SPACING = 0.03
"""Between points of clouds."""


class Meeting:
    """Two shapes, their numbers, and how near they are at a pose of b in a."""

    def __init__(self, a, b, slices=0):
        self.a, self.b = a, b
        self.pair = pair_of(a, b, slices)
        self.packed = sizes_of(a, b, slices)
        self.sizes = [record(size.words) for record, size in zip(records_of(a, b), self.packed)]

    def __call__(self, p, R, k=0):
        return self.pair.function(*self.sizes, tuple(p), tuple(np.ravel(R)), k)

    def nearest(self, p, R):
        return min((self(p, R, k) for k in range(self.pair.places)), key=lambda found: found[0])


def cloud_of(name):
    if name not in CLOUDS:
        points = cloud((CONVEX | HOLLOW)[name], 60)
        CLOUDS[name] = (points, cKDTree(points))
    return CLOUDS[name]


def searched(a, b, p, R):
    """Least distance between points of two surfaces, b's at a pose in a."""
    tree, points = cloud_of(a)[1], p + cloud_of(b)[0] @ R.T
    near = float(tree.query(points[::97])[0].min())
    return float(tree.query(points, distance_upper_bound=near + 1e-9)[0].min())


turns = st.tuples(*3 * [st.floats(-3, 3).map(lambda x: round(x, 2))])


@pytest.mark.parametrize(("a", "b"), OUTSIDE)
@settings(max_examples=2, deadline=None, derandomize=True, phases=[Phase.generate])
@given(turn=turns, way=turns)
def test_nearest_points_outside(a, b, turn, way):
    """The gap is the least distance between both surfaces, the point is halfway on the normal between them."""
    way = np.array([0.01, 0.02, 0.03]) + np.array(way)
    R, p = exp_so3(np.array(turn)), 1.7 * way / np.linalg.norm(way)
    if {a, b} == {"cam", "ring"}:
        R = exp_so3(np.array([0, 0, turn[2]]))  # prisms are looked at across their axis
        p[2] *= 0.1
    meeting = Meeting(CONVEX[a], CONVEX[b])
    g, n, x = meeting.nearest(p, R)
    found = searched(a, b, p, R)
    slack = 0.015 if "ring" in (a, b) and not {a, b} & {"sphere", "torus"} else 0.0  # 16 slices of what is not convex
    assert g <= found + 0.003 + slack
    if found > 0.1:
        assert g >= found - SPACING**2 / found - 0.003
    assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-9)
    for points in (cloud_of(a)[0], p + cloud_of(b)[0] @ R.T):
        away = cKDTree(points).query(x)[0]
        assert away <= abs(g) / 2 + SPACING
        assert g < 0 or away >= g / 2 - SPACING  # within both, another face may be nearer


SOLID = [name for name in CONVEX if name not in ("torus", "ring")]
"""Convex ones."""
SLICED = {frozenset(("ring", other)): 0.05 for other in ("box", "cam", "tetrahedron")} | {frozenset(("ring",)): 3e-3}
"""How much nearer a ring may be than it is told, on what it touches by 16 slices: found are 34 mm on a cam, 9 mm on others, 1 mm on another ring [m]."""
UNSEEN_WITHIN = {
    **{(hole, "cam"): 0.08 for hole in ("bore", "funnel", "race", "slot")},  # edges of curved prisms at mouths: 54 mm
    **{("tube", solid): 0.01 for solid in ("box", "tetrahedron")},  # edges next to its axis: 3.5 mm
}
"""By how much nearer they may be than is told, as the how-to says; the others are exact [m]."""
FACETS = 1.1e-3
"""Chords of a cam beside its contour, of two [m]."""


def random_poses(names, count, reach):
    """Axes in any direction, and a way of some length"""
    rng = np.random.default_rng([ord(c) for c in "-".join(names)])
    for _ in range(count):
        way = rng.normal(size=3)
        yield exp_so3(2 * rng.normal(size=3)), way / np.linalg.norm(way) * rng.uniform(*reach), rng


@pytest.mark.parametrize(("a", "b"), OUTSIDE)
def test_gap_outside(a, b):
    """In random poses, near and farther away, prisms at any angle, too: as in a search over points of both."""
    meeting, met = Meeting(CONVEX[a], CONVEX[b]), 0
    for R, p, _ in random_poses((a, b), 20, (0.9, 1.7)):
        found = searched(a, b, p, R)
        if found < 0.1 or overlap(a, b, p, R):
            continue
        g = meeting.nearest(p, R)[0]
        assert g <= found + SLICED.get(frozenset((a, b)), 1e-3)
        assert g >= found - SPACING**2 / found - 0.003
        met += 1
        if met == 5:
            break
    assert met > 2


def overlap(a, b, p, R):
    """Whether a point of either surface is within the other solid, of some of them."""
    points, others = cloud_of(a)[0][::97], p + cloud_of(b)[0][::97] @ R.T
    return any(inside(CONVEX[a], y) for y in others) or any(inside(CONVEX[b], y) for y in (points - p) @ R)


@pytest.mark.parametrize(("a", "b"), [*product(HOLLOW, CONVEX)])
def test_gap_within(a, b):
    """Anywhere in what is hollow, off its axis, turned, and stuck out of its mouths: as the distance of points of the surface of b from the meridian or the section of a."""
    meeting, away, met = Meeting(HOLLOW[a], CONVEX[b]), from_hollow(HOLLOW[a]), 0
    count = 2 if a in ("slot", "race") else 5  # contours take long in Python
    for R, way, rng in random_poses((a, b), 300, (0.0, 1.0)):
        p = way * rng.uniform(0.5, 2.6)
        p[0] += 5.0 if a == "tube" else 0.0
        found = float(away(p + cloud_of(b)[0][::7] @ R.T).min())
        if not 0.02 < found < 0.5:
            continue
        found = float(away(p + cloud_of(b)[0] @ R.T).min())
        if found < 0.05:
            continue
        g = meeting.nearest(p, R)[0]
        assert g <= found + UNSEEN_WITHIN.get((a, b), 1.5e-3 if b in ("ring", "barrel") else 5e-4)
        assert g >= found - SPACING**2 / found - 0.003
        met += 1
        if met == count:
            break
    assert met == count


@pytest.mark.parametrize(("a", "b"), [(a, b) for a, b in product(SOLID, SOLID) if a <= b])
def test_depth_of_convex_solids(a, b):
    """Overlapping by 0.3 to 50 mm in random poses: the least way apart, by a search over directions."""
    meeting = Meeting(CONVEX[a], CONVEX[b])
    coarse = FACETS if "cam" in (a, b) and {a, b} & {"box", "tetrahedron"} else 0.0
    for R, way, rng in random_poses((a, b), 5, (1.0, 1.0)):
        p, least = overlapping(CONVEX[a], CONVEX[b], R, way, 10 ** rng.uniform(-3.5, -1.3), rng)
        g, n, _ = meeting.nearest(p, R)
        assert g >= least - 5e-5 - coarse  # chords of profiles
        if coarse:
            assert g <= least + coarse
        else:  # the normal is one along which they are apart by as much
            n = np.array(n)
            reach = support(CONVEX[a], n[None]) + support(CONVEX[b], -n[None] @ R)
            assert n @ p - reach[0] == pytest.approx(g, abs=5e-5)


@pytest.mark.parametrize("b", CONVEX)
@settings(max_examples=5, deadline=None, derandomize=True, phases=[Phase.generate])
@given(turn=turns)
def test_lowest_point_on_a_plane(b, turn):
    """The gap on a plane is the height of the lowest point."""
    R, p = exp_so3(np.array(turn)), np.array([0.3, -0.2, 0.9])
    g, n, x = Meeting(PLANE, CONVEX[b]).nearest(p, R)
    points = p + cloud_of(b)[0] @ R.T
    assert n == (0, 0, 1)
    low = points[int(np.argmin(points[:, 2]))]
    assert g == pytest.approx(low[2], abs=0.004)
    assert x[2] == pytest.approx(g / 2, abs=1e-12)


ALL = [
    (a, b)
    for a, b in (*product(CONVEX, CONVEX), *product(HOLLOW, CONVEX))
    if (b not in ("barrel", "ring", "cam") or a in ("sphere", "box")) and (a != "cam" or b in ("sphere", "cylinder"))
]
"""Without those whose slices touch as others of their kind do."""


@pytest.mark.parametrize(("a", "b"), ALL)
def test_other_order_and_other_axes(a, b):
    """b against a is a against b: the same gap and point, the opposite normal; and nothing depends on where both stand together."""
    shapes = CONVEX | HOLLOW
    rng = np.random.default_rng(len(a) + 17 * len(b))
    R, p = exp_so3(rng.normal(size=3)), rng.normal(size=3) * (1.0 if a in CONVEX else 0.3)
    p[0] += 5.0 if a == "tube" else 0.0
    there, back = Meeting(shapes[a], shapes[b]), Meeting(shapes[b], shapes[a])
    assert there.pair.places == back.pair.places
    g, n, x = there.nearest(p, R)
    g_b, n_b, x_b = back.nearest(-R.T @ p, R.T)
    assert g == pytest.approx(g_b, abs=1e-9)
    if a != b:
        np.testing.assert_allclose(n, -R @ n_b, atol=1e-7)
        np.testing.assert_allclose(x, p + R @ x_b, atol=1e-7)


@pytest.mark.parametrize(("a", "b"), [(a, b) for a, b in ALL if a <= b or a in HOLLOW])
def test_derivatives(a, b):
    """Those of gap, normal and point by dual numbers are those by differences, wherever they are smooth."""
    shapes = CONVEX | HOLLOW
    meeting = Meeting(shapes[a], shapes[b])
    rng = np.random.default_rng(3)
    step, met = 1e-6, 0
    for _ in range(3):
        R = exp_so3(rng.normal(size=3))
        p = rng.normal(size=3)
        p *= 0.25 if a in HOLLOW else 1.5 / np.linalg.norm(p)
        p[0] += 5.0 if a == "tube" else 0.0
        v, w = rng.normal(size=3), rng.normal(size=3)
        k = int(rng.integers(meeting.pair.places))
        way = [_flat(meeting(p + s * step * v, exp_so3(s * step * w) @ R, k)) for s in (-2, -1, 0, 1, 2)]
        slopes = (way[3] - way[1]) / (2 * step), (way[4] - way[0]) / (4 * step)
        if np.abs(slopes[0] - slopes[1]).max() > 1e-4:
            continue  # at a kink
        dot_R = np.cross(w, R, axisb=0).T
        found = meeting(_duals(p, v), _duals(R.ravel(), dot_R.ravel()), k)
        np.testing.assert_allclose([each.b for each in (found[0], *found[1], *found[2])], slopes[0], atol=2e-5)
        met += 1
    assert met


def _flat(found):
    return np.array([found[0], *found[1], *found[2]], dtype=float)


def _duals(values, slopes):
    return [Dual(a, b) for a, b in zip(values, slopes)]


@pytest.mark.parametrize(("a", "b"), ALL)
def test_degenerate_poses(a, b):
    """Coincident centres, parallel and coaxial axes, levels: a defined unit normal, never NaN, nor in derivatives."""
    shapes = CONVEX | HOLLOW
    meeting = Meeting(shapes[a], shapes[b])
    half = exp_so3(np.array([np.pi / 2, 0, 0]))
    for p, R in zip(
        [(0, 0, 0), (0, 0, 0.7), (0.6, 0, 0), (1.5, 0, 0), (0, 0, 0)],
        [np.eye(3), np.eye(3), half, np.eye(3), half],
        strict=True,
    ):
        for k in {0, meeting.pair.places - 1}:
            found = meeting(_duals(map(float, p), [0.3, -0.2, 0.5]), _duals(R.ravel(), 0.1 * np.arange(9)), k)
            numbers = np.array([(each.a, each.b) for each in (found[0], *found[1], *found[2])])
            assert np.isfinite(numbers).all(), (p, k)
            assert np.linalg.norm(numbers[1:4, 0]) == pytest.approx(1.0, abs=1e-9)


def test_parallel_cylinders():
    """Side by side they touch in the middle of what they share, across both axes; coaxial ones have a normal, too."""
    meeting = Meeting(fx.Cylinder(0.1, 1.0), fx.Cylinder(0.2, 1.0))
    g, n, x = meeting((0.0, 0.35, 0.0), np.eye(3))
    assert g == pytest.approx(0.05)
    np.testing.assert_allclose(n, (0, 1, 0), atol=1e-12)
    np.testing.assert_allclose(x, (0, 0.125, 0), atol=1e-12)
    assert meeting((0.0, 0.35, 0.9), np.eye(3))[0] == pytest.approx(0.05)
    end = meeting((0.0, 0.0, 1.2), np.eye(3))
    assert end[0] == pytest.approx(0.2)
    np.testing.assert_allclose(end[1], (0, 0, 1), atol=1e-9)


def test_crossed_cylinders():
    """At right angles: the distance of the axes less both radii."""
    g, n, x = Meeting(fx.Cylinder(0.1, 1.0), fx.Cylinder(0.2, 1.0))(
        (0.1, 0.4, 0.2), exp_so3(np.array([0, np.pi / 2, 0]))
    )
    assert g == pytest.approx(0.1)
    np.testing.assert_allclose(n, (0, 1, 0), atol=1e-12)
    np.testing.assert_allclose(x, (0, 0.15, 0.2), atol=1e-9)


def test_line_contact_in_slices():
    """A crowned roller on a plane: each slice is as far away as its radius is short of the largest."""
    radius, crown, half = 10e-3, 5.0, 8e-3
    fall = crown - np.sqrt(crown**2 - half**2)
    profile = fx.Profile([(radius - fall, -half), (radius, 0), (radius - fall, half)], kind="arcs")
    meeting = Meeting(PLANE, fx.Revolved(profile, axis="x"), slices=9)
    assert meeting.pair.places == 9
    R = SURFACES[fx.Revolved].axes(meeting.b)
    z = half * ((2 * np.arange(9) + 1) / 9 - 1)
    for k in range(9):
        g, _, x = meeting((0, 0, radius), R, k)
        assert g == pytest.approx(crown - np.sqrt(crown**2 - z[k] ** 2), abs=1e-9)
        assert x[0] == pytest.approx(z[k], abs=1e-9)


def test_ball_in_a_groove():
    """Of a race: g = r_groove − |offset| − r_ball, towards the middle of the groove."""
    meeting = Meeting(fx.Torus(0.02, 5.2e-3, inside=True), fx.Sphere(5e-3))
    g, n, x = meeting((0.0201, 0, 0), np.eye(3))
    assert g == pytest.approx(0.1e-3)
    np.testing.assert_allclose(n, (-1, 0, 0), atol=1e-12)
    assert x[0] == pytest.approx(0.0252 - 0.05e-3)


def test_both_sides_of_a_groove():
    """A ball in a V touches both its sides; where it is out of it, one."""
    groove = fx.Extruded(fx.Profile([(-2, 2), (0, 0), (2, 2)], kind="lines"), 1.0)
    meeting = Meeting(groove, fx.Sphere(0.5))
    assert meeting.pair.places == 2
    for x in (0.01, -0.01):  # each side keeps its number, whichever is nearer
        (g, n, _), (other, m, _) = (meeting((x, 0.8, 0), np.eye(3), k) for k in (0, 1))
        assert g == pytest.approx((0.8 + x) / np.sqrt(2) - 0.5)
        assert other == pytest.approx((0.8 - x) / np.sqrt(2) - 0.5)
        np.testing.assert_allclose(n, (np.sqrt(0.5), np.sqrt(0.5), 0), atol=1e-12)
        np.testing.assert_allclose(m, (-np.sqrt(0.5), np.sqrt(0.5), 0), atol=1e-12)
    assert Meeting(CONVEX["cam"], fx.Sphere(0.5)).pair.places == 1


def star(teeth):
    """Straight teeth around a wheel, 1 m at their tips, 0.7 m at their roots."""
    angles = np.pi * np.arange(2 * teeth) / teeth
    radii = np.where(np.arange(2 * teeth) % 2, 0.7, 1.0)
    points = np.column_stack([radii * np.cos(angles), radii * np.sin(angles)]).tolist()
    return fx.Extruded(fx.Profile(points, kind="lines", closed=True), 1.0)


@pytest.mark.parametrize(("teeth", "places"), [(6, 2), (5, 3)])
def test_every_tooth_touches_by_itself(teeth, places):
    """Around a wheel neighbours have other numbers, so that a ball between them touches each at a place of its own, which it keeps."""
    meeting = Meeting(star(teeth), fx.Sphere(0.05))
    assert meeting.pair.places == places
    for root in range(teeth):
        middle = 2 * np.pi * (root + 0.5) / teeth
        before = None
        for turn in (-0.01, 0.01):
            at = 0.78 * np.array([np.cos(middle + turn), np.sin(middle + turn), 0])
            found = [meeting(at, np.eye(3), k) for k in range(places)]
            gaps = np.array([g for g, _, _ in found])
            near = gaps < 0.1
            assert near.sum() == 2
            assert before is None or (before == near).all()
            before = near
            left, right = (n for (_, n, _), is_near in zip(found, near, strict=True) if is_near)
            assert np.dot(left, right) < 0.95


def test_one_notch_has_two_sides():
    """A contour with a single corner that opens outwards is cut opposite to it; around the rest it is touched once."""
    heart = fx.Extruded(fx.Profile([(0, 0.5), (1, 1), (1, -1), (-1, -1), (-1, 1)], kind="lines", closed=True), 1.0)
    meeting = Meeting(heart, fx.Sphere(0.2))
    assert meeting.pair.places == 2
    (g, n, _), (other, m, _) = (meeting((0.0, 0.8, 0), np.eye(3), k) for k in (0, 1))
    assert g == pytest.approx(other)
    assert np.dot(n, m) == pytest.approx(0.6)
    for angle in np.linspace(np.pi, 2 * np.pi, 13):
        at = 1.8 * np.array([np.cos(angle), np.sin(angle), 0])
        gaps = [meeting(at, np.eye(3), k)[0] for k in (0, 1)]
        q = np.abs(at[:2]) - 1.0
        assert min(gaps) == pytest.approx(np.linalg.norm(np.maximum(q, 0)) - 0.2)
        assert max(gaps) > min(gaps) + 0.3


def _sector(points):
    """A C: an arc of 320° with walls of 20 mm, of this many points."""
    angles = np.radians(np.linspace(20, 340, points))
    outer, inner = (radius * np.column_stack([np.cos(angles), np.sin(angles)]) for radius in (0.1, 0.08))
    return fx.Extruded(fx.Profile(np.concatenate([outer, inner[::-1]]).tolist(), kind="lines", closed=True), 0.4)


def _section(*points):
    return fx.Extruded(fx.Profile([(1e-3 * x, 1e-3 * y) for x, y in points], kind="lines", closed=True), 0.4)


RECESSED = {
    "U": _section((-50, 0), (50, 0), (50, 50), (46, 50), (46, 4), (-46, 4), (-46, 50), (-50, 50)),
    "T": _section((-50, 50), (-50, 42), (-5, 42), (-5, -50), (5, -50), (5, 42), (50, 42), (50, 50)),
    "T slot": _section(
        (-60, -40), (60, -40), (60, 40), (10, 40), (10, 15), (40, 15), (40, -20), (-40, -20), (-40, 15), (-10, 15), (-10, 40), (-60, 40)
    ),
    "L": _section((0, 0), (80, 0), (80, 3), (3, 3), (3, 80), (0, 80)),
    "C": _sector(30),
    "coarse C": _sector(5),
    "star": fx.Extruded(star(7).profile, 4.0),
}  # fmt: skip
"""Closed contours with recesses, and thin walls."""


def outline(shape, y):
    """(distance from the border of a polygon, whether a point is inside)"""
    a = np.array(shape.profile.points)
    e = np.roll(a, -1, axis=0) - a
    s = np.clip(np.einsum("ij,ij->i", y[:2] - a, e) / np.einsum("ij,ij->i", e, e), 0, 1)
    return float(np.linalg.norm(y[:2] - a - s[:, None] * e, axis=1).min()), inside(shape, np.array([y[0], y[1], 0.0]))


@pytest.mark.parametrize("name", RECESSED)
def test_recesses_are_free(name):
    """Outside of a prism, in its recesses and in its walls the nearest place is that of its outline, and every other place is at its outline, in front of the ball."""
    shape = RECESSED[name]
    size = np.abs(np.array(shape.profile.points)).max()
    ball, roller = Meeting(shape, fx.Sphere(0.01 * size)), Meeting(shape, fx.Cylinder(0.01 * size, 0.1 * size))
    assert ball.pair.places > 1
    rng = np.random.default_rng(5)
    for _ in range(120):
        y = np.array([*rng.uniform(-1.6, 1.6, size=2), 0.0]) * size
        far, within = outline(shape, y)
        found = [ball(y, np.eye(3), k) for k in range(ball.pair.places)]
        least = (-far if within else far) - 0.01 * size
        assert min(g for g, _, _ in found) == pytest.approx(least, abs=1e-9 * size)
        assert roller.nearest(y, np.eye(3))[0] == pytest.approx(least, abs=1e-9 * size)
        for g, n, x in found:
            if g < ELSEWHERE:
                on = x - 0.5 * g * np.array(n)
                assert outline(shape, on)[0] < 1e-9 * size
                assert outline(shape, on + 1e-6 * size * np.array(n))[1] is False
                assert within or g > least - 1e-9 * size


@pytest.mark.parametrize("name", ["U", "T slot", "star"])
def test_oblique_rollers_in_recesses(name):
    """The nearest place of the axis of a cylinder, wherever that is between its ends."""
    shape = RECESSED[name]
    size = np.abs(np.array(shape.profile.points)).max()
    radius, half = 0.01 * size, 0.1 * size
    roller = Meeting(shape, fx.Cylinder(radius, 2 * half))
    rng = np.random.default_rng(6)
    between = 0
    for _ in range(60):
        y, R = np.array([*rng.uniform(-1.2, 1.2, size=2), 0.0]) * size, exp_so3(rng.normal(size=3))
        s = np.linspace(-half, half, 401)
        places = [outline(shape, y + each * R[:, 2]) for each in s]
        if any(within for _, within in places):
            continue
        distances = np.array([far for far, _ in places])
        g = roller.nearest(y, R)[0]
        assert g >= distances.min() - radius - 1e-3 * half
        if 0 < distances.argmin() < 400 and distances.max() > distances.min() + 1e-9:
            between += 1
            assert g == pytest.approx(distances.min() - radius, abs=1e-3 * half)
    assert between


def test_a_nose_under_a_thin_wall_is_not_pushed_through_it():
    """A cam that rests in a channel with a thin floor touches that floor, not the outside of it; a groove is felt up to its bottom."""
    channel, nose = RECESSED["U"], fx.Extruded(fx.Profile.circle(0.01), 0.1)
    meeting = Meeting(channel, nose)
    for height in (0.0145, 0.0139, 0.013, 0.0125):
        g, n, _ = meeting.nearest((0.01, height, 0), np.eye(3))
        assert g == pytest.approx(height - 0.014, abs=1e-9)
        np.testing.assert_allclose(n, (0, 1, 0), atol=1e-6)
    groove = fx.Extruded(fx.Profile([(-2, 2), (0, 0), (2, 2)], kind="lines"), 1.0)
    meeting = Meeting(groove, fx.Sphere(0.1))
    for x in (-0.02, 0.0, 0.02):
        assert meeting.nearest((x, -0.3, 0), np.eye(3))[0] == pytest.approx(-np.hypot(x, 0.3) - 0.1)


def test_standing_cylinder_rests_on_four_points():
    """However it is turned about its axis: equal gaps around its rim, with the same mean and moments of second order."""
    meeting = Meeting(PLANE, fx.Cylinder(0.1, 0.4))
    for tilt in (np.zeros(3), np.array([1e-7, 0, 0]), np.array([-0.3e-7, 1e-7, 0])):
        found = [meeting((0, 0, 0.2), exp_so3(tilt), k) for k in range(4)]
        assert max(abs(g) for g, _, _ in found) < 2e-8
        x = np.array([x for _, _, x in found])[:, :2]
        np.testing.assert_allclose(x.mean(axis=0), 0, atol=1e-7)
        np.testing.assert_allclose(x.T @ x, 2 * 0.1**2 * np.eye(2), atol=1e-9)


@pytest.mark.parametrize("end", ["cylinder", "cone", "turned", "box"])
@pytest.mark.parametrize("on", ["needle", "bar"])
@pytest.mark.parametrize("side", [1, -1])
def test_flat_ends_are_touched(end, on, side):
    """A needle, or a bar that stands on its end, on a large disc beside its axis, over it and in it: g is the height, as on a plane, and the normal is that of the disc. Neither rim nor
    wall of it are near; a point inside is not pushed out through the wall."""
    disc = {
        "cylinder": fx.Cylinder(1.0, 0.2),
        "cone": fx.Cone(1.0, 0.2, top=0.9),
        "turned": fx.Revolved(fx.Profile([(1.0, -0.1), (1.0, 0.1)], kind="lines")),
        "box": fx.Box(2, 2, 0.2),
    }[end]
    square = fx.Profile([(-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)], closed=True, kind="lines")
    needle = fx.Revolved(fx.Profile([(0, -0.5), (0.1, 0), (0.1, 0.5)], kind="lines"))
    meeting = Meeting(disc, {"needle": needle, "bar": fx.Extruded(square, 1.0)}[on])
    R = np.diag([1.0, side, side])
    for height in (0.3, 0.01, 1e-9, -0.01, -0.04):
        for x, y in ((0.0, 0.0), (0.3, -0.4), (-0.6, 0.2)):
            g, n, _ = meeting.nearest((x, y, side * (0.6 + height)), R)
            assert g == pytest.approx(height, abs=1e-12)
            np.testing.assert_allclose(n, (0, 0, side), atol=1e-12)


def test_crossing_edges_of_boxes():
    """Two cubes, edge over edge: corners are far away, the edges are not."""
    R = exp_so3(np.array([0, 0, np.pi / 2])) @ exp_so3(np.array([0, np.pi / 4, 0]))
    low = exp_so3(np.array([0, np.pi / 4, 0]))
    p = np.array([0.0, 0.0, np.sqrt(2) + 0.01])
    meeting = Meeting(fx.Box(1, 4, 1), fx.Box(1, 4, 1))
    g, n, x = meeting.nearest(low.T @ p, low.T @ R)
    assert g == pytest.approx(0.01)
    np.testing.assert_allclose(low @ n, (0, 0, 1), atol=1e-9)
    np.testing.assert_allclose(low @ x, (0, 0, np.sqrt(0.5) + 0.005), atol=1e-9)
    overlap = meeting.nearest(low.T @ (p - [0, 0, 0.03]), low.T @ R)
    assert overlap[0] == pytest.approx(-0.02)


def test_a_turned_block_rests_on_another():
    """Equal blocks turned by 20° have no corner over the other's face: where their edges cross they touch at eight points of one height."""
    meeting = Meeting(fx.Box(1, 1, 1), fx.Box(1, 1, 1))
    R = exp_so3(np.array([0, 0, np.radians(20)]))
    found = [meeting((0.02, 0, 0.99), R, k) for k in range(meeting.pair.places)]
    touching = np.array([x for g, _, x in found if g < 0])
    assert len(touching) == 8
    assert [g for g, _, _ in found if g < 0] == pytest.approx([-0.01] * 8)
    np.testing.assert_allclose(touching[:, 2], 0.495, atol=1e-12)
    on_a, on_b = touching[:, :2], (touching - [0.02, 0, 0]) @ R
    assert np.abs(np.abs(on_a).max(axis=1) - 0.5).max() < 1e-12
    assert np.abs(np.abs(on_b[:, :2]).max(axis=1) - 0.5).max() < 1e-12
    back = Meeting(fx.Box(1, 1, 1), fx.Box(1, 1, 1)).nearest(-R.T @ (0.02, 0, 0.99), R.T)
    assert back[0] == pytest.approx(-0.01)


def test_continuous_across_the_surface():
    """Gap, normal and point change smoothly from before contact to behind it."""
    for a, b in (
        ("cylinder", "sphere"),
        ("torus", "torus"),
        ("barrel", "sphere"),
        ("cam", "cylinder"),
        ("tetrahedron", "sphere"),
    ):
        meeting = Meeting(CONVEX[a], CONVEX[b])
        R = np.eye(3)
        far = next(s for s in np.arange(1.5, 0, -0.01) if meeting((s, 0.01, 0.02), R)[0] < 0)
        way = np.array([_flat(meeting((far + s, 0.01, 0.02), R)) for s in np.linspace(-1e-3, 1e-2, 12)])
        assert way[0, 0] < 0 < way[-1, 0]
        assert np.abs(np.diff(way, axis=0)).max() < 1e-2


def test_what_cannot_touch_is_told():
    assert pair_of(fx.Sphere(1, inside=True), fx.Cylinder(1, 1, inside=True)) is None
    assert "within" in refusal(fx.Sphere(1, inside=True), fx.Cylinder(1, 1, inside=True))
    assert pair_of(PLANE, fx.Plane()) is None
    assert "sphere" in refusal(PLANE, fx.Plane())
    with pytest.raises(fx.ModelError, match="inside: true"):
        fx.Contact("c", fx.ground, "ball", fx.Penalty(1e5), shape_a=fx.Plane(), shape_b=fx.Sphere(1, inside=True))


class Case(Record):
    """What a compiled approach is asked for."""

    place = integer("k")
    size_a = tail("a")
    size_b = tail("b")
    pose = tail("origin and axes, dual numbers")


@pytest.mark.parametrize(
    ("a", "b"), [("tetrahedron", "sphere"), ("cylinder", "cylinder"), ("tetrahedron", "tetrahedron")]
)
def test_compiled_is_the_same(a, b):
    meeting = Meeting(CONVEX[a], CONVEX[b])
    function, size_a, size_b = meeting.pair.function, type(meeting.sizes[0]), type(meeting.sizes[1])

    def run(p, x, out):
        case = Case(p)
        pose, found = duals(case.pose), duals(out)
        g, n, y = function(size_a(case.size_a), size_b(case.size_b), vec(pose, 0), mat(pose, 3), case.place)
        found[0] = g
        for i in range(3):
            found[1 + i] = n[i]
            found[4 + i] = y[i]
        return 0

    machine = compiled(run, "evaluator").ctypes
    rng = np.random.default_rng(2)
    for _ in range(4):
        R, p = exp_so3(rng.normal(size=3)), rng.normal(size=3)
        pose = np.column_stack([[*p, *R.ravel()], rng.normal(size=12)]).ravel()
        words = Case.pack(place=0, size_a=meeting.packed[0].words, size_b=meeting.packed[1].words, pose=pose).words
        out = np.zeros(14)
        machine(
            *(each.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for each in (words,)),
            0.0,
            out.ctypes.data_as(ctypes.POINTER(ctypes.c_double)),
        )
        found = meeting(_duals(pose[:6:2], pose[1:6:2]), _duals(pose[6::2], pose[7::2]))
        expected = np.array([(each.a, each.b) for each in (found[0], *found[1], *found[2])]).ravel()
        np.testing.assert_allclose(out, expected, atol=1e-9)


def test_a_triangulated_sphere_is_nearly_one():
    """The skin of a mesh and an STL touch as the body that they stand for does."""
    points, triangles = _ball(16)
    ball = fx.Triangles(tuple(map(tuple, points)), tuple(map(tuple, triangles.tolist())))
    meeting = Meeting(ball, fx.Sphere(0.3))
    rng = np.random.default_rng(0)
    for _ in range(10):
        way = rng.normal(size=3)
        p = 1.35 * way / np.linalg.norm(way)
        assert meeting(p, np.eye(3))[0] == pytest.approx(0.05, abs=0.02)


def _ball(n):
    turn, height = np.meshgrid(
        np.linspace(0, 2 * np.pi, 2 * n, endpoint=False), np.linspace(-1, 1, n + 1)[1:-1] * np.pi / 2
    )
    ring = np.stack([np.cos(height) * np.cos(turn), np.cos(height) * np.sin(turn), np.sin(height)], axis=-1).reshape(
        -1, 3
    )
    points = np.concatenate([ring, [(0, 0, -1), (0, 0, 1)]])
    m, found = 2 * n, []
    for i in range(n - 1):
        for j in range(m):
            a, b = i * m + j, i * m + (j + 1) % m
            if i == 0:
                found.append((b, a, len(ring)))
            if i == n - 2:
                found.append((a, b, len(ring) + 1))
            else:
                found += [(a, b, b + m), (a, b + m, a + m)]
    return points, np.array(found)


ALIGNED = {
    "equal boxes on each other": (fx.Box(0.1, 0.1, 0.1), fx.Box(0.1, 0.1, 0.1), (0, 0, 0.0999), (0, 0, 0)),
    "cylinder along cylinder": (fx.Cylinder(0.05, 0.1), fx.Cylinder(0.03, 0.1), (0.0799, 0, 0.02), (0, 0, 0)),
    "the other way round": (fx.Cylinder(0.05, 0.1), fx.Cylinder(0.03, 0.1), (0.0799, 0, 0.02), (np.pi, 0, 0)),
    "cylinder on the edge of a box": (fx.Box(0.1, 0.1, 0.1), fx.Cylinder(0.03, 0.1), (0.05 + 0.6 * 0.0299, 0.05 + 0.8 * 0.0299, 0), (0, 0, 0)),
    "cylinder on the face of a box": (fx.Box(0.1, 0.1, 0.1), fx.Cylinder(0.03, 0.08), (0.01, 0, 0.0799), (0, np.pi / 2, 0)),
    "cones of one slope": (fx.Cone(0.05, 0.1, top=0.03), fx.Cone(0.05, 0.1, top=0.03), (0.0799, 0, 0), (np.pi, 0, 0)),
}  # fmt: skip


@pytest.mark.parametrize("case", ALIGNED)
def test_parallel_axes_by_rounding(case):
    """Turned and moved together, two bodies overlap as before, however rounding turns their axes against each other: to the last digits, and by 10 to 1000 nrad."""
    a, b, p, turn = ALIGNED[case]
    meeting, R = Meeting(a, b), exp_so3(np.array(turn, dtype=float))
    random = np.random.default_rng(1)

    def gaps(p, R):
        return sorted(meeting(p, R, k)[0] for k in range(meeting.pair.places))[:2]

    first = gaps(p, R)
    assert first[0] == pytest.approx(-1e-4, rel=0.03)
    for i in range(60):
        Q = exp_so3(random.normal(size=3) * 2)
        away = random.normal(size=3)
        off = exp_so3(random.normal(size=3) * random.choice([1e-8, 1e-7, 1e-6])) if i % 2 else np.eye(3)
        found = gaps(Q.T @ ((Q @ p + away) - away), Q.T @ (Q @ R @ off))
        np.testing.assert_allclose(found, first, atol=1e-12 if i % 2 == 0 else 3e-7)
