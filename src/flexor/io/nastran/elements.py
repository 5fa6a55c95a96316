"""Connectivity: CTETRA, CPENTA, CHEXA, CTRIA3, CQUAD4, CBAR, CBEAM."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from flexor.io import axes
from flexor.io.element_names import in_our_order, of_nastran
from flexor.io.nastran.card import Card
from flexor.io.nastran.card_table import CardTable, from_cards
from flexor.io.nastran.deck import Deck

_SOLIDS = {"CTETRA": (4, 10), "CPENTA": (6, 15), "CHEXA": (8, 20)}
_SHELLS = {"CTRIA3": 3, "CTRIAR": 3, "CQUAD4": 4, "CQUADR": 4}
READ = (*_SOLIDS, *_SHELLS, "CBAR", "CBEAM")


@dataclass
class ElementData:
    """What single elements say beside their nodes, by element number."""

    theta: dict[int, float] = field(default_factory=dict)
    """Angle from side 1-2 of a shell to its material axis [degree]."""
    mcid: dict[int, tuple[int, Card]] = field(default_factory=dict)
    """Coordinate system whose x axis, projected, is a shell's material axis."""
    offset: dict[int, float] = field(default_factory=dict)
    """ZOFFS of a shell [file unit]."""
    thickness: dict[int, float] = field(default_factory=dict)
    """Mean of T1 … T4 of a shell [file unit]."""
    beams: dict[int, Card] = field(default_factory=dict)


def read_elements(deck: Deck) -> ElementData:
    found = ElementData()
    for name, counts in _SOLIDS.items():
        for table in deck.bulk.tables.get(name, ()):
            _solids(deck, table, *counts)
    for name, count in _SHELLS.items():
        for table in deck.bulk.tables.get(name, ()):
            _shells(deck, table, count, found)
    for name in ("CBAR", "CBEAM"):
        cards = deck.bulk.get(name)
        found.beams |= {card.integer(1, "number"): card for card in cards}
        for table in from_cards(cards):
            _add(deck, table, 2, _beam_property(deck, name))
    return found


def _beam_property(deck: Deck, name: str) -> int | None:
    """PID of BAROR or BEAMOR, for cards that leave it blank."""
    for card in deck.bulk.get("BAROR" if name == "CBAR" else "BEAMOR"):
        if card.text(2):
            return card.integer(2, "PID")
    return None


def _add(deck: Deck, table: CardTable, count: int, pid: int | None = None) -> np.ndarray:
    """Elements of so many nodes: EID, PID (if blank as given, or EID), nodes. Their numbers."""
    kind = of_nastran(table.name, count)
    assert kind is not None
    ids = table.integers(1, "number")
    keys = table.integers(2, "PID", ids if pid is None else pid)
    nodes = np.stack([table.integers(3 + i, f"node {i + 1}") for i in range(count)], axis=1)
    deck.draft.add_elements(kind.name, ids, in_our_order(nodes, kind.nastran_order), table.path, table.lines, keys)
    return ids


def _solids(deck: Deck, table: CardTable, few: int, many: int) -> None:
    """Corner nodes, or all; some mid-side nodes without the others are noted."""
    given = np.sum([~table.is_blank(3 + i) for i in range(few, many)], axis=0)
    for chosen, count in ((given == 0, few), (given == many - few, many)):
        if chosen.any():
            _add(deck, table.rows(chosen), count)
    partly = (given > 0) & (given < many - few)
    if partly.any():
        why = f"elements with some mid-side nodes only ({few} or {many} nodes are taken) are left out"
        deck.draft.note(table.name, why, table.card(int(np.argmax(partly))).place, int(partly.sum()))


def _shells(deck: Deck, table: CardTable, count: int, found: ElementData) -> None:
    ids = _add(deck, table, count)
    first, corner = 3 + count, 11  # THETA or MCID, then ZOFFS; TFLAG and thicknesses on the second line
    more = np.any([~table.is_blank(i) for i in range(first, max(first, table.fields.shape[1]) + 1)], axis=0)
    for i in np.flatnonzero(more).tolist():
        card, number = table.card(i), int(ids[i])
        if card.is_integer(first):
            found.mcid[number] = (card.integer(first, "MCID"), card)
        elif card.text(first):
            found.theta[number] = card.real(first, "THETA")
        if card.text(first + 1):
            found.offset[number] = card.real(first + 1, "ZOFFS")
        given = [card.real(i, "thickness") for i in range(corner, corner + count) if card.text(i)]
        if given and card.text(corner - 1) == "1":
            why = "corner thicknesses relative to the property's (TFLAG 1) are left out"
            deck.draft.note(table.name, why, card.place)
        elif given:
            found.thickness[number] = sum(given) / len(given)
            if len(set(given)) > 1 or len(given) < count:
                deck.draft.note(
                    table.name, "corner thicknesses are replaced by their mean", card.place, severity="approximate"
                )


