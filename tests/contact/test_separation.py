"""Boxes, cylinders and cones on each other: against a search over all directions, with the rate of the gap, at rest and in impacts; balls on seats."""

from __future__ import annotations

from functools import partial
from itertools import combinations_with_replacement

import numpy as np
import pytest

import flexor as fx
from flexor.contact.approach import pair_of, records_of, sizes_of
from flexor.contact.surfaces import SURFACES
from flexor.law.dual import Dual
from flexor.spatial import exp_so3
from tests.contact.solids import climbed

G = 9.81
SHAPES = {
    "box": fx.Box(1, 0.8, 0.6),
    "plate": fx.Box(2, 2, 0.1),
    "cylinder": fx.Cylinder(0.3, 1.0),
    "coin": fx.Cylinder(0.6, 0.1),
    "frustum": fx.Cone(0.5, 0.9, top=0.1),
    "tip": fx.Cone(0.4, 0.8, top=0.0),
}
PAIRS = list(combinations_with_replacement(SHAPES, 2))
I = np.arange(3000) + 0.5
Z = 1 - 2 * I / len(I)
TURN = np.pi * (1 + 5**0.5) * I
DIRECTIONS = np.column_stack([np.sqrt(1 - Z * Z) * np.cos(TURN), np.sqrt(1 - Z * Z) * np.sin(TURN), Z])


def reach(shape, n):
    """How far a solid reaches along directions, in its axes."""
    if isinstance(shape, fx.Box):
        return np.abs(n) @ (np.array([shape.x, shape.y, shape.z]) / 2)
    top = shape.top if isinstance(shape, fx.Cone) else shape.radius
    sine, h = np.hypot(n[:, 0], n[:, 1]), shape.length / 2
    return np.maximum(shape.radius * sine - h * n[:, 2], top * sine + h * n[:, 2])


def separated(a, b, p, R, n):
    return n @ p - reach(a, n) - reach(b, -n @ R)


def searched(a, b, p, R, rng):
    """The largest separation, by directions all around and ever nearer to the best of them."""
    s = separated(a, b, p, R, DIRECTIONS)
    best = -np.inf
    for first in np.argsort(-s)[:5]:
        best = max(best, climbed(partial(separated, a, b, p, R), DIRECTIONS[first], s[first], rng))
    return best


class Meeting:
    def __init__(self, a, b):
        self.pair = pair_of(a, b)
        packed = sizes_of(a, b)
        self.sizes = [record(size.words) for record, size in zip(records_of(a, b), packed, strict=True)]

    def __call__(self, p, R, k):
        return self.pair.function(*self.sizes, tuple(p), tuple(np.ravel(R)), k)

    def all(self, p, R):
        return [self(p, R, k) for k in range(self.pair.places)]


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_the_gap_is_the_largest_separation(a, b):
    """Apart and overlapping: within what the search finds, and never less than that; a little overlapped the nearest place tells it within some percent."""
    rng = np.random.default_rng(PAIRS.index((a, b)))
    one, other = SHAPES[a], SHAPES[b]
    meeting = Meeting(one, other)
    for i in range(8):
        R = exp_so3(2 * rng.normal(size=3)) if i % 4 else exp_so3(0.01 * rng.normal(size=3))
        way = rng.normal(size=3)
        p = rng.uniform(1.0, 1.8) * way / np.linalg.norm(way)
        g, n, _ = min(meeting.all(p, R), key=lambda found: found[0])
        if i % 2 and g > 0:
            p = p - (g + 10 ** rng.uniform(-5, -3)) * np.array(n)
            g, n, _ = min(meeting.all(p, R), key=lambda found: found[0])
        expected = searched(one, other, p, R, rng)
        if expected > 0:
            assert expected - 1e-9 <= g <= expected + 2e-4
        elif expected > -2e-3:
            assert 1.1 * expected - 1e-5 <= g <= 0.9 * expected + 2e-4
        else:
            assert g < 0


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_the_gap_closes_with_the_speed_along_the_normal(a, b):
    """ġ = n · u with the speed of b's material at the point of contact, of all that overlaps a little: forces along n do the work of a potential.

    Points around a level rim turn with its tilt: those come in pairs, whose mean obeys.
    """
    rng = np.random.default_rng(PAIRS.index((a, b)))
    meeting = Meeting(SHAPES[a], SHAPES[b])
    met = 0
    for i in range(12):
        R = exp_so3(2 * rng.normal(size=3)) if i % 3 else exp_so3(3e-3 * rng.normal(size=3))
        way = rng.normal(size=3) if i % 3 else np.array([0.3, 0.2, 1.0]) * (1, rng.choice([-1, 1]), 1)
        p = 2 * way / np.linalg.norm(way)
        for _ in range(2):
            g, n, _ = min(meeting.all(p, R), key=lambda found: found[0])
            p = p - (g + 1e-5) * np.array(n)
        v, w = rng.normal(size=3), rng.normal(size=3)
        rates = []
        for k in range(meeting.pair.places):
            slopes = np.cross(w, R, axisb=0).T.ravel()
            found = meeting(list(map(Dual, p, v)), list(map(Dual, R.ravel(), slopes)), k)
            if found[0].a < 0:
                n, x = np.array([each.a for each in found[1]]), np.array([each.a for each in found[2]])
                rates.append((found[0].b, n @ (v + np.cross(w, x - p))))
        assert rates
        if len(rates) == 1:
            assert rates[0][0] == pytest.approx(rates[0][1], abs=1e-3)
            met += 1
    assert met > 5


