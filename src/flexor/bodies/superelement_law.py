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
K, M, momentum ∫ρS (3 N), [D], [c (6 N), 𝔾, E, M (10 N²), G₀ (3 N), κ (18), F (18 N), M⁺]; square matrices stored by columns,
N padded to a multiple of four (`flexor.bodies.superelement_layout`)
"""

from __future__ import annotations

from flexor.bodies.column_arrays import add_scaled, dot_product, padded, set_product, set_zero
from flexor.bodies.shadow_frame import FRAME_ERRORS, FRAME_FLOATS, find_frame, turning_condition
from flexor.bodies.superelement_inertia import consistent_inertia, frame_acceleration, turned_momentum
from flexor.bodies.superelement_layout import ANSWER, HEADER, NODE_SCRATCH
from flexor.bodies.superelement_matrix import superelement_matrix
from flexor.law import COMMIT, ENERGY, MATRIX, OUTPUT, RESIDUAL, law
from flexor.law.primitives import at
from flexor.law.rotation_vector import rotation_vector, spin_to_rate, store_quaternion
from flexor.law.tuples import (
    add,
    cross,
    dot,
    inverse,
    madd,
    mat,
    mm,
    mm_skew,
    msub,
    mtv,
    mv,
    store,
    store_mat,
    sub,
    transpose,
    vec,
)


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
    N = padded(6 * nc + nq)
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
    slope = at(bent, 3 * N)  # three arrays
    carried = at(slope, 3 * N)  # ā + M⁺ Σ αₗ𝔾ₗz
    work = at(carried, N)

    status, x0, R0 = find_frame(k, p, X, weight, B, nc, x, R)
    if status != 0:
        return status
    for part in (z, abar, vbar, rate):
        set_zero(4, at(part, N - 4))  # coordinates that do not exist
    W = _deformation(nc, nq, k[6], X, A, B, x, R, s, x0, R0, body, z)
    W_inverse = inverse(W)
    moving = k[4] != 0 or k[5] != 0 or (want & (ENERGY | OUTPUT)) != 0
    omega = (0.0, 0.0, 0.0)
    if moving:
        omega = _rates(nc, nq, A, W_inverse, v, s, R0, body, vbar, rate)

    if want & (RESIDUAL | MATRIX):
        set_product(N, stiffness, z, f)
        mu = _internal(N, nc, k[5], A, W_inverse, damping, rate, body, f, work, rbar)
        for i in range(nc):
            store(abar, 6 * i, mtv(R0, vec(a, 6 * i)))
            store(abar, 6 * i + 3, mtv(R0, vec(a, 6 * i + 3)))
        for i in range(nq):
            abar[6 * nc + i] = s[3 * i + 2]
        alpha = (0.0, 0.0, 0.0)
        if k[4]:
            alpha = frame_acceleration(N, corrections, omega, abar)
            set_zero(N, star)
            add_scaled(N, 1.0, abar, star)
            for i in range(nc):
                o = 6 * i + 3
                store(star, o, sub(vec(abar, o), cross(omega, vec(rate, o))))
            consistent_inertia(N, corrections, omega, alpha, star, rate, z, abar, bent, carried, slope, work, inertia)
        else:
            set_product(N, mass, abar, inertia)
        for i in range(2 * nc):
            o = 3 * i
            store(r, o, mv(R0, add(vec(rbar, o), vec(inertia, o))))
        for i in range(6 * nc, 6 * nc + nq):
            r[i] = rbar[i] + inertia[i]
        if want & MATRIX:
            superelement_matrix(
                N, nc, nq, k, c, A, B, stiffness, mass, damping, corrections, W_inverse, mu, omega, alpha, R0,
                body, z, f, rbar, inertia, abar, vbar, rate, bent, carried, slope, work, K,
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


def _internal(N, nc, damped, A, W_inverse, damping, rate, body, f, work, rbar):
    """r̄ = Pᵀ f̂ from f = K z;  returns μ = W⁻ᵀ Sᵀ f̂"""
    if damped:
        set_product(N, damping, rate, work)
    else:
        set_zero(N, work)
    tau = (0.0, 0.0, 0.0)
    for i in range(nc):
        o = 6 * i
        force = add(vec(f, o), vec(work, o))
        moment = add(mtv(mat(body, NODE_SCRATCH * i + 21), vec(f, o + 3)), vec(work, o + 3))
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


def _energies(
    N, nc, k, p, h, c, stiffness, mass, momentum, damping, corrections, omega, x0, R0, z, rate, vbar, y, extra, w
):  # fmt: skip
    """w = kinetic, potential, strain energy, dissipated and input power"""
    set_product(N, stiffness, z, y)
    strain = 0.5 * dot_product(N, z, y)
    set_product(N, mass, vbar, y)
    kinetic = 0.5 * dot_product(N, vbar, y)
    if k[4]:
        # T = ½ v̄ᵀM v̄ + v̄ᵀe + ½ eᵀM⁺e,  e = Σ ωₖ𝔾ₖ z: the velocity field is ω × (x + Sz) + Sż
        turned_momentum(N, corrections, omega, z, extra)
        set_product(N, at(corrections, 10 * N * N + 27 * N + 18), extra, y)
        kinetic += dot_product(N, extra, vbar) + 0.5 * dot_product(N, extra, y)
    dissipated = 0.0
    if k[5]:
        set_product(N, damping, rate, y)
        dissipated = dot_product(N, rate, y)
    m = p[FRAME_FLOATS]
    center = add(x0, mv(R0, sub(vec(p, FRAME_FLOATS + 1), vec(p, FRAME_FLOATS + 4))))
    # m times the move of the centre by deformation, in the frame
    shift = (dot_product(N, momentum, z), dot_product(N, at(momentum, N), z), dot_product(N, at(momentum, 2 * N), z))
    g = vec(c, 4)
    potential = -m * dot(g, sub(center, vec(h, 0))) - dot(g, mv(R0, shift))
    w[0] = kinetic
    w[1] = potential
    w[2] = strain
    w[3] = dissipated
    w[4] = 0.0
