"""FORCE, FORCE1, MOMENT, MOMENT1, PLOAD, PLOAD2, PLOAD4, GRAV, RFORCE and LOAD: what acts in the first subcase."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from flexor.elements import by_name
from flexor.elements.assembly.loads import Centrifugal, Gravity
from flexor.io.deck_loads import DeckLoads
from flexor.io.elastic import made
from flexor.io.nastran.card import Card
from flexor.io.nastran.deck import Deck


def read_loads(deck: Deck) -> DeckLoads:
    """The loads of the set that the case control asks for, or of the only one there is."""
    found = DeckLoads()
    for number, factor in _chosen(deck).items():
        for name, read in _CARDS.items():
            for card in deck.bulk.get(name):
                if card.integer(1, "set") == number:
                    read(deck, found, card, factor)
    if deck.bulk.subcases > 1:
        why = f"of {deck.bulk.subcases} subcases the first is taken, with its supports and loads"
        place = deck.bulk.case_places["SUBCASE"]
        deck.draft.note("SUBCASE", why, place, severity="approximate", concerns="loads")
    for name, (number, other, place) in deck.bulk.other_sets.items():
        what = {"SPC": "supports", "MPC": "links"}[name]
        first = f"{name} = {deck.bulk.case[name]}" if name in deck.bulk.case else f"no {name}"
        asked = f"{name} = {other}" if other else f"no {name}"
        why = f"subcase {number} has other {what} ({asked}) than the first, whose are taken ({first}) in every analysis"
        deck.draft.note(name, why, place, severity="approximate")
    for name in ("TEMP", "DEFO"):
        if name in deck.bulk.case:
            place = deck.bulk.case_places[name]
            deck.draft.note(f"{name} = {deck.bulk.case[name]}", "is left out", place, concerns="loads")
    return found


def _chosen(deck: Deck) -> dict[int, float]:
    """Set → factor. LOAD: S, then S1 L1, S2 L2, …: f = S Σ Sᵢ fᵢ."""
    cards = {card.integer(1, "set"): card for card in deck.bulk.get("LOAD")}
    present = {card.integer(1, "set"): card for name in _CARDS for card in deck.bulk.get(name)}
    wanted = deck.bulk.case.get("LOAD")
    if wanted is None:
        if deck.bulk.has_case or not present:
            if present:
                card = next(iter(present.values()))
                deck.draft.note("LOAD", "the case control asks for no loads", card.place, severity="harmless")
            return {}
        several = cards or present
        if len(several) > 1:
            why = f"no case control chooses among the sets {', '.join(map(str, sorted(several)))}; none is taken"
            deck.draft.note("LOAD", why, next(iter(several.values())).place, concerns="loads")
            return {}
        wanted = next(iter(several))
    known = {*present, *(card.integer(1, "set") for card in deck.bulk.get(*OTHERS))}
    deck.require_set("LOAD", wanted, {*cards, *known})
    if wanted not in cards:
        return {wanted: 1.0}
    card = cards[wanted]
    factors: dict[int, float] = {}
    for i in range(3, len(card.fields) + 1, 2):
        if card.text(i) or card.text(i + 1):
            number = card.integer(i + 1, "set of loads")
            deck.require_set("LOAD", number, known, card)
            factors[number] = factors.get(number, 0.0) + card.real(2, "S") * card.real(i, "factor")
    return factors


def _force(deck: Deck, found: DeckLoads, card: Card, factor: float) -> None:
    """FORCE, MOMENT: G, CID, F, N;  FORCE1, MOMENT1: G, F, from G1 to G2."""
    units = deck.draft.units
    node = deck.node(card.integer(2, "G"), card)
    if card.name.endswith("1"):
        ends = [deck.node(card.integer(i, "grid point"), card) for i in (4, 5)]
        along = deck.draft.points[ends[1]] - deck.draft.points[ends[0]]
        if not along.any():
            raise card.wrong("its two grid points coincide", "give a direction by two points apart")
        vector = card.real(3, "F") * along / np.linalg.norm(along)
    else:
        local = np.array([card.real(i, "N", 0.0) for i in (5, 6, 7)]) * card.real(4, "F")
        frame = deck.frame(card.integer(3, "CID", 0), card)
        vector = frame.axes_at(deck.draft.points[node : node + 1] / units.length)[0] @ local
    turning = card.name.startswith("M")
    scale = factor * units.force * (units.length if turning else 1.0)
    for i, value in enumerate(scale * vector):
        found.push(node, i + 3 * turning, float(value))


def _pload4(deck: Deck, found: DeckLoads, card: Card, factor: float) -> None:
    """PLOAD4: EID, P1 … P4, then G1, G3 or G4 of the face of a solid, or THRU EID2 for shells; CID and N: not normal."""
    pressure = card.real(3, "P1", 0.0)
    others = [card.real(i, "P", pressure) for i in (4, 5, 6)]
    if any(card.text(i) for i in (10, 11, 12)):
        _note(deck, card, "loads in a direction of their own (CID, N1 … N3) are left out")
        return
    if any(other != pressure for other in others):
        _note(deck, card, "pressures that differ between the corners are left out")
        return
    ids = np.array([card.integer(2, "EID")])
    through = card.text(7) == "THRU"
    if through:
        last = card.integer(8, "EID2")
        known = deck.draft.elements.ids
        ids = np.sort(known[(known >= ids[0]) & (known <= last)])
    _press(deck, found, card, ids, factor * pressure, () if through else (card.text(7), card.text(8)))


def _pload2(deck: Deck, found: DeckLoads, card: Card, factor: float) -> None:
    """PLOAD2: P, elements; along the normals of shells."""
    known = deck.draft.elements.ids
    ids = [known[(known >= a) & (known <= b) & ((known - a) % s == 0)] for a, b, s in card.ranges(3, "elements")]
    _press(deck, found, card, np.concatenate([np.zeros(0, np.int64), *ids]), factor * card.real(2, "P"), ())


def _press(
    deck: Deck, found: DeckLoads, card: Card, ids: np.ndarray, pressure: float, corners: tuple[str, ...]
) -> None:
    """Into solids on the face of the corners; along the normals of shells."""
    pressure *= deck.draft.units.stress
    batches = list(deck.draft.batches_of(ids))
    if not batches:
        _note(deck, card, "pressures on elements that are not read are left out")
    for batch, rows in batches:
        kind = by_name[batch.kind]
        nodes = batch.nodes[rows]
        if kind.dofs == 3:
            faces = [_face(deck, card, kind.name, kind.faces, own, corners) for own in nodes]
            for face in faces:
                found.press(card.name, pressure, [deck.draft.nodes.find(face[None])])
        elif kind.faces:
            found.press(card.name, -pressure, [deck.draft.nodes.find(nodes[:, list(kind.faces[0])])])
        else:
            _note(deck, card, f"pressures on {kind.name} elements are left out")


def _face(
    deck: Deck, card: Card, name: str, faces: tuple[tuple[int, ...], ...], nodes: np.ndarray, corners: tuple[str, ...]
) -> np.ndarray:
    """Nodes of the face of a solid: G1 and G3 are opposite corners of a quadrilateral; of a triangle of a wedge G1 is
    a corner and the other blank; G4 is the corner of a tetrahedron that is not on the face."""
    if not corners or not corners[0]:
        raise card.wrong("it does not say which face of the solid is loaded", "give G1 and G3 or G4")
    first = card.integer(7, "G1")
    second = card.integer(8, "G3 or G4") if corners[1] else None
    local = {int(number): i for i, number in enumerate(nodes.tolist())}
    if first not in local or (second is not None and second not in local):
        raise card.wrong(f"its grid points are not those of element {card.text(2)}", "correct G1 and G3 or G4")
    for face in faces:
        sides = 3 if len(face) in (3, 6) else 4
        own = face[:sides]
        if local[first] not in own:
            continue
        if second is None:
            fits = sides == 3 and name.startswith("wedge")
        elif name.startswith("tet"):
            fits = local[second] not in own
        else:
            fits = sides == 4 and local[second] == own[(own.index(local[first]) + 2) % 4]
        if fits:
            return nodes[list(face)]
    raise card.wrong(f"no face of element {card.text(2)} has these corners", "correct G1 and G3 or G4")


def _pload(deck: Deck, found: DeckLoads, card: Card, factor: float) -> None:
    """PLOAD: P, three or four grid points; along the normal of their order."""
    nodes = np.array([deck.node(card.integer(i, "grid point"), card) for i in range(3, 7) if card.text(i)])
    if len(nodes) not in (3, 4):
        raise card.wrong("a pressure acts on three or four grid points")
    found.press("PLOAD", -factor * card.real(2, "P") * deck.draft.units.stress, [nodes[None]])


def _grav(deck: Deck, found: DeckLoads, card: Card, factor: float) -> None:
    """GRAV: CID, A, N: the acceleration of free fall A N."""
    units = deck.draft.units
    local = np.array([card.real(i, "N", 0.0) for i in (4, 5, 6)])
    frame = deck.frame(card.integer(2, "CID", 0), card)
    if frame.system != "rectangular":
        raise card.wrong("its system is not rectangular, so its direction is open")
    g = factor * card.real(3, "A") * units.length / units.time**2 * (frame.R @ local)
    found.of_bodies.append(made(Gravity, "GRAV", card.place, gravity=g.tolist()))


def _rforce(deck: Deck, found: DeckLoads, card: Card, factor: float) -> None:
    """RFORCE: G, CID, A, R: about grid point G, A |R| turns per unit of time; the load, not the speed, is multiplied."""
    units = deck.draft.units
    if card.text(9) and card.real(9, "RACC"):
        _note(deck, card, "angular accelerations (RACC) are left out")
    if factor < 0:
        raise card.wrong("a centrifugal load is multiplied by a negative factor", "correct the LOAD card")
    local = np.array([card.real(i, "R", 0.0) for i in (5, 6, 7)])
    frame = deck.frame(card.integer(3, "CID", 0), card)
    if frame.system != "rectangular":
        raise card.wrong("its system is not rectangular, so its axis is open")
    turns = card.real(4, "A", 0.0) * (frame.R @ local)
    speed = math.sqrt(factor) * 2 * math.pi * turns / units.time
    at = card.integer(2, "G", 0)
    about = deck.draft.points[deck.node(at, card)] if at else np.zeros(3)
    found.of_bodies.append(made(Centrifugal, "RFORCE", card.place, speed=speed.tolist(), about=about.tolist()))


def _note(deck: Deck, card: Card, why: str) -> None:
    deck.draft.note(card.name, why, card.place, concerns="loads")


_CARDS: dict[str, Callable[[Deck, DeckLoads, Card, float], None]] = {
    **dict.fromkeys(("FORCE", "FORCE1", "MOMENT", "MOMENT1"), _force),
    "PLOAD": _pload,
    "PLOAD2": _pload2,
    "PLOAD4": _pload4,
    "GRAV": _grav,
    "RFORCE": _rforce,
}
READ = (*_CARDS, "LOAD")
OTHERS = ("TEMP", "TEMPD", "TEMPP1", "TEMPRB", "SPCD", "ACCEL", "ACCEL1", "DEFORM", "SLOAD", "PLOAD1", "PLOADX1")
"""Loads that are left out, with a note."""
