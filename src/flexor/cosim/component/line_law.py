"""The end of a transmission line as a law of the engine: a force at a marker that depends on its velocity and on the arriving wave.

    f = w(t) − Z v,     m = A w_r(t) − Z_r ω        A: axes of the marker, NAK (23-1)

It is part of Newton's iteration, with its exact matrix, for any trial step: nothing of it is told to others. What a finished step ends
with is kept in the law's history, which the engine commits once per step.
"""

from __future__ import annotations

from flexor.coordinates.frames import Frame
from flexor.law import COMMIT, ENERGY, OUTPUT, RESIDUAL, law
from flexor.law.face import put_energies
from flexor.law.record import Record, integer, nested, number, numbers
from flexor.law.tuples import add, cross, dot, mat, mm, mv, neg, put, scale, store, store_mat, sub, vec

KEPT = 16
"""Points of time at which the arriving wave is given, within a step."""


class Arriving(Record):
    """Parameters: filled anew before every step."""

    which = integer("which interface it is: records of different ones differ")
    count = integer("how many points of the wave there are")
    impedance = number("Zf", "N s/m")
    rotary = number("Zfr", "N m s/rad")
    times = numbers(KEPT, "when it arrives, increasing", "s")
    waves = numbers(6 * KEPT, "forces in global axes, torques in axes of the marker", "N, N m")
    a = nested(Frame, "the marker")


class Told(Record):
    """Motion of the marker at the end of a finished step."""

    x = numbers(3, "position", "m")
    R = numbers(9, "axes, row by row")
    v = numbers(3, "velocity", "m/s")
    omega = numbers(3, "angular velocity", "rad/s")


def _wave(p, t, part):
    """The wave that arrives at a time; part 0: forces, 3: torques."""
    last = p.count - 1
    i = 0
    while i < last - 1 and t > p.times[i + 1]:
        i += 1
    first = vec(p.waves, 6 * i + part)
    if last == 0:
        return first
    x = (t - p.times[i]) / (p.times[i + 1] - p.times[i])
    return add(first, scale(x, sub(vec(p.waves, 6 * (i + 1) + part), first)))


@law(
    Arriving,
    history=Told,
    outputs=(
        ("force_x", "N"), ("force_y", "N"), ("force_z", "N"),
        ("torque_x", "N m"), ("torque_y", "N m"), ("torque_z", "N m"), ("power", "W"),
    ),
)  # fmt: skip
def line_end(want, p, now, out):
    """r −= (f, s × f + m)"""
    R = mat(now.R, 0)
    s = mv(R, vec(p.a.p, 0))
    axes = mm(R, mat(p.a.R, 0))
    omega = vec(now.v, 3)
    v = add(vec(now.v, 0), cross(omega, s))
    if want & COMMIT:
        store(now.h.x, 0, add(vec(now.x, 0), s))
        store_mat(now.h.R, 0, axes)
        store(now.h.v, 0, v)
        store(now.h.omega, 0, omega)
        return 0
    f = sub(_wave(p, now.t, 0), scale(p.impedance, v))
    m = sub(mv(axes, _wave(p, now.t, 3)), scale(p.rotary, omega))
    if want & RESIDUAL:
        put(out.r, 0, neg(f))
        put(out.r, 3, neg(add(cross(s, f), m)))
    power = dot(f, v) + dot(m, omega)
    if want & ENERGY:
        put_energies(out.w, 0.0, 0.0, 0.0, 0.0, power)
    if want & OUTPUT:
        store(out.w, 0, f)
        store(out.w, 3, m)
        out.w[6] = power
    return 0
