"""Cylinders and cones on convex prisms and triangulated solids: against a search over directions, nearly aligned and anyhow; along short ways; at rest and rocking as on a box."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.contact.approach import pair_of, records_of, sizes_of
from flexor.contact.approach.convex.pairs import SOLIDS, on_polyhedron
from flexor.contact.approach.convex.polyhedron import polyhedron
from flexor.contact.approach.convex.separation import separation
from flexor.contact.surfaces import SURFACES
from flexor.contact.surfaces.polyhedron import PolyhedronSize
from flexor.law.dual import Dual
from flexor.spatial import exp_so3

G = 9.81
HEXAGON = [(0.04 * np.cos(turn), 0.04 * np.sin(turn)) for turn in np.pi / 3 * np.arange(6)]
TRIANGLE = [(-0.03, -0.02), (0.05, -0.02), (-0.03, 0.04)]
FACES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]  # fmt: skip
CORNERS = [(-0.03, -0.03, -0.03), (0.06, -0.03, -0.03), (-0.03, 0.06, -0.03), (-0.03, -0.03, 0.06)]


def prism(section, length, **more):
    return fx.Extruded(fx.Profile(section, closed=True, kind="lines"), length, **more)


def rectangle(x, y):
    return [(-x / 2, -y / 2), (x / 2, -y / 2), (x / 2, y / 2), (-x / 2, y / 2)]


def block(x, y, z):
    return fx.Triangles([(i * x / 2, j * y / 2, k * z / 2) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], FACES)


SHARP = {
    "beam": prism(rectangle(0.06, 0.06), 0.1),
    "hexagon": prism(HEXAGON, 0.1),
    "wedge": prism(TRIANGLE, 0.08),
    "block": block(0.1, 0.08, 0.06),
    "tetrahedron": fx.Triangles(CORNERS, [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]),
}
ROUND = {
    "cylinder": fx.Cylinder(0.03, 0.1),
    "disc": fx.Cylinder(0.06, 0.02),
    "cone": fx.Cone(0.05, 0.09, top=0.01),
    "tip": fx.Cone(0.04, 0.08, top=0.0),
}
TILTS = (0.0, 1e-9, 1e-6, 1e-4, 3e-3, 0.02)
AXES = [side * axis for axis in np.eye(3) for side in (-1.0, 1.0)]
PAIRS = [(a, b) for a in SHARP for b in ROUND]


def faces_of(shape):
    surface = SURFACES[type(shape)]
    words = surface.size(surface.pack(shape).words).solid
    return PolyhedronSize(words) if len(words) else None


def corners_of(shape):
    if isinstance(shape, fx.Extruded):
        return np.array([(x, y, z) for x, y in shape.profile.points for z in (-shape.length / 2, shape.length / 2)])
    return np.array(shape.points)


def ends_of(shape):
    top = shape.top if isinstance(shape, fx.Cone) else shape.radius
    return np.array([shape.radius, top]), np.array([-0.5, 0.5]) * shape.length


def separated(a, b, p, R, n):
    """s(n) of directions (m, 3)"""
    radii, heights = ends_of(b)
    m = -n @ R
    reach = np.outer(m[:, 2], heights) + np.outer(np.hypot(m[:, 0], m[:, 1]), radii)
    return n @ p - reach.max(axis=1) - (n @ corners_of(a).T).max(axis=1)


def directions(a, b, R, n, rng):
    """Normals of faces and ends, across edges and generators, all around, and ever nearer to n."""
    P = faces_of(a)
    normals, ways = P.planes.reshape(-1, 6)[:, :3], P.ways.reshape(-1, 5)[:, :3]
    radii, heights = ends_of(b)
    k = (radii[0] - radii[1]) / np.hypot(radii[0] - radii[1], heights[1] - heights[0])
    found = [normals, [R[:, 2], -R[:, 2]], rng.normal(size=(2000, 3))]
    turn = rng.uniform(0, 2 * np.pi, size=(400, 1))
    found.append(-k * R[:, 2] + np.sqrt(1 - k * k) * (np.cos(turn) * R[:, 0] + np.sin(turn) * R[:, 1]))
    for u in ways:
        e = np.cross(u, AXES[int(np.argmin(np.abs(u))) * 2])
        e = e / np.linalg.norm(e)
        found.append(np.cos(turn) * e + np.sin(turn) * np.cross(u, e))
    for width in 10.0 ** np.arange(-9, 0):
        found.append(n + width * rng.normal(size=(100, 3)))
    every = np.concatenate([np.asarray(each) for each in found])
    return every / np.linalg.norm(every, axis=1)[:, None]


def pose(a, b, rng, gap, tilts=TILTS):
    """(p, R): anyhow, or nearly standing or lying on a face, an end or a wall; as far apart along a normal as told."""
    kind, tilt = rng.integers(4), tilts[rng.integers(len(tilts))]
    quarter = exp_so3(np.pi / 2 * AXES[rng.integers(6)]) @ exp_so3(np.pi / 2 * AXES[rng.integers(6)])
    R = exp_so3(rng.normal(size=3) * 2)
    normals = faces_of(a).planes.reshape(-1, 6)[:, :3]
    n = normals[rng.integers(len(normals))]
    if kind > 0:
        R = exp_so3(tilt * rng.normal(size=3)) @ quarter
    if kind > 1:
        u = R[:, 2] if kind == 2 else np.cross(R[:, 2], n)  # its axis along n, or across that
        if np.linalg.norm(u) > 1e-6:
            way = np.cross(u / np.linalg.norm(u), n)
            R = exp_so3(np.arcsin(np.clip(np.linalg.norm(way), -1, 1)) * way / max(np.linalg.norm(way), 1e-12)) @ R
        R = exp_so3(tilt * rng.normal(size=3)) @ R
    if rng.integers(3) == 0:
        n = rng.normal(size=3)
    n = n / np.linalg.norm(n)
    points = corners_of(a)
    height = points @ n
    on = points[height > height.max() - 1e-9]
    share = rng.uniform(size=len(on)) if rng.integers(2) else rng.integers(2, size=len(on)) + 1e-12
    x_a = share @ on / share.sum()
    radii, heights = ends_of(b)
    m = -R.T @ n
    end = int(np.argmax(m[2] * heights + np.hypot(m[0], m[1]) * radii))
    e = m[:2] / max(np.hypot(m[0], m[1]), 1e-12)
    x_b = np.array([*(rng.integers(2) * radii[end] * e), heights[end]])
    p = x_a - R @ x_b + gap * n
    s = separated(a, b, p, R, n[None])[0]
    return p + (gap - s) * n, R


class Meeting:
    def __init__(self, a, b):
        self.a, self.b, self.pair = a, b, pair_of(a, b)
        self.sizes = [record(size.words) for record, size in zip(records_of(a, b), sizes_of(a, b), strict=True)]
        self.direction = separation(polyhedron(), SOLIDS[type(b)])

    def along(self, p, R):
        """(g, n) of the direction of separation."""
        found = self.direction(*self.sizes, tuple(p), tuple(np.ravel(R)))
        return found[3], np.array(found[4])

    def nearest(self, p, R):
        p, R = tuple(p), tuple(np.ravel(R))
        places = (self.pair.function(*self.sizes, p, R, k) for k in range(self.pair.places))
        return min(places, key=lambda found: found[0])


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_no_direction_separates_them_more(a, b):
    """Apart and overlapping, nearly aligned and anyhow: along n they are separated by g, by support points found in another way, and along none of 3500 others by more."""
    rng = np.random.default_rng(PAIRS.index((a, b)))
    meeting = Meeting(SHARP[a], ROUND[b])
    for i in range(60):
        p, R = pose(meeting.a, meeting.b, rng, (5e-4, 1e-5, -1e-5, -1e-4, -5e-4)[i % 5])
        g, n = meeting.along(p, R)
        assert separated(meeting.a, meeting.b, p, R, n[None])[0] == pytest.approx(g, abs=1e-13)
        others = directions(meeting.a, meeting.b, R, n, rng)
        assert separated(meeting.a, meeting.b, p, R, others).max() < g + 1e-11


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_the_deepest_place_is_as_deep_as_the_way_out(a, b):
    """Whatever lies flat on whatever: of solids that are apart the distance, of those that overlap the shortest way out within what 1.1° do, by which a face is flat on another. From the other
    side it is the same."""
    rng = np.random.default_rng(100 + PAIRS.index((a, b)))
    meeting, back = Meeting(SHARP[a], ROUND[b]), Meeting.__new__(Meeting)
    back.pair = pair_of(ROUND[b], SHARP[a])
    back.sizes = meeting.sizes[::-1]
    for i in range(15):
        p, R = pose(meeting.a, meeting.b, rng, (5e-5, -1e-5, -1e-4, -5e-4)[i % 4])
        expected, _ = meeting.along(p, R)
        g, n, _ = meeting.nearest(p, R)
        if expected > 0:
            assert g == pytest.approx(expected, abs=1e-10)  # 1e-9 of the size
        else:
            assert 1.2 * expected - 2e-6 < g < 0.5 * expected + 2e-6
            assert separated(meeting.a, meeting.b, p, R, np.array(n)[None])[0] > 3 * expected - 1e-4
        if i % 3 == 0:
            assert back.nearest(-R.T @ p, R.T)[0] == pytest.approx(g, abs=1e-12)


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_the_gap_changes_with_the_way(a, b):
    """Along short ways it changes by no more than these, and in a direction with n · u: by dual numbers as by differences."""
    rng = np.random.default_rng(200 + PAIRS.index((a, b)))
    meeting = Meeting(SHARP[a], ROUND[b])
    smooth = 0
    for i in range(12):
        p, R = pose(meeting.a, meeting.b, rng, (5e-5, -1e-5, -1e-4)[i % 3], TILTS[3:])
        v, w = rng.normal(size=3), rng.normal(size=3)
        v /= np.linalg.norm(v)
        way = [meeting.along(p + 1e-5 * t * v, R)[0] for t in range(-2, 3)]
        assert np.abs(np.diff(way)).max() < 1e-5 * (1 + 1e-6)
        slopes = np.cross(w, R, axisb=0).T.ravel()
        at = (
            [Dual(x, y) for x, y in zip(p, v, strict=True)],
            [Dual(x, y) for x, y in zip(R.ravel(), slopes, strict=True)],
        )
        found = meeting.direction(*meeting.sizes, tuple(at[0]), tuple(at[1]))

        def moved(t, p=p, R=R, v=v, w=w):
            return meeting.along(p + t * v, exp_so3(t * w) @ R)[0]

        h = 1e-7
        before, here, behind = moved(-h), moved(0.0), moved(h)
        slope = (behind - before) / (2 * h)
        n, x = np.array([each.a for each in found[4]]), np.array([each.a for each in found[5]])
        assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-12)
        if abs(behind - 2 * here + before) < 1e-5 * h:  # else n changes its kind here
            smooth += 1
            assert found[3].b == pytest.approx(slope, abs=1e-5)
            assert n @ (v + np.cross(w, x - p)) == pytest.approx(slope, abs=1e-3)
    assert smooth > 3


def test_faces_edges_and_corners():
    """However a solid is cut into triangles; with parallel edges as one family, and corners around a face of different kinds."""
    expected = {"beam": (6, 3, 8, 4), "hexagon": (8, 4, 12, 6), "wedge": (5, 4, 6, 4), "block": (6, 3, 8, 4), "tetrahedron": (4, 6, 4, 3)}  # fmt: skip
    for name, shape in SHARP.items():
        P = faces_of(shape)
        assert (P.faces, P.families, P.corners, P.most) == expected[name]
        points, kinds = P.points.reshape(-1, 3), np.searchsorted(P.kinds, np.arange(P.corners), side="right")
        for plane in P.planes.reshape(-1, 6):
            on = np.abs(points @ plane[:3] - plane[3]) < 1e-12
            assert on.sum() == plane[5]
            assert len(set(kinds[on])) == on.sum()
    extra = (0.05, 0.0, 0.01)  # within a face
    cut = [each for each in FACES if each not in ((4, 6, 7), (4, 7, 5))]
    shape = block(0.1, 0.08, 0.06)
    finer = fx.Triangles([*shape.points, extra], [*cut, (4, 6, 8), (6, 7, 8), (7, 5, 8), (5, 4, 8)])
    assert faces_of(finer).corners == 8
    assert faces_of(finer).faces == 6


def test_what_is_no_convex_solid_goes_another_way():
    """A notch, a dent, a hole, a curve, what is hollow, faces that hardly bend, many faces."""
    angle = [(0, 0), (0.1, 0), (0.1, 0.05), (0.05, 0.05), (0.05, 0.1), (0, 0.1)]
    roof = [(-0.05, 0), (0.05, 0), (0.05, 0.05), (0, 0.051), (-0.05, 0.05)]
    many = [(0.05 * np.cos(turn), 0.05 * np.sin(turn)) for turn in np.linspace(0, 2 * np.pi, 50, endpoint=False)]
    dent = fx.Triangles([*CORNERS, (-0.01, -0.01, -0.01)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 4), (2, 3, 4), (3, 1, 4)])  # fmt: skip
    shapes = [
        prism(angle, 0.1), prism(roof, 0.1), prism(many, 0.1), prism(HEXAGON, 0.1, inside=True), dent,
        fx.Extruded(fx.Profile.circle(0.05), 0.1), fx.Triangles(SHARP["block"].points, FACES, inside=True),
    ]  # fmt: skip
    for shape in shapes:
        assert faces_of(shape) is None
        assert not on_polyhedron(shape, ROUND["cylinder"])
    with pytest.warns(UserWarning, match="open"):
        assert faces_of(fx.Triangles(SHARP["block"].points, FACES[:-2])) is None


SUPPORTS = {
    "end of a prism": prism(rectangle(0.1, 0.08), 0.06),
    "side of a prism": prism(rectangle(0.08, 0.06), 0.1, orientation=(0.5, 0.5, 0.5, 0.5)),
    "triangles": block(0.1, 0.08, 0.06),
}


def standing(support, off, lift=-1e-6, **start):
    """A can on a support with the top at z = 30 mm, its centre of mass off its axis."""
    at = (*off, 0.08 + lift)
    can = fx.RigidBody(
        "can", 1.0, 1e-3, position=at, center_of_mass=(-0.5 * off[0], 0, 0), shapes=[fx.Cylinder(0.03, 0.1)], **start
    )
    touch = fx.Contact("c", fx.ground.surface(support), can, fx.Penalty(1e6), friction=0.5)
    return fx.Model("can", [can, touch], gravity=(0, 0, -G))


@pytest.mark.parametrize("name", SUPPORTS)
@pytest.mark.parametrize("off", [(0.0, 0.0), (0.045, 0.0), (0.03, 0.02)])
def test_a_can_stands_on_a_prism_as_on_a_box(name, off):
    """Statics, within the support and over its edge or its corner."""
    found, expected = (standing(each, off).statics() for each in (SUPPORTS[name], fx.Box(0.1, 0.08, 0.06)))
    assert found["c.normal_force"] == pytest.approx(G, rel=1e-7)
    np.testing.assert_allclose(found["can.position"], expected["can.position"], atol=1e-10)
    for axis in "xyz":
        assert found[f"can.orientation_{axis}"] == pytest.approx(expected[f"can.orientation_{axis}"], abs=1e-8)


def test_a_can_rocks_on_a_prism_as_on_a_box():
    """Tilted by 2° it falls on its end and rocks: without losses the energy stays, and all is as on a box of the same size."""
    start = {"orientation": {"axis": (0.6, 0.8, 0.0), "angle": "2 deg"}}
    runs = []
    for support in (SUPPORTS["end of a prism"], fx.Box(0.1, 0.08, 0.06)):
        model = standing(support, (0.02, 0.01), 0.03 * np.sin(np.radians(2)), **start)
        runs.append(model.dynamics(until=0.05, step=5e-4, show=False, impact_steps=40))
    found, expected = runs
    kept = found["energy.check_sum"].values
    assert np.ptp(kept) < 1.1 * np.ptp(expected["energy.check_sum"].values) + 1e-9
    np.testing.assert_allclose(found["can.position_z"].values[-1], expected["can.position_z"].values[-1], atol=1e-7)
