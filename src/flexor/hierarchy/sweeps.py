"""The sweeps through the tree.   VK 4.2–4.5

Every subsystem knows how its border moves, D τ + r, if forces τ act there. With the borders of its children, D̂ and r̂, and the
constraints G a + u = 0 that join them, a = r̂ + D̂ (Pᵀτ − Gᵀλ):

    λ = (G D̂ Gᵀ)⁺ (G r̂ + u) + S τ,      S = (G D̂ Gᵀ)⁺ G D̂ Pᵀ
    D = P D̂ Pᵀ − P D̂ Gᵀ S,              r = P r̂ − Sᵀ (G r̂ + u)

The matrices depend on the position alone: they serve accelerations, velocities and coordinates.
"""

from __future__ import annotations

from flexor.engine.memory import OK, FollowerRecord
from flexor.hierarchy.dense import cholesky, lower_solve, lower_transposed_solve, pseudo_inverse, spd_inverse
from flexor.hierarchy.evaluate import gather_terms
from flexor.hierarchy.memory import (
    BACKWARD,
    FACTOR,
    FORWARD,
    MATRICES,
    MOTION,
    RIGID,
    TERMS,
    TERMS_AGAIN,
    VECTORS,
    WITHOUT_INERTIA,
    Cell,
    JointBlock,
    JointRows,
    Port,
    Subsystem,
    TreeMemory,
)
from flexor.hierarchy.together import fork, tell
from flexor.law.primitives import at
from flexor.law.tuples import inverse


def factor(H: TreeMemory):
    """Forward sweep: mobility of every body and of every border, pseudo-inverses of the constraints between."""
    numbers = H.numbers
    numbers.deficient = 0
    status = fork(H, FACTOR) if numbers.helpers > 0 else _factor(H, 0, numbers.n_branch)
    if numbers.partners > 0:
        status = tell(H, MATRICES, status)
    return _factor(H, numbers.n_branch, numbers.n_order) if status == OK else status


def _factor(H, first, end):
    """The subsystems of this part of `order`"""
    for q in range(first, end):
        s = Subsystem(H.subsystems, H.order[q])
        if s.left < 0 and not _mobility(H, Cell(H.cells, s.cell)):
            H.numbers.bad_cell = s.cell
            return WITHOUT_INERTIA
        if not s.bare:
            _join(H, s)
    return OK


def _mobility(H, d):
    """D̂ = J M⁻¹ Jᵀ of a body at its ports; whether it has inertia in all its coordinates."""
    M, D, n, w = at(H.M, d.M), at(H.D, d.D), d.size, d.width
    if d.kind == RIGID:
        if not _rigid_inverse(M, H.work):
            return False
        if w > 0:
            for i in range(36):
                D[i] = M[i]
    else:
        if not cholesky(n, M):
            return False
        V = at(H.V, d.V)
        _port_columns(H, d, V)
        lower_solve(n, M, w, V)
        for i in range(w):
            for j in range(i + 1):
                s = 0.0
                for k in range(n):
                    s += V[k * w + i] * V[k * w + j]
                D[i * w + j] = s
                D[j * w + i] = s
    alone = at(H.alone, d.r)
    for i in range(w):
        alone[i] = D[i * w + i]
    return True


def _rigid_inverse(M, W):
    """M ← M⁻¹ (6 × 6), mass and moments apart where they do not meet; whether M is positive definite."""
    if M[1] == 0.0 and M[2] == 0.0 and M[8] == 0.0 and _apart(M):
        J = (M[21], M[22], M[23], M[27], M[28], M[29], M[33], M[34], M[35])
        minor = J[0] * J[4] - J[1] * J[3]
        I = inverse(J)
        if not (M[0] > 0.0 and M[7] > 0.0 and M[14] > 0.0 and J[0] > 0.0 and minor > 0.0 and minor * I[8] > 0.0):
            return False
        M[0], M[7], M[14] = 1.0 / M[0], 1.0 / M[7], 1.0 / M[14]
        for i in range(3):
            M[21 + i], M[27 + i], M[33 + i] = I[i], I[3 + i], I[6 + i]
        return True
    return spd_inverse(6, M, W)


