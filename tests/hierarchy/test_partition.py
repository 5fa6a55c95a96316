"""Trees of subsystems: whole, balanced, with few bodies at every border."""

from __future__ import annotations

import math

import numpy as np
import pytest

from benchmarks.rigid_chain_flexor import chain_model
from flexor.hierarchy.bisection import Graph, halves
from flexor.hierarchy.drawing import drawn
from flexor.hierarchy.partition import Grouping, Joined, own_groups, paired
from flexor.hierarchy.stepper import Tree
from tests.hierarchy.mechanisms import moving


def levels(n: int, pairs: list[Joined]) -> int:
    found = [0] * n
    for pair in pairs:
        found.append(max(found[pair.left], found[pair.right]) + 1)
    return found[-1]


def borders(n: int, pairs: list[Joined], joints) -> list[int]:
    """Bodies at the border of each pair."""
    left = np.bincount(np.concatenate([*map(list, joints), [0]]).astype(int), minlength=n)  # open joints of each body
    left[0] -= 1
    members = [{i} for i in range(n)]
    found = []
    for pair in pairs:
        for number in pair.joints:
            for body in joints[number]:
                left[body] -= 1
        members.append({b for b in members[pair.left] | members[pair.right] if left[b]})
        found.append(len(members[-1]))
    return found


def chain(n: int):
    return [(i, i + 1) for i in range(n - 1)]


@pytest.mark.parametrize("n", [1, 2, 3, 10, 64, 100, 1000])
def test_a_chain_becomes_a_balanced_tree(n: int) -> None:
    pairs = paired(n, chain(n))
    assert len(pairs) == n - 1
    assert levels(n, pairs) <= math.ceil(math.log2(n)) + 2
    assert max(borders(n, pairs, chain(n)), default=0) <= 2


def grid(k: int):
    """Joints of k × k bodies, each with its neighbours."""
    along = [(k * i + j, k * i + j + 1) for i in range(k) for j in range(k - 1)]
    return along + [(k * i + j, k * (i + 1) + j) for i in range(k - 1) for j in range(k)]


def branched(n: int, each: int = 3):
    return [((i - 1) // each, i) for i in range(1, n)]


@pytest.mark.parametrize(
    ("n", "joints", "deep", "wide"),
    [
        (1000, chain(1000), 10, 2),
        (1000, [*chain(1000), (999, 0)], 10, 2),  # a ring
        (1093, branched(1093), 20, 2),
        (100, grid(10), 10, 14),
        (900, grid(30), 14, 50),
        (2500, grid(50), 15, 85),
    ],
    ids=["chain", "ring", "tree", "grid 10", "grid 30", "grid 50"],
)
def test_levels_and_bodies_at_borders(n: int, joints, deep: int, wide: int) -> None:
    """Levels grow with log N; the border of half a grid with its side: nested dissection cuts straight through."""
    pairs = paired(n, joints)
    assert levels(n, pairs) <= deep
    assert max(borders(n, pairs, joints)) <= wide
    assert pairs == paired(n, joints)


def test_halves_of_a_grid_are_cut_straight() -> None:
    k = 20
    near: list[dict[int, int]] = [{} for _ in range(k * k)]
    for a, b in grid(k):
        near[a][b] = near[b][a] = 1
    side = halves(Graph([1] * (k * k), near))
    assert 0.3 * k * k <= sum(side) <= 0.7 * k * k
    assert sum(side[a] != side[b] for a, b in grid(k)) <= 1.3 * k


def test_halves_are_never_empty() -> None:
    star = Graph([1] * 60, [dict.fromkeys(range(1, 60), 1), *({0: 1} for _ in range(59))])
    two = Graph([5, 1], [{1: 1}, {0: 1}])
    for graph in (star, two):
        assert 0 < sum(halves(graph)) < len(graph.weights)


def test_a_hub_takes_in_what_hangs_on_it() -> None:
    joints = [(0, i) for i in range(1, 50)]
    assert max(borders(50, paired(50, joints), joints)) == 1


def test_two_platforms_with_many_legs() -> None:
    joints = [(end, leg) for leg in range(2, 40) for end in (0, 1)]
    assert max(borders(40, paired(40, joints), joints)) <= 3


def test_every_joint_is_closed_where_its_last_bodies_meet() -> None:
    rng = np.random.default_rng(3)
    n = 30
    joints = [tuple(rng.choice(n, rng.integers(2, 4), replace=False)) for _ in range(50)]
    pairs = paired(n, joints)
    members = [{i} for i in range(n)]
    closed = []
    for pair in pairs:
        left, right = members[pair.left], members[pair.right]
        members.append(left | right)
        for joint in pair.joints:
            assert set(joints[joint]) <= left | right
            assert not set(joints[joint]) <= left
            assert not set(joints[joint]) <= right
        closed += pair.joints
    assert sorted(closed) == list(range(50))
    assert members[-1] == set(range(n))


def test_bodies_that_nothing_connects_are_joined_at_the_end() -> None:
    assert len(paired(5, [(0, 1)])) == 4


def test_the_users_own_hierarchy_is_kept() -> None:
    groups = [Grouping("car", (0,), (Grouping("left", (1, 2)), Grouping("right", (3, 4))))]
    pairs = paired(6, [(0, 1), (1, 2), (0, 3), (3, 4), (4, 5)], groups)
    members = [{i} for i in range(6)]
    named = {}
    for pair in pairs:
        members.append(members[pair.left] | members[pair.right])
        if pair.name:
            named[pair.name] = members[-1]
    assert named == {"left": {1, 2}, "right": {3, 4}, "car": {0, 1, 2, 3, 4}}


def test_the_tree_is_drawn() -> None:
    lines = drawn(Tree(moving(chain_model(4))))
    assert lines[0] == "tree of 4 bodies and 4 joints: 2 levels, at most 6 coordinates at a border"
    assert [line.lstrip("├└│─ ") for line in lines[1:8]] == [
        "link0, link1, link2, link3  by joint2",
        "link0, link1  by joint1",
        "link0  by joint0",
        "link1",
        "link2, link3  by joint3",
        "link2",
        "link3",
    ]
    assert lines[8] == "no loops: runs take 4 joint coordinates and articulated bodies"
    long = drawn(Tree(moving(chain_model(200))), most=20)
    assert len(long) < 25
    assert any("bodies  by" in line for line in long)


def test_components_are_groups_by_their_dotted_names():
    names = ["body", "left.arm", "left.strut.rod", "right.arm", "left.strut.tube"]
    assert own_groups(names) == (
        Grouping("left", (1,), (Grouping("left.strut", (2, 4)),)),
        Grouping("right", (3,)),
    )
    pairs = paired(5, [(0, 1), (1, 2), (2, 4), (4, 0), (0, 3)], own_groups(names))
    assert [pair.name for pair in pairs] == ["left.strut", "left", "", ""]
    assert own_groups(["a", "b"]) == ()
