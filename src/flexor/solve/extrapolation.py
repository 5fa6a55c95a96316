"""Motion to a wanted accuracy: the same run with halved steps, extrapolated to a step of zero, with an estimate of its error.

The error of a second-order method begins with h² where the motion is smooth, y_h = y + h² e₂ + h³ e₃ + …, for every signal, since
all are smooth functions of the state. Of runs with the steps 4h, 2h, h (Richardson 1911)

    E_h = y_h + (y_h − y_2h)/3                      is of third order, of fourth without numerical damping (e₃ = 0)
    |E_h − y| ≈ |E_h − E_2h|/(ρ − 1),   ρ = |E_2h − E_4h| / |E_h − E_2h|

where |y_2h − y_4h| ≈ 4 |y_h − y_2h| shows that the expansion holds. ρ is 8 at best, and counts as 2 at least: where little is
left but rounding, and where three runs do not yet tell it.

Where it does not (jumps of loads, impacts, friction, a vibration that the step does not resolve), the signal is taken as the
shortest step has it, and its error for |y_h − y_2h|. Shorter steps have more rounding errors, in forces of constraints most: each
signal comes from that set of runs in which its error is least.
"""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from flexor.errors import DivergenceError, SolveError
from flexor.solve.settings import DynamicsSettings, Tolerances
from flexor.warning import warn

if TYPE_CHECKING:
    from flexor.engine.system import System
    from flexor.solve.dynamics import Sink

FOURFOLD = (3.0, 5.5)
"""How much differences fall by half the step where errors begin with h²."""
ROUNDING = 1e-3
"""Difference of two runs, relative to the accuracy wanted, that says nothing of its order."""
NOISE = 1e-3
"""Largest relative error that may be due to rounding."""
FALLING = 3.0
"""Least fall ρ of the difference of two extrapolations by half the step that is none of rounding, ..."""
FALLS = (2.0, 8.0)
"""... and which values of it are believed: 8 or 16 where the motion is smooth."""
LEAST_OF_UNIT = 0.1
"""What a signal's error is compared with at least: this part of the largest value of all signals with its unit."""
OF_LENGTH = {"m": "rad", "m/s": "rad/s", "m/s²": "rad/s²", "N m": "N"}
"""Units that are a length times another: a point on an axis has the error of what turns about it."""
MOST_RUNS, FEWEST = 10, 3
FEW_STEPS = 1000
"""Steps of a run below which the search goes on, however slowly errors have fallen."""
STEPS = 100
"""Steps of the first run if neither step nor output are given."""
_MODE = re.compile(r"mode_\d+")

Columns = Sequence[tuple[str, str]]
Progress = Callable[[float, int, int, float], None]


class AccuracyMissed(UserWarning):
    """The accuracy that was asked for is not reached."""


class Solver(Protocol):
    """One run with a fixed step."""

    def __call__(
        self,
        *,
        step: float,
        output: float,
        tolerances: Tolerances,
        impact_steps: int,
        sink: Sink,
        progress: Progress | None,
    ) -> System: ...


@dataclass
class Kept:
    """A sink that keeps a run in memory."""

    columns: list[tuple[str, str]] = field(default_factory=list)
    meta: dict[str, Any] = field(default_factory=dict)
    parts: list[np.ndarray] = field(default_factory=list)
    steps: list[np.ndarray] = field(default_factory=list)
    state: dict[str, Any] | None = None
    status: str = ""
    message: str = ""

    def open(self, columns: list[tuple[str, str]], meta: dict[str, Any]) -> None:
        self.columns, self.meta = list(columns), meta

    def rows(self, rows: np.ndarray) -> None:
        self.parts.append(np.array(rows))

    def history(self, steps: np.ndarray) -> None:
        self.steps.append(np.array(steps))

    def checkpoint(self, state: dict[str, Any]) -> None:
        self.state = state

    def close(self, status: str, message: str) -> None:
        self.status, self.message = status, message

    @property
    def table(self) -> np.ndarray:
        return np.concatenate([*self.parts, np.zeros((0, len(self.columns)))])


