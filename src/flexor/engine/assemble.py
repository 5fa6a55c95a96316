"""Residual and matrix of the whole mechanism: gather, call the law, scatter; element by element."""

from __future__ import annotations

from flexor.engine import slots
from flexor.engine.linear.table import CLEAR, VALUES
from flexor.engine.slaves import MODAL, modal_stiffness, slave_stiffness
from flexor.law import ACCELERATION_LEVEL, MATRIX, RESIDUAL, VELOCITY_LEVEL
from flexor.law.primitives import at, call, call_law, f64, i64
from flexor.law.tuples import vec

# how a scatter entry reads the element matrix
PLAIN, AVERAGED, TRANSPOSED, SCALE_ROWS, SCALE_COLUMNS = 0, 1, 2, 4, 8


def call_element(T, d, want, lam):
    """Gather the state of the element described by d and call its law; r and K land in the element buffers."""
    n = d[slots.E_SIZE]
    n_nodes = d[slots.E_NODES]
    r = f64(T, slots.BUFFER_RESIDUAL)
    K = f64(T, slots.BUFFER_MATRIX)
    if want & RESIDUAL:
        for i in range(n):
            r[i] = 0.0
    if want & MATRIX:
        for i in range(n * n):
            K[i] = 0.0
    nodes = at(i64(T, slots.ELEMENT_NODES), d[slots.E_NODE_LIST])
    x, R, v, a = f64(T, slots.X), f64(T, slots.ROT), f64(T, slots.VEL), f64(T, slots.PROPER)
    if n_nodes > 0:
        first = nodes[0]
        if d[slots.E_CONTIGUOUS]:
            x, R, v, a = at(x, 3 * first), at(R, 9 * first), at(v, 6 * first), at(a, 6 * first)
        else:
            bx, bR, bv, ba = (
                f64(T, slots.BUFFER_X),
                f64(T, slots.BUFFER_R),
                f64(T, slots.BUFFER_V),
                f64(T, slots.BUFFER_A),
            )
            for i in range(n_nodes):
                node = nodes[i]
                for j in range(3):
                    bx[3 * i + j] = x[3 * node + j]
                for j in range(9):
                    bR[9 * i + j] = R[9 * node + j]
                for j in range(6):
                    bv[6 * i + j] = v[6 * node + j]
                    ba[6 * i + j] = a[6 * node + j]
            x, R, v, a = bx, bR, bv, ba
    s = f64(T, slots.BUFFER_S)
    scalars = at(i64(T, slots.ELEMENT_SCALARS), d[slots.E_SCALAR_LIST])
    values = f64(T, slots.S)
    for i in range(d[slots.E_SCALARS]):
        for j in range(3):
            s[3 * i + j] = values[3 * scalars[i] + j]
    return call_law(
        i64(T, slots.LAWS), d[slots.E_LAW], want, at(d, slots.E_NODES), at(i64(T, slots.K_PARAMETERS), d[slots.E_K]), at(f64(T, slots.P_PARAMETERS), d[slots.E_P]),
        at(f64(T, slots.HISTORY), d[slots.E_H]), f64(T, slots.FLOATS)[slots.TIME], f64(T, slots.COEFFICIENTS), x, R, v, a, s, lam, r, K,
        f64(T, slots.BUFFER_SCRATCH),
    )  # fmt: skip


