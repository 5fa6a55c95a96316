"""The solver as part of a loop: another kernel assembles, factorises and solves through the linear table."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.engine.linear.table import Linear
from flexor.law.primitives import call
from flexor.law.record import Record, integers_at, kernel_at, numbers_at, record_at
from flexor.law.table import AddressTable
from tests.engine.linear.systems import System, chain, random_system


class Loop(Record):
    """What a loop needs."""

    linear = record_at(Linear, "the solver")
    places = integers_at("places in its values")
    numbers = numbers_at("what is added there")
    count = integers_at("how many")
    run = kernel_at("assembles and solves")


def assemble_and_solve(T: Loop):
    L = T.linear
    call(L.clear, L)
    for i in range(T.count[0]):
        L.values[T.places[i]] += T.numbers[i]
    status = call(L.factor, L)
    if status != 0:
        return status
    return call(L.solve, L)


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
        loop = AddressTable(Loop, python)
        for name, value in (("linear", solver.table), ("places", places), ("numbers", numbers)):
            loop.set(name, value)
        loop.set("count", np.array([len(places)]))
        loop.set_kernel("run", assemble_and_solve)
        solver.table.set("rhs", increment)
        for _ in range(2):
            increment[equations] = b
            assert loop.call("run") == 0
            assert system.residual(increment[equations], b) < 1e-12
