"""Prisms that stand, lie and roll on planes."""

import re

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


def test_a_hollow_between_curves_is_told_where_no_joint_holds_the_prism():
    """What lies on two bulges would rock; they are as far apart as the highest points of both."""
    found = re.search("contact 'c': the contour of its prism has a hollow of (.*) m", str(standing(PEANUT, ON_SIDE, 0.1).check()))  # fmt: skip
    assert found is not None
    x, y = PEANUT.trace.points.T
    assert float(found[1]) == pytest.approx(2 * abs(x[np.argmax(y)]), rel=0.05)
    assert "hollow" not in str(standing(EGG, ON_SIDE, 0.1).check())
    assert "hollow" not in str(standing(ROUNDED, ON_SIDE, 0.1).check())
