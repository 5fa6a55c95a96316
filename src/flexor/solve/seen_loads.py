"""Whether the steps of a run see the functions of time that drive it: told where they vary within the steps.

An integrator knows a load at the ends of its steps alone. A pulse between two of them, or a load that goes up and down within
one, does not act; error control does not notice what it has not seen.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from flexor.engine.memory import StepRow
from flexor.errors import LawError
from flexor.functions import Function
from flexor.functions.any_function import time_fields
from flexor.model import Model
from flexor.model.mechanism import Mechanism
from flexor.warning import warn

UNSEEN = 0.2
"""Share of a function's variation within the steps, beyond straight lines over them, that is told."""
SLIGHT = 0.01
"""Variation, relative to the function itself, that is not worth telling."""
LOOKS = 60
"""Steps of a run that are looked at, beside those with breakpoints."""
POINTS = 600
"""Points in all of them, at least six in each."""
GOLDEN = 0.6180339887498949
FEW = 50
"""Breakpoints that are looked at."""


class UnseenLoad(UserWarning):
    """A load or a prescribed motion varies within the steps of a run, which therefore do not see it."""


class Pieces(NamedTuple):
    """Parts of steps: begin and length [s] of each, of the step that it is in, and how many alike it stands for."""

    begin: np.ndarray
    length: np.ndarray
    step_begin: np.ndarray
    step_length: np.ndarray
    weight: np.ndarray


class SeenLoads:
    """Watches the steps of a run, and compares them with the functions of time of its model."""

    def __init__(self, model: Model | Mechanism) -> None:
        items = () if isinstance(model, Mechanism) else model.items
        self.functions = [
            (f"{item.called(item.name)}: {field}", function)
            for item in items
            for field in time_fields(type(item))
            if isinstance(function := getattr(item, field), Function) and function.varies and not function.sensors
        ]
        points = {x for _, function in self.functions for x in function.breakpoints[: FEW + 1]}
        self.points = np.array(sorted(points)[:FEW])
        self.breaking = np.zeros((0, 2))
        self.between = [_Some(max(LOOKS // (len(self.points) + 1), 8)) for _ in range(len(self.points) + 1)]

    def watch(self, history: np.ndarray) -> None:
        """Take account of finished steps, a StepRow each."""
        if not self.functions or not len(history):
            return
        rows = history.view(StepRow.dtype())
        end, length = np.ravel(rows["time"]), np.ravel(rows["step_size"])
        steps = np.column_stack([end - length, length])
        near = 1e-6 * length
        first, last = np.searchsorted(self.points, steps[:, 0] + near), np.searchsorted(self.points, end - near)
        self.breaking = np.vstack([self.breaking, steps[last > first]])[:FEW]
        for i in np.unique(first):
            self.between[i].add(steps[(first == i) & (last == i)])

    def tell(self, adaptive: bool) -> None:
        """Warn of every function that the steps do not see."""
        pieces = self._looked_at() if self.functions else None
        if pieces is None:
            return
        for who, function in self.functions:
            try:
                share = unseen_share(function, pieces)
                if share <= UNSEEN:
                    continue
                fix = f"{'max_step' if adaptive else 'step'}={_enough(function, pieces)}"
            except LawError:  # not defined between two steps
                continue
            what = f"{who} varies within the steps: they do not see {100 * min(share, 1.0):.0f} % of its variation"
            warn(f"{what}, which does not act. What helps: {fix}", UnseenLoad)

    def _looked_at(self) -> Pieces | None:
        """Some steps between two breakpoints each, as they are, and those with breakpoints, divided there."""
        rows = [(begin, length, begin, length, some.each) for some in self.between for begin, length in some.steps]
        for begin, length in self.breaking:
            end = begin + length
            places = [begin, *self.points[(self.points > begin) & (self.points < end)], end]
            rows += [(a, b - a, begin, length, 1.0) for a, b in pairwise(places)]
        return Pieces(*np.array(rows).T) if rows else None


class _Some:
    """Some of many steps, evenly taken: begin and length of each, which stands for `each` of them."""

    def __init__(self, looks: int) -> None:
        self.looks = looks
        self.steps = np.zeros((0, 2))
        self.each = 1.0
        self.count = 0

    def add(self, steps: np.ndarray) -> None:
        number = self.count + np.arange(len(steps))
        self.count += len(steps)
        self.steps = np.vstack([self.steps, steps[number % int(self.each) == 0]])
        while len(self.steps) > 2 * self.looks:
            self.steps, self.each = self.steps[::2], 2 * self.each


def unseen_share(function: Function, pieces: Pieces) -> float:
    """∫ |f − f̂| dt over ∫ |f − f̃| dt: f̂ straight over each step between the values at its ends, f̃ the median of f."""
    values, off, weight = _looks(function, pieces)
    order = np.argsort(values, axis=None)
    median = values.ravel()[order[np.searchsorted(np.cumsum(weight.ravel()[order]), 0.5 * weight.sum())]]
    variation = float((weight * np.abs(values - median)).sum())
    if variation <= SLIGHT * float((weight * np.abs(values)).sum()):
        return 0.0
    return float((weight * off).sum()) / variation


def _looks(function: Function, pieces: Pieces) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each piece at points that no period shares: f, how far it is from straight over its step, and the time it stands for."""
    count = max(6, POINTS // len(pieces.begin))
    inside = pieces.begin[:, None] + pieces.length[:, None] * ((np.arange(1, count + 1) * GOLDEN) % 1.0)
    values = function(inside)
    ends = function(np.column_stack([pieces.step_begin, pieces.step_begin + pieces.step_length]))
    along = (inside - pieces.step_begin[:, None]) / pieces.step_length[:, None]
    lines = ends[:, :1] + (ends[:, 1:] - ends[:, :1]) * along
    weight = np.broadcast_to((pieces.weight * pieces.length)[:, None] / count, values.shape)
    return values, np.abs(values - lines), weight


def _enough(function: Function, pieces: Pieces) -> str:
    """A step that leaves next to nothing unseen where most is, as it is written."""
    _, off, weight = _looks(function, pieces)
    worst = int(np.argmax((off * weight).sum(axis=1)))
    begin, length = float(pieces.begin[worst]), float(pieces.length[worst])
    parts = 2
    while parts < 1024:
        h = np.full(parts, length / parts)
        starts = begin + h * np.arange(parts)
        if unseen_share(function, Pieces(starts, h, starts, h, np.ones(parts))) < 0.1 * UNSEEN:
            break
        parts *= 2
    size = 10.0 ** np.floor(np.log10(length / parts))
    return f'"{np.floor(length / parts / size) * size:.0g} s"'