def shell_axes(deck: Deck, found: ElementData, ids: np.ndarray, X: np.ndarray) -> np.ndarray:
    """(m, 3, 3) material axes of shells: side 1-2 turned by THETA, or the projected x axis of MCID."""
    normals = axes.normals(X)
    result = axes.in_plane(normals, X[:, 1] - X[:, 0])
    angles = np.radians([found.theta.get(number, 0.0) for number in ids.tolist()])
    result = axes.turned(result, 2, angles)
    for i, number in enumerate(ids.tolist()):
        if number in found.mcid:
            system, card = found.mcid[number]
            at = X[i].mean(axis=0, keepdims=True) / deck.draft.units.length
            x = deck.frame(system, card).axes_at(at)[:, :, 0]
            result[i] = axes.in_plane(normals[i : i + 1], x)[0]
    return result


def beam_data(
    deck: Deck, cards: list[Card], nodes: np.ndarray, neutral: tuple[float, float]
) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Axes (m, 3, 3) of bars and beams, y in the plane of the orientation vector, and `offsets` and `pins`.

    neutral: (y, z) from the beam's reference line to the centroid [m].
    """
    X = deck.draft.points[nodes]
    defaults = {name: deck.bulk.get(name)[:1] for name in ("BAROR", "BEAMOR")}
    v, offsets = np.zeros((len(cards), 3)), np.zeros((len(cards), 2, 3))
    in_element = np.zeros((len(cards), 2), dtype=bool)
    pins = np.zeros((len(cards), 2, 6), dtype=bool)
    for i, card in enumerate(cards):
        v[i] = _orientation(deck, card, defaults["BAROR" if card.name == "CBAR" else "BEAMOR"], nodes[i])
        flags = (card.text(8) if not card.text(8)[:1].isdigit() else "").ljust(3, "G")
        for end in (0, 1):
            for c in card.components(9 + end, "pin flag"):
                pins[i, end, c] = True
            w = np.array([card.real(11 + 3 * end + k, "offset", 0.0) for k in range(3)]) * deck.draft.units.length
            in_element[i, end] = flags[1 + end] in "OE" and bool(w.any())
            offsets[i, end] = w if in_element[i, end] else deck.to_global(int(nodes[i, end]), w)
    plain = np.where(in_element[..., None], 0.0, offsets)
    frame, bad = axes.from_x_and_y(X[:, 1] + plain[:, 1] - X[:, 0] - plain[:, 0], v)
    if bad.any():
        card = cards[int(np.argmax(bad))]
        raise card.wrong(
            "its orientation vector is along the beam or zero, or its length is zero", "correct the vector"
        )
    if in_element.any():
        offsets = np.where(in_element[..., None], np.einsum("mij,mej->mei", frame, offsets), offsets)
        frame, _ = axes.from_x_and_y(X[:, 1] + offsets[:, 1] - X[:, 0] - offsets[:, 0], v)
    offsets = offsets + (neutral[0] * frame[..., 1] + neutral[1] * frame[..., 2])[:, None]
    data: dict[str, np.ndarray] = {}
    if offsets.any():
        data["offsets"] = offsets
    if pins.any():
        data["pins"] = pins
    return frame, data


def _orientation(deck: Deck, card: Card, default: list[Card], nodes: np.ndarray) -> np.ndarray:
    """The vector v: to a grid point, or by components in the displacement system of end A (basic with OFFT = B..)."""
    source = card if any(card.text(i) for i in (5, 6, 7)) or not default else default[0]
    if source.is_integer(5) and not source.text(6) and not source.text(7):
        target = deck.node(source.integer(5, "G0"), card)
        return deck.draft.points[target] - deck.draft.points[nodes[0]]
    v = np.array([source.real(i, "orientation vector", 0.0) for i in (5, 6, 7)])
    return v if card.text(8)[:1] == "B" else deck.to_global(int(nodes[0]), v)
