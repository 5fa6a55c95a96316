"""Inertia of a superelement beyond the nodal form, and its exact derivatives.   See `flexor.reduce.nodal_inertia`

    M a* + Σ ωᵢωⱼ (cᵢⱼ + Eᵢⱼ z) + Σ 𝔾ₖ (2 ωₖ ŵ + αₖ z) + G₀ᵀ m

`field` is the FieldInertia of `superelement_layout`: there 𝔾, E, M stand interlaced, four rows of one column of each together.
"""

from __future__ import annotations

from flexor.bodies.superelement.layout import INTERLACED
from flexor.bodies.superelement.work import Bent
from flexor.law.column_arrays import (
    add_mixed,
    add_outer,
    add_products,
    add_scaled,
    add_turned_columns,
    dot_product,
    set_product,
    set_zero,
    small_product,
    store_columns,
    turn_columns,
)
from flexor.law.lanes import (
    high8,
    load4,
    load8,
    low8,
    plus4,
    plus8,
    product4,
    store4,
    times4,
    total4,
    zeros4,
    zeros8,
)  # fmt: skip
from flexor.law.primitives import at
from flexor.law.tuples import add, madd, mat, mm, mscale, msub, mtv, scale, skew, store, sub, transpose, vec


def _pairs(omega):
    """ωᵢωⱼ of the pairs xx, yy, zz, xy, xz, yz"""
    return (
        omega[0] * omega[0], omega[1] * omega[1], omega[2] * omega[2],
        omega[0] * omega[1], omega[0] * omega[2], omega[1] * omega[2],
    )  # fmt: skip


def frame_acceleration(N, field, omega, abar):
    """α = G₀ ā − Σ ωᵢωⱼ κᵢⱼ"""
    spin, felt = field.spin, field.felt
    w = _pairs(omega)
    alpha = (dot_product(N, spin, abar), dot_product(N, at(spin, N), abar), dot_product(N, at(spin, 2 * N), abar))
    alpha = sub(alpha, add(add(scale(w[0], vec(felt, 0)), scale(w[1], vec(felt, 3))), scale(w[2], vec(felt, 6))))
    return sub(alpha, add(add(scale(w[3], vec(felt, 9)), scale(w[4], vec(felt, 12))), scale(w[5], vec(felt, 15))))


