"""A reduced body in large motion, co-rotated: forces, inertia and their exact derivatives.   FTG 4, 7.6, 7.7

Coordinates: nodes of six degrees of freedom and component modes q. Deformations in the shadow frame (x₀, R₀)

    z = [d_k, ψ_k; q],   d_k = R₀ᵀ(x_k − x₀) − X_k,   ψ_k = log(R₀ᵀR_k),

variations of them δz = Ĥ P δq̄ with P = 1 − S G: δφ = G δq̄ is the turn of the frame, S = [−P̂_k; 1] what it takes away,
Ĥ = diag(1, H⁻¹(ψ_k)). A bar means components in the frame. Elastic and damping forces

    r̄ = Pᵀ f̂,   f̂ = Ĥᵀ K z + D ŵ,   ŵ = P v̄,

are in equilibrium whatever the deformation. Inertia forces: the nodal form M ā (FTG 7.7.3), or, correct to first order in
the deformation (`flexor.bodies.nodal_inertia`),

    M a* + Σ ωᵢωⱼ (cᵢⱼ + Eᵢⱼ z) + Σ 𝔾ₖ (2 ωₖ ŵ + αₖ z) + G₀ᵀ m,   ω = G v̄,   a* = ā − [0; ω × ŵ_θ]
    mₖ = (𝔾ₖ z)ᵀ (ā + M⁺ Σ αₗ𝔾ₗz) + Σ ωᵢωⱼ F_kij z,   α = G₀ ā − Σ ωᵢωⱼ κᵢⱼ

(the term with M⁺ is of second order in z; it completes the square, so that the mass of a bent body stays positive).

k: frame (4), consistent, damped, turning (whether nodes have rotations)
h: initial position of the centre of mass (3)
p: frame (15), mass, centre of mass (3), Σ w X (3), then per node X (3), w (1), A (9), B (27), then
K, M, momentum ∫ρS (3 N), [D], [c (6 N), 𝔾 (3 N²), E (6 N²), G₀ (3 N), κ (18), F (18 N), M⁺]; square matrices stored by columns
"""

from __future__ import annotations

from flexor.bodies.shadow_frame import (
    FRAME_ERRORS,
    FRAME_FLOATS,
    find_frame,
    turning_condition,
    turning_rate_slope,
    turning_slope,
)
from flexor.law import COMMIT, ENERGY, MATRIX, OUTPUT, RESIDUAL, law
from flexor.law.four import lane, load, plus, product, times, zeros
from flexor.law.four import store as put
from flexor.law.primitives import at
from flexor.law.rotation_vector import moment_of, moment_slope, rotation_vector, spin_to_rate, store_quaternion
from flexor.law.tuples import (
    add,
    cross,
    dot,
    inverse,
    madd,
    mat,
    mm,
    mm_skew,
    mscale,
    msub,
    mtv,
    mv,
    scale,
    skew,
    store,
    store_mat,
    sub,
    transpose,
    vec,
)

HEADER = FRAME_FLOATS + 7
PER_NODE = 40
ANSWER = 16
"""Floats at the head of `w` that outputs and energies take."""
NODE_SCRATCH = 30
"""per node: Q (9), D (9), P̄ (3), H (9)"""


def n_floats(n_nodes: int, size: int, consistent: bool, damped: bool) -> int:
    """Length of p for a body of `size` coordinates."""
    square = size * size
    return HEADER + PER_NODE * n_nodes + square * (2 + damped) + 3 * size + consistent * (27 * size + 18 + 10 * square)


def scratch(n_nodes: int, size: int) -> int:
    """Length of w."""
    return ANSWER + NODE_SCRATCH * n_nodes + 39 * size + 2 * size * size


