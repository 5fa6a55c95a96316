"""Where the signals come from that sensors read: a term of an item, a coordinate, the motion of a marker, energies, the time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.bodies import DeformableBody, MarkerRef
from flexor.control import Sensor
from flexor.control.clock import clock_term
from flexor.control.coordinate import KINDS, motion_of_coordinate
from flexor.control.marker_motion import GROUND_SITE, NUMBER, seen_from
from flexor.coordinates.driven import driven_coordinate
from flexor.declaration import Item
from flexor.dotted import split
from flexor.errors import ModelError, Problem
from flexor.joints import Joint
from flexor.law import Term
from flexor.law.reading import ENERGIES, energy_terms, reading_term
from flexor.mistakes import suggestion
from flexor.model.joint_state import GROUND

if TYPE_CHECKING:
    from flexor.model.surroundings import Placed


ENERGY, TOTAL, TIME, STRAIN = "energy", "total", "time", "strain"
"""Names: energy.kinetic, energy.total, time, arm.strain."""


def readings_of(placed: Placed, sensor: Any) -> list[Term]:
    """The terms of the reading of a sensor; the last one has its name."""
    owner, _, name = sensor.of.rpartition(".")
    if sensor.of == TIME or owner == ENERGY:
        _refuse_observer(sensor)
    if sensor.of == TIME:
        return [reading_term(sensor.name, clock_term(), 0)]
    if name == STRAIN and owner != ENERGY:
        return [reading_term(sensor.name, _strain(placed, sensor, owner), 0)]
    if sensor.at is not None or sensor.direction is not None:
        why = "at and direction are where and along what a strain is read"
        raise _unreadable(
            sensor, f"{why}, and this is none", f"read {sensor.of.partition('.')[0]}.{STRAIN}, or leave them out"
        )
    if owner == ENERGY and owner not in placed.items:
        return _energies(placed, sensor, name, placed.made)
    own = [term for term in placed.made if term.name == owner or term.name.startswith(f"{owner}.")]
    told = any(name == output.name for term in own if term.name == owner for output in term.outputs)
    kind = name.removesuffix(f"_{ENERGY}")
    if own and not told and name != kind and kind in (*ENERGIES, TOTAL):
        _refuse_observer(sensor)
        return _energies(placed, sensor, kind, own)
    return [reading_term(sensor.name, *find_signal(placed, sensor))]


def _strain(placed: Placed, sensor: Any, owner: str) -> Term:
    """The term whose signal is the strain on the surface of a flexible body."""
    from flexor.reduce.surface_strain import strain_along  # loads SciPy

    _refuse_observer(sensor)
    body = placed.bodies.get(owner)
    if not isinstance(body, DeformableBody):
        flexible = [name for name, each in placed.bodies.items() if isinstance(each, DeformableBody)]
        why = "strain is that of a flexible body"
        raise _unreadable(sensor, why, suggestion(owner, flexible, "these are") or "read something else")
    if sensor.at is None or sensor.direction is None:
        raise _unreadable(
            sensor, "where and along what?", "give at: [x, y, z] and direction: x, in the axes of the body"
        )
    strain = getattr(body.realisation, "strain", None)
    if strain is None:
        why = f"formulation: {body.formulation} has no coordinates of a reduced body, by which strain is told during a run"
        raise _unreadable(
            sensor, why, "use formulation: superelement or floating, or read it after the run: run.gauge(…)"
        )
    g = strain_along(
        body.reduced, sensor.called(sensor.name), np.array(sensor.at), np.array(sensor.direction), sensor.side
    )
    found: Term = strain(g, *placed.first[owner])
    return found


def _energies(placed: Placed, sensor: Any, kind: str, of: Iterable[Term]) -> list[Term]:
    """The energy of several terms. Constraints and readings, which have rows of their own, have none."""
    if kind not in (*ENERGIES, TOTAL):
        if kind in ("dissipated", "input", "check_sum"):
            why = "it is a sum over time, which the results make, and not a quantity of the instant"
            raise _unreadable(sensor, why, "read the power of what dissipates or drives, or energy.total")
        known = [f"{ENERGY}.{each}" for each in (*ENERGIES, TOTAL)]
        raise _unreadable(sensor, "there is no such energy", suggestion(sensor.of, known, "energies are"))
    terms = [term for term in of if not term.rows and term.borrows < 0]
    for term in terms:
        if term.law.parameters is None or term.law.python:
            why = f"'{term.name}' has a law without named parameters, whose energy readings cannot tell"
            raise _unreadable(sensor, why, "read the energies of other items by their names, arm.kinetic_energy")
    return energy_terms(sensor.name, terms, ENERGIES if kind == TOTAL else (kind,))


def _refuse_observer(sensor: Any) -> None:
    if sensor.seen_from is not None:
        why = "only the motion of a body or marker is seen from another"
        raise _unreadable(sensor, f"seen_from is given, and {why}", "leave out seen_from")


def find_signal(placed: Placed, sensor: Any) -> tuple[Term, int]:
    """The term that gives the signal which a sensor reads, and its number among the term's."""
    owner, _, name = sensor.of.rpartition(".")
    body, marker = split(owner, placed.bodies)
    if (body in placed.bodies or body == GROUND) and name in NUMBER:
        _require_marker(placed, sensor, body, marker)
        observer = GROUND_SITE if sensor.seen_from is None else placed.site(sensor.seen_from)
        site = placed.site(MarkerRef(body=body, marker=marker or None))
        return seen_from(observer, site), NUMBER[name]
    _refuse_observer(sensor)
    for index, scalar in enumerate(placed.scalars):
        for number, kind in enumerate(KINDS):
            if f"{scalar.name}{kind}" == sensor.of:
                return motion_of_coordinate(index, scalar.unit), number
    for term in placed.made:
        for number, output in enumerate(term.outputs):
            if f"{term.name}.{output.name}" == sensor.of:
                if term.law.parameters is None:
                    raise _unreadable(sensor, "its law has no named parameters, which readings need")
                if term.law is driven_coordinate and number < 2:
                    why = "what drives by elimination is found after a step, from what the joint transmits"
                    raise _unreadable(sensor, why, "use enforcement: multipliers for it")
                if term.law.energies is not None and term.law.signals is None:
                    why = "this formulation of the body tells its energies during a run, other signals after it"
                    raise _unreadable(sensor, why, "use formulation: exact")
                return term, number
    raise _unknown(placed, sensor, body, owner)


