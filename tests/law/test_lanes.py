"""Six or eight floats at once: compiled and Python agree, and the Python side refuses to run over the end."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.law.lanes import (
    difference6,
    gather6,
    high8,
    lane6,
    load6,
    load8,
    low8,
    minus6,
    plus6,
    product6,
    store4,
    store6,
    store8,
    times6,
    unit6,
    zeros6,
)
from flexor.law.record import Record, kernel_at, numbers_at
from flexor.law.table import AddressTable
from flexor.law.tuples import cross, dot


class Vectors(Record):
    a = numbers_at("what is read")
    out = numbers_at("what is written")
    run = kernel_at("every operation")


def every_operation(T: Vectors):
    a, out = T.a, T.out
    x, y = load6(a, 1), gather6(a, 2, 5)
    store6(out, 0, plus6(zeros6(), a[0], x))
    store6(out, 6, minus6(x, a[7], y))
    store6(out, 12, times6(lane6(x, 4), y))
    store6(out, 18, product6(x, difference6(y, unit6(3))))
    store4(out, 24, high8(load8(a, 3)))
    store4(out, 28, low8(load8(a, 3)))
    return 0


def test_compiled_operations_do_what_the_python_ones_do():
    a = np.random.default_rng(0).standard_normal(28)
    python, native = np.zeros(32), np.zeros(32)
    for out in (python, native):
        table = AddressTable(Vectors, python=out is python)
        table.set("a", a)
        table.set("out", out)
        table.set_kernel("run", every_operation)
        assert table.call("run") == 0
    x, y = a[1:7], a[2::5]
    by_hand = np.concatenate([a[0] * x, x - a[7] * y, x[4] * y, x * (y - np.eye(6)[3]), a[7:11], a[3:7]])
    np.testing.assert_array_equal(python, by_hand)
    np.testing.assert_allclose(native, by_hand, rtol=1e-15, atol=1e-15)


def test_overrun_is_an_error_in_python():
    a = np.zeros(10)
    with pytest.raises(IndexError):
        load6(a, 5)
    with pytest.raises(IndexError):
        store6(a, 5, np.ones(6))
    with pytest.raises(IndexError):
        gather6(a, 0, 2)
    assert not a.any()


def test_name_of_an_operation_follows_its_compiled_meaning():
    """Kernels are cached under a key made from these names."""
    assert len({repr(operation) for operation in (load6, store6, gather6, plus6, minus6, times6)}) == 6
    assert "0x" not in repr(load6)


def every_sign(T: Vectors):
    """What is written for floats, on tuples of eight."""
    a, out = T.a, T.out
    x, y = load8(a, 1), load8(a, 9)
    u, w = (x, y, x * y), (2.0 * x, y / 3, -x)
    f = dot(u, w) / (1.0 + y * y)
    store8(out, 0, f - 0.5)
    for i, each in enumerate(cross(u, w)):
        store8(out, 8 * i + 8, 1 - each)
    return 0


def test_signs_between_eight_floats_are_those_of_each():
    a = np.random.default_rng(1).standard_normal(28)
    python, native = np.zeros(32), np.zeros(32)
    for out in (python, native):
        table = AddressTable(Vectors, python=out is python)
        table.set("a", a)
        table.set("out", out)
        table.set_kernel("run", every_sign)
        assert table.call("run") == 0
    x, y = a[1:9], a[9:17]
    turned = np.cross(np.stack([x, y, x * y], axis=1), np.stack([2 * x, y / 3, -x], axis=1))
    by_hand = [(2 * x * x + y * y / 3 - x * x * y) / (1 + y * y) - 0.5, *(1 - turned.T)]
    np.testing.assert_allclose(python, np.concatenate(by_hand), rtol=1e-13, atol=1e-14)
    np.testing.assert_allclose(native, python, rtol=1e-13, atol=1e-14)
