"""Units written in functions: they fit each other, and what is needed where the function is used."""

from __future__ import annotations

import copy
import pickle
from typing import Annotated

import pytest

import flexor.functions as fx
from flexor.declaration import Declaration
from flexor.errors import ModelError
from flexor.functions import AnyFunction, function_of
from flexor.units import Dimension, Measured, measured

TIME = Dimension.of("time")


class Load(Declaration):
    """A force over time, and a spring force over the deflection."""

    force: Annotated[AnyFunction, function_of("time", "force")] = fx.constant(0)
    spring: Annotated[AnyFunction, function_of("length", "force")] = fx.constant(0)


FORCES = [
    5,
    "5 kN",
    "3*sin(2*t)",
    fx.ramp(0, "5 N", over="2 s", start="1 ms"),
    fx.ramp("1 kg*m/s^2", 5, over=2),
    fx.step("1 N", "2 N", at="1 s", width="3 ms"),
    fx.sine("5 N", frequency="5 Hz", offset="1 N", start="1 s"),
    fx.sine(5, frequency="300 rpm", phase="90 deg"),
    fx.harmonics("5 Hz", cosines=("1 N", 2), sines=("3 kN",), mean="1 N"),
    fx.polynomial("1 N", "2 N/s", 3, "4 N/s^3"),
    fx.table(["0 s", "1 ms"], ["1 N", "2 kN"]),
    2 * fx.ramp(0, "5 N", over="2 s"),
    "5 N" * fx.sine(1, frequency="5 Hz"),
    "2 N/mm" * fx.ramp(0, "5 mm", over="2 s"),
    fx.ramp(0, "3 kg", over=1) * fx.sine("2 m/s^2", frequency=3),
    fx.ramp(0, "3 N*s/m", over=1) * fx.sine("2 rpm", frequency=3) * "2 m",
    fx.sine("5 N", frequency=3) * "1 + t" + "2 N" + fx.table([0, 1], [0, 1]),
    "5 N" * fx.polynomial(0, "2 1/s"),
]

MISTAKES = [
    ("5 kg", "force = '5 kg': kg is not a unit of this dimension; force is measured in N, e.g. \"3 kN\""),
    ("100 K", "force = '100 K': K is not"),
    ("5 %", "force = '5 %'"),
    (fx.ramp(0, "5 kg", over="2 s"), "force.final = '5 kg'"),
    (fx.ramp(0, 5, over="10 mm"), "force.over = '10 mm': mm is not a unit of this dimension; time is measured in s"),
    (fx.ramp(0, 5, over=1, start="1 m"), "force.start = '1 m'"),
    (fx.step(at="1 m"), "force.at = '1 m'"),
    (fx.sine(1, frequency=2, start="1 m"), "force.start = '1 m'"),
    (fx.sine("1 m", frequency=2), "force.amplitude = '1 m'"),
    (fx.harmonics(3, sines=(0, "3 m")), "force.sines.1 = '3 m'"),
    (
        fx.polynomial(1, "2 N"),
        "force.coefficients.1 = '2 N': N is not a unit of this dimension; it is measured in N/s, ",
    ),
    (fx.polynomial(1, 2, "2 N/s"), 'e.g. "2.5 N/s^2"'),
    (fx.table(["0 m", "1 m"], [0, 1]), "force.x.0 = '0 m'"),
    (fx.table([0, 1], [0, "1 m"]), "force.y.1 = '1 m'"),
    (2 * fx.ramp(0, "5 kg", over="2 s"), "force.function.final = '5 kg'"),
    ("5 kg" * fx.sine(1, frequency="5 Hz"), "force.factor = '5 kg'"),
    (fx.sine("5 m", frequency=3) * "1 + t", "force.factors.0.amplitude = '5 m'"),
    (
        fx.ramp(0, "3 kg", over=1) * fx.sine("2 m", frequency=3),
        "force = a product: its factors give kg*m; force is measured in N, check the units of its factors",
    ),
    (1 + fx.table([0, 1], [0, 1]) + fx.ramp("1 m", 3, over=1), "terms.2.initial = '1 m'"),
    (
        fx.polynomial(1, *[0] * 40, "4 N*s^-12"),
        "coefficients.41 = '4 N*s^-12': N*s^-12 is not a unit of this dimension",
    ),
    ("5 N" * fx.polynomial(0, "2 1/s^2"), "its factors give N*((1/s^2)*s)"),
]


