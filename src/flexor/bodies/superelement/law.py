"""A reduced body in large motion, co-rotated: forces, inertia and their exact derivatives.   FTG 4, 7.6, 7.7

Coordinates: nodes of six degrees of freedom and component modes q. Deformations in the shadow frame (x₀, R₀)

    z = [d_k, ψ_k; q],   d_k = R₀ᵀ(x_k − x₀) − X_k,   ψ_k = log(R₀ᵀR_k),

(a translation is seen by none of K, D, 𝔾, E, F: z and its rate are kept relative to d of the first node, three numbers fewer),
variations of them δz = Ĥ P δq̄ with P = 1 − S G: δφ = G δq̄ is the turn of the frame, S = [−P̂_k; 1] what it takes away,
Ĥ = diag(1, H⁻¹(ψ_k)). A bar means components in the frame. Elastic and damping forces

    r̄ = Pᵀ f̂,   f̂ = Ĥᵀ K z + D ŵ,   ŵ = P v̄,

are in equilibrium whatever the deformation. Inertia forces: the nodal form M ā (FTG 7.7.3), or, correct to first order in
the deformation (`flexor.reduce.nodal_inertia`),

    M a* + Σ ωᵢωⱼ (cᵢⱼ + Eᵢⱼ z) + Σ 𝔾ₖ (2 ωₖ ŵ + αₖ z) + G₀ᵀ m,   ω = G v̄,   a* = ā − [0; ω × ŵ_θ]
    mₖ = (𝔾ₖ z)ᵀ (ā + M⁺ Σ αₗ𝔾ₗz) + Σ ωᵢωⱼ F_kij z,   α = G₀ ā − Σ ωᵢωⱼ κᵢⱼ

(the term with M⁺ is of second order in z; it completes the square, so that the mass of a bent body stays positive).
"""

from __future__ import annotations

from flexor.bodies.superelement.inertia import consistent_inertia, frame_acceleration, turned_momentum
from flexor.bodies.superelement.layout import CorotatedBody, SuperelementHistory
from flexor.bodies.superelement.matrix import superelement_matrix
from flexor.bodies.superelement.shadow_frame import (
    AVERAGE,
    FRAME_ERRORS,
    TURNING_WEIGHT,
    average_turning,
    find_frame,
    turning_condition,
)
from flexor.bodies.superelement.signals import keeps_its_history, superelement_energies, superelement_signals
from flexor.bodies.superelement.work import Bent, work_memory
from flexor.law import COMMIT, ENERGY, MATRIX, OUTPUT, RESIDUAL, law
from flexor.law.column_arrays import add_scaled, dot_product, set_product, set_zero
from flexor.law.face import put_energies
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
    scale,
    store,
    store_mat,
    sub,
    transpose,
    vec,
)


