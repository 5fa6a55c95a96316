"""Which equation belongs to which coordinate: blocks of the system matrix and where terms add to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from flexor.engine.assemble import AVERAGED, PLAIN, SCALE_COLUMNS, SCALE_ROWS, TRANSPOSED
from flexor.engine.linear.pattern import Pattern, analyse, tell_if_slow
from flexor.engine.linear.table import PAD
from flexor.engine.memory import GENERALISED, MULTIPLIER, PADDING, READING, ROTATION, TRANSLATION
from flexor.law import Term
from flexor.model.mechanism import Mechanism

DIRECTIONS = ("x", "y", "z", "rotation x", "rotation y", "rotation z")
"""Names of a node's equations."""


class Segment(NamedTuple):
    """Consecutive coordinates of a term that lie in one block: local rows [at, at + size) ↔ block rows from `inner`."""

    block: int
    inner: int
    at: int
    size: int
    multiplier: bool = False
    reading: bool = False
    relay: bool = False
    tie: bool = False


@dataclass
class Equations:
    """Blocks, their pattern, and the coordinates' places in it."""

    mechanism: Mechanism
    relays: tuple[int, ...] = ()
    """Followers whose nodes have equations of their own in the matrix; see `flexor.engine.relays`."""
    node_block: np.ndarray = field(init=False)
    scalar_block: np.ndarray = field(init=False)
    scalar_inner: np.ndarray = field(init=False)
    term_block: np.ndarray = field(init=False)
    tie_block: dict[int, int] = field(init=False)
    lenders: dict[str, int] = field(init=False)
    follower_of_node: dict[int, int] = field(init=False)
    follower_columns: list[list[tuple[int, int]]] = field(init=False)
    names: list[tuple[str, tuple[str, ...]]] = field(init=False)
    segments: list[list[Segment]] = field(init=False)
    condensed: dict[int, list[tuple[int, int]]] = field(init=False)
    pattern: Pattern = field(init=False)

    def __post_init__(self) -> None:
        self._number_blocks()
        self._follower_columns()
        self._segments()
        self._analyse()

    def _number_blocks(self) -> None:
        m = self.mechanism
        self.follower_of_node = {follower.node: i for i, follower in enumerate(m.followers)}
        self.node_block = np.full(len(m.nodes), -1)
        self.scalar_block = np.full(len(m.scalars), -1)
        self.scalar_inner = np.zeros(len(m.scalars), dtype=int)
        self.term_block = np.full(len(m.terms), -1)
        self.sizes: list[int] = []
        self.multiplier: list[bool] = []
        self.names = []

        def block(size: int, name: str, rows: tuple[str, ...], multiplier: bool = False) -> int:
            self.sizes.append(size)
            self.multiplier.append(multiplier)
            self.names.append((name, rows))
            return len(self.sizes) - 1

        masters = {follower.master for follower in m.followers}
        relays = {m.followers[i].node for i in self.relays}
        for i, node in enumerate(m.nodes):
            if i > 0 and (i not in self.follower_of_node or i in relays):
                turns = i in masters or not {3, 4, 5}.issubset(node.locked)
                self.node_block[i] = block(6 if turns else 3, node.name, DIRECTIONS)
        self.first_scalars = len(self.sizes)
        for follower in m.followers:
            if follower.scalars and follower.shapes is None:
                names = tuple(m.scalars[s].name for s in follower.scalars)
                number = block(len(follower.scalars), follower.joint, names)
                for inner, scalar in enumerate(follower.scalars):
                    self.scalar_block[scalar], self.scalar_inner[scalar] = number, inner
        for term in m.terms:  # the modes of a body together
            own = [s for s in term.scalars if self.scalar_block[s] < 0]
            if len(own) > 1:
                number = block(len(own), term.name, tuple(m.scalars[s].name for s in own))
                for inner, scalar in enumerate(own):
                    self.scalar_block[scalar], self.scalar_inner[scalar] = number, inner
        for i, lone in enumerate(m.scalars):
            if self.scalar_block[i] < 0:
                self.scalar_block[i] = block(1, lone.name, ("",))
        for i, term in enumerate(m.terms):
            if term.rows:
                self.term_block[i] = block(len(term.rows), term.name, term.rows, term.readings < len(term.rows))
        ties = ((i, block(6, m.followers[i].joint, tuple(f"tie {row}" for row in DIRECTIONS))) for i in self.relays)
        self.tie_block = dict(ties)
        self.lenders = {term.name: i for i, term in enumerate(m.terms) if term.rows}

    def read_by(self, term: Term) -> list[tuple[int, int]]:
        """(term, row of it) of every unknown of others that a term reads."""
        return [(self.lenders[name], row) for name, count in term.reads for row in range(count)]

    def _follower_columns(self) -> None:
        """(block, row in block) of every independent coordinate of each follower, from the master outwards."""
        self.follower_columns = []
        for follower in self.mechanism.followers:
            own = [(int(self.scalar_block[s]), int(self.scalar_inner[s])) for s in follower.scalars]
            self.follower_columns.append(self._node_columns(follower.master) + own)

    def _node_columns(self, node: int) -> list[tuple[int, int]]:
        if node == 0:
            return []
        if self.node_block[node] < 0:
            return list(self.follower_columns[self.follower_of_node[node]])
        return [(int(self.node_block[node]), i) for i in range(6)]

    def _segments(self) -> None:
        self.segments = []
        self.condensed = {}
        for number, term in enumerate(self.mechanism.terms):
            if any(node > 0 and self.node_block[node] < 0 for node in term.nodes):
                columns: list[tuple[int, int]] = []
                for node in term.nodes:
                    columns += [c for c in self._node_columns(node) if c not in columns]
                for s in term.scalars:
                    place = (int(self.scalar_block[s]), int(self.scalar_inner[s]))
                    columns += [place] if place not in columns else []
                columns += [(int(self.term_block[number]), i) for i in range(len(term.rows))]
                columns += [(int(self.term_block[lender]), i) for lender, i in self.read_by(term)]
                self.condensed[number] = columns
                self.segments.append(self._inside(columns))
                continue
            found = []
            for i, node in enumerate(term.nodes):
                if self.node_block[node] >= 0:
                    block = int(self.node_block[node])
                    found.append(Segment(block, 0, 6 * i, self.sizes[block]))
            at = 6 * len(term.nodes)
            places = [(int(self.scalar_block[s]), int(self.scalar_inner[s])) for s in term.scalars]
            found += [run._replace(at=run.at + at) for run in _runs(places)]
            at += len(places)
            if term.rows:
                found.append(Segment(int(self.term_block[number]), 0, at, len(term.rows), True, term.readings > 0))
            at += len(term.rows)
            for name, count in term.reads:
                lender = self.lenders[name]
                reading = self.mechanism.terms[lender].readings > 0
                found.append(Segment(int(self.term_block[lender]), 0, at, count, True, reading))
                at += count
            self.segments.append(found)

    def _inside(self, columns: list[tuple[int, int]]) -> list[Segment]:
        """Segments of columns; of nodes without rotations the three that there are."""
        return [
            run._replace(size=min(run.size, self.sizes[run.block] - run.inner))
            for run in _runs(columns)
            if run.inner < self.sizes[run.block]
        ]

    def _analyse(self) -> None:
        pairs: set[tuple[int, int]] = set()
        for segments in [*self.segments, *(self._inside(columns) for columns in self.follower_columns)]:
            blocks = sorted({segment.block for segment in segments})
            pairs.update((a, b) for i, a in enumerate(blocks) for b in blocks[:i])
        after: dict[int, set[int]] = {}
        for i, tie in self.tie_block.items():
            node, columns = int(self.node_block[self.mechanism.followers[i].node]), self.follower_columns[i]
            pairs.update((tie, block) for block in {node, *(block for block, _ in columns)})
            after[tie] = {node}
            for block, _ in columns:
                if block >= self.first_scalars:
                    after.setdefault(block, set()).add(tie)
        if self.relays:
            after |= self._after_chains()
        array = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
        self.pattern = analyse(self.sizes, array, self.multiplier, after)
        tell_if_slow(self.pattern)

    def _after_chains(self) -> dict[int, set[int]]:
        """Constraints on relays, or on what hangs on them, have pivots only after all coordinates inwards of them."""
        relay = {int(self.node_block[self.mechanism.followers[i].node]): i for i in self.relays}
        found: dict[int, set[int]] = {}
        for number, segments in enumerate(self.segments):
            multiplier = int(self.term_block[number])
            if multiplier < 0 or not self.multiplier[multiplier]:
                continue
            blocks = {segment.block for segment in segments if not self.multiplier[segment.block]}
            ways = [block for block in blocks if block in relay]
            if ways:
                found[multiplier] = blocks
            while ways:
                i = relay[ways.pop()]
                inwards = {block for block, _ in self.follower_columns[i]} - blocks
                blocks |= {self.tie_block[i], *inwards}
                ways += [block for block in inwards if block in relay]
        return found

    # -- places ----------------------------------------------------------------------------------------------

    def equation(self, block: int, row: int) -> int:
        return int(self.pattern.start[block]) + row

    @property
    def node_equations(self) -> np.ndarray:
        """First equation of each node; −1 for the ground and followers."""
        eq = np.full(len(self.node_block), -1)
        own = self.node_block >= 0
        eq[own] = self.pattern.start[self.node_block[own]]
        return eq

    @property
    def node_followers(self) -> np.ndarray:
        """Number of each node among the followers, or −1."""
        numbers = np.full(len(self.node_block), -1)
        for node, follower in self.follower_of_node.items():
            numbers[node] = follower
        return numbers

    def scatter(self, symmetric: bool) -> tuple[np.ndarray, np.ndarray]:
        """Scatter entries of all terms, then of all followers, and where each one's begin."""
        lists = self.segments + [self._follower_segments(i) for i in range(len(self.follower_columns))]
        rows: list[tuple[int, ...]] = []
        I: list[int] = []
        J: list[int] = []
        starts = [0]
        column = self.pattern.column
        for segments in lists:
            for a, p in enumerate(segments):
                for q in segments[: a + 1]:
                    if p.multiplier and q.multiplier and not (p.reading or q.reading):
                        continue
                    if p.relay or (p.tie and q.tie):
                        continue
                    if column[p.block] == column[q.block]:
                        for row, col in ((p, q), (q, p)) if p is not q else ((p, p),):
                            I.append(row.block)
                            J.append(col.block)
                            rows.append(_entry(row, col, PLAIN, 0))
                        continue
                    row, col = (p, q) if column[p.block] > column[q.block] else (q, p)
                    for mode, mirror in ((AVERAGED, 0),) if symmetric else ((PLAIN, 0), (TRANSPOSED, 1)):
                        I.append(row.block)
                        J.append(col.block)
                        rows.append(_entry(row, col, mode, mirror))
            starts.append(len(rows))
        table = np.array(rows, dtype=np.int64).reshape(-1, 10)
        offset, stride, _ = self.pattern.locate(np.array(I, dtype=np.int64), np.array(J, dtype=np.int64))
        offset = offset + table[:, 7] * stride + table[:, 8] + table[:, 9] * self.pattern.mirror
        entries = np.column_stack([table[:, :4], offset, stride, table[:, 6]])
        return np.ascontiguousarray(entries, dtype=np.int64), np.array(starts)

    def _follower_segments(self, i: int) -> list[Segment]:
        """Of the columns of a follower; of a relay also of its node and its tie, which stand behind them."""
        columns = self._inside(self.follower_columns[i])
        if i not in self.tie_block:
            return columns
        size, node = len(self.follower_columns[i]), self.mechanism.followers[i].node
        own = Segment(int(self.node_block[node]), 0, size, 6, relay=True)
        return [*columns, own, Segment(self.tie_block[i], 0, size + 6, 6, tie=True)]

    def diagonal(self, equations: np.ndarray) -> np.ndarray:
        """Places of diagonal values of the matrix."""
        whose = self.pattern.identity[equations]
        block, row = whose["block"], whose["row"]
        offset, stride, _ = self.pattern.locate(block, block)
        places: np.ndarray = offset + row * (stride + 1)
        return places

    def name(self, equation: int) -> str:
        """The user's name of an equation: "pin: point x", "crank: rotation z"."""
        block, row, kind = (int(value) for value in self.pattern.identity[equation])
        if kind == PAD:
            return "padding"
        name, rows = self.names[block]
        return f"{name}: {rows[row]}" if rows[row] else name

    def nonholonomic(self) -> np.ndarray:
        """Equations of constraints that bind velocities only."""
        found: list[int] = []
        for i, term in enumerate(self.mechanism.terms):
            if term.nonholonomic:
                last = int(self.pattern.start[self.term_block[i]]) + len(term.rows)
                found += range(last - term.nonholonomic, last)
        return np.array(found, dtype=np.int64)

    def kinds(self) -> np.ndarray:
        """Kind of each equation for norms."""
        m = self.mechanism
        kind = np.full(self.pattern.n, PADDING, dtype=np.int64)
        for i, node in enumerate(m.nodes):
            block = self.node_block[i]
            if block >= 0 and i not in self.follower_of_node:
                first = self.pattern.start[block]
                kind[first : first + 3] = TRANSLATION
                kind[first + 3 : first + 6] = ROTATION
                for dof in node.locked:
                    kind[first + dof] = PADDING
        for i, scalar in enumerate(m.scalars):
            eq = self.pattern.start[self.scalar_block[i]] + self.scalar_inner[i]
            kind[eq] = {"m": TRANSLATION, "rad": ROTATION}.get(scalar.unit, GENERALISED)
        for i, term in enumerate(m.terms):
            if term.rows:
                first = self.pattern.start[self.term_block[i]]
                kind[first : first + len(term.rows)] = MULTIPLIER
                kind[first + len(term.rows) - term.readings : first + len(term.rows)] = READING
        return kind


def _entry(row: Segment, col: Segment, mode: int, mirror: int) -> tuple[int, ...]:
    mode += (SCALE_ROWS if row.multiplier else 0) + (SCALE_COLUMNS if col.multiplier else 0)
    return (row.at, col.at, row.size, col.size, 0, 0, mode, row.inner, col.inner, mirror)


def _runs(columns: list[tuple[int, int]]) -> list[Segment]:
    """Segments of a list of (block, row in block), one per run of consecutive rows."""
    found: list[Segment] = []
    for at, (block, inner) in enumerate(columns):
        last = found[-1] if found else None
        if last and last.block == block and last.inner + last.size == inner:
            found[-1] = Segment(block, last.inner, last.at, last.size + 1)
        else:
            found.append(Segment(block, inner, at, 1))
    return found
