"""The mesh quality report finds what is wrong, and only that."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from flexor.elements.quality import quality
from flexor.mesh import Mesh, RigidLink
from flexor.mesh.generate import box


def two_boxes(gap: float) -> Mesh:
    a, b = box((1, 1, 1), (1, 1, 1)), box((1, 1, 1), (2, 1, 1), at=(1 + gap, 0, 0))
    block = replace(b.blocks[0], nodes=b.blocks[0].nodes + 8, ids=b.blocks[0].ids + 1)
    points = np.vstack([a.points, b.points])
    return replace(a, points=points, node_ids=np.arange(1, 21), blocks=(*a.blocks, block))


def test_a_good_mesh() -> None:
    found = quality(box((1, 1, 1), (2, 2, 2)))
    assert found.good
    assert found.worst == pytest.approx(1.0, abs=1e-12)
    assert str(found) == "27 nodes, 8 hex8; smallest Jacobian ratio 1\nnothing to complain about"


def test_inverted_and_distorted_elements() -> None:
    mesh = box((3, 1, 1), (3, 1, 1))
    points = mesh.points.copy()
    outer = np.flatnonzero(np.all(mesh.points == [3, 1, 1], axis=1))
    points[outer] = [1.4, 0.4, 0.4]  # a corner pushed through the element
    found = quality(replace(mesh, points=points))
    assert found.inverted.tolist() == [3]
    assert not found.good
    assert found.worst < 0
    assert "1 element turned inside out or folded: 3" in str(found)
    points[outer] = [2.5, 0.5, 0.5]
    found = quality(replace(mesh, points=points))
    assert found.inverted.tolist() == []
    assert found.distorted.tolist() == [3]
    assert found.good


def test_free_nodes() -> None:
    mesh = box((1, 1, 1), (1, 1, 1))
    points = np.vstack([mesh.points, [9, 9, 9], [8, 8, 8]])
    mesh = replace(mesh, points=points, node_ids=np.array([*range(1, 9), 77, 78]))
    assert quality(mesh).free.tolist() == [77, 78]
    assert "2 nodes used by nothing: 77, 78" in str(quality(mesh))
    assert quality(replace(mesh, rigid_links=(RigidLink(8, (0, 1)),))).free.tolist() == [78]


def test_duplicate_nodes_and_pieces() -> None:
    touching = quality(two_boxes(0.0))
    assert touching.duplicates.tolist() == [[5, 9], [6, 10], [7, 11], [8, 12]]
    assert [len(piece) for piece in touching.pieces] == [12, 8]
    assert "4 pairs of nodes at the same place: 5 and 9" in str(touching)
    assert "2 pieces that nothing connects: 12 nodes with 9, 8 nodes with 1" in str(touching)
    apart = two_boxes(0.1)
    assert len(quality(apart).duplicates) == 0
    assert len(quality(apart, tolerance=0.11).duplicates) == 4
    assert not quality(apart).good
    tied = quality(replace(apart, rigid_links=(RigidLink(0, (15,)),)))
    assert tied.good
    assert len(tied.pieces) == 1
