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
from flexor.engine.linear.table import Linear, Pair, Seat
from flexor.law.primitives import at

Integers = NDArray[np.int64]


def support(L: Linear):
    """Add G P B to the values of S; keep G P for the right-hand sides. Before the values become factors."""
    V, weights = L.values, L.weights
    for i in range(L.numbers.n_seats):
        seat = Seat(L.seats, i)
        GP = at(L.carried, seat.carried)
        for a in range(seat.size):
            for q in range(seat.rows):
                GP[a * seat.rows + q] = weights[seat.multiplier + q] * V[seat.G + a * seat.along + q * seat.across]
    for i in range(L.numbers.n_pairs):
        pair = Pair(L.pairs, i)
        GP = at(L.carried, pair.carried)
        for a in range(pair.height):
            for b in range(pair.width):
                total = 0.0
                for q in range(pair.rows):
                    total += GP[a * pair.rows + q] * V[pair.B + q * pair.along + b * pair.across]
                V[pair.S + a * pair.down + b * pair.right] += total


def support_right_hand_side(L: Linear):
    """f ← f + G P g with the G P of the factors in use."""
    y = L.rhs
    for i in range(L.numbers.n_seats):
        seat = Seat(L.seats, i)
        GP = at(L.carried, seat.carried)
        for a in range(seat.size):
            total = 0.0
            for q in range(seat.rows):
                total += GP[a * seat.rows + q] * y[seat.multiplier + q]
            y[seat.equation + a] += total


def seat_tables(
    pattern: Pattern, acts_on: Mapping[int, Sequence[int]], symmetric: bool
) -> tuple[Integers, Integers, int]:
    """Seats and pairs of the memory, and the floats of `carried`; acts_on: coordinate blocks of each block of multipliers."""
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
        np.array(seats, dtype=np.int64).reshape(-1, Seat.WORDS),
        np.array(pairs, dtype=np.int64).reshape(-1, Pair.WORDS),
        carried,
    )
