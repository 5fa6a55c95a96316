"""The rigid chain in Pinocchio: its articulated-body algorithm, the four stages of RK4 in NumPy."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pinocchio as pin

from benchmarks.rigid_chain import AXES, GRAVITY, INERTIA, LENGTH, MASS

MOST = 300
"""Links for which its data, 6 n³ floats of second derivatives among them, fit into memory; 1000 would take 48 GB."""


def chain(n: int) -> pin.Model:
    """The chain of `benchmarks.rigid_chain`."""
    model = pin.Model()
    model.gravity.linear = np.array(GRAVITY)
    body = pin.Inertia(MASS, np.array([LENGTH / 2, 0, 0]), np.diag(INERTIA))
    parent = 0
    for i in range(n):
        place = pin.SE3(np.eye(3), np.array([LENGTH if i else 0.0, 0, 0]))
        parent = model.addJoint(parent, pin.JointModelRevoluteUnaligned(np.array(AXES[i % 2])), place, f"joint{i}")
        model.appendBodyToJoint(parent, body, pin.SE3.Identity())
    return model


def pinocchio_chain(n: int, h: float, steps: int) -> dict[str, Any]:
    """Its seconds and where the tip is; not a number beyond what fits into memory."""
    if n > MOST:
        return {"seconds": np.nan, "tip": np.full(3, np.nan)}
    model = chain(n)
    data = model.createData()
    q, v, tau = np.zeros(n), np.zeros(n), np.zeros(n)
    aba = pin.aba
    begin = time.thread_time()
    for _ in range(steps):
        a1 = aba(model, data, q, v, tau).copy()
        v2 = v + 0.5 * h * a1
        a2 = aba(model, data, q + 0.5 * h * v, v2, tau).copy()
        v3 = v + 0.5 * h * a2
        a3 = aba(model, data, q + 0.5 * h * v2, v3, tau).copy()
        v4 = v + h * a3
        a4 = aba(model, data, q + h * v3, v4, tau)
        q = q + h / 6 * (v + 2 * v2 + 2 * v3 + v4)
        v = v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)
    seconds = time.thread_time() - begin
    pin.forwardKinematics(model, data, q)
    return {"seconds": seconds, "tip": data.oMi[n].act(np.array([LENGTH, 0, 0]))}
