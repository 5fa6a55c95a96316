"""Triangulated surfaces, boxes and prisms on each other: against a search over all triangles and all directions, as the boxes that they are, at rest and in impacts."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

import flexor as fx
from flexor.contact.approach.pair import ELSEWHERE
from flexor.contact.surfaces.facets import chord
from flexor.law.dual import Dual
from flexor.mesh import generate
from flexor.spatial import exp_so3
from tests.contact.solids import TETRAHEDRON, faces, least_distance
from tests.contact.test_approach import Meeting, _ball
from tests.contact.test_triangles import CUBE, SIDES, shape, size_of

G = 9.81


def block(x, y, z, **fields):
    """A box as triangles."""
    return shape(CUBE * (x, y, z), SIDES, **fields)


def angle_iron():
    """An L: not convex."""
    section = [(-0.15, -0.15), (0.65, -0.15), (0.65, 0.15), (0.15, 0.15), (0.15, 0.75), (-0.15, 0.75)]
    return fx.Extruded(fx.Profile(section, kind="lines", closed=True), 0.8)


def star():
    angles = np.pi * np.arange(10) / 5
    radii = np.where(np.arange(10) % 2, 0.35, 0.6)
    points = np.column_stack([radii * np.cos(angles), radii * np.sin(angles)]).tolist()
    return fx.Extruded(fx.Profile(points, kind="lines", closed=True), 0.4)


WEDGE = fx.Extruded(fx.Profile([(-0.4, -0.3), (0.6, -0.2), (0.0, 0.5)], kind="lines", closed=True), 0.7)
SOLIDS = {
    "tetrahedron": TETRAHEDRON,
    "cube": block(0.9, 0.7, 0.5),
    "box": fx.Box(1, 0.8, 0.6),
    "wedge": WEDGE,
    "angle": angle_iron(),
    "star": star(),
}
PAIRS = [pair for pair in combinations_with_replacement(SOLIDS, 2) if pair != ("box", "box")]
ROUND = [name for name in SOLIDS if name not in ("angle", "star")]
CONVEX = [(a, b) for a, b in PAIRS if a in ROUND and b in ROUND]
turns = st.tuples(*3 * [st.floats(-3, 3).map(lambda x: round(x, 2))])


@pytest.mark.parametrize(("a", "b"), PAIRS)
@settings(max_examples=8, deadline=None, derandomize=True, phases=[Phase.generate])
@given(turn=turns, way=turns, apart=st.floats(0.5, 1.6))
def test_the_gap_is_the_least_distance_of_all_triangles(a, b, turn, way, apart):
    """At any angle, apart; where triangles go through each other there is a normal, too."""
    way = np.array([0.01, 0.02, 0.03]) + np.array(way)
    R, p = exp_so3(np.array(turn)), apart * way / np.linalg.norm(way)
    meeting = Meeting(SOLIDS[a], SOLIDS[b])
    g, n, x = meeting.nearest(p, R)
    one, other = faces(SOLIDS[a]), p + faces(SOLIDS[b]) @ R.T
    found = least_distance(one, other)
    assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-12)
    assert np.isfinite([g, *x]).all()
    if found > 0:
        assert g == pytest.approx(found, abs=1e-9)
        point = np.array(x)[None, None].repeat(3, axis=1) + 1e-9 * np.eye(3)
        for triangles in (one, other):
            assert least_distance(point, triangles) == pytest.approx(found / 2, abs=1e-7)


def separated(one, other):
    """The largest separation of triangles (n, 3, 3) of two convex solids that overlap, over the normals of all faces and across every two edges: less the
    shortest way apart."""
    normals = [np.cross(each[:, 1] - each[:, 0], each[:, 2] - each[:, 0]) for each in (one, other)]
    ways = [np.concatenate([each[:, (i + 1) % 3] - each[:, i] for i in range(3)]) for each in (one, other)]
    across = np.cross(ways[0][:, None], ways[1][None]).reshape(-1, 3)
    n = np.concatenate([*normals, across])
    n = n[np.linalg.norm(n, axis=1) > 1e-9]
    n = np.concatenate([n, -n]) / np.tile(np.linalg.norm(n, axis=1), 2)[:, None]
    return float(((other.reshape(-1, 3) @ n.T).min(axis=0) - (one.reshape(-1, 3) @ n.T).max(axis=0)).max())


def sunk(meeting, rng, depth):
    """A pose at which two solids overlap by that depth, moved towards each other from a random side."""
    R, way = exp_so3(2 * rng.normal(size=3)), rng.normal(size=3)
    way /= np.linalg.norm(way)
    p, g, n = 2.5 * way, 1.0, way
    while 1e-9 < g < ELSEWHERE:
        p = p - 0.999 * (0.0 if n is way else g) * way
        g, n, _ = meeting(p, R, 0)  # the place that tells how far they are apart
    return p - depth / abs(way @ n) * way, R


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_what_overlaps_is_seen(a, b):
    """By up to a hundredth of their size, from every side, notches as well: triangles that go through each other have a place that is negative, about as deep."""
    rng = np.random.default_rng(len(a) + 5 * len(b))
    meeting = Meeting(SOLIDS[a], SOLIDS[b])
    met = 0
    for _ in range(8):
        depth = 10 ** rng.uniform(-5, -2)
        p, R = sunk(meeting, rng, depth)
        if least_distance(faces(SOLIDS[a]), p + faces(SOLIDS[b]) @ R.T) == 0:
            g, n, _ = meeting.nearest(p, R)
            assert g < 0
            assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-12)
            met += 1
    assert met > 4


@pytest.mark.parametrize(("a", "b"), CONVEX)
def test_the_depth_is_the_shortest_way_apart(a, b):
    """Of convex solids that overlap by a little the shallowest place tells how far they have to be moved apart, and every place closes with ġ = n · u."""
    rng = np.random.default_rng(len(a) + 7 * len(b))
    meeting = Meeting(SOLIDS[a], SOLIDS[b])
    met = 0
    for _ in range(8):
        p, R = sunk(meeting, rng, 10 ** rng.uniform(-5, -2.5))
        active = [k for k in range(meeting.pair.places) if meeting(p, R, k)[0] < 0]
        expected = separated(faces(SOLIDS[a]), p + faces(SOLIDS[b]) @ R.T)
        if expected > -1e-7:
            continue
        met += 1
        assert active
        assert max(meeting(p, R, k)[0] for k in active) == pytest.approx(expected, rel=0.02, abs=1e-7)
        v, w = rng.normal(size=3), rng.normal(size=3)
        slopes = np.cross(w, R, axisb=0).T.ravel()
        for k in active:
            g, n, x = meeting(list(map(Dual, p, v)), list(map(Dual, R.ravel(), slopes)), k)
            n, x = (np.array([each.a for each in u]) for u in (n, x))
            assert g.b == pytest.approx(n @ (v + np.cross(w, x - p)), abs=3 * abs(g.a) + 1e-9)
    assert met > 4


def test_derivatives_of_every_kind_of_place():
    """By dual numbers as by differences: corners on faces of either, crossing edges, and the distance of those apart."""
    rng = np.random.default_rng(5)
    for a, b in (("tetrahedron", "cube"), ("angle", "wedge"), ("box", "star")):
        meeting = Meeting(SOLIDS[a], SOLIDS[b])
        for i in range(8):
            p, R = sunk(meeting, rng, 1e-3 if i % 2 else -0.05)
            v, w = rng.normal(size=3), rng.normal(size=3)
            for k in range(meeting.pair.places):
                if meeting(p, R, k)[0] > 1e3:
                    continue
                step = 1e-7
                ends = [meeting(p + s * step * v, exp_so3(s * step * w) @ R, k) for s in (-1, 1)]
                low, high = (np.array([g, *n, *x]) for g, n, x in ends)
                if max(low[0], high[0]) > 1e3 or np.abs(high - low).max() > 1e-4:
                    continue  # another one becomes the place
                slopes = np.cross(w, R, axisb=0).T.ravel()
                g, n, x = meeting(list(map(Dual, p, v)), list(map(Dual, R.ravel(), slopes)), k)
                found = np.array([each.b for each in (g, *n, *x)])
                np.testing.assert_allclose(found, (high - low) / (2 * step), atol=2e-5 * max(1.0, np.abs(found).max()))


def wrench(meeting, p, R):
    """Force and moment of unit stiffness, and how many places carry it."""
    total, count = np.zeros(6), 0
    for k in range(meeting.pair.places):
        g, n, x = meeting(p, R, k)
        if g < 0:
            f = -g * np.array(n)
            total += [*f, *np.cross(x, f)]
            count += 1
    return total, count


def test_blocks_of_triangles_press_as_boxes_do():
    """Corners on faces, edges across edges, faces on faces at any turn: the same force and moment, at as many places."""
    rng = np.random.default_rng(1)
    as_boxes = Meeting(fx.Box(1, 0.8, 0.6), fx.Box(0.7, 0.5, 0.9))
    others = [Meeting(block(1, 0.8, 0.6), block(0.7, 0.5, 0.9)), Meeting(block(1, 0.8, 0.6), fx.Box(0.7, 0.5, 0.9))]
    for i in range(24):
        if i % 3 == 0:  # flat on each other
            R = exp_so3(np.array([0, 0, rng.uniform(0.1, 1.4)])) @ exp_so3(1e-4 * rng.normal(size=3))
            p = np.array([*rng.uniform(-0.4, 0.4, 2), 0.75 - 3e-4])
        elif i % 3 == 1:  # a corner on a face
            R = exp_so3(rng.uniform(0.3, 0.6, 3) * rng.choice([-1, 1], 3))
            p = np.array([*rng.uniform(-0.1, 0.1, 2), 2.0])
            p[2] -= as_boxes.nearest(p, R)[0] + 3e-4
        else:  # an edge across an edge
            R = exp_so3(np.array([0, 0, rng.uniform(-0.3, 0.3)])) @ exp_so3(np.array([np.pi / 4, 0, 0]))
            low = exp_so3(np.array([0, np.pi / 4, 0]))
            p = low.T @ np.array([*rng.uniform(-0.05, 0.05, 2), 2.0])
            R = low.T @ R
            g, n, _ = as_boxes.nearest(p, R)
            p = p - (g + 3e-4) * np.array(n)
        expected, places = wrench(as_boxes, p, R)
        assert places
        for meeting in others:
            found, count = wrench(meeting, p, R)
            np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)
            assert count == places


def on_a_ledge(points, half, top, rng, turn):
    """A pose of a body, nearly flat, that lies on the border of a table with no more than a ledge of 3 to 60 mm: p, R."""
    tilt = [np.eye(3)[0], np.eye(3)[1], rng.normal(size=3)][rng.integers(3)]
    yaw = exp_so3(np.array([0, 0, rng.choice([0, np.pi / 2, np.pi, rng.uniform(-3, 3)])]))
    R = exp_so3(10 ** rng.uniform(-5, -2.2) * rng.choice([-1, 1]) * tilt) @ yaw @ turn
    low, high = (R @ points.T).min(axis=1), (R @ points.T).max(axis=1)
    p, along, ledge = np.append(rng.uniform(-0.1, 0.1, 2), 0.0), rng.integers(2), 10 ** rng.uniform(-2.5, -1.2)
    p[along] = half[along] - ledge - low[along] if rng.integers(2) else -half[along] + ledge - high[along]
    p[2] = top - low[2] - 10 ** rng.uniform(-6, -4)
    return p, R


LAID = [np.zeros(3), np.array([np.pi / 2, 0, 0]), np.array([0, np.pi / 2, 0])]
TABLE = 0.4, 0.3, 0.1


def test_on_a_ledge_blocks_of_triangles_press_as_boxes_do():
    """However little tilted: edges along the border of the table, or across it, are not as deep as the ledge is wide."""
    rng, size = np.random.default_rng(3), (0.1, 0.08, 0.06)
    as_boxes = Meeting(fx.Box(*TABLE), fx.Box(*size))
    others = [Meeting(block(*TABLE), block(*size)), Meeting(fx.Box(*TABLE), block(*size))]
    for i in range(60):
        p, R = on_a_ledge(CUBE * size, (0.2, 0.15), 0.05, rng, exp_so3(LAID[i % 3]))
        expected, places = wrench(as_boxes, p, R)
        for meeting in others:
            found, count = wrench(meeting, p, R)
            np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-12)
            assert count == places


@pytest.mark.parametrize("length", [0.12, 0.4])
def test_on_a_ledge_prisms_overlap_by_the_shortest_way_out(length):
    """No place is deeper than twice the shortest way apart, and one is as deep."""
    rng = np.random.default_rng(4)
    section = fx.Profile([(-0.05, -0.03), (0.05, -0.03), (0, 0.06)], kind="lines", closed=True)
    table, prism = fx.Box(*TABLE), fx.Extruded(section, length)
    meeting, one, other = Meeting(table, prism), faces(table), faces(prism)
    met = 0
    for i in range(60):
        p, R = on_a_ledge(other.reshape(-1, 3), (0.2, 0.15), 0.05, rng, exp_so3(LAID[i % 2]))
        expected = separated(one, p + other @ R.T)
        if expected < -1e-7:
            deep = [g for g, _, _ in (meeting(p, R, k) for k in range(meeting.pair.places)) if g < 0]
            assert min(deep) > 2 * expected
            assert min(deep) <= expected * (1 - 1e-9)
            met += 1
    assert met > 30


def ramp():
    """10.6° at its tip."""
    return fx.Extruded(fx.Profile([(-0.08, 0), (0.08, 0), (0.08, 0.03)], kind="lines", closed=True), 0.1)


@pytest.mark.parametrize("apart", [0.0, 1e-3, -0.05])
@pytest.mark.parametrize("turn", [176.7, 178.0, 182.0])
def test_an_acute_tip_beyond_the_other_solid_tells_nothing(turn, apart):
    """Two ramps, wall on wall: 32 µm deep there, and not 33 mm at a tip far outside."""
    meeting, R = Meeting(ramp(), ramp()), exp_so3(np.array([0, 0, np.radians(turn)]))
    met = 0
    for x in np.linspace(-0.04, 0.0, 9):
        p = np.array([x, 0.0, apart])
        for y in np.linspace(0.0, 0.06, 40):  # down to a little overlap
            p[1] = 0.06 - y
            expected = separated(faces(ramp()), p + faces(ramp()) @ R.T)
            if expected < -1e-8:
                break
        if -2e-3 < expected < -1e-8:
            found = [g for g, _, _ in (meeting(p, R, k) for k in range(meeting.pair.places)) if g < 0]
            assert min(found) > 1.5 * expected - 1e-7
            met += 1
    assert met > 3


def test_acute_solids_do_not_lose_each_other():
    """Tetrahedra that overlap by up to a tenth of their size, tips through walls: the deepest place is as deep as the shortest way out is long."""
    for a, b in (("tetrahedron", "tetrahedron"), ("tetrahedron", "wedge")):
        meeting, rng = Meeting(SOLIDS[a], SOLIDS[b]), np.random.default_rng(1)
        for _ in range(40):
            p, R = sunk(meeting, rng, 10 ** rng.uniform(-3, -1))
            expected = separated(faces(SOLIDS[a]), p + faces(SOLIDS[b]) @ R.T)
            found = [g for g, _, _ in (meeting(p, R, k) for k in range(meeting.pair.places)) if g < 0]
            if expected < -1e-8:
                assert min(found) == pytest.approx(expected, rel=1e-9)


def test_faces_may_be_cut_into_any_triangles():
    """The skin of a mesh of 6³ elements has the corners and edges of the block, and touches as it does."""
    skin = fx.Triangles.skin(generate.box((1.0, 0.8, 0.6), (6, 6, 6)))
    size = size_of(skin)
    assert (size.corners, size.edges) == (8, 12)
    middle = 0.5 * (np.min(skin.points, axis=0) + np.max(skin.points, axis=0))
    fine, coarse = Meeting(fx.Box(0.7, 0.5, 0.9), skin), Meeting(fx.Box(0.7, 0.5, 0.9), block(1, 0.8, 0.6))
    rng = np.random.default_rng(4)
    for _ in range(6):
        p, R = sunk(coarse, rng, 1e-3)
        found, expected = (wrench(each, at, R) for each, at in ((fine, p - R @ middle), (coarse, p)))
        assert found[1] == expected[1]
        np.testing.assert_allclose(found[0], expected[0], atol=1e-9)


def test_of_many_corners_and_edges_neighbours_share_a_place():
    """Two bumpy balls of 1900 triangles: few places, the gap of all triangles, and no more than a part of them looked at."""
    points, triangles = _ball(31)
    ball = shape(points * (1 + 0.05 * np.sin(5 * points[:, :1])), triangles)
    meeting = Meeting(ball, ball)
    assert meeting.pair.places == 1 + 3 * 64
    R, p = exp_so3(np.array([0.3, 0.5, 0.2])), np.array([1.4, 1.3, 0.9])
    corners = np.array(points * (1 + 0.05 * np.sin(5 * points[:, :1])))[triangles]
    near = corners[np.linalg.norm(corners.mean(axis=1) - p, axis=1) < 1.6]
    other = p + corners @ R.T
    other = other[np.linalg.norm(other.mean(axis=1), axis=1) < 1.6]
    assert meeting(p, R, 0)[0] == pytest.approx(least_distance(near, other), abs=1e-9)


def moved(a, b, friction=0.0, **fields):
    """A body with a shape falls on another one that stands still."""
    body = fx.RigidBody("b", 2.0, (0.02, 0.03, 0.025), shapes=[b], **fields)
    contact = fx.Contact("c", fx.ground.surface(a), body, fx.Penalty(1e6, restitution=0.5), friction=friction)
    return fx.Model("fall", [body, contact], gravity=(0, 0, -G)).dynamics(until=0.05, step=1e-3, show=False)


@pytest.mark.parametrize("turn", [{"axis": "z", "angle": 0.3}, {"axis": (1, 2, 0.4), "angle": 0.5}])
def test_an_stl_cube_moves_as_a_box(turn, tmp_path):
    """Flat and on a corner, with friction: positions and speeds after the impact are the same."""
    from tests.contact.test_triangles import binary

    (tmp_path / "cube.stl").write_bytes(binary(100 * CUBE[SIDES]))
    fall = {"position": (0.01, 0.02, 0.13), "orientation": turn, "velocity": (0.1, 0.2, -1.0)}
    expected = moved(fx.Box(0.4, 0.4, 0.1), fx.Box(0.1, 0.1, 0.1), 0.3, **fall)
    for table, cube in ((block(0.4, 0.4, 0.1), fx.Stl(str(tmp_path / "cube.stl"), scale=0.001)),):
        run = moved(table, cube, 0.3, **fall)
        assert run["c.deepest"][-1] == pytest.approx(expected["c.deepest"][-1], rel=2e-3)
        for signal in ("position", "velocity", "angular_velocity"):
            known = expected[f"b.{signal}"].values[-1]
            np.testing.assert_allclose(run[f"b.{signal}"].values[-1], known, atol=4e-3 * np.abs(known).max() + 1e-9)


def test_stl_cubes_crossing_on_edges_keep_the_energy():
    """A bar falls with an edge across an edge of another one: without dissipation all of its energy is kinetic again, as of boxes."""
    R = exp_so3(np.array([0, 0, np.pi / 2])) @ exp_so3(np.array([0, np.pi / 4, 0]))
    angle = np.arccos((np.trace(R) - 1) / 2)
    axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    turned = {"axis": tuple(axis / np.linalg.norm(axis)), "angle": float(angle)}
    runs = []
    for make in (block, fx.Box):
        low = fx.ground.surface(make(0.1, 0.4, 0.1, orientation={"axis": "y", "angle": np.pi / 4}))
        bar = fx.RigidBody(
            "b", 2.0, (0.02, 0.03, 0.025), position=(0.03, 0.02, 0.1 * np.sqrt(2) + 0.02), orientation=turned, velocity=(0.1, 0.2, -1), shapes=[make(0.1, 0.4, 0.1)]
        )  # fmt: skip
        contact = fx.Contact("c", low, bar, fx.Penalty(1e6))
        runs.append(fx.Model("bars", [bar, contact]).dynamics(until=0.06, step=1e-3, show=False, impact_steps=100))
    run, expected = runs
    kinetic = run["energy.kinetic"].values
    assert run["c.deepest"][-1] > 1e-4
    assert kinetic[-1] == pytest.approx(kinetic[0], rel=1e-3)
    np.testing.assert_allclose(run["b.velocity"].values[-1], expected["b.velocity"].values[-1], atol=2e-3)


def test_an_impact_of_triangulated_bodies_keeps_momentum_and_energy():
    """Two angle irons, free and turning, meet: momentum to rounding, angular momentum and energy to what the steps resolve."""
    iron = angle_iron()
    points = np.concatenate(faces(iron))
    iron = fx.Triangles(
        tuple(map(tuple, points.tolist())), tuple((3 * i, 3 * i + 1, 3 * i + 2) for i in range(len(points) // 3))
    )
    m, inertia = 3.0, (0.3, 0.25, 0.4)
    a = fx.RigidBody("a", m, inertia, shapes=[iron], angular_velocity=(0.5, 1.0, 0))
    b = fx.RigidBody("b", m, inertia, position=(0.2, 0.1, 1.3), orientation={"axis": (1, 1, 0.3), "angle": 0.8}, velocity=(0, 0, -2), shapes=[iron])  # fmt: skip
    contact = fx.Contact("c", a, b, fx.Penalty(1e6))
    run = fx.Model("irons", [a, b, contact]).dynamics(until=0.5, step=1e-3, show=False, impact_steps=100)
    assert run["c.deepest"][-1] > 1e-4
    momentum = m * (run["a.velocity"].values + run["b.velocity"].values)
    np.testing.assert_allclose(momentum, np.tile(momentum[0], (len(momentum), 1)), atol=1e-9)
    kinetic = run["energy.kinetic"].values
    assert kinetic[-1] == pytest.approx(kinetic[0], rel=3e-3)


@pytest.mark.parametrize(("table", "upper"), [(block(0.4, 0.4, 0.1), block(0.1, 0.1, 0.1)), (fx.Box(0.4, 0.4, 0.1), fx.Extruded(WEDGE.profile, 0.2)), (block(0.1, 0.1, 0.1), block(0.1, 0.1, 0.1))])  # fmt: skip
def test_polyhedra_rest_on_each_other(table, upper):
    """A block turned on a plate, a prism on its end, a cube flush on another: with friction they carry the weight and stay where they are."""
    height = 0.05 if isinstance(table, fx.Box) else 0.5 * np.ptp(np.array(table.points)[:, 2])
    half = 0.1 if isinstance(upper, fx.Extruded) else 0.05
    flush = not isinstance(table, fx.Box) and height == half and np.ptp(np.array(table.points)[:, 0]) < 0.2
    turn = {"axis": "z", "angle": 0.0 if flush else 0.4}
    body = fx.RigidBody("b", 2.0, (0.02, 0.03, 0.025), position=(0, 0, height + half), orientation=turn, shapes=[upper])
    contact = fx.Contact("c", fx.ground.surface(table), body, fx.Penalty(1e6, restitution=0.3), friction=0.4)
    load = fx.PointForce("push", body, direction="x", force=2.0)
    run = fx.Model("rest", [body, contact, load], gravity=(0, 0, -G)).dynamics(until=0.3, step=1e-3, show=False)
    assert run["c.normal_force"][-1] == pytest.approx(2 * G, rel=1e-3)
    assert run["c.friction_force"][-1] == pytest.approx(2.0, rel=0.02)
    np.testing.assert_allclose(run["b.position"].values[-1], (0, 0, height + half), atol=1e-4)
    assert np.abs(run["b.velocity"].values[-1]).max() < 1e-4


@pytest.mark.parametrize("angle", [0.0, 0.4, 1.2])
def test_a_prism_lies_on_a_box_however_its_axis_is_turned(angle):
    """On one of its sides, across the box or along it: it carries at the corners of what both share, and does not tip."""
    half = 0.05
    section = [(-half, -half), (half, -half), (0.7 * half, half), (-0.7 * half, half)]
    bar = fx.Extruded(
        fx.Profile(section, kind="lines", closed=True), 0.6, orientation={"axis": "x", "angle": np.pi / 2}
    )
    body = fx.RigidBody("b", 2.0, (0.05, 0.05, 0.01), position=(0.01, 0.02, 0.1), orientation={"axis": "z", "angle": angle}, shapes=[bar])  # fmt: skip
    contact = fx.Contact("c", fx.ground.surface(fx.Box(0.3, 0.2, 0.1)), body, fx.Penalty(1e6, restitution=0.3), friction=0.4)  # fmt: skip
    run = fx.Model("prism", [body, contact], gravity=(0, 0, -G)).dynamics(until=0.2, step=1e-3, show=False)
    assert run["c.normal_force"][-1] == pytest.approx(2 * G, rel=2e-3)
    assert run["b.position_z"][-1] == pytest.approx(0.1, abs=2e-5)
    assert np.abs(run["b.angular_velocity"].values[-1]).max() < 1e-4


def test_curved_prisms_are_exact_if_they_are_convex():
    """Two round bars, and one and a box: 100 mm apart at any angle. Of one that is not convex facets are as far off as their chords, which check() tells."""
    bar = fx.Extruded(fx.Profile.circle(0.1), 1.0)
    meeting = Meeting(bar, bar)
    for angle in (0.0, 0.1, 0.7, np.pi / 2):
        g, n, _ = meeting.nearest(np.array([0.3, 0.01 * np.sin(angle), 0.05]), exp_so3(np.array([angle, 0, 0])))
        assert g == pytest.approx(0.1, abs=1e-12)
        np.testing.assert_allclose(n, (1, 0, 0), atol=1e-9)
    block = fx.Box(0.2, 0.2, 1.0)
    bean = fx.Extruded(
        fx.Profile([(0.1, 0), (0.06, 0.06), (0, 0.03), (-0.06, 0.06), (-0.1, 0), (0, -0.1)], closed=True), 1.0
    )
    for first, other, angle, told in ((bar, bar, 0.7, False), (bar, block, 0.7, False), (bean, block, 0.7, True), (bean, block, 0.0, False)):  # fmt: skip
        one = fx.RigidBody("one", 1.0, 0.01, shapes=[first])
        two = fx.RigidBody("two", 1.0, 0.01, position=(0.5, 0, 0), orientation={"axis": "x", "angle": angle}, shapes=[other])  # fmt: skip
        found = str(fx.Model("bars", [one, two, fx.Contact("c", one, two, fx.Penalty(1e5))]).check())
        assert (f"polyhedron that is up to {chord(first.profile):.3g} m off its contour" in found) == told
    g, n, _ = Meeting(bar, block).nearest(np.array([0.3, 0.01, 0.05]), exp_so3(np.array([0.7, 0, 0])))
    assert g == pytest.approx(0.1, abs=1e-12)
    np.testing.assert_allclose(n, (1, 0, 0), atol=1e-9)
    g, n, _ = Meeting(bean, block).nearest(np.array([0.3, 0.01, 0.05]), exp_so3(np.array([0.7, 0, 0])))
    apart = 0.2 - bean.profile.trace.points[:, 0].max()
    assert apart - 1e-6 <= g <= apart + chord(bean.profile)
    assert n[0] == pytest.approx(1.0, abs=0.02)
