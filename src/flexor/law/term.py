"""One use of a law: which coordinates it touches and with which parameters."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from flexor.frozen import frozen
from flexor.law.compile import handle
from flexor.law.face import dual_floats
from flexor.law.law import Law, Output
from flexor.law.record import Field, Packed

GROUND = 0
"""Node number of the ground: its state is fixed and it has no equations."""


class Remembered(NamedTuple):
    """Where the history of a term holds a joint variable: Remembered("pin.angle", "q", 0).

    field: name in the record that its law remembers.   item: which of its numbers, if it has several.
    present: whether it is the value of now; else one of before, which has its turns in common.
    """

    variable: str
    field: str
    item: int = 0
    present: bool = True


@frozen
class Term:
    """A law applied to nodes, scalars and new multipliers.

    name: the user's name of the object it belongs to ("pin"), used in signals and diagnoses.
    parameters: record of the law's parameters.
    rows: name of each multiplier row, for diagnoses ("point x").
    own_outputs: signals of this term where they differ from use to use of the law.
    nonholonomic: how many of the last multiplier rows bind velocities only: their residual is A(q) v at position level too.
    from_start: how many of the last rows keep a sum at what it is at the start: there they bind velocities only.
    readings: how many of the last rows are no constraints: their unknowns are values y that others read, with a residual y − m(…).
    reads: unknowns of other terms that it reads behind its own multipliers, as (name of the term, how many): (("tilt", 1),).
        It adds nothing to their rows.
    scratch: floats it needs in `w`, where that depends on its size.
    history: with what it begins, `begin` of the record that its law remembers.
    borrows: where in the history of the last term before it that has one stands the record that its law reads; −1: it has its own. It is asked for residual
        and matrix alone, and only while that term says so, by its own number in the field `acts` of the record.
    number: what stands there then.
    forgets: whether nothing of what its law remembers matters here, so that it is not asked at the end of each step.
    counts: angles of joints whose turns it counts, and where it remembers them.
    drives: the joint variables that it prescribes, and where it remembers the prescribed values.
    work: name in its history of the work that it put in during the last step; else its power is integrated.
    loss: likewise of the energy that it lost.
    rates: derivatives of its readings in its rows, for small motions: (row, reading, factor), 0 = r + factor · d(reading)/dt. The readings
        with derivatives are its states.
    clocks: period, and time of the first tick, of each of its clocks; a step ends at every tick [s].
    breaks: name in its history of a mark that changes where it breaks; an equilibrium in which it does is none.
    many: what stands for a force that a solver has to find itself, pair by pair, of more nodes than a term has (`flexor.contact.contacts`).
    """

    name: str
    law: Law
    nodes: tuple[int, ...] = ()
    scalars: tuple[int, ...] = ()
    rows: tuple[str, ...] = ()
    parameters: Packed | None = None
    ints: tuple[int, ...] = ()
    floats: tuple[float, ...] | np.ndarray = ()
    history: tuple[float, ...] = ()
    borrows: int = -1
    number: int = 0
    forgets: bool = False
    own_outputs: tuple[Output, ...] | None = None
    nonholonomic: int = 0
    from_start: int = 0
    readings: int = 0
    reads: tuple[tuple[str, int], ...] = ()
    scratch: int = 0
    counts: tuple[Remembered, ...] = ()
    drives: tuple[Remembered, ...] = ()
    work: str = ""
    loss: str = ""
    breaks: str = ""
    rates: tuple[tuple[int, int, float], ...] = ()
    clocks: tuple[tuple[float, float], ...] = ()
    many: object = None

    def place(self, field: str, item: int = 0) -> int:
        """Where in its history a field of its law's record stands, or one of the numbers of that."""
        found: Field = getattr(self.law.history, field)
        return found.offset + item

    @property
    def outputs(self) -> tuple[Output, ...]:
        return self.law.outputs if self.own_outputs is None else self.own_outputs

    def words(self, python: bool = False) -> np.ndarray:
        """Memory of its parameters, with the addresses of functions (or handles, in plain Python) filled in."""
        if self.parameters is None:
            return np.asarray(self.floats, dtype=float)
        if not self.parameters.evaluators:
            return self.parameters.words
        return self.parameters.resolved(lambda function: handle(function, python))

    @property
    def workspace(self) -> int:
        """Floats it needs in `w`."""
        own = max(self.law.scratch, self.scratch)
        if not self.law.duals:
            return own
        return own + dual_floats(len(self.nodes), len(self.scalars), len(self.rows) + self.n_read, own)

    @property
    def n_multipliers(self) -> int:
        return len(self.rows)

    @property
    def n_read(self) -> int:
        """How many unknowns of other terms it reads."""
        return sum(count for _, count in self.reads) if self.reads else 0

    @property
    def size(self) -> int:
        return 6 * len(self.nodes) + len(self.scalars) + len(self.rows) + self.n_read
