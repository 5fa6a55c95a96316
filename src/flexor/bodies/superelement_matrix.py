"""Exact tangent of a superelement: elastic forces, damping and inertia in the frame that follows it.   (20.5)"""

from __future__ import annotations

from flexor.bodies.column_arrays import (
    add_columns,
    add_product,
    add_rate_slope,
    add_turned,
    component,
    small_product,
    store_columns,
    times_columns,
    times_rows,
)
from flexor.bodies.shadow_frame import turning_rate_slope, turning_slope
from flexor.bodies.superelement_inertia import add_correction_slopes, add_moments, correction_matrices
from flexor.bodies.superelement_layout import NODE_SCRATCH
from flexor.law.primitives import at
from flexor.law.rotation_vector import moment_slope
from flexor.law.tuples import add, madd, mat, mm, mm_skew, mscale, msub, mtv, mv, skew, store, transpose, vec


def superelement_matrix(
    N, nc, k, c, A, B, stiffness, mass, damping, corrections, W_inverse, mu, omega, alpha, R0,
    body, z, f, rbar, inertia, abar, vbar, rate, bent, lent, w, K,
):  # fmt: skip
    """K̄ = Pᵀ(Q₁ P + L_φ G + L_ω Ω) + Q₂ P + Z-, Y-terms, turned to global axes.

    Q₁ = cK (K̂ − D ω̂_d) + cC D with K̂ = ĤᵀKĤ + E,  Q₂ = cK (E_ω Ĥ − 𝒢 ω̂_d) + cC 𝒢;  Ω = ∂ω/∂q̄ with v held.
    Matrices with three columns or rows are stored as three arrays of N one after another.
    """
    cK, cC, cM = c[0], c[1], c[2]
    G = w
    S = at(w, 3 * N)
    Omega = at(w, 6 * N)
    left = at(w, 9 * N)  # multiplies G
    left_omega = at(w, 12 * N)  # multiplies Ω
    V = at(w, 15 * N)
    U = at(w, 18 * N)  # behind Gᵀ
    Q = at(w, 21 * N)
    consistent, damped = k[4] != 0, k[5] != 0
    for i in range(12 * N):
        left[i] = 0.0
    for i in range(nc):
        o = NODE_SCRATCH * i
        P = vec(body, o + 18)
        store_columns(G, N, 6 * i, mm(W_inverse, mat(A, 9 * i)))
        store_columns(G, N, 6 * i + 3, mm(W_inverse, mat(body, o + 9)))
        store_columns(S, N, 6 * i, transpose(mscale(-1.0, skew(P))))
        store_columns(S, N, 6 * i + 3, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    for i in range(6 * nc, N):
        for q in range(3):
            G[q * N + i] = 0.0
            S[q * N + i] = 0.0
    if consistent or damped:
        _frame_spin_slope(N, nc, A, B, W_inverse, omega, vbar, rate, body, G, S, Omega)

    # what is projected on both sides
    _elastic(N, nc, cK, stiffness, z, f, mu, B, body, K)
    if damped:
        for j in range(N):
            column = at(damping, j * N)
            for i in range(N):  # by columns = by rows, it is symmetric
                K[j * N + i] += cC * column[i]
        add_turned(N, nc, -cK, damping, omega, K)
        add_rate_slope(N, nc, cK, damping, vbar, S, left, left_omega)
    times_columns(N, K, S, V)  # V = Q₁ S
    for q in range(3):
        for i in range(N):
            left[q * N + i] -= V[q * N + i]
    # U = −Sᵀ(Q₁ + left G + left_ω Ω) − cK Z (1 − S G),   Z = −Yᵀ: δd × r̄
    times_rows(N, S, K, U)
    T3 = small_product(N, S, left)
    T4 = small_product(N, S, left_omega)
    for q in range(3):
        for i in range(N):
            U[q * N + i] = -U[q * N + i]
            V[q * N + i] = 0.0
    for i in range(nc):
        store_columns(V, N, 6 * i, mscale(cK, skew(vec(rbar, 6 * i))))  # −cK Z
    T5 = small_product(N, V, S)
    for i in range(N):
        g = (G[i], G[N + i], G[2 * N + i])
        u = add(mv(T3, g), mv(T5, g))
        if consistent or damped:
            u = add(u, mv(T4, (Omega[i], Omega[N + i], Omega[2 * N + i])))
        for q in range(3):
            U[q * N + i] += V[q * N + i] - component(u, q)

    # inertia, projected on the right only
    if consistent:
        correction_matrices(N, nc, cK, cC, corrections, mass, omega, alpha, body, Q)
        times_columns(N, Q, S, V)
        for i in range(N * N):
            K[i] += Q[i]
        for q in range(3):
            for i in range(N):
                left[q * N + i] -= V[q * N + i]
        add_correction_slopes(
            N, nc, cK, cC, corrections, mass, omega, rate, z, vbar, bent, lent, S, Q, left, left_omega
        )
        add_moments(N, nc, cK, cM, corrections, omega, alpha, abar, body, bent, lent, S, V, Q, left, K)
    for j in range(N):
        column = at(mass, j * N)
        for i in range(N):
            K[j * N + i] += cM * column[i]
    # turning of forces and accelerations with the frame: −[r̄]^ and M [ā]^
    for i in range(nc):
        for part in range(2):
            o = 6 * i + 3 * part
            turn = mscale(-cK, skew(add(vec(rbar, o), vec(inertia, o))))
            add_columns(left, N, o, transpose(turn))
            store_columns(V, N, o, transpose(mscale(cK, skew(vec(abar, o)))))
    for i in range(6 * nc, N):
        for q in range(3):
            V[q * N + i] = 0.0
    for q in range(3):
        add_product(N, mass, at(V, q * N), at(left, q * N))

    for i in range(N):
        row = at(K, i * N)
        l0, l1, l2 = left[i], left[N + i], left[2 * N + i]
        g0, g1, g2 = G[i], G[N + i], G[2 * N + i]
        for j in range(N):
            row[j] += l0 * G[j] + l1 * G[N + j] + l2 * G[2 * N + j] + g0 * U[j] + g1 * U[N + j] + g2 * U[2 * N + j]
    if consistent or damped:
        for i in range(N):
            row = at(K, i * N)
            l0, l1, l2 = left_omega[i], left_omega[N + i], left_omega[2 * N + i]
            for j in range(N):
                row[j] += l0 * Omega[j] + l1 * Omega[N + j] + l2 * Omega[2 * N + j]
    _to_global(N, nc, R0, K)


def _elastic(N, nc, cK, stiffness, z, f, mu, B, body, K):
    """K = cK (ĤᵀKĤ + E),  E_k = ∂(H⁻ᵀm)/∂ψ H⁻¹ − ∂(Dᵀμ)/∂spin"""
    for i in range(N * N):
        K[i] = cK * stiffness[i]
    if cK == 0.0:
        return
    for i in range(nc):
        o = 6 * i + 3
        H = mat(body, NODE_SCRATCH * i + 21)
        row0, row1, row2 = at(K, o * N), at(K, (o + 1) * N), at(K, (o + 2) * N)
        for j in range(N):
            k0, k1, k2 = row0[j], row1[j], row2[j]
            row0[j] = H[0] * k0 + H[3] * k1 + H[6] * k2
            row1[j] = H[1] * k0 + H[4] * k1 + H[7] * k2
            row2[j] = H[2] * k0 + H[5] * k1 + H[8] * k2
    for i in range(nc):
        o = 6 * i + 3
        H = mat(body, NODE_SCRATCH * i + 21)
        for j in range(N):
            k_row = vec(K, j * N + o)
            store(K, j * N + o, mtv(H, k_row))
        E = mm(moment_slope(vec(z, o), vec(f, o)), H)
        E = msub(E, turning_slope(at(B, 27 * i), mat(body, NODE_SCRATCH * i), mu))
        for j in range(3):
            place = (o + j) * N + o
            K[place] += cK * E[3 * j]
            K[place + 1] += cK * E[3 * j + 1]
            K[place + 2] += cK * E[3 * j + 2]


def _frame_spin_slope(N, nc, A, B, W_inverse, omega, vbar, rate, body, G, S, Omega):
    """Ω = ∂ω/∂q̄ at given velocities: W δω = Σ −A ω̂ δd + J u + (A v̂_k + D ω̂_k) δφ,  v_k relative to the frame's origin"""
    by_turn = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for i in range(3 * N):
        Omega[i] = 0.0
    for i in range(nc):
        o = NODE_SCRATCH * i
        A_k, D_k = mat(A, 9 * i), mat(body, o + 9)
        spin = vec(rate, 6 * i + 3)
        store_columns(Omega, N, 6 * i, mm(W_inverse, mscale(-1.0, mm_skew(A_k, omega))))
        J = turning_rate_slope(at(B, 27 * i), mat(body, o), spin)
        store_columns(Omega, N, 6 * i + 3, mm(W_inverse, J))
        by_turn = madd(by_turn, madd(mm_skew(A_k, vec(vbar, 6 * i)), mm_skew(D_k, vec(vbar, 6 * i + 3))))
    by_turn = msub(mm(W_inverse, by_turn), small_product(N, Omega, S))
    for i in range(N):
        store_column = mv(by_turn, (G[i], G[N + i], G[2 * N + i]))
        Omega[i] += store_column[0]
        Omega[N + i] += store_column[1]
        Omega[2 * N + i] += store_column[2]


def _to_global(N, nc, R0, K):
    """Node rows and columns from the frame's axes to global ones: R₀ K̄ R₀ᵀ"""
    for i in range(2 * nc):
        row0, row1, row2 = at(K, 3 * i * N), at(K, (3 * i + 1) * N), at(K, (3 * i + 2) * N)
        for j in range(N):
            k0, k1, k2 = row0[j], row1[j], row2[j]
            row0[j] = R0[0] * k0 + R0[1] * k1 + R0[2] * k2
            row1[j] = R0[3] * k0 + R0[4] * k1 + R0[5] * k2
            row2[j] = R0[6] * k0 + R0[7] * k1 + R0[8] * k2
    for j in range(N):
        for i in range(2 * nc):
            o = j * N + 3 * i
            store(K, o, mv(R0, vec(K, o)))