@law(
    errors=FRAME_ERRORS,
    outputs=(
        *((f"position_{i}", "m") for i in "xyz"),
        *((f"orientation_{i}", "") for i in "wxyz"),
        ("kinetic_energy", "J"),
        ("potential_energy", "J"),
        ("strain_energy", "J"),
    ),
)
def superelement(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    """See above."""
    if want == COMMIT:
        return 0
    nc, nq = n[0], n[1]
    N = 6 * nc + nq
    X = at(p, HEADER)
    weight = at(X, 3 * nc)
    A = at(weight, nc)
    B = at(A, 9 * nc)
    stiffness = at(B, 27 * nc)
    mass = at(stiffness, N * N)
    momentum = at(mass, N * N)
    damping = at(momentum, 3 * N)
    corrections = at(damping, k[5] * N * N)
    body = at(w, ANSWER)  # per node
    z = at(body, NODE_SCRATCH * nc)
    f = at(z, N)
    rbar = at(f, N)
    abar = at(rbar, N)
    vbar = at(abar, N)
    rate = at(vbar, N)
    inertia = at(rate, N)
    star = at(inertia, N)
    bent = at(star, N)  # 𝔾ₖ z, three arrays
    lent = at(bent, 3 * N)  # M⁺ Σ αₗ𝔾ₗz; behind it M⁺𝔾ₖz
    work = at(lent, 4 * N)

    status, x0, R0 = find_frame(k, p, X, weight, B, nc, x, R)
    if status != 0:
        return status
    W = _deformation(nc, nq, k[6], X, A, B, x, R, s, x0, R0, body, z)
    W_inverse = inverse(W)
    moving = k[4] != 0 or k[5] != 0 or (want & (ENERGY | OUTPUT)) != 0
    omega = (0.0, 0.0, 0.0)
    if moving:
        omega = _rates(nc, nq, A, W_inverse, v, s, R0, body, vbar, rate)

    if want & (RESIDUAL | MATRIX):
        _set_product(N, stiffness, z, f)
        mu = _internal(N, nc, k[5], A, W_inverse, damping, z, rate, body, f, work, rbar)
        for i in range(nc):
            store(abar, 6 * i, mtv(R0, vec(a, 6 * i)))
            store(abar, 6 * i + 3, mtv(R0, vec(a, 6 * i + 3)))
        for i in range(nq):
            abar[6 * nc + i] = s[3 * i + 2]
        alpha = (0.0, 0.0, 0.0)
        if k[4]:
            alpha = _frame_acceleration(N, corrections, omega, abar)
            for i in range(N):
                star[i] = abar[i]
            for i in range(nc):
                o = 6 * i + 3
                store(star, o, sub(vec(abar, o), cross(omega, vec(rate, o))))
            _consistent_inertia(N, mass, corrections, omega, alpha, star, rate, z, abar, bent, lent, inertia)
        else:
            _set_product(N, mass, abar, inertia)
        for i in range(2 * nc):
            o = 3 * i
            store(r, o, mv(R0, add(vec(rbar, o), vec(inertia, o))))
        for i in range(6 * nc, N):
            r[i] = rbar[i] + inertia[i]
        if want & MATRIX:
            _matrix(
                N, nc, k, c, A, B, stiffness, mass, damping, corrections, W_inverse, mu, omega, alpha, R0,
                body, z, f, rbar, inertia, abar, vbar, rate, bent, lent, work, K,
            )  # fmt: skip

    if want & (ENERGY | OUTPUT):
        _energies(
            N, nc, k, p, h, c, stiffness, mass, momentum, damping, corrections, omega, x0, R0, z, rate, vbar, f, abar, w
        )
        if want & OUTPUT:
            kinetic, potential, strain = w[0], w[1], w[2]
            store(w, 0, sub(x0, mv(R0, vec(p, FRAME_FLOATS + 4))))
            store_quaternion(R0, at(w, 3))
            w[7], w[8], w[9] = kinetic, potential, strain
    return 0


def _set_product(N, A, x, y):
    """y = A x, A by columns"""
    o = 0
    while o < N:
        o = min(o, N - 4)  # the last four rows, some of them again
        one, other = zeros(), zeros()
        for j in range(0, N - 1, 2):
            one = plus(one, x[j], load(A, j * N + o))
            other = plus(other, x[j + 1], load(A, (j + 1) * N + o))
        if N % 2:
            one = plus(one, x[N - 1], load(A, (N - 1) * N + o))
        put(y, o, plus(one, 1.0, other))
        o += 4


def _deformation(nc, nq, turning, X, A, B, x, R, s, x0, R0, body, z):
    """Fills z and, per node, Q, D, P̄, H;  returns W."""
    W = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for i in range(nc):
        o = NODE_SCRATCH * i
        P = mtv(R0, sub(vec(x, 3 * i), x0))
        store(body, o + 18, P)
        store(z, 6 * i, sub(P, vec(X, 3 * i)))
        W = msub(W, mm_skew(mat(A, 9 * i), P))
        if turning:
            Q = mm(transpose(R0), mat(R, 9 * i))
            psi = rotation_vector(Q)
            D = turning_condition(at(B, 27 * i), Q)
            store(z, 6 * i + 3, psi)
            store_mat(body, o, Q)
            store_mat(body, o + 9, D)
            store_mat(body, o + 21, spin_to_rate(psi))
            W = madd(W, D)
        else:
            store(z, 6 * i + 3, (0.0, 0.0, 0.0))
            store_mat(body, o, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
            store_mat(body, o + 9, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
            store_mat(body, o + 21, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    for i in range(nq):
        z[6 * nc + i] = s[3 * i]
    return W


def _rates(nc, nq, A, W_inverse, v, s, R0, body, vbar, rate):
    """v̄, ω = G v̄ and ŵ = P v̄ (but for a translation, which no matrix sees)"""
    g = (0.0, 0.0, 0.0)
    for i in range(nc):
        linear, spin = mtv(R0, vec(v, 6 * i)), mtv(R0, vec(v, 6 * i + 3))
        store(vbar, 6 * i, linear)
        store(vbar, 6 * i + 3, spin)
        g = add(g, add(mv(mat(A, 9 * i), linear), mv(mat(body, NODE_SCRATCH * i + 9), spin)))
    omega = mv(W_inverse, g)
    for i in range(nc):
        P = vec(body, NODE_SCRATCH * i + 18)
        store(rate, 6 * i, sub(vec(vbar, 6 * i), cross(omega, P)))
        store(rate, 6 * i + 3, sub(vec(vbar, 6 * i + 3), omega))
    for i in range(nq):
        vbar[6 * nc + i] = s[3 * i + 1]
        rate[6 * nc + i] = s[3 * i + 1]
    return omega


def _internal(N, nc, damped, A, W_inverse, damping, z, rate, body, f, work, rbar):
    """r̄ = Pᵀ f̂ from f = K z;  returns μ = W⁻ᵀ Sᵀ f̂"""
    if damped:
        _set_product(N, damping, rate, work)
    else:
        for i in range(N):
            work[i] = 0.0
    tau = (0.0, 0.0, 0.0)
    for i in range(nc):
        o = 6 * i
        force = add(vec(f, o), vec(work, o))
        moment = add(moment_of(vec(z, o + 3), vec(f, o + 3)), vec(work, o + 3))
        store(rbar, o, force)
        store(rbar, o + 3, moment)
        tau = add(tau, add(cross(vec(body, NODE_SCRATCH * i + 18), force), moment))
    for i in range(6 * nc, N):
        rbar[i] = f[i] + work[i]
    mu = mtv(W_inverse, tau)
    for i in range(nc):
        o = 6 * i
        store(rbar, o, sub(vec(rbar, o), mtv(mat(A, 9 * i), mu)))
        store(rbar, o + 3, sub(vec(rbar, o + 3), mtv(mat(body, NODE_SCRATCH * i + 9), mu)))
    return mu


def _pair(omega, q):
    """ωᵢωⱼ of pair q: xx, yy, zz, xy, xz, yz"""
    if q < 3:
        return omega[0] * omega[0] if q == 0 else (omega[1] * omega[1] if q == 1 else omega[2] * omega[2])
    return omega[0] * omega[1] if q == 3 else (omega[0] * omega[2] if q == 4 else omega[1] * omega[2])


def _component(omega, k):
    return omega[0] if k == 0 else (omega[1] if k == 1 else omega[2])


def _frame_acceleration(N, corrections, omega, abar):
    """α = G₀ ā − Σ ωᵢωⱼ κᵢⱼ"""
    spin = at(corrections, 6 * N + 9 * N * N)
    felt = at(spin, 3 * N)
    a0, a1, a2 = 0.0, 0.0, 0.0
    for i in range(N):
        a0 += spin[i] * abar[i]
        a1 += spin[N + i] * abar[i]
        a2 += spin[2 * N + i] * abar[i]
    alpha = (a0, a1, a2)
    for q in range(6):
        alpha = sub(alpha, scale(_pair(omega, q), vec(felt, 3 * q)))
    return alpha


def _consistent_inertia(N, mass, corrections, omega, alpha, star, rate, z, abar, bent, lent, y):
    """y = M a* + Σ ωᵢωⱼ (cᵢⱼ + Eᵢⱼ z) + Σ 𝔾ₖ (2 ωₖ ŵ + αₖ z) + G₀ᵀ m;  fills 𝔾ₖ z and M⁺ Σ αₗ𝔾ₗz

    Four rows at a time, all sums in registers.
    """
    g0 = at(corrections, 6 * N)
    square = N * N
    g1, g2 = at(g0, square), at(g0, 2 * square)
    e0 = at(g0, 3 * square)
    e1, e2, e3, e4, e5 = (
        at(e0, square), at(e0, 2 * square), at(e0, 3 * square), at(e0, 4 * square), at(e0, 5 * square)
    )  # fmt: skip
    spin = at(e0, 6 * square)
    moments = at(spin, 3 * N + 18)
    c1, c2, c3, c4, c5 = (
        at(corrections, N), at(corrections, 2 * N), at(corrections, 3 * N), at(corrections, 4 * N), at(corrections, 5 * N)
    )  # fmt: skip
    bent1, bent2 = at(bent, N), at(bent, 2 * N)
    w0, w1, w2 = omega[0] * omega[0], omega[1] * omega[1], omega[2] * omega[2]
    w3, w4, w5 = omega[0] * omega[1], omega[0] * omega[2], omega[1] * omega[2]
    o = 0
    while o < N:
        o = min(o, N - 4)  # the last four rows, some of them again
        m = zeros()
        b0, b1, b2 = zeros(), zeros(), zeros()
        r0, r1, r2 = zeros(), zeros(), zeros()
        s0, s1, s2, s3, s4, s5 = load(corrections, o), load(c1, o), load(c2, o), load(c3, o), load(c4, o), load(c5, o)
        i = o
        for j in range(N):
            z_j, rate_j = z[j], rate[j]
            m = plus(m, star[j], load(mass, i))
            v0, v1, v2 = load(g0, i), load(g1, i), load(g2, i)
            b0, b1, b2 = plus(b0, z_j, v0), plus(b1, z_j, v1), plus(b2, z_j, v2)
            r0, r1, r2 = plus(r0, rate_j, v0), plus(r1, rate_j, v1), plus(r2, rate_j, v2)
            s0, s1, s2 = plus(s0, z_j, load(e0, i)), plus(s1, z_j, load(e1, i)), plus(s2, z_j, load(e2, i))
            s3, s4, s5 = plus(s3, z_j, load(e3, i)), plus(s4, z_j, load(e4, i)), plus(s5, z_j, load(e5, i))
            i += N
        put(bent, o, b0)
        put(bent1, o, b1)
        put(bent2, o, b2)
        m = plus(plus(plus(m, 2.0 * omega[0], r0), 2.0 * omega[1], r1), 2.0 * omega[2], r2)
        b0 = plus(plus(times(alpha[0], b0), alpha[1], b1), alpha[2], b2)
        put(lent, N + o, b0)
        s0 = plus(plus(times(w0, s0), w1, s1), w2, s2)
        s3 = plus(plus(times(w3, s3), w4, s4), w5, s5)
        put(y, o, plus(plus(m, 1.0, b0), 1.0, plus(s0, 1.0, s3)))
        o += 4
    _set_product(N, at(moments, 18 * N), at(lent, N), lent)
    m0 = _moment(N, at(moments, 0), bent, abar, lent, z, w0, w1, w2, w3, w4, w5)
    m1 = _moment(N, at(moments, 6 * N), bent1, abar, lent, z, w0, w1, w2, w3, w4, w5)
    m2 = _moment(N, at(moments, 12 * N), bent2, abar, lent, z, w0, w1, w2, w3, w4, w5)
    for i in range(N):
        y[i] += m0 * spin[i] + m1 * spin[N + i] + m2 * spin[2 * N + i]


def _moment(N, F, own, abar, lent, z, w0, w1, w2, w3, w4, w5):
    """mₖ = (𝔾ₖ z)ᵀ (ā + M⁺ Σ αₗ𝔾ₗz) + Σ ωᵢωⱼ F_kij z"""
    whole = N - N % 4
    one, other = zeros(), zeros()
    for o in range(0, whole, 4):
        one = plus(one, 1.0, product(load(own, o), plus(load(abar, o), 1.0, load(lent, o))))
        turned = plus(plus(times(w0, load(F, o)), w1, load(F, N + o)), w2, load(F, 2 * N + o))
        more = plus(plus(times(w3, load(F, 3 * N + o)), w4, load(F, 4 * N + o)), w5, load(F, 5 * N + o))
        other = plus(other, 1.0, product(plus(turned, 1.0, more), load(z, o)))
    one = plus(one, 1.0, other)
    m = (lane(one, 0) + lane(one, 1)) + (lane(one, 2) + lane(one, 3))
    for i in range(whole, N):
        turned = w0 * F[i] + w1 * F[N + i] + w2 * F[2 * N + i]
        turned += w3 * F[3 * N + i] + w4 * F[4 * N + i] + w5 * F[5 * N + i]
        m += own[i] * (abar[i] + lent[i]) + turned * z[i]
    return m


def _set_lent(N, mass_inverse, weights, bent, lent):
    """lent = M⁺ Σ weightsₖ 𝔾ₖz"""
    for i in range(N):
        lent[i] = 0.0
    for j in range(N):
        value = weights[0] * bent[j] + weights[1] * bent[N + j] + weights[2] * bent[2 * N + j]
        column = at(mass_inverse, j * N)
        for i in range(N):
            lent[i] += value * column[i]


def _energies(
    N, nc, k, p, h, c, stiffness, mass, momentum, damping, corrections, omega, x0, R0, z, rate, vbar, y, extra, w
):  # fmt: skip
    """w = kinetic, potential, strain energy, dissipated and input power"""
    _set_product(N, stiffness, z, y)
    strain = 0.0
    for i in range(N):
        strain += 0.5 * z[i] * y[i]
    _set_product(N, mass, vbar, y)
    kinetic = 0.0
    for i in range(N):
        kinetic += 0.5 * vbar[i] * y[i]
    if k[4]:
        # T = ½ v̄ᵀM v̄ + v̄ᵀe + ½ eᵀM⁺e,  e = Σ ωₖ𝔾ₖ z: the velocity field is ω × (x + Sz) + Sż
        gyroscopic = at(corrections, 6 * N)
        for i in range(N):
            extra[i] = 0.0
        for q in range(3):
            for j in range(N):
                g = _component(omega, q) * z[j]
                column = at(gyroscopic, (q * N + j) * N)
                for i in range(N):
                    extra[i] += g * column[i]
        _set_product(N, at(gyroscopic, 9 * N * N + 21 * N + 18), extra, y)
        for i in range(N):
            kinetic += extra[i] * (vbar[i] + 0.5 * y[i])
    dissipated = 0.0
    if k[5]:
        _set_product(N, damping, rate, y)
        for i in range(N):
            dissipated += rate[i] * y[i]
    m = p[FRAME_FLOATS]
    center = add(x0, mv(R0, sub(vec(p, FRAME_FLOATS + 1), vec(p, FRAME_FLOATS + 4))))
    shift = (0.0, 0.0, 0.0)  # m times the move of the centre by deformation, in the frame
    for i in range(N):
        shift = (
            shift[0] + momentum[i] * z[i],
            shift[1] + momentum[N + i] * z[i],
            shift[2] + momentum[2 * N + i] * z[i],
        )
    g = vec(c, 4)
    potential = -m * dot(g, sub(center, vec(h, 0))) - dot(g, mv(R0, shift))
    w[0] = kinetic
    w[1] = potential
    w[2] = strain
    w[3] = dissipated
    w[4] = 0.0


def _matrix(
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
        _store_columns(G, N, 6 * i, mm(W_inverse, mat(A, 9 * i)))
        _store_columns(G, N, 6 * i + 3, mm(W_inverse, mat(body, o + 9)))
        _store_columns(S, N, 6 * i, transpose(mscale(-1.0, skew(P))))
        _store_columns(S, N, 6 * i + 3, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
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
        _add_turned(N, nc, -cK, damping, omega, K)
        _add_rate_slope(N, nc, cK, damping, vbar, S, left, left_omega)
    _times_columns(N, K, S, V)  # V = Q₁ S
    for q in range(3):
        for i in range(N):
            left[q * N + i] -= V[q * N + i]
    # U = −Sᵀ(Q₁ + left G + left_ω Ω) − cK Z (1 − S G),   Z = −Yᵀ: δd × r̄
    _times_rows(N, S, K, U)
    T3 = _small(N, S, left)
    T4 = _small(N, S, left_omega)
    for q in range(3):
        for i in range(N):
            U[q * N + i] = -U[q * N + i]
            V[q * N + i] = 0.0
    for i in range(nc):
        _store_columns(V, N, 6 * i, mscale(cK, skew(vec(rbar, 6 * i))))  # −cK Z
    T5 = _small(N, V, S)
    for i in range(N):
        g = (G[i], G[N + i], G[2 * N + i])
        u = add(mv(T3, g), mv(T5, g))
        if consistent or damped:
            u = add(u, mv(T4, (Omega[i], Omega[N + i], Omega[2 * N + i])))
        for q in range(3):
            U[q * N + i] += V[q * N + i] - _component(u, q)

    # inertia, projected on the right only
    if consistent:
        _correction_matrices(N, nc, cK, cC, corrections, mass, omega, alpha, body, Q)
        _times_columns(N, Q, S, V)
        for i in range(N * N):
            K[i] += Q[i]
        for q in range(3):
            for i in range(N):
                left[q * N + i] -= V[q * N + i]
        _add_correction_slopes(
            N, nc, cK, cC, corrections, mass, omega, rate, z, vbar, bent, lent, S, Q, left, left_omega
        )
        _add_moments(N, nc, cK, cM, corrections, omega, alpha, abar, body, bent, lent, S, V, Q, left, K)
    for j in range(N):
        column = at(mass, j * N)
        for i in range(N):
            K[j * N + i] += cM * column[i]
    # turning of forces and accelerations with the frame: −[r̄]^ and M [ā]^
    for i in range(nc):
        for part in range(2):
            o = 6 * i + 3 * part
            turn = mscale(-cK, skew(add(vec(rbar, o), vec(inertia, o))))
            _add_columns(left, N, o, transpose(turn))
            _store_columns(V, N, o, transpose(mscale(cK, skew(vec(abar, o)))))
    for i in range(6 * nc, N):
        for q in range(3):
            V[q * N + i] = 0.0
    for q in range(3):
        _add_product(N, mass, at(V, q * N), at(left, q * N))

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


def _store_columns(Y, N, i, A):
    """Columns i, i+1, i+2 of the three rows of Y: row q of A in array q."""
    for j in range(3):
        Y[i + j] = A[j]
        Y[N + i + j] = A[3 + j]
        Y[2 * N + i + j] = A[6 + j]


def _add_columns(Y, N, i, A):
    for j in range(3):
        Y[i + j] += A[j]
        Y[N + i + j] += A[3 + j]
        Y[2 * N + i + j] += A[6 + j]


def _add_product(N, A, x, y):
    """y += A x, A by columns"""
    for j in range(N):
        x_j = x[j]
        column = at(A, j * N)
        for i in range(N):
            y[i] += column[i] * x_j


def _times_columns(N, Q, S, V):
    """V = Q S for row-major Q, S and V as three arrays"""
    for i in range(N):
        row = at(Q, i * N)
        v0, v1, v2 = 0.0, 0.0, 0.0
        for j in range(N):
            v0 += row[j] * S[j]
            v1 += row[j] * S[N + j]
            v2 += row[j] * S[2 * N + j]
        V[i], V[N + i], V[2 * N + i] = v0, v1, v2


def _times_rows(N, S, Q, U):
    """U = Sᵀ Q for row-major Q"""
    for i in range(3 * N):
        U[i] = 0.0
    for j in range(N):
        row = at(Q, j * N)
        s0, s1, s2 = S[j], S[N + j], S[2 * N + j]
        for i in range(N):
            U[i] += s0 * row[i]
            U[N + i] += s1 * row[i]
            U[2 * N + i] += s2 * row[i]


def _small(N, S, V):
    """Sᵀ V, a 3×3 matrix"""
    t0, t1, t2, t3, t4, t5, t6, t7, t8 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for i in range(N):
        v0, v1, v2 = V[i], V[N + i], V[2 * N + i]
        t0 += S[i] * v0
        t1 += S[i] * v1
        t2 += S[i] * v2
        t3 += S[N + i] * v0
        t4 += S[N + i] * v1
        t5 += S[N + i] * v2
        t6 += S[2 * N + i] * v0
        t7 += S[2 * N + i] * v1
        t8 += S[2 * N + i] * v2
    return (t0, t1, t2, t3, t4, t5, t6, t7, t8)


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
        _store_columns(Omega, N, 6 * i, mm(W_inverse, mscale(-1.0, mm_skew(A_k, omega))))
        J = turning_rate_slope(at(B, 27 * i), mat(body, o), spin)
        _store_columns(Omega, N, 6 * i + 3, mm(W_inverse, J))
        by_turn = madd(by_turn, madd(mm_skew(A_k, vec(vbar, 6 * i)), mm_skew(D_k, vec(vbar, 6 * i + 3))))
    by_turn = msub(mm(W_inverse, by_turn), _small(N, Omega, S))
    for i in range(N):
        store_column = mv(by_turn, (G[i], G[N + i], G[2 * N + i]))
        Omega[i] += store_column[0]
        Omega[N + i] += store_column[1]
        Omega[2 * N + i] += store_column[2]


def _add_turned(N, nc, factor, Q, omega, K):
    """K += factor · Q diag(ω̂ on translations), Q by columns, K row-major"""
    for i in range(nc):
        for j in range(3):
            # column j of ω̂: ω × e_j
            e = cross(omega, (1.0 if j == 0 else 0.0, 1.0 if j == 1 else 0.0, 1.0 if j == 2 else 0.0))
            for q in range(3):
                column = at(Q, (6 * i + q) * N)
                value = factor * _component(e, q)
                for row in range(N):
                    K[row * N + 6 * i + j] += value * column[row]


def _add_rate_slope(N, nc, cK, Q, vbar, S, left, left_omega):
    """δŵ = [v̂_k; ω̂_k] δφ − S δω: adds Q times that to what multiplies G and Ω"""
    for q in range(3):
        e = (1.0 if q == 0 else 0.0, 1.0 if q == 1 else 0.0, 1.0 if q == 2 else 0.0)
        for i in range(2 * nc):
            u = cross(vec(vbar, 3 * i), e)
            for j in range(3):
                value = cK * _component(u, j)
                column = at(Q, (3 * i + j) * N)
                for row in range(N):
                    left[q * N + row] += value * column[row]
        for j in range(N):
            value = -cK * S[q * N + j]
            column = at(Q, j * N)
            for row in range(N):
                left_omega[q * N + row] += value * column[row]


def _correction_matrices(N, nc, cK, cC, corrections, mass, omega, alpha, body, Q):
    """Q (row-major) = cK (E_ω Ĥ − 𝒢 ω̂_d) + cC 𝒢 with 𝒢 = 2 Σ ωₖ𝔾ₖ − M ω̂_θ, E_ω = Σ ωᵢωⱼ Eᵢⱼ + Σ αₖ𝔾ₖ

    𝒢 by columns is left behind Q.
    """
    gyroscopic = at(corrections, 6 * N)
    softening = at(gyroscopic, 3 * N * N)
    gyro = at(Q, N * N)
    square = N * N
    for i in range(square):
        gyro[i] = 2.0 * (
            omega[0] * gyroscopic[i] + omega[1] * gyroscopic[square + i] + omega[2] * gyroscopic[2 * square + i]
        )
    for i in range(nc):
        for j in range(3):
            e = cross(omega, (1.0 if j == 0 else 0.0, 1.0 if j == 1 else 0.0, 1.0 if j == 2 else 0.0))
            target = at(gyro, (6 * i + 3 + j) * N)
            for q in range(3):
                column = at(mass, (6 * i + 3 + q) * N)
                value = _component(e, q)
                for row in range(N):
                    target[row] -= value * column[row]
    w0, w1, w2 = omega[0] * omega[0], omega[1] * omega[1], omega[2] * omega[2]
    w3, w4, w5 = omega[0] * omega[1], omega[0] * omega[2], omega[1] * omega[2]
    for j in range(N):
        for i in range(N):
            o = j * N + i
            Q[i * N + j] = cC * gyro[o] + cK * (
                alpha[0] * gyroscopic[o] + alpha[1] * gyroscopic[square + o] + alpha[2] * gyroscopic[2 * square + o]
                + w0 * softening[o] + w1 * softening[square + o] + w2 * softening[2 * square + o]
                + w3 * softening[3 * square + o] + w4 * softening[4 * square + o] + w5 * softening[5 * square + o]
            )  # fmt: skip
    if cK == 0.0:
        return
    for i in range(nc):
        o = 6 * i + 3
        H = mat(body, NODE_SCRATCH * i + 21)
        for j in range(N):
            e = (
                Q[j * N + o] - cC * gyro[o * N + j],
                Q[j * N + o + 1] - cC * gyro[(o + 1) * N + j],
                Q[j * N + o + 2] - cC * gyro[(o + 2) * N + j],
            )
            e_H = mtv(H, e)
            for q in range(3):
                Q[j * N + o + q] += _component(e_H, q) - _component(e, q)
    _add_turned(N, nc, -cK, gyro, omega, Q)


def _add_correction_slopes(N, nc, cK, cC, corrections, mass, omega, rate, z, vbar, bent, lent, S, Q, left, left_omega):
    """Φ_ω = ∂(corrections)/∂ω times (cK Ω + cC G), and 𝒢 times the turning of the rates"""
    gyroscopic = at(corrections, 6 * N)
    softening = at(gyroscopic, 3 * N * N)
    spin = at(softening, 6 * N * N)
    felt = at(spin, 3 * N)
    moments = at(felt, 18)
    square = N * N
    for q in range(3):  # M⁺𝔾ₖz
        e = (1.0 if q == 0 else 0.0, 1.0 if q == 1 else 0.0, 1.0 if q == 2 else 0.0)
        _set_lent(N, at(moments, 18 * N), e, bent, at(lent, (1 + q) * N))
    for q in range(3):
        # ∂(ωᵢωⱼ)/∂ω_q over the pairs
        e = (1.0 if q == 0 else 0.0, 1.0 if q == 1 else 0.0, 1.0 if q == 2 else 0.0)
        p0, p1, p2 = 2.0 * omega[0] * e[0], 2.0 * omega[1] * e[1], 2.0 * omega[2] * e[2]
        p3 = e[0] * omega[1] + omega[0] * e[1]
        p4 = e[0] * omega[2] + omega[0] * e[2]
        p5 = e[1] * omega[2] + omega[1] * e[2]
        l_g, l_o = at(left, q * N), at(left_omega, q * N)
        for i in range(N):
            value = (
                p0 * corrections[i] + p1 * corrections[N + i] + p2 * corrections[2 * N + i]
                + p3 * corrections[3 * N + i] + p4 * corrections[4 * N + i] + p5 * corrections[5 * N + i]
            )  # fmt: skip
            l_g[i] += cC * value
            l_o[i] += cK * value
        for j in range(N):
            g = 2.0 * rate[j]
            column = at(gyroscopic, q * square + j * N)
            soft = at(softening, j * N)
            for i in range(N):
                value = g * column[i] + z[j] * (
                    p0 * soft[i] + p1 * soft[square + i] + p2 * soft[2 * square + i]
                    + p3 * soft[3 * square + i] + p4 * soft[4 * square + i] + p5 * soft[5 * square + i]
                )  # fmt: skip
                l_g[i] += cC * value
                l_o[i] += cK * value
        for i in range(nc):
            # −M [0; e_q × ŵ_θ]
            u = cross(vec(rate, 6 * i + 3), e)
            for j in range(3):
                column = at(mass, (6 * i + 3 + j) * N)
                value = _component(u, j)
                for row in range(N):
                    l_g[row] += cC * value * column[row]
                    l_o[row] += cK * value * column[row]
        slopes = add(add(scale(p0, vec(felt, 0)), scale(p1, vec(felt, 3))), scale(p2, vec(felt, 6)))  # −∂α/∂ω_q
        slopes = add(slopes, add(add(scale(p3, vec(felt, 9)), scale(p4, vec(felt, 12))), scale(p5, vec(felt, 15))))
        pulled = mv(_small(N, bent, at(lent, N)), slopes)
        for j in range(3):
            slope, pull = _component(slopes, j), _component(pulled, j)
            F = at(moments, 6 * j * N)
            m = 0.0
            for i in range(N):
                m += z[i] * (
                    p0 * F[i] + p1 * F[N + i] + p2 * F[2 * N + i]
                    + p3 * F[3 * N + i] + p4 * F[4 * N + i] + p5 * F[5 * N + i]
                )  # fmt: skip
            own, row0 = at(bent, j * N), at(spin, j * N)
            for i in range(N):
                value = (m - pull) * row0[i] - slope * own[i]
                l_g[i] += cC * value
                l_o[i] += cK * value
    _add_rate_slope(N, nc, cK, at(Q, N * N), vbar, S, left, left_omega)


def _add_moments(N, nc, cK, cM, corrections, omega, alpha, abar, body, bent, lent, S, V, rows, left, K):
    """G₀ᵀ m and Σ αₖ 𝔾ₖ z by accelerations, deformations and the turning of ā;  V, rows: working space"""
    gyroscopic = at(corrections, 6 * N)
    spin = at(gyroscopic, 9 * N * N)
    moments = at(spin, 3 * N + 18)
    w0, w1, w2 = omega[0] * omega[0], omega[1] * omega[1], omega[2] * omega[2]
    w3, w4, w5 = omega[0] * omega[1], omega[0] * omega[2], omega[1] * omega[2]
    for q in range(3):  # ((ā + M⁺ Σ αₗ𝔾ₗz)ᵀ𝔾ₖ + (M⁺𝔾ₖz)ᵀ Σ αₗ𝔾ₗ + Σ ωᵢωⱼ F) Ĥ
        F = at(moments, 6 * q * N)
        own = at(lent, (1 + q) * N)
        for j in range(N):
            column = at(gyroscopic, (q * N + j) * N)
            a0, a1, a2 = at(gyroscopic, j * N), at(gyroscopic, (N + j) * N), at(gyroscopic, (2 * N + j) * N)
            total = w0 * F[j] + w1 * F[N + j] + w2 * F[2 * N + j]
            total += w3 * F[3 * N + j] + w4 * F[4 * N + j] + w5 * F[5 * N + j]
            for i in range(N):
                total += column[i] * (abar[i] + lent[i])
                total += own[i] * (alpha[0] * a0[i] + alpha[1] * a1[i] + alpha[2] * a2[i])
            rows[q * N + j] = cK * total
        for i in range(nc):
            o = q * N + 6 * i + 3
            store(rows, o, mtv(mat(body, NODE_SCRATCH * i + 21), vec(rows, o)))
    for i in range(2 * nc):
        _store_columns(V, N, 3 * i, transpose(mscale(cK, skew(vec(abar, 3 * i)))))
    for i in range(6 * nc, N):
        for q in range(3):
            V[q * N + i] = 0.0
    square = _small(N, bent, at(lent, N))  # (𝔾ₖz)ᵀ M⁺ 𝔾ₗz
    T2 = _small(N, spin, V)
    T = madd(msub(_small(N, bent, V), _small(N, rows, S)), mm(square, T2))
    for i in range(N):
        g = (spin[i], spin[N + i], spin[2 * N + i])
        b = (bent[i], bent[N + i], bent[2 * N + i])
        value = add(mtv(T, g), mtv(T2, b))
        b = add(b, mv(square, g))
        left[i] += value[0]
        left[N + i] += value[1]
        left[2 * N + i] += value[2]
        row = at(K, i * N)
        m0, m1, m2 = cM * b[0], cM * b[1], cM * b[2]
        for j in range(N):
            row[j] += m0 * spin[j] + m1 * spin[N + j] + m2 * spin[2 * N + j]
            row[j] += g[0] * (cM * bent[j] + rows[j]) + g[1] * (cM * bent[N + j] + rows[N + j])
            row[j] += g[2] * (cM * bent[2 * N + j] + rows[2 * N + j])


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