def _require_marker(placed: Placed, sensor: Any, body: str, marker: str) -> None:
    known = placed.bodies[body].marker_names if body in placed.bodies else ()
    if not marker or marker in known:
        return
    if body == GROUND:
        raise _unreadable(sensor, "the ground has no markers", "read what moves, a body or a marker of it")
    fix = suggestion(marker, known, "its markers are") or f"give it one: markers: {{{marker}: [0, 0, 0]}}"
    raise _unreadable(sensor, f"body '{body}' has no marker '{marker}'", fix)


def in_order_of_reading(items: Iterable[Item]) -> list[Item]:
    """The items with those that read others behind these."""
    items = tuple(items)
    for circle in circles(items):
        raise ModelError(circular(circle))
    sensors = {item.name: item for item in items if isinstance(item, Sensor)}
    ordered = [item for item in items if not isinstance(item, Sensor)]
    placed: set[str] = set()
    for sensor in sensors.values():
        chain: list[Sensor] = []
        read: Sensor | None = sensor
        while read is not None and read.name not in placed:
            chain.append(read)
            placed.add(read.name)
            read = next((sensors[each] for each in read.reads if each in sensors), None)
        ordered += reversed(chain)
    return ordered


def circles(items: Iterable[Item]) -> list[list[Sensor]]:
    """Sensors that read each other in a circle, each circle from its first."""
    sensors = {item.name: item for item in items if isinstance(item, Sensor)}
    found, seen = [], set()
    for sensor in sensors.values():
        chain: list[str] = []
        name = sensor.name
        while name in sensors and name not in seen:
            seen.add(name)
            chain.append(name)
            name = next((each for each in sensors[name].reads if each in sensors), "")
        if name in chain:
            found.append([sensors[each] for each in chain[chain.index(name) :]])
    return found


def circular(circle: list[Sensor]) -> Problem:
    """What is wrong with sensors that read each other."""
    names = " → ".join(each.name for each in [*circle, circle[0]])
    return _problem(circle[0], f"it reads itself: {names}", "let it read a joint, a load or a marker")


def signals_of(placed: Placed) -> list[str]:
    """Names of all signals that sensors may read, those of markers by their bodies alone."""
    found = [f"{term.name}.{output.name}" for term in placed.made for output in term.outputs]
    found += [f"{scalar.name}{kind}" for scalar in placed.scalars for kind in KINDS]
    return found + [f"{name}.{signal}" for name in placed.bodies for signal in NUMBER]


def _unknown(placed: Placed, sensor: Any, item: str, owner: str) -> ModelError:
    known = signals_of(placed)
    own = [name for name in known if name.startswith(f"{owner}.")]
    if not any(term.name == item for term in placed.made) and isinstance(placed.items.get(item), Joint):
        why = "the joint is enforced by elimination, which has no reactions of its own"
        return _unreadable(sensor, why, "give the joint enforcement: multipliers")
    return _unreadable(sensor, "there is no such signal", suggestion(sensor.of, own or known, "signals are"))


def _unreadable(sensor: Any, why: str, fix: str = "") -> ModelError:
    return ModelError(_problem(sensor, why, fix))


def _problem(sensor: Any, why: str, fix: str) -> Problem:
    return Problem(sensor.called(sensor.name), f"it cannot read '{sensor.of}'", why, fix)
