"""Compiled meaning of `flexor.law.primitives`: pointer arithmetic and calls through an address."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from flexor.law.signature import EVALUATOR, F64P, I64P, KERNEL, LAW


def _pointer_from_table(name, pointer_type):
    def typing(typingctx, table, i):
        signature = pointer_type(I64P, types.int64)

        def codegen(context, builder, signature, args):
            table, i = args
            address = builder.load(builder.gep(table, [i]))
            return builder.inttoptr(address, context.get_value_type(pointer_type))

        return signature, codegen

    typing.__name__ = name
    return intrinsic(typing)


f64 = _pointer_from_table("f64", F64P)
i64 = _pointer_from_table("i64", I64P)


@intrinsic
def at(typingctx, pointer, offset):
    signature = pointer(pointer, types.int64)

    def codegen(context, builder, signature, args):
        return builder.gep(args[0], [args[1]])

    return signature, codegen


def _call(context, builder, address, signature, arguments):
    """Indirect call of a C function at an integer address."""
    function_type = ir.FunctionType(
        context.get_value_type(signature.return_type), [context.get_value_type(a) for a in signature.args]
    )
    pointer = builder.inttoptr(address, function_type.as_pointer())
    return builder.call(pointer, arguments)


@intrinsic
def call(typingctx, table, i):
    signature = types.int64(I64P, types.int64)

    def codegen(context, builder, signature, args):
        table, i = args
        address = builder.load(builder.gep(table, [i]))
        return _call(context, builder, address, KERNEL, [table])

    return signature, codegen


@intrinsic
def call_law(typingctx, laws, i, want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    signature = types.int64(I64P, types.int64, *LAW.args)

    def codegen(context, builder, signature, args):
        address = builder.load(builder.gep(args[0], [args[1]]))
        return _call(context, builder, address, LAW, list(args[2:]))

    return signature, codegen


@intrinsic
def call_function(typingctx, address, p, x, out):
    signature = types.int64(types.int64, *EVALUATOR.args)

    def codegen(context, builder, signature, args):
        return _call(context, builder, args[0], EVALUATOR, list(args[1:]))

    return signature, codegen


__all__ = ["at", "call", "call_function", "call_law", "f64", "i64"]
