"""Factors of surface and reliability against printed tables."""

import numpy as np
import pytest

import flexor as fx


def test_reliability():
    """Shigley, Mechanical Engineering Design, table 6-5: 8 % scatter."""
    printed = {0.5: 1.0, 0.9: 0.897, 0.95: 0.868, 0.99: 0.814, 0.999: 0.753, 0.9999: 0.702, 0.99999: 0.659}
    for survival, factor in printed.items():
        assert fx.reliability_factor(survival) == pytest.approx(factor, abs=6e-4)


def test_finish():
    """Shigley, example 6-3: machined steel of 400 MPa has k_a = 0.922; and never more than polished."""
    assert fx.surface_factor("400 MPa", "machined") == pytest.approx(4.51 * 400**-0.265)
    assert fx.surface_factor("400 MPa", "machined") == pytest.approx(0.922, abs=1e-3)
    assert fx.surface_factor("100 MPa", "ground") == 1.0
    assert fx.surface_factor("600 MPa", "forged") < fx.surface_factor("600 MPa", "hot_rolled") < 0.7


def test_roughness():
    """FKM: 1 − a_R lg Rz lg(2 Rm/Rm,N,min)"""
    found = fx.surface_factor("800 MPa", roughness="25 µm")
    assert found == pytest.approx(1 - 0.22 * np.log10(25) * np.log10(4))
    assert fx.surface_factor("800 MPa", roughness="1 µm") == 1.0
    assert fx.surface_factor("300 MPa", roughness="25 µm", material="grey_iron") > 0.9


def test_survivors_are_not_counted_twice():
    """FKM's strength already is that of 97.5 %: for 99 % of survivors 0.814/0.843 of it are left, not 0.814."""
    steel = fx.SNCurve.fkm("600 MPa")
    safe = steel.surviving(0.99)
    assert steel.survival == 0.975
    assert safe.survival == 0.99
    left = fx.reliability_factor(0.99) / fx.reliability_factor(0.975)
    assert left == pytest.approx(0.965, abs=1e-3)
    assert safe.stress(1e6) == pytest.approx(270e6 * left)
    assert steel.surviving(0.975).stress(1e6) == pytest.approx(270e6)
    assert safe.surviving(0.5).stress(1e6) == pytest.approx(270e6 / fx.reliability_factor(0.975))
    mean = fx.SNCurve.basquin("100 MPa", 5)
    assert mean.survival is None
    assert mean.surviving(0.99).stress(2e6) == pytest.approx(100e6 * fx.reliability_factor(0.99))
    assert "% survive)" in safe.name
    with pytest.raises(fx.ModelError, match="at least half"):
        steel.surviving(99)


def test_roughness_in_shear():
    """FKM: K_R,τ = 1 − f_W,τ a_R lg Rz lg(2 Rm/Rm,N,min)"""
    normal, shear = (fx.surface_factor("800 MPa", roughness="25 µm", stress=kind) for kind in ("normal", "shear"))
    assert 1 - shear == pytest.approx(0.577 * (1 - normal))


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: fx.surface_factor("600 MPa", roughness="9 µm", stress="bending"), "normal or shear"),
        (lambda: fx.surface_factor(600), "write its unit"),
        (lambda: fx.surface_factor("600 MPa", "polished"), "there is no finish 'polished'"),
        (lambda: fx.surface_factor("600 MPa", roughness=25), "write its unit"),
        (lambda: fx.reliability_factor(0.3), "at least half"),
        (lambda: fx.reliability_factor(1.0), "less than all"),
        (lambda: fx.reliability_factor(0.9999, 0.5), "leaves no strength"),
        (lambda: fx.reliability_factor(0.99, -0.1), "standard deviation"),
    ],
)
def test_bad_factors_are_refused(make, said):
    with pytest.raises(fx.ModelError, match=said):
        make()
