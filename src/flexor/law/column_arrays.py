"""Small dense algebra of laws with many coordinates: square matrices by columns, N × 3 matrices as three arrays of N.

N is a multiple of four: sums stay in vector registers (`flexor.law.four`), and no rows are left over.
"""

from __future__ import annotations

from flexor.law.four import lane, load, plus, product, times, zeros
from flexor.law.four import store as put


def padded(size):
    """The next multiple of four."""
    return size + (-size) % 4


def total(a):
    """Sum of four floats."""
    return (lane(a, 0) + lane(a, 1)) + (lane(a, 2) + lane(a, 3))


def set_zero(n, y):
    for o in range(0, n, 4):
        put(y, o, zeros())


def add_scaled(n, f, x, y):
    """y += f x"""
    for o in range(0, n, 4):
        put(y, o, plus(load(y, o), f, load(x, o)))


def dot_product(n, x, y):
    sums = zeros()
    for o in range(0, n, 4):
        sums = plus(sums, 1.0, product(load(x, o), load(y, o)))
    return total(sums)


def set_product(N, A, x, y):
    """y = A x, A by columns"""
    for o in range(0, N, 4):
        one, two, three, four = zeros(), zeros(), zeros(), zeros()
        i = o
        for j in range(0, N, 4):
            one, two = plus(one, x[j], load(A, i)), plus(two, x[j + 1], load(A, i + N))
            three, four = plus(three, x[j + 2], load(A, i + 2 * N)), plus(four, x[j + 3], load(A, i + 3 * N))
            i += 4 * N
        put(y, o, plus(plus(one, 1.0, two), 1.0, plus(three, 1.0, four)))


def add_products(N, n, f, A, X, Y):
    """Y += f A X with the first n rows of X, A by columns, X and Y as three arrays"""
    for o in range(0, N, 4):
        one, two, three = zeros(), zeros(), zeros()
        i = o
        for j in range(n):
            column = load(A, i)
            one, two, three = plus(one, X[j], column), plus(two, X[N + j], column), plus(three, X[2 * N + j], column)
            i += N
        put(Y, o, plus(load(Y, o), f, one))
        put(Y, N + o, plus(load(Y, N + o), f, two))
        put(Y, 2 * N + o, plus(load(Y, 2 * N + o), f, three))


def subtract_transposed_products(N, n, A, X, Y):
    """Y −= Aᵀ X with the first n rows of X (n padded), A by columns, X and Y as three arrays"""
    for j in range(N):
        one, two, three = zeros(), zeros(), zeros()
        for o in range(0, n, 4):
            column = load(A, j * N + o)
            one = plus(one, 1.0, product(column, load(X, o)))
            two = plus(two, 1.0, product(column, load(X, N + o)))
            three = plus(three, 1.0, product(column, load(X, 2 * N + o)))
        Y[j] -= total(one)
        Y[N + j] -= total(two)
        Y[2 * N + j] -= total(three)


def small_product(N, X, Y):
    """Xᵀ Y, a 3×3 matrix"""
    a, b, c, d, e, f, g, h, i = zeros(), zeros(), zeros(), zeros(), zeros(), zeros(), zeros(), zeros(), zeros()
    for o in range(0, N, 4):
        x0, x1, x2 = load(X, o), load(X, N + o), load(X, 2 * N + o)
        y0, y1, y2 = load(Y, o), load(Y, N + o), load(Y, 2 * N + o)
        a, b, c = plus(a, 1.0, product(x0, y0)), plus(b, 1.0, product(x0, y1)), plus(c, 1.0, product(x0, y2))
        d, e, f = plus(d, 1.0, product(x1, y0)), plus(e, 1.0, product(x1, y1)), plus(f, 1.0, product(x1, y2))
        g, h, i = plus(g, 1.0, product(x2, y0)), plus(h, 1.0, product(x2, y1)), plus(i, 1.0, product(x2, y2))
    return (total(a), total(b), total(c), total(d), total(e), total(f), total(g), total(h), total(i))


def add_mixed(N, T, X, Y):
    """Y += X Tᵀ: array q of Y takes Σ T_qp times array p of X"""
    for o in range(0, N, 4):
        x0, x1, x2 = load(X, o), load(X, N + o), load(X, 2 * N + o)
        put(Y, o, plus(plus(plus(load(Y, o), T[0], x0), T[1], x1), T[2], x2))
        put(Y, N + o, plus(plus(plus(load(Y, N + o), T[3], x0), T[4], x1), T[5], x2))
        put(Y, 2 * N + o, plus(plus(plus(load(Y, 2 * N + o), T[6], x0), T[7], x1), T[8], x2))


def add_outer(N, X, Y, A):
    """A += X Yᵀ, A by columns"""
    for o in range(0, N, 4):
        x0, x1, x2 = load(X, o), load(X, N + o), load(X, 2 * N + o)
        i = o
        for j in range(N):
            put(A, i, plus(plus(plus(load(A, i), Y[j], x0), Y[N + j], x1), Y[2 * N + j], x2))
            i += N


def turn_columns(N, j, T, A, B):
    """Columns j, j+1, j+2 of B are those of A times T; A and B by columns, which may be the same"""
    i = j * N
    for _ in range(0, N, 4):
        a0, a1, a2 = load(A, i), load(A, i + N), load(A, i + 2 * N)
        put(B, i, plus(plus(times(T[0], a0), T[3], a1), T[6], a2))
        put(B, i + N, plus(plus(times(T[1], a0), T[4], a1), T[7], a2))
        put(B, i + 2 * N, plus(plus(times(T[2], a0), T[5], a1), T[8], a2))
        i += 4


def add_turned_columns(N, j, T, A, B):
    """Columns j, j+1, j+2 of B take those of A times T"""
    i = j * N
    for _ in range(0, N, 4):
        a0, a1, a2 = load(A, i), load(A, i + N), load(A, i + 2 * N)
        put(B, i, plus(plus(plus(load(B, i), T[0], a0), T[3], a1), T[6], a2))
        put(B, i + N, plus(plus(plus(load(B, i + N), T[1], a0), T[4], a1), T[7], a2))
        put(B, i + 2 * N, plus(plus(plus(load(B, i + 2 * N), T[2], a0), T[5], a1), T[8], a2))
        i += 4


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
