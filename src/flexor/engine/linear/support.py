"""Support of coordinates without inertia by the constraints that hold them.

Where S is singular, as with a thin rod that has no inertia about its axis or a link without mass, no order makes

    [ S  G ] [ a ]   [ f ]
    [ B  0 ] [ λ ] = [ g ]

safe to eliminate without pivoting. But B a = g holds, so G P (B a − g) may be added to the first rows whatever P is:

    [ S + G P B  G ] [ a ]   [ f + G P g ]
    [ B          0 ] [ λ ] = [ g         ]

has the same a *and* the same λ. With the weights P > 0 on all constraints of the coordinates in question and G = Bᵀ,
S + G P B is positive definite wherever the motion is unique at all (S positive on the null space of B), so that the
elimination needs no pivots, and since S couples the bodies of a joint anyway there is no further fill.

A *seat* is a block of multipliers with one of the blocks of coordinates it acts on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from flexor.engine.linear.pattern import Pattern
from flexor.engine.linear.table import (
    CARRIED,
    COUNTS,
    N_PAIR,
    N_PAIRS,
    N_SEAT,
    N_SEATS,
    PAIRS,
    RHS,
    SEATS,
    VALUES,
    WEIGHTS,
)
from flexor.law.primitives import at, f64, i64

Integers = NDArray[np.int64]


def support(L):
    """Add G P B to the values of S; keep G P for the right-hand sides. Before the values become factors."""
    V, weights = f64(L, VALUES), f64(L, WEIGHTS)
    counts = i64(L, COUNTS)
    for s in range(counts[N_SEATS]):
        seat = at(i64(L, SEATS), s * N_SEAT)
        rows, multiplier, size = seat[0], seat[1], seat[2]
        GP, G, along, across = at(f64(L, CARRIED), seat[4]), seat[5], seat[6], seat[7]
        for a in range(size):
            for q in range(rows):
                GP[a * rows + q] = weights[multiplier + q] * V[G + a * along + q * across]
    for s in range(counts[N_PAIRS]):
        pair = at(i64(L, PAIRS), s * N_PAIR)
        rows, height, width = pair[0], pair[1], pair[2]
        GP, B, along, across = at(f64(L, CARRIED), pair[3]), pair[4], pair[5], pair[6]
        S, down, right = pair[7], pair[8], pair[9]
        for a in range(height):
            for b in range(width):
                total = 0.0
                for q in range(rows):
                    total += GP[a * rows + q] * V[B + q * along + b * across]
                V[S + a * down + b * right] += total


def support_right_hand_side(L):
    """f ← f + G P g with the G P of the factors in use."""
    y = f64(L, RHS)
    for s in range(i64(L, COUNTS)[N_SEATS]):
        seat = at(i64(L, SEATS), s * N_SEAT)
        rows, multiplier, size, equation = seat[0], seat[1], seat[2], seat[3]
        GP = at(f64(L, CARRIED), seat[4])
        for a in range(size):
            total = 0.0
            for q in range(rows):
                total += GP[a * rows + q] * y[multiplier + q]
            y[equation + a] += total


def seat_tables(
    pattern: Pattern, acts_on: Mapping[int, Sequence[int]], symmetric: bool
) -> tuple[Integers, Integers, int]:
    """SEATS and PAIRS of the table, and the floats of CARRIED; acts_on: coordinate blocks of each block of multipliers."""
    seats: list[tuple[int, ...]] = []
    pairs: list[tuple[int, ...]] = []
    carried = 0
    mirror = 0 if symmetric else pattern.mirror

    def place(i: int, j: int) -> tuple[int, int, int]:
        """Of block (i, j): place of its first entry, strides down and right."""
        offset, ld, transposed = (int(found) for found in pattern.locate(i, j))
        return (offset + mirror, 1, ld) if transposed else (offset, ld, 1)

    for multiplier, blocks in acts_on.items():
        rows = int(pattern.rows[multiplier])
        first = carried
        for i in blocks:
            size = int(pattern.rows[i])
            seats.append(
                (rows, int(pattern.start[multiplier]), size, int(pattern.start[i]), carried, *place(i, multiplier))
            )
            carried += rows * size
        at_row = first
        for i in blocks:
            for j in blocks:
                if not (symmetric and pattern.column[i] < pattern.column[j]):
                    sizes = (rows, int(pattern.rows[i]), int(pattern.rows[j]))
                    pairs.append((*sizes, at_row, *place(multiplier, j), *place(i, j)))
            at_row += rows * int(pattern.rows[i])
    return (
        np.array(seats, dtype=np.int64).reshape(-1, N_SEAT),
        np.array(pairs, dtype=np.int64).reshape(-1, N_PAIR),
        carried,
    )
