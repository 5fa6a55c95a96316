"""CELAS1, CELAS2, CBUSH: springs between components of grid points, and bushings."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexor.io import axes
from flexor.io.draft import Place
from flexor.io.elastic import made
from flexor.io.nastran.card import Card
from flexor.io.nastran.deck import Deck
from flexor.mesh.mesh import Block
from flexor.mesh.section import BushSection, RotationalSpringSection, SpringSection

READ = ("CELAS1", "CELAS2", "PELAS", "CBUSH", "PBUSH")
Ends = tuple[tuple[int, int], tuple[int, int] | None]
"""(grid point, component 0…5) of both ends; no second one: fixed to the ground."""


def springs(deck: Deck) -> list[tuple[Card, float, Ends]]:
    """CELAS1 and CELAS2 with their stiffness and ends, in file units; called before the nodes are settled."""
    stiffness: dict[int, float] = {}
    for card in deck.bulk.get("PELAS"):
        for i in (1, 5):
            if card.text(i):
                stiffness[card.integer(i, "number")] = card.real(i + 1, "stiffness")
    found = []
    for card in deck.bulk.get("CELAS1", "CELAS2"):
        if card.name == "CELAS1":
            number = card.integer(2, "PID", card.integer(1, "number"))
            if number not in stiffness:
                raise card.wrong(f"PELAS {number} does not exist", "define it or correct the number")
            value = stiffness[number]
        else:
            value = card.real(2, "stiffness")
        ends = [_end(card, i) for i in (3, 5)]
        given = [each for each in ends if each is not None]
        if not given:
            raise card.wrong("it has no grid point")
        found.append((card, value, (given[0], given[1] if len(given) > 1 else None)))
    return found


def _end(card: Card, i: int) -> tuple[int, int] | None:
    number = card.integer(i, "grid point", 0)
    if not number:
        return None
    components = card.components(i + 1, "component")
    if len(components) != 1:
        raise card.wrong("a spring acts on one component of each grid point; scalar points are not read")
    return number, components[0]


def spring_blocks(deck: Deck, found: list[tuple[Card, float, Ends]], grounds: dict[int, int]) -> list[Block]:
    """Blocks of springs that share a stiffness and directions. grounds: element → number of its fixed node."""
    groups: dict[tuple, list[tuple[int, int, int]]] = {}
    place: dict[tuple, Place] = {}
    for card, k, (a, b) in found:
        number = card.integer(1, "number")
        b = b or (grounds[number], a[1])
        if (a[1] < 3) != (b[1] < 3):
            deck.draft.note(card.name, "springs between a translation and a rotation are left out", card.place)
            continue
        nodes = [deck.node(end[0], card) for end in (a, b)]
        directions = [np.eye(3)[end[1] % 3] for end in (a, b)]
        e = [tuple(np.round(deck.to_global(n, d), 12).tolist()) for n, d in zip(nodes, directions)]
        if grounds.get(number):
            e[1] = e[0]
        key = (a[1] >= 3, k, *e)
        groups.setdefault(key, []).append((number, nodes[0], nodes[1]))
        place.setdefault(key, card.place)
    return [_spring_block(deck, key, members, place[key]) for key, members in groups.items()]


def _spring_block(deck: Deck, key: tuple, members: list[tuple[int, int, int]], place: Place) -> Block:
    turns, k, first, second = key
    units = deck.draft.units
    make: Callable[..., RotationalSpringSection | SpringSection] = RotationalSpringSection if turns else SpringSection
    kind = "rotational_spring" if turns else "spring"
    k *= units.rotational_stiffness if turns else units.stiffness
    name = f"CELAS {members[0][0]}"
    if first == second:
        values: dict[str, object] = {"stiffness": k, "direction": first}
    else:
        g = np.concatenate([-np.array(first), np.array(second)])
        values = {"matrix": tuple(map(tuple, (k * np.outer(g, g)).tolist()))}
    deck.sections[name] = made(make, name, place, **values)
    ids, a, b = np.array(members, dtype=np.int64).T
    return Block(kind, np.stack([a, b], axis=1), ids, section=name)


def bush_blocks(deck: Deck) -> list[Block]:
    """CBUSH with PBUSH; axes by CID, an orientation vector, or the line of its nodes."""
    _pbush(deck)
    groups: dict[str, list[tuple[int, int, int, np.ndarray, np.ndarray]]] = {}
    for card in deck.bulk.get("CBUSH"):
        number = card.integer(1, "number")
        name = f"PBUSH {card.integer(2, 'PID', number)}"
        if name not in deck.sections:
            raise card.wrong(f"{name} does not exist", "define it or correct the number")
        a = deck.node(card.integer(3, "GA"), card)
        if not card.text(4):
            deck.draft.note("CBUSH", "bushings to the ground are left out", card.place)
            continue
        b = deck.node(card.integer(4, "GB"), card)
        X = deck.draft.points[[a, b]]
        groups.setdefault(name, []).append((number, a, b, _bush_axes(deck, card, X, a), _location(deck, card, X)))
    blocks = []
    for name, members in groups.items():
        ids, first, second, R, at = (np.array(each) for each in zip(*members))
        blocks.append(
            Block("bush", np.stack([first, second], 1), ids, section=name, orientation=R, data={"location": at})
        )
    return blocks


def _pbush(deck: Deck) -> None:
    """PBUSH: K K1 … K6; damping (B), loss (GE) and stress factors (RCV) are noted."""
    units = deck.draft.units
    for card in deck.bulk.get("PBUSH"):
        values = [0.0] * 6
        for i in range(2, len(card.fields) + 1, 8):
            flag = card.text(i)
            if flag == "K":
                values = [card.real(i + 1 + k, f"K{k + 1}", 0.0) for k in range(6)]
            elif flag:
                deck.draft.note(f"PBUSH, {flag}", "left out", card.place, severity="approximate")
        move = tuple(v * units.stiffness for v in values[:3])
        turn = tuple(v * units.rotational_stiffness for v in values[3:])
        name = f"PBUSH {card.integer(1, 'number')}"
        deck.sections[name] = made(BushSection, name, card.place, translation=move, rotation=turn)


def _bush_axes(deck: Deck, card: Card, X: np.ndarray, a: int) -> np.ndarray:
    if card.text(8):
        points = X[:1] / deck.draft.units.length
        return deck.frame(card.integer(8, "CID"), card).axes_at(points)[0]
    if card.is_integer(5) and not card.text(6):
        v = deck.draft.points[deck.node(card.integer(5, "G0"), card)] - X[0]
    else:
        v = deck.to_global(a, np.array([card.real(i, "orientation vector", 0.0) for i in (5, 6, 7)]))
    along = X[1] - X[0]
    if not v.any():
        if not along.any():
            return np.eye(3)
        v = np.eye(3)[np.argmin(np.abs(along))]
        section = deck.sections[f"PBUSH {card.integer(2, 'PID', 0)}"]
        if isinstance(section, BushSection) and any(section.translation[1:]):
            why = "bushings without orientation turn their y axis as they like"
            deck.draft.note("CBUSH", why, card.place, severity="approximate")
    R, bad = axes.from_x_and_y(along, v)
    if bad:
        raise card.wrong("its orientation is not defined: nodes coincide or the vector is along them", "give it a CID")
    return R


def _location(deck: Deck, card: Card, X: np.ndarray) -> np.ndarray:
    """Where the springs sit: a fraction S of the line of its nodes (½), or a point of a coordinate system OCID."""
    system = card.integer(10, "OCID", -1)
    if system >= 0:
        offset = np.array([[card.real(i, "offset", 0.0) for i in (11, 12, 13)]])
        frame = deck.frame(system, card)
        return X[0] + (frame.to_basic(offset)[0] - frame.p) * deck.draft.units.length
    return X[0] + card.real(9, "S", 0.5) * (X[1] - X[0])
