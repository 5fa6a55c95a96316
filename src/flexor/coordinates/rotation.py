"""Component of the rotation vector: q = e_i · ψ with AᵀB = exp ψ̂, |ψ| < half a turn.

ψ̇ = H⁻¹ Aᵀ(ω_b − ω_a), see `flexor.law.rotation_vector`; so δq = h · (δθ_a − δθ_b) with h = −A H⁻ᵀ e_i.
"""

from __future__ import annotations

from flexor.coordinates.frames import axes_a, axes_b
from flexor.law.rotation_vector import moment_of, moment_slope, rotation_vector, spin_to_rate
from flexor.law.tuples import madd, mm, mmt, mscale, mv, neg, skew, transpose

VECTOR = 5
"""Kind of a component of the rotation vector."""
BACK = -0.9986
"""Cosine of the angle, 177°, from which on it counts as half a turn, where the vector jumps to its opposite."""
HALF_TURN = 77
"""Status of a law that acts on such a component there; what it says is in `BEYOND`."""
BEYOND = {
    HALF_TURN: "the rotation vector on whose component it acts has come to half a turn (177 deg), beyond which it has no meaning; "
    "let it turn less, or use a joint with an angle about the axis about which it turns that far"
}


def _unit(i):
    return (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)


def component(m, A, B):
    """q"""
    psi = rotation_vector(mm(transpose(A), B))
    return psi[0] if m.n_a == 0 else psi[1] if m.n_a == 1 else psi[2]


def component_slope(m, A, B):
    """h"""
    return neg(mv(A, moment_of(rotation_vector(mm(transpose(A), B)), _unit(m.n_a))))


def component_turning(m, A, B):
    """(D_a, D_b) with δh = D_a δθ_a + D_b δθ_b"""
    psi = rotation_vector(mm(transpose(A), B))
    e = _unit(m.n_a)
    # δh = −δθ_a × A k − A ∂k/∂ψ δψ,  k = H⁻ᵀ e,  δψ = H⁻¹ Aᵀ (δθ_b − δθ_a)
    P = mmt(mm(A, mm(moment_slope(psi, e), spin_to_rate(psi))), A)
    return madd(skew(mv(A, moment_of(psi, e))), P), mscale(-1.0, P)


def half_turned(m, p, now):
    """Whether it is a component of a rotation that is half a turn."""
    if m.kind != VECTOR:
        return False
    A, B = axes_a(now.R, p), axes_b(now.R, p)
    trace = 0.0 * A[0]
    for i in range(9):
        trace += A[i] * B[i]
    return 0.5 * (trace - 1.0) < BACK
