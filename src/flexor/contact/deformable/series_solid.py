"""A side of a body of shape functions as the solid that another surface touches: the foot on it, found by Newton's iteration from the nearest of some places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from flexor.contact.deformable.deforming_solid import STRIP, beyond, leave_foot
from flexor.contact.deformable.material_point import BACK, PLACE, leave_parameters
from flexor.contact.deformable.series_place import (
    bounds,
    first_slopes,
    functions,
    functions_in,
    leave_side,
    second_slopes,
    side_place,
    step_on,
    within,
)
from flexor.contact.deformable.series_side import SeriesSide, numbers_of
from flexor.law.dual import atan2, cos, sin, sqrt
from flexor.law.record import Packed, integer, tail
from flexor.law.tuples import add, cross, dot, norm, scale, store, sub, vec

if TYPE_CHECKING:
    from flexor.bodies.shape_body.surface_point import ShapeSurface

START = 5
"""Numbers of a place from which a foot is searched: s, t, and where it is."""
STEPS = 40
CLOSE = 1e-14
"""Change of a place, in parts of the side's size, that is none."""
LONGEST = 0.5
"""Of a step, in radians or halves of the side's width."""


class SeriesSolid(SeriesSide):
    """Numbers of a side of shape functions that is touched."""

    count = integer("places from which feet are searched")
    starts = tail("s, t and place of each", "m")


def packed_solid(side: ShapeSurface, modes: np.ndarray, places: np.ndarray, starts: np.ndarray) -> Packed:
    """places: (n, 3) all over the undeformed side, from the centre of mass; starts: (n, 3) with s and t of each."""
    table = np.column_stack([starts[:, :2], places])
    return SeriesSolid.pack(**numbers_of(side, modes, 0), count=len(table), starts=table)


def _foot(solid, z):
    """(s, t, free s, free t) of the point of a side that is nearest to z; its functions are left in the room."""
    p, w = solid.p, solid.w
    f = functions_in(p, w)
    zero = 0.0 * z[0] + 0.0 * w[0]
    s_low, s_high, t_low, t_high = bounds(p)
    near, first = 1e300 + zero, 0
    for i in range(p.count):
        r = sub(z, vec(p.starts, START * i + 2))
        q = dot(r, r) + zero
        if q < near:
            near, first = q, i
    s, t = p.starts[START * first] + zero, p.starts[START * first + 1] + zero
    best, s_best, t_best = 1e300 + zero, s, t
    free_s, free_t = True, True
    more = 2
    for _ in range(STEPS):
        y, y_s, y_t = side_place(p, w, s, t, zero)
        r = sub(y, z)
        q = dot(r, r)
        if q > best + CLOSE * p.extent * p.extent:
            s, t = 0.5 * (s + s_best), 0.5 * (t + t_best)
            continue
        best, s_best, t_best = q, s, t
        y_ss, y_st, y_tt = second_slopes(p, w, s, f, zero)
        e_11, e_22 = dot(y_s, y_s), dot(y_t, y_t)
        h_11, h_12, h_22 = e_11 + dot(r, y_ss), dot(y_s, y_t) + dot(r, y_st), e_22 + dot(r, y_tt)
        if h_11 < 0.1 * e_11 or h_22 < 0.1 * e_22 or h_11 * h_22 - h_12 * h_12 < 0.01 * e_11 * e_22:
            h_11, h_12, h_22 = e_11, dot(y_s, y_t), e_22  # beyond the centres of its curvature
        G_1, G_2 = dot(r, y_s), dot(r, y_t)
        free_s = bool(p.turns) or not ((s <= s_low and G_1 > 0.0) or (s >= s_high and G_1 < 0.0))
        free_t = not ((t <= t_low and G_2 > 0.0) or (t >= t_high and G_2 < 0.0))
        det = h_11 * h_22 - h_12 * h_12
        way_s, way_t = -(h_22 * G_1 - h_12 * G_2) / det, -(h_11 * G_2 - h_12 * G_1) / det
        if not free_t:
            way_s, way_t = -G_1 / h_11, zero
        if not free_s:
            way_s, way_t = zero, (-G_2 / h_22 if free_t else zero)
        way_s, way_t = step_on(p, way_s, way_t, LONGEST)
        s_new, t_new = s + way_s, t + way_t
        if t_new < t_low or t_new > t_high:  # the end holds t: s alone goes on
            t_new = within(t_low, t_new, t_high)
            s_new = s - (G_1 + h_12 * (t_new - t)) / h_11 if free_s else s
        if not p.turns:
            s_new = within(s_low, s_new, s_high)
        moved = abs(s_new - s) * sqrt(e_11) + abs(t_new - t) * sqrt(e_22)
        s, t = s_new, t_new
        if moved <= CLOSE * p.extent:
            more -= 1
            if more == 0:
                break
    functions(p, s_best, t_best, f)
    return s_best, t_best, free_s, free_t