@law(
    CorotatedBody,
    turns=True,
    signals=superelement_signals,
    energies=superelement_energies,
    remember=keeps_its_history,
    history=SuperelementHistory,
    tangent="own",
    errors=FRAME_ERRORS,
    outputs=(
        *((f"position_{i}", "m") for i in "xyz"),
        *((f"orientation_{i}", "") for i in "wxyz"),
        ("kinetic_energy", "J"),
        ("potential_energy", "J"),
        ("strain_energy", "J"),
    ),
)
def superelement(want, p, now, out):
    """See above."""
    if want == COMMIT:
        return 0
    work = work_memory(now.n.nodes, now.n.scalars, out.w)
    N, nc, nq, head = work.N, work.nc, work.nq, work.head
    status, x0, R0 = find_frame(p.frame, nc, now.x, now.R)
    if status != 0:
        return status
    store_mat(head.R0, 0, R0)
    for part in (work.z, work.abar, work.vbar, work.rate):
        set_zero(4, at(part, N - 4))  # coordinates that do not exist
    W_inverse = inverse(_deformation(p, now, x0, R0, work))
    store_mat(head.W_inverse, 0, W_inverse)
    omega = (0.0, 0.0, 0.0)
    if p.consistent or p.damped or want & (ENERGY | OUTPUT):
        omega = _rates(p, now, R0, W_inverse, work)
    store(head.omega, 0, omega)

    if want & (RESIDUAL | MATRIX):
        set_product(N, p.stiffness, work.z, work.f)
        _internal(p, W_inverse, work)
        rbar, inertia, abar = work.rbar, work.inertia, work.abar
        for i in range(nc):
            store(abar, 6 * i, mtv(R0, vec(now.a, 6 * i)))
            store(abar, 6 * i + 3, mtv(R0, vec(now.a, 6 * i + 3)))
        for i in range(nq):
            abar[6 * nc + i] = now.s[3 * i + 2]
        if p.consistent:
            store(head.alpha, 0, frame_acceleration(N, p.field, omega, abar))
            set_zero(N, work.star)
            add_scaled(N, 1.0, abar, work.star)
            for i in range(nc):
                o = 6 * i + 3
                store(work.star, o, sub(vec(abar, o), cross(omega, vec(work.rate, o))))
            consistent_inertia(p.field, work, want & MATRIX)
        else:
            store(head.alpha, 0, (0.0, 0.0, 0.0))
            set_product(N, p.inertia, abar, inertia)
        for i in range(2 * nc):
            o = 3 * i
            store(out.r, o, mv(R0, add(vec(rbar, o), vec(inertia, o))))
        for i in range(6 * nc, 6 * nc + nq):
            out.r[i] = rbar[i] + inertia[i]
        if want & MATRIX:
            superelement_matrix(p, now.c, work, out.K)

    if want & (ENERGY | OUTPUT):
        kinetic, potential, strain, dissipated = _energies(p, now, x0, R0, omega, work)
        if want & OUTPUT:
            store(out.w, 0, sub(x0, mv(R0, vec(p.origin, 0))))
            store_quaternion(R0, at(out.w, 3))
            out.w[7], out.w[8], out.w[9] = kinetic, potential, strain
        else:
            put_energies(out.w, kinetic, potential, strain, dissipated, 0.0)
    return 0


