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

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from flexor.bodies.floating.tangent import coupling_blocks, modal_block, rigid_blocks, six, triple
from flexor.law import ENERGY, MATRIX, OUTPUT, RESIDUAL, Term, law
from flexor.law.face import put_energies
from flexor.law.primitives import Words, at
from flexor.law.record import Packed, Record, integer, number, numbers, tail
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
    from flexor.bodies.floating.mean_axes import MeanAxes
    from flexor.reduce.invariants import Invariants

PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))
"""Order of the products ωᵢωⱼ."""


class FloatingBody(Record):
    """Parameters of a floating body with m coordinates. Pairs p in the order xx, yy, zz, xy, yz, zx."""

    full = integer("1: K, M, D are full; 0: they are diagonal")
    mass = number("mass", "kg")
    first = numbers(3, "c₀, first moment of the undeformed body about the frame's origin", "kg m")
    inertia = numbers(6, "J₀, its inertia", "kg m²")
    start = numbers(3, "initial position of the frame, where its potential energy is zero", "m")
    centrifugal = tail("Cₚ, 6 m")
    rotation = tail("E₀, 3 m")
    translation = tail("S̄, 3 m")
    columns = tail("for each coordinate the columns of Wₚ and Γₖ that it multiplies, 9 m")
    stiffness = tail("K, m² or m")
    own_mass = tail("M, likewise")
    damping = tail("D, likewise")


class Products(NamedTuple):
    """Scratch: the matrices times q and its rates, in arrays of m.

    U, E           C + W q (6), E₀ + Γ q (3)
    W_rate         W q̇ (6)
    G_rate         Γ q̇ (3)
    G_second       Γ q̈ (3)
    """

    U: Words
    E: Words
    W_rate: Words
    G_rate: Words
    G_second: Words


PRODUCTS = 21
"""Arrays of `Products`."""


@law(FloatingBody, tangent="own", outputs=(("kinetic_energy", "J"), ("potential_energy", "J"), ("strain_energy", "J")))
def floating_body(want, p, now, out):
    """d/dt ∂T/∂q̇ − ∂T/∂q + K q + D q̇ = 0 and the balances of momentum of the whole body.   NAK (3-17), (3-24)–(3-36)"""
    return motion(want, now.n.scalars, p, now, out)


def motion(want, m, p, now, out):
    """The equations of a body with m coordinates q; their sum is in r and K, the energies in w."""
    c, s = now.c, now.s
    made = _products(want, m, p, s, out.w)
    R_WB = mat(now.R, 0)
    A = mtv(R_WB, vec(now.a, 0))
    omega = mtv(R_WB, vec(now.v, 3))
    alpha = mtv(R_WB, vec(now.a, 3))

    # first moment and its rates; momenta of the modes
    translation, centrifugal = p.translation, p.centrifugal
    moment = vec(p.first, 0)
    rate = curve = turn = push = (0.0, 0.0, 0.0)  # ċ, S̄ q̈, E q̇, E q̈
    f = g = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # J = J₀ − F(f), J̇ = −2 F(g)
    for i in range(m):
        q, qd, qdd = s[3 * i], s[3 * i + 1], s[3 * i + 2]
        S_i, E_i, U_i = triple(translation, i, m), triple(made.E, i, m), six(made.U, i, m)
        moment = add(moment, scale(q, S_i))
        rate = add(rate, scale(qd, S_i))
        curve = add(curve, scale(qdd, S_i))
        turn = add(turn, scale(qd, E_i))
        push = add(push, scale(qdd, E_i))
        f = _more(f, q, U_i)
        f = _more(f, q, six(centrifugal, i, m))
        g = _more(g, qd, U_i)
    J = msub(_inertia(p.inertia), _form(f))
    J_dot = mscale(-2.0, _form(g))
    L = mv(J, omega)

    if want & (RESIDUAL | MATRIX):
        # m a + ω̇ × c + ω × (ω × c) + 2 ω × ċ + c̈
        force = add(scale(p.mass, A), add(cross(alpha, moment), cross(omega, cross(omega, moment))))
        force = add(force, add(scale(2.0, cross(omega, rate)), curve))
        # c × a + J ω̇ + J̇ ω + ω × J ω + E q̈ + ω × E q̇;  Ė q̇ = 0
        torque = add(add(cross(moment, A), mv(J, alpha)), add(mv(J_dot, omega), cross(omega, add(L, turn))))
        torque = add(torque, push)
        if want & RESIDUAL:
            put(out.r, 0, mv(R_WB, force))
            put(out.r, 3, mv(R_WB, torque))
            _modal_forces(m, p, made, s, A, omega, alpha, out.r)
        if want & MATRIX:
            N, K = 6 + m, out.K
            # ∂force/∂ω and ∂torque/∂ω in the frame's axes
            by_spin = mscale(
                -1.0, madd(madd(skew(cross(omega, moment)), skew2(omega, moment)), mscale(2.0, skew(rate)))
            )
            turning = msub(madd(J_dot, skew_mm(omega, J)), skew(add(L, turn)))
            held = 1.0 - c.turning  # in a time step ω and ω̇ turn with the frame
            spin, spin_rate = scale(held, omega), scale(held, alpha)
            rigid_blocks(N, c, p.mass, R_WB, A, spin, spin_rate, moment, J, force, torque, by_spin, turning, K)
            coupling_blocks(m, N, c, translation, made, R_WB, A, omega, alpha, held, K)
            modal_block(m, N, c, p, omega, alpha, K)

    if want & (ENERGY | OUTPUT):
        velocity = mtv(R_WB, vec(now.v, 0))
        strain, own, lost = _modal_energies(m, p, s)
        kinetic = 0.5 * (p.mass * dot(velocity, velocity) + dot(omega, L)) + dot(omega, turn) + own
        kinetic += dot(velocity, add(cross(omega, moment), rate))
        raised = add(scale(p.mass, sub(vec(now.x, 0), vec(p.start, 0))), mv(R_WB, moment))
        potential = -dot(vec(c.gravity, 0), raised)  # −g · (m Δx + R c)
        put_energies(out.w, kinetic, potential, strain, lost, 0.0)
    return 0


