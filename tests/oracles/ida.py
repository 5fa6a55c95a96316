"""Hand-written equations of motion integrated by SUNDIALS IDA: implicit, multistep, of variable order and step."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

ida = pytest.importorskip("sksundae.ida", reason="the oracle needs scikit-sundae")

Rates = Callable[[float, np.ndarray], tuple[Sequence[float] | np.ndarray, Sequence[float] | np.ndarray]]


def integrate(rates: Rates, times: np.ndarray, y0: Sequence[float] | np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Solution of ẏ = f(t, y) and its multipliers λ(t, y), one row for each of the times.

    `rates` returns (ẏ, λ): equations of motion and Φ̈ = 0 solved together, index 1 with the multipliers eliminated.
    """

    def residual(t: float, y: np.ndarray, yp: np.ndarray, res: np.ndarray) -> None:
        res[:] = yp - rates(t, y)[0]

    solver = ida.IDA(residual, rtol=1e-11, atol=1e-11, max_num_steps=100_000)
    start = np.array(y0, dtype=float)
    solution = solver.solve(times, start, np.array(rates(times[0], start)[0]))
    assert solution.success, solution.message
    y = np.asarray(solution.y)
    return y, np.array([rates(t, row)[1] for t, row in zip(times, y)])


def with_multipliers(M: np.ndarray, Q: np.ndarray, B: np.ndarray, gamma: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations and multipliers of M a + Bᵀ λ = Q, B a = γ."""
    n, m = len(Q), len(gamma)
    matrix = np.block([[M, B.T], [B, np.zeros((m, m))]])
    found = np.linalg.solve(matrix, np.concatenate([Q, gamma]))
    return found[:n], found[n:]
