"""Signed distance of a point from solids of every kind: against a search over their surfaces, and its derivatives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from scipy.spatial import cKDTree

import flexor as fx
from flexor.contact.curvature import relative_curvatures
from flexor.contact.distance.kinds import DISTANCES
from flexor.contact.surfaces import SURFACES
from flexor.law.dual import Dual
from flexor.spatial import exp_so3
from tests.contact.solids import CONVEX, HOLLOW, cloud, inside

SOLIDS = CONVEX | HOLLOW
TREES = {}


def distance_of(shape):
    size = SURFACES[type(shape)].size(SURFACES[type(shape)].pack(shape).words)
    return lambda y: DISTANCES[type(shape)](size, y)


def tree(name):
    if name not in TREES:
        TREES[name] = cKDTree(cloud(SOLIDS[name], 160 if name in CONVEX else 240))
    return TREES[name]


coordinates = st.floats(-1.2, 1.2).map(lambda x: round(x, 3))
points = st.tuples(coordinates, coordinates, coordinates)


@pytest.mark.parametrize("name", SOLIDS)
@settings(max_examples=25, deadline=None, derandomize=True, phases=[Phase.generate])
@given(y=points)
def test_nearest_point(name, y):
    """|d| is the distance of the nearest of many points of the surface, and its sign tells inside from outside."""
    shape = SOLIDS[name]
    factor = 1.8 if name in HOLLOW else 1.0
    offset = np.array([5.0, 0, 0]) if name == "tube" else np.zeros(3)
    y = factor * np.array(y) + offset
    d, n, t, _, _ = distance_of(shape)(tuple(y))
    far, _ = tree(name).query(y)
    spacing = 0.01 if name in CONVEX else 0.1
    assert abs(d) <= far + 1e-3  # lids of a cam are sampled on chords of its contour
    assert abs(d) >= far - spacing * (1 if far < spacing else spacing / far) - 1e-3
    assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-12)
    assert np.linalg.norm(t) == pytest.approx(1.0, abs=1e-12)
    assert np.dot(n, t) == pytest.approx(0.0, abs=1e-12)
    if far > 2e-3:
        assert (d < 0) == inside(shape, y)


@pytest.mark.parametrize("name", SOLIDS)
def test_derivatives(name):
    """n = ∇d and ∇∇d = k t tᵀ + c b bᵀ, by dual numbers and by differences."""
    distance = distance_of(SOLIDS[name])
    rng = np.random.default_rng(5)
    for _ in range(12):
        y, v = rng.uniform(-1, 1, 3) * (1.5 if name in HOLLOW else 0.9), rng.normal(size=3)
        if name == "tube":
            y[0] += 5.0
        _, n, t, k, c = distance(tuple(y))
        moved = distance(tuple(Dual(a, b) for a, b in zip(y, v)))
        step = 1e-6
        ahead, behind = distance(tuple(y + step * v)), distance(tuple(y - step * v))
        across = np.cross(n, t)
        turns = k * np.dot(t, v) * np.array(t) + c * np.dot(across, v) * across
        assert moved[0].b == pytest.approx(np.dot(n, v), abs=1e-10)
        assert moved[0].b == pytest.approx((ahead[0] - behind[0]) / (2 * step), abs=1e-7)
        found = np.array([each.b if isinstance(each, Dual) else 0.0 for each in moved[1]])
        np.testing.assert_allclose(found, turns, atol=1e-9)
        np.testing.assert_allclose(found, (np.array(ahead[1]) - behind[1]) / (2 * step), atol=1e-5)


@pytest.mark.parametrize("name", SOLIDS)
def test_degenerate_points(name):
    """From the centre, on the axis, on edges and corners: a defined normal, never NaN, and derivatives that are numbers."""
    shape = SOLIDS[name]
    distance = distance_of(shape)
    some = [
        (0, 0, 0),
        (0, 0, 0.2),
        (0, 0, -5),
        (0.3, 0, 0),
        (0, 0.3, 0.5),
        (0.5, 0.4, 0.3),
        (0.6, 0, 0),
        (5, 0, 0),
        (2.2, 0, 1.5),
    ]
    some += [tuple(each) for each in cloud(shape, 8)[:: max(1, len(cloud(shape, 8)) // 20)]]
    for y in some:
        values = distance(tuple(map(float, y)))
        flat = np.array([values[0], *values[1], *values[2], values[3], values[4]], dtype=float)
        assert np.isfinite(flat).all(), y
        assert np.linalg.norm(values[1]) == pytest.approx(1.0, abs=1e-9)
        moved = distance(tuple(Dual(float(a), 1.0) for a in y))
        assert np.isfinite([moved[0].b, *(each.b for each in moved[1])]).all(), y


@pytest.mark.parametrize(
    ("shape", "y", "curvatures"),
    [
        (fx.Sphere(0.5), (0, 0, 0.5), (2, 2)),
        (fx.Cylinder(0.25, 2), (0.25, 0, 0.3), (0, 4)),
        (fx.Cylinder(0.25, 2, inside=True), (0.25, 0, 0.3), (0, -4)),
        (fx.Torus(1.0, 0.2), (1.2, 0, 0), (1 / 1.2, 5)),
        (fx.Torus(1.0, 0.2), (0.8, 0, 0), (-1 / 0.8, 5)),
        (fx.Torus(1.0, 0.2, inside=True), (1.2, 0, 0), (-5, -1 / 1.2)),
        (fx.Revolved(fx.Profile([(0.8, -0.6), (1.0, 0.0), (0.8, 0.6)], kind="arcs")), (1.0, 0, 0), (1, 1)),
        (fx.Cone(1.0, 1.0), (0.5, 0, 0), (0, 2 * 0.5**0.5)),
        (fx.Box(1, 1, 1), (0, 0, 0.5), (0, 0)),
    ],
)  # fmt: skip
def test_curvatures_on_the_surface(shape, y, curvatures):
    """Principal curvatures where they are known: k and c of a point on the surface."""
    d, _, _, k, c = distance_of(shape)(tuple(map(float, y)))
    assert d == pytest.approx(0.0, abs=1e-12)
    assert sorted((k, c)) == pytest.approx(sorted(curvatures), rel=1e-6, abs=1e-9)


def test_relative_curvatures():
    """Of crossed cylinders 1/r_a and 1/r_b, of parallel ones their sum and nothing; between, after Hertz, by the angle."""
    a, b = fx.Cylinder(0.1, 2), fx.Cylinder(0.2, 2)
    p = np.array([0.4, 0, 0])
    for angle in (0.0, 0.3, np.pi / 2):
        high, low = relative_curvatures(a, b, p, exp_so3(np.array([angle, 0, 0])))
        root = np.sqrt(10**2 + 5**2 + 2 * 10 * 5 * np.cos(2 * angle))
        assert (high + low, high - low) == pytest.approx((15, root), abs=1e-6)
    ball, race = fx.Sphere(5e-3), fx.Torus(0.02, 5.2e-3, inside=True)
    high, low = relative_curvatures(race, ball, np.array([0.0201, 0, 0]), np.eye(3))
    assert (high, low) == pytest.approx((1 / 5e-3 - 1 / 25.2e-3, 1 / 5e-3 - 1 / 5.2e-3), rel=1e-6)
    assert relative_curvatures(fx.Plane(), fx.Box(1, 1, 1), np.array([0, 0, 1.0]), exp_so3(np.ones(3)))[0] == np.inf


def test_contours_of_many_pieces():
    """However many pieces a contour has: as near as the nearest of many points of it, inside and outside, and exactly on it."""
    angle = np.linspace(0, 2 * np.pi, 180, endpoint=False)
    radius = 0.4 + 0.05 * np.cos(3 * angle) + 0.02 * np.sin(17 * angle)
    profile = fx.Profile(np.column_stack([radius * np.cos(angle), radius * np.sin(angle)]).tolist(), closed=True)
    distance, on = distance_of(fx.Extruded(profile, 10.0)), profile.trace.points
    rng, apart = np.random.default_rng(0), np.linalg.norm(np.diff(on, axis=0), axis=1).max()
    for _ in range(300):
        y = rng.uniform(-0.7, 0.7, size=2)
        d, n, *_ = distance((*y, 0.0))
        foot = y - d * np.array(n[:2])
        assert np.linalg.norm(on - foot, axis=1).min() < 0.51 * apart
        far = np.linalg.norm(on - y, axis=1).min()
        assert far - 0.51 * apart < abs(d) < far + 1e-6
        phi = np.arctan2(y[1], y[0])
        expected = np.hypot(*y) - (0.4 + 0.05 * np.cos(3 * phi) + 0.02 * np.sin(17 * phi))
        assert abs(expected) < 3e-3 or (d > 0) == (expected > 0)
