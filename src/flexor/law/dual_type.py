"""Compiled meaning of `flexor.law.dual`: a pair of floats in registers, and arrays of such pairs."""

# mypy: disable-error-code="call-arg, arg-type, assignment"

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import (
    intrinsic,
    lower_builtin,
    lower_cast,
    models,
    overload,
    register_jitable,
    register_model,
    type_callable,
)

from flexor.law.numba_types import IRBuilder, Meaning, Models, Signature, Target, Type, Typing, Value
from flexor.law.signature import F64P

_DOUBLE = ir.DoubleType()


class DualType(types.Type):
    """Numba's type of a dual number."""

    def __init__(self) -> None:
        super().__init__(name="Dual")


class DualPointer(types.Type):
    """An array of dual numbers: value and derivative side by side."""

    def __init__(self) -> None:
        super().__init__(name="DualPointer")


DUAL, DUALS = DualType(), DualPointer()


@register_model(DualType)
class _DualModel(models.StructModel):
    def __init__(self, manager: Models, of: DualType) -> None:
        super().__init__(manager, of, [("a", types.float64), ("b", types.float64)])


@register_model(DualPointer)
class _PointerModel(models.PrimitiveModel):
    def __init__(self, manager: Models, of: DualPointer) -> None:
        super().__init__(manager, of, _DOUBLE.as_pointer())


def _pair(context: Target, builder: IRBuilder, a: Value, b: Value) -> Value:
    result = cgutils.create_struct_proxy(DUAL)(context, builder)
    result.a, result.b = a, b
    return result._getvalue()


@intrinsic
def make(typingctx: Typing, a: Type, b: Type) -> Meaning:
    """Dual(a, b)"""

    def code(context: Target, builder: IRBuilder, signature: Signature, arguments: Sequence[Value]) -> Value:
        return _pair(context, builder, *arguments)

    return DUAL(types.float64, types.float64), code


@intrinsic
def value(typingctx: Typing, x: Type) -> Meaning:
    """a of a + b ε, or the float itself"""

    def code(context: Target, builder: IRBuilder, signature: Signature, arguments: Sequence[Value]) -> Value:
        return arguments[0] if signature.args[0] == types.float64 else builder.extract_value(arguments[0], 0)

    return types.float64(types.float64 if isinstance(x, types.Float) else DUAL), code


@intrinsic
def slope(typingctx: Typing, x: Type) -> Meaning:
    """b of a + b ε"""

    def code(context: Target, builder: IRBuilder, signature: Signature, arguments: Sequence[Value]) -> Value:
        return builder.extract_value(arguments[0], 1)

    return types.float64(DUAL), code


@lower_cast(types.Float, DUAL)
def _float_to_dual(context: Target, builder: IRBuilder, source: Type, target: Type, x: Value) -> Value:
    x = context.cast(builder, x, source, types.float64)
    return _pair(context, builder, x, _DOUBLE(0.0))


@lower_cast(types.Integer, DUAL)
def _integer_to_dual(context: Target, builder: IRBuilder, source: Type, target: Type, x: Value) -> Value:
    x = context.cast(builder, x, source, types.float64)
    return _pair(context, builder, x, _DOUBLE(0.0))


@lower_cast(DUAL, types.Float)
def _dual_to_float(context: Target, builder: IRBuilder, source: Type, target: Type, x: Value) -> Value:
    """Into a field of a history, which a law commits without derivatives; nothing else asks for this cast."""
    return context.cast(builder, builder.extract_value(x, 0), types.float64, target)


def _unify(self: DualType, typingctx: Typing, other: Type) -> Type | None:
    return DUAL if isinstance(other, types.Float | types.Integer) else None


DualType.unify = _unify  # type: ignore[method-assign]


def _is_number(x: Type) -> bool:
    return isinstance(x, types.Float | types.Integer)


def _is_dual(x: Type) -> bool:
    return isinstance(x, DualType)


