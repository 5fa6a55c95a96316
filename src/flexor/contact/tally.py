"""What the pairs of many surfaces do together."""

from __future__ import annotations

from flexor.law.record import Record, number

TALLY_SIGNALS = (
    ("normal_force", "N"),
    ("friction_force", "N"),
    ("touching", ""),
    ("sticking", ""),
    ("depth", "m"),
    ("deepest", "m"),
    ("power", "W"),
    ("unseen", "m"),
)


class Tally(Record):
    """History of an item with many pairs: sums over all of them at the end of the last step."""

    normal_force = number("sum of the normal forces", "N")
    friction_force = number("sum of the amounts of friction", "N")
    touching = number("pairs that touch")
    sticking = number("those of them that stick")
    depth = number("deepest overlap now", "m")
    deepest = number("deepest overlap so far", "m")
    power = number("that is lost", "W")
    unseen = number("deepest overlap so far that no pair sees", "m")
    stored = number("elastic energy", "J")
    loss = number("energy that was lost since energies were added up", "J")
