"""What functions of time do between two steps that neither of these sees: a shock shorter than a step has no effect at all.

Steps know a load by its values at their ends. Where it has points of its own between them, at which it leaves what lies between
these values by much, the motion is not the one that it asks for, though energies balance.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexor.declaration import Item
from flexor.engine.memory import StepRow
from flexor.errors import LawError
from flexor.functions import Function, argument_of
from flexor.joints import Joint
from flexor.model import Model
from flexor.warning import warn

MUCH = 0.2
"""How far a function may go beyond its values at the ends of a step, in parts of its whole range."""
MOST = 10_000
"""Points of a function that are looked at."""
LOOKS = 5_000
"""Steps in which each is looked at: a measured curve that they do not resolve shows in the first of them."""


class UnseenLoad(UserWarning):
    """Steps of a run pass over what a load does between them."""


@dataclass
class _Watched:
    """A function with the places x that it is looked at, f there, and the step that passes over most of it.

    beyond: how far f goes beyond its values at the ends of that step.   at: where.   step: its length [s].
    """

    item: Item
    field: str
    function: Function
    x: np.ndarray
    f: np.ndarray
    beyond: float = 0.0
    at: float = 0.0
    step: float = 0.0
    steps: int = 0
    looks: int = 0

    @cached_property
    def range(self) -> float:
        return float(np.ptp(self.f))


class Unseen:
    """Watches the steps of a run of a model."""

    def __init__(self, model: Model) -> None:
        self.watched = [
            found
            for item in getattr(model, "items", ())
            if not isinstance(item, Joint) and item.drive is None  # their jumps are told by the check
            for key, field in type(item).model_fields.items()
            if isinstance(function := getattr(item, key), Function) and function.reads is None
            if (of := argument_of(field)) is not None and of.name == "time"
            if (found := _looked_at(item, key, function)) is not None
        ]

    def watch(self, history: np.ndarray) -> None:
        """Take account of finished steps, a StepRow each."""
        if not self.watched or not len(history):
            return
        rows = history.view(StepRow.dtype())
        ends, lengths = rows["time"].ravel(), rows["step_size"].ravel()
        for each in self.watched:
            first = np.searchsorted(each.x, ends - (1 - 1e-6) * lengths, side="right")
            last = np.searchsorted(each.x, ends - 1e-6 * lengths)
            for i in np.flatnonzero(first < last)[: LOOKS - each.looks].tolist():
                _look(each, float(ends[i] - lengths[i]), float(ends[i]), slice(first[i], last[i]))

    def tell(self, adaptive: bool) -> None:
        """Warn of functions that steps passed over."""
        for each in self.watched:
            if each.beyond <= MUCH * each.range:
                continue
            more = f" (and {each.steps - 1} more)" if each.steps > 1 else ""
            fix = "max_step=" if adaptive else "step="
            warn(
                f"{each.item.called(each.item.name)}: {each.field} goes up and down within one step, at t = {each.at:.6g} s{more}, "
                f"by {each.beyond:.4g}, {100 * each.beyond / each.range:.3g} % of its range; steps of {each.step:.3g} s do not "
                f"see that, and the motion lacks its effect. Give {fix} well below its duration, or make it longer and lower",
                UnseenLoad,
            )


def _looked_at(item: Item, field: str, function: Function) -> _Watched | None:
    """Breakpoints of a function and the middles between them."""
    points = np.array([x for x in function.breakpoints[:MOST] if x > 0.0])
    if not len(points):
        return None
    x = np.unique(np.concatenate([[0.0], points, 0.5 * (points[1:] + points[:-1])]))
    try:
        return _Watched(item, field, function, x, function(x))
    except LawError:  # the run tells, if it comes there
        return None


def _look(each: _Watched, begin: float, end: float, inside: slice) -> None:
    """How far a function goes, at its points inside a step, beyond its values at the ends."""
    each.looks += 1
    try:
        low, high = sorted(each.function(np.array([begin, end])).tolist())
    except LawError:
        return
    over = np.maximum(each.f[inside] - high, low - each.f[inside])
    i = int(np.argmax(over))
    each.steps += int(over[i] > MUCH * each.range)
    if over[i] > each.beyond:
        each.beyond, each.at, each.step = float(over[i]), float(each.x[inside][i]), end - begin
