"""Turning points and rainflow cycles: the guide's procedure, ASTM's, and what they have in common."""

from __future__ import annotations

from collections import Counter as Multiset

import numpy as np
import pytest
import rainflow as package
from hypothesis import given
from hypothesis import strategies as st

import flexor as fx
from flexor.fatigue import rainflow, turning_points
from flexor.fatigue.counter import Counter
from tests.fatigue.guide import guide_rainflow, traversed

HISTORIES = st.lists(st.integers(-20, 20).map(float), min_size=3, max_size=60)
ROUGH = st.lists(st.floats(-1e9, 1e9).map(lambda v: round(v, 6)), min_size=3, max_size=80)
TWENTY_TWO = [-33, -95, -47, -66, 16, -18, 23, 15, 72, 12, 78, 69, 94, 20, 71, -17, 73, 7, 93, 50, 92, 54]
"""A history with the story of the guide's figures 9.1 to 9.3, whose numbers are not printed."""


def multiset(cycles):
    """Cycles of a range, counted, each by range and mean."""
    found: Multiset = Multiset()
    for size, mean, count in zip(cycles.ranges, cycles.means, cycles.counts):
        found[float(size), float(mean)] += float(count)
    return found


def test_the_guides_history_of_22_points():
    """Seven cycles in the first traversal, none in the next; 8 points are closed to a ring, of which two do not turn; then one cycle
    in each traversal, the last of three points."""
    cycles, rest = traversed(TWENTY_TWO)
    assert (len(cycles), len(rest)) == (7, 8)
    expected, left, straight = guide_rainflow(TWENTY_TWO)
    assert ([len(each) for each in expected], left, straight) == ([7, 1, 1, 1], 8, 2)
    found = rainflow(TWENTY_TWO)
    assert sorted(found.ranges) == [8, 9, 19, 34, 42, 51, 60, 66, 110, 189]
    assert sorted(zip(found.first, found.last)) == sorted(pair for each in expected for pair in each)
    np.testing.assert_array_equal(found.counts, 1)


@given(HISTORIES)
def test_closed_histories_are_counted_as_the_guide_does(values):
    expected = [pair for each in guide_rainflow(values)[0] for pair in each]
    found = rainflow(values)
    assert sorted(found.ranges) == sorted(abs(a - b) for a, b in expected)
    assert sorted(zip(found.ranges, found.means)) == sorted((abs(a - b), (a + b) / 2) for a, b in expected)


@given(HISTORIES | ROUGH)
def test_half_cycles_are_those_of_the_rainflow_package(values):
    """It counts ranges of zero where nothing moves; and it sees no turn where the product of two steps underflows, which the
    values here avoid."""
    expected: Multiset = Multiset()
    for size, mean, count, _, _ in package.extract_cycles(values):
        expected[size, mean] += count if size > 0 else 0
    assert multiset(rainflow(values, residue="half")) == +expected


@given(st.lists(st.integers(-20, 20), min_size=3, max_size=60, unique=True).map(lambda x: [float(v) for v in x]))
def test_rows_of_cycles_are_those_of_the_rainflow_package(values):
    found = rainflow(values, residue="half")
    assert sorted(zip(found.begin, found.end)) == sorted((i, j) for *_, i, j in package.extract_cycles(values))
    np.testing.assert_array_equal(np.array(values)[found.begin], found.first)
    np.testing.assert_allclose(np.array(values)[found.end], found.last, atol=1e-12)


@given(HISTORIES, st.integers(0, 60))
def test_a_closed_history_may_begin_anywhere(values, shift):
    turned = np.roll(values, shift)
    assert multiset(rainflow(values)) == multiset(rainflow(turned))


@given(HISTORIES)
def test_a_closed_history_is_one_of_many_repetitions(values):
    """Without closing, one passage more makes as many cycles more, once all that could be left over is there."""
    many, fewer = (multiset(rainflow(n * values, residue="none")) for n in (4, 3))
    assert +Multiset({key: many[key] - fewer[key] for key in many}) == multiset(rainflow(values))


@given(HISTORIES, st.integers(2, 5))
def test_cycles_do_not_change_with_the_time_grid(values, parts):
    """Samples on the straight lines between samples; halves and quarters of whole numbers are exact."""
    parts = 2 if parts < 4 else 4
    t = np.arange(len(values))
    fine = np.interp(np.arange(parts * (len(values) - 1) + 1) / parts, t, values)
    for residue in ("closed", "half", "none"):
        assert multiset(rainflow(fine, residue=residue)) == multiset(rainflow(values, residue=residue))


