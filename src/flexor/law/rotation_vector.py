"""Rotation vectors of relative rotations, on tuples: what laws of deforming bodies compute with.

H(ψ)⁻¹ relates spins to rates, ψ̇ = H⁻¹ ω with Ṙ = ω̂ R, R = exp ψ̂ (see `flexor.spatial.tangent_inverse`):

    H⁻¹ = I − ½ ψ̂ + d ψ̂²,   d(ψ) = (1 − ψ/2 cot ψ/2)/ψ²
"""

from __future__ import annotations

from flexor.law.dual import atan2, cos, sin, sqrt, tan
from flexor.law.tuples import add, cross, dot, madd, mscale, msub, outer, scale, skew, skew2, store, sub


def rotation_vector(R):
    """ψ of R = exp ψ̂ with |ψ| < π.   Accurate at small and large angles, singular only at half a turn."""
    s = (0.5 * (R[7] - R[5]), 0.5 * (R[2] - R[6]), 0.5 * (R[3] - R[1]))  # sin ψ · axis
    c = 0.5 * (R[0] + R[4] + R[8] - 1.0)
    q = dot(s, s)
    if q < 1e-4 and c > 0.0:
        # ψ/sin ψ as a series in sin²ψ: arcsin(s)/s
        f = 1.0 + q * (1.0 / 6.0 + q * (3.0 / 40.0 + q * (15.0 / 336.0 + q * (105.0 / 3456.0))))
        return scale(f, s)
    sine = sqrt(q)
    if c > -0.9:
        return scale(atan2(sine, c) / sine, s)
    return _near_half_turn(R, s, sine, c)


def _near_half_turn(R, s, sine, c):
    """Axis from the symmetric part, which is not small there: ½(R + Rᵀ) = cos ψ I + (1 − cos ψ) n nᵀ."""
    f = 1.0 / (1.0 - c)
    xx, yy, zz = (R[0] - c) * f, (R[4] - c) * f, (R[8] - c) * f
    xy, xz, yz = 0.5 * (R[1] + R[3]) * f, 0.5 * (R[2] + R[6]) * f, 0.5 * (R[5] + R[7]) * f
    if xx >= yy and xx >= zz:
        n = (xx, xy, xz)
    elif yy >= zz:
        n = (xy, yy, yz)
    else:
        n = (xz, yz, zz)
    length = sqrt(dot(n, n))
    if dot(n, s) < 0.0:
        length = -length
    return scale(atan2(sine, c) / length, n)


def cotangent(q):
    """d and d₂ = d′/ψ at q = ψ²."""
    if q < 0.25:
        return cotangent_series(q)
    c, e = half_angle_terms(q)
    return (1.0 - c) / q, (e + c - 2.0) / (q * q)


def cotangent_series(q):
    """The same, Σ |B₂ₖ| q^(k−1)/(2k)!, exact to rounding up to |ψ| = ½; by halves, which need not wait for each other"""
    z = q * q
    w = z * z
    d = ((1 / 12 + q / 720) + z * (1 / 30240 + q / 1209600)) + w * (
        (1 / 47900160 + q * (691 / 1307674368000)) + z / 74724249600
    )
    d2 = ((1 / 360 + q / 7560) + z * (1 / 201600 + q / 5987520)) + w * (
        (691 / 130767436800 + q / 6227020800) + z * 4.7455e-12
    )
    return d, d2


def half_angle_terms(q):
    """c = ψ/2 cot ψ/2 and e = ψ²/(4 sin² ψ/2), with which ψ c′ = c − e and ψ e′ = 2 e (1 − c)"""
    half = 0.5 * sqrt(q)
    tangent = tan(half)
    return half / tangent, 0.25 * q * (1.0 + 1.0 / (tangent * tangent))


def spin_to_rate(psi):
    """H(ψ)⁻¹: rate of ψ by the spin ω of exp ψ̂."""
    d, _ = cotangent(dot(psi, psi))
    return msub(madd((1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), mscale(d, skew2(psi, psi))), mscale(0.5, skew(psi)))


def _tangent(q):
    """b = (1 − cos ψ)/ψ², c = (ψ − sin ψ)/ψ³ and b′/ψ, c′/ψ, as functions of q = ψ²."""
    if q < 0.25:
        b = 0.5 - q / 24.0 * (1.0 - q / 30.0 * (1.0 - q / 56.0 * (1.0 - q / 90.0 * (1.0 - q / 132.0))))
        c = 1.0 / 6.0 - q / 120.0 * (1.0 - q / 42.0 * (1.0 - q / 72.0 * (1.0 - q / 110.0 * (1.0 - q / 156.0))))
        b2 = -1.0 / 12.0 + q * (1.0 / 180.0 + q * (-1.0 / 6720.0 + q * (1.0 / 453600.0 - q / 47900160.0)))
        c2 = -1.0 / 60.0 + q * (1.0 / 1260.0 + q * (-1.0 / 60480.0 + q * (1.0 / 4989600.0 - q / 622702080.0)))
        return b, c, b2, c2
    angle = sqrt(q)
    s, e = sin(angle), cos(angle)
    b2 = (angle * s - 2.0 * (1.0 - e)) / (q * q)
    c2 = (3.0 * s - 2.0 * angle - angle * e) / (q * q * angle)
    return (1.0 - e) / q, (angle - s) / (q * angle), b2, c2


