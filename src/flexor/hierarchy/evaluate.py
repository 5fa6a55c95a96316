"""What bodies, forces and joints say of a state: M, f, G, u, term by term from the engine's laws.

The laws are asked for their residual at level of accelerations with a = 0, λ = 0: it is −f in the rows of coordinates and u in those of
constraints. Their matrix by accelerations is M there, and G in the rows of constraints.
"""

from __future__ import annotations

from flexor.engine.assemble import call_term, condense_columns, condense_residual, condense_rows, scatter_residual
from flexor.engine.memory import LAW_FAILED, OK, TermRecord
from flexor.engine.state import set_proper
from flexor.hierarchy.memory import (
    CONSTRAINT,
    INERTIA,
    LATE,
    ONE_SIDED,
    READING,
    STATE,
    TERMS,
    TERMS_AGAIN,
    JointBlock,
    JointRows,
    TreeMemory,
)
from flexor.hierarchy.together import agree, fork, tell
from flexor.law import ACCELERATION_LEVEL, MATRIX, RESIDUAL
from flexor.law.primitives import at, call

REFINEMENTS, LITTLE = 5, 1e-9  # at most so many; what may be left before the last one [m/s², rad/s²]
ALIKE = 1e-9  # a gradient and the direction of its force, as far as they may differ by rounding


def at_zero(T):
    """Accelerations and multipliers are zero."""
    run = T.run
    for i in range(run.n_independent):
        o = 6 * T.node_list[i]
        for j in range(6):
            T.a[o + j] = 0.0
    for i in range(run.n_scalars):
        T.s[3 * i + 2] = 0.0
    for i in range(run.n_multipliers):
        T.lam[i] = 0.0


def at_rest(T):
    """Likewise; nodes that follow others have the accelerations that velocities and time ask for."""
    at_zero(T)
    if T.run.n_followers > 0:
        call(T.follow, T)
    set_proper(T)
    c = T.coefficients
    c.K, c.C, c.M, c.turning = 0.0, 0.0, 1.0, 0.0


def evaluate(H: TreeMemory):
    """M, f, G and u at the present position and velocity."""
    return gather(H, True)


def gather(H, matrices):
    """f and u; M and G as well if `matrices`"""
    T = H.engine
    at_rest(T)
    if matrices:
        _clear(H)
    _read(H, T, False)
    if H.numbers.helpers > 0:
        status = fork(H, TERMS if matrices else TERMS_AGAIN)
    else:
        status = gather_terms(H, matrices)
    return agree(H, status, 0.0)


def gather_terms(H, matrices):
    """Likewise, of the terms of this process or thread."""
    T = H.engine
    run = T.run
    for i in range(run.n_equations):
        T.residual[i] = 0.0
    for i in range(6 * run.n_followers):
        T.follower_force[i] = 0.0
    status = OK
    for q in range(H.numbers.n_own_terms):
        e = H.own_terms[q]
        kind = H.term_kind[e]
        want = RESIDUAL | ACCELERATION_LEVEL
        if matrices and kind & (INERTIA | CONSTRAINT):
            want |= MATRIX
        if kind & READING:
            continue
        d = TermRecord(T.terms, e)
        error = call_term(T, d, want, at(T.lam, d.lam))
        if error != 0:
            run.error_term, run.error_code = e, error
            status = LAW_FAILED
            break
        if d.condense >= 0:
            condense_residual(T, d, T.buffer_residual)
        else:
            scatter_residual(T, d)
        if matrices and kind & INERTIA:
            _add_inertia(H, T, d)
        if kind & CONSTRAINT:
            joint = JointRows(H.joints, H.joint_of[e])
            _take_rows(T, d, at(H.u, joint.u))
            if matrices:
                _take_gradient(H, T, d, joint)
    for i in range(H.numbers.n_own_equations):
        H.force[H.own_equations[i]] = -T.residual[H.own_equations[i]]
    return status


