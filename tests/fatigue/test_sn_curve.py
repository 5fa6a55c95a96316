"""S-N curves: lines, tables, design codes, units, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.fatigue.catalogue import DNV_AIR, DNV_CORROSION, DNV_PROTECTED, EC3_NORMAL
from flexor.fatigue.counter import Counter

SNCurve = fx.SNCurve


def test_basquin():
    """N = N₀ (S/S₀)⁻ᵐ"""
    curve = SNCurve.basquin("100 MPa", 4.5, cycles=1e6)
    S = np.array([30e6, 100e6, 250e6])
    np.testing.assert_allclose(curve.cycles(S), 1e6 * (S / 100e6) ** -4.5)
    np.testing.assert_allclose(curve.stress(curve.cycles(S)), S)
    assert curve.cycles("100 MPa") == pytest.approx(1e6)


def test_coffin_manson_form():
    """σa = σf′ (2N)^b"""
    sigma, b = 1200e6, -0.095
    curve = SNCurve.basquin(sigma, -1 / b, cycles=0.5, quantity="amplitude", ratio=-1)
    N = np.array([1e3, 1e5, 1e7])
    np.testing.assert_allclose(curve.stress(N), sigma * (2 * N) ** b)


def test_endurance_limit():
    curve = SNCurve.basquin("200 MPa", 5, cycles=1e6, endurance="150 MPa")
    assert curve.points[-1] == (pytest.approx(1e6 * (200 / 150) ** 5), 150e6)
    assert np.isinf(curve.cycles("149.9 MPa"))
    assert curve.cycles("150.1 MPa") == pytest.approx(1e6 * (200 / 150.1) ** 5)
    above = SNCurve.basquin("200 MPa", 5, cycles=1e6, endurance="250 MPa")
    assert np.isinf(above.cycles("249 MPa"))
    assert above.cycles("300 MPa") == pytest.approx(1e6 * (200 / 300) ** 5)


def test_amplitudes_are_half_the_ranges():
    one = SNCurve.basquin("100 MPa", 3, quantity="amplitude")
    other = SNCurve.basquin("200 MPa", 3)
    np.testing.assert_allclose(one.cycles([50e6, 170e6]), other.cycles([100e6, 340e6]))
    found, _ = Counter(1, curve=one).judged(np.array([200e6]), np.zeros(1), np.ones(1))
    assert found[0] == pytest.approx(1 / 2e6)


def test_a_table_is_straight_in_logarithms():
    curve = SNCurve([(1e3, "500 MPa"), (1e5, "300 MPa"), (1e6, "220 MPa")])
    N, S = np.array(curve.points).T
    np.testing.assert_allclose(curve.cycles(S), N)
    middle = np.exp((np.log(S[:-1]) + np.log(S[1:])) / 2)
    np.testing.assert_allclose(curve.cycles(middle), np.sqrt(N[:-1] * N[1:]))
    assert np.isinf(curve.cycles(0.999 * S[-1]))
    assert curve.cycles(600e6) == pytest.approx(1e3 * (600 / 500) ** (-np.log(100) / np.log(5 / 3)))
    assert curve.highest == 500e6
    array = SNCurve(np.array([[1e3, 500e6], [1e5, 300e6], [1e6, 220e6]]))
    assert array == curve


def test_slopes_whole_or_not_agree():
    """Whole slopes are raised by multiplication, others by logarithms."""
    S = np.geomspace(20e6, 900e6, 50)
    for m in (1, 3, 5, 10, 15, 22):
        whole, near = (SNCurve.basquin("100 MPa", slope).cycles(S) for slope in (m, m * (1 + 1e-9)))
        np.testing.assert_allclose(whole, near, rtol=1e-6)


@pytest.mark.parametrize("detail", DNV_AIR)
def test_dnv_tables_agree_with_themselves(detail):
    """Both branches meet at the printed range at 10⁷ cycles; in protected seawater at 10⁶."""
    m1, log_a1, log_a2, knee, _ = DNV_AIR[detail]
    assert 10 ** ((log_a1 - 7) / m1) == pytest.approx(knee, rel=1e-3)
    assert 10 ** ((log_a2 - 7) / 5) == pytest.approx(knee, rel=1e-3)
    m, log_a = DNV_PROTECTED[detail]
    assert (log_a - 6) / m == pytest.approx((log_a2 - 6) / 5, abs=1e-3)
    curve = SNCurve.dnv(detail)
    assert curve.quantity == "range"
    for N, log_a, m in ((1e5, log_a1, m1), (1e8, log_a2, 5)):
        assert curve.stress(N) / 1e6 == pytest.approx(10 ** ((log_a - np.log10(N)) / m), rel=1e-12)
    corroding = SNCurve.dnv(detail, "corrosion")
    assert corroding.stress(1e7) / 1e6 == pytest.approx(10 ** ((DNV_CORROSION[detail] - 7) / 3))
    assert corroding.stress(1e7) < SNCurve.dnv(detail, "seawater").stress(1e7) < 1.001 * curve.stress(1e7)


def test_dnv_thickness():
    """(t/25 mm)^k on the stress; D: k = 0.2; thin plates gain nothing."""
    thick, usual, thin = (SNCurve.dnv("D", thickness=t) for t in ("50 mm", None, "10 mm"))
    assert thick.stress(1e6) / usual.stress(1e6) == pytest.approx(0.5**0.2)
    assert thin.points == usual.points
    assert "50 mm thick" in thick.name


def test_lines_from_their_intercepts():
    """As standards print them; the unit of the stress is said."""
    curve = SNCurve.from_intercepts([(12.164, 3), (15.606, 5)], "MPa", name="D")
    np.testing.assert_allclose(curve.points, SNCurve.dnv("D").points)
    one = SNCurve.from_intercepts([(12.0, 4.0)], "MPa")
    assert one.cycles("10 MPa") == pytest.approx(1e8)
    with pytest.raises(fx.ModelError, match="the slope 3 comes after 5"):
        SNCurve.from_intercepts([(15.606, 5), (12.164, 3)], "MPa")


@pytest.mark.parametrize("category", EC3_NORMAL)
def test_eurocode_3(category):
    """EN 1993-1-9, 7.1: Δσ_D = 0.737 Δσ_C at 5·10⁶, cut-off Δσ_L = 0.549 Δσ_D at 10⁸, m = 3 and 5."""
    curve = SNCurve.eurocode3(category)
    assert curve.stress(2e6) == pytest.approx(category * 1e6)
    assert curve.stress(5e6) == pytest.approx(0.737 * category * 1e6, rel=1e-3)
    assert curve.stress(1e8) == pytest.approx(0.549 * 0.737 * category * 1e6, rel=1e-3)
    assert curve.cycles(2 * category * 1e6) == pytest.approx(2e6 / 8)
    assert curve.cycles(1.1 * curve.points[-1][1]) == pytest.approx(1e8 / 1.1**5)
    assert np.isinf(curve.cycles(0.99 * curve.points[-1][1]))


def test_eurocode_3_shear_and_partial_factor():
    shear = SNCurve.eurocode3(80, "shear", partial_factor=1.25)
    assert shear.stress(2e6) == pytest.approx(64e6)
    assert shear.stress(1e8) == pytest.approx(0.457 * 64e6, rel=1e-3)
    assert shear.cycles("128 MPa") == pytest.approx(2e6 / 2**5)


def test_fkm():
    """Steel: 0.45 Rm at 10⁶, slope 5, then horizontal; aluminium: 0.3 Rm, slope 15 to 10⁸."""
    steel, alloy = SNCurve.fkm("600 MPa"), SNCurve.fkm("300 MPa", "aluminium")
    assert steel.quantity == alloy.quantity == "amplitude"
    assert steel.ratio == -1
    assert steel.points == ((1e6, 270e6),)
    assert steel.cycles("540 MPa") == pytest.approx(1e6 / 32)
    assert np.isinf(steel.cycles("269 MPa"))
    assert alloy.cycles(90e6 / 1.1) == pytest.approx(1e6 * 1.1**15)
    assert np.isinf(alloy.cycles(90e6 * 100 ** (-1 / 15) * 0.999))
    assert SNCurve.fkm("600 MPa", stress="shear").points[0][1] == pytest.approx(0.577 * 270e6)


def test_scaled():
    curve = SNCurve.eurocode3(71).scaled(0.8, "hand-welded")
    assert curve.stress(2e6) == pytest.approx(0.8 * 71e6)
    assert curve.name == "EN 1993-1-9 category 71 × 0.8 (hand-welded)"


def test_in_files():
    curve = SNCurve.eurocode3(71)
    assert SNCurve.model_validate_json(curve.model_dump_json()) == curve


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: SNCurve.basquin("100 MPa", -3), "slope = -3.*N ~ S.-m needs m > 0, write slope=3"),
        (lambda: SNCurve([(1e4, "100 MPa")], slope=0), "slope = 0"),
        (lambda: SNCurve([(1e4, "100 MPa"), (1e6, "120 MPa")]), "from point 1 to 2 the slope is positive"),
        (lambda: SNCurve([(1e6, "100 MPa"), (1e4, "120 MPa")]), "order the points from short lives to long"),
        (lambda: SNCurve([(1e4, "100 MPa"), (1e6, "100 MPa")]), "from point 1 to 2 the slope is positive"),
        (lambda: SNCurve([(1e4, "100 MPa")]), "a single point has no slope"),
        (lambda: SNCurve([]), "points has no entries"),
        (lambda: SNCurve([(1e4, 100), (1e6, 50)]), "a stress of 50 Pa is hardly meant; write its unit, e.g. '50 MPa'"),
        (lambda: SNCurve([(1e4, "100 mm"), (1e6, "50 MPa")]), "100 mm"),
        (lambda: SNCurve([(1e4, "100 MPa"), (1e6, float("nan"))]), "finite"),
        (lambda: SNCurve([(0, "100 MPa"), (1e6, "50 MPa")]), "must be positive"),
        (lambda: SNCurve([(1e4, "100 MPa"), (1e6, "50 MPa")], ratio=1), "ratio"),
        (lambda: SNCurve([(1e4, "100 MPa"), (1e6, "50 MPa")], quantity="amplitudes"), "quantity"),
        (lambda: SNCurve([(1e4, "100 MPa"), (1e6, "50 MPa")], sloppe=3), "did you mean 'slope'"),
        (lambda: SNCurve.basquin("100 MPa", 3, endurance="-5 MPa"), "give a positive stress, or leave it out"),
        (lambda: SNCurve.eurocode3("71"), "there is no such category"),
        (lambda: SNCurve.dnv("D").stress(-1), "a life is positive"),
        (lambda: SNCurve.dnv("F2"), "there is no such curve"),
        (lambda: SNCurve.dnv("D", "sea"), "there is no environment 'sea'"),
        (lambda: SNCurve.dnv("D", thickness=40), 'write its unit: "32 mm"'),
        (lambda: SNCurve.dnv("D").cycles("-50 MPa"), "a stress range is not negative"),
        (lambda: SNCurve.dnv("D").cycles([1e8, float("nan")]), "a stress range is not negative"),
        (lambda: SNCurve.dnv("D", thickness="-3 mm"), "thicker than nothing"),
        (lambda: SNCurve.eurocode3(70), "there is no such category"),
        (lambda: SNCurve.eurocode3(71, "shear"), "categories of shear stress are 100, 80"),
        (lambda: SNCurve.eurocode3(71, partial_factor=0.9), "γMf divides the strength"),
        (lambda: SNCurve.fkm("600 MPa", "stell"), "did you mean 'steel'"),
        (lambda: SNCurve.fkm("600 MPa", stress="bending"), "normal or shear"),
        (lambda: SNCurve.fkm(600), "hardly meant"),
        (lambda: SNCurve.eurocode3(71).scaled(0), "factor = 0"),
    ],
)
def test_bad_curves_are_refused(make, said):
    with pytest.raises((fx.ModelError, fx.UnitError), match=said):
        make()


def test_curve_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    figure = SNCurve.dnv("D").plot(tmp_path / "d.png")
    assert figure.axes[0].get_ylabel() == "stress range [MPa]"
