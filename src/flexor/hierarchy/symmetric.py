"""Symmetric 3×3 matrices as tuples of six: xx, xy, xz, yy, yz, zz. What articulated bodies compute with, beside `flexor.law.tuples`."""

from __future__ import annotations


def sym(array, i):
    """The matrix at array[i:i+6]."""
    return (array[i], array[i + 1], array[i + 2], array[i + 3], array[i + 4], array[i + 5])


def keep_sym(array, i, S):
    """Set array[i:i+6] to a matrix."""
    array[i] = S[0]
    array[i + 1] = S[1]
    array[i + 2] = S[2]
    array[i + 3] = S[3]
    array[i + 4] = S[4]
    array[i + 5] = S[5]


def keep(array, i, A):
    """Set array[i:i+9] to a matrix of nine."""
    array[i] = A[0]
    array[i + 1] = A[1]
    array[i + 2] = A[2]
    array[i + 3] = A[3]
    array[i + 4] = A[4]
    array[i + 5] = A[5]
    array[i + 6] = A[6]
    array[i + 7] = A[7]
    array[i + 8] = A[8]


def full(S):
    """All nine."""
    return (S[0], S[1], S[2], S[1], S[3], S[4], S[2], S[4], S[5])


def add_sym(S, Q):
    return (S[0] + Q[0], S[1] + Q[1], S[2] + Q[2], S[3] + Q[3], S[4] + Q[4], S[5] + Q[5])


def smv(S, u):
    """S u"""
    return (
        S[0] * u[0] + S[1] * u[1] + S[2] * u[2],
        S[1] * u[0] + S[3] * u[1] + S[4] * u[2],
        S[2] * u[0] + S[4] * u[1] + S[5] * u[2],
    )


def sym_less(S, u, v):
    """S − u vᵀ, where v is parallel to u"""
    return (
        S[0] - u[0] * v[0], S[1] - u[0] * v[1], S[2] - u[0] * v[2],
        S[3] - u[1] * v[1], S[4] - u[1] * v[2], S[5] - u[2] * v[2],
    )  # fmt: skip


def less(A, u, v):
    """A − u vᵀ"""
    return (
        A[0] - u[0] * v[0], A[1] - u[0] * v[1], A[2] - u[0] * v[2],
        A[3] - u[1] * v[0], A[4] - u[1] * v[1], A[5] - u[1] * v[2],
        A[6] - u[2] * v[0], A[7] - u[2] * v[1], A[8] - u[2] * v[2],
    )  # fmt: skip


def turned(R, S):
    """R S Rᵀ"""
    a0 = R[0] * S[0] + R[1] * S[1] + R[2] * S[2]
    a1 = R[0] * S[1] + R[1] * S[3] + R[2] * S[4]
    a2 = R[0] * S[2] + R[1] * S[4] + R[2] * S[5]
    b0 = R[3] * S[0] + R[4] * S[1] + R[5] * S[2]
    b1 = R[3] * S[1] + R[4] * S[3] + R[5] * S[4]
    b2 = R[3] * S[2] + R[4] * S[4] + R[5] * S[5]
    c0 = R[6] * S[0] + R[7] * S[1] + R[8] * S[2]
    c1 = R[6] * S[1] + R[7] * S[3] + R[8] * S[4]
    c2 = R[6] * S[2] + R[7] * S[4] + R[8] * S[5]
    return (
        a0 * R[0] + a1 * R[1] + a2 * R[2],
        a0 * R[3] + a1 * R[4] + a2 * R[5],
        a0 * R[6] + a1 * R[7] + a2 * R[8],
        b0 * R[3] + b1 * R[4] + b2 * R[5],
        b0 * R[6] + b1 * R[7] + b2 * R[8],
        c0 * R[6] + c1 * R[7] + c2 * R[8],
    )


def shifted_coupling(d, B, C):
    """B + d̃ C"""
    return (
        B[0] + d[1] * C[2] - d[2] * C[1], B[1] + d[1] * C[4] - d[2] * C[3], B[2] + d[1] * C[5] - d[2] * C[4],
        B[3] + d[2] * C[0] - d[0] * C[2], B[4] + d[2] * C[1] - d[0] * C[4], B[5] + d[2] * C[2] - d[0] * C[5],
        B[6] + d[0] * C[1] - d[1] * C[0], B[7] + d[0] * C[3] - d[1] * C[1], B[8] + d[0] * C[4] - d[1] * C[2],
    )  # fmt: skip


def shifted_moments(d, A, B, E):
    """A − B d̃ + d̃ Eᵀ with E = B + d̃ C

    (d̃ Eᵀ)_ij = (d × row j of E)_i,   (−B d̃)_ij = (d × row i of B)_j
    """
    return (
        A[0] + (d[1] * E[2] - d[2] * E[1]) + (d[1] * B[2] - d[2] * B[1]),
        A[1] + (d[1] * E[5] - d[2] * E[4]) + (d[2] * B[0] - d[0] * B[2]),
        A[2] + (d[1] * E[8] - d[2] * E[7]) + (d[0] * B[1] - d[1] * B[0]),
        A[3] + (d[2] * E[3] - d[0] * E[5]) + (d[2] * B[3] - d[0] * B[5]),
        A[4] + (d[2] * E[6] - d[0] * E[8]) + (d[0] * B[4] - d[1] * B[3]),
        A[5] + (d[0] * E[7] - d[1] * E[6]) + (d[0] * B[7] - d[1] * B[6]),
    )
