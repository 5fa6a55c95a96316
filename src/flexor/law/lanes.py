"""Several floats at once, held in vector registers by compiled code: load4 … for parts of long rows and for sums, load6 … for rows of six,
load8 … for eight right-hand sides.

A node has six degrees of freedom, so most blocks of the matrix have rows of six: a row of a 6×6 product takes 2 ns instead
of 5. The compiler does not find these operations by itself where rows are short or sums must stay in registers. Each has a
Python meaning, on NumPy arrays of the width, and a compiled one, on the vector type <width × double>, which the code
generator splits to fit the processor (`flexor.law.lane_code`). Tuples of them (`flexor.law.tuples`) are added, multiplied, … like those of
floats, so that what is written for one term serves for eight of them side by side.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


class Operation:
    """A function with a Python meaning and a compiled one, which is that of its name in `flexor.law.lane_code`."""

    TOLD_BY_REPR = True
    """Its repr, and the file of the compiled meaning, tell all that code depends on (`flexor.law.fingerprint`, `flexor.law.compile`)."""

    def __init__(self, python: Callable, width: int) -> None:
        self.python, self.name, self.width = python, python.__name__, width
        OPERATIONS.append(self)

    def __call__(self, *arguments: Any) -> Any:
        return self.python(*arguments)

    def __repr__(self) -> str:
        return f"<operation {self.name} {self.width}>"


OPERATIONS: list[Operation] = []
"""All that there are."""


class Lanes:
    """Operations on `width` floats."""

    load: Operation
    """load(array, offset) = array[offset : offset + width]"""
    store: Operation
    """store(array, offset, value): array[offset : offset + width] = value"""
    gather: Operation
    """gather(array, offset, stride): the floats at array[offset], array[offset + stride], …"""
    times: Operation
    """times(x, b) = x b with a scalar x"""
    plus: Operation
    """plus(c, x, b) = c + x b with a scalar x"""
    minus: Operation
    """minus(c, x, b) = c − x b with a scalar x"""
    product: Operation
    """product(a, b): products of the elements"""
    difference: Operation
    """difference(a, b) = a − b"""
    lane: Operation
    """lane(a, i): element i"""
    unit: Operation
    """unit(i): row i of the unit matrix"""
    zeros: Operation
    """zeros(): zeros"""
    low: Operation
    """low(a): the first half of them"""
    high: Operation
    """high(a): the second half of them"""

    def __init__(self, width: int) -> None:
        self.width = width

        def exactly(part: np.ndarray) -> np.ndarray:
            if len(part) != width:
                raise IndexError(f"{width} floats do not fit: the array ends before")
            return part

        def load(array, offset):
            return exactly(array[offset : offset + width]).copy()

        def store(array, offset, value):
            exactly(array[offset : offset + width])[:] = value

        def gather(array, offset, stride):
            return np.array([array[offset + i * stride] for i in range(width)])

        def times(x, b):
            return x * b

        def plus(c, x, b):
            return c + x * b

        def minus(c, x, b):
            return c - x * b

        def product(a, b):
            return a * b

        def difference(a, b):
            return a - b

        def lane(a, i):
            return a[i]

        def unit(i):
            return np.eye(width)[i]

        def zeros():
            return np.zeros(width)

        def low(a):
            return a[: width // 2]

        def high(a):
            return a[width // 2 :]

        for python in (load, store, gather, times, plus, minus, product, difference, lane, unit, zeros, low, high):
            setattr(self, python.__name__, Operation(python, width))


_four, _six, _eight = Lanes(4), Lanes(6), Lanes(8)
load4, store4, zeros4, lane4 = _four.load, _four.store, _four.zeros, _four.lane
times4, plus4, product4 = _four.times, _four.plus, _four.product
gather4, minus4 = _four.gather, _four.minus
load6, store6, gather6 = _six.load, _six.store, _six.gather
zeros6, unit6, lane6 = _six.zeros, _six.unit, _six.lane
times6, plus6, minus6 = _six.times, _six.plus, _six.minus
product6, difference6 = _six.product, _six.difference
load8, store8, zeros8 = _eight.load, _eight.store, _eight.zeros
times8, plus8, minus8, difference8 = _eight.times, _eight.plus, _eight.minus, _eight.difference
low8, high8 = _eight.low, _eight.high
gather8, lane8 = _eight.gather, _eight.lane


def total4(a):
    """Sum of four floats."""
    return (lane4(a, 0) + lane4(a, 1)) + (lane4(a, 2) + lane4(a, 3))
