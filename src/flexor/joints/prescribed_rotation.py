"""A marker whose orientation is prescribed as a whole: about z, then y, then x, by angles that are functions of time.

    C = A R_z(α) R_y(β) R_x(γ)          where marker B shall stand, seen from A; its spin against A is Ω = Σ u̇ᵢ eᵢ
    CᵀB = exp ψ̂                         ψ: how far it is turned from there

Constraint ψ = 0, or a spring with the energy ½ k ψ². Nothing in it is singular at any angle: what is measured is the small rotation from
where it shall be, not the angles themselves. Torques are told about the axes e_z, e_y, e_x of the three rotations, T_i = M · eᵢ; they do
the power Σ Tᵢ u̇ᵢ.
"""

from __future__ import annotations

from flexor.coordinates.constraint import Course, Reached, prescribed
from flexor.coordinates.frames import Frame, axes_a, axes_b
from flexor.functions import ERRORS, OUT_SIZE
from flexor.law import ACCELERATION_LEVEL, COMMIT, ENERGY, OUTPUT, RESIDUAL, VELOCITY_LEVEL, law
from flexor.law.face import put_energies
from flexor.law.primitives import at
from flexor.law.record import Record, nested, number
from flexor.law.rotation_vector import moment_of, moment_slope, rotation_vector, spin_to_rate
from flexor.law.tuples import add, column, cross, dot, mm, mtv, mv, neg, put, rotation_of, scale, sub, transpose, vec


class PrescribedRotation(Record):
    """Parameters of the law."""

    a = nested(Frame, "marker A, from which it is seen")
    b = nested(Frame, "marker B, which is turned")
    z = nested(Course, "angle about z", "rad")
    y = nested(Course, "angle about y, as turned by the first", "rad")
    x = nested(Course, "angle about x, as turned by both others", "rad")


class SprungRotation(PrescribedRotation):
    """Parameters of springs in the place of the constraint."""

    stiffness = number("k", "N m/rad")
    damping = number("d", "N m s/rad")


class AnglesReached(Record):
    """Their history."""

    z = nested(Reached, "angle about z")
    y = nested(Reached, "angle about y")
    x = nested(Reached, "angle about x")


def _angle(p, past, now, w, i):
    """Status and angle, rate and second rate of rotation i; w needs OUT_SIZE floats"""
    if i == 0:
        return prescribed(p.z, past.z, now.t, w)
    if i == 1:
        return prescribed(p.y, past.y, now.t, w)
    return prescribed(p.x, past.x, now.t, w)


def _target(p, now, w):
    """(status, C, Ω, Ω̇ seen from A); w = eᵢ, uᵢ, u̇ᵢ of each rotation, 5 floats, then OUT_SIZE of scratch"""
    C = axes_a(now.R, p)
    spin = scale(0.0, column(C, 0))
    second = spin
    for i in range(3):
        status, u, u_dot, u_ddot = _angle(p, now.h, now, at(w, 15), i)
        if status != 0:
            return status, C, spin, second
        e = column(C, 2 - i)
        second = add(second, add(scale(u_ddot, e), scale(u_dot, cross(spin, e))))
        spin = add(spin, scale(u_dot, e))
        C = mm(rotation_of(scale(u, e)), C)
        w[5 * i], w[5 * i + 1], w[5 * i + 2], w[5 * i + 3], w[5 * i + 4] = e[0], e[1], e[2], u, u_dot
    return 0, C, spin, second


def _remember(h, now, w):
    h.z.time, h.z.value = now.t, w[3]
    h.y.time, h.y.value = now.t, w[8]
    h.x.time, h.x.value = now.t, w[13]


def _tell(w, moment, off, each):
    """Torque on B, power, target of each rotation, and how far it is turned off about its axis; from what `_target` left in w"""
    told = at(w, 15)
    for i in range(3):
        e = vec(w, 5 * i)
        torque = -dot(moment, e)
        told[each * i], told[each * i + 1], told[each * i + 2] = torque, torque * w[5 * i + 4], w[5 * i + 3] + 0.0
        if each == 4:
            told[4 * i + 3] = dot(off, e)
    for i in range(3 * each):
        w[i] = told[i]


@law(
    PrescribedRotation,
    history=AnglesReached,
    errors=ERRORS,
    scratch=OUT_SIZE + 15,
)
def prescribed_rotation(want, p, now, out):
    """Φ = ψ"""
    w = out.w
    status, C, spin, second = _target(p, now, w)
    if status != 0:
        return status
    psi = rotation_vector(mm(transpose(C), axes_b(now.R, p)))
    moment = mv(C, moment_of(psi, vec(now.lam, 0)))
    if want & RESIDUAL:
        put(out.r, 3, neg(moment))
        put(out.r, 9, moment)
        w_a, w_b = vec(now.v, 3), vec(now.v, 9)
        relative = sub(w_b, add(w_a, spin))
        to_rate = spin_to_rate(psi)
        slow = mtv(C, relative)
        if want & ACCELERATION_LEVEL:  # Φ̈ = H⁻¹ d/dt(Cᵀ(ω_b − ω_C)) + ∂(H⁻¹ x)/∂ψ ψ̇
            turning = add(vec(now.a, 3), add(cross(w_a, spin), second))
            change = sub(sub(vec(now.a, 9), turning), cross(add(w_a, spin), relative))
            bent = mv(moment_slope(neg(psi), slow), mv(to_rate, slow))
            put(out.r, 12, sub(mv(to_rate, mtv(C, change)), bent))
        elif want & VELOCITY_LEVEL:
            put(out.r, 12, mv(to_rate, slow))
        else:
            put(out.r, 12, psi)
    if want & COMMIT:
        _remember(now.h, now, w)
    if want & OUTPUT:
        _tell(w, moment, psi, 3)
    if want & ENERGY:
        put_energies(w, 0.0, 0.0, 0.0, 0.0, -dot(moment, spin))
    return 0


@law(SprungRotation, history=AnglesReached, errors=ERRORS, scratch=OUT_SIZE + 15)
def sprung_rotation(want, p, now, out):
    """M = k ψ + d ψ̇"""
    w = out.w
    status, C, spin, _ = _target(p, now, w)
    if status != 0:
        return status
    psi = rotation_vector(mm(transpose(C), axes_b(now.R, p)))
    rate = mv(spin_to_rate(psi), mtv(C, sub(vec(now.v, 9), add(vec(now.v, 3), spin))))
    moment = mv(C, moment_of(psi, add(scale(p.stiffness, psi), scale(p.damping, rate))))
    if want & RESIDUAL:
        put(out.r, 3, neg(moment))
        put(out.r, 9, moment)
    if want & COMMIT:
        _remember(now.h, now, w)
    if want & OUTPUT:
        _tell(w, moment, mv(C, psi), 4)
    if want & ENERGY:
        lost = p.damping * dot(rate, rate)
        put_energies(w, 0.0, 0.0, 0.5 * p.stiffness * dot(psi, psi), lost, -dot(moment, spin))
    return 0
