"""Convex bodies of revolution on boxes, cylinders, cones and each other: against a search over all directions, with the rate of the gap, along short ways, at rest and rocking."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

import flexor as fx
from flexor.contact.approach import pair_of, records_of, sizes_of
from flexor.contact.approach.convex.pairs import SOLIDS
from flexor.contact.approach.convex.polyhedron import polyhedron
from flexor.contact.approach.convex.separation import separation
from flexor.contact.surfaces.convex_profile import convex_profile
from flexor.coordinates.curve import ARC, Piece, point_and_tangent
from flexor.law.dual import Dual
from flexor.spatial import exp_so3
from tests.contact.solids import climbed

HALF = 0.5**0.5
SHAPES = {
    "box": fx.Box(0.1, 0.08, 0.06),
    "cylinder": fx.Cylinder(0.03, 0.1),
    "cone": fx.Cone(0.05, 0.09, top=0.01),
    "drum": fx.Revolved(fx.Profile([(0.03, -0.05), (0.035, -0.045), (0.035, 0.045), (0.03, 0.05)], kind="lines")),
    "barrel": fx.Revolved(fx.Profile([(0.03, -0.05), (0.04, -0.025), (0.045, 0), (0.04, 0.025), (0.03, 0.05)], kind="arcs")),
    "dome": fx.Revolved(fx.Profile([(0.04, -0.02), (0.04 * HALF, 0.04 * HALF - 0.02), (0, 0.02)], kind="arcs")),
    "plate": fx.Revolved(fx.Profile([(0.06, -0.01), (0.06, 0.01)], kind="lines")),
    "needle": fx.Revolved(fx.Profile([(0, 0.06), (0.01, 0.04), (0.01, -0.02), (0, -0.06)], kind="lines")),
    "spline": fx.Revolved(fx.Profile([(0.03, -0.05), (0.039, -0.025), (0.042, 0), (0.039, 0.025), (0.03, 0.05)])),
    "rounded": fx.Revolved(
        fx.Profile(
            [(0.03, -0.05), (0.03 + 0.005 * HALF, -0.045 - 0.005 * HALF), (0.035, -0.045), (0.035, 0), (0.035, 0.05)], kind="arcs"
        )
    ),
    "hexagon": fx.Extruded(fx.Profile([(0.03 * np.cos(t), 0.03 * np.sin(t)) for t in np.pi / 3 * np.arange(6)], kind="lines", closed=True), 0.1),
}  # fmt: skip
PAIRS = [
    ("drum", "box"), ("barrel", "box"), ("dome", "box"), ("plate", "box"), ("needle", "box"), ("rounded", "box"),
    ("drum", "cylinder"), ("barrel", "cylinder"), ("dome", "cone"), ("plate", "cylinder"), ("rounded", "cone"),
    ("drum", "drum"), ("barrel", "dome"), ("plate", "plate"), ("needle", "drum"), ("hexagon", "drum"), ("hexagon", "dome"),
]  # fmt: skip
TILTS = (0.0, 1e-9, 1e-6, 1e-4, 3e-3, 0.02)
GAPS = (5e-4, 5e-5, -1e-5, -5e-5, -2e-4, -5e-4)
I = np.arange(1500) + 0.5
Z = 1 - 2 * I / len(I)
TURN = np.pi * (1 + 5**0.5) * I
DIRECTIONS = np.column_stack([np.sqrt(1 - Z * Z) * np.cos(TURN), np.sqrt(1 - Z * Z) * np.sin(TURN), Z])


def profile_of(shape):
    if isinstance(shape, fx.Revolved):
        return shape.profile
    top = shape.top if isinstance(shape, fx.Cone) else shape.radius
    return fx.Profile([(shape.radius, -shape.length / 2), (top, shape.length / 2)], kind="lines")


def reach(shape, n):
    """How far a solid reaches along directions, by the ends and arcs of its profile."""
    if isinstance(shape, fx.Box):
        return np.abs(n) @ (np.array([shape.x, shape.y, shape.z]) / 2)
    if isinstance(shape, fx.Extruded):
        return (n[:, :2] @ np.array(shape.profile.points).T).max(axis=1) + np.abs(n[:, 2]) * shape.length / 2
    sine, found = np.hypot(n[:, 0], n[:, 1]), np.full(len(n), -np.inf)
    angle = np.arctan2(n[:, 2], sine)
    for piece in (Piece(each.words) for each in profile_of(shape).pieces()):
        for s in (0.0, piece.end):
            r, z, _, _ = point_and_tangent(piece, s)
            found = np.maximum(found, r * sine + z * n[:, 2])
        if piece.kind == ARC:
            r, z, radius, first = piece.p[:4]
            last = first + piece.end / radius
            within = (angle - min(first, last)) % (2 * np.pi) <= abs(last - first)
            found = np.where(within, np.maximum(found, r * sine + z * n[:, 2] + abs(radius)), found)
    return found


def separated(a, b, p, R, n):
    return n @ p - reach(a, n) - reach(b, -n @ R)


def searched(a, b, p, R, rng, first):
    """The largest separation, by directions all around, normals of faces among them, and ever nearer to the best of them."""
    n = np.concatenate([DIRECTIONS, np.eye(3), -np.eye(3), R.T, -R.T, first[None]])
    s = separated(a, b, p, R, n)
    best, begun = -np.inf, []
    for at in np.argsort(-s):
        if len(begun) == 4:
            break
        if all(n[at] @ other < 0.98 for other in begun):
            begun.append(n[at])
            best = max(best, climbed(partial(separated, a, b, p, R), n[at], s[at], rng))
    return best


def touched(shape, n, rng):
    """A point of a solid that n touches nearly, in its axes."""
    m = n + 1e-6 * rng.normal(size=3)
    m /= np.linalg.norm(m)
    steps = 1e-6 * np.eye(3)
    return (reach(shape, m + steps) - reach(shape, m - steps)) / 2e-6


def normal_of(shape, rng):
    """Of a face, a wall, an arc."""
    if isinstance(shape, fx.Box):
        return np.eye(3)[rng.integers(3)] * rng.choice([-1.0, 1.0])
    if isinstance(shape, fx.Extruded):
        turn = np.pi / 3 * (rng.integers(6) + 0.5)
        return (
            np.array([np.cos(turn), np.sin(turn), 0.0])
            if rng.integers(2)
            else np.array([0.0, 0.0, rng.choice([-1.0, 1.0])])
        )
    along = np.diff(profile_of(shape).trace.points, axis=0)
    along = along[np.linalg.norm(along, axis=1) > 0]
    along = along * np.sign(along[:, 1].sum())
    slopes = np.append(np.arctan2(-along[:, 0], along[:, 1]), [-np.pi / 2, np.pi / 2])
    slope, turn = slopes[rng.integers(len(slopes))], rng.uniform(0, 2 * np.pi)
    return np.array([np.cos(slope) * np.cos(turn), np.cos(slope) * np.sin(turn), np.sin(slope)])


def pose(a, b, rng, gap):
    """Any, or nearly aligned, near a point that the normal of something touches."""
    R = exp_so3(2 * rng.normal(size=3))
    if rng.integers(3):
        quarters = exp_so3(np.pi / 2 * np.eye(3)[rng.integers(3)] * rng.integers(4))
        about_z = exp_so3(np.array([0, 0, rng.uniform(0, 6)]))
        R = exp_so3(TILTS[rng.integers(6)] * rng.normal(size=3)) @ quarters @ about_z
    n = normal_of(a, rng) if rng.integers(2) else -R @ normal_of(b, rng)
    return touched(a, n, rng) - R @ touched(b, -R.T @ n, rng) + gap * n, R, n


class Meeting:
    def __init__(self, a, b):
        self.pair, packed = pair_of(a, b), sizes_of(a, b)
        self.sizes = [record(size.words) for record, size in zip(records_of(a, b), packed, strict=True)]
        self.most = separation(SOLIDS.get(type(a)) or polyhedron(), SOLIDS[type(b)])

    def __call__(self, p, R, k):
        return self.pair.function(*self.sizes, tuple(p), tuple(np.ravel(R)), k)

    def nearest(self, p, R):
        return min((self(p, R, k) for k in range(self.pair.places)), key=lambda found: found[0])

    def separation(self, p, R):
        _, _, _, g, n, _ = self.most(*self.sizes, tuple(p), tuple(np.ravel(R)))
        return float(g), np.array(n, dtype=float)


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_the_gap_is_the_largest_separation(a, b):
    """In any pose and in nearly aligned ones, apart and overlapping, and along the normal that is told."""
    rng = np.random.default_rng(PAIRS.index((a, b)))
    one, other = SHAPES[a], SHAPES[b]
    meeting = Meeting(one, other)
    for i in range(12):
        p, R, n_0 = pose(one, other, rng, GAPS[i % 6])
        g, n = meeting.separation(p, R)
        assert separated(one, other, p, R, n[None])[0] == pytest.approx(g, abs=1e-12)
        assert g >= searched(one, other, p, R, rng, n_0) - 1e-9


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_all_places_see_that_gap(a, b):
    """Also where flat ends and walls lie on faces, which are told by points of their own; a short way on there is no leap."""
    rng = np.random.default_rng(100 + PAIRS.index((a, b)))
    one, other = SHAPES[a], SHAPES[b]
    meeting = Meeting(one, other)
    for i in range(6):
        p, R, _ = pose(one, other, rng, GAPS[i % 6])
        way = rng.normal(size=3)
        way *= 1e-6 / np.linalg.norm(way)
        g, _ = meeting.separation(p, R)
        gaps = [meeting.nearest(p + share * way, R)[0] for share in (0, 1)]
        if g > -1e-3:
            assert 1.5 * min(g, 0) - 1e-9 <= gaps[0] - max(g, 0) <= 0.9 * min(g, 0) + 1e-9
        assert min(gaps) > 0 or gaps[1] == pytest.approx(gaps[0], abs=1.1e-6 + 0.4 * abs(gaps[0]))


@pytest.mark.parametrize(("a", "b"), [*PAIRS, ("spline", "box"), ("spline", "drum")])
def test_the_gap_closes_with_the_speed_along_the_normal(a, b):
    """ġ = n · u with the speed of b's material at the point of contact, exactly what differences tell."""
    rng = np.random.default_rng(200 + [*PAIRS, (a, b)].index((a, b)))
    meeting = Meeting(SHAPES[a], SHAPES[b])
    for _ in range(4):
        R = exp_so3(2 * rng.normal(size=3))
        p = 0.2 * rng.normal(size=3)
        for _ in range(2):
            g, n, _ = meeting.nearest(p, R)
            p = p - (g + 1e-5) * np.array(n)
        v, w, h = rng.normal(size=3), 10 * rng.normal(size=3), 1e-7
        slopes = np.cross(w, R, axisb=0).T.ravel()
        found = min(
            (meeting(list(map(Dual, p, v)), list(map(Dual, R.ravel(), slopes)), k) for k in range(meeting.pair.places)),
            key=lambda f: f[0].a,
        )
        n, x = np.array([each.a for each in found[1]]), np.array([each.a for each in found[2]])
        before, now, after = (meeting.nearest(p + s * h * v, exp_so3(s * h * w) @ R)[0] for s in (-1, 0, 1))
        assert found[0].b == pytest.approx(n @ (v + np.cross(w, x - p)), abs=1e-3)
        if after - now == pytest.approx(now - before, abs=1e-3 * h):  # else another direction tells from here on
            assert found[0].b == pytest.approx((after - before) / (2 * h), abs=1e-4)


