"""Friction on a joint variable, with true sticking.   FTG 6.5

    Q = L(q̇, F_e) · sat(ξ) + c q̇,      ξ = (q − z + τ q̇)/ε,      sat(ξ) = ξ where |ξ| ≤ 1, else ±1
    L = ρ [F₀ + μ F_e (1 + S e^{−(v/v_s)²})],   v = the fastest |q̇| since it last stuck or turned round     FTG (6.41)

While it sticks the asperities stand at z and bend by at most the micro-slip ε; nothing creeps, however long it lasts. Where it slips
they are dragged along: at the end of a step z is where ξ = ±1. The larger static friction returns only with the next standstill or
reversal (hysteresis of Stribeck's curve). F_e comes from the reactions of the joint itself, as they are, not from the last step:

    radial     F_e = √(Fᵢ² + Fⱼ²)                                                     FTG (6.47), (6.48)
    bearing    two bearings at ± a/2 on the axis z:  F_e = Σ |F_r| + Y |F_z|           FTG (6.42)–(6.46)
    guide      with a key at radius R:  F_e = √(Fⱼ² + (Fᵢ − M/R)²) + Y |M|/R           FTG (6.49)–(6.51)

(FTG (6.42), (6.43) print the same sign for M_x as for M_y; z eᵧ × … gives F_y ± M_x/a where F_x ∓ M_y/a stands.)
"""

from __future__ import annotations

from flexor.coordinates.measure import Measure, add_gradient
from flexor.joints.pose_constraint import PoseConstraint, count_joint_turns, joint_signals
from flexor.law import COMMIT, ENERGY, OUTPUT, RESIDUAL, law
from flexor.law.dual import exp, sqrt
from flexor.law.face import put_energies
from flexor.law.record import Record, integer, nested, number, numbers

GIVEN, RADIAL, BEARING, GUIDE = range(4)
NO_LOAD = 1e-9
"""Forces below are no load [N]: the root of a sum of squares has no derivative at zero."""


class JointFriction(Record):
    """Parameters of the law."""

    joint = nested(PoseConstraint, "the joint")
    which = integer("number of its variable")
    axis = integer("axis of the joint's frame along or about which it slides")
    load = integer("GIVEN, RADIAL, BEARING or GUIDE: where F_e comes from")
    normal = number("F_e, where it is given", "N")
    coefficient = number("μ")
    prestress = number("F₀", "N")
    stribeck = number("S: static friction is 1 + S times that of fast sliding")
    slip_speed = number("v_s", "m/s or rad/s")
    viscous = number("c", "N s/m or N m s/rad")
    arm = number("ρ: 1, or the radius at which it acts", "1 or m")
    span = number("a: distance of the bearings", "m")
    radius = number("R: of the key", "m")
    factor = number("Y: of the axial load, or of the key's")
    slip = number("ε: micro-slip", "m or rad")
    settling = number("τ", "s")


class Stuck(Record):
    """Its history."""

    q = numbers(3, "angles at the end of the last step, which count turns", "rad")
    place = number("z", "m or rad")
    fast = number("the fastest since it last stuck or turned round", "m/s or rad/s")


def _equivalent_load(p, w, o):
    """F_e from the reactions in w[o …]"""
    if p.load == GIVEN:
        return p.normal + 0.0 * w[o]
    i, j = (p.axis + 1) % 3, (p.axis + 2) % 3
    F_i, F_j, F_k = w[o + i], w[o + j], w[o + p.axis]
    if p.load == RADIAL:
        return sqrt(F_i * F_i + F_j * F_j + NO_LOAD * NO_LOAD)
    M_i, M_j, M_k = w[o + 3 + i], w[o + 3 + j], w[o + 3 + p.axis]
    if p.load == BEARING:
        x, y = M_j / p.span, -M_i / p.span
        first = sqrt((0.5 * F_i - x) ** 2 + (0.5 * F_j - y) ** 2 + NO_LOAD * NO_LOAD)
        second = sqrt((0.5 * F_i + x) ** 2 + (0.5 * F_j + y) ** 2 + NO_LOAD * NO_LOAD)
        return first + second + p.factor * abs(F_k)
    key = M_k / p.radius
    return sqrt(F_j * F_j + (F_i - key) ** 2 + NO_LOAD * NO_LOAD) + p.factor * abs(key)


@law(
    JointFriction,
    history=Stuck,
    outputs=(("force", "N"), ("limit", "N"), ("load", "N"), ("slip", ""), ("power", "W")),
    scratch=32,
    symmetric=False,
)
def joint_friction(want, p, now, out):
    """r = Q ∇q"""
    w = out.w
    status = joint_signals(p.joint, now, w)
    if status != 0:
        return status
    o = 2 * p.joint.n_variables
    q, rate = w[2 * p.which], w[2 * p.which + 1]
    load = _equivalent_load(p, w, o)
    speed = max(abs(rate), now.h.fast)
    limit = p.arm * (p.prestress + p.coefficient * load * (1.0 + p.stribeck * exp(-((speed / p.slip_speed) ** 2))))
    bent = (q - now.h.place + p.settling * rate) / p.slip
    held = min(max(bent, -1.0), 1.0)
    dry = limit * held
    if want & RESIDUAL:
        m = Measure(p.joint.measures, p.which)
        add_gradient(m, p.joint, now, dry + p.viscous * rate, out.r)
    if want & COMMIT:
        slipping = abs(bent) >= 1.0
        if slipping:
            now.h.place = q + p.settling * rate - p.slip * held
        now.h.fast = speed if slipping and held * rate > 0.0 else 0.0
        return count_joint_turns(p.joint, now, w)
    if want & OUTPUT:
        w[0] = -(dry + p.viscous * rate)
        w[1] = limit
        w[2] = load
        w[3] = held
        w[4] = (dry + p.viscous * rate) * rate
    if want & ENERGY:
        put_energies(w, 0.0, 0.0, 0.0, (dry + p.viscous * rate) * rate, 0.0)
    return 0
