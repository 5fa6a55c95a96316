"""Ends of a cylinder, cone or prism in what is hollow, and edges of a bore on what goes through it.

A rim that has sunk into the wall right at the end of that is nearer to its flat end than to the wall. But that end looks where the rim looks, away from its own body, which goes on along the wall:
moved out along it, the body would still be in there. So the rim touches the wall, a little way inwards, where the end is farther than the wall.

Where both ends are flush, the rim of the one within counts, and not that of the bore.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.pair import far
from flexor.contact.approach.profiles.contour import nearest_of_contour
from flexor.contact.approach.rings.ring import nearest_of_ring
from flexor.law.dual import value
from flexor.law.tuples import add, column, dot, mv, scale, sub

FLUSH = 5e-9
"""Distance from an end, in parts of the length, at which both ends are flush."""
INWARDS, FARTHER, TRIES = 1e-3, 20.0, 3
"""How far from its end a rim touches the wall, in parts of the length; how much farther if that is deeper than it is far from the end, and how often."""
LOOKS = 0.5
"""Cosine of the angle between a rim's direction and a normal that looks away, too."""


@cache
def rims_within(ring: Callable, distance: Callable, counts: bool, last: int = 1) -> Callable:
    """The rims of b, 0 … last along its axis, on a solid a, as `rings_on` has them, and on walls at whose ends they are; counts: where they are flush, too."""
    nearest = nearest_of_ring(distance)

    def of_rim(a, b, p, R, k, share):  # type: ignore[no-untyped-def]
        """(d, n, y, outwards, length): the k-th rim, moved inwards by a share of the length"""
        rho, z, _ = ring(b, k)
        rho_1, z_1, _ = ring(b, 1 if k == 0 else k - 1)
        low, wide = z + share * (z_1 - z), rho + share * (rho_1 - rho)
        d, n, y = nearest(a, add(p, mv(R, (0.0, 0.0, low))), column(R, 0), column(R, 1), wide)
        out = 1.0 if z > z_1 else -1.0
        return d, n, y, out if k == 0 or k == last else 0.0, abs(z - z_1)

    return _on_walls(of_rim, counts)


@cache
def ends_within(distance: Callable, counts: bool) -> Callable:
    """The nearest places of both ends of a prism b, likewise."""
    nearest = nearest_of_contour(distance, -1)

    def of_end(a, b, p, R, k, share):  # type: ignore[no-untyped-def]
        out = 1.0 if k else -1.0
        d, n, y = nearest(a, b, p, R, out * b.half * (1.0 - 2.0 * share))
        return d, n, y, out, 2.0 * b.half

    return _on_walls(of_end, counts)


def _on_walls(of_end: Callable, counts: bool) -> Callable:
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        d, n, y, out, length = of_end(a, b, p, R, k, 0.0)
        u, flush = column(R, 2), FLUSH * length
        if out * value(dot(n, u)) > LOOKS and value(d) <= flush:
            if not counts and value(d) > -flush:
                return far(p, R)
            share = INWARDS
            for _ in range(TRIES):
                g, m, x, _, _ = of_end(a, b, p, R, k, share)
                if out * value(dot(m, u)) < LOOKS:
                    return g, m, sub(x, scale(0.5 * g, m))
                share *= FARTHER
        return d, n, sub(y, scale(0.5 * d, n))

    return approach
