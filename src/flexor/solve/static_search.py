"""The search for an equilibrium: the steps of one iteration, and what it learns on its way.

Newton's method; where the stiffness is singular, the step too bold or uphill, a multiple of the mass metric is added to it, the
*shift*, which is reduced as the residual falls (pseudo-transient continuation).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from scipy import sparse

from flexor.engine.angle_limits import angles_at_limits
from flexor.engine.diagnose import describe_failure, worst_equations
from flexor.engine.initial import feedback_causes, move, set_proper
from flexor.engine.memory import NOT_FINITE, OK, READING, ROTATION, TRANSLATION
from flexor.engine.system import System
from flexor.errors import DivergenceError, SingularError
from flexor.law import MATRIX, RESIDUAL
from flexor.solve.rotation import SteadyRotation
from flexor.solve.static_step import (
    carried,
    embedded,
    first_shift,
    free,
    indifferent,
    largest_of_nodes,
    negligible,
    static_step,
    stiffness_along,
    within_rounding,
)
from flexor.solve.turns import count_turns

LARGEST_TURN = 0.5
"""Rotation that an iteration may make [rad]; displacements go as far as a fifth of the model."""
FORESEEN, RUN_UP, STRIDE = 1e-3, 5, 2.0
"""Where forces change as the stiffness foretold but for that part, in that many moves one after the other (the model's size by then),
the next may go further by that factor: what is linear is followed however far it goes."""
ON_TOP = 1e-8
"""Share of these moves up to which a step uphill is taken: so close to the top the mechanism stays there."""
STALLED, HARDLY, LEFT = 12, 1e-6, 1e-3
"""Steps of Newton's method that do not get smaller, their largest move in sizes of the model, and the part of the loads left over: after so many of them
it rests between two places of a contact, each of which would push it to the other one."""
LAST_DIGITS = 1e-15
"""Rounding of positions, relative to the size of the model."""

ANY, CAREFUL, DOWNHILL, PLAIN_NEWTON = "any", "careful", "downhill", "plain"
"""Ways to equilibrium: with the metric added where it helps; likewise with ever shorter steps where it bounces; plain Newton that gives up where it leads uphill; plain Newton."""
BOUNCED, SHORTER, LONGER = 10.0, 0.5, 1.2
"""Growth of the residual in a step after which a careful one may go that much less far, and by how much further after others."""


@dataclass
class StaticSearch:
    """A search among the active equations; its methods are called in the order in which they stand.

    own: which of them are of coordinates, not of multipliers.   nodes: of which node, below zero for none.   W: masses, the metric.
    turning: which of the coordinates are rotations.   length: size of the model [m].
    """

    system: System
    rotation: SteadyRotation | None
    way: str
    tolerance: float
    active: np.ndarray
    own: np.ndarray
    nodes: np.ndarray
    turning: np.ndarray
    W: np.ndarray
    length: float

    shift: float = 0.0
    low: float = 0.0
    """The last shift before none."""
    lowest: float = 1e-9
    """Where the shift is given up, relative to the first."""
    tried: bool = False
    """Whether it was once singular without the shift."""
    reach: float = 1.0
    """Share of what a step may go, of a careful search."""
    small: int = 0
    """Steps so far that were small enough."""
    before: float = np.inf
    """Size of the last step, if it was Newton's."""
    last: list[float] = field(default_factory=list)
    """Norms of the last residuals."""
    moved: np.ndarray | None = None
    """The last step as far as it was made, of the coordinates."""
    foretold: tuple[np.ndarray, np.ndarray] | None = None
    """Forces after the last step as the stiffness foretold them, and their change."""
    linear: int = 0
    """Steps one after the other after which forces were as foretold."""
    smallest: float = np.inf
    """Size of the smallest of Newton's steps so far."""
    left: float = 0.0
    """Force that is left over where it rests between two places, in parts of the load."""
    stalled: int = 0
    """Steps since one was less than half as large as those before, without the shift."""

    r: np.ndarray = field(init=False)
    K: sparse.csc_matrix = field(init=False)
    border: np.ndarray | None = field(init=False)
    delta: np.ndarray = field(init=False)
    singular: bool = field(init=False)
    exact: bool = field(init=False)
    """Whether nothing but rounding is left of the residual."""
    size: float = field(init=False)
    excess: float = field(init=False)
    """Largest move of the step, in parts of what one may be."""

    def linearise(self) -> None:
        """Forces and stiffness where it is."""
        system, active = self.system, self.active
        if self.rotation is not None:
            self.rotation.impose(system)
        set_proper(system)
        status = system.evaluate(RESIDUAL | MATRIX, 1.0, 0.0, 0.0)
        if status != OK:
            raise describe_failure(system, status)
        self.r = system.memory.residual[active].copy()
        if not np.all(np.isfinite(self.r)):
            raise describe_failure(system, NOT_FINITE)
        self.K, self.border = system.solver.to_csc()[active][:, active], None
        if self.rotation is not None:
            self.K = self.K + embedded(self.rotation.stiffness(system, active[self.own]), self.own)
            self.border = self.rotation.turn(system)[active] if self.rotation.free else None

    def step(self) -> None:
        """The step with the shift as it is."""
        self.delta, self.singular = static_step(self.K, self.W, self.shift, self.r, self.border)

    def is_indifferent(self, sizes: np.ndarray) -> bool:
        """Whether it stays where it is: a balanced wheel, a rotor at its critical speed with nothing to deflect it.

        sizes: of the unknowns, as far as rounding of them goes. What is left over must be rounding of forces in each body by itself:
        a soft spring beside one 10¹⁵ times as stiff is far from rest under forces that are rounding of the other one.
        """
        K, own, left = self.K, self.own, np.abs(self._to_be_balanced())
        # forces that cancel in the equations of a body, by whose last digits no position can be told from another
        kinds = self.system.memory.norm_kind[self.active]
        lengths = np.where(kinds == ROTATION, sizes[kinds == TRANSLATION].max(initial=self.length), 1.0)
        forces = largest_of_nodes(abs(K) @ sizes, np.where(own, self.nodes, -1), lengths)
        digits = LAST_DIGITS * np.maximum(carried(K, own, forces), 1e-15 * forces.max(initial=0.0))
        balanced = bool(np.all((left <= digits)[own]))
        self.exact = within_rounding(K, self.r, sizes)
        stiffnesses = np.divide(forces, sizes, out=np.zeros_like(forces), where=own & (self.nodes >= 0))
        self.singular = self.singular or (
            self.shift == 0.0
            and (indifferent(K, own, self.delta) or (balanced and free(K, own, stiffnesses, self.delta)))
        )
        # (at first what is only soft beside it must have come to rest, too)
        first = self.low > 0.0 and not self.tried
        share = 0.25 * self.low / self._first_shift() if first else 1e-3
        self._compare_with_foretold(LAST_DIGITS * (abs(K) @ sizes))
        self.tried = self.tried or (self.singular and self.low > 0.0)
        # (nor can what is only soft be told from rounding, if that is all that is left in each equation)
        return (
            self.singular
            and balanced
            and (
                (self.exact and self.border is None and not self._reads())
                or negligible(K, self.W, own, self.r, self.border, self._smallest_move(), share)
            )
        )

    def _reads(self) -> bool:
        """Whether readings are among the unknowns: of those that have no values of their own nothing is at rest."""
        return bool((self.system.memory.norm_kind[self.active] == READING).any())

    def hold_what_is_free(self) -> None:
        """Something is free beside what is only soft: go on from where the shift was left."""
        if self.singular and self.shift == 0.0:
            self.shift = 0.25 * self.low if self.low > 0.0 else self._first_shift()
            self.step()
            if self.singular and self.low > 0.0:  # that was no more than rounding
                self.shift = self._first_shift()
                self.step()
            for _ in range(3):  # it may just make up for a negative stiffness, as that of centrifugal forces
                if self.singular:
                    self.shift *= 4.0
                    self.step()
        if self.singular:
            raise no_equilibrium(self.system, "the stiffness is singular: some motion meets no resistance")

    def turn_downhill(self) -> None:
        """Uphill is an equilibrium that is unstable; with enough of the metric the step goes downhill."""
        stride = STRIDE ** max(self.linear - RUN_UP + 1, 0)
        limit = self.reach * np.where(self.turning, LARGEST_TURN, 0.2 * stride * max(self.length, 1e-9))
        self.excess, tries = self._beyond(limit), 0
        while self.way != PLAIN_NEWTON and not self.exact and (self.singular or self.excess > ON_TOP) and tries < 8:
            steepness = -stiffness_along(self.K, self.W, self.own, self.delta)
            if not self.singular and steepness <= self.shift:
                break
            if self.way == DOWNHILL:
                raise no_equilibrium(self.system, "the way to equilibrium leads uphill")
            self.shift, tries = max(4.0 * self.shift, 2.0 * steepness), tries + 1
            self.step()
            self.excess = self._beyond(limit)

    def only_rounds(self) -> bool:
        """Whether rounding alone moves it now."""
        self.size = float(np.abs(self.delta[self.own]).max(initial=0.0))
        if self.exact and self.shift == 0.0 and self.size > 0.5 * self.before:
            return True
        self.before = self.size if self.shift == 0.0 else np.inf
        return False

    def go(self) -> None:
        """Make the step, as far as one may go at once."""
        system, factor = self.system, min(1.0 / max(self.excess, 1.0), self._share_back())
        full = np.zeros(system.equations.pattern.n)
        change = factor * (self.K @ self.delta)
        self.foretold = (self.r + change, change)
        self.moved = np.where(self.own, factor * self.delta, 0.0)
        full[self.active] = self.moved
        move(system, full)
        count_turns(system)
        full[self.active] = self.delta
        system.memory.lam[:] += factor * full[system.multiplier_rows]

    def has_arrived(self) -> bool:
        """Whether two steps of Newton's method were small, or one where little force is left over."""
        if self.size <= self._smallest_move() and self.shift == 0.0:
            self.small += 1
            return self.small >= 2 or float(np.linalg.norm(self.r)) < 1e-9 * (1.0 + self._stiffest())
        return False

    def is_between_places(self, load: Callable[[], float]) -> bool:
        """Whether it rests where a contact leaps from one place to another, as on a mesh that sags where two of its facets are as near.

        load: the largest one [N].
        """
        falls = self.shift > 0.0 or self.size < 0.5 * self.smallest
        self.smallest, self.stalled = min(self.smallest, self.size), 0 if falls else self.stalled + 1
        if self.stalled < STALLED or self.size > HARDLY * self.length:
            return False
        forces = self.r[self.system.memory.norm_kind[self.active] == TRANSLATION]
        self.left = float(np.abs(forces).max(initial=0.0)) / max(load(), 1e-300)
        return self.left <= LEFT

    def choose_shift(self, iteration: int) -> None:
        """More of the metric after a step too bold or a residual that rose, else less of it."""
        residual = float(np.linalg.norm(self.r))
        bold = self.excess > 1.0 and (self.linear == 0 or self.shift > 0.0)
        if self.way == CAREFUL and self.last:
            bounced = residual > BOUNCED * self.last[-1]
            self.reach = SHORTER * self.reach if bounced else min(1.0, LONGER * self.reach)
        if self.way in (ANY, CAREFUL) and (bold or residual > 4.0 * max(self.last, default=np.inf)):
            if iteration > 3:
                self.shift = 4.0 * self.shift if self.shift > 0.0 else self._first_shift()
        elif self.shift > 0.0:
            self.shift *= 0.25
            self.low = self.shift
            if self.shift < self.lowest * self._first_shift():
                self.shift, self.lowest = 0.0, 1e-3 * self.lowest
        self.last = [*self.last[-3:], residual]

    def _share_back(self) -> float:
        """Share of a step that turns back on the last one with which it goes half as far: rest lies between.

        Without that a body that sinks in where its contact grows softer, as a ball between two edges, is thrown out and falls in for ever.
        """
        if self.way not in (ANY, CAREFUL) or self.moved is None:
            return 1.0
        weighed = self.W * self.moved
        back, last = -float(weighed @ self.delta), float(weighed @ self.moved)
        return 0.5 * last / back if back > 0.5 * last else 1.0

    def _compare_with_foretold(self, digits: np.ndarray) -> None:
        """Count the steps after which the forces of every equation were as the stiffness foretold, but for rounding of them."""
        if self.foretold is not None:
            expected, change = self.foretold
            as_foretold = np.all(np.abs(self.r - expected) <= FORESEEN * np.abs(change) + digits)
            self.linear = self.linear + 1 if as_foretold else 0

    def _to_be_balanced(self) -> np.ndarray:
        """The forces left over, without the moment that drives a free rotation."""
        n = self.border
        return self.r if n is None else self.r - n * (float(n @ self.r) / float(n @ n))

    def _first_shift(self) -> float:
        return first_shift(self.K, self.W, self.own)

    def _stiffest(self) -> float:
        return float(np.abs(self.K.data).max(initial=0.0))

    def _smallest_move(self) -> float:
        return self.tolerance * max(self.length, 1.0)

    def _beyond(self, limit: np.ndarray) -> float:
        return float((np.abs(self.delta[self.own]) / limit).max(initial=0.0))


def no_equilibrium(system: System, message: str) -> SingularError | DivergenceError:
    """To be raised."""
    cls = SingularError if "singular" in message else DivergenceError
    return cls(
        message,
        worst=worst_equations(system),
        causes=[
            *angles_at_limits(system),
            *feedback_causes(system),
            "a mechanism that is free to move under its loads; hold it by springs, motors or joints",
            "a load beyond what the springs can balance; raise it in steps (load_steps)",
            "a start far from equilibrium; give better initial positions",
        ],
    )
