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
    array = (
        np.array([[np.asarray(each, dtype=float) for each in row] for row in value])
        if field in ("num", "den") and _nested(value)
        else value
    )
    array = np.asarray(array[0, 0] if getattr(array, "dtype", None) == object else array, dtype=float)
    if field in ("num", "den") and array.size != max(array.shape, default=0):
        what = "it has several inputs or outputs"
        raise ModelError(Problem(kind, what, "", "take one of its entries, or StateSpace for all of it"))
    return array


def _nested(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], list)
