"""Which way a frequency response is computed, and why.   FTG 7.9.3, Table 7.1"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from flexor.arguments import quantity_of, whole
from flexor.errors import ModelError, Problem
from flexor.reduce.damping import ModalDamping
from flexor.solve.frequency.direct import direct_response
from flexor.solve.frequency.in_coordinates import obstacle
from flexor.solve.frequency.linear_system import LinearSystem
from flexor.solve.frequency.modal import modal_response
from flexor.solve.frequency.sweep import MANY, swept_response
from flexor.solve.prepare import DoubtfulModel
from flexor.warning import warn

ANALYSIS = "frequency_response"
Method = Literal["auto", "direct", "modal", "sweep"]
METHODS = ("auto", "direct", "modal", "sweep")
SPAN = "in the space that these span"


@dataclass(frozen=True)
class Wish:
    """method: see METHODS.   modes: how many, None for as many as the frequencies need.   ratios: ζ of modes, None for the model's own."""

    method: str = "auto"
    modes: int | None = None
    ratios: np.ndarray | None = None

    @classmethod
    def of(cls, method: str, modes: int | None, modal_damping: float | Sequence[float] | ModalDamping | None) -> Wish:
        """Checked."""
        given = {"modes": modes, "modal_damping": modal_damping}
        for name, value in given.items():
            if value is not None and method in ("direct", "sweep"):
                why, fix = f'method="{method}" has no modes', f'method="modal", or leave {name} out'
                raise ModelError(Problem(ANALYSIS, f"{name} is given", why, fix))
        if modal_damping is None:
            ratios = None
        else:
            listed = modal_damping.ratio if isinstance(modal_damping, ModalDamping) else modal_damping
            values = [listed] if isinstance(listed, str | float | int) else list(listed)
            ratios = np.array([quantity_of(ANALYSIS, "modal_damping", v, "dimensionless") for v in values])
            if np.any(ratios < 0):
                raise ModelError(
                    Problem(ANALYSIS, f"modal_damping = {ratios.min():g}", "it is negative", "check its sign")
                )
            if np.any(ratios > 1):
                what = f"modal_damping = {ratios.max():g} is beyond the critical damping of 1, so that the mode does not vibrate"
                warn(f"{ANALYSIS}: {what}; a damping of 2 % is 0.02", DoubtfulModel)
            if not len(ratios):
                raise ModelError(Problem(ANALYSIS, "modal_damping is empty", "", "give a ratio: modal_damping=0.02"))
        return cls(method, None if modes is None else whole(ANALYSIS, "modes", modes), ratios)


def chosen_response(system: LinearSystem, omegas: np.ndarray, wish: Wish) -> tuple[np.ndarray, str]:
    """Outputs by inputs at every frequency, and how they were computed, with the reason."""
    still = omegas == 0
    if np.all(still):
        return direct_response(system, omegas), "direct at 0 Hz"
    if np.any(still):  # at rest no modes are needed, nor a space
        moving, how = chosen_response(system, omegas[~still], wish)
        values = np.empty((len(omegas), *moving.shape[1:]), dtype=complex)
        values[~still], values[still] = moving, direct_response(system, omegas[still])
        return values, how
    many = len(omegas) >= MANY
    if wish.method == "modal" or (wish.method == "auto" and (wish.modes is not None or wish.ratios is not None)):
        return modal_response(system, omegas, wish.modes, wish.ratios)
    if wish.method == "direct":
        return direct_response(system, omegas), "direct at each frequency, as asked for"
    if wish.method == "auto" and not many:
        return direct_response(
            system, omegas
        ), f"direct at each frequency: fewer than {MANY}, for which no space or modes pay"
    if (why := obstacle(system)) == "":
        swept = swept_response(system, omegas)
        if swept is not None:
            said = f"direct at {swept[1]} of {len(omegas)} frequencies, the others {SPAN}"
            return swept[0], f"{said}: as fast as modes, and nothing is cut off" if wish.method == "auto" else said
        why = (
            "fewer solutions than a third of them do not tell the others" if many else f"fewer than {MANY} frequencies"
        )
    if wish.method == "sweep":
        raise ModelError(Problem(ANALYSIS, "a sweep is not possible", why, 'method="direct", or "auto"'))
    return direct_response(system, omegas), f"direct at each frequency: {why}"
