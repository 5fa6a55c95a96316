"""Material point of a floating body by multipliers: an independent check of the elimination that the engine uses.   NAK 9

    x_m = x + R (X + S q),      R_m = R exp(Ψ q)

in six multiplier rows: the first three are the open distance in global axes, the others the difference of the rotation
vectors, ψ − Ψ q with R_m = R exp ψ̂, in the axes of the frame. Deformation turns a point by less than half a turn.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexor.law import (
    ACCELERATION_LEVEL,
    ENERGY,
    MATRIX,
    RESIDUAL,
    VELOCITY_LEVEL,
    Term,
    law,
    level_coefficient,
)
from flexor.law.rotation_vector import moment_of, moment_slope, rotation_vector, spin_to_rate
from flexor.law.tuples import (
    add,
    cross,
    madd,
    mat,
    mm,
    mmt,
    mscale,
    mtv,
    mv,
    neg,
    put,
    put_col,
    put_mat,
    put_row,
    scale,
    skew,
    skew2,
    sub,
    transpose,
    vec,
)

ROWS = tuple(f"point {i}" for i in "xyz") + tuple(f"rotation {i}" for i in "xyz")


@law(tangent="own")
def material_point(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    """Φ = [x_m − x − R (X + S q); ψ − Ψ q]

    nodes: frame of the body, material point;  p: X, then for each mode S (3) and Ψ (3)
    """
    m = n[1]
    R_WB = mat(R, 0)
    at = vec(p, 0)
    turned = (0.0, 0.0, 0.0)  # Ψ q
    for i in range(m):
        at = add(at, scale(s[3 * i], vec(p, 3 + 6 * i)))
        turned = add(turned, scale(s[3 * i], vec(p, 6 + 6 * i)))
    arm = mv(R_WB, at)
    psi = rotation_vector(mm(transpose(R_WB), mat(R, 9)))
    f, mu = vec(lam, 0), vec(lam, 3)
    moment = mv(R_WB, moment_of(psi, mu))
    if want & RESIDUAL:
        put(r, 0, neg(f))
        put(r, 3, neg(add(cross(arm, f), moment)))
        put(r, 6, f)
        put(r, 9, moment)
        f_B = mtv(R_WB, f)
        for i in range(m):
            S_i, P_i = vec(p, 3 + 6 * i), vec(p, 6 + 6 * i)
            r[12 + i] -= S_i[0] * f_B[0] + S_i[1] * f_B[1] + S_i[2] * f_B[2]
            r[12 + i] -= P_i[0] * mu[0] + P_i[1] * mu[1] + P_i[2] * mu[2]
        o = 12 + m
        if want & (VELOCITY_LEVEL | ACCELERATION_LEVEL):
            _rates(want, m, p, R_WB, v, a, s, arm, psi, r)
        else:
            put(r, o, sub(sub(vec(x, 3), vec(x, 0)), arm))
            put(r, o + 3, sub(psi, turned))
    if want & MATRIX:
        _matrix(want, m, c, p, R_WB, arm, psi, f, mu, moment, K)
    if want & ENERGY:
        for i in range(5):
            w[i] = 0.0
    return 0


def _rates(want, m, p, R_WB, v, a, s, arm, psi, r):
    """Φ̇ = [ẋ_m − ẋ − ω × R (X + S q) − R S q̇; H⁻¹ u − Ψ q̇], u = Rᵀ (ω_m − ω), or Φ̈"""
    accelerations = want & ACCELERATION_LEVEL
    d = 2 if accelerations else 1
    moved = turned = flow = (0.0, 0.0, 0.0)
    for i in range(m):
        moved = add(moved, scale(s[3 * i + d], vec(p, 3 + 6 * i)))
        turned = add(turned, scale(s[3 * i + d], vec(p, 6 + 6 * i)))
        flow = add(flow, scale(s[3 * i + 1], vec(p, 3 + 6 * i)))
    omega, omega_m = vec(v, 3), vec(v, 9)
    u = mtv(R_WB, sub(omega_m, omega))
    to_rate = spin_to_rate(psi)
    o = 12 + m
    if accelerations:
        # ẍ_m − ẍ − ω̇ × arm − ω × (ω × arm) − 2 ω × R S q̇ − R S q̈
        swept = add(cross(omega, arm), scale(2.0, mv(R_WB, flow)))
        own = add(cross(vec(a, 3), arm), add(cross(omega, swept), mv(R_WB, moved)))
        put(r, o, sub(sub(vec(a, 6), vec(a, 0)), own))
        # H⁻¹ u̇ + (H⁻¹)˙ u − Ψ q̈;   ∂(H⁻¹(ψ) u)/∂ψ = −∂(H⁻ᵀ u)/∂ψ at −ψ, since H⁻¹(ψ) = H⁻ᵀ(−ψ)
        u_dot = mtv(R_WB, sub(sub(vec(a, 9), vec(a, 3)), cross(omega, omega_m)))
        changed = mv(moment_slope(neg(psi), u), mv(to_rate, u))
        put(r, o + 3, sub(sub(mv(to_rate, u_dot), changed), turned))
    else:
        own = add(cross(omega, arm), mv(R_WB, moved))
        put(r, o, sub(sub(vec(v, 6), vec(v, 0)), own))
        put(r, o + 3, sub(mv(to_rate, u), turned))


def _matrix(want, m, c, p, R_WB, arm, psi, f, mu, moment, K):
    """Constraint gradient in rows and columns, and the geometric stiffness of the multipliers."""
    N = 18 + m
    o = 12 + m
    cK, cL = c[0], level_coefficient(want, c)
    to_rate = mmt(spin_to_rate(psi), R_WB)  # ∂ψ/∂θ_m in global spins
    S_arm = skew(arm)
    for i in range(3):
        K[(o + i) * N + i] -= cL
        K[(o + i) * N + 6 + i] += cL
        K[i * N + o + i] -= 1.0
        K[(6 + i) * N + o + i] += 1.0
    put_mat(K, N, o, 3, mscale(cL, S_arm))
    put_mat(K, N, 3, o, mscale(-1.0, S_arm))
    put_mat(K, N, o + 3, 3, mscale(-cL, to_rate))
    put_mat(K, N, o + 3, 9, mscale(cL, to_rate))
    to_spin = transpose(to_rate)
    put_mat(K, N, 3, o + 3, mscale(-1.0, to_spin))
    put_mat(K, N, 9, o + 3, to_spin)
    # δ(R H⁻ᵀ μ) = −(R H⁻ᵀ μ)^ δθ + R ∂(H⁻ᵀ μ)/∂ψ ∂ψ/∂θ (δθ_m − δθ)
    P = mscale(cK, mm(mm(R_WB, moment_slope(psi, mu)), to_rate))
    own = madd(P, mscale(cK, skew(moment)))
    put_mat(K, N, 3, 3, madd(own, mscale(-cK, skew2(f, arm))))
    put_mat(K, N, 3, 9, mscale(-1.0, P))
    put_mat(K, N, 9, 3, mscale(-1.0, own))
    put_mat(K, N, 9, 9, P)
    for i in range(m):
        S_i, P_i = mv(R_WB, vec(p, 3 + 6 * i)), vec(p, 6 + 6 * i)
        bend = scale(cK, cross(f, S_i))  # δ(−arm × f) = f × R S δq
        put_col(K, N, 3, 12 + i, bend)
        put_row(K, N, 12 + i, 3, bend)
        put_col(K, N, o, 12 + i, scale(-cL, S_i))
        put_col(K, N, o + 3, 12 + i, scale(-cL, P_i))
        put_row(K, N, 12 + i, o, neg(S_i))
        put_row(K, N, 12 + i, o + 3, neg(P_i))


def material_point_element(
    name: str, frame: int, node: int, scalars: tuple[int, ...], position: Any, S: Any, Psi: Any
) -> Term:
    """The constraint that binds a node to a point of a floating body.

    position: X (3,) of the point in the undeformed body, from the frame's origin, in its axes [m].
    S, Psi: (3, m) displacement and rotation of the point by the modes, see `shape_at`.
    """
    S, Psi = np.asarray(S, dtype=float), np.asarray(Psi, dtype=float)
    columns = np.concatenate([S, Psi]).T  # (m, 6)
    floats = np.concatenate([np.asarray(position, dtype=float), columns.ravel()])
    return Term(name, material_point, (frame, node), tuple(scalars), ROWS, floats=floats)
