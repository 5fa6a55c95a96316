"""Profiles of cams: curves that cross themselves, and how large a roller may be."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.errors import ModelError

ANGLES = np.linspace(0, 2 * np.pi, 181)[:-1]


def ellipse(a, b):
    return fx.Profile(np.column_stack([a * np.cos(ANGLES), b * np.sin(ANGLES)]), closed=True)


def clover(depth):
    """r = 1 + depth cos 3φ, hollow where it is narrow."""
    r = 1 + depth * np.cos(3 * ANGLES)
    return fx.Profile(np.column_stack([r * np.cos(ANGLES), r * np.sin(ANGLES)]), closed=True)


@pytest.mark.parametrize(
    ("profile", "at", "pieces"),
    [
        ({"points": [(0, 0), (1, 1), (1, 0), (0, 1)], "kind": "lines", "closed": True}, (0.5, 0.5), (0, 2)),
        ({"points": [(-1, 0), (1, 0), (1, 1), (0, -0.5)], "kind": "lines"}, (1 / 3, 0), (0, 2)),
        # the half circle about (1, 0) comes to x = 1.5 at y = ±√¾
        ({"points": [(0, 0), (1, 1), (2, 0), (2.5, 1), (1.5, 2), (1.5, 0), (1.5, -1)], "kind": "arcs"}, (1.5, np.sqrt(0.75)), (0, 2)),
        ({"points": [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 0), (0, 1), (-1, 0)], "kind": "arcs"}, None, (0, 1)),
        ({"points": [(0, 0), (2, 1), (2, -1), (0, 0.5)]}, None, (0, 2)),
    ],
    ids=["bow tie", "lines", "arcs", "an arc twice", "a spline with a loop"],
)  # fmt: skip
def test_curves_that_cross_themselves(profile, at, pieces):
    met = fx.Profile(**profile).crossing
    assert met is not None
    assert met.pieces == pieces
    if at is not None:
        np.testing.assert_allclose(met.at, at, atol=1e-9)


@pytest.mark.parametrize(
    "profile",
    [
        fx.Profile.circle(2.0),
        ellipse(2, 0.01),
        clover(0.5),
        fx.Profile([(0, 0), (1, 0), (1, 1e-6), (0, 2e-6)], kind="lines"),  # back and forth, a micrometre apart
        fx.Profile([(1, 0), (-1, 0), (1, 1e-9)], kind="arcs"),  # nearly a whole circle
        fx.Profile(np.column_stack([t := np.linspace(1, 20, 80), t]) * np.column_stack([np.cos(t), np.sin(t)])),
    ],
    ids=["circle", "flat ellipse", "clover", "hairpin", "open circle", "spiral"],
)
def test_curves_that_do_not(profile):
    assert profile.crossing is None


@pytest.mark.parametrize("points", [[(0, 0), (1, 1), (2, 2)], [(0, 0), (1, 0), (0.5, 0)]])
@pytest.mark.parametrize("closed", [True, False])
def test_a_spline_that_turns_back_on_a_line(points, closed):
    if closed or points[1][1] == 0:
        with pytest.raises(ModelError, match=r"its spline turns back on itself at .* between points"):
            fx.Profile(points, closed=closed)
    else:
        fx.Profile(points)


def test_room_in_and_around_an_ellipse():
    """Inside it is b²/a at the ends of the long axis and b at those of the short one; between two points that mirror each other the
    circle through them is smaller than that of curvature. Outside any roller fits."""
    a, b = 2.0, 1.0
    inside, outside = (ellipse(a, b).room(side) for side in (1.0, -1.0))
    narrowest, at, _ = inside.narrowest()
    assert narrowest == pytest.approx(b * b / a, rel=2e-3)
    assert abs(at[0]) == pytest.approx(a, rel=1e-6)
    assert inside.largest == pytest.approx(b, rel=1e-4)
    # its centre is at x (1 − b²/a²), and the normal from there to the long axis has the length b √(1 − x²/a² + x² b²/a⁴)
    x = inside.points[:, 0]
    np.testing.assert_allclose(inside.radius, b * np.sqrt(1 - (x / a) ** 2 * (1 - (b / a) ** 2)), rtol=2e-3)
    assert np.all(np.isinf(outside.radius))


def test_room_in_hollows():
    """Radius of curvature of r(φ): (r² + r'²)^1.5/(r² + 2 r'² − r r'')."""
    depth = 0.2
    at = np.pi / 3
    r, second = 1 + depth * np.cos(3 * at), -9 * depth * np.cos(3 * at)
    expected = r**3 / abs(r**2 - r * second)
    assert clover(depth).room(-1.0).narrowest()[0] == pytest.approx(expected, rel=1e-2)


def test_room_in_a_corner():
    """A roller of radius ρ in a corner that turns by θ touches its sides ρ tan θ/2 from it."""
    valley = fx.Profile([(-1, 1), (0, 0), (1, 1)], kind="lines")
    assert valley.room(1.0).out_of_reach(0.1) == pytest.approx(2 * 0.1 * np.tan(np.pi / 4) / np.sqrt(8), abs=0.005)
    assert valley.room(-1.0).out_of_reach(0.1) == 0


def test_rollers_that_do_not_fit():
    oval = ellipse(2, 1)
    for more in ({}, {"stiffness": 1e3}):
        with pytest.raises(ModelError, match="radius 5 m does not fit inside the curve; it must be smaller than 1 m"):
            fx.Cam("cam", "a", "b", oval, radius=5, side="inside", **more)
    with pytest.raises(
        ModelError, match=r"does not come to \(-?2, 0\) m of the curve, where the radius of curvature is 0\.499"
    ):
        fx.Cam("cam", "a", "b", oval, radius=0.8, side="inside")
    fx.Cam("cam", "a", "b", oval, radius=0.49, side="inside")
    fx.Cam("cam", "a", "b", oval, radius=50)
    with pytest.raises(ModelError, match=r"radius of curvature is 0.6.* undercut"):
        fx.Cam("cam", "a", "b", clover(0.2), radius=0.7)
    fx.Cam("cam", "a", "b", clover(0.2), radius=0.6)


def test_a_roller_that_bridges_hollows_is_told_of():
    body = fx.RigidBody("body", mass=1, inertia=1)
    for profile, radius, words in (
        (clover(0.2), 0.7, "radius of curvature is 0.6"),
        (fx.Profile([(-3, 3), (0, 0), (3, 3)], kind="lines"), 0.2, "a corner of 90°"),
        (fx.Profile([(-1, 5), (-1, 0), (1, 0), (1, 5)], kind="lines"), 0.999, "a corner of 90°"),
    ):
        cam = fx.Cam("cam", fx.ground, body.at(0, 3, 0), profile, radius=radius, stiffness=1e4)
        (told,) = fx.Model("model", [body, cam]).check().warnings
        assert words in told.what
        assert "rests on two places at once" in told.why
    slot = fx.Profile([(-1, 5), (-1, 0), (1, 0), (1, 5)], kind="lines")
    with pytest.raises(ModelError, match="does not fit on the left of the curve; it must be smaller than 1"):
        fx.Cam("cam", "a", "b", slot, radius=20, stiffness=1e4)


def test_a_bead_in_a_groove_that_crosses_itself_goes_straight_on():
    """x = cos φ, y = sin 2φ/2: a point that is bound to it has no side, and runs through the crossing at the speed that it has."""
    eight = fx.Profile(np.column_stack([np.cos(ANGLES), np.sin(2 * ANGLES) / 2]), closed=True)
    bead = fx.PointMass("bead", mass=1, position=(1, 0, 0), velocity=(0, 1, 0))
    groove = fx.Cam("groove", fx.ground, bead, eight)
    run = fx.Model("eight", [bead, groove]).dynamics(until=6.0, step=2e-3, show=False)
    position = run["bead.position"].values
    np.testing.assert_allclose(np.linalg.norm(run["bead.velocity"].values, axis=1), 1, rtol=1e-3)
    np.testing.assert_allclose(position[:, 1] ** 2, position[:, 0] ** 2 * (1 - position[:, 0] ** 2), atol=1e-4)
    assert position[:, 0].min() < -0.999
    crossed = np.flatnonzero(np.diff(np.sign(position[:, 0])))
    np.testing.assert_allclose(np.diff(position, axis=0)[crossed, :2] / 2e-3, [[-1 / 2**0.5] * 2, [1 / 2**0.5, -1 / 2**0.5]], atol=0.01)  # fmt: skip
    for refused in ({"radius": 0.01}, {"stiffness": 1e4}):
        with pytest.raises(ModelError, match=r"crosses or touches itself at \(0, 0\) m, between points 4\d and .* give the points in order"):  # fmt: skip
            fx.Cam("groove", fx.ground, bead, eight, **refused)


def test_an_arc_that_ends_where_it_begins_is_refused():
    with pytest.raises(fx.ModelError, match="points 1 and 3 coincide, the ends of one arc"):
        fx.Profile([(1, 0), (-1, 0), (1, 0)], kind="arcs")
