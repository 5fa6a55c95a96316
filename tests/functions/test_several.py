"""Functions of several sensors and of time: their rates by the chain rule, what they name, their units."""

from __future__ import annotations

import numpy as np
import pytest

import flexor as fx
from flexor.errors import LawError
from flexor.functions.several import evaluated

FORMULA = fx.expression("2*a - 0.5*a*b^2 + sin(3*t)*b")
BUILT = (
    fx.polynomial(0, 2, sensor="a")
    + -0.5 * (fx.polynomial(0, 1, sensor="a") * fx.polynomial(0, 0, 1, sensor="b"))
    + fx.expression("sin(3*t)") * fx.polynomial(0, 1, sensor="b")
)


def path(t: float) -> list[tuple[float, float, float]]:
    """a, b and t over time with their rates."""
    a = np.sin(t), np.cos(t), -np.sin(t)
    b = np.exp(0.3 * t), 0.3 * np.exp(0.3 * t), 0.09 * np.exp(0.3 * t)
    return [a, b, (t, 1.0, 0.0)]


@pytest.mark.parametrize("function", [FORMULA, BUILT])
def test_rates_are_those_of_the_path(function):
    assert function.arguments == ("a", "b", None)
    assert function.sensors == ("a", "b")
    h = 1e-4

    def along(t):
        return evaluated(function, *path(t))

    value, rate, second = along(0.7)
    a, b, t = (each[0] for each in path(0.7))
    assert value == pytest.approx(2 * a - 0.5 * a * b**2 + np.sin(3 * t) * b, rel=1e-14)
    assert rate == pytest.approx((along(0.7 + h)[0] - along(0.7 - h)[0]) / (2 * h), rel=1e-7)
    assert second == pytest.approx((along(0.7 + h)[1] - along(0.7 - h)[1]) / (2 * h), rel=1e-7)


def test_one_sensor_in_a_formula_is_a_function_of_one_variable():
    tilt = fx.expression("2*tilt^2")
    assert (tilt.arguments, tilt.several) == (("tilt",), False)
    assert tilt(3.0) == 18.0
    assert tilt.derivative(3.0) == 12.0
    assert fx.expression("2*t", sensor="tilt").arguments == ("tilt",)
    assert fx.expression("2*pi").arguments == ()


def test_names_in_quotes():
    assert fx.expression("2*'left wheel' - 'x' + 't'*t").arguments == ("left wheel", "x", "t", None)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: fx.expression("x + tilt"), "beside sensors x means nothing.*'x' in quotes"),
        (lambda: fx.expression("2*tilt", sensor="spin"), "names 'tilt', and there is sensor: spin"),
        (lambda: fx.Sum([fx.polynomial(0, 1, sensor="a")], sensor="b"), "its parts are functions of sensor 'a'"),
        (lambda: fx.expression("2 tilt"), "operator is missing"),
        (lambda: fx.expression("tilt(2)"), "the name 'tilt' is unknown"),
    ],
)
def test_mistakes_are_told(make, message):
    with pytest.raises(fx.ModelError, match=message):
        make()


def test_a_function_of_several_things_has_no_value_at_one():
    with pytest.raises(LawError, match="several things, sensor 'a', sensor 'b', time"):
        FORMULA(1.0)


def test_errors_in_formulas_of_sensors_are_told():
    with pytest.raises(LawError, match="division by zero"):
        evaluated(fx.expression("a/b"), (1, 0, 0), (0, 0, 0))


def test_breakpoints_are_those_in_time():
    assert fx.expression("if(t < 2, a, b)").breakpoints == (2.0,)
    assert (fx.step(0, 1, at=3) + fx.step(0, 1, at=5, sensor="a")).breakpoints == (3.0,)


def test_files_keep_them():
    body = fx.RigidBody("body", mass=1, inertia=1)
    sensors = fx.Sensor("a", "body.position_x"), fx.Sensor("b", "body.velocity_x")
    for force in (FORMULA, BUILT):
        text = fx.Model("m", [body, *sensors, fx.PointForce("f", body, direction="x", force=force)]).to_yaml()
        assert fx.Model.from_yaml(text)["f"].force == force
        assert ("force: 2*a - 0.5*a*b^2" in text) == (force is FORMULA)
