"""Pairs of boxes that overlap, by cells in space: a time that grows as the number of boxes, not as its square.

Space is cut into cubes as large as the largest of the small boxes; each of these lies in the cell of its centre and is compared with those of its own cell
and of the 13 neighbours on one side. Cells are found by a hash of their whole coordinates, those of one hash hang together as a list.
Boxes that are much larger than most, planes above all, are compared with all others.
"""

from __future__ import annotations

from flexor.law.dual import floor
from flexor.law.record import Record, integer, integers_at, kernel_at, numbers_at, record_at

SMALL, LARGE = 0, 1


class Counts(Record):
    """Numbers that the search needs, and what it tells."""

    n = integer("boxes")
    most = integer("pairs that there is room for")
    slots = integer("of the table of hashes, a power of two")
    pairs = integer("that were found; more than most: those that there is no room for are counted, too")
    tests = integer("of two boxes against each other")


class CellTable(Record):
    """Memory of the search."""

    counts = record_at(Counts, "numbers")
    edge = numbers_at("edge of a cell, one number [m]")
    low = numbers_at("lowest corner of each box, 3 each [m]")
    high = numbers_at("highest corner of each box, 3 each [m]")
    kind = integers_at("SMALL or LARGE")
    cell = integers_at("cell of each small box, 3 each")
    head = integers_at("first box of each hash, −1: none")
    next = integers_at("next box of the same hash, −1: none")
    pairs = integers_at("numbers of two boxes each")
    search = kernel_at("overlapping_pairs")


def hash_of(x, y, z, slots):
    """Of the whole coordinates of a cell."""
    return (x * 73856093 ^ y * 19349663 ^ z * 83492791) & (slots - 1)


def overlap(low, high, i, j):
    for axis in range(3):
        if low[3 * i + axis] > high[3 * j + axis] or low[3 * j + axis] > high[3 * i + axis]:
            return False
    return True


def compare(t, i, j):
    """Note two boxes, if they overlap."""
    c = t.counts
    c.tests += 1
    if overlap(t.low, t.high, i, j):
        if c.pairs < c.most:
            t.pairs[2 * c.pairs] = min(i, j)
            t.pairs[2 * c.pairs + 1] = max(i, j)
        c.pairs += 1


def overlapping_pairs(t: CellTable):
    """All pairs of boxes that overlap, each once."""
    c = t.counts
    c.pairs = 0
    c.tests = 0
    for slot in range(c.slots):
        t.head[slot] = -1
    for i in range(c.n):
        if t.kind[i] == LARGE:
            for j in range(c.n):
                if j < i or t.kind[j] == SMALL:
                    compare(t, i, j)
            continue
        for axis in range(3):
            middle = 0.5 * (t.low[3 * i + axis] + t.high[3 * i + axis])
            t.cell[3 * i + axis] = floor(middle / t.edge[0])
        own = hash_of(t.cell[3 * i], t.cell[3 * i + 1], t.cell[3 * i + 2], c.slots)
        t.next[i] = t.head[own]
        t.head[own] = i
    for i in range(c.n):
        if t.kind[i] == LARGE:
            continue
        for way in range(14):  # its own cell, and one of each two opposite neighbours
            x = t.cell[3 * i] + (way + 13) % 3 - 1
            y = t.cell[3 * i + 1] + (way + 13) // 3 % 3 - 1
            z = t.cell[3 * i + 2] + (way + 13) // 9 - 1
            j = t.head[hash_of(x, y, z, c.slots)]
            while j >= 0:
                same = t.cell[3 * j] == x and t.cell[3 * j + 1] == y and t.cell[3 * j + 2] == z
                if same and (way > 0 or j > i):
                    compare(t, i, j)
                j = t.next[j]
    return 0
