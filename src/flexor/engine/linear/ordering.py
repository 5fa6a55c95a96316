"""In which order to eliminate the blocks.

Minimum degree on the graph of blocks, each weighted by its size, with a rule of precedence for multipliers: the
diagonal of a multiplier block is zero until the bodies it acts on have been eliminated. After *all* of them its
pivot is −G M⁻¹ Gᵀ over all its bodies, regular whenever the constraints are. After *one* body it is −G_b M_b⁻¹ G_bᵀ
over that body alone; this needs independent constraints on that body, and loses accuracy as they use up its
freedom. It is allowed where

    rows of the multiplier ≤ ½ (rows of the body − rows of all other multipliers on it)

so that a hub with many spherical joints can be eliminated last and does not fill the matrix.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

import numpy as np
from scipy import sparse

Graph = list[set[int]]


def early_bodies(graph: Graph, rows: Sequence[int], multiplier: Sequence[bool]) -> dict[int, set[int]]:
    """For each multiplier block the bodies of which one alone may precede it."""
    taken = {
        body: sum(rows[m] for m in graph[body] if multiplier[m])
        for body in range(len(graph))
        if not multiplier[body]
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
    """Elimination order by minimum weighted degree.

    Block m comes after all blocks of `after_all[m]`, or after any one of `after_one[m]`. If blocks wait for each
    other in a circle (merged groups only), the one of smallest degree goes first.
    """
    n = len(graph)
    adjacent = [set(neighbours) for neighbours in graph]
    missing = {m: set(blocks) for m, blocks in after_all.items() if blocks}
    waits_for_me: dict[int, list[int]] = {}
    for m, blocks in missing.items():
        for b in blocks:
            waits_for_me.setdefault(b, []).append(m)
    degree = [sum(weights[i] for i in neighbours) for neighbours in adjacent]
    heap = [(degree[i], i) for i in range(n) if i not in missing]
    heapq.heapify(heap)
    done = [False] * n
    order: list[int] = []
    while len(order) < n:
        if not heap:
            blocked = min(missing, key=lambda m: (m in after_one, degree[m]))
            del missing[blocked]
            heap.append((degree[blocked], blocked))
        d, k = heapq.heappop(heap)
        if done[k] or d != degree[k]:
            continue
        done[k] = True
        order.append(k)
        clique = adjacent[k]
        adjacent[k] = set()
        for i in clique:
            neighbours = adjacent[i]
            neighbours |= clique
            neighbours.discard(i)
            neighbours.discard(k)
            degree[i] = sum(map(weights.__getitem__, neighbours))
            if i not in missing:
                heapq.heappush(heap, (degree[i], i))
        for m in waits_for_me.get(k, ()):
            if m in missing:
                missing[m].discard(k)
                if not missing[m] or k in after_one.get(m, ()):
                    del missing[m]
                    heapq.heappush(heap, (degree[m], m))
    return order


def multiple_minimum_degree(graph: Graph) -> list[int]:
    """SuperLU's multiple minimum degree order of the graph, for matrices without multipliers."""
    from scipy.sparse.linalg import splu

    n = len(graph)
    counts = np.array([len(neighbours) for neighbours in graph])
    columns = np.fromiter((j for neighbours in graph for j in neighbours), dtype=np.int64, count=counts.sum())
    rows = np.repeat(np.arange(n), counts)
    laplacian = sparse.coo_array((np.full(len(rows), -1.0), (rows, columns)), shape=(n, n))
    dominant = (laplacian + sparse.diags_array(counts + 1.0)).tocsc()
    factors = splu(dominant, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})
    order = np.empty(n, dtype=np.int64)
    order[factors.perm_c] = np.arange(n)
    return order.tolist()
