"""Signals rounded to some significant digits, so that their files become small: zeros at the end of numbers pack well."""

from __future__ import annotations

import numpy as np

from flexor.errors import ModelError, Problem

FEWEST, MOST = 3, 15
_MANTISSA = 52  # bits of a double


def check_digits(digits: int | None) -> None:
    """Refuse what is no sensible number of digits."""
    if digits is None or (isinstance(digits, int) and not isinstance(digits, bool) and FEWEST <= digits <= MOST):
        return
    what, why = f"is {digits!r}", f"it counts the significant digits to keep, {FEWEST} to {MOST}"
    raise ModelError(Problem("digits", what, why, "e.g. digits=7; leave it out to keep all"))


def rounded(values: np.ndarray, digits: int) -> np.ndarray:
    """The nearest numbers of as many bits as the digits need: |Δx| ≤ ½ 10^−digits |x|. What is not finite stays."""
    kept = int(np.ceil(digits * np.log2(10.0)))
    if kept >= _MANTISSA:
        return values
    dropped = _MANTISSA - kept
    bits = np.ascontiguousarray(values, dtype=float).view(np.uint64)
    bits = (bits + np.uint64(1 << (dropped - 1))) & ~np.uint64((1 << dropped) - 1)
    found = bits.view(float)
    return np.where(np.isfinite(values) & np.isfinite(found), found, values)
