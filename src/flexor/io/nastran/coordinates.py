"""GRID and the coordinate systems CORD1R … CORD2S."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexor.io import axes
from flexor.io.file_text import wrong
from flexor.io.nastran.bulk import Bulk
from flexor.io.nastran.card import Card
from flexor.io.nastran.card_table import CardTable

_SYSTEM = {"R": "rectangular", "C": "cylindrical", "S": "spherical"}


@dataclass(frozen=True)
class CoordinateSystem:
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


BASIC = CoordinateSystem("rectangular", np.zeros(3), np.eye(3))


@dataclass(frozen=True)
class Grids:
    """Grid points: numbers, positions in the basic system (file units), displacement systems, permanent supports."""

    ids: np.ndarray
    points: np.ndarray
    cd: np.ndarray
    supports: dict[int, Card]
    """Position → card, of those that say something in field PS."""
    tables: list[CardTable]


def read_grids(bulk: Bulk) -> tuple[Grids, dict[int, CoordinateSystem]]:
    """Grid points and coordinate systems; each may wait for the other (CORD1R needs points, points need a system)."""
    tables = bulk.tables.get("GRID", [])
    default = _defaults(bulk)
    columns = ((1, "number", None), (2, "CP", default[0]), (6, "CD", default[1]))
    ids, cp, cd = (_joined([t.integers(i, name, blank) for t in tables], np.int64) for i, name, blank in columns)
    coordinates = np.stack([_joined([t.reals(i, "XYZ"[i - 3]) for t in tables], float) for i in (3, 4, 5)], axis=1)
    waiting = _systems(bulk)
    frames: dict[int, CoordinateSystem] = {0: BASIC}
    points = np.full((len(ids), 3), np.nan)
    at = {number: i for i, number in enumerate(ids.tolist())} if bulk.get("CORD1R", "CORD1C", "CORD1S") else {}
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
    for what, used in (("coordinate", cp), ("displacement", cd)):
        missing = ~np.isin(used, [*frames, -1] if what == "displacement" else [*frames])  # CD −1: a point of a fluid
        if missing.any():
            i = int(np.argmax(missing))
            raise _row(tables, i).wrong(f"{what} system {used[i]} does not exist", "define it or correct the number")
    held = np.flatnonzero(_joined([~t.is_blank(7) for t in tables], bool))
    return Grids(ids, points, cd, {i: _row(tables, i) for i in held.tolist()}, tables), frames


def _joined(parts: list[np.ndarray], kind: type) -> np.ndarray:
    return np.concatenate([np.zeros(0, dtype=kind), *parts])


def _row(tables: list[CardTable], i: int) -> Card:
    for table in tables:
        if i < len(table):
            return table.card(i)
        i -= len(table)
    raise IndexError(i)


def _defaults(bulk: Bulk) -> tuple[int, int]:
    """CP and CD of GRDSET, for grid points that leave them blank."""
    for card in bulk.get("GRDSET"):
        return card.integer(2, "CP", 0), card.integer(6, "CD", 0)
    return 0, 0


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
    number: int, entry: tuple[Card, int], frames: dict[int, CoordinateSystem], at: dict[int, int], points: np.ndarray
) -> CoordinateSystem | None:
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
    return CoordinateSystem(_SYSTEM[card.name[5]], a, np.stack([x, np.cross(z, x), z], axis=-1))


def frame(frames: dict[int, CoordinateSystem], number: int, card: Card) -> CoordinateSystem:
    """The coordinate system that a card names."""
    if number not in frames:
        fix = "define it or correct the number"
        raise wrong(card.path, card.line, f"coordinate system {number} does not exist", fix=fix, where=card.name)
    return frames[number]
