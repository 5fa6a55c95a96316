"""STL surfaces."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from flexor.errors import FileError
from flexor.io import read_stl

CORNERS = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], dtype=float)
FACES = np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)])


def text() -> bytes:
    facets = "".join(
        "facet normal 0 0 0\n outer loop\n"
        + "".join("  vertex {} {} {}\n".format(*CORNERS[i]) for i in face)
        + " endloop\nendfacet\n"
        for face in FACES
    )
    return f"solid tet\n{facets}endsolid tet\n".encode()


def binary(title: bytes = b"a tetrahedron") -> bytes:
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *CORNERS[face].ravel(), 0) for face in FACES)
    return title.ljust(80) + struct.pack("<I", len(FACES)) + body


@pytest.mark.parametrize("data", [text(), binary(), binary(b"solid by name only")], ids=["text", "binary", "solid"])
def test_a_tetrahedron(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "t.stl"
    path.write_bytes(data)
    points, triangles = read_stl(path)
    assert points.shape == (4, 3)
    X = points[triangles]
    np.testing.assert_allclose(X, CORNERS[FACES])
    volume = np.einsum("mi,mi->", X[:, 0], np.cross(X[:, 1], X[:, 2])) / 6
    assert volume == pytest.approx(1 / 6)  # normals point outwards
    assert read_stl(path, units="mm-t-s")[0].max() == pytest.approx(1e-3)


@pytest.mark.parametrize("data", [text(), binary()], ids=["text", "binary"])
def test_a_file_that_is_cut_off_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "t.stl"
    for end in range(1, len(data) - 14, 11):
        path.write_bytes(data[:end])
        with pytest.raises(FileError):
            read_stl(path)
