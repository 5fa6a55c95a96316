"""Expressions: meaning, derivatives of every operation, integrals, mistakes."""

from __future__ import annotations

import math

import pytest

import flexor.functions as fx
from flexor.errors import LawError, ModelError
from flexor.functions import parser
from tests.functions.test_laws import slope


@pytest.mark.parametrize(
    ("text", "t", "value"),
    [
        ("2*sin(3*t)", 0.4, 2 * math.sin(1.2)),
        ("-t^2", 3.0, -9),
        ("2^-t", 3.0, 0.125),
        ("2^3^2", 0.0, 512),
        ("2**t", 3.0, 8),
        ("7 - 2 - t", 1.0, 4),
        ("8/2/t", 2.0, 2),
        ("-2*-t", 3.0, 6),
        ("+t - +t", 3.0, 0),
        ("2 + 3*t^2/6 - 1", 2.0, 3),
        ("(1 + t)*(1 - t)", 0.5, 0.75),
        ("1e-3*t + .5 + 2.", 1.0, 2.501),
        ("pi*e", 0.0, math.pi * math.e),
        ("2·t × 3 − 1", 2.0, 11),
        ("x*x", 3.0, 9),
        ("min(3, t, 5) + max(t, 1)", 4.0, 7),
        ("atan2(t, -1)", 1.0, 3 * math.pi / 4),
        ("mod(t, 3)", -1.0, 2),
        ("floor(t)", -1.5, -2),
        ("log(exp(t)) + log10(100)", 1.5, 3.5),
        ("step(t) + 10*step(t - 1) + 100*step(t + 1)", 0.0, 101),
        ("sign(t) + 10*sign(-t) + 100*sign(t - 2)", 2.0, -9),
        ("if(t > 1, 5, 7)", 1.0, 7),
        ("if(t >= 1, 5, 7)", 1.0, 5),
        ("if(t, 5, 7)", 0.0, 7),
        ("if(t > 0, if(t > 1, 3, 2), 1)", 0.5, 2),
        ("(t < 2) + 10*(t <= 2) + 100*(t > 2) + 1000*(t >= 2) + 1e4*(t == 2) + 1e5*(t != 2)", 2.0, 11010),
        ("1 < t and t < 3 or t == 7", 2.0, 1),
        ("1 < t and t < 3 or t == 7", 7.0, 1),
        ("1 < t and t < 3 or t == 7", 5.0, 0),
        ("not t > 1", 0.5, 1),
        ("not (t > 1) + 1", 0.5, 0),
        ("0^t + 0", 0.0, None),
        ("(-2)^3 + t", 0.0, -8),
        ("if(t > 0, sqrt(t), 0)", -1.0, 0),  # the other branch is not evaluated
        ("sqrt(t)", 0.0, 0),
        ("\n t\t+ 1 ", 1.0, 2),
    ],
)
def test_value(text, t, value):
    f = fx.expression(text)
    if value is None:
        with pytest.raises(LawError, match="not real"):
            f(t)
    else:
        assert f(t) == pytest.approx(value, rel=1e-14, abs=1e-14)


# Inner functions with first and second derivatives, so that every term of the chain rule counts.
INNER = "(0.7 + 0.2*t + 0.15*t^2)"
OTHER = "(0.9 - 0.3*t + 0.1*t^3)"
CALLS = [f"{name}({', '.join((INNER, OTHER, '(1 + t)')[:count])})" for name, (_, count) in parser.FUNCTIONS.items()]
INFIX = [f"{INNER} {sign} {OTHER}" for sign in parser.INFIX]
MORE = [
    f"not {INNER}",
    f"-{INNER}",
    f"{INNER}^2.5",
    f"{INNER}^-3",
    f"(-{INNER})^3",
    f"2^{INNER}",
    f"mod(9*{INNER}, {OTHER})",
]


