"""A flexible cantilever that falls under its weight: Flexor's exact beam against Exudyn's beams.

A horizontal rod, L = 1 m, ρA = 1 kg/m, EI = 1 N m², of a rectangular section 10 mm high (EA = 1.2e5 N), clamped at one end, is
released under gravity: in 0.5 s its tip falls 0.87 m. All programs integrate with generalized-α, ρ∞ = 0.8, h = 1 ms.

Spatial peers, like Flexor's beam: Exudyn's ANCF cable (no torsion, no shear) and its geometrically exact beam. Planar peers,
of 4 and 3 coordinates per node instead of 6: the same two in two dimensions. Exudyn's fast module, modified Newton, the
faster linear solver for each size, no output; Newton's tolerances are the loosest powers of ten with which the tip stays
within 1e-6 m of the converged solution of the same step. Timed is the call that solves, with its initial accelerations.

"error" is the distance of the tip from the converged one: 512 of Flexor's elements, same step (for the cables, which have no
shear, 5e-5 m of it is physics). The last line is the worst ratio over the sizes to the faster spatial peer.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from benchmarks.nowhere import Nowhere
from benchmarks.timing import best_of, machine_facts

LENGTH, LINE_MASS, EI, HEIGHT, POISSON = 1.0, 1.0, 1.0, 0.01, 0.3
EA = 12 * EI / HEIGHT**2
GA = 5 / 6 * EA / (2 * (1 + POISSON))
GJ = EI / (1 + POISSON)
ROTARY = LINE_MASS * HEIGHT**2 / 12
GRAVITY = (0.0, -9.81, 0.0)
STEP, RHO_INF = 1e-3, 0.8
SPATIAL = ("ANCF cable", "exact beam")
PLANAR = ("ANCF cable 2D", "exact beam 2D")


class BeamRun(TypedDict):
    """What every contestant returns."""

    seconds: float
    iterations: int
    factorisations: int
    tip: NDArray[np.float64]


def step_count(n: int) -> int:
    return 500 if n <= 64 else 200


def mechanism(n: int) -> Any:
    """The clamped beam, its first node locked."""
    from dataclasses import replace

    from flexor.bodies.beam.beam import Beam
    from flexor.bodies.beam.section_stiffness import StiffnessSection
    from flexor.bodies.body import Start
    from flexor.law.coordinates import Node
    from flexor.model.mechanism import Mechanism
    from flexor.spatial import Pose

    section = StiffnessSection((EA, GA, GA, GJ, EI, EI), LINE_MASS, (2 * ROTARY, ROTARY, ROTARY))
    beam = Beam("beam", [(0, 0, 0), (LENGTH, 0, 0)], section, divisions=n)
    parts = beam.parts(Start(Pose(np.zeros(3), np.eye(3)), np.zeros(6)))
    ground = Node("ground", np.zeros(3), np.eye(3), np.zeros(6))
    nodes = (ground, replace(parts.nodes[0], locked=(0, 1, 2, 3, 4, 5)), *parts.nodes[1:])
    return Mechanism("beam", nodes, (), parts.terms, (), GRAVITY)


def flexor_beam(n: int, steps: int, displacement: float = 1e-8, acceleration: float = 1e-4) -> BeamRun:
    from flexor.solve.dynamics import integrate, prepare
    from flexor.solve.settings import DynamicsSettings, Tolerances

    settings = DynamicsSettings(
        until=steps * STEP,
        step=STEP,
        output=steps * STEP,
        integrator=RHO_INF,
        tolerances=Tolerances(displacement=displacement, acceleration=acceleration),
        record=(),
        energies=False,
    )
    system = prepare(mechanism(n), settings)
    begin = time.perf_counter()
    integrate(system, settings, Nowhere())
    return BeamRun(
        seconds=time.perf_counter() - begin,
        iterations=int(system.run.iterations),
        factorisations=int(system.run.factorisations),
        tip=system.nodes("x")[-1].copy(),
    )


def contestants(n: int, steps: int) -> dict[str, Callable[[], BeamRun]]:
    from benchmarks.beams_exudyn import exudyn_beam

    found: dict[str, Callable[[], BeamRun]] = {"flexor": partial(flexor_beam, n, steps)}
    for kind in (*SPATIAL, *PLANAR):
        one = partial(exudyn_beam, kind, n, steps)
        try:
            one()
        except Exception:  # it raises whatever its solver did
            print(f"  exudyn {kind}: does not converge")
        else:
            found[kind] = one
    return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--n", type=int, nargs="+", default=[8, 32, 256], help="numbers of elements")
    parser.add_argument("--repeats", type=int, default=5, help="runs of which the fastest counts")


def run(arguments: argparse.Namespace) -> int:
    print(machine_facts("flexor", "exudyn", "numba"))
    worst = {"spatial": np.inf, "planar": np.inf}
    for n in arguments.n:
        steps = step_count(n)
        exact = flexor_beam(512, steps, 1e-12, 1e-8)["tip"]
        print(f"\n{n} elements, {steps} steps of {STEP * 1e3:g} ms")
        best = best_of(contestants(n, steps), arguments.repeats)
        own = best["flexor"]["seconds"]
        print(f"  {'':16s} {'µs/step':>9s} {'ratio':>7s} {'iterations':>11s} {'factorised':>11s} {'error [m]':>10s}")
        for name, result in best.items():
            print(
                f"  {name:16s} {result['seconds'] / steps * 1e6:9.1f} {result['seconds'] / own:7.2f} "
                f"{result['iterations'] / steps:11.2f} {result['factorisations']:11d} "
                f"{np.linalg.norm(result['tip'] - exact):10.1e}"
            )
        for kind, names in (("spatial", SPATIAL), ("planar", PLANAR)):
            ratio = min(best[name]["seconds"] / own for name in names if name in best)
            worst[kind] = min(worst[kind], ratio)
    print(f"\nratio to the faster planar peer {worst['planar']:.2f}")
    print(f"ratio {worst['spatial']:.2f}")
    return 0
