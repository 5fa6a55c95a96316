"""The rigid chain in MuJoCo, by its own RK4 integrator, with contacts and limits switched off."""

from __future__ import annotations

import time
from typing import Any

import mujoco
import numpy as np

from benchmarks.rigid_chain import AXES, GRAVITY, INERTIA, LENGTH, MASS


def chain(n: int, h: float) -> mujoco.MjModel:
    """The chain of `benchmarks.rigid_chain`, built link by link: its files may not be nested as deeply."""
    spec = mujoco.MjSpec()
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_RK4
    spec.option.timestep = h
    spec.option.gravity = GRAVITY
    spec.option.disableflags = mujoco.mjtDisableBit.mjDSBL_CONSTRAINT | mujoco.mjtDisableBit.mjDSBL_CONTACT
    body = spec.worldbody
    for i in range(n):
        body = body.add_body(pos=[LENGTH if i else 0.0, 0, 0], mass=MASS, ipos=[LENGTH / 2, 0, 0], inertia=INERTIA)
        body.explicitinertial = True
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=AXES[i % 2])
    return spec.compile()


def mujoco_chain(n: int, h: float, steps: int) -> dict[str, Any]:
    """Its seconds and where the tip is."""
    model = chain(n, h)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    begin = time.thread_time()
    mujoco.mj_step(model, data, steps)
    seconds = time.thread_time() - begin
    mujoco.mj_forward(model, data)
    return {"seconds": seconds, "tip": data.xpos[-1] + data.xmat[-1].reshape(3, 3) @ np.array([LENGTH, 0, 0])}
