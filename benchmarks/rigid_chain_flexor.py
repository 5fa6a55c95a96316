"""The rigid chain in Flexor.

Newton's tolerance on accelerations is 1e-6, with which every link end stays within 1e-7 m of the converged solution
(the Exudyn contestant: 4e-7 m); all other settings are the defaults.
"""

from __future__ import annotations

import time

import numpy as np

import flexor as fx
from benchmarks.nowhere import Nowhere
from benchmarks.rigid_chain import AXES, GRAVITY, INERTIA, LENGTH, MASS, RHO_INF, ChainRun
from flexor.engine.system import System
from flexor.solve.dynamics import integrate, prepare
from flexor.solve.settings import DynamicsSettings, Tolerances


def chain_model(n: int) -> fx.Model:
    """The chain as a user declares it."""
    half = LENGTH / 2
    links = [fx.RigidBody(f"link{i}", MASS, INERTIA, position=(i * LENGTH + half, 0, 0)) for i in range(n)]
    before = [fx.ground.at(0, 0, 0), *(link.at(half, 0, 0) for link in links)]
    joints = [
        fx.Revolute(f"joint{i}", before[i], link.at(-half, 0, 0), axis=AXES[i % 2]) for i, link in enumerate(links)
    ]
    return fx.Model("chain", gravity=GRAVITY, items=[*links, *joints])


def flexor_chain(n: int, h: float, steps: int) -> ChainRun:
    """Solve the chain of n links over the given number of steps h [s]; see ``benchmarks.rigid_chain``."""
    return solve_chain(chain_model(n), h, steps)


def eliminated_chain(n: int, h: float, steps: int) -> ChainRun:
    """The same with the joints' angles as coordinates: all hinges are eliminated."""
    model = chain_model(n)
    items = (item.replace(enforcement="elimination") if isinstance(item, fx.Revolute) else item for item in model.items)
    return solve_chain(model.replace(items=tuple(items)), h, steps)


def solve_chain(model: fx.Model, h: float, steps: int) -> ChainRun:
    """Solve a chain that was declared."""
    settings = DynamicsSettings(
        until=steps * h,
        step=h,
        output=steps * h,
        integrator=RHO_INF,
        tolerances=Tolerances(acceleration=1e-6),
        record=(),
        energies=False,
    )
    system: System = prepare(model, settings)
    begin = time.perf_counter()
    integrate(system, settings, Nowhere())
    seconds = time.perf_counter() - begin
    x = system.nodes("x")[1:]
    R = system.memory.R.reshape(-1, 3, 3)[1:]
    ends = x + R @ np.array([LENGTH / 2, 0.0, 0.0])
    return ChainRun(
        seconds=seconds,
        iterations=int(system.run.iterations),
        factorisations=int(system.run.factorisations),
        tip=ends[-1],
        ends=ends,
    )