@pytest.mark.parametrize(
    ("points", "kind"),
    [
        ([(0.04, -0.05), (0.03, 0), (0.04, 0.05)], "arcs"),
        ([(0.04, -0.05), (0.03, 0), (0.04, 0.05)], "lines"),
        ([(0.04, -0.01), (0.022, 0.009), (0, 0.01), (0.0, 0.005), (0.0, 0.0)], "lines"),
    ],
)
def test_what_is_not_convex_is_not_taken_for_it(points, kind):
    assert convex_profile(fx.Revolved(fx.Profile(points, kind=kind))) is None


def test_flat_ends_may_be_told_by_points_of_the_profile():
    """From the axis out, up, and back: as without these lines, in either direction."""
    plain = convex_profile(SHAPES["plate"])
    points = [(0, -0.01), (0.06, -0.01), (0.06, 0), (0.06, 0.01), (0, 0.01)]
    for each in (points, points[::-1]):
        found = convex_profile(fx.Revolved(fx.Profile(each, kind="lines")))
        assert found.generators == plain.generators
        assert found.parts == pytest.approx(plain.parts, abs=1e-15)


def test_a_body_touches_a_plane_with_each_of_its_bulges():
    """With one if it is convex, and with both ends of a line between what is round."""
    two = [(0.03, -0.05), (0.04, -0.03), (0.03, -0.01), (0.025, 0), (0.03, 0.01), (0.04, 0.03), (0.03, 0.05)]
    lying = np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]])
    for profile, count in (
        (fx.Profile(two, kind="arcs"), 2),
        (SHAPES["barrel"].profile, 1),
        (SHAPES["rounded"].profile, 2),
    ):
        meeting = Meeting(fx.Plane(), fx.Revolved(profile))
        p = (0, 0, profile.trace.points[:, 0].max())
        assert sum(meeting(p, lying, k)[0] < 1e-6 for k in range(meeting.pair.places)) == count


