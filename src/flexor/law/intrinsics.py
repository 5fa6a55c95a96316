"""Compiled meaning of `flexor.law.primitives`: pointer arithmetic and calls through an address."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from flexor.law.dual_type import DualPointer, DualType, duals, value
from flexor.law.signature import EVALUATOR, F64P, I64P, LAW


@intrinsic
def at(typingctx, pointer, offset):
    signature = pointer(pointer, types.int64)

    def codegen(context, builder, signature, args):
        offset = builder.shl(args[1], args[1].type(1)) if isinstance(pointer, DualPointer) else args[1]
        return builder.gep(args[0], [offset])

    return signature, codegen


def _call(context, builder, address, signature, arguments):
    """Indirect call of a C function at an integer address."""
    function_type = ir.FunctionType(
        context.get_value_type(signature.return_type), [context.get_value_type(a) for a in signature.args]
    )
    pointer = builder.inttoptr(address, function_type.as_pointer())
    return builder.call(pointer, arguments)


@intrinsic
def call(typingctx, kernel, table):
    def codegen(context, builder, signature, args):
        return _call(context, builder, args[0], types.int64(table), [args[1]])

    return types.int64(types.int64, table), codegen


@intrinsic
def call_law(typingctx, laws, i, want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    signature = types.int64(I64P, types.int64, *LAW.args)

    def codegen(context, builder, signature, args):
        address = builder.load(builder.gep(args[0], [args[1]]))
        return _call(context, builder, address, LAW, list(args[2:]))

    return signature, codegen


@intrinsic
def call_function(typingctx, address, p, x, out):
    signature = types.int64(types.int64, F64P, x, out)

    def codegen(context, builder, signature, args):
        address, p, x, out = args
        if not isinstance(signature.args[3], DualPointer):
            x = context.cast(builder, x, signature.args[2], types.float64)
            return _call(context, builder, address, EVALUATOR, [p, x, out])
        if isinstance(signature.args[2], DualType):
            value, slope = builder.extract_value(x, 0), builder.extract_value(x, 1)
        else:
            value, slope = context.cast(builder, x, signature.args[2], types.float64), ir.DoubleType()(0.0)
        status = _call(context, builder, address, EVALUATOR, [p, value, out])
        place = [builder.gep(out, [ir.IntType(64)(i)]) for i in range(8)]
        f, f_1, f_2, integral = (builder.load(place[i]) for i in range(4))
        for i, (a, b) in enumerate(((f, f_1), (f_1, f_2), (f_2, None), (integral, f))):
            builder.store(a, place[2 * i])
            builder.store(ir.DoubleType()(0.0) if b is None else builder.fmul(b, slope), place[2 * i + 1])
        return status

    return signature, codegen


__all__ = ["at", "call", "call_function", "call_law", "duals", "value"]
