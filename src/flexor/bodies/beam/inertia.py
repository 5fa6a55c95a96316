"""Inertia of a beam's sections, on tuples: vectors that turn with their nodes, and rotary inertia."""

from __future__ import annotations

from flexor.law.tuples import (
    add,
    cross,
    madd,
    mm,
    mm_skew,
    mmt,
    mscale,
    msub,
    mtv,
    mv,
    scale,
    skew,
    skew2,
    skew_mm,
)


def acceleration(u, omega, alpha):
    """ü of a vector that turns with its node: α × u + ω × (ω × u)"""
    return add(cross(alpha, u), cross(omega, cross(omega, u)))


def acceleration_slope(u, omega, turning, c):
    """cK ∂ü/∂θ + cC ∂ü/∂ω + cM ∂ü/∂α = −(cM û + cC ((ω × u)^ + ω̂ û) + cK (α̂ + ω̂²) û);  turning = cM I + cC ω̂ + cK (α̂ + ω̂²)"""
    return mscale(-1.0, madd(mm_skew(turning, u), skew(scale(c.C, cross(omega, u)))))


def turning_of(omega, alpha, c):
    """cM I + cC ω̂ + cK (α̂ + ω̂²)"""
    A = mscale(c.K, skew2(omega, omega))
    b = add(scale(c.C, omega), scale(c.K, alpha))
    return (
        A[0] + c.M,
        A[1] - b[2],
        A[2] + b[1],
        A[3] + b[2],
        A[4] + c.M,
        A[5] - b[0],
        A[6] - b[1],
        A[7] + b[0],
        A[8] + c.M,
    )


def rotary_torque(J, N, omega, alpha):
    """J α + ω × J ω, J given in node axes"""
    omega_N = mtv(N, omega)
    return mv(N, add(mv(J, mtv(N, alpha)), cross(omega_N, mv(J, omega_N))))


def rotary_slope(J, N, omega, alpha, c):
    """cK, cC, cM times its derivatives by θ, ω, α; as for a rigid body, (3.3) of the theory manual"""
    J = mmt(mm(N, J), N)
    L = mv(J, omega)
    W = skew_mm(omega, J)
    stiffness = madd(msub(mm_skew(J, alpha), skew(mv(J, alpha))), msub(mm_skew(W, omega), skew2(omega, L)))
    return madd(mscale(c.M, J), madd(mscale(c.C, msub(W, skew(L))), mscale(c.K, stiffness)))


def weighted(f, a, g, b, h, c, i, d):
    """f a + g b + h c + i d"""
    return (
        f * a[0] + g * b[0] + h * c[0] + i * d[0],
        f * a[1] + g * b[1] + h * c[1] + i * d[1],
        f * a[2] + g * b[2] + h * c[2] + i * d[2],
    )
