"""IFToMM benchmark A02: N four-bar linkages in a row, which pass positions where all bars lie in one line.

Gonzalez et al. 2006. Uprights from (i, 0) to B_i, couplers from B_i to B_i₊₁, all of 1 m and 1 kg. With spatial hinges
5 (3N + 1) constraints stand against 6 (2N + 1) coordinates and one freedom: 3N are redundant. The uprights stay
parallel, so the reference is the exact reduction ((N + 1)/3 + N) θ̈ = ((N + 1)/2 + N) g sin θ.

In line the bars could go on as anti-parallelograms: there the constraints lose rank, and a step that happens to end
there (nearer than some 1e-5 rad) may leave on either branch, as rounding has it.
"""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx

SLENDER = (1e-4, 1 / 12, 1 / 12)


def linkage(count: int, gravity: float) -> fx.Model:
    """`count` four-bars; upright i is the body "upright i", coupler i leads from B_i to B_(i+1)."""
    items: list = []
    for i in range(count + 1):
        upright = fx.RigidBody(f"upright {i}", 1.0, SLENDER, center_of_mass=(0.5, 0, 0))
        hinge = fx.Revolute(f"foot {i}", fx.ground.at(i, 0, 0), upright, axis="z", start="90 deg", start_rate=-1)
        items += [upright, hinge]
    for i in range(count):
        coupler = fx.RigidBody(f"coupler {i}", 1.0, SLENDER, center_of_mass=(0.5, 0, 0), position=(i, 1, 0))
        left, right = items[2 * i], items[2 * i + 2]
        items += [
            coupler,
            fx.Revolute(f"left {i}", left.at(1, 0, 0), coupler, axis="z"),
            fx.Revolute(f"right {i}", right.at(1, 0, 0), coupler.at(1, 0, 0), axis="z"),
        ]
    return fx.Model("A02", gravity=(0, -gravity, 0), items=items)


@pytest.mark.parametrize("step", [1e-3, 5e-4, 2e-4])
def test_passes_singular_positions(reference, step: float) -> None:
    record = reference.record("iftomm_a02_nfourbar")
    model = linkage(2, record["parameters"]["g"])
    with pytest.warns(fx.RedundantConstraints, match="6 redundant constraints"):
        run = model.dynamics(until=10, step=step, output=0.1, show=False)
    _, x, y = reference.curve("iftomm_a02_nfourbar_N2")
    position = run["coupler 0.position"]  # B₀
    assert np.abs(position[:, 0] - x).max() < record["tolerance"]["pos"]
    assert np.abs(position[:, 1] - y).max() < record["tolerance"]["pos"]
    assert np.ptp(run["foot 0.angle"]) > 10 * np.pi  # the uprights go round and lie flat twice in every turn
    assert (
        np.abs(run["coupler 0.velocity"][-1, :2] - record["reference"]["N2_v_t10"]).max() < record["tolerance"]["pos"]
    )
    energy = run["energy.check_sum"]
    assert np.abs(energy - energy[0]).max() < 2e-3
