"""Ten flexible links on revolute joints, released horizontally: Flexor against Exudyn.

Link i is a steel bar 1 m × 40 mm × 40 mm along x from (i, 0, 0) to (i+1, 0, 0), meshed with 20 × 4 × 4 hex8 elements and
reduced after Craig and Bampton: motions of its two end faces, which are rigid, and 8 modes with both of them held. Joint i
holds the near face to the far face of the link before (joint 0 to ground), with the axes of ``rigid-chain``. The chain
starts at rest and undeformed under gravity −z; the faces of a link turn by 3e-3 against each other. Both integrate with
generalized-α, spectral radius ρ∞ = 0.8, fixed step h = 1 ms, and reduce the same matrices of the mesh: the natural
frequencies of one free reduced link agree to rounding. Flexor carries a link by its end faces (co-rotated superelement),
Exudyn by a floating frame fixed to the near face. Their tips differ by 1 % of what bending moves the tip, in proportion to
the flexibility, whatever the step; Flexor's own floating frames agree with its superelements a hundred times better.
``--study`` shows that, what Newton's tolerances leave, and how much a link bends.

Timed is the call that solves, with its initial accelerations; reducing, building and assembling is not. Counted in the
ratio are "flexor" and "exudyn", each with its fastest solver settings that hold the same accuracy, and Exudyn's joints on
markers over all nodes of a face, as its manual and examples have them. Such a marker averages over its nodes in every
iteration; because the faces are rigid, four nodes do as well, and one needs no marker at all at the frame's own face. That
is "exudyn, four nodes", whose ratio is printed, too. The other lines are for information: Flexor with joints by
multipliers, with the nodal form of inertia (which has no exact centrifugal load: see the tip), and both programs with
tolerances a thousandth of those that count, which are about their defaults.
"""

from __future__ import annotations

import argparse
import importlib
import json
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import flexor as fx
from benchmarks.rigid_chain import STEP, ChainRun
from benchmarks.timing import best_of, machine_facts
from flexor.mesh import Mesh
from flexor.mesh.generate import bar

LINKS = 10
LENGTH = 1.0  # m
WIDTH = 0.04  # m, both ways across
DIVISIONS = (20, 4, 4)
MODES = 8
STEPS = 1000

AGREEMENT = 2e-4  # m: two programs must put every link end this close together; bending moves the tip by 4e-3 m
FREQUENCIES = 1e-9  # and natural frequencies of one reduced link, relatively

Chain = Callable[..., ChainRun]  # chain(h, steps, stiffness, tighter)

CONTESTANTS = {
    "flexor": "benchmarks.flexible_chain_flexor:flexor_chain",
    "flexor, multipliers": "benchmarks.flexible_chain_flexor:flexor_multipliers",
    "flexor, nodal inertia": "benchmarks.flexible_chain_flexor:flexor_nodal",
    "flexor, tight": "benchmarks.flexible_chain_flexor:flexor_tight",
    "exudyn": "benchmarks.flexible_chain_exudyn:exudyn_whole_faces",
    "exudyn, tight": "benchmarks.flexible_chain_exudyn:exudyn_defaults",
    "exudyn, four nodes": "benchmarks.flexible_chain_exudyn:exudyn_chain",
}


def link_mesh(stiffness: float = 1.0) -> Mesh:
    """One link, with Young's modulus times ``stiffness``."""
    steel = fx.Steel()
    material = fx.Isotropic(stiffness * steel.young, steel.poisson, steel.density)
    return bar(LENGTH, WIDTH, WIDTH, DIVISIONS, material=material)


def load(place: str) -> Any:
    """A function given as module:name; a program that is not installed is named with its remedy."""
    module, _, function = place.partition(":")
    try:
        return getattr(importlib.import_module(module), function)
    except ImportError as error:
        raise SystemExit(f"{module} cannot be loaded ({error}); install it or run with --only flexor") from error


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--repeats", type=int, default=5, help="runs of which the fastest counts")
    parser.add_argument("--only", choices=CONTESTANTS, help="run one contestant alone, without comparison")
    parser.add_argument("--study", action="store_true", help="also vary stiffness, step and tolerances")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")