def box_on_box(offset):
    R = exp_so3(np.array([0, 0, np.pi / 2])) @ exp_so3(np.array([0, np.pi / 4, 0]))
    angle = np.arccos((np.trace(R) - 1) / 2)
    axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    turned = {"axis": tuple(axis / np.linalg.norm(axis)), "angle": float(angle)}
    at = (*offset, 0.1 * np.sqrt(2) + 0.02)
    return fx.RigidBody(
        "b", 2.0, (0.02, 0.03, 0.025), position=at, orientation=turned, velocity=(0.1, 0.2, -1), shapes=[fx.Box(0.1, 0.4, 0.1)]
    )  # fmt: skip


@pytest.mark.parametrize("offset", [(0.0, 0.0), (0.03, 0.02)])
def test_edge_on_edge_keeps_the_energy(offset):
    """A bar falls with an edge across an edge of another one, and turns away: without dissipation all of its energy is kinetic again."""
    low = fx.ground.surface(fx.Box(0.1, 0.4, 0.1, orientation={"axis": "y", "angle": np.pi / 4}))
    bar = box_on_box(offset)
    run = fx.Model("bars", [bar, fx.Contact("c", low, bar, fx.Penalty(1e6))]).dynamics(
        until=0.06, step=1e-3, show=False, impact_steps=100
    )
    kinetic = run["energy.kinetic"].values
    assert run["c.deepest"][-1] > 1e-4
    assert run["c.gap"][-1] > 1e-3
    assert kinetic[-1] == pytest.approx(kinetic[0], rel=1e-3)


FLAT = [
    (fx.Box(1, 1, 1), fx.Box(1, 1, 1), 1.0),
    (fx.Box(1, 0.8, 0.6), fx.Box(0.6, 0.8, 0.4), 0.5),
    (fx.Box(3, 3, 0.1), fx.Box(0.3, 0.3, 1), 0.55),
    (fx.Cylinder(0.5, 1), fx.Cylinder(0.5, 1), 1.0),
    (fx.Box(3, 3, 1), fx.Cylinder(0.3, 1), 1.0),
    (fx.Cylinder(0.5, 1), fx.Cone(0.5, 1), 1.0),
]


@pytest.mark.parametrize(("a", "b", "height"), FLAT)
@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("offset", [(0, 0), (1e-9, 0), (0, 1e-4)])
@pytest.mark.parametrize("depth", [1e-6, 0.09])
def test_flat_faces_rest_on_four_places(a, b, height, order, offset, depth):
    """Solids upright on each other share an area with four corners, or four points around it, however deep, and also where borders coincide."""
    p = np.array([*offset, height - depth])
    meeting = Meeting(a, b) if order > 0 else Meeting(b, a)
    found = [meeting(order * p, np.eye(3), k) for k in range(meeting.pair.places)]
    touching = [(g, n, x) for g, n, x in found if g < 0]
    assert [g for g, _, _ in touching] == pytest.approx([-depth] * 4, rel=1e-6)
    x = np.array([x for _, _, x in touching])
    np.testing.assert_allclose([n for _, n, _ in touching], [(0, 0, order)] * 4, atol=1e-9)
    middle = x[:, :2].mean(axis=0)
    assert np.abs(middle - 0.5 * order * np.array(offset)).max() < 2e-4
    assert np.linalg.norm(x[:, :2] - middle, axis=1).min() > 0.2