def distance_series(solid, z):
    """Signed distance of a point from a side of shape functions as it is deformed."""
    p, w = solid.p, solid.w
    f = functions_in(p, w)
    s, _t, free_s, free_t = _foot(solid, z)
    zero = 0.0 * s
    y, a, b = first_slopes(p, w, s, f, zero)
    r = sub(z, add(y, vec(p.origin, 0)))
    c = cross(a, b)
    n = scale(p.outward / norm(c), c)
    if not (free_s and free_t):  # its border, along which it is as good as straight
        d, n, _steep, bend = beyond(n, r, STRIP * p.extent)
        along = a if free_s else b
        t = cross(n, scale(1.0 / norm(along), along))
        return d, n, t, bend, zero
    d = dot(n, r)
    aa, bb, cc = second_slopes(p, w, s, f, zero)
    # second fundamental form in the axes u along a, v = n × u
    u = scale(1.0 / norm(a), a)
    v = cross(n, u)
    a_u, b_u, b_v = dot(a, u), dot(b, u), dot(b, v)
    l_11, l_12, l_22 = -dot(n, aa), -dot(n, bb), -dot(n, cc)
    k_11 = l_11 / (a_u * a_u)
    k_12 = (l_12 - b_u / a_u * l_11) / (a_u * b_v)
    k_22 = (l_22 - 2.0 * b_u / a_u * l_12 + (b_u / a_u) ** 2.0 * l_11) / (b_v * b_v)
    middle, half = 0.5 * (k_11 + k_22), 0.5 * (k_11 - k_22)
    radius = sqrt(half * half + k_12 * k_12 + 1e-24 / (p.extent * p.extent))
    angle = 0.5 * atan2(k_12, half + 1e-12 / p.extent)
    t = add(scale(cos(angle), u), scale(sin(angle), v))
    high, low = middle + radius, middle - radius
    return d, n, t, _away(high, d), _away(low, d)


def _away(k, d):
    """Curvature at a distance from the surface; none from the centre of its curvature."""
    bent = 1.0 + k * d
    return k / bent if bent > 1e-3 else 0.0 * k


def leave_series(solid, z, h, Y):
    """The foot of z, in Y."""
    s, t, free_s, free_t = _foot(solid, z)
    leave_on_side(solid, z, s, t, h, Y)
    leave_foot(Y, free_s, free_t, 1.0, solid.p.outward, 0.0 * Y[PLACE])
    return 0, 0


def leave_on_side(solid, z, s, t, h, Y):
    """Leave the foot of z, which is at s and t, in Y; its functions in the room."""
    p, w = solid.p, solid.w
    zero = 0.0 * z[0] + 0.0 * w[0]
    before, _s, _t = side_place(p, w, h.s_a + zero, h.t_a + zero, zero)
    functions(p, s + zero, t + zero, functions_in(p, w))
    y = leave_side(p, w, s + zero, zero, Y)
    r = sub(z, y)
    store(Y, BACK, sub(before, y))
    leave_parameters(Y, s + zero, t + zero, dot(r, r))
