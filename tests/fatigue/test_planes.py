"""Critical planes, of normal and of shear stress, against closed forms; load events plane by plane."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.fatigue.planes import directions, in_plane, twice_shear

T = np.linspace(0, 1, 721)
SWING = 100e6 * np.sin(2 * np.pi * T)
CURVE = fx.SNCurve.basquin("100 MPa", 5, cycles=1e6, quantity="amplitude", ratio=-1)
COMPONENTS = ("xx", "yy", "zz", "xy", "yz", "zx")


def tensor(**components):
    found = np.zeros((len(T), 1, 6))
    for name, values in components.items():
        found[:, 0, COMPONENTS.index(name)] = values
    return found


def damage(values, measure, mean_stress="none", **options):
    return fx.damage_of(values, CURVE, time=T, measure=measure, mean_stress=mean_stress, **options)


def amplitude(values, measure, mean_stress="none", **options):
    """Of the largest corrected cycle [MPa]."""
    return damage(values, measure, mean_stress, **options).largest[0] / 2e6


def test_tension_and_torsion():
    """Tension: σ across, 2τ = σ at 45°. Torsion: σ = τ at 45°, 2τ across."""
    assert amplitude(tensor(xx=SWING), "critical_plane") == pytest.approx(100)
    assert amplitude(tensor(xx=SWING), "critical_shear") == pytest.approx(100, rel=2e-3)
    assert amplitude(tensor(xy=SWING), "critical_plane", plane_step="5 deg") == pytest.approx(100, rel=1e-9)
    assert amplitude(tensor(xy=SWING), "critical_shear") == pytest.approx(200)
    assert amplitude(tensor(xx=SWING, yy=SWING, zz=SWING), "critical_shear") < 1e-9


def test_a_stress_that_turns():
    """A constant tension σ that turns in the plane: across any plane it goes from 0 to σ and back, twice a turn; 2τ = ±σ."""
    angle = 2 * np.pi * T
    turning = tensor(xx=200e6 * np.cos(angle) ** 2, yy=200e6 * np.sin(angle) ** 2, xy=100e6 * np.sin(2 * angle))
    found = damage(turning, "critical_plane")
    assert found.largest[0] == pytest.approx(200e6)
    assert found.at() == pytest.approx(2e-6)
    assert amplitude(turning, "critical_shear") == pytest.approx(200)


def test_tension_and_torsion_out_of_phase():
    """σ sin, τ cos by 90°: the plane across sees both at their full size, 2τ of it."""
    both = tensor(xx=SWING, xy=100e6 * np.cos(2 * np.pi * T))
    assert amplitude(both, "critical_shear") == pytest.approx(200)
    assert amplitude(both, "critical_plane", plane_step="5 deg") == pytest.approx(_largest_normal(), rel=3e-3)


def _largest_normal():
    """max over φ of √((100 cos²φ)² + (100 sin 2φ)²), the amplitude on a plane at φ."""
    phi = np.linspace(0, np.pi / 2, 10001)
    return float(np.hypot(100 * np.cos(phi) ** 2, 100 * np.sin(2 * phi)).max())


@pytest.mark.parametrize("mean", [-50e6, 0.0, 100e6, 250e6])
def test_mcdiarmid_of_a_rod(mean):
    """t = ½ a/√(1 − σ_max/2Rm) on the worst plane; an amplitude s at R = −1 has the same: s = a for no mean."""
    Rm, a = 600.0, 100.0
    top = max(mean / 1e6 + a, 0.0)
    t = 0.5 * a / np.sqrt(1 - top / (2 * Rm))
    grid = np.linspace(1, 400, 100001)
    expected = np.interp(t, 0.5 * grid / np.sqrt(1 - grid / (2 * Rm)), grid)
    found = amplitude(tensor(xx=SWING + mean), "critical_shear", fx.McDiarmid("600 MPa"), plane_step="9 deg")
    assert found == pytest.approx(expected, rel=5e-3)
    if mean == 0:
        assert found == pytest.approx(100, rel=5e-3)


@pytest.mark.parametrize("ratio", [-1.0, 0.0, 0.3])
def test_mcdiarmid_needs_no_correction_at_the_ratio_of_the_tests(ratio):
    curve = CURVE.replace(ratio=ratio)
    stress = tensor(xx=SWING + 100e6 * (1 + ratio) / (1 - ratio))
    options = {"measure": "critical_shear", "mean_stress": fx.McDiarmid("700 MPa"), "plane_step": "9 deg"}
    assert fx.damage_of(stress, curve, time=T, **options).largest[0] == pytest.approx(200e6, rel=5e-3)


def test_mcdiarmid_in_torsion():
    """It gives torsion about 0.57 of the strength in tension: between Tresca's ½ and von Mises' 0.577 for steels."""
    s = 270e6
    shear = 0.5 * s / np.sqrt(1 - s / 1200e6)  # t, without normal stress on the plane across
    assert shear / s == pytest.approx(0.568, abs=1e-3)
    found = amplitude(tensor(xy=shear / 100e6 * SWING), "critical_shear", fx.McDiarmid("600 MPa"), plane_step="9 deg")
    assert found == pytest.approx(270, rel=0.01)


def test_stress_factor_reaches_the_normal_stress():
    stress, correction = tensor(xx=SWING + 50e6), fx.McDiarmid("600 MPa")
    twice = amplitude(stress, "critical_shear", correction, stress_factor=2.0)
    assert twice == pytest.approx(amplitude(2 * stress, "critical_shear", correction))


def test_cycles_of_the_critical_plane_add_up():
    found = damage(tensor(xx=SWING + 50e6, xy=0.5 * SWING**2 / 100e6), "critical_shear", fx.McDiarmid("600 MPa"))
    assert found.cycles().damages.sum() == pytest.approx(found.at())


def test_directions_in_planes():
    for n in directions(np.radians(20)):
        d = in_plane(n, np.radians(20))
        np.testing.assert_allclose(d @ n, 0, atol=1e-14)
        np.testing.assert_allclose(np.linalg.norm(d, axis=1), 1)
    stress = np.array([3.0, -1.0, 2.0, 0.5, 0.7, -0.2])
    full = np.array([[3, 0.5, -0.2], [0.5, -1, 0.7], [-0.2, 0.7, 2]])
    assert twice_shear(n, d[1])(stress) == pytest.approx(2 * n @ full @ d[1])


def test_planes_without_damage_tell_the_largest_range():
    """Below the limit all planes do the same damage, none; the one with the largest range is told."""
    limit = fx.SNCurve.basquin("300 MPa", 5, endurance="300 MPa", quantity="amplitude", ratio=-1)
    found = fx.damage_of(tensor(xx=SWING), limit, time=T, measure="critical_plane", mean_stress="none")
    assert found.at() == 0
    assert found.largest[0] == pytest.approx(200e6)
    assert "largest range, 200 MPa at place 1, is below" in str(found)


@pytest.mark.parametrize("component", ["xx", "xy", "yz"])
def test_events_that_are_harmless_each(component):
    """Tension that stays, then pressure that stays: each does nothing, the change between them is a cycle on one plane."""
    pull, press = (damage(tensor(**{component: sign * 1e8}), "critical_plane", plane_step="15 deg") for sign in (1, -1))
    block = pull + 3 * press
    assert (pull.at(), press.at()) == (0, 0)
    assert block.at() == pytest.approx(1e-6, rel=0.03)
    assert block.between_events[0] == block.at()
    assert (pull + pull).at() == 0


def test_events_add_up_on_one_plane():
    """One event pulls along x, the other along y: on no plane they do what they do together on two."""
    along, across = damage(tensor(xx=SWING), "critical_plane"), damage(tensor(yy=SWING), "critical_plane")
    block = along + across
    assert block.at() == pytest.approx(1e-6, rel=1e-3)
    assert (along + along).at() == pytest.approx(2e-6)
    assert (2 * along + 2 * along).at() == pytest.approx(4e-6)


def test_the_sign_of_shear_means_nothing():
    """A shear stress and its mirror image do the same, by every correction."""
    for correction in (fx.Goodman("600 MPa"), fx.Gerber("600 MPa"), fx.FKM(0.3), "swt"):
        one, other = (amplitude(tensor(xy=sign * (SWING + 60e6)), "xy", correction) for sign in (1, -1))
        assert one == pytest.approx(other)
    assert amplitude(tensor(xx=SWING + 60e6), "xx", fx.FKM(0.3)) == pytest.approx(118)
    assert amplitude(tensor(xx=SWING - 60e6), "xx", fx.FKM(0.3)) == pytest.approx(82)
    assert amplitude(tensor(xy=SWING - 60e6), "xy", fx.FKM(0.3)) == pytest.approx(118)


@pytest.mark.parametrize(
    ("measure", "correction", "said"),
    [
        ("critical_shear", fx.Goodman("600 MPa"), "a mean shear stress does not matter"),
        ("critical_shear", "swt", "write mean_stress=fx.McDiarmid"),
        ("xx", fx.McDiarmid("600 MPa"), "write measure='critical_shear'"),
        ("critical_shear", fx.McDiarmid("40 MPa"), "reaches twice the strength of 40 MPa"),
        ("critical_sheer", "none", "did you mean 'critical_shear'"),
    ],
)
def test_what_does_not_fit_is_refused(measure, correction, said):
    with pytest.raises(fx.ModelError, match=said):
        damage(tensor(xx=SWING + 1e8), measure, correction, plane_step="20 deg")
