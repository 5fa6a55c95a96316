"""Exact tangent of a superelement: elastic forces, damping and inertia in the frame that follows it.   (20.5)"""

from __future__ import annotations

from flexor.bodies.superelement.inertia import add_inertia_slopes
from flexor.bodies.superelement.shadow_frame import turning_rate_slope, turning_slope
from flexor.bodies.superelement.work import Bent, tangent_memory
from flexor.law.column_arrays import (
    add_columns,
    add_mixed,
    add_outer,
    add_products,
    add_scaled,
    add_turned_columns,
    padded,
    set_zero,
    small_product,
    store_columns,
    subtract_transposed_products,
    turn_columns,
)
from flexor.law.primitives import at
from flexor.law.rotation_vector import moment_slope
from flexor.law.tuples import add, madd, mat, mm, mm_skew, mscale, msub, mtv, mv, skew, store, transpose, vec


def superelement_matrix(p, c, work, answer):
    """K̄ = Pᵀ(Q₁ P + L_φ G + L_ω Ω) + Q₂ P + Z-, Y-terms, turned to global axes.

    Q₁ = cK (K̂ − D ω̂_d) + cC D with K̂ = ĤᵀKĤ + E,  Q₂ = cK (E_ω Ĥ − 𝒢 ω̂_d) + cC 𝒢;  Ω = ∂ω/∂q̄ with v held.
    K̄ is built by columns. `work` holds what the residual has found.
    """
    N, nc = work.N, work.nc
    n = 6 * nc
    cK, cC, cM = c.K, c.C, c.M
    set_zero(21 * N, work.spare)
    made = tangent_memory(N, work.spare)
    G, S, Omega, left, left_omega, V, U, K = (
        made.G, made.S, made.Omega, made.left, made.left_omega, made.V, made.U, made.K,
    )  # fmt: skip
    rbar, abar, vbar = work.rbar, work.abar, work.vbar
    consistent, damped = p.consistent != 0, p.damped != 0
    _frame_turn(p, work, G, S)
    if consistent or damped:
        _frame_spin_slope(p, work, G, S, Omega)

    # what is projected on both sides
    _elastic(p, cK, work, K)
    if damped:
        damping = p.damping
        add_scaled(N * N, cC, damping, K)
        turn = mscale(-cK, skew(vec(work.head.omega, 0)))
        for i in range(nc):
            add_turned_columns(N, 6 * i, turn, damping, K)
        for i in range(2 * nc):  # δŵ = [v̂_k; ω̂_k] δφ − S δω
            store_columns(V, N, 3 * i, transpose(mscale(cK, skew(vec(vbar, 3 * i)))))
        add_products(N, n, 1.0, damping, V, left)
        add_products(N, n, -cK, damping, S, left_omega)
        set_zero(3 * N, V)
    add_products(N, n, -1.0, K, S, left)
    # U = −Sᵀ(Q₁ + left G + left_ω Ω) − cK Z (1 − S G),   Z = −Yᵀ: δd × r̄
    for i in range(nc):
        store_columns(V, N, 6 * i, mscale(cK, skew(vec(rbar, 6 * i))))  # −cK Z
    add_scaled(3 * N, 1.0, V, U)
    subtract_transposed_products(N, padded(n), K, S, U)
    add_mixed(N, mscale(-1.0, madd(small_product(N, S, left), small_product(N, V, S))), G, U)
    add_mixed(N, mscale(-1.0, small_product(N, S, left_omega)), Omega, U)

    # inertia, projected on the right only
    for i in range(2 * nc):
        store_columns(V, N, 3 * i, transpose(mscale(cK, skew(vec(abar, 3 * i)))))
    if consistent:
        add_inertia_slopes(p, c, work, made)
    mass = p.inertia
    add_scaled(N * N, cM, mass, K)
    # turning of forces and accelerations with the frame: −[r̄]^ and M [ā]^
    for i in range(2 * nc):
        o = 3 * i
        add_columns(left, N, o, transpose(mscale(-cK, skew(add(vec(rbar, o), vec(work.inertia, o))))))
    add_products(N, n, 1.0, mass, V, left)

    add_outer(N, left, G, K)
    add_outer(N, G, U, K)
    if consistent or damped:
        add_outer(N, left_omega, Omega, K)
    _to_global(N, nc, work.nq, mat(work.head.R0, 0), K, answer)


