"""Tangent of the floating body: cK ∂r/∂q + cC ∂r/∂v + cM ∂r/∂a in blocks of frame and modes."""

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


def rigid_blocks(N, c, mass, R, A, spin, spin_rate, moment, J, force, torque, by_spin, turning, K):
    """Rows and columns of the frame. A turn δθ of it changes u = Rᵀ(a vector held in space) by u × Rᵀδθ.

    spin, spin_rate: ω and ω̇ where they are held in space, else 0.
    """
    cK, cC, cM = c.K, c.C, c.M
    for i in range(3):
        K[i * N + i] += cM * mass
    stiff = msub(madd(mscale(mass, skew(A)), mm_skew(by_spin, spin)), madd(skew2(moment, spin_rate), skew(force)))
    block = madd(mscale(cK, stiff), msub(mscale(cC, by_spin), mscale(cM, skew(moment))))
    put_mat(K, N, 0, 3, mmt(mm(R, block), R))
    put_mat(K, N, 3, 0, mscale(cM, skew(mv(R, moment))))
    stiff = madd(madd(skew2(moment, A), mm_skew(J, spin_rate)), msub(mm_skew(turning, spin), skew(torque)))
    block = madd(mscale(cK, stiff), madd(mscale(cC, turning), mscale(cM, J)))
    put_mat(K, N, 3, 3, mmt(mm(R, block), R))


def coupling_blocks(m, N, c, translation, made, R, A, omega, alpha, held, K):
    """Columns of the modes in the frame's rows, and rows of the modes in the frame's columns.

    translation: S̄;  made: the matrices times q and its rates.
    held: 1 where ω and ω̇ are held in space when the frame turns, 0 where they turn with it.
    """
    cK, cC, cM = c.K, c.C, c.M
    for i in range(m):
        U_i, E_i, S_i = six(made.U, i, m), triple(made.E, i, m), triple(translation, i, m)
        Wd, Gd, Gdd = six(made.W_rate, i, m), triple(made.G_rate, i, m), triple(made.G_second, i, m)
        X = twice(U_i, omega)  # −∂J/∂qᵢ ω
        S_turned = cross(omega, S_i)
        # ∂force/∂q = ω̇ × S̄ + ω × (ω × S̄),  by q̇ 2 ω × S̄,  by q̈ S̄
        stiff = add(cross(alpha, S_i), cross(omega, S_turned))
        column = add(scale(cK, stiff), add(scale(2.0 * cC, S_turned), scale(cM, S_i)))
        put_col(K, N, 0, 6 + i, mv(R, column))
        # ∂torque/∂q = S̄ × a + ∂J/∂q ω̇ + ∂J̇/∂q ω + ω × ∂J/∂q ω − Γ q̈ − ω × Γ q̇
        lever = cross(S_i, A)
        stiff = sub(sub(lever, twice(U_i, alpha)), add(twice(Wd, omega), cross(omega, add(Gd, X))))
        damped = sub(cross(omega, E_i), X)
        column = add(scale(cK, sub(stiff, Gdd)), add(scale(cC, damped), scale(cM, E_i)))
        put_col(K, N, 3, 6 + i, mv(R, column))
        # row: S̄ᵀ a + Eᵀ ω̇ + 2 ωₖ Γₖ q̇ + Σ yₚ Uₚ
        by_spin = add(X, scale(2.0, Gd))
        stiff = add(lever, scale(held, add(cross(E_i, alpha), cross(by_spin, omega))))
        put_row(K, N, 6 + i, 0, scale(cM, mv(R, S_i)))
        put_row(K, N, 6 + i, 3, mv(R, add(scale(cK, stiff), add(scale(cC, by_spin), scale(cM, E_i)))))


def modal_block(m, N, c, p, omega, alpha, K):
    """cK (K + Σ yₚ Wₚ + ω̇ₖ Γₖ) + cC (D + 2 ωₖ Γₖ) + cM M; column i of Γ is −row i."""
    cK, cC, cM = c.K, c.C, c.M
    y0, y1, y2 = cK * omega[0] * omega[0], cK * omega[1] * omega[1], cK * omega[2] * omega[2]
    y3, y4, y5 = cK * omega[0] * omega[1], cK * omega[1] * omega[2], cK * omega[2] * omega[0]
    g = neg(add(scale(cK, alpha), scale(2.0 * cC, omega)))
    g0, g1, g2 = g
    columns, stiffness, mass, damping = p.columns, p.stiffness, p.own_mass, p.damping
    for i in range(m):
        o = 9 * i * m
        row = (6 + i) * N + 6
        for j in range(m):
            K[row + j] += (
                y0 * columns[o + j] + y1 * columns[o + m + j] + y2 * columns[o + 2 * m + j]
                + y3 * columns[o + 3 * m + j] + y4 * columns[o + 4 * m + j] + y5 * columns[o + 5 * m + j]
                + g0 * columns[o + 6 * m + j] + g1 * columns[o + 7 * m + j] + g2 * columns[o + 8 * m + j]
            )  # fmt: skip
        if p.full:
            o = i * m
            for j in range(m):
                K[row + j] += cK * stiffness[o + j] + cM * mass[o + j] + cC * damping[o + j]
        else:
            K[row + i] += cK * stiffness[i] + cM * mass[i] + cC * damping[i]
