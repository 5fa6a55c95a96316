"""C signatures of everything that is called through an address."""

from __future__ import annotations

from numba import types

F64P = types.CPointer(types.float64)
I64P = types.CPointer(types.int64)

LAW = types.int64(
    types.int64,  # want
    I64P,  # n
    I64P,  # k
    F64P,  # p
    F64P,  # h
    types.float64,  # t
    F64P,  # c
    F64P,  # x
    F64P,  # R
    F64P,  # v
    F64P,  # a
    F64P,  # s
    F64P,  # lam
    F64P,  # r
    F64P,  # K
    F64P,  # w
)
"""status = law(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w); meaning in `flexor.law.law`."""

KERNEL = types.int64(I64P)
"""status = kernel(table): a part of the engine."""

EVALUATOR = types.int64(F64P, types.float64, F64P)
"""status = evaluator(p, x, out): a function of one variable, out = (f, f′, f″, ∫₀ˣ f)."""

SIGNATURES = {"law": LAW, "kernel": KERNEL, "evaluator": EVALUATOR}
