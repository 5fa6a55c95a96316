"""What is told when an answer is doubtful, and what is not told when it is not."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import flexor as fx
from tests.fatigue.test_planes import CURVE, SWING, T, damage, tensor


@pytest.mark.parametrize(
    "stress",
    [
        tensor(xx=200e6 * np.cos(9 * T) ** 2, yy=200e6 * np.sin(9 * T) ** 2, xy=100e6 * np.sin(18 * T)),  # it turns
        tensor(xx=SWING, yy=150e6),  # a larger one stays
        tensor(xy=SWING),  # tension always, pressure never: half the range
    ],
    ids=["turning", "preloaded", "torsion"],
)
@pytest.mark.parametrize("measure", ["signed_max"])
def test_stress_that_a_signed_measure_does_not_see_is_told(stress, measure):
    with pytest.warns(fx.StressTurns, match=r'life is shorter than told; use measure="critical_plane"'):
        blind = damage(stress, measure).at()
    assert damage(stress, "critical_plane").at() > 10 * blind


def test_signs_that_jump_are_told():
    """Torsion that stays, and a trifle of tension that swings: the sign of the largest principal stress goes to and fro."""
    stress = tensor(xy=100e6, xx=1e6 * np.sin(60 * np.pi * T))
    with pytest.warns(
        fx.StressTurns, match=r"jumps 60 times, by up to 200\.1 MPa; of C = 3\.076e-05 there .* does 3e-15"
    ):
        damage(stress, "signed_max")


def test_plain_stress_needs_no_word():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for measure in ("signed_max", "signed_von_mises"):
            damage(tensor(xx=SWING), measure)
            damage(tensor(xx=SWING + 50e6, xy=0.3 * SWING), measure)
        damage(tensor(xx=1e8), "signed_max")
        fx.damage_of(tensor(xx=SWING), CURVE, time=T, measure="critical_shear")
        fx.damage_of(np.zeros(5), CURVE, time=np.arange(5.0))


def test_a_mean_stress_is_told_below_the_limit_too():
    """Without correction there is no damage; with it there is."""
    steel = fx.SNCurve.fkm("600 MPa")
    x = 2.4 * SWING + 150e6
    with pytest.warns(fx.MeanStressIgnored, match="R = -0.23, .* that there is no damage may be wrong"):
        assert fx.damage_of(x, steel, time=T).at() == 0
    assert fx.damage_of(x, steel, time=T, mean_stress=fx.Goodman("600 MPa")).at() > 0


def test_a_mean_stress_is_told_wherever_it_matters():
    """The worst column has none, the second has a large one: corrected, it is the worst."""
    x = np.stack([SWING, 0.9 * SWING + 200e6, 0.01 * SWING + 300e6], axis=1)
    with pytest.warns(fx.MeanStressIgnored, match="at column 2 the largest cycle goes from 110 to 290 MPa"):
        fx.damage_of(x, CURVE, time=T)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fx.damage_of(x[:, [0, 2]], CURVE, time=T)  # a small cycle far from the worst


def test_tension_across_the_plane_is_told():
    with pytest.warns(
        fx.MeanStressIgnored, match=r"reaches 96\.\d+ MPa, in the tests .* give mean_stress=fx.McDiarmid"
    ):
        fx.damage_of(tensor(xx=SWING + 100e6), CURVE, time=T, measure="critical_shear")


def test_stress_beyond_the_strength_is_told():
    with pytest.warns(fx.BeyondStrength, match="exceeds the strength 80 MPa of the mean-stress correction, .* 100 MPa"):
        fx.damage_of(SWING, CURVE, time=T, mean_stress=fx.Goodman("80 MPa"))


def test_numbers_in_megapascal_are_told():
    with pytest.warns(fx.FaintStress, match="the largest stress is 100 Pa, .* give 1e6 times the values"):
        fx.damage_of(SWING / 1e6, CURVE, time=T)


def pulled(rows):
    """A bar under a force along it: a sine that the rows do not meet at its peaks."""
    from flexor.recover import StressHistory
    from tests.recover.bodies import clamped, resting, rod

    body, t = rod(), np.linspace(0, 1, rows)
    force = 1e6 * np.sin(2 * np.pi * 3 * t + 0.3)
    return StressHistory(resting(body, np.outer(force, clamped(body, np.array([1.0, 0, 0, 0, 0, 0]))), t))


def test_rows_that_miss_the_peaks_are_told():
    """What is missed is what finer rows find."""
    curve = fx.SNCurve.basquin("100 MPa", 5)
    with pytest.warns(fx.CoarseRows, match="rows lie too far apart; .* run with a smaller step"):
        few = fx.damage_of(pulled(20), curve, measure="xx")
    assert fx.damage_of(pulled(2001), curve, measure="xx").max().value > 1.1 * few.max().value
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fx.damage_of(pulled(101), curve, measure="xx")


def test_shear_and_normal_stress_are_kept_apart():
    shear = fx.SNCurve.fkm("600 MPa", stress="shear")
    assert shear.kind == fx.SNCurve.eurocode3(80, "shear").kind == "shear"
    with pytest.warns(fx.OtherStress, match="xy is shear stress, the S-N curve is of normal stress"):
        damage(tensor(xy=SWING), "xy")
    with pytest.raises(fx.ModelError, match="it is of shear stress, take measure='xy'"):
        fx.damage_of(tensor(xx=SWING), shear, time=T, measure="signed_max")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = fx.damage_of(tensor(xy=2 * SWING), shear, time=T, measure="xy")
    assert "(shear stress amplitude" in str(found)


def test_plain_histories_of_shear_have_no_sign():
    shear, correction = fx.SNCurve.fkm("150 MPa", stress="shear"), fx.FKM.of("800 MPa", stress="shear")
    one, other = (fx.damage_of(s * (SWING + 40e6), shear, time=T, mean_stress=correction).at() for s in (1, -1))
    assert one == pytest.approx(other)
    assert one > 0