@given(HISTORIES)
def test_the_largest_cycle_spans_the_extremes(values):
    found = rainflow(values)
    assert found.ranges.max(initial=0) == max(values) - min(values)


@given(HISTORIES, st.integers(1, 12))
def test_a_gate_passes_over_smaller_oscillations(values, gate):
    found = rainflow(values, gate=gate)
    assert np.all(found.ranges >= gate)
    whole = rainflow(values)
    large = whole.ranges >= gate
    if gate <= max(values) - min(values):
        assert found.ranges.max() == whole.ranges.max()
    assert found.counts.sum() <= whole.counts.sum()
    assert found.counts.sum() >= (1 if large.any() else 0)


@given(st.lists(st.integers(-20, 20), min_size=3, max_size=60, unique=True).map(lambda x: [float(v) for v in x]))
def test_turning_points_are_those_of_the_rainflow_package(values):
    assert turning_points(values).tolist() == [row for row, _ in package.reversals(values)]


def test_turning_points():
    """Plateaus turn where they end; what never moves has none; a gate leaves the larger swings."""
    assert turning_points([0.0, 1, 1, 0, 0, 2]).tolist() == [0, 2, 4, 5]
    assert turning_points([3.0, 3, 3]).tolist() == []
    assert turning_points([0.0, 5, 4, 9, -3, -2, -6, 0], gate=2).tolist() == [0, 3, 6, 7]
    assert turning_points([0.0, 1, 0], gate=2).tolist() == []
    with pytest.raises(fx.ModelError, match="value 2 is nan"):
        turning_points([0.0, np.nan, 1.0])
    with pytest.raises(fx.ModelError, match="it has one value"):
        turning_points([0.0])


def test_a_gate_keeps_the_turning_points_of_the_guide():
    """201 samples of two waves and a ripple below the gate: what is left are the turning points of the waves."""
    t = np.linspace(0, 2, 201)
    waves = 40 * np.sin(2 * np.pi * 3 * t) + 15 * np.sin(2 * np.pi * 7 * t)
    found = rainflow(waves + 0.4 * (-1.0) ** np.arange(201), gate=1.5)
    plain = rainflow(waves, gate=1.5)
    assert len(found) == len(plain)
    np.testing.assert_allclose(np.sort(found.ranges), np.sort(plain.ranges), atol=1.6)


@pytest.mark.parametrize("residue", ["closed", "half", "none"])
def test_compiled_is_python(residue):
    rng = np.random.default_rng(2)
    for gate in (0.0, 0.7):
        for n in (2, 3, 17, 60):
            x = np.round(rng.normal(size=n), 1)
            for one, other in zip(*(Counter(n, gate, residue, python=p).cycles(x) for p in (False, True))):
                np.testing.assert_array_equal(one, other)


def test_constant_amplitude():
    """Ten cycles about a mean of 5."""
    x = 5 + 3 * np.cos(2 * np.pi * np.arange(0, 10, 0.05))
    found = rainflow(x)
    assert found.histogram(6) == {6.0: 10.0}
    assert rainflow(x, residue="none").counts.sum() == 9
    np.testing.assert_allclose(found.means, 5)
    np.testing.assert_allclose(found.amplitudes, 3)
    np.testing.assert_allclose(found.ratios, 2 / 8)


@pytest.mark.parametrize("values", [[3.0, 3.0], [0.0] * 9, [1e-320] * 4])
def test_what_does_not_move_has_no_cycles(values):
    for residue in ("closed", "half", "none"):
        assert len(rainflow(values, residue=residue)) == 0
    assert repr(rainflow(values)) == "no cycles"


def test_two_values_are_a_cycle_there_and_back():
    assert rainflow([1.0, 4.0]).histogram() == {3.0: 1.0}
    assert rainflow([1.0, 4.0], residue="half").histogram() == {3.0: 0.5}


@pytest.mark.parametrize(
    "values",
    [
        np.random.default_rng(5).normal(size=5000),
        np.cumsum(np.random.default_rng(6).normal(size=5000)),
        np.round(np.random.default_rng(7).normal(size=5000), 1),
        (-1.0) ** np.arange(2000) * np.linspace(1, 0, 2000),
        (-1.0) ** np.arange(2000) * np.linspace(0, 1, 2000),
        (-1.0) ** np.arange(2000) * np.abs(np.linspace(-1, 1, 2000)),
        np.tile([0.0, 1.0], 500),
    ],
    ids=["noise", "walk", "plateaus", "fading", "growing", "waist", "constant"],
)
def test_long_histories(values):
    """Several sweeps, and what they leave to the stack."""
    expected: Multiset = Multiset()
    for size, mean, count, _, _ in package.extract_cycles(values.tolist()):
        expected[size, mean] += count
    assert multiset(rainflow(values, residue="half")) == +expected
    pairs = [pair for each in guide_rainflow(values.tolist())[0] for pair in each]
    assert sorted(rainflow(values).ranges) == sorted(abs(a - b) for a, b in pairs)


