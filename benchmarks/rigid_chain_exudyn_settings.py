"""How Exudyn's time and accuracy on the rigid chain depend on its settings.

Starts from the settings that ``rigid-chain`` uses and changes one thing at a time. The error is the largest
distance of any link end from the solution of the same step with Newton converged; for a short chain the
effect of the step size follows, against joint angles integrated to rounding error.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import rigid_chain_exudyn as exudyn_side
from benchmarks.rigid_chain import STEP, ChainRun, step_count
from benchmarks.rigid_chain_exudyn import NODES, exu
from benchmarks.rigid_chain_reference import reference_ends
from benchmarks.timing import best_of, machine_facts

LONGEST_REFERENCE = 20  # links
Change = Callable[[Any], None]  # of exudyn's settings


def keep(_: Any) -> None:
    pass


def newton(**values: Any) -> Change:
    def change(options: Any) -> None:
        for name, value in values.items():
            setattr(options.timeIntegration.newton, name, value)

    return change


def linear_solver(name: str) -> Change:
    def change(options: Any) -> None:
        options.linearSolver.solverType = getattr(exu.LinearSolverType, name)

    return change


converged = newton(relativeTolerance=1e-8, modifiedNewtonJacUpdatePerStep=True)


def chain(n: int, h: float, steps: int, change: Change, **parts: Any) -> ChainRun:
    """The chain of ``rigid-chain`` with other parts (node, joint) or settings."""
    container = exu.SystemContainer()
    mbs = container.AddSystem()
    bodies = exudyn_side.build(mbs, n, **parts)
    options = exudyn_side.settings(n, h, steps)
    change(options)
    seconds, solver = exudyn_side.solve(mbs, options)
    return exudyn_side.counted(seconds, solver, exudyn_side.link_ends(mbs, bodies))


def variants(n: int, steps: int) -> dict[str, Callable[[], ChainRun]]:
    def variant(change: Change = keep, **parts: str) -> Callable[[], ChainRun]:
        return lambda: chain(n, STEP, steps, change, **parts)

    table = {"as in rigid-chain": variant()}
    table |= {f"nodes {node}": variant(node=node) for node in NODES if node != "euler-parameters"}
    table["generic joints"] = variant(joint="generic")
    solvers = ["EigenSparseSymmetric"] + ["EigenDense", "EXUdense"] * (n <= LONGEST_REFERENCE)
    table |= {f"solver {name}": variant(linear_solver(name)) for name in solvers}
    for value in (0.5, 0.3, 0.2, 0.1, 0.05, 0.03):
        if value != exudyn_side.contractivity(n):
            table[f"contractivity {value}"] = variant(newton(modifiedNewtonContractivity=value))
    table["new matrix every step"] = variant(newton(modifiedNewtonJacUpdatePerStep=True))
    table["full Newton"] = variant(newton(useModifiedNewton=False))
    for value in (1e-8, 1e-6, 1e-4):
        table[f"relative tolerance {value:g}"] = variant(newton(relativeTolerance=value))
    return table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--n", type=int, nargs="+", default=[10, 100], help="numbers of links")
    parser.add_argument("--repeats", type=int, default=3, help="runs of which the fastest counts")


def run(arguments: argparse.Namespace) -> int:
    print(machine_facts("exudyn"))
    for n in arguments.n:
        steps = step_count(n)
        exact_step = chain(n, STEP, steps, converged)["ends"]
        print(f"\nN = {n}: {steps} steps of {STEP * 1e3:g} ms")
        print(f"  {'':28s} {'µs/step':>10s} {'iterations/step':>16s} {'factorised':>11s} {'error [m]':>10s}")
        for name, best in best_of(variants(n, steps), arguments.repeats).items():
            print(
                f"  {name:28s} {best['seconds'] / steps * 1e6:10.1f} {best['iterations'] / steps:16.2f}"
                f" {best['factorisations']:11d} {distance(best['ends'], exact_step):10.1e}"
            )
        if n <= LONGEST_REFERENCE:
            print_step_sizes(n, steps * STEP)
    return 0


def print_step_sizes(n: int, until: float) -> None:
    exact = reference_ends(n, until)
    print(f"\n  step size, against the exact tip ({', '.join(f'{x:.8f}' for x in exact[-1])}) m")
    for h in (4e-3, 2e-3, 1e-3, 0.5e-3):
        errors = [
            f"{node} {distance(chain(n, h, round(until / h), converged, node=node)['ends'], exact):.2e}"
            for node in NODES
        ]
        print(f"  h = {h * 1e3:g} ms: error [m] " + ", ".join(errors))


def distance(ends: NDArray[np.float64], others: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(ends - others, axis=1).max())
