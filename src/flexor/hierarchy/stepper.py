"""A mechanism solved subsystem by subsystem: its tree, and what makes the steps of a run."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from flexor.engine.diagnose import describe_failure
from flexor.engine.memory import LAW_FAILED, NOT_CONVERGED, NOT_FINITE, OK, STEP_TOO_SMALL
from flexor.engine.system import System
from flexor.errors import DivergenceError, SolveError
from flexor.hierarchy.articulated import (
    articulated_begin,
    articulated_present,
    articulated_rates,
    articulated_settle,
)
from flexor.hierarchy.crew import MOST, Crew, processors
from flexor.hierarchy.evaluate import accelerate, evaluate, present, probe
from flexor.hierarchy.links import Links, hinges
from flexor.hierarchy.loop import loop
from flexor.hierarchy.memory import (
    CONSTRAINT,
    CUT_OFF,
    LATE,
    STOPPED,
    WITHOUT_INERTIA,
    JointRows,
    Subsystem,
    TreeMemory,
    TreeNumbers,
)
from flexor.hierarchy.pace import Pace
from flexor.hierarchy.partition import Grouping, own_groups
from flexor.hierarchy.partners import Partners
from flexor.hierarchy.refuse import kinds_of, refuse_late, refuse_massless, refuse_one_sided, refuse_unmoved
from flexor.hierarchy.runge_kutta import DORMAND_PRINCE, NODE, RK4, Tableau, begin, error_weights, rates
from flexor.hierarchy.share import TreeShare, put_part, whole
from flexor.hierarchy.stabilise import settle
from flexor.hierarchy.sweeps import factor, part, solve
from flexor.hierarchy.tables import Cells, columns_of, tree_tables
from flexor.law.table import AddressTable
from flexor.solve.begin import find_way_on, set_begin
from flexor.solve.settings import DynamicsSettings
from flexor.warning import warn

KERNELS = {
    "evaluate": evaluate,
    "accelerate": accelerate,
    "factor": factor,
    "solve": solve,
    "probe": probe,
    "part": part,
}
THROUGH_TREE = {"rates": rates, "settle": settle, "present": present, "begin": begin, "loop": loop}
ARTICULATED = {
    "rates": articulated_rates,
    "settle": articulated_settle,
    "present": articulated_present,
    "begin": articulated_begin,
    "loop": loop,
}
RANK = 1e-11
"""Mobility along a constraint that counts as none, as a part of what its bodies would have alone."""
CLOSED = 1e-13
"""How far constraints may stay open, in model sizes."""
OPEN = 1e-6
"""And from where on the run has failed."""


class Tree:
    """The tree solver of a compiled mechanism.

    method: Runge–Kutta method of its steps.   stabilise: lead states back to the constraints.   groups: the user's own subsystems; the components of the model if left out.
    minimal: take joint coordinates and articulated bodies where there are no loops.
    """

    def __init__(
        self,
        system: System,
        method: Tableau = RK4,
        *,
        stabilise: bool = True,
        groups: Sequence[Grouping] | None = None,
        minimal: bool = True,
    ) -> None:
        self.system = system
        self.partners: Partners | None = None
        self.table = AddressTable(TreeMemory, system.python)
        self.memory = self.table.view
        self.numbers = TreeNumbers(np.zeros(TreeNumbers.WORDS))
        self.table.set("numbers", self.numbers)
        self.table.set("engine", system.table)
        for name, kernel in KERNELS.items():
            self.table.set_kernel(name, kernel)
        self.kinds = kinds_of(system)
        self.table.set("term_kind", self.kinds)
        terms = system.mechanism.terms
        self.table.set("lender", np.repeat(np.arange(len(terms)), [term.n_multipliers for term in terms]))
        self._check(self.table.call("probe"))
        self._order_readings()
        refuse_one_sided(system, self.kinds)
        refuse_late(system, self.kinds)
        unmoved = [
            i
            for i, term in enumerate(terms)
            if self.kinds[i] & CONSTRAINT and not columns_of(system, term.nodes, term.scalars)
        ]
        refuse_unmoved(system, unmoved)
        self.cells = Cells(system, self.kinds)
        if groups is None:
            groups = own_groups(self.cells.owners(system))
        arrays, counts = tree_tables(system, self.kinds, groups, self.cells)
        for name, array in arrays.items():
            self.table.set(name, array)
        for name, count in counts.items():
            setattr(self.numbers, name, count)
        self.numbers.tolerance = RANK
        self.numbers.closed = CLOSED * max(1.0, float(system.run.length_scale))
        self.numbers.open_limit = OPEN * max(1.0, float(system.run.length_scale))
        self.numbers.stabilise = int(stabilise)
        found = hinges(system, self.kinds) if minimal else None
        self.links = None if found is None else Links(system, self.kinds, found, arrays["joint_of"])
        self._prepare(method)
        self.compute(self.whole())

    def whole(self) -> TreeShare:
        """All of it, as one process computes it."""
        n = self.numbers
        equations = self.system.equations.pattern.n
        return whole(int(n.n_subsystems), len(self.system.mechanism.terms), int(n.n_joints), equations)

    def compute(self, part: TreeShare, partners: int = 0, helpers: int = 0) -> None:
        """Compute this part of the tree; so many other processes, or threads, compute the rest."""
        self.numbers.partners, self.numbers.helpers = partners, helpers
        put_part(self.table, self.numbers, part)

    def _order_readings(self) -> None:
        """Terms that read, each after those that it reads; late is what reads something late."""
        terms = self.system.mechanism.terms
        number = {term.name: i for i, term in enumerate(terms) if term.readings}
        order: dict[int, None] = {}

        def visit(i: int) -> None:
            for name, _ in terms[i].reads:
                if name in number and number[name] not in order:
                    visit(number[name])
            if any(self.kinds[number[name]] & LATE for name, _ in terms[i].reads if name in number):
                self.kinds[i] |= LATE
            order[i] = None

        for i in number.values():
            if i not in order:
                visit(i)
        self.table.set("readings", np.array([*order, 0], dtype=np.int64))
        self.numbers.n_readings = len(order)

    def _prepare(self, method: Tableau) -> None:
        """Memory of states and derivatives, and the kernels that make steps."""
        run, numbers, links = self.system.run, self.numbers, self.links
        nodes, scalars, length = int(run.n_independent), int(run.n_scalars), float(run.length_scale)
        if links is None:
            size = NODE * nodes + 2 * scalars
            weights, is_rate = error_weights(nodes, scalars, length)
        else:
            size = links.size
            weights, is_rate = links.error_weights(length)
            for name, array in links.arrays.items():
                self.table.set(name, array)
            numbers.n_links, numbers.n_forces, numbers.n_counts = links.n_links, len(links.forces), links.n_counts
            numbers.lazy = int(links.lazy)
        numbers.size, numbers.stages = size, len(method.b)
        self.table.set("tableau", method.words)
        self.table.set("weights", weights)
        self.table.set("is_rate", is_rate)
        self.table.set("k", np.zeros(size * (len(method.b) + 1) + 1))
        for name in ("y", "y0", "y1"):
            self.table.set(name, np.zeros(size + 1))
        for name, kernel in (THROUGH_TREE if links is None else ARTICULATED).items():
            self.table.set_kernel(name, kernel)

    def begin(self) -> None:
        """The engine's state begins the next step."""
        if self.links is not None:
            self.memory.y0[: self.links.size] = self.links.state()
        self._check(self.table.call("begin"))
        if self.links is not None and (light := self.links.without_inertia()):
            refuse_massless(light)
        self.numbers.written = self.system.run.time

    def accelerate(self) -> None:
        """Accelerations and multipliers of the engine's present state."""
        self._check(self.table.call("accelerate"))

    @property
    def subsystems(self) -> np.ndarray:
        """A structured view: fields of all subsystems as columns, children first."""
        return self.memory.subsystems.view(Subsystem.dtype())

    def _check(self, status: int) -> None:
        if status in (STOPPED, CUT_OFF) and self.partners is not None:
            raise self.partners.failure()
        if status == WITHOUT_INERTIA:
            refuse_massless(self.cells.name(self.system, int(self.numbers.bad_cell)))
        if status != OK:
            raise describe_failure(self.system, status)