def _deformation(p, now, x0, R0, work):
    """Fills z (without the translation of the first node) and, per node, Q, D, P̄, H;  returns W."""
    X, A, B, z = p.frame.X, p.frame.A, p.frame.B, work.z
    first = (0.0, 0.0, 0.0)
    W = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for i in range(work.nc):
        node = Bent(work.nodes, i)
        P = mtv(R0, sub(vec(now.x, 3 * i), x0))
        store(node.P, 0, P)
        moved = sub(P, vec(X, 3 * i))
        if i == 0:
            first = moved
        store(z, 6 * i, sub(moved, first))
        W = msub(W, mm_skew(mat(A, 9 * i), P))
        if p.turning:
            Q = mm(transpose(R0), mat(now.R, 9 * i))
            psi = rotation_vector(Q)
            if p.frame.method == AVERAGE:
                D = average_turning(B[27 * i + TURNING_WEIGHT], Q)
            else:
                D = turning_condition(at(B, 27 * i), Q)
            store(z, 6 * i + 3, psi)
            store_mat(node.Q, 0, Q)
            store_mat(node.D, 0, D)
            store_mat(node.H, 0, spin_to_rate(psi))
            W = madd(W, D)
        else:
            store(z, 6 * i + 3, (0.0, 0.0, 0.0))
            store_mat(node.Q, 0, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
            store_mat(node.D, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
            store_mat(node.H, 0, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    for i in range(work.nq):
        z[6 * work.nc + i] = now.s[3 * i]
    return W


def _rates(p, now, R0, W_inverse, work):
    """v̄, ω = G v̄ and ŵ = P v̄, without the translation of the first node"""
    nc, v, vbar, rate, A = work.nc, now.v, work.vbar, work.rate, p.frame.A
    g = (0.0, 0.0, 0.0)
    for i in range(nc):
        linear, spin = mtv(R0, vec(v, 6 * i)), mtv(R0, vec(v, 6 * i + 3))
        store(vbar, 6 * i, linear)
        store(vbar, 6 * i + 3, spin)
        g = add(g, add(mv(mat(A, 9 * i), linear), mv(mat(Bent(work.nodes, i).D, 0), spin)))
    omega = mv(W_inverse, g)
    first = (0.0, 0.0, 0.0)
    for i in range(nc):
        P = vec(Bent(work.nodes, i).P, 0)
        linear = sub(vec(vbar, 6 * i), cross(omega, P))
        if i == 0:
            first = linear
        store(rate, 6 * i, sub(linear, first))
        store(rate, 6 * i + 3, sub(vec(vbar, 6 * i + 3), omega))
    for i in range(work.nq):
        vbar[6 * nc + i] = now.s[3 * i + 1]
        rate[6 * nc + i] = now.s[3 * i + 1]
    return omega


def _internal(p, W_inverse, work):
    """r̄ = Pᵀ f̂ from f = K z, and μ = W⁻ᵀ Sᵀ f̂"""
    N, nc, f, rbar, lost, A = work.N, work.nc, work.f, work.rbar, work.spare, p.frame.A
    if p.damped:
        set_product(N, p.damping, work.rate, lost)
    else:
        set_zero(N, lost)
    tau = (0.0, 0.0, 0.0)
    for i in range(nc):
        node = Bent(work.nodes, i)
        o = 6 * i
        force = add(vec(f, o), vec(lost, o))
        moment = add(mtv(mat(node.H, 0), vec(f, o + 3)), vec(lost, o + 3))
        store(rbar, o, force)
        store(rbar, o + 3, moment)
        tau = add(tau, add(cross(vec(node.P, 0), force), moment))
    for i in range(6 * nc, N):
        rbar[i] = f[i] + lost[i]
    mu = mtv(W_inverse, tau)
    store(work.head.mu, 0, mu)
    for i in range(nc):
        o = 6 * i
        store(rbar, o, sub(vec(rbar, o), mtv(mat(A, 9 * i), mu)))
        store(rbar, o + 3, sub(vec(rbar, o + 3), mtv(mat(Bent(work.nodes, i).D, 0), mu)))


def _energies(p, now, x0, R0, omega, work):
    """(kinetic, potential, strain energy, dissipated power)"""
    N, z, vbar, y, extra = work.N, work.z, work.vbar, work.f, work.abar
    set_product(N, p.stiffness, z, y)
    strain = 0.5 * dot_product(N, z, y)
    set_product(N, p.inertia, vbar, y)
    kinetic = 0.5 * dot_product(N, vbar, y)
    if p.consistent:
        # T = ½ v̄ᵀM v̄ + v̄ᵀe + ½ eᵀM⁺e,  e = Σ ωₖ𝔾ₖ z: the velocity field is ω × (x + Sz) + Sż
        turned_momentum(N, p.field.matrices, omega, z, extra)
        set_product(N, p.field.mobility, extra, y)
        kinetic += dot_product(N, extra, vbar) + 0.5 * dot_product(N, extra, y)
    dissipated = 0.0
    if p.damped:
        set_product(N, p.damping, work.rate, y)
        dissipated = dot_product(N, work.rate, y)
    center = add(x0, mv(R0, sub(vec(p.center, 0), vec(p.origin, 0))))
    # m times the move of the centre by deformation, in the frame
    S = p.momentum
    shift = (dot_product(N, S, z), dot_product(N, at(S, N), z), dot_product(N, at(S, 2 * N), z))
    shift = add(shift, scale(p.mass, sub(vec(Bent(work.nodes, 0).P, 0), vec(p.frame.X, 0))))
    g = vec(now.c.gravity, 0)
    potential = -p.mass * dot(g, sub(center, vec(now.h.center, 0))) - dot(g, mv(R0, shift))
    return kinetic, potential, strain, dissipated
