"""Normal force along a line that two surfaces share: of the nearest place, with the depth δ, and of both ends of the line, with δ_1 and δ_2, none of which is deeper.

The stored energy is that of two places with the whole law, the nearest one and what the ends add to it:

    V = E(δ) + E(δ_1 δ_2/δ),     N_0 = N(δ) − ρ_1 ρ_2 N_e,   N_1 = ρ_2 N_e,   N_2 = ρ_1 N_e,     N_e = N(δ_1 δ_2/δ),  ρ = δ_1/δ, δ_2/δ

    crossed    δ_1 = 0 or δ_2 = 0:     the nearest place alone,  V = E(δ)
    tilted     δ_1 = δ, at one place:  N_0 + N_1 = N(δ_1) there and N_2 = N(δ_2) at the other end,  V = E(δ_1) + E(δ_2)
    parallel   δ_1 = δ_2 = δ:          N_0 = 0, so that it does not matter where that place is

Forces are the derivatives of V, never negative, and have no jump from one of these to another.
"""

from __future__ import annotations

from flexor.contact.laws.normal import elastic_energy, elastic_force


def share_of_line(p, g, g_1, g_2, place):
    """(normal force, stored energy) of one of the three places, by the gaps of all"""
    zero = 0.0 * g
    deep = max(max(-g, -g_1), -g_2)
    if deep <= 0.0:
        return zero, zero
    r_1, r_2 = max(-g_1, zero) / deep, max(-g_2, zero) / deep
    both = r_1 * r_2
    others = elastic_force(p, both * deep)
    if place == 0:
        return elastic_force(p, deep) - both * others, elastic_energy(p, deep)
    return (r_2 if place == 1 else r_1) * others, 0.5 * elastic_energy(p, both * deep)
