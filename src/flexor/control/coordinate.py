"""How a scalar coordinate moves: the variable of a joint that is enforced by elimination, a component mode."""

from __future__ import annotations

from flexor.law import OUTPUT, Term, law
from flexor.law.law import Output
from flexor.law.record import Record, integer

KINDS = ("", "_rate", "_acceleration")
"""What follows the name of the coordinate in the names of its signals."""


class CoordinateMotion(Record):
    """Parameters of the law."""

    which = integer("number of the coordinate among the term's")


def moving(p, now, w):
    """Value, rate and second rate."""
    for i in range(3):
        w[i] = now.s[3 * p.which + i]
    return 0


@law(CoordinateMotion, outputs=tuple((f"value{kind}", "") for kind in KINDS), scratch=3, signals=moving)
def coordinate_motion(want, p, now, out):
    """It acts on nothing."""
    if want & OUTPUT:
        return moving(p, now, out.w)
    return 0


def motion_of_coordinate(scalar: int, unit: str) -> Term:
    """The term whose signals are the motion of a scalar, by its number."""
    units = (unit, f"{unit}/s", f"{unit}/s²") if unit else ("", "1/s", "1/s²")
    return Term(
        "",
        coordinate_motion,
        scalars=(scalar,),
        parameters=CoordinateMotion.pack(which=0),
        own_outputs=tuple(Output(f"value{kind}", of) for kind, of in zip(KINDS, units, strict=True)),
    )
