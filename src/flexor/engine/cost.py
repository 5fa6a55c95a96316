"""What a new matrix costs beside an iteration with an old one: by counting, so that a run is the same on any machine."""

from __future__ import annotations

import numpy as np

from flexor.engine.linear.pattern import Pattern

# measured [ns]: nets, grids of springs and chains of 10 to 1700 blocks agree within a fifth
PER_UPDATE = 0.038  # of a column: size × (rows at and below its diagonal)²
PER_VALUE = 0.4  # of the factors, in a solution
LARGE_UPDATE, LARGE_VALUE, PER_STORED = 0.01, 0.8, 60.0  # the same by Pardiso, and what it takes for each stored value
PER_TERM = 60.0  # residual of a law of two nodes; grows with the square of its coordinates
MATRIX = 1.8  # what its matrix takes beyond, in residuals
CHEAP = 2.0  # a matrix of so many iterations is never waited for: those with an old one tell less how far they are


def renewal(pattern: Pattern, sizes: np.ndarray) -> float:
    """Cost of a new matrix and its factors, in iterations with old ones; sizes: rows of each term that is always asked."""
    factor, solve = PER_UPDATE * pattern.work, PER_VALUE * pattern.mirror
    if not pattern.filled:
        factor, solve = LARGE_UPDATE * pattern.work + PER_STORED * pattern.mirror, LARGE_VALUE * pattern.fill
    residual = PER_TERM * float((1.0 + (sizes / 12.0) ** 2).sum()) / 2.0
    return (factor + MATRIX * residual) / (solve + residual)


def dearness(renewal: float) -> float:
    """The same beyond that of a cheap one."""
    return max(0.0, renewal - CHEAP)
