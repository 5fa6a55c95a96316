"""A rim of a cylinder or cone b on a solid a, past whose sharp edges it may have sunk.

Apart, a rim touches with its nearest point (`flexor.contact.approach.rings.ring`). Where it overlaps an edge its points know the faces beside that only, the depth below which has a kink there and is no
way out. So a is looked at from outside: from the middle of the sphere that touches the wall of b at the rim,

    q = y_b + h n,     y_b = c − r n_⊥/|n_⊥|,     n_⊥ = n − (n · u) u,        n = ∇d(q),

c, u, r: centre, axis and radius of the rim, h: radius of the sphere.  Around q the surface of a is a face, or bent about one axis, through z along e with the radius ρ, none of an edge:

    g = max s(n),     s = n · (c − z) − r |n_⊥| − ρ,     s' = n' · (y_b − z),     s'' = −n · (y_b − z) − (r/|n_⊥|) (τ · n')²,      n' = e × n,  τ = u × n_⊥/|n_⊥| .

It is stationary, ġ = n · u, as of a wall (41.7), and the same as the nearest point tells while they are apart.

What stands over an edge, its flat end on a face, has a longer way out past the edge than up. So s is told along the normals at the deepest point of the rim, and beside it, too, each about the plane through its foot;
of all of them the largest is the way out. Of a flush end the rim itself is hardly below the end of a, but the rest of b is: what lies farther along a normal than the rim, up to the other one, has to come
out, too, before that is a way.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.approach.pair import plain, plain_axes
from flexor.contact.approach.rings.ring import nearest_of_ring
from flexor.law.dual import cos, sin, sqrt, value
from flexor.law.primitives import called
from flexor.law.tuples import add, column, cross, dot, scale, sub

TURNS, STEPS = 8, 8
"""Looks at a from another q; steps of n about one axis."""
LONGEST = 0.4
"""Of a step [rad]."""
CLOSE = 1e-12
"""Change of an angle after which one more step is exact [rad]."""
SAME = 1e-8
"""Difference of the normals at q and of the rim that is none."""
FACING = 1e-3
"""Sine of the angle between n and the axis from which on the end of b faces a, rather than its rim."""
BESIDE = 4.0
"""How far beside the deepest point of a rim a is looked at, in depths."""
DEEPER = 20.0
"""How many times deeper than the deepest of its points a rim may be along a way out; else that point tells: of a rim that is flush with a side, say."""
NEARER = 1e-9
"""By how much another point of the rim is nearer, in parts of its radius."""


@called
def turned_once(c, u, r, z, e, n):
    """(change of the angle of n about e by one of Newton's steps, whether s has a largest value there)"""
    out = sub(n, scale(dot(n, u), u))
    sine = sqrt(dot(out, out))
    w = sub(sub(c, scale(r / sine, out)), z)
    way = cross(e, n)
    bend = dot(cross(u, out), way) / sine
    second = -dot(n, w) - r / sine * bend * bend
    if second >= 0.0:
        return 0.0 * second, False
    return -dot(way, w) / second, True


def turned_by(n, e, angle):
    """n turned about e, across it"""
    return add(scale(cos(angle), n), scale(sin(angle), cross(e, n)))


def sine_to(n, u):
    """Of the angle between two unit vectors"""
    out = sub(n, scale(dot(n, u), u))
    return sqrt(dot(out, out))


@cache
def faced_by_rim(distance: Callable) -> Callable:
    """(whether a rim touches a face, an edge or a rounded side, z, e, ρ, n), plain numbers; e = 0 of a face.   q: middle of the sphere at the rim, h: its radius."""

    @called
    def faced(a, c, u, r, q, h):  # type: ignore[no-untyped-def]
        z, e, rho, n, found = c, scale(0.0, u), 0.0, u, False
        for _ in range(TURNS):
            d, m, t, k, o = distance(a, q)
            corner = k > 0.0 and o > 0.0  # or a bent edge: the rim may be beside it
            if d <= 0.0 or k < 0.0 or o < 0.0 or sine_to(m, u) < FACING:
                return False, z, e, rho, n
            off = sub(m, n)
            found = dot(off, off) < SAME * SAME
            if found and corner:
                return False, z, e, rho, n
            n, z, rho, e = m, sub(q, scale(d, m)), 0.0, scale(0.0, u)
            if k + o > 0.0 and not corner:
                z, rho = sub(q, scale(1.0 / (k + o), m)), 1.0 / (k + o) - d
                e = cross(m, t) if k > 0.0 else t
            if found:
                break
            for _ in range(STEPS if k + o > 0.0 and not corner else 0):
                change, largest = turned_once(c, u, r, z, e, n)
                if not largest:
                    return False, z, e, rho, n
                n = turned_by(n, e, min(max(change, -LONGEST), LONGEST))
                if sine_to(n, u) < FACING:
                    return False, z, e, rho, n
                if abs(change) < CLOSE:
                    break
            out = sub(n, scale(dot(n, u), u))
            q = add(sub(c, scale(r / sqrt(dot(out, out)), out)), scale(h, n))
        return found, z, e, rho, n

    return faced


@called
def separated(c, u, r, y, d, m):
    """s(m) of a rim, and its lowest point, seen along the normal m of a at the foot of a point y of it, at the distance d"""
    out = sub(m, scale(dot(m, u), u))
    sine = sqrt(dot(out, out))
    low = sub(c, scale(r / sine, out)) if value(sine) > FACING else y
    return d + dot(m, sub(low, y)), low


@called
def beyond(u, m, rise, r, r_other):
    """How much lower than a rim the other one is, along m; plain numbers, none if it is higher.   rise: height of the other one above it along the axis"""
    return min(rise * value(dot(m, u)) + (r - r_other) * value(sine_to(m, u)), 0.0)


@cache
def rims_on(ends: Callable, distance: Callable) -> Callable:
    """The k-th rim of a cylinder or cone b on a solid a; `ends(b)`: radius and height of both."""
    faced, nearest = faced_by_rim(distance), nearest_of_ring(distance)

    @called
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        u = column(R, 2)
        r_0, z_0, r_1, z_1 = ends(b)
        lean = (r_0 - r_1) / (z_1 - z_0)  # tan γ of the wall, across which the sphere at the rim is
        r, height = (r_1, z_1) if k else (r_0, z_0)
        r_other, rise = (r_0, z_0 - z_1) if k else (r_1, z_1 - z_0)
        c = add(p, scale(height, u))
        d, m, y = nearest(a, c, column(R, 0), column(R, 1), r)
        c_0, u_0 = plain(c), plain_axes(R)
        u_0 = (u_0[2], u_0[5], u_0[8])
        there, z, e, rho, n = faced(a, c_0, u_0, r, sub(c_0, scale(r * lean, u_0)), r * (1.0 + lean * lean) ** 0.5)
        # of the ways out the shortest: along the normal at the deepest point, that of an edge, and those beside, where another face may be as near
        own, bottom = separated(c, u, r, y, d, m)
        best = own + beyond(u, m, rise, r, r_other)
        if value(best) >= value(d) - NEARER * r and not there:
            return d, m, sub(y, scale(0.5 * d, m))
        g, way, low = d, m, y
        if value(d) < 0.0 and value(own) < value(d) - NEARER * r:  # at a kink of d the rim goes deeper along m
            inside, _, _, _, _ = distance(a, bottom)
            if inside <= 0.0:
                g, low = own, bottom
            else:
                best = d + beyond(u, m, rise, r, r_other)
        if there:
            n = add(n, scale(0.0 * d, n))
            for _ in range(2 if dot(e, e) > 0.0 else 0):  # with derivatives
                n = turned_by(n, e, turned_once(c, u, r, z, e, n)[0])
            out = sub(n, scale(dot(n, u), u))
            edge = sub(c, scale(r / sqrt(dot(out, out)), out))
            s = dot(n, sub(edge, z)) - rho
            within = s > 0.0 or d <= 0.0  # a rim overlaps only where a point of it is in a
            whole = s + beyond(u, n, rise, r, r_other)
            if s >= d + NEARER * r or not within:
                return d, m, sub(y, scale(0.5 * d, m))
            if value(best) >= value(whole):
                return g, way, sub(low, scale(0.5 * g, way))
            g, way, low, best = s, n, edge, whole
        if d >= 0.0 and g > DEEPER * d - NEARER * r:
            return g, way, sub(low, scale(0.5 * g, way))
        if d >= 0.0:
            return d, m, sub(y, scale(0.5 * d, m))
        radial = scale(1.0 / r, sub(y, c))
        along = cross(u, radial)
        for side in range(2):
            turn = (BESIDE if side else -BESIDE) * value(d) / r
            beside = add(c, scale(r, add(scale(cos(turn), radial), scale(sin(turn), along))))
            h, o, _, _, _ = distance(a, beside)
            s, lowest = separated(c, u, r, beside, h, o)
            whole = s + beyond(u, o, rise, r, r_other)
            inside, _, _, _, _ = distance(a, lowest)
            if value(whole) > value(best) and value(h) < 0.0 and inside <= 0.0:
                g, way, low, best = s, o, lowest, whole
        if value(g) < DEEPER * value(d):
            return d, m, sub(y, scale(0.5 * d, m))
        return g, way, sub(low, scale(0.5 * g, way))

    return approach