def _binary(operation: Callable | tuple[Callable, ...], both: Callable, left: Callable, right: Callable) -> None:
    """Overload an operator for (dual, dual), (dual, float), (float, dual)."""

    def choose(x, y):  # type: ignore[no-untyped-def]
        if _is_dual(x) and _is_dual(y):
            return both
        if _is_dual(x) and _is_number(y):
            return left
        if _is_number(x) and _is_dual(y):
            return right
        return None

    for each in operation if isinstance(operation, tuple) else (operation,):
        overload(each, inline="never", jit_options={"error_model": "numpy", "forceinline": True})(choose)


_binary(
    (operator.add, operator.iadd),
    lambda x, y: make(value(x) + value(y), slope(x) + slope(y)),
    lambda x, y: make(value(x) + y, slope(x)),
    lambda x, y: make(x + value(y), slope(y)),
)
_binary(
    (operator.sub, operator.isub),
    lambda x, y: make(value(x) - value(y), slope(x) - slope(y)),
    lambda x, y: make(value(x) - y, slope(x)),
    lambda x, y: make(x - value(y), -slope(y)),
)
_binary(
    (operator.mul, operator.imul),
    lambda x, y: make(value(x) * value(y), value(x) * slope(y) + slope(x) * value(y)),
    lambda x, y: make(value(x) * y, slope(x) * y),
    lambda x, y: make(x * value(y), x * slope(y)),
)
_binary(
    (operator.truediv, operator.itruediv),
    lambda x, y: make(value(x) / value(y), (slope(x) - value(x) / value(y) * slope(y)) / value(y)),
    lambda x, y: make(value(x) / y, slope(x) / y),
    lambda x, y: make(x / value(y), -x / value(y) * slope(y) / value(y)),
)
_binary(
    operator.pow,
    lambda x, y: make(
        value(x) ** value(y), value(x) ** value(y) * (slope(y) * math.log(value(x)) + value(y) * slope(x) / value(x))
    ),
    lambda x, y: make(value(x) ** y, y * value(x) ** (y - 1) * slope(x)),
    lambda x, y: make(x ** value(y), x ** value(y) * math.log(x) * slope(y)),
)
for _operation, _same in (
    (operator.lt, lambda x, y: x < y),
    (operator.le, lambda x, y: x <= y),
    (operator.gt, lambda x, y: x > y),
    (operator.ge, lambda x, y: x >= y),
    (operator.eq, lambda x, y: x == y),
    (operator.ne, lambda x, y: x != y),
):
    _compare = register_jitable(_same)

    def _comparisons(compare: Callable) -> tuple[Callable, Callable, Callable]:
        return (
            lambda x, y: compare(value(x), value(y)),
            lambda x, y: compare(value(x), y),
            lambda x, y: compare(x, value(y)),
        )

    _binary(_operation, *_comparisons(_compare))


def _unary(function: Callable, meaning: Callable) -> None:
    def choose(x):  # type: ignore[no-untyped-def]
        return meaning if _is_dual(x) else None

    overload(function, inline="never", jit_options={"error_model": "numpy", "forceinline": True})(choose)


_unary(operator.neg, lambda x: make(-value(x), -slope(x)))
_unary(operator.pos, lambda x: x)
_unary(abs, lambda x: make(abs(value(x)), slope(x) if value(x) >= 0.0 else -slope(x)))
_unary(math.sqrt, lambda x: make(math.sqrt(value(x)), 0.5 / math.sqrt(value(x)) * slope(x)))
_unary(math.sin, lambda x: make(math.sin(value(x)), math.cos(value(x)) * slope(x)))
_unary(math.cos, lambda x: make(math.cos(value(x)), -math.sin(value(x)) * slope(x)))
_unary(math.tan, lambda x: make(math.tan(value(x)), (1.0 + math.tan(value(x)) ** 2) * slope(x)))
_unary(math.tanh, lambda x: make(math.tanh(value(x)), (1.0 - math.tanh(value(x)) ** 2) * slope(x)))
_unary(math.exp, lambda x: make(math.exp(value(x)), math.exp(value(x)) * slope(x)))
_unary(math.log, lambda x: make(math.log(value(x)), slope(x) / value(x)))
_unary(math.asin, lambda x: make(math.asin(value(x)), slope(x) / math.sqrt(1.0 - value(x) * value(x))))
_unary(math.acos, lambda x: make(math.acos(value(x)), -slope(x) / math.sqrt(1.0 - value(x) * value(x))))
_unary(math.floor, lambda x: math.floor(value(x)))