@dataclass(frozen=True)
class Extrapolated:
    """Rows, the largest error of each column, and the same relative to what the column is measured by."""

    rows: np.ndarray
    errors: np.ndarray
    relative: np.ndarray
    smooth: np.ndarray
    noisy: np.ndarray
    """Which columns differ no less by shorter steps, for all that they differ little: by rounding."""
    gaps: np.ndarray
    """|E_h − E_2h| in parts of what the column is measured by."""

    def judged_by(self, before: Extrapolated) -> Extrapolated:
        """The gap since the runs before, and how much it has fallen, tell the error; where it hardly has, it is rounding."""
        fall = np.divide(before.gaps, self.gaps, out=np.full_like(self.gaps, FALLS[1]), where=self.gaps > 0.0)
        share = np.where(self.smooth, 1.0 / (np.clip(fall, *FALLS) - 1.0), 1.0)
        stays = self.smooth & (fall < FALLING)
        return replace(self, errors=self.errors * share, relative=self.relative * share, noisy=self.noisy | stays)

    def or_before(self, before: Extrapolated, columns: Columns) -> Extrapolated:
        """Each vector as it was before, where its error was less."""
        groups = [_group(name) for name, _ in columns]
        number = np.unique(groups, return_inverse=True)[1]
        worst = np.zeros((2, number.max() + 1))
        for row, found in zip(worst, (self, before), strict=True):
            np.maximum.at(row, number, found.relative)
        keep = (worst[1] < worst[0])[number]
        return Extrapolated(
            rows=np.where(keep, before.rows, self.rows),
            errors=np.where(keep, before.errors, self.errors),
            relative=np.where(keep, before.relative, self.relative),
            smooth=np.where(keep, before.smooth, self.smooth),
            noisy=self.noisy,
            gaps=self.gaps,
        )


def run_to_accuracy(solve: Solver, chosen: DynamicsSettings, sink: Sink, progress: Progress | None) -> System:
    """Runs with halved steps until the error of every recorded signal is below the accuracy; the result goes to the sink."""
    accuracy = float(chosen.accuracy or 0.0)
    output = float(chosen.output or chosen.step or chosen.until / STEPS)
    step = float(chosen.step or output)
    tolerances = chosen.tolerances
    if tolerances == Tolerances():
        tolerances = Tolerances(acceleration=min(1e-8, max(1e-3 * accuracy, 1e-11)), prediction=1e-4)
    runs: list[Kept] = []
    found: list[Extrapolated] = []
    began = time.perf_counter()
    while True:
        kept = Kept()
        try:
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                system = solve(
                    step=step / 2 ** len(runs),
                    output=output,
                    tolerances=tolerances,
                    impact_steps=chosen.impact_steps * 2 ** len(runs),
                    sink=kept,
                    progress=None if progress is None else _share_of(progress, len(runs)),
                )
        except SolveError as failure:
            if isinstance(failure, DivergenceError) and not runs and chosen.until / step < FEW_STEPS:
                step /= 2  # it was far too long
                continue
            _write(sink, chosen, runs or [kept], found, step, began, "failed", str(failure))
            raise
        except KeyboardInterrupt:  # between two runs
            if not runs:
                raise
            kept.status, kept.message = "interrupted", "stopped by the user"
        if kept.status != "finished":
            message = f"{kept.message}, in run {len(runs) + 1} of those with halved steps"
            _write(sink, chosen, runs or [kept], found, step, began, kept.status, message)
            break
        runs.append(kept)
        if len(runs) >= FEWEST:
            length = 1.0 if system is None else float(system.run.length_scale)
            new = extrapolate(kept.columns, [each.table for each in runs[-3:]], accuracy, length)
            found.append(new.judged_by(found[-1]).or_before(found[-1], kept.columns) if found else new)
            if len(found) > 1:
                found[-2] = replace(found[-2], rows=np.zeros((0, 0)))  # no longer needed
            steps = round(chosen.until / step * 2 ** (len(runs) - 1))
            if found[-1].relative.max(initial=0.0) <= accuracy or _hopeless(found, accuracy, steps):
                _write(sink, chosen, runs, found, step, began, "finished", "")
                _tell(kept.columns, found[-1], accuracy, step / 2 ** (len(runs) - 1))
                break
            runs[-3].parts.clear()
        for earlier in runs[:-1]:
            earlier.steps, earlier.state = [], None
    for each in told:  # what the last run has to tell; those before said the same
        warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
    return system


