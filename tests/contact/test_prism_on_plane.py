"""Prisms that stand, lie and roll on planes."""

import numpy as np
import pytest
from scipy.spatial import cKDTree

import flexor as fx
from flexor.spatial import exp_so3
from tests.contact.test_approach import Meeting

G, H = 9.81, 0.05
SQUARE = fx.Profile([(-H, -H), (H, -H), (H, H), (-H, H)], kind="lines", closed=True)
L_SHAPE = fx.Profile([(-H, -H), (H, -H), (H, -0.02), (-0.02, -0.02), (-0.02, H), (-H, H)], kind="lines", closed=True)
EGG = fx.Profile([(0.06, 0), (0, 0.04), (-0.05, 0), (0, -0.04)], closed=True)
HALF = fx.Profile([(0, -H), (H, 0), (0, H), (0, 0)], kind="arcs", closed=True)
PEANUT = fx.Profile([(0.05, 0), (0.03, 0.02), (0, 0.01), (-0.03, 0.02), (-0.05, 0), (0, -0.03)], closed=True)
ON_SIDE = {"axis": "x", "angle": "90 deg"}
ON_FLAT = [[0, 0, 1], [0, -1, 0], [1, 0, 0]]


def rounded(half: float, radius: float) -> fx.Profile:
    """A square of lines with round corners."""
    arcs = []
    for i in range(4):
        turn = np.radians(90.0 * i + np.array([-90.0, -45.0, 0.0]))
        middle = (half - radius) * np.sqrt(2) * np.array([np.cos(turn[1]), np.sin(turn[1])])
        arcs.append(middle + radius * np.column_stack([np.cos(turn), np.sin(turn)]))
    points = [p for i in range(4) for p in (*arcs[i], 0.5 * (arcs[i][2] + arcs[(i + 1) % 4][0]))]
    return fx.Profile([tuple(map(float, p)) for p in points], kind="arcs", closed=True)


ROUNDED = rounded(H, 0.01)


def standing(profile, turn, height, offset=0.0, friction=0.4):
    """1 kg, a trifle within the plane; offset: of its profile along x."""
    shape = fx.Extruded(profile, 2 * H, at=(-offset, 0, 0))
    body = fx.RigidBody("b", 1.0, 1 / 600, position=(0, 0, height - 1e-6), orientation=turn, shapes=[shape])
    contact = fx.Contact(
        "c", fx.ground.surface(fx.Plane()), body, fx.Penalty(1e6, restitution=0.2, rest_speed=0.02), friction=friction
    )
    return fx.Model("standing", [body, contact], gravity=(0, 0, -G))


CENTRE = 4 * H / (3 * np.pi)
"""Of half a disc, from its straight side [m]."""


@pytest.mark.parametrize(
    ("profile", "turn", "height", "places", "offset"),
    [
        (SQUARE, {"axis": "z", "angle": 0.0}, H, 4, 0.0),
        (SQUARE, {"axis": "z", "angle": 0.3}, H, 4, 0.0),
        (SQUARE, ON_SIDE, H, 4, 0.0),
        (L_SHAPE, {"axis": "z", "angle": 0.3}, H, 0, 0.0),
        (L_SHAPE, ON_SIDE, H, 4, 0.0),
        (ROUNDED, {"axis": "z", "angle": 0.3}, H, 0, 0.0),
        (ROUNDED, ON_SIDE, H, 4, 0.0),
        (fx.Profile.circle(H), {"axis": "z", "angle": 0.3}, H, 4, 0.0),
        (fx.Profile.circle(H), ON_SIDE, H, 2, 0.0),
        (EGG, {"axis": "z", "angle": 0.3}, H, 0, 0.0),
        (HALF, {"axis": "z", "angle": 0.3}, H, 0, CENTRE),
        (HALF, ON_FLAT, CENTRE, 4, CENTRE),
    ],
)
def test_prisms_rest_on_a_plane(profile, turn, height, places, offset):
    """On their ends and on their sides: they carry the weight at as many places as are told, W = n K δ, and stay."""
    model = standing(profile, turn, height, offset)
    assert str(model.check()) == "no problems"
    assert model.statics()["c.normal_force"] == pytest.approx(G, rel=1e-9)
    run = model.dynamics(until=0.3, step=1e-3, show=False)
    assert run["c.normal_force"][-1] == pytest.approx(G, rel=1e-3)
    if places:
        assert height - run["b.position_z"][-1] == pytest.approx(G / (places * 1e6), rel=1e-3)
    assert np.linalg.norm(run["b.position"].values[-1, :2]) < 1e-5
    assert np.abs(run["b.angular_velocity"].values[-1]).max() < 2e-3
    energy = run["energy.check_sum"].values
    assert np.abs(energy - energy[0]).max() < 5e-6


