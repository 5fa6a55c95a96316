"""How a body that deforms is carried: by the node of its frame and its modes, or by connection nodes that tell both.

A floating body has one node, its frame, and its scalars are the coordinates of its shapes. The connection nodes of a superelement tell the frame (x₀, R₀) and the
deformations z = [d_k, ψ_k; q] in it; forces on those become forces on the nodes by virtual work (`flexor.contact.deformable.corotated_touch`).
"""

from __future__ import annotations

from flexor.bodies.superelement.shadow_frame import find_frame, turning_condition
from flexor.law.primitives import at
from flexor.law.rotation_vector import moment_of, rotation_vector, spin_to_rate
from flexor.law.tuples import (
    add,
    cross,
    inverse,
    madd,
    mat,
    mm,
    mm_skew,
    msub,
    mtv,
    mv,
    put,
    scale,
    store,
    store_mat,
    sub,
    transpose,
    vec,
)

NODE = 12
"""Words of a connection node: P̄_k and D_k."""


def deformed(frame, nc, nq, nodes_x, nodes_R, nodes_v, scalars, place, x, R, v, z, bent):
    """(status, R₀, W⁻¹): leave state number `place` of the frame in x, R, v, the deformations with their rates in z, P̄ and D of each connection node in bent."""
    status, x0, R0 = find_frame(frame, nc, nodes_x, nodes_R)
    A, B, X, weights = frame.A, frame.B, frame.X, frame.weights
    zero = 0.0 * x0[0]
    W = (zero, zero, zero, zero, zero, zero, zero, zero, zero)
    if status != 0:
        return status, R0, W
    g, v0 = (zero, zero, zero), (zero, zero, zero)
    for i in range(nc):
        P, Q = mtv(R0, sub(vec(nodes_x, 3 * i), x0)), mm(transpose(R0), mat(nodes_R, 9 * i))
        D = turning_condition(at(B, 27 * i), Q)
        store(bent, NODE * i, P)
        store_mat(bent, NODE * i + 3, D)
        d, psi = sub(P, vec(X, 3 * i)), rotation_vector(Q)
        for j in range(3):
            z[3 * (6 * i + j)] = d[j]
            z[3 * (6 * i + 3 + j)] = psi[j]
        W = madd(msub(W, mm_skew(mat(A, 9 * i), P)), D)
        linear, spin = mtv(R0, vec(nodes_v, 6 * i)), mtv(R0, vec(nodes_v, 6 * i + 3))
        g = add(g, add(mv(mat(A, 9 * i), linear), mv(D, spin)))
        v0 = add(v0, scale(weights[i], linear))
    W_inverse = inverse(W)
    omega = mv(W_inverse, g)
    for i in range(nc):
        linear, spin = mtv(R0, vec(nodes_v, 6 * i)), mtv(R0, vec(nodes_v, 6 * i + 3))
        rate = sub(sub(linear, v0), cross(omega, vec(bent, NODE * i)))
        psi = (z[18 * i + 9], z[18 * i + 12], z[18 * i + 15])
        turn = mv(spin_to_rate(psi), sub(spin, omega))
        for j in range(3):
            z[3 * (6 * i + j) + 1] = rate[j]
            z[3 * (6 * i + 3 + j) + 1] = turn[j]
    for i in range(3 * nq):
        z[18 * nc + i] = scalars[i]
    store(x, 3 * place, x0)
    store_mat(R, 9 * place, R0)
    store(v, 6 * place, mv(R0, v0))
    store(v, 6 * place + 3, mv(R0, omega))
    return 0, R0, W_inverse


def share(frame, nc, nq, R0, W_inverse, z, bent, wrench, modal, nodes_r, scalars_r):
    """Add forces on the frame (wrench, global axes) and on the deformations (modal) to those on the nodes and modes."""
    F, tau = mtv(R0, vec(wrench, 0)), mtv(R0, vec(wrench, 3))
    for i in range(nc):
        psi = (z[18 * i + 9], z[18 * i + 12], z[18 * i + 15])
        force, moment = vec(modal, 6 * i), moment_of(psi, vec(modal, 6 * i + 3))
        store(modal, 6 * i + 3, moment)
        F = sub(F, force)
        tau = sub(tau, add(cross(vec(bent, NODE * i), force), moment))
    mu = mtv(W_inverse, tau)
    for i in range(nc):
        force = add(add(scale(frame.weights[i], F), vec(modal, 6 * i)), mtv(mat(frame.A, 9 * i), mu))
        moment = add(vec(modal, 6 * i + 3), mtv(mat(bent, NODE * i + 3), mu))
        put(nodes_r, 6 * i, mv(R0, force))
        put(nodes_r, 6 * i + 3, mv(R0, moment))
    for i in range(nq):
        scalars_r[i] += modal[6 * nc + i]


def take_node(nodes_x, nodes_R, nodes_v, place, x, R, v):
    """Leave the state of a node as number `place` in x, R, v."""
    store(x, 3 * place, vec(nodes_x, 0))
    store_mat(R, 9 * place, mat(nodes_R, 0))
    store(v, 6 * place, vec(nodes_v, 0))
    store(v, 6 * place + 3, vec(nodes_v, 3))


def state_of(frame, nc, nq, nodes_x, nodes_R, nodes_v, scalars, place, x, R, v, z, bent):
    """As `deformed`, of a body that floats (nc = 0), or is carried by connection nodes."""
    if nc > 0:
        return deformed(frame, nc, nq, nodes_x, nodes_R, nodes_v, scalars, place, x, R, v, z, bent)
    take_node(nodes_x, nodes_R, nodes_v, place, x, R, v)
    for i in range(3 * nq):
        z[i] = scalars[i]
    R0 = mat(nodes_R, 0)
    return 0, R0, R0


def give(frame, nc, nq, R0, W_inverse, z, bent, wrench, modal, nodes_r, scalars_r):
    """As `share`, likewise."""
    if nc > 0:
        share(frame, nc, nq, R0, W_inverse, z, bent, wrench, modal, nodes_r, scalars_r)
        return
    put(nodes_r, 0, vec(wrench, 0))
    put(nodes_r, 3, vec(wrench, 3))
    for i in range(nq):
        scalars_r[i] += modal[i]
