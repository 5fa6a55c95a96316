"""What to do about a pivot."""

from __future__ import annotations

from flexor.engine.linear.table import CONSTRAINT, NOT_FINITE, OK, PRIMAL, SINGULAR, Identity

DROPPED_ROW = -1
LARGEST = 1.7976931348623157e308


def judge(L, equation, pivot, scale):
    """OK, NOT_FINITE, SINGULAR or DROPPED_ROW for the magnitude of a pivot; puts on record what is not OK."""
    whose, numbers = Identity(L.identity, equation), L.numbers
    multiplier = whose.kind == CONSTRAINT
    threshold = numbers.thresholds[CONSTRAINT if multiplier else PRIMAL]
    finite = pivot <= LARGEST
    if finite and pivot > threshold * scale:
        return OK
    if finite and multiplier and numbers.drop == 1:
        n = numbers.n_dropped
        L.dropped[2 * n] = whose.block
        L.dropped[2 * n + 1] = whose.row
        numbers.n_dropped = n + 1
        return DROPPED_ROW
    numbers.bad_block = whose.block
    numbers.bad_row = whose.row
    numbers.bad_pivot = pivot
    numbers.bad_scale = scale
    if finite:
        return SINGULAR
    return NOT_FINITE
