"""Factorisation A = L D Lᵀ of a symmetric matrix, column by column, without pivoting, and its solution.

Column K takes the updates of all earlier columns J that reach it, then its diagonal block S_K is factorised:

    C_IK ← A_IK − Σ_J M_IJ D_J⁻¹ M_KJᵀ                (all rows I ≥ K)
    S_K = L_K D_K L_Kᵀ,   M_IK = C_IK L_K⁻ᵀ           (so that L_IK = M_IK D_K⁻¹)

What is kept: M below the diagonal, X = L_K⁻ᵀ (unit upper triangular) in the place of S_K, and the pivots 1/d.
The inverse of a small triangle is as accurate as substitution and much quicker. Only the upper triangle of a
diagonal block is read. A dropped pivot has 1/d = 0, which takes its row and its column out of the equations.
"""

from __future__ import annotations

from flexor.engine.linear.blocks import (
    MANY,
    dot,
    multiply_four_rows,
    multiply_rows,
    rows_times,
    rows_times_six,
    see_diagonal,
    solve_eight_backwards,
    solve_eight_forwards,
    subtract_four_rows,
    subtract_from_tail,
    subtract_from_tail_of_one,
    subtract_from_tail_of_six,
    subtract_from_tail_of_three,
    subtract_product,
    subtract_rows,
    subtract_rows_by_four,
    subtract_rows_of_three,
    subtract_rows_of_three_by_four,
    sum_of_tail,
    sum_of_tail_of_one,
    sum_of_tail_of_six,
    sum_of_tail_of_three,
    times_six,
)
from flexor.engine.linear.singular import judge
from flexor.engine.linear.support import support, support_right_hand_side
from flexor.engine.linear.table import OK, Column, Linear, SourceColumn
from flexor.law.lanes import (
    difference6,
    gather4,
    gather6,
    lane4,
    lane6,
    load4,
    load6,
    minus6,
    product4,
    product6,
    store6,
    times4,
    times6,
    unit6,
)


def factor_ldl(L: Linear):
    """Kernel: values → factors. Returns OK, NOT_FINITE or SINGULAR."""
    V, pivots, scale, work = L.values, L.pivots, L.scale, L.work
    columns, sources, runs = L.columns, L.sources, L.runs
    lanes, thresholds = L.lanes, L.numbers.thresholds
    L.numbers.n_dropped = 0
    support(L)
    for k in range(L.numbers.n_blocks):
        c = Column(columns, k)
        size, e, v, below = c.size, c.start, c.panel, c.below
        for i in range(size):
            scale[e + i] = abs(V[v + i * (size + 1)])
        for u in range(c.source, Column(columns, k + 1).source):
            update(V, pivots, sources, runs, u, size, c.own, lanes, work)
            see_diagonal(V, v, size, scale, e)
        threshold = thresholds[c.nature]
        if not (size == 6 and ldl_of_six(V, v, pivots, scale, e, threshold)):
            status = ldl_of_any(L, V, v, size, pivots, e, work)
            if status != OK:
                return status
        if size == 6:
            multiply_rows(below, V, v + 36, v)
        else:
            multiply_unit_upper(below, V, v + size * size, size, v, work)
    return OK


