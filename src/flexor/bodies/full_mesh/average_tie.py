"""A node that moves with the average of others in large motion: the rigid motion that fits theirs best.   FTG (A.14)–(A.20)

Node 0 is the follower, at X₀ in the body; the others stand at X_k with weights w_k, Σ w_k = 1, C = Σ w_k X_k, and levers
l_k: w_k (X_k − C), or on a surface ∫ N_k (X − C) dA (`elements.shares`). Least squares, over the nodes or over the surface,
Σ w_k |x_k − (x₀ + R₀ (X_k − X₀))|² → min, means with b = R₀ (C − X₀), y_k = R₀ l_k, J = Σ l_k·(X_k − C)

    Φ₁ = x₀ + b − Σ w_k x_k = 0,      Φ₂ = Σ y_k × x_k / J = 0

Six multipliers hold it, (24.7) of the theory manual. Linearised it is the average link of the finite-element model.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexor.law import (
    ACCELERATION_LEVEL,
    MATRIX,
    RESIDUAL,
    VELOCITY_LEVEL,
    Term,
    law,
)
from flexor.law.face import level_coefficient
from flexor.law.record import Record, number, numbers, tail
from flexor.law.tuples import (
    add,
    cross,
    diagonal,
    dot,
    madd,
    mat,
    mscale,
    msub,
    mtv,
    mv,
    outer,
    put,
    put_mat,
    scale,
    skew,
    skew2,
    sub,
    transpose,
    vec,
)

ROWS = ("average x", "average y", "average z", "average rotation x", "average rotation y", "average rotation z")


class AverageTie(Record):
    """Parameters of the tie; positions in axes of the body."""

    b = numbers(3, "from the follower to the centre of the others, C − X₀", "m")
    J = number("J", "m²")
    others = tail("per other node: lever l_k (3) [m], weight w_k")


@law(AverageTie, tangent="own")
def average_tie(want, p, now, out):
    """Nodes: the follower, the others."""
    x, v, a, lam, r, K = now.x, now.v, now.a, now.lam, out.r, out.K
    nodes = now.n.nodes
    o = 6 * nodes
    N = o + 6
    R0 = mat(now.R, 0)
    b = mv(R0, vec(p.b, 0))
    force, moment = vec(lam, 0), scale(1.0 / p.J, vec(lam, 3))
    omega, alpha = vec(v, 3), vec(a, 3)
    cL = level_coefficient(want, now.c)
    cK = now.c.K
    # Φ₂ by a spin of the follower: Σ (y × x)' = Σ (y xᵀ − (y·x) 1) δθ, J left out until the end
    turn = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    bend = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    first, second = add(vec(x, 0), b), (0.0, 0.0, 0.0)
    if want & ACCELERATION_LEVEL:
        first = add(vec(a, 0), add(cross(alpha, b), cross(omega, cross(omega, b))))
    elif want & VELOCITY_LEVEL:
        first = add(vec(v, 0), cross(omega, b))
    for i in range(nodes - 1):
        y, weight = mv(R0, vec(p.others, 4 * i)), p.others[4 * i + 3]
        x_k = sub(vec(x, 3 * i + 3), vec(x, 0))  # Σ y = 0: from any point
        turn = madd(turn, msub(outer(y, x_k), diagonal(dot(y, x_k))))
        if want & ACCELERATION_LEVEL:
            v_k, a_k = sub(vec(v, 6 * i + 6), vec(v, 0)), sub(vec(a, 6 * i + 6), vec(a, 0))
            first = sub(first, scale(weight, vec(a, 6 * i + 6)))
            y_dot = cross(omega, y)
            y_ddot = add(cross(alpha, y), cross(omega, y_dot))
            rate = add(cross(y_ddot, x_k), add(scale(2.0, cross(y_dot, v_k)), cross(y, a_k)))
            second = add(second, rate)
        elif want & VELOCITY_LEVEL:
            v_k = sub(vec(v, 6 * i + 6), vec(v, 0))
            first = sub(first, scale(weight, vec(v, 6 * i + 6)))
            second = add(second, add(cross(cross(omega, y), x_k), cross(y, v_k)))
        else:
            first = sub(first, scale(weight, vec(x, 3 * i + 3)))
            second = add(second, cross(y, x_k))
        if want & RESIDUAL:
            put(r, 6 * i + 6, sub(cross(moment, y), scale(weight, force)))
        if want & MATRIX:
            at_k = 6 * i + 6
            share = mscale(weight, diagonal(1.0))
            arm = mscale(1.0 / p.J, skew(y))
            put_mat(K, N, o, at_k, mscale(-cL, share))
            put_mat(K, N, at_k, o, mscale(-1.0, share))
            put_mat(K, N, o + 3, at_k, mscale(cL, arm))
            put_mat(K, N, at_k, o + 3, transpose(arm))
            geometric = mscale(-cK, skew2(moment, y))  # δ(m × y) = −m̂ ŷ δθ
            put_mat(K, N, at_k, 3, geometric)
            put_mat(K, N, 3, at_k, transpose(geometric))
            bend = madd(bend, msub(outer(x_k, cross(y, moment)), outer(moment, cross(y, x_k))))
    if want & RESIDUAL:
        put(r, 0, force)
        put(r, 3, add(cross(b, force), mtv(turn, moment)))
        put(r, o, first)
        put(r, o + 3, scale(1.0 / p.J, second))
    if want & MATRIX:
        one = diagonal(1.0)
        B, G = skew(b), mscale(1.0 / p.J, turn)
        put_mat(K, N, o, 0, mscale(cL, one))
        put_mat(K, N, 0, o, one)
        put_mat(K, N, o, 3, mscale(-cL, B))
        put_mat(K, N, 3, o, B)
        put_mat(K, N, o + 3, 3, mscale(cL, G))
        put_mat(K, N, 3, o + 3, transpose(G))
        put_mat(K, N, 3, 3, mscale(cK, madd(bend, msub(outer(b, force), diagonal(dot(b, force))))))
    return 0


def average_tie_term(
    name: str,
    node: int,
    others: Sequence[int],
    X0: np.ndarray,
    X: np.ndarray,
    weights: np.ndarray,
    levers: np.ndarray | None = None,
) -> Term:
    """X0 (3,), X (k, 3): where the nodes are in the body [m];  weights: (k,), of any sum;  levers: (k, 3), of the same sum."""
    total = np.sum(weights)
    w = np.asarray(weights, dtype=float) / total
    C = w @ X
    lever = w[:, None] * (X - C) if levers is None else np.asarray(levers) / total
    J = float(np.sum(lever * (X - C)))
    parameters = AverageTie.pack(b=C - X0, J=J, others=np.column_stack([lever, w]))
    return Term(name, average_tie, (node, *others), rows=ROWS, parameters=parameters)
