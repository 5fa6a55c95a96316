"""IFToMM benchmark A01: point mass on a massless rod, released from the horizontal, 10 s.

Gonzalez et al. 2006, "A benchmarking system for MBS simulation software"; positions in closed form (Jacobi elliptic
functions). The library judges by energy: its drift must stay below 5e-5 J ("low" precision).
"""

from __future__ import annotations

import numpy as np

import flexor as fx

STEP = 4e-4


def pendulum(p: dict) -> fx.Model:
    bob = fx.PointMass("bob", p["mass"], position=(-p["length"], 0, 0))
    return fx.Model("A01", gravity=(0, -p["g"], 0), items=[bob, fx.Distance("rod", fx.ground, bob)])


def test_positions_and_energy(reference) -> None:
    record = reference.record("iftomm_a01_pendulum")
    run = pendulum(record["parameters"]).dynamics(until=10, step=STEP, output=0.1, show=False)
    t, x, y = reference.curve("iftomm_a01_pendulum")
    assert np.allclose(run.time, t, atol=1e-12)
    position = run["bob.position"]
    assert np.abs(position[:, 0] - x).max() < record["tolerance"]["pos"]
    assert np.abs(position[:, 1] - y).max() < record["tolerance"]["pos"]
    assert np.abs(run["energy.check_sum"] - run["energy.check_sum"][0]).max() < 5e-5
    # tension of a pendulum that starts at rest from the horizontal: F = 3 m g cos φ = −3 m g y / ℓ
    p = record["parameters"]
    assert np.abs(-run["rod.force"] + 3 * p["mass"] * p["g"] * y / p["length"]).max() < 3e-3


def test_period(reference) -> None:
    """T = 4 K(sin 45°) √(ℓ/g): every half period the mass is at rest at the horizontal again."""
    record = reference.record("iftomm_a01_pendulum")
    period = record["reference"]["period"]
    run = pendulum(record["parameters"]).dynamics(until=4 * period, step=period / 5000, output=period / 2, show=False)
    assert np.abs(run["bob.position_x"] - np.tile([-1, 1], 5)[:9]).max() < 1e-6
    assert np.abs(run["bob.position_y"]).max() < record["tolerance"]["pos"]