def assemble(T):
    """Residual (and matrix, if asked for in WANT) at the state in the table.

    Constraint rows are divided by the coefficient of their gradient, so that the matrix is [[S, Bᵀ], [B, 0]] whatever
    the step (scaling, GER). With AUGMENTATION p: r += p Bᵀ Φ, S += p BᵀB (augmented Lagrangian, GER).
    """
    I = i64(T, slots.INTS)
    F = f64(T, slots.FLOATS)
    want = I[slots.WANT]
    c = f64(T, slots.COEFFICIENTS)
    level = c[0]
    if want & ACCELERATION_LEVEL:
        level = c[2]
    elif want & VELOCITY_LEVEL:
        level = c[1]
    scale = 1.0 / level if level != 0.0 else 1.0
    residual = f64(T, slots.RESIDUAL_VECTOR)
    for i in range(I[slots.N_EQUATIONS]):
        residual[i] = 0.0
    fs = f64(T, slots.SLAVE_FORCE)
    for i in range(6 * I[slots.N_SLAVES]):
        fs[i] = 0.0
    if want & MATRIX:
        call(i64(T, slots.LINEAR), CLEAR)
    for e in range(I[slots.N_ELEMENTS]):
        d = at(i64(T, slots.ELEMENTS), e * slots.ELEMENT_STRIDE)
        lam = at(f64(T, slots.LAM), d[slots.E_LAM])
        status = call_element(T, d, want, lam)
        if F[slots.AUGMENTATION] != 0.0 and d[slots.E_MULTIPLIERS] > 0 and status == 0:
            status = _augment(T, d, want, lam, F[slots.AUGMENTATION], scale)
        if status != 0:
            I[slots.ERROR_ELEMENT] = e
            I[slots.ERROR_CODE] = status
            return slots.LAW_FAILED
        if d[slots.E_CONDENSE] >= 0:
            _condense_and_scatter(T, d, want, scale)
        else:
            _scatter(T, d, want, scale)
    if I[slots.N_SLAVES] > 0 and want & MATRIX:
        _add_slave_stiffness(T, c[0])
    _lock(T, want)
    return slots.OK


def _scatter(T, d, want, scale):
    r = f64(T, slots.BUFFER_RESIDUAL)
    n = d[slots.E_SIZE]
    if want & RESIDUAL:
        residual = f64(T, slots.RESIDUAL_VECTOR)
        node_eq = i64(T, slots.NODE_EQ)
        nodes = at(i64(T, slots.ELEMENT_NODES), d[slots.E_NODE_LIST])
        for i in range(d[slots.E_NODES]):
            eq = node_eq[nodes[i]]
            if eq >= 0:
                o = 6 * i
                for j in range(6):
                    residual[eq + j] += r[o + j]
        o = 6 * d[slots.E_NODES]
        scalars = at(i64(T, slots.ELEMENT_SCALARS), d[slots.E_SCALAR_LIST])
        scalar_eq = i64(T, slots.SCALAR_EQ)
        for i in range(d[slots.E_SCALARS]):
            residual[scalar_eq[scalars[i]]] += r[o + i]
        o += d[slots.E_SCALARS]
        eq = d[slots.E_LAM_EQ]
        for i in range(d[slots.E_MULTIPLIERS]):
            residual[eq + i] += scale * r[o + i]
    if want & MATRIX:
        _scatter_matrix(
            T,
            at(i64(T, slots.SCATTER), d[slots.E_SCATTER]),
            d[slots.E_SCATTER_COUNT],
            f64(T, slots.BUFFER_MATRIX),
            n,
            scale,
        )


def _scatter_matrix(T, entries, count, K, n, scale):
    """Add blocks of an element matrix to the system's; entries: row, column, rows, columns, offset, stride, mode."""
    values = f64(i64(T, slots.LINEAR), VALUES)
    for b in range(count):
        o = slots.SCATTER_STRIDE * b
        row, col, rows, cols = entries[o], entries[o + 1], entries[o + 2], entries[o + 3]
        offset, stride, mode = entries[o + 4], entries[o + 5], entries[o + 6]
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
    """The element again with multipliers λ + p Φ, and p BᵀB in its matrix; Φ is scaled like its rows."""
    r = f64(T, slots.BUFFER_RESIDUAL)
    K = f64(T, slots.BUFFER_MATRIX)
    shifted = f64(T, slots.BUFFER_LAM)
    n = d[slots.E_SIZE]
    m = d[slots.E_MULTIPLIERS]
    free = n - m
    for q in range(m):
        shifted[q] = lam[q] + p * scale * r[free + q]
    status = call_element(T, d, want, shifted)
    if want & MATRIX:
        for q in range(m):
            for i in range(free):
                B_qi = p * scale * K[i * n + free + q]
                if B_qi != 0.0:
                    for j in range(free):
                        K[i * n + j] += B_qi * K[(free + q) * n + j]
    return status


