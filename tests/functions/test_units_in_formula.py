"""Units inside a formula: it is told as it is probably meant, in SI units."""

from __future__ import annotations

import pytest

import flexor as fx
from flexor.functions.any_function import as_function
from flexor.functions.units_in_formula import in_si


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("-60 N/m * x1", "-60 * x1"),
        ("-60 (N/m) * x1", "-60 * x1"),
        ("(60 N/m)*x1", "(60)*x1"),
        ("5 N + 3*x1", "5 + 3*x1"),
        ("-60 N/mm * x1 - 2 N s/m * v", "-60000 * x1 - 2 * v"),
        ("5 W/(m K) * x1", "5 * x1"),
        ("5 mm*sin(3 rad/s*t)", "0.005*sin(3*t)"),
        ("2*cos(180 deg + 3*t)", "2*cos(3.14159265359 + 3*t)"),
        ("min(3 kN, 2*x1)", "min(3000, 2*x1)"),
    ],
)
def test_the_formula_that_is_meant(given, meant):
    assert in_si(given) == meant
    with pytest.raises(fx.ModelError) as caught:
        fx.PointForce("f", "b", direction="x", force=given)
    assert f"formulas are in SI units (m, kg, s, N, rad): write '{meant}'" in str(caught.value)


@pytest.mark.parametrize("text", ["2*x1 + 3", "5 t", "3 furlong * x1", "2*sin(3*t", "3 x1", "3 sin(t)", "2 N N" * 600])
def test_no_guess_where_there_is_no_unit_or_no_formula(text):
    assert in_si(text) is None


def test_values_with_units_stay_values():
    assert as_function("5 N m") == fx.constant("5 N m")
    assert as_function("2 1/s").value == 2


def test_a_unit_that_is_taken_for_a_sensor():
    body = fx.RigidBody("b", mass=1, inertia=1)
    items = [body, fx.Sensor("x1", "b.position_x"), fx.PointForce("f", body, direction="x", force="3*x1*N")]
    with pytest.raises(
        fx.ModelError, match=r"no sensor 'N'.*if the unit is meant, leave it out: formulas are in SI units"
    ):
        fx.Model("m", items).check()