def _more(f, q, U):
    """f + q U, of six."""
    return (f[0] + q * U[0], f[1] + q * U[1], f[2] + q * U[2], f[3] + q * U[3], f[4] + q * U[4], f[5] + q * U[5])


def _form(f):
    """F(f): symmetric matrix of the quadratic form Σ fₚ yₚ."""
    xy, yz, zx = 0.5 * f[3], 0.5 * f[4], 0.5 * f[5]
    return (f[0], xy, zx, xy, f[1], yz, zx, yz, f[2])


def _inertia(j):
    """J₀"""
    return (j[0], j[3], j[5], j[3], j[1], j[4], j[5], j[4], j[2])


def _products(want, m, p, s, w):
    """The matrices times q, q̇ and, for the tangent, q̈."""
    centrifugal, rotation, columns = p.centrifugal, p.rotation, p.columns
    for i in range(6 * m):
        w[i] = centrifugal[i]
    for i in range(3 * m):
        w[6 * m + i] = rotation[i]
    for i in range(9 * m, PRODUCTS * m):
        w[i] = 0.0
    skip = 0 if want & MATRIX else 6 * m  # W q̇ is for the tangent alone
    rates = at(w, 9 * m)
    _multiply(columns, 0, 9 * m, m, s, 0, w)
    _multiply(columns, skip, 9 * m, m, s, 1, rates)
    if want & MATRIX:
        _multiply(columns, 6 * m, 9 * m, m, s, 2, at(w, 12 * m))
    return Products(w, at(w, 6 * m), rates, at(w, 15 * m), at(w, 18 * m))


def _multiply(columns, begin, end, m, s, rate, y):
    """y += Σⱼ column j · s_j between two rows, two columns at a time; long inner loops without sums, which vectorise."""
    for j in range(0, m - 1, 2):
        f, g = s[3 * j + rate], s[3 * j + 3 + rate]
        a = 9 * m * j
        b = a + 9 * m
        for i in range(begin, end):
            y[i] += f * columns[a + i] + g * columns[b + i]
    if m % 2:
        f = s[3 * m - 3 + rate]
        a = 9 * m * (m - 1)
        for i in range(begin, end):
            y[i] += f * columns[a + i]


