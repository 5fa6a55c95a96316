"""Which pairs of surfaces are near each other, found anew while the run goes on; what they remember goes with them."""

from __future__ import annotations

from flexor.contact.broad.cells import overlapping_pairs
from flexor.contact.contacts import ENDLESS
from flexor.engine.memory import OK
from flexor.explicit.memory import FORCES, GRIP_WORDS, NEEDS_ROOM, SIFTING, ExplicitMemory, PairGroup, SurfaceRecord
from flexor.law.primitives import call


def find_pairs(H: ExplicitMemory):
    """All pairs whose surfaces are within the margin of each other, sorted by kind and by surface a."""
    own = H.numbers
    _boxes(H)
    overlapping_pairs(H.cells)
    own.needed_pairs = H.cells.counts.pairs
    if own.needed_pairs > own.most_pairs:
        return NEEDS_ROOM
    _keep_old(H)
    _sort(H)
    own.asked = SIFTING
    call(H.pairs, H)
    own.asked = FORCES
    _close_ranks(H)
    _take_over(H)
    own.searches += 1
    own.tests += H.cells.counts.tests
    own.strayed = 0.0
    for i in range(3 * own.n_surfaces):
        H.sought[i] = H.place[i]
    for i in range(own.n_surfaces):
        H.swung[i] = 0.0
    return OK


def _boxes(H):
    """Around all surfaces, grown by half of the margin; along a global axis a box with half sides h turned by R reaches Σ |R_ij| h_j."""
    own, cells = H.numbers, H.cells
    half_margin = 0.5 * own.margin
    for i in range(own.n_surfaces):
        s = SurfaceRecord(H.surfaces, i)
        for axis in range(3):
            reach = s.bound  # what is hollow is all around
            if s.bound < ENDLESS and s.round == 0:
                reach = _half(H.axes, s, i, axis)
            cells.low[3 * i + axis] = H.place[3 * i + axis] - reach - half_margin
            cells.high[3 * i + axis] = H.place[3 * i + axis] + reach + half_margin


def _half(axes, s, i, axis):
    reach = 0.0
    for j in range(3):
        reach += abs(axes[9 * i + 3 * axis + j]) * s.half[j]
    return reach


def _keep_old(H):
    """Remember the pairs and grips that there are."""
    own = H.numbers
    for m in range(own.n_pairs):
        H.old_a[m], H.old_b[m] = H.pair_a[m], H.pair_b[m]
    words = 0
    for g in range(own.n_groups):
        group = PairGroup(H.groups, g)
        H.old_first[2 * g], H.old_first[2 * g + 1], H.old_places[g] = group.first, group.count, group.grips
        words = max(words, group.grips + group.count * group.places * GRIP_WORDS)
    for i in range(words):
        H.old_grips[i] = H.grips[i]


def _kind(H, m):
    """Kind of the m-th pair of boxes that overlap, −1 if they do not touch; and its surface a."""
    i, j = H.cells.pairs[2 * m], H.cells.pairs[2 * m + 1]
    s_i, s_j = SurfaceRecord(H.surfaces, i), SurfaceRecord(H.surfaces, j)
    if s_i.body == s_j.body:
        return -1, i, j
    which = s_i.family * H.numbers.n_families + s_j.family
    if H.turned[which]:
        return H.group_of[which], j, i
    return H.group_of[which], i, j


def _sort(H):
    """Put the pairs in the order of their kind, those of a kind in the order of surface a: counted, first by a, then by kind."""
    own = H.numbers
    n, found = own.n_surfaces, own.needed_pairs
    for i in range(n + 1):
        H.counts[i] = 0
    for m in range(found):
        kind, a, _b = _kind(H, m)
        if kind >= 0:
            H.counts[a + 1] += 1
    for i in range(n):
        H.counts[i + 1] += H.counts[i]
    total = H.counts[n]
    for m in range(found):
        kind, a, _b = _kind(H, m)
        if kind >= 0:
            H.order[H.counts[a]] = m
            H.counts[a] += 1
    for g in range(own.n_groups + 1):
        H.counts[g] = 0
    for m in range(total):
        kind, _a, _b = _kind(H, H.order[m])
        H.counts[kind + 1] += 1
    for g in range(own.n_groups):
        group = PairGroup(H.groups, g)
        group.count = H.counts[g + 1]
        H.counts[g + 1] += H.counts[g]
        group.first = H.counts[g]
    for m in range(total):
        kind, a, b = _kind(H, H.order[m])
        o = H.counts[kind]
        H.pair_a[o], H.pair_b[o] = a, b
        H.counts[kind] += 1
    own.n_pairs = total


def _close_ranks(H):
    """Leave out the pairs that were found to be far apart."""
    own = H.numbers
    kept, words = 0, 0
    for g in range(own.n_groups):
        group = PairGroup(H.groups, g)
        begin = kept
        for m in range(group.first, group.first + group.count):
            if H.pair_a[m] >= 0:
                H.pair_a[kept], H.pair_b[kept] = H.pair_a[m], H.pair_b[m]
                kept += 1
        group.first, group.count, group.grips = begin, kept - begin, words
        words += group.count * group.places * GRIP_WORDS
    own.n_pairs = kept


def _take_over(H):
    """Grips of pairs that were near before; new ones know nothing. Both lists are in the same order."""
    own = H.numbers
    for g in range(own.n_groups):
        group = PairGroup(H.groups, g)
        words = group.places * GRIP_WORDS
        old, end = H.old_first[2 * g], H.old_first[2 * g] + H.old_first[2 * g + 1]
        for m in range(group.first, group.first + group.count):
            a, b = H.pair_a[m], H.pair_b[m]
            while old < end and H.old_a[old] < a:
                old += 1
            into, found, q = group.grips + (m - group.first) * words, -1, old
            while q < end and H.old_a[q] == a:
                if H.old_b[q] == b:
                    found = H.old_places[g] + (q - H.old_first[2 * g]) * words
                    break
                q += 1
            for w in range(words):
                H.grips[into + w] = H.old_grips[found + w] if found >= 0 else 0.0
