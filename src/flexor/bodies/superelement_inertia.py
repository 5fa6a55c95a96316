"""Inertia of a superelement beyond the nodal form, and its exact derivatives.   See `flexor.bodies.nodal_inertia`

    M a* + Σ ωᵢωⱼ (cᵢⱼ + Eᵢⱼ z) + Σ 𝔾ₖ (2 ωₖ ŵ + αₖ z) + G₀ᵀ m

corrections: c (6 N), 𝔾 (3 N²), E (6 N²), G₀ (3 N), κ (18), F (18 N), M⁺ (N²), square matrices by columns
"""

from __future__ import annotations

from flexor.bodies.column_arrays import add_rate_slope, add_turned, component, set_product, small_product, store_columns
from flexor.bodies.superelement_layout import NODE_SCRATCH
from flexor.law.four import lane, load, plus, product, times, zeros
from flexor.law.four import store as put
from flexor.law.primitives import at
from flexor.law.tuples import add, cross, madd, mat, mm, mscale, msub, mtv, mv, scale, skew, store, sub, transpose, vec


def _pair(omega, q):
    """ωᵢωⱼ of pair q: xx, yy, zz, xy, xz, yz"""
    if q < 3:
        return omega[0] * omega[0] if q == 0 else (omega[1] * omega[1] if q == 1 else omega[2] * omega[2])
    return omega[0] * omega[1] if q == 3 else (omega[0] * omega[2] if q == 4 else omega[1] * omega[2])


def frame_acceleration(N, corrections, omega, abar):
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


def consistent_inertia(N, mass, corrections, omega, alpha, star, rate, z, abar, bent, lent, y):
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
    set_product(N, at(moments, 18 * N), at(lent, N), lent)
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


def correction_matrices(N, nc, cK, cC, corrections, mass, omega, alpha, body, Q):
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
                value = component(e, q)
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
                Q[j * N + o + q] += component(e_H, q) - component(e, q)
    add_turned(N, nc, -cK, gyro, omega, Q)


def add_correction_slopes(N, nc, cK, cC, corrections, mass, omega, rate, z, vbar, bent, lent, S, Q, left, left_omega):
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
                value = component(u, j)
                for row in range(N):
                    l_g[row] += cC * value * column[row]
                    l_o[row] += cK * value * column[row]
        slopes = add(add(scale(p0, vec(felt, 0)), scale(p1, vec(felt, 3))), scale(p2, vec(felt, 6)))  # −∂α/∂ω_q
        slopes = add(slopes, add(add(scale(p3, vec(felt, 9)), scale(p4, vec(felt, 12))), scale(p5, vec(felt, 15))))
        pulled = mv(small_product(N, bent, at(lent, N)), slopes)
        for j in range(3):
            slope, pull = component(slopes, j), component(pulled, j)
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
    add_rate_slope(N, nc, cK, at(Q, N * N), vbar, S, left, left_omega)


def add_moments(N, nc, cK, cM, corrections, omega, alpha, abar, body, bent, lent, S, V, rows, left, K):
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
        store_columns(V, N, 3 * i, transpose(mscale(cK, skew(vec(abar, 3 * i)))))
    for i in range(6 * nc, N):
        for q in range(3):
            V[q * N + i] = 0.0
    square = small_product(N, bent, at(lent, N))  # (𝔾ₖz)ᵀ M⁺ 𝔾ₗz
    T2 = small_product(N, spin, V)
    T = madd(msub(small_product(N, bent, V), small_product(N, rows, S)), mm(square, T2))
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
