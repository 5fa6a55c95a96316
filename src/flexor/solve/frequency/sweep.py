"""Many frequencies from few: exact solutions at chosen frequencies span a space in which all others are found.

Each exact solution, less what prescribed motion lifts it by, obeys the constraints; real and imaginary parts make an orthonormal basis V.
In it the equations are small, VᵀA(s)V c = −Vᵀ(d + A·lift), and solved at all frequencies by one diagonalisation. The residual of the
full equations, seen through a few random vectors, tells where the next exact solutions are taken; they also tell the true error. The sweep
ends when those at the worst frequencies agree with what was predicted.
"""

from __future__ import annotations

import numpy as np

from flexor.solve.frequency.direct import Factory
from flexor.solve.frequency.in_coordinates import in_coordinates
from flexor.solve.frequency.linear_system import LinearSystem
from flexor.solve.frequency.space import Space

MANY = 60
"""Frequencies from which on a sweep may pay."""
TOLERANCE = 4e-9
"""Relative error of outputs; where they are smaller than FLOOR of their largest value, or of what they might be, relative to that."""
FLOOR = 1e-4
STALLED = 1e-7
"""Likewise where exact solutions bring nothing new, so that what differs is their rounding."""
ROUNDING = 30.0
"""Errors of exact solutions by rounding, in parts of what refinement changes in them, which are not told from those of the sweep."""
LOOKS = 10
"""Exact solutions per round."""
LARGEST = 400
"""Size of the space beyond which a sweep is given up."""
COARSE = 1000
"""Frequencies that residuals are looked at until they are small."""


def swept_response(system: LinearSystem, omegas: np.ndarray) -> tuple[np.ndarray, int] | None:
    """Outputs by inputs at every frequency, and at how many the equations were solved; None where a sweep does not pay."""
    if len(omegas) < MANY or np.any(omegas == 0):
        return None
    reduced = in_coordinates(system)
    if reduced is None:
        return None
    space = Space(reduced)
    factory, own = Factory(system), reduced.rows
    exact: dict[int, np.ndarray] = {}
    rounding: dict[int, np.ndarray] = {}
    bound: dict[int, np.ndarray] = {}
    order = np.argsort(omegas)
    looked = order[:: max(1, len(order) // COARSE)]  # some at first, all in the end
    worst = order[np.unique(np.linspace(0, len(omegas) - 1, LOOKS).astype(int))]
    values: dict[int, np.ndarray] = {}
    agreed, off = False, [np.array(np.inf)]
    while True:
        solutions = {}
        for i in map(int, worst):
            solutions[i] = factory.solve(float(omegas[i]))
            exact[i], rounding[i] = solutions[i][system.read], factory.rounding[system.read]
            bound[i] = space.bound(solutions[i][own], float(omegas[i]))
        if values:
            floor = FLOOR * np.max([np.abs(each) for each in exact.values()], axis=0)
            off = [
                np.maximum(np.abs(values[i] - exact[i]) - ROUNDING * rounding[i], 0.0)
                / np.maximum(np.maximum(np.abs(exact[i]), np.maximum(floor, FLOOR * bound[i])), 1e-300)
                for i in solutions
            ]
            if np.max(off) <= TOLERANCE and len(looked) == len(order):
                break
            agreed = bool(np.max(off) <= TOLERANCE)
            looked = order if agreed else looked
        if len(exact) >= len(omegas) // 3 or space.size >= LARGEST:
            return None
        before = space.size
        for i, x in solutions.items():
            space.add(x[own], 1j * omegas[i])
        if space.size == before and not agreed:  # what is left is rounding
            if len(looked) == len(order) and np.max(off) <= STALLED:
                break
            return None
        found = space.solve(1j * omegas[looked])
        if found is None:
            return None
        told, residual = found
        worst = looked[_largest(residual, np.isin(looked, list(exact)))]
        values = {int(i): told[np.flatnonzero(looked == i)[0]] for i in worst}
        if not len(worst):
            return None
    result = np.empty((len(omegas), *told.shape[1:]), dtype=complex)
    result[looked] = told
    for i, each in exact.items():
        result[i] = each
    return result, len(exact)


def _largest(residual: np.ndarray, taken: np.ndarray) -> np.ndarray:
    """Where residuals are largest, one of each hill between two frequencies that were solved, in ascending order of frequency."""
    size, hills = np.where(taken, -1.0, residual), np.cumsum(taken)
    tops = {int(np.argmax(np.where(hills == hill, size, -1.0))) for hill in np.unique(hills)}
    return np.array(sorted((top for top in tops if size[top] >= 0), key=lambda top: -size[top])[:LOOKS], dtype=np.int64)
