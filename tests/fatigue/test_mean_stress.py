"""Mean-stress corrections against their textbook formulas, and against pylife's."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.fatigue.counter import Counter

RM = 600e6
A, M = (x.ravel() for x in np.meshgrid([20e6, 80e6, 150e6], [-200e6, -80e6, -30e6, 0.0, 30e6, 80e6, 200e6, 400e6]))


def corrected(correction, ratio=-1.0, a=A, m=M, python=False):
    """Amplitudes at the ratio of the tests."""
    curve = fx.SNCurve.basquin("100 MPa", 5, quantity="amplitude", ratio=ratio)
    counter = Counter(len(a), curve=curve, correction=correction, python=python)
    return counter.judged(2 * np.asarray(a), np.asarray(m), np.ones(len(a)))[1] / 2


def test_goodman():
    np.testing.assert_allclose(corrected(fx.Goodman(RM)), A / (1 - np.maximum(M, 0) / RM))
    np.testing.assert_allclose(corrected(fx.Goodman(RM, compression=True)), A / (1 - M / RM))


def test_gerber():
    np.testing.assert_allclose(corrected(fx.Gerber(RM)), A / (1 - (np.maximum(M, 0) / RM) ** 2))


def test_morrow():
    np.testing.assert_allclose(corrected(fx.Morrow("1100 MPa")), A / (1 - np.maximum(M, 0) / 1100e6))


def test_smith_watson_topper():
    np.testing.assert_allclose(corrected(fx.SmithWatsonTopper()), np.sqrt(np.maximum(M + A, 0) * A))


def fkm(a, m, sensitivity):
    """The guideline's factors K_AK by stress ratio."""
    R = np.inf if m + a == 0 else (m - a) / (m + a)
    if R > 1:
        return a * (1 - sensitivity)
    if R <= 0 or np.isinf(R):
        return a * (1 + sensitivity * m / a)
    if R < 0.5:
        return a * (1 + sensitivity) * (1 + sensitivity / 3 * m / a) / (1 + sensitivity / 3)
    return a * 3 * (1 + sensitivity) ** 2 / (3 + sensitivity)


def test_fkm():
    expected = [fkm(a, m, 0.3) for a, m in zip(A, M)]
    np.testing.assert_allclose(corrected(fx.FKM(0.3)), expected)


@pytest.mark.parametrize("sensitivity", [0.05, 0.3, 0.7])
def test_fkm_has_no_jumps(sensitivity):
    for edge in (-1.0, 1.0, 3.0):  # mean by amplitude at the borders of the fields
        below, above = corrected(fx.FKM(sensitivity), a=[1e8, 1e8], m=np.array([edge - 1e-9, edge + 1e-9]) * 1e8)
        assert below == pytest.approx(above, rel=1e-8)


def test_sensitivity_of_materials():
    """M = a_M Rm/1000 MPa + b_M"""
    assert fx.FKM.of("600 MPa").sensitivity == pytest.approx(0.35 * 0.6 - 0.1)
    assert fx.FKM.of("400 MPa", "aluminium").sensitivity == pytest.approx(1.0 * 0.4 - 0.04)
    assert fx.FKM.of("600 MPa", stress="shear").sensitivity == pytest.approx(0.577 * 0.11)
    assert fx.FKM.of("200 MPa").sensitivity == 0.0


@pytest.mark.parametrize("ratio", [-1.0, -0.5, 0.0, 0.1, 0.6])
@pytest.mark.parametrize(
    "correction",
    [
        fx.Goodman(RM),
        fx.Goodman(RM, compression=True),
        fx.Gerber(RM),
        fx.Morrow(RM),
        fx.SmithWatsonTopper(),
        fx.FKM(0.3),
    ],
    ids=lambda each: each.words,
)
def test_cycles_like_those_of_the_tests_need_no_correction(correction, ratio):
    """Tests at R have the mean (1 + R)/(1 − R) times their amplitude: what they found is what counts."""
    a = np.array([20e6, 60e6, 100e6])
    m = a * (1 + ratio) / (1 - ratio)
    np.testing.assert_allclose(corrected(correction, ratio, a, m), a, rtol=1e-12)


def test_compiled_is_python():
    for correction in (fx.Goodman(RM), fx.Gerber(RM), fx.SmithWatsonTopper(), fx.FKM(0.3), None):
        one, other = (corrected(correction, 0.1, python=python) for python in (False, True))
        np.testing.assert_allclose(one, other, rtol=1e-14)


def test_fkm_is_that_of_pylife():
    """Up to R = ½; beyond, where the guideline's line is horizontal, pylife goes on with M/3."""
    meanstress = pytest.importorskip("pylife.strength.meanstress", reason="pylife (extra) is not installed")
    low = M < 3 * A
    for goal in (-1.0, 0.0, 0.1):
        theirs = meanstress.fkm_goodman(A[low], M[low], 0.3, 0.1, goal)
        np.testing.assert_allclose(corrected(fx.FKM(0.3), goal, A[low], M[low]), theirs, rtol=1e-9)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: fx.Goodman(600), "should be greater than 10000"),
        (lambda: fx.Goodman("-600 MPa"), "greater than"),
        (lambda: fx.Goodman(), "strength is missing"),
        (lambda: fx.FKM(1.5), "sensitivity"),
        (lambda: fx.FKM(-0.1), "sensitivity"),
        (lambda: fx.FKM.of(600), 'the strength is 600 Pa; write its unit: "600 MPa"'),
        (lambda: fx.FKM.of("-600 MPa"), "the strength is"),
        (lambda: fx.McDiarmid(600), "should be greater than 10000"),
        (lambda: fx.FKM.of("600 MPa", "iron"), "there is no material 'iron'"),
        (lambda: fx.FKM.of("600 MPa", stress="bending"), "normal or shear"),
    ],
)
def test_bad_corrections_are_refused(make, said):
    with pytest.raises(fx.ModelError, match=said):
        make()
