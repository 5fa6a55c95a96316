"""Dense kernels on blocks and panels: row-major matrices inside one array, each given by its offset there.

Rows of six go through `flexor.law.lanes`; other sizes are cut into strips of six or four columns and a rest.
"""

from __future__ import annotations

from flexor.law.lanes import (
    lane6,
    load4,
    load6,
    minus4,
    minus6,
    plus4,
    plus6,
    product4,
    store4,
    store6,
    times6,
    total4,
    zeros4,
    zeros6,
)

MANY = 6
"""Columns from which on four rows are worth to be taken together."""


def subtract_rows(n, V, a, lda, b0, b1, b2, b3, b4, b5, c, ldc):
    """C ← C − A B for n rows; A (n×6) and C (n×6) in V, the rows of B (6×6) in registers."""
    for _ in range(n):
        row = load6(V, c)
        row = minus6(row, V[a], b0)
        row = minus6(row, V[a + 1], b1)
        row = minus6(row, V[a + 2], b2)
        row = minus6(row, V[a + 3], b3)
        row = minus6(row, V[a + 4], b4)
        row = minus6(row, V[a + 5], b5)
        store6(V, c, row)
        a += lda
        c += ldc


def subtract_rows_of_three(n, V, a, lda, b0, b1, b2, c, ldc):
    """The same with only three columns of A that are not zero."""
    for _ in range(n):
        row = load6(V, c)
        row = minus6(row, V[a], b0)
        row = minus6(row, V[a + 1], b1)
        row = minus6(row, V[a + 2], b2)
        store6(V, c, row)
        a += lda
        c += ldc


def subtract_rows_by_four(n, V, a, b0, b1, b2, b3, b4, b5, c):
    """The same as `subtract_rows` for rows of six of which only four in B and C are not zero."""
    for _ in range(n):
        row = load4(V, c)
        row = minus4(row, V[a], b0)
        row = minus4(row, V[a + 1], b1)
        row = minus4(row, V[a + 2], b2)
        row = minus4(row, V[a + 3], b3)
        row = minus4(row, V[a + 4], b4)
        row = minus4(row, V[a + 5], b5)
        store4(V, c, row)
        a += 6
        c += 6


def subtract_rows_of_three_by_four(n, V, a, b0, b1, b2, c):
    """And with only three columns of A that are not zero."""
    for _ in range(n):
        row = load4(V, c)
        row = minus4(row, V[a], b0)
        row = minus4(row, V[a + 1], b1)
        row = minus4(row, V[a + 2], b2)
        store4(V, c, row)
        a += 6
        c += 6


def multiply_rows(n, V, c, x):
    """C ← C X for n rows of six; C at V[c], X (6×6) at V[x]."""
    x0, x1, x2 = load6(V, x), load6(V, x + 6), load6(V, x + 12)
    x3, x4, x5 = load6(V, x + 18), load6(V, x + 24), load6(V, x + 30)
    for _ in range(n):
        row = times6(V[c], x0)
        row = plus6(row, V[c + 1], x1)
        row = plus6(row, V[c + 2], x2)
        row = plus6(row, V[c + 3], x3)
        row = plus6(row, V[c + 4], x4)
        row = plus6(row, V[c + 5], x5)
        store6(V, c, row)
        c += 6


