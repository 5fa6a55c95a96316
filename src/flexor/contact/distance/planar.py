"""From the plane to space: what is known of a distance in a meridian, or in a cross-section, as a distance in space."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.law.dual import sqrt

ON_AXIS = 1e-24
"""Square of the distance from an axis, in parts of the size, at which a point lies on it."""


def meridian(y, size):
    """(ρ, z, cos φ, sin φ) of a point; on the axis φ = 0. size: of the solid [m]."""
    q = y[0] * y[0] + y[1] * y[1]
    if q > ON_AXIS * size * size:
        rho = sqrt(q)
        return rho, y[2], y[0] / rho, y[1] / rho
    zero = 0.0 * y[0]
    return zero, y[2], 1.0 + zero, zero


def revolved(rho, c, s, d, n_1, n_2, k):
    """A distance in the meridian (d; normal n₁ away from the axis, n₂ along it; curvature k) as one in space.

    Across the meridian the curvature is n₁/ρ.
    """
    if rho > 0.0:
        across = n_1 / rho
    else:
        across = k
    return d, (n_1 * c, n_1 * s, n_2), (-n_2 * c, -n_2 * s, n_1), k, across


FACING = -0.02
"""Part of the normal towards the axis from which on a surface faces it."""
FAR = 1e6
"""Distance of what does not face the axis, in parts of the size."""


@cache
def opposite(section: Callable, size_of: Callable) -> Callable:
    """The distance of a point from that side of a solid of revolution which is beyond the axis, if it faces it.

    A ball on a seat, in a hole or on a ring touches it all around: the nearest side alone would let it fall to and fro across the axis.
    section(size, ρ, z): distance in the meridian, where the point stands at −ρ; it does not change to first order across the meridian there, either.
    """

    def distance(size, y):  # type: ignore[no-untyped-def]
        rho, z, c, s = meridian(y, size_of(size))
        d, n_1, n_2, k = section(size, -rho, z)
        if n_1 > FACING:
            return revolved(rho, c, s, FAR * abs(size_of(size)) + 0.0 * d, 1.0 + 0.0 * d, 0.0 * d, 0.0 * d)
        return revolved(rho, c, s, d, -n_1, n_2, k)

    return distance


def thick(d, n_1, n_2, k, z, half):
    """A distance in the x-y plane (d; normal n₁, n₂; curvature k) as one of the prism from z = −half to half."""
    sign = 1.0
    if z < 0.0:
        sign = -1.0
    w = sign * z - half
    zero = 0.0 * d * z
    if d > 0.0 and w > 0.0:  # about the edge: ∇∇d = (1/q) t tᵀ across it, and the curvature of the edge along it
        q = sqrt(d * d + w * w)
        a, b = d / q, sign * w / q
        return q, (a * n_1, a * n_2, b), (-b * n_1, -b * n_2, a), 1.0 / q, k * a + zero
    if d > w:
        return d + zero, (n_1 + zero, n_2 + zero, zero), (zero, zero, 1.0 + zero), zero, k + zero
    return w + zero, (zero, zero, sign + zero), (1.0 + zero, zero, zero), zero, zero
