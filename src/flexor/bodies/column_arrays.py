"""Small dense algebra of laws with many coordinates: square matrices by columns, N × 3 matrices as three arrays of N.

Compiled, sums stay in vector registers (`flexor.law.four`).
"""

from __future__ import annotations

from flexor.law.four import load, plus, zeros
from flexor.law.four import store as put
from flexor.law.primitives import at
from flexor.law.tuples import cross, vec


def set_product(N, A, x, y):
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


def add_product(N, A, x, y):
    """y += A x, A by columns"""
    for j in range(N):
        x_j = x[j]
        column = at(A, j * N)
        for i in range(N):
            y[i] += column[i] * x_j


def store_columns(Y, N, i, A):
    """Columns i, i+1, i+2 of the three rows of Y: row q of A in array q."""
    for j in range(3):
        Y[i + j] = A[j]
        Y[N + i + j] = A[3 + j]
        Y[2 * N + i + j] = A[6 + j]


def add_columns(Y, N, i, A):
    for j in range(3):
        Y[i + j] += A[j]
        Y[N + i + j] += A[3 + j]
        Y[2 * N + i + j] += A[6 + j]


def times_columns(N, Q, S, V):
    """V = Q S for row-major Q, S and V as three arrays"""
    for i in range(N):
        row = at(Q, i * N)
        v0, v1, v2 = 0.0, 0.0, 0.0
        for j in range(N):
            v0 += row[j] * S[j]
            v1 += row[j] * S[N + j]
            v2 += row[j] * S[2 * N + j]
        V[i], V[N + i], V[2 * N + i] = v0, v1, v2


def times_rows(N, S, Q, U):
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


def small_product(N, S, V):
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


def component(omega, k):
    return omega[0] if k == 0 else (omega[1] if k == 1 else omega[2])


def add_turned(N, nc, factor, Q, omega, K):
    """K += factor · Q diag(ω̂ on translations), Q by columns, K row-major"""
    for i in range(nc):
        for j in range(3):
            # column j of ω̂: ω × e_j
            e = cross(omega, (1.0 if j == 0 else 0.0, 1.0 if j == 1 else 0.0, 1.0 if j == 2 else 0.0))
            for q in range(3):
                column = at(Q, (6 * i + q) * N)
                value = factor * component(e, q)
                for row in range(N):
                    K[row * N + 6 * i + j] += value * column[row]


def add_rate_slope(N, nc, cK, Q, vbar, S, left, left_omega):
    """δŵ = [v̂_k; ω̂_k] δφ − S δω: adds Q times that to what multiplies G and Ω"""
    for q in range(3):
        e = (1.0 if q == 0 else 0.0, 1.0 if q == 1 else 0.0, 1.0 if q == 2 else 0.0)
        for i in range(2 * nc):
            u = cross(vec(vbar, 3 * i), e)
            for j in range(3):
                value = cK * component(u, j)
                column = at(Q, (3 * i + j) * N)
                for row in range(N):
                    left[q * N + row] += value * column[row]
        for j in range(N):
            value = -cK * S[q * N + j]
            column = at(Q, j * N)
            for row in range(N):
                left_omega[q * N + row] += value * column[row]
