"""Triangles of curved shapes: closed, facing outwards, of the volume that the shape has."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.viewer import shape_meshes
from flexor.viewer.buffers import Buffers
from flexor.viewer.glyphs import glyph_of
from flexor.viewer.shapes import declared_shapes


def volume(points, triangles):
    a, b, c = (points[triangles[:, i]] for i in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6


STAR = fx.Profile(
    [(2, 0), (0.5, 0.5), (0, 2), (-0.5, 0.5), (-2, 0), (-0.5, -0.5), (0, -2), (0.5, -0.5)], kind="lines", closed=True
)


@pytest.mark.parametrize(
    ("shape", "mesh", "expected"),
    [
        (fx.Torus(1.0, 0.2), shape_meshes.torus, 2 * np.pi**2 * 0.2**2),
        (fx.Cone(0.5, 2.0, top=0.2), shape_meshes.cone, np.pi * 2 / 3 * (0.5**2 + 0.5 * 0.2 + 0.2**2)),
        (fx.Revolved(fx.Profile([(0.3, -1), (0.3, 1)], kind="lines")), shape_meshes.revolved, np.pi * 0.3**2 * 2),
        (fx.Extruded(fx.Profile.circle(0.5), 2.0), shape_meshes.extruded, np.pi * 0.5**2 * 2),
        (fx.Extruded(STAR, 0.5), shape_meshes.extruded, 4 * 0.5),
    ],
    ids=lambda value: getattr(value, "type", ""),
)
def test_volume(shape, mesh, expected):
    points, triangles = mesh(shape)
    assert volume(points, triangles) == pytest.approx(expected, rel=0.02)
    ways = triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    assert len(np.unique(ways, axis=0)) == len(ways)  # no edge twice in the same direction


def test_all_shapes_are_drawn(tmp_path):
    road = fx.Profile([(0, 0), (1, 0.1), (2, 0)])
    shapes = [
        fx.Torus(1, 0.1), fx.Cone(1, 1), fx.Revolved(fx.Profile([(0.2, 0), (0.3, 0.5), (0.2, 1)]), inside=True), fx.Extruded(road, 1),
        fx.Triangles([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]), fx.Plane(), fx.Sphere(1), fx.Box(1, 1, 1), fx.Cylinder(1, 1),
    ]  # fmt: skip
    notes: list[str] = []
    drawn = declared_shapes(fx.RigidBody("body", mass=1, shapes=shapes), Buffers(), notes)
    assert len(drawn) == len(shapes)
    assert not notes


def test_shapes_of_contacts_are_drawn_as_they_are():
    """A race that only the contact knows, a road, a wall: the surfaces themselves, at the ends that they belong to."""
    road = fx.Extruded(fx.Profile([(0, 0), (1, 0.1), (2, 0)]), 1)
    ball = fx.RigidBody("ball", mass=1, inertia=1, shapes=[fx.Sphere(0.1)])
    for shape in (
        fx.Torus(1, 0.2, inside=True),
        fx.Cone(1, 1),
        road,
        fx.Triangles([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]),
    ):
        contact = fx.Contact("touch", fx.ground.surface(shape), ball, fx.Penalty(1e5))
        drawn = Buffers().sent(glyph_of(contact, {}).primitives[0])
        assert drawn["kind"] == "surface"
        assert drawn["end"] == 0
        assert drawn["triangles"]["shape"][0] >= 1
        assert drawn.get("hollow", False) == getattr(shape, "inside", False)
    among = fx.Contacts(
        "all", [ball, ball.replace(name="other")], fx.Penalty(1e5), walls=[fx.ground.surface(fx.Torus(1, 0.2))]
    )
    assert [each["kind"] for each in glyph_of(among, {}).primitives] == ["surface"]
