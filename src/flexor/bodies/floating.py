"""Floating body: large motion of a frame, small deformation in modes measured from it.   NAK chapter 3

A point of the body is at r = x + R (X + S q). Its kinetic energy, integrated over the body, with V = Rᵀẋ and w = Rᵀω

    T = ½ m V² + V·(w × c + ċ) + ½ wᵀ J w + w·E q̇ + ½ q̇ᵀ M q̇

has coefficients that are polynomials of q, made of the inertia invariants:

    c = c₀ + S̄ q                  first moment ∫ρ (X + S q)
    J = J₀ − F(f),  fₚ = q·(2 Cₚ + Wₚ q)    inertia about the frame's origin
    E = E₀ + Γ q                  ∫ρ (X + S q) × S

p = xx, yy, zz, xy, yz, zx;  F(f) is the symmetric matrix with uᵀF(f)u = Σ fₚ yₚ(u), y = (ux², uy², uz², ux uy, uy uz, uz ux);
Wₚ symmetric, Γₖ antisymmetric. The equations of motion follow from T without any further simplification, so momentum
and energy are kept exactly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.bodies.floating_tangent import coupling_blocks, modal_block, rigid_blocks, six, triple
from flexor.law import ENERGY, MATRIX, OUTPUT, RESIDUAL, Element, law
from flexor.law.law import TURNING
from flexor.law.tuples import (
    add,
    cross,
    dot,
    madd,
    mat,
    mscale,
    msub,
    mtv,
    mv,
    put,
    scale,
    skew,
    skew2,
    skew_mm,
    sub,
    vec,
)

if TYPE_CHECKING:
    from flexor.bodies.mean_axes import MeanAxes
    from flexor.reduce.invariants import Invariants

ARRAYS = 13
"""Floats before the arrays: mass, c₀, J₀ (xx, yy, zz, xy, yz, zx), initial position."""
PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
"""Order of the products ωᵢωⱼ."""


@law(outputs=(("kinetic_energy", "J"), ("potential_energy", "J"), ("strain_energy", "J")))
def floating_body(want, n, k, p, h, t, c, x, R, v, a, s, lam, r, K, w):
    """d/dt ∂T/∂q̇ − ∂T/∂q + K q + D q̇ = 0 and the balances of momentum of the whole body.   NAK (3-17), (3-24)–(3-36)

    k: whether K, M, D are full (1) or diagonal (0)
    p: see ARRAYS; then C (6 m), E₀ (3 m), S̄ (3 m); for each mode the columns of W, Γ that it multiplies; K, M, D
    """
    return motion(want, n[1], k[0], c, p, x, R, v, a, s, r, K, w)


def motion(want, m, full, c, p, x, R, v, a, s, r, K, w):
    """The equations of a body with m coordinates q; their sum is in r and K, the energies in w.

    w: U = C + W q, E;  W q̇, Γ q̇;  Γ q̈
    """
    first = ARRAYS + 12 * m  # columns of the modes
    last = first + 9 * m * m  # K, M, D
    _products(want, m, p, first, s, w)
    S, E = ARRAYS + 9 * m, 6 * m
    R_WB = mat(R, 0)
    A = mtv(R_WB, vec(a, 0))
    omega = mtv(R_WB, vec(v, 3))
    alpha = mtv(R_WB, vec(a, 3))

    # first moment and its rates; momenta of the modes
    moment = vec(p, 1)
    rate = curve = turn = push = (0.0, 0.0, 0.0)  # ċ, S̄ q̈, E q̇, E q̈
    f = g = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # J = J₀ − F(f), J̇ = −2 F(g)
    for i in range(m):
        q, qd, qdd = s[3 * i], s[3 * i + 1], s[3 * i + 2]
        S_i, E_i, U_i = triple(p, S + i, m), triple(w, E + i, m), six(w, i, m)
        moment = add(moment, scale(q, S_i))
        rate = add(rate, scale(qd, S_i))
        curve = add(curve, scale(qdd, S_i))
        turn = add(turn, scale(qd, E_i))
        push = add(push, scale(qdd, E_i))
        f = _more(f, q, U_i)
        f = _more(f, q, six(p, ARRAYS + i, m))
        g = _more(g, qd, U_i)
    J = msub(_inertia(p), _form(f))
    J_dot = mscale(-2.0, _form(g))
    L = mv(J, omega)

    if want & (RESIDUAL | MATRIX):
        # m a + ω̇ × c + ω × (ω × c) + 2 ω × ċ + c̈
        force = add(scale(p[0], A), add(cross(alpha, moment), cross(omega, cross(omega, moment))))
        force = add(force, add(scale(2.0, cross(omega, rate)), curve))
        # c × a + J ω̇ + J̇ ω + ω × J ω + E q̈ + ω × E q̇;  Ė q̇ = 0
        torque = add(add(cross(moment, A), mv(J, alpha)), add(mv(J_dot, omega), cross(omega, add(L, turn))))
        torque = add(torque, push)
        if want & RESIDUAL:
            put(r, 0, mv(R_WB, force))
            put(r, 3, mv(R_WB, torque))
            _modal_forces(m, full, p, last, s, w, A, omega, alpha, r)
        if want & MATRIX:
            N = 6 + m
            # ∂force/∂ω and ∂torque/∂ω in the frame's axes
            by_spin = mscale(
                -1.0, madd(madd(skew(cross(omega, moment)), skew2(omega, moment)), mscale(2.0, skew(rate)))
            )
            turning = msub(madd(J_dot, skew_mm(omega, J)), skew(add(L, turn)))
            held = 1.0 - c[TURNING]  # in a time step ω and ω̇ turn with the frame
            spin, spin_rate = scale(held, omega), scale(held, alpha)
            rigid_blocks(N, c, p[0], R_WB, A, spin, spin_rate, moment, J, force, torque, by_spin, turning, K)
            coupling_blocks(m, N, c, p, S, R_WB, A, omega, alpha, held, w, K)
            modal_block(m, N, full, c, p, first, last, omega, alpha, K)

    if want & (ENERGY | OUTPUT):
        velocity = mtv(R_WB, vec(v, 0))
        strain, own, lost = _modal_energies(m, full, p, last, s)
        kinetic = 0.5 * (p[0] * dot(velocity, velocity) + dot(omega, L)) + dot(omega, turn) + own
        kinetic += dot(velocity, add(cross(omega, moment), rate))
        raised = add(scale(p[0], sub(vec(x, 0), vec(p, 10))), mv(R_WB, moment))
        w[0] = kinetic
        w[1] = -dot(vec(c, 4), raised)  # −g · (m Δx + R c)
        w[2] = strain
        if want & ENERGY:
            w[3] = lost
            w[4] = 0.0
    return 0


def _more(f, q, U):
    """f + q U, of six."""
    return (f[0] + q * U[0], f[1] + q * U[1], f[2] + q * U[2], f[3] + q * U[3], f[4] + q * U[4], f[5] + q * U[5])


def _form(f):
    """F(f): symmetric matrix of the quadratic form Σ fₚ yₚ."""
    xy, yz, zx = 0.5 * f[3], 0.5 * f[4], 0.5 * f[5]
    return (f[0], xy, zx, xy, f[1], yz, zx, yz, f[2])


def _inertia(p):
    """J₀"""
    return (p[4], p[7], p[9], p[7], p[5], p[8], p[9], p[8], p[6])


def _products(want, m, p, first, s, w):
    """The matrices times q, q̇ and, for the tangent, q̈; layout of `w` in `motion`."""
    for i in range(9 * m):
        w[i] = p[ARRAYS + i]
    for i in range(9 * m, 21 * m):
        w[i] = 0.0
    stride = 9 * m
    skip = 0 if want & MATRIX else 6 * m  # W q̇ is for the tangent alone
    _multiply(p, first, stride, 9 * m, m, s, 0, w, 0)
    _multiply(p, first + skip, stride, 9 * m - skip, m, s, 1, w, 9 * m + skip)
    if want & MATRIX:
        _multiply(p, first + 6 * m, stride, 3 * m, m, s, 2, w, 18 * m)


def _multiply(p, o, stride, count, m, s, rate, w, to):
    """w[to:] += Σⱼ column j · s_j, two columns at a time; long inner loops without sums, which vectorise."""
    for j in range(0, m - 1, 2):
        f, g = s[3 * j + rate], s[3 * j + 3 + rate]
        a = o + j * stride
        b = a + stride
        for i in range(count):
            w[to + i] += f * p[a + i] + g * p[b + i]
    if m % 2:
        f = s[3 * m - 3 + rate]
        a = o + (m - 1) * stride
        for i in range(count):
            w[to + i] += f * p[a + i]


def _modal_forces(m, full, p, last, s, w, A, omega, alpha, r):
    """S̄ᵀ a + Eᵀ ω̇ + M q̈ + 2 Σ ωₖ Γₖ q̇ + Σ yₚ Uₚ + K q + D q̇"""
    S = ARRAYS + 9 * m
    y0, y1, y2 = omega[0] * omega[0], omega[1] * omega[1], omega[2] * omega[2]
    y3, y4, y5 = omega[0] * omega[1], omega[1] * omega[2], omega[2] * omega[0]
    for i in range(m):
        r[6 + i] += (
            y0 * w[i] + y1 * w[m + i] + y2 * w[2 * m + i] + y3 * w[3 * m + i] + y4 * w[4 * m + i] + y5 * w[5 * m + i]
            + alpha[0] * w[6 * m + i] + alpha[1] * w[7 * m + i] + alpha[2] * w[8 * m + i]
            + A[0] * p[S + i] + A[1] * p[S + m + i] + A[2] * p[S + 2 * m + i]
            + 2.0 * (omega[0] * w[15 * m + i] + omega[1] * w[16 * m + i] + omega[2] * w[17 * m + i])
        )  # fmt: skip
    if full:
        for j in range(m):
            q, qd, qdd = s[3 * j], s[3 * j + 1], s[3 * j + 2]
            o = last + j * m
            for i in range(m):
                r[6 + i] += q * p[o + i] + qdd * p[o + m * m + i] + qd * p[o + 2 * m * m + i]
    else:
        for i in range(m):
            o = last + i
            r[6 + i] += s[3 * i] * p[o] + s[3 * i + 2] * p[o + m] + s[3 * i + 1] * p[o + 2 * m]


def _modal_energies(m, full, p, last, s):
    """½ qᵀ K q, ½ q̇ᵀ M q̇, q̇ᵀ D q̇"""
    strain = kinetic = lost = 0.0
    for i in range(m):
        if full:
            for j in range(m):
                o = last + i * m + j
                strain += 0.5 * s[3 * i] * p[o] * s[3 * j]
                kinetic += 0.5 * s[3 * i + 1] * p[o + m * m] * s[3 * j + 1]
                lost += s[3 * i + 1] * p[o + 2 * m * m] * s[3 * j + 1]
        else:
            o = last + i
            strain += 0.5 * s[3 * i] * p[o] * s[3 * i]
            kinetic += 0.5 * s[3 * i + 1] * p[o + m] * s[3 * i + 1]
            lost += s[3 * i + 1] * p[o + 2 * m] * s[3 * i + 1]
    return strain, kinetic, lost


def floating_element(name: str, axes: MeanAxes, node: int, scalars: tuple[int, ...], x0: Any) -> Element:
    """The law of a floating body.

    node: at the centre of mass, with the axes of the mesh;  scalars: one per mode;  x0: initial position of the node.
    """
    m = axes.size
    aside = axes.damping - np.diag(np.diag(axes.damping))
    full = bool(np.abs(aside).max(initial=0.0) > 1e-12 * np.abs(axes.damping).max(initial=0.0))
    own = (np.diag(axes.squares), np.eye(m), axes.damping)
    return Element(
        name,
        floating_body,
        (node,),
        tuple(scalars),
        ints=(int(full),),
        floats=parameters(axes.invariants, x0, *(A if full else np.diag(A) for A in own)),
        scratch=max(21 * m, 8),
    )


def parameters(inv: Invariants, x0: Any, *own: np.ndarray) -> np.ndarray:
    """What `motion` reads in p; own: K, M, D, all full or all diagonal."""
    J = inv.inertia
    matrices = np.concatenate([[pair_sum(inv.softening, *pair) for pair in PAIRS], inv.gyroscopic])  # (9, m, m)
    parts: list[Any] = [
        [inv.mass], inv.first, [J[i, j] for i, j in PAIRS], np.asarray(x0, dtype=float),
        [pair_sum(inv.centrifugal, *pair) for pair in PAIRS], inv.rotation, inv.translation,
        matrices.transpose(2, 0, 1),  # column j of every matrix
        *own,
    ]  # fmt: skip
    return np.concatenate([np.ravel(part) for part in parts])


def pair_sum(values: np.ndarray, i: int, j: int) -> np.ndarray:
    """What multiplies ωᵢωⱼ in Σ ωᵢωⱼ values[i, j]."""
    return values[i, i] if i == j else values[i, j] + values[j, i]
