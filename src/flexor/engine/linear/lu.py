"""Factorisation A = L U of an unsymmetric matrix on the pattern of the symmetric one, and its solution.

Pivots are chosen among the rows of a diagonal block. With B the lower panel and C the upper one, transposed,

    B_IK ← A_IK − Σ_J M_IJ N_KJᵀ,    C_IK ← A_KIᵀ − Σ_J N_IJ M_KJᵀ     (I > K; the diagonal block S_K as B)
    P S_K Q = L_K U_K,    X = Q U_K⁻¹,   Y = L_K⁻¹ P,    M_IK = B_IK X,    N_IK = C_IK Yᵀ

so that S_K⁻¹ = X Y. What is kept: M and N, X in the place of S_K, Yᵀ in its mirror. The columns keep their
order (Q = I) unless one is dropped: then it goes to the end, with its unknown set to zero, and the equation
that remains without a pivot is left out.
"""

from __future__ import annotations

from flexor.engine.linear.blocks import (
    dot,
    multiply_panel,
    multiply_rows,
    rows_times,
    rows_times_six,
    see_diagonal,
    subtract_from_tail,
    subtract_from_tail_of_six,
    subtract_product,
    subtract_rows,
    subtract_rows_of_three,
    sum_of_tail,
    sum_of_tail_of_six,
    times_six,
    transpose,
)
from flexor.engine.linear.singular import judge
from flexor.engine.linear.support import support, support_right_hand_side
from flexor.engine.linear.table import OK, Column, Linear, SourceColumn
from flexor.law.lanes import difference6, gather6, load6, minus6, product6, store6, times6, unit6
from flexor.law.primitives import at


def factor_lu(L: Linear):
    """Kernel: values → factors. Returns OK, NOT_FINITE or SINGULAR."""
    V, scale, work = L.values, L.scale, L.work
    columns, sources, runs = L.columns, L.sources, L.runs
    mirror, lanes = L.numbers.mirror, L.lanes
    thresholds = L.numbers.thresholds
    L.numbers.n_dropped = 0
    support(L)
    for k in range(L.numbers.n_blocks):
        c = Column(columns, k)
        size, e, v, below = c.size, c.start, c.panel, c.below
        for i in range(size):
            scale[e + i] = abs(V[v + i * (size + 1)])
        for u in range(c.source, Column(columns, k + 1).source):
            update(V, mirror, sources, runs, u, size, c.own, lanes, work)
            see_diagonal(V, v, size, scale, e)
        nature = c.nature
        if not (size == 6 and lu_of_six(V, v, v + mirror, work, scale, e, thresholds[nature])):
            status = lu_of_any(L, V, v, size, v + mirror, e)
            if status != OK:
                return status
        if size == 6:
            multiply_rows(below, V, v + 36, v)
            multiply_rows(below, V, v + mirror + 36, v + mirror)
        else:
            multiply_panel(below, V, v + size * size, size, v, work)
            multiply_panel(below, V, v + mirror + size * size, size, v + mirror, work)
    return OK


def update(V, mirror, sources, runs, u, size, own, lanes, work):
    """Update number u of a column: the lower panel with its diagonal block, then the upper panel."""
    source = SourceColumn(sources, u)
    a, width = source.rows, source.width
    first, last = source.run, SourceColumn(sources, u + 1).run
    b, shift = a + mirror, 0
    for upper in range(2):
        if size == 6 and width == 6:
            b0, b1, b2 = gather6(V, b, 6), gather6(V, b + 1, 6), gather6(V, b + 2, 6)
            b3, b4, b5 = gather6(V, b + 3, 6), gather6(V, b + 4, 6), gather6(V, b + 5, 6)
            if own < 6:  # rows of six were read where `own` are
                mask = load6(lanes, 6 * own)
                b0, b1, b2 = product6(mask, b0), product6(mask, b1), product6(mask, b2)
                b3, b4, b5 = product6(mask, b3), product6(mask, b4), product6(mask, b5)
            r, skip = a, own * upper  # the diagonal block begins the first run and belongs to the lower panel
            for q in range(first, last):
                n = runs[2 * q] - skip
                to = runs[2 * q + 1] + shift + 6 * skip
                if source.rank == 3:
                    subtract_rows_of_three(n, V, r + 6 * skip, 6, b0, b1, b2, to, 6)
                else:
                    subtract_rows(n, V, r + 6 * skip, 6, b0, b1, b2, b3, b4, b5, to, 6)
                r += 6 * (n + skip)
                skip = 0
        else:
            transpose(V, b, size, own, width, work)
            subtract_product(V, a, shift, width, work, size, runs, first, last)
        a, b, shift = b, a, mirror