def _apart(M):
    for i in range(3):
        for j in range(3, 6):
            if M[6 * i + j] != 0.0:
                return False
    return True


def _port_columns(H, d, V):
    """V = Jᵀ (size × width): how the ports move with the coordinates of the body."""
    w = d.width
    for i in range(d.size * w):
        V[i] = 0.0
    T = H.engine
    for p in range(d.port_count):
        port = Port(H.ports, d.ports + p)
        if port.follower < 0:
            for j in range(port.width):
                V[(port.place + j) * w + port.at + j] = 1.0
        else:
            follower = FollowerRecord(T.followers, port.follower)
            columns = at(T.gradients, follower.gradient)
            places = at(H.places, port.place)
            for q in range(follower.size):
                if places[q] >= 0:
                    for j in range(6):
                        V[places[q] * w + port.at + j] = columns[6 * q + j]


def _join(H, s):
    """D, S and the pseudo-inverse of a subsystem."""
    c, n, m = s.rows, s.inner, s.border
    places = at(H.borders, s.places)
    W = H.work  # n × c
    A = at(W, n * c)
    size = at(A, c * c)
    scratch = at(size, c)
    if s.left >= 0:
        left, right = Subsystem(H.subsystems, s.left), Subsystem(H.subsystems, s.right)
        D_l, n_l = at(H.D, left.D), left.border
        D_r, n_r = at(H.D, right.D), right.border
    else:
        cell = Cell(H.cells, s.cell)
        D_l, n_l = at(H.D, cell.D), cell.width
        D_r, n_r = D_l, 0
    D = at(H.D, s.D)
    if c > 0:
        for i in range(n * c):
            W[i] = 0.0
        for i in range(c * c):
            A[i] = 0.0
        for i in range(c):
            size[i] = 0.0
        for q in range(s.joint_count):
            joint = JointRows(H.joints, s.joints + q)
            G, w = at(H.G, joint.G), joint.width
            for b in range(joint.block_count):
                block = JointBlock(H.blocks, joint.blocks + b)
                if block.right:
                    _respond(D_r, n_r, block, joint, G, w, c, at(W, n_l * c))
                else:
                    _respond(D_l, n_l, block, joint, G, w, c, W)
                _measure(at(H.alone, block.alone), block, joint, G, w, size)
        for q in range(s.joint_count):
            joint = JointRows(H.joints, s.joints + q)
            G, w = at(H.G, joint.G), joint.width
            for b in range(joint.block_count):
                _press(JointBlock(H.blocks, joint.blocks + b), joint, G, w, c, W, A)
        I = at(H.inverses, s.inverse)
        H.numbers.deficient += c - pseudo_inverse(c, A, size, H.numbers.tolerance, I, scratch)
        Z = at(H.Z, s.Z)
        for i in range(c):
            row = at(Z, i * m)
            for j in range(m):
                row[j] = 0.0
            for k in range(c):
                f = I[i * c + k]
                if f != 0.0:
                    for j in range(m):
                        row[j] += f * W[places[j] * c + k]
    for i in range(m):
        p = places[i]
        row = at(D, i * m)
        for j in range(m):
            q = places[j]
            if p < n_l:
                row[j] = D_l[p * n_l + q] if q < n_l else 0.0
            else:
                row[j] = D_r[(p - n_l) * n_r + q - n_l] if q >= n_l else 0.0
        if c > 0:
            Z = at(H.Z, s.Z)
            for k in range(c):
                f = W[p * c + k]
                if f != 0.0:
                    for j in range(m):
                        row[j] -= f * Z[k * m + j]


def _respond(D, n, block, joint, G, w, c, W):
    """W += D Gᵀ of one block: how a border of n coordinates moves by its constraint forces"""
    for i in range(n):
        row = at(D, i * n + block.at)
        target = at(W, i * c + joint.first)
        for q in range(joint.rows):
            g = at(G, q * w + block.G)
            s = 0.0
            for j in range(block.width):
                s += row[j] * g[j]
            target[q] += s


