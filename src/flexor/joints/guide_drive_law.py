"""What acts along a guide beside the guide itself: springs of every kind, and motors, by a constraint or a stiff spring.

    r = Q ∇s   (`flexor.coordinates.details`);   Φ = s − u(t)   (`flexor.coordinates.constraint`);   Q = k (s − u) + d (ṡ − u̇)

s is the foot of B on the line, see `flexor.coordinates.guide`; matrices come from dual numbers.
"""

from __future__ import annotations

from dataclasses import replace

from flexor.coordinates.constraint import prescribed
from flexor.coordinates.details import ERRORS_OF_SPRINGS, SIGNALS, Past, SpringRecord, spring_law
from flexor.coordinates.guide import GuideLine, along_line, push_along_line, rate_along_line, second_rate_along_line
from flexor.functions import ERRORS, OUT_SIZE
from flexor.functions.call import Call
from flexor.joints.guide_law import OnLine
from flexor.law import ACCELERATION_LEVEL, COMMIT, ENERGY, OUTPUT, RESIDUAL, VELOCITY_LEVEL, law
from flexor.law.face import put_energies
from flexor.law.law import by_duals
from flexor.law.record import Record, integer, nested, number


class SpringOnGuide(SpringRecord):
    """A spring along a guide."""

    line = nested(GuideLine, "the line and B")


class PastOnGuide(Past):
    """Its history."""

    s = number("where the foot was at the end of the last step", "m")


class DriveOnGuide(Record):
    """A motor along a guide."""

    line = nested(GuideLine, "the line and B")
    given = integer("POSITION, SPEED or ACCELERATION: what the function prescribes")
    motion = nested(Call, "that, over time; with its integral if it is not the position")
    start = number("u(0)", "m")
    start_rate = number("u̇(0)", "m/s")
    stiffness = number("k of the spring in the place of the constraint", "N/m")
    damping = number("d of the damper beside it", "N s/m")


def _moving(p, now):
    """The foot and its motion."""
    foot = along_line(p.line, now, now.h.s)
    _s, place, T, _C, _third, e, D, arm = foot
    return foot, rate_along_line(p.line, now, place, T, e, D, arm)


def _locate(want, p, now):
    foot, moving = _moving(p, now)
    return 0, foot[0], moving[0], foot


def _push(p, now, found, effort, r):
    push_along_line(p.line, now, found[3], effort, r)


def _remember(now, found):
    now.h.s = found[1]


def _no_matrix(p, now, out, effort, by_q, by_rate):
    """It is made by dual numbers."""


spring_on_guide = by_duals(
    law(
        SpringOnGuide,
        tangent="own",
        history=PastOnGuide,
        errors=ERRORS_OF_SPRINGS,
        outputs=SIGNALS,
        scratch=OUT_SIZE + 24,
    )(spring_law("spring_on_guide", _locate, _push, _remember, _no_matrix))
)
breaking_spring_on_guide = replace(spring_on_guide, transitions=True)
"""The same of a spring that may fail."""


@law(
    DriveOnGuide,
    history=OnLine,
    errors=ERRORS,
    outputs=(("force", "N"), ("power", "W"), ("target", "m")),
    scratch=OUT_SIZE,
)
def drive_on_guide(want, p, now, out):
    """Φ = s − u(t)"""
    w = out.w
    status, u, u_dot, u_ddot = prescribed(p, now.h, now.t, w)
    if status != 0:
        return status
    foot, moving = _moving(p, now)
    effort = now.lam[0]
    if want & RESIDUAL:
        push_along_line(p.line, now, foot, effort, out.r)
        row = 6 * now.n.nodes
        if want & ACCELERATION_LEVEL:
            out.r[row] = second_rate_along_line(p.line, now, foot, moving)[0] - u_ddot
        elif want & VELOCITY_LEVEL:
            out.r[row] = moving[0] - u_dot
        else:
            out.r[row] = foot[0] - u
    if want & COMMIT:
        now.h.s = foot[0]
        now.h.value, now.h.time = u, now.t
    if want & OUTPUT:
        w[0] = -effort
        w[1] = -effort * u_dot
        w[2] = u
    if want & ENERGY:
        put_energies(w, 0.0, 0.0, 0.0, 0.0, -effort * u_dot)
    return 0


@law(
    DriveOnGuide,
    history=OnLine,
    errors=ERRORS,
    outputs=(("force", "N"), ("power", "W"), ("target", "m"), ("error", "m")),
    scratch=OUT_SIZE,
)
def penalty_on_guide(want, p, now, out):
    """r = [k (s − u) + d (ṡ − u̇)] ∇s, as `flexor.coordinates.penalty`"""
    w = out.w
    status, u, u_dot, _ = prescribed(p, now.h, now.t, w)
    if status != 0:
        return status
    foot, moving = _moving(p, now)
    error, error_rate = foot[0] - u, moving[0] - u_dot
    effort = p.stiffness * error + p.damping * error_rate
    if want & RESIDUAL:
        push_along_line(p.line, now, foot, effort, out.r)
    if want & COMMIT:
        now.h.s = foot[0]
        now.h.value, now.h.time = u, now.t
    if want & OUTPUT:
        w[0] = -effort
        w[1] = -effort * u_dot
        w[2] = u
        w[3] = error
    if want & ENERGY:
        strain = 0.5 * p.stiffness * error * error
        put_energies(w, 0.0, 0.0, strain, p.damping * error_rate * error_rate, -effort * u_dot)
    return 0
