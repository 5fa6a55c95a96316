"""Six directions between two markers: stiffness, damping and curves for each.   FTG 5.1.2, 5.3

Deformations, in the axes of marker A (columns of A; B those of marker B):

    u = Aᵀ d − u₀                     d = p_B − p_A, u₀ as drawn
    ψ                                 rotation vector of AᵀB; where the rotation about z is free, the swing that takes A_z to B_z; or none

With y = (u, ψ) the generalised forces are

    Y = K y + f(y) + D ẏ + g(ẏ),      r = (∂y/∂q)ᵀ Y

so that they have a potential, do no work in a rigid motion of both bodies, and action is reaction for rotations of any size.
Directions that are interconnected share the curves f (`_interconnected`).
"""

from __future__ import annotations

from flexor.coordinates.frames import Frame, arm_a, arm_b, axes_a, axes_b, offset, offset_rate, put_pair
from flexor.functions import ERRORS, OUT_SIZE
from flexor.functions.call import Call, evaluate
from flexor.law import COMMIT, ENERGY, OUTPUT, RESIDUAL, law
from flexor.law.dual import atan2, sqrt
from flexor.law.face import put_energies
from flexor.law.primitives import at
from flexor.law.record import Record, integer, nested, numbers
from flexor.law.rotation_vector import moment_of, rotation_vector, spin_to_rate
from flexor.law.tuples import add, cross, dot, mm, mtv, mv, put, scale, sub, transpose, vec

NONE, VECTOR, SWING = 0, 1, 2
"""How the rotation is measured."""
SHORT = 1e-12  # of a deflection [m], below which it has no direction


class SixDirections(Record):
    """Parameters of the law."""

    a = nested(Frame, "marker A")
    b = nested(Frame, "marker B")
    drawn = numbers(3, "u₀", "m")
    stiffness = numbers(36, "K, row by row", "N/m, N/rad, N m/m, N m/rad")
    damping = numbers(36, "D, row by row", "likewise times s")
    rotation = integer("NONE, VECTOR or SWING")
    connected = integer("how many of the first translations are interconnected: 0, 2 or 3")
    bent = integer("1: there are curves")
    x = nested(Call, "f of x", "N")
    y = nested(Call, "f of y", "N")
    z = nested(Call, "f of z", "N")
    rx = nested(Call, "f of ψ_x", "N m")
    ry = nested(Call, "f of ψ_y", "N m")
    rz = nested(Call, "f of ψ_z", "N m")
    damper_x = nested(Call, "g of ẋ", "N")
    damper_y = nested(Call, "g of ẏ", "N")
    damper_z = nested(Call, "g of ż", "N")
    damper_rx = nested(Call, "g of ψ̇_x", "N m")
    damper_ry = nested(Call, "g of ψ̇_y", "N m")
    damper_rz = nested(Call, "g of ψ̇_z", "N m")


class Turned(Record):
    """Its history."""

    rotation = numbers(3, "ψ at the end of the last step", "rad")


def _curve(p, i):
    if i == 0:
        return p.x
    if i == 1:
        return p.y
    if i == 2:
        return p.z
    if i == 3:
        return p.rx
    if i == 4:
        return p.ry
    return p.rz


def _damper(p, i):
    if i == 0:
        return p.damper_x
    if i == 1:
        return p.damper_y
    if i == 2:
        return p.damper_z
    if i == 3:
        return p.damper_rx
    if i == 4:
        return p.damper_ry
    return p.damper_rz


def _swing_factor(s2, c):
    """θ/sin θ and its derivative by cos θ, of s2 = sin²θ and c = cos θ"""
    if s2 < 1e-4 and c > 0.0:
        factor = 1.0 + s2 * (1.0 / 6.0 + s2 * (3.0 / 40.0 + s2 * (5.0 / 112.0)))
        return factor, -(1.0 / 3.0 + s2 * (2.0 / 15.0 + s2 * (8.0 / 105.0)))
    sine = sqrt(s2)
    factor = atan2(sine, c) / sine
    return factor, -(1.0 - factor * c) / s2


def _interconnected(p, y, Y, w):
    """(status, energy); adds the shared curves of the first translations to Y.   FTG (5.9)–(5.12)

    E = Σ Nⱼ Eⱼ(± δ̄),  δ̄² = Σ δⱼ²,  Nⱼ = (δⱼ/δ̄)²,  Eⱼ the energy of curve j on the side of δⱼ

    Its gradient is FTG's force (5.10), (5.12) along δ, and where the curves differ a force across, without which turning the deflection
    round would give energy.
    """
    n = p.connected
    square = 0.0 * y[0]
    for j in range(n):
        square += y[j] * y[j]
    if square < SHORT * SHORT:
        status = 0
        for j in range(n):
            if _curve(p, j).address != 0 and status == 0:
                status = evaluate(_curve(p, j), 0.0 * y[j], w)
                Y[j] += w[1] * y[j]
        return status, 0.0 * square
    size = sqrt(square)
    energy = 0.0 * square
    for j in range(n):
        if _curve(p, j).address == 0:
            continue
        side = 1.0 if y[j] >= 0.0 else -1.0
        status = evaluate(_curve(p, j), side * size, w)
        if status != 0:
            return status, energy
        force, own = side * w[0], w[3] + 0.0
        share = y[j] * y[j] / square
        energy += share * own
        # ∂(Nⱼ Eⱼ)/∂δₖ = Nⱼ Fⱼ δₖ/δ̄ + Eⱼ (2 δⱼ δⱼₖ − 2 Nⱼ δₖ)/δ̄²
        along = share * force / size - 2.0 * share * own / square
        for k in range(n):
            Y[k] += along * y[k]
        Y[j] += 2.0 * own / square * y[j]
    return 0, energy


