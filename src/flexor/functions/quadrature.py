"""∫₀ˣ f for functions without a closed integral: expressions and products.

Parameters: p[0] whether the integral is wanted, p[1] the number n of breakpoints, p[2 … n+1] the breakpoints
in increasing order, and behind them the parameters of the function itself.

Between breakpoints the function is integrated by ten-point Gauss–Legendre panels, halved until a panel and
its two halves agree to 1e-13 of ∫|f|; the result is usually exact to rounding. A jump at an unknown place
costs some forty halvings. If all of this takes more than BUDGET panels, or numbers cannot resolve a
singularity, coarser tolerances are tried, 1e-7 at last. What happens between the sampled points (120 per
piece) goes unnoticed: a narrow pulse needs breakpoints, i.e. comparisons with constants in an expression.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable

from flexor.functions.status import NO_INTEGRAL
from flexor.law.primitives import at

# Positive abscissae and weights of the ten-point Gauss–Legendre rule.
NODES = (0.1488743389816312, 0.4333953941292472, 0.6794095682990244, 0.8650633666889845, 0.9739065285171717)
WEIGHTS = (0.2955242247147529, 0.2692667193099963, 0.2190863625159820, 0.1494513491505806, 0.0666713443086881)
TOLERANCES = (1e-13, 1e-10, 1e-7)
BUDGET = 4096
DEEPEST = 200  # halvings; only next to x = 0 can numbers resolve that many
MANY_PIECES = 16


@functools.cache
def with_integral(values: Callable) -> Callable:
    """Evaluator that calls `values` for f, f′, f″ and adds the integral."""

    def panel(p, a, b, out):
        """status, ∫ₐᵇ f, ∫ₐᵇ |f|"""
        middle = 0.5 * (a + b)
        half = 0.5 * (b - a)
        total = 0.0
        absolute = 0.0
        for i in range(10):
            sign = 1.0 if i < 5 else -1.0
            if values(p, middle + sign * half * NODES[i % 5], out) != 0:
                return (NO_INTEGRAL, 0.0, 0.0)
            total += WEIGHTS[i % 5] * out[0]
            absolute += WEIGHTS[i % 5] * abs(out[0])
        return (0, total * half, absolute * half)

    def piece(p, a, b, least, size, tolerance, budget, out):
        """status, ∫ₐᵇ f, ∫ₐᵇ |f|, error, panels used; takes panel `index` of 2^level equal ones at a time"""
        total = 0.0
        absolute = 0.0
        error = 0.0
        panels = 0
        index = 0
        level = least
        width = (b - a) / (1 << least)
        while True:
            start = a + index * width
            middle = start + 0.5 * width
            s0, whole, _ = panel(p, start, start + width, out)
            s1, left, left_size = panel(p, start, middle, out)
            s2, right, right_size = panel(p, middle, start + width, out)
            panels += 1
            if s0 != 0 or s1 != 0 or s2 != 0 or not math.isfinite(left_size + right_size):
                return (NO_INTEGRAL, 0.0, 0.0, 0.0, panels)
            if panels > budget:
                return (0, total, absolute, math.inf, panels)
            difference = abs(left + right - whole)
            scale = max(size, absolute + left_size + right_size)
            agrees = difference <= tolerance * scale
            resolved = start < middle < start + width and level < DEEPEST
            if agrees or not resolved:
                total += left + right
                absolute += left_size + right_size
                if not agrees:
                    error += difference
                    if error > TOLERANCES[-1] * scale:  # a singularity that no tolerance allows for
                        return (NO_INTEGRAL, 0.0, 0.0, 0.0, panels)
                index += 1
                while level > 0 and index % 2 == 0:  # both halves are done: up again
                    index //= 2
                    level -= 1
                    width *= 2.0
                if level == 0:
                    return (0, total, absolute, error, panels)
            else:
                index *= 2
                level += 1
                width *= 0.5

    def span(p, body, x, tolerance, out):
        """status, ∫₀ˣ f and whether it has converged, going from breakpoint to breakpoint"""
        n = int(p[1])
        low = min(0.0, x)
        high = max(0.0, x)
        least = 2 if n < MANY_PIECES else 0
        size = 0.0  # ∫ |f|, roughly at first
        a = low
        for i in range(n + 1):
            b = min(max(p[2 + i], low), high) if i < n else high
            if b > a:
                status, _, absolute = panel(body, a, b, out)
                if status != 0:
                    return (status, 0.0, False)
                size += absolute
                a = b
        total = 0.0
        error = 0.0
        budget = BUDGET + 4 * n
        a = low
        for i in range(n + 1):
            b = min(max(p[2 + i], low), high) if i < n else high
            if b > a:
                status, part, absolute, bound, panels = piece(body, a, b, least, size, tolerance, budget, out)
                if status != 0:
                    return (status, 0.0, False)
                total += part
                error += bound
                budget -= panels
                size = max(size, absolute)
                a = b
        return (0, total if x >= 0.0 else -total, error <= tolerance * size)

    def evaluator(p, x, out):
        body = at(p, 2 + int(p[1]))
        integral = math.nan
        status = values(body, x, out)
        if status != 0:
            out[0] = math.nan
            out[1] = math.nan
            out[2] = math.nan
        elif p[0] != 0.0:
            converged = False
            for i in range(len(TOLERANCES)):
                if status == 0 and not converged:
                    status, integral, converged = span(p, body, x, TOLERANCES[i], out)
            if not converged:
                status = NO_INTEGRAL
                integral = math.nan
            values(body, x, out)
        out[3] = integral
        return status

    return evaluator
