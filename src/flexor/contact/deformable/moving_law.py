"""The law of a contact over a floating body, with its matrix.

The tangent of the forces has few directions, whatever the number of modes: motions of both nodes, of y, y_s and y_t. The law is differentiated by
dual numbers along these 21, and each mode is a sum of nine of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from flexor.contact.deformable.material_point import DISTANCE, PLACE, POINT_WORDS, RATE
from flexor.contact.deformable.moving_touch import (
    ROOM,
    MovingSurface,
    MovingTouch,
    moving_touch,
    pressing,
    surface_law,
)
from flexor.contact.deformable.rigid_partner import MovingRecord, placed, rigid_partner
from flexor.law import MATRIX, RESIDUAL, Law
from flexor.law.face import State, seed, widen
from flexor.law.primitives import at, duals
from flexor.law.tuples import cross, dot, mat, mtv, mv, neg, store, sub, vec

FORCES = 17
"""Wrenches on both nodes, force on the material in the axes of its body, motion of σ."""
COLUMNS = 21
"""Directions along which these are differentiated."""
DUALS = 2 * (36 + POINT_WORDS + FORCES) + 2 * FORCES + FORCES * COLUMNS


def moving_room(modes: int, own: int) -> int:
    """Words that the law needs; own: those of the search."""
    return ROOM + POINT_WORDS + 9 * modes + own + DUALS + FORCES * modes


@cache
def moving_law(kind: MovingSurface, distance: Callable, rigid: Any, symmetric: bool) -> Law:
    """The law of a kind of deforming surface on a rigid one, whose signed distance and record are given."""
    partner = rigid_partner(distance, kind.balls)
    search, shapes, begin, pressed = kind.search(distance), kind.shapes, kind.begin, pressing(partner)
    inner = moving_touch(kind, partner)
    record: Any = kind.record

    def forces(p, h, now, size, Y, r):  # type: ignore[no-untyped-def]
        """Wrenches on both nodes as they enter the residual, force on the material in the axes of its body, motion of σ"""
        found = pressed(p, h, now, size, Y)
        F, moment = mv(found.A, found.f), mv(found.A, found.M)
        store(r, 0, F)
        store(r, 3, sub(cross(found.arm, F), moment))
        store(r, 6, neg(F))
        store(r, 9, sub(moment, cross(found.other, F)))
        store(r, 12, mtv(mat(now.R, 9), F))
        r[15] = found.met.ds
        r[16] = found.met.dt

    def touch(want, p, now, out):  # type: ignore[no-untyped-def]
        return inner(want, now.n.scalars, p, rigid(p.size), now, out, at(out.w, ROOM))

    def with_matrix(want, p, now, out):  # type: ignore[no-untyped-def]
        if not want & MATRIX:
            return touch(want, p, now, out)
        m, size, surface = now.n.scalars, rigid(p.size), record(p.surface)
        Y, S = at(out.w, ROOM), at(out.w, ROOM + POINT_WORDS)
        D = at(S, 9 * m)
        modal = at(D, DUALS)
        room = at(modal, FORCES * m)
        _A, _arm, z_0, Q = placed(p, now.x, now.R)
        begin(surface, m, now.s, room)
        for k in range(p.places):
            h = MovingTouch(now.h, k)
            where = search(surface, size, k, h, m, now.s, z_0, Q, Y, room, False)
            if Y[DISTANCE] >= 0.0:
                continue
            shapes(surface, m, Y, where, S, room)
            derive(p, h, now, size, Y, D)
            add_tangent(want, m, S, D, modal, out)
        return 0

    def derive(p, h, now, size, Y, D):  # type: ignore[no-untyped-def]
        """Forces and their slopes along COLUMNS directions, row by row; the forces themselves behind them."""
        X = at(D, FORCES * COLUMNS + FORCES)
        turned = at(X, 12)
        V = at(turned, 36)
        point = at(V, 24)
        answer = at(point, 2 * POINT_WORDS)
        c = now.c
        moved = State(now.n, now.h, now.t, c, duals(X), duals(turned), duals(V), now.a, now.s, now.lam)
        widen(6, now.x, X)
        widen(18, now.R, turned)
        widen(12, now.v, V)
        widen(POINT_WORDS, Y, point)
        for column in range(COLUMNS):
            if column < 12:
                seed(column, 2, 0, c.K, c.C, 0.0, now.R, X, turned, V, answer, answer, answer, 1.0)
            else:
                i = column - 12
                point[2 * (PLACE + i) + 1] = c.K
                if i < 3:
                    point[2 * (RATE + i) + 1] = c.C
            forces(p, h, moved, size, duals(point), duals(answer))
            for i in range(FORCES):
                D[i * COLUMNS + column] = answer[2 * i + 1]
            if column < 12:
                seed(column, 2, 0, c.K, c.C, 0.0, now.R, X, turned, V, answer, answer, answer, 0.0)
            else:
                i = column - 12
                point[2 * (PLACE + i) + 1] = 0.0
                if i < 3:
                    point[2 * (RATE + i) + 1] = 0.0
        for i in range(FORCES):
            D[FORCES * COLUMNS + i] = answer[2 * i]

    def add_tangent(want, m, S, D, modal, out):  # type: ignore[no-untyped-def]
        """The slopes in all coordinates: each mode moves y, y_s and y_t by its shape."""
        size = 12 + m
        value = at(D, FORCES * COLUMNS)
        for i in range(FORCES):
            for b in range(m):
                total = 0.0
                for c in range(9):
                    total += D[i * COLUMNS + 12 + c] * S[9 * b + c]
                modal[i * m + b] = total
        K, r = out.K, out.r
        for i in range(12):
            for j in range(12):
                K[i * size + j] += D[i * COLUMNS + j]
            for b in range(m):
                K[i * size + 12 + b] += modal[i * m + b]
        F = vec(value, 12)
        for a in range(m):
            u, o = vec(S, 9 * a), (12 + a) * size
            along_s, along_t = dot(vec(S, 9 * a + 3), F), dot(vec(S, 9 * a + 6), F)
            for j in range(12):
                K[o + j] -= (
                    u[0] * D[12 * COLUMNS + j] + u[1] * D[13 * COLUMNS + j] + u[2] * D[14 * COLUMNS + j]
                    + along_s * D[15 * COLUMNS + j] + along_t * D[16 * COLUMNS + j]
                )  # fmt: skip
            for b in range(m):
                K[o + 12 + b] -= (
                    u[0] * modal[12 * m + b] + u[1] * modal[13 * m + b] + u[2] * modal[14 * m + b]
                    + along_s * modal[15 * m + b] + along_t * modal[16 * m + b]
                )  # fmt: skip
            if want & RESIDUAL:
                r[12 + a] -= dot(u, F)
        if want & RESIDUAL:
            for i in range(12):
                r[i] += value[i]

    with_matrix.__name__ = f"moving_touch_{record.__name__}_{rigid.__name__}".lower()
    touch.__name__ = with_matrix.__name__
    made = surface_law(MovingRecord, with_matrix, symmetric=symmetric, tangent="own")
    return replace(made, written=touch)
