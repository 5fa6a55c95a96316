"""Factors A = L Lᵀ of a definite matrix by dense fronts (Duff and Reid 1983), and solutions of eight columns at a time.

A front holds the rows of the equations that are eliminated in it, F₁ = [A₁₁ A₁₂], and what it leaves to its parent:

    A₁₁ = UᵀU,   U₁₂ = U⁻ᵀA₁₂,   S = Σ_children − U₁₂ᵀU₁₂

The dense steps are LAPACK's. Their results are kept as [U U₁₂] column by column, so that each row of L is contiguous, and a
solution reads the factor once downwards and once upwards for eight columns, whose values stand side by side.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.linalg.blas import dsyrk, dtrsm
from scipy.linalg.lapack import dpotrf

from flexor.law.lanes import load8, minus8, store8, times8
from flexor.law.record import Record, integers_at, kernel_at, numbers_at
from flexor.law.table import AddressTable
from flexor.reduce.front_tree import front_tree
from flexor.reduce.pardiso import NotFactorised, Pardiso, graph_of_nodes

LANES = 8
"""Columns that are solved for together."""


class Update(Record):
    """What a front leaves to its parent."""

    values = numbers_at("upper triangle of S, column by column")


class FrontTable(Record):
    """The matrix, its tree and its factor."""

    assemble = kernel_at("makes a front of the matrix and of what children left")
    substitute = kernel_at("solves")
    which = integers_at("front to be assembled; number of fronts")
    order = integers_at("equation at each place")
    place = integers_at("of each equation")
    first = integers_at("place of the first equation of each front")
    rows = integers_at("places below each front")
    row_start = integers_at("where they begin")
    child = integers_at("first child of each front, or −1")
    sibling = integers_at("next child of the same parent, or −1")
    starts = integers_at("where the rows of the matrix begin")
    columns = integers_at("their columns")
    entries = numbers_at("their values")
    panel = integers_at("where each front begins in the factor")
    factor = numbers_at("[U U₁₂] of all fronts")
    updates = integers_at("an Update each")
    local = integers_at("scratch: number in the front of each place")
    runs = integers_at("scratch: rows of a child that are neighbours in the front: begin, end, shift")
    x = numbers_at("eight columns, side by side")


def assemble(F: FrontTable):
    """Kernel: the front [A₁₁ A₁₂] in the place of its factor, and S, before it is factorised."""
    g, first, rows, row_start, local = F.which[0], F.first, F.rows, F.row_start, F.local
    begin, k = first[g], first[g + 1] - first[g]
    below, r = row_start[g], row_start[g + 1] - row_start[g]
    U, p = F.factor, F.panel[g]
    S = Update(F.updates, g).values
    for i in range(k * (k + r)):
        U[p + i] = 0.0
    for j in range(r):
        for i in range(j + 1):
            S[j * r + i] = 0.0
    for i in range(k):
        local[begin + i] = i
    for i in range(r):
        local[rows[below + i]] = k + i
    starts, columns, entries, order, place = F.starts, F.columns, F.entries, F.order, F.place
    for i in range(k):
        equation = order[begin + i]
        for q in range(starts[equation], starts[equation + 1]):
            j = place[columns[q]]
            if j >= begin + i:
                U[p + local[j] * k + i] = entries[q]
    c = F.child[g]
    while c >= 0:
        add_update(
            Update(F.updates, c).values,
            row_start[c + 1] - row_start[c],
            rows,
            row_start[c],
            local,
            F.runs,
            k,
            r,
            U,
            p,
            S,
        )
        c = F.sibling[c]
    return 0


def add_update(from_child, size, rows, own, local, runs, k, r, U, p, S):
    """Add what a child left, whose rows stand at rows[own]: runs of them are neighbours here too."""
    count, inside = 0, 0  # runs; those of rows that are eliminated here
    a = 0
    while a < size:
        here = local[rows[own + a]]
        b = a + 1
        while b < size and local[rows[own + b]] == here + b - a and (here >= k or here + b - a < k):
            b += 1
        runs[3 * count], runs[3 * count + 1], runs[3 * count + 2] = a, b, here - a
        count += 1
        if here < k:
            inside = count
        a = b
    for q in range(count):
        for b in range(runs[3 * q], runs[3 * q + 1]):
            column, source = b + runs[3 * q + 2], b * size
            for o in range(min(q + 1, inside)):
                to = p + column * k + runs[3 * o + 2]
                for i in range(runs[3 * o], min(runs[3 * o + 1], b + 1)):
                    U[to + i] += from_child[source + i]
            for o in range(inside, q + 1):
                to = (column - k) * r - k + runs[3 * o + 2]
                for i in range(runs[3 * o], min(runs[3 * o + 1], b + 1)):
                    S[to + i] += from_child[source + i]


def substitute(F: FrontTable):
    """Kernel: x ← A⁻¹ x."""
    fronts, first, rows, row_start, panel = F.which[1], F.first, F.rows, F.row_start, F.panel
    U, x = F.factor, F.x
    for g in range(fronts):
        k, r = first[g + 1] - first[g], row_start[g + 1] - row_start[g]
        forwards(U, panel[g], k, r, rows, row_start[g], x, 8 * first[g])
    for i in range(fronts):
        g = fronts - 1 - i
        k, r = first[g + 1] - first[g], row_start[g + 1] - row_start[g]
        backwards(U, panel[g], k, r, rows, row_start[g], x, 8 * first[g])
    return 0


def forwards(U, u, k, r, rows, below, x, top):
    """x₁ ← U⁻ᵀx₁, x₂ ← x₂ − U₁₂ᵀx₁, four rows at a time."""
    i = 0
    while i + 4 <= k:
        a, b, c, d = u, u + k, u + 2 * k, u + 3 * k
        xa, xb = load8(x, top + 8 * i), load8(x, top + 8 * i + 8)
        xc, xd = load8(x, top + 8 * i + 16), load8(x, top + 8 * i + 24)
        for j in range(i):
            y = load8(x, top + 8 * j)
            xa, xb, xc, xd = (
                minus8(xa, U[a + j], y),
                minus8(xb, U[b + j], y),
                minus8(xc, U[c + j], y),
                minus8(xd, U[d + j], y),
            )
        xa = times8(1.0 / U[a + i], xa)
        xb = times8(1.0 / U[b + i + 1], minus8(xb, U[b + i], xa))
        xc = times8(1.0 / U[c + i + 2], minus8(minus8(xc, U[c + i], xa), U[c + i + 1], xb))
        xd = minus8(minus8(minus8(xd, U[d + i], xa), U[d + i + 1], xb), U[d + i + 2], xc)
        xd = times8(1.0 / U[d + i + 3], xd)
        store8(x, top + 8 * i, xa)
        store8(x, top + 8 * i + 8, xb)
        store8(x, top + 8 * i + 16, xc)
        store8(x, top + 8 * i + 24, xd)
        u += 4 * k
        i += 4
    while i < k:
        xa = load8(x, top + 8 * i)
        for j in range(i):
            xa = minus8(xa, U[u + j], load8(x, top + 8 * j))
        store8(x, top + 8 * i, times8(1.0 / U[u + i], xa))
        u += k
        i += 1
    i = 0
    while i + 4 <= r:
        ra, rb, rc, rd = 8 * rows[below + i], 8 * rows[below + i + 1], 8 * rows[below + i + 2], 8 * rows[below + i + 3]
        xa, xb, xc, xd = load8(x, ra), load8(x, rb), load8(x, rc), load8(x, rd)
        a, b, c, d = u, u + k, u + 2 * k, u + 3 * k
        for j in range(k):
            y = load8(x, top + 8 * j)
            xa, xb, xc, xd = (
                minus8(xa, U[a + j], y),
                minus8(xb, U[b + j], y),
                minus8(xc, U[c + j], y),
                minus8(xd, U[d + j], y),
            )
        store8(x, ra, xa)
        store8(x, rb, xb)
        store8(x, rc, xc)
        store8(x, rd, xd)
        u += 4 * k
        i += 4
    while i < r:
        ra = 8 * rows[below + i]
        xa = load8(x, ra)
        for j in range(k):
            xa = minus8(xa, U[u + j], load8(x, top + 8 * j))
        store8(x, ra, xa)
        u += k
        i += 1


def backwards(U, u, k, r, rows, below, x, top):
    """x₁ ← U⁻¹(x₁ − U₁₂x₂), four columns at a time."""
    u += k * (k + r)
    i = r
    while i >= 4:
        i -= 4
        u -= 4 * k
        xa, xb = load8(x, 8 * rows[below + i]), load8(x, 8 * rows[below + i + 1])
        xc, xd = load8(x, 8 * rows[below + i + 2]), load8(x, 8 * rows[below + i + 3])
        take_four(U, u, k, k, xa, xb, xc, xd, x, top)
    while i > 0:
        i -= 1
        u -= k
        take_one(U, u, k, load8(x, 8 * rows[below + i]), x, top)
    i = k
    while i % 4 != 0:
        i -= 1
        u -= k
        xa = times8(1.0 / U[u + i], load8(x, top + 8 * i))
        store8(x, top + 8 * i, xa)
        take_one(U, u, i, xa, x, top)
    while i > 0:
        i -= 4
        u -= 4 * k
        a, b, c, d = u + i, u + k + i, u + 2 * k + i, u + 3 * k + i
        xd = times8(1.0 / U[d + 3], load8(x, top + 8 * i + 24))
        xc = times8(1.0 / U[c + 2], minus8(load8(x, top + 8 * i + 16), U[d + 2], xd))
        xb = times8(1.0 / U[b + 1], minus8(minus8(load8(x, top + 8 * i + 8), U[d + 1], xd), U[c + 1], xc))
        xa = minus8(minus8(minus8(load8(x, top + 8 * i), U[d], xd), U[c], xc), U[b], xb)
        xa = times8(1.0 / U[a], xa)
        store8(x, top + 8 * i, xa)
        store8(x, top + 8 * i + 8, xb)
        store8(x, top + 8 * i + 16, xc)
        store8(x, top + 8 * i + 24, xd)
        take_four(U, u, k, i, xa, xb, xc, xd, x, top)


def take_four(U, u, k, count, xa, xb, xc, xd, x, top):
    """x_j ← x_j − Σ U_ji x_i for four columns i, j < count."""
    a, b, c, d = u, u + k, u + 2 * k, u + 3 * k
    for j in range(count):
        y = minus8(minus8(load8(x, top + 8 * j), U[a + j], xa), U[b + j], xb)
        store8(x, top + 8 * j, minus8(minus8(y, U[c + j], xc), U[d + j], xd))


def take_one(U, u, count, xa, x, top):
    """The same for one column."""
    for j in range(count):
        store8(x, top + 8 * j, minus8(load8(x, top + 8 * j), U[u + j], xa))


class Fronts:
    """Factors of a real definite matrix, stored in full; nodes: (n,) number, from 0, of the node of each equation."""

    library = "Fronts"

    def __init__(self, A: sparse.csc_matrix, definite: bool, nodes: np.ndarray | None = None):
        if not definite or np.iscomplexobj(A.data):
            raise ImportError("fronts are for real definite matrices only")
        nodes = np.arange(A.shape[0]) if nodes is None else nodes
        graph = graph_of_nodes(A, nodes)
        tree = front_tree(graph, Pardiso.ordering(graph), nodes)
        self.tree, n = tree, A.shape[0]
        sizes, below = np.diff(tree.first), np.diff(tree.row_start)
        panel = np.concatenate([[0], np.cumsum(sizes * (sizes + below))])
        self.entries = int(panel[-1] - (sizes * (sizes - 1) // 2).sum())
        """Entries of the factor."""
        place = np.empty(n, dtype=np.int64)
        place[tree.order] = np.arange(n)
        child, sibling = _families(tree.parent)
        self._table = AddressTable(FrontTable)
        for name, array in (
            ("which", np.array([0, len(sizes)])),
            ("order", tree.order),
            ("place", place),
            ("first", tree.first),
            ("rows", tree.rows),
            ("row_start", tree.row_start),
            ("child", child),
            ("sibling", sibling),
            ("starts", A.indptr.astype(np.int64)),
            ("columns", A.indices.astype(np.int64)),
            ("entries", np.asarray(A.data, dtype=float)),
            ("panel", panel),
            ("factor", np.empty(panel[-1])),
            ("updates", np.zeros(len(sizes), dtype=np.int64)),
            ("local", np.zeros(n, dtype=np.int64)),
            ("runs", np.zeros(3 * int(below.max(initial=0)), dtype=np.int64)),
        ):
            self._table.set(name, array)
        for kernel in (assemble, substitute):
            self._table.set_kernel(kernel.__name__, kernel)
        self._factorise(sizes.tolist(), below.tolist(), panel.tolist())
        for name in ("starts", "columns", "entries", "updates"):
            self._table.set(name, np.zeros(0))

    def _factorise(self, sizes: list[int], below: list[int], panel: list[int]) -> None:
        memory = self._table.view
        which, factor, updates = memory.which, memory.factor, memory.updates
        places, stacks = _stacked(self.tree.parent, below)
        for g, (k, r) in enumerate(zip(sizes, below, strict=True)):
            stack, at = places[g]
            S = stacks[stack][at : at + r * r].reshape((r, r), order="F")
            which[0], updates[g] = g, S.ctypes.data
            self._table.call("assemble")
            front = factor[panel[g] : panel[g] + k * (k + r)].reshape((k, k + r), order="F")
            _, wrong = dpotrf(front[:, :k], lower=0, clean=0, overwrite_a=1)
            if wrong:
                raise NotFactorised(int(self.tree.order[self.tree.first[g] + wrong - 1]))
            if r:
                dtrsm(1.0, front[:, :k], front[:, k:], lower=0, trans_a=1, overwrite_b=1)
                dsyrk(-1.0, front[:, k:], beta=1.0, c=S, trans=1, lower=0, overwrite_c=1)

    def solve(self, b: np.ndarray) -> np.ndarray:
        """x of A x = b, for one or several columns."""
        b = np.asarray(b, dtype=float)
        columns = b.reshape(len(b), -1)
        x = np.empty(columns.shape)
        order = self.tree.order
        for j in range(0, columns.shape[1], LANES):
            part = columns[:, j : j + LANES]
            lanes = np.zeros((len(b), LANES))
            lanes[:, : part.shape[1]] = part[order]
            self._table.set("x", lanes)
            self._table.call("substitute")
            x[order, j : j + LANES] = lanes[:, : part.shape[1]]
        return x.reshape(b.shape)


def _stacked(parent: np.ndarray, below: list[int]) -> tuple[list[tuple[int, int]], list[np.ndarray]]:
    """Where each front keeps what it leaves: which of two stacks, and where there; and the stacks.

    A front lies on the other stack than its children, which are the last ones there and are gone after it.
    """
    depth = [0] * (len(parent) + 1)
    for g in range(len(parent) - 1, -1, -1):
        depth[g] = depth[parent[g]] + 1
    used, most = [0, 0], [0, 0]
    gone = [0] * (len(parent) + 1)  # room of the children of each
    places = []
    for g, r in enumerate(below):
        stack = depth[g] % 2
        places.append((stack, used[stack]))
        used[stack] += r * r
        most[stack] = max(most[stack], used[stack])
        used[1 - stack] -= gone[g]
        gone[parent[g]] += r * r
    return places, [np.empty(size) for size in most]


def _families(parent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(first child, next child of the same parent) of each front, −1 where there is none."""
    child, sibling = np.full(len(parent), -1), np.full(len(parent), -1)
    for g in range(len(parent) - 1, -1, -1):
        if parent[g] >= 0:
            sibling[g], child[parent[g]] = child[parent[g]], g
    return child, sibling