def _condense_and_scatter(T, d, want, scale):
    """Tᵀ r and Tᵀ K T for an element that touches slave nodes, then scatter to the independent coordinates."""
    r = f64(T, slots.BUFFER_RESIDUAL)
    K = f64(T, slots.BUFFER_MATRIX)
    n, m = d[slots.E_SIZE], d[slots.E_CONDENSE_SIZE]
    first_multiplier = n - d[slots.E_MULTIPLIERS]
    if want & RESIDUAL:
        for i in range(first_multiplier, n):
            r[i] *= scale
        _condense_residual(T, d, r)
    if want & MATRIX:
        for i in range(first_multiplier, n):
            for j in range(n):
                K[i * n + j] *= scale
        # K2 = Tᵀ (K T'), where T' = T, or the gradient of the slaves' velocity or acceleration when linearising
        W = f64(T, slots.BUFFER_W)
        K2 = f64(T, slots.BUFFER_K2)
        if i64(T, slots.INTS)[slots.RIGHT] != 0:
            _condense_columns(T, d, K, f64(T, slots.SLAVE_RIGHT), False, W)
        else:
            _condense_columns(T, d, K, f64(T, slots.SLAVE_T), True, W)
        _condense_rows(T, d, W, K2)
        _scatter_matrix(T, at(i64(T, slots.SCATTER), d[slots.E_SCATTER]), d[slots.E_SCATTER_COUNT], K2, m, 1.0)


def _condense_residual(T, d, r):
    """Residual += Tᵀ r, and the forces on slaves"""
    n_nodes = d[slots.E_NODES]
    where = at(i64(T, slots.CONDENSE_MAP), d[slots.E_CONDENSE])
    eqs = at(i64(T, slots.CONDENSE_EQ), d[slots.E_CONDENSE_EQ])
    nodes = at(i64(T, slots.ELEMENT_NODES), d[slots.E_NODE_LIST])
    node_eq = i64(T, slots.NODE_EQ)
    slaves = i64(T, slots.SLAVES)
    J = f64(T, slots.SLAVE_T)
    fs = f64(T, slots.SLAVE_FORCE)
    residual = f64(T, slots.RESIDUAL_VECTOR)
    o = 0
    for i in range(n_nodes):
        eq = node_eq[nodes[i]]
        force = at(r, 6 * i)
        if eq >= 0:
            for j in range(6):
                residual[eq + j] += force[j]
            o += 6
        elif eq <= -2:
            slave = at(slaves, (-2 - eq) * slots.SLAVE_STRIDE)
            on_slave = at(fs, 6 * (-2 - eq))
            for j in range(6):
                on_slave[j] += force[j]
            columns = at(J, slave[slots.L_T])
            f0, f1, f2, f3, f4, f5 = force[0], force[1], force[2], force[3], force[4], force[5]
            for j in range(slave[slots.L_SIZE]):
                t = at(columns, 6 * j)
                work = t[0] * f0 + t[1] * f1 + t[2] * f2
                residual[eqs[where[o + j]]] += work + (t[3] * f3 + t[4] * f4 + t[5] * f5)
            o += slave[slots.L_SIZE]
    row = 6 * n_nodes
    for i in range(d[slots.E_SIZE] - row):
        residual[eqs[where[o + i]]] += r[row + i]


def _condense_columns(T, d, K, J, independent, W):
    """W (n × m) = K T; without the columns of independent coordinates if not `independent`"""
    n, m = d[slots.E_SIZE], d[slots.E_CONDENSE_SIZE]
    n_nodes = d[slots.E_NODES]
    where = at(i64(T, slots.CONDENSE_MAP), d[slots.E_CONDENSE])
    nodes = at(i64(T, slots.ELEMENT_NODES), d[slots.E_NODE_LIST])
    node_eq = i64(T, slots.NODE_EQ)
    slaves = i64(T, slots.SLAVES)
    for i in range(n * m):
        W[i] = 0.0
    o = 0
    for i in range(n_nodes):
        eq = node_eq[nodes[i]]
        if eq >= 0:
            if independent:
                _add_columns(n, m, 6, K, 6 * i, at(where, o), W)
            o += 6
        elif eq <= -2:
            slave = at(slaves, (-2 - eq) * slots.SLAVE_STRIDE)
            columns = at(J, slave[slots.L_T])
            for j in range(slave[slots.L_SIZE]):
                t = at(columns, 6 * j)
                t0, t1, t2, t3, t4, t5 = t[0], t[1], t[2], t[3], t[4], t[5]
                column = where[o + j]
                for row in range(n):
                    k = at(K, row * n + 6 * i)
                    W[row * m + column] += (t0 * k[0] + t1 * k[1] + t2 * k[2]) + (t3 * k[3] + t4 * k[4] + t5 * k[5])
            o += slave[slots.L_SIZE]
    if independent:
        _add_columns(n, m, n - 6 * n_nodes, K, 6 * n_nodes, at(where, o), W)