def falling(shape, height, angle, axis="y"):
    body = fx.RigidBody(
        "b", 2.0, (4e-3, 4e-3, 2e-3), position=(0.01, 0.02, 0.1 + height), orientation={"axis": axis, "angle": angle}, shapes=[shape]
    )  # fmt: skip
    table = fx.ground.surface(fx.Box(1, 1, 0.2))
    return fx.Model("m", [body, fx.Contact("c", table, body, fx.Penalty(1e6))], gravity=(0, 0, -9.81))


def test_a_barrel_that_rocks_on_a_box_keeps_its_energy():
    barrel = fx.Revolved(fx.Profile([(0.03, -0.05), (0.04, 0), (0.03, 0.05)], kind="arcs"), axis="x")
    height = 0.13 - 0.09 * np.cos(0.1)
    run = falling(barrel, height - 1e-6, 0.1).dynamics(until=0.5, step=1e-3, show=False)
    assert np.ptp(run["energy.check_sum"].values) < 1e-3 * run["energy.kinetic"].values.max()


def test_a_drum_stands_on_a_box_as_a_cylinder_does():
    """With four points of its lower rim."""
    found = falling(SHAPES["drum"], 0.05, 0.0).statics()
    assert 0.15 - found["b.position_z"] == pytest.approx(2 * 9.81 / 4e6, rel=1e-6)


