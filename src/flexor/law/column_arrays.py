"""Small dense algebra of laws with many coordinates: square matrices by columns, N × 3 matrices as three arrays of N.

N is a multiple of four: sums stay in vector registers (`flexor.law.lanes`), and no rows are left over.
"""

from __future__ import annotations

from flexor.law.lanes import load4, plus4, product4, store4, times4, total4, zeros4


def padded(size):
    """The next multiple of four."""
    return size + (-size) % 4


def set_zero(n, y):
    for o in range(0, n, 4):
        store4(y, o, zeros4())


def add_scaled(n, f, x, y):
    """y += f x"""
    for o in range(0, n, 4):
        store4(y, o, plus4(load4(y, o), f, load4(x, o)))


def dot_product(n, x, y):
    sums = zeros4()
    for o in range(0, n, 4):
        sums = plus4(sums, 1.0, product4(load4(x, o), load4(y, o)))
    return total4(sums)


def set_product(N, A, x, y):
    """y = A x, A by columns"""
    for o in range(0, N, 4):
        one, two, three, four = zeros4(), zeros4(), zeros4(), zeros4()
        i = o
        for j in range(0, N, 4):
            one, two = plus4(one, x[j], load4(A, i)), plus4(two, x[j + 1], load4(A, i + N))
            three, four = plus4(three, x[j + 2], load4(A, i + 2 * N)), plus4(four, x[j + 3], load4(A, i + 3 * N))
            i += 4 * N
        store4(y, o, plus4(plus4(one, 1.0, two), 1.0, plus4(three, 1.0, four)))


def add_products(N, n, f, A, X, Y):
    """Y += f A X with the first n rows of X, A by columns, X and Y as three arrays"""
    for o in range(0, N, 4):
        one, two, three = zeros4(), zeros4(), zeros4()
        i = o
        for j in range(n):
            column = load4(A, i)
            one, two, three = plus4(one, X[j], column), plus4(two, X[N + j], column), plus4(three, X[2 * N + j], column)
            i += N
        store4(Y, o, plus4(load4(Y, o), f, one))
        store4(Y, N + o, plus4(load4(Y, N + o), f, two))
        store4(Y, 2 * N + o, plus4(load4(Y, 2 * N + o), f, three))


def subtract_transposed_products(N, n, A, X, Y):
    """Y −= Aᵀ X with the first n rows of X (n padded), A by columns, X and Y as three arrays"""
    for j in range(N):
        one, two, three = zeros4(), zeros4(), zeros4()
        for o in range(0, n, 4):
            column = load4(A, j * N + o)
            one = plus4(one, 1.0, product4(column, load4(X, o)))
            two = plus4(two, 1.0, product4(column, load4(X, N + o)))
            three = plus4(three, 1.0, product4(column, load4(X, 2 * N + o)))
        Y[j] -= total4(one)
        Y[N + j] -= total4(two)
        Y[2 * N + j] -= total4(three)


def small_product(N, X, Y):
    """Xᵀ Y, a 3×3 matrix"""
    a, b, c, d, e, f, g, h, i = zeros4(), zeros4(), zeros4(), zeros4(), zeros4(), zeros4(), zeros4(), zeros4(), zeros4()
    for o in range(0, N, 4):
        x0, x1, x2 = load4(X, o), load4(X, N + o), load4(X, 2 * N + o)
        y0, y1, y2 = load4(Y, o), load4(Y, N + o), load4(Y, 2 * N + o)
        a, b, c = plus4(a, 1.0, product4(x0, y0)), plus4(b, 1.0, product4(x0, y1)), plus4(c, 1.0, product4(x0, y2))
        d, e, f = plus4(d, 1.0, product4(x1, y0)), plus4(e, 1.0, product4(x1, y1)), plus4(f, 1.0, product4(x1, y2))
        g, h, i = plus4(g, 1.0, product4(x2, y0)), plus4(h, 1.0, product4(x2, y1)), plus4(i, 1.0, product4(x2, y2))
    return (total4(a), total4(b), total4(c), total4(d), total4(e), total4(f), total4(g), total4(h), total4(i))


def add_mixed(N, T, X, Y):
    """Y += X Tᵀ: array q of Y takes Σ T_qp times array p of X"""
    for o in range(0, N, 4):
        x0, x1, x2 = load4(X, o), load4(X, N + o), load4(X, 2 * N + o)
        store4(Y, o, plus4(plus4(plus4(load4(Y, o), T[0], x0), T[1], x1), T[2], x2))
        store4(Y, N + o, plus4(plus4(plus4(load4(Y, N + o), T[3], x0), T[4], x1), T[5], x2))
        store4(Y, 2 * N + o, plus4(plus4(plus4(load4(Y, 2 * N + o), T[6], x0), T[7], x1), T[8], x2))


def add_outer(N, X, Y, A):
    """A += X Yᵀ, A by columns"""
    for o in range(0, N, 4):
        x0, x1, x2 = load4(X, o), load4(X, N + o), load4(X, 2 * N + o)
        i = o
        for j in range(N):
            store4(A, i, plus4(plus4(plus4(load4(A, i), Y[j], x0), Y[N + j], x1), Y[2 * N + j], x2))
            i += N


def turn_columns(N, j, T, A, B):
    """Columns j, j+1, j+2 of B are those of A times T; A and B by columns, which may be the same"""
    i = j * N
    for _ in range(0, N, 4):
        a0, a1, a2 = load4(A, i), load4(A, i + N), load4(A, i + 2 * N)
        store4(B, i, plus4(plus4(times4(T[0], a0), T[3], a1), T[6], a2))
        store4(B, i + N, plus4(plus4(times4(T[1], a0), T[4], a1), T[7], a2))
        store4(B, i + 2 * N, plus4(plus4(times4(T[2], a0), T[5], a1), T[8], a2))
        i += 4


def add_turned_columns(N, j, T, A, B):
    """Columns j, j+1, j+2 of B take those of A times T"""
    i = j * N
    for _ in range(0, N, 4):
        a0, a1, a2 = load4(A, i), load4(A, i + N), load4(A, i + 2 * N)
        store4(B, i, plus4(plus4(plus4(load4(B, i), T[0], a0), T[3], a1), T[6], a2))
        store4(B, i + N, plus4(plus4(plus4(load4(B, i + N), T[1], a0), T[4], a1), T[7], a2))
        store4(B, i + 2 * N, plus4(plus4(plus4(load4(B, i + 2 * N), T[2], a0), T[5], a1), T[8], a2))
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
