"""Contact over the skin of a superelement: the same law as of a floating body, seen in the frame that its connection nodes carry.

The nodes tell the frame (x₀, R₀) and the deformations z = [d_k, ψ_k; q] in it (`flexor.bodies.superelement.law`), of which the displacements of the skin are linear
functions. So the law of a floating body finds forces F₀, M₀ on the frame and h_k, μ_k, on each d_k, ψ_k, all in axes of the frame. By virtual work with

    δx̄₀ = Σ w_k δx̄_k,   W δφ = Σ A_k δx̄_k + D_k δθ̄_k,   δd_k = δx̄_k − δx̄₀ − δφ × P̄_k,   δψ_k = H⁻¹(ψ_k)(δθ̄_k − δφ)

they act on node k, with m_k = H⁻ᵀ μ_k and τ = M₀ − Σ P̄_k × h_k + m_k, as

    force  w_k (F₀ − Σ h_j) + h_k + A_kᵀ W⁻ᵀ τ,      moment  m_k + D_kᵀ W⁻ᵀ τ
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from flexor.bodies.superelement.shadow_frame import FRAME_ERRORS, Shadow
from flexor.contact.deformable.carriage import NODE, deformed, share
from flexor.contact.deformable.material_point import POINT_WORDS
from flexor.contact.deformable.moving_touch import (
    ROOM,
    MovingRecord,
    MovingSurface,
    MovingTouch,
    moving_touch,
)
from flexor.contact.touch_law import SIGNALS
from flexor.law import RESIDUAL, Law, law
from flexor.law.face import Answer, State
from flexor.law.primitives import at
from flexor.law.record import nested
from flexor.law.tuples import mat, put, store, store_mat, vec


class CorotatedRecord(MovingRecord):
    """Parameters of the law; nodes: of the rigid surface, then the connection nodes."""

    frame = nested(Shadow, "the frame that follows the connection nodes")


def corotated_room(nodes: int, coordinates: int, own: int) -> int:
    """Words that the law needs; own: those of the search."""
    return ROOM + 36 + 4 * coordinates + 12 + NODE * nodes + ROOM + POINT_WORDS + 9 * coordinates + own


@cache
def corotated_law(kind: MovingSurface, distance: Callable, rigid: Any, symmetric: bool) -> Law:
    """The law of a kind of deforming surface on a rigid one, whose signed distance and record are given."""
    inner = moving_touch(kind, distance, rigid)

    def touch(want, p, now, out):  # type: ignore[no-untyped-def]
        nc, nq = now.n.nodes - 1, now.n.scalars
        n = 6 * nc + nq
        x, R, v = at(out.w, ROOM), at(out.w, ROOM + 6), at(out.w, ROOM + 24)
        z = at(out.w, ROOM + 36)
        r = at(z, 3 * n)
        bent = at(r, 12 + n)
        w = at(bent, NODE * nc)
        store(x, 0, vec(now.x, 0))
        store_mat(R, 0, mat(now.R, 0))
        store(v, 0, vec(now.v, 0))
        store(v, 3, vec(now.v, 3))
        nodes = at(now.x, 3), at(now.R, 9), at(now.v, 6)
        status, R0, W_inverse = deformed(p.frame, nc, nq, *nodes, now.s, 1, x, R, v, z, bent)
        if status != 0:
            return status
        for i in range(12 + n):
            r[i] = 0.0
        for i in range(ROOM):
            w[i] = out.w[i]  # what is told with the question
        seen = State(now.n, now.h, now.t, now.c, x, R, v, v, z, now.lam)
        status = inner(want, n, p, seen, Answer(r, out.K, w))
        if want & RESIDUAL:
            put(out.r, 0, vec(r, 0))
            put(out.r, 3, vec(r, 3))
            share(p.frame, nc, nq, R0, W_inverse, z, bent, at(r, 6), at(r, 12), at(out.r, 6), at(out.r, 6 + 6 * nc))
        for i in range(ROOM):
            out.w[i] = w[i]
        return status

    touch.__name__ = f"corotated_touch_{kind.record.__name__}_{rigid.__name__}".lower()
    declared = law(
        CorotatedRecord,
        history=MovingTouch,
        outputs=SIGNALS,
        errors=FRAME_ERRORS,
        scratch=ROOM,
        symmetric=symmetric,
        limits_step=True,
    )
    return declared(touch)
