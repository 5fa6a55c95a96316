"""The order of elimination: rule of precedence for multipliers, and little fill."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import splu

from flexor.engine.linear import ordering, symbolic
from flexor.engine.linear.pattern import Pattern, analyse
from tests.engine.linear.systems import System, chain, grid, hub, ring


def random_mechanism(seed: int) -> System:
    """Bodies of 6 and 10 rows, joints of 1 … 6 rows between any two of them or to ground, springs."""
    rng = np.random.default_rng(seed)
    system = System()
    bodies = [system.block(int(rows)) for rows in rng.choice([6, 6, 6, 10], 30)]
    for _ in range(40):
        ends = rng.choice(bodies, int(rng.choice([1, 2, 2, 2])), replace=False).tolist()
        joint = system.block(int(rng.choice([1, 2, 3, 5, 6])), multiplier=True)
        for body in ends:
            system.couple(joint, body, np.zeros((1, 1)))
    for _ in range(15):
        system.couple(*rng.choice(bodies, 2, replace=False).tolist(), np.zeros((1, 1)))
    return system


def bodies_of(system: System, joint: int) -> list[int]:
    return [j for i, j in system.pairs if i == joint and not system.multiplier[j]]


def precedence_holds(system: System, pattern: Pattern, joint: int) -> bool:
    bodies = bodies_of(system, joint)
    done = [body for body in bodies if pattern.column[body] < pattern.column[joint]]
    if len(done) == len(bodies):
        return True
    for body in done:
        joints = {m for m, b in system.pairs if b == body and system.multiplier[m]}
        free = system.rows[body] - sum(system.rows[m] for m in joints - {joint})
        if system.rows[joint] <= free / 2:
            return True
    return False


@pytest.mark.parametrize("seed", range(20))
def test_a_multiplier_waits_for_its_bodies(seed):
    system = random_mechanism(seed)
    pattern = system.analyse()
    joints = [i for i, multiplier in enumerate(system.multiplier) if multiplier]
    assert all(precedence_holds(system, pattern, joint) for joint in joints)
    assert sorted(pattern.column.tolist()) == list(range(len(system.rows)))


def test_both_branches_of_the_rule_are_used():
    """A spherical joint precedes the hub; a revolute one waits for it."""
    system = hub(10)
    pattern = system.analyse()
    joints = [i for i, multiplier in enumerate(system.multiplier) if multiplier]
    assert (
        sum(pattern.column[joint] < pattern.column[0] for joint in joints) >= 8
    )  # the last two, which have as many rows as the hub, may wait
    system.rows = [5 if multiplier else rows for rows, multiplier in zip(system.rows, system.multiplier)]
    pattern = system.analyse()
    assert all(pattern.column[joint] > pattern.column[0] for joint in joints)


def test_second_joint_on_a_body_counts():
    """Two spherical joints give the length of the link between them, which it has already: neither may do
    with the link alone."""
    system = System()
    a, link, b = (system.block(6) for _ in range(3))
    joints = [system.block(3, multiplier=True) for _ in range(2)]
    for joint, body in zip(joints, (a, b)):
        system.couple(joint, body, np.zeros((3, 6)))
        system.couple(joint, link, np.zeros((3, 6)))
    for other in (a, b):  # so that a and b come late
        for _ in range(6):
            system.couple(other, system.block(6), np.zeros((6, 6)))
    pattern = system.analyse()
    for joint, body in zip(joints, (a, b)):
        early = pattern.column[joint] < pattern.column[body]
        assert not (early and pattern.column[link] < pattern.column[joint])


def n_offdiagonal(pattern: Pattern) -> int:
    return len(pattern.below[1])


def test_hub_and_chain_do_not_fill():
    system = hub(50)
    assert (
        n_offdiagonal(system.analyse()) <= len(system.pairs) / 2 + 1
    )  # the last two joints have as many rows as the hub
    system = chain(200)  # each joint couples to the next one once the link between them is gone
    assert n_offdiagonal(system.analyse()) == len(system.pairs) / 2 + 199
    system = ring(200)
    assert n_offdiagonal(system.analyse()) <= len(system.pairs) / 2 + 2 * 200


@pytest.mark.parametrize("diagonal", [False, True])
def test_fill_of_a_grid_is_that_of_multiple_minimum_degree(diagonal):
    """Compared with SuperLU's ordering of the same graph."""
    system = grid(29, diagonal)
    n = len(system.rows)
    rows, columns = zip(*system.pairs)
    graph = sparse.csc_array((np.full(len(rows), -1.0), (rows, columns)), shape=(n, n))
    dominant = (graph + 20 * sparse.eye_array(n)).tocsc()
    options = {"SymmetricMode": True}
    factors = splu(dominant, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)
    assert n_offdiagonal(system.analyse()) <= 1.1 * (factors.L.nnz - n)


