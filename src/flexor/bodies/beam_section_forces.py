"""Section forces in the middle of a beam element, from the forces on its nodes, on tuples."""

from __future__ import annotations

from flexor.bodies.exact_beam_layout import R_NS, T_1, T_2, U0
from flexor.law.tuples import add, cross, mat, mm, mtv, mv, norm, rotation_of, scale, store, sub, vec


def store_section_forces(p, N1, N2, y, psi, force, moment, w):
    """w = N, Qy, Qz, T, My, Mz in the middle, in equilibrium with force and moment on node 2; y from end to end, ψ its turn.

    The middle section is halfway between both ends in orientation, and in position at ½ (x₁ + x₂) + L/8 (t₁ − t₂)   (21.14)
    """
    sag = scale(0.125 * norm(vec(p, U0)), sub(mv(N1, vec(p, T_1)), mv(N2, vec(p, T_2))))
    moment = add(moment, cross(sub(scale(0.5, y), sag), force))
    S = mm(rotation_of(scale(0.5, psi)), mm(N1, mat(p, R_NS)))
    store(w, 0, mtv(S, force))
    store(w, 3, mtv(S, moment))