def rate_to_spin(psi, rate):
    """H(ψ) ψ̇ = ψ̇ + b ψ × ψ̇ + c ψ × (ψ × ψ̇): the spin of exp ψ̂ by the rate of ψ"""
    b, c, _, _ = _tangent(dot(psi, psi))
    turned = cross(psi, rate)
    return add(rate, add(scale(b, turned), scale(c, cross(psi, turned))))


def rate_to_spin_rate(psi, rate):
    """Ḣ ψ̇: the rate of that spin where ψ̈ = 0"""
    return rate_to_spin_slope(psi, rate, rate)


def rate_to_spin_slope(psi, rate, way):
    """∂(H ψ̇)/∂ψ · e: how that spin changes as ψ goes the way e with ψ̇ held"""
    b, c, b2, c2 = _tangent(dot(psi, psi))
    along = dot(psi, way)
    turned, other = cross(psi, rate), cross(way, rate)
    twice = add(cross(way, turned), cross(psi, other))
    found = add(scale(b2 * along, turned), scale(c2 * along, cross(psi, turned)))
    return add(found, add(scale(b, other), scale(c, twice)))


def moment_of(psi, m):
    """H⁻ᵀ m: the moment that does the work m·δψ in spins."""
    d, _ = cotangent(dot(psi, psi))
    # H⁻ᵀ m = m + ½ ψ × m + d (ψ (ψ·m) − ψ² m)
    q, along = dot(psi, psi), dot(psi, m)
    return (
        m[0] + 0.5 * (psi[1] * m[2] - psi[2] * m[1]) + d * (psi[0] * along - q * m[0]),
        m[1] + 0.5 * (psi[2] * m[0] - psi[0] * m[2]) + d * (psi[1] * along - q * m[1]),
        m[2] + 0.5 * (psi[0] * m[1] - psi[1] * m[0]) + d * (psi[2] * along - q * m[2]),
    )


def moment_slope(psi, m):
    """∂(H⁻ᵀ m)/∂ψ with m held = −½ m̂ + d (ψ mᵀ + ψ·m I − 2 m ψᵀ) + d′/ψ (ψ (ψ·m) − ψ² m) ψᵀ"""
    q, along = dot(psi, psi), dot(psi, m)
    d, d2 = cotangent(q)
    A = msub(outer(psi, m), mscale(2.0, outer(m, psi)))
    A = madd(A, (along, 0.0, 0.0, 0.0, along, 0.0, 0.0, 0.0, along))
    twist = sub(scale(along, psi), scale(q, m))
    return msub(madd(mscale(d, A), mscale(d2, outer(twist, psi))), mscale(0.5, skew(m)))


def store_quaternion(R, q):
    """Quaternion (w, x, y, z) of a rotation matrix, by the largest of its components."""
    trace = R[0] + R[4] + R[8]
    if trace >= R[0] and trace >= R[4] and trace >= R[8]:
        f = sqrt(max(1.0 + trace, 0.0))
        g = 0.5 / f
        q[0] = 0.5 * f
        store(q, 1, ((R[7] - R[5]) * g, (R[2] - R[6]) * g, (R[3] - R[1]) * g))
    elif R[0] >= R[4] and R[0] >= R[8]:
        f = sqrt(max(1.0 + R[0] - R[4] - R[8], 0.0))
        g = 0.5 / f
        q[0] = (R[7] - R[5]) * g
        store(q, 1, (0.5 * f, (R[1] + R[3]) * g, (R[2] + R[6]) * g))
    elif R[4] >= R[8]:
        f = sqrt(max(1.0 + R[4] - R[0] - R[8], 0.0))
        g = 0.5 / f
        q[0] = (R[2] - R[6]) * g
        store(q, 1, ((R[1] + R[3]) * g, 0.5 * f, (R[5] + R[7]) * g))
    else:
        f = sqrt(max(1.0 + R[8] - R[0] - R[4], 0.0))
        g = 0.5 / f
        q[0] = (R[3] - R[1]) * g
        store(q, 1, ((R[2] + R[6]) * g, (R[5] + R[7]) * g, 0.5 * f))
