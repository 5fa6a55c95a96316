"""The helix that joins two frames, on tuples: how its rotation vector ψ and its stretch u follow the frames.

Frame 2 is reached from frame 1 along a curve of constant strain, H₁⁻¹ H₂ = exp(u, ψ) on SE(3). In global axes, with the
vector y from origin to origin,

    exp ψ̂ = R₂ R₁ᵀ,   u = H(ψ)⁻¹ y,   H⁻¹ = I − ½ ψ̂ + d ψ̂²,   d(ψ) = (1 − ψ/2 cot ψ/2)/ψ²

The functions here are H⁻¹ b and its derivatives by ψ. d₂ and d₃ are the derivatives of d: ∂d/∂ψ = d₂ ψᵀ, ∂d₂/∂ψ = d₃ ψᵀ.
"""

from __future__ import annotations

import math

from flexor.law.rotation_vector import half_angle_terms, rotation_vector
from flexor.law.tuples import (
    add,
    cross,
    diagonal,
    dot,
    madd,
    mscale,
    msub,
    outer,
    scale,
    skew,
    sub,
)

TURNED_TOO_FAR = 3
LARGEST_TURN = math.radians(150.0)
"""Of one end against the other. Beyond half a turn the shortest way from frame to frame is the wrong one, so that the forces would
jump to the other side; the margin is there to notice it before."""
TURN_ERRORS = {
    TURNED_TOO_FAR: "its ends are turned against each other by more than 150°; at half a turn an element loses count of "
    "which way it is bent or twisted; raise divisions, so that each element turns less (in statics also load_steps, if it "
    "should not turn so far)"
}


def third(q):
    """d₃ = d₂′/ψ at q = ψ²; d and d₂ are those of `flexor.law.rotation_vector.cotangent`."""
    if q < 0.25:
        return 1 / 3780 + q * (
            1 / 50400
            + q * (1 / 997920 + q * (691 / 16345929600 + q * (1 / 622702080 + q * (5.69466e-11 + q * 1.92328e-12))))
        )
    c, e = half_angle_terms(q)
    return (2.0 * e * (1.0 - c) + c - e - 4.0 * (e + c - 2.0)) / (q * q * q)


def turn_between(R):
    """ψ of R = exp ψ̂, as `rotation_vector`; faster up to |ψ| = ¼, where ψ/sin ψ is a series in sin²ψ."""
    s = sine_of(R)
    q = dot(s, s)
    return rotation_vector(R) if beyond_series(R, q) else scale(by_sine(q), s)


def sine_of(R):
    """sin ψ times the axis"""
    return (0.5 * (R[7] - R[5]), 0.5 * (R[2] - R[6]), 0.5 * (R[3] - R[1]))


def beyond_series(R, q):
    """Whether the series at q = sin²ψ does not hold."""
    return (q > 0.06) | (R[0] + R[4] + R[8] < 1.0)


def by_sine(q):
    """arcsin(s)/s = Σ (2k)!/(4ᵏ k!² (2k + 1)) s²ᵏ at q = s², by parts which need not wait for each other"""
    z = q * q
    w = z * z
    first = (1.0 + q * (1 / 6)) + z * (3 / 40 + q * (5 / 112))
    second = (35 / 1152 + q * (63 / 2816)) + z * (231 / 13312 + q * (143 / 10240))
    last = (6435 / 557056 + q * (12155 / 1245184)) + z * (46189 / 5505024 + q * (88179 / 12058624))
    return (first + w * second) + (w * w) * (last + w * (676039 / 104857600))


def along(psi, d, b):
    """H⁻¹ b = b − ½ ψ × b + d (ψ (ψ·b) − ψ² b)"""
    f, g = d * dot(psi, b), 1.0 - d * dot(psi, psi)
    n = cross(psi, b)
    return (
        g * b[0] + f * psi[0] - 0.5 * n[0],
        g * b[1] + f * psi[1] - 0.5 * n[1],
        g * b[2] + f * psi[2] - 0.5 * n[2],
    )


def back(psi, d, b):
    """H⁻ᵀ b = b + ½ ψ × b + d (ψ (ψ·b) − ψ² b)"""
    f, g = d * dot(psi, b), 1.0 - d * dot(psi, psi)
    n = cross(psi, b)
    return (
        g * b[0] + f * psi[0] + 0.5 * n[0],
        g * b[1] + f * psi[1] + 0.5 * n[1],
        g * b[2] + f * psi[2] + 0.5 * n[2],
    )


