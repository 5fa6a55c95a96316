"""Geometrically exact beam between two nodes: any rotations, any section stiffness, initial curvature and twist.

The section frames of the two nodes are joined by a helix, the curve of constant strain (see `helical_strain`), so that
v = (u, ψ) holds stretch and shear, twist and bending of the element, exact for constant strain. Its wrench follows from
the element's flexibility, which is exact for loads at the nodes (docs/theory/21-beams.md):

    U = ½ (v − v₀)ᵀ F(ψ)⁻¹ (v − v₀),   F = L S + L/12 A S_κκ Aᵀ,   A = [û₀; ψ̂]        S: compliance of the section
    Q = ∂U/∂v + β F(ψ₀)⁻¹ v̇

Positions along the element are interpolated by x₁, x₂ and the section normals t₁, t₂, cubically; their kinetic energy is
quadratic in ẋ and ṫ = ω × t with a constant matrix. Rotary inertia of the sections is gathered at the nodes.
"""

from __future__ import annotations

from flexor.bodies.beam.exact_parameters import COUPLED, OFFSET, ROTARY_1, ROTARY_2, TURNED, ExactBeam
from flexor.bodies.beam.exact_string import exact_string, fits_string
from flexor.bodies.beam.helical_strain import (
    LARGEST_TURN,
    TURN_ERRORS,
    TURNED_TOO_FAR,
    along,
    back,
    beyond_series,
    by_sine,
    gradient,
    hessian,
    inverse_rate,
    inverse_tangent,
    second_slope,
    sine_of,
    slope,
    slope_back,
    third,
)
from flexor.bodies.beam.inertia import (
    acceleration,
    acceleration_slope,
    rotary_slope,
    rotary_torque,
    turning_of,
    weighted,
)
from flexor.law import ENERGY, MATRIX, OUTPUT, RESIDUAL, law
from flexor.law.face import put_energies
from flexor.law.rotation_vector import cotangent, rotation_vector
from flexor.law.string import String
from flexor.law.tuples import (
    add,
    adjugate,
    cross,
    determinant,
    dot,
    madd,
    mat,
    mm,
    mm_skew,
    mmt,
    mscale,
    msub,
    mtv,
    mv,
    norm,
    put,
    put_mat,
    rotation_of,
    scale,
    skew,
    skew2,
    skew_mm,
    store,
    sub,
    transpose,
    vec,
)


def symmetric(e):
    """Matrix of the entries xx, yy, zz, xy, xz, yz."""
    return (e[0], e[3], e[4], e[3], e[1], e[5], e[4], e[5], e[2])


