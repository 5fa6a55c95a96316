"""Residual and matrix of the whole mechanism: gather, call the law, scatter; term by term."""

from __future__ import annotations

from flexor.engine.followers import follower_stiffness, modal_stiffness
from flexor.engine.memory import BY_JOINT, LAW_FAILED, MULTIPLIER, OK, FollowerRecord, Memory, Scatter, TermRecord
from flexor.engine.relays import carry_inwards, tie
from flexor.engine.strings import ask_string
from flexor.law import MATRIX, RESIDUAL, level_coefficient
from flexor.law.lanes import load6, plus6, store6
from flexor.law.primitives import at, call, call_law
from flexor.law.string import STRING
from flexor.law.tuples import vec

# how a scatter entry reads the term matrix
PLAIN, AVERAGED, TRANSPOSED, SCALE_ROWS, SCALE_COLUMNS = 0, 1, 2, 4, 8


def call_term(T, d, want, lam):
    """Gather the state of the term described by d and call its law; r and K land in the term buffers."""
    n = d.size
    n_nodes = d.nodes
    r = T.buffer_residual
    K = T.buffer_matrix
    if want & RESIDUAL:
        for i in range(n):
            r[i] = 0.0
    if want & MATRIX:
        for i in range(n * n):
            K[i] = 0.0
    nodes = at(T.term_nodes, d.node_list)
    x, R, v, a = T.x, T.R, T.v, T.proper
    if n_nodes > 0:
        first = nodes[0]
        if d.contiguous:
            x, R, v, a = at(x, 3 * first), at(R, 9 * first), at(v, 6 * first), at(a, 6 * first)
        else:
            bx, bR, bv, ba = (
                T.buffer_x,
                T.buffer_R,
                T.buffer_v,
                T.buffer_a,
            )
            for i in range(n_nodes):
                node = nodes[i]
                for j in range(3):
                    bx[3 * i + j] = x[3 * node + j]
                if d.points:
                    for j in range(3):
                        bv[6 * i + j] = v[6 * node + j]
                    continue
                for j in range(9):
                    bR[9 * i + j] = R[9 * node + j]
                for j in range(6):
                    bv[6 * i + j] = v[6 * node + j]
                    ba[6 * i + j] = a[6 * node + j]
            x, R, v, a = bx, bR, bv, ba
    s = T.buffer_s
    scalars = at(T.term_scalars, d.scalar_list)
    values = T.s
    for i in range(d.scalars):
        for j in range(3):
            s[3 * i + j] = values[3 * scalars[i] + j]
    if d.multipliers > d.own:
        both, reads = T.buffer_reads, at(T.term_reads, d.read_list)
        for i in range(d.own):
            both[i] = lam[i]
        for i in range(d.multipliers - d.own):
            both[d.own + i] = T.lam[reads[i]]
        lam = both
    return call_law(
        T.laws, d.law, want, d.n, at(T.k_parameters, d.k), at(T.p_parameters, d.p),
        at(T.history, d.h), T.run.time, T.coefficients.words, x, R, v, a, s, lam, r, K,
        T.buffer_scratch,
    )  # fmt: skip


def guess(T: Memory):
    """Readings of the term error_term from what it reads, lam ← lam − r, where its law has a value; Newton's iteration begins there."""
    d = TermRecord(T.terms, T.run.error_term)
    lam = at(T.lam, d.lam)
    status = call_term(T, d, T.run.want, lam)
    if status == 0:
        r = at(T.buffer_residual, d.size - d.multipliers)
        for i in range(d.own):
            if abs(r[i]) < T.run.big:  # nor is it NaN
                lam[i] -= r[i]
    return status


def assemble(T: Memory):
    """Residual (and matrix, if asked for in WANT) at the state in the table.

    Constraint rows are divided by the coefficient of their gradient, so that the matrix is [[S, Bᵀ], [B, 0]] whatever
    the step (scaling, GER). With AUGMENTATION p: r += p Bᵀ Φ, S += p BᵀB (augmented Lagrangian, GER).
    """
    run = T.run
    want = run.want
    c = T.coefficients
    level = level_coefficient(want, c)
    scale = 1.0 / level if level != 0.0 else 1.0
    residual = T.residual
    for i in range(run.n_equations):
        residual[i] = 0.0
    fs = T.follower_force
    for i in range(6 * run.n_followers):
        fs[i] = 0.0
    if want & MATRIX:
        call(T.linear.clear, T.linear)
    next_term = 0
    while next_term < run.n_terms:
        e = next_term
        d = TermRecord(T.terms, e)
        if d.string >= 0 and want == RESIDUAL and e + STRING <= run.n_terms and ask_string(T, d) == 0:
            next_term += STRING
            continue
        next_term += 1
        if d.acts >= 0 and T.history[d.acts] != d.number:
            continue
        lam = at(T.lam, d.lam)
        status = call_term(T, d, want, lam)
        if run.augmentation != 0.0 and d.own > 0 and status == 0:
            status = _augment(T, d, want, lam, run.augmentation, scale)
        if status != 0:
            run.error_term = e
            run.error_code = status
            return LAW_FAILED
        if d.condense >= 0:
            _condense_and_scatter(T, d, want, scale)
        else:
            _scatter(T, d, want, scale)
    if run.n_relays > 0:
        carry_inwards(T)
    if run.n_followers > 0 and want & MATRIX and run.right == 0:
        _add_follower_stiffness(T, c.K)
    _lock(T, want)
    return OK


