"""The user's equations of a block, tried once before they are compiled: compiled code cannot tell of mistakes."""

from __future__ import annotations

import dis
import math
from collections.abc import Callable, Sequence

import numpy as np

UNSET = 7.25e277
"""What outputs and rates hold before the function sets them."""
MISTAKES = (TypeError, IndexError, NameError, AttributeError, UnboundLocalError)
"""Errors that do not depend on the values with which a function is tried, unlike a division by zero."""


def doubt(written: Callable[..., object], p: Sequence[float], x: Sequence[float], inputs: int, outputs: int) -> str:
    """What is wrong with a function that is to be compiled, and what to do; empty if nothing is found."""
    code = getattr(written, "__code__", None)
    if code is not None and any(each.opname == "RAISE_VARARGS" for each in dis.get_instructions(code)):
        return (
            "it raises an exception or asserts, which compiled code cannot tell; leave that out, or give compiled=False"
        )
    given = [np.array(each, dtype=float) for each in (p, x, [0.0] * inputs)]
    dx, y = np.full(len(x), UNSET), np.full(outputs, UNSET)
    try:
        with np.errstate(all="ignore"):
            written(given[0], 0.0, given[1], given[2], dx, y)
    except MISTAKES as error:
        return f"called as (p, t, x, u, dx, y) it raised {type(error).__name__}: {error}; mend the function"
    except Exception:  # may be of the values alone
        return ""
    left = unset(dx, y, False)
    return f"it does not set {left}; set all rates dx and outputs y" if left else ""


def unset(dx: np.ndarray, y: np.ndarray, numbers: bool = True) -> str:
    """Names of rates and outputs that a function left as they were, or, if asked for, that are no numbers."""
    found = [
        f"{name}[{i}]"
        for name, values in (("dx", dx), ("y", y))
        for i, each in enumerate(values)
        if each == UNSET or (numbers and math.isnan(each))
    ]
    return ", ".join(found)
