"""Processes that share a tree: what they tell each other, and how a run ends when one of them cannot go on.

Wherever a process may give up, between steps and before its laws are evaluated, the next thing told is a header. Who leaves says so in
its last header, with the reason: nobody waits for it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from flexor.engine.memory import OK
from flexor.errors import SolveError
from flexor.hierarchy.memory import CUT_OFF, HEADER, MATRICES, MOTION, STATE, STOPPED, VECTORS
from flexor.hierarchy.share import border_places, port_places, share, state_places, state_weights

if TYPE_CHECKING:
    from flexor.hierarchy.stepper import Tree

LEAVES, STATUS, VALUE, WORST, CELL, TERM, CODE, STEPS = range(8)
"""What stands in a header."""
_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)


class CutOff(SolveError):
    """The other processes cannot be reached any more."""


class Team(Protocol):
    """Several processes, numbered from 0."""

    rank: int
    size: int

    def gather(self, own: np.ndarray, found: np.ndarray, counts: Sequence[int]) -> None:
        """Numbers of all processes one after the other, so many of each; CutOff if one of them cannot be reached."""

    def texts(self, own: str) -> list[str]:
        """A text of each process."""


class Partners:
    """What a process has to do with the others that share its tree."""

    def __init__(self, team: Team) -> None:
        self.team, self.rank, self.size = team, team.rank, team.size
        self.reasons: list[str] = []
        """Of each process, why it left; empty as long as none has."""
        self.lost: CutOff | None = None
        self._header = np.zeros(8)
        self._headers = np.zeros(8 * team.size)
        self._plans: dict[int, _Plan] = {}

    def attach(self, tree: Tree) -> None:
        """Divide a tree, and let its kernels speak to the others."""
        system, memory, subsystems = tree.system, tree.memory, tree.subsystems
        self.tree, tree.partners = tree, self
        part = share(system, tree.cells, tree.kinds, memory, subsystems, self.rank, self.size)
        tree.compute(part, self.size - 1)
        everybody = range(self.size)
        matrices = [
            {
                "D": border_places(subsystems, part.roots[k], "D"),
                "alone": port_places(memory, part.common[k]),
            }
            for k in everybody
        ]
        vectors = [{"r": border_places(subsystems, part.roots[k], "r")} for k in everybody]
        answers = [
            {"answer": np.array([eq for c in part.common[k] for eq in tree.cells.members[c]], dtype=np.int64)}
            for k in everybody
        ]
        states = [state_places(system, tree.cells, memory, part.cells[k], part.joints_of[k]) for k in everybody]
        self._plans = {
            MATRICES: _Plan(memory, matrices, self.rank, front=2),
            VECTORS: _Plan(memory, vectors, self.rank),
            MOTION: _Plan(memory, answers, self.rank),
            STATE: _Plan(system.memory, states, self.rank),
        }
        weights = tree.memory.weights
        weights[:] = state_weights(system, tree.cells, weights, part.cells[self.rank])
        self._callback = _CALLBACK(self._exchange)  # kept as long as the kernels may call it
        address = int(ctypes.cast(self._callback, ctypes.c_void_p).value or 0)
        tree.table.set_kernel("exchange", self._exchange, address)

    def _exchange(self, _: object) -> int:
        """What a kernel asks for; the first status that is not OK."""
        try:
            asked = int(self.tree.numbers.asked)
            return self._agree() if asked == HEADER else self._tell(asked)
        except CutOff as error:
            self.lost = error
            return CUT_OFF

    def _agree(self) -> int:
        numbers, run, h = self.tree.numbers, self.tree.system.run, self._header
        h[LEAVES], h[STATUS], h[VALUE] = 0.0, numbers.status, numbers.value
        h[WORST], h[CELL], h[TERM], h[CODE] = numbers.worst, numbers.bad_cell, run.error_term, run.error_code
        heads = self._heads()
        if heads[:, LEAVES].any():
            return STOPPED
        bad = np.flatnonzero(heads[:, STATUS] != OK)
        first = heads[bad[0] if len(bad) else 0]
        if len(bad):
            numbers.bad_cell, run.error_term, run.error_code = int(first[CELL]), int(first[TERM]), int(first[CODE])
        most = heads[int(np.argmax(heads[:, VALUE]))]
        numbers.value, numbers.worst = float(most[VALUE]), int(most[WORST])
        return int(first[STATUS])

    def _heads(self) -> np.ndarray:
        self.team.gather(self._header, self._headers, [8] * self.size)
        heads = self._headers.reshape(self.size, 8)
        if heads[:, LEAVES].any() and not self.reasons:
            self.reasons = self.team.texts("")
        return heads

    def _tell(self, asked: int) -> int:
        plan, numbers = self._plans[asked], self.tree.numbers
        if plan.front:
            plan.own[0], plan.own[1] = numbers.status, numbers.bad_cell
        plan.collect()
        self.team.gather(plan.own, plan.found, plan.counts)
        if plan.front:
            for start in plan.starts:
                if plan.found[start] != OK:
                    numbers.bad_cell = int(plan.found[start + 1])
                    return int(plan.found[start])
        plan.hand_out()
        return OK

    def steps(self, most: int) -> int:
        """How many steps come next: as many as the first process says; 0 if one has left."""
        if self.reasons or self.lost is not None:
            return 0
        self._header[:] = 0.0
        self._header[STEPS] = most
        try:
            heads = self._heads()
        except CutOff as error:
            self.lost = error
            return 0
        return 0 if heads[:, LEAVES].any() else int(heads[0, STEPS])

    def leave(self, reason: str = "") -> None:
        """The last word, at the end of a run or before: why it ended, if not as it should."""
        if self.reasons or self.lost is not None:
            return
        self._header[:] = 0.0
        self._header[LEAVES] = float(bool(reason))
        try:
            self.team.gather(self._header, self._headers, [8] * self.size)
            if self._headers.reshape(self.size, 8)[:, LEAVES].any():
                self.reasons = self.team.texts(reason)
        except CutOff as error:
            self.lost = error

    def failure(self) -> SolveError:
        """Why the run cannot go on here."""
        if self.lost is not None:
            return self.lost
        told = [f"rank {k}: {reason}" for k, reason in enumerate(self.reasons) if reason]
        return SolveError("another rank could not go on; " + "; ".join(told))


class _Plan:
    """Which numbers of which arrays each process tells the others.

    places: of each process, by the names of arrays in memory.   front: words before these.
    """

    def __init__(self, memory: object, places: Sequence[dict[str, np.ndarray]], rank: int, front: int = 0) -> None:
        self.front = front
        self.counts = [front + sum(map(len, each.values())) for each in places]
        self.starts = np.concatenate([[0], np.cumsum(self.counts)[:-1]]).astype(int).tolist()
        self.own, self.found = np.zeros(self.counts[rank]), np.zeros(sum(self.counts))
        self._out: list[tuple[np.ndarray, np.ndarray, slice]] = []
        self._in: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        at = front
        for name, own in places[rank].items():
            self._out.append((getattr(memory, name), own, slice(at, at + len(own))))
            at += len(own)
        begin = [start + front for start in self.starts]
        for name in places[0]:
            others = [k for k in range(len(places)) if k != rank]
            where = [places[k][name] for k in others]
            source = [np.arange(begin[k], begin[k] + len(places[k][name])) for k in others]
            self._in.append((getattr(memory, name), np.concatenate(where), np.concatenate(source)))
            begin = [b + len(each[name]) for b, each in zip(begin, places, strict=True)]

    def collect(self) -> None:
        for array, places, where in self._out:
            np.take(array, places, out=self.own[where])

    def hand_out(self) -> None:
        for array, places, source in self._in:
            array[places] = self.found[source]