def test_a_million_points():
    x = np.random.default_rng(3).normal(size=10**6)
    found = rainflow(x, residue="half")
    assert 333_000 < len(found) < 334_000  # two thirds of white noise are turning points
    assert found.ranges.max() == np.ptp(x)


@pytest.mark.parametrize(
    ("values", "options", "said"),
    [
        ([1.0], {}, "it has one value; a cycle needs a maximum and a minimum, give the history of a run"),
        ([], {}, "it has no value"),
        ([1.0, np.nan, 2.0], {}, "value 2 is nan"),
        ([1.0, 2.0, np.inf, 2.0], {}, "value 3 is inf"),
        ([np.nan, 2.0, 1.0], {}, "value 1 is nan"),
        ([1.0, 2.0, np.nan], {}, "value 3 is nan"),
        ([[1.0, 2.0]], {}, "it has the shape"),
        ([1.0, 2.0], {"gate": -1}, "gate = -1"),
        ([1.0, 2.0], {"gate": np.nan}, "gate = nan"),
        ([1.0, 2.0], {"gate": "1 MPa"}, "the unit of its values is not known"),
        ("abc", {}, "'abc' is no history"),
        ([1.0, "a"], {}, "is no history"),
        ([1.0, 2.0], {"residue": "close"}, "did you mean 'closed'"),
    ],
)
def test_bad_histories_are_refused(values, options, said):
    with pytest.raises(fx.ModelError, match=said):
        rainflow(values, **options)


def test_matrix():
    found = rainflow(TWENTY_TWO, name="force", unit="N")
    matrix = found.matrix(8)
    assert matrix.counts.shape == (8, 8)
    assert matrix.counts.sum() == 10
    assert matrix.rows[-1] == 189
    there = found.matrix(16, "from-to")
    assert there.counts.sum() == 10
    assert (there.rows[0], there.rows[-1]) == (-95, 94)
    i, j = np.searchsorted(there.rows, (-95, 94)) - 1
    assert there.counts[max(i, 0), j] == 1  # the largest cycle, from the lowest to the highest
    with pytest.raises(fx.ModelError, match="there is no kind 'mean-range'"):
        found.matrix(8, "mean-range")
    with pytest.raises(fx.ModelError, match="bins = 0"):
        found.matrix(0)


def test_matrix_is_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    file = tmp_path / "matrix.png"
    figure = rainflow(TWENTY_TWO, name="force", unit="N").plot(file, bins=8)
    assert file.stat().st_size > 1000
    assert figure.axes[0].get_ylabel() == "range [N]"


def test_what_is_told():
    text = str(rainflow(TWENTY_TWO, name="force", unit="N"))
    assert text.startswith("force: 10 cycles (ranges, residue closed), largest range 189 N")
    assert "         189         -0.5      1" in text


def test_signals_of_runs_are_histories():
    ball = fx.PointMass("ball", 1.0, position=(0, 0, 1))
    run = fx.Model("fall", [ball], gravity=(0, 0, -9.81)).dynamics(until=0.1, step=0.01, show=False)
    found = rainflow(run["ball.position_z"], residue="half")
    assert found.name == "ball.position_z"
    assert found.unit == "m"
    assert found.histogram(6) == {0.0490500: 0.5}
    assert len(rainflow(run["ball.position_z"], gate="50 mm")) == 0
    assert len(rainflow(run["ball.position_z"], gate="49 mm")) == 1
    with pytest.raises(fx.UnitError, match="MPa"):
        rainflow(run["ball.position_z"], gate="1 MPa")


def test_equal_means_are_not_spread_over_the_matrix():
    """A sine has one mean, but for the last digits: its cycles stand in one column."""
    t = np.linspace(0, 10, 4001)
    matrix = rainflow(100 * np.sin(2 * np.pi * t) + 7).matrix(bins=9)
    assert np.count_nonzero(matrix.counts.sum(axis=0)) == 1
    assert matrix.columns[0] == pytest.approx(7 - 10)
    assert matrix.columns[-1] == pytest.approx(7 + 10)