@law(
    ExactBeam,
    turns=True,
    tangent="own",
    apart=True,
    string=String(exact_string, fits_string),
    errors=TURN_ERRORS,
    outputs=(
        ("axial_force", "N"),
        ("shear_force_y", "N"),
        ("shear_force_z", "N"),
        ("torque", "N m"),
        ("bending_moment_y", "N m"),
        ("bending_moment_z", "N m"),
    ),
)
def exact_beam(want, p, now, out):
    """Nodes: the two ends."""
    x, v, a, c = now.x, now.v, now.a, now.c
    kind = p.kind
    N1, N2 = mat(now.R, 0), mat(now.R, 9)
    y = sub(vec(x, 3), vec(x, 0))
    omega_1, omega_2 = vec(v, 3), vec(v, 9)
    # ---- strain in the axes of node 1: ψ of R₁ᵀ R₂, u = H⁻¹ y; wrench (q, m)
    turn = mm(transpose(N1), N2)
    if kind & TURNED:
        turn = mm(turn, mat(p.T, 0))
    sine = sine_of(turn)
    q_1 = dot(sine, sine)
    psi_1 = scale(by_sine(q_1), sine)  # as turn_between, without a call
    if beyond_series(turn, q_1):
        psi_1 = rotation_vector(turn)
    square = dot(psi_1, psi_1)
    if square > LARGEST_TURN * LARGEST_TURN:
        return TURNED_TOO_FAR
    d, d2 = cotangent(square)
    y_1 = mtv(N1, y)
    e_u = sub(along(psi_1, d, y_1), vec(p.u0, 0))
    A, B, Z, X = symmetric(p.A), symmetric(p.B), mat(p.Z, 0), mat(p.X, 0)
    # Σ = Σ₀ + ψ̂ B̃ ψ̂ᵀ,   ε = δψ − ψ × g,   m = Σ⁻¹ ε,   n = A δu + Zᵀ (ψ × m)   (21.8), (21.9)
    PB = skew_mm(psi_1, B)  # ψ̂ B̃ (− X)
    sigma = msub(symmetric(p.sigma_0), mm_skew(PB, psi_1))
    g = mv(Z, e_u)
    epsilon = sub(sub(psi_1, vec(p.psi0, 0)), cross(psi_1, g))
    if kind & COUPLED:
        XP = mm_skew(X, psi_1)
        sigma = madd(sigma, madd(XP, transpose(XP)))
        PB = msub(PB, X)
        epsilon = sub(epsilon, mv(mat(p.Y, 0), e_u))
    sigma, divisor = adjugate(sigma), determinant(sigma)
    m_0 = scale(1.0 / divisor, mv(sigma, epsilon))
    Ae = mv(A, e_u)
    turned = cross(psi_1, m_0)
    q_1 = add(Ae, mtv(Z, turned))
    g = sub(g, mv(B, turned))
    if kind & COUPLED:
        q_1, g = sub(q_1, mtv(mat(p.Y, 0), m_0)), sub(g, mtv(X, m_0))
    m = add(m_0, cross(m_0, g))
    strain_energy, dissipated = 0.5 * (dot(Ae, e_u) + dot(m_0, epsilon)), 0.0
    beta = p.beta
    y_rate = phi_rate = psi_rate = (0.0, 0.0, 0.0)
    if beta > 0.0:
        C_uu, C_up, C_pp = symmetric(p.C_uu), mat(p.C_up, 0), symmetric(p.C_pp)
        # ψ̇ = H⁻¹ φ̇,   u̇ = H⁻¹ ẏ + ∂u/∂ψ ψ̇,   as seen from frame 1
        phi_rate = mtv(N1, sub(omega_2, omega_1))
        y_rate = mtv(N1, sub(sub(vec(v, 6), vec(v, 0)), cross(omega_1, y)))
        psi_rate = along(psi_1, d, phi_rate)
        u_rate = add(along(psi_1, d, y_rate), mv(slope(psi_1, d, d2, y_1), psi_rate))
        q_rate, m_rate = add(mv(C_uu, u_rate), mv(C_up, psi_rate)), add(mtv(C_up, u_rate), mv(C_pp, psi_rate))
        dissipated = beta * (dot(q_rate, u_rate) + dot(m_rate, psi_rate))
        q_1, m = add(q_1, scale(beta, q_rate)), add(m, scale(beta, m_rate))
    m_1 = add(m, gradient(psi_1, d, d2, q_1, y_1))
    force = mv(N1, back(psi_1, d, q_1))  # ∂v/∂yᵀ Q, on node 2, in global axes
    moment = mv(N1, back(psi_1, d, m_1))
    if want & OUTPUT:
        store_section_forces(p, N1, N2, y, mv(N1, psi_1), force, moment, out.w)
    # ---- inertia: G = M (ẍ₁, ẗ₁, ẍ₂, ẗ₂), proper accelerations of the line of mass centres
    mass = p.mass
    m_a, m_b, m_c, m_d, m_e, m_f = mass[0], mass[1], mass[2], mass[3], mass[4], mass[5]
    t_1, t_2 = mv(N1, vec(p.t_1, 0)), mv(N2, vec(p.t_2, 0))
    o_1 = o_2 = (0.0, 0.0, 0.0)
    if kind & OFFSET:
        o_1, o_2 = mv(N1, vec(p.o_1, 0)), mv(N2, vec(p.o_2, 0))
    if want & (RESIDUAL | MATRIX):
        alpha_1, alpha_2 = vec(a, 3), vec(a, 9)
        a_1, a_2 = vec(a, 0), vec(a, 6)
        if kind & OFFSET:
            a_1, a_2 = add(a_1, acceleration(o_1, omega_1, alpha_1)), add(a_2, acceleration(o_2, omega_2, alpha_2))
        b_1, b_2 = acceleration(t_1, omega_1, alpha_1), acceleration(t_2, omega_2, alpha_2)
        G_x1 = weighted(m_a, a_1, m_b, a_2, m_c, b_1, m_d, b_2)
        G_x2 = weighted(m_b, a_1, m_a, a_2, -m_d, b_1, -m_c, b_2)
        G_t1 = weighted(m_c, a_1, -m_d, a_2, m_e, b_1, m_f, b_2)
        G_t2 = weighted(m_d, a_1, -m_c, a_2, m_f, b_1, m_e, b_2)
        if want & RESIDUAL:
            tau_1 = sub(cross(t_1, G_t1), add(moment, cross(y, force)))
            tau_2 = add(cross(t_2, G_t2), moment)
            if kind & OFFSET:
                tau_1, tau_2 = add(tau_1, cross(o_1, G_x1)), add(tau_2, cross(o_2, G_x2))
            if kind & ROTARY_1:
                tau_1 = add(tau_1, rotary_torque(symmetric(p.J_1), N1, omega_1, alpha_1))
            if kind & ROTARY_2:
                tau_2 = add(tau_2, rotary_torque(symmetric(p.J_2), N2, omega_2, alpha_2))
            put(out.r, 0, sub(G_x1, force))
            put(out.r, 3, tau_1)
            put(out.r, 6, add(G_x2, force))
            put(out.r, 9, tau_2)
        if want & MATRIX:
            cK, cC, cM, K = c.K, c.C, c.M, out.K
            # ---- stiffness: columns p = δx₂ − δx₁, δθ₁, φ = δθ₂ − δθ₁ of the force and moment on node 2
            psi, q, m_y = mv(N1, psi_1), mv(N1, q_1), mv(N1, m_1)
            sigma = mscale(1.0 / divisor, sigma)
            d3 = third(square)
            H = inverse_tangent(psi, d)
            H_T = transpose(H)
            # tangent of the wrench in node-1 axes, (21.11): dm = Σ⁻¹ (P_p dψ − P_u du)
            P_u = skew_mm(psi_1, Z)
            if kind & COUPLED:
                P_u = madd(P_u, mat(p.Y, 0))
            P_p = _plus(msub(skew(g), mm_skew(PB, m_0)), 1.0)
            SU, SP = mm(sigma, P_u), mm(sigma, P_p)
            P_uT = transpose(P_u)
            T_uu = mscale(cK, madd(A, mm(P_uT, SU)))
            T_up = mscale(-cK, madd(mm(P_uT, SP), mm_skew(transpose(Z), m_0)))
            T_pp = mscale(cK, madd(mm(transpose(P_p), SP), mm_skew(skew_mm(m_0, B), m_0)))
            if beta > 0.0 and cC != 0.0:
                f = beta * cC
                C_uu, C_up, C_pp = symmetric(p.C_uu), mat(p.C_up, 0), symmetric(p.C_pp)
                T_uu, T_up, T_pp = madd(T_uu, mscale(f, C_uu)), madd(T_up, mscale(f, C_up)), madd(T_pp, mscale(f, C_pp))
            A_C, B_C, D_C = mmt(mm(N1, T_uu), N1), mmt(mm(N1, T_up), N1), mmt(mm(N1, T_pp), N1)
            P = mm(slope(psi, d, d2, y), H)  # ∂u/∂φ
            AP = madd(mm(A_C, P), mm(B_C, H))
            DH = madd(mm(D_C, H), mm(transpose(B_C), P))
            F_p = mm(H_T, mm(A_C, H))
            F_f = madd(mm(H_T, AP), mm(mscale(cK, slope_back(psi, d, d2, q)), H))
            M_p = transpose(F_f)
            geometric = madd(mm(H_T, hessian(psi, d, d2, d3, q, y)), slope_back(psi, d, d2, m_y))
            M_f = madd(madd(mm(transpose(P), AP), mm(H_T, DH)), mm(mscale(cK, geometric), H))
            F_a = msub(mm_skew(F_p, y), mscale(cK, skew(force)))
            M_a = msub(mm_skew(M_p, y), mscale(cK, skew(moment)))
            if beta > 0.0 and cK != 0.0:
                # the rates v̇ change with the position, at fixed velocities
                f = cK * beta
                y_rate, phi_rate, psi_rate = mv(N1, y_rate), mv(N1, phi_rate), mv(N1, psi_rate)
                C_uu, C_up, C_pp = symmetric(p.C_uu), mat(p.C_up, 0), symmetric(p.C_pp)
                U = slope(psi, d, d2, y)
                H_rate = inverse_rate(psi, d, d2, psi_rate)
                E_pa = mm_skew(H, phi_rate)
                E_pf = slope(psi, d, d2, phi_rate)
                E_up = msub(H_rate, mm_skew(H, omega_1))
                E_ua = madd(madd(mm_skew(H, y_rate), mm_skew(H_rate, y)), mm(U, E_pa))
                E_uf = madd(madd(slope(psi, d, d2, y_rate), mm(U, E_pf)), second_slope(psi, d, d2, d3, y, psi_rate))
                E_uf, E_pf = mm(E_uf, H), mm(E_pf, H)
                A_0, D_0 = mscale(f, mmt(mm(N1, C_uu), N1)), mscale(f, mmt(mm(N1, C_pp), N1))
                B_0 = mscale(f, mmt(mm(N1, C_up), N1))
                B_T = transpose(B_0)
                Q_p, W_p = mm(A_0, E_up), mm(B_T, E_up)
                Q_a, W_a = madd(mm(A_0, E_ua), mm(B_0, E_pa)), madd(mm(B_T, E_ua), mm(D_0, E_pa))
                Q_f, W_f = madd(mm(A_0, E_uf), mm(B_0, E_pf)), madd(mm(B_T, E_uf), mm(D_0, E_pf))
                P_T = transpose(P)
                F_p, F_a, F_f = madd(F_p, mm(H_T, Q_p)), madd(F_a, mm(H_T, Q_a)), madd(F_f, mm(H_T, Q_f))
                M_p = madd(M_p, madd(mm(P_T, Q_p), mm(H_T, W_p)))
                M_a = madd(M_a, madd(mm(P_T, Q_a), mm(H_T, W_a)))
                M_f = madd(M_f, madd(mm(P_T, Q_f), mm(H_T, W_f)))
            F_a, M_a = msub(F_a, F_f), msub(M_a, M_f)
            # node 1: −force, −moment − y × force
            L_p = msub(mscale(cK, skew(force)), madd(M_p, skew_mm(y, F_p)))
            L_a = madd(M_a, skew_mm(y, F_a))
            L_f = madd(M_f, skew_mm(y, F_f))
            # ---- inertia
            P_1 = acceleration_slope(t_1, omega_1, turning_of(omega_1, alpha_1, c), c)
            P_2 = acceleration_slope(t_2, omega_2, turning_of(omega_2, alpha_2, c), c)
            X_11, X_12, X_21, X_22 = mscale(m_c, P_1), mscale(m_d, P_2), mscale(-m_d, P_1), mscale(-m_c, P_2)
            Y_11, Y_12, Y_21, Y_22 = mscale(m_e, P_1), mscale(m_f, P_2), mscale(m_f, P_1), mscale(m_e, P_2)
            u_11, u_12, u_21, u_22 = scale(m_c, t_1), scale(-m_d, t_1), scale(m_d, t_2), scale(-m_c, t_2)
            own_1, own_2 = mscale(cK, skew2(G_t1, t_1)), mscale(cK, skew2(G_t2, t_2))
            if kind & OFFSET:
                O_P1 = acceleration_slope(o_1, omega_1, turning_of(omega_1, alpha_1, c), c)
                O_P2 = acceleration_slope(o_2, omega_2, turning_of(omega_2, alpha_2, c), c)
                X_11, X_12 = madd(X_11, mscale(m_a, O_P1)), madd(X_12, mscale(m_b, O_P2))
                X_21, X_22 = madd(X_21, mscale(m_b, O_P1)), madd(X_22, mscale(m_a, O_P2))
                Y_11, Y_12 = madd(Y_11, mscale(m_c, O_P1)), msub(Y_12, mscale(m_d, O_P2))
                Y_21, Y_22 = madd(Y_21, mscale(m_d, O_P1)), msub(Y_22, mscale(m_c, O_P2))
                u_11, u_12 = add(u_11, scale(m_a, o_1)), add(u_12, scale(m_b, o_1))
                u_21, u_22 = add(u_21, scale(m_b, o_2)), add(u_22, scale(m_a, o_2))
                own_1 = madd(own_1, madd(mscale(cK, skew2(G_x1, o_1)), skew_mm(o_1, X_11)))
                own_2 = madd(own_2, madd(mscale(cK, skew2(G_x2, o_2)), skew_mm(o_2, X_22)))
                L_f = msub(L_f, skew_mm(o_1, X_12))
                M_a = madd(M_a, skew_mm(o_2, X_21))
            if kind & ROTARY_1:
                own_1 = madd(own_1, rotary_slope(symmetric(p.J_1), N1, omega_1, alpha_1, c))
            if kind & ROTARY_2:
                own_2 = madd(own_2, rotary_slope(symmetric(p.J_2), N2, omega_2, alpha_2, c))
            m_1, m_2 = cM * m_a, cM * m_b
            put_mat(K, 12, 0, 0, _plus(F_p, m_1))
            put_mat(K, 12, 0, 3, msub(X_11, F_a))
            put_mat(K, 12, 0, 6, _minus(m_2, F_p))
            put_mat(K, 12, 0, 9, msub(X_12, F_f))
            put_mat(K, 12, 3, 0, msub(skew(scale(cM, u_11)), L_p))
            put_mat(K, 12, 3, 3, madd(own_1, msub(skew_mm(t_1, Y_11), L_a)))
            put_mat(K, 12, 3, 6, madd(skew(scale(cM, u_12)), L_p))
            put_mat(K, 12, 3, 9, msub(skew_mm(t_1, Y_12), L_f))
            put_mat(K, 12, 6, 0, _minus(m_2, F_p))
            put_mat(K, 12, 6, 3, madd(X_21, F_a))
            put_mat(K, 12, 6, 6, _plus(F_p, m_1))
            put_mat(K, 12, 6, 9, madd(X_22, F_f))
            put_mat(K, 12, 9, 0, msub(skew(scale(cM, u_21)), M_p))
            put_mat(K, 12, 9, 3, madd(skew_mm(t_2, Y_21), M_a))
            put_mat(K, 12, 9, 6, madd(skew(scale(cM, u_22)), M_p))
            put_mat(K, 12, 9, 9, madd(own_2, madd(skew_mm(t_2, Y_22), M_f)))
    if want & ENERGY:
        v_1, v_2 = add(vec(v, 0), cross(omega_1, o_1)), add(vec(v, 6), cross(omega_2, o_2))
        s_1, s_2 = cross(omega_1, t_1), cross(omega_2, t_2)
        kinetic = 0.5 * dot(v_1, weighted(m_a, v_1, m_b, v_2, m_c, s_1, m_d, s_2))
        kinetic += 0.5 * dot(v_2, weighted(m_b, v_1, m_a, v_2, -m_d, s_1, -m_c, s_2))
        kinetic += 0.5 * dot(s_1, weighted(m_c, v_1, -m_d, v_2, m_e, s_1, m_f, s_2))
        kinetic += 0.5 * dot(s_2, weighted(m_d, v_1, -m_c, v_2, m_f, s_1, m_e, s_2))
        if kind & ROTARY_1:
            spin = mtv(N1, omega_1)
            kinetic += 0.5 * dot(spin, mv(symmetric(p.J_1), spin))
        if kind & ROTARY_2:
            spin = mtv(N2, omega_2)
            kinetic += 0.5 * dot(spin, mv(symmetric(p.J_2), spin))
        half, arm = m_a + m_b, m_c - m_d
        x_1, x_2 = add(vec(x, 0), o_1), add(vec(x, 3), o_2)
        line = weighted(half, x_1, half, x_2, arm, t_1, -arm, t_2)  # ∫ρ x ds
        potential = -dot(vec(c.gravity, 0), sub(line, vec(p.moment, 0)))
        put_energies(out.w, kinetic, potential, strain_energy, dissipated, 0.0)
    return 0


def _plus(A, f):
    """A + f I"""
    return (A[0] + f, A[1], A[2], A[3], A[4] + f, A[5], A[6], A[7], A[8] + f)


def _minus(f, A):
    """f I − A"""
    return (f - A[0], -A[1], -A[2], -A[3], f - A[4], -A[5], -A[6], -A[7], f - A[8])


def store_section_forces(p, N1, N2, y, psi, force, moment, w):
    """w = N, Qy, Qz, T, My, Mz in the middle, in equilibrium with force and moment on node 2; y from end to end, ψ its turn.

    The middle section is halfway between both ends in orientation, and in position at ½ (x₁ + x₂) + L/8 (t₁ − t₂)   (21.14)
    """
    sag = scale(0.125 * norm(vec(p.u0, 0)), sub(mv(N1, vec(p.t_1, 0)), mv(N2, vec(p.t_2, 0))))
    moment = add(moment, cross(sub(scale(0.5, y), sag), force))
    S = mm(rotation_of(scale(0.5, psi)), mm(N1, mat(p.S_1, 0)))
    store(w, 0, mtv(S, force))
    store(w, 3, mtv(S, moment))
