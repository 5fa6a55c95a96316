"""Transition from one value to another: what ramps and steps share.

With u = (x − start)/over the function is initial + (final − initial) S(u), S = 0 for u < 0 and 1 for u ≥ 1:

    shape      S(u) on 0 ≤ u ≤ 1     continuous at the ends          largest slope
    linear     u                     f                               1
    cosine     (1 − cos πu)/2        f, f′ (f″ jumps)                π/2     ("haversine")
    cubic      u² (3 − 2u)           f, f′ (f″ jumps)                3/2     (STEP of ADAMS)
    quintic    u³ (10 − 15u + 6u²)   f, f′, f″                       15/8    (STEP5 of ADAMS)
"""

from __future__ import annotations

import math
from typing import Literal

Shape = Literal["linear", "cosine", "cubic", "quintic"]
SHAPES: tuple[Shape, ...] = ("linear", "cosine", "cubic", "quintic")
LINEAR, COSINE, CUBIC = 0, 1, 2


def transition(shape, u):
    """S, S′, S″ and ∫₀ᵘ S for any u."""
    if u < 0.0:
        return (0.0, 0.0, 0.0, 0.0)
    if u >= 1.0:
        return (1.0, 0.0, 0.0, u - 0.5)  # ∫₀¹ S = ½ by symmetry
    if shape == LINEAR:
        return (u, 1.0, 0.0, 0.5 * u * u)
    if shape == COSINE:
        s = math.sin(math.pi * u)
        half = math.sin(0.5 * math.pi * u)
        if u < 0.1:  # (u − sin πu/π)/2 without cancellation: its series
            q = math.pi * math.pi * u * u
            integral = u * q / 12.0 * (1.0 - q / 20.0 * (1.0 - q / 42.0 * (1.0 - q / 72.0 * (1.0 - q / 110.0))))
        else:
            integral = 0.5 * (u - s / math.pi)
        return (half * half, 0.5 * math.pi * s, 0.5 * math.pi * math.pi * math.cos(math.pi * u), integral)
    if shape == CUBIC:
        return (u * u * (3.0 - 2.0 * u), 6.0 * u * (1.0 - u), 6.0 - 12.0 * u, u * u * u * (1.0 - 0.5 * u))
    return (
        u * u * u * (10.0 + u * (6.0 * u - 15.0)),
        30.0 * u * u * (1.0 - u) * (1.0 - u),
        60.0 * u * (1.0 - u) * (1.0 - 2.0 * u),
        u * u * u * u * (2.5 + u * (u - 3.0)),
    )


def blend_evaluator(p, x, out):
    initial, final, start, over, shape = p[0], p[1], p[2], p[3], int(p[4])
    rise = final - initial
    if over > 0.0:
        s, s1, s2, area = transition(shape, (x - start) / over)
        area_0 = transition(shape, -start / over)[3]
        out[0] = initial + rise * s
        out[1] = rise * s1 / over
        out[2] = rise * s2 / over / over
        out[3] = initial * x + rise * over * (area - area_0)
    else:  # a jump; the impulse in its derivative is left out
        out[0] = final if x >= start else initial
        out[1] = 0.0
        out[2] = 0.0
        out[3] = initial * x + rise * (max(x - start, 0.0) - max(-start, 0.0))
    return 0
