"""How strongly two surfaces are curved where they are nearest: what Hertz's theory needs.

At the point of contact each surface has the tensor κ₁ t₁ t₁ᵀ + κ₂ t₂ t₂ᵀ in its tangent plane. The gap between both grows from there as ½ v · K · v with
the sum K of both tensors, whatever the angle between their directions is; its principal values are the relative curvatures.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from flexor.contact.approach import distances_of, pair_of, records_of, sizes_of
from flexor.contact.distance.sphere import across
from flexor.contact.surfaces import SURFACES
from flexor.law.dual import atan2, cos, sin, sqrt
from flexor.law.tuples import add, cross, dot, mtv, mv, scale, sub

ABOVE = 1e-6
"""How far above a surface its curvature is asked for, in parts of its size: there edges and corners show themselves."""
SHARP = 1e-3
"""1 − k d of a point above a sharp edge or corner, whose curvature is infinite."""


def curved(a: Any, b: Any) -> Callable:
    """Tells (high, low, direction) of two shapes: the relative curvatures [1/m] and where the low one goes, in a's axes.

    A function (a, b, p, R, g, n, x, above) of the numbers of both surfaces, the pose of b's axes in a's, gap, normal and point of contact, and how far
    above the surfaces to look [m]. Infinite where an edge or a corner touches.
    """
    return _curved(*distances_of(a, b))


@cache
def _curved(from_a: Callable, from_b: Callable) -> Callable:
    def relative(a, b, p, R, g, n, x, above):  # type: ignore[no-untyped-def]
        e_1 = across(n)
        e_2 = cross(n, e_1)
        of_a = from_a(a, add(x, scale(above - 0.5 * g, n)))
        of_b = from_b(b, mtv(R, sub(sub(x, scale(above - 0.5 * g, n)), p)))
        t_a, t_b = of_a[2], mv(R, of_b[2])
        s_a, s_b = cross(of_a[1], t_a), cross(mv(R, of_b[1]), t_b)
        xx, xy, yy = 0.0 * g, 0.0 * g, 0.0 * g
        sharp = False
        for bend, d, t in (
            (of_a[3], of_a[0], t_a),
            (of_a[4], of_a[0], s_a),
            (of_b[3], of_b[0], t_b),
            (of_b[4], of_b[0], s_b),
        ):
            room = 1.0 - bend * d
            if abs(room) < SHARP:
                sharp = True
            else:
                kappa = bend / room
                u, v = dot(t, e_1), dot(t, e_2)
                xx, xy, yy = xx + kappa * u * u, xy + kappa * u * v, yy + kappa * v * v
        middle, half = 0.5 * (xx + yy), 0.5 * (xx - yy)
        radius = sqrt(half * half + xy * xy)
        angle = 0.5 * atan2(xy, half) if radius > 1e-12 * abs(middle) else 0.0 * half  # of the high one
        way = add(scale(-sin(angle), e_1), scale(cos(angle), e_2))
        if sharp:
            return math.inf + 0.0 * g, math.inf + 0.0 * g, way
        return middle + radius, middle - radius, way

    return relative


def relative_curvatures(a: Any, b: Any, p: np.ndarray, R: np.ndarray, slices: int = 0) -> tuple[float, float]:
    """The larger and the smaller relative curvature of two shapes where they are nearest [1/m]; p, R: pose of b's surface in a's axes.

    Infinite where an edge or a corner touches.
    """
    pair = pair_of(a, b, slices)
    assert pair is not None
    packed = sizes_of(a, b, slices)
    sizes = [record(size.words) for record, size in zip(records_of(a, b), packed, strict=True)]
    at, turned = tuple(p), tuple(np.ravel(R))
    places = (pair.function(*sizes, at, turned, k) for k in range(pair.places))
    g, n, x = min(places, key=lambda found: found[0])
    high, low, _ = curved(a, b)(*sizes, at, turned, g, n, x, above(a, b))
    return float(high), float(low)


def above(a: Any, b: Any) -> float:
    """How far above two shapes to look for their curvatures [m]."""
    return float(ABOVE * min(max(SURFACES[type(shape)].reach(shape)) for shape in (a, b)))
