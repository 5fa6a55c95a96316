"""*CLOAD, *DLOAD and *DSLOAD of the step that is taken: forces at nodes, pressures, weight, rotation."""

from __future__ import annotations

import math
import re

import numpy as np

from flexor.elements import by_name
from flexor.elements.assembly.loads import Centrifugal, Gravity
from flexor.io.abaqus.deck import Deck, reals, whole
from flexor.io.abaqus.keywords import Keyword
from flexor.io.abaqus.surfaces import element_faces, surface_faces
from flexor.io.deck_loads import DeckLoads
from flexor.io.draft import Place
from flexor.io.elastic import made
from flexor.io.file_text import wrong

_PLAIN = {"OP", "FOLLOWER", "LOAD CASE", "CONSTANT RESULTANT"}
"""Options that change nothing in linear statics under one load case."""


def cload(deck: Deck, keyword: Keyword) -> None:
    """*CLOAD: node or set, component, value. Values of one step add up, those of a later step replace earlier ones."""
    if _left_out(deck, keyword):
        return
    if "FOLLOWER" in keyword.options:
        why = "the forces keep their direction, they do not turn with the nodes: statics are linear"
        deck.draft.note("*CLOAD, FOLLOWER", why, keyword.place, severity="approximate", concerns="loads")
    for place, fields in keyword.rows():
        if len(fields) < 3:
            raise wrong(*place, "*CLOAD line is incomplete", "node or set, component, value", "correct the line")
        component = whole(fields[1], place, "*CLOAD")
        value = reals(fields[2:3], place, "*CLOAD")[0]
        if not 1 <= component <= 6:
            _note(deck, "*CLOAD", f"loads on component {component} are left out", place)
            continue
        units = deck.draft.units
        value *= units.force if component <= 3 else units.force * units.length
        for node in deck.nodes(fields[0], keyword, place).tolist():
            if node in deck.transformed:
                _note(deck, "*CLOAD", "forces in the axes of *TRANSFORM are left out", place)
                continue
            step, before = deck.forces.get((node, component - 1), (keyword.step, 0.0))
            deck.forces[node, component - 1] = (keyword.step, (before if step == keyword.step else 0.0) + value)


def dload(deck: Deck, keyword: Keyword) -> None:
    """*DLOAD: element or set, kind, value, …: P1 … P6 on faces of solids, P on shells, GRAV, CENTRIF."""
    if _left_out(deck, keyword):
        return
    for place, fields in keyword.rows():
        named, kind = ("", *fields) if len(fields) == 1 else fields[:2]
        kind = kind.upper()
        values = reals(fields[2:], place, f"*DLOAD, {kind}", {"GRAV": 4, "CENTRIF": 7}.get(kind, 1))
        if kind in ("GRAV", "CENTRIF"):
            deck.loads.of_bodies.append(_of_body(deck, keyword, named, kind, values, place))
        elif re.fullmatch(r"P\d?", kind):
            # P on a shell acts along its normal, P1 … on a solid against the outward one
            solid = kind != "P"
            kinds = {batch.kind for batch, _ in deck.draft.batches_of(deck.element_numbers(named, keyword, place))}
            if any(not by_name[each].faces or (by_name[each].dofs == 3) != solid for each in kinds):
                _note(deck, f"*DLOAD, {kind}", f"of {', '.join(sorted(kinds))} elements is left out", place)
                continue
            pressure = values[0] * deck.draft.units.stress * (1 if solid else -1)
            faces = element_faces(deck, named, f"S{kind[1:]}" if solid else "SPOS", keyword, place)
            deck.loads.press("*DLOAD", pressure, faces)
        else:
            _note(deck, f"*DLOAD, {kind[:20]}", "distributed loads of this kind are left out", place)


def dsload(deck: Deck, keyword: Keyword) -> None:
    """*DSLOAD: surface, P, value: a pressure against the outward normals."""
    if _left_out(deck, keyword):
        return
    for place, fields in keyword.rows():
        if len(fields) < 3 or fields[1].upper() != "P":
            kind = fields[1].upper()[:20] if len(fields) > 1 else ""
            _note(deck, f"*DSLOAD, {kind}", "surface loads of this kind are left out", place)
            continue
        pressure = reals(fields[2:3], place, "*DSLOAD")[0] * deck.draft.units.stress
        deck.loads.press("*DSLOAD", pressure, surface_faces(deck, fields[0], place))


def acting(deck: Deck) -> DeckLoads:
    """All loads together, once all keywords are read."""
    for (node, component), (_, value) in deck.forces.items():
        deck.loads.push(node, component, value)
    return deck.loads


def _of_body(
    deck: Deck, keyword: Keyword, named: str, kind: str, values: list[float], place: Place
) -> Gravity | Centrifugal:
    """GRAV: g and its direction;  CENTRIF: ω², a point of the axis, its direction. Of all elements, or of a set."""
    units = deck.draft.units
    elements = None
    if named:
        wanted = deck.element_numbers(named, keyword, place)
        if not np.isin(deck.all_elements, wanted).all():
            elements = tuple(wanted.tolist())
    along = np.array(values[1:4] if kind == "GRAV" else values[4:7])
    size = float(np.linalg.norm(along))
    if size == 0:
        raise wrong(*place, f"*DLOAD, {kind}: its direction is zero-length", fix="give a direction, e.g. 0, 0, -1")
    along = along / size
    if kind == "GRAV":
        g = values[0] * units.length / units.time**2 * along
        return made(Gravity, "*DLOAD, GRAV", place, gravity=g.tolist(), elements=elements)
    if values[0] < 0:
        raise wrong(*place, f"*DLOAD, CENTRIF: {values[0]:g} is no square of a speed", fix="give ω², which is positive")
    speed = math.sqrt(values[0]) / units.time * along
    about = [units.length * value for value in values[1:4]]
    return made(Centrifugal, "*DLOAD, CENTRIF", place, speed=speed.tolist(), about=about, elements=elements)


def _left_out(deck: Deck, keyword: Keyword) -> bool:
    """Whether the options ask for what is not read; OP=NEW drops the loads of earlier steps of this kind."""
    if odd := sorted(set(keyword.options) - _PLAIN):
        _note(deck, f"*{keyword.name}, {odd[0]}", "loads with this option are left out", keyword.place)
        return True
    if keyword.options.get("OP", "").upper() == "NEW":
        if keyword.name == "CLOAD":
            deck.forces = {key: force for key, force in deck.forces.items() if force[0] == keyword.step}
        elif deck.distributed_of < keyword.step:
            deck.loads.pressures.clear()
            deck.loads.of_bodies.clear()
    if keyword.name != "CLOAD":
        deck.distributed_of = keyword.step
    return False


def _note(deck: Deck, name: str, why: str, place: Place) -> None:
    deck.draft.note(name, why, place, concerns="loads")


KEYWORDS = {"CLOAD": cload, "DLOAD": dload, "DSLOAD": dsload}
