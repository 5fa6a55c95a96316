"""A coordinate that is not unknown at all: a given function of time, by which a node follows another.   FTG 7.7.4

The motion itself is evaluated where followers are (`flexor.engine.followers`); the laws here contribute nothing to the equations. They
remember how far it has come and tell what it takes: the effort that the joint transmits along the coordinate, which the engine leaves
in their history, and the power that it puts in.
"""

from __future__ import annotations

from flexor.coordinates.constraint import Course, Reached, prescribed
from flexor.functions import ERRORS, OUT_SIZE
from flexor.law import COMMIT, ENERGY, OUTPUT, law
from flexor.law.face import put_energies
from flexor.law.record import number


class DrivenPast(Reached):
    """History of the law."""

    effort = number("exerted along the coordinate, at the end of the last step", "N or N m")


@law(
    Course,
    history=DrivenPast,
    errors=ERRORS,
    outputs=(("force", "N"), ("power", "W"), ("target", "m")),
    scratch=OUT_SIZE,
    tangent="own",
)
def driven_coordinate(want, p, now, out):
    """u(t), and what it takes"""
    w = out.w
    status, u, u_dot, _ = prescribed(p, now.h, now.t, w)
    if status != 0:
        return status
    effort = now.h.effort
    if want & COMMIT:
        now.h.time, now.h.value = now.t, u
    if want & OUTPUT:
        w[0], w[1], w[2] = effort, effort * u_dot, u
    if want & ENERGY:
        put_energies(w, 0.0, 0.0, 0.0, 0.0, effort * u_dot)
    return 0


@law(
    Course,
    history=Reached,
    errors=ERRORS,
    outputs=(("value", "m"), ("rate", "m/s"), ("second", "m/s²")),
    scratch=OUT_SIZE,
    tangent="own",
)
def driven_variable(want, p, now, out):
    """u, u̇, ü as signals of the joint whose variable it is"""
    if want & ENERGY:
        return 0
    status, u, u_dot, u_ddot = prescribed(p, now.h, now.t, out.w)
    if want & COMMIT:
        now.h.time, now.h.value = now.t, u
    if want & OUTPUT:
        out.w[0], out.w[1], out.w[2] = u, u_dot, u_ddot
    return status
