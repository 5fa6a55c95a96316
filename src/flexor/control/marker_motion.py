"""How a marker moves as seen from another one: what sensors of position, velocity and acceleration read.

    d = R_Aᵀ (x_B − x_A),   ḋ = R_Aᵀ (v_B − v_A − ω_A × (x_B − x_A)),   d̈ likewise
    R_AB = R_Aᵀ R_B,        ω = R_Aᵀ (ω_B − ω_A),                        ω̇ = R_Aᵀ (α_B − α_A − ω_A × ω_B)

in the axes of A, whose motion is taken away: what an observer who stands there sees. Seen from the ground these are the global
position, velocity and acceleration.
"""

from __future__ import annotations

import numpy as np

from flexor.bodies.marker import Site
from flexor.coordinates.frames import Frame, arm_a, arm_b, axes_a, axes_b, packed
from flexor.law import OUTPUT, Term, law
from flexor.law.dual import asin, atan2
from flexor.law.record import Record, nested
from flexor.law.tuples import add, cross, mm, mtv, scale, store, sub, transpose, vec

AXES = "xyz"
SIGNALS = (
    *((f"position_{i}", "m") for i in AXES),
    *((f"velocity_{i}", "m/s") for i in AXES),
    *((f"acceleration_{i}", "m/s²") for i in AXES),
    *((f"angular_velocity_{i}", "rad/s") for i in AXES),
    *((f"angular_acceleration_{i}", "rad/s²") for i in AXES),
    *((f"euler_zyx_{i}", "rad") for i in (1, 2, 3)),
)
NUMBER = {name: i for i, (name, _) in enumerate(SIGNALS)}
"""Of each signal."""


class Seen(Record):
    """Parameters of the law."""

    a = nested(Frame, "the observer")
    b = nested(Frame, "the marker that is looked at")


def seen(p, now, w):
    """The signals."""
    s_a, s_b = arm_a(now.R, p), arm_b(now.R, p)
    A, B = axes_a(now.R, p), axes_b(now.R, p)
    w_a, w_b, al_a, al_b = vec(now.v, 3), vec(now.v, 9), vec(now.a, 3), vec(now.a, 9)
    d = sub(add(vec(now.x, 3), s_b), add(vec(now.x, 0), s_a))
    v = sub(add(vec(now.v, 6), cross(w_b, s_b)), add(vec(now.v, 0), cross(w_a, s_a)))
    a_b = add(vec(now.a, 6), add(cross(al_b, s_b), cross(w_b, cross(w_b, s_b))))
    a_a = add(vec(now.a, 0), add(cross(al_a, s_a), cross(w_a, cross(w_a, s_a))))
    rate = sub(v, cross(w_a, d))
    second = sub(sub(a_b, a_a), add(cross(al_a, d), add(scale(2.0, cross(w_a, rate)), cross(w_a, cross(w_a, d)))))
    store(w, 0, mtv(A, d))
    store(w, 3, mtv(A, rate))
    store(w, 6, mtv(A, second))
    store(w, 9, mtv(A, sub(w_b, w_a)))
    store(w, 12, mtv(A, sub(sub(al_b, al_a), cross(w_a, w_b))))
    Q = mm(transpose(A), B)  # R_z(φ) R_y(θ) R_x(ψ)
    w[15] = atan2(Q[3], Q[0])
    w[16] = asin(min(max(-Q[6], -1.0), 1.0))
    w[17] = atan2(Q[7], Q[8])
    return 0


@law(Seen, outputs=SIGNALS, scratch=len(SIGNALS), signals=seen)
def marker_motion(want, p, now, out):
    """It acts on nothing."""
    if want & OUTPUT:
        return seen(p, now, out.w)
    return 0


def seen_from(observer: Site, marker: Site) -> Term:
    """The term whose signals are the motion of a marker as seen from an observer."""
    return Term(
        "", marker_motion, (observer.node, marker.node), parameters=Seen.pack(a=packed(observer), b=packed(marker))
    )


GROUND_SITE = Site(0, np.zeros(3), np.eye(3))