def run(arguments: argparse.Namespace) -> int:
    """Print the table and the speed-up; 1 if the programs do not agree on the motion."""
    names = [arguments.only] if arguments.only else list(CONTESTANTS)
    chains: dict[str, Chain] = {name: load(CONTESTANTS[name]) for name in names}
    report: dict[str, Any] = {"machine": machine_facts("numpy", "numba", "exudyn"), "agree": None, "ratio": None}
    best = best_of({name: partial(chain, STEP, STEPS) for name, chain in chains.items()}, arguments.repeats)
    report |= {name: row(best[name]) for name in names}
    if not arguments.only:
        report |= compare(best["flexor"], best["exudyn"])
        report["ratio_four_nodes"] = best["exudyn, four nodes"]["seconds"] / best["flexor"]["seconds"]
    if arguments.json:
        print(json.dumps(report))
    else:
        print_table(report, names)
        if arguments.study and not arguments.only:
            print_study(chains["flexor"], chains["exudyn"])
        if report["agree"] is False:
            print("\nthe programs did not compute the same motion")
        if report["ratio"] is not None:
            print(f"\nratio to Exudyn with markers on four nodes of a face {report['ratio_four_nodes']:.3g}")
            print(f"ratio {report['ratio']:.3g}")
    return 1 if report["agree"] is False else 0


def row(best: Any) -> dict[str, Any]:
    return {
        "us_per_step": best["seconds"] / STEPS * 1e6,
        "iterations_per_step": best["iterations"] / STEPS,
        "factorisations_per_step": best["factorisations"] / STEPS,
        "tip": [float(coordinate) for coordinate in best["tip"]],
    }


def compare(ours: Any, theirs: Any) -> dict[str, Any]:
    """Speed-up, distances of the link ends [m], difference of the natural frequencies, and whether all that is small."""
    ends = distance(ours, theirs)
    frequency_difference = float(np.abs(flexor_frequencies() / exudyn_frequencies() - 1).max())
    return {
        "tip_difference": float(np.linalg.norm(ours["tip"] - theirs["tip"])),
        "largest_difference": ends,
        "frequency_difference": frequency_difference,
        "agree": ends <= AGREEMENT and frequency_difference <= FREQUENCIES,
        "ratio": theirs["seconds"] / ours["seconds"],
    }


def flexor_frequencies() -> NDArray[np.float64]:
    return load("benchmarks.flexible_chain_flexor:free_frequencies")()


def exudyn_frequencies() -> NDArray[np.float64]:
    return load("benchmarks.flexible_chain_exudyn:free_frequencies")()


def distance(one: Any, other: Any) -> float:
    """Largest distance of a link end between two runs [m]."""
    return float(np.linalg.norm(one["ends"] - other["ends"], axis=1).max())


def print_table(report: dict[str, Any], names: list[str]) -> None:
    print(report["machine"])
    print(f"\n{LINKS} links, {STEPS} steps of {STEP * 1e3:g} ms")
    print(f"  {'':22s} {'µs/step':>10s} {'iterations/step':>16s} {'factorisations/step':>20s}  tip [m]")
    for name in names:
        of = report[name]
        x, y, z = of["tip"]
        print(
            f"  {name:22s} {of['us_per_step']:10.1f} {of['iterations_per_step']:16.2f}"
            f" {of['factorisations_per_step']:20.3f}  ({x:.8f}, {y:.8f}, {z:.8f})"
        )
    if report["ratio"] is not None:
        print(
            f"  tip differs by {report['tip_difference']:.1e} m, link ends by up to {report['largest_difference']:.1e} m,"
            f" natural frequencies by up to {report['frequency_difference']:.1e}"
        )


def print_study(flexor_chain: Chain, exudyn_chain: Chain) -> None:
    """Where the difference comes from."""
    bending = load("benchmarks.flexible_chain_flexor:bending")
    floating_chain = load("benchmarks.flexible_chain_flexor:flexor_floating")
    print("\n  Flexor's superelements: how much the first link bends, and how far other solutions put a link end, in m")
    print(f"  {'stiffness':>10s} {'h [ms]':>8s} {'bending':>12s} {'Exudyn':>12s} {'Flexor, floating frames':>24s}")
    for stiffness in (1.0, 4.0, 16.0):
        largest = bending(STEP, STEPS, stiffness)
        for halvings in (0, 1):
            at = (STEP / 2**halvings, STEPS * 2**halvings, stiffness, 1e-3)
            ours = flexor_chain(*at)
            theirs, floating = distance(ours, exudyn_chain(*at)), distance(ours, floating_chain(*at))
            print(f"  {stiffness:10g} {at[0] * 1e3:8g} {largest:12.1e} {theirs:12.1e} {floating:24.1e}")
    print(f"\n  {'link ends move by [m]':24s} {'tolerances halved':>18s} {'/ 1000':>10s}")
    for name, chain in (("flexor", flexor_chain), ("exudyn", exudyn_chain)):
        usual = chain(STEP, STEPS)
        halved, exact = (distance(usual, chain(STEP, STEPS, 1.0, tighter)) for tighter in (0.5, 1e-3))
        print(f"  {name:24s} {halved:18.1e} {exact:10.1e}")
