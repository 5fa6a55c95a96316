"""How much friction a joint can exert: viscous, Coulomb, prestress, Stribeck, and the load that presses its surfaces together.

    L(v) = F₀ + ρ μ F_e (1 + S e^{−(v/v_s)^δ})                                          FTG (6.38)–(6.41)
    Q    = ± L + c q̇                                                                    FTG (6.37), (6.41)

F_e is given, or comes from the force f and the torque m that the joint itself transmits, as they are at the same instant; u is the axis
along or about which it slides, f⊥ = f − (f·u) u:

    radial     F_e = |f⊥|                                                               FTG (6.47), (6.48)
    bearing    two bearings at ± a/2 along u:  F_e = |f⊥/2 − m×u/a| + |f⊥/2 + m×u/a| + Y |f·u|     FTG (6.42)–(6.46)
    axial      a thrust bearing:               F_e = |f·u|                                         FTG (6.45)
    guide      with a key at the radius R:     F_e = √(f_y² + (f_x − m·u/R)²) + Y |m·u|/R          FTG (6.49)–(6.51)

(FTG (6.42), (6.43) print M_x with the sign of M_y; m × u has opposite ones. FTG writes F_z and M_z/R without bars, which would let
friction fall below zero.)
"""

from __future__ import annotations

from flexor.coordinates.frames import Frame, axes_a, axes_b
from flexor.coordinates.measure import Measure
from flexor.functions.call import Argued, drive
from flexor.joints.pose_constraint import PoseConstraint, reaction
from flexor.law.dual import exp, sqrt
from flexor.law.record import Record, integer, nested, number
from flexor.law.tuples import add, column, cross, dot, neg, norm, scale, sub

GIVEN, RADIAL, BEARING, GUIDE, AXIAL = range(5)
"""Where F_e comes from."""
OF_A, OF_B, ACROSS = range(3)
"""Whose axis the variable slides along or turns about: that of marker A, of marker B, or the one perpendicular to both."""
NO_LOAD = 1e-20
"""Forces below are no load [N]: the root of a sum of squares has no derivative at zero."""
PARTED = 1e-6
"""Given loads may be below zero by this much, which is rounding [N]."""
NEGATIVE, NEGATIVE_LOAD = 61, 62
"""Status: the coefficient of friction is negative, or the load that is given."""


class Surfaces(Record):
    """What rubs, whatever it slides along: parameters that all laws of friction have."""

    load = integer("GIVEN, RADIAL, BEARING, GUIDE or AXIAL")
    normal = number("F_e, where it is given", "N")
    normal_by = nested(Argued, "the same as a function, if it is one")
    coefficient = number("μ")
    coefficient_by = nested(Argued, "the same as a function, if it is one")
    prestress = number("F₀", "N or N m")
    stribeck = number("S: static friction is 1 + S times that of fast sliding")
    slip_speed = number("v_s", "m/s or rad/s")
    exponent = number("δ")
    viscous = number("c", "N s/m or N m s/rad")
    arm = number("ρ: 1, or the radius at which it acts", "1 or m")
    span = number("a: distance of the bearings", "m")
    key = number("R: of the key", "m")
    factor = number("Y: of the axial load, or of the key's")
    shape = integer("TANH or RAMP, of the smooth law")
    smooth_speed = number("v_r: of the smooth law", "m/s or rad/s")
    stiffness = number("κ of the asperities, of the law with sticking", "N/m or N m/rad")
    secant = integer(
        "1: what yields in statics resists as if it were bound to where it stands, so that a search does not leap over that"
    )
    rest = number("speeds below count as none", "m/s or rad/s")
    faint = number("limits below count as none", "N or N m")


class Rubbing(Surfaces):
    """Friction on a variable of a joint."""

    m = nested(Measure, "the variable")
    a = nested(Frame, "marker A")
    b = nested(Frame, "marker B")
    single = integer("1: an angle about the only axis of its joint, whose rate is the spin")
    joint = nested(PoseConstraint, "the joint, whose reactions are the first that it reads")
    whose = integer("OF_A, OF_B or ACROSS")
    axis = integer("number of that axis, of A if across")
    other = integer("and that of B if across")


def size_of(a):
    """|a|, with a derivative everywhere"""
    return sqrt(dot(a, a) + NO_LOAD * NO_LOAD)


def load_of_joint(p, now):
    """F_e from the reactions of the joint, which are the first that it reads."""
    A, B = axes_a(now.R, p), axes_b(now.R, p)
    minus_f, m = reaction(p.joint, now.lam, A, B)
    f = neg(minus_f)
    if p.whose == OF_A:
        u = column(A, p.axis)
    elif p.whose == OF_B:
        u = column(B, p.axis)
    else:
        u = cross(column(A, p.axis), column(B, p.other))
        u = scale(1.0 / norm(u), u)
    along = dot(f, u)
    across = sub(f, scale(along, u))
    if p.load == RADIAL:
        return size_of(across)
    if p.load == AXIAL:
        return sqrt(along * along + NO_LOAD * NO_LOAD)
    if p.load == BEARING:
        half, couple = scale(0.5, across), scale(1.0 / p.span, cross(m, u))
        return size_of(sub(half, couple)) + size_of(add(half, couple)) + p.factor * abs(along)
    return load_with_key(p, across, dot(m, u), column(A, (p.axis + 1) % 3))


def load_with_key(p, across, torque, x):
    """F_e of a slide with a key; across: force across it, torque: about it, x: direction across it in which the key pushes."""
    on_key = torque / p.key
    return size_of(sub(across, scale(on_key, x))) + p.factor * abs(on_key)


def limit_of(p, now, speed, carried, w):
    """(status, L at a speed ≥ 0, its slope, F_e); carried: F_e unless that is given.   w needs OUT_SIZE floats."""
    coefficient, load = p.coefficient + 0.0 * speed, p.normal + 0.0 * speed
    status = 0
    if p.coefficient_by.call.address != 0:
        status = drive(p.coefficient_by, now, w)
        coefficient = w[0] + 0.0 * speed
        if coefficient < 0.0:
            status = NEGATIVE
    if p.load != GIVEN:
        load = carried + 0.0 * speed
    elif p.normal_by.call.address != 0 and status == 0:
        status = drive(p.normal_by, now, w)
        load = w[0] + 0.0 * speed
        if load < -PARTED:
            status = NEGATIVE_LOAD
        load = max(load, 0.0 * load)
    grip = p.arm * coefficient * load
    limit = p.prestress + grip
    slope = 0.0 * speed
    if p.slip_speed > 0.0:
        x = speed / p.slip_speed
        rise = grip * p.stribeck * exp(-(x**p.exponent))
        limit += rise
        slope = -rise * p.exponent * x ** (p.exponent - 1.0) / p.slip_speed
    return status, limit, slope, load
