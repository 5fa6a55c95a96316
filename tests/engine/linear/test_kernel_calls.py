"""The solver as part of a loop: another kernel assembles, factorises and solves through the linear table."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from flexor.engine.linear.table import CLEAR, FACTOR, RHS, SOLVE, VALUES
from flexor.law.compile import compiled
from flexor.law.primitives import call, f64, i64
from tests.engine.linear.systems import System, chain, random_system

LINEAR, PLACES, NUMBERS, SIZES, INCREMENT = 0, 1, 2, 3, 4


def assemble_and_solve(T):
    L = i64(T, LINEAR)
    places, numbers = i64(T, PLACES), f64(T, NUMBERS)
    call(L, CLEAR)
    V = f64(L, VALUES)
    for i in range(i64(T, SIZES)[0]):
        V[places[i]] += numbers[i]
    status = call(L, FACTOR)
    if status != 0:
        return status
    L[RHS] = T[INCREMENT]
    return call(L, SOLVE)


def scatter_list(system: System, solver) -> tuple[np.ndarray, np.ndarray]:
    """Place in the values and number of every entry: what an engine works out once, from `locate`."""
    pattern = solver.pattern
    places, numbers = [], []
    for (i, j), matrix in system.blocks.items():
        offset, ld, transposed = (int(found) for found in pattern.locate(i, j))
        if transposed and solver.symmetric:
            continue
        a, b = np.indices(matrix.shape)
        place = offset + pattern.mirror + b * ld + a if transposed else offset + a * ld + b
        places.append(place.ravel())
        numbers.append(matrix.ravel())
    return np.concatenate(places), np.concatenate(numbers)


@pytest.mark.parametrize("pivoted", [False, True])
@pytest.mark.parametrize("python", [False, True])
@pytest.mark.parametrize("symmetric", [True, False])
def test_loop_drives_the_solver(symmetric, python, pivoted):
    for system in (chain(4), random_system(6, symmetric)):
        solver = system.solver(symmetric, python)
        if pivoted:
            solver.use_pivoted()
        places, numbers = scatter_list(system, solver)
        b = np.random.default_rng(2).standard_normal(system.starts[-1])
        increment = np.zeros(solver.pattern.n)
        equations = system.places(solver.pattern)
        arrays = [places, numbers, np.array([len(places)]), increment]
        for _ in range(2):
            increment[equations] = b
            if python:
                status = assemble_and_solve([solver.table_pointer, *arrays])
            else:
                T = np.array([solver.table_pointer, *(array.ctypes.data for array in arrays)])
                kernel = compiled(assemble_and_solve, "kernel")
                status = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(kernel.address)(T.ctypes.data)
            assert status == 0
            assert system.residual(increment[equations], b) < 1e-12
