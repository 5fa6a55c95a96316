"""Runs that break down, or go on by cut-backs alone, are told so at their end."""

import warnings

import numpy as np
import pytest

import flexor as fx
from flexor.law import RESIDUAL
from flexor.solve.balance import Balance, EnergyDrift


def rotor(per_step: float, rho: float = 0.8, enforcement: str = "multipliers", **settings) -> fx.Run:
    """A rod that turns about its end, without any force, by so many rad in a step."""
    rod = fx.RigidBody("rod", 0.0314, (1e-6, 2.62e-5, 2.62e-5), center_of_mass=(0.05, 0, 0), position=(0, 0, 0))
    hinge = fx.Revolute("hinge", fx.ground, rod, axis="y", start_rate=per_step / 1e-3, enforcement=enforcement)
    integrator = fx.GeneralizedAlpha(rho)
    return fx.Model("rotor", [rod, hinge]).dynamics(0.2, 1e-3, integrator=integrator, show=False, **settings)


def test_a_run_that_breaks_down_is_told():
    with pytest.warns(fx.EnergyDrift, match=r"gained .* do not trust .* a smaller rho") as told:
        run = rotor(0.4)
    energy = run["energy.kinetic"].values
    assert abs(energy[-1] / energy[0] - 1) > 0.5
    assert len(told) == 1


def test_numerical_damping_that_takes_the_motion_away_is_told():
    with pytest.warns(EnergyDrift, match=r"lost .* 54 % .* shorter step, enforcement: elimination.* rho closer to 1"):
        run = rotor(0.3, rho=0.0)
    energy = run["energy.kinetic"].values
    assert energy[-1] / energy[0] == pytest.approx(0.456, abs=0.005)


def test_cut_backs_are_told_without_energies():
    with pytest.warns(EnergyDrift, match=r"the run had to cut steps back \d+ times in \d+ steps: its step is too long"):
        rotor(0.3, energies=False, max_iterations=3)


@pytest.mark.parametrize("case", [(0.05,), (0.2,), (0.7, 0.8, "elimination")])
def test_good_runs_are_silent(case):
    with warnings.catch_warnings():
        warnings.simplefilter("error", EnergyDrift)
        rotor(*case)


def test_energies_between_far_rows_count():
    """Rows at the ends of the swing show a pendulum at rest, as if no energy had been exchanged."""
    bob = fx.PointMass("bob", 1.0, position=(-1.0, 0, 0))
    model = fx.Model("pendulum", [bob, fx.Distance("rod", fx.ground, bob)], gravity=(0, -9.81, 0))
    half = 2 * 1.8540746773013719 / np.sqrt(9.81)
    with warnings.catch_warnings():
        warnings.simplefilter("error", EnergyDrift)
        run = model.dynamics(2 * half, half / 1000, output=half, show=False)
    assert run["energy.kinetic"].values.max() < 1e-3


def test_what_counts_as_exchanged():
    """Kinetic energy itself, changes of potential energy, which may have any zero."""
    balance = Balance(True)
    #                     kinetic, potential, strain, dissipated, input, check-sum
    rows = np.array([[2.0, 500.0, 0.0, 0.0, 0.0, 502.0], [3.0, 499.5, 0.0, 0.0, 0.0, 502.5]])
    balance.watch(rows, np.zeros((2, 5)))
    assert (balance.exchanged, balance.drift) == (3.0, 0.5)
    assert balance.complaint(0.0) is not None
    assert balance.complaint(6.0) is None


def test_laws_of_the_users_own_may_tell_no_energy():
    def drag(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
        if want & RESIDUAL:
            r[2] += 2.0 * v[2]

    ball = fx.PointMass("ball", 1.0, position=(0, 0, 0))
    model = fx.Model("fall", [ball, fx.UserLaw("air", drag, on=[ball])], gravity=(0, 0, -9.81))
    with warnings.catch_warnings():
        warnings.simplefilter("error", EnergyDrift)
        run = model.dynamics(1.0, 1e-2, show=False)
    assert np.ptp(run["energy.check_sum"].values) > 1.0
