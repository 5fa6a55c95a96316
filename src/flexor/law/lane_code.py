"""Compiled meaning of `flexor.law.lanes`: operations on vector registers, by the names that they have there."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, models, register_model, type_callable

from flexor.law.lanes import OPERATIONS, Operation

FAST = ("contract", "nsz", "arcp")


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


def _low(builder, width, a):
    return _lanes_from(builder, width // 2, a, 0)


def _high(builder, width, a):
    return _lanes_from(builder, width // 2, a, width // 2)


def _lanes_from(builder, count, a, first):
    numbers = ir.Constant(ir.VectorType(ir.IntType(32), count), list(range(first, first + count)))
    return builder.shuffle_vector(a, ir.Constant(a.type, ir.Undefined), numbers)


class SeveralType(types.Type):
    """Several floats."""

    def __init__(self, width: int) -> None:
        self.width = width
        super().__init__(name=f"float64 x {width}")


@register_model(SeveralType)
class SeveralModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type) -> None:
        super().__init__(dmm, fe_type, _vector(fe_type.width))


_SEVERAL, _HALF = "several", "half"
_MEANING: dict[str, tuple[Callable, int, Any]] = {
    "load": (_load, 2, _SEVERAL), "store": (_store, 3, types.void), "gather": (_gather, 3, _SEVERAL),
    "times": (_times, 2, _SEVERAL), "plus": (_plus, 3, _SEVERAL), "minus": (_minus, 3, _SEVERAL),
    "product": (_product, 2, _SEVERAL), "difference": (_difference, 2, _SEVERAL), "lane": (_lane, 2, types.float64),
    "unit": (_unit, 1, _SEVERAL), "zeros": (_zeros, 0, _SEVERAL),
    "low": (_low, 1, _HALF), "high": (_high, 1, _HALF),
}  # fmt: skip
"""Code of each operation, the number of its arguments and what it gives."""


@functools.cache
def register() -> None:
    """Let the compiler know all operations, and + − × / between several floats, or those and one."""
    for operation in OPERATIONS:
        _register(operation)
    for sign, instruction in (("add", "fadd"), ("sub", "fsub"), ("mul", "fmul"), ("truediv", "fdiv")):
        _register_sign(getattr(operator, sign), instruction)
    _register_negation()


def _several_of(*kinds: Any) -> SeveralType | None:
    """What a sign between these gives: as many as there are; nothing where there are none, or not equally many."""
    found = {each for each in kinds if isinstance(each, SeveralType)}
    single = all(isinstance(each, SeveralType | types.Float | types.Integer) for each in kinds)
    return found.pop() if single and len(found) == 1 else None


def _register_sign(sign: Callable, instruction: str) -> None:
    class Signed(AbstractTemplate):
        def generic(self, args, kws):
            result = _several_of(*args)
            return None if result is None else signature(result, *args)

    infer_global(sign)(Signed)

    def code(context, builder, signature, arguments):
        width = signature.return_type.width
        a, b = (
            value
            if isinstance(kind, SeveralType)
            else _spread(builder, width, context.cast(builder, value, kind, types.float64))
            for kind, value in zip(signature.args, arguments)
        )
        return getattr(builder, instruction)(a, b, flags=FAST)

    lower_builtin(sign, SeveralType, SeveralType)(code)
    for single in (types.Float, types.Integer):
        lower_builtin(sign, SeveralType, single)(code)
        lower_builtin(sign, single, SeveralType)(code)


def _register_negation() -> None:
    class Negated(AbstractTemplate):
        def generic(self, args, kws):
            return signature(args[0], args[0]) if isinstance(args[0], SeveralType) else None

    infer_global(operator.neg)(Negated)

    @lower_builtin(operator.neg, SeveralType)
    def code(context, builder, signature, arguments):
        return builder.fneg(arguments[0], flags=FAST)


def _register(operation: Operation) -> None:
    lower, count, gives = _MEANING[operation.name]
    widths = {_SEVERAL: operation.width, _HALF: operation.width // 2}
    result = SeveralType(widths[gives]) if gives in widths else gives
    typers = (lambda: result, lambda a: result, lambda a, b: result, lambda a, b, c: result)

    @type_callable(operation)
    def typing(context):
        return typers[count]

    @lower_builtin(operation, *[types.Any] * count)
    def code(context, builder, signature, arguments):
        return lower(builder, operation.width, *arguments)
