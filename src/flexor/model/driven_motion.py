"""The check of prescribed motion: where it jumps or has a corner, the force that it takes is infinite."""

from __future__ import annotations

from collections.abc import Sequence

from flexor.declaration import Item
from flexor.functions.kinks import kinks, without_kinks
from flexor.model.report import Findings


def check_driven_motion(found: Findings, sound: Sequence[tuple[int, Item]]) -> None:
    """Positions without jumps and corners, speeds without jumps."""
    for number, item in sound:
        for field, order in item.prescribes.items():
            _check(found, number, item, field, order)


def _check(found: Findings, number: int, item: Item, field: str, order: int) -> None:
    function = getattr(item, field)
    if function is None or not (all_kinks := kinks(function, order=order)):
        return
    first = all_kinks[0]
    more = f" (and {len(all_kinks) - 1} more)" if len(all_kinks) > 1 else ""
    of = "its rate jumps" if first.order else "it jumps"
    what = f"{field} has a {'corner' if first.order else 'jump'} at t = {first.x:g} s{more}: {of} by {first.by:.4g}"
    reached = "velocity" if first.order or field == "speed" else "position"
    why = f"a {reached} that changes in no time takes an infinite force, which only grows with a shorter step"
    found.warning(number, what, why, without_kinks(function, first), field, since=first.x)