def test_a_drum_lies_on_a_box_with_both_ends_of_its_wall():
    """Between its chamfers; what is round beside it is held by an arc's lowest point instead."""
    for name, turn in (("drum", 0.0), ("rounded", 1e-5), ("rounded", -1e-5)):
        meeting = Meeting(fx.Box(1, 1, 0.2), SHAPES[name])
        R = exp_so3(np.array([0, np.pi / 2 + turn, 0]))
        found = [meeting((0.01, 0.02, 0.135 - 1e-6), R, k) for k in range(meeting.pair.places)]
        places = np.array([x for g, _, x in found if g < 0])
        assert len(places) == 2
        assert np.ptp(places[:, 0]) == pytest.approx(0.095 if name == "rounded" else 0.09, abs=2e-4)


ROLLER = fx.Revolved(fx.Profile([(0.03, -0.05), (0.03, 0.05)], kind="lines"))


@pytest.mark.parametrize("other", ["box", "cylinder", "cone"])
def test_a_turned_cylinder_touches_as_a_cylinder(other):
    """At every place, those of lines along which they lie on each other among them."""
    rng = np.random.default_rng(5)
    solid = SHAPES[other]
    pairs = [pair_of(solid, each, 0, True) for each in (ROLLER, fx.Cylinder(0.03, 0.1))]
    sizes = [
        [record(size.words) for record, size in zip(records_of(solid, each), sizes_of(solid, each), strict=True)]
        for each in (ROLLER, fx.Cylinder(0.03, 0.1))
    ]
    assert pairs[0].places == pairs[1].places
    assert pairs[0].lines == pairs[1].lines
    met = 0
    for i in range(36):
        p, R, _ = pose(solid, ROLLER, rng, GAPS[i % 6])
        for k in range(pairs[0].places):
            one, other = (
                pair.function(*size, tuple(p), tuple(R.ravel()), k) for pair, size in zip(pairs, sizes, strict=True)
            )
            met += other[0] < 0
            if min(one[0], other[0]) < 0 and (k > 0 or max(one[0], other[0]) < 1):
                assert one[0] == pytest.approx(other[0], abs=1e-12)
                assert np.array(one[1]) == pytest.approx(np.array(other[1]), abs=1e-9)
    assert met > 20