def _scatter(T, d, want, scale):
    if want & RESIDUAL:
        scatter_residual(T, d)
        o = d.size - d.multipliers
        eq = d.lam_eq
        for i in range(d.own):
            T.residual[eq + i] += scale * T.buffer_residual[o + i]
    if want & MATRIX:
        _scatter_matrix(
            T,
            at(T.scatter, d.scatter),
            d.scatter_count,
            T.buffer_matrix,
            d.size,
            scale,
        )


def scatter_residual(T, d):
    """Residual += r, rows of coordinates; of a term that touches no follower"""
    r, residual, node_eq = T.buffer_residual, T.residual, T.node_eq
    nodes = at(T.term_nodes, d.node_list)
    for i in range(d.nodes):
        eq = node_eq[nodes[i]]
        if eq >= 0:
            store6(residual, eq, plus6(load6(residual, eq), 1.0, load6(r, 6 * i)))
    o = 6 * d.nodes
    scalars = at(T.term_scalars, d.scalar_list)
    for i in range(d.scalars):
        residual[T.scalar_eq[scalars[i]]] += r[o + i]


def _scatter_matrix(T, entries, count, K, n, scale):
    """Add blocks of a term matrix to the system's; entries: row, column, rows, columns, offset, stride, mode."""
    values = T.linear.values
    for b in range(count):
        entry = Scatter(entries, b)
        row, col, rows, cols = entry.row, entry.column, entry.rows, entry.columns
        offset, stride, mode = entry.offset, entry.stride, entry.mode
        f = scale if mode & SCALE_ROWS else 1.0
        g = scale if mode & SCALE_COLUMNS else 1.0
        if mode & AVERAGED:
            f *= 0.5
            g *= 0.5
            for i in range(rows):
                for j in range(cols):
                    values[offset + i * stride + j] += f * K[(row + i) * n + col + j] + g * K[(col + j) * n + row + i]
        elif mode & TRANSPOSED:
            for i in range(rows):
                for j in range(cols):
                    values[offset + i * stride + j] += g * K[(col + j) * n + row + i]
        else:
            for i in range(rows):
                for j in range(cols):
                    values[offset + i * stride + j] += f * K[(row + i) * n + col + j]


def _augment(T, d, want, lam, p, scale):
    """The term again with multipliers λ + p Φ, and p BᵀB in its matrix; Φ is scaled like its rows."""
    r = T.buffer_residual
    K = T.buffer_matrix
    shifted = T.buffer_lam
    n = d.size
    m = d.own
    free = n - d.multipliers
    for q in range(m):
        shifted[q] = lam[q] + p * scale * r[free + q]
    status = call_term(T, d, want, shifted)
    if want & MATRIX:
        for q in range(m):
            for i in range(free):
                B_qi = p * scale * K[i * n + free + q]
                if B_qi != 0.0:
                    for j in range(free):
                        K[i * n + j] += B_qi * K[(free + q) * n + j]
    return status


def _condense_and_scatter(T, d, want, scale):
    """Tᵀ r and Tᵀ K T for a term that touches follower nodes, then scatter to the independent coordinates."""
    r = T.buffer_residual
    K = T.buffer_matrix
    n, m = d.size, d.condense_size
    first_multiplier = n - d.multipliers
    if want & RESIDUAL:
        for i in range(first_multiplier, n):
            r[i] *= scale
        condense_residual(T, d, r)
    if want & MATRIX:
        for i in range(first_multiplier, n):
            for j in range(n):
                K[i * n + j] *= scale
        # K2 = Tᵀ (K T'), where T' = T, or the gradient of the followers' velocity or acceleration when linearising
        W = T.buffer_half
        K2 = T.buffer_condensed
        if T.run.right != 0:
            condense_columns(T, d, K, T.right, False, W)
        else:
            condense_columns(T, d, K, T.gradients, True, W)
        condense_rows(T, d, W, K2)
        _scatter_matrix(T, at(T.scatter, d.scatter), d.scatter_count, K2, m, 1.0)


