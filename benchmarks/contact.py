"""Contact: Flexor against Exudyn's general contact, and other programs for information.

Each case is a module with `contestants()`, the runs by name, Flexor's first; `described(run)`, a line about a run; and `differ(one, other)`, what tells
that two of them did not compute the same. The last line is the worst ratio of Exudyn's best time to Flexor's.
"""

from __future__ import annotations

import argparse
import importlib

from benchmarks.timing import best_of, machine_facts

CASES = {"pile": "benchmarks.contact_pile", "plate": "benchmarks.contact_plate"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--repeats", type=int, default=3, help="runs of which the fastest counts")
    parser.add_argument("--only", nargs="+", default=list(CASES), choices=list(CASES), help="some of the cases")


def run(arguments: argparse.Namespace) -> int:
    """Print a line per case and program, then the worst speed-up; 1 if the programs do not agree."""
    print(machine_facts("numpy", "numba", "exudyn", "mujoco"))
    ratios, agree = [], True
    for name in arguments.only:
        case = importlib.import_module(CASES[name])
        best = best_of(case.contestants(), arguments.repeats)
        print(f"{name}: {str(case.__doc__).splitlines()[0]}")
        for each, done in best.items():
            print(f"  {each:18s} {case.described(done)}", flush=True)
        rivals = [each for each in best if each.startswith("exudyn")]
        if not rivals:
            raise SystemExit("exudyn cannot be loaded; install it")
        fastest = min(rivals, key=lambda each: best[each]["seconds"])
        if why := case.differ(best["flexor"], best[fastest]):
            print(f"  flexor and exudyn did not compute the same: {why}")
            agree = False
        ratios.append(best[fastest]["seconds"] / best["flexor"]["seconds"])
        print(f"  speed-up {ratios[-1]:.2f}", flush=True)
    print(f"\nratio {min(ratios):.3g}")
    return 0 if agree else 1
