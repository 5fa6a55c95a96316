"""Systems of python-control and scipy.signal as blocks, without importing either."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexor.errors import ModelError, Problem


def continuous(field: str, system: Any) -> np.ndarray:
    """Numerator, denominator or a matrix of a system of continuous time; refused where it is another one."""
    kind = type(system).__name__
    dt = getattr(system, "dt", None)
    if dt not in (None, 0):
        what = f"it is of discrete time, dt = {dt}"
        fix = "build it of SampleAndHold blocks, one for each z⁻¹, or convert it to continuous time"
        raise ModelError(Problem(kind, what, "blocks are of continuous time", fix))
    value = getattr(system, f"{field}_array", None)  # newer versions of python-control
    if value is None:
        value = getattr(system, field, None)
    if value is None:
        what = f"it has no {field}"
        fix = (
            "give a control.TransferFunction or control.StateSpace, or what control.tf(…), control.ss(…) convert it to"
        )
        raise ModelError(Problem(kind, what, "", fix))
    if field in ("num", "den"):
        value = _only(value, kind)
    return np.asarray(value, dtype=float)


def _only(value: Any, kind: str) -> Any:
    """The only entry of a table of polynomials; scipy.signal has the polynomial itself."""
    if np.ndim(value[0]) == 0 and not isinstance(value[0], list):
        return value
    if len(value) != 1 or len(value[0]) != 1:
        what = "it has several inputs or outputs"
        raise ModelError(Problem(kind, what, "", "take one of its entries, or StateSpace for all of it"))
    return value[0][0]
