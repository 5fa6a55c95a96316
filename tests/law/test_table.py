"""Tables of addresses: kernels that are compiled at once, and those that wait until they are called."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.law import table
from flexor.law.primitives import call
from flexor.law.record import Record, kernel_at, numbers_at
from flexor.law.table import AddressTable


class Desk(Record):
    """What lies on it."""

    values = numbers_at("numbers")
    double = kernel_at("doubles the first")
    twice = kernel_at("doubles it again")


def double(T: Desk):
    T.values[0] *= 2.0
    return 7


def twice(T: Desk):
    call(T.double, T)
    call(T.double, T)
    return 8


@pytest.fixture
def compiled_names(monkeypatch):
    """Names of the kernels that are made ready, in order."""
    found = []
    compiled = table.compiled
    monkeypatch.setattr(
        table, "compiled", lambda function, kind: found.append(function.__name__) or compiled(function, kind)
    )
    return found


@pytest.mark.parametrize("python", [True, False])
def test_a_kernel_that_waits_is_made_ready_once_when_it_is_called(compiled_names, python):
    desk, values = AddressTable(Desk, python), np.array([3.0])
    desk.set("values", values)
    desk.set_kernel_later("double", double)
    assert compiled_names == []
    assert desk.call("double") == 7
    assert desk.call("double") == 7
    assert values[0] == 12.0
    assert compiled_names == ([] if python else ["double"])


def test_a_kernel_that_other_ones_call_is_made_ready_at_once(compiled_names):
    AddressTable(Desk).set_kernel("double", double)
    assert compiled_names == ["double"]


@pytest.mark.parametrize("python", [True, False])
def test_what_a_kernel_calls_is_made_ready_with_it(compiled_names, python):
    desk, values = AddressTable(Desk, python), np.array([3.0])
    desk.set("values", values)
    desk.set_kernel_later("twice", twice, ["double"])
    desk.set_kernel_later("double", double)
    assert desk.call("twice") == 8
    assert values[0] == 12.0
    assert compiled_names == ([] if python else ["double", "twice"])
