"""Whole meshes in large motion, 16 000 to 19 000 degrees of freedom: Flexor's full_mesh and CalculiX' nonlinear dynamics (ccx).

Steel bars of hex20 elements, clamped at one end, bend under a load of some thousandfold gravity that begins at once: a slender
one, 1 m × 0.1 m × 0.1 m, and a stout one, 1 m × 0.5 m × 0.5 m, whose factors fill much more.
Both programs use HHT with α = −0.05, the same steps and one thread, and both are timed from the mesh to the last step, so with
checks, placement and output at the end; Flexor in this process, ccx as a process of its own. They take turns, and the fastest
run of each counts. The ratio is the worse of the two bars.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import flexor as fx
from benchmarks.timing import machine_facts
from flexor.io import write_inp
from flexor.mesh import Mesh
from flexor.mesh.generate import bar

ALPHA = -0.05


@dataclass(frozen=True)
class Bar:
    """Width [m], divisions, load [m/s²] and step [s]."""

    width: float
    divisions: tuple[int, int, int]
    gravity: float
    step: float

    @property
    def mesh(self) -> Mesh:
        return bar(1.0, self.width, self.width, self.divisions, element="hex20", material=fx.Steel())


BARS = {"slender": Bar(0.1, (40, 5, 5), 1000.0, 5e-4), "stout": Bar(0.5, (16, 9, 9), 5000.0, 1e-4)}


def flexor_bar(case: Bar, mesh: Mesh, steps: int) -> dict[str, Any]:
    """Positions of the nodes at the end [m]."""
    begin = time.perf_counter()
    body = fx.FlexibleBody("bar", mesh=mesh, formulation="full_mesh", interfaces={"left": "x_min"})
    model = fx.Model("bar", [body, fx.Fixed("clamp", fx.ground, body["left"])], gravity=(0, 0, -case.gravity))
    until = steps * case.step
    run = model.dynamics(until=until, step=case.step, output=until, integrator=fx.HHT(ALPHA), show=False)
    seconds = time.perf_counter() - begin
    ends = np.full((len(mesh.points), 3), np.nan)
    for i, number in enumerate(mesh.node_ids):
        if f"bar.node_{number}.position_x" in run:
            ends[i] = [run[f"bar.node_{number}.position_{axis}"][-1] for axis in "xyz"]
    return {"seconds": seconds, "ends": ends}


def ccx_bar(case: Bar, mesh: Mesh, steps: int) -> dict[str, Any]:
    """The same by ccx."""
    held = "\n".join(f"{mesh.node_ids[i]}," for i in mesh.node_sets["x_min"])
    last_node, last_element = mesh.node_ids.max(), max(int(block.ids.max()) for block in mesh.blocks)
    step = f"""
*NSET, NSET=HELD
{held}
*NSET, NSET=EVERY, GENERATE
1, {last_node}
*ELSET, ELSET=ALL, GENERATE
1, {last_element}
*BOUNDARY
HELD, 1, 3
*STEP, NLGEOM, INC={10 * steps}
*DYNAMIC, DIRECT, ALPHA={ALPHA}
{case.step}, {steps * case.step}
*DLOAD
ALL, GRAV, {case.gravity}, 0., 0., -1.
*NODE PRINT, NSET=EVERY, FREQUENCY={steps}
U
*END STEP
"""
    with tempfile.TemporaryDirectory() as name:
        job = Path(name) / "job"
        begin = time.perf_counter()
        write_inp(job.with_suffix(".inp"), replace(mesh, node_sets={}, element_sets={}))
        with job.with_suffix(".inp").open("a") as deck:
            deck.write(step)
        done = subprocess.run(["ccx", "job"], cwd=name, capture_output=True, text=True, check=False)
        seconds = time.perf_counter() - begin
        if "Job finished" not in done.stdout:
            raise RuntimeError(f"ccx failed:\n{done.stdout[-2000:]}")
        rows = [line.split() for line in job.with_suffix(".dat").read_text().splitlines()]
    table = np.array([[float(value) for value in row] for row in rows if len(row) == 4 and row[0].isdigit()])
    table = table[-len(mesh.points) :]
    moved = dict(zip(table[:, 0].astype(int).tolist(), table[:, 1:], strict=True))
    return {"seconds": seconds, "ends": mesh.points + np.array([moved[int(i)] for i in mesh.node_ids])}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--bars", nargs="+", default=list(BARS), choices=BARS)
    parser.add_argument("--steps", type=int, default=12, help="time steps")
    parser.add_argument("--repeats", type=int, default=2, help="runs of each program")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of a table")


def run(arguments: argparse.Namespace) -> int:
    """One row per bar; last the ratio of ccx' time to Flexor's, the worse of the two."""
    if shutil.which("ccx") is None:
        print("CalculiX (ccx) is not on the PATH; Debian has it as calculix-ccx", file=sys.stderr)
        return 1
    rows = []
    small = Bar(0.1, (4, 2, 2), 1000.0, 5e-4)
    flexor_bar(small, small.mesh, 3)  # compiles
    for name in arguments.bars:
        case = BARS[name]
        mesh = case.mesh
        given = (case, mesh, arguments.steps)
        turns = [(flexor_bar(*given), ccx_bar(*given)) for _ in range(arguments.repeats)]
        ours, theirs = (min(runs, key=lambda found: found["seconds"]) for runs in zip(*turns, strict=True))
        rows.append(
            {
                "bar": name,
                "dof": 3 * len(mesh.points),
                "flexor": ours["seconds"],
                "ccx": theirs["seconds"],
                "ratio": theirs["seconds"] / ours["seconds"],
                "apart": float(np.nanmax(np.linalg.norm(ours["ends"] - theirs["ends"], axis=1))),
                "moved": float(np.nanmax(np.linalg.norm(ours["ends"] - mesh.points, axis=1))),
            }
        )
        if not arguments.json:
            row = rows[-1]
            print(
                f"{name}: {row['dof']} DOF, {arguments.steps} steps: Flexor {row['flexor']:.1f} s, ccx {row['ccx']:.1f} s,",
                end=" ",
            )
            print(f"ratio {row['ratio']:.2f}; ends differ by {row['apart']:.1e} m of {row['moved']:.2f} m")
    ratio = min(row["ratio"] for row in rows)
    facts = machine_facts("numpy", "numba", "pypardiso")
    print(
        json.dumps({"machine": facts, "rows": rows, "ratio": ratio})
        if arguments.json
        else f"{facts}\nratio {ratio:.3g}"
    )
    return 0
