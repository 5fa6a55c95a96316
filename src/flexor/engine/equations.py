"""Which equation belongs to which coordinate: blocks of the system matrix and where terms add to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from flexor.engine.assemble import AVERAGED, PLAIN, SCALE_COLUMNS, SCALE_ROWS, TRANSPOSED
from flexor.engine.linear.pattern import Pattern, analyse, tell_if_slow
from flexor.engine.linear.table import PAD
from flexor.engine.memory import GENERALISED, MULTIPLIER, PADDING, READING, ROTATION, TRANSLATION
from flexor.engine.segments import Segment, SegmentTable, runs
from flexor.law import Term
from flexor.model.mechanism import Mechanism

DIRECTIONS = ("x", "y", "z", "rotation x", "rotation y", "rotation z")
"""Names of a node's equations."""


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
    segments: SegmentTable = field(init=False)
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
                turns = not node.locked or i in masters or not {3, 4, 5}.issubset(node.locked)
                self.node_block[i] = block(6 if turns else 3, node.name, DIRECTIONS)
        self.first_scalars = len(self.sizes)
        for follower in m.followers:
            if follower.scalars and follower.shapes is None:
                names = tuple(m.scalars[s].name for s in follower.scalars)
                number = block(len(follower.scalars), follower.joint, names)
                for inner, scalar in enumerate(follower.scalars):
                    self.scalar_block[scalar], self.scalar_inner[scalar] = number, inner
        for term in m.terms if len(m.scalars) else ():  # the modes of a body together
            own = [s for s in term.scalars if self.scalar_block[s] < 0]
            if len(own) > 1:
                number = block(len(own), term.name, tuple(m.scalars[s].name for s in own))
                for inner, scalar in enumerate(own):
                    self.scalar_block[scalar], self.scalar_inner[scalar] = number, inner
        for i, lone in enumerate(m.scalars):
            if self.scalar_block[i] < 0:
                self.scalar_block[i] = block(1, lone.name, ("",))
        bound = [(i, term) for i, term in enumerate(m.terms) if term.rows]
        for i, term in bound:
            self.term_block[i] = block(len(term.rows), term.name, term.rows, term.readings < len(term.rows))
        ties = ((i, block(6, m.followers[i].joint, tuple(f"tie {row}" for row in DIRECTIONS))) for i in self.relays)
        self.tie_block = dict(ties)
        self.lenders = {term.name: i for i, term in bound}

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
        terms = self.mechanism.terms
        self.condensed = {}
        own = np.array([len(term.rows) for term in terms], dtype=np.int64)
        reading = np.array([term.readings > 0 for term in terms], dtype=bool)
        others: dict[int, list[Segment]] = {}
        following = {*self.follower_of_node}.difference(np.flatnonzero(self.node_block >= 0).tolist())
        for number, term in enumerate(terms):
            if following and not following.isdisjoint(term.nodes):
                columns: list[tuple[int, int]] = []
                for node in term.nodes:
                    columns += [c for c in self._node_columns(node) if c not in columns]
                for s in term.scalars:
                    place = (int(self.scalar_block[s]), int(self.scalar_inner[s]))
                    columns += [place] if place not in columns else []
                columns += [(int(self.term_block[number]), i) for i in range(len(term.rows))]
                columns += [(int(self.term_block[lender]), i) for lender, i in self.read_by(term)]
                self.condensed[number] = columns
                others[number] = self._inside(columns)
            elif term.scalars or term.reads:
                others[number] = self._segments_of(number, term)
        self.segments = SegmentTable.of_terms(
            [term.nodes for term in terms],
            self.node_block,
            np.array(self.sizes, dtype=np.int64),
            (self.term_block, own, reading),
            others,
        )

    def _segments_of(self, number: int, term: Term) -> list[Segment]:
        """Segments of a term with nodes, scalars, multipliers, and unknowns of others that it reads."""
        found = []
        for i, node in enumerate(term.nodes):
            if self.node_block[node] >= 0:
                block = int(self.node_block[node])
                found.append(Segment(block, 0, 6 * i, self.sizes[block]))
        at = 6 * len(term.nodes)
        places = [(int(self.scalar_block[s]), int(self.scalar_inner[s])) for s in term.scalars]
        found += [run._replace(at=run.at + at) for run in runs(places)]
        at += len(places)
        if term.rows:
            found.append(Segment(int(self.term_block[number]), 0, at, len(term.rows), True, term.readings > 0))
        at += len(term.rows)
        for name, count in term.reads:
            lender = self.lenders[name]
            reading = self.mechanism.terms[lender].readings > 0
            found.append(Segment(int(self.term_block[lender]), 0, at, count, True, reading))
            at += count
        return found

    def _inside(self, columns: list[tuple[int, int]]) -> list[Segment]:
        """Segments of columns; of nodes without rotations the three that there are."""
        return [
            run._replace(size=min(run.size, self.sizes[run.block] - run.inner))
            for run in runs(columns)
            if run.inner < self.sizes[run.block]
        ]

    def _analyse(self) -> None:
        pairs: set[tuple[int, int]] = set()
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
        every = self.segments + SegmentTable.of([self._inside(columns) for columns in self.follower_columns])
        _, later, earlier = every.pairs()
        blocks = every.table[:, 0]
        ties = np.array([*pairs], dtype=np.int64).reshape(-1, 2)
        joined = np.concatenate([np.column_stack([blocks[later], blocks[earlier]]), ties])
        self.pattern = analyse(self.sizes, joined, self.multiplier, after)
        tell_if_slow(self.pattern)

    def _after_chains(self) -> dict[int, set[int]]:
        """Constraints on relays, or on what hangs on them, have pivots only after all coordinates inwards of them."""
        relay = {int(self.node_block[self.mechanism.followers[i].node]): i for i in self.relays}
        found: dict[int, set[int]] = {}
        for number in range(len(self.segments)):
            multiplier = int(self.term_block[number])
            if multiplier < 0 or not self.multiplier[multiplier]:
                continue
            blocks = {block for block in self.segments.blocks(number) if not self.multiplier[block]}
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
        every = self.segments + SegmentTable.of([self._follower_segments(i) for i in range(len(self.follower_columns))])
        of_list, p, q = every.pairs()
        block, inner, at, size, multiplier, reading, relay, tie = every.table.T
        bound = (multiplier[p] & multiplier[q]) & ~(reading[p] | reading[q])
        kept = (bound | relay[p] | (tie[p] & tie[q])) == 0
        of_list, p, q = of_list[kept], p[kept], q[kept]
        column = self.pattern.column[block]
        same, above = column[p] == column[q], column[p] < column[q]
        row, col = np.where(above, q, p), np.where(above, p, q)
        twice = np.where(same, p != q, not symmetric)  # (p, q) and (q, p) of one block, or both triangles
        which = np.repeat(np.arange(len(p)), 1 + twice)
        second = np.diff(which, prepend=-1) == 0
        of_list, row, col, same = of_list[which], row[which], col[which], same[which]
        row, col = np.where(same & second, col, row), np.where(same & second, row, col)
        mode = np.where(same, PLAIN, AVERAGED if symmetric else np.where(second, TRANSPOSED, PLAIN))
        mode += SCALE_ROWS * multiplier[row] + SCALE_COLUMNS * multiplier[col]
        offset, stride, _ = self.pattern.locate(block[row], block[col])
        offset = offset + inner[row] * stride + inner[col] + self.pattern.mirror * (second & ~same)
        entries = np.column_stack([at[row], at[col], size[row], size[col], offset, stride, mode])
        starts = np.concatenate([[0], np.cumsum(np.bincount(of_list, minlength=len(every)))])
        return np.ascontiguousarray(entries, dtype=np.int64), starts

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
        name = name or self._unnamed.get(block, "")
        return f"{name}: {rows[row]}" if rows[row] else name

    @cached_property
    def _unnamed(self) -> dict[int, str]:
        """Names for the blocks of nodes that have none: "plate.node_12" by signals of their own, else a body and where they stood."""
        m = self.mechanism
        told: dict[int, str] = {}
        for term in m.terms:
            own = term.outputs[0].name if len(term.nodes) == 1 and term.outputs else ""
            for node in term.nodes:
                if "." in own:
                    told[node] = f"{term.name}.{own.rpartition('.')[0]}"
                elif node not in told:
                    x, y, z = m.nodes[node].x
                    told[node] = f"{term.name}: the node that began at ({x:.4g}, {y:.4g}, {z:.4g}) m"
        return {int(self.node_block[node]): name for node, name in told.items() if not m.nodes[node].name}

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
        independent = np.flatnonzero((self.node_block >= 0) & (self.node_followers < 0))
        first = self.pattern.start[self.node_block[independent]]
        rows = first[:, None] + np.arange(6)
        kind[rows[:, :3]], kind[rows[:, 3:]] = TRANSLATION, ROTATION
        without = [(i, dof) for i, node in enumerate(independent.tolist()) for dof in m.nodes[node].locked]
        if without:
            node, dof = np.array(without).T
            kind[rows[node, dof]] = PADDING
        for i, scalar in enumerate(m.scalars):
            eq = self.pattern.start[self.scalar_block[i]] + self.scalar_inner[i]
            kind[eq] = {"m": TRANSLATION, "rad": ROTATION}.get(scalar.unit, GENERALISED)
        bound = np.flatnonzero(self.term_block >= 0).tolist()
        every = [(len(m.terms[i].rows), m.terms[i].readings) for i in bound]
        counts, readings = np.array(every, dtype=np.int64).reshape(-1, 2).T
        inside = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        row = np.repeat(self.pattern.start[self.term_block[bound]], counts) + inside
        kind[row] = np.where(inside < np.repeat(counts - readings, counts), MULTIPLIER, READING)
        return kind
