"""Hand-written equations of motion integrated by SUNDIALS IDA: implicit, multistep, of variable order and step."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

ida = pytest.importorskip("sksundae.ida", reason="the oracle needs scikit-sundae")

Residual = Callable[[float, np.ndarray, np.ndarray], Sequence[float] | np.ndarray]


def integrate(residual: Residual, times: np.ndarray, y0: Sequence[float], algebraic: Sequence[int] = ()) -> np.ndarray:
    """Solution y of F(t, y, ẏ) = 0, one row for each of the times; `algebraic` numbers the y whose rate does not occur.

    F must be linear in ẏ and in the algebraic y, as equations of motion are: their initial values follow from it.
    """

    def fill(t: float, y: np.ndarray, yp: np.ndarray, res: np.ndarray) -> None:
        res[:] = residual(t, y, yp)

    y, yp = _consistent(residual, times[0], np.array(y0, dtype=float), list(algebraic))
    solver = ida.IDA(fill, rtol=1e-11, atol=1e-12, algebraic_idx=list(algebraic) or None, max_num_steps=100_000)
    solution = solver.solve(times, y, yp)
    assert solution.success, solution.message
    return np.asarray(solution.y)


def _consistent(residual: Residual, t: float, y: np.ndarray, algebraic: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Initial algebraic y and ẏ of the others: F = 0 is linear in them."""
    unknown_rate = np.ones(len(y), dtype=bool)
    unknown_rate[algebraic] = False

    def split(unknown: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.where(unknown_rate, y, unknown), np.where(unknown_rate, unknown, 0.0)

    constant = np.array(residual(t, *split(np.zeros(len(y)))))
    columns = [np.array(residual(t, *split(unit))) - constant for unit in np.eye(len(y))]
    return split(np.linalg.solve(np.column_stack(columns), -constant))