def extrapolate(columns: Columns, tables: Sequence[np.ndarray], accuracy: float, length: float = 1.0) -> Extrapolated:
    """From rows of three runs, each with half the step of the one before; length: of the model [m]."""
    y0, y1, y2 = _aligned(columns, tables)
    coarse, fine = _difference(y1, y0), _difference(y2, y1)
    first, second = _largest(coarse), _largest(fine)
    before, rows = y1 + coarse / 3, y2 + fine / 3
    scale = scales(columns, y2, length)
    exact = second <= ROUNDING * accuracy * scale
    smooth = exact | ((first >= FOURFOLD[0] * second) & (first <= FOURFOLD[1] * second))
    gaps = _largest(_difference(rows, before))
    errors = np.where(smooth, gaps, second)
    errors = np.where(exact, np.minimum(errors, second), errors)
    rows = np.where(smooth, rows, y2)
    for first_of in _quaternions(columns):
        turned = rows[:, first_of : first_of + 4]
        rows[:, first_of : first_of + 4] = turned / np.linalg.norm(turned, axis=1, keepdims=True)
    rows[:, 0], errors[0] = y2[:, 0], 0.0
    relative = np.divide(errors, scale, out=np.zeros_like(errors), where=scale > 0.0)
    noisy = (second > 0.5 * first) & (relative < NOISE)
    gaps = np.divide(gaps, scale, out=np.zeros_like(gaps), where=scale > 0.0)
    return Extrapolated(rows, errors, relative, smooth, noisy, gaps)


def scales(columns: Columns, rows: np.ndarray, length: float = 1.0) -> np.ndarray:
    """What the error of each column is measured by: the largest value of its vector, of the modes of its body, or of all energies; at least
    LEAST_OF_UNIT of the largest with that unit, or one that a length makes of it."""
    largest = _largest(np.where(np.isfinite(rows), rows, 0.0))
    of_group: dict[str, float] = {}
    of_unit: dict[str, float] = {}
    groups = [_group(name) for name, _ in columns]
    for group, (_, unit), value in zip(groups, columns, largest, strict=True):
        of_group[group] = max(of_group.get(group, 0.0), float(value))
        of_unit[unit] = max(of_unit.get(unit, 0.0), float(value))
    for product, factor in OF_LENGTH.items():
        straight, turning = of_unit.get(product, 0.0), of_unit.get(factor, 0.0)
        of_unit[product], of_unit[factor] = max(straight, turning * length), max(turning, straight / length)
    return np.array([max(of_group[g], LEAST_OF_UNIT * of_unit[unit]) for g, (_, unit) in zip(groups, columns)])


