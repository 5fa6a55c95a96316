"""From nothing to the first ten steps: Flexor by itself, and against Exudyn.

- *cold process*: ``flexor run`` of ten steps of a pendulum in a new process, compiled code in the cache, bytecode as after an installation;
- *repeated run*: ten steps of ten links by a prepared model, all signals and energies recorded, in memory;
- *prepared*: chains of 1000 and 10 000 links and a grid of 10³ point masses on springs, declared, checked, lowered and made ready for the first step;
- *whole*: 1000 links declared, prepared and solved over ten steps; Exudyn builds, assembles and solves the same chain.

The chain is that of ``rigid-chain``, with the same settings of both programs.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.nets_flexor import grid_model
from benchmarks.rigid_chain import RHO_INF, STEP
from benchmarks.rigid_chain_flexor import chain_model, solve_chain
from benchmarks.timing import Run, best_of, machine_facts
from flexor import Model
from flexor.solve.dynamics import prepare
from flexor.solve.settings import DynamicsSettings

STEPS = 10
LINKS = 1000
AGREEMENT = 1e-7  # m: link ends of both programs after ten steps, within the tolerances of both

PENDULUM = """
name: pendulum
gravity: [0, -9.81, 0]
items:
  - {type: rigid_body, name: arm, mass: 1.2, inertia: [1.0e-4, 0.01, 0.01], center_of_mass: [0.25, 0, 0]}
  - {type: revolute, name: pin, a: ground, b: arm, axis: z}
"""


def timed(work: Callable[[], object]) -> Run:
    """Seconds on the clock, and those of the processor, which others on the machine change less."""
    begin, spent = time.perf_counter(), os.times()
    work()
    now = os.times()
    return {"seconds": time.perf_counter() - begin, "processor": sum(now[:4]) - sum(spent[:4])}


def told(run: Run) -> str:
    """Both times."""
    return f"{run['seconds']:.3f} s ({run['processor']:.2f} s of the processor)"


def cold_process() -> Run:
    """``flexor run`` in a new process."""
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "pendulum.yaml").write_text(PENDULUM, encoding="utf-8")
        asked = [
            sys.executable,
            "-m",
            "flexor",
            "run",
            "pendulum.yaml",
            "--until",
            f"{STEPS * STEP}",
            "--step",
            f"{STEP}",
        ]
        environment["PYTHONPATH"] = os.pathsep.join(str(Path(each).resolve()) for each in sys.path if each)
        return timed(
            lambda: subprocess.run([*asked, "--quiet"], cwd=folder, env=environment, check=True, capture_output=True)
        )


def repeated(n: int = 10) -> Callable[[], Run]:
    """A run of a chain that is prepared already."""
    prepared = chain_model(n).prepare(until=STEPS * STEP, step=STEP, show=False)

    return lambda: timed(prepared.run)


def made_ready(declare: Callable[[], Model]) -> Run:
    """A model from its declaration to a system that stands at the begin of its first step."""
    chosen = DynamicsSettings(until=STEPS * STEP, step=STEP, integrator=RHO_INF, record=(), energies=False)
    return timed(lambda: prepare(declare(), chosen))


def flexor_whole(n: int = LINKS) -> Run:
    """Declared, prepared and solved."""
    runs: list[Run] = []
    return {**timed(lambda: runs.append(solve_chain(chain_model(n), STEP, STEPS))), "ends": runs[0]["ends"]}


def exudyn_whole(n: int = LINKS) -> Run:
    """Built, assembled and solved."""
    from benchmarks.rigid_chain_exudyn import exudyn_chain

    runs: list[Run] = []
    return {**timed(lambda: runs.append(exudyn_chain(n, STEP, STEPS))), "ends": runs[0]["ends"]}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repeats", type=int, default=5, help="runs of each, of which the fastest counts")
    parser.add_argument("--largest", type=int, default=10_000, help="links of the longest chain that is prepared")


def run(arguments: argparse.Namespace) -> int:
    print(machine_facts("flexor", "numpy", "numba", "exudyn"))
    cold = best_of({"flexor": cold_process}, arguments.repeats)["flexor"]
    print(f"cold process: flexor run of {STEPS} steps of a pendulum in {told(cold)}")
    again = best_of({"flexor": repeated()}, 4 * arguments.repeats)["flexor"]["seconds"]
    print(f"repeated run: {STEPS} steps of 10 links in {1e3 * again:.2f} ms")
    for kind, bodies, declare, repeats in (
        ("links", LINKS, partial(chain_model, LINKS), arguments.repeats),
        ("point masses on springs", 1000, partial(grid_model, 10), arguments.repeats),
        ("links", arguments.largest, partial(chain_model, arguments.largest), 1),
    ):
        best_run = best_of({"flexor": partial(made_ready, declare)}, repeats)["flexor"]
        print(f"prepared: {bodies} {kind} in {told(best_run)}, {1e3 * best_run['seconds'] / bodies:.2f} ms per body")
    contestants = {"flexor": flexor_whole, "exudyn": exudyn_whole}
    try:
        import benchmarks.rigid_chain_exudyn  # noqa: F401
    except ImportError as missing:
        print(f"exudyn: {missing}")
        return 0
    best = best_of(contestants, arguments.repeats)
    apart = float(np.max(np.abs(best["flexor"]["ends"] - best["exudyn"]["ends"])))
    for name in contestants:
        print(f"{LINKS} links and {STEPS} steps, {name:6s}: {told(best[name])}")
    print(f"link ends differ by up to {apart:.1e} m")
    if apart > AGREEMENT:
        print("they do not agree")
        return 1
    print(f"ratio {best['exudyn']['seconds'] / best['flexor']['seconds']:.3g}")
    return 0
