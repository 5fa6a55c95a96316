"""Compiled meaning of `flexor.law.record`: a pointer whose fields are loads and stores at fixed offsets."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Sequence

from llvmlite import ir
from numba import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    register_model,
)

from flexor.law.numba_types import IRBuilder, Meaning, Models, Signature, Target, Type, Typing, Value
from flexor.law.record import (
    EVALUATOR,
    INTEGER,
    INTEGERS,
    INTEGERS_AT,
    KERNEL_AT,
    NESTED,
    NUMBER,
    NUMBERS,
    NUMBERS_AT,
    TAIL,
    Field,
    Record,
)
from flexor.law.signature import F64P, I64P

_WORD = ir.IntType(64)
_DOUBLE = ir.DoubleType()


class RecordPointer(types.Type):
    """Numba's type of a view on a record."""

    def __init__(self, record: type[Record]):
        self.record = record
        self.field = {name: field for name in dir(record) if isinstance(field := getattr(record, name), Field)}
        digest = hashlib.sha256(repr(record.layout()).encode()).hexdigest()
        super().__init__(name=f"{record.__qualname__}_{digest[:16]}")  # Numba's types are equal if their names are


@register_model(RecordPointer)
class _Model(models.PrimitiveModel):
    def __init__(self, manager: Models, of: RecordPointer):
        super().__init__(manager, of, _WORD.as_pointer())


@functools.cache
def pointer_to(record: type[Record]) -> RecordPointer:
    """Numba's type of a view on this record."""
    return RecordPointer(record)


def _type_of(field: Field) -> Type:
    if field.kind in (INTEGER, EVALUATOR, KERNEL_AT):
        return types.int64
    if field.kind == NUMBER:
        return types.float64
    if field.kind in (INTEGERS, INTEGERS_AT):
        return I64P
    if field.kind in (NUMBERS, NUMBERS_AT, TAIL):
        return F64P
    return pointer_to(field.record)


@infer_getattr
class _Attributes(AttributeTemplate):
    key = RecordPointer

    def generic_resolve(self, of: RecordPointer, name: str) -> Type | None:  # type: ignore[override]
        field = of.field.get(name)
        return None if field is None else _type_of(field)


@lower_getattr_generic(RecordPointer)
def _get(context: Target, builder: IRBuilder, of: RecordPointer, base: Value, name: str) -> Value:
    field = of.field[name]
    word = builder.gep(base, [_WORD(field.offset)])
    kind = field.kind
    if kind in (INTEGER, EVALUATOR, KERNEL_AT):
        return builder.load(word)
    if kind == NUMBER:
        return builder.load(builder.bitcast(word, _DOUBLE.as_pointer()))
    if kind == TAIL:
        return builder.bitcast(builder.gep(base, [builder.load(word)]), _DOUBLE.as_pointer())
    result = context.get_value_type(_type_of(field))
    if kind in (INTEGERS, NUMBERS, NESTED):
        return builder.bitcast(word, result)
    return builder.inttoptr(builder.load(word), result)


@lower_setattr_generic(RecordPointer)
def _set(context: Target, builder: IRBuilder, signature: Signature, arguments: Sequence[Value], name: str) -> None:
    of = signature.args[0]
    field = of.field[name]
    base, value = arguments
    word = builder.gep(base, [_WORD(field.offset)])
    if field.kind == NUMBER:
        word = builder.bitcast(word, _DOUBLE.as_pointer())
    elif field.kind != INTEGER:
        raise TypeError(f"{of.record.__name__}.{name} is an array or record: change its items")
    builder.store(value, word)


@functools.cache
def view(record: type[Record]) -> Callable:
    """The compiled meaning of `record(memory)` and `record(memory, i)`."""
    pointer = pointer_to(record)  # type: ignore[arg-type]

    def make(typingctx: Typing, memory: Type, i: Type | None = None) -> Meaning | None:
        if not isinstance(memory, types.CPointer | RecordPointer):
            return None
        signature = pointer(memory, types.none if i is None else types.int64)

        def code(context: Target, builder: IRBuilder, signature: Signature, arguments: Sequence[Value]) -> Value:
            base = builder.bitcast(arguments[0], _WORD.as_pointer())
            if i is not None:
                base = builder.gep(base, [builder.mul(arguments[1], _WORD(record.WORDS))])
            return base

        return signature, code

    make.__name__ = f"view_{record.__name__}"
    return intrinsic(make)