def _difference(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a − b; none where neither has a value, infinite where one has none."""
    missing = np.isnan(a) | np.isnan(b)
    return np.where(missing, np.where(np.isnan(a) & np.isnan(b), 0.0, np.inf), np.where(missing, 0.0, a - b))


def _largest(values: np.ndarray) -> np.ndarray:
    found: np.ndarray = np.abs(values).max(axis=0, initial=0.0)
    return found


def _group(name: str) -> str:
    if name.startswith("energy."):
        return "energy."
    return name[:-2] if name[-2:] in ("_x", "_y", "_z", "_w") else _MODE.sub("mode", name)


def _quaternions(columns: Columns) -> list[int]:
    """Columns with which orientations begin: w, x, y, z."""
    return [i for i, (name, _) in enumerate(columns) if name.endswith("orientation_w")]


def _aligned(columns: Columns, tables: Sequence[np.ndarray]) -> list[np.ndarray]:
    """The tables with quaternions of the same sign, where two stand for the same orientation."""
    last = tables[-1]
    found = []
    for table in tables:
        table = table.copy()
        for first in _quaternions(columns):
            q = table[:, first : first + 4]
            q *= np.where(np.sum(q * last[:, first : first + 4], axis=1) < 0.0, -1.0, 1.0)[:, None]
        found.append(table)
    return found


def _hopeless(found: list[Extrapolated], accuracy: float, steps: int) -> bool:
    """Whether all errors that are too large fall too slowly for the runs that are left, at the better rate of the last two.

    steps: of the last run; few may be too long to show at all how errors fall, and further runs cost little.
    """
    left = MOST_RUNS - FEWEST + 1 - len(found)
    if len(found) < 3 or (steps < FEW_STEPS and left > 0):
        return False
    before, last, now = (np.maximum(each.relative, 1e-300) for each in found[-3:])
    fall = np.maximum(np.maximum(before / last, last / now), 1.0)
    with np.errstate(over="ignore"):
        reached = now / accuracy <= fall**left
    return not np.any(reached & (now > accuracy))


def _share_of(progress: Progress, number: int) -> Progress:
    """Progress of all runs that are known to come; run k takes 2ᵏ times as long as the first."""
    whole = 2.0 ** max(number + 1, FEWEST) - 1.0

    def tell(at: float, steps: int, iterations: int, done: float) -> None:
        progress(at, steps, iterations, (2.0**number - 1.0 + done * 2.0**number) / whole)

    return tell


def _write(
    sink: Sink,
    chosen: DynamicsSettings,
    runs: list[Kept],
    found: list[Extrapolated],
    step: float,
    began: float,
    status: str,
    message: str,
) -> None:
    """Hand the best that there is to the sink."""
    last = runs[-1]
    if not last.columns:  # it failed before its first row
        sink.close(status, message)
        return
    about: dict[str, Any] = {"asked": chosen.accuracy, "steps": [step / 2**i for i in range(len(runs))]}
    rows = last.table
    if found:
        rows, best = found[-1].rows, found[-1]
        names = [name for name, _ in last.columns]
        about |= {
            "reached": float(best.relative.max(initial=0.0)),
            "errors": dict(zip(names[1:], best.errors[1:].tolist(), strict=True)),
            "rough": [name for name, smooth in zip(names, best.smooth) if not smooth],
        }
    meta: Mapping[str, Any] = {
        **last.meta,
        "settings": chosen.model_dump(mode="json"),
        "accuracy": about,
        "seconds": time.perf_counter() - began,
    }
    sink.open(last.columns, dict(meta))
    sink.rows(rows)
    for steps in last.steps:
        sink.history(steps)
    if last.state is not None:
        sink.checkpoint(last.state)
    sink.close(status, message)


def _tell(columns: Columns, best: Extrapolated, accuracy: float, step: float) -> None:
    """Warn of signals that are less accurate than asked for."""
    off = np.flatnonzero(best.relative > accuracy)
    if not len(off):
        return
    order = off[np.argsort(-best.relative[off])]
    told = [f"'{columns[i][0]}' by {best.errors[i]:.2g} {columns[i][1]} ({best.relative[i]:.2g})" for i in order[:4]]
    more = f" and {len(off) - 4} more" if len(off) > 4 else ""
    rough = not (best.smooth | best.noisy)[order].all()
    why = (
        "their differences from step to step do not fall as those of a smooth motion do: loads or motors that jump, impacts, "
        "friction, or vibrations faster than the step"
        if rough
        else "rounding errors, which forces of constraints have most of at short steps, are as large"
    )
    warn(
        f"the accuracy of {accuracy:g} is not reached with steps of {step:.3g} s: {', '.join(told)}{more} may be off, in parts of their "
        f"largest values; {why}. Ask for less, record only what you need, smooth what jumps, or let joints be eliminated",
        AccuracyMissed,
    )
