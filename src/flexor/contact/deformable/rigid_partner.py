"""A rigid solid as partner of a surface that deforms.

dσ = −P dG,   G = ∂d/∂σ = n · Q y_σ,   P = (∂²d/∂σ²)⁻¹                  how σ follows the state; P is 0 along bounds, edges, corners
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.deformable.material_point import (
    BY_S,
    BY_SS,
    BY_ST,
    BY_T,
    GROWS,
    INWARD,
    OUT,
    PLACE,
    SKEWED,
    SPIN,
    YIELD,
    center,
    slope_moved,
)
from flexor.contact.deformable.moving_touch import BESIDE, NO_BALLS, WITHIN, MovingNumbers, MovingTouch
from flexor.contact.deformable.partner import Meeting, Partner
from flexor.coordinates.frames import Frame
from flexor.law.record import nested, tail
from flexor.law.tuples import add, dot, mat, mm, mtv, mv, neg, scale, sub, transpose, vec

STILL = (0.0, 0.0, 0.0)
"""Place, velocity and past of material that does not deform."""


class MovingRecord(MovingNumbers):
    """Parameters of the law with a rigid partner."""

    rigid = nested(Frame, "axes of the rigid surface on its node")
    size = tail("numbers of the rigid surface")


def placed(p, x, R):
    """Axes A of the rigid surface, arm to it; z₀ and Q of the deforming body seen from it."""
    A = mm(mat(R, 0), mat(p.rigid.R, 0))
    arm = mv(mat(R, 0), vec(p.rigid.p, 0))
    z_0 = mtv(A, sub(sub(vec(x, 3), vec(x, 0)), arm))
    return A, arm, z_0, mm(transpose(A), mat(R, 9))


def _no_foot(solid, Y, z_0, Q, h):
    """What a rigid solid does not have."""
    return 0, 0


def _no_modes(solid, foot, met, f, M, r):
    """What a rigid solid does not have."""


def _no_memory(solid, foot, h):
    """What a rigid solid does not have."""


@cache
def rigid_partner(distance: Callable, balls: int = NO_BALLS) -> Partner:
    """A solid whose signed distance is given; balls: whether the surface may touch by balls inside of it."""
    beside, within = balls == BESIDE, balls == WITHIN

    def seen(size, Y, z, e, g):  # type: ignore[no-untyped-def]
        """Distance and normal of a point, or of the ball inside of the surface there."""
        if beside and Y[INWARD] != 0.0:
            d, n, _t, _k, _c = distance(size, center(Y, z, e, g))
            return d - abs(Y[INWARD]), n
        d, n, _t, _k, _c = distance(size, z)
        if within:
            return d - Y[INWARD], n
        return d, n

    def slopes(Y, n, e, g):  # type: ignore[no-untyped-def]
        """G"""
        if within:
            return dot(n, e) - Y[GROWS], dot(n, g) - Y[GROWS + 1]
        return dot(n, e), dot(n, g)

    def meet(size, Y, z_0, Q):  # type: ignore[no-untyped-def]
        z, e, g = add(z_0, mv(Q, vec(Y, PLACE))), mv(Q, vec(Y, BY_S)), mv(Q, vec(Y, BY_T))
        _d, n = seen(size, Y, z, e, g)
        G_1, G_2 = slopes(Y, n, e, g)
        ds = -(Y[YIELD] * G_1 + Y[YIELD + 1] * G_2)
        dt = -((Y[YIELD + 1] + (Y[SKEWED] if beside else 0.0)) * G_1 + Y[YIELD + 2] * G_2)
        z = add(z, add(scale(ds, e), scale(dt, g)))
        if beside:
            e, g = mv(Q, slope_moved(Y, BY_S, BY_SS, ds, dt)), mv(Q, slope_moved(Y, BY_T, BY_ST, ds, dt))
        d, n = seen(size, Y, z, e, g)
        material, spin = z, STILL
        if within:  # on the ball around c, the place of an inner skin
            more = ds * Y[GROWS] + dt * Y[GROWS + 1]
            d, z, material = d - more, sub(z, scale(Y[INWARD] + more, n)), add(z, mv(Q, vec(Y, OUT)))
            spin = neg(mv(Q, vec(Y, SPIN)))
        return Meeting(z, ds, dt, d, n, STILL, STILL, STILL, spin, 0.0, 0.0, 1.0, material)

    return Partner(MovingTouch, distance, placed, _no_foot, meet, _no_modes, _no_memory)
