"""A graph cut into two halves of about equal weight by few edges: small graphs first, then larger ones.

The multilevel method of Hendrickson & Leland (1995) and Karypis & Kumar (1998): neighbours are merged until few are left, these are cut, and the
cut is led back to the graph, where vertices change sides as long as that saves edges (Fiduccia & Mattheyses 1982). Nothing is left to chance: the
same graph is always cut alike.
"""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

FEW = 40
"""Vertices of a graph that is cut without being merged further."""
STARTS = 4
"""Vertices from which halves are grown."""
SHARE = 0.3
"""Part of the weight that the lighter half has at least, where vertices are light enough."""
PATIENCE = 60
"""Changes of sides without a gain after which there is no hope."""
PASSES = 6


@dataclass(frozen=True)
class Graph:
    """weights: of vertices.   near: of each vertex, its neighbours and the weight of the edge to them."""

    weights: Sequence[int]
    near: Sequence[dict[int, int]]


def halves(graph: Graph) -> list[bool]:
    """Of each vertex of a connected graph: whether it lies in the second half. Neither half is empty."""
    if len(graph.weights) <= FEW:
        return _first_cut(graph)
    merged, of = _merged(graph)
    if len(merged.weights) > 0.9 * len(graph.weights):  # a star: little can be merged
        return _first_cut(graph)
    coarse = halves(merged)
    return _refined(graph, [coarse[each] for each in of])


def _merged(graph: Graph) -> tuple[Graph, list[int]]:
    """Every vertex merged with the neighbour of the heaviest edge that is still free; and what each vertex has become."""
    n = len(graph.weights)
    of = [-1] * n
    limit = 3 * sum(graph.weights) // FEW + 1
    count = 0
    for v in sorted(range(n), key=lambda v: (len(graph.near[v]), v)):
        if of[v] >= 0:
            continue
        free = [
            (-weight, graph.weights[u], u)
            for u, weight in graph.near[v].items()
            if of[u] < 0 and graph.weights[u] + graph.weights[v] <= limit
        ]
        of[v] = count
        if free:
            of[min(free)[2]] = count
        count += 1
    weights = [0] * count
    near: list[dict[int, int]] = [{} for _ in range(count)]
    for v in range(n):
        weights[of[v]] += graph.weights[v]
        for u, weight in graph.near[v].items():
            if of[u] != of[v]:
                near[of[v]][of[u]] = near[of[v]].get(of[u], 0) + weight
    return Graph(weights, near), of


def _first_cut(graph: Graph) -> list[bool]:
    """The best of some halves, each grown from one vertex."""
    starts: list[int] = [0]
    distance = _distances(graph, [0])
    while len(starts) < min(STARTS + 1, len(graph.weights)):  # far from one another
        starts.append(max(range(len(distance)), key=lambda v: (distance[v], -v)))
        distance = _distances(graph, starts)
    return min((_refined(graph, _grown(graph, start)) for start in starts[1:]), key=lambda side: _worth(graph, side))


def _distances(graph: Graph, starts: Sequence[int]) -> list[int]:
    """Edges from the nearest of some vertices."""
    found = [-1] * len(graph.weights)
    for start in starts:
        found[start] = 0
    queue = deque(starts)
    while queue:
        v = queue.popleft()
        for u in graph.near[v]:
            if found[u] < 0:
                found[u] = found[v] + 1
                queue.append(u)
    return found


def _grown(graph: Graph, start: int) -> list[bool]:
    """A half that takes in the neighbour that saves most edges, one by one."""
    half, inside = sum(graph.weights) / 2, 0
    side = [False] * len(graph.weights)
    gain = {start: 0}
    while gain:
        v = max(gain, key=lambda v: (gain[v], -v))
        if inside and inside + graph.weights[v] / 2 > half:
            break
        del gain[v]
        side[v] = True
        inside += graph.weights[v]
        for u, weight in graph.near[v].items():
            if not side[u]:
                gain[u] = gain.get(u, -sum(graph.near[u].values())) + 2 * weight
    if all(side):
        side[start] = False
    return side


def _worth(graph: Graph, side: list[bool]) -> tuple[int, int]:
    """Weight of the edges that are cut, and of the difference between both halves: less is better."""
    cut = sum(w for v, near in enumerate(graph.near) for u, w in near.items() if side[u] != side[v]) // 2
    return cut, abs(sum(w if right else -w for w, right in zip(graph.weights, side, strict=True)))


def _refined(graph: Graph, side: list[bool]) -> list[bool]:
    """Vertices change sides one by one, each once in a pass, the most useful one first; of all these states the best one is kept."""
    total = sum(graph.weights)
    least = min(SHARE * total, total / 2 - max(graph.weights) / 2)
    for _ in range(PASSES):
        weight = sum(w for w, right in zip(graph.weights, side, strict=True) if right)
        gains: dict[int, int] = {}
        for v, near in enumerate(graph.near):
            across = sum(w for u, w in near.items() if side[u] != side[v])
            if across:
                gains[v] = 2 * across - sum(near.values())
        heap = [(-gain, v) for v, gain in gains.items()]
        heapq.heapify(heap)
        moved: list[int] = []
        locked: set[int] = set()
        saved = best = 0
        best_gap, kept = abs(total - 2 * weight), 0
        held: list[tuple[int, int]] = []
        while heap and len(moved) - kept < PATIENCE:
            negative, v = heapq.heappop(heap)
            if v in locked or -negative != gains[v]:
                continue
            after = weight + (-graph.weights[v] if side[v] else graph.weights[v])
            if min(after, total - after) < least and abs(total - 2 * after) >= abs(total - 2 * weight):
                held.append((negative, v))
                continue
            locked.add(v)
            moved.append(v)
            saved += gains[v]
            weight = after
            side[v] = not side[v]
            for u, w in graph.near[v].items():
                if u in locked:
                    continue
                if u in gains:
                    gains[u] += 2 * w if side[u] != side[v] else -2 * w
                else:
                    gains[u] = 2 * sum(e for k, e in graph.near[u].items() if side[k] != side[u]) - sum(
                        graph.near[u].values()
                    )
                heapq.heappush(heap, (-gains[u], u))
            for each in held:
                heapq.heappush(heap, each)
            held = []
            gap = abs(total - 2 * weight)
            legal = min(weight, total - weight) > 0
            if legal and (saved > best or (saved == best and gap < best_gap)):
                best, best_gap, kept = saved, gap, len(moved)
        for v in moved[kept:]:
            side[v] = not side[v]
        if not kept:
            break
    return side
