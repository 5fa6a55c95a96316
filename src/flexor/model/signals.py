"""Where the signals come from that sensors read: a term of an item, or the motion of a marker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flexor.bodies import MarkerRef
from flexor.control.marker_motion import GROUND_SITE, NUMBER, seen_from
from flexor.errors import ModelError, Problem
from flexor.law import Term
from flexor.mistakes import suggestion

if TYPE_CHECKING:
    from flexor.model.surroundings import Placed


def find_signal(placed: Placed, sensor: Any) -> tuple[Term, int]:
    """The term that gives the signal which a sensor reads, and its number among the term's."""
    owner, _, name = sensor.of.rpartition(".")
    body, _, marker = owner.partition(".")
    if body in placed.bodies and name in NUMBER:
        observer = GROUND_SITE if sensor.seen_from is None else placed.site(sensor.seen_from)
        site = placed.site(MarkerRef(body=body, marker=marker or None))
        return seen_from(observer, site), NUMBER[name]
    for term in placed.made:
        for number, output in enumerate(term.outputs):
            if f"{term.name}.{output.name}" == sensor.of:
                if term.law.parameters is None:
                    raise _unreadable(sensor, "its law has no named parameters, which readings need")
                return term, number
    raise _unknown(placed, sensor, body, owner)


def signals_of(placed: Placed) -> list[str]:
    """Names of all signals that sensors may read, those of markers by their bodies alone."""
    found = [f"{term.name}.{output.name}" for term in placed.made for output in term.outputs]
    return found + [f"{name}.{signal}" for name in placed.bodies for signal in NUMBER]


def _unknown(placed: Placed, sensor: Any, item: str, owner: str) -> ModelError:
    known = signals_of(placed)
    own = [name for name in known if name.startswith(f"{owner}.")]
    if item == sensor.name:
        return _unreadable(sensor, "it would read itself", "name what it measures, e.g. of: pin.angle")
    if not own and item in placed.items and item not in placed.bodies:
        why = "its joint is enforced by elimination, which has no reactions of its own"
        return _unreadable(sensor, why, "give the joint enforcement: multipliers")
    return _unreadable(sensor, "there is no such signal", suggestion(sensor.of, own or known, "signals are"))


def _unreadable(sensor: Any, why: str, fix: str = "") -> ModelError:
    return ModelError(Problem(sensor.called(sensor.name), f"it cannot read '{sensor.of}'", why, fix))
