"""Factors A = L Lᵀ of a definite matrix by dense fronts (Duff and Reid 1983), and solutions of eight columns at a time.

A front holds the rows of the equations that are eliminated in it, F₁ = [A₁₁ A₁₂], and what it leaves to its parent:

    A₁₁ = UᵀU,   U₁₂ = U⁻ᵀA₁₂,   S = Σ_children − U₁₂ᵀU₁₂

U and S are LAPACK's. [U U₁₂] is kept in groups of eight columns whose values stand side by side: a solution reads the factor from
end to end, once downwards and once upwards, for eight columns at a time. U₁₂ is such a solution with U, of eight columns of A₁₂,
in the place where it is kept: in half the time of LAPACK's for fronts of our sizes.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse
from scipy.linalg.blas import dsyrk
from scipy.linalg.lapack import dpotrf

from flexor.law.record import Record, integers_at, kernel_at, numbers_at
from flexor.law.table import AddressTable
from flexor.reduce.dissection import dissection
from flexor.reduce.front_substitution import backwards, forwards, lay, put, triangle
from flexor.reduce.front_tree import FrontTree, front_tree
from flexor.reduce.pardiso import NotFactorised, Pardiso, graph_of_nodes, installed
from flexor.reduce.sparse_rows import LANES, aligned
from flexor.threads import few_threads

MUCH = 3.5e6
"""Work of a factor for each node above which its graph is asked for a better order, which takes 3e5 operations' time a node."""


class Update(Record):
    """What a front leaves to its parent."""

    values = numbers_at("upper triangle of S, column by column")


class FrontTable(Record):
    """The matrix, its tree and its factor."""

    assemble = kernel_at("makes a front of the matrix and of what children left")
    eliminate = kernel_at("finds U₁₂, and puts a front where solutions read it")
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
    front = numbers_at("scratch: [A₁₁ A₁₂], then [U U₁₂], column by column")
    work = numbers_at("scratch: eight columns of a front")
    span = integers_at("columns of B that are taken: the first, of how many, how many")
    given = numbers_at("B")
    found = numbers_at("A⁻¹B")
    x = numbers_at("eight columns, side by side, in the order of elimination")


def assemble(F: FrontTable):
    """Kernel: the front [A₁₁ A₁₂], and S, before it is factorised."""
    g, first, rows, row_start, local = F.which[0], F.first, F.rows, F.row_start, F.local
    begin, k = first[g], first[g + 1] - first[g]
    below, r = row_start[g], row_start[g + 1] - row_start[g]
    A, S = F.front, Update(F.updates, g).values
    for j in range(k):
        for i in range(j + 1):
            A[j * k + i] = 0.0
    for i in range(k * k, k * (k + r)):
        A[i] = 0.0
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
                A[local[j] * k + i] = entries[q]
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
            A,
            S,
        )
        c = F.sibling[c]
    return 0


def add_update(from_child, size, rows, own, local, runs, k, r, A, S):
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
                to = column * k + runs[3 * o + 2]
                for i in range(runs[3 * o], min(runs[3 * o + 1], b + 1)):
                    A[to + i] += from_child[source + i]
            for o in range(inside, q + 1):
                to = (column - k) * r - k + runs[3 * o + 2]
                for i in range(runs[3 * o], min(runs[3 * o + 1], b + 1)):
                    S[to + i] += from_child[source + i]


def substitute(F: FrontTable):
    """Kernel: some columns of A⁻¹B."""
    fronts, first, rows, row_start, panel = F.which[1], F.first, F.rows, F.row_start, F.panel
    U, x, order, span = F.factor, F.x, F.order, F.span
    for i in range(first[fronts]):
        lay(x, 8 * i, F.given, order[i] * span[1] + span[0], span[2])
    for g in range(fronts):
        k, r = first[g + 1] - first[g], row_start[g + 1] - row_start[g]
        forwards(U, panel[g], k, r, rows, row_start[g], x, 8 * first[g])
    for i in range(fronts):
        g = fronts - 1 - i
        k, r = first[g + 1] - first[g], row_start[g + 1] - row_start[g]
        backwards(U, panel[g], k, r, rows, row_start[g], x, 8 * first[g])
    for i in range(first[fronts]):
        put(F.found, order[i] * span[1] + span[0], span[2], x, 8 * i)
    return 0


def eliminate(F: FrontTable):
    """Kernel: U₁₂ of a front of which U is known, and both where solutions read them: eight columns side by side."""
    g, first, row_start = F.which[0], F.first, F.row_start
    k, r = first[g + 1] - first[g], row_start[g + 1] - row_start[g]
    A, U, u, work = F.front, F.factor, F.panel[g], F.work
    for c in range(0, k - 7, 8):
        side_by_side(A, c * k, k, c + 8, 8, U, u + c * k)
    for i in range(k - k % 8, k):
        for j in range(i + 1):
            U[u + i * k + j] = A[i * k + j]
    for c in range(k, k + r, 8):
        many = min(8, k + r - c)
        if many < 8:
            for i in range(8 * k):
                work[i] = 0.0
        side_by_side(A, c * k, k, k, many, work, 0)
        triangle(U, u, k, work, 0)
        one_by_one(work, 0, A, c * k, k, many)
        if many == 8:
            for i in range(8 * k):
                U[u + c * k + i] = work[i]
        else:
            for i in range(c * k, (k + r) * k):
                U[u + i] = A[i]
    return 0


