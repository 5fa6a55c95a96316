"""Normal force of two surfaces that overlap by δ: a power law with a dissipative part.

    N = K δⁿ (1 + χ δ̇) ≥ 0,   stored energy K δⁿ⁺¹/(n + 1)

    penalty                     K given, n = 1 or as given
    point contact (Hertz)       K = 4/3 E* √R,  n = 3/2,   1/E* = (1 − ν_a²)/E_a + (1 − ν_b²)/E_b,   R of both curvatures
    line contact (Palmgren)     δ = 1.36 (N/E*)^0.9 / ℓ^0.8,  n = 10/9

χ follows from the coefficient of restitution e and the speed v at which the surfaces met. With any n the force leaves the fraction e of
the speed where

    d (1 + e) = ln (1 + d)/(1 − e d),   d = χ v

(the equation of motion, m v dv/(1 + χ v) = −K δⁿ dδ, integrated to the greatest depth and back). This is solved exactly, or answered by
an approximation that other programs use:

    hunt_crossley         d = 3/2 (1 − e)          Hunt & Crossley 1975, e near 1
    lankarani_nikravesh   d = 3/4 (1 − e²)         Lankarani & Nikravesh 1990, e near 1
    flores                d = 8/5 (1 − e)/e        Flores et al. 2011
"""

from __future__ import annotations

import math

import numpy as np

from flexor.law.dual import sqrt
from flexor.law.record import Record, number


class Stiffness(Record):
    """Parameters of the normal force."""

    K = number("K", "N/mⁿ")
    exponent = number("n")
    damping = number("part of χ that is given", "s/m")
    restitution = number("d = χ v of the part that makes the coefficient of restitution")
    rest = number("slower surfaces meet as those of this speed", "m/s")
    lightness = number("1/m_a + 1/m_b of the bodies that touch", "1/kg")
    swing = number("square of the speed that stands for surfaces at rest, by that of an impact as deep")
    modulus = number("E* of elastic surfaces, 0 of others", "Pa")
    slice = number("width of a slice of line contact, 0 of point contact", "m")
    radius = number("R that is given, 0: of both surfaces", "m")
    above = number("how far above the surfaces their curvatures are looked for", "m")


def elastic_force(p, depth):
    """K δⁿ, for δ ≥ 0"""
    return p.K * depth**p.exponent


def elastic_energy(p, depth):
    """∫ K δⁿ dδ"""
    return p.K * depth ** (p.exponent + 1.0) / (p.exponent + 1.0)


def dissipation(p, rate, impact, depth):
    """1 + χ δ̇ ≥ 0; rate: δ̇, impact: speed at which they met."""
    chi = p.damping + p.restitution / typical_speed(p, impact, 2.0 * p.lightness * elastic_energy(p, depth))
    return max(1.0 + chi * rate, 0.0 * rate)


def typical_speed(p, impact, square):
    """v, from which χ follows: that at which surfaces met; of those that lie on each other already, that by which they lose as much.

    square: v² of the impact that would press them as deep, ½ m v² = K δⁿ⁺¹/(n + 1) with m of both bodies; p.swing makes of it the speed with which small
    vibrations about that depth keep the fraction e from swing to swing, to the other side and back, as impacts do.
    """
    if impact > p.rest:
        return impact + 0.0 * square
    square = p.swing * square
    if square > p.rest * p.rest:
        return sqrt(square)
    return p.rest + 0.0 * square


def swing_share(e: float, d: float, exponent: float) -> float:
    """Square of the speed v by which χ = d/v makes small vibrations about a depth keep e in half a period, by v² of the impact that is as deep.

    Of such a vibration ζ = ½ d √((n + 1)/2n) by the latter; wanted is ζ with e = exp(−π ζ/√(1 − ζ²)).
    """
    if d <= 0.0 or e >= 1.0:
        return 1.0
    wanted = -math.log(e) / math.hypot(math.pi, math.log(e))
    return (0.5 * d * math.sqrt((exponent + 1.0) / (2.0 * exponent)) / wanted) ** 2


def exact_dissipation(e: float) -> float:
    """d = χ v that makes the coefficient of restitution e exactly."""
    if e >= 1.0:
        return 0.0

    def surplus(d: float) -> float:
        return math.log1p(d) - math.log1p(-e * d) - d * (1.0 + e)  # below zero up to the root

    low, high = 0.0, 1.0 / e
    for _ in range(200):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        low, high = (middle, high) if surplus(middle) < 0.0 else (low, middle)
    return 0.5 * (low + high)


def restitution_of(d: float) -> float:
    """The coefficient of restitution that d = χ v makes: the inverse of `exact_dissipation`."""
    if d <= 0.0:
        return 1.0
    target = d - math.log1p(d)
    low, high = 0.0, min(1.0, 1.0 / d)
    for _ in range(200):
        e = 0.5 * (low + high)
        low, high = (e, high) if -e * d - math.log1p(-e * d) < target else (low, e)
    return 0.5 * (low + high)


DISSIPATIONS = {
    "exact": exact_dissipation,
    "hunt_crossley": lambda e: 1.5 * (1.0 - e),
    "lankarani_nikravesh": lambda e: 0.75 * (1.0 - e * e),
    "flores": lambda e: 1.6 * (1.0 - e) / e,
}
"""d of a coefficient of restitution e."""


def reduced_modulus(young_a: float, poisson_a: float, young_b: float, poisson_b: float) -> float:
    """E* of two elastic bodies [Pa]."""
    return 1.0 / ((1.0 - poisson_a**2) / young_a + (1.0 - poisson_b**2) / young_b)


def palmgren_stiffness(modulus: float, length: float) -> float:
    """K of a line contact with n = 10/9 [N/m^(10/9)]; modulus: E*, length: ℓ.

    Palmgren 1959: δ = 1.36 (N/E*)^0.9/ℓ^0.8 with 1/E* the sum over both bodies; 3.78e-5 N^0.9/ℓ^0.8 (N, mm) of steel with 210 GPa, ν = 0.3, and
    3.84e-5 of Palmgren's own.
    """
    return modulus * (length**0.8 / 1.36) ** (10.0 / 9.0)


def lundberg_drop(modulus: float, length: float, curvature: float, load: float) -> tuple[np.ndarray, np.ndarray]:
    """(z, drop) [m] of the logarithmic profile with which a load is spread evenly over a roller; modulus: E*, curvature: 1/R across it.

    A strip under the same load everywhere sinks less towards its ends: on a half space by

        d = Q/(πℓE*) ln 1/(1 − (2z/ℓ)²)        Lundberg 1939

    which would be infinite there; with the factor 1 − 0.3033 · 2b/ℓ of (2z/ℓ)² (Johns & Gohar 1981) it ends, b: half width of the strip.
    """
    b = math.sqrt(4.0 * load / (math.pi * length * modulus * curvature))
    u = np.sin(0.5 * math.pi * np.linspace(-1.0, 1.0, 65))  # denser towards the ends
    inside = 1.0 - 0.3033 * 2.0 * b / length
    return 0.5 * length * u, -load / (math.pi * length * modulus) * np.log1p(-inside * u * u)
