"""What is looked at in the middle of runs, compiled: how far reduced bodies bend, and the forces of some terms alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from flexor.engine.assemble import call_term
from flexor.engine.memory import Memory, TermRecord
from flexor.engine.system import System
from flexor.law import RESIDUAL
from flexor.law.lanes import lane4, load4, plus4, zeros4
from flexor.law.primitives import at
from flexor.law.record import Record, integers_at, kernel_at, numbers_at, record_at
from flexor.law.rotation_vector import rotation_vector
from flexor.law.table import AddressTable
from flexor.law.tuples import mat, mm, mtv, norm, store, sub, transpose, vec

LANES = 4
"""Sampled displacements that are found together."""


class BentTable(Record):
    """Bodies with equally many points and modes, which deform linearly in z = [moves and turns of points against the first; modes]."""

    bend = kernel_at("how far each bends")
    system = record_at(Memory, "the model")
    counts = integers_at("of bodies, and of points and modes of each")
    nodes = integers_at("of the points")
    scalars = integers_at("of the modes")
    points = numbers_at("from the first point of the undeformed body, in its axes", "m")
    strips = integers_at("number of each body's strips of four sampled displacements along each axis")
    begins = integers_at("where its shapes begin")
    shapes = numbers_at("of all: by axes, strips and coordinates, four each")
    lengths = numbers_at("of the bodies", "m")
    z = numbers_at("scratch")
    bent = numbers_at("the most that was found: deflection over length, as of a body clamped at one end")
    turned = numbers_at("likewise: turn of a point against the first", "rad")


def bend(T: BentTable):
    """Kernel: bent = max(bent, 4 |spans of the displacements|/length), turned = max(turned, |ψ| of the points)."""
    r = 6 * T.counts[1] + T.counts[2]
    for body in range(T.counts[0]):
        _coordinates(T, body)
        for i in range(T.counts[1]):
            T.turned[body] = max(T.turned[body], norm(vec(T.z, 6 * i + 3)))
        square, o = 0.0, T.begins[body]
        for _ in range(3):
            low, high = 1e300, -1e300
            for _ in range(T.strips[body]):
                u = zeros4()
                for j in range(r):
                    u = plus4(u, T.z[j], load4(T.shapes, o + 4 * j))
                low = min(low, min(min(lane4(u, 0), lane4(u, 1)), min(lane4(u, 2), lane4(u, 3))))
                high = max(high, max(max(lane4(u, 0), lane4(u, 1)), max(lane4(u, 2), lane4(u, 3))))
                o += 4 * r
            if high > low:
                square += (high - low) * (high - low)
        T.bent[body] = max(T.bent[body], 4.0 * square**0.5 / T.lengths[body])
    return 0


def _coordinates(T, body):
    """z of a body."""
    points, modes, z = T.counts[1], T.counts[2], T.z
    x, R, s = T.system.x, T.system.R, T.system.s
    nodes, scalars = at(T.nodes, points * body), at(T.scalars, modes * body)
    for i in range(points):
        base = mat(R, 9 * nodes[0])
        moved = mtv(base, sub(vec(x, 3 * nodes[i]), vec(x, 3 * nodes[0])))
        store(z, 6 * i, sub(moved, vec(T.points, 3 * (points * body + i))))
        store(z, 6 * i + 3, rotation_vector(mm(transpose(base), mat(R, 9 * nodes[i]))))
    for i in range(modes):
        z[6 * points + i] = s[3 * scalars[i]]


def in_lanes(shapes: np.ndarray) -> np.ndarray:
    """(3, strips, r, 4) of displacements (3 m, r), first all along x; the last one of each axis fills up."""
    by_axes = shapes.reshape(3, len(shapes) // 3, -1)
    missing = -by_axes.shape[1] % LANES
    whole = np.concatenate([by_axes, *[by_axes[:, -1:]] * missing], axis=1)
    return np.ascontiguousarray(whole.reshape(3, -1, LANES, shapes.shape[1]).swapaxes(2, 3))


class ForceTable(Record):
    """Terms whose forces are asked for."""

    find = kernel_at("forces of each term alone")
    system = record_at(Memory, "the model")
    count = integers_at("how many terms")
    terms = integers_at("their numbers")
    forces = numbers_at("what each puts into the residual of its nodes", "N, N m")


def find_forces(T: ForceTable):
    """Kernel: residuals of the terms, rows of nodes, one behind the other."""
    system, o = T.system, 0
    for i in range(T.count[0]):
        d = TermRecord(system.terms, T.terms[i])
        call_term(system, d, RESIDUAL, at(system.lam, d.lam))
        for j in range(6 * d.nodes):
            T.forces[o + j] = system.buffer_residual[j]
        o += 6 * d.nodes
    return 0


class ForcesAlone:
    """What each of some terms alone puts into the residuals of its nodes: forces and moments (n, 2, 3), in the order of the nodes."""

    def __init__(self, system: System, terms: Sequence[int]) -> None:
        self._table = AddressTable(ForceTable, system.python)
        self._forces = np.zeros((sum(len(system.mechanism.terms[term].nodes) for term in terms), 2, 3))
        self._table.set("system", system.table)
        self._table.set("count", np.array([len(terms)]))
        self._table.set("terms", np.array(terms, dtype=np.int64))
        self._table.set("forces", self._forces)
        self._table.set_kernel("find", find_forces)

    def now(self) -> np.ndarray:
        """In the present state."""
        self._table.call("find")
        return self._forces


class MotionTable(Record):
    """How large forces and motions are."""

    measure = kernel_at("how large they are")
    system = record_at(Memory, "the model")
    sizes = numbers_at("of the largest multiplier, force of a follower, velocity, acceleration and scalar")


def measure(T: MotionTable):
    """Kernel: sizes of the largest of each."""
    system, run, sizes = T.system, T.system.run, T.sizes
    sizes[0] = _largest(system.lam, run.n_multipliers, 1)
    sizes[1] = _largest(system.follower_force, 6 * run.n_followers, 1)
    sizes[2] = _largest(system.v, 6 * run.n_nodes, 1)
    sizes[3] = _largest(system.a, 6 * run.n_nodes, 1)
    sizes[4] = _largest(system.s, run.n_scalars, 3)
    return 0


def _largest(these, count, stride):
    """Size of the largest of so many numbers that stand a stride apart."""
    found = 0.0
    for i in range(count):
        found = max(found, abs(these[stride * i]))
    return found


class MotionSizes:
    """Sizes of the largest multiplier, force of a follower, velocity, acceleration and scalar."""

    def __init__(self, system: System) -> None:
        self._table, self._sizes = AddressTable(MotionTable, system.python), np.zeros(5)
        self._table.set("system", system.table)
        self._table.set("sizes", self._sizes)
        self._table.set_kernel("measure", measure)

    def sizes(self) -> np.ndarray:
        """(5,) now."""
        self._table.call("measure")
        return self._sizes.copy()


KERNELS: tuple[Callable, ...] = (bend, find_forces, measure)
