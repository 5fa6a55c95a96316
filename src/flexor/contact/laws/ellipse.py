"""Hertz's point contact of surfaces with any curvatures: they touch in an ellipse.   Johnson, Contact mechanics (1985), 4.2

The gap of the undeformed surfaces is A x² + B y², 2A ≤ 2B their relative principal curvatures. With the axes a ≥ b of the ellipse and
e² = m = 1 − b²/a², K and E the complete elliptic integrals of the parameter m,

    B/A = (E/(1 − m) − K)/(K − E),      a² = δ (K − E)/(A m K),      N = ⅔ π a δ E*/K

so that N is K_p δ^(3/2); for a circle, m = 0, K_p = 4/3 E* √R with 1/R = 2A.
"""

from __future__ import annotations

import math

ROUND = 1e-9
"""m below which an ellipse is a circle."""


def point_stiffness(modulus: float, first: float, second: float) -> float:
    """K_p [N/m^(3/2)] of two relative principal curvatures, both positive [1/m]; modulus: E* [Pa]."""
    low, high = sorted((first, second))
    m = _parameter(high / low)
    K, E = complete(m)
    reach = 0.25 * math.pi if m <= ROUND else (K - E) / m
    return 2.0 / 3.0 * math.pi * modulus / K * math.sqrt(reach / (0.5 * low * K))


def _parameter(ratio: float) -> float:
    """m of the ellipse in which surfaces with curvatures of this ratio ≥ 1 touch."""
    low, high = 0.0, 1.0 - 1e-14
    for _ in range(100):
        m = 0.5 * (low + high)
        K, E = complete(m)
        found = 1.0 + 1.5 * m if m <= ROUND else (E / (1.0 - m) - K) / (K - E)
        low, high = (m, high) if found < ratio else (low, m)
    return 0.5 * (low + high)


def complete(m: float) -> tuple[float, float]:
    """Complete elliptic integrals K and E of the parameter m = k², by the arithmetic-geometric mean."""
    a, b, c, power = 1.0, math.sqrt(1.0 - m), math.sqrt(m), 0.5
    total = power * c * c
    while abs(c) > 1e-15:  # from there on rounding
        a, b, c = 0.5 * (a + b), math.sqrt(a * b), 0.5 * (a - b)
        power *= 2.0
        total += power * c * c
    K = math.pi / (2.0 * a)
    return K, K * (1.0 - total)
