"""Vectors as tuples of three, matrices as tuples of nine (row-major): what laws compute with.

Compiled, they live in registers; a law on tuples reads like its equations and is the fastest form measured.
"""

from __future__ import annotations

from flexor.law.dual import sin, sqrt


def vec(array, i):
    """Vector at array[i:i+3]."""
    return (array[i], array[i + 1], array[i + 2])


def mat(array, i):
    """3×3 matrix at array[i:i+9], row-major."""
    return (
        array[i], array[i + 1], array[i + 2],
        array[i + 3], array[i + 4], array[i + 5],
        array[i + 6], array[i + 7], array[i + 8],
    )  # fmt: skip


def put(array, i, u):
    """Add a vector to array[i:i+3]."""
    array[i] += u[0]
    array[i + 1] += u[1]
    array[i + 2] += u[2]


def store(array, i, u):
    """Set array[i:i+3] to a vector."""
    array[i] = u[0]
    array[i + 1] = u[1]
    array[i + 2] = u[2]


def store_mat(array, i, A):
    """Set array[i:i+9] to a matrix."""
    for j in range(3):
        array[i + j] = A[j]
        array[i + 3 + j] = A[3 + j]
        array[i + 6 + j] = A[6 + j]


def put_mat(K, n, i, j, A):
    """Add a 3×3 matrix at row i, column j of a row-major matrix with n columns."""
    o = i * n + j
    K[o] += A[0]
    K[o + 1] += A[1]
    K[o + 2] += A[2]
    o += n
    K[o] += A[3]
    K[o + 1] += A[4]
    K[o + 2] += A[5]
    o += n
    K[o] += A[6]
    K[o + 1] += A[7]
    K[o + 2] += A[8]


def put_row(K, n, i, j, u):
    """Add a vector as part of row i, from column j on."""
    o = i * n + j
    K[o] += u[0]
    K[o + 1] += u[1]
    K[o + 2] += u[2]


def put_col(K, n, i, j, u):
    """Add a vector as part of column j, from row i on."""
    o = i * n + j
    K[o] += u[0]
    K[o + n] += u[1]
    K[o + 2 * n] += u[2]


def put_outer(K, n, a, b):
    """Add a bᵀ, of two arrays of n floats, to a matrix with n columns."""
    for i in range(n):
        a_i = a[i]
        for j in range(n):
            K[i * n + j] += a_i * b[j]


def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def neg(a):
    return (-a[0], -a[1], -a[2])


def scale(f, a):
    return (f * a[0], f * a[1], f * a[2])


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def norm(a):
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


def mv(A, u):
    """A u"""
    return (
        A[0] * u[0] + A[1] * u[1] + A[2] * u[2],
        A[3] * u[0] + A[4] * u[1] + A[5] * u[2],
        A[6] * u[0] + A[7] * u[1] + A[8] * u[2],
    )


def mtv(A, u):
    """Aᵀ u"""
    return (
        A[0] * u[0] + A[3] * u[1] + A[6] * u[2],
        A[1] * u[0] + A[4] * u[1] + A[7] * u[2],
        A[2] * u[0] + A[5] * u[1] + A[8] * u[2],
    )


def mm(A, B):
    """A B"""
    return (
        A[0] * B[0] + A[1] * B[3] + A[2] * B[6],
        A[0] * B[1] + A[1] * B[4] + A[2] * B[7],
        A[0] * B[2] + A[1] * B[5] + A[2] * B[8],
        A[3] * B[0] + A[4] * B[3] + A[5] * B[6],
        A[3] * B[1] + A[4] * B[4] + A[5] * B[7],
        A[3] * B[2] + A[4] * B[5] + A[5] * B[8],
        A[6] * B[0] + A[7] * B[3] + A[8] * B[6],
        A[6] * B[1] + A[7] * B[4] + A[8] * B[7],
        A[6] * B[2] + A[7] * B[5] + A[8] * B[8],
    )


def transpose(A):
    return (A[0], A[3], A[6], A[1], A[4], A[7], A[2], A[5], A[8])


def mmt(A, B):
    """A Bᵀ"""
    return mm(A, transpose(B))


def madd(A, B):
    return (
        A[0] + B[0], A[1] + B[1], A[2] + B[2],
        A[3] + B[3], A[4] + B[4], A[5] + B[5],
        A[6] + B[6], A[7] + B[7], A[8] + B[8],
    )  # fmt: skip


def msub(A, B):
    return (
        A[0] - B[0], A[1] - B[1], A[2] - B[2],
        A[3] - B[3], A[4] - B[4], A[5] - B[5],
        A[6] - B[6], A[7] - B[7], A[8] - B[8],
    )  # fmt: skip


def mscale(f, A):
    return (f * A[0], f * A[1], f * A[2], f * A[3], f * A[4], f * A[5], f * A[6], f * A[7], f * A[8])


