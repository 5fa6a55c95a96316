"""The pile in MuJoCo, for information: contacts are soft constraints that are solved for together in long implicit steps, without a stiffness to choose.

Steps of 1 ms, the conjugate-gradient solver, which is the fastest of its three here; time constant and damping of contacts are its defaults.
"""

from __future__ import annotations

import time

import mujoco

from benchmarks.contact_pile import FRICTION, GRAVITY, MASS, RADIUS, WIDTH, PileRun, centres

STEP = 1e-3  # s


def pile(n: int, h: float, steps: int) -> PileRun:
    """h, steps: those of the explicit solvers; the same time is simulated."""
    sides = (("1 0 0", 0, 0), ("-1 0 0", WIDTH, 0), ("0 1 0", 0, 0), ("0 -1 0", 0, WIDTH), ("0 0 1", 0, 0))
    walls = "".join(f'<geom type="plane" size="1 1 .1" zaxis="{z}" pos="{x} {y} 0"/>' for z, x, y in sides)
    balls = "".join(
        f'<body pos="{x} {y} {z}"><freejoint/><geom type="sphere" size="{RADIUS}" mass="{MASS}"/></body>'
        for x, y, z in centres(n)
    )
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{STEP}" gravity="0 0 -{GRAVITY}" solver="CG" jacobian="sparse"/><size memory="1G"/>'
        f'<default><geom friction="{FRICTION} 0 0" condim="3"/></default><worldbody>{walls}{balls}</worldbody></mujoco>'
    )
    data = mujoco.MjData(model)
    count = round(steps * h / STEP)
    begin = time.perf_counter()
    for _ in range(count):
        mujoco.mj_step(model, data)
    seconds = time.perf_counter() - begin
    return PileRun(seconds=seconds, steps=count, centres=data.xpos[1:].copy())
