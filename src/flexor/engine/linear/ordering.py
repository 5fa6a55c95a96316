"""In which order to eliminate the blocks.

Minimum degree on the graph of blocks, each weighted by its size, with a rule of precedence for multipliers:
the diagonal of a multiplier block is zero until the bodies it acts on have been eliminated. After *all* of
them its pivot is −G M⁻¹ Gᵀ over all its bodies, regular whenever the constraints are. After *one* body it is
−G_b M_b⁻¹ G_bᵀ over that body alone; this needs independent constraints on that body, and loses accuracy as
they use up its freedom. It is allowed where

    rows of the multiplier ≤ ½ (rows of the body − rows of all other multipliers on it)

so that a hub with many spherical joints can be eliminated last and does not fill the matrix. The other
multipliers count whether they are eliminated before or after: all constraints on that body must be
independent while its neighbours are not yet there. (A link with a spherical joint at either end is the
counter-example: with both ends held its length is given twice, five of six constraints are independent.)
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

Graph = list[set[int]]


def early_bodies(graph: Graph, rows: Sequence[int], multiplier: Sequence[bool]) -> dict[int, set[int]]:
    """For each multiplier block the bodies of which one alone may precede it."""
    taken = {
        body: sum(rows[m] for m in graph[body] if multiplier[m]) for body in range(len(graph)) if not multiplier[body]
    }
    early = {}
    for m in range(len(graph)):
        if multiplier[m]:
            bodies = (b for b in graph[m] if not multiplier[b])
            early[m] = {b for b in bodies if 2 * rows[m] <= rows[b] - (taken[b] - rows[m])}
    return early


def constrained_minimum_degree(
    graph: Graph, weights: Sequence[int], after_all: dict[int, set[int]], after_one: dict[int, set[int]]
) -> list[int]:
    """Elimination order by approximate minimum degree on the quotient graph.

    Block m comes after all blocks of `after_all[m]`, or after any one of `after_one[m]`.

    Amestoy, Davis, Duff: An approximate minimum degree ordering algorithm, SIAM J. Matrix Anal. Appl. 17
    (1996) 886-905.
    """
    n = len(graph)
    adjacent = [set(neighbours) for neighbours in graph]  # blocks that touch, beyond those of common elements
    elements: list[set[int]] = [set() for _ in range(n)]  # eliminated blocks that touch
    clique: dict[int, set[int]] = {}  # blocks that each element has joined
    members = [[i] for i in range(n)]  # blocks that have the same neighbours and go together
    weight = list(weights)
    missing = {m: set(blocks) for m, blocks in after_all.items() if blocks}
    waiting: dict[int, list[int]] = {}
    for m, blocks in missing.items():
        for b in blocks:
            waiting.setdefault(b, []).append(m)
    degree = [sum(weight[i] for i in neighbours) for neighbours in adjacent]
    heap = [(degree[i], 0, i) for i in range(n) if i not in missing]
    heapq.heapify(heap)
    turn = 0  # falls: among equal degrees, last come, first served
    order: list[int] = []
    weigh = weight.__getitem__
    while len(order) < n:
        d, _, k = heapq.heappop(heap)
        if d != degree[k]:
            continue
        degree[k] = -1
        order += members[k]
        done = elements[k]
        joined = adjacent[k].union(*map(clique.pop, done))
        joined.discard(k)
        clique[k] = joined
        total = sum(map(weigh, joined))
        outside: dict[int, int] = {}  # weight of each other element outside of this one
        for i in joined:
            near = adjacent[i]
            near -= joined
            near.discard(k)
            if others := elements[i]:
                others -= done
                for e in others:
                    if e not in outside:
                        outside[e] = sum(map(weigh, clique[e]))
                    outside[e] -= weight[i]
        for e, rest in outside.items():
            if rest == 0:
                del clique[e]
        alike: dict[tuple[int, int], int] = {}
        for i in list(joined):
            near, others = adjacent[i], {e for e in elements[i] if outside[e]} if elements[i] else set()
            elements[i] = others
            if i in missing:
                continue
            key = (sum(others), sum(near))
            twin = alike.setdefault(key, i)
            if twin != i and elements[twin] == others and adjacent[twin] == near:
                members[twin] += members[i]
                weight[twin] += weight[i]
                degree[i] = -1
                joined.discard(i)
                for e in others:
                    clique[e].discard(i)
                for j in near:
                    adjacent[j].discard(i)
            else:
                alike[key] = i
        for i in joined:
            apart = sum(map(outside.__getitem__, elements[i])) if elements[i] else 0
            elements[i].add(k)
            degree[i] = total - weight[i] + apart + sum(map(weigh, adjacent[i]))
            if i not in missing:
                heapq.heappush(heap, (degree[i], turn, i))
                turn -= 1
        for b in members[k]:
            for m in waiting.get(b, ()):
                if m in missing:
                    missing[m].discard(b)
                    if not missing[m] or b in after_one.get(m, ()):
                        del missing[m]
                        heapq.heappush(heap, (degree[m], turn, m))
                        turn -= 1
    return order
