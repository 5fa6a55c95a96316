"""Six floats at once: a row of a 6×6 block, held in vector registers by compiled code.

A node has six degrees of freedom, so most blocks of the matrix have rows of six. The compiler does not find
the vector operations by itself (rows of six are too short for its loops), hence these few operations. Each
has a Python meaning, on NumPy arrays of six, and a compiled one, on the vector type <6 × double>, which the
code generator splits to fit the processor: a row of a 6×6 product takes 2 ns instead of 5.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, models, register_model, type_callable

from flexor.law.fingerprint import fingerprint


class SixType(types.Type):
    """The compiler's name for six floats."""

    def __init__(self) -> None:
        super().__init__(name="six")


SIX = SixType()
VECTOR = ir.VectorType(ir.DoubleType(), 6)
LANES = ir.VectorType(ir.IntType(32), 6)
FAST = ("contract", "nsz", "arcp")


@register_model(SixType)
class SixModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe_type: SixType) -> None:
        super().__init__(dmm, fe_type, VECTOR)


class Operation:
    """A function with a Python meaning and a compiled one. Its text changes with the compiled meaning: the
    fingerprint of every kernel that uses it is made from that."""

    def __init__(self, python: Callable, lower: Callable) -> None:
        self.python = python
        self.text = f"<operation {python.__name__} {fingerprint(lower)}>"

    def __call__(self, *arguments: Any) -> Any:
        return self.python(*arguments)

    def __repr__(self) -> str:
        return self.text


def operation(n_arguments: int, result: types.Type, lower: Callable) -> Callable[[Callable], Operation]:
    """Make an operation of a Python function: its number of arguments, its result and its code generator."""

    def make(python: Callable) -> Operation:
        made = Operation(python, lower)
        typers = (lambda: result, lambda a: result, lambda a, b: result, lambda a, b, c: result)

        @type_callable(made)
        def typing(context):
            return typers[n_arguments]

        @lower_builtin(made, *[types.Any] * n_arguments)
        def code(context, builder, signature, arguments):
            return lower(builder, *arguments)

        return made

    return make


def _row(builder, pointer, offset):
    return builder.bitcast(builder.gep(pointer, [offset]), VECTOR.as_pointer())


def _spread(builder, x):
    """Vector of six equal values."""
    undefined = ir.Constant(VECTOR, ir.Undefined)
    first = builder.insert_element(undefined, x, ir.IntType(32)(0))
    return builder.shuffle_vector(first, undefined, ir.Constant(LANES, [0] * 6))


def _load(builder, pointer, offset):
    value = builder.load(_row(builder, pointer, offset))
    value.align = 8
    return value


def _store(builder, pointer, offset, value):
    builder.store(value, _row(builder, pointer, offset)).align = 8
    return ir.Constant(ir.IntType(8).as_pointer(), None)


def _gather(builder, pointer, offset, stride):
    value = ir.Constant(VECTOR, ir.Undefined)
    for lane in range(6):
        element = builder.load(builder.gep(pointer, [offset]))
        value = builder.insert_element(value, element, ir.IntType(32)(lane))
        offset = builder.add(offset, stride)
    return value


def _times(builder, x, b):
    return builder.fmul(_spread(builder, x), b, flags=FAST)


def _plus(builder, c, x, b):
    return builder.fadd(c, builder.fmul(_spread(builder, x), b, flags=FAST), flags=FAST)


def _minus(builder, c, x, b):
    return builder.fsub(c, builder.fmul(_spread(builder, x), b, flags=FAST), flags=FAST)


def _product(builder, a, b):
    return builder.fmul(a, b, flags=FAST)


def _difference(builder, a, b):
    return builder.fsub(a, b, flags=FAST)


def _lane(builder, a, i):
    return builder.extract_element(a, builder.trunc(i, ir.IntType(32)))


def _unit(builder, i):
    zero = ir.Constant(VECTOR, [0.0] * 6)
    return builder.insert_element(zero, ir.DoubleType()(1.0), builder.trunc(i, ir.IntType(32)))


def _zeros(builder):
    return ir.Constant(VECTOR, [0.0] * 6)


@operation(2, SIX, _load)
def load(array, offset):
    """array[offset : offset+6]"""
    return _exactly_six(array[offset : offset + 6]).copy()


@operation(3, types.void, _store)
def store(array, offset, value):
    """array[offset : offset+6] = value"""
    _exactly_six(array[offset : offset + 6])[:] = value


@operation(3, SIX, _gather)
def gather(array, offset, stride):
    """The six floats at array[offset], array[offset+stride], …"""
    return np.array([array[offset + i * stride] for i in range(6)])


@operation(2, SIX, _times)
def times(x, b):
    """x b with a scalar x"""
    return x * b


@operation(3, SIX, _plus)
def plus(c, x, b):
    """c + x b with a scalar x"""
    return c + x * b


@operation(3, SIX, _minus)
def minus(c, x, b):
    """c − x b with a scalar x"""
    return c - x * b


@operation(2, SIX, _product)
def product(a, b):
    """Products of the elements of a and b"""
    return a * b


@operation(2, SIX, _difference)
def difference(a, b):
    """a − b"""
    return a - b


@operation(2, types.float64, _lane)
def lane(a, i):
    """Element i of a"""
    return a[i]


@operation(1, SIX, _unit)
def unit(i):
    """Row i of the unit matrix"""
    return np.eye(6)[i]


@operation(0, SIX, _zeros)
def zeros():
    """Six zeros"""
    return np.zeros(6)


def _exactly_six(part: np.ndarray) -> np.ndarray:
    if len(part) != 6:
        raise IndexError("six floats do not fit: the array ends before")
    return part
