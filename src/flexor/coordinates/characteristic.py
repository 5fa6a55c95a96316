"""What a spring and damper exerts along its coordinate, wherever that is: on a line, on a joint variable, on teeth.

    Q = k δ + f(δ) + d q̇ + g(q̇),   δ = q − q₀        FTG (5.2), (5.20)

positive where it pulls q back to q₀, which may be a function of time or of a sensor. A stiffness over the deflection or a damping
coefficient over the rate, FTG's explicit functions, enter by their integrals f and g (`flexor.functions.accumulated`).
What a spring may have beside this is in `flexor.coordinates.details`.
"""

from __future__ import annotations

from flexor.functions import Function
from flexor.functions.call import Argued, Call, Reads, evaluate, packed
from flexor.law import ENERGY, OUTPUT
from flexor.law.record import Packed, Record, nested, number


class Characteristic(Record):
    """Force as a function of deflection and rate."""

    stiffness = number("k", "N/m or N m/rad")
    damping = number("d", "N s/m or N m s/rad")
    force = nested(Call, "f of the deflection", "N or N m")
    force_with_energy = nested(Call, "the same with its integral, which may cost a quadrature")
    damper = nested(Call, "g of the rate", "N or N m")
    free = nested(Argued, "stress-free value q₀ over time, or by a reading", "m or rad")


def characteristic_of(
    stiffness: float,
    damping: float,
    force: Function | None,
    damper: Function | None,
    free: Function | None,
    by: Reads | None = None,
) -> Packed:
    """The characteristic with these declared functions; by: the sensors that the term depends on."""
    return Characteristic.pack(
        stiffness=stiffness,
        damping=damping,
        force=packed(force),
        force_with_energy=packed(force, integral=True),
        damper=packed(damper),
        free=(by or Reads()).drive(free),
    )


def effort_of(want, s, deflection, rate, w):
    """(status, elastic force, its slope, strain energy, damping force, its slope); w needs OUT_SIZE floats.

    The strain energy is right only under OUTPUT and ENERGY.
    """
    elastic = s.stiffness * deflection
    slope = s.stiffness
    energy = 0.5 * s.stiffness * deflection * deflection  # FTG (9.5)
    viscous = s.damping * rate
    viscous_slope = s.damping
    status = 0
    if s.force.address != 0:
        if want & (OUTPUT | ENERGY):
            status = evaluate(s.force_with_energy, deflection, w)
        else:
            status = evaluate(s.force, deflection, w)
        elastic += w[0]
        slope += w[1]
        energy += w[3]
    if s.damper.address != 0 and status == 0:
        status = evaluate(s.damper, rate, w)
        viscous += w[0]
        viscous_slope += w[1]
    return status, elastic, slope, energy, viscous, viscous_slope