def subtract_product(V, a, shift, k_size, B, j_size, runs, first, last):
    """C ← C − A B with B of k_size × j_size. The rows of A (k_size floats) follow each other from V[a]; those
    of C (j_size floats) stand in runs of rows: their number, their place in V less `shift`."""
    j_six = j_size - j_size % 6
    for q in range(first, last):
        c, rows = runs[2 * q + 1] + shift, runs[2 * q]
        for _ in range(rows // 4):  # four rows share what is read of B
            a1, a2, a3 = a + k_size, a + 2 * k_size, a + 3 * k_size
            c1, c2, c3 = c + j_size, c + 2 * j_size, c + 3 * j_size
            for j in range(0, j_six, 6):
                row0, row1, row2, row3 = load6(V, c + j), load6(V, c1 + j), load6(V, c2 + j), load6(V, c3 + j)
                for k in range(k_size):
                    b = load6(B, k * j_size + j)
                    row0, row1 = minus6(row0, V[a + k], b), minus6(row1, V[a1 + k], b)
                    row2, row3 = minus6(row2, V[a2 + k], b), minus6(row3, V[a3 + k], b)
                store6(V, c + j, row0)
                store6(V, c1 + j, row1)
                store6(V, c2 + j, row2)
                store6(V, c3 + j, row3)
            for j in range(j_six, j_size):
                t0 = t1 = t2 = t3 = 0.0
                for k in range(k_size):
                    t = B[k * j_size + j]
                    t0 += V[a + k] * t
                    t1 += V[a1 + k] * t
                    t2 += V[a2 + k] * t
                    t3 += V[a3 + k] * t
                V[c + j] -= t0
                V[c1 + j] -= t1
                V[c2 + j] -= t2
                V[c3 + j] -= t3
            a += 4 * k_size
            c += 4 * j_size
        for _ in range(rows % 4):
            for j in range(0, j_six, 6):
                row = load6(V, c + j)
                for k in range(k_size):
                    row = minus6(row, V[a + k], load6(B, k * j_size + j))
                store6(V, c + j, row)
            for j in range(j_six, j_size):
                total = 0.0
                for k in range(k_size):
                    total += V[a + k] * B[k * j_size + j]
                V[c + j] -= total
            a += k_size
            c += j_size


def multiply_four_rows(V, c, size, x, buffer, upper):
    """C ← C X for four rows at V[c]; X (size × size) at V[x], upper triangular if `upper`; buffer of four rows."""
    for i in range(4 * size):
        buffer[i] = V[c + i]
    c1, c2, c3 = c + size, c + 2 * size, c + 3 * size
    j_six = size - size % 6
    for j in range(0, j_six, 6):
        row0 = row1 = row2 = row3 = zeros6()
        for k in range(j + 6 if upper else size):
            b = load6(V, x + k * size + j)
            row0, row1 = plus6(row0, buffer[k], b), plus6(row1, buffer[size + k], b)
            row2, row3 = plus6(row2, buffer[2 * size + k], b), plus6(row3, buffer[3 * size + k], b)
        store6(V, c + j, row0)
        store6(V, c1 + j, row1)
        store6(V, c2 + j, row2)
        store6(V, c3 + j, row3)
    for j in range(j_six, size):
        t0 = t1 = t2 = t3 = 0.0
        for k in range(j + 1 if upper else size):
            t = V[x + k * size + j]
            t0 += buffer[k] * t
            t1 += buffer[size + k] * t
            t2 += buffer[2 * size + k] * t
            t3 += buffer[3 * size + k] * t
        V[c + j], V[c1 + j], V[c2 + j], V[c3 + j] = t0, t1, t2, t3


def subtract_four_rows(V, c, u0, u1, u2, u3, a, size, first):
    """c_j ← c_j − u0 a0_j − u1 a1_j − u2 a2_j − u3 a3_j for j from `first` up to `size`, the rows a one after the other at V[a]."""
    b, d, e = a + size, a + 2 * size, a + 3 * size
    j = first
    while j + 4 <= size:
        row = minus4(load4(V, c + j), u0, load4(V, a + j))
        row = minus4(row, u1, load4(V, b + j))
        row = minus4(row, u2, load4(V, d + j))
        store4(V, c + j, minus4(row, u3, load4(V, e + j)))
        j += 4
    while j < size:
        V[c + j] -= u0 * V[a + j] + u1 * V[b + j] + u2 * V[d + j] + u3 * V[e + j]
        j += 1


def multiply_panel(n, V, c, size, x, buffer):
    """C ← C X for n rows of any size; C at V[c], X (size × size) at V[x]; buffer of 4 `size` floats if there are so many, else one."""
    many = n - n % 4 if size >= MANY else 0
    for i in range(0, many, 4):
        multiply_four_rows(V, c + i * size, size, x, buffer, False)
    for i in range(many, n):
        row = c + i * size
        for k in range(size):
            buffer[k] = V[row + k]
            V[row + k] = 0.0
        for k in range(size):
            for j in range(size):
                V[row + j] += buffer[k] * V[x + k * size + j]


def transpose(V, a, rows, own, columns, B):
    """B ← Aᵀ; A (rows × columns) at V[a], of whose rows only `own` are there and the others zero."""
    for i in range(rows):
        for j in range(columns):
            B[j * rows + i] = V[a + i * columns + j] if i < own else 0.0


def see_diagonal(V, v, size, scale, e):
    """Keep the largest magnitude seen on each position of the diagonal of the block at V[v]."""
    for i in range(size):
        d = abs(V[v + i * (size + 1)])
        if d > scale[e + i]:
            scale[e + i] = d


def dot(V, m, y, e, size):
    """Σ V[m + k] y[e + k]"""
    sums = zeros4()
    whole = size - size % 4
    for k in range(0, whole, 4):
        sums = plus4(sums, 1.0, product4(load4(V, m + k), load4(y, e + k)))
    total = total4(sums)
    for k in range(whole, size):
        total += V[m + k] * y[e + k]
    return total


def rows_times(V, x, size, y, e, total):
    """total ← Σ_k y_k X_k, which is Xᵀ y for X (size × size) at V[x] and y at y[e]"""
    if size < 4:
        for j in range(size):
            total[j] = 0.0
            for k in range(size):
                total[j] += y[e + k] * V[x + k * size + j]
        return
    o = 0
    while o < size:
        o = min(o, size - 4)  # the last four columns, some of them again
        sums = zeros4()
        for k in range(size):
            sums = plus4(sums, y[e + k], load4(V, x + k * size + o))
        store4(total, o, sums)
        o += 4


def subtract_from_tail(V, m, size, y, e, tails, first, last):
    """b_I ← b_I − M_I y_J over the rows below the diagonal; M at V[m], y_J at y[e]."""
    for q in range(first, last):
        row = tails[2 * q + 1]
        for i in range(row, row + tails[2 * q]):
            y[i] -= dot(V, m, y, e, size)
            m += size


def subtract_from_tail_of_six(V, m, y, e, tails, first, last):
    """The same for rows of six."""
    y0, y1, y2, y3, y4, y5 = y[e], y[e + 1], y[e + 2], y[e + 3], y[e + 4], y[e + 5]
    for q in range(first, last):
        row = tails[2 * q + 1]
        for i in range(row, row + tails[2 * q]):
            even = V[m] * y0 + V[m + 2] * y2 + V[m + 4] * y4
            odd = V[m + 1] * y1 + V[m + 3] * y3 + V[m + 5] * y5
            y[i] -= even + odd
            m += 6


def subtract_from_tail_of_three(V, m, y0, y1, y2, y, tails, first, last):
    """The same for rows of six of which three are not zero."""
    for q in range(first, last):
        row = tails[2 * q + 1]
        for i in range(row, row + tails[2 * q]):
            y[i] -= V[m] * y0 + V[m + 1] * y1 + V[m + 2] * y2
            m += 6


def sum_of_tail(V, m, size, x, tails, first, last, total):
    """total ← Σ M_Iᵀ x_I over the rows below the diagonal; M at V[m]."""
    if size < 4:
        for k in range(size):
            total[k] = 0.0
        for q in range(first, last):
            row = tails[2 * q + 1]
            for i in range(row, row + tails[2 * q]):
                for k in range(size):
                    total[k] += V[m + k] * x[i]
                m += size
        return
    o = 0
    while o < size:
        o = min(o, size - 4)  # the last four columns, some of them again
        place = m + o
        one, other = zeros4(), zeros4()
        for q in range(first, last):
            row = tails[2 * q + 1]
            for i in range(row, row + tails[2 * q]):
                one, other = other, plus4(one, x[i], load4(V, place))
                place += size
        store4(total, o, plus4(one, 1.0, other))
        o += 4


def sum_of_tail_of_six(V, m, x, tails, first, last):
    """Σ M_Iᵀ x_I for rows of six."""
    one, other = zeros6(), zeros6()  # two sums in turn: the next addition need not wait for the last
    for q in range(first, last):
        row = tails[2 * q + 1]
        for i in range(row, row + tails[2 * q]):
            one, other = other, plus6(one, x[i], load6(V, m))
            m += 6
    return plus6(one, 1.0, other)


def sum_of_tail_of_three(V, m, x, tails, first, last):
    """Σ M_Iᵀ x_I for rows of six of which three are not zero: four numbers, of which the last is zero."""
    one, other = zeros4(), zeros4()
    for q in range(first, last):
        row = tails[2 * q + 1]
        for i in range(row, row + tails[2 * q]):
            one, other = other, plus4(one, x[i], load4(V, m))
            m += 6
    return plus4(one, 1.0, other)


def subtract_from_tail_of_one(V, m, t, y, tails, first, last):
    """b_I ← b_I − M_I t for a block of one equation, as that of a hinge."""
    for q in range(first, last):
        row = tails[2 * q + 1]
        for i in range(row, row + tails[2 * q]):
            y[i] -= V[m] * t
            m += 1


def sum_of_tail_of_one(V, m, x, tails, first, last):
    """Σ M_I x_I for a block of one equation."""
    one = other = 0.0
    for q in range(first, last):
        row = tails[2 * q + 1]
        for i in range(row, row + tails[2 * q]):
            one, other = other, one + V[m] * x[i]
            m += 1
    return one + other


def solve_eight_forwards(V, v, pivots, y, e, tails, first, last):
    """y_J ← D⁻¹ Xᵀ y_J and b_I ← b_I − M_I y_J for a block of eight: X (8×8) at V[v], M behind it."""
    one, two, three, four = zeros4(), zeros4(), zeros4(), zeros4()
    for k in range(0, 8, 2):
        x = v + 8 * k
        one, two = plus4(one, y[e + k], load4(V, x)), plus4(two, y[e + k], load4(V, x + 4))
        three, four = plus4(three, y[e + k + 1], load4(V, x + 8)), plus4(four, y[e + k + 1], load4(V, x + 12))
    begin = product4(load4(pivots, e), plus4(one, 1.0, three))
    end = product4(load4(pivots, e + 4), plus4(two, 1.0, four))
    store4(y, e, begin)
    store4(y, e + 4, end)
    m = v + 64
    for q in range(first, last):
        row = tails[2 * q + 1]
        for i in range(row, row + tails[2 * q]):
            y[i] -= total4(plus4(product4(load4(V, m), begin), 1.0, product4(load4(V, m + 4), end)))
            m += 8


def solve_eight_backwards(V, v, pivots, y, e, tails, first, last):
    """y_J ← X (y_J − D⁻¹ Σ M_Iᵀ x_I) for a block of eight: X (8×8) at V[v], M behind it."""
    one, two, three, four = zeros4(), zeros4(), zeros4(), zeros4()
    m = v + 64
    for q in range(first, last):
        row = tails[2 * q + 1]
        for i in range(row, row + tails[2 * q]):  # two sums in turn: the next addition need not wait for the last
            one, three = three, plus4(one, y[i], load4(V, m))
            two, four = four, plus4(two, y[i], load4(V, m + 4))
            m += 8
    begin = minus4(load4(y, e), 1.0, product4(load4(pivots, e), plus4(one, 1.0, three)))
    end = minus4(load4(y, e + 4), 1.0, product4(load4(pivots, e + 4), plus4(two, 1.0, four)))
    for i in range(8):
        x = v + 8 * i
        y[e + i] = total4(plus4(product4(load4(V, x), begin), 1.0, product4(load4(V, x + 4), end)))


def times_six(V, x, y, e):
    """Σ_k y_k X_k, which is Xᵀ y for X (6×6) at V[x] and y at y[e]."""
    row = times6(y[e], load6(V, x))
    row = plus6(row, y[e + 1], load6(V, x + 6))
    row = plus6(row, y[e + 2], load6(V, x + 12))
    row = plus6(row, y[e + 3], load6(V, x + 18))
    row = plus6(row, y[e + 4], load6(V, x + 24))
    return plus6(row, y[e + 5], load6(V, x + 30))


def rows_times_six(V, x, t, y, e):
    """y ← X t for X (6×6) at V[x], y at y[e]."""
    t0, t1, t2, t3, t4, t5 = lane6(t, 0), lane6(t, 1), lane6(t, 2), lane6(t, 3), lane6(t, 4), lane6(t, 5)
    for i in range(6):
        even = V[x] * t0 + V[x + 2] * t2 + V[x + 4] * t4
        odd = V[x + 1] * t1 + V[x + 3] * t3 + V[x + 5] * t5
        y[e + i] = even + odd
        x += 6