def _clear(H):
    T = H.engine
    for i in range(H.numbers.n_inertia):
        H.M[i] = 0.0
    for i in range(T.run.n_locked):  # degrees of freedom that bodies do not have
        eq = T.locked_eq[i]
        if H.cell_of[eq] >= 0:
            H.M[H.row_of[eq] + H.place_of[eq]] = T.run.big


def _add_inertia(H, T, d):
    """M += the matrix of a term, in the coordinates of its body"""
    K, n = T.buffer_matrix, d.size
    if d.condense >= 0:
        m = d.condense_size
        eqs = at(T.condense_eq, d.condense_eq)
        condense_columns(T, d, K, T.gradients, True, T.buffer_half)
        condense_rows(T, d, T.buffer_half, T.buffer_condensed)
        for i in range(m):
            if H.cell_of[eqs[i]] >= 0:
                row = at(H.M, H.row_of[eqs[i]])
                for j in range(m):
                    if H.cell_of[eqs[j]] >= 0:
                        row[H.place_of[eqs[j]]] += T.buffer_condensed[i * m + j]
        return
    nodes, scalars = at(T.term_nodes, d.node_list), at(T.term_scalars, d.scalar_list)
    if d.nodes == 1 and d.scalars == 0:
        eq = T.node_eq[nodes[0]]
        if eq >= 0:
            for i in range(6):
                row = at(H.M, H.row_of[eq + i] + H.place_of[eq])
                for j in range(6):
                    row[j] += K[i * n + j]
        return
    for i in range(6 * d.nodes + d.scalars):
        eq = _equation(T, d, nodes, scalars, i)
        if eq >= 0:
            row = at(H.M, H.row_of[eq])
            for j in range(6 * d.nodes + d.scalars):
                other = _equation(T, d, nodes, scalars, j)
                if other >= 0 and K[i * n + j] != 0.0:
                    row[H.place_of[other]] += K[i * n + j]


