"""Rims of cylinders and cones beside sharp edges of prisms and triangulated surfaces."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.contact.approach import distances_of, pair_of, records_of, sizes_of
from flexor.spatial import exp_so3

LENGTH = 0.3
SECTIONS = {
    "square": [(-0.05, -0.05), (0.05, -0.05), (0.05, 0.05), (-0.05, 0.05)],
    "triangle": [(-0.05, -0.04), (0.06, -0.03), (-0.01, 0.06)],
    "wedge": [(-0.05, 0.0), (0.05, -0.006), (0.05, 0.006)],
    "angle": [(0.0, 0.0), (0.1, 0.0), (0.1, 0.05), (0.05, 0.05), (0.05, 0.1), (0.0, 0.1)],
}
"""The last one has a corner that opens outwards."""
ENDS = {3: [(0, 1, 2)], 4: [(0, 1, 2), (0, 2, 3)], 6: [(0, 1, 3), (1, 2, 3), (0, 3, 5), (3, 4, 5)]}
CYLINDER = fx.Cylinder(0.04, 0.2)
ROUND = {"cylinder": CYLINDER, "disc": fx.Cylinder(0.08, 0.02), "cone": fx.Cone(0.04, 0.2, top=0.025)}
TILTS = (0.0, 1e-9, 1e-6, 1e-4, 1e-2, 0.3)


def prism(corners):
    return fx.Extruded(fx.Profile(corners, closed=True, kind="lines"), LENGTH)


def triangles(corners):
    """The same solid."""
    n, half = len(corners), 0.5 * LENGTH
    sides = [f for i in range(n) for j in [(i + 1) % n] for f in ((i, j, j + n), (i, j + n, i + n))]
    ends = [f for a, b, c in ENDS[n] for f in ((a, c, b), (a + n, b + n, c + n))]
    return fx.Triangles([(x, y, z) for z in (-half, half) for x, y in corners], sides + ends)


class Near:
    """The nearest place of two shapes, with the ends of lines or without."""

    def __init__(self, a, b, lines=False):
        self.pair = pair_of(a, b, 0, lines)
        self.sizes = [record(size.words) for record, size in zip(records_of(a, b), sizes_of(a, b), strict=True)]

    def __call__(self, p, R):
        p, R = tuple(p), tuple(np.ravel(R))
        return min(
            (self.pair.function(*self.sizes, p, R, k) for k in range(self.pair.places)), key=lambda found: found[0]
        )

    def standing(self, rng, tilt, corners, depth):
        """(p, R): a pose beside an edge, tilted in any direction, at which they overlap by a depth; where b would pass by, another one."""
        while True:
            p, R, way = pose(rng, tilt, corners)
            for _ in range(60):
                g = self(p, R)[0]
                if abs(g + depth) < 1e-10:
                    return p, R
                if g > 1.0:
                    break
                p = p - 0.9 * (g + depth) * way


def ends_of(b):
    return np.array([b.radius, getattr(b, "top", b.radius)]), np.array([-0.5, 0.5]) * b.length


def pose(rng, tilt, corners):
    """(p, R, way): beside an edge, tilted in any direction"""
    turn = rng.normal(size=3)
    R = exp_so3(tilt * turn / np.linalg.norm(turn)) @ exp_so3(np.array([0, 0, rng.uniform(0, 6)]))
    angle = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(angle), np.sin(angle), 0])
    return np.array([*corners[rng.integers(len(corners))], rng.uniform(-0.2, 0.2)]) + 0.3 * way, R, way


def separations(corners, b, p, R, n):
    """s(n) = −h_b(−n) − h_a(n) of directions, (41.4)"""
    points = np.array([(x, y, z) for x, y in corners for z in (-0.5 * LENGTH, 0.5 * LENGTH)])
    radii, heights = ends_of(b)
    along = -n @ R[:, 2]
    across = np.sqrt(np.maximum(1 - along**2, 0))
    reach = -n @ p + (np.outer(along, heights) + np.outer(across, radii)).max(1)
    return -reach - (n @ points.T).max(1)


@pytest.mark.parametrize("tilt", TILTS)
@pytest.mark.parametrize("name", ["square", "triangle", "wedge"])
@pytest.mark.parametrize("made", [prism, triangles])
def test_no_direction_separates_them_more(made, name, tilt):
    """Convex solids, apart or overlapping: along the normal they are separated by the gap, and along none of many others by more."""
    rng = np.random.default_rng(TILTS.index(tilt))
    corners = SECTIONS[name]
    turn = np.linspace(0, 2 * np.pi, 2000)[:, None]
    for kind in ROUND:
        b = ROUND[kind]
        near, back = Near(made(corners), b), Near(b, made(corners))
        for depth in (2e-4, 1e-5, -1e-4, -1e-3):
            p, R = near.standing(rng, tilt, corners, depth)
            g, n, _ = near(p, R)
            n = np.array(n)
            others = rng.normal(size=(2000, 3))
            others = np.concatenate(
                [
                    [R[:, 2], -R[:, 2]],
                    others / np.linalg.norm(others, axis=1)[:, None],
                    np.cos(turn) * [1.0, 0, 0] + np.sin(turn) * [0, 1.0, 0],
                    np.cos(turn) * R[:, 0] + np.sin(turn) * R[:, 1],
                ]
            )
            found = separations(corners, b, p, R, others)
            if abs(others[found.argmax()] @ R[:, 2]) > 0.7:
                continue  # it stands on its end
            assert separations(corners, b, p, R, n[None])[0] == pytest.approx(g, abs=1e-10)
            assert found.max() < g + 1e-10
            assert back(-R.T @ p, R.T)[0] == pytest.approx(g, abs=1e-12)


@pytest.mark.parametrize("tilt", TILTS)
@pytest.mark.parametrize("made", [prism, triangles])
def test_no_point_is_nearer(made, tilt):
    """Of a solid with a corner that opens outwards: the point that touches is as far from it as the gap tells, and none of many others of the wall and the rims is nearer."""
    rng = np.random.default_rng(TILTS.index(tilt))
    a, b = made(SECTIONS["angle"]), CYLINDER
    near, (distance, _) = Near(a, b), distances_of(a, b)
    for depth in (-1e-4, -1e-3):
        p, R = near.standing(rng, tilt, SECTIONS["angle"], depth)
        g, n, x = near(p, R)
        touching = np.array(x) + 0.5 * g * np.array(n)
        assert distance(near.sizes[0], tuple(touching))[0] == pytest.approx(g, abs=1e-10)
        at = R.T @ (touching - p)
        assert abs(at[2]) < 0.5 * b.length + 1e-10
        assert np.hypot(at[0], at[1]) < b.radius + 1e-10
        for z in np.linspace(-0.5, 0.5, 9) * b.length:
            for turn in np.linspace(0, 2 * np.pi, 60):
                y = p + R @ np.array([b.radius * np.cos(turn), b.radius * np.sin(turn), z])
                assert distance(near.sizes[0], tuple(y))[0] > g - 1e-10


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("made", [prism, triangles])
def test_beside_an_edge_a_block_is_a_box(made, lines):
    """Overlap 0.2 mm at 30° beside the edge, nearly along it: the deeper rim is r from the edge, to first order of the tilt; a box of the same size tells the same."""
    box = Near(fx.Box(0.1, 0.1, LENGTH), CYLINDER, lines)
    near = Near(made(SECTIONS["square"]), CYLINDER, lines)
    way = np.array([np.cos(np.pi / 6), 0.5, 0])
    for depth in (2e-4, -1e-3):
        p = np.array([0.05, 0.05, 0.01]) + (0.04 - depth) * way
        for tilt in TILTS[:-1]:
            R = exp_so3(np.array([tilt, 0, 0]))
            g, n, _ = near(p, R)
            assert g == pytest.approx(-depth - 0.1 * tilt * way[1], abs=1e-9 + 0.2 * tilt**2)
            expected = box(p, R)
            assert g == pytest.approx(expected[0], abs=1e-10)
            np.testing.assert_allclose(n, expected[1], atol=1e-6)


@pytest.mark.parametrize("made", [prism, triangles])
def test_flush_ends_of_a_rod_and_a_beam(made):
    """A rod that sinks into the side of a beam with the end where both end: the shortest way out is across, though an edge of the beam is nearer to the end of the rod than to its wall."""
    rod = fx.Cylinder(0.03, 0.6)
    box, near = Near(fx.Box(0.1, 0.1, LENGTH), rod, True), Near(made(SECTIONS["square"]), rod, True)
    R = exp_so3(np.array([-2.58e-3, 2.08e-3, 0]))
    for above in np.linspace(-2e-3, 2e-3, 17):
        p = np.array([-0.079847 + 0.05 * 2.08e-3, 0.005778, 0.5 * LENGTH - 0.3 * R[2, 2] + above])
        g, n, _ = near(p, R)
        expected = box(p, R)
        assert expected[0] < -5e-4
        assert g == pytest.approx(expected[0], abs=1e-9)
        np.testing.assert_allclose(n, expected[1], atol=1e-6)


@pytest.mark.parametrize("made", [prism, triangles])
@pytest.mark.parametrize("kind", ["cylinder", "cone"])
def test_what_stands_over_an_edge_is_pushed_up(kind, made):
    """With its axis within and beyond the edge of what it stands on, upright or leaning a little inwards: the overlap is that of the flat faces, not the way out past the edge."""
    b = ROUND[kind]
    near, box = Near(made(SECTIONS["square"]), b), Near(fx.Box(0.1, 0.1, LENGTH), b)
    for off in (0.04, 0.051, 0.06, 0.07):
        for tilt in (0.0, 1e-6, -1e-6, -1e-3):
            p, R = np.array([off, 0.003, 0.5 * (LENGTH + b.length) - 1e-4]), exp_so3(np.array([0, tilt, 0]))
            g, n, _ = near(p, R)
            assert g == pytest.approx(box(p, R)[0], abs=2e-7)
            np.testing.assert_allclose(n, (0, 0, 1), atol=2e-3)
