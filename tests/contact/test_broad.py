"""Which of many boxes are near each other: all of them, each once, by a number of comparisons that grows as theirs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexor as fx
from flexor.contact.broad import NearPairs, boxes
from flexor.contact.broad.boxes import reach_of
from flexor.spatial import exp_so3


def every_pair(low, high):
    touch = np.all((low[:, None] <= high[None]) & (low[None] <= high[:, None]), axis=2)
    i, j = np.nonzero(np.triu(touch, 1))
    return set(zip(i.tolist(), j.tolist()))


def found(pairs):
    listed = [tuple(pair) for pair in pairs.tolist()]
    assert len(set(listed)) == len(listed)
    return set(listed)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(seed=st.integers(0, 1000), n=st.integers(0, 60), spread=st.sampled_from([0.5, 3.0, 30.0]))
def test_all_pairs_each_once(seed, n, spread):
    """Small and large boxes, planes, boxes without size, near and far from the origin."""
    rng = np.random.default_rng(seed)
    x = spread * rng.normal(size=(n, 3)) + rng.choice([0, 100])
    half = 0.5 * rng.uniform(0, 1, (n, 3)) * rng.choice([0.0, 1.0, 1.0, 1.0, 20.0, np.inf], (n, 1))
    half[np.isnan(half)] = 0.0
    near = NearPairs(n, python=seed % 4 == 0)
    assert found(near.update(x - half, x + half)) == every_pair(x - half, x + half)


def heap(n, seed=0):
    """Spheres of unit diameter, as dense as sand."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0, (n / 1.1) ** (1 / 3), (n, 3))
    return x - 0.5, x + 0.5


def test_comparisons_grow_as_the_number_of_spheres():
    """10⁴ spheres take hardly more comparisons for each of them than 10³ do, with the box around them among the surfaces."""
    tests = {}
    for n in (1000, 10000):
        low, high = heap(n)
        wall = np.array([[-np.inf] * 3]), np.array([[np.inf] * 3])
        near = NearPairs(n + 1)
        near.update(np.concatenate([low, wall[0]]), np.concatenate([high, wall[1]]))
        tests[n] = near.tests / n
        assert len(near.pairs) > n
    assert tests[10000] < 1.2 * tests[1000]
    assert tests[10000] < 30


def test_pairs_are_kept_until_something_has_moved_by_half_the_margin():
    low, high = heap(300)
    near = NearPairs(300, margin=0.2)
    near.update(low, high)
    rng = np.random.default_rng(1)
    for _ in range(5):
        move = rng.uniform(-0.099, 0.099, (300, 1))
        assert every_pair(low + move, high + move) <= found(near.update(low + move, high + move))
    assert near.searches == 1
    move[7] = 0.11
    assert every_pair(low + move, high + move) <= found(near.update(low + move, high + move))
    assert near.searches == 2


def test_more_pairs_than_there_was_room_for():
    low, high = np.zeros((40, 3)), np.ones((40, 3))
    assert len(NearPairs(40).update(low, high)) == 40 * 39 // 2


@pytest.mark.parametrize(
    "shape",
    [fx.Sphere(0.3), fx.Box(1, 2, 3), fx.Cylinder(0.2, 2), fx.Torus(1, 0.1), fx.Cone(0.5, 1, top=0.2), fx.Extruded(fx.Profile.circle(0.4), 2)],
    ids=lambda shape: shape.type,
)  # fmt: skip
def test_boxes_hold_their_shapes(shape):
    from tests.contact.solids import cloud

    rng = np.random.default_rng(4)
    x, R = rng.normal(size=(3, 3)), np.array([exp_so3(rng.normal(size=3)) for _ in range(3)])
    low, high = boxes(reach_of([shape] * 3), x, R)
    for i in range(3):
        points = x[i] + cloud(shape, 20) @ R[i].T
        assert np.all(points >= low[i] - 1e-9)
        assert np.all(points <= high[i] + 1e-9)


def test_a_plane_is_everywhere():
    low, high = boxes(reach_of([fx.Plane()]), np.zeros((1, 3)), np.eye(3)[None])
    assert np.all(low == -np.inf)
    assert np.all(high == np.inf)