class NotDivided(UserWarning):
    """Several processes or threads were to share a mechanism that is not divided."""


class TreeStepper:
    """Steps of a run by the tree solver. partners: processes that share the tree."""

    def __init__(self, system: System, chosen: DynamicsSettings, partners: Partners | None = None) -> None:
        self.system = system
        method = RK4 if chosen.error is None else DORMAND_PRINCE
        self.tree = Tree(system, method, stabilise=chosen.stabilise, minimal=chosen.coordinates == "auto")
        run = system.run
        if chosen.error is not None and chosen.max_step is None:  # rows come from within steps
            run.max_step = chosen.until
            run.next_step = min(chosen.step or 1e-3 * (chosen.output or chosen.until), run.max_step)
            run.min_step = chosen.min_step or 1e-12 * run.max_step
        self.partners = partners
        self.crew: Crew | None = None
        self.pace: Pace | None = None
        if self.tree.links is None and partners is None and not system.python:
            threads = chosen.threads
            self.pace = Pace(min(processors(), MOST)) if threads is None else Pace.given(threads)
        if self.tree.links is not None and (chosen.threads or 1) > 1:
            warn(
                f"threads = {chosen.threads}: without loops, the mechanism is solved in joint coordinates, by one thread; leave threads out, or give "
                'coordinates="all" to divide it, at some ten times the work',
                NotDivided,
            )
        if partners is not None:
            if self.tree.links is None:
                partners.attach(self.tree)
            else:
                warn(
                    f"without loops, the mechanism is solved in joint coordinates, which are not divided: each of the {partners.size} processes "
                    'computes all of it; leave mpiexec out, or give coordinates="all" to divide it, at some ten times the work',
                    NotDivided,
                )

    def start(self) -> None:
        """Accelerations and multipliers of the present state, which begins the first step.

        Where constraints follow from others, a start from which there is no way on, or more than one, is refused: the pseudo-inverse would choose.
        """
        if self.system.dropped:
            find_way_on(self.system)
        self.go_on()

    def go_on(self, state: dict[str, Any] | None = None) -> None:
        """Likewise, of a state that was read for a restart."""
        self.system.memory.coefficients.step = 0.0
        self.tree.begin()
        set_begin(self.system)

    def state(self) -> dict[str, Any]:
        """Nothing beside the engine's own."""
        return {}

    def finished(self) -> None:
        """There is nothing to tell."""

    def loop(self) -> int:
        """Several steps; the status that ended them."""
        if self.partners is not None:
            steps = self.partners.steps(int(self.system.run.steps_max))
            if not steps:
                return STOPPED
            self.system.run.steps_max = steps
        if self.pace is None:
            return self.tree.table.call("loop")
        return self._measured(self.pace)

    def _measured(self, pace: Pace) -> int:
        """Several steps by one thread or by several, as it pays."""
        if pace.shared and self.crew is None:
            self.crew = Crew(self.tree, pace.threads)
        if pace.shared and self.crew is not None:
            self.crew.begin()
        done, began = int(self.system.run.step_rows_used), time.perf_counter()
        status = self.tree.table.call("loop")
        pace.took(time.perf_counter() - began, int(self.system.run.step_rows_used) - done)
        if self.crew is not None:
            self.crew.end()
            if pace.decided and not pace.shared:
                self.close()
        return status

    def close(self) -> None:
        """Threads end."""
        if self.crew is not None:
            self.crew.close()
            self.crew = None

    def failure(self, status: int) -> SolveError:
        """What a status means."""
        system, run = self.system, self.system.run
        if status in (LAW_FAILED, STEP_TOO_SMALL):
            return describe_failure(system, status)
        if status in (STOPPED, CUT_OFF):
            assert self.partners is not None
            return self.partners.failure()
        at, step = float(run.time0), int(run.step_count)
        if status == NOT_CONVERGED:
            joint = JointRows(self.tree.memory.joints, int(self.tree.numbers.worst))
            name = system.mechanism.terms[int(joint.term)].name
            return DivergenceError(
                f"constraints cannot be closed any more: '{name}' stays open by {self.tree.numbers.left:.3g} (m or rad)",
                time=at,
                step=step,
                causes=[
                    "a locked position, beyond which the mechanism cannot go; check motors and prescribed motions",
                    "a step too long for the motion; shorten it",
                ],
            )
        assert status in (NOT_FINITE, WITHOUT_INERTIA)  # of no number
        return DivergenceError(
            "values grow without bound",
            time=at,
            step=step,
            causes=[
                "a step too long for a stiff spring or damper: explicit steps need h below about 2.8/ω, and 2.8 m/d at a damper; shorten it, "
                "or leave solver out: the implicit solver has no such limit",
                "a position in which constraints contradict each other",
            ],
        )
