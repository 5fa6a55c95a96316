"""The rigid chain of ``rigid-chain`` with Stribeck friction in every joint: Flexor against Exudyn.

The friction torque of a joint is T(ω) = T_C (1 + S e^{−(ω/ω_s)²}) tanh(ω/ω_r), smooth, the same in both programs: in Flexor it is
``fx.Friction(…, model="tanh")``, in Exudyn a torsional spring-damper on the joint's markers with a symbolic user function, which it
evaluates without Python. Everything else is as in ``rigid-chain``: bodies, joints, integrator, step.
"""

from __future__ import annotations

import argparse
import importlib

from benchmarks.rigid_chain import Chain, measure, print_table, step_count
from benchmarks.timing import machine_facts

TORQUE = 0.5  # N m, of fast sliding
STRIBECK = 0.5  # static friction is half as large again
SLIP_SPEED = 0.5  # rad/s
SMOOTH_SPEED = 0.1  # rad/s
AGREEMENT = 1e-4  # m: two programs must put every link end this close together to be compared

CONTESTANTS = {
    "flexor": "benchmarks.friction_chain_flexor:flexor_chain",
    "exudyn": "benchmarks.friction_chain_exudyn:exudyn_chain",
}


def contestant(name: str) -> Chain:
    """Load one contestant; a program that is not installed is named with its remedy."""
    module, _, function = CONTESTANTS[name].partition(":")
    try:
        return getattr(importlib.import_module(module), function)
    except ImportError as error:
        raise SystemExit(f"{name} cannot be loaded ({error}); install it") from error


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--n", type=int, nargs="+", default=[10, 100], help="numbers of links")
    parser.add_argument("--repeats", type=int, default=5, help="runs of which the fastest counts")


def run(arguments: argparse.Namespace) -> int:
    """Print one table per N, then the worst speed-up; 1 if the programs do not agree on the motion."""
    chains = {name: contestant(name) for name in CONTESTANTS}
    print(machine_facts("numpy", "numba", "exudyn"))
    rows = []
    for n in arguments.n:
        rows.append(measure(chains, n, step_count(n), arguments.repeats))
        print_table(rows[-1])
    agree = all(row["largest_difference"] <= AGREEMENT for row in rows)
    if not agree:
        print(f"\nthe programs differ by more than {AGREEMENT:g} m: they did not compute the same motion")
    print(f"\nratio {min(row['speedup'] for row in rows):.3g}")
    return 0 if agree else 1
