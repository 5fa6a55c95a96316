"""One use of a law: which coordinates it touches and with which parameters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexor.law.law import Law, Output

GROUND = 0
"""Node number of the ground: its state is fixed and it has no equations."""


@dataclass(frozen=True)
class Element:
    """A law applied to nodes, scalars and new multipliers.

    name: the user's name of the object it belongs to ("pin"), used in signals and diagnoses.
    rows: name of each multiplier row, for diagnoses ("point x").
    own_outputs: signals of this element where they differ from use to use of the law.
    nonholonomic: how many of the last multiplier rows bind velocities only: their residual is A(q) v at position level too.
    scratch: floats it needs in `w`, where that depends on its size.
    counts: angles of joints whose turns it counts, each as (variable, number in its history): (("pin.angle", 0),)
    drives: the joint variable that it prescribes, and where in its history the prescribed value is.
    """

    name: str
    law: Law
    nodes: tuple[int, ...] = ()
    scalars: tuple[int, ...] = ()
    rows: tuple[str, ...] = ()
    ints: tuple[int, ...] = ()
    floats: tuple[float, ...] | np.ndarray = ()
    history: tuple[float, ...] = ()
    own_outputs: tuple[Output, ...] | None = None
    nonholonomic: int = 0
    scratch: int = 0
    counts: tuple[tuple[str, int], ...] = ()
    drives: tuple[str, int] | None = None

    @property
    def outputs(self) -> tuple[Output, ...]:
        return self.law.outputs if self.own_outputs is None else self.own_outputs

    @property
    def n_multipliers(self) -> int:
        return len(self.rows)

    @property
    def size(self) -> int:
        return 6 * len(self.nodes) + len(self.scalars) + len(self.rows)