def update(V, pivots, sources, runs, u, size, own, lanes, work):
    """Update number u of a column: C ← C − M_I (D⁻¹ M_Kᵀ)."""
    source = SourceColumn(sources, u)
    a, width, d = source.rows, source.width, source.equation
    first, last = source.run, SourceColumn(sources, u + 1).run
    if size == 6 and width == 6 and own <= 4:
        update_of_four(V, pivots, source, runs, first, last, load4(lanes, 6 * own))
    elif size == 6 and width == 6:
        b0 = times6(pivots[d], gather6(V, a, 6))
        b1 = times6(pivots[d + 1], gather6(V, a + 1, 6))
        b2 = times6(pivots[d + 2], gather6(V, a + 2, 6))
        mask = load6(lanes, 6 * own)  # rows of six were read where `own` are
        if own < 6:
            b0, b1, b2 = product6(mask, b0), product6(mask, b1), product6(mask, b2)
        if source.rank == 3:
            for q in range(first, last):
                n = runs[2 * q]
                subtract_rows_of_three(n, V, a, 6, b0, b1, b2, runs[2 * q + 1], 6)
                a += 6 * n
            return
        b3 = times6(pivots[d + 3], gather6(V, a + 3, 6))
        b4 = times6(pivots[d + 4], gather6(V, a + 4, 6))
        b5 = times6(pivots[d + 5], gather6(V, a + 5, 6))
        if own < 6:
            b3, b4, b5 = product6(mask, b3), product6(mask, b4), product6(mask, b5)
        for q in range(first, last):
            n = runs[2 * q]
            subtract_rows(n, V, a, 6, b0, b1, b2, b3, b4, b5, runs[2 * q + 1], 6)
            a += 6 * n
    else:
        for k in range(width):
            for j in range(size):
                work[k * size + j] = pivots[d + k] * V[a + j * width + k] if j < own else 0.0
        subtract_product(V, a, 0, width, work, size, runs, first, last)


def update_of_four(V, pivots, source, runs, first, last, mask):
    """The same for columns of three or four equations, padded to six."""
    a, d = source.rows, source.equation
    b0 = product4(mask, times4(pivots[d], gather4(V, a, 6)))
    b1 = product4(mask, times4(pivots[d + 1], gather4(V, a + 1, 6)))
    b2 = product4(mask, times4(pivots[d + 2], gather4(V, a + 2, 6)))
    if source.rank == 3:
        for q in range(first, last):
            n = runs[2 * q]
            subtract_rows_of_three_by_four(n, V, a, b0, b1, b2, runs[2 * q + 1])
            a += 6 * n
        return
    b3 = product4(mask, times4(pivots[d + 3], gather4(V, a + 3, 6)))
    b4 = product4(mask, times4(pivots[d + 4], gather4(V, a + 4, 6)))
    b5 = product4(mask, times4(pivots[d + 5], gather4(V, a + 5, 6)))
    for q in range(first, last):
        n = runs[2 * q]
        subtract_rows_by_four(n, V, a, b0, b1, b2, b3, b4, b5, runs[2 * q + 1])
        a += 6 * n


