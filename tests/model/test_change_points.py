"""Mechanisms that start where they can go on in several ways."""

import warnings

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexor as fx

A, D = 0.2, 0.5


def in_line(*more, lengths=(A, D, A, D), **rates):
    """Crank, coupler and rocker in one line on the x axis, hinged at A, B, C and D."""
    a, b, c, d = lengths
    crank = fx.RigidBody("crank", 1.0, 1e-3, center_of_mass=(a / 2, 0, 0))
    coupler = fx.RigidBody("coupler", 1.0, 1e-2, center_of_mass=(b / 2, 0, 0))
    rocker = fx.RigidBody("rocker", 1.0, 1e-2, center_of_mass=(c / 2, 0, 0))
    given = {name: {"start_rate": rate} for name, rate in rates.items()}
    items = [
        crank, coupler, rocker,
        fx.Revolute("A", fx.ground, crank, axis="z", **given.get("A", {})),
        fx.Revolute("B", crank.at(a, 0, 0), coupler, axis="z", **given.get("B", {})),
        fx.Revolute("C", coupler.at(b, 0, 0), rocker.at(c, 0, 0), axis="z", **given.get("C", {})),
        fx.Revolute("D", fx.ground.at(d, 0, 0), rocker, axis="z", **given.get("D", {})),
        *more,
    ]  # fmt: skip
    return fx.Model("in line", items, gravity=(0, -9.81, 0))


def run(model, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.dynamics(until=0.3, step=1e-3, show=False, **options)


def test_one_rate_gives_the_slowest_way_on_and_is_told():
    report = in_line(A=5).check()
    rates = {name: joint.rates[0] for name, joint in report.placement.joints.items()}
    assert rates == pytest.approx({"A": 5, "B": -5, "C": 5, "D": 5}, rel=1e-9)
    assert "joint 'A': its mechanism starts at a change point" in str(report.warnings[0])


def test_the_other_way_on_is_taken_if_the_rates_say_so():
    """The crossed parallelogram: coupler −4/3, rocker −7/3 of the crank."""
    rates = {"A": 3.0, "D": -7.0}
    report = in_line(**rates).check()
    assert not report.warnings
    assert report.placement.twists["coupler"][5] == pytest.approx(-4, rel=1e-9)
    found = run(in_line(**rates))
    α, γ = found["A.angle"].values, found["D.angle"].values
    span = np.hypot(D + A * np.cos(γ) - A * np.cos(α), A * np.sin(γ) - A * np.sin(α))
    np.testing.assert_allclose(span, D, atol=1e-10)  # the coupler keeps its length
    assert np.abs(α - γ).max() > 0.5


@pytest.mark.parametrize("rates", [{"A": 5}, {"A": 5, "B": -5, "C": 5, "D": 5}])
def test_a_flat_parallelogram_swings_as_one_pendulum(rates):
    found = run(in_line(**rates))
    inertia = 1e-3 + 1e-2 + 2 * (A / 2) ** 2 + A**2  # crank and rocker about their hinges, the coupler at their ends
    exact = solve_ivp(
        lambda t, y: (y[1], -9.81 * 2 * A * np.cos(y[0]) / inertia), (0, 0.3), (0, 5), t_eval=found.time, rtol=1e-10
    )
    np.testing.assert_allclose(found["D.angle"].values, found["A.angle"].values, atol=1e-9)
    np.testing.assert_allclose(found["A.angle"].values, exact.y[0], atol=2e-4)
    np.testing.assert_allclose(found["A.angle_rate"].values[:20], exact.y[1][:20], atol=1e-3)


def test_a_motor_drives_a_flat_parallelogram():
    found = run(in_line(fx.Motor("drive", "A", speed=2)))
    np.testing.assert_allclose(found["D.angle"].values, 2 * found.time, atol=1e-8)


def test_at_rest_nothing_tells_the_way_on():
    with pytest.raises(fx.AssemblyError, match=r"change point(.|\n)*start slightly off, or give all start rates"):
        run(in_line())
