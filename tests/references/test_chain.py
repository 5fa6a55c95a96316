"""Chain of N uniform rods with hinges, released from the horizontal: initial accelerations and short trajectories.

Accelerations in closed form (N = 1: 3g/2, N = 2: 9g/7, N → ∞: 3g (1 − 1/√3)) and from Pinocchio's articulated-body
algorithm; trajectories of the tip from Pinocchio. Later the motion is chaotic.
"""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx

STEP = 1e-4


def chain(count: int, enforcement: str = "auto") -> fx.Model:
    """Rods of 1 m and 1 kg along +x, hinges about y, gravity along −z."""
    items: list = []
    support = fx.ground
    for i in range(count):
        rod = fx.RigidBody(
            f"rod {i}", 1.0, (1e-3, 1 / 12, 1 / 12), center_of_mass=(0.5, 0, 0), markers={"tip": (1, 0, 0)}
        )
        items += [rod, fx.Revolute(f"hinge {i}", support, rod, axis="y", enforcement=enforcement)]
        support = rod["tip"]
    return fx.Model("chain", gravity=(0, 0, -9.81), items=items)


def joint_accelerations(count: int, enforcement: str) -> np.ndarray:
    run = chain(count, enforcement).dynamics(until=1e-3, step=1e-3, show=False)
    turning = [run[f"rod {i}.angular_acceleration_y"][0] for i in range(count)]
    return np.diff([0.0, *turning])


@pytest.mark.parametrize("enforcement", ["multipliers", "elimination"])
def test_initial_accelerations(reference, enforcement: str) -> None:
    record = reference.record("chain_forward_dynamics")
    tolerance, expected = record["tolerance"]["acc"], record["reference"]
    for count in (1, 2, 3, 5):
        assert abs(joint_accelerations(count, enforcement)[0] - expected["qdd1"][str(count)]) < tolerance
    assert abs(joint_accelerations(2, enforcement)[1] - expected["qdd2_N2"]) < tolerance


def test_initial_acceleration_of_a_long_chain(reference) -> None:
    record = reference.record("chain_forward_dynamics")
    found = joint_accelerations(100, "multipliers")[0]
    assert abs(found - record["reference"]["qdd1"]["inf"]) < record["tolerance"]["acc"]


@pytest.mark.parametrize(("count", "times"), [(2, ("0.5", "2")), (5, ("0.5", "1"))])
@pytest.mark.parametrize("enforcement", ["multipliers", "elimination"])
def test_trajectory_of_the_tip(reference, count: int, times: tuple[str, str], enforcement: str) -> None:
    record = reference.record("chain_forward_dynamics")
    run = chain(count, enforcement).dynamics(until=float(times[1]), step=STEP, output=0.5, show=False)
    last = f"rod {count - 1}"
    w, x, y, z = run[f"{last}.orientation"][:].T
    tip = run[f"{last}.position"] + np.column_stack([1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)])
    for time in times:
        expected = record["reference"]["traj"][f"N{count}"][f"t{time}_tip"]
        assert np.abs(tip[round(float(time) / 0.5)][[0, 2]] - expected).max() < record["tolerance"]["tip"]
    energy = run["energy.check_sum"]
    assert np.abs(energy - energy[0]).max() < 5e-5
