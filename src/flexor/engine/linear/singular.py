"""What to do about a pivot."""

from __future__ import annotations

from flexor.engine.linear.table import (
    BAD_BLOCK,
    BAD_PIVOT,
    BAD_ROW,
    BAD_SCALE,
    BLOCK,
    DROP,
    DROPPED,
    IDENTITY,
    INFO,
    KIND,
    MEASURE,
    MULTIPLIER,
    MULTIPLIER_THRESHOLD,
    N_DROPPED,
    N_IDENTITY,
    NOT_FINITE,
    OK,
    OPTIONS,
    ROW,
    SINGULAR,
    THRESHOLD,
)
from flexor.law.primitives import f64, i64

DROPPED_ROW = -1
LARGEST = 1.7976931348623157e308


def judge(L, equation, pivot, scale):
    """OK, NOT_FINITE, SINGULAR or DROPPED_ROW for the magnitude of a pivot; puts on record what is not OK."""
    identity, options = i64(L, IDENTITY), f64(L, OPTIONS)
    o = equation * N_IDENTITY
    multiplier = identity[o + KIND] == MULTIPLIER
    threshold = options[MULTIPLIER_THRESHOLD] if multiplier else options[THRESHOLD]
    finite = pivot <= LARGEST
    if finite and pivot > threshold * scale:
        return OK
    info, measure = i64(L, INFO), f64(L, MEASURE)
    if finite and multiplier and options[DROP] == 1.0:
        n = info[N_DROPPED]
        info[DROPPED + 2 * n] = identity[o + BLOCK]
        info[DROPPED + 2 * n + 1] = identity[o + ROW]
        info[N_DROPPED] = n + 1
        return DROPPED_ROW
    info[BAD_BLOCK] = identity[o + BLOCK]
    info[BAD_ROW] = identity[o + ROW]
    measure[BAD_PIVOT] = pivot
    measure[BAD_SCALE] = scale
    if finite:
        return SINGULAR
    return NOT_FINITE