@pytest.mark.parametrize("text", CALLS + INFIX + MORE)
def test_derivatives_of_every_operation(text):
    f = fx.expression(text)
    for t in (-0.45, 0.3, 0.64):
        assert f.derivative(t) == pytest.approx(slope(f, t), rel=1e-9, abs=1e-9)
        assert f.derivative(t, 2) == pytest.approx(slope(f.derivative, t), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "t", "first", "second"),
    [
        ("t^2", 0.0, 0, 2),
        ("t^3", 0.0, 0, 0),
        ("t^1", 0.0, 1, 0),
        ("t^0", 0.0, 0, 0),
        ("sqrt(t)", 0.0, math.inf, -math.inf),
        ("t^0.5", 0.0, math.inf, -math.inf),
        ("t^1.5", 0.0, 0, math.inf),
        ("asin(t)", 1.0, math.inf, math.inf),
        ("acos(t)", 1.0, -math.inf, -math.inf),
        ("sqrt(0*t)", 1.0, 0, 0),
        ("abs(t)", 0.0, 1, 0),
    ],
)
def test_derivatives_at_special_points(text, t, first, second):
    f = fx.expression(text)
    assert f.derivative(t) == first
    assert f.derivative(t, 2) == second


@pytest.mark.parametrize(
    ("text", "t", "message"),
    [
        ("1/t", 0.0, "division by zero"),
        ("t^-1", 0.0, "division by zero"),
        ("mod(1, t)", 0.0, "division by zero"),
        ("log(t)", 0.0, "logarithm"),
        ("log10(t)", -1.0, "logarithm"),
        ("sqrt(t)", -1.0, "square root"),
        ("acos(t)", 1.5, "asin or acos"),
        ("t^0.5", -1.0, "not real"),
        ("t^t", -1.0, "not real"),
        ("exp(t)", 1000.0, "too large"),
        ("cosh(t)", -1000.0, "too large"),
        ("t^9", 1e200, "too large"),
        ("1e300*t", 1e200, "too large"),
        ("atan2(t, t)", 0.0, "no direction"),
        ("t", math.inf, "not finite"),
        ("t", math.nan, "not finite"),
    ],
)
def test_refused_arguments(text, t, message):
    with pytest.raises(LawError, match=message):
        fx.expression(text)(t)


@pytest.mark.parametrize(
    ("text", "t", "value"),
    [
        ("sin(t)", 1.7, 1 - math.cos(1.7)),
        ("sin(t)", -40.0, 1 - math.cos(40)),
        ("sin(300*t)", 10.0, (1 - math.cos(3000)) / 300),
        ("1/(1 + t^2)", 5.0, math.atan(5)),
        ("exp(-t)", 30.0, 1 - math.exp(-30)),
        ("sqrt(t)", 2.0, 2 / 3 * 2**1.5),
        ("t^-0.5", 1.0, 2),
        ("log(t)", 2.0, 2 * math.log(2) - 2),
        ("abs(3*t - 1)", 2.0, 1 / 6 + 25 / 6),
        ("step(t - 0.3)", 1.0, 0.7),
        ("step(t + 0.3)", -1.0, -0.3),
        ("if(t > 0.5 and t < 0.501, 1, 0)", 100.0, 0.001),
        ("max(t, 1 - t)", 1.0, 0.75),
        ("sqrt(abs(t - 0.3))", 1.0, 2 / 3 * (0.3**1.5 + 0.7**1.5)),
        ("5", 2.0, 10),
    ],
)
def test_integral(text, t, value):
    assert fx.expression(text).integral(t) == pytest.approx(value, rel=2e-12, abs=1e-15)


def test_integral_with_jumps_at_unknown_places():
    """A square wave that is 1 in the first half of each of five periods."""
    assert fx.expression("step(sin(2*pi*t))").integral(5.0) == pytest.approx(2.5, rel=1e-11)


@pytest.mark.parametrize("text", ["1/t", "1/(t - 0.5)", "1/(t - 0.5)^2", "sqrt(t - 0.5)", "floor(1e7*sin(1e7*t))"])
def test_integral_that_does_not_exist(text):
    with pytest.raises(LawError, match="the integral from 0 does not converge"):
        fx.expression(text).integral(1.0)