@pytest.mark.parametrize("shape", [fx.Cylinder(0.5, 0.2), fx.Box(1, 1, 0.2)])
def test_what_is_side_by_side_does_not_touch_with_its_ends(shape):
    """Thin equal discs or blocks that overlap sideways, their ends level: pushed apart sideways alone."""
    meeting = Meeting(shape, shape)
    for depth in (1e-5, 1e-3):
        found = [meeting((1.0 - depth, 0, 0), np.eye(3), k) for k in range(meeting.pair.places)]
        touching = [(g, n) for g, n, _ in found if g < 0]
        assert touching
        assert [g for g, _ in touching] == pytest.approx([-depth] * len(touching))
        np.testing.assert_allclose([n for _, n in touching], [(1, 0, 0)] * len(touching), atol=1e-9)


@pytest.mark.parametrize("depth", [0.01, 0.5])
def test_a_block_bounces_flat_as_deep_as_it_sinks(depth):
    """On four places the rebound has the speed that the restitution leaves, also where it sinks in by half of its side."""
    side, stiffness, speed = 0.01, 1e6, 1.0
    mass = 4 * stiffness * (depth * side / speed) ** 2  # ½ m v² = ½ 4 k δ²
    block = fx.RigidBody(
        "b", mass, 1.0, shapes=[fx.Box(side, side, side)], position=(0, 0, 0.0561), velocity=(0, 0, -speed)
    )
    law = fx.Penalty(stiffness, restitution=1)
    run = fx.Model("x", [block, fx.Contact("c", fx.ground.surface(fx.Box(1, 1, 0.1)), block, law)]).dynamics(
        until=0.01 + 3.5 * depth * side, step=1e-4, show=False
    )
    assert run["b.velocity_z"][-1] == pytest.approx(speed, rel=2e-3)
    assert run["c.deepest"][-1] == pytest.approx(depth * side, rel=0.02)


def test_coins_stand_on_each_other():
    """Turn by turn beside each other by a fifth of their radius: each presses with the weight of those above, and none moves."""
    m, r, t = 0.5, 0.05, 0.02
    inertia = (m * r * r / 4, m * r * r / 4, m * r * r / 2)
    coins = [
        fx.RigidBody(f"c{i}", m, inertia, shapes=[fx.Cylinder(r, t)], position=(0.01 * (i % 2), 0, (i + 0.5) * t))
        for i in range(3)
    ]
    law = fx.Penalty(1e6, restitution=0.3)
    floor = fx.Contact("k0", fx.ground.surface(fx.Plane()), coins[0], law, friction=0.4)
    others = [fx.Contact(f"k{i}", coins[i - 1], coins[i], law, friction=0.4) for i in (1, 2)]
    run = fx.Model("stack", [*coins, floor, *others], gravity=(0, 0, -G)).dynamics(until=0.3, step=1e-3, show=False)
    for i in range(3):
        assert run[f"k{i}.normal_force"][-1] == pytest.approx((3 - i) * m * G, rel=1e-3)
        assert run[f"c{i}.position_x"][-1] == pytest.approx(0.01 * (i % 2), abs=1e-5)
        assert abs(run[f"c{i}.velocity_z"][-1]) < 1e-6


@pytest.mark.parametrize(("over", "stays"), [(-0.005, True), (0.005, False)])
def test_a_coin_falls_from_a_table_when_its_middle_is_beyond_the_edge(over, stays):
    m, r = 0.5, 0.1
    at = (0.2 + over, 0, 0.06)
    coin = fx.RigidBody(
        "c", m, (m * r * r / 4, m * r * r / 4, m * r * r / 2), shapes=[fx.Cylinder(r, 0.02)], position=at
    )
    table = fx.Contact(
        "k", fx.ground.surface(fx.Box(0.4, 0.4, 0.1)), coin, fx.Penalty(1e6, restitution=0.3), friction=0.5
    )
    run = fx.Model("coin", [coin, table], gravity=(0, 0, -G)).dynamics(until=0.3, step=1e-3, show=False)
    if stays:
        assert run["k.normal_force"][-1] == pytest.approx(m * G, rel=1e-3)
        assert run["c.position_z"][-1] == pytest.approx(0.06, abs=1e-4)
    else:
        assert run["c.position_z"][-1] < 0.05


SEATS = {
    "cone": (fx.Cone(0.01, 0.04, top=0.05, inside=True), -0.02 + (0.02 - 0.01 / np.sqrt(2)) * np.sqrt(2)),
    "hole": (fx.Cylinder(0.015, 0.02, inside=True), 0.01 + np.sqrt(0.02**2 - 0.015**2)),
    "ring": (fx.Torus(0.015, 0.004), np.sqrt(0.024**2 - 0.015**2)),
}
"""At what height a ball of 20 mm rests in them: on 45° of a wall, on an edge, between the circles of two radii."""


