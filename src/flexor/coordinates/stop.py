"""End stop: beyond a clearance a stiff, damped contact that never pulls.

    F = k pᵉ max(0, 1 + c ṗ),   p > 0 how deep it is pressed in        Hunt & Crossley 1975

The damping grows with the depth, so that the force begins and ends at zero.
"""

from __future__ import annotations

from flexor.law.record import Record, integer, number


class StopRecord(Record):
    """Parameters of a stop."""

    there = integer("1: there is one")
    at = number("where it begins", "m or rad")
    stiffness = number("k", "N/mᵉ or N m/radᵉ")
    exponent = number("e")
    dissipation = number("c", "s/m or s/rad")


def pressed(s, depth, rate):
    """(elastic force, its slope, energy, damping force, its slopes by depth and by rate); nothing above the surface"""
    if s.there == 0 or depth <= 0.0:
        none = 0.0 * depth * rate
        return none, none, none, none, none, none
    force = s.stiffness * depth**s.exponent
    slope = s.exponent * force / depth
    factor = max(s.dissipation * rate, -1.0)
    by_rate = s.dissipation * force if s.dissipation * rate > -1.0 else 0.0 * force
    return force, slope, force * depth / (s.exponent + 1.0), factor * force, factor * slope, by_rate
