"""What sensors read of a superelement: its frame and energies, in plain loops that take dual numbers, too.

The law itself computes with four floats at a time, which dual numbers cannot pass through; these are the same equations.
"""

from __future__ import annotations

from flexor.bodies.superelement.layout import INTERLACED
from flexor.bodies.superelement.shadow_frame import find_frame, turning_condition
from flexor.law.column_arrays import padded
from flexor.law.primitives import at
from flexor.law.rotation_vector import rotation_vector, store_quaternion
from flexor.law.tuples import add, dot, inverse, madd, mat, mm, mm_skew, msub, mtv, mv, store, sub, transpose, vec

ANSWER = 16
"""Floats before the arrays in the scratch memory."""


def deformations(frame, turning, now, x0, R0, z):
    """z = [d_k, ψ_k; q] of the nodes in the frame, and of the modes"""
    nc, nq, X = now.n.nodes, now.n.scalars, frame.X
    for i in range(nc):
        store(z, 6 * i, sub(mtv(R0, sub(vec(now.x, 3 * i), x0)), vec(X, 3 * i)))
        if turning:
            store(z, 6 * i + 3, rotation_vector(mm(transpose(R0), mat(now.R, 9 * i))))
        else:
            store(z, 6 * i + 3, (0.0, 0.0, 0.0))
    for i in range(nq):
        z[6 * nc + i] = now.s[3 * i]


def _velocities(p, now, x0, R0, v):
    """v̄ of the nodes and modes; returns ω = G v̄"""
    nc, nq, A, B = now.n.nodes, now.n.scalars, p.frame.A, p.frame.B
    W = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    g = (0.0, 0.0, 0.0)
    for i in range(nc):
        linear, spin = mtv(R0, vec(now.v, 6 * i)), mtv(R0, vec(now.v, 6 * i + 3))
        store(v, 6 * i, linear)
        store(v, 6 * i + 3, spin)
        W = msub(W, mm_skew(mat(A, 9 * i), mtv(R0, sub(vec(now.x, 3 * i), x0))))
        g = add(g, mv(mat(A, 9 * i), linear))
        if p.turning:
            D = turning_condition(at(B, 27 * i), mm(transpose(R0), mat(now.R, 9 * i)))
            W = madd(W, D)
            g = add(g, mv(D, spin))
    for i in range(nq):
        v[6 * nc + i] = now.s[3 * i + 1]
    return mv(inverse(W), g)


def _form(n, N, A, x):
    """xᵀ A x, A by columns of N"""
    total = 0.0 * x[0]
    for j in range(n):
        for i in range(n):
            total += A[j * N + i] * x[i] * x[j]
    return total


def superelement_signals(p, now, w):
    """As the law under OUTPUT: origin and axes of the frame, kinetic, potential and strain energy"""
    nc, nq = now.n.nodes, now.n.scalars
    n = 6 * nc + nq
    N = padded(n)
    z, v, e = at(w, ANSWER), at(w, ANSWER + N), at(w, ANSWER + 2 * N)
    status, x0, R0 = find_frame(p.frame, nc, now.x, now.R)
    if status != 0:
        return status
    deformations(p.frame, p.turning, now, x0, R0, z)
    omega = _velocities(p, now, x0, R0, v)
    kinetic = 0.5 * _form(n, N, p.inertia, v)
    if p.consistent:  # T = ½ v̄ᵀM v̄ + v̄ᵀe + ½ eᵀM⁺e,  e = Σ ωₖ𝔾ₖ z
        matrices = p.field.matrices
        for i in range(n):
            row = 0.0 * z[0]
            strip = (i // 4) * N * INTERLACED + i % 4
            for j in range(n):
                o = strip + j * INTERLACED
                row += (omega[0] * matrices[o] + omega[1] * matrices[o + 4] + omega[2] * matrices[o + 8]) * z[j]
            e[i] = row
            kinetic += row * v[i]
        kinetic += 0.5 * _form(n, N, p.field.mobility, e)
    S = p.momentum
    shift = (0.0, 0.0, 0.0)
    for i in range(n):
        shift = add(shift, (S[i] * z[i], S[N + i] * z[i], S[2 * N + i] * z[i]))
    center = add(x0, mv(R0, sub(vec(p.center, 0), vec(p.origin, 0))))
    g = vec(now.c.gravity, 0)
    potential = -p.mass * dot(g, sub(center, vec(now.h.center, 0))) - dot(g, mv(R0, shift))
    strain = 0.5 * _form(n, N, p.stiffness, z)
    store(w, 0, sub(x0, mv(R0, vec(p.origin, 0))))
    store_quaternion(R0, at(w, 3))
    w[7] = kinetic
    w[8] = potential
    w[9] = strain
    return 0


def superelement_energies(p, now, w):
    """Kinetic, potential and strain energy"""
    status = superelement_signals(p, now, w)
    for i in range(3):
        w[i] = w[7 + i]
    return status


def keeps_its_history(p, now, w):
    """What it remembers does not change."""
    return 0
