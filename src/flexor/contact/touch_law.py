"""The law of a contact: how near the surfaces are → normal force → friction → wrench on both nodes.

In the axes of surface a: gap g, unit normal n from a to b, point of contact x on the common normal, u the velocity of b's material there
beyond a's, w the relative angular velocity. Then ġ = n·u, and with the normal force N, friction T and the moment M of rolling and spinning

    on b, at x:   f = N n − T,   m = −M;      on a the opposite

Nothing is told apart in the equations of motion between bodies that touch and bodies that do not: N = 0 for g ≥ 0. What keeps a step from
being too long for that is `length_share`, see `flexor.contact.impact`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from flexor.contact.approach.lines.along import line_at
from flexor.contact.approach.pair import ELSEWHERE, Function, far, plain, plain_axes
from flexor.contact.impact import FREE, GIVEN_UP, bending_share, leapt, length_share, of_forces
from flexor.contact.laws.friction import SurfaceFriction, across, moved_apart, rubbing_force
from flexor.contact.laws.line_share import share_of_line
from flexor.contact.laws.normal import Stiffness, dissipation, elastic_energy, elastic_force
from flexor.contact.laws.patch import ROUNDS, SAME, follow, peak_pressure
from flexor.contact.touch import Touch
from flexor.contact.unseen import watch, way_of
from flexor.coordinates.frames import Frame, arm_a, arm_b, axes_a, axes_b, offset, offset_rate
from flexor.law import COMMIT, ENERGY, LENGTH, OUTPUT, RESIDUAL, Law, law
from flexor.law.dual import value
from flexor.law.record import Record, integer, nested, number, tail
from flexor.law.tuples import (
    add,
    cross,
    dot,
    mat,
    mm,
    mtv,
    mv,
    neg,
    norm,
    put,
    scale,
    store,
    store_mat,
    sub,
    transpose,
    vec,
)

SIGNALS = (
    ("normal_force", "N"),
    ("friction_force", "N"),
    ("force_x", "N"),
    ("force_y", "N"),
    ("force_z", "N"),
    ("gap", "m"),
    ("deepest", "m"),
    ("slip", "m/s"),
    ("sticks", ""),
    ("power", "W"),
    ("point_x", "m"),
    ("point_y", "m"),
    ("point_z", "m"),
)
UNSEEN = (("unseen", "m"),)
"""One more of rigid surfaces: the deepest overlap so far that the contact does not see."""
PRESSED = (("pressure", "Pa"), ("semi_major", "m"), ("semi_minor", "m"))
"""Further ones of elastic surfaces: where the pressure is highest."""


N_SIGNALS, GAP, POINT, PRESSURE = len(SIGNALS), 5, 10, len(SIGNALS) + 1
"""How many there are; where the gap, the point and the pressure stand. Behind the signals stands what is unseen."""
FADING = 0.98
"""What is left from step to step, if they are as many as usual, of the speed at which surfaces met: what has come to rest need not be resolved any more."""


class TouchRecord(Record):
    """Parameters of the law."""

    a = nested(Frame, "axes of surface a on its node")
    b = nested(Frame, "axes of surface b on its node")
    marker = nested(Frame, "marker of a on its node, in whose axes signals are told")
    stiffness = nested(Stiffness, "normal force")
    rubbing = nested(SurfaceFriction, "friction")
    places = integer("at how many places they may touch")
    reach_a = number("radius of what turns about the axes of a, for the bound of its motion", "m")
    reach_b = number("likewise of b", "m")
    extent = number("how far both reach from the origins of their axes: gaps are known to rounding of that", "m")
    size_a = tail("numbers of surface a")
    size_b = tail("numbers of surface b")
    slack = number("overlap that may be unseen", "m")
    count_a = integer("pieces of the sharp edges of a")
    edges_a = tail("these, see `flexor.contact.unseen.curves`", "m")
    count_b = integer("likewise of b")
    edges_b = tail("likewise", "m")


@cache
def touch_law(
    approach: Function,
    a: Any,
    b: Any,
    symmetric: bool,
    relative: Function | None = None,
    search: Function | None = None,
    told: Function | None = None,
    lines: int = 0,
    look: Function | None = None,
) -> Law:
    """The law of surfaces that approach each other so; a, b: records of their numbers; search, told: parts of the approach, lines: how many lines their first
    places are of (`SurfacePair`).

    relative: tells the relative curvatures of elastic surfaces (`flexor.contact.curvature.curved`), which they follow; None of others.
    look: tells how deep their edges are within each other (`flexor.contact.unseen.look_along`); None: nothing is unseen.
    """
    return law(
        TouchRecord,
        history=Touch,
        outputs=(*SIGNALS, *UNSEEN) if relative is None else (*SIGNALS, *UNSEEN, *PRESSED),
        scratch=20,
        symmetric=symmetric,
        limits_step=True,
        residual=_touch(approach, a, b, False, relative, search, told, lines, None),
    )(_touch(approach, a, b, True, relative, search, told, lines, look))


def _touch(
    approach: Function,
    a: Any,
    b: Any,
    whole: bool,
    relative: Function | None,
    search: Function | None,
    told: Function | None,
    lines: int,
    look: Function | None,
) -> Any:
    """The law as a function; not whole: nothing but its residual, which is all that dual numbers are asked for."""
    of_lines, along = 3 * lines, line_at(approach) if lines else _nowhere
    elastic_surfaces, searches = relative is not None, search is not None
    look_for, what_is = search or approach, told or approach
    curvatures = relative or _flat
    watched, look_at = look is not None, look or approach

    def touch(want, p, now, out):  # type: ignore[no-untyped-def]
        w = out.w
        A = axes_a(now.R, p)
        s_a = arm_a(now.R, p)
        p_ab = mtv(A, offset(now.x, s_a, arm_b(now.R, p)))
        R_ab = mm(transpose(A), axes_b(now.R, p))
        spin = mtv(A, sub(vec(now.v, 9), vec(now.v, 3)))
        size_a, size_b = a(p.size_a), b(p.size_b)
        if whole and want & OUTPUT:
            begin_signals(w, N_SIGNALS + 4 if elastic_surfaces else N_SIGNALS + 1)
            w[N_SIGNALS] = Touch(now.h).unseen
        power, gained, since, changed = 0.0, 0.0, now.t - Touch(now.h).time, False
        liveliest, fine = w[0], w[2]
        if whole and want & LENGTH:
            w[0], w[3] = FREE, 0.0
        if not is_found(Touch(now.h), p_ab, R_ab):
            at, axes = plain(p_ab), plain_axes(R_ab)
            lies = _nowhere(size_a, size_b, at, axes, 0)
            for k in range(p.places):
                h = Touch(now.h, k)
                if searches:
                    h.found[0], h.found[1], h.found[2] = look_for(size_a, size_b, at, axes, k)
                if k < of_lines:
                    if k % 3 == 0:
                        lies = along(size_a, size_b, at, axes, k)
                    keep_place(h, lies[k % 3])
                elif searches:
                    keep_place(h, what_is(size_a, size_b, at, axes, int(h.found[0]), int(h.found[1]), int(h.found[2])))
                else:
                    keep_place(h, approach(size_a, size_b, at, axes, k))
        line, least = _nowhere(size_a, size_b, p_ab, R_ab, 0), 1e300
        if whole and watched and want & COMMIT:
            Touch(now.h).moved += way_of(p, Touch(now.h), p_ab, R_ab)
        for k in range(p.places):
            h = Touch(now.h, k)
            if k < of_lines and k % 3 == 0 and h.place[0] <= 0.0:
                line = along(size_a, size_b, p_ab, R_ab, k)
            if h.place[0] > 0.0 and not want & (OUTPUT | ENERGY | LENGTH | COMMIT):
                continue  # no force, whatever the derivatives of the place
            if whole and h.place[0] > 0.0:
                g, n, x = h.place[0], vec(h.place, 1), vec(h.place, 4)
            elif k < of_lines:
                g, n, x = line[k % 3]
            elif searches:
                g, n, x = what_is(size_a, size_b, p_ab, R_ab, int(h.found[0]), int(h.found[1]), int(h.found[2]))
            else:
                g, n, x = approach(size_a, size_b, p_ab, R_ab, k)
            arm = add(s_a, mv(A, x))
            other = add(arm, sub(vec(now.x, 0), vec(now.x, 3)))
            u = mtv(A, offset_rate(now.v, arm, other))
            rate, forced = dot(n, u), dot(n, sub(u, vec(h.u, 0)))
            of_leap = forced - dot(n, cross(spin, sub(x, vec(h.x, 0))))
            # the nearest place of a line wanders along it
            gain = of_forces(of_leap if k < of_lines else forced, rate - h.rate)
            if whole and want & LENGTH:
                share = length_share(
                    p, h, now.t, approach, size_a, size_b, k, g, n, x, u, gain, of_leap, k < of_lines, A, p_ab, R_ab, liveliest, fine
                )  # fmt: skip
                w[0], w[3] = min(w[0], share), max(w[3], 1.0 if share == GIVEN_UP else 0.0)
                w[0] = min(w[0], bending_share(p.rubbing, h, now.t, rate, u))
                w[1] = max(w[1], h.swift if g <= 0.0 else 0.0)
                continue
            depth = max(-g, 0.0 * g)
            stiffer = 1.0 + h.stiffening if elastic_surfaces else 1.0
            elastic, stored = elastic_force(p.stiffness, depth), 0.0 * depth
            if k < of_lines:
                elastic, stored = share_of_line(p.stiffness, line[0][0], line[1][0], line[2][0], k % 3)
            elif whole and want & ENERGY:
                stored = elastic_energy(p.stiffness, depth)
            elastic = stiffer * elastic
            impact = h.impact + 0.0 * rate
            if h.gap >= ELSEWHERE:  # the speed there at the begin of the step
                impact = max(-dot(n, add(vec(h.u, 0), cross(spin, sub(x, vec(h.x, 0))))), 0.0 * rate)
            N = elastic * dissipation(p.stiffness, -rate, impact, depth)
            slides = across(n, u)
            apart = moved_apart(h, x, p_ab, R_ab)
            T, M, stretch, turn, sticks = rubbing_force(p.rubbing, h, now, N, n, slides, spin, apart, R_ab)
            f = sub(scale(N, n), T)
            if want & RESIDUAL:
                put_wrenches(out.r, mv(A, f), mv(A, M), arm, other)
            # what f and M do beside the change of the elastic energy
            lost = (elastic - N) * rate + dot(T, slides) + dot(M, spin)
            if whole and want & OUTPUT:
                R_m = mm(mat(now.R, 0), mat(p.marker.R, 0))
                point = sub(arm, mv(mat(now.R, 0), vec(p.marker.p, 0)))
                tell(w, h, N, T, mtv(R_m, mv(A, f)), g, slides, sticks, lost, mtv(R_m, point))
                if elastic_surfaces:
                    _tell_pressure(w, p.stiffness, h, N)
            if whole and want & ENERGY:
                w[2] += stiffer * stored
                w[3] += lost
            if whole and want & COMMIT:
                least = min(least, g)
                if h.gap >= ELSEWHERE or (
                    k >= of_lines and leapt(p, h, x, p_ab, R_ab)
                ):  # u of the begin is that of another point
                    gain = of_leap
                remember(p, h, now, g, rate, gain, impact, u, p_ab, R_ab, x, stretch, turn, sticks, fine)
                store(h.n, 0, n)
                store_mat(h.A, 0, A)
                if elastic_surfaces:
                    before = h.stiffening
                    gained += follow(p.stiffness, h, curvatures, size_a, size_b)
                    changed = changed or (h.gap < 0.0 and abs(h.stiffening - before) > SAME)
                    h.power = lost
                    power += h.power
        if whole and watched and want & COMMIT:
            watch(look_at, p, Touch(now.h), size_a, size_b, p_ab, R_ab, least)
        if whole and want & COMMIT:
            for i in range(12):  # no pose at all: what goes on from here may have other shapes
                Touch(now.h).pose[i] = 0.0
        if whole and want & OUTPUT:
            end_signals(w)
        if whole and elastic_surfaces and want & COMMIT:
            _account(Touch(now.h), since, power, gained, changed)
        return 0

    touch.__name__ = f"touch_{a.__name__}_{b.__name__}".lower()
    return touch


def _nowhere(a, b, p, R, k):
    """Of surfaces that do not touch along lines."""
    return far(p, R), far(p, R), far(p, R)


def is_found(h, p, R):
    """Whether the pose is that of the last search; from now on it is"""
    same = True
    for i in range(3):
        same = same and value(p[i]) == h.pose[i]
        h.pose[i] = value(p[i])
    for i in range(9):
        same = same and value(R[i]) == h.pose[3 + i]
        h.pose[3 + i] = value(R[i])
    return same


def keep_place(h, told):
    """Remember a gap, normal and point, plain numbers."""
    g, n, x = told
    h.place[0] = g
    for i in range(3):
        h.place[1 + i], h.place[4 + i] = n[i], x[i]


def _flat(a, b, p, R, g, n, x, above):
    """Of surfaces without a material."""
    return 0.0, 0.0, n


def _tell_pressure(w, p, h, N):
    """The highest pressure of all places, and the half axes of the patch there; of line contact half of the length that carries."""
    pressure, a, b = peak_pressure(p, h, N)
    if p.slice > 0.0:
        w[PRESSURE + 1] += a
    if pressure > w[PRESSURE]:
        w[PRESSURE] = pressure
        w[PRESSURE + 2] = b
        if p.slice == 0.0:
            w[PRESSURE + 1] = a


def _account(h, since, power, gained, changed):
    """What was lost in a step, less what was gained by following the curvatures; whether an equilibrium has to be looked for anew."""
    h.lost = 0.5 * since * (h.total + power) - gained
    h.total = power
    if since > 0.0:
        h.changed = 0.0
    elif changed and h.changed < ROUNDS:
        h.changed += 1.0


def put_wrenches(r, F, M, arm, other):
    """The residual of a force F and the moment −M on b, and of the opposite on a, at arms from both nodes; all in global axes."""
    put(r, 0, F)
    put(r, 3, sub(cross(arm, F), M))
    put(r, 6, neg(F))
    put(r, 9, sub(M, cross(other, F)))


def begin_signals(w, count):
    """None as yet."""
    for i in range(count):
        w[i] = 0.0
    w[GAP] = 1e300


def end_signals(w):
    """The mean point of the forces, of their sum."""
    total = max(w[0], 1e-300 + 0.0 * w[0])
    for i in range(POINT, POINT + 3):
        w[i] = w[i] / total if w[0] > 0.0 else 0.0 * w[i]


def tell(w, h, N, T, F, g, slides, sticks, lost, point):
    """Add what one place has to the signals: forces and losses, the least gap with its sliding, the mean point of the forces."""
    w[0] += N
    w[1] += norm(T) if N > 0.0 else 0.0 * N
    for i in range(3):
        w[2 + i] += F[i]
        w[POINT + i] += N * point[i]
    if g < w[GAP] or (g == w[GAP] and N > 0.0):  # along a line the nearest place may leave its share to the ends
        w[GAP] = g
        w[7] = norm(slides) if N > 0.0 else 0.0 * N
        w[8] = sticks + 0.0 * N
    w[6] = max(w[6], max(h.deepest + 0.0 * g, -g))
    w[9] += lost


def remember(p, h, now, g, rate, gain, impact, u, p_ab, R_ab, x, stretch, turn, sticks, fine):
    """The state at the end of a step.   fine: the usual number of steps that resolve an impact, by that asked for."""
    length = now.t - h.time
    if length > 0.0:
        h.slope = gain / length
    h.time = now.t
    if g >= ELSEWHERE:
        rate, h.impact = 0.0, 0.0
    elif g > 0.0 or h.known == 0.0:
        h.impact = max(-rate, 0.0)
    elif h.gap >= ELSEWHERE:
        h.impact = impact
    elif h.impact > p.stiffness.rest:  # what is pushed from behind goes on faster than it met
        h.impact = max(h.impact, -rate)
    h.swift = max(max(-rate, FADING ** min(max(fine, 0.0), 1.0) * h.swift), 0.0)
    h.known, h.gap, h.rate = 1.0, g, rate
    h.deepest = max(h.deepest, -g)
    store(h.p, 0, p_ab)
    store_mat(h.R, 0, R_ab)
    store(h.x, 0, x)
    store(h.u, 0, u)
    h.slid = 1.0 - sticks
    store(h.stretch, 0, stretch)
    store(h.turn, 0, turn)
