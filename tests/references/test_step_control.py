"""Steps that adapt to an error tolerance, and steps that are cut where Newton fails."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from tests.references.test_convergence import exact_pendulum, pendulum

STIFFNESS, SIZE = 25.0, 2.0


def oscillator() -> fx.Model:
    """1 kg at 2 m on a spring of 25 N/m whose free length is 1 m; the model's size, which scales errors, is 2 m."""
    mass = fx.PointMass("mass", 1.0, position=(SIZE, 0, 0))
    return fx.Model("oscillator", [mass, fx.AxialSpring("spring", fx.ground, mass, stiffness=STIFFNESS, free_length=1)])


@pytest.mark.parametrize("error", [1e-4, 1e-5, 1e-6, 1e-7])
def test_local_error_is_of_the_size_asked_for(error: float) -> None:
    """Each step is compared with the exact motion from its begin; estimates of an error are good to a factor of two."""
    run = oscillator().dynamics(until=5, error=error, show=False)
    omega, h = np.sqrt(STIFFNESS), np.diff(run.time)
    x, v = run["mass.position_x"].values - 1, run["mass.velocity_x"].values
    local = np.abs(x[1:] - x[:-1] * np.cos(omega * h) - v[:-1] / omega * np.sin(omega * h)) / SIZE
    assert local.max() < 2 * error
    assert np.median(local) > 0.05 * error  # nor are steps wasted


def test_a_thousandth_of_the_error_costs_ten_times_the_steps() -> None:
    """Local errors grow with h³, so the number of steps goes with error^(−1/3)."""
    count = [len(oscillator().dynamics(until=5, error=error, show=False)) for error in (1e-4, 1e-7)]
    assert 8 < count[1] / count[0] < 12


def test_error_of_a_constrained_motion_falls_with_the_tolerance() -> None:
    worst = []
    for error in (1e-5, 1e-6, 1e-7):
        run = pendulum().dynamics(until=5, error=error, output=0.1, show=False)
        assert np.allclose(run.time, np.linspace(0, 5, 51), atol=1e-12)
        worst.append(np.abs(run["bob.position"][:, :2] - exact_pendulum(run.time)[0]).max())
    assert worst[0] > 3 * worst[1] > 9 * worst[2]
    assert worst[2] < 3e-4


def test_steps_shrink_in_an_impact_and_grow_again() -> None:
    """A mass on a soft spring (1 N/m) that hits a stop of 100 kN/m at half the free length for some 10 ms."""
    mass = fx.PointMass("mass", 1.0, position=(2, 0, 0))
    stop = fx.expression("if(x < -0.5, 1e5*(x + 0.5), 0)")
    spring = fx.AxialSpring("spring", fx.ground, mass, stiffness=1, force=stop, free_length=1)
    run = fx.Model("impact", [mass, spring]).dynamics(until=10, error=1e-6, show=False)
    h = np.diff(run.time)
    in_contact = run["spring.deflection"][1:] < -0.5
    assert in_contact.any()
    assert h[~in_contact].max() > 50 * h[in_contact].min()
    energy = run["energy.check_sum"]
    assert np.abs(energy - energy[0]).max() < 0.02 * energy[0]


def test_cut_back_keeps_the_grid() -> None:
    """With few iterations allowed, long steps fail and are halved; rows come at the times asked for all the same."""
    easy = pendulum().dynamics(until=2, step=0.05, show=False)
    run = pendulum().dynamics(until=2, step=0.05, max_iterations=3, show=False)
    assert easy.history["cut_backs"].sum() == 0
    assert run.history["cut_backs"].sum() > 0
    assert run.history["step_size"].min() < 0.03
    assert np.allclose(run.time, np.linspace(0, 2, 41), atol=1e-12)
    error = [np.abs(r["bob.position"][:, :2] - exact_pendulum(r.time)[0]).max() for r in (easy, run)]
    assert error[1] < error[0] < 0.1
