"""IFToMM benchmark A04: Bricard's mechanism, five rods and six hinges that count −1 degrees of freedom and have one.

Gonzalez et al. 2006; the curve of P3 comes from Pinocchio with DOP853 (energy drift 5e-9 J).
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import flexor as fx


def bricard(p: dict) -> fx.Model:
    points = np.array(p["joint_points"], dtype=float)
    rods = []
    for i, (begin, end) in enumerate(pairwise(points)):
        across, along = (1.0**2 + 0.1**2) / 12, (0.1**2 + 0.1**2) / 12
        inertia = np.where(np.abs(end - begin) > 0.5, along, across)
        rods.append(fx.RigidBody(f"rod {i}", 1.0, inertia, position=begin, center_of_mass=(end - begin) / 2))
    bodies = [fx.ground, *rods, fx.ground]
    hinges = [
        fx.Revolute(f"hinge {i}", bodies[i], bodies[i + 1], at=point, axis=axis)
        for i, (point, axis) in enumerate(zip(points, p["joint_axes"]))
    ]
    return fx.Model("A04", gravity=(0, -9.81, 0), items=[*rods, *hinges])


def test_one_redundant_constraint_and_the_curve_of_p3(reference) -> None:
    record = reference.record("iftomm_a04_bricard")
    model = bricard(record["parameters"])
    with pytest.warns(fx.RedundantConstraints, match="1 redundant constraint left out"):
        run = model.dynamics(until=10, step=1e-3, output=0.05, show=False)
    curve = reference.curve("iftomm_a04_bricard_P3")
    assert np.abs(run["rod 2.position"] - curve[1:].T).max() < record["tolerance"]["pos"]
    for time, point in record["reference"]["P3"].items():
        assert np.abs(run["rod 2.position"].at(float(time)) - point).max() < record["tolerance"]["pos"]
    energy = run["energy.check_sum"]
    assert np.abs(energy - energy[0]).max() < 1e-3