@pytest.mark.parametrize("force", FORCES)
def test_units_that_fit(force):
    Load(force=force)


@pytest.mark.parametrize(("force", "says"), MISTAKES)
def test_units_that_do_not_fit(force, says):
    with pytest.raises(ModelError) as caught:
        Load(force=force)
    assert says in str(caught.value)


def test_a_function_of_a_length():
    Load(spring=fx.polynomial(0, "20 N/mm", 0, "3 N/mm^3"))
    Load(spring=fx.table(["-1 mm", 0, "1 cm"], [0, 1, "2 N"]))
    Load(spring=fx.sine("1 N", frequency=3))  # three cycles per metre
    for wrong, says in [
        (fx.polynomial(0, "20 N/s"), "spring.coefficients.1"),
        (fx.ramp(0, 1, over="2 s"), "spring.over = '2 s'"),
        (
            fx.sine("1 N", frequency="3 Hz"),
            "Hz is a frequency in time; this is a function of length [m], write cycles per m",
        ),
    ]:
        with pytest.raises(ModelError) as caught:
            Load(spring=wrong)
        assert says in str(caught.value)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (
            lambda: fx.ramp("1 m", "3 kg", over=1),
            "ramp: final = '3 kg': kg is not a unit of this dimension; it is measured in m",
        ),
        (lambda: fx.ramp(0, 1, over="1 s", start="1 m"), "ramp: start = '1 m'"),
        (lambda: fx.sine(1, frequency="3 Hz", start="1 mm"), "sine: start = '1 mm'"),
        (lambda: fx.table([0, 1], ["1 m", "1 s"]), "table: y.1 = '1 s'"),
        (lambda: "1 m" + fx.sine("1 N", frequency=1), "terms.1.amplitude = '1 N'"),
        (lambda: fx.ramp(0, 1, over="1 s") + fx.ramp(0, 1, over="1 m"), "sum: terms.1.over = '1 m'"),
        (lambda: fx.sine(1, frequency="1 kg"), "frequency is measured in Hz"),
    ],
)
def test_a_function_contradicts_itself(make, says):
    with pytest.raises(ModelError) as caught:
        make()
    assert says in str(caught.value)


def test_measures():
    assert fx.ramp(0, "5 kN", over=1).measures().unit == "kN"
    assert fx.constant(3).measures() is None
    assert fx.polynomial(0, "5 rpm").measures() is None
    assert fx.polynomial(0, "5 rpm").measures(TIME).powers == Dimension.of("angle").powers
    assert fx.sine(1, frequency="5 Hz").argument_measures == TIME
    assert fx.sine(1, frequency=5).argument_measures is None


def test_values_remember_what_was_written():
    value = fx.ramp(0, "36 km/h", over=1).final
    assert value == 10.0
    for same in (value, measured(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert isinstance(same, Measured)
        assert same.text == "36 km/h"
    assert type(measured("5")) is float
    again = fx.ramp(0, "36 km/h", over=1).replace(over=2)
    assert again.measures().unit == "km/h"
    assert Load(force="5 kN").model_dump(mode="json") == {"force": "5 kN", "spring": 0.0}
    assert fx.ramp(0, "36 km/h", over=1).model_dump(mode="json")["final"] == "36 km/h"
    assert fx.ramp(0, "36 km/h", over=1).model_dump()["final"] == 10.0
