"""Where the borders of two flat faces cross that lie on each other, of a curved prism a and of any convex solid b: corners of what they share.

The border of the face of a is followed, y(s) with the tangent t_a. It crosses that of b's face where y comes to be farther inside this one than SLACK: of borders that coincide a's counts as the larger one.
There b's border has the tangent t_b, across the gradient of that distance, and both are taken for lines that stay with their bodies: across both

    n = t_a × t_b/|t_a × t_b|,      g = n · (y_b − y_a)                                                          (as `flexor.contact.approach.convex.flats`)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.convex.circles import across
from flexor.contact.approach.convex.flats import across_both, along_most, placed_faces
from flexor.contact.approach.convex.prism import border_of, sections_of
from flexor.contact.approach.convex.solid import EDGE, Convex
from flexor.contact.approach.pair import far, plain, plain_axes
from flexor.law.primitives import called
from flexor.law.tuples import add, cross, dot, mtv, mv, scale, sub

CROSSINGS = 12
"""At most: of a hexagon and a circle."""
PLACES = 64
"""Of a border, at least, between which it is looked for crossings."""
HALVINGS = 40
"""Of the way between two of them."""
ASIDE = 1e-6
"""Step of the gradient of the distance from a border, in parts of the size."""


@cache
def borders_cross(of_a: Convex, of_b: Convex) -> Callable:
    """The k-th crossing; of_a: a prism."""
    place, b_placed, inside, b_face, b_level = placed_faces(of_a, of_b), of_b.placed, of_b.inside, of_b.face, of_b.level

    @called
    def within(A, B, i, j, s, slack):  # type: ignore[no-untyped-def]
        y, _ = border_of(A, i, s)
        return inside(B, j, y) > slack

    @called
    def crossing(A, B, i, j, k, slack):  # type: ignore[no-untyped-def]
        """(whether there is one, s); plain numbers"""
        sections = sections_of(A, i)
        steps = max(PLACES, 2 * sections)
        pitch, count = 1.0 * sections / steps, 0
        last = within(A, B, i, j, 0.0, slack)
        for q in range(1, steps + 1):
            here = within(A, B, i, j, q * pitch if q < steps else 0.0, slack)
            if here != last:
                if count == k:
                    low, high = (q - 1) * pitch, q * pitch
                    for _ in range(HALVINGS):
                        middle = 0.5 * (low + high)
                        if within(A, B, i, j, middle, slack) == last:
                            low = middle
                        else:
                            high = middle
                    return True, low
                count += 1
            last = here
        return False, 0.0

    @called
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        A, _B, n, i, j, size = place(a, b, p, R)
        if i < 0 or j < 0:
            return far(p, R)
        at, axes = plain(p), plain_axes(R)
        B_0 = b_placed(b, at, axes)
        found, s = crossing(A, B_0, i, j, k, EDGE * size)
        if not found:
            return far(p, R)
        y, t_a = border_of(A, i, s)
        m = b_face(B_0, j)
        low = sub(y, scale(dot(m, y) - b_level(B_0, j), m))
        e_1 = across(m)
        e_2, h = cross(m, e_1), ASIDE * size
        f_1 = inside(B_0, j, add(low, scale(h, e_1))) - inside(B_0, j, sub(low, scale(h, e_1)))
        f_2 = inside(B_0, j, add(low, scale(h, e_2))) - inside(B_0, j, sub(low, scale(h, e_2)))
        t_b = cross(m, add(scale(f_1, e_1), scale(f_2, e_2)))
        long = dot(t_b, t_b)
        if long <= 0.0:
            return far(p, R)
        t_b = mv(R, mtv(axes, scale(long**-0.5, t_b)))
        return across_both(t_a, t_b, y, add(p, mv(R, mtv(axes, sub(low, at)))), n, p, R, size)

    return along_most(of_a, of_b, approach)
