"""A mechanism compiled to arrays: the engine's memory and its kernels."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from flexor.engine import slots
from flexor.engine.assemble import assemble
from flexor.engine.equations import Equations
from flexor.engine.linear.solver import BlockSolver
from flexor.engine.linear.table import RHS
from flexor.engine.loop import STEP_COLUMNS, loop, weigh_forces
from flexor.engine.record import ENERGY_STRIDE, commit, energies, record
from flexor.engine.slaves import slave_states
from flexor.engine.state import state
from flexor.engine.step import step
from flexor.engine.tables import element_tables, slave_tables
from flexor.joints.pose_constraint import pose_constraint
from flexor.law.law import N_COEFFICIENTS, TURNING
from flexor.model.mechanism import Mechanism

KERNELS: dict[int, Callable] = {
    slots.K_SLAVES: slave_states,
    slots.K_ASSEMBLE: assemble,
    slots.K_STATE: state,
    slots.K_STEP: step,
    slots.K_COMMIT: commit,
    slots.K_ENERGIES: energies,
    slots.K_RECORD: record,
    slots.K_WEIGH: weigh_forces,
    slots.K_LOOP: loop,
}
ROWS_PER_CHUNK = 256


class System:
    """Everything the compiled loop works on. Arrays are reached as attributes of `array` by slot.

    python: run laws and kernels as plain Python (slow; for tests and debugging).
    symmetric: LDLᵀ on the symmetric part of the matrix; else LU of the whole.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        *,
        symmetric: bool = True,
        python: bool = False,
    ):
        self.mechanism = mechanism
        self.python = python
        self.equations = Equations(mechanism)
        self.solver = BlockSolver(self.equations.pattern, symmetric, python)
        self.symmetric = self.solver.symmetric
        self.arrays: dict[int, np.ndarray] = {}
        self.table: Any = [None] * slots.TABLE_SIZE if python else np.zeros(slots.TABLE_SIZE, dtype=np.int64)
        self.bodies: tuple[Any, ...] = ()
        """Declared bodies, whose limits are watched."""
        self.quaternions: list[int] = []
        """Columns of recorded rows where the orientation of an element begins."""
        self._weights = np.zeros(self.equations.pattern.n)
        self.dropped: list[int] = []
        """Equations of redundant constraints that are switched off."""
        self._fill_ints_and_floats()
        self._fill_states()
        self._fill_elements()
        self._fill_slaves()
        self._fill_scatter()
        self._fill_buffers()
        self.lock([])
        self._fill_kernels()

    # -- access ----------------------------------------------------------------------------------------------

    def __getitem__(self, slot: int) -> np.ndarray:
        return self.arrays[slot]

    @property
    def ints(self) -> np.ndarray:
        return self.arrays[slots.INTS]

    @property
    def floats(self) -> np.ndarray:
        return self.arrays[slots.FLOATS]

    def nodes(self, slot: int) -> np.ndarray:
        """Array of a nodal quantity, one row per node."""
        return self.arrays[slot].reshape(len(self.mechanism.nodes), -1)

    @cached_property
    def node_rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Independent nodes, and the six equations of each."""
        nodes = self.arrays[slots.NODE_LIST]
        return nodes, self.arrays[slots.NODE_EQ][nodes][:, None] + np.arange(6)

    @cached_property
    def multiplier_rows(self) -> np.ndarray:
        """Equation of each multiplier."""
        counts = self.records[:, slots.E_MULTIPLIERS]
        first = np.repeat(self.records[:, slots.E_LAM_EQ], counts)
        return first + np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)

    @property
    def matrix(self) -> str:
        """How it is factorised: symmetric (LDLᵀ), unsymmetric (LU), pivoted."""
        return "pivoted" if self.solver.pivoted else "symmetric" if self.symmetric else "unsymmetric"

    @cached_property
    def layout(self) -> dict[str, np.ndarray]:
        """What the arrays of a state belong to, in their order: names, and floats of history and multipliers per element."""
        m = self.mechanism
        return {
            "node_names": np.array([node.name for node in m.nodes], dtype=np.str_),
            "scalar_names": np.array([scalar.name for scalar in m.scalars], dtype=np.str_),
            "element_names": np.array([element.name for element in m.elements], dtype=np.str_),
            "history_sizes": np.array([len(element.history) for element in m.elements], dtype=np.int64),
            "multiplier_counts": np.array([element.n_multipliers for element in m.elements], dtype=np.int64),
        }

    def add_nodal(self, slot: int, vector: np.ndarray) -> None:
        """Add a vector in equation order to a nodal quantity with six components."""
        nodes, rows = self.node_rows
        self.nodes(slot)[nodes] += vector[rows]

    def call(self, slot: int) -> int:
        """Run a kernel; releases the interpreter lock while it runs."""
        if self.python:
            return int(self.table[slot](self.table))
        return int(self._functions[slot](self.table.ctypes.data))

    def set(self, slot: int, array: np.ndarray) -> None:
        array = np.ascontiguousarray(array).reshape(-1)
        self.arrays[slot] = array
        self.table[slot] = array if self.python else array.ctypes.data

    # -- filling ---------------------------------------------------------------------------------------------

    def _fill_ints_and_floats(self) -> None:
        m = self.mechanism
        ints = np.zeros(slots.INTS_SIZE, dtype=np.int64)
        ints[slots.N_NODES] = len(m.nodes)
        ints[slots.N_SCALARS] = len(m.scalars)
        ints[slots.N_MULTIPLIERS] = sum(element.n_multipliers for element in m.elements)
        ints[slots.N_EQUATIONS] = self.equations.pattern.n
        ints[slots.N_ELEMENTS] = len(m.elements)
        ints[slots.N_SLAVES] = len(m.slaves)
        ints[slots.MAX_ITERATIONS] = 20
        ints[slots.MODIFIED] = 1
        ints[slots.PREDICT] = 1
        ints[slots.RECORD_EVERY] = 1
        self.set(slots.INTS, ints)
        floats = np.zeros(slots.FLOATS_SIZE)
        floats[slots.BIG] = 1e30
        floats[slots.CONTRACTION] = 1.0
        floats[slots.DROPPED_TOLERANCE] = 1e-5
        floats[slots.LENGTH_SCALE] = self.length_scale()
        self.set(slots.FLOATS, floats)
        coefficients = np.zeros(N_COEFFICIENTS)
        coefficients[4:7] = m.gravity
        coefficients[7] = 1.0
        self.set(slots.COEFFICIENTS, coefficients)

    def length_scale(self) -> float:
        """Largest dimension of the model.   FTG (7.36)"""
        points = [node.x for node in self.mechanism.nodes[1:]]
        for slave in self.mechanism.slaves:
            points.append(self.mechanism.nodes[slave.node].x)
        for element in self.mechanism.elements:
            if element.law is pose_constraint:
                node = self.mechanism.nodes[element.nodes[1]]
                points.append(node.x + node.R @ np.asarray(element.floats[12:15]))
        if not points:
            return 1.0
        extent = float(np.ptp(np.array([*points, np.zeros(3)]), axis=0).max())
        return extent if extent > 1e-9 else 1.0

    def _fill_states(self) -> None:
        m = self.mechanism
        n, ns, nl = len(m.nodes), len(m.scalars), int(self.ints[slots.N_MULTIPLIERS])
        x = np.array([node.x for node in m.nodes])
        R = np.array([node.R for node in m.nodes])
        v = np.array([node.v for node in m.nodes])
        s = np.array([[scalar.value, scalar.rate, 0.0] for scalar in m.scalars]).reshape(-1)
        for now, begin, value in (
            (slots.X, slots.X0, x),
            (slots.ROT, slots.ROT0, R),
            (slots.VEL, slots.VEL0, v),
            (slots.S, slots.S0, s),
        ):
            self.set(now, np.array(value, dtype=float))
            self.set(begin, np.array(value, dtype=float))
        for slot in (slots.ACC, slots.ACC0, slots.PROPER, slots.PSEUDO, slots.PSEUDO0, slots.PSEUDO_OLD):
            self.set(slot, np.zeros(6 * n))
        for slot in (slots.S_PSEUDO, slots.S_PSEUDO0, slots.S_PSEUDO_OLD):
            self.set(slot, np.zeros(ns))
        for slot in (slots.LAM, slots.LAM0, slots.LAM_OLD):
            self.set(slot, np.zeros(nl))
        for slot in (slots.RESIDUAL_VECTOR, slots.INCREMENT, slots.FORCE_BIAS):
            self.set(slot, np.zeros(self.equations.pattern.n))
        self.set(slots.NODE_ORIGIN, np.array([node.p_NO for node in m.nodes], dtype=float))
        self.set(slots.NODE_EQ, self.equations.node_equations.astype(np.int64))
        start = self.equations.pattern.start
        self.set(slots.SCALAR_EQ, (start[self.equations.scalar_block] + self.equations.scalar_inner).astype(np.int64))
        independent = np.flatnonzero(self.equations.node_block >= 0).astype(np.int64)
        self.set(slots.NODE_LIST, independent)
        self.ints[slots.N_INDEPENDENT] = len(independent)
        own = np.array([node for node in independent if m.nodes[node].own_axes], dtype=np.int64)
        self.set(slots.OWN_AXES, own)
        self.ints[slots.N_OWN_AXES] = len(own)
        kinds = self.equations.kinds()
        self.set(slots.NORM_KIND, kinds)
        weights = np.where(kinds == 0, 1.0 / self.floats[slots.LENGTH_SCALE] ** 2, np.where(kinds < 3, 1.0, 0.0))
        self.set(slots.NORM_WEIGHT, weights)
        self.floats[slots.NORM_SUM_WEIGHT] = max(float(weights.sum()), 1e-300)

    def _fill_elements(self) -> None:
        m = self.mechanism
        self.laws = list(dict.fromkeys(element.law for element in m.elements))
        if self.python:
            self.table[slots.LAWS] = [getattr(law, "evaluate", law.function) for law in self.laws]
        else:
            self.set(slots.LAWS, np.array([law.address for law in self.laws], dtype=np.int64))
        for slot, array in element_tables(m, self.equations, self.laws).items():
            self.set(slot, array)
        self.records = self.arrays[slots.ELEMENTS].reshape(-1, slots.ELEMENT_STRIDE)
        self.ints[slots.N_HISTORY_ELEMENTS] = len(self.arrays[slots.HISTORY_ELEMENTS])

    def _fill_slaves(self) -> None:
        for slot, array in slave_tables(self.mechanism, self.equations).items():
            self.set(slot, array)

    def _fill_scatter(self) -> None:
        entries, starts = self.equations.scatter(self.symmetric)
        n = len(self.mechanism.elements)
        self.set(slots.SCATTER, entries)
        stride = slots.SCATTER_STRIDE
        self.records[:, slots.E_SCATTER] = starts[:n] * stride
        self.records[:, slots.E_SCATTER_COUNT] = np.diff(starts)[:n]
        slaves = self.arrays[slots.SLAVES].reshape(-1, slots.SLAVE_STRIDE)
        slaves[:, slots.L_SCATTER] = starts[n:-1] * stride
        slaves[:, slots.L_SCATTER_COUNT] = np.diff(starts)[n:]
        self.table[slots.LINEAR] = self.solver.table_pointer
        self.ints[slots.SYMMETRIC] = int(self.symmetric)
        self._aim_solver()

    def _aim_solver(self) -> None:
        """Let the linear solver work on the increment in place."""
        increment = self.arrays[slots.INCREMENT]
        self.solver._table[RHS] = increment if self.python else increment.ctypes.data

    def use_lu(self) -> None:
        """Factorise the whole, unsymmetric matrix from now on."""
        if self.symmetric:
            self.solver.use_lu()
            self.symmetric = False
            self._fill_scatter()
            self.ints[slots.FACTORED] = 0

    def use_pivoted(self) -> None:
        """Factorise by a general sparse LU with pivoting over the whole matrix: slow, robust."""
        self.use_lu()
        self.solver.use_pivoted()
        self.ints[slots.FACTORED] = 0

    def _fill_buffers(self) -> None:
        m = self.mechanism
        n_nodes = max((len(e.nodes) for e in m.elements), default=1)
        size = max((e.size for e in m.elements), default=1)
        wide = max(
            [len(c) for c in self.equations.condensed.values()] + [len(c) for c in self.equations.slave_columns] + [1]
        )
        for slot, length in (
            (slots.BUFFER_X, 3 * n_nodes), (slots.BUFFER_R, 9 * n_nodes), (slots.BUFFER_V, 6 * n_nodes), (slots.BUFFER_A, 6 * n_nodes),
            (slots.BUFFER_S, 3 * max((len(e.scalars) for e in m.elements), default=1)), (slots.BUFFER_LAM, size),
            (slots.BUFFER_RESIDUAL, size), (slots.BUFFER_MATRIX, size * size), (slots.BUFFER_T, 2 * size * wide),
            (slots.BUFFER_W, size * wide), (slots.BUFFER_K2, wide * wide), (slots.ENERGY_TOTALS, 6),
            (slots.BUFFER_SCRATCH, max((max(e.law.scratch, e.scratch) for e in m.elements), default=8)),
            (slots.ENERGY_STATE, ENERGY_STRIDE * len(m.elements)), (slots.STEP_ROWS, STEP_COLUMNS * ROWS_PER_CHUNK),
        ):  # fmt: skip
            self.set(slot, np.zeros(max(length, 1)))
        self.ints[slots.STEP_ROWS_MAX] = ROWS_PER_CHUNK
        for slot in (slots.RECORD_NODES, slots.RECORD_SCALARS, slots.RECORD_SLAVES, slots.RECORD_ELEMENTS):
            self.set(slot, np.zeros(0, dtype=np.int64))
        self.set(slots.ROWS, np.zeros(1))

    def lock(self, equations: list[int], sizes: np.ndarray | None = None) -> None:
        """Switch equations off: the locked degrees of freedom of nodes, and the given redundant constraints.

        sizes: what the opening of each constraint is measured by, e.g. the model's size [m] or 1 rad.
        """
        self.dropped = list(equations)
        measure = np.full(len(equations), self.floats[slots.LENGTH_SCALE]) if sizes is None else sizes
        eqs = np.concatenate([self._locked_freedoms, np.array(self.dropped, dtype=np.int64)])
        self.set(slots.LOCKED_EQ, eqs)
        self.set(slots.LOCKED_VALUE, self.equations.diagonal(eqs))
        self.set(slots.LOCKED_SIZE, np.concatenate([np.ones(len(self._locked_freedoms)), measure]))
        self.ints[slots.N_LOCKED] = len(eqs)
        self.ints[slots.FACTORED] = 0
        self._set_weights()

    @cached_property
    def _locked_freedoms(self) -> np.ndarray:
        """Equations of the degrees of freedom that nodes do not have."""
        start, block = self.equations.pattern.start, self.equations.node_block
        found = [
            start[block[i]] + dof for i, node in enumerate(self.mechanism.nodes) if block[i] >= 0 for dof in node.locked
        ]
        return np.array(found, dtype=np.int64)

    def support(self, acts_on: dict[int, list[int]], weights: np.ndarray) -> None:
        """Let constraints support coordinates without inertia in the linear solver (see `flexor.engine.linear.support`)."""
        self._weights = weights
        self.solver.support(acts_on, weights)
        self._set_weights()
        self.ints[slots.FACTORED] = 0

    def _set_weights(self) -> None:
        """Constraints that are switched off support nothing."""
        self.solver.weights[:] = self._weights
        self.solver.weights[self.dropped] = 0.0

    def _fill_kernels(self) -> None:
        self._functions: dict[int, Any] = {}
        for slot, kernel in KERNELS.items():
            if self.python:
                self.table[slot] = kernel
            else:
                from flexor.law.compile import compiled

                address = int(compiled(kernel, "kernel").address)
                self.table[slot] = address
                self._functions[slot] = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(address)

    # -- evaluation ------------------------------------------------------------------------------------------

    def evaluate(self, want: int, cK: float = 1.0, cC: float = 0.0, cM: float = 0.0) -> int:
        """Residual and, if wanted, matrix at the present state."""
        self.ints[slots.WANT] = want
        self.arrays[slots.COEFFICIENTS][:3] = cK, cC, cM
        self.arrays[slots.COEFFICIENTS][TURNING] = 0.0
        return self.call(slots.K_ASSEMBLE)