def consistent_inertia(field, work, tangent):
    """M a* + Σ ωᵢωⱼ (cᵢⱼ + Eᵢⱼ z) + Σ 𝔾ₖ (2 ωₖ ŵ + αₖ z) + G₀ᵀ m; fills also what the tangent needs: bent, carried and, if asked, slope."""
    N = work.N
    z, rate, star, bent, slope, carried = work.z, work.rate, work.star, work.bent, work.slope, work.carried
    y, turned = work.inertia, work.spare
    constant, matrices, spin, moment = field.load, field.matrices, field.spin, field.moment
    omega, alpha = vec(work.head.omega, 0), vec(work.head.alpha, 0)
    w0, w1, w2, w3, w4, w5 = _pairs(omega)
    # Bodies that are alike share their matrices: the next one begins with the rows that this one ends with, which are still at hand.
    work.head.upwards = 0.0 if work.head.upwards == 1.0 else 1.0
    upwards = work.head.upwards == 1.0
    for n in range(0, N, 4):
        o = n if upwards else N - 4 - n
        i = N * INTERLACED * (o // 4)
        # two matrices at once where they meet the same numbers: 𝔾₀𝔾₁, 𝔾₂E₀, E₁E₂, E₃E₄
        b01, b2s0, s12, s34, r01 = zeros8(), zeros8(), zeros8(), zeros8(), zeros8()
        r2, s5, forces = zeros4(), load4(constant, 5 * N + o), zeros4()
        for j in range(3):  # z and ŵ of the first node are turns alone
            forces = plus4(forces, star[j], load4(matrices, i + 36))
            i += INTERLACED
        for j in range(3, N):
            z_j, rate_j, v01 = z[j], rate[j], load8(matrices, i)
            b01, r01 = plus8(b01, z_j, v01), plus8(r01, rate_j, v01)
            b2s0, r2 = plus8(b2s0, z_j, load8(matrices, i + 8)), plus4(r2, rate_j, load4(matrices, i + 8))
            s12, s34 = plus8(s12, z_j, load8(matrices, i + 16)), plus8(s34, z_j, load8(matrices, i + 24))
            s5, forces = plus4(s5, z_j, load4(matrices, i + 32)), plus4(forces, star[j], load4(matrices, i + 36))
            i += INTERLACED
        b0, b1, b2, r0, r1 = low8(b01), high8(b01), low8(b2s0), low8(r01), high8(r01)
        s0 = plus4(load4(constant, o), 1.0, high8(b2s0))
        s1, s2 = plus4(load4(constant, N + o), 1.0, low8(s12)), plus4(load4(constant, 2 * N + o), 1.0, high8(s12))
        s3, s4 = plus4(load4(constant, 3 * N + o), 1.0, low8(s34)), plus4(load4(constant, 4 * N + o), 1.0, high8(s34))
        store4(bent, o, b0)
        store4(bent, N + o, b1)
        store4(bent, 2 * N + o, b2)
        by_turn = plus4(plus4(times4(alpha[0], b0), alpha[1], b1), alpha[2], b2)
        store4(turned, o, by_turn)
        by_rates = plus4(plus4(times4(2.0 * omega[0], r0), 2.0 * omega[1], r1), 2.0 * omega[2], r2)
        squares = plus4(plus4(times4(w0, s0), w1, s1), w2, s2)
        products = plus4(plus4(times4(w3, s3), w4, s4), w5, s5)
        forces = plus4(plus4(forces, 1.0, by_rates), 1.0, by_turn)
        store4(y, o, plus4(forces, 1.0, plus4(squares, 1.0, products)))
        if tangent:
            store4(slope, o, plus4(plus4(plus4(times4(2.0, r0), 2.0 * omega[0], s0), omega[1], s3), omega[2], s4))
            store4(slope, N + o, plus4(plus4(plus4(times4(2.0, r1), 2.0 * omega[1], s1), omega[0], s3), omega[2], s5))
            store4(
                slope, 2 * N + o, plus4(plus4(plus4(times4(2.0, r2), 2.0 * omega[2], s2), omega[0], s4), omega[1], s5)
            )
    set_product(N, field.mobility, turned, carried)
    add_scaled(N, 1.0, work.abar, carried)
    m0, m1, m2 = _moments(N, moment, bent, carried, z, w0, w1, w2, w3, w4, w5)
    for o in range(0, N, 4):
        one = plus4(plus4(load4(y, o), m0, load4(spin, o)), m1, load4(spin, N + o))
        store4(y, o, plus4(one, m2, load4(spin, 2 * N + o)))


def _moments(N, F, bent, carried, z, w0, w1, w2, w3, w4, w5):
    """mₖ = (𝔾ₖ z)ᵀ (ā + M⁺ Σ αₗ𝔾ₗz) + Σ ωᵢωⱼ F_kij z"""
    m0, m1, m2 = zeros4(), zeros4(), zeros4()
    s0, s1, s2 = zeros4(), zeros4(), zeros4()
    for o in range(0, N, 4):
        a, d = load4(carried, o), load4(z, o)
        m0, m1 = plus4(m0, 1.0, product4(load4(bent, o), a)), plus4(m1, 1.0, product4(load4(bent, N + o), a))
        m2 = plus4(m2, 1.0, product4(load4(bent, 2 * N + o), a))
        s0 = plus4(s0, 1.0, product4(_weighed(N, F, o, w0, w1, w2, w3, w4, w5), d))
        s1 = plus4(s1, 1.0, product4(_weighed(N, F, 6 * N + o, w0, w1, w2, w3, w4, w5), d))
        s2 = plus4(s2, 1.0, product4(_weighed(N, F, 12 * N + o, w0, w1, w2, w3, w4, w5), d))
    return total4(plus4(m0, 1.0, s0)), total4(plus4(m1, 1.0, s1)), total4(plus4(m2, 1.0, s2))


def _weighed(N, F, o, w0, w1, w2, w3, w4, w5):
    """Σ ωᵢωⱼ Fᵢⱼ at o"""
    squares = plus4(plus4(times4(w0, load4(F, o)), w1, load4(F, N + o)), w2, load4(F, 2 * N + o))
    products = plus4(plus4(times4(w3, load4(F, 3 * N + o)), w4, load4(F, 4 * N + o)), w5, load4(F, 5 * N + o))
    return plus4(squares, 1.0, products)


def turned_momentum(N, matrices, omega, z, e):
    """e = Σ ωₖ𝔾ₖ z, for the kinetic energy"""
    i = 0
    for o in range(0, N, 4):
        sums = zeros4()
        for j in range(N):
            whole = plus4(times4(omega[0], load4(matrices, i)), omega[1], load4(matrices, i + 4))
            sums = plus4(sums, z[j], plus4(whole, omega[2], load4(matrices, i + 8)))
            i += INTERLACED
        store4(e, o, sums)


def add_inertia_slopes(p, c, work, made):
    """Tangent of the inertia forces but M ā: K += Q + …, with what multiplies G in `left`, Ω in `left_omega`

    Q = cK (E_ω Ĥ − 𝒢 ω̂_d) + cC 𝒢,   𝒢 = 2 Σ ωₖ𝔾ₖ − M ω̂_θ,   E_ω = Σ ωᵢωⱼ Eᵢⱼ + Σ αₖ𝔾ₖ

    V holds cK [ā]^.
    """
    N, nc, z, rate, vbar, bent, slope = work.N, work.nc, work.z, work.rate, work.vbar, work.bent, work.slope
    S, V, left, left_omega, own, rows, K, gyro, Q = (
        made.S, made.V, made.left, made.left_omega, made.own, made.rows, made.K, made.gyro, made.Q,
    )  # fmt: skip
    cK, cC, cM = c.K, c.C, c.M
    mass, spin = p.inertia, p.field.spin
    omega = vec(work.head.omega, 0)
    set_zero(3 * N, own)
    add_products(N, N, 1.0, p.field.mobility, bent, own)  # M⁺𝔾ₖz
    _matrices(cK, p.field, work, made)
    turn = mscale(-1.0, skew(omega))
    for i in range(nc):
        o = 6 * i
        H = mat(Bent(work.nodes, i).H, 0)
        add_turned_columns(N, o + 3, turn, mass, gyro)
        turn_columns(N, o + 3, H, Q, Q)
        add_turned_columns(N, o, mscale(cK, turn), gyro, Q)
        for q in range(3):
            store(rows, q * N + o + 3, mtv(H, vec(rows, q * N + o + 3)))
    add_scaled(N * N, cC, gyro, Q)
    add_scaled(N * N, 1.0, Q, K)
    add_products(N, 6 * nc, -1.0, Q, S, left)

    # by ω: (cK Ω + cC G) of the slopes, of −M [0; e_k × ŵ_θ] and of the moments; by the rates ŵ
    square = small_product(N, bent, own)  # (𝔾ₖz)ᵀ M⁺ 𝔾ₗz
    by_spin = _moment_slopes(N, p.field.moment, omega, z)
    felt_by_spin = _felt_slopes(p.field.felt, omega)  # −∂α/∂ω
    add_mixed(N, transpose(msub(by_spin, mm(square, felt_by_spin))), spin, slope)
    add_mixed(N, transpose(mscale(-1.0, felt_by_spin)), bent, slope)
    set_zero(3 * N, own)
    for i in range(nc):
        store_columns(own, N, 6 * i + 3, transpose(skew(vec(rate, 6 * i + 3))))
    add_products(N, 6 * nc, 1.0, mass, own, slope)
    add_scaled(3 * N, cC, slope, left)
    add_scaled(3 * N, cK, slope, left_omega)
    for i in range(2 * nc):
        store_columns(own, N, 3 * i, transpose(mscale(cK, skew(vec(vbar, 3 * i)))))
    add_products(N, 6 * nc, 1.0, gyro, own, left)
    add_products(N, 6 * nc, -cK, gyro, S, left_omega)

    # G₀ᵀ m and Σ αₖ 𝔾ₖ z by accelerations, deformations and the turning of ā
    by_turn = small_product(N, spin, V)
    T = madd(msub(small_product(N, bent, V), small_product(N, rows, S)), mm(square, by_turn))
    add_mixed(N, transpose(T), spin, left)
    add_mixed(N, transpose(by_turn), bent, left)
    add_scaled(3 * N, cM, bent, rows)
    set_zero(3 * N, own)
    add_scaled(3 * N, cM, bent, own)
    add_mixed(N, mscale(cM, square), spin, own)
    add_outer(N, own, spin, K)
    add_outer(N, spin, rows, K)


def _matrices(cK, field, work, made):
    """gyro = 2 Σ ωₖ𝔾ₖ, soft = cK E_ω;  rowsₖ = cK ((ā + M⁺ Σ αₗ𝔾ₗz)ᵀ𝔾ₖ + (M⁺𝔾ₖz)ᵀ Σ αₗ𝔾ₗ + Σ ωᵢωⱼ F_kij)"""
    N, carried, own, gyro, soft, rows = work.N, work.carried, made.own, made.gyro, made.Q, made.rows
    matrices, moment = field.matrices, field.moment
    omega, alpha = vec(work.head.omega, 0), vec(work.head.alpha, 0)
    w0, w1, w2, w3, w4, w5 = _pairs(omega)
    for q in range(3):
        for o in range(0, N, 4):
            store4(rows, q * N + o, times4(cK, _weighed(N, at(moment, 6 * q * N), o, w0, w1, w2, w3, w4, w5)))
    for j in range(N):
        one, two, three = zeros4(), zeros4(), zeros4()
        i = INTERLACED * j
        for o in range(0, N, 4):
            v0, v1, v2 = load4(matrices, i), load4(matrices, i + 4), load4(matrices, i + 8)
            by_rates = plus4(plus4(times4(2.0 * omega[0], v0), 2.0 * omega[1], v1), 2.0 * omega[2], v2)
            by_turn = plus4(plus4(times4(alpha[0], v0), alpha[1], v1), alpha[2], v2)
            squares = plus4(
                plus4(plus4(by_turn, w0, load4(matrices, i + 12)), w1, load4(matrices, i + 16)),
                w2,
                load4(matrices, i + 20),
            )
            products = plus4(
                plus4(times4(w3, load4(matrices, i + 24)), w4, load4(matrices, i + 28)), w5, load4(matrices, i + 32)
            )
            store4(gyro, j * N + o, by_rates)
            store4(soft, j * N + o, times4(cK, plus4(squares, 1.0, products)))
            u = load4(carried, o)
            one = plus4(plus4(one, 1.0, product4(u, v0)), 1.0, product4(by_turn, load4(own, o)))
            two = plus4(plus4(two, 1.0, product4(u, v1)), 1.0, product4(by_turn, load4(own, N + o)))
            three = plus4(plus4(three, 1.0, product4(u, v2)), 1.0, product4(by_turn, load4(own, 2 * N + o)))
            i += INTERLACED * N
        rows[j] += cK * total4(one)
        rows[N + j] += cK * total4(two)
        rows[2 * N + j] += cK * total4(three)


def _felt_slopes(felt, omega):
    """∂(Σ ωᵢωⱼ κᵢⱼ)/∂ω: column k by ωₖ"""
    x, y, z = omega
    xx, yy, zz, xy, xz, yz = vec(felt, 0), vec(felt, 3), vec(felt, 6), vec(felt, 9), vec(felt, 12), vec(felt, 15)
    by_x = add(add(scale(2.0 * x, xx), scale(y, xy)), scale(z, xz))
    by_y = add(add(scale(2.0 * y, yy), scale(x, xy)), scale(z, yz))
    by_z = add(add(scale(2.0 * z, zz), scale(x, xz)), scale(y, yz))
    return (by_x[0], by_y[0], by_z[0], by_x[1], by_y[1], by_z[1], by_x[2], by_y[2], by_z[2])


def _moment_slopes(N, moment, omega, z):
    """∂(Σ ωᵢωⱼ F_kij z)/∂ω: row k, column by ω"""
    one, two, three = (
        _moment_slope(N, moment, omega, z),
        _moment_slope(N, at(moment, 6 * N), omega, z),
        _moment_slope(N, at(moment, 12 * N), omega, z),
    )
    return (one[0], one[1], one[2], two[0], two[1], two[2], three[0], three[1], three[2])


def _moment_slope(N, F, omega, z):
    x, y, z_ = omega
    xx, yy, zz = dot_product(N, F, z), dot_product(N, at(F, N), z), dot_product(N, at(F, 2 * N), z)
    xy, xz, yz = dot_product(N, at(F, 3 * N), z), dot_product(N, at(F, 4 * N), z), dot_product(N, at(F, 5 * N), z)
    return (2.0 * x * xx + y * xy + z_ * xz, 2.0 * y * yy + x * xy + z_ * yz, 2.0 * z_ * zz + x * xz + y * yz)
