"""Runs that break down, or go on by cut-backs alone, are told so at their end."""

import warnings

import numpy as np
import pytest

import flexor as fx
from flexor.engine.memory import StepRow
from flexor.law import RESIDUAL
from flexor.solve.balance import Balance, EnergyDrift
from flexor.solve.turning import force_error


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


def test_a_mechanism_at_rest_is_silent():
    """An upright parallelogram stands still but for 1e-14 m, within the tolerance of its constraints."""
    a, b = (fx.RigidBody(name, 1.0, (1e-2,) * 3, position=(x, 0, 0)) for name, x in (("a", 0.0), ("b", 0.5)))
    bar = fx.RigidBody("bar", 1.0, (1e-2,) * 3, position=(0, 0.2, 0))
    joints = [
        fx.Revolute("p", fx.ground, a.at(0, 0, 0), axis="z"),
        fx.Revolute("q", a.at(0, 0.2, 0), bar.at(0, 0, 0), axis="z"),
        fx.Revolute("r", bar.at(0.5, 0, 0), b.at(0, 0.2, 0), axis="z"),
        fx.Revolute("s", fx.ground.at(0.5, 0, 0), b.at(0, 0, 0), axis="z"),
    ]
    model = fx.Model("parallelogram", [a, b, bar, *joints], gravity=(0, -9.81, 0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fx.RedundantConstraints)
        warnings.simplefilter("error", EnergyDrift)
        run = model.dynamics(0.5, 1e-3, show=False)
    assert run["energy.kinetic"].values.max() < 1e-15


def test_energies_that_are_held_set_what_is_nothing():
    """A drift of 1e-12 J beside a spring that holds 1 J is rounding; of 1e-9 J it is not, where nothing else moves."""
    for drift, told in ((1e-12, False), (1e-9, True)):
        balance = Balance(True)
        rows = np.array([[0.0, 0.0, 1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0, 0.0, 1.0 - drift]])
        balance.watch(rows, np.zeros((2, StepRow.WORDS)))
        assert (balance.complaint(0.0) is not None) == told


def test_what_counts_as_exchanged():
    """Kinetic energy itself, changes of potential energy, which may have any zero."""
    balance = Balance(True)
    #                     kinetic, potential, strain, dissipated, input, check-sum
    rows = np.array([[2.0, 500.0, 0.0, 0.0, 0.0, 502.0], [3.0, 499.5, 0.0, 0.0, 0.0, 502.5]])
    balance.watch(rows, np.zeros((2, StepRow.WORDS)))
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


def driven(per_step: float, enforcement: str) -> fx.Run:
    """An eccentric body on a motor, which keeps its speed whatever happens."""
    body = fx.RigidBody("cam", 2, (0.01, 0.01, 0.01), center_of_mass=(0.05, 0, 0))
    hinge = fx.Revolute("hinge", fx.ground, body, axis="z", enforcement=enforcement)
    model = fx.Model("cam", [body, hinge, fx.Motor("motor", joint="hinge", speed=100)])
    return model.dynamics(until=2 * per_step, step=per_step / 100, show=False)


def test_forces_that_are_off_are_told_though_energy_is_kept():
    """Index 3 sees the circle q̂ e^(iωt) through Newmark's formulae: 9 % at h ω = 0.7."""
    with pytest.warns(EnergyDrift, match=r"body 'cam' goes round by 0.7 rad .* off by about 9 %.* elimination"):
        run = driven(0.7, "multipliers")
    off = np.linalg.norm(run["hinge.force"].values[-1]) / (2 * 100**2 * 0.05) - 1
    assert off == pytest.approx(force_error(0.7, fx.GeneralizedAlpha().coefficients), rel=1e-6)
    assert off == pytest.approx(0.093, abs=0.001)


@pytest.mark.parametrize("case", [(0.2, "multipliers"), (0.7, "elimination")])
def test_forces_that_are_right_are_not(case):
    with warnings.catch_warnings():
        warnings.simplefilter("error", EnergyDrift)
        run = driven(*case)
    assert np.linalg.norm(run["hinge.force"].values[-1]) == pytest.approx(1000, rel=0.01)


@pytest.mark.parametrize("damping", [1e4, 1e5])
def test_a_damper_too_strong_for_the_step_takes_what_there_is(damping):
    """It stops 1 kg in m/c = 0.1 ms or less; a step of 1 ms would take h c/m = 10 or 100 times the energy."""
    mass = fx.RigidBody("mass", 1, (0.1, 0.1, 0.1))
    slide = fx.Prismatic("slide", fx.ground, mass, axis="x", start_rate=1)
    model = fx.Model("stop", [mass, slide, fx.JointSpring("damper", "slide", damping=damping)])
    with warnings.catch_warnings():
        warnings.simplefilter("error", EnergyDrift)
        run = model.dynamics(until=0.1, step=1e-3, show=False)
    np.testing.assert_allclose(run["energy.dissipated"], 0.5 - run["energy.kinetic"], atol=0.01)
    assert run["energy.dissipated"][-1] == pytest.approx(0.5, abs=0.01)


def test_resolved_losses_are_those_of_the_trapezoidal_rule():
    mass = fx.RigidBody("mass", 1, (0.1, 0.1, 0.1))
    slide = fx.Prismatic("slide", fx.ground, mass, axis="x", start_rate=1)
    model = fx.Model("ring", [mass, slide, fx.JointSpring("spring", "slide", stiffness=400, damping=4)])
    run = model.dynamics(until=1, step=1e-3, show=False)
    power = (
        4 * run[next(name for name in run.names if name.startswith("slide.") and name.endswith("_rate"))].values ** 2
    )
    expected = np.concatenate([[0.0], np.cumsum(0.5e-3 * (power[1:] + power[:-1]))])
    np.testing.assert_allclose(run["energy.dissipated"], expected, rtol=1e-12, atol=1e-12)


def test_energies_that_are_no_numbers_are_told():
    slider = fx.RigidBody("slider", mass=1, inertia=0.1)
    rail = fx.Prismatic("rail", fx.ground, slider, axis="x", start=0.05)
    model = fx.Model("pulled", [slider, rail, fx.JointSpring("pull", "rail", force="1/x")])
    with pytest.warns(EnergyDrift, match=r"no finite energy\.\w+.* 1/max\(x, 1e-3\)"):
        model.dynamics(until=0.1, step=1e-3, show=False)