def side_by_side(A, a, k, rows, columns, U, u):
    """The first rows of up to eight columns of length k, as lanes."""
    for j in range(rows):
        for i in range(columns):
            U[u + 8 * j + i] = A[a + i * k + j]


def one_by_one(U, u, A, a, k, columns):
    """Lanes as columns of length k."""
    for i in range(columns):
        for j in range(k):
            A[a + i * k + j] = U[u + 8 * j + i]


KERNELS: tuple[Callable, ...] = (assemble, eliminate, substitute)


class Fronts:
    """Factors of a real definite matrix, stored in full; nodes: (n,) number, from 0, of the node of each equation;
    points: (n, 3) where that is."""

    library = "Fronts"

    def __init__(
        self,
        A: sparse.csc_matrix,
        definite: bool,
        nodes: np.ndarray | None = None,
        points: np.ndarray | None = None,
    ) -> None:
        if not definite or np.iscomplexobj(A.data):
            raise ImportError("fronts are for real definite matrices only")
        nodes = np.arange(A.shape[0]) if nodes is None else nodes
        tree, n = _tree(graph_of_nodes(A, nodes), nodes, points), A.shape[0]
        self.tree = tree
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
            ("starts", np.asarray(A.indptr, dtype=np.int64)),
            ("columns", np.asarray(A.indices, dtype=np.int64)),
            ("entries", np.asarray(A.data, dtype=float)),
            ("panel", panel),
            ("factor", np.empty(panel[-1])),
            ("updates", np.zeros(len(sizes), dtype=np.int64)),
            ("local", np.zeros(n, dtype=np.int64)),
            ("front", np.empty(int((sizes * (sizes + below)).max(initial=0)))),
            ("work", aligned(int(sizes.max(initial=0)))),
            ("runs", np.zeros(3 * int(below.max(initial=0)), dtype=np.int64)),
        ):
            self._table.set(name, array)
        self._table.set("x", aligned(n))
        self._table.set("span", np.zeros(3, dtype=np.int64))
        for kernel in KERNELS:
            self._table.set_kernel(kernel.__name__, kernel)
        with few_threads():  # most fronts are small: threads that wait for each other took ten times as long
            self._factorise(sizes.tolist(), below.tolist())
        for name in ("starts", "columns", "entries", "updates", "front"):
            self._table.set(name, np.zeros(0))

    def _factorise(self, sizes: list[int], below: list[int]) -> None:
        memory = self._table.view
        which, updates = memory.which, memory.updates
        places, stacks = _stacked(self.tree.parent, below)
        for g, (k, r) in enumerate(zip(sizes, below, strict=True)):
            stack, at = places[g]
            S = stacks[stack][at : at + r * r].reshape((r, r), order="F")
            which[0], updates[g] = g, S.ctypes.data
            self._table.call("assemble")
            front = memory.front[: k * (k + r)].reshape((k, k + r), order="F")
            _, wrong = dpotrf(front[:, :k], lower=0, clean=0, overwrite_a=1)
            if wrong:
                raise NotFactorised(int(self.tree.order[self.tree.first[g] + wrong - 1]))
            self._table.call("eliminate")
            if r:
                dsyrk(-1.0, front[:, k:], beta=1.0, c=S, trans=1, lower=0, overwrite_c=1)

    def solve(self, b: np.ndarray) -> np.ndarray:
        """x of A x = b, for one or several columns."""
        b = np.asarray(b, dtype=float)
        columns = b.reshape(len(b), -1)
        x = np.empty(columns.shape)
        self._table.set("given", columns)
        self._table.set("found", x)
        for j in range(0, columns.shape[1], LANES):
            self._table.view.span[:] = j, columns.shape[1], min(LANES, columns.shape[1] - j)
            self._table.call("substitute")
        return x.reshape(b.shape)


def _tree(graph: sparse.csr_matrix, nodes: np.ndarray, points: np.ndarray | None) -> FrontTree:
    """By where the nodes are, where that is known, or by their graph alone, where that may be worth its time."""
    placed = None
    if points is not None:
        at = np.empty((graph.shape[0], 3))
        at[nodes] = points
        placed = front_tree(graph, dissection(graph, at), nodes)
        if placed.work <= MUCH * graph.shape[0] or not installed():
            return placed
    connected = front_tree(graph, Pardiso.ordering(graph), nodes)
    return connected if placed is None or connected.work < placed.work else placed


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