def _frame_turn(p, work, G, S):
    """δφ = G δq̄,  S = [−P̂_k; 1]"""
    N, A = work.N, p.frame.A
    W_inverse = mat(work.head.W_inverse, 0)
    for i in range(work.nc):
        node = Bent(work.nodes, i)
        store_columns(G, N, 6 * i, mm(W_inverse, mat(A, 9 * i)))
        store_columns(G, N, 6 * i + 3, mm(W_inverse, mat(node.D, 0)))
        store_columns(S, N, 6 * i, transpose(mscale(-1.0, skew(vec(node.P, 0)))))
        store_columns(S, N, 6 * i + 3, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))


def _elastic(p, cK, work, K):
    """K = cK (ĤᵀKĤ + E),  E_k = ∂(H⁻ᵀm)/∂ψ H⁻¹ − ∂(Dᵀμ)/∂spin"""
    N = work.N
    set_zero(N * N, K)
    if cK == 0.0:
        return
    add_scaled(N * N, cK, p.stiffness, K)
    for i in range(work.nc):
        turn_columns(N, 6 * i + 3, mat(Bent(work.nodes, i).H, 0), K, K)
    B, mu = p.frame.B, vec(work.head.mu, 0)
    for i in range(work.nc):
        node = Bent(work.nodes, i)
        o = 6 * i + 3
        H = mat(node.H, 0)
        for j in range(N):
            store(K, j * N + o, mtv(H, vec(K, j * N + o)))
        E = mm(moment_slope(vec(work.z, o), vec(work.f, o)), H)
        E = msub(E, turning_slope(at(B, 27 * i), mat(node.Q, 0), mu))
        for j in range(3):
            place = (o + j) * N + o
            K[place] += cK * E[j]
            K[place + 1] += cK * E[3 + j]
            K[place + 2] += cK * E[6 + j]


def _frame_spin_slope(p, work, G, S, Omega):
    """Ω = ∂ω/∂q̄ at given velocities: W δω = Σ −A ω̂ δd + J u + (A v̂_k + D ω̂_k) δφ,  v_k relative to the frame's origin"""
    N, A, B, vbar = work.N, p.frame.A, p.frame.B, work.vbar
    W_inverse, omega = mat(work.head.W_inverse, 0), vec(work.head.omega, 0)
    by_turn = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for i in range(work.nc):
        node = Bent(work.nodes, i)
        A_k, D_k = mat(A, 9 * i), mat(node.D, 0)
        spin = vec(work.rate, 6 * i + 3)
        store_columns(Omega, N, 6 * i, mm(W_inverse, mscale(-1.0, mm_skew(A_k, omega))))
        J = turning_rate_slope(at(B, 27 * i), mat(node.Q, 0), spin)
        store_columns(Omega, N, 6 * i + 3, mm(W_inverse, J))
        by_turn = madd(by_turn, madd(mm_skew(A_k, vec(vbar, 6 * i)), mm_skew(D_k, vec(vbar, 6 * i + 3))))
    add_mixed(N, msub(mm(W_inverse, by_turn), small_product(N, Omega, S)), G, Omega)


def _to_global(N, nc, nq, R0, K, answer):
    """Node rows and columns from the frame's axes to global ones, R₀ K̄ R₀ᵀ, by rows and without padding"""
    size = 6 * nc + nq
    for i in range(2 * nc):
        turn_columns(N, 3 * i, transpose(R0), K, K)
    for j in range(size):
        column = at(K, j * N)
        for i in range(2 * nc):
            u = mv(R0, vec(column, 3 * i))
            place = 3 * i * size + j
            answer[place] = u[0]
            answer[place + size] = u[1]
            answer[place + 2 * size] = u[2]
        for i in range(6 * nc, size):
            answer[i * size + j] = column[i]