@pytest.mark.parametrize("profile", [SQUARE, L_SHAPE, ROUNDED, EGG, HALF, PEANUT, fx.Profile.circle(H)])
def test_the_lowest_point_of_a_prism_is_found_at_every_angle(profile):
    """Against points all along its contour."""
    shape = fx.Extruded(profile, 0.1)
    meeting = Meeting(fx.Plane(), shape)
    section = profile.trace.points
    rim = np.concatenate([np.column_stack([section, np.full(len(section), z)]) for z in (-0.05, 0.05)])
    step = np.linalg.norm(np.diff(section, axis=0), axis=1).max()
    room = 1e-9 if profile.kind == "lines" else step**2 / 0.01
    rng = np.random.default_rng(3)
    for _ in range(200):
        R, p = exp_so3(rng.normal(size=3)), rng.normal(size=3)
        lowest = (p + rim @ R.T)[:, 2].min()
        g, n, x = meeting.nearest(p, R)
        assert lowest - room <= g <= lowest + 1e-12
        np.testing.assert_allclose(n, (0, 0, 1))
        on = R.T @ (np.array(x) + 0.5 * g * np.array(n) - p)
        assert cKDTree(rim).query(on)[0] < step


def test_a_block_rolls_from_a_flat_side_onto_a_round_one_and_keeps_its_energy():
    """Without friction and losses; where the bulge takes over from the corner the force goes on."""
    shape = fx.Extruded(rounded(H, 0.03), 2 * H)
    body = fx.RigidBody("b", 1.0, 1 / 600, position=(0, 0, H), velocity=(1, 0, 0), angular_velocity=(0, 20, 0), orientation=ON_SIDE, shapes=[shape])  # fmt: skip
    contact = fx.Contact("c", fx.ground.surface(fx.Plane()), body, fx.Penalty(1e6))
    run = fx.Model("roll", [body, contact], gravity=(0, 0, -G)).dynamics(until=0.3, step=1e-3, show=False)
    energy = run["energy.check_sum"].values
    assert np.abs(energy - energy[0]).max() < 1e-3 * run["energy.kinetic"].values.max()


def test_a_round_prism_rolls_as_a_cylinder_does():
    found = []
    for shape in (fx.Extruded(fx.Profile.circle(H), 2 * H), fx.Cylinder(H, 2 * H)):
        body = fx.RigidBody("b", 1.0, 1 / 600, position=(0, 0, H - G / 2e6), velocity=(0.5, 0, 0), angular_velocity=(0, 10, 0), orientation=ON_SIDE, shapes=[shape])  # fmt: skip
        contact = fx.Contact("c", fx.ground.surface(fx.Plane()), body, fx.Penalty(1e6), friction=0.4)
        run = fx.Model("roll", [body, contact], gravity=(0, 0, -G)).dynamics(until=0.5, step=1e-3, show=False)
        found.append(run["b.position"].values[-1])
        assert np.ptp(run["c.normal_force"].values[10:]) < 1e-6 * G
    np.testing.assert_allclose(*found, atol=1e-9)


def waves(count: int, share: float) -> fx.Profile:
    """A round contour with as many hollows."""
    phi = np.arange(8 * count) * 2 * np.pi / (8 * count)
    r = 0.05 * (1.0 + share * np.cos(count * phi))
    return fx.Profile([(float(x), float(y)) for x, y in zip(r * np.cos(phi), r * np.sin(phi))], closed=True)


BONE = fx.Profile([(0.04, -0.02), (0.06, 0), (0.04, 0.02), (0, 0.01), (-0.04, 0.02), (-0.06, 0), (-0.04, -0.02), (0, -0.01)], kind="arcs", closed=True)  # fmt: skip


