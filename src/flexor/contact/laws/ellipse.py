"""Hertz's point contact of surfaces with any curvatures: they touch in an ellipse.   Johnson, Contact mechanics (1985), 4.2

The gap of the undeformed surfaces is A x² + B y², 2A ≤ 2B their relative principal curvatures. With the axes a ≥ b of the ellipse and
e² = m = 1 − b²/a², K and E the complete elliptic integrals of the parameter m,

    B/A = (E/(1 − m) − K)/(K − E),      a² = δ (K − E)/(A m K),      N = ⅔ π a δ E*/K

so that N is K_p δ^(3/2); for a circle, m = 0, K_p = 4/3 E* √R with 1/R = 2A. The pressure is an ellipsoid over it,

    p = p₀ √(1 − x²/a² − y²/b²),      p₀ = 3N/(2π a b)

The functions are written for floats, and compiled with the laws that call them.
"""

from __future__ import annotations

import math

ROUND = 1e-9
"""m below which an ellipse is a circle."""
STEPS = 30
"""Of Newton's iteration for the shape of the ellipse."""


def point_stiffness(modulus, first, second):
    """K_p [N/m^(3/2)] of two relative principal curvatures, both positive [1/m]; modulus: E* [Pa]."""
    K_p, _, _ = point_contact(modulus, first, second)
    return K_p


def point_contact(modulus, first, second):
    """(K_p, α, β): N = K_p δ^(3/2), and half axes a = α N^(1/3) ≥ b = β N^(1/3) [m]"""
    low, high = min(first, second), max(first, second)
    flat = flatness(high / low)
    m = 1.0 - flat
    K, E = complete(flat)
    reach = 0.25 * math.pi if m <= ROUND else (K - E) / m
    extent = math.sqrt(reach / (0.5 * low * K))  # a/√δ
    K_p = 2.0 / 3.0 * math.pi * modulus / K * extent
    major = extent * K_p ** (-1.0 / 3.0)
    return K_p, major, major * math.sqrt(flat)


def flatness(ratio):
    """b²/a² = 1 − m of the ellipse in which surfaces with curvatures of this ratio ≥ 1 touch.

    Newton's iteration for its logarithm, from b/a = ratio^(−2/3) on (exact for 1 and nearly so for ∞), with

        d(B/A)/dm by dK/dm = (E/(1 − m) − K)/2m,   dE/dm = (E − K)/2m
    """
    if ratio <= 1.0 + ROUND:
        return 1.0
    flat = ratio ** (-4.0 / 3.0)
    for _ in range(STEPS):
        m = 1.0 - flat
        K, E = complete(flat)
        top, below = E / flat - K, K - E
        dK, dE = 0.5 * top / m, -0.5 * below / m
        slope = ((dE / flat + E / (flat * flat) - dK) * below - top * (dK - dE)) / (below * below)
        change = (top / below - ratio) / (slope * flat)  # of ln(1 − m)
        change = min(max(change, -1.0), 1.0)
        flat = min(flat * math.exp(change), 1.0 - 1e-12)
        if abs(change) < 1e-12:
            break
    return flat


def complete(flat):
    """Complete elliptic integrals K and E of the parameter m = 1 − flat, by the arithmetic-geometric mean."""
    a, b, c, power = 1.0, math.sqrt(flat), math.sqrt(1.0 - flat), 0.5
    total = power * c * c
    while abs(c) > 1e-15:  # from there on rounding
        a, b, c = 0.5 * (a + b), math.sqrt(a * b), 0.5 * (a - b)
        power *= 2.0
        total += power * c * c
    K = math.pi / (2.0 * a)
    return K, K * (1.0 - total)
