"""Craig–Bampton reduction of a solid beam: stages and peak memory, and Exudyn's Hurty–Craig–Bampton on the same matrices.

Steel beams of hex8 elements with two rigid end faces and 20 modes: a slender one, 1 m × 0.1 m × 0.1 m (33k DOF), and
stout ones, 1 m × 0.18 m × 0.18 m. Exudyn's time depends much on the shape (SuperLU fills little in a slender beam), so
it runs on both shapes, and the ratio is the worse of the two. Timed in Flexor:
assembly of stiffness and mass (with the rigid faces), factorisation, constraint modes, eigenmodes, projection with the
inertia invariants. Exudyn starts from the assembled matrices, so the ratio compares its time with Flexor's without
assembly. Where both run they take turns, and the fastest run of each counts.

With --parts: whole reductions of four parts, from the mesh to the reduced body, with and without the proof that compares it with
the full model, as installed with pypardiso (by fronts), by Pardiso's own factors, and by what SciPy has; beside them the seconds
that Fedem's reducer took for parts of these sizes.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import resource
import sys
import time
import unittest.mock
from typing import Any

import numpy as np

import flexor as fx
from benchmarks.timing import machine_facts
from flexor.elements.assembly.model import assemble
from flexor.mesh import Mesh
from flexor.mesh.generate import bar
from flexor.reduce import factor, from_mesh, reduce_mesh
from flexor.reduce.basis import craig_bampton
from flexor.reduce.reduced import project

MODES = 20
SIZES = {33: (110, 9, 9), 34: (66, 12, 12), 107: (98, 18, 18), 300: (140, 26, 26)}
"""Thousands of degrees of freedom → divisions."""


PARTS = {
    "275 nodes, hex8": ((0.2, (10, 4, 4), "hex8"), 0.05),
    "2160 nodes, hex8": ((0.3, (14, 11, 11), "hex8"), 0.3),
    "7803 nodes, tet10": ((0.4, (13, 8, 8), "tet10"), 1.6),
    "11913 nodes, hex8": ((0.5, (32, 18, 18), "hex8"), 3.1),
}
"""Blocks of 1 m: width [m], divisions and element; seconds of Fedem's reducer on parts of 275, 2160, 7668 and 11 912 nodes."""


def part_seconds(name: str, check: bool, library: str, repeats: int) -> float:
    """Seconds of the processor, on one thread, of the fastest of some reductions."""
    width, divisions, element = PARTS[name][0]
    mesh = bar(1.0, width, width, divisions, element=element, material=fx.Steel())
    faces = {"left": fx.plane(at=(0, 0, 0), normal="x"), "right": fx.plane(at=(1, 0, 0), normal="x")}
    ladder = tuple(choice for choice in factor.LADDER if choice.library == library)  # type: ignore[attr-defined]
    seconds = []
    with unittest.mock.patch.object(factor, "LADDER", ladder):
        for _ in range(repeats):
            begin = time.process_time()
            reduce_mesh(mesh, faces, fx.CraigBampton(modes=MODES), use_cache=False, check=check)
            seconds.append(time.process_time() - begin)
    return min(seconds)


def print_parts(repeats: int) -> None:
    cases = {
        "fronts": (False, "Fronts"),
        "proved": (True, "Fronts"),
        "Pardiso": (False, "Pardiso"),
        "SuperLU": (False, "SuperLU"),
    }
    print(f"{'part':20s}", *(f"{name:>9s}" for name in (*cases, "Fedem")))
    for name, (_, fedem) in PARTS.items():
        runs = [part_seconds(name, *case, repeats if case[1] != "SuperLU" else 1) for case in cases.values()]
        times = " ".join(f"{seconds:7.3f} s" for seconds in (*runs, fedem))
        print(f"{name:20s} {times};  ratio {fedem / runs[0]:.2f}", flush=True)


def beam(thousands: int) -> Mesh:
    width = 0.1 if thousands == 33 else 0.18
    return bar(1.0, width, width, SIZES[thousands], material=fx.Steel())


def flexor_reduction(mesh: Mesh) -> dict[str, Any]:
    """Seconds of each stage, frequencies of the held modes [Hz], and the library that factorised."""
    faces = {"left": fx.plane(at=(0, 0, 0), normal="x"), "right": fx.plane(at=(1, 0, 0), normal="x")}
    gc.collect()  # the factors of an earlier run
    clock = [time.perf_counter()]

    def stage() -> float:
        clock.append(time.perf_counter())
        return clock[-1] - clock[-2]

    stages = {}
    problem = from_mesh(mesh, faces)
    stages["assembly"] = stage()
    library = problem.held.factors.library
    stages["factorisation"] = stage()
    problem.static  # noqa: B018  computed on first use
    stages["constraint modes"] = stage()
    basis = craig_bampton(problem, MODES)
    stages["eigenmodes"] = stage()
    body = project(problem, basis)
    stages["projection"] = stage()
    held = np.arange(len(body.K) - MODES, len(body.K))
    frequencies = np.sort(np.sqrt(body.K[held, held] / body.M[held, held])) / (2 * np.pi)
    return {"stages": stages, "frequencies": frequencies, "library": library, "coordinates": len(body.K)}


