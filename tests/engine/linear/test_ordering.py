"""The order of elimination: rule of precedence for multipliers, and little fill."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.sparse.linalg import splu

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
