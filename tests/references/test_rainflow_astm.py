"""Rainflow counting of ASTM E1049-85: its own example and a longer one."""

import numpy as np
import pytest

from flexor.fatigue import rainflow


def test_cycles_of_the_standard(reference):
    """Figure 6 of the standard: range, mean and count of every cycle."""
    record = reference.record("rainflow_astm")
    cycles = rainflow(record["parameters"]["series1"], residue="half")
    found = sorted(zip(cycles.ranges, cycles.means, cycles.counts))
    assert found == sorted(map(tuple, record["reference"]["cycles1_range_mean_count"]))


@pytest.mark.parametrize("number", [1, 2])
def test_histograms(reference, number):
    record = reference.record("rainflow_astm")
    cycles = rainflow(record["parameters"][f"series{number}"], residue="half")
    expected = {float(size): count for size, count in record["reference"][f"hist{number}"].items()}
    assert cycles.histogram() == expected
    np.testing.assert_array_equal(cycles.counts * 2 % 1, 0)