def _add_columns(n, m, count, K, first, where, W):
    for row in range(n):
        for j in range(count):
            W[row * m + where[j]] += K[row * n + first + j]


def _condense_rows(T, d, W, K2):
    """K2 (m × m) = Tᵀ W"""
    n, m = d[slots.E_SIZE], d[slots.E_CONDENSE_SIZE]
    n_nodes = d[slots.E_NODES]
    where = at(i64(T, slots.CONDENSE_MAP), d[slots.E_CONDENSE])
    nodes = at(i64(T, slots.ELEMENT_NODES), d[slots.E_NODE_LIST])
    node_eq = i64(T, slots.NODE_EQ)
    slaves = i64(T, slots.SLAVES)
    J = f64(T, slots.SLAVE_T)
    for i in range(m * m):
        K2[i] = 0.0
    o = 0
    for i in range(n_nodes):
        eq = node_eq[nodes[i]]
        if eq >= 0:
            for j in range(6):
                _add_row(m, 1.0, at(W, (6 * i + j) * m), at(K2, where[o + j] * m))
            o += 6
        elif eq <= -2:
            slave = at(slaves, (-2 - eq) * slots.SLAVE_STRIDE)
            columns = at(J, slave[slots.L_T])
            for j in range(slave[slots.L_SIZE]):
                for q in range(6):
                    t = columns[6 * j + q]
                    if t != 0.0:
                        _add_row(m, t, at(W, (6 * i + q) * m), at(K2, where[o + j] * m))
            o += slave[slots.L_SIZE]
    row = 6 * n_nodes
    for i in range(n - row):
        _add_row(m, 1.0, at(W, (row + i) * m), at(K2, where[o + i] * m))


def _add_row(m, factor, x, y):
    """y += factor · x"""
    for j in range(m):
        y[j] += factor * x[j]


def _add_slave_stiffness(T, factor):
    I = i64(T, slots.INTS)
    fs = f64(T, slots.SLAVE_FORCE)
    K2 = f64(T, slots.BUFFER_K2)
    if I[slots.RIGHT] != 0 or factor == 0.0:
        return
    for slave in range(I[slots.N_SLAVES]):
        d = at(i64(T, slots.SLAVES), slave * slots.SLAVE_STRIDE)
        J = at(f64(T, slots.SLAVE_T), d[slots.L_T])
        modal = d[slots.L_MOTION_COUNT] > 0 and i64(T, slots.SLAVE_MOTIONS)[d[slots.L_MOTION]] >= MODAL
        force, moment = vec(fs, 6 * slave), vec(fs, 6 * slave + 3)
        slave_stiffness(J, d[slots.L_SIZE], d[slots.L_LEADING], modal, force, moment, factor, K2)
        if modal:
            modal_stiffness(T, d, J, force, moment, factor, K2)
        _scatter_matrix(
            T, at(i64(T, slots.SCATTER), d[slots.L_SCATTER]), d[slots.L_SCATTER_COUNT], K2, d[slots.L_SIZE], 1.0
        )


def _lock(T, want):
    """Equations that are switched off: locked degrees of freedom and redundant constraints."""
    I = i64(T, slots.INTS)
    eqs = i64(T, slots.LOCKED_EQ)
    where = i64(T, slots.LOCKED_VALUE)
    size = f64(T, slots.LOCKED_SIZE)
    residual = f64(T, slots.RESIDUAL_VECTOR)
    values = f64(i64(T, slots.LINEAR), VALUES)
    F = f64(T, slots.FLOATS)
    kind = i64(T, slots.NORM_KIND)
    worst = 0.0
    for i in range(I[slots.N_LOCKED]):
        if kind[eqs[i]] == 3:
            worst = max(worst, abs(residual[eqs[i]]) / size[i])
        residual[eqs[i]] = 0.0
        if want & MATRIX:
            values[where[i]] += F[slots.BIG]
    F[slots.DROPPED_RESIDUAL] = worst
