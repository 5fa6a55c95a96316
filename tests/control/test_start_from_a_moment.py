"""What rows do not tell of blocks is told; the end of a run keeps it."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.results.moment import ForgottenStates


def servo() -> fx.Model:
    mass = fx.RigidBody("mass", 2, 1)
    return fx.Model(
        "servo",
        [
            *(mass, fx.Prismatic("rail", fx.ground, mass, axis="x"), fx.Sensor("place", "rail.displacement")),
            fx.PILimitedD("controller", "0.1 - place", 30, 0.5, 0.2, 0.02),
            fx.PointForce("drive", mass, direction="x", force="controller"),
        ],
    )


def test_states_of_blocks_at_a_moment():
    model = servo()
    whole = model.dynamics(until=0.4, step=0.005, show=False)
    half = model.dynamics(until=0.2, step=0.005, show=False)
    on = model.dynamics(until=0.4, step=0.005, start=half, show=False)
    assert on["controller.value"].values[0] == pytest.approx(half["controller.value"].values[-1], rel=1e-9)
    assert np.ptp([run["place.value"].values[-1] for run in (whole, on)]) < 1e-4
    with pytest.warns(ForgottenStates, match=r"0\.2 s.*'controller'.*begin anew.*run until"):
        model.dynamics(until=0.3, step=0.005, start=whole.at(0.2), show=False)
