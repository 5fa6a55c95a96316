"""Clearance: no force as far as there is play, then a stiff one on either side."""

from __future__ import annotations

from flexor.errors import ModelError, Problem
from flexor.functions.table import Table
from flexor.units import Quantity, si


def clearance(gap: Quantity, stiffness: Quantity) -> Table:
    """Force over deflection of a contact with play: 0 within ± gap [m or rad], then `stiffness` [N/m or N m/rad] times what is beyond."""
    play, k = si(gap), si(stiffness)
    for name, value in (("gap", play), ("stiffness", k)):
        if not 0.0 < value < 1e100:
            raise ModelError(
                Problem("clearance", f"{name} = {value:g}", "it must be positive", "check its sign and unit")
            )
    return Table(x=(-2 * play, -play, play, 2 * play), y=(-k * play, 0.0, 0.0, k * play), extrapolation="linear")
