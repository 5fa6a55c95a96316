"""Several floats at once, held in vector registers by compiled code: load4 … for parts of long rows and for sums, load6 … for rows of six.

A node has six degrees of freedom, so most blocks of the matrix have rows of six: a row of a 6×6 product takes 2 ns instead
of 5. The compiler does not find these operations by itself where rows are short or sums must stay in registers. Each has a
Python meaning, on NumPy arrays of the width, and a compiled one, on the vector type <width × double>, which the code
generator splits to fit the processor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, models, register_model, type_callable

from flexor.law.fingerprint import fingerprint

FAST = ("contract", "nsz", "arcp")


class Operation:
    """A function with a Python meaning and a compiled one. Its text changes with the compiled meaning: the
    fingerprint of every kernel that uses it is made from that."""

    TOLD_BY_REPR = True
    """Its repr tells all that code depends on (`flexor.law.fingerprint`)."""

    def __init__(self, python: Callable, width: int, lower: Callable) -> None:
        self.python = python
        self.text = f"<operation {python.__name__} {width} {fingerprint(lower)}>"

    def __call__(self, *arguments: Any) -> Any:
        return self.python(*arguments)

    def __repr__(self) -> str:
        return self.text


def _vector(width):
    return ir.VectorType(ir.DoubleType(), width)


def _row(builder, width, pointer, offset):
    return builder.bitcast(builder.gep(pointer, [offset]), _vector(width).as_pointer())


def _spread(builder, width, x):
    """Vector of equal values."""
    undefined = ir.Constant(_vector(width), ir.Undefined)
    first = builder.insert_element(undefined, x, ir.IntType(32)(0))
    return builder.shuffle_vector(first, undefined, ir.Constant(ir.VectorType(ir.IntType(32), width), [0] * width))


def _load(builder, width, pointer, offset):
    value = builder.load(_row(builder, width, pointer, offset))
    value.align = 8
    return value


def _store(builder, width, pointer, offset, value):
    builder.store(value, _row(builder, width, pointer, offset)).align = 8
    return ir.Constant(ir.IntType(8).as_pointer(), None)


def _gather(builder, width, pointer, offset, stride):
    value = ir.Constant(_vector(width), ir.Undefined)
    for lane in range(width):
        element = builder.load(builder.gep(pointer, [offset]))
        value = builder.insert_element(value, element, ir.IntType(32)(lane))
        offset = builder.add(offset, stride)
    return value


def _times(builder, width, x, b):
    return builder.fmul(_spread(builder, width, x), b, flags=FAST)


def _plus(builder, width, c, x, b):
    return builder.fadd(c, builder.fmul(_spread(builder, width, x), b, flags=FAST), flags=FAST)


def _minus(builder, width, c, x, b):
    return builder.fsub(c, builder.fmul(_spread(builder, width, x), b, flags=FAST), flags=FAST)


def _product(builder, width, a, b):
    return builder.fmul(a, b, flags=FAST)


def _difference(builder, width, a, b):
    return builder.fsub(a, b, flags=FAST)


def _lane(builder, width, a, i):
    return builder.extract_element(a, builder.trunc(i, ir.IntType(32)))


def _unit(builder, width, i):
    zero = ir.Constant(_vector(width), [0.0] * width)
    return builder.insert_element(zero, ir.DoubleType()(1.0), builder.trunc(i, ir.IntType(32)))


def _zeros(builder, width):
    return ir.Constant(_vector(width), [0.0] * width)


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

    def __init__(self, width: int) -> None:
        self.width = width
        several = _several(width)

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

        for python, lower, count, result in (
            (load, _load, 2, several), (store, _store, 3, types.void), (gather, _gather, 3, several),
            (times, _times, 2, several), (plus, _plus, 3, several), (minus, _minus, 3, several),
            (product, _product, 2, several), (difference, _difference, 2, several), (lane, _lane, 2, types.float64),
            (unit, _unit, 1, several), (zeros, _zeros, 0, several),
        ):  # fmt: skip
            setattr(self, python.__name__, _operation(python, width, lower, count, result))


def _several(width: int) -> types.Type:
    """The compiler's name for several floats."""

    class SeveralType(types.Type):
        def __init__(self) -> None:
            super().__init__(name=f"float64 x {width}")

    @register_model(SeveralType)
    class SeveralModel(models.PrimitiveModel):
        def __init__(self, dmm: Any, fe_type: Any) -> None:
            super().__init__(dmm, fe_type, _vector(width))

    return SeveralType()


def _operation(python: Callable, width: int, lower: Callable, n_arguments: int, result: types.Type) -> Operation:
    made = Operation(python, width, lower)
    typers = (lambda: result, lambda a: result, lambda a, b: result, lambda a, b, c: result)

    @type_callable(made)
    def typing(context):
        return typers[n_arguments]

    @lower_builtin(made, *[types.Any] * n_arguments)
    def code(context, builder, signature, arguments):
        return lower(builder, width, *arguments)

    return made


_four, _six = Lanes(4), Lanes(6)
load4, store4, zeros4, lane4 = _four.load, _four.store, _four.zeros, _four.lane
times4, plus4, product4 = _four.times, _four.plus, _four.product
gather4, minus4 = _four.gather, _four.minus
load6, store6, gather6 = _six.load, _six.store, _six.gather
zeros6, unit6, lane6 = _six.zeros, _six.unit, _six.lane
times6, plus6, minus6 = _six.times, _six.plus, _six.minus
product6, difference6 = _six.product, _six.difference


def total4(a):
    """Sum of four floats."""
    return (lane4(a, 0) + lane4(a, 1)) + (lane4(a, 2) + lane4(a, 3))