def _equation(T, d, nodes, scalars, i):
    """Equation of a row of a term, −1 on the ground"""
    if i >= 6 * d.nodes:
        return T.scalar_eq[scalars[i - 6 * d.nodes]]
    eq = T.node_eq[nodes[i // 6]]
    return eq + i % 6 if eq >= 0 else -1


def _take_rows(T, d, u):
    """u = rows of the constraints of a term"""
    o = d.size - d.multipliers
    for i in range(d.own):
        u[i] = T.buffer_residual[o + i]


def _take_gradient(H, T, d, joint):
    """G = their matrix, without the columns of the ground"""
    n, w = d.size, joint.width
    G = at(H.G, joint.G)
    for b in range(joint.block_count):
        block = JointBlock(H.blocks, joint.blocks + b)
        for i in range(joint.rows):
            row = at(T.buffer_matrix, (n - d.multipliers + i) * n + block.source)
            for j in range(block.width):
                G[i * w + block.G + j] = row[j]


def gather_constraints(H, want):
    """u = Φ or Φ̇, by the level in `want`, with f = 0; the largest of these here. Rows that bind velocities only are zero in Φ."""
    T = H.engine
    largest = 0.0
    for i in range(T.run.n_equations):
        H.force[i] = 0.0
    for p in range(H.numbers.n_own_joints):
        q = H.own_joints[p]
        joint = JointRows(H.joints, q)
        d = TermRecord(T.terms, joint.term)
        call_term(T, d, want, at(T.lam, d.lam))
        u = at(H.u, joint.u)
        _take_rows(T, d, u)
        if want == RESIDUAL:
            for i in range(joint.bound, joint.rows):
                u[i] = 0.0
        for i in range(joint.rows):
            if abs(u[i]) > largest:
                largest = abs(u[i])
                H.numbers.worst = q
    return largest


def accelerate(H: TreeMemory):
    """Accelerations and multipliers at the present position and velocity, to the last digits, and what follows from them."""
    status = accelerations(H)
    if status == OK:
        status = refine(H)
    return complete(H) if status == OK else status


def accelerations(H):
    """Likewise, as a stage needs them."""
    status = gather(H, True)
    if status == OK:
        status = call(H.factor, H)
    if status == OK:
        status = accelerate_again(H)
    return status


def accelerate_again(H):
    """Likewise, with f and u at hand and the matrices of the position."""
    at_zero(H.engine)
    H.numbers.evaluations += 1
    status = call(H.solve, H)
    _add(H)
    return status


def refine(H):
    """Once more for what is left of the constraints: digits that the sweeps lose by cancellation come back. Again where much was left, as of a heavy body of small inertia."""
    if H.numbers.n_joints == 0:
        return OK
    T = H.engine
    for _ in range(REFINEMENTS):
        if T.run.n_followers > 0:
            call(T.follow, T)
        set_proper(T)
        status = agree(H, OK, gather_constraints(H, RESIDUAL | ACCELERATION_LEVEL))
        left = H.numbers.value
        if status == OK:
            status = call(H.solve, H)
        _add(H)
        if status != OK:
            return status
        if left < LITTLE:
            break
    return OK


def _add(H):
    """Add the answer to the engine's accelerations and multipliers."""
    T = H.engine
    run = T.run
    for i in range(run.n_independent):
        node = T.node_list[i]
        eq = T.node_eq[node]
        for j in range(6):
            T.a[6 * node + j] += H.answer[eq + j]
    for i in range(run.n_scalars):
        T.s[3 * i + 2] += H.answer[T.scalar_eq[i]]
    for q in range(H.numbers.n_joints):
        joint = JointRows(H.joints, q)
        d = TermRecord(T.terms, joint.term)
        for i in range(joint.rows):
            T.lam[d.lam + i] += H.g[joint.u + i]


def present(H: TreeMemory):
    """What follows from the accelerations: those of nodes that follow others, and what sensors read."""
    return complete(H)


def complete(H):
    T = H.engine
    if H.numbers.partners > 0:
        status = tell(H, STATE, OK)
        if status != OK:
            return status
    if T.run.n_followers > 0:
        call(T.follow, T)
    set_proper(T)
    _read(H, T, True)
    return OK


def _read(H, T, late):
    """What sensors read, y − m(…) = 0; accelerations and reactions too, if `late`."""
    for q in range(H.numbers.n_readings):
        e = H.readings[q]
        if late or not H.term_kind[e] & LATE:
            d = TermRecord(T.terms, e)
            call_term(T, d, RESIDUAL, at(T.lam, d.lam))
            o = d.size - d.multipliers
            for i in range(d.own):
                T.lam[d.lam + i] -= T.buffer_residual[o + i]


def probe(H: TreeMemory):
    """What each term contributes, found at the present state: inertia, and constraints whose forces are not along their gradient."""
    T = H.engine
    at_rest(T)
    for e in range(T.run.n_terms):
        d = TermRecord(T.terms, e)
        error = call_term(T, d, RESIDUAL | MATRIX | ACCELERATION_LEVEL, at(T.lam, d.lam))
        if error != 0:
            T.run.error_term, T.run.error_code = e, error
            return LAW_FAILED
        K, n = T.buffer_matrix, d.size
        free = n - d.multipliers
        for i in range(free):
            for j in range(free):
                if K[i * n + j] != 0.0:
                    H.term_kind[e] |= INERTIA
            for q in range(d.own):
                if H.term_kind[e] & READING:
                    if K[(free + q) * n + i] != 0.0:
                        H.term_kind[e] |= LATE
                    continue
                row, column = K[(free + q) * n + i], K[i * n + free + q]
                if abs(row - column) > ALIKE * (abs(row) + abs(column)):
                    H.term_kind[e] |= ONE_SIDED
        if H.term_kind[e] & READING:
            for j in range(d.multipliers - d.own):
                lender = H.lender[T.term_reads[d.read_list + j]]
                for q in range(d.own):
                    if K[(free + q) * n + free + d.own + j] != 0.0 and H.term_kind[lender] & CONSTRAINT:
                        H.term_kind[e] |= LATE
    return OK
