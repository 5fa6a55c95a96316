"""The flexible chain in Flexor.

Newton's tolerances are 1e-9 on displacements and 1e-3 on accelerations, with which every link end stays within 1.2e-6 m of
the converged solution (the Exudyn contestant: within 1.1e-6 m); all other settings are the defaults. Joints take the default
enforcement, which eliminates the near face of each link; by multipliers a step takes as long within some per cent.
"""

from __future__ import annotations

import time
from functools import cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

import flexor as fx
from benchmarks.flexible_chain import LENGTH, LINKS, MODES, link_mesh
from benchmarks.nowhere import Nowhere
from benchmarks.rigid_chain import AXES, GRAVITY, RHO_INF, ChainRun
from flexor.solve.dynamics import integrate, prepare
from flexor.solve.settings import DynamicsSettings, Tolerances

Enforcement = Literal["auto", "multipliers"]
Inertia = Literal["consistent", "nodal"]
Formulation = Literal["superelement", "floating"]


@cache
def chain_model(
    stiffness: float,
    enforcement: Enforcement = "auto",
    inertia: Inertia = "consistent",
    formulation: Formulation = "superelement",
) -> fx.Model:
    """The chain as a user declares it."""
    mesh = link_mesh(stiffness)
    faces = {"near": fx.plane(at=(0, 0, 0), normal="x"), "far": fx.plane(at=(LENGTH, 0, 0), normal="x")}
    reduction = fx.CraigBampton(modes=MODES)
    links = [
        fx.FlexibleBody(
            f"link{i}",
            mesh,
            interfaces=faces,
            reduction=reduction,
            inertia=inertia,
            formulation=formulation,
            position=(i * LENGTH, 0, 0),
        )
        for i in range(LINKS)
    ]
    before = [fx.ground.at(0, 0, 0), *(link["far"] for link in links)]
    joints = [
        fx.Revolute(f"joint{i}", before[i], link["near"], axis=AXES[i % 2], enforcement=enforcement)
        for i, link in enumerate(links)
    ]
    return fx.Model("chain", gravity=GRAVITY, items=[*links, *joints])


def flexor_chain(h: float, steps: int, stiffness: float = 1.0, tighter: float = 1.0) -> ChainRun:
    """Solve the chain over the given number of steps h [s], Young's modulus times stiffness, tolerances times tighter."""
    return solve(chain_model(stiffness), h, steps, tighter)


def flexor_tight(h: float, steps: int, stiffness: float = 1.0, tighter: float = 1e-3) -> ChainRun:
    """Tolerances near the defaults."""
    return solve(chain_model(stiffness), h, steps, tighter)


def flexor_multipliers(h: float, steps: int, stiffness: float = 1.0, tighter: float = 1.0) -> ChainRun:
    """Joints as constraints with Lagrange multipliers."""
    return solve(chain_model(stiffness, enforcement="multipliers"), h, steps, tighter)


def flexor_nodal(h: float, steps: int, stiffness: float = 1.0, tighter: float = 1.0) -> ChainRun:
    """Inertia in the nodal form: mass matrix times the accelerations of the faces and modes."""
    return solve(chain_model(stiffness, inertia="nodal"), h, steps, tighter)


def flexor_floating(h: float, steps: int, stiffness: float = 1.0, tighter: float = 1.0) -> ChainRun:
    """Floating frame and free modes, which share neither frame nor inertia terms with the superelement."""
    return solve(chain_model(stiffness, formulation="floating"), h, steps, tighter)


def solve(model: fx.Model, h: float, steps: int, tighter: float) -> ChainRun:
    settings = dynamics_settings(h, steps, tighter)
    system = prepare(model, settings)
    begin = time.perf_counter()
    integrate(system, settings, Nowhere())
    seconds = time.perf_counter() - begin
    far = [number for number, node in enumerate(system.mechanism.nodes) if node.name.endswith(".far")]
    ends = system.nodes("x")[far]
    return ChainRun(
        seconds=seconds,
        iterations=int(system.run.iterations),
        factorisations=int(system.run.factorisations),
        tip=ends[-1],
        ends=ends,
    )


def dynamics_settings(h: float, steps: int, tighter: float, **recording: Any) -> DynamicsSettings:
    chosen: dict[str, Any] = {"output": steps * h, "record": (), "energies": False} | recording
    return DynamicsSettings(
        until=steps * h,
        step=h,
        integrator=RHO_INF,
        tolerances=Tolerances(displacement=1e-9 * tighter, acceleration=1e-3 * tighter),
        **chosen,
    )


def bending(h: float, steps: int, stiffness: float = 1.0) -> float:
    """Largest turn of one face of the first link against the other, times an eighth of the length: as an arc rises [m]."""
    run = chain_model(stiffness).dynamics(
        until=steps * h, step=h, integrator=fx.GeneralizedAlpha(RHO_INF), record=["link0"], energies=False, show=False
    )
    near, far = (run[f"link0.{face}.orientation"].values for face in ("near", "far"))
    turn = 2 * np.arccos(np.minimum(np.abs(np.sum(near * far, axis=1)), 1.0))
    return float(turn.max() * LENGTH / 8)


def free_frequencies() -> NDArray[np.float64]:
    """Natural frequencies of one free reduced link without the rigid motions [Hz]."""
    link = next(item for item in chain_model(1.0).items if isinstance(item, fx.FlexibleBody))
    return np.sqrt(eigh(link.reduced.K, link.reduced.M, eigvals_only=True)[6:]) / (2 * np.pi)
