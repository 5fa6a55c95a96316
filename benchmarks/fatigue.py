"""Fatigue damage of 100 000 nodes × 10 000 samples, and rainflow cycles of 10⁶ points, against the `rainflow` package.

Stress histories are sums of 30 vibrations and noise, different at every node, so that about a third of the samples are turning points;
all are different data, of which some nodes at a time are kept in memory. Damage: half cycles after ASTM, no mean-stress
correction, an S-N curve of two slopes and a cut-off. The `rainflow` package gets lists of floats, which is faster for it than arrays,
its cycles are summed up in a comprehension; it is timed on a few nodes and extrapolated. Both results must agree to 1e-9. One thread;
seconds are processor time, which other programs disturb less. Compilation, once per machine, is told apart. The ratio is that of the times per sample for damage.
"""

from __future__ import annotations

import argparse
import functools
import json
import time
from typing import Any

import numpy as np

import flexor as fx
from benchmarks.timing import machine_facts
from flexor.fatigue.counter import Counter

CURVE = fx.SNCurve([(5e6, 50e6), (5e6 * 2**5, 25e6)], slope=3.0)
"""Slopes 3 and 5, cut off below 25 MPa."""
AT_ONCE = 16
"""Nodes at a time; so many histories stay in the processor's cache, as they do behind the recovery of stress."""
MODES = 30


@functools.cache
def waves(samples: int) -> np.ndarray:
    """(MODES, samples) vibrations."""
    rng = np.random.default_rng(0)
    return np.sin(np.outer(rng.uniform(0.02, 1.2, MODES), np.arange(samples)) + rng.uniform(0, 6, (MODES, 1)))


def histories(samples: int, nodes: int, seed: int) -> np.ndarray:
    """(samples, nodes) stress [Pa], each history in one piece of memory."""
    rng = np.random.default_rng(seed)
    values = 12e6 * rng.normal(size=(nodes, MODES)) @ waves(samples) + 8e6 * rng.normal(size=(nodes, samples))
    return values.T


def package_damage(history: list[float]) -> float:
    """Σ count/N of half cycles of the package."""
    import rainflow

    (n, knee), (_, lowest) = CURVE.points
    return sum(
        count * (size / knee) ** (3 if size >= knee else 5) / n
        for size, _, count, _, _ in rainflow.extract_cycles(history)
        if size >= lowest
    )


def compare(nodes: int, samples: int, subset: int) -> dict[str, Any]:
    """Seconds of both, for all nodes, and how far they are apart."""
    begin = time.process_time()
    counter = Counter(samples, 0.0, "half", CURVE)
    counter.damage(histories(100, 2, 0))
    compiled = time.process_time() - begin
    ours, done = 0.0, 0
    checked: list[float] = []
    kept: list[np.ndarray] = []
    while done < nodes:
        block = histories(samples, min(AT_ONCE, nodes - done), done + 1)
        begin = time.process_time()
        found = counter.damage(block)[0]
        ours += time.process_time() - begin
        done += block.shape[1]
        if len(kept) < subset:
            checked += found.tolist()
            kept += list(block.T)
    lists = [history.tolist() for history in kept[:subset]]
    theirs, expected = np.inf, []
    for _ in range(2):
        begin = time.process_time()
        expected = [package_damage(history) for history in lists]
        theirs = min(theirs, time.process_time() - begin)
    off = max(abs(a / b - 1) for a, b in zip(checked, expected))
    turns = sum(len(Counter(samples, residue="half").cycles(history)[0]) for history in kept[:4]) / (2 * samples)
    return {
        "compile": compiled,
        "flexor": ours,
        "rainflow": theirs * nodes / len(lists),
        "deviation": float(off),
        "turning": float(turns),
        "package_nodes": len(lists),
    }


def million(points: int) -> dict[str, float]:
    """Rainflow cycles of one long history of noise."""
    import rainflow

    x = np.random.default_rng(1).normal(size=points)
    fx.rainflow(x[:10], residue="half")
    ours = np.inf
    for _ in range(3):
        begin = time.process_time()
        cycles = fx.rainflow(x, residue="half")
        ours = min(ours, time.process_time() - begin)
    values = x.tolist()
    begin = time.process_time()
    theirs = list(rainflow.extract_cycles(values))
    package = time.process_time() - begin
    same = sorted(zip(cycles.ranges, cycles.means, cycles.counts)) == sorted((r, m, c) for r, m, c, _, _ in theirs)
    return {"flexor": ours, "rainflow": package, "same": float(same)}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--subset", type=int, default=40, help="nodes on which the package is timed")
    parser.add_argument("--points", type=int, default=10**6, help="of the long history")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")


def run(arguments: argparse.Namespace) -> int:
    """Both tasks; last the ratio of the first."""
    damage = compare(arguments.nodes, arguments.samples, arguments.subset)
    long = million(arguments.points)
    facts = machine_facts("numpy", "numba", "rainflow")
    ratio = damage["rainflow"] / damage["flexor"]
    if arguments.json:
        print(json.dumps({"machine": facts, "damage": damage, "long": long, "ratio": ratio}))
        return 0
    size = arguments.nodes * arguments.samples
    print(
        f"damage of {arguments.nodes} nodes × {arguments.samples} samples, {damage['turning']:.0%} of them turning points"
    )
    for name in ("flexor", "rainflow"):
        told = f" (from {damage['package_nodes']} nodes)" if name == "rainflow" else ""
        print(f"  {name:10} {damage[name]:10.1f} s {1e9 * damage[name] / size:8.1f} ns per sample{told}")
    print(f"  largest deviation {damage['deviation']:.1e}; ready to run after {damage['compile']:.2f} s")
    print(f"rainflow cycles of {arguments.points} points of noise")
    for name in ("flexor", "rainflow"):
        print(f"  {name:10} {long[name]:10.3f} s")
    print(
        f"  {'the same cycles' if long['same'] else 'OTHER CYCLES'}, {long['rainflow'] / long['flexor']:.0f} times as fast"
    )
    print(f"\n{facts}")
    print(f"ratio {ratio:.3g}")
    return 0