@register_jitable
def _atan2(y, x, y_slope, x_slope):  # type: ignore[no-untyped-def]
    return make(math.atan2(y, x), (x * y_slope - y * x_slope) / (x * x + y * y))


_binary(
    math.atan2,
    lambda x, y: _atan2(value(x), value(y), slope(x), slope(y)),
    lambda x, y: _atan2(value(x), y, slope(x), 0.0),
    lambda x, y: _atan2(x, value(y), 0.0, slope(y)),
)


def _larger(x, y):  # type: ignore[no-untyped-def]
    if _is_dual(x) and _is_dual(y):
        return lambda x, y: x if value(x) >= value(y) else y
    if _is_dual(x) and _is_number(y):
        return lambda x, y: x if value(x) >= y else make(float(y), 0.0)
    if _is_number(x) and _is_dual(y):
        return lambda x, y: y if value(y) > x else make(float(x), 0.0)
    return None


def _smaller(x, y):  # type: ignore[no-untyped-def]
    if _is_dual(x) and _is_dual(y):
        return lambda x, y: x if value(x) <= value(y) else y
    if _is_dual(x) and _is_number(y):
        return lambda x, y: x if value(x) <= y else make(float(y), 0.0)
    if _is_number(x) and _is_dual(y):
        return lambda x, y: y if value(y) < x else make(float(x), 0.0)
    return None


overload(max)(_larger)
overload(min)(_smaller)


@intrinsic
def duals(typingctx: Typing, floats: Type) -> Meaning:
    """The same memory as an array of dual numbers."""

    def code(context: Target, builder: IRBuilder, signature: Signature, arguments: Sequence[Value]) -> Value:
        return arguments[0]

    return DUALS(F64P), code


def _item(builder: IRBuilder, pointer: Value, i: Value) -> tuple[Value, Value]:
    two = builder.shl(i, i.type(1))
    return builder.gep(pointer, [two]), builder.gep(pointer, [builder.add(two, i.type(1))])


@type_callable(operator.getitem)
def _type_getitem(context: Typing) -> Callable:
    def typer(array: Type, i: Type) -> Type | None:
        return DUAL if isinstance(array, DualPointer) and isinstance(i, types.Integer) else None

    return typer


@lower_builtin(operator.getitem, DualPointer, types.Integer)
def _getitem(context: Target, builder: IRBuilder, signature: Signature, arguments: Sequence[Value]) -> Value:
    i = context.cast(builder, arguments[1], signature.args[1], types.int64)
    a, b = _item(builder, arguments[0], i)
    return _pair(context, builder, builder.load(a), builder.load(b))


@type_callable(operator.setitem)
def _type_setitem(context: Typing) -> Callable:
    def typer(array: Type, i: Type, x: Type) -> Type | None:
        if isinstance(array, DualPointer) and isinstance(i, types.Integer) and (_is_dual(x) or _is_number(x)):
            return types.none
        if array == F64P and isinstance(i, types.Integer) and _is_dual(x):  # items of a history, likewise
            return types.none
        return None

    return typer


@lower_builtin(operator.setitem, DualPointer, types.Integer, types.Any)
def _setitem(context: Target, builder: IRBuilder, signature: Signature, arguments: Sequence[Value]) -> Value:
    i = context.cast(builder, arguments[1], signature.args[1], types.int64)
    x = context.cast(builder, arguments[2], signature.args[2], DUAL)
    a, b = _item(builder, arguments[0], i)
    builder.store(builder.extract_value(x, 0), a)
    builder.store(builder.extract_value(x, 1), b)
    return context.get_dummy_value()


@lower_builtin(operator.setitem, types.CPointer, types.Integer, DualType)
def _set_value(context: Target, builder: IRBuilder, signature: Signature, arguments: Sequence[Value]) -> Value:
    i = context.cast(builder, arguments[1], signature.args[1], types.int64)
    builder.store(builder.extract_value(arguments[2], 0), builder.gep(arguments[0], [i]))
    return context.get_dummy_value()
