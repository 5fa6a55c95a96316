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

from flexor.bodies.superelement.shadow_frame import FRAME_ERRORS, Shadow, find_frame, turning_condition
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
from flexor.law.rotation_vector import moment_of, rotation_vector, spin_to_rate
from flexor.law.tuples import (
    add,
    cross,
    inverse,
    madd,
    mat,
    mm,
    mm_skew,
    msub,
    mtv,
    mv,
    put,
    scale,
    store,
    store_mat,
    sub,
    transpose,
    vec,
)

NODE = 12
"""Words of a node: P̄_k and D_k."""


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
        status, x0, R0 = find_frame(p.frame, nc, at(now.x, 3), at(now.R, 9))
        if status != 0:
            return status
        W_inverse = deformed(p, now, nc, nq, x0, R0, x, R, v, z, bent)
        for i in range(12 + n):
            r[i] = 0.0
        for i in range(ROOM):
            w[i] = out.w[i]  # what is told with the question
        seen = State(now.n, now.h, now.t, now.c, x, R, v, v, z, now.lam)
        status = inner(want, n, p, seen, Answer(r, out.K, w))
        if want & RESIDUAL:
            share(p, nc, nq, R0, W_inverse, z, bent, r, out.r)
        for i in range(ROOM):
            out.w[i] = w[i]
        return status

    def deformed(p, now, nc, nq, x0, R0, x, R, v, z, bent):  # type: ignore[no-untyped-def]
        """States of rigid node and frame, of the deformations z with their rates; P̄ and D of each node. Returns W⁻¹."""
        A, B, X, weights = p.frame.A, p.frame.B, p.frame.X, p.frame.weights
        zero = 0.0 * x0[0]
        W = (zero, zero, zero, zero, zero, zero, zero, zero, zero)
        g, v0 = (zero, zero, zero), (zero, zero, zero)
        for i in range(nc):
            P, Q = mtv(R0, sub(vec(now.x, 3 * i + 3), x0)), mm(transpose(R0), mat(now.R, 9 * i + 9))
            D = turning_condition(at(B, 27 * i), Q)
            store(bent, NODE * i, P)
            store_mat(bent, NODE * i + 3, D)
            d, psi = sub(P, vec(X, 3 * i)), rotation_vector(Q)
            for j in range(3):
                z[3 * (6 * i + j)] = d[j]
                z[3 * (6 * i + 3 + j)] = psi[j]
            W = madd(msub(W, mm_skew(mat(A, 9 * i), P)), D)
            linear, spin = mtv(R0, vec(now.v, 6 * i + 6)), mtv(R0, vec(now.v, 6 * i + 9))
            g = add(g, add(mv(mat(A, 9 * i), linear), mv(D, spin)))
            v0 = add(v0, scale(weights[i], linear))
        W_inverse = inverse(W)
        omega = mv(W_inverse, g)
        for i in range(nc):
            linear, spin = mtv(R0, vec(now.v, 6 * i + 6)), mtv(R0, vec(now.v, 6 * i + 9))
            rate = sub(sub(linear, v0), cross(omega, vec(bent, NODE * i)))
            psi = (z[18 * i + 9], z[18 * i + 12], z[18 * i + 15])
            turn = mv(spin_to_rate(psi), sub(spin, omega))
            for j in range(3):
                z[3 * (6 * i + j) + 1] = rate[j]
                z[3 * (6 * i + 3 + j) + 1] = turn[j]
        for i in range(3 * nq):
            z[18 * nc + i] = now.s[i]
        store(x, 0, vec(now.x, 0))
        store(x, 3, x0)
        store_mat(R, 0, mat(now.R, 0))
        store_mat(R, 9, R0)
        store(v, 0, vec(now.v, 0))
        store(v, 3, vec(now.v, 3))
        store(v, 6, mv(R0, v0))
        store(v, 9, mv(R0, omega))
        return W_inverse

    def share(p, nc, nq, R0, W_inverse, z, bent, found, r):  # type: ignore[no-untyped-def]
        """Forces on frame and deformations as those on the nodes."""
        put(r, 0, vec(found, 0))
        put(r, 3, vec(found, 3))
        F, tau = mtv(R0, vec(found, 6)), mtv(R0, vec(found, 9))
        for i in range(nc):
            o = 12 + 6 * i
            psi = (z[18 * i + 9], z[18 * i + 12], z[18 * i + 15])
            force, moment = vec(found, o), moment_of(psi, vec(found, o + 3))
            store(found, o + 3, moment)
            F = sub(F, force)
            tau = sub(tau, add(cross(vec(bent, NODE * i), force), moment))
        mu = mtv(W_inverse, tau)
        for i in range(nc):
            o = 12 + 6 * i
            force = add(add(scale(p.frame.weights[i], F), vec(found, o)), mtv(mat(p.frame.A, 9 * i), mu))
            moment = add(vec(found, o + 3), mtv(mat(bent, NODE * i + 3), mu))
            put(r, 6 * i + 6, mv(R0, force))
            put(r, 6 * i + 9, mv(R0, moment))
        for i in range(nq):
            r[6 * nc + 6 + i] += found[12 + 6 * nc + i]

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
