"""Who computes what of a tree that several processes share: branches of it are theirs, its top is computed by all alike.

A process evaluates the laws that touch its own bodies and the joints of the top, and sweeps through its branches. What it needs of others stands at
the borders of their branches: D and r there, and the motion of those bodies that laws of several processes touch.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field

import numpy as np

from flexor.engine.memory import TermRecord
from flexor.engine.system import System
from flexor.hierarchy.memory import READING, Cell, JointRows, TreeMemory, TreeNumbers
from flexor.hierarchy.runge_kutta import NODE
from flexor.hierarchy.tables import Cells, columns_of
from flexor.law.table import AddressTable

PIECES = 4
"""Branches per process, at most, into which a tree is divided for equal work."""
EVEN = 1.15
"""Work of the busiest process, relative to the mean, that is even enough."""
LAWS = 1500.0
"""What it costs to evaluate the laws of a body, in multiplications."""


@dataclass
class TreeShare:
    """Of each process: roots of its branches, and its bodies; and what the one at hand computes, as numbers in the tree's arrays.

    order: its subsystems, then those of the top.   n_branch: how many of these are its own.   common: bodies that several processes need.
    """

    roots: list[list[int]]
    cells: list[list[int]]
    order: np.ndarray
    n_branch: int
    terms: np.ndarray
    joints: np.ndarray
    equations: np.ndarray
    joints_of: list[list[int]] = field(default_factory=list)
    common: list[list[int]] = field(default_factory=list)


def whole(n_subsystems: int, n_terms: int, n_joints: int, n_equations: int) -> TreeShare:
    """All of it, for one process."""
    every = (np.arange(n_terms), np.arange(n_joints), np.arange(n_equations))
    return TreeShare([[]], [[]], np.arange(n_subsystems), 0, *every)


def put_part(table: AddressTable[TreeMemory], numbers: TreeNumbers, part: TreeShare) -> None:
    """Let kernels compute a part."""
    numbers.n_branch, numbers.n_order = part.n_branch, len(part.order)
    lists = {"own_terms": part.terms, "own_joints": part.joints, "own_equations": part.equations}
    for name, own in lists.items():
        setattr(numbers, f"n_{name}", len(own))
    for name, own in {"order": part.order, **lists}.items():
        table.set(name, np.append(own, 0).astype(np.int64))


def work_of(subsystems: np.ndarray) -> np.ndarray:
    """About how many multiplications the sweeps take in each subsystem, the laws of bodies included."""
    c, n, m = (subsystems[name].astype(float) for name in ("rows", "inner", "border"))
    return 12 * n * c + 2 * c**3 + c**2 * m + m**2 * c + LAWS * (subsystems["left"] < 0)


def branches(subsystems: np.ndarray, count: int) -> list[list[int]]:
    """Roots of the branches of each of so many processes: the largest subsystem is divided until work is about even."""
    if not len(subsystems):
        return [[] for _ in range(count)]
    work = np.cumsum(work_of(subsystems))
    size = np.ones(len(subsystems), dtype=int)
    for i, (left, right) in enumerate(zip(subsystems["left"], subsystems["right"], strict=True)):
        if left >= 0:
            size[i] += size[left] + size[right]
    own = [float(work[i] - (work[i - size[i]] if i >= size[i] else 0.0)) for i in range(len(subsystems))]
    heap = [(-own[-1], len(subsystems) - 1)]
    best: tuple[float, list[list[int]]] | None = None
    while True:
        loads = [(0.0, k) for k in range(count)]
        dealt: list[list[int]] = [[] for _ in range(count)]
        for negative, root in sorted(heap):
            load, k = heapq.heappop(loads)
            dealt[k].append(root)
            heapq.heappush(loads, (load - negative, k))
        busiest = max(load for load, _ in loads)
        if best is None or busiest < 0.97 * best[0]:
            best = busiest, dealt
        largest = heap[0][1]
        if len(heap) >= PIECES * count or busiest <= EVEN * own[-1] / count or subsystems["left"][largest] < 0:
            return best[1]
        heapq.heappop(heap)
        for side in ("left", "right"):
            child = int(subsystems[side][largest])
            heapq.heappush(heap, (-own[child], child))


def share(
    system: System, cells: Cells, kinds: np.ndarray, memory: TreeMemory, subsystems: np.ndarray, rank: int, count: int
) -> TreeShare:
    """What one of `count` processes computes."""
    roots = branches(subsystems, count)
    owner = np.full(len(subsystems), -1)
    for k, own in enumerate(roots):
        stack = list(own)
        while stack:
            i = stack.pop()
            owner[i] = k
            if subsystems["left"][i] >= 0:
                stack += [int(subsystems["left"][i]), int(subsystems["right"][i])]
    of_cell = np.zeros(len(cells.members), dtype=int)
    leaves = subsystems["cell"] >= 0
    of_cell[subsystems["cell"][leaves]] = owner[leaves]
    joints_of: list[list[int]] = [[] for _ in range(count)]
    top: list[int] = []
    for i, (first, many) in enumerate(zip(subsystems["joints"], subsystems["joint_count"], strict=True)):
        (top if owner[i] < 0 else joints_of[owner[i]]).extend(range(int(first), int(first + many)))
    at_top = {int(JointRows(memory.joints, q).term) for q in top}
    terms = system.mechanism.terms
    read = {name for term in terms for name, _ in term.reads}
    own_terms, common = [], set()
    for e, term in enumerate(terms):
        touched = sorted({int(cells.of_equation[eq]) for eq in columns_of(system, term.nodes, term.scalars)} - {-1})
        owners = {int(of_cell[cell]) for cell in touched}
        if len(owners) > 1 or e in at_top or (kinds[e] & READING and term.name in read):
            common.update(touched)
        if rank in owners or not owners or e in at_top:
            own_terms.append(e)
    order = np.concatenate([np.flatnonzero(owner == rank), np.flatnonzero(owner < 0)])
    return TreeShare(
        roots=roots,
        cells=[np.flatnonzero(of_cell == k).tolist() for k in range(count)],
        order=order,
        n_branch=int((owner == rank).sum()),
        terms=np.array(own_terms, dtype=np.int64),
        joints=np.array(joints_of[rank] + top, dtype=np.int64),
        equations=np.array(
            [eq for cell in np.flatnonzero(of_cell == rank) for eq in cells.members[cell]], dtype=np.int64
        ),
        joints_of=joints_of,
        common=[sorted(cell for cell in common if of_cell[cell] == k) for k in range(count)],
    )


def border_places(subsystems: np.ndarray, roots: list[int], name: str) -> np.ndarray:
    """Where r or D at the borders of branches stand in their arrays."""
    size = {"r": 1, "D": 2}[name]
    places = [
        np.arange(subsystems[name][root], subsystems[name][root] + int(subsystems["border"][root]) ** size)
        for root in roots
    ]
    return np.concatenate([*places, np.zeros(0, dtype=np.int64)])


def port_places(memory: TreeMemory, own: list[int]) -> np.ndarray:
    """Where the mobilities of bodies alone stand, by which those along constraints are measured."""
    found = [np.zeros(0, dtype=np.int64)]
    for number in own:
        cell = Cell(memory.cells, number)
        found.append(np.arange(int(cell.r), int(cell.r) + int(cell.width)))
    return np.concatenate(found)


def state_places(
    system: System, cells: Cells, memory: TreeMemory, own: list[int], joints: list[int]
) -> dict[str, np.ndarray]:
    """Where states of bodies and multipliers of joints stand in the engine's arrays."""
    members, T = set(own), system.memory
    nodes = np.array([n for n in T.node_list if int(cells.of_equation[T.node_eq[n]]) in members], dtype=np.int64)
    scalars = np.array(
        [i for i, eq in enumerate(T.scalar_eq) if int(cells.of_equation[int(eq)]) in members], dtype=np.int64
    )
    lam: list[int] = []
    for q in joints:
        joint = JointRows(memory.joints, q)
        first = int(TermRecord(T.terms, int(joint.term)).lam)
        lam += range(first, first + int(joint.rows))
    return {
        "x": _spread(nodes, 3),
        "R": _spread(nodes, 9),
        "v": _spread(nodes, 6),
        "a": _spread(nodes, 6),
        "s": _spread(scalars, 3),
        "lam": np.array(lam, dtype=np.int64),
    }


def _spread(numbers: np.ndarray, width: int) -> np.ndarray:
    return (width * numbers[:, None] + np.arange(width)).reshape(-1)


def state_weights(system: System, cells: Cells, weights: np.ndarray, own: list[int]) -> np.ndarray:
    """Weights of errors, zero for bodies of others."""
    members, T = set(own), system.memory
    kept = [int(cells.of_equation[T.node_eq[n]]) in members for n in T.node_list]
    scalars = [int(cells.of_equation[int(eq)]) in members for eq in T.scalar_eq[: int(system.run.n_scalars)]]
    return weights * np.concatenate([np.repeat(kept, NODE), np.repeat(scalars, 2)])
