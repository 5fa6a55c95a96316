"""Small dense matrices, row by row in memory: factors, inverses, the rank-revealing pseudo-inverse."""

from __future__ import annotations

import math

from flexor.law.primitives import at


def cholesky(n, A):
    """A = L Lᵀ in its lower triangle; whether A is positive definite."""
    for j in range(n):
        d = A[j * n + j]
        for k in range(j):
            d -= A[j * n + k] * A[j * n + k]
        if not d > 0.0:
            return False
        d = math.sqrt(d)
        A[j * n + j] = d
        for i in range(j + 1, n):
            s = A[i * n + j]
            for k in range(j):
                s -= A[i * n + k] * A[j * n + k]
            A[i * n + j] = s / d
    return True


def lower_solve(n, L, m, X):
    """X ← L⁻¹ X, n × m"""
    for i in range(n):
        for k in range(i):
            f = L[i * n + k]
            if f != 0.0:
                for j in range(m):
                    X[i * m + j] -= f * X[k * m + j]
        f = 1.0 / L[i * n + i]
        for j in range(m):
            X[i * m + j] *= f


def lower_transposed_solve(n, L, x):
    """x ← L⁻ᵀ x"""
    for q in range(n):
        i = n - 1 - q
        s = x[i]
        for k in range(i + 1, n):
            s -= L[k * n + i] * x[k]
        x[i] = s / L[i * n + i]


def spd_inverse(n, A, W):
    """A ← A⁻¹ of a positive definite matrix, W n × n scratch; whether it is."""
    if not cholesky(n, A):
        return False
    for i in range(n * n):
        W[i] = 0.0
    for i in range(n):
        W[i * n + i] = 1.0
    lower_solve(n, A, n, W)
    for i in range(n):
        for j in range(i + 1):
            s = 0.0
            for k in range(i, n):
                s += W[k * n + i] * W[k * n + j]
            A[i * n + j] = s
            A[j * n + i] = s
    return True


def pseudo_inverse(n, A, size, tolerance, P, W):
    """P = A⁺ of a positive semidefinite matrix A, which is lost; returns its rank.

    size: what the diagonal of A is measured by; what is left of it below `tolerance` of that, once larger pivots are eliminated, counts as
    zero.   W: scratch, 3 n² + 2 n.

    With the scaled matrix S A S = L Lᵀ, L of r columns by Cholesky's method with diagonal pivots: if r = n, its inverse; else its
    Moore–Penrose inverse L (LᵀL)⁻² Lᵀ. Between S both ways: the smallest multipliers in this scale.
    """
    L, Y, Q = W, at(W, n * n), at(W, 2 * n * n)
    scale, order = at(W, 3 * n * n), at(W, 3 * n * n + n)
    for i in range(n):
        scale[i] = 1.0 / math.sqrt(size[i]) if size[i] > 0.0 else 0.0
        order[i] = float(i)
    for i in range(n):
        for j in range(n):
            A[i * n + j] *= scale[i] * scale[j]
            L[i * n + j] = 0.0
    rank = 0
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if A[int(order[i]) * n + int(order[i])] > A[int(order[p]) * n + int(order[p])]:
                p = i
        order[k], order[p] = order[p], order[k]
        o = int(order[k])
        d = A[o * n + o]
        if not d > tolerance:
            break
        rank += 1
        d = 1.0 / math.sqrt(d)
        for i in range(k, n):
            q = int(order[i])
            L[q * n + k] = A[q * n + o] * d
        for i in range(k + 1, n):
            q = int(order[i])
            f = L[q * n + k]
            for j in range(k + 1, n):
                t = int(order[j])
                A[q * n + t] -= f * L[t * n + k]
    if rank == n:
        for k in range(n):  # rows in the order of pivots: a triangle
            for j in range(k + 1):
                Q[k * n + j] = L[int(order[k]) * n + j]
            for j in range(n):
                Y[k * n + j] = 0.0
            Y[k * n + int(order[k])] = 1.0
        lower_solve(n, Q, n, Y)  # Y = L⁻¹: A⁻¹ = Yᵀ Y
    else:
        for i in range(rank):
            for j in range(rank):
                s = 0.0
                for k in range(n):
                    s += L[k * n + i] * L[k * n + j]
                Q[i * rank + j] = s
            for j in range(n):
                Y[i * n + j] = L[j * n + i]
        cholesky(rank, Q)
        lower_solve(rank, Q, n, Y)
        for i in range(rank):  # L⁻ᵀ of the second factor, column by column of Y
            q = rank - 1 - i
            for k in range(q + 1, rank):
                f = Q[k * rank + q]
                for j in range(n):
                    Y[q * n + j] -= f * Y[k * n + j]
            f = 1.0 / Q[q * rank + q]
            for j in range(n):
                Y[q * n + j] *= f
    for i in range(n):
        for j in range(i + 1):
            s = 0.0
            for k in range(rank):
                s += Y[k * n + i] * Y[k * n + j]
            s *= scale[i] * scale[j]
            P[i * n + j] = s
            P[j * n + i] = s
    return rank