def _press(block, joint, G, w, c, W, A):
    """A += G W of one block"""
    for q in range(joint.rows):
        g = at(G, q * w + block.G)
        row = at(A, (joint.first + q) * c)
        for j in range(block.width):
            f = g[j]
            if f != 0.0:
                source = at(W, (block.inner + j) * c)
                for k in range(c):
                    row[k] += f * source[k]


def _measure(alone, block, joint, G, w, size):
    """size += Σ g² D̂ of the bodies alone: what a mobility along the constraint is measured by"""
    for q in range(joint.rows):
        g = at(G, q * w + block.G)
        s = 0.0
        for j in range(block.width):
            s += g[j] * g[j] * alone[j]
        size[joint.first + q] += s


def solve(H: TreeMemory):
    """With the matrices of `factor`: M a + Gᵀ λ = f, G a + u = 0. Forward sweep of vectors, top, backward sweep."""
    numbers = H.numbers
    if numbers.helpers > 0:
        fork(H, FORWARD)
    else:
        _forward(H, 0, numbers.n_branch)
    status = OK
    if numbers.partners > 0:
        status = tell(H, VECTORS, OK)
    if status == OK:
        _forward(H, numbers.n_branch, numbers.n_order)
        _backward(H, numbers.n_branch, numbers.n_order)
        if numbers.helpers > 0:
            fork(H, BACKWARD)
        else:
            _backward(H, 0, numbers.n_branch)
        if numbers.partners > 0:
            status = tell(H, MOTION, OK)
    return status


def _forward(H, first, end):
    """Vectors of the subsystems of this part of `order`"""
    for q in range(first, end):
        s = Subsystem(H.subsystems, H.order[q])
        if s.left < 0:
            _alone(H, Cell(H.cells, s.cell))
        if not s.bare:
            _gather(H, s)


def _backward(H, first, end):
    """Likewise, parents first"""
    for q in range(end - first):
        _scatter(H, Subsystem(H.subsystems, H.order[end - 1 - q]))


def part(H: TreeMemory):
    """What threads do at the same time, each in its branches."""
    numbers = H.numbers
    task = numbers.task
    if task == TERMS or task == TERMS_AGAIN:  # noqa: SIM109
        return gather_terms(H, task == TERMS)
    if task == FACTOR:
        numbers.deficient = 0
        return _factor(H, 0, numbers.n_branch)
    if task == FORWARD:
        _forward(H, 0, numbers.n_branch)
    elif task == BACKWARD:
        _backward(H, 0, numbers.n_branch)
    return OK


def _alone(H, d):
    """What a body does without constraints: `answer` = M⁻¹ f, or L⁻¹ f of a GENERAL one; and at its ports."""
    n, M, eqs = d.size, at(H.M, d.M), at(H.cell_eqs, d.eqs)
    f, x, r = H.force, H.answer, at(H.r, d.r)
    if d.kind == RIGID:
        eq = eqs[0]
        for i in range(6):
            s = 0.0
            for j in range(6):
                s += M[6 * i + j] * f[eq + j]
            x[eq + i] = s
        for i in range(d.width):
            r[i] = x[eq + i]
        return
    for i in range(n):
        s = f[eqs[i]]
        for k in range(i):
            s -= M[i * n + k] * x[eqs[k]]
        x[eqs[i]] = s / M[i * n + i]
    V, w = at(H.V, d.V), d.width
    for j in range(w):
        r[j] = 0.0
    for i in range(n):
        s = x[eqs[i]]
        for j in range(w):
            r[j] += V[i * w + j] * s