def _modal_forces(m, p, made, s, A, omega, alpha, r):
    """S̄ᵀ a + Eᵀ ω̇ + M q̈ + 2 Σ ωₖ Γₖ q̇ + Σ yₚ Uₚ + K q + D q̇"""
    S, U, E, G = p.translation, made.U, made.E, made.G_rate
    y0, y1, y2 = omega[0] * omega[0], omega[1] * omega[1], omega[2] * omega[2]
    y3, y4, y5 = omega[0] * omega[1], omega[1] * omega[2], omega[2] * omega[0]
    for i in range(m):
        r[6 + i] += (
            y0 * U[i] + y1 * U[m + i] + y2 * U[2 * m + i] + y3 * U[3 * m + i] + y4 * U[4 * m + i] + y5 * U[5 * m + i]
            + alpha[0] * E[i] + alpha[1] * E[m + i] + alpha[2] * E[2 * m + i]
            + A[0] * S[i] + A[1] * S[m + i] + A[2] * S[2 * m + i]
            + 2.0 * (omega[0] * G[i] + omega[1] * G[m + i] + omega[2] * G[2 * m + i])
        )  # fmt: skip
    K, M, D = p.stiffness, p.own_mass, p.damping
    if p.full:
        for j in range(m):
            q, qd, qdd = s[3 * j], s[3 * j + 1], s[3 * j + 2]
            o = j * m
            for i in range(m):
                r[6 + i] += q * K[o + i] + qdd * M[o + i] + qd * D[o + i]
    else:
        for i in range(m):
            r[6 + i] += s[3 * i] * K[i] + s[3 * i + 2] * M[i] + s[3 * i + 1] * D[i]


def _modal_energies(m, p, s):
    """½ qᵀ K q, ½ q̇ᵀ M q̇, q̇ᵀ D q̇"""
    K, M, D = p.stiffness, p.own_mass, p.damping
    strain = kinetic = lost = 0.0
    for i in range(m):
        if p.full:
            for j in range(m):
                o = i * m + j
                strain += 0.5 * s[3 * i] * K[o] * s[3 * j]
                kinetic += 0.5 * s[3 * i + 1] * M[o] * s[3 * j + 1]
                lost += s[3 * i + 1] * D[o] * s[3 * j + 1]
        else:
            strain += 0.5 * s[3 * i] * K[i] * s[3 * i]
            kinetic += 0.5 * s[3 * i + 1] * M[i] * s[3 * i + 1]
            lost += s[3 * i + 1] * D[i] * s[3 * i + 1]
    return strain, kinetic, lost


def floating_term(name: str, axes: MeanAxes, node: int, scalars: tuple[int, ...], x0: np.ndarray) -> Term:
    """The law of a floating body.

    node: at the centre of mass, with the axes of the mesh;  scalars: one per mode;  x0: initial position of the node.
    """
    m = axes.size
    aside = axes.damping - np.diag(np.diag(axes.damping))
    full = bool(np.abs(aside).max(initial=0.0) > 1e-12 * np.abs(axes.damping).max(initial=0.0))
    own = (np.diag(axes.squares), np.eye(m), axes.damping)
    parameters = packed(axes.invariants, x0, full, *(A if full else np.diag(A) for A in own))
    return Term(
        name,
        floating_body,
        (node,),
        tuple(scalars),
        parameters=parameters,
        scratch=PRODUCTS * m,
    )


def packed(
    inv: Invariants, x0: np.ndarray, full: bool, stiffness: np.ndarray, own_mass: np.ndarray, damping: np.ndarray
) -> Packed:
    """What `motion` reads;  the last three: K, M, D, all full or all diagonal."""
    matrices = np.concatenate([[pair_sum(inv.softening, *pair) for pair in PAIRS], inv.gyroscopic])  # (9, m, m)
    return FloatingBody.pack(
        full=full,
        mass=inv.mass,
        first=inv.first,
        inertia=[inv.inertia[i, j] for i, j in PAIRS],
        start=x0,
        centrifugal=[pair_sum(inv.centrifugal, *pair) for pair in PAIRS],
        rotation=inv.rotation,
        translation=inv.translation,
        columns=matrices.transpose(2, 0, 1),  # column j of every matrix
        stiffness=stiffness,
        own_mass=own_mass,
        damping=damping,
    )


def pair_sum(values: np.ndarray, i: int, j: int) -> np.ndarray:
    """What multiplies ωᵢωⱼ in Σ ωᵢωⱼ values[i, j]."""
    return values[i, i] if i == j else values[i, j] + values[j, i]