def lu_of_six(V, v, y, work, scale, e, threshold):
    """X at V[v] and Yᵀ at V[y] of the 6×6 block at V[v]; False, and nothing changed, if a pivot is small or
    not finite. Works on [S | I] in work[0:36] and work[36:72]."""
    for i in range(6):
        store6(work, 6 * i, load6(V, v + 6 * i))
        store6(work, 36 + 6 * i, unit6(i))
    for k in range(6):
        p, best = k, abs(work[7 * k])
        for i in range(k + 1, 6):
            candidate = abs(work[6 * i + k])
            if candidate > best:
                p, best = i, candidate
        if not (best > threshold * scale[e + k] and scale[e + k] > 0.0 and 1.0 / best > 0.0):
            return False
        s, t = load6(work, 6 * p), load6(work, 36 + 6 * p)
        if p != k:
            store6(work, 6 * p, load6(work, 6 * k))
            store6(work, 36 + 6 * p, load6(work, 36 + 6 * k))
            store6(work, 6 * k, s)
            store6(work, 36 + 6 * k, t)
        inverse = 1.0 / work[7 * k]
        for i in range(k + 1, 6):
            f = work[6 * i + k] * inverse
            store6(work, 6 * i, minus6(load6(work, 6 * i), f, s))
            store6(work, 36 + 6 * i, minus6(load6(work, 36 + 6 * i), f, t))
    for k in range(5, -1, -1):  # X_k = (e_k − Σ_{j>k} u_kj X_j) / u_kk
        x = unit6(k)
        for j in range(k + 1, 6):
            x = minus6(x, work[6 * k + j], load6(V, v + 6 * j))
        store6(V, v + 6 * k, times6(1.0 / work[7 * k], x))
        store6(V, y + 6 * k, gather6(work, 36 + k, 6))
    return True


def lu_of_any(L, V, v, size, y, e):
    """X at V[v] and Yᵀ at V[y] of a block of any size at V[v]; judges every pivot."""
    S, T, order = L.work, at(L.work, size * size), L.order
    for i in range(size):
        order[i] = i
        for j in range(size):
            S[i * size + j] = V[v + i * size + j]
            T[i * size + j] = 1.0 if i == j else 0.0
    rank, k = size, 0
    while k < rank:
        column = order[k]
        p, best = k, 0.0
        for i in range(k, size):
            candidate = abs(S[i * size + column])
            if best == best and not candidate <= best:  # NaN wins
                p, best = i, candidate
        verdict = judge(L, e + column, best, column_scale(L, V, v, size, e, column))
        if verdict > OK:
            return verdict
        if verdict < OK:
            rank -= 1
            for j in range(k, rank):
                order[j] = order[j + 1]
            order[rank] = column
            continue
        for j in range(size):
            S[p * size + j], S[k * size + j] = S[k * size + j], S[p * size + j]
            T[p * size + j], T[k * size + j] = T[k * size + j], T[p * size + j]
        inverse = 1.0 / S[k * size + column]
        for i in range(k + 1, size):
            f = S[i * size + column] * inverse
            for j in range(k if rank == size else 0, size):  # (what is left of it is not needed)
                S[i * size + j] -= f * S[k * size + j]
            for j in range(size):
                T[i * size + j] -= f * T[k * size + j]
        k += 1
    for i in range(size):
        for j in range(size):
            V[v + i * size + j] = 0.0
            V[y + i * size + j] = T[j * size + i] if j < rank else 0.0
    for k in range(rank - 1, -1, -1):
        row = v + order[k] * size
        V[row + k] = 1.0
        for m in range(k + 1, rank):
            f = S[k * size + order[m]]
            for j in range(m, rank):
                V[row + j] -= f * V[v + order[m] * size + j]
        inverse = 1.0 / S[k * size + order[k]]
        for j in range(k, rank):
            V[row + j] *= inverse
    return OK


def column_scale(L, V, v, size, e, column):
    """What the pivot of a column is judged by: the largest value seen on its diagonal; where that was always
    zero, the largest in its column of the block."""
    scale = L.scale[e + column]
    if scale == 0.0:
        for i in range(size):
            scale = max(scale, abs(V[v + i * size + column]))
    return scale


def solve_lu(L: Linear):
    """Kernel: solve in place on the vector in RHS."""
    V, b, total = L.values, L.rhs, L.work
    columns, tails = L.columns, L.tails
    n_blocks, mirror = L.numbers.n_blocks, L.numbers.mirror
    support_right_hand_side(L)
    for k in range(n_blocks):  # y = L⁻¹ b
        c = Column(columns, k)
        size, e, v = c.size, c.start, c.panel
        first, last = c.tail, Column(columns, k + 1).tail
        if size == 6:
            store6(b, e, times_six(V, v + mirror, b, e))
            subtract_from_tail_of_six(V, v + 36, b, e, tails, first, last)
        else:
            rows_times(V, v + mirror, size, b, e, total)
            for j in range(size):
                b[e + j] = total[j]
            subtract_from_tail(V, v + size * size, size, b, e, tails, first, last)
    for k in range(n_blocks - 1, -1, -1):  # x = U⁻¹ y
        c = Column(columns, k)
        size, e, v = c.size, c.start, c.panel
        first, last = c.tail, Column(columns, k + 1).tail
        if size == 6:
            sums = sum_of_tail_of_six(V, v + mirror + 36, b, tails, first, last)
            rows_times_six(V, v, difference6(load6(b, e), sums), b, e)
        else:
            sum_of_tail(V, v + mirror + size * size, size, b, tails, first, last, total)
            for j in range(size):
                total[j] = b[e + j] - total[j]
            for i in range(size):
                b[e + i] = dot(V, v + i * size, total, 0, size)
    return OK
