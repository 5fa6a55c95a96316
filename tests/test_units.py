import math
import pickle
import re

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from flexor.errors import UnitError
from flexor.units import DIMENSIONS, si, unit_of

law = settings(derandomize=True, deadline=None)


# Exact decimal factors must come out as the float nearest to the decimal result, hence ==.
@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("210 GPa", "pressure", 2.1e11),
        ("355 MPa", "stress", 355e6),
        ("18 mm", "length", 0.018),
        ("18mm", "length", 0.018),
        (" -1.5e-3 km ", "length", -1.5),
        ("5 µm", "length", 5e-6),  # micro sign
        ("5 μm", "length", 5e-6),  # Greek mu
        ("5 um", "length", 5e-6),
        ("−3 cm", "length", -0.03),  # typographic minus
        (".5 m", "length", 0.5),
        ("2. m", "length", 2.0),
        ("0.2 ms", "time", 0.0002),
        ("2 min", "time", 120.0),
        ("1.5 h", "time", 5400.0),
        ("5 kHz", "frequency", 5000.0),
        ("50 Hz", "frequency", 50.0),
        ("3000 rpm", "frequency", 50.0),
        ("25 1/s", "frequency", 25.0),
        ("1/s", "frequency", 1.0),
        ("25/s", "frequency", 25.0),
        ("3 s-1", "frequency", 3.0),
        ("3 s⁻¹", "frequency", 3.0),
        ("7850 kg/m^3", "density", 7850.0),
        ("7.85 g/cm³", "density", 7850.0),
        ("7.85e-9 t/mm**3", "density", 7850.0),
        ("12 N*m/rad", "rotational stiffness", 12.0),
        ("12 N m", "rotational stiffness", 12.0),
        ("12 Nm", "torque", 12.0),
        ("2.5 kNm", "torque", 2500.0),
        ("12 N·m", "torque", 12.0),
        ("250 N mm", "torque", 0.25),
        ("250 Nmm", "torque", 0.25),
        ("1e3 N s/m", "damping", 1000.0),
        ("3 N/(mm/s)", "damping", 3000.0),
        ("20 N/mm", "stiffness", 20000.0),
        ("9.81 m/s^2", "acceleration", 9.81),
        ("9.81 m/s/s", "acceleration", 9.81),
        ("36 km/h", "velocity", 10.0),
        ("3 kg m2", "inertia", 3.0),
        ("1 kg m2", "inertia", 1.0),
        ("3 N/(1/s)", "impulse", 3.0),
        ("120 kg*cm^2", "inertia", 0.012),
        ("50 W/(m K)", "thermal conductivity", 50.0),
        ("20 degC", "temperature", 293.15),
        ("293.15 K", "temperature", 293.15),
        ("15 kW", "power", 15000.0),
        ("1 bar", "pressure", 1e5),
        ("30 %", "dimensionless", 0.3),
        ("0.3", "dimensionless", 0.3),
        ("1e3", "length", 1000.0),  # YAML reads 1e3 as text
        ("5 mm/m", "dimensionless", 0.005),
        # NIST SP 811, appendix B: exact conversion factors
        ("1 in", "length", 0.0254),
        ("1 ft", "length", 0.3048),
        ("1 lb", "mass", 0.45359237),
        ("1 lbf", "force", 4.4482216152605),
    ],
)
def test_exact_values(text, dimension, value):
    assert si(text, dimension) == value
    if text != "3000 rpm":  # the only one whose value depends on the dimension asked for
        assert si(text) == value


@pytest.mark.parametrize(
    ("text", "dimension", "value"),
    [
        ("3000 rpm", "angular velocity", 100 * math.pi),
        ("1 rev/s", "angular velocity", 2 * math.pi),
        ("90 deg", "angle", math.pi / 2),
        ("90°", "angle", math.pi / 2),
        ("2 rev", "angle", 4 * math.pi),
        ("180 deg/s^2", "angular acceleration", math.pi),
        ("600 rpm/s", "angular acceleration", 20 * math.pi),
        ("1 N*m/deg", "rotational stiffness", 180 / math.pi),
        ("4 rad/s", "frequency", 2 / math.pi),
        ("50 MPa m^0.5", None, 5e7),
        ("1 N mm^0.5", None, math.sqrt(1e-3)),
        ("1 psi", "pressure", 6894.757293168),  # NIST SP 811: 6.894757 E+03
        ("1 slug", "mass", 14.593902937206),  # NIST SP 811: 1.459390 E+01
    ],
)
def test_values(text, dimension, value):
    assert si(text, dimension) == pytest.approx(value, rel=1e-13, abs=0)


def test_angles_and_turns():
    assert si("3000 rpm") == si("3000 rpm", "angular velocity") == 314.1592653589793
    assert si("10 1/s", "angular velocity") == 10  # the radian counts as 1
    for text, dimension in [
        ("50 Hz", "angular velocity"),  # cycles or radians?
        ("50 Hz", "velocity"),
        ("5 deg", "dimensionless"),
        ("12 N*m/rad", "torque"),
        ("5 rad^2/s", "angular velocity"),
    ]:
        with pytest.raises(UnitError):
            si(text, dimension)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_every_dimension_knows_its_own_unit_and_example(dimension):
    assert si(f"2.5 {unit_of(dimension)}", dimension) == 2.5
    assert math.isfinite(si(DIMENSIONS[dimension][1], dimension))
    with pytest.raises(UnitError, match=r"e\.g\. "):
        si("5 kg^3", dimension)


