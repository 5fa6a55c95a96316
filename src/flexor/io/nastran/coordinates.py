"""GRID and the coordinate systems CORD1R … CORD2S."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexor.io import axes
from flexor.io.file_text import wrong
from flexor.io.nastran.bulk import Bulk, Card

_SYSTEM = {"R": "rectangular", "C": "cylindrical", "S": "spherical"}


@dataclass(frozen=True)
class Frame:
    """A coordinate system: kind, origin (file units) and axes in the basic system."""

    system: str
    p: np.ndarray
    R: np.ndarray

    def to_basic(self, coordinates: np.ndarray) -> np.ndarray:
        """Positions (m, 3) in the basic system."""
        return self.p + axes.rectangular(self.system, coordinates) @ self.R.T

    def axes_at(self, points: np.ndarray) -> np.ndarray:
        """(m, 3, 3) directions of the three components at points of the basic system."""
        return axes.curvilinear(self.system, self.p, self.R, points)


BASIC = Frame("rectangular", np.zeros(3), np.eye(3))


@dataclass(frozen=True)
class Grids:
    """Grid points: numbers, positions in the basic system (file units), displacement systems, supports, cards."""

    ids: np.ndarray
    points: np.ndarray
    cd: np.ndarray
    cards: list[Card]


def read_grids(bulk: Bulk) -> tuple[Grids, dict[int, Frame]]:
    """Grid points and coordinate systems; each may wait for the other (CORD1R needs points, points need a system)."""
    cards = bulk.get("GRID")
    default = _defaults(bulk)
    ids, cp, cd = (_integers(cards, i, blank) for i, blank in ((1, None), (2, default[0]), (6, default[1])))
    coordinates = _reals(cards, (3, 4, 5))
    waiting = _systems(bulk)
    frames: dict[int, Frame] = {0: BASIC}
    points = np.full((len(cards), 3), np.nan)
    at = {number: i for i, number in enumerate(ids.tolist())}
    placed: set[int] = set()
    while True:
        ready = [number for number in set(cp.tolist()) - placed if number in frames]
        for number in ready:
            chosen = cp == number
            points[chosen] = frames[number].to_basic(coordinates[chosen])
            placed.add(number)
        known = {n: f for n, card in waiting.items() if (f := _frame(n, card, frames, at, points)) is not None}
        frames |= known
        waiting = {n: card for n, card in waiting.items() if n not in known}
        if not ready and not known:
            break
    if waiting:
        number, (card, _) = next(iter(waiting.items()))
        fix = "define what it refers to, without going round in a circle"
        raise card.wrong(f"coordinate system {number} refers to a system or point that does not exist", fix)
    for i, number in enumerate(cp.tolist()):
        if number not in frames:
            raise cards[i].wrong(f"coordinate system {number} does not exist", "define it or correct the number")
    for i, number in enumerate(cd.tolist()):
        if number not in frames and number != -1:  # −1: a point of a fluid
            raise cards[i].wrong(f"displacement system {number} does not exist", "define it or correct the number")
    return Grids(ids, points, cd, cards), frames


def _defaults(bulk: Bulk) -> tuple[int, int]:
    """CP and CD of GRDSET, for grid points that leave them blank."""
    for card in bulk.get("GRDSET"):
        return card.integer(2, "CP", 0), card.integer(6, "CD", 0)
    return 0, 0


def _integers(cards: list[Card], i: int, blank: int | None) -> np.ndarray:
    meaning = {1: "number", 2: "CP", 6: "CD"}[i]
    try:
        texts = [card.fields[i - 1] if len(card.fields) >= i else "" for card in cards]
        return np.array([int(t) if t and not t.isspace() else blank for t in texts], dtype=np.int64)
    except (ValueError, TypeError, OverflowError):
        return np.array([card.integer(i, meaning, blank) for card in cards], dtype=np.int64)


def _reals(cards: list[Card], fields: tuple[int, ...]) -> np.ndarray:
    try:
        values = [[float(t) if (t := c.fields[i - 1]).strip() else 0.0 for i in fields] for c in cards]
        table = np.array(values, dtype=float).reshape(-1, 3)
        if np.isfinite(table).all():
            return table
    except (ValueError, IndexError):
        pass  # 1.5-3 and the like
    values = [[card.real(i, "XYZ"[i - 3], 0.0) for i in fields] for card in cards]
    return np.array(values, dtype=float).reshape(-1, 3)


def _systems(bulk: Bulk) -> dict[int, tuple[Card, int]]:
    """Cards by the number of the system; CORD1x holds two systems a card (offset of the fields)."""
    found: dict[int, tuple[Card, int]] = {}
    for name in ("CORD1R", "CORD1C", "CORD1S", "CORD2R", "CORD2C", "CORD2S"):
        for card in bulk.get(name):
            for offset in (0, 4) if name[4] == "1" and card.text(5) else (0,):
                number = card.integer(1 + offset, "number")
                if number in found or number <= 0:
                    what = f"coordinate system {number} is given twice" if number > 0 else "number is not positive"
                    raise card.wrong(what, "renumber it")
                found[number] = (card, offset)
    return found


def _frame(
    number: int, entry: tuple[Card, int], frames: dict[int, Frame], at: dict[int, int], points: np.ndarray
) -> Frame | None:
    """The system of a card, None if what it refers to is not known yet.

    Points A (origin), B (on z) and C (in the x-z plane) are grid points, or coordinates in another system.
    """
    card, offset = entry
    if card.name[4] == "1":
        grids = [card.integer(i + offset, f"grid point {i - 1}") for i in (2, 3, 4)]
        positions = [points[at[g]] if g in at else np.full(3, np.nan) for g in grids]
        if not np.isfinite(positions).all():
            return None
        a, b, c = positions
    else:
        reference = card.integer(2, "reference system", 0)
        if reference not in frames:
            return None
        values = np.array([card.real(i, "ABC"[(i - 3) // 3], 0.0) for i in range(3, 12)]).reshape(3, 3)
        a, b, c = frames[reference].to_basic(values)
    found, parallel = axes.from_x_and_y(b - a, c - a)
    if parallel or not np.isfinite(found).all():
        raise card.wrong(f"the three points of system {number} are in line", "give points that span the x-z plane")
    z, x = found[:, 0], found[:, 1]
    return Frame(_SYSTEM[card.name[5]], a, np.stack([x, np.cross(z, x), z], axis=-1))


def frame(frames: dict[int, Frame], number: int, card: Card) -> Frame:
    """The coordinate system that a card names."""
    if number not in frames:
        fix = "define it or correct the number"
        raise wrong(card.path, card.line, f"coordinate system {number} does not exist", fix=fix, where=card.name)
    return frames[number]
