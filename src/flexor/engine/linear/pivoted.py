"""Fallback with full partial pivoting: SuperLU behind the two kernels of the block solver.

For matrices on which the fixed elimination order breaks down, e.g. a body that has neither mass nor stiffness
of its own in a position where no block pivot is regular. The matrix is equilibrated, then factorised.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import SuperLU, splu

from flexor.engine.linear import table
from flexor.engine.linear.callback import CallbackFactors

SHIFT = 1e-14
"""Added to the diagonal of an exactly singular, equilibrated matrix to find its null vector."""


class PivotedFactors(CallbackFactors):
    """Factors of the assembled matrix, made and used by `factor` and `solve`, kernels in Python.

    assembled: gives the matrix.   right_hand_side: gives the vector to be solved on, in place.
    memory: the solver's, whose options and findings are shared.
    """

    def __init__(
        self,
        assembled: Callable[[], sparse.csc_array],
        right_hand_side: Callable[[], NDArray[np.float64]],
        memory: table.Linear,
    ) -> None:
        super().__init__(right_hand_side, memory)
        self.assembled = assembled
        self._factors: SuperLU | None = None
        self._scales: tuple[NDArray, NDArray] = (np.ones(0), np.ones(0))
        self._dropped: list[int] = []

    def _factor(self) -> int:
        matrix = self.assembled().tocoo()
        self._factors, self._dropped = None, []
        self.numbers.n_dropped = 0
        wrong = np.flatnonzero(~np.isfinite(matrix.data))
        if len(wrong):
            first = wrong[0]
            return self._report(table.NOT_FINITE, int(matrix.row[first]), float(matrix.data[first]), 0.0)
        while True:
            kept = _without(matrix, self._dropped)
            scaled, rows, columns = _equilibrated(kept)
            factors, smallest = _factorised(scaled)
            equation = -1  # none is suspect
            if smallest <= max(self.numbers.thresholds):
                equation = int(np.argmax(np.abs(_null_vector(scaled, factors)) * self._may_be_singular()))
            multiplier = equation >= 0 and self.identity["kind"][equation] == table.CONSTRAINT
            threshold = self.numbers.thresholds[table.CONSTRAINT if multiplier else table.PRIMAL]
            if factors is not None and (equation < 0 or smallest > threshold):
                self._factors, self._scales = factors, (rows, columns)
                return table.OK
            if not (multiplier and self.numbers.drop == 1):
                return self._report(table.SINGULAR, equation, smallest, 1.0)
            n = int(self.numbers.n_dropped)
            self.memory.dropped[2 * n : 2 * n + 2] = self.identity["block"][equation], self.identity["row"][equation]
            self.numbers.n_dropped = n + 1
            self._dropped.append(equation)

    def _may_be_singular(self) -> NDArray[np.float64]:
        """1 for each equation; 0 for those which were dropped."""
        candidates = np.ones(len(self.identity))
        candidates[self._dropped] = 0.0
        return candidates

    def _solve(self) -> int:
        if self._factors is None:
            raise RuntimeError("there are no factors to solve with: call the factor kernel first")
        b = self.right_hand_side()
        rows, columns = self._scales
        x = columns * self._factors.solve(rows * b)
        x[self._dropped] = 0.0
        b[:] = x
        return table.OK


def _without(matrix: sparse.coo_array, dropped: list[int]) -> sparse.csc_array:
    """The matrix with unit rows and columns in the place of dropped ones."""
    out = np.zeros(matrix.shape[0], dtype=bool)
    out[dropped] = True
    data = np.where(out[matrix.row] | out[matrix.col], 0.0, matrix.data)
    data[out[matrix.row] & (matrix.row == matrix.col)] = 1.0
    return sparse.csc_array(sparse.coo_array((data, (matrix.row, matrix.col)), shape=matrix.shape))


def _equilibrated(matrix: sparse.csc_array) -> tuple[sparse.csc_array, NDArray, NDArray]:
    """R A C whose rows and columns have a largest magnitude of about 1 (Ruiz' iteration), and R and C."""
    rows, columns = np.ones(matrix.shape[0]), np.ones(matrix.shape[0])
    scaled = matrix
    for _ in range(4):
        magnitude = abs(scaled)
        for scale, axis in ((rows, 1), (columns, 0)):
            largest = magnitude.max(axis=axis).toarray().ravel()
            scale /= np.sqrt(np.where(largest > 0.0, largest, 1.0))
        scaled = (sparse.diags_array(rows) @ matrix @ sparse.diags_array(columns)).tocsc()
    return scaled, rows, columns


def _factorised(scaled: sparse.csc_array) -> tuple[SuperLU | None, float]:
    """Factors, or None if exactly singular, and the smallest pivot."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            factors = splu(scaled)
    except RuntimeError as error:
        if "singular" not in str(error):
            raise
        return None, 0.0
    return factors, float(np.abs(factors.U.diagonal()).min(initial=1.0))


def _null_vector(scaled: sparse.csc_array, factors: SuperLU | None) -> NDArray[np.float64]:
    """Direction in which the matrix is (nearly) singular, by inverse iteration."""
    if factors is None:
        shifted = scaled + SHIFT * sparse.diags_array(np.ones(scaled.shape[0]))
        factors = splu(shifted.tocsc())
    x = np.random.default_rng(0).standard_normal(scaled.shape[0])
    for _ in range(3):
        x = factors.solve(x / np.linalg.norm(x))
    return x / np.linalg.norm(x)