@pytest.mark.parametrize("seat", SEATS)
def test_a_ball_comes_to_rest_on_a_seat(seat):
    """It falls beside the axis, touches around it, and rests in the middle; both sides carry it: N = m g/(2 n_z) each."""
    shape, height = SEATS[seat]
    r, m = 0.02, 0.1
    ball = fx.RigidBody("ball", m, 0.4 * m * r * r, shapes=[fx.Sphere(r)], position=(1e-3, 3e-4, height + 8e-3))
    contact = fx.Contact("c", fx.ground.surface(shape), ball, fx.Penalty(1e6, restitution=0.5), friction=0.3)
    run = fx.Model("seat", [ball, contact], gravity=(0, 0, -G)).dynamics(until=0.5, step=1e-3, show=False)
    assert run["ball.position_z"][-1] == pytest.approx(height, abs=5e-6)
    assert [run[f"ball.position_{axis}"][-1] for axis in "xy"] == pytest.approx([0, 0], abs=1e-6)
    n_z = {"cone": np.sqrt(0.5), "hole": np.sqrt(1 - 0.75**2), "ring": height / 0.024}[seat]
    assert run["c.normal_force"][-1] == pytest.approx(m * G / n_z, rel=1e-3)


def test_a_long_pin_rests_on_the_edges_of_a_bush():
    """It goes through a bore that is shorter than the pin: the edges of the bore carry it, where its ends are far away."""
    pin = fx.RigidBody("p", 1.0, (0.02, 0.02, 5e-4), shapes=[fx.Cylinder(0.0199, 0.5, axis="y")])
    bore = fx.ground.surface(fx.Cylinder(0.02, 0.1, axis="y", inside=True))
    contact = fx.Contact("k", bore, pin, fx.Penalty(1e6, restitution=0.3))
    run = fx.Model("bush", [pin, contact], gravity=(0, 0, -G)).dynamics(until=0.3, step=1e-3, show=False)
    assert run["k.normal_force"][-1] == pytest.approx(G, rel=1e-3)
    assert run["p.position_z"][-1] == pytest.approx(-1e-4 - G / 2e6, abs=1e-6)


def test_a_cone_meets_a_ridge_anywhere_along_it():
    """A thin ridge is as near to the wall of a cone as its edge is, wherever along the cone it stands; between slices, too."""
    cone = fx.Cone(0.5, 1.0, top=0.1)
    for ridge in (
        fx.Box(0.002, 1.0, 0.2),
        fx.Extruded(fx.Profile([(-0.001, -0.1), (0.001, -0.1), (0, 0.1)], kind="lines", closed=True), 1.0, orientation={"axis": "x", "angle": np.pi / 2}),
    ):  # fmt: skip
        meeting = Meeting(ridge, cone)
        axes = SURFACES[type(ridge)].axes(ridge)
        for z in np.linspace(-0.4, 0.4, 17):
            # the cone's axis along x above the ridge, whose top is at 0.1: the ridge stands at the height z of the cone
            R = np.array([[0, 0, 1], [0, 1, 0], [-1, 0, 0]], dtype=float)
            p = np.array([-z, 0.0, 0.1 + 0.5])
            g = min(found[0] for found in meeting.all(axes.T @ p, axes.T @ R))
            wall, slope = 0.3 - 0.4 * z, np.arctan(0.4)
            assert g == pytest.approx((0.5 - wall) * np.cos(slope), abs=2e-3)


@pytest.mark.parametrize("floor", ["box", "prism"])
def test_a_can_that_tips_over_an_edge_is_held_at_both_ends_of_it(floor):
    """The edge of a table across the end of a can, 0.2 mm within: as it rolls along the edge, one end goes deeper by what the other one rises, and no place counts twice."""
    section = [(-0.15, -0.1), (0.15, -0.1), (0.15, 0.1), (-0.15, 0.1)]
    table = fx.Box(0.3, 0.2, 0.1)
    if floor == "prism":
        table = fx.Extruded(fx.Profile(section, kind="lines", closed=True), 0.1)
    can = fx.Cylinder(0.03, 0.1)
    pair = pair_of(table, can, lines=True)
    sizes = [record(size.words) for record, size in zip(records_of(table, can), sizes_of(table, can), strict=True)]
    for roll in np.radians([0.0, 0.001, 0.01, 0.1, 0.3]):
        R = exp_so3(np.array([roll, 0.0, 0.0])) @ exp_so3(np.array([0.0, np.radians(3.0), 0.0]))
        p = np.array([0.15, 0.0, 0.05]) - R @ np.array([0.005, 0.0, -0.05 + 2e-4])
        gaps = [pair.function(*sizes, tuple(p), tuple(R.ravel()), k)[0] for k in range(pair.places)]
        assert sum(min(gap, 0.0) for gap in gaps) == pytest.approx(-4e-4, rel=1e-4)