def test_numbers_pass_through():
    assert si(3, "length") == 3.0
    assert isinstance(si(3, "length"), float)
    assert si(np.float32(0.5)) == si(np.int64(1)) / 2 == 0.5
    assert si(math.inf, "time") == math.inf


def test_sequences():
    assert si(["1 mm", 2, "3 cm"], "length") == [0.001, 2.0, 0.03]
    assert si(("1 mm", (2, "3 cm")), "length") == (0.001, (2.0, 0.03))
    array = si(np.arange(3), "length")
    assert isinstance(array, np.ndarray)
    assert array.dtype == float
    assert array.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("value", "dimension", "message"),
    [
        (
            "18 mn",
            "length",
            "'18 mn': unit 'mn' is unknown; length is measured in m, did you mean m or in or",
        ),
        ("18 kg", "length", "'18 kg': kg is not a unit of this dimension; length is measured in m, e.g. "),
        ("5 mpa", "pressure", "did you mean mPa or MPa?"),
        ("5 KN", "force", "did you mean kN?"),
        ("5 RPM", "angular velocity", "did you mean rpm?"),
        ("5 degrees", "angle", "did you mean deg?"),
        ("5 kgm2", "inertia", "did you mean kg*m?"),
        ("5 mpa*mm", "stiffness", "did you mean mPa or MPa?"),
        ("5 furlong", "length", 'e.g. "18 mm"'),
        ("1 000 N", "force", "without spaces or commas"),
        ("1,5 mm", "length", "without spaces or commas"),
        ("5 1", "length", "without spaces or commas"),
        ("2 W/m K", "thermal conductivity", "use parentheses: W/(m K)"),
        ("2 W/m·K", "thermal conductivity", "use parentheses"),
        (
            "50 Hz",
            "angular velocity",
            "Hz has two readings: 50 turns/s are 314.159 rad/s, but 50 rad/s may be meant; "
            "angular velocity is measured in rad/s, write 50 rev/s or 50 rad/s",
        ),
        ("2 kHz/s", "angular acceleration", "write 2000 rev/s² or 2000 rad/s²"),
        ("5 (m", "length", "a parenthesis is not closed"),
        ("5 m)", "length", "has no opening one"),
        ("5 ()", "length", "a unit is missing"),
        ("5 m/", "length", "a unit is missing"),
        ("5 *", "length", "a unit is missing"),
        ("", "length", "the text is empty"),
        ("   ", None, "the text is empty"),
        ("1e308 km", None, "beyond 1e±308"),
        ("1e-400 m", None, "beyond 1e±308"),
        ("5 m^99", None, "power 99 is too high"),
        ("((((Tm^12)^12)^12)^12)^12", None, "too high"),
        ("m" * 1000, None, "too long"),
        ("5 m", "dimensionless", "a number without unit is expected"),
        (True, "length", "a bool is not a value"),
        (None, "length", "a NoneType is not a value"),
        (["1 mm", "1 kg"], "length", "'1 kg'"),
        (np.array(["1 mm"]), "length", "not a value"),
        ("5 m", "lenght", "did you mean 'length'?"),
        ("__import__('os')", None, "is no unit"),
    ],
)
def test_mistakes_are_explained(value, dimension, message):
    with pytest.raises(UnitError) as caught:
        si(value, dimension)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    (problem,) = pickle.loads(pickle.dumps(caught.value)).problems
    assert problem == caught.value.problems[0]


@law
@given(st.one_of(st.text(max_size=30), st.text("0123456789.eE+-*/^()·° mkgsNPaHzradin²⁻%", max_size=30)))
@example("2 (kg m/s²)^2")
@example("1/((nm^12)^11.5)")
@example("((pm^12)^5.5)^-1")
@example("1/(deg^12)^12.0")
def test_any_text_is_a_value_or_a_unit_error(text):
    for dimension in (None, "length", "frequency"):
        try:
            value = si(text, dimension)
        except UnitError:
            continue
        assert math.isfinite(value)


symbols = st.sampled_from(["m", "mm", "kg", "s", "N", "kPa", "deg", "rpm", "lbf", "in", "Hz"])
powers = st.integers(-3, 3)


@law
@given(st.lists(st.tuples(symbols, powers), min_size=1, max_size=4), st.floats(1e-6, 1e3))
def test_products_and_quotients(factors, number):
    product = " * ".join(f"{symbol}^{power}" for symbol, power in factors)
    expected = math.prod(si(f"1 {symbol}") ** power for symbol, power in factors)
    assert si(f"1 {product}") == pytest.approx(expected, rel=1e-14, abs=0)
    assert si(f"{number!r} {product}") == pytest.approx(number * expected, rel=1e-14, abs=0)
    assert si(f"1/({product})") == pytest.approx(1 / expected, rel=1e-14, abs=0)
    assert si(f"1 ({product})^2") == pytest.approx(expected**2, rel=1e-14, abs=0)


def test_unit_of():
    assert unit_of("torque") == "N·m"
    assert unit_of("angular velocity") == "rad/s"
    assert unit_of("dimensionless") == ""
    with pytest.raises(UnitError, match="did you mean 'stiffness'"):
        unit_of("stifness")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mm", "the number is missing; length is measured in m, write e.g. 1 mm"),
        ("nan", "it is not a number"),
        ("NaN mm", "unit 'NaN' is unknown"),
        ("inf", "it is not a finite number"),
        ("-Infinity", "it is not a finite number"),
    ],
)
def test_text_without_a_number_is_refused(text, said):
    with pytest.raises(UnitError, match=re.escape(said)):
        si(text, "length")
