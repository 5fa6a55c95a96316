"""Numbers of a contact that are most likely written in another unit than they are read in."""

from __future__ import annotations

from typing import Any

from flexor.effects import Doubt

SOFTEST = 1e4
"""Modulus of elasticity below which a solid is softer than jelly [Pa]."""
ROUGHEST = 5.0
"""Coefficient of friction above which it is none of any pair of materials."""


def strange_numbers(law: Any, friction: Any) -> list[Doubt]:
    """Of the law of a contact and its friction, if it has any."""
    found = []
    moduli = [getattr(each, "young", None) for each in (getattr(law, "material", None), getattr(law, "other", None))]
    for E in moduli:
        if E is not None and 0 < E < SOFTEST:
            what, why = (
                f"a material of its law has E = {E:g} Pa",
                "a solid so soft would be a liquid: plain numbers are pascals",
            )
            found.append(Doubt(what, why, f'write "{E:g} GPa" if that is meant'))
    if friction is not None and friction.coefficient > ROUGHEST:
        what, why = (
            f"its friction is {friction.coefficient:g} times the normal force",
            "that of materials is below 2: it is a plain number, no angle",
        )
        found.append(Doubt(what, why, "give the tangent of the angle of friction"))
    return found
