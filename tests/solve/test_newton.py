"""Modified Newton's errors stay below those of the integrator, however long the run: default runs show its second order.

The fast symmetric top of Brüls and Cardona (2010): 15 kg, 1 m from its ball joint, spinning at 150 rad/s.
"""

import numpy as np
import pytest

import flexor as fx

TOP = fx.RigidBody(
    "top", 15, (0.234375, 0.46875, 0.234375), center_of_mass=(0, 1, 0), angular_velocity=(0, 150, -4.61538)
)
MODEL = fx.Model("top", gravity=(0, 0, -9.81), items=[TOP, fx.Spherical("ball", fx.ground, TOP)])
STEPS = (4e-4, 2e-4, 1e-4, 5e-5)


@pytest.fixture(scope="module")
def runs() -> list[fx.Run]:
    return [MODEL.dynamics(until=2, step=h, output=0.02, show=False) for h in STEPS]


def test_energy_drifts_by_the_square_of_the_step(runs: list[fx.Run]) -> None:
    drift = np.array([np.abs(run["energy.check_sum"] - run["energy.check_sum"][0]).max() for run in runs])
    # what is left by newton="full", which has no error of its own: 3.48e-4 J at 0.1 ms, 2e-6 J of it by the start
    np.testing.assert_allclose(drift, 3.48e-4 * (np.array(STEPS) / 1e-4) ** 2, rtol=0.1)


@pytest.mark.parametrize("signal", ["top.orientation", "top.angular_velocity", "ball.force"])
def test_halving_the_step_quarters_the_error(runs: list[fx.Run], signal: str) -> None:
    finals = [run[signal].values[-1] for run in runs]
    differences = np.linalg.norm(np.diff(finals, axis=0), axis=1)
    np.testing.assert_allclose(differences[:-1] / differences[1:], 4.0, rtol=0.03)


def test_that_costs_no_more_than_two_iterations_a_step(runs: list[fx.Run]) -> None:
    assert max(run.history["iterations"].mean() for run in runs[1:]) < 2.1
    assert max(run.history["refactorisations"].mean() for run in runs[1:]) < 0.05


def test_a_steady_motion_needs_no_more(tmp_path) -> None:
    """Where the prediction is exact, its error is rounding, and nothing can be small beside that."""
    wheel = fx.RigidBody("wheel", 2, (0.01, 0.01, 0.02))
    model = fx.Model("wheel", [wheel, fx.Revolute("axle", fx.ground, wheel, axis="z", start_rate=30)])
    run = model.dynamics(until=1, step=1e-3, show=False)
    assert run.history["iterations"].mean() < 2.5
    assert np.ptp(run["axle.angle_rate"].values) < 1e-10
