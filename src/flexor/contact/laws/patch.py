"""The patch in which two elastic surfaces touch, and the pressure in it; how a stiffness follows the curvatures from step to step.

    point   a = α N^(1/3) ≥ b = β N^(1/3),   p₀ = 3N/(2π a b)                     (`flexor.contact.laws.ellipse`)
    line    of a slice of the width w:  b = β √N,   p₀ = 2N/(π b w),   β² = 4/(π E* κ w)      Johnson (1985) 4.3: b² = 4 (N/w)/(π E* κ)

Curvatures are taken at the end of each step and hold for the next one. Where a point contact has become stiffer or softer by that, its elastic energy
K δ^(n+1)/(n+1) has changed though nothing moved. What it has gained counts as a negative loss: the work that the pressure, which is then no longer
symmetric to the normal, would have done along the surface.
"""

from __future__ import annotations

import math

from flexor.contact.laws.ellipse import point_contact
from flexor.contact.laws.normal import elastic_energy
from flexor.law.tuples import mat, store, vec

FLAT = 1e-6
"""Relative curvature, in parts of the other one, that is none."""
SAME = 1e-6
"""Change of a stiffness with which an equilibrium stays one."""
ROUNDING = 1e-10
"""Change of a stiffness that is none."""
ROUNDS = 20
"""How often an equilibrium is looked for anew, where the stiffness has changed in it."""


def patch(p, high, low):
    """(K/K₀, α, β) of relative curvatures; zeros where Hertz's theory has no answer: at edges, on what is flat"""
    if p.slice > 0.0:
        if not high < math.inf or high <= 0.0:
            return 0.0, 0.0, 0.0
        return 1.0, 0.5 * p.slice, math.sqrt(4.0 / (math.pi * p.modulus * high * p.slice))
    if p.radius > 0.0:
        high = low = 1.0 / p.radius
    if not high < math.inf or high <= 0.0 or low <= FLAT * high:
        return 0.0, 0.0, 0.0
    K, major, minor = point_contact(p.modulus, high, low)
    return K / p.K, major, minor


def follow(p, h, relative, size_a, size_b):
    """Take the patch at the end of a step; the elastic energy that it has gained by that. p: Stiffness, h: Touch"""
    x, n = vec(h.x, 0), vec(h.n, 0)
    high, low, way = relative(size_a, size_b, vec(h.p, 0), mat(h.R, 0), h.gap, n, x, p.above)
    factor, major, minor = patch(p, high, low)
    h.major, h.minor = major, minor
    store(h.way, 0, way)
    change = factor - 1.0 - h.stiffening
    if factor <= 0.0 or abs(change) < ROUNDING:
        return 0.0  # as it was
    h.stiffening = factor - 1.0
    return change * elastic_energy(p, max(-h.gap, 0.0))


def peak_pressure(p, h, N):
    """(p₀, a, b) of a normal force at one place; zeros where it is not known"""
    zero = 0.0 * N
    if N <= 0.0 or h.minor <= 0.0:
        return zero, zero, zero
    if p.slice > 0.0:
        b = h.minor * N**0.5
        return 2.0 * N / (math.pi * b * p.slice), 0.5 * p.slice + zero, b
    third = N ** (1.0 / 3.0)
    a, b = h.major * third, h.minor * third
    return 1.5 * N / (math.pi * a * b), a, b
