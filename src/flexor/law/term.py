"""One use of a law: which coordinates it touches and with which parameters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexor.law.compile import handle
from flexor.law.face import dual_floats
from flexor.law.law import Law, Output
from flexor.law.record import Packed

GROUND = 0
"""Node number of the ground: its state is fixed and it has no equations."""


@dataclass(frozen=True)
class Term:
    """A law applied to nodes, scalars and new multipliers.

    name: the user's name of the object it belongs to ("pin"), used in signals and diagnoses.
    parameters: record of the law's parameters.
    rows: name of each multiplier row, for diagnoses ("point x").
    own_outputs: signals of this term where they differ from use to use of the law.
    nonholonomic: how many of the last multiplier rows bind velocities only: their residual is A(q) v at position level too.
    scratch: floats it needs in `w`, where that depends on its size.
    counts: angles of joints whose turns it counts, each as (variable, number in its history): (("pin.angle", 0),)
    drives: the joint variable that it prescribes, and where in its history the prescribed value is.
    work: where in its history the work is that it put in during the last step; else its power is integrated.
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
    own_outputs: tuple[Output, ...] | None = None
    nonholonomic: int = 0
    scratch: int = 0
    counts: tuple[tuple[str, int], ...] = ()
    drives: tuple[str, int] | None = None
    work: int | None = None

    @property
    def outputs(self) -> tuple[Output, ...]:
        return self.law.outputs if self.own_outputs is None else self.own_outputs

    def words(self, python: bool = False) -> np.ndarray:
        """Memory of its parameters, with the addresses of functions (or handles, in plain Python) filled in."""
        if self.parameters is None:
            return np.asarray(self.floats, dtype=float)
        return self.parameters.resolved(lambda function: handle(function, python))

    @property
    def workspace(self) -> int:
        """Floats it needs in `w`."""
        own = max(self.law.scratch, self.scratch)
        if not self.law.duals:
            return own
        return own + dual_floats(len(self.nodes), len(self.scalars), len(self.rows), self.law.scratch)

    @property
    def n_multipliers(self) -> int:
        return len(self.rows)

    @property
    def size(self) -> int:
        return 6 * len(self.nodes) + len(self.scalars) + len(self.rows)