def column(A, j):
    """Column j of a 3×3 matrix held as a tuple; j may be a run-time value."""
    if j == 0:
        return (A[0], A[3], A[6])
    if j == 1:
        return (A[1], A[4], A[7])
    return (A[2], A[5], A[8])


def skew(a):
    """Matrix of b ↦ a × b."""
    return (0.0, -a[2], a[1], a[2], 0.0, -a[0], -a[1], a[0], 0.0)


def skew_mm(a, B):
    """skew(a) B: a × each column of B"""
    return (
        a[1] * B[6] - a[2] * B[3], a[1] * B[7] - a[2] * B[4], a[1] * B[8] - a[2] * B[5],
        a[2] * B[0] - a[0] * B[6], a[2] * B[1] - a[0] * B[7], a[2] * B[2] - a[0] * B[8],
        a[0] * B[3] - a[1] * B[0], a[0] * B[4] - a[1] * B[1], a[0] * B[5] - a[1] * B[2],
    )  # fmt: skip


def mm_skew(A, b):
    """A skew(b): each row of A × b"""
    return (
        A[1] * b[2] - A[2] * b[1], A[2] * b[0] - A[0] * b[2], A[0] * b[1] - A[1] * b[0],
        A[4] * b[2] - A[5] * b[1], A[5] * b[0] - A[3] * b[2], A[3] * b[1] - A[4] * b[0],
        A[7] * b[2] - A[8] * b[1], A[8] * b[0] - A[6] * b[2], A[6] * b[1] - A[7] * b[0],
    )  # fmt: skip


def skew2(a, b):
    """skew(a) skew(b) = b aᵀ − (a·b) I"""
    d = dot(a, b)
    return (
        b[0] * a[0] - d, b[0] * a[1], b[0] * a[2],
        b[1] * a[0], b[1] * a[1] - d, b[1] * a[2],
        b[2] * a[0], b[2] * a[1], b[2] * a[2] - d,
    )  # fmt: skip


def outer(a, b):
    """a bᵀ"""
    return (
        a[0] * b[0], a[0] * b[1], a[0] * b[2],
        a[1] * b[0], a[1] * b[1], a[1] * b[2],
        a[2] * b[0], a[2] * b[1], a[2] * b[2],
    )  # fmt: skip


def diagonal(f):
    """f I"""
    return (f, 0.0, 0.0, 0.0, f, 0.0, 0.0, 0.0, f)


def rotation_of(u):
    """Rotation matrix of a rotation vector: exp(skew(u)).   FTG (2.18)"""
    q = dot(u, u)
    if q < 1e-4:  # series, exact to rounding for |u| < 0.01
        s = 1.0 - q / 6.0 * (1.0 - q / 20.0 * (1.0 - q / 42.0))
        f = 0.5 - q / 24.0 * (1.0 - q / 30.0 * (1.0 - q / 56.0))
    else:
        angle = sqrt(q)
        s = sin(angle) / angle
        half = sin(0.5 * angle) / angle
        f = 2.0 * half * half
    x, y, z = u
    return (
        1.0 - f * (y * y + z * z), f * x * y - s * z, f * x * z + s * y,
        f * x * y + s * z, 1.0 - f * (x * x + z * z), f * y * z - s * x,
        f * x * z - s * y, f * y * z + s * x, 1.0 - f * (x * x + y * y),
    )  # fmt: skip


def rotation_about(axis, angle):
    """Rotation matrix about an axis of length 1: I + sin φ â + 2 sin² ½φ â²"""
    s, half = sin(angle), sin(0.5 * angle)
    f = 2.0 * half * half
    x, y, z = axis
    return (
        1.0 - f * (y * y + z * z), f * x * y - s * z, f * x * z + s * y,
        f * x * y + s * z, 1.0 - f * (x * x + z * z), f * y * z - s * x,
        f * x * z - s * y, f * y * z + s * x, 1.0 - f * (x * x + y * y),
    )  # fmt: skip


def determinant(A):
    return A[0] * (A[4] * A[8] - A[5] * A[7]) + A[1] * (A[5] * A[6] - A[3] * A[8]) + A[2] * (A[3] * A[7] - A[4] * A[6])


def adjugate(A):
    """A⁻¹ times the determinant of A."""
    return (
        A[4] * A[8] - A[5] * A[7], A[2] * A[7] - A[1] * A[8], A[1] * A[5] - A[2] * A[4],
        A[5] * A[6] - A[3] * A[8], A[0] * A[8] - A[2] * A[6], A[2] * A[3] - A[0] * A[5],
        A[3] * A[7] - A[4] * A[6], A[1] * A[6] - A[0] * A[7], A[0] * A[4] - A[1] * A[3],
    )  # fmt: skip


def inverse(A):
    """A⁻¹; the caller has made sure that A is regular."""
    return mscale(1.0 / determinant(A), adjugate(A))
