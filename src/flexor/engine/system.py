"""A mechanism compiled to arrays: the engine's memory and its kernels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.engine.accelerations import accelerate, advance
from flexor.engine.assemble import assemble, guess
from flexor.engine.cost import dearness, renewal
from flexor.engine.equations import Equations
from flexor.engine.followers import follower_states, nothing_follows
from flexor.engine.linear.solver import BlockSolver
from flexor.engine.loop import loop, weigh_forces
from flexor.engine.memory import (
    MULTIPLIER,
    READING,
    TRANSLATION,
    FollowerRecord,
    Memory,
    RunRecord,
    Scatter,
    StepRow,
    TermEnergy,
    TermRecord,
    TotalEnergy,
)
from flexor.engine.signals import commit, energies, record
from flexor.engine.state import state
from flexor.engine.step import step
from flexor.engine.strings import side_by_side
from flexor.engine.tables import at_cache_line, follower_tables, parameters_of, term_tables
from flexor.engine.transitions import begin_anew, switch
from flexor.engine.turned import LONG
from flexor.joints.pose_constraint import marker_b, pose_constraint
from flexor.law import RESIDUAL, Remembered
from flexor.law.face import AT_REST, Coefficients
from flexor.law.record import Record
from flexor.law.string import STRING, STRUNG
from flexor.law.table import AddressTable
from flexor.model.mechanism import Mechanism
from flexor.spatial import stacked

if TYPE_CHECKING:
    from flexor.bodies import Body
    from flexor.forces import MeshLoad

KERNELS: dict[str, Callable] = {
    "follow": follower_states,
    "guess": guess,
    "assemble": assemble,
    "state": state,
    "accelerate": accelerate,
    "advance": advance,
    "step": step,
    "commit": commit,
    "switch": switch,
    "begin_anew": begin_anew,
    "energies": energies,
    "write": record,
    "weigh": weigh_forces,
    "loop": loop,
}
LATER: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("guess", "step", "switch", "weigh"), ()),
    "begin_anew": ("switch", "weigh"),
    "loop": ("step", "weigh", "begin_anew"),
}
"""Kernels that are compiled when they are called first, as not every analysis does, each with those of them that it calls."""
ROWS_PER_CHUNK = 256


class System:
    """Everything the compiled loop works on: arrays by name in `memory`, settings and clock in `run`.

    python: run laws and kernels as plain Python (slow; for tests and debugging).
    symmetric: LDLᵀ on the symmetric part of the matrix; else LU of the whole.
    relays: followers that cut long chains of them (`flexor.engine.relays`), for time steps.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        *,
        symmetric: bool = True,
        python: bool = False,
        relays: tuple[int, ...] = (),
    ):
        self.mechanism = mechanism
        self.python = python
        self.equations = Equations(mechanism, relays)
        self.solver = BlockSolver(self.equations.pattern, symmetric, python)
        self.symmetric = self.solver.symmetric
        self.table = AddressTable(Memory, python)
        self.memory = self.table.view
        """The engine's arrays by name."""
        self.run = RunRecord(np.zeros(RunRecord.WORDS))
        """Counts, settings, clock and counters."""
        self.gravity = np.array(mechanism.gravity, dtype=float)
        """Gravity where all loads act [m/s²]; `share_loads` lets a change of it act."""
        self.bodies: tuple[Body, ...] = ()
        """Declared bodies, whose limits are watched."""
        self.mesh_loads: tuple[MeshLoad, ...] = ()
        """Declared loads on the meshes of bodies."""
        self.watched: Any = None
        """What watches their limits in the next run (`flexor.solve.linear_bodies`), where it is ready."""
        self.jolts: tuple[str, ...] = ()
        """Names of what moves parts with jumps of their velocity or acceleration."""
        self.quaternions: list[int] = []
        """Columns of recorded rows where the orientation of a term begins."""
        self.for_accelerations = False
        """Whether the factors are those of the equations for accelerations; known where these have just been solved."""
        self._weights = np.zeros(self.equations.pattern.n)
        self.dropped: list[int] = []
        """Equations of redundant constraints that are switched off."""
        self._fill_run()
        self._fill_states()
        self._fill_terms()
        self._fill_followers()
        self._fill_scatter()
        self._fill_buffers()
        self.lock([])
        self._fill_kernels()

    # -- access ----------------------------------------------------------------------------------------------

    def nodes(self, name: str) -> np.ndarray:
        """Array of a nodal quantity, one row per node."""
        return getattr(self.memory, name).reshape(len(self.mechanism.nodes), -1)

    @property
    def terms(self) -> np.ndarray:
        """A structured view: fields of all terms as columns."""
        return self.memory.terms.view(TermRecord.dtype())

    @property
    def followers(self) -> np.ndarray:
        """Likewise of the followers."""
        return self.memory.followers.view(FollowerRecord.dtype())

    @cached_property
    def node_rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Independent nodes, and the six equations of each."""
        nodes = self.memory.node_list
        return nodes, self.memory.node_eq[nodes][:, None] + np.arange(6)

    @cached_property
    def multiplier_rows(self) -> np.ndarray:
        """Equation of each multiplier."""
        counts = self.terms["own"]
        first = np.repeat(self.terms["lam_eq"], counts)
        return first + np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)

    @cached_property
    def is_coordinate(self) -> np.ndarray:
        """Of each equation: whether it is that of a coordinate; not a constraint, nor padding or a locked freedom."""
        return np.less(self.memory.norm_kind, MULTIPLIER)

    @cached_property
    def is_constraint(self) -> np.ndarray:
        """Of each equation: whether it is a constraint, switched off or not."""
        return np.equal(self.memory.norm_kind, MULTIPLIER)

    @cached_property
    def reads(self) -> bool:
        """Whether forces may depend, in any way, on what is read of others: accelerations, reactions, readings."""
        return bool(np.any(self.memory.norm_kind == READING)) or bool(len(self.memory.term_reads))

    @property
    def coordinates(self) -> np.ndarray:
        """Equations of coordinates."""
        return np.flatnonzero(self.is_coordinate)

    @property
    def constraints(self) -> np.ndarray:
        """Equations of constraints, without those that are switched off."""
        found = np.flatnonzero(self.is_constraint)
        return found[~np.isin(found, self.dropped)]

    @property
    def matrix(self) -> str:
        """How it is factorised: symmetric (LDLᵀ), unsymmetric (LU), pivoted."""
        return "pivoted" if self.solver.pivoted else "symmetric" if self.symmetric else "unsymmetric"

    @cached_property
    def layout(self) -> dict[str, np.ndarray]:
        """What the arrays of a state belong to, in their order: names, and floats of history and multipliers per term."""
        m = self.mechanism
        return {
            "node_names": np.array([node.name for node in m.nodes], dtype=np.str_),
            "scalar_names": np.array([scalar.name for scalar in m.scalars], dtype=np.str_),
            "element_names": np.array([term.name for term in m.terms], dtype=np.str_),
            "history_sizes": np.array([len(term.history) for term in m.terms], dtype=np.int64),
            "multiplier_counts": self.terms["own"].copy(),
        }

    def place(self, term: int, what: Remembered) -> int:
        """Where in `history` a term of this number holds a joint variable."""
        return int(self.terms["h"][term]) + self.mechanism.terms[term].place(what.field, what.item)

    def open_regimes(self) -> None:
        """Laws with regimes have not decided on theirs: as before a run, in statics."""
        for i in self.memory.with_transitions:
            self.memory.history[int(self.terms["h"][i]) + self.mechanism.terms[int(i)].place("regime")] = 0.0

    def add_nodal(self, name: str, vector: np.ndarray) -> None:
        """Add a vector in equation order to a nodal quantity with six components."""
        nodes, rows = self.node_rows
        self.nodes(name)[nodes] += vector[rows]

    def copy(self, *names: str) -> dict[str, np.ndarray]:
        """Copies of arrays, to be put back by `put`."""
        return {name: getattr(self.memory, name).copy() for name in names}

    def put(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Overwrite arrays by these values."""
        for name, values in arrays.items():
            getattr(self.memory, name)[:] = values

    def zero(self, *names: str) -> None:
        """Set arrays to zero."""
        for name in names:
            getattr(self.memory, name)[:] = 0.0

    def call(self, kernel: str) -> int:
        """Run a kernel by its name in the memory; releases the interpreter lock while it runs."""
        return self.table.call(kernel)

    def set(self, name: str, value: np.ndarray | Record | AddressTable) -> None:
        """Let a name of the memory lead to another array or record."""
        self.table.set(name, value)

    # -- filling ---------------------------------------------------------------------------------------------

    def _fill_run(self) -> None:
        m, run = self.mechanism, self.run
        self.set("run", run)
        run.n_nodes = len(m.nodes)
        run.n_scalars = len(m.scalars)
        run.n_multipliers = sum(term.n_multipliers for term in m.terms)
        run.n_equations = self.equations.pattern.n
        run.n_terms = len(m.terms)
        run.n_followers = len(m.followers)
        run.max_iterations = 20
        run.modified = 1
        run.predict = 1
        run.record_every = 1
        run.big = 1e30
        run.contraction = 1.0
        run.dropped_tolerance = 1e-5
        run.length_scale = self.length_scale()
        self.set("coefficients", Coefficients(np.zeros(Coefficients.WORDS)))
        self.share_loads(1.0)

    def length_scale(self) -> float:
        """Largest dimension of the model.   FTG (7.36)"""
        points = [node.x for node in self.mechanism.nodes[1:]]
        for follower in self.mechanism.followers:
            points.append(self.mechanism.nodes[follower.node].x)
        joints = [
            (self.mechanism.nodes[term.nodes[1]], marker_b(term.parameters))
            for term in self.mechanism.terms
            if term.law is pose_constraint and term.parameters is not None
        ]
        if joints:
            x, R = stacked([node.x for node, _ in joints], 3), stacked([node.R for node, _ in joints], 3, 3)
            p = stacked([p for _, p in joints], 3)
            points.append((x + (R @ p[..., None])[..., 0]).ravel())
        if not points:
            return 1.0
        extent = float(np.ptp(np.concatenate([*points, np.zeros(3)]).reshape(-1, 3), axis=0).max())
        return extent if extent > 1e-9 else 1.0

    def _fill_states(self) -> None:
        m = self.mechanism
        n, ns, nl = len(m.nodes), len(m.scalars), int(self.run.n_multipliers)
        x, v = stacked([node.x for node in m.nodes], 3), stacked([node.v for node in m.nodes], 6)
        R = stacked([node.R for node in m.nodes], 3, 3)
        s = np.array([[scalar.value, scalar.rate, 0.0] for scalar in m.scalars]).reshape(-1)
        for now, begin, value in (
            ("x", "x0", x),
            ("R", "R0", R),
            ("v", "v0", v),
            ("s", "s0", s),
        ):
            self.set(now, np.array(value, dtype=float))
            self.set(begin, np.array(value, dtype=float))
        for name in ("a", "a0", "proper", "pseudo", "pseudo0", "pseudo_old", "jerk"):
            self.set(name, np.zeros(6 * n))
        for name in ("s_pseudo", "s_pseudo0", "s_pseudo_old", "s_jerk"):
            self.set(name, np.zeros(ns))
        for name in ("lam", "lam0", "lam_old"):
            self.set(name, np.zeros(nl))
        for name in ("residual", "increment", "force_bias"):
            self.set(name, np.zeros(self.equations.pattern.n))
        self.set("node_origin", stacked([node.p_NO for node in m.nodes], 3))
        self.set("node_eq", self.equations.node_equations.astype(np.int64))
        self.set("node_follower", self.equations.node_followers.astype(np.int64))
        start = self.equations.pattern.start
        self.set("scalar_eq", (start[self.equations.scalar_block] + self.equations.scalar_inner).astype(np.int64))
        independent = np.flatnonzero((self.equations.node_block >= 0) & (self.equations.node_followers < 0)).astype(
            np.int64
        )
        self.set("node_list", independent)
        self.run.n_independent = len(independent)
        own = np.array([node for node in independent if m.nodes[node].own_axes], dtype=np.int64)
        self.set("own_axes", own)
        turns = not (self.run.n_multipliers or self.equations.relays)
        turned = {node for term in (m.terms if turns else ()) if term.law.turns for node in term.nodes}
        turning = [node for node in independent if node in turned and not m.nodes[node].locked]
        self.set("turning", np.array(turning, dtype=np.int64))
        self.set("R_matrix", np.array(R, dtype=float))
        self.run.n_turning = len(self.memory.turning)
        self.run.life_turned = self.run.life_fixed = LONG
        self.run.n_own_axes = len(own)
        kinds = self.equations.kinds()
        self.set("norm_kind", kinds)
        straight = kinds == TRANSLATION
        weights = np.where(straight, 1.0 / self.run.length_scale**2, np.where(self.is_coordinate, 1.0, 0.0))
        self.set("norm_weight", weights)
        self.run.norm_sum_weight = max(float(weights.sum()), 1e-300)

    def _fill_terms(self) -> None:
        m = self.mechanism
        self.laws = list(dict.fromkeys(term.law for term in m.terms))
        if self.python:
            self.memory.laws = [  # type: ignore[assignment]
                getattr(law, "evaluate", law.function) for law in self.laws
            ]
        else:
            self.set("laws", np.array([law.address for law in self.laws], dtype=np.int64))
        for name, array in term_tables(m, self.equations, self.laws, self.python).items():
            self.set(name, array)
        strings = [law.string if len(self.memory.string_parameters) else None for law in self.laws]
        if self.python:
            self.memory.strings = [each and each.function for each in strings]  # type: ignore[assignment]
        else:
            self.set("strings", np.array([each.address if each else 0 for each in strings], dtype=np.int64))
        self.run.renewal = renewal(self.equations.pattern, self.terms["size"][self.terms["acts"] < 0])
        self.run.dearness = dearness(self.run.renewal)
        self.run.n_with_history = len(self.memory.with_history)
        self.run.n_counting = sum(m.terms[i].law.counts_turns for i in self.memory.with_history)
        self.run.count_turns = 1
        self.run.n_transitions = len(self.memory.with_transitions)
        self.run.n_limits = len(self.memory.with_limits)
        self.run.n_states = len(self.memory.with_states)
        told = {law for law in self.laws if law.told_by_unknowns}
        self.run.n_blocks = sum(term.law in told and bool(term.outputs) for term in m.terms) if told else 0
        self.run.n_clocks = len(self.memory.clocks) // 2

    def _fill_followers(self) -> None:
        for name, array in follower_tables(self.mechanism, self.equations).items():
            self.set(name, array)
        self.run.n_driven = len(self.memory.drives)
        self.run.n_relays = len(self.memory.relays)

    def _fill_scatter(self) -> None:
        entries, starts = self.equations.scatter(self.symmetric)
        n = len(self.mechanism.terms)
        self.set("scatter", entries)
        self.terms["scatter"] = starts[:n] * Scatter.WORDS
        self.terms["scatter_count"] = np.diff(starts)[:n]
        self.followers["scatter"] = starts[n:-1] * Scatter.WORDS
        self.followers["scatter_count"] = np.diff(starts)[n:]
        self.set("linear", self.solver.table)
        self.run.symmetric = int(self.symmetric)
        self.solver.table.set("rhs", self.memory.increment)  # it works on the increment in place

    def refill(self, mechanism: Mechanism) -> None:
        """Take over the numbers of another mechanism with the same nodes, scalars, terms and followers: equations, matrix and kernels stay.

        As after it was made, no constraint is switched off, and nothing is supported.
        """
        if self.dropped or self.solver.n_supporting:
            self._weights = np.zeros(self.equations.pattern.n)
            self.solver.support({}, self._weights)
        self.mechanism = self.equations.mechanism = mechanism
        self.gravity[:] = mechanism.gravity
        self.run._memory[:] = 0
        self._fill_run()
        self._fill_states()
        self._fill_terms()
        self._fill_followers()
        self._fill_scatter()
        self._fill_buffers()
        self.solver.reset()
        self.lock([])

    def rewrite(self, mechanism: Mechanism) -> bool:
        """Take over the parameters of the terms of another mechanism that differs in nothing else; False where they have other places."""
        begins, floats = parameters_of(mechanism.terms, self.python)
        if begins != self.terms["p"].tolist() or len(floats) != len(self.memory.p_parameters):
            return False
        self.memory.p_parameters[:] = floats
        firsts = np.flatnonzero(self.terms["string"] >= 0)
        self.memory.string_parameters[:] = side_by_side(mechanism.terms, firsts, self.python).reshape(-1)
        self.mechanism = self.equations.mechanism = mechanism
        return True

    def use_lu(self) -> None:
        """Factorise the whole, unsymmetric matrix from now on."""
        if self.symmetric:
            self.solver.use_lu()
            self.symmetric = False
            self._fill_scatter()
            self.run.factored = 0

    def use_pivoted(self) -> None:
        """Factorise by a general sparse LU with pivoting over the whole matrix: slow, robust."""
        self.use_lu()
        self.solver.use_pivoted()
        self.run.factored = 0

    def _fill_buffers(self) -> None:
        m = self.mechanism
        terms = self.terms
        n_nodes, size, scalars = (int(terms[each].max(initial=0)) for each in ("nodes", "size", "scalars"))
        wide = max(
            [len(c) for c in self.equations.condensed.values()]
            + [
                len(c) + (12 if i in self.equations.tie_block else 0)
                for i, c in enumerate(self.equations.follower_columns)
            ]
            + [1]
        )
        for name, length in (
            ("buffer_x", 3 * n_nodes), ("buffer_R", 9 * n_nodes), ("buffer_v", 6 * n_nodes), ("buffer_a", 6 * n_nodes),
            ("buffer_s", 3 * scalars), ("buffer_lam", size), ("buffer_reads", size),
            ("buffer_residual", max(size, STRING * STRUNG) if len(self.memory.string_parameters) else size),
            ("buffer_matrix", size * size), ("buffer_half", size * wide),
            ("buffer_condensed", wide * wide), ("energy_totals", TotalEnergy.WORDS),
            ("buffer_scratch", self._workspace()),
            ("energy_state", TermEnergy.WORDS * len(m.terms)), ("step_rows", StepRow.WORDS * ROWS_PER_CHUNK),
        ):  # fmt: skip
            self.set(name, at_cache_line(max(length, 1)))
        self.run.step_rows_max = ROWS_PER_CHUNK
        for name in ("record_nodes", "record_scalars", "record_followers", "record_terms"):
            self.set(name, np.zeros(0, dtype=np.int64))
        self.set("rows", np.zeros(1))

    def _workspace(self) -> int:
        """Floats of scratch that the hungriest term needs."""
        own = [term.workspace for term in self.mechanism.terms if term.scratch or term.law.duals]
        return max([*(law.scratch for law in self.laws), *own], default=8)

    def lock(self, equations: list[int], sizes: np.ndarray | None = None) -> None:
        """Switch equations off: the locked degrees of freedom of nodes, and the given redundant constraints.

        sizes: what the opening of each constraint is measured by, e.g. the model's size [m] or 1 rad.
        """
        self.dropped = list(equations)
        measure = np.full(len(equations), self.run.length_scale) if sizes is None else sizes
        eqs = np.concatenate([self._locked_freedoms, np.array(self.dropped, dtype=np.int64)])
        self.set("locked_eq", eqs)
        self.set("locked_value", self.equations.diagonal(eqs))
        self.set("locked_size", np.concatenate([np.ones(len(self._locked_freedoms)), measure]))
        self.run.n_locked = len(eqs)
        self.run.factored = 0
        self._set_weights()

    @cached_property
    def _locked_freedoms(self) -> np.ndarray:
        """Equations of the degrees of freedom that nodes do not have."""
        first = self.equations.node_equations.tolist()
        found = [
            eq + dof for eq, node in zip(first, self.mechanism.nodes, strict=True) if eq >= 0 for dof in node.locked
        ]
        return np.array(found, dtype=np.int64)

    def support(self, acts_on: dict[int, list[int]], weights: np.ndarray) -> None:
        """Let constraints support coordinates without inertia in the linear solver (see `flexor.engine.linear.support`)."""
        self._weights = weights
        self.solver.support(acts_on, weights)
        self._set_weights()
        self.run.factored = 0

    def _set_weights(self) -> None:
        """Constraints that are switched off support nothing."""
        self.solver.weights[:] = self._weights
        self.solver.weights[self.dropped] = 0.0

    def _fill_kernels(self) -> None:
        kernels = KERNELS if self.mechanism.followers else {**KERNELS, "follow": nothing_follows}
        for name, kernel in kernels.items():
            if name in LATER:
                self.table.set_kernel_later(name, kernel, LATER[name])
            else:
                self.table.set_kernel(name, kernel)

    # -- evaluation ------------------------------------------------------------------------------------------

    def share_loads(self, factor: float) -> None:
        """Let this share of gravity and of all applied loads act."""
        c = self.memory.coefficients
        c.gravity[:] = factor * self.gravity
        c.load = factor

    @contextmanager
    def alone(self, term: int) -> Iterator[None]:
        """Kernels see one term only, by its number; what it puts into its rows is left in `buffer_residual`."""
        terms, count = self.memory.terms, int(self.run.n_terms)
        self.set("terms", terms.reshape(len(self.mechanism.terms), -1)[term].copy())
        self.run.n_terms = 1
        try:
            yield
        finally:
            self.set("terms", terms)
            self.run.n_terms = count

    def residuals_alone(self, terms: Sequence[int]) -> list[np.ndarray]:
        """What each of some terms alone puts into the residuals of its rows; the residual of the system is then that of the last one."""
        found: list[np.ndarray] = []
        records = self.memory.terms.reshape(len(self.mechanism.terms), -1)
        with self.alone(0):
            one, residual = self.memory.terms, self.memory.buffer_residual
            for term in terms:
                one[:] = records[term]
                self.evaluate(RESIDUAL) if not found else self.call("assemble")
                found.append(residual.copy())
        return found

    def evaluate(self, want: int, cK: float = 1.0, cC: float = 0.0, cM: float = 0.0) -> int:
        """Residual and, if wanted, matrix at the present state."""
        self.run.want = want
        c = self.memory.coefficients
        c.K, c.C, c.M, c.turning, c.states = cK, cC, cM, 0.0, AT_REST
        return self.call("assemble")
