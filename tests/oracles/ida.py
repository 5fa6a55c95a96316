"""Integrate hand-written equations of motion with SUNDIALS IDA, an implicit multistep method of variable order."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

ida = pytest.importorskip("sksundae.ida", reason="the oracle needs scikit-sundae")

Residual = Callable[[float, np.ndarray, np.ndarray], np.ndarray]


def integrate(residual: Residual, times: np.ndarray, y0: np.ndarray, algebraic: tuple[int, ...] = ()) -> np.ndarray:
    """Solution y of F(t, y, ẏ) = 0 at the given times, one row each; `algebraic` numbers the y without a ẏ.

    F must be linear in ẏ and in the algebraic y, as equations of motion are: their initial values follow from that.
    """

    def fill(t: float, y: np.ndarray, yp: np.ndarray, res: np.ndarray) -> None:
        res[:] = residual(t, y, yp)

    y0, yp0 = _consistent(residual, times[0], np.array(y0, dtype=float), list(algebraic))
    solver = ida.IDA(
        fill, rtol=1e-11, atol=1e-12, algebraic_idx=list(algebraic) or None, max_num_steps=100_000, max_nonlin_iters=8
    )
    solution = solver.solve(times, y0, yp0)
    assert solution.success, solution.message
    return np.asarray(solution.y)


def _consistent(residual: Residual, t: float, y: np.ndarray, algebraic: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Algebraic y and all ẏ that solve F = 0 at the start: one linear system, columns by unit steps."""
    n = len(y)
    y = y.copy()
    y[algebraic] = 0.0

    def at(unknown: np.ndarray) -> np.ndarray:
        state, rate = y.copy(), np.zeros(n)
        for i in range(n):
            (state if i in algebraic else rate)[i] = unknown[i] if i in algebraic else unknown[i]
        return residual(t, state, rate)

    constant = at(np.zeros(n))
    matrix = np.column_stack([at(column) - constant for column in np.eye(n)])
    # at() sets algebraic entries of y and differential entries of ẏ
    found = np.linalg.solve(matrix, -constant)
    yp = found.copy()
    y[algebraic] = found[algebraic]
    yp[algebraic] = 0.0
    return y, yp
