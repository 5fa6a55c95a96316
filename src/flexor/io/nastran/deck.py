"""What has been read of a Nastran deck, and its lookups by number."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from flexor.io.draft import Draft
from flexor.io.file_text import wrong
from flexor.io.nastran.bulk import Bulk
from flexor.io.nastran.card import Card
from flexor.io.nastran.coordinates import CoordinateSystem, Grids, frame
from flexor.materials import Material
from flexor.mesh.section import Section

Components = tuple[int, ...]


@dataclass
class Deck:
    """The deck while it is being read; lengths are those of the file until something is made."""

    bulk: Bulk
    draft: Draft
    grids: Grids
    frames: dict[int, CoordinateSystem]
    mass_factor: float = 1.0
    """PARAM,WTMASS: what masses and densities of the file are multiplied by."""
    materials: dict[str, Material] = field(default_factory=dict)
    material_names: dict[int, str] = field(default_factory=dict)
    sections: dict[str, Section] = field(default_factory=dict)
    grounds: list[tuple[int, int, Components]] = field(default_factory=list)
    """Nodes made as the fixed ends of springs: number, grid point, held components."""

    def frame(self, number: int, card: Card) -> CoordinateSystem:
        return frame(self.frames, number, card)

    def node(self, number: int, card: Card) -> int:
        """Position of a grid point."""
        return int(self.draft.index([number], f"{card.name} {card.text(1)}".strip(), card.place)[0])

    def require_set(self, kind: str, number: int, present: Collection[int], card: Card | None = None) -> None:
        """FileError where the case control, or a card, asks for a set of SPC, MPC or LOAD that no card defines."""
        if number in present or self.bulk.parts:  # sections that are not read may hold it
            return
        there = f"the sets are {', '.join(map(str, sorted(present)[:10]))}" if present else "there are none"
        what = f"it refers to set {number} of {kind}, which does not exist"
        fix = "add it or correct its number"
        if card is not None:
            raise card.wrong(f"{what}; {there}", fix)
        path, line = self.bulk.case_places[kind]
        raise wrong(path, line, what, there, fix, where=f"{kind} = {number}")

    def nodes(self, card: Card, i: int, meaning: str) -> np.ndarray:
        """Positions of the grid points from field i on; of ranges those that exist."""
        parts = [np.zeros(0, dtype=np.int64)]
        singles: list[int] = []
        for first, last, step in card.ranges(i, meaning):
            if first == last:
                singles.append(first)
            else:
                ids = self.draft.node_ids
                parts.append(np.flatnonzero((ids >= first) & (ids <= last) & ((ids - first) % step == 0)))
        parts.append(self.draft.index(np.array(singles, dtype=np.int64), card.name, card.place))
        return np.concatenate(parts)

    def components(self, node: int, components: Components, card: Card) -> Components | None:
        """Components of a node's own displacement system as global ones; None (and a note) where they have no
        counterpart: single components along axes that are not global ones."""
        chosen = set(components)
        if all(part <= chosen or not part & chosen for part in ({0, 1, 2}, {3, 4, 5})):
            return components
        R = self.axes_at(node)
        if R is None:
            return components
        along = np.argmax(np.abs(R), axis=0)
        if np.allclose(np.abs(R[along, np.arange(3)]), 1.0, rtol=0, atol=1e-9):
            return tuple(sorted(int(along[c % 3]) + 3 * (c // 3) for c in components))
        why = "single components along axes that are not global ones (CD) are left out"
        self.draft.note(card.name, why, card.place)
        return None

    def axes_at(self, node: int) -> np.ndarray | None:
        """Axes of a node's displacement system; None if they are the global ones."""
        number = int(self.cd[node])
        if number <= 0:
            return None
        points = self.draft.points[node : node + 1] / self.draft.units.length
        return self.frames[number].axes_at(points)[0]

    def to_global(self, node: int, vector: np.ndarray) -> np.ndarray:
        """A vector given in a node's displacement system."""
        R = self.axes_at(node)
        return vector if R is None else R @ vector

    @property
    def cd(self) -> np.ndarray:
        """Displacement system of each node, in the order of the draft."""
        return self.grids.cd