def test_nothing_to_order():
    assert analyse([], []).n == 0
    assert analyse([6], []).n == 6
    apart = analyse([6, 1, 2], [])
    assert apart.n == 9
    taken = [start + row for start, rows in zip(apart.start, apart.rows) for row in range(rows)]
    assert sorted(taken) == list(range(9))


def random_graph(n: int, seed: int) -> ordering.BlockGraph:
    """Blocks in a plane, each coupled with those next to it, and some far apart."""
    rng = np.random.default_rng(seed)
    at = rng.random((n, 2))
    near = np.argwhere(np.linalg.norm(at[:, None] - at, axis=2) < 1.4 / np.sqrt(n))
    pairs = np.unique(np.sort(np.vstack([near, rng.integers(0, n, (n // 8, 2))]), axis=1), axis=0)
    return ordering.BlockGraph.of(pairs[pairs[:, 0] != pairs[:, 1]], n)


def filled_by_hand(graph: ordering.BlockGraph, order: np.ndarray) -> set[tuple[int, int]]:
    """(row, column) of the factor: whoever is eliminated joins all its neighbours that are left."""
    around = [set(graph.neighbours[a:b].tolist()) for a, b in pairwise(graph.starts.tolist())]
    found = set()
    for k, block in enumerate(order.tolist()):
        left = around[block]
        for i in left:
            around[i] |= left
            around[i] -= {i, block}
        found |= {(i, k) for i in left}
    position = np.argsort(order)
    return {(int(position[i]), k) for i, k in found}


@pytest.mark.parametrize("n", [1, 5, 20, 60, 300])
@pytest.mark.parametrize("last_first", [True, False])
def test_the_fill_is_that_of_an_elimination_block_by_block(n, last_first):
    graph = random_graph(n, seed=n)
    rows = np.random.default_rng(n).choice([1, 3, 6], n)
    none = ordering.precedence(graph, rows, np.zeros(n, dtype=bool), {})
    found = ordering.elimination_order(graph, rows, none, last_first)
    order, pointers, flat = symbolic.fill(graph, found)
    assert sorted(order.tolist()) == list(range(n))
    columns = np.repeat(np.arange(n), np.diff(pointers))
    assert set(zip(flat.tolist(), columns.tolist())) == filled_by_hand(graph, order)
    assert len(filled_by_hand(graph, found)) == len(flat)  # standing close together costs nothing
    assert all(np.all(np.diff(flat[a:b]) > 0) for a, b in pairwise(pointers.tolist()))


@pytest.mark.parametrize("seed", range(3))
def test_compiled_and_plain_kernels_find_the_same(seed, monkeypatch):
    system = random_mechanism(seed)
    compiled = system.analyse()
    monkeypatch.setattr(ordering, "FEW", 10**6)
    monkeypatch.setattr(symbolic, "FEW", 10**6)
    plain = system.analyse()
    np.testing.assert_array_equal(plain.column, compiled.column)
    np.testing.assert_array_equal(plain.below[1], compiled.below[1])


def test_blocks_that_wait_for_each_other_are_refused():
    with pytest.raises(ValueError, match="wait for each other"):
        analyse([6, 6], [(0, 1)], after={0: {1}, 1: {0}})
