"""What is probably not meant in a beam."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from flexor.bodies.beam.section_stiffness import SectionProperties
from flexor.effects import Doubt


class Sections(Protocol):
    """What is asked of a beam."""

    @property
    def properties(self) -> tuple[SectionProperties, ...]: ...
    @property
    def profiles(self) -> tuple[tuple[object, object | None], ...]: ...


def weightless(beam: Sections, gravity: Sequence[float]) -> list[Doubt]:
    """Gravity does not load it because it has no mass."""
    if not any(gravity) or all(p.mass > 0 for p in beam.properties):
        return []
    profile = any(p.mass == 0 and material for p, (_, material) in zip(beam.properties, beam.profiles))
    part = "it has" if not any(p.mass for p in beam.properties) else "some of it has"
    what = f"{part} no mass: {'its material has no density' if profile else 'its section is given without mass'}"
    fix = "give one, e.g. density: 2700 or material: steel" if profile else "give the section a mass per length"
    return [Doubt(what, "gravity does not bend it", fix, "material" if profile else "section")]


def stout(beam: Sections, length: float, field: str) -> list[Doubt]:
    """It is thicker than long, as with sizes in millimetres without a unit."""
    # i = √(EI/EA); a circle is 4 i across, a rectangle √12 i
    across = max(4 * float(np.sqrt(p.compliance[0, 0] / p.compliance.diagonal()[4:].min())) for p in beam.properties)
    if across <= length:
        return []
    what = f"its section is about {across:.3g} m across, the beam is {length:.3g} m long"
    return [Doubt(what, "beam theory is for slender parts", "check the units of its sizes, e.g. radius: 20 mm", field)]
