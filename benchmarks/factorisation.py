"""Numeric factorisation and solution of typical system matrices: the block solver against SuperLU.

The matrices: a chain of N rigid links on revolute joints (6 equations a link, 5 a joint), a hub with 50 links
on spherical joints, a square grid of 29 × 29 nodes of six degrees of freedom with four or eight neighbours.
The block solver has analysed the pattern before, as a time loop has; it is timed through a call from Python,
some 2 µs of which are the call. SuperLU has no such analysis to keep: it orders the matrix every time. It
runs once in its symmetric mode (order MMD of Aᵀ + A, diagonal pivots preferred), once with its defaults.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse.linalg import splu

from benchmarks.timing import best_of, machine_facts
from flexor.engine.linear.pattern import analyse
from flexor.engine.linear.solver import BlockSolver
from tests.engine.linear.systems import System, chain, grid, hub

RESIDUAL = 1e-11  # of every contestant, relative; otherwise its time does not count


def systems(lengths: list[int]) -> dict[str, Callable[[], System]]:
    return {
        **{f"chain {n}": partial(chain, n) for n in lengths},
        "hub 50": partial(hub, 50),
        "grid 29×29, 4 neighbours": partial(grid, 29),
        "grid 29×29, 8 neighbours": partial(grid, 29, diagonal=True),
    }


def by_blocks(system: System, solver: BlockSolver, b: np.ndarray) -> Callable[[], dict[str, Any]]:
    values = solver.values.copy()
    places = system.places(solver.pattern)
    x = np.zeros(solver.pattern.n)

    def once() -> tuple[float, float]:
        solver.values[:] = values
        x[:] = 0.0
        x[places] = b
        started = time.perf_counter()
        status = solver.factor()
        factored = time.perf_counter()
        solver.solve(x)
        solved = time.perf_counter()
        assert status == 0
        return factored - started, solved - factored

    return lambda: {**fastest(once), "x": x[places]}


def by_superlu(matrix: Any, b: np.ndarray, **options: Any) -> Callable[[], dict[str, Any]]:
    x = np.zeros(len(b))

    def once() -> tuple[float, float]:
        started = time.perf_counter()
        factors = splu(matrix, **options)
        factored = time.perf_counter()
        x[:] = factors.solve(b)
        return factored - started, time.perf_counter() - factored

    return lambda: {**fastest(once), "x": x}


def fastest(once: Callable[[], tuple[float, float]]) -> dict[str, float]:
    """Best of some runs in a row, with warm caches as in a time loop."""
    factor, solve = zip(*(once() for _ in range(5)))
    return {"seconds": min(factor), "solve": min(solve)}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--n", type=int, nargs="+", default=[10, 100, 1000], help="lengths of the chains")
    parser.add_argument("--repeats", type=int, default=7, help="rounds of which the fastest counts")


def run(arguments: argparse.Namespace) -> int:
    """Print the table and the smallest speed-up of LDLᵀ over the faster SuperLU; 1 if a solution is wrong."""
    print(machine_facts("numpy", "scipy", "numba"))
    print(f"\n{'':26s}{'':24s}{'factor':>10s} {'solve':>10s}  residual")
    speedups, right = [], True
    for name, build in systems(arguments.n).items():
        results = measure(build(), arguments.repeats)
        for contestant, of in results.items():
            right &= of["residual"] < RESIDUAL
            microseconds = f"{of['seconds'] * 1e6:8.1f} µs{of['solve'] * 1e6:8.1f} µs"
            print(f"{name:26s}{contestant:24s}{microseconds}  {of['residual']:.0e}")
        superlu = min(of["seconds"] for contestant, of in results.items() if "SuperLU" in contestant)
        speedups.append(superlu / results["blocks LDLᵀ"]["seconds"])
        print(f"{'':26s}speed-up {speedups[-1]:.3g}\n")
    if not right:
        print(f"a solution has a residual beyond {RESIDUAL:g}")
    print(f"ratio {min(speedups):.3g}")
    return 0 if right else 1


def measure(system: System, repeats: int) -> dict[str, dict[str, Any]]:
    b = np.random.default_rng(0).standard_normal(system.starts[-1])
    pattern = analyse(system.rows, system.pairs, system.multiplier)
    matrix = system.matrix().tocsc()
    contestants = {
        "blocks LDLᵀ": by_blocks(system, system.solver(True, pattern=pattern), b),
        "blocks LU": by_blocks(system, system.solver(False, pattern=pattern), b),
        "SuperLU symmetric, MMD": by_superlu(
            matrix, b, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.01, options={"SymmetricMode": True}
        ),
        "SuperLU default": by_superlu(matrix, b),
    }
    best = best_of(contestants, repeats)
    return {name: {**of, "residual": system.residual(of["x"], b)} for name, of in best.items()}


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks factorisation", description=__doc__)
    add_arguments(parser)
    return run(parser.parse_args(argv))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
