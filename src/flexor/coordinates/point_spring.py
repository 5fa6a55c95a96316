"""A linear spring and damper between two points that do not turn: particles, nodes of solids, points of the ground.

    f = Q u,   Q = k (ℓ − ℓ₀) + c ℓ̇,   u = d/ℓ,   d = p_B − p_A,   ℓ̇ = u·ḋ        FTG (5.2), (5.20)

The same as `flexor.coordinates.force` with neither arms nor functions, at a third of its cost: grids of springs live on it.

    ∂f/∂d = k u uᵀ + Q P + c u (P ḋ)ᵀ,   ∂f/∂ḋ = c u uᵀ,   P = (I − u uᵀ)/ℓ        FTG (5.3), (5.22)
"""

from __future__ import annotations

from flexor.coordinates.length import SHORT, projector
from flexor.law import ENERGY, MATRIX, OUTPUT, RESIDUAL, law
from flexor.law.face import put_energies
from flexor.law.record import Record, number, numbers
from flexor.law.tuples import add, diagonal, dot, madd, mscale, mv, neg, norm, outer, put, put_mat, scale, sub, vec


class PointSpring(Record):
    """Parameters of the law."""

    p = numbers(3, "what the second point is off its node, less what the first is, in global axes", "m")
    stiffness = number("k", "N/m")
    damping = number("c", "N s/m")
    free = number("ℓ₀", "m")


@law(
    PointSpring,
    tangent="own",
    points=True,
    errors={1: "its ends coincide; the spring has no direction"},
    outputs=(("deflection", "m"), ("force", "N"), ("strain_energy", "J"), ("length", "m"), ("rate", "m/s")),
    scratch=5,
)
def point_spring(want, p, now, out):
    """r = (−f, 0, f, 0)"""
    d = add(sub(vec(now.x, 3), vec(now.x, 0)), vec(p.p, 0))
    d_dot = sub(vec(now.v, 6), vec(now.v, 0))
    length = norm(d)
    k, c, free = p.stiffness, p.damping, p.free
    if length < SHORT:  # the limit ℓ → 0 for ℓ₀ = 0 is isotropic: the line points where the ends move
        if abs(free) > SHORT:
            return 1
        rate, lost = norm(d_dot), c * dot(d_dot, d_dot)
        f = add(scale(k, d), scale(c, d_dot))
        D, C = diagonal(k), diagonal(c)
        effort, deflection = norm(f), 0.0
    else:
        u = scale(1.0 / length, d)
        rate, deflection = dot(u, d_dot), length - free
        lost = c * rate * rate
        effort = k * deflection + c * rate
        f = scale(effort, u)
        uu, P = outer(u, u), projector(u, length)
        D = madd(madd(mscale(k, uu), mscale(effort, P)), mscale(c, outer(u, mv(P, d_dot))))
        C = mscale(c, uu)
    if want & RESIDUAL:
        put(out.r, 0, neg(f))
        put(out.r, 6, f)
    if want & MATRIX:
        K = madd(mscale(now.c.K, D), mscale(now.c.C, C))
        less = mscale(-1.0, K)
        put_mat(out.K, 12, 0, 0, K)
        put_mat(out.K, 12, 0, 6, less)
        put_mat(out.K, 12, 6, 0, less)
        put_mat(out.K, 12, 6, 6, K)
    energy = 0.5 * k * deflection * deflection
    if want & OUTPUT:
        out.w[0] = deflection
        out.w[1] = effort
        out.w[2] = energy
        out.w[3] = length
        out.w[4] = rate
    if want & ENERGY:
        put_energies(out.w, 0.0, 0.0, energy, lost, 0.0)
    return 0