def from_matrices(run: dict[str, Any]) -> float:
    """Seconds of a Flexor run without assembly."""
    return sum(seconds for stage, seconds in run["stages"].items() if stage != "assembly")


def exudyn_reduction(mesh: Mesh) -> dict[str, Any]:
    """Exudyn's Hurty–Craig–Bampton modes with rigid (RBE2) boundaries, from matrices assembled by Flexor."""
    with contextlib.redirect_stdout(sys.stderr):
        import exudyn.FEM as FEM

    model = assemble(mesh)
    interface = FEM.FEMinterface()
    interface.nodes = {"Position": mesh.points}
    interface.massMatrix = model.M.tocsr()
    interface.stiffnessMatrix = model.K.tocsr()
    x = mesh.points[:, 0]
    ends = [np.flatnonzero(np.abs(x - at) < 1e-9).tolist() for at in (0.0, 1.0)]
    begin = time.perf_counter()
    with contextlib.redirect_stdout(sys.stderr):
        interface.ComputeHurtyCraigBamptonModes(
            boundaryNodesList=ends,
            nEigenModes=MODES,
            useSparseSolver=True,
            computationMode=FEM.HCBstaticModeSelection.RBE2,
            timerTreshold=10**9,
        )
    seconds = time.perf_counter() - begin
    return {"seconds": seconds, "frequencies": np.sort(np.asarray(interface.GetEigenFrequenciesHz()).ravel())[-MODES:]}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--sizes", type=int, nargs="+", default=[33, 34, 107], choices=SIZES, help="thousands of DOF")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each program")
    parser.add_argument("--only", choices=["flexor"], help="leave Exudyn out")
    parser.add_argument("--parts", action="store_true", help="whole reductions of four parts instead")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of tables")


def run(arguments: argparse.Namespace) -> int:
    """One row per size; last the ratio of Exudyn's time to Flexor's at 33k and 34k, the worse of the two."""
    facts = machine_facts("numpy", "scipy", "pypardiso", "exudyn")
    rows: list[dict[str, Any]] = []
    flexor_reduction(bar(1.0, 0.1, 0.1, (10, 2, 2), material=fx.Steel()))  # load libraries
    if arguments.parts:
        print_parts(arguments.repeats)
        return 0
    for thousands in arguments.sizes:
        mesh = beam(thousands)
        with_exudyn = thousands <= 34 and arguments.only is None
        found, other = flexor_reduction(mesh), exudyn_reduction(mesh) if with_exudyn else None
        for _ in range(arguments.repeats - 1 if with_exudyn else 0):
            found = min(found, flexor_reduction(mesh), key=from_matrices)
            other = min(other, exudyn_reduction(mesh), key=lambda run: run["seconds"])
        row = {
            "dof": 3 * len(mesh.points),
            "library": found["library"],
            "stages": found["stages"],
            "total": sum(found["stages"].values()),
            "memory_GB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
        }
        if other is not None:
            row["exudyn"] = other["seconds"]
            row["ratio"] = other["seconds"] / from_matrices(found)
            row["frequency_difference"] = float(np.abs(other["frequencies"] / found["frequencies"] - 1).max())
        rows.append(row)
        if not arguments.json:
            print_row(row)
    ratio = min((row["ratio"] for row in rows if "ratio" in row), default=None)
    if arguments.json:
        print(json.dumps({"machine": facts, "rows": rows, "ratio": ratio}))
    else:
        print(f"\n{facts}")
        if ratio is not None:
            print(f"ratio {ratio:.3g}")
    return 0


def print_row(row: dict[str, Any]) -> None:
    print(f"\n{row['dof']} DOF, factorised by {row['library']}, peak memory {row['memory_GB']:.2f} GB")
    for name, seconds in row["stages"].items():
        print(f"  {name:18s} {seconds:8.2f} s")
    print(f"  {'together':18s} {row['total']:8.2f} s")
    if "exudyn" in row:
        print(f"  {'Exudyn, from K, M':18s} {row['exudyn']:8.2f} s;  ratio {row['ratio']:.2f} without our assembly")
        print(f"  frequencies differ by up to {row['frequency_difference']:.1e}")