def inverse_tangent(psi, d):
    """H⁻¹"""
    x, y, z = psi
    xy, xz, yz = d * x * y, d * x * z, d * y * z
    xx, yy, zz = d * x * x, d * y * y, d * z * z
    x, y, z = 0.5 * x, 0.5 * y, 0.5 * z
    return (1.0 - yy - zz, xy + z, xz - y, xy - z, 1.0 - xx - zz, yz + x, xz + y, yz - x, 1.0 - xx - yy)


def even_slope(psi, d, d2, b):
    """∂(H⁻¹ b)/∂ψ without ½ b̂, which ∂(H⁻ᵀ b)/∂ψ has with the other sign:
    d (ψ bᵀ + ψ·b I − 2 b ψᵀ) + d₂ (ψ (ψ·b) − ψ² b) ψᵀ"""
    q, f = dot(psi, psi), dot(psi, b)
    column = sub(scale(d2 * f, psi), scale(d2 * q + 2.0 * d, b))
    return madd(madd(diagonal(d * f), outer(scale(d, psi), b)), outer(column, psi))


def slope(psi, d, d2, b):
    """∂(H⁻¹ b)/∂ψ"""
    return madd(even_slope(psi, d, d2, b), skew(scale(0.5, b)))


def slope_back(psi, d, d2, b):
    """∂(H⁻ᵀ b)/∂ψ"""
    return msub(even_slope(psi, d, d2, b), skew(scale(0.5, b)))


def gradient(psi, d, d2, a, b):
    """∂(aᵀ H⁻¹ b)/∂ψ = −½ b × a + d k + d₂ e ψ,   k = a (b·ψ) + b (a·ψ) − 2 ψ (a·b),  e = (a·ψ)(b·ψ) − ψ² a·b"""
    fa, fb, g = dot(a, psi), dot(b, psi), dot(a, b)
    e = fa * fb - dot(psi, psi) * g
    n = cross(a, b)
    f = d2 * e - 2.0 * d * g
    return (
        0.5 * n[0] + d * (a[0] * fb + b[0] * fa) + f * psi[0],
        0.5 * n[1] + d * (a[1] * fb + b[1] * fa) + f * psi[1],
        0.5 * n[2] + d * (a[2] * fb + b[2] * fa) + f * psi[2],
    )


def hessian(psi, d, d2, d3, a, b):
    """∂²(aᵀ H⁻¹ b)/∂ψ² = d (a bᵀ + b aᵀ − 2 a·b I) + d₂ (k ψᵀ + ψ kᵀ + e I) + d₃ e ψ ψᵀ"""
    fa, fb, g = dot(a, psi), dot(b, psi), dot(a, b)
    e = fa * fb - dot(psi, psi) * g
    k = sub(add(scale(fb, a), scale(fa, b)), scale(2.0 * g, psi))
    k = add(scale(d2, k), scale(0.5 * d3 * e, psi))
    A = madd(outer(scale(d, a), b), outer(k, psi))
    f = d2 * e - 2.0 * d * g
    return (
        2.0 * A[0] + f, A[1] + A[3], A[2] + A[6],
        A[1] + A[3], 2.0 * A[4] + f, A[5] + A[7],
        A[2] + A[6], A[5] + A[7], 2.0 * A[8] + f,
    )  # fmt: skip


def second_slope(psi, d, d2, d3, b, c):
    """∂(∂(H⁻¹ b)/∂ψ c)/∂ψ, c held"""
    q, fb, fc, g = dot(psi, psi), dot(psi, b), dot(psi, c), dot(b, c)
    e = sub(scale(fb, psi), scale(q, b))
    k = sub(add(scale(g, psi), scale(fb, c)), scale(2.0 * fc, b))
    A = madd(diagonal(d * g + d2 * fc * fb), outer(add(scale(d, c), scale(d2 * fc, psi)), b))
    A = madd(A, outer(sub(scale(d2, e), scale(2.0 * d, b)), c))
    return madd(A, outer(add(scale(d2, k), sub(scale(d3 * fc, e), scale(2.0 * d2 * fc, b))), psi))


def inverse_rate(psi, d, d2, c):
    """d(H⁻¹)/dt while ψ̇ = c:  −½ ĉ + d (ψ cᵀ + c ψᵀ − 2 ψ·c I) + d₂ ψ·c (ψ ψᵀ − ψ² I)"""
    f = dot(psi, c)
    row = add(scale(d, c), scale(0.5 * d2 * f, psi))
    A = outer(row, psi)
    g = -f * (2.0 * d + d2 * dot(psi, psi))
    B = (
        2.0 * A[0] + g, A[1] + A[3], A[2] + A[6],
        A[1] + A[3], 2.0 * A[4] + g, A[5] + A[7],
        A[2] + A[6], A[5] + A[7], 2.0 * A[8] + g,
    )  # fmt: skip
    return msub(B, mscale(0.5, skew(c)))