@law(
    SixDirections,
    history=Turned,
    errors={1: "it has turned through half a turn, beyond which its rotation has no meaning; let its axis be the one that it turns about and leave the rotation about z free, or use a joint", **ERRORS},
    outputs=(
        ("deflection_x", "m"), ("deflection_y", "m"), ("deflection_z", "m"),
        ("rotation_x", "rad"), ("rotation_y", "rad"), ("rotation_z", "rad"),
        ("force_x", "N"), ("force_y", "N"), ("force_z", "N"),
        ("torque_x", "N m"), ("torque_y", "N m"), ("torque_z", "N m"), ("strain_energy", "J"),
    ),
    scratch=OUT_SIZE + 18,
)  # fmt: skip
def bushing(want, p, now, out):
    """r = (∂y/∂q)ᵀ (K y + f(y) + D ẏ + g(ẏ))"""
    w = out.w
    y, rate, Y = at(w, OUT_SIZE), at(w, OUT_SIZE + 6), at(w, OUT_SIZE + 12)
    A, B = axes_a(now.R, p), axes_b(now.R, p)
    s_a, s_b = arm_a(now.R, p), arm_b(now.R, p)
    d = offset(now.x, s_a, s_b)
    w_a = vec(now.v, 3)
    u = sub(mtv(A, d), vec(p.drawn, 0))
    u_rate = mtv(A, sub(offset_rate(now.v, s_a, s_b), cross(w_a, d)))
    spin = mtv(A, sub(vec(now.v, 9), w_a))
    R = mm(transpose(A), B)
    psi = scale(0.0, u)
    psi_rate = spin
    n = (R[2], R[5], R[8])  # B_z in axes of A
    factor, bend = 1.0, 0.0
    if p.rotation == VECTOR:
        psi = rotation_vector(R)
        psi_rate = mv(spin_to_rate(psi), spin)
    elif p.rotation == SWING:
        factor, bend = _swing_factor(n[0] * n[0] + n[1] * n[1], n[2])
        psi = (-factor * n[1], factor * n[0], 0.0 * factor)
        turned = cross(spin, n)
        change = bend * turned[2]
        psi_rate = (-factor * turned[1] - change * n[1], factor * turned[0] + change * n[0], spin[2])
    before = now.h.rotation
    if dot(psi, vec(before, 0)) < -1.0:  # on the other side: it has jumped there at half a turn
        return 1
    if want & COMMIT:
        for i in range(3):
            before[i] = psi[i]
    for i in range(3):
        y[i], y[3 + i], rate[i], rate[3 + i] = u[i], psi[i], u_rate[i], psi_rate[i]
    strain = 0.0 * u[0]
    lost = 0.0 * u[0]
    for i in range(6):
        elastic = 0.0 * u[0]
        viscous = 0.0 * u[0]
        across = 0.0 * u[0]
        for j in range(6):
            elastic += p.stiffness[6 * i + j] * y[j]
            across += 0.5 * (p.stiffness[6 * i + j] - p.stiffness[6 * j + i]) * y[j]
            viscous += p.damping[6 * i + j] * rate[j]
        strain += 0.5 * y[i] * elastic
        lost += (viscous + across) * rate[i]
        Y[i] = elastic + viscous
    status = 0
    if p.bent:
        if p.connected > 0:
            status, energy = _interconnected(p, y, Y, w)
            if status != 0:
                return status
            strain += energy
        for i in range(6):
            if i >= p.connected and _curve(p, i).address != 0 and status == 0:
                status = evaluate(_curve(p, i), y[i], w)
                Y[i] += w[0]
                strain += w[3]
            if _damper(p, i).address != 0 and status == 0:
                status = evaluate(_damper(p, i), rate[i], w)
                Y[i] += w[0]
                lost += w[0] * rate[i]
        if status != 0:
            return status
    force = (Y[0], Y[1], Y[2])
    moment = (Y[3], Y[4], Y[5])
    if p.rotation == VECTOR:
        moment = moment_of(psi, moment)
    elif p.rotation == SWING:  # n × ∂(ψ·m)/∂n
        slope = (factor * moment[1], -factor * moment[0], bend * (n[0] * moment[1] - n[1] * moment[0]))
        swung = cross(n, slope)
        moment = (swung[0], swung[1], swung[2] + moment[2])
    if want & RESIDUAL:
        put_pair(out.r, mv(A, force), add(s_a, d), s_b)
        turning = mv(A, moment)
        put(out.r, 9, turning)
        put(out.r, 3, scale(-1.0, turning))
    if want & OUTPUT:
        for i in range(3):
            w[i], w[3 + i], w[6 + i], w[9 + i] = u[i], psi[i], -force[i], -moment[i]
        w[12] = strain
    if want & ENERGY:
        put_energies(w, 0.0, 0.0, strain, lost, 0.0)
    return 0