@pytest.mark.parametrize("profile", [PEANUT, waves(3, 0.3), waves(2, 0.4), BONE, waves(20, 0.01)])
def test_each_lobe_of_a_contour_touches_with_its_lowest_point(profile):
    """Of points all along the contour those that are lower than both beside them, with the solid above, and not much above the lowest: each is told once, at both ends of the prism."""
    meeting = Meeting(fx.Plane(), fx.Extruded(profile, 0.1))
    section = profile.trace.points
    section = section[np.linalg.norm(section - np.roll(section, 1, axis=0), axis=1) > 1e-9]
    along = np.roll(section, -1, axis=0) - np.roll(section, 1, axis=0)
    inwards = np.sign(profile.area) * np.column_stack([-along[:, 1], along[:, 0]])
    rng = np.random.default_rng(5)
    several = 0
    for _ in range(400):
        R = exp_so3(rng.normal(size=3))
        height = section @ R[2, :2]
        near = height.min() + (1e-12 if len(profile.pieces()) > 100 else 3e-3)  # lobes of a wheel are told in groups
        lowest = (height < np.roll(height, 1)) & (height < np.roll(height, -1)) & (inwards @ R[2, :2] > 0) & (height < near)  # fmt: skip
        several += lowest.sum() > 1
        places = [meeting((0, 0, 0), R, k) for k in range(meeting.pair.places)]
        told = np.array([R.T @ (np.array(x) + 0.5 * g * np.array(n)) for g, n, x in places if g < 1.0])
        for z in (-0.05, 0.05):
            for y, h in zip(section[lowest], height[lowest], strict=True):
                there = np.linalg.norm(told - (*y, z), axis=1) < 4e-3
                assert np.sum(np.abs(told[there] @ R[2] - (h + z * R[2, 2])) < 2e-5) == 1
    assert several > 5 or len(profile.pieces()) > 100


def test_a_prism_lies_on_both_sides_of_its_hollow():
    """At rest on four places, each with a quarter of its weight; turned over it lies on the round side, on two."""
    top = max(piece.at(np.linspace(0, piece.end, 20001))[0][:, 1].max() for piece in PEANUT._pieces)
    over = exp_so3(np.array([-np.pi / 2, 0.0, 0.0])).tolist()
    model = standing(PEANUT, over, top)
    assert str(model.check()) == "no problems"
    assert model.statics()["c.normal_force"] == pytest.approx(G, rel=1e-9)
    run = model.dynamics(until=0.3, step=1e-3, show=False)
    assert top - run["b.position_z"][-1] == pytest.approx(G / 4e6, rel=1e-2)
    assert np.abs(run["b.angular_velocity"].values[-1]).max() < 2e-3
    assert np.linalg.norm(run["b.position"].values[-1, :2]) < 1e-5


def test_a_waisted_roller_lies_on_both_bulges():
    z = np.array([-0.02, -0.01, 0.0, 0.01, 0.02])
    profile = fx.Profile([(float(r), float(h)) for r, h in zip([0.01, 0.012, 0.01, 0.012, 0.01], z)])
    body = fx.RigidBody("b", 1.0, 1e-4, position=(0, 0, 0.012), orientation=ON_SIDE, shapes=[fx.Revolved(profile)])
    contact = fx.Contact("c", fx.ground.surface(fx.Plane()), body, fx.Penalty(1e6, restitution=0.2), friction=0.3)
    model = fx.Model("roller", [body, contact], gravity=(0, 0, -G))
    assert str(model.check()) == "no problems"
    run = model.dynamics(until=0.3, step=1e-3, show=False)
    assert profile.trace.points[:, 0].max() - run["b.position_z"][-1] == pytest.approx(G / 2e6, rel=2e-2)
    assert np.abs(run["b.angular_velocity"].values[-1]).max() < 2e-3


@pytest.mark.parametrize("turn", [0.0, 1e-3, np.pi / 48])
def test_an_oval_rocks_as_its_curvature_says(turn):
    """Wherever the points of its spline are:  ω² = g (a²/b − b)/(I/m + b²)  of an ellipse that rolls at the end of its short half axis."""
    a, b, inertia = 0.05, 0.03, 8e-4
    t = 2 * np.pi * np.arange(48) / 48 + turn
    points = [(float(x), float(y)) for x, y in zip(a * np.cos(t), b * np.sin(t))]
    oval = fx.Extruded(fx.Profile(points, closed=True), 0.04)
    body = fx.RigidBody("b", 1.0, (4e-4, 4e-4, inertia), position=(0, 0, b - 1e-6), orientation=ON_SIDE, shapes=[oval])
    contact = fx.Contact("c", fx.ground.surface(fx.Plane()), body, fx.Penalty(1e6), friction=0.5)
    model = fx.Model("oval", [body, contact], gravity=(0, 0, -G))
    lowest = model.modes(1, start=model.statics()).frequencies[0]
    assert lowest == pytest.approx(np.sqrt(G * (a * a / b - b) / (inertia + b * b)) / (2 * np.pi), rel=5e-3)