def test_breakpoints():
    f = fx.expression("if(2*t - 1 < 3, abs(t/4 + 1), min(t, 5 - t)) + step(sin(t)) + (t - 7)^0.5 + max(t, t + 1)")
    assert f.breakpoints == (-4, 2, 2.5, 7)


def test_constants_are_computed_beforehand():
    assert len(fx.expression("sin(2*pi/4)^2 + if(1 > 2, 3, 4)").parameters) == len(fx.expression("5").parameters)


def caret(text):
    """The character that the message points at, counted from 0; and the message."""
    with pytest.raises(ModelError) as caught:
        fx.expression(text)
    message = str(caught.value)
    *_, shown, line = message.splitlines()
    assert line.strip() == "^"
    assert shown[4:] == text
    return line.index("^") - 4, message


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("2*sin(3*t", 9, "close the parenthesis"),
        ("2*sin 3", 6, r"'3' stands where '\(' is expected"),
        ("2*snin(3*t)", 2, "the name 'snin' is unknown.*did you mean sin?"),
        ("2*qwz(t)", 2, "known are t, x, pi, e, sin"),
        ("2*t)", 3, "'\\)' is out of place"),
        ("2 t", 2, "an operator is missing"),
        ("2*(t + )", 7, "'\\)' stands where a value is expected"),
        ("t +", 3, "the expression ends where a value"),
        ("", 0, "the expression ends where a value"),
        ("t + x", 4, "two variables, t and x"),
        ("t = 1", 2, "write =="),
        ("0 < t < 1", 6, "write 0 < t and t < 1"),
        ("min(t)", 5, "min takes 2 arguments"),
        ("sin(t, 2)", 5, "sin takes 1 argument "),
        ("atan2(1, 2, t)", 10, "atan2 takes 2 arguments"),
        ("if(t, 1)", 7, r"write if\(condition, value, other value\)"),
        ("t + 1/(2 - 2)", 5, "division by zero"),
        ("t*log(-1)", 2, "logarithm"),
        ("t + 1e999", 4, "too large"),
        ("t # 2", 2, "no meaning"),
        ("t; 2", 1, "no meaning"),
        ("__import__", 0, "the name '__import__' is unknown"),
        ("__import__('os')", 0, "the name '__import__' is unknown"),
        ("t.real", 1, "no meaning"),
        ("[t]", 0, "no meaning"),
        ("lambda: t", 6, "no meaning"),
        ("and t", 0, "'and' stands where a value is expected"),
        ("٣*t", 0, "no meaning"),
    ],
)
def test_mistakes_are_pointed_at(text, place, message):
    found, said = caret(text)
    assert found == place
    with pytest.raises(ModelError, match=message):
        fx.expression(text)
    assert f"at character {place + 1}" in said


def test_a_long_text_is_shown_in_part():
    text = "1 + " * 50 + "_foo + t" + " + 2" * 50
    with pytest.raises(ModelError) as caught:
        fx.expression(text)
    *_, shown, pointer = str(caught.value).splitlines()
    assert len(shown) < 90
    assert shown[pointer.index("^") :].startswith("_foo")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(" * 1000 + "t" + ")" * 999, "levels are nested"),
        ("-" * 1999 + "t", "levels are nested"),
        ("t" + "^t" * 900, "levels are nested"),
        ("sin(" * 400 + "t" + ")" * 400, "levels are nested|at most 2000"),
        ("t + (" * 20 + "t" + ")" * 20, "needs 21 intermediate results"),
        ("t + (" * 16 + "t" + ")" * 16, "needs 17 intermediate results at a time"),
        ("t*" * 2000 + "t", "at most 2000"),
        ("9^9^9^9*t", "too large"),
    ],
)
def test_hostile_texts_are_refused(text, message):
    with pytest.raises(ModelError, match=message):
        fx.expression(text)


def test_a_long_flat_text_is_fine():
    assert fx.expression("t" + "+t" * 990)(2.0) == 2 * 991
    assert fx.expression("t + (" * 15 + "t" + ")" * 15)(1.0) == 16
