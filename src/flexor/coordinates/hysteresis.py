"""Hysteresis after Bouc and Wen: a force F = F_y ζ that follows the deflection with a memory.

    dζ/dδ = [1 − |ζ|ⁿ (1 − β + β sign(ζ dδ))]/δ_y

ζ → ±1 far on either side, the slope at ζ = 0 is F_y/δ_y, n says how sharp the bend is (∞: elastic, then plastic), β how the curve goes
back: ½ straight at first, 1 as it came. The law knows no rate, so ζ at the end of a step follows from ζ at its begin and the change of δ, here
by the classical Runge–Kutta scheme in parts of at most δ_y/20, exact to some 1e-9 of F_y.

The energy ½ F_y δ_y ζ² is stored, the rest of the work is lost; for β ≥ ½ never less than nothing (Erlicher & Point 2004).
"""

from __future__ import annotations

from flexor.law.dual import floor
from flexor.law.record import Record, integer, number

FINE = 0.05  # part of δ_y that one stage of the integration covers
LONG = 50.0  # deflections in δ_y, after which nothing is left of where ζ began
TINY = 1e-12


class Loop(Record):
    """Parameters of the hysteresis."""

    there = integer("1: there is one")
    force = number("F_y", "N or N m")
    deflection = number("δ_y", "m or rad")
    sharpness = number("n")
    shape = number("β")


def _slope(b, zeta, way):
    """δ_y dζ/dδ and its derivative with respect to ζ; way: sign of dδ"""
    size = max(abs(zeta), TINY)
    share = 1.0 - b.shape + (b.shape if zeta * way >= 0.0 else -b.shape)
    power = share * size**b.sharpness
    bend = -b.sharpness * power / size
    return 1.0 - power, bend if zeta >= 0.0 else -bend


def advance(b, zeta, change):
    """(ζ, dζ/dδ, energy lost) after the deflection has changed, from ζ before."""
    x = change / b.deflection
    way = 1.0 if x >= 0.0 else -1.0
    inside = abs(x) <= LONG
    if not inside:
        x = LONG * way + 0.0 * x
    count = 1 + int(floor(abs(x) / FINE))
    step = x / count
    share = 1.0 / count if inside else 0.0
    gain = 0.0 * x  # dζ/dx, along with ζ
    lost = 0.0 * x
    zeta = zeta + 0.0 * x
    for _ in range(count):
        k1, s1 = _slope(b, zeta, way)
        g1 = s1 * gain
        z2 = zeta + 0.5 * step * k1
        k2, s2 = _slope(b, z2, way)
        g2 = s2 * (gain + 0.5 * (step * g1 + share * k1))
        z3 = zeta + 0.5 * step * k2
        k3, s3 = _slope(b, z3, way)
        g3 = s3 * (gain + 0.5 * (step * g2 + share * k2))
        z4 = zeta + step * k3
        k4, s4 = _slope(b, z4, way)
        g4 = s4 * (gain + step * g3 + share * k3)
        lost += step / 6.0 * (zeta * (1 - k1) + 2.0 * z2 * (1 - k2) + 2.0 * z3 * (1 - k3) + z4 * (1 - k4))
        zeta += step / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        gain += step / 6.0 * (g1 + 2.0 * g2 + 2.0 * g3 + g4) + share / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return zeta, gain / b.deflection, b.force * b.deflection * lost
