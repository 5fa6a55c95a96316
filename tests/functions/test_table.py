"""Tables against SciPy and closed forms; files; mistakes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import Akima1DInterpolator, CubicSpline

import flexor
import flexor.functions as fx
from flexor.errors import LawError, ModelError
from tests.functions.samples import X, Y

FINE = np.linspace(-1, 3.5, 181)


def test_linear():
    f = fx.table(X, Y)
    np.testing.assert_allclose(f(FINE), np.interp(FINE, X, Y), rtol=1e-13, atol=1e-14)
    area = np.trapezoid(Y, X)
    assert f.integral(3.5) - f.integral(-1.0) == pytest.approx(area)


@pytest.mark.parametrize(("kind", "spline"), [("cubic", CubicSpline), ("akima", Akima1DInterpolator)])
def test_splines_against_scipy(kind, spline):
    f, reference = fx.table(X, Y, kind=kind), spline(X, Y)
    np.testing.assert_allclose(f(FINE), reference(FINE), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(f.derivative(FINE[:-1]), reference(FINE[:-1], 1), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(f.derivative(FINE[:-1], 2), reference(FINE[:-1], 2), rtol=1e-12, atol=1e-11)
    areas = [reference.integrate(0.0, x) for x in FINE]
    np.testing.assert_allclose(f.integral(FINE), areas, rtol=1e-12, atol=1e-13)


def test_cubic_reproduces_a_cubic():
    x = np.array([0.0, 0.3, 1.1, 2.0, 2.2])
    f = fx.table(x, 1 - x + 2 * x**3, kind="cubic", extrapolation="linear")
    assert f(1.7) == pytest.approx(1 - 1.7 + 2 * 1.7**3)
    assert f(3.2) == pytest.approx(1 - 2.2 + 2 * 2.2**3 + (6 * 2.2**2 - 1))
    assert f.derivative(3.2, 2) == 0.0


@pytest.mark.parametrize("kind", ["linear", "cubic", "akima"])
def test_two_points_are_a_line(kind):
    assert fx.table([1, 3], [2, 8], kind=kind)(2.5) == pytest.approx(6.5)


def test_three_points_are_a_parabola():
    assert fx.table([0, 1, 3], [0, 1, 9], kind="cubic")(2.0) == pytest.approx(4)


def test_hold_and_linear():
    hold = fx.table([1, 2], [10, 30])
    assert hold([0.0, 1.0, 1.5, 2.0, 9.0]).tolist() == [10, 10, 20, 30, 30]
    assert hold.derivative([0.0, 9.0]).tolist() == [0, 0]
    assert hold.integral(3.0) == pytest.approx(10 + 20 + 30)
    linear = fx.table([1, 2], [10, 30], extrapolation="linear")
    assert linear([0.0, 3.0]).tolist() == [-10, 50]
    assert linear.integral(3.0) == pytest.approx(60)  # f = 20 x − 10
    assert linear.integral(-1.0) == pytest.approx(20)


@pytest.mark.parametrize("kind", ["linear", "cubic", "akima"])
def test_periodic(kind):
    f = fx.table(X, Y, kind=kind, extrapolation="periodic")
    period = 4.5
    for x in (-0.7, 0.1, 2.9):
        for turns in (-3, -1, 1, 2):
            assert f(x + turns * period) == pytest.approx(f(x), abs=1e-13)
            assert f.derivative(x + turns * period) == pytest.approx(f.derivative(x), abs=1e-12)
    turn = f.integral(3.5) - f.integral(-1.0)
    assert f.integral(1.2 + 7 * period) == pytest.approx(f.integral(1.2) + 7 * turn, rel=1e-13)
    if kind != "linear":  # smooth across the seam
        assert f.derivative(3.5 - 1e-9) == pytest.approx(f.derivative(3.5 + 1e-9), abs=1e-6)


def test_periodic_cubic_approaches_the_sine():
    x = np.linspace(0, 2 * np.pi, 41)
    f = fx.table(x, np.sin(x), kind="cubic", extrapolation="periodic")
    assert f(20.3) == pytest.approx(np.sin(20.3), abs=1e-5)
    assert f.integral(20.3) == pytest.approx(1 - np.cos(20.3), abs=1e-5)


def test_akima_does_not_overshoot_a_step():
    x = np.arange(8.0)
    y = np.where(x < 4, 0.0, 1.0)
    fine = np.linspace(0, 7, 200)
    assert np.ptp(fx.table(x, y, kind="akima")(fine)) == pytest.approx(1, abs=1e-12)
    assert np.ptp(fx.table(x, y, kind="cubic")(fine)) > 1.1


def test_error_outside():
    f = fx.table([1, 2], [3, 5], extrapolation="error")
    assert f(2 + 1e-10) == pytest.approx(5)
    assert f.integral(2.0) == pytest.approx(4)  # counted from x = 1, the point nearest to 0
    for x in (0.999, 2.001):
        with pytest.raises(LawError, match="outside the table"):
            f(x)


@given(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=40, unique=True), st.floats(-1.5e3, 1.5e3))
@settings(derandomize=True, deadline=None)
def test_search_finds_the_interval(points, at):
    x = np.sort(points)
    if np.diff(x).min() < 1e-3:
        return
    y = np.cos(x)
    assert fx.table(x, y)(at) == pytest.approx(np.interp(at, x, y), rel=1e-9, abs=1e-9)


def test_given_as_arrays_lists_and_units():
    assert fx.table(np.array([0.0, 1.0]), np.array([2, 3])) == fx.table([0, 1], [2, 3])
    assert fx.table(["0 ms", "20 ms"], ["1 kN", 2]).y == (1000, 2)


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([0, 1, 1, 2], [0, 1, 2, 3], r"x\[2\] = 1 repeats x\[1\] = 1"),
        ([0, 2, 1], [0, 1, 2], r"x\[2\] = 1 is less than x\[1\] = 2"),
        ([0, 1, 2], [0, 1], "x has 3 values and y has 2"),
        ([0], [1], "1 points; a table has 2"),
        ([0, 1], [0, float("nan")], "finite"),
    ],
)
def test_mistakes(x, y, message):
    with pytest.raises(ModelError, match=message):
        fx.table(x, y)


def test_periodic_must_close():
    with pytest.raises(ModelError, match="repeat the first value"):
        fx.table([0, 1], [0, 1], extrapolation="periodic")


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("0,1,9\n1,3,9\n2,2,9\n", (1, 2)),
        ("# a comment\ntime;other;force\n0;7;1\n\n1;7;3\n2;7;2\n", ("time", "force")),
        ("\ufeff t\ty\n0.0\t1\n1e0\t+3.\n2\t2\n", ("t", 2)),
        ("  0   1\n  1   3\n  2   2\n", (1, 2)),
    ],
)
def test_file(tmp_path, text, columns):
    (tmp_path / "load.csv").write_text(text, encoding="utf-8")
    f = fx.table(file=str(tmp_path / "load.csv"), columns=columns, kind="cubic")
    assert f == fx.table([0, 1, 2], [1, 3, 2], kind="cubic")
    assert fx.Table.model_validate_json(f.model_dump_json()) == f


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("time [ms],speed [rpm]\n0,0\n18,300\n", (1, 2)),
        ("time [ms],other,speed (rpm)\n0,1,0\n18,1,300\n", ("time", "speed")),
        ("time [ms] speed [rpm]\n0 0\n18 300\n", ("time", "speed")),
        ("# measured\n# time [ms], speed [rpm]\n0, 0\n18, 300\n", (1, 2)),
    ],
)
def test_units_in_the_heading_count(tmp_path, text, columns):
    (tmp_path / "load.csv").write_text(text)
    f = fx.table(file=str(tmp_path / "load.csv"), columns=columns)
    assert f.x == (0.0, 0.018)
    assert f.y == pytest.approx((0.0, 10 * np.pi))
    assert fx.Table.model_validate_json(f.model_dump_json()) == f
    shaft = [flexor.RigidBody("disc", 1, (1, 1, 1)), flexor.Revolute("shaft", flexor.ground, "disc")]
    assert flexor.Model("m", [*shaft, flexor.Motor("drive", "shaft", speed=f)]).check().ok
    wrong = flexor.Model("m", [*shaft, flexor.Motor("drive", "shaft", position=f)]).check(raise_errors=False)
    assert "rpm is not a unit of this dimension" in str(wrong)  # what the column holds is known where it is used


def test_headings_without_a_unit(tmp_path):
    (tmp_path / "load.csv").write_text("time (filtered),force [-]\n0,1\n1,3\n")
    assert fx.table(file=str(tmp_path / "load.csv")) == fx.table([0, 1], [1, 3])
    (tmp_path / "load.csv").write_text("temperature [degC],E [GPa]\n20,210\n100,205\n")
    f = fx.table(file=str(tmp_path / "load.csv"))
    assert f.x == (293.15, 373.15)
    assert f.y == pytest.approx((210e9, 205e9))


def test_file_relative_to_a_folder(tmp_path):
    (tmp_path / "load.csv").write_text("0,1\n1,3\n")
    f = fx.Table.model_validate({"file": "load.csv"}, context={"folder": tmp_path})
    assert f.y == (1, 3)


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        ("0,1\n1,x\n", (1, 2), r"load.csv:2: column 2 holds 'x'"),
        ("0,1\n1\n", (1, 2), r"load.csv:2: column 2 holds ''"),
        ("0,1\n1,2\n", (0, 1), "no column 0; it has the columns 1 … 2"),
        ("a,b\n1,2\n", ("a", "c"), "no column 'c'.*named a, b"),
        ("0,1\n1,2\n", "12", "two columns"),
        ("", (1, 2), "holds no numbers"),
        ("time [msec],y\n0,1\n1,2\n", (1, 2), r"'time \[msec\]' has an unknown unit"),
        ("0,1\n1,nan\n", (1, 2), r"load.csv:2: column 2 holds 'nan'"),
    ],
)
def test_mistakes_in_a_file(tmp_path, text, columns, message):
    (tmp_path / "load.csv").write_text(text)
    with pytest.raises(ModelError, match=message):
        fx.table(file=str(tmp_path / "load.csv"), columns=columns)


def test_file_is_missing_or_doubled(tmp_path):
    with pytest.raises(ModelError, match=r"nowhere.csv' does not exist"):
        fx.table(file="nowhere.csv")
    with pytest.raises(ModelError, match="both a file and values"):
        fx.table([0, 1], [0, 1], file="load.csv")
    (tmp_path / "binary.csv").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ModelError, match="cannot be read"):
        fx.table(file=tmp_path / "binary.csv")