def condense_residual(T, d, r):
    """Residual += Tᵀ r, and the forces on followers"""
    n_nodes = d.nodes
    where = at(T.condense_map, d.condense)
    eqs = at(T.condense_eq, d.condense_eq)
    nodes = at(T.term_nodes, d.node_list)
    node_eq, number = T.node_eq, T.node_follower
    followers = T.followers
    J = T.gradients
    fs = T.follower_force
    residual = T.residual
    o = 0
    for i in range(n_nodes):
        eq = node_eq[nodes[i]]
        force = at(r, 6 * i)
        if eq >= 0:
            store6(residual, eq, plus6(load6(residual, eq), 1.0, load6(force, 0)))
            o += 6
        elif number[nodes[i]] >= 0:
            follower = FollowerRecord(followers, number[nodes[i]])
            on_follower = at(fs, 6 * number[nodes[i]])
            for j in range(6):
                on_follower[j] += force[j]
            columns = at(J, follower.gradient)
            f0, f1, f2, f3, f4, f5 = force[0], force[1], force[2], force[3], force[4], force[5]
            for j in range(follower.size):
                t = at(columns, 6 * j)
                work = t[0] * f0 + t[1] * f1 + t[2] * f2
                residual[eqs[where[o + j]]] += work + (t[3] * f3 + t[4] * f4 + t[5] * f5)
            o += follower.size
    row = 6 * n_nodes
    for i in range(d.size - row):
        residual[eqs[where[o + i]]] += r[row + i]


def condense_columns(T, d, K, J, independent, W):
    """W (n × m) = K T; without the columns of independent coordinates if not `independent`"""
    n, m = d.size, d.condense_size
    n_nodes = d.nodes
    where = at(T.condense_map, d.condense)
    nodes = at(T.term_nodes, d.node_list)
    node_eq, number = T.node_eq, T.node_follower
    followers = T.followers
    for i in range(n * m):
        W[i] = 0.0
    o = 0
    for i in range(n_nodes):
        eq = node_eq[nodes[i]]
        if eq >= 0:
            if independent:
                _add_columns(n, m, 6, K, 6 * i, at(where, o), W)
            o += 6
        elif number[nodes[i]] >= 0:
            follower = FollowerRecord(followers, number[nodes[i]])
            columns = at(J, follower.gradient)
            for j in range(follower.size):
                t = at(columns, 6 * j)
                t0, t1, t2, t3, t4, t5 = t[0], t[1], t[2], t[3], t[4], t[5]
                column = where[o + j]
                for row in range(n):
                    k = at(K, row * n + 6 * i)
                    W[row * m + column] += (t0 * k[0] + t1 * k[1] + t2 * k[2]) + (t3 * k[3] + t4 * k[4] + t5 * k[5])
            o += follower.size
    if independent:
        _add_columns(n, m, n - 6 * n_nodes, K, 6 * n_nodes, at(where, o), W)


def _add_columns(n, m, count, K, first, where, W):
    for row in range(n):
        for j in range(count):
            W[row * m + where[j]] += K[row * n + first + j]


def condense_rows(T, d, W, K2):
    """K2 (m × m) = Tᵀ W"""
    n, m = d.size, d.condense_size
    n_nodes = d.nodes
    where = at(T.condense_map, d.condense)
    nodes = at(T.term_nodes, d.node_list)
    node_eq, number = T.node_eq, T.node_follower
    followers = T.followers
    J = T.gradients
    for i in range(m * m):
        K2[i] = 0.0
    o = 0
    for i in range(n_nodes):
        eq = node_eq[nodes[i]]
        if eq >= 0:
            for j in range(6):
                _add_row(m, 1.0, at(W, (6 * i + j) * m), at(K2, where[o + j] * m))
            o += 6
        elif number[nodes[i]] >= 0:
            follower = FollowerRecord(followers, number[nodes[i]])
            columns = at(J, follower.gradient)
            for j in range(follower.size):
                for q in range(6):
                    t = columns[6 * j + q]
                    if t != 0.0:
                        _add_row(m, t, at(W, (6 * i + q) * m), at(K2, where[o + j] * m))
            o += follower.size
    row = 6 * n_nodes
    for i in range(n - row):
        _add_row(m, 1.0, at(W, (row + i) * m), at(K2, where[o + i] * m))


def _add_row(m, factor, x, y):
    """y += factor · x"""
    for j in range(m):
        y[j] += factor * x[j]


def _add_follower_stiffness(T, factor):
    run = T.run
    fs = T.follower_force
    K2 = T.buffer_condensed
    for follower in range(run.n_followers):
        d = FollowerRecord(T.followers, follower)
        size = d.size
        if d.own_eq >= 0:
            size = tie(T, d, K2)
        elif factor == 0.0:
            continue
        J = at(T.gradients, d.gradient)
        modal = d.manner != BY_JOINT
        force, moment = vec(fs, 6 * follower), vec(fs, 6 * follower + 3)
        follower_stiffness(J, d.size, d.leading, modal, force, moment, factor, K2, size)
        if modal:
            modal_stiffness(T, d, J, force, moment, factor, K2)
        _scatter_matrix(T, at(T.scatter, d.scatter), d.scatter_count, K2, size, 1.0)


def _lock(T, want):
    """Equations that are switched off: locked degrees of freedom and redundant constraints."""
    run = T.run
    eqs = T.locked_eq
    where = T.locked_value
    size = T.locked_size
    residual = T.residual
    values = T.linear.values
    kind = T.norm_kind
    worst = 0.0
    for i in range(run.n_locked):
        if kind[eqs[i]] == MULTIPLIER:
            worst = max(worst, abs(residual[eqs[i]]) / size[i])
        residual[eqs[i]] = 0.0
        if want & MATRIX:
            values[where[i]] += run.big
    run.dropped_residual = worst
