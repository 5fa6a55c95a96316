"""Spring and damper characteristics: force as a function of deflection and of velocity.   FTG 5.1, 5.2

F(δ, v) = k δ + f(δ) + d v + g(v)        force functions ("implicit" in FTG (5.2), (5.20))
"""

from __future__ import annotations

from typing import Any

from flexor.law import ENERGY, OUTPUT
from flexor.law.parameters import Parameters
from flexor.law.primitives import at, call_function

FORCE, FORCE_WITH_ENERGY, DAMPER, FREE = 0, 2, 4, 6
CHARACTERISTIC_INTS = 8
"""k: force function (2), the same with its integral (2), damping function (2), free value function (2)."""


def pack(packed: Parameters, stiffness: float, damping: float, force: Any, damper: Any, free: Any) -> Parameters:
    """Append the parameters that `characteristic` and `free_value` read: eight integers, two floats."""
    packed.function(force).function(force, integral=True).function(damper).function(free)
    return packed.numbers(stiffness, damping)


def idle(spring: Any) -> list[tuple[str, str, str, str]]:
    """What a spring is given that has no effect: (what, why, fix, field)."""

    def nothing(function: Any) -> bool:
        return function is None or getattr(function, "value", None) == 0.0

    found = []
    slack = not spring.stiffness and nothing(spring.force)
    if slack and not spring.damping and nothing(spring.damper):
        what = "it exerts no force"
        found.append(
            (what, "stiffness, damping, force and damper are zero", "give one of them or remove the spring", "")
        )
    elif slack:
        fields = type(spring).model_fields
        for field in ("free", "free_length"):
            if field in fields and getattr(spring, field) != fields[field].default:
                found.append((f"{field} has no effect", "there is neither stiffness nor force", "leave it out", field))
    return found


def free_value(k, p, t, w):
    """(status, stress-free length or angle, its rate) at time t"""
    status = call_function(k[FREE], at(p, k[FREE + 1]), t, w)
    return status, w[0], w[1]


def characteristic(want, k, p, po, deflection, rate, w):
    """(status, elastic force, its slope, strain energy, damping force, its slope); w needs OUT_SIZE floats.

    The strain energy is right only under OUTPUT and ENERGY: the integral of a function may cost a quadrature.
    """
    stiffness = p[po]
    damping = p[po + 1]
    elastic = stiffness * deflection
    slope = stiffness
    energy = 0.5 * stiffness * deflection * deflection  # FTG (9.5)
    viscous = damping * rate
    viscous_slope = damping
    status = 0
    if k[FORCE] != 0:
        o = FORCE_WITH_ENERGY if want & (OUTPUT | ENERGY) else FORCE
        status = call_function(k[o], at(p, k[o + 1]), deflection, w)
        elastic += w[0]
        slope += w[1]
        energy += w[3]
    if k[DAMPER] != 0 and status == 0:
        status = call_function(k[DAMPER], at(p, k[DAMPER + 1]), rate, w)
        viscous += w[0]
        viscous_slope += w[1]
    return status, elastic, slope, energy, viscous, viscous_slope
