"""Reactions are of second order from the first step on, also for a body that spins and nutates."""

import numpy as np

import flexor as fx

TIGHT = fx.Tolerances(displacement=1e-15, acceleration=1e-12)


def reactions(step: float, until: float = 0.04) -> np.ndarray:
    """Force in the ball joint of a heavy asymmetric top, every 2 ms."""
    top = fx.RigidBody(
        "top",
        1.3,
        (0.02, 0.03, 0.012),
        center_of_mass=(0.02, 0, 0.25),
        position=(0, 0, 0),
        orientation={"axis": "x", "angle": "40 deg"},
        angular_velocity=(3.0, -14.0, 20.0),
    )
    model = fx.Model("top", gravity=(0, 0, -9.81), items=[top, fx.Spherical("tip", fx.ground, top)])
    run = model.dynamics(until=until, step=step, output=2e-3, tolerances=TIGHT, show=False)
    return run["tip.force"].values[1:]


def test_reactions_of_a_spinning_top_from_the_first_step():
    exact = reactions(2.5e-5)
    coarse, fine = (np.abs(reactions(step) - exact).max() for step in (2e-3, 1e-3))
    assert coarse < 2e-2  # of some 30 N
    assert coarse / fine > 3.4
