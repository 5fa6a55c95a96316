"""Recovery of von Mises stress at all nodes of a mesh of 100 000 nodes and 30 coordinates, in frames per second.

A steel bar of hex8 elements in double precision, one thread. Its 30 displacement shapes are sines along and across the
bar; recovery does not ask where shapes come from. Timed: stress modes (once per body), one frame at a time as a viewer
asks for them, frames in a row, and the envelope over time. The ratio is the slowest of these, for von Mises, to 50 frames
per second.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import flexor as fx
from benchmarks.timing import machine_facts
from flexor.elements.assembly.stress import von_mises
from flexor.mesh import Mesh
from flexor.mesh.generate import bar
from flexor.recover import BodyHistory, StressHistory
from flexor.reduce import Invariants, ReducedBody

SIZES = {10: (40, 15, 15), 100: (218, 21, 21)}
"""Thousands of nodes → divisions."""
WANTED = 50.0


def body(thousands: int, coordinates: int) -> ReducedBody:
    """A bar whose displacements are sines of its position."""
    return waving(bar(1.0, 0.1, 0.1, SIZES[thousands], material=fx.Steel()), coordinates)


def waving(mesh: Mesh, coordinates: int) -> ReducedBody:
    """A body whose displacements are sines of its position."""
    n, r = len(mesh.points), coordinates
    rng = np.random.default_rng(0)
    waves, phases = rng.uniform(0, 20, (3, r)), rng.uniform(0, 6, (3, r))
    field = np.stack([np.sin(mesh.points @ waves + phase) for phase in phases], axis=1)  # (n, 3, r)
    dofs = np.full((n, 6), -1)
    dofs[:, :3] = np.arange(3 * n).reshape(n, 3)
    none = np.zeros
    return ReducedBody(
        name="bar",
        interfaces=(),
        points=none((0, 3)),
        K=np.eye(r),
        M=np.eye(r),
        at_connections=none((0, r)),
        gravity=none((3, r)),
        invariants=Invariants(1.0, none(3), np.eye(3), none((3, r)), none((3, r)), none((3, 3, r)), none((3, 3, r, r))),
        nodes=mesh.points,
        node_ids=mesh.node_ids,
        node_dofs=dofs,
        shapes=1e-4 * field.reshape(3 * n, r),
        mesh=mesh,
    )


def recovery(thousands: int, coordinates: int, frames: int, repeats: int) -> dict[str, Any]:
    """Seconds for the modes, frames per second for each way, and the largest deviation from a plain evaluation."""
    part = body(thousands, coordinates)
    t = np.linspace(0.1, 1.1, frames)
    z = np.sin(np.outer(t, np.arange(1, coordinates + 1)))
    history = BodyHistory(part, t, np.zeros((frames, 3)), np.tile(np.eye(3), (frames, 1, 1)), z)
    begin = time.perf_counter()
    stress = StressHistory(history)
    stress.frame(0.1)
    modes = time.perf_counter() - begin
    few = t[:: max(frames // 20, 1)]
    plain = [von_mises(part.stress(history.coordinates(time))) for time in few[:3]]
    error = max(float(np.abs(stress.frame(t) / exact - 1).max()) for t, exact in zip(few[:3], plain))
    speed = {
        "one frame at a time": _speed(lambda: [stress.frame(time) for time in few], len(few), repeats),
        "frames in a row": _speed(lambda: [values[0] for _, values in stress.frames()], frames, repeats),
        "envelope over time": _speed(lambda: StressHistory(history, sites=stress.sites).envelope(), frames, repeats),
    }
    signed = _speed(lambda: StressHistory(history, "signed_max", sites=stress.sites).envelope(), frames, 1)
    return {"nodes": len(part.nodes), "modes": modes, "speed": speed, "signed_max": signed, "deviation": error}


def _speed(work: Callable[[], Any], frames: int, repeats: int) -> float:
    """Frames per second of the fastest of some runs."""
    seconds = []
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - begin)
    return frames / min(seconds)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--size", type=int, default=100, choices=SIZES, help="thousands of nodes")
    parser.add_argument("--coordinates", type=int, default=30, help="of the reduced body")
    parser.add_argument("--frames", type=int, default=200, help="recorded rows")
    parser.add_argument("--repeats", type=int, default=3, help="runs, of which the fastest counts")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")


def run(arguments: argparse.Namespace) -> int:
    """One line per way of asking; last the ratio to 50 frames per second."""
    found = recovery(arguments.size, arguments.coordinates, arguments.frames, arguments.repeats)
    facts = machine_facts("numpy", "scipy")
    ratio = min(found["speed"].values()) / WANTED
    if arguments.json:
        print(json.dumps({"machine": facts, **found, "ratio": ratio}))
        return 0
    print(f"{found['nodes']} nodes, {arguments.coordinates} coordinates, {arguments.frames} rows")
    print(f"  {'stress modes, once':28s} {found['modes']:8.2f} s")
    for name, speed in found["speed"].items():
        print(f"  von Mises, {name:20s} {speed:6.0f} frames/s")
    print(f"  {'signed_max, envelope':31s} {found['signed_max']:6.0f} frames/s")
    print(f"  deviation from a plain evaluation {found['deviation']:.1e}")
    print(f"\n{facts}")
    print(f"ratio {ratio:.3g}")
    return 0
