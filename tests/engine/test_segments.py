"""Segments of all terms in one table."""

import numpy as np

from flexor.engine.segments import Segment, SegmentTable, runs

LISTS = [
    [Segment(4, 0, 0, 6), Segment(2, 0, 6, 3), Segment(7, 0, 12, 5, multiplier=True)],
    [],
    [Segment(1, 2, 0, 1)],
    [Segment(0, 0, 0, 6), Segment(5, 0, 6, 6)],
]


def test_pairs_are_each_with_those_before_and_itself():
    table = SegmentTable.of(LISTS)
    first = table.begins.tolist()
    expected = [
        (k, first[k] + i, first[k] + j) for k, each in enumerate(LISTS) for i in range(len(each)) for j in range(i + 1)
    ]
    assert list(zip(*(found.tolist() for found in table.pairs()), strict=True)) == expected


def test_terms_with_nodes_and_multipliers_are_as_listed_one_by_one():
    node_block, sizes = np.array([-1, 4, 2, 0]), np.array([6, 3, 3, 1, 6, 1, 1, 5])
    nodes = [(1, 2), (0,), (0,), (3, 0)]
    own = np.array([7, -1, -1, 5]), np.array([5, 0, 0, 1]), np.array([False, False, False, True])
    more = {2: [Segment(1, 2, 6, 1)]}
    table = SegmentTable.of_terms(nodes, node_block, sizes, own, more)
    expected = SegmentTable.of(
        [
            [Segment(4, 0, 0, 6), Segment(2, 0, 6, 3), Segment(7, 0, 12, 5, True)],
            [],
            [Segment(1, 2, 6, 1)],
            [Segment(0, 0, 0, 6), Segment(5, 0, 12, 1, True, True)],
        ]
    )
    np.testing.assert_array_equal(table.table, expected.table)
    np.testing.assert_array_equal(table.begins, expected.begins)
    assert table.blocks(0) == [4, 2, 7]
    assert len(table + expected) == 8


def test_runs_are_of_consecutive_rows_of_a_block():
    assert runs([(3, 0), (3, 1), (5, 2), (3, 2)]) == [
        Segment(3, 0, 0, 2),
        Segment(5, 2, 2, 1),
        Segment(3, 2, 3, 1),
    ]
