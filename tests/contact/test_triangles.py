"""Triangulated surfaces: from STL files and meshes; what is open, inside out or damaged."""

from __future__ import annotations

import struct
import warnings

import numpy as np
import pytest

import flexor as fx
from flexor.contact.distance import triangles as module
from flexor.contact.distance.triangles import distance_triangles
from flexor.contact.surfaces import SURFACES
from flexor.contact.surfaces.triangles import InwardSurface, OpenSurface, TrianglesSize
from flexor.mesh import generate
from tests.contact.test_approach import _ball

CUBE = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float) - 0.5
SIDES = np.array(
    [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)]
)  # fmt: skip


def shape(points=CUBE, triangles=SIDES, **fields):
    return fx.Triangles(tuple(map(tuple, points.tolist())), tuple(map(tuple, triangles.tolist())), **fields)


def size_of(surface):
    return TrianglesSize(SURFACES[type(surface)].pack(surface).words)


def binary(corners):
    rows = [struct.pack("<12fH", 0, 0, 0, *each.ravel(), 0) for each in corners.astype(np.float32)]
    return b"\0" * 80 + struct.pack("<I", len(corners)) + b"".join(rows)


def text(corners):
    facets = [
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"vertex {a} {b} {c}\n" for a, b, c in each)
        + "endloop\nendfacet\n"
        for each in corners
    ]
    return ("solid cube\n" + "".join(facets) + "endsolid cube\n").encode()


@pytest.mark.parametrize("write", [binary, text])
def test_stl_touches_as_the_box_that_it_is(write, tmp_path):
    (tmp_path / "cube.stl").write_bytes(write(1000 * CUBE[SIDES]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        size = size_of(fx.Stl(str(tmp_path / "cube.stl"), scale=0.001))
    assert distance_triangles(size, (0.2, 0.1, 0.9))[0] == pytest.approx(0.4, rel=1e-6)
    assert distance_triangles(size, (0.2, 0.1, 0.4))[0] == pytest.approx(-0.1, rel=1e-6)
    d, n, *_ = distance_triangles(size, (0.8, 0.1, 0.9))
    assert d == pytest.approx(0.5, rel=1e-6)
    np.testing.assert_allclose(n, (0.6, 0, 0.8), atol=1e-6)


def test_skin_of_a_mesh():
    skin = fx.Triangles.skin(generate.box((1.0, 0.5, 0.2), (4, 2, 1), element="tet10"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        size = size_of(skin)
    low, high = np.array(skin.points).min(axis=0), np.array(skin.points).max(axis=0)
    y = 0.5 * (low + high)
    y[2] = high[2] + 0.3
    assert distance_triangles(size, tuple(y))[0] == pytest.approx(0.3)
    y[2] = high[2] - 0.05
    assert distance_triangles(size, tuple(y))[0] == pytest.approx(-0.05)


def test_normals_of_edges_and_corners():
    """Weighted by angles: at the corner of a cube along its diagonal, however its faces are cut into triangles."""
    size = size_of(shape())
    for corner in CUBE:
        _, n, *_ = distance_triangles(size, tuple(corner))
        np.testing.assert_allclose(n, corner / np.linalg.norm(corner), atol=1e-12)
    _, n, *_ = distance_triangles(size, (0.6, 0.1, 0.6))
    np.testing.assert_allclose(np.abs(n), (0.5**0.5, 0, 0.5**0.5), atol=1e-12)


def test_what_is_open_is_told():
    with pytest.warns(OpenSurface, match="4 of its .* edges belong to one triangle only"):
        size = size_of(shape(triangles=SIDES[2:]))
    assert distance_triangles(size, (0.8, 0.0, 0.0))[0] == pytest.approx(0.3)


def test_what_is_inside_out_is_told():
    with pytest.warns(InwardSurface, match="1 m³"):
        size = size_of(shape(triangles=SIDES[:, ::-1]))
    assert distance_triangles(size, (0.0, 0.0, 0.4))[0] == pytest.approx(0.1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        size = size_of(shape(triangles=SIDES[:, ::-1], inside=True))
    assert distance_triangles(size, (0.0, 0.0, 0.4))[0] == pytest.approx(-0.1)


def test_contradicting_triangles_are_refused():
    turned = SIDES.copy()
    turned[3] = turned[3][::-1]
    with pytest.raises(fx.ModelError, match="run in the same direction"):
        size_of(shape(triangles=turned))
    with pytest.raises(fx.ModelError, match="none of its triangles has an area"):
        size_of(shape(triangles=np.array([(0, 0, 1), (1, 1, 1)])))
    with pytest.raises(fx.ModelError, match="there are 8 points"):
        shape(triangles=np.array([(0, 1, 8)]))


@pytest.mark.parametrize("damage", range(12))
def test_damaged_files_are_refused(damage, tmp_path):
    """Cut off, or with a few bytes changed: told, or read as far as it is a surface; never a crash, a NaN, or a long wait."""
    rng = np.random.default_rng(damage)
    data = bytearray((binary, text)[damage % 2](CUBE[SIDES]))
    if damage < 4:
        data = data[: int(len(data) * (0.3 + 0.2 * damage))]
    else:
        for i in rng.integers(84, len(data), 6):
            data[i] = int(rng.integers(256))
    (tmp_path / "cube.stl").write_bytes(bytes(data))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            size = size_of(fx.Stl(str(tmp_path / "cube.stl")))
        except fx.FlexorError:
            return
    assert damage >= 4
    d, n, *_ = distance_triangles(size, (0.3, 0.2, 2.0))
    assert np.isfinite([d, *n]).all()


def test_few_triangles_are_looked_at(monkeypatch):
    """The tree of boxes finds the nearest of 1900 triangles by some of them, and the one that a look at all finds."""
    points, triangles = _ball(31)
    size = size_of(shape(points, triangles))
    seen, foot = [], module.foot_on_triangle
    monkeypatch.setattr(module, "foot_on_triangle", lambda *where: seen.append(where[1]) or foot(*where))
    rng = np.random.default_rng(1)
    for _ in range(20):
        y = rng.normal(size=3)
        d = distance_triangles(size, tuple(y))[0]
        every = min(
            np.linalg.norm(np.subtract(y, foot(size.faces, 30 * i, tuple(y))[1])) for i in range(len(triangles))
        )
        assert abs(d) == pytest.approx(every, abs=1e-12)
    assert len(seen) / 20 < 0.05 * len(triangles)
