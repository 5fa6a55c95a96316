"""Tangent of the floating body: cK ∂r/∂q + cC ∂r/∂v + cM ∂r/∂a in blocks of frame and modes.

The scratch memory `w` holds, in vectors of m entries: U = C + W q (6), E (3), S̃ (3); W q̇ (6), Γ q̇ (3), B q̇ (3), A q̇ (3);
Γ q̈ (3), B q̈ (3), A q̈ (3).
"""

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
    mv,
    neg,
    put_col,
    put_mat,
    put_row,
    scale,
    skew,
    skew2,
    sub,
)

PLAIN, STIFFENED = 9, 15
"""Matrices that multiply q: W (6) and Γ (3), then B (3) and A (3)."""


def triple(array, i, m):
    """Entry i of three vectors of length m."""
    return (array[i], array[i + m], array[i + 2 * m])


def six(array, i, m):
    """Entry i of six vectors of length m."""
    return (array[i], array[i + m], array[i + 2 * m], array[i + 3 * m], array[i + 4 * m], array[i + 5 * m])


def twice(f, u):
    """2 F(f) u = ∂/∂u Σ fₚ yₚ(u)"""
    return (
        2.0 * f[0] * u[0] + f[3] * u[1] + f[5] * u[2],
        f[3] * u[0] + 2.0 * f[1] * u[1] + f[4] * u[2],
        f[5] * u[0] + f[4] * u[1] + 2.0 * f[2] * u[2],
    )


def rigid_blocks(N, c, mass, R, A, omega, alpha, moment, J, force, torque, by_spin, turning, K):
    """Rows and columns of the frame. A turn δθ of it changes u = Rᵀ(a vector held in space) by u × Rᵀδθ."""
    cK, cC, cM = c[0], c[1], c[2]
    for i in range(3):
        K[i * N + i] += cM * mass
    stiff = msub(madd(mscale(mass, skew(A)), mm_skew(by_spin, omega)), madd(skew2(moment, alpha), skew(force)))
    block = madd(mscale(cK, stiff), msub(mscale(cC, by_spin), mscale(cM, skew(moment))))
    put_mat(K, N, 0, 3, mmt(mm(R, block), R))
    put_mat(K, N, 3, 0, mscale(cM, skew(mv(R, moment))))
    stiff = madd(madd(skew2(moment, A), mm_skew(J, alpha)), msub(mm_skew(turning, omega), skew(torque)))
    block = madd(mscale(cK, stiff), madd(mscale(cC, turning), mscale(cM, J)))
    put_mat(K, N, 3, 3, mmt(mm(R, block), R))


def coupling_blocks(m, N, c, R, A, omega, alpha, w, K):
    """Columns of the modes in the frame's rows, and rows of the modes in the frame's columns."""
    cK, cC, cM = c[0], c[1], c[2]
    for i in range(m):
        U_i, E_i, S_i = six(w, i, m), triple(w, 6 * m + i, m), triple(w, 9 * m + i, m)
        Wd, Gd = six(w, 12 * m + i, m), triple(w, 18 * m + i, m)
        Bd, Ad = triple(w, 21 * m + i, m), triple(w, 24 * m + i, m)
        Gdd, Bdd, Add = triple(w, 27 * m + i, m), triple(w, 30 * m + i, m), triple(w, 33 * m + i, m)
        X = twice(U_i, omega)  # −∂J/∂qᵢ ω
        S_turned = cross(omega, S_i)
        # ∂force/∂q = ω̇ × S̃ + ω × (ω × S̃) + 2 ω × B q̇ + B q̈,  by q̇ 2 ω × S̃ + 2 B q̇,  by q̈ S̃
        stiff = add(add(cross(alpha, S_i), cross(omega, add(S_turned, scale(2.0, Bd)))), Bdd)
        damped = scale(2.0, add(S_turned, Bd))
        column = add(scale(cK, stiff), add(scale(cC, damped), scale(cM, S_i)))
        put_col(K, N, 0, 6 + i, mv(R, column))
        # ∂torque/∂q = S̃ × a + ∂J/∂q ω̇ + ∂J̇/∂q ω + ω × ∂J/∂q ω + (A − Γ) q̈ + ω × (A − Γ) q̇
        lever = cross(S_i, A)
        stiff = sub(sub(lever, twice(U_i, alpha)), sub(twice(Wd, omega), cross(omega, sub(sub(Ad, Gd), X))))
        stiff = add(stiff, sub(Add, Gdd))
        damped = sub(add(cross(omega, E_i), scale(2.0, Ad)), X)
        column = add(scale(cK, stiff), add(scale(cC, damped), scale(cM, E_i)))
        put_col(K, N, 3, 6 + i, mv(R, column))
        # row: S̃ᵀ a + Eᵀ ω̇ + 2 ωₖ Γₖ q̇ + Σ yₚ Uₚ
        by_spin = add(X, scale(2.0, Gd))
        stiff = add(lever, add(cross(E_i, alpha), cross(by_spin, omega)))
        put_row(K, N, 6 + i, 0, scale(cM, mv(R, S_i)))
        put_row(K, N, 6 + i, 3, mv(R, add(scale(cK, stiff), add(scale(cC, by_spin), scale(cM, E_i)))))


def modal_block(m, N, wide, full, c, p, first, last, A, omega, alpha, K):
    """cK (K + Σ yₚ Wₚ + ω̇ₖ (Γₖ + Aₖ) + aₖ Bₖ) + cC (D + 2 ωₖ Γₖ) + cM M; column i of Γ is −row i."""
    cK, cC, cM = c[0], c[1], c[2]
    y0, y1, y2 = cK * omega[0] * omega[0], cK * omega[1] * omega[1], cK * omega[2] * omega[2]
    y3, y4, y5 = cK * omega[0] * omega[1], cK * omega[1] * omega[2], cK * omega[2] * omega[0]
    g = neg(add(scale(cK, alpha), scale(2.0 * cC, omega)))
    g0, g1, g2 = g
    for i in range(m):
        o = first + i * wide * m
        row = (6 + i) * N + 6
        for j in range(m):
            K[row + j] += (
                y0 * p[o + j] + y1 * p[o + m + j] + y2 * p[o + 2 * m + j]
                + y3 * p[o + 3 * m + j] + y4 * p[o + 4 * m + j] + y5 * p[o + 5 * m + j]
                + g0 * p[o + 6 * m + j] + g1 * p[o + 7 * m + j] + g2 * p[o + 8 * m + j]
            )  # fmt: skip
        if wide == STIFFENED:
            o += 9 * m
            b0, b1, b2 = cK * A[0], cK * A[1], cK * A[2]
            a0, a1, a2 = cK * alpha[0], cK * alpha[1], cK * alpha[2]
            for j in range(m):
                K[row + j] += (
                    b0 * p[o + j] + b1 * p[o + m + j] + b2 * p[o + 2 * m + j]
                    + a0 * p[o + 3 * m + j] + a1 * p[o + 4 * m + j] + a2 * p[o + 5 * m + j]
                )  # fmt: skip
        if full:
            o = last + i * m
            for j in range(m):
                K[row + j] += cK * p[o + j] + cM * p[o + m * m + j] + cC * p[o + 2 * m * m + j]
        else:
            o = last + i
            K[row + i] += cK * p[o] + cM * p[o + m] + cC * p[o + 2 * m]
