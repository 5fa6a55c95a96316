"""The linear solver's memory, by name (`flexor.law.record`). Use by another kernel:

L = T.linear                     # of the engine's memory
call(L.clear, L)                 # values = 0, unit diagonal on padding
…                                # add the matrix to L.values, where Pattern.locate says
status = call(L.factor, L)       # values become factors
status = call(L.solve, L)        # in place on L.rhs, which may lead to any vector of Pattern.n floats
"""

from __future__ import annotations

from flexor.law.record import Record, integer, integers_at, kernel_at, number, numbers, numbers_at, record_at

PRIMAL, CONSTRAINT, PAD = range(3)
"""What an equation or a column is to the solver: of S, of B, or a unit diagonal that fills a block."""

OK, NOT_FINITE, SINGULAR, EXCEPTION = range(4)
"""What the kernels return; those of the engine go on from here (`flexor.engine.memory`)."""

DEFAULT_THRESHOLDS = (1e-14, 1e-10)
"""A clamped beam of 10 000 elements has a true pivot of 2e-12, a free one of 1e-16. Redundant constraints
leave 1e-14 in a loop of 4 bodies, 2e-12 in one of 20, 9e-11 in one of 100; the true pivot of a link between
two bodies 10⁹ times as heavy is 1e-9."""


class Factorisation(Record):
    """Counts, options and findings."""

    n_blocks = integer("block columns")
    n_values = integer("length of `values`")
    n_pads = integer("length of `pads`")
    mirror = integer("where the upper triangle begins in `values`, for LU")
    n_seats = integer("length of `seats`")
    n_pairs = integer("length of `pairs`")
    thresholds = numbers(
        2, "a pivot |d| ≤ threshold · (largest value seen on its diagonal) is small; PRIMAL, CONSTRAINT"
    )
    drop = integer("1: small pivots of multipliers are dropped (their solution is 0) instead of being an error")
    bad_block = integer("block of the offending pivot")
    bad_row = integer("its row there")
    bad_pivot = number("its magnitude")
    bad_scale = number("the scale that it was judged by")
    n_dropped = integer("rows dropped")


class Column(Record):
    """A block column."""

    size = integer("its columns, padding included")
    own = integer("its columns without padding: so many rows it has in the panels of others")
    start = integer("its first equation")
    panel = integer("place of the diagonal block in `values`")
    below = integer("scalar rows below it")
    source = integer("first of the updates by earlier columns, in `sources`")
    tail = integer("first of its runs in `tails`")
    nature = integer("PRIMAL or CONSTRAINT")


class SourceColumn(Record):
    """An update of a column by an earlier one."""

    rows = integer("place in `values` of the source's rows from the target's block on")
    width = integer("columns of the source, padding included")
    rank = integer("without padding")
    equation = integer("its first equation")
    run = integer("first of its runs in `runs`")


class Identity(Record):
    """Whose an equation is."""

    block = integer("the user's block")
    row = integer("the row in it")
    kind = integer("PRIMAL, CONSTRAINT or PAD")


class Seat(Record):
    """A block of multipliers with a block of coordinates that it supports (see `support`)."""

    rows = integer("of the multipliers")
    multiplier = integer("their first equation")
    size = integer("rows of the coordinates")
    equation = integer("their first equation")
    carried = integer("place of G P in `carried`")
    G = integer("place of G in `values`")
    along = integer("stride of its rows")
    across = integer("stride of its columns")


class Pair(Record):
    """Two blocks of coordinates that a block of multipliers supports together."""

    rows = integer("of the multipliers")
    height = integer("rows of the first block")
    width = integer("rows of the second")
    carried = integer("place of G P of the first in `carried`")
    B = integer("place of B of the second in `values`")
    along = integer("stride of its rows")
    across = integer("stride of its columns")
    S = integer("place of the block of S")
    down = integer("stride of its rows")
    right = integer("stride of its columns")


class Linear(Record):
    """All arrays and kernels of the solver."""

    factor = kernel_at("values → factors")
    solve = kernel_at("in place on `rhs`")
    clear = kernel_at("makes the values ready for assembly")
    rhs = numbers_at("right-hand side, then solution")
    values = numbers_at("the matrix, later its factors")
    numbers = record_at(Factorisation, "counts, options, findings")
    columns = integers_at("a Column each, and one behind the last")
    sources = integers_at("a SourceColumn each, and one behind the last")
    runs = integers_at("number of rows, target in `values`")
    tails = integers_at("number of rows, target in `rhs`")
    identity = integers_at("an Identity per equation")
    pads = integers_at("places in `values` of the unit diagonals of padding")
    dropped = integers_at("block and row of each dropped pivot")
    pivots = numbers_at("1 / d")
    scale = numbers_at("largest value seen on each diagonal position")
    seats = integers_at("a Seat each")
    pairs = integers_at("a Pair each")
    weights = numbers_at("P of each multiplier that supports, by equation")
    carried = numbers_at("G P of every seat")
    lanes = numbers_at("for 0 … 6 columns: so many ones, zeros up to six")
    work = numbers_at("scratch")
    order = integers_at("scratch")