def ldl_of_six(V, v, pivots, scale, e, threshold):
    """X and 1/d of a 6×6 block at V[v]; False, and nothing changed, if a pivot is small or not finite."""
    r0, r1, r2 = load6(V, v), load6(V, v + 6), load6(V, v + 12)
    r3, r4, r5 = load6(V, v + 18), load6(V, v + 24), load6(V, v + 30)

    d = lane6(r0, 0)
    if not abs(d) > threshold * scale[e]:
        return False
    i0 = 1.0 / d
    u01, u02, u03 = lane6(r0, 1) * i0, lane6(r0, 2) * i0, lane6(r0, 3) * i0
    u04, u05 = lane6(r0, 4) * i0, lane6(r0, 5) * i0
    r1, r2, r3 = minus6(r1, u01, r0), minus6(r2, u02, r0), minus6(r3, u03, r0)
    r4, r5 = minus6(r4, u04, r0), minus6(r5, u05, r0)

    d = lane6(r1, 1)
    if not abs(d) > threshold * scale[e + 1]:
        return False
    i1 = 1.0 / d
    u12, u13, u14, u15 = lane6(r1, 2) * i1, lane6(r1, 3) * i1, lane6(r1, 4) * i1, lane6(r1, 5) * i1
    r2, r3, r4, r5 = minus6(r2, u12, r1), minus6(r3, u13, r1), minus6(r4, u14, r1), minus6(r5, u15, r1)

    d = lane6(r2, 2)
    if not abs(d) > threshold * scale[e + 2]:
        return False
    i2 = 1.0 / d
    u23, u24, u25 = lane6(r2, 3) * i2, lane6(r2, 4) * i2, lane6(r2, 5) * i2
    r3, r4, r5 = minus6(r3, u23, r2), minus6(r4, u24, r2), minus6(r5, u25, r2)

    d = lane6(r3, 3)
    if not abs(d) > threshold * scale[e + 3]:
        return False
    i3 = 1.0 / d
    u34, u35 = lane6(r3, 4) * i3, lane6(r3, 5) * i3
    r4, r5 = minus6(r4, u34, r3), minus6(r5, u35, r3)

    d = lane6(r4, 4)
    if not abs(d) > threshold * scale[e + 4]:
        return False
    i4 = 1.0 / d
    u45 = lane6(r4, 5) * i4
    r5 = minus6(r5, u45, r4)

    d = lane6(r5, 5)
    if not abs(d) > threshold * scale[e + 5]:
        return False
    i5 = 1.0 / d
    if i0 == 0.0 or i1 == 0.0 or i2 == 0.0 or i3 == 0.0 or i4 == 0.0 or i5 == 0.0:  # of an infinite pivot
        return False

    # X = U⁻¹ by rows from the last: X_i = e_i − Σ_{k>i} u_ik X_k
    x5 = unit6(5)
    x4 = minus6(unit6(4), u45, x5)
    x3 = minus6(minus6(unit6(3), u34, x4), u35, x5)
    x2 = minus6(minus6(minus6(unit6(2), u23, x3), u24, x4), u25, x5)
    x1 = minus6(minus6(minus6(minus6(unit6(1), u12, x2), u13, x3), u14, x4), u15, x5)
    x0 = minus6(minus6(minus6(minus6(minus6(unit6(0), u01, x1), u02, x2), u03, x3), u04, x4), u05, x5)
    store6(V, v, x0)
    store6(V, v + 6, x1)
    store6(V, v + 12, x2)
    store6(V, v + 18, x3)
    store6(V, v + 24, x4)
    store6(V, v + 30, x5)
    pivots[e], pivots[e + 1], pivots[e + 2] = i0, i1, i2
    pivots[e + 3], pivots[e + 4], pivots[e + 5] = i3, i4, i5
    return True


def ldl_of_any(L, V, v, size, pivots, e, work):
    """X and 1/d of a block of any size at V[v]; judges every pivot. Four rows at a time are taken off the rows below."""
    for k in range(0, size, 4):
        last = min(k + 4, size)
        for i in range(k, last):
            row = v + i * size
            for p in range(k, i):
                u = V[v + p * size + i] * pivots[e + p]
                for j in range(i, size):
                    V[row + j] -= u * V[v + p * size + j]
            d = V[row + i]
            verdict = judge(L, e + i, abs(d), L.scale[e + i])
            if verdict > OK:
                return verdict
            pivots[e + i] = 1.0 / d if verdict == OK else 0.0
        a = v + k * size
        for i in range(last, size):  # (then the four are there)
            u0, u1 = V[a + i] * pivots[e + k], V[a + size + i] * pivots[e + k + 1]
            u2, u3 = V[a + 2 * size + i] * pivots[e + k + 2], V[a + 3 * size + i] * pivots[e + k + 3]
            subtract_four_rows(V, v + i * size, u0, u1, u2, u3, a, size, i)
    for k in range(size):
        row = v + k * size
        for j in range(size):
            V[row + j] = V[row + j] * pivots[e + k] if j > k else 0.0
    for i in range(size - 1, -1, -1):  # X_i = e_i − Σ_{k>i} u_ik X_k
        row = v + i * size
        for k in range(i + 1, size):
            work[k] = V[row + k]
            V[row + k] = 0.0
        V[row + i] = 1.0
        k = i + 1
        while k + 4 <= size:
            subtract_four_rows(V, row, work[k], work[k + 1], work[k + 2], work[k + 3], v + k * size, size, k)
            k += 4
        for q in range(k, size):
            for j in range(q, size):
                V[row + j] -= work[q] * V[v + q * size + j]
    return OK


