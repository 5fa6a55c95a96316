"""Many surfaces as one term: the law of a contact for every two of them, one after the other.

For solvers with a matrix and for few surfaces: the term couples all of their nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, reduce
from typing import Any

import numpy as np

from flexor.contact.tally import TALLY_SIGNALS
from flexor.contact.touch_law import N_SIGNALS
from flexor.law import COMMIT, ENERGY, LENGTH, MATRIX, OUTPUT, RESIDUAL, Law, Term, law
from flexor.law.face import dual_floats
from flexor.law.primitives import at

HEAD, WIDTH = 4, 5
"""Integers before those of the pairs: their number, then 2, 0, 0, the count of a pair's coordinates. Of each: law, two nodes, parameters, history."""
ANSWER = 16
"""Floats of scratch for the answer of all; behind it stand the state of a pair, its residual, its matrix and its own scratch."""
FREE = 1e6


@cache
def every_pair(call_one: Callable, symmetric: bool) -> Law:
    """The law of all pairs; call_one(i, …): that of a pair, by the number of its kind."""

    def pairs(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):  # type: ignore[no-untyped-def]
        size = 6 * n[0]
        if want & OUTPUT:
            for i in range(8):
                w[i] = 0.0
        liveliest, fine = w[0], w[2]
        if want & LENGTH:
            w[0], w[3] = FREE, 0.0
        bx = at(w, ANSWER)
        bR, bv, ba, br = at(bx, 6), at(bx, 24), at(bx, 36), at(bx, 48)
        bK, bw = at(bx, 60), at(bx, 204)
        for m in range(k[0]):
            o = HEAD + WIDTH * m
            nodes = at(k, o + 1)
            i, j = nodes[0], nodes[1]
            if not want & (OUTPUT | COMMIT | LENGTH):
                dx, dy, dz = x[3 * j] - x[3 * i], x[3 * j + 1] - x[3 * i + 1], x[3 * j + 2] - x[3 * i + 2]
                if dx * dx + dy * dy + dz * dz > p[m] * p[m]:
                    continue  # farther apart than both reach
            gather(nodes, x, R, v, a, bx, bR, bv, ba)
            for q in range(156):
                br[q] = 0.0
            for q in range(5):
                bw[q] = 0.0
            if want & (LENGTH | COMMIT):
                bw[0], bw[2] = liveliest, fine
            status = call_one(
                k[o], want, at(k, 1), k, at(p, k[o + 3]), at(h, k[o + 4]), t, c, bx, bR, bv, ba, s, lam, br, bK, bw
            )
            if status != 0:
                return status
            if want & RESIDUAL:
                add_rows(nodes, br, r)
            if want & MATRIX:
                add_blocks(nodes, size, bK, K)
            if want & OUTPUT:
                add_signals(w, bw)
            if want & ENERGY:
                w[2] += bw[2]
                w[3] += bw[3]
            if want & LENGTH:
                w[0], w[1], w[3] = min(w[0], bw[0]), max(w[1], bw[1]), max(w[3], bw[3])
        return 0

    pairs.__name__ = "touch_every_pair"
    return law(outputs=TALLY_SIGNALS, scratch=ANSWER, symmetric=symmetric, tangent="own", limits_step=True)(pairs)


def gather(nodes, x, R, v, a, bx, bR, bv, ba):
    """State of the two nodes of a pair."""
    for e in range(2):
        node = nodes[e]
        for q in range(3):
            bx[3 * e + q] = x[3 * node + q]
        for q in range(9):
            bR[9 * e + q] = R[9 * node + q]
        for q in range(6):
            bv[6 * e + q] = v[6 * node + q]
            ba[6 * e + q] = a[6 * node + q]


def add_rows(nodes, br, r):
    for e in range(2):
        for q in range(6):
            r[6 * nodes[e] + q] += br[6 * e + q]


def add_blocks(nodes, size, bK, K):
    for e in range(2):
        for f in range(2):
            for q in range(6):
                for u in range(6):
                    K[(6 * nodes[e] + q) * size + 6 * nodes[f] + u] += bK[(6 * e + q) * 12 + 6 * f + u]


def add_signals(w, one):
    """One: the signals of `flexor.contact.touch_law`."""
    w[0] += one[0]
    w[1] += one[1]
    if one[0] > 0.0:
        w[2] += 1.0
        w[3] += one[8]
    w[4] = max(w[4], -one[5])
    w[5] = max(w[5], one[6])
    w[6] += one[9]
    w[7] = max(w[7], one[N_SIGNALS])


@cache
def only(function: Callable) -> Callable:
    """The one law that there is."""

    def call_one(i, want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):  # type: ignore[no-untyped-def]
        return function(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w)

    return call_one


@cache
def either(others: Callable, function: Callable, number: int) -> Callable:
    """The law of this number, or one of the others."""

    def call_one(i, want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):  # type: ignore[no-untyped-def]
        if i == number:
            return function(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w)
        return others(i, want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w)

    return call_one


def joined_term(name: str, terms: Sequence[Term], reaches: Sequence[float], many: Any) -> Term:
    """One term of those of all pairs; reaches: distance of the two nodes beyond which a pair cannot touch."""
    laws = list(dict.fromkeys(term.law for term in terms))
    call_one = reduce(
        lambda others, i: either(others, laws[i].function, i), range(1, len(laws)), only(laws[0].function)
    )
    nodes = list(dict.fromkeys(node for term in terms for node in term.nodes))
    ints, floats, history = [len(terms), 2, 0, 0], [np.array([*reaches])], list[float]()
    place = len(reaches)
    for term in terms:
        words = np.asarray(term.words(), dtype=float)
        ints += [laws.index(term.law), *(nodes.index(node) for node in term.nodes), place, len(history)]
        floats.append(words)
        place += len(words)
        history += term.history
    own = max(each.scratch for each in laws)
    return Term(
        name,
        every_pair(call_one, all(each.symmetric for each in laws)),
        tuple(nodes),
        ints=tuple(ints),
        floats=np.concatenate(floats),
        history=tuple(history),
        scratch=ANSWER + 204 + own + dual_floats(2, 0, 0, own),
        many=many,
    )
