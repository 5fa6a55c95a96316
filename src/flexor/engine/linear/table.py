"""The linear solver's table: numbers of its slots, of its options and of its answers.

Compiled, the table is an array of addresses; in Python a list of arrays and functions. Use by another kernel:

    L = i64(T, LINEAR)               # the linear table, itself a slot of the engine's table
    call(L, CLEAR)                   # values = 0, unit diagonal on padding
    …                                # add the matrix to f64(L, VALUES), where Pattern.locate says
    status = call(L, FACTOR)         # values become factors
    L[RHS] = T[INCREMENT]            # solve in place on any vector of Pattern.n floats
    status = call(L, SOLVE)
"""

from __future__ import annotations

FACTOR = 0  # kernel: values → factors
SOLVE = 1  # kernel: solve in place on the vector in RHS
CLEAR = 2  # kernel: make the values ready for assembly
RHS = 3  # floats (n): right-hand side, then solution
VALUES = 4  # floats: the matrix, later its factors
OPTIONS = 5  # floats, below
INFO = 6  # integers, below
MEASURE = 7  # floats, below
COUNTS = 8  # integers, below
COLUMNS = 9  # integers: N_COLUMN per block column, below
SOURCES = 10  # integers: N_SOURCE per update of a column by an earlier one, below
RUNS = 11  # integers: number of rows, target in VALUES
TAILS = 12  # integers: number of rows, target in RHS
IDENTITY = 13  # integers: N_IDENTITY per equation, below
PADS = 14  # integers: places in VALUES of the unit diagonals of padding
PIVOTS = 15  # floats (n): 1 / d
SCALE = 16  # floats (n): largest value seen on each diagonal position
WORK = 17  # floats: scratch
ORDER = 18  # integers: scratch
SEATS = 19  # integers: N_SEAT per supported block, below
PAIRS = 20  # integers: N_PAIR per pair of supported blocks, below
WEIGHTS = 21  # floats (n): P of each multiplier that supports
CARRIED = 22  # floats: G P of every seat
N_SLOTS = 23

# COUNTS
N_BLOCKS, N_VALUES, N_PADS, MIRROR, N_SEATS, N_PAIRS = 0, 1, 2, 3, 4, 5
N_COUNTS = 6

# COLUMNS: size, first equation, place of the diagonal block, scalar rows below it, first of SOURCES, first of
# TAILS, what it is: PRIMAL or MULTIPLIER
SIZE, START, PANEL, BELOW, SOURCE, TAIL, NATURE = 0, 1, 2, 3, 4, 5, 6
N_COLUMN = 7

# SOURCES: place in VALUES of the source's rows from the target's block on, size and first equation of the
# source column, first of RUNS
ROWS, WIDTH, EQUATION, RUN = 0, 1, 2, 3
N_SOURCE = 4

# IDENTITY: the user's block, the row in it, and what it is
BLOCK, ROW, KIND = 0, 1, 2
N_IDENTITY = 3
PRIMAL, MULTIPLIER, PADDING = 0, 1, 2

# SEATS (see `support`): rows and first equation of the multipliers, rows and first equation of the coordinates, place
# in CARRIED, place and strides of G.   PAIRS: rows of the multipliers and of both blocks, place in CARRIED, place and
# strides of B, place and strides of S
N_SEAT, N_PAIR = 8, 10

# OPTIONS: a pivot is small if |d| ≤ THRESHOLD · (largest value seen on its diagonal position), for rows of
# multipliers MULTIPLIER_THRESHOLD; with DROP = 1 small pivots of multipliers are dropped (their solution is
# 0) instead of being an error
THRESHOLD, MULTIPLIER_THRESHOLD, DROP = PRIMAL, MULTIPLIER, 2
N_OPTIONS = 3
DEFAULT_OPTIONS = (1e-14, 1e-10, 0.0)
"""A clamped beam of 10 000 elements has a true pivot of 2e-12, a free one of 1e-16. Redundant constraints
leave 1e-14 in a loop of 4 bodies, 2e-12 in one of 20, 9e-11 in one of 100; the true pivot of a link between
two bodies 10⁹ times as heavy is 1e-9."""

# INFO: block and row of the offending pivot, number of dropped rows, then (block, row) of each of them.
# MEASURE: magnitude of the offending pivot, and the scale it was judged by.
BAD_BLOCK, BAD_ROW, N_DROPPED, DROPPED = 0, 1, 2, 3
BAD_PIVOT, BAD_SCALE = 0, 1
N_MEASURE = 2

# What the kernels return
OK, NOT_FINITE, SINGULAR, EXCEPTION = 0, 1, 2, 3