def multiply_unit_upper(n, V, c, size, x, buffer):
    """C ← C X for n rows of any size with X unit upper triangular at V[x]; buffer of size² floats."""
    many = n - n % 4 if size >= MANY else 0
    for i in range(0, many, 4):
        multiply_four_rows(V, c + i * size, size, x, buffer, True)
    for i in range(many, n):
        row = c + i * size
        for k in range(size - 2, -1, -1):
            for j in range(k + 1, size):
                V[row + j] += V[row + k] * V[x + k * size + j]


def solve_ldl(L: Linear):
    """Kernel: solve in place on the vector in RHS."""
    V, b, pivots, total = L.values, L.rhs, L.pivots, L.work
    columns, tails = L.columns, L.tails
    n_blocks = L.numbers.n_blocks
    support_right_hand_side(L)
    for k in range(n_blocks):  # w = D⁻¹ L⁻¹ b
        c = Column(columns, k)
        size, e, v = c.size, c.start, c.panel
        first, last = c.tail, Column(columns, k + 1).tail
        if size == 6 and c.own == 3:
            b0, b1, b2 = b[e], b[e + 1], b[e + 2]
            t0, t1 = pivots[e] * b0, pivots[e + 1] * (b1 + V[v + 1] * b0)
            t2 = pivots[e + 2] * (b2 + V[v + 2] * b0 + V[v + 8] * b1)
            b[e], b[e + 1], b[e + 2] = t0, t1, t2
            subtract_from_tail_of_three(V, v + 36, t0, t1, t2, b, tails, first, last)
        elif size == 6:
            store6(b, e, product6(load6(pivots, e), times_six(V, v, b, e)))
            subtract_from_tail_of_six(V, v + 36, b, e, tails, first, last)
        elif size == 8:
            solve_eight_forwards(V, v, pivots, b, e, tails, first, last)
        elif size == 1:
            b[e] *= pivots[e]
            subtract_from_tail_of_one(V, v + 1, b[e], b, tails, first, last)
        else:
            rows_times(V, v, size, b, e, total)
            for j in range(size):
                b[e + j] = pivots[e + j] * total[j]
            subtract_from_tail(V, v + size * size, size, b, e, tails, first, last)
    for k in range(n_blocks - 1, -1, -1):  # x = L⁻ᵀ w
        c = Column(columns, k)
        size, e, v = c.size, c.start, c.panel
        first, last = c.tail, Column(columns, k + 1).tail
        if size == 6 and c.own == 3:
            below = sum_of_tail_of_three(V, v + 36, b, tails, first, last)
            t0 = b[e] - pivots[e] * lane4(below, 0)
            t1 = b[e + 1] - pivots[e + 1] * lane4(below, 1)
            t2 = b[e + 2] - pivots[e + 2] * lane4(below, 2)
            b[e], b[e + 1], b[e + 2] = t0 + V[v + 1] * t1 + V[v + 2] * t2, t1 + V[v + 8] * t2, t2
        elif size == 6:
            sums = sum_of_tail_of_six(V, v + 36, b, tails, first, last)
            rows_times_six(V, v, difference6(load6(b, e), product6(load6(pivots, e), sums)), b, e)
        elif size == 8:
            solve_eight_backwards(V, v, pivots, b, e, tails, first, last)
        elif size == 1:
            b[e] -= pivots[e] * sum_of_tail_of_one(V, v + 1, b, tails, first, last)
        else:
            sum_of_tail(V, v + size * size, size, b, tails, first, last, total)
            for j in range(size):
                total[j] = b[e + j] - pivots[e + j] * total[j]
            for i in range(size):
                b[e + i] = dot(V, v + i * size, total, 0, size)
    return OK
