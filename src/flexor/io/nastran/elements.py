"""Connectivity: CTETRA, CPENTA, CHEXA, CTRIA3, CQUAD4, CBAR, CBEAM."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from flexor.elements.element import Element
from flexor.io import axes
from flexor.io.element_names import in_our_order, of_nastran
from flexor.io.nastran.bulk import Card
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
        _solids(deck, name, *counts)
    for name, count in _SHELLS.items():
        _shells(deck, name, count, found)
    for name in ("CBAR", "CBEAM"):
        cards = deck.bulk.get(name)
        kind = of_nastran(name, 2)
        assert kind is not None
        found.beams |= {card.integer(1, "number"): card for card in cards}
        _add(deck, kind, cards, _table(cards, 4, name, _beam_property(deck, name)))
    return found


def _beam_property(deck: Deck, name: str) -> int | None:
    """PID of BAROR or BEAMOR, for cards that leave it blank."""
    for card in deck.bulk.get("BAROR" if name == "CBAR" else "BEAMOR"):
        if card.text(2):
            return card.integer(2, "PID")
    return None


def _table(cards: list[Card], width: int, name: str, pid: int | None = None) -> np.ndarray:
    """(m, width) whole numbers of the first fields: EID, PID (EID if blank), nodes."""
    try:
        rows = [list(map(int, card.fields[:width])) for card in cards]
        return np.array(rows, dtype=np.int64).reshape(-1, width)
    except (ValueError, OverflowError):
        meaning = ["number", "PID", *(f"node {i + 1}" for i in range(width - 2))]
        rows = []
        for card in cards:
            number = card.integer(1, "number")
            row = [number, card.integer(2, "PID", number if pid is None else pid)]
            rows.append(row + [card.integer(i + 1, meaning[i]) for i in range(2, width)])
        return np.array(rows, dtype=np.int64).reshape(-1, width)


def _add(deck: Deck, kind: type[Element], cards: list[Card], table: np.ndarray) -> None:
    nodes = in_our_order(table[:, 2:], kind.nastran_order)
    by_file: dict = {}
    for i, card in enumerate(cards):
        by_file.setdefault(card.path, []).append(i)
    for path, chosen in by_file.items():
        lines = [cards[i].line for i in chosen]
        deck.draft.add_elements(kind.name, table[chosen, 0], nodes[chosen], path, lines, table[chosen, 1])


def _solids(deck: Deck, name: str, few: int, many: int) -> None:
    """Corner nodes, or all; some mid-side nodes without the others are noted."""
    plain, full = [], []
    for card in deck.bulk.get(name):
        rest = card.fields[2 + few : 2 + many]
        given = sum(1 for each in rest if each and not each.isspace())
        if given == 0:
            plain.append(card)
        elif given == many - few:
            full.append(card)
        else:
            why = f"elements with some mid-side nodes only ({few} or {many} nodes are taken) are left out"
            deck.draft.note(name, why, card.place)
    for cards, count in ((plain, few), (full, many)):
        kind = of_nastran(name, count)
        if kind is not None and cards:
            _add(deck, kind, cards, _table(cards, 2 + count, name))


def _shells(deck: Deck, name: str, count: int, found: ElementData) -> None:
    cards, kind = deck.bulk.get(name), of_nastran(name, count)
    if not cards or kind is None:
        return
    table = _table(cards, 2 + count, name)
    _add(deck, kind, cards, table)
    first, corner = 3 + count, 11  # THETA or MCID, then ZOFFS; TFLAG and thicknesses on the second line
    for number, card in zip(table[:, 0].tolist(), cards):
        if not any(each.strip() for each in card.fields[first - 1 :]):
            continue
        if card.is_integer(first):
            found.mcid[number] = (card.integer(first, "MCID"), card)
        elif card.text(first):
            found.theta[number] = card.real(first, "THETA")
        if card.text(first + 1):
            found.offset[number] = card.real(first + 1, "ZOFFS")
        given = [card.real(i, "thickness") for i in range(corner, corner + count) if card.text(i)]
        if given and card.text(corner - 1) == "1":
            deck.draft.note(name, "corner thicknesses relative to the property's (TFLAG 1) are left out", card.place)
        elif given:
            found.thickness[number] = sum(given) / len(given)
            if len(set(given)) > 1 or len(given) < count:
                deck.draft.note(name, "corner thicknesses are replaced by their mean", card.place)


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
        raise card.wrong("its orientation vector is along the beam or zero, or its length is zero", "correct the vector")
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