def _gather(H, s):
    """g = (G D̂ Gᵀ)⁺ (G r̂ + u) and r of a subsystem"""
    c, m = s.rows, s.border
    places = at(H.borders, s.places)
    if s.left >= 0:
        left, right = Subsystem(H.subsystems, s.left), Subsystem(H.subsystems, s.right)
        r_l, n_l = at(H.r, left.r), left.border
        r_r = at(H.r, right.r)
    else:
        cell = Cell(H.cells, s.cell)
        r_l, n_l = at(H.r, cell.r), cell.width
        r_r = r_l
    r = at(H.r, s.r)
    for i in range(m):
        r[i] = r_l[places[i]] if places[i] < n_l else r_r[places[i] - n_l]
    if c == 0:
        return
    left_over = H.work
    u, g = at(H.u, s.u), at(H.g, s.u)
    for i in range(c):
        left_over[i] = u[i]
    for q in range(s.joint_count):
        joint = JointRows(H.joints, s.joints + q)
        for b in range(joint.block_count):
            block = JointBlock(H.blocks, joint.blocks + b)
            source = at(r_r, block.at) if block.right else at(r_l, block.at)
            for i in range(joint.rows):
                row = at(H.G, joint.G + i * joint.width + block.G)
                t = 0.0
                for j in range(block.width):
                    t += row[j] * source[j]
                left_over[joint.first + i] += t
    I, Z = at(H.inverses, s.inverse), at(H.Z, s.Z)
    for i in range(c):
        t = 0.0
        for k in range(c):
            t += I[i * c + k] * left_over[k]
        g[i] = t
    for k in range(c):
        f = left_over[k]
        for j in range(m):
            r[j] -= Z[k * m + j] * f


def _scatter(H, s):
    """λ = g + S τ, and the forces Pᵀτ − Gᵀλ on the borders of the children; a leaf moves its body."""
    c, m = s.rows, s.border
    places = at(H.borders, s.places)
    tau = at(H.tau, s.tau)
    if s.bare:
        _push(H, Cell(H.cells, s.cell), tau)
        return
    g, Z = at(H.g, s.u), at(H.Z, s.Z)
    for k in range(c):
        t = g[k]
        for j in range(m):
            t += Z[k * m + j] * tau[j]
        g[k] = t
    if s.left >= 0:
        left, right = Subsystem(H.subsystems, s.left), Subsystem(H.subsystems, s.right)
        t_l, n_l = at(H.tau, left.tau), left.border
        t_r, n_r = at(H.tau, right.tau), right.border
    else:
        cell = Cell(H.cells, s.cell)
        t_l, n_l = H.work, cell.width
        t_r, n_r = t_l, 0
    for i in range(n_l):
        t_l[i] = 0.0
    for i in range(n_r):
        t_r[i] = 0.0
    for i in range(m):
        if places[i] < n_l:
            t_l[places[i]] = tau[i]
        else:
            t_r[places[i] - n_l] = tau[i]
    for q in range(s.joint_count):
        joint = JointRows(H.joints, s.joints + q)
        lam = at(g, joint.first)
        for b in range(joint.block_count):
            block = JointBlock(H.blocks, joint.blocks + b)
            target = at(t_r, block.at) if block.right else at(t_l, block.at)
            for i in range(joint.rows):
                row = at(H.G, joint.G + i * joint.width + block.G)
                f = lam[i]
                for j in range(block.width):
                    target[j] -= f * row[j]
    if s.left < 0:
        _push(H, Cell(H.cells, s.cell), t_l)


def _push(H, d, tau):
    """The body moves by the forces at its ports, too."""
    n, M, eqs, w, x = d.size, at(H.M, d.M), at(H.cell_eqs, d.eqs), d.width, H.answer
    if d.kind == RIGID:
        if w > 0:
            eq = eqs[0]
            for i in range(6):
                t = 0.0
                for j in range(6):
                    t += M[6 * i + j] * tau[j]
                x[eq + i] += t
        return
    V, z = at(H.V, d.V), at(H.work, w)  # behind τ, which may stand there
    for i in range(n):
        t = x[eqs[i]]
        for j in range(w):
            t += V[i * w + j] * tau[j]
        z[i] = t
    lower_transposed_solve(n, M, z)
    for i in range(n):
        x[eqs[i]] = z[i]
