"""A stiff spring-damper in the place of a constraint on a coordinate: a penalty for leaving the prescribed motion.   FTG 7.7.4

Q = k (q − u(t)) + d (q̇ − u̇(t)),   r = Q ∇q

or, where u is what sensors and blocks tell, whose rates nobody knows,   Q = k (q − u(y)) + d q̇.
"""

from __future__ import annotations

from flexor.coordinates.constraint import ConstraintOn, Reached, prescribed
from flexor.coordinates.frames import Frame
from flexor.coordinates.length import SHORT
from flexor.coordinates.measure import LENGTH, Measure, add_gradient, turns, value_and_rate, wrap
from flexor.coordinates.rotation import BEYOND, HALF_TURN, half_turned
from flexor.functions import ERRORS, OUT_SIZE
from flexor.functions.call import Argued, drive
from flexor.law import COMMIT, ENERGY, OUTPUT, RESIDUAL, law
from flexor.law.face import put_energies
from flexor.law.record import Record, nested, number


class PenaltyOn(ConstraintOn):
    """Parameters of the law: those of the constraint in whose place it stands, and how stiff it is."""

    stiffness = number("k", "N/m or N m/rad")
    damping = number("d", "N s/m or N m s/rad")


@law(
    PenaltyOn,
    history=Reached,
    errors={1: "its ends coincide; it has no direction", **BEYOND, **ERRORS},
    outputs=(("force", "N"), ("power", "W"), ("target", "m"), ("error", "m")),
    scratch=OUT_SIZE,
)
def penalty_on(want, p, now, out):
    """r = [k (q − u) + d (q̇ − u̇)] ∇q"""
    w = out.w
    status, u, u_dot, _ = prescribed(p, now.h, now.t, w)
    if status != 0:
        return status
    q, q_dot = value_and_rate(p.m, p, now)
    if p.m.kind == LENGTH and q < SHORT:
        return 1
    if half_turned(p.m, p, now):
        return HALF_TURN
    error = wrap(q - u) if turns(p.m) else q - u
    error_rate = q_dot - u_dot
    effort = p.stiffness * error + p.damping * error_rate
    if want & RESIDUAL:
        add_gradient(p.m, p, now, effort, out.r)
    if want & COMMIT:
        now.h.value = u
        now.h.time = now.t
    if want & OUTPUT:
        w[0] = -effort
        w[1] = -effort * u_dot
        w[2] = u
        w[3] = error
    if want & ENERGY:
        # −Q q̇ = −dU/dt − d ė² − Q u̇
        put_energies(
            w, 0.0, 0.0, 0.5 * p.stiffness * error * error, p.damping * error_rate * error_rate, -effort * u_dot
        )
    return 0


class PenaltyByReading(Record):
    """Parameters of the law that follows a reading."""

    m = nested(Measure, "what is measured")
    a = nested(Frame, "marker A")
    b = nested(Frame, "marker B")
    target = nested(Argued, "u")
    stiffness = number("k", "N/m or N m/rad")
    damping = number("d", "N s/m or N m s/rad")


@law(
    PenaltyByReading,
    errors={1: "its ends coincide; it has no direction", **BEYOND, **ERRORS},
    outputs=(("force", "N"), ("power", "W"), ("target", "m"), ("error", "m")),
    scratch=OUT_SIZE,
)
def penalty_by_reading(want, p, now, out):
    """r = [k (q − u) + d q̇] ∇q; an actuator, whose whole power comes from outside"""
    w = out.w
    status = drive(p.target, now, w)
    if status != 0:
        return status
    u = w[0]
    q, q_dot = value_and_rate(p.m, p, now)
    if p.m.kind == LENGTH and q < SHORT:
        return 1
    if half_turned(p.m, p, now):
        return HALF_TURN
    error = wrap(q - u) if turns(p.m) else q - u
    effort = p.stiffness * error + p.damping * q_dot
    if want & RESIDUAL:
        add_gradient(p.m, p, now, effort, out.r)
    if want & OUTPUT:
        w[0], w[1], w[2], w[3] = -effort, -effort * q_dot, u, error
    if want & ENERGY:
        put_energies(w, 0.0, 0.0, 0.0, 0.0, -effort * q_dot)
    return 0
