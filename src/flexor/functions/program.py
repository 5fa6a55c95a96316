"""The program of an expression: instructions for a stack machine, kept as floats, and the machine.

Each entry of the stack holds a value with its first and second derivative with respect to the variable, so
that one run yields f, f′ and f″ exactly (forward differentiation by the chain rule). What an expression of several
things depends on are inputs, which come with rates of their own (see `flexor.functions.several`). Every value is checked:
a value that is not finite or not real ends the run with a status. Jumps only lead forward, so every program
ends.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from flexor.functions.function import OUT_SIZE
from flexor.functions.status import (
    ARC_DOMAIN,
    DIVISION_BY_ZERO,
    LOGARITHM_DOMAIN,
    NO_DIRECTION,
    OVERFLOW,
    POWER_DOMAIN,
    ROOT_DOMAIN,
)

END, NUMBER, VARIABLE, JUMP, JUMP_UNLESS, INPUT = 0, 1, 2, 3, 4, 5
WITH_OPERAND = (NUMBER, JUMP, JUMP_UNLESS, INPUT)
NEG, SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH = 10, 11, 12, 13, 14, 15, 16, 17, 18, 19
EXP, LOG, LOG10, SQRT, ABS, SIGN, STEP, FLOOR, NOT = 20, 21, 22, 23, 24, 25, 26, 27, 28
ADD, SUB, MUL, DIV, POW, ATAN2, MIN, MAX, MOD = 40, 41, 42, 43, 44, 45, 46, 47, 48
LT, LE, GT, GE, EQ, NE, AND, OR = 50, 51, 52, 53, 54, 55, 56, 57
FIRST_BINARY = ADD

STACK = 4  # where the stack begins in `out`
LARGEST_EXPONENT = 709.7  # exp beyond overflows


def _times(a, b):
    """a·b, where b = 0 means that nothing changes, even at a vertical tangent (a infinite)."""
    return a * b if b != 0.0 else 0.0


def unary(op, u):
    """status, g(u), g′(u), g″(u)"""
    if op == NEG:
        return (0, -u, -1.0, 0.0)
    if op == SIN:
        s = math.sin(u)
        return (0, s, math.cos(u), -s)
    if op == COS:
        c = math.cos(u)
        return (0, c, -math.sin(u), -c)
    if op == TAN:
        g = math.tan(u)
        return (0, g, 1.0 + g * g, 2.0 * g * (1.0 + g * g))
    if op in (ASIN, ACOS):
        w = (1.0 - u) * (1.0 + u)
        if w < 0.0:
            return (ARC_DOMAIN, 0.0, 0.0, 0.0)
        r = 1.0 / math.sqrt(w) if w > 0.0 else math.inf
        if op == ASIN:
            return (0, math.asin(u), r, _times(r * r * r, u))
        return (0, math.acos(u), -r, _times(-r * r * r, u))
    if op == ATAN:
        r = 1.0 / (1.0 + u * u)
        return (0, math.atan(u), r, -2.0 * r * (u * r))
    if op in (SINH, COSH):
        if abs(u) > LARGEST_EXPONENT:
            return (OVERFLOW, 0.0, 0.0, 0.0)
        if op == SINH:
            g = math.sinh(u)
            return (0, g, math.cosh(u), g)
        g = math.cosh(u)
        return (0, g, math.sinh(u), g)
    if op == TANH:
        g = math.tanh(u)
        return (0, g, 1.0 - g * g, -2.0 * g * (1.0 - g * g))
    if op == EXP:
        if u > LARGEST_EXPONENT:
            return (OVERFLOW, 0.0, 0.0, 0.0)
        g = math.exp(u)
        return (0, g, g, g)
    if op in (LOG, LOG10):
        if u <= 0.0:
            return (LOGARITHM_DOMAIN, 0.0, 0.0, 0.0)
        r = 1.0 / u
        if op == LOG:
            return (0, math.log(u), r, -r * r)
        m = 0.4342944819032518  # 1/ln 10
        return (0, math.log10(u), m * r, -m * r * r)
    if op == SQRT:
        if u < 0.0:
            return (ROOT_DOMAIN, 0.0, 0.0, 0.0)
        if u == 0.0:
            return (0, 0.0, math.inf, -math.inf)
        g = math.sqrt(u)
        r = 0.5 / g
        return (0, g, r, -0.5 * r / u)
    if op == ABS:
        return (0, u, 1.0, 0.0) if u >= 0.0 else (0, -u, -1.0, 0.0)
    if op == SIGN:
        return (0, 1.0 if u > 0.0 else (-1.0 if u < 0.0 else 0.0), 0.0, 0.0)
    if op == STEP:
        return (0, 1.0 if u >= 0.0 else 0.0, 0.0, 0.0)
    if op == FLOOR:
        return (0, u - u % 1.0, 0.0, 0.0)
    return (0, 1.0 if u == 0.0 else 0.0, 0.0, 0.0)  # NOT


def power(a, b, fixed):
    """status, g = a^b, ∂g/∂a, ∂g/∂b, ∂²g/∂a², ∂²g/∂a∂b, ∂²g/∂b²; fixed: the exponent is constant"""
    if a <= 0.0 and not fixed:
        return (POWER_DOMAIN, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if a == 0.0:
        if b < 0.0:
            return (DIVISION_BY_ZERO, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        ga = 1.0 if b == 1.0 else (math.inf if 0.0 < b < 1.0 else 0.0)
        gaa = 2.0 if b == 2.0 else (math.inf if 1.0 < b < 2.0 else (-math.inf if 0.0 < b < 1.0 else 0.0))
        return (0, 1.0 if b == 0.0 else 0.0, ga, 0.0, gaa, 0.0, 0.0)
    if a < 0.0 and b % 1.0 != 0.0:
        return (POWER_DOMAIN, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    log = math.log(abs(a))
    if b * log > LARGEST_EXPONENT:
        return (OVERFLOW, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    g = math.pow(a, b)
    ga = b * g / a
    return (0, g, ga, g * log, ga * (b - 1.0) / a, g / a * (1.0 + b * log), g * log * log)


def binary(op, a, b, fixed):
    """status, g(a, b), ∂g/∂a, ∂g/∂b, ∂²g/∂a², ∂²g/∂a∂b, ∂²g/∂b²; fixed: b is constant"""
    if op == ADD:
        return (0, a + b, 1.0, 1.0, 0.0, 0.0, 0.0)
    if op == SUB:
        return (0, a - b, 1.0, -1.0, 0.0, 0.0, 0.0)
    if op == MUL:
        return (0, a * b, b, a, 0.0, 1.0, 0.0)
    if op == DIV:
        if b == 0.0:
            return (DIVISION_BY_ZERO, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        r = 1.0 / b
        g = a / b
        return (0, g, r, -g * r, 0.0, -r * r, 2.0 * g * r * r)
    if op == POW:
        return power(a, b, fixed)
    if op == ATAN2:
        r = math.hypot(a, b)
        if r == 0.0:
            return (NO_DIRECTION, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        s = a / r
        c = b / r
        return (
            0,
            math.atan2(a, b),
            c / r,
            -s / r,
            -2.0 * s * c / r / r,
            (s * s - c * c) / r / r,
            2.0 * s * c / r / r,
        )
    if op in (MIN, MAX):
        first = a <= b if op == MIN else a >= b
        return (0, a, 1.0, 0.0, 0.0, 0.0, 0.0) if first else (0, b, 0.0, 1.0, 0.0, 0.0, 0.0)
    if op == MOD:
        if b == 0.0:
            return (DIVISION_BY_ZERO, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        r = a % b
        return (0, r, 1.0, -(a - r) / b, 0.0, 0.0, 0.0)
    holds = (
        (op == LT and a < b)
        or (op == LE and a <= b)
        or (op == GT and a > b)
        or (op == GE and a >= b)
        or (op == EQ and a == b)
        or (op == NE and a != b)
        or (op == AND and a != 0.0 and b != 0.0)
        or (op == OR and (a != 0.0 or b != 0.0))
    )
    return (0, 1.0 if holds else 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def run_program(p, x, out):
    """Evaluator without integral: out = f, f′, f″."""
    if not math.isfinite(x):
        return OVERFLOW
    i = 0
    top = STACK - 3  # the uppermost entry: value, first and second derivative
    while True:
        op = int(p[i])
        i += 1
        if op == END:
            break
        if op in (NUMBER, VARIABLE):
            top += 3
            out[top] = x if op == VARIABLE else p[i]
            out[top + 1] = 1.0 if op == VARIABLE else 0.0
            out[top + 2] = 0.0
            i += int(op == NUMBER)
        elif op == INPUT:
            top += 3
            for j in range(3):
                out[top + j] = out[OUT_SIZE + 3 * int(p[i]) + j]
            if not math.isfinite(out[top]):
                return OVERFLOW
            i += 1
        elif op == JUMP:
            i += 1 + int(p[i])
        elif op == JUMP_UNLESS:
            i += 1 + (int(p[i]) if out[top] == 0.0 else 0)
            top -= 3
        elif op < FIRST_BINARY:
            u1 = float(out[top + 1])
            u2 = float(out[top + 2])
            status, g, g1, g2 = unary(op, float(out[top]))
            if status != 0:
                return status
            out[top] = g
            out[top + 1] = _times(g1, u1)
            out[top + 2] = _times(g2, u1 * u1) + _times(g1, u2)
        else:
            b = float(out[top])
            b1 = float(out[top + 1])
            b2 = float(out[top + 2])
            top -= 3
            a = float(out[top])
            a1 = float(out[top + 1])
            a2 = float(out[top + 2])
            status, g, ga, gb, gaa, gab, gbb = binary(op, a, b, b1 == 0.0 and b2 == 0.0)
            if status != 0:
                return status
            if not math.isfinite(g):
                return OVERFLOW
            out[top] = g
            out[top + 1] = _times(ga, a1) + _times(gb, b1)
            out[top + 2] = (
                _times(gaa, a1 * a1)
                + 2.0 * _times(gab, a1 * b1)
                + _times(gbb, b1 * b1)
                + _times(ga, a2)
                + _times(gb, b2)
            )
    out[0] = out[STACK]
    out[1] = out[STACK + 1]
    out[2] = out[STACK + 2]
    out[3] = math.nan
    return 0


def stack_needed(code: list[float]) -> int:
    """Entries of the stack that a program uses at most."""
    i = depth = deepest = 0
    while i < len(code):
        op = int(code[i])
        if op in (NUMBER, VARIABLE, INPUT):
            depth += 1
        elif op in (JUMP, JUMP_UNLESS) or op >= FIRST_BINARY:  # behind JUMP stands the other branch
            depth -= 1
        i += 2 if op in WITH_OPERAND else 1
        deepest = max(deepest, depth)
    return deepest


def with_inputs(code: Sequence[float], numbers: Sequence[int]) -> tuple[float, ...]:
    """The program with these numbers for its inputs 0, 1, …"""
    found = list(code)
    i = 0
    while i < len(found):
        op = int(found[i])
        if op == INPUT:
            found[i + 1] = float(numbers[int(found[i + 1])])
        i += 2 if op in WITH_OPERAND else 1
    return tuple(found)
