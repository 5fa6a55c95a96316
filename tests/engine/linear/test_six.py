"""Six floats at once: compiled and Python agree, and the Python side refuses to run over the end."""

from __future__ import annotations

import numpy as np
import pytest

from flexor.engine.linear.six import (
    difference,
    gather,
    lane,
    load,
    minus,
    plus,
    product,
    store,
    times,
    unit,
    zeros,
)
from flexor.law.record import Record, kernel_at, numbers_at
from flexor.law.table import Table


class Vectors(Record):
    a = numbers_at("what is read")
    out = numbers_at("what is written")
    run = kernel_at("every operation")


def every_operation(T: Vectors):
    a, out = T.a, T.out
    x, y = load(a, 1), gather(a, 2, 5)
    store(out, 0, plus(zeros(), a[0], x))
    store(out, 6, minus(x, a[7], y))
    store(out, 12, times(lane(x, 4), y))
    store(out, 18, product(x, difference(y, unit(3))))
    return 0


def test_compiled_operations_do_what_the_python_ones_do():
    a = np.random.default_rng(0).standard_normal(28)
    python, native = np.zeros(24), np.zeros(24)
    for out in (python, native):
        table = Table(Vectors, python=out is python)
        table.set("a", a)
        table.set("out", out)
        table.set_kernel("run", every_operation)
        assert table.call("run") == 0
    x, y = a[1:7], a[2::5]
    by_hand = np.concatenate([a[0] * x, x - a[7] * y, x[4] * y, x * (y - np.eye(6)[3])])
    np.testing.assert_array_equal(python, by_hand)
    np.testing.assert_allclose(native, by_hand, rtol=1e-15, atol=1e-15)


def test_overrun_is_an_error_in_python():
    a = np.zeros(10)
    with pytest.raises(IndexError):
        load(a, 5)
    with pytest.raises(IndexError):
        store(a, 5, np.ones(6))
    with pytest.raises(IndexError):
        gather(a, 0, 2)
    assert not a.any()


def test_name_of_an_operation_follows_its_compiled_meaning():
    """Kernels are cached under a key made from these names."""
    assert len({repr(operation) for operation in (load, store, gather, plus, minus, times)}) == 6
    assert "0x" not in repr(load)
