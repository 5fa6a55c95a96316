"""Pairs of surfaces that are near each other, searched anew only when something has moved far enough."""

from __future__ import annotations

import numpy as np

from flexor.contact.broad.cells import LARGE, SMALL, CellTable, Counts, overlapping_pairs
from flexor.law.table import AddressTable

MUCH_LARGER = 4.0
"""Than the median: a box that is compared with all others."""


class NearPairs:
    """Of n boxes, those pairs that come within a margin of each other (a Verlet list).

    Boxes are grown by half of the margin when they are searched. As long as no side of a box has moved by more than that half, no pair that overlaps is
    missing, and the list stays as it is.
    """

    def __init__(self, n: int, margin: float = 0.0, python: bool = False) -> None:
        self.margin = margin
        self.searches = 0
        """How often it was searched anew."""
        self.pairs: np.ndarray = np.zeros((0, 2), dtype=np.int64)
        """Numbers of the boxes of each pair, the smaller one first."""
        self._counts = Counts(np.zeros(Counts.WORDS, dtype=np.int64))
        self._counts.n, self._counts.slots = n, 1 << max(4, (2 * n - 1).bit_length())
        self._low, self._high = np.full((n, 3), np.nan), np.full((n, 3), np.nan)
        self._arrays: dict[str, np.ndarray] = {
            "edge": np.ones(1), "low": np.zeros(3 * n), "high": np.zeros(3 * n), "kind": np.zeros(n, dtype=np.int64),
            "cell": np.zeros(3 * n, dtype=np.int64), "head": np.zeros(self._counts.slots, dtype=np.int64),
            "next": np.zeros(n, dtype=np.int64), "pairs": np.zeros(2 * max(16, 8 * n), dtype=np.int64),
        }  # fmt: skip
        self._table = AddressTable(CellTable, python)
        self._table.set("counts", self._counts)
        for name, array in self._arrays.items():
            self._table.set(name, array)
        self._table.set_kernel("search", overlapping_pairs)

    @property
    def tests(self) -> int:
        """Comparisons of two boxes in the last search."""
        return int(self._counts.tests)

    def update(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """The pairs that may touch while boxes have these lowest and highest corners (n, 3) [m]; searched anew if need be."""
        moved = np.fmax(_change(low, self._low), _change(high, self._high))
        if self.searches and moved <= 0.5 * self.margin:
            return self.pairs
        self.searches += 1
        self._low, self._high = low.copy(), high.copy()
        own, size = self._arrays, np.max(high - low, axis=1, initial=0.0) + self.margin
        own["low"][:] = np.ravel(low - 0.5 * self.margin)
        own["high"][:] = np.ravel(high + 0.5 * self.margin)
        finite = size[np.isfinite(size)]
        typical = MUCH_LARGER * float(np.median(finite)) if len(finite) else 1.0
        own["kind"][:] = np.where(size <= typical, SMALL, LARGE)
        small = size[size <= typical]
        own["edge"][0] = max(float(small.max()) if len(small) else 1.0, 1e-300)
        self._counts.most = len(own["pairs"]) // 2
        self._table.call("search")
        if self._counts.pairs > self._counts.most:  # there were more than there was room for
            own["pairs"] = np.zeros(3 * int(self._counts.pairs), dtype=np.int64)
            self._table.set("pairs", own["pairs"])
            self._counts.most = len(own["pairs"]) // 2
            self._table.call("search")
        self.pairs = own["pairs"][: 2 * int(self._counts.pairs)].reshape(-1, 2).copy()
        return self.pairs


def _change(now: np.ndarray, before: np.ndarray) -> float:
    """How far corners have moved at most; those at infinity have not."""
    with np.errstate(invalid="ignore"):
        change = np.abs(now - before)
    return float(np.nanmax(np.where(now == before, 0.0, change), initial=0.0)) if now.size else 0.0
