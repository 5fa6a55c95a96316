"""Rainflow cycles of one history: what `rainflow(signal)` gives.   FTG 9.1.2, ASTM E1049-85 5.4.4

cycles = rainflow(run["wrist.force_x"], gate=10)
cycles.ranges, cycles.means, cycles.counts
cycles.matrix(bins=32).plot("matrix.png")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.fatigue.counter import Counter, Spoilt
from flexor.shown import number
from flexor.units import DIMENSIONS, Quantity, si

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

NOTHING = np.zeros(0)
MOST_BINS = 1000
NARROWEST = 0.1
"""Means of a matrix span at least this part of the largest range: equal ones are not spread over the picture."""


@dataclass(frozen=True, eq=False)
class Cycles:
    """Cycles of a history, full ones (count 1) and half ones (0.5).

    ranges: max − min;  means: middle of both;  first: value each begins at;  begin, end: rows where it begins and turns.
    damages: count/N of each, corrected: range after mean-stress correction, where an S-N curve judged them.
    """

    ranges: np.ndarray
    means: np.ndarray
    counts: np.ndarray
    first: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    name: str = ""
    unit: str = ""
    residue: str = "closed"
    damages: np.ndarray = field(default_factory=lambda: NOTHING)
    corrected: np.ndarray = field(default_factory=lambda: NOTHING)

    def __len__(self) -> int:
        return len(self.ranges)

    @property
    def amplitudes(self) -> np.ndarray:
        """Half the ranges."""
        return 0.5 * self.ranges

    @property
    def ratios(self) -> np.ndarray:
        """R = min/max of each cycle."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return (self.means - self.amplitudes) / (self.means + self.amplitudes)

    @property
    def last(self) -> np.ndarray:
        """Value at which each turns."""
        return 2 * self.means - self.first

    def histogram(self, digits: int = 9) -> dict[float, float]:
        """Counts by range, in ascending order; ranges that agree to so many digits are one."""
        found: dict[float, float] = {}
        for size, count in sorted(zip(self.ranges, self.counts)):
            key = float(f"{size:.{digits}g}")
            found[key] = found.get(key, 0.0) + float(count)
        return found

    def matrix(self, bins: int = 32, kind: str = "range-mean") -> RainflowMatrix:
        """Counts in bins of range and mean, or of where cycles come from and go to ("from-to")."""
        return rainflow_matrix(self, bins, kind)

    def plot(self, file: str | Path | None = None, bins: int = 32, kind: str = "range-mean") -> Figure:
        """Draw the rainflow matrix."""
        return self.matrix(bins, kind).plot(file)

    def to_pylife(self) -> pd.DataFrame:
        """As a load collective of pylife: columns range, mean, cycles."""
        from flexor.fatigue.pylife import collective

        return collective(self)

    def __repr__(self) -> str:
        about = f"{self.name}: " if self.name else ""
        if not len(self):
            return f"{about}no cycles"
        total = self.counts.sum()
        scale, unit = (1e-6, "MPa") if self.unit == "Pa" else (1.0, self.unit)
        span = f"{number(scale * self.ranges.max())} {unit}".rstrip()
        return f"{about}{total:g} cycles (ranges, residue {self.residue}), largest range {span}"

    def __str__(self) -> str:
        """The largest cycles, one per line."""
        lines = [repr(self)]
        if len(self):
            judged = len(self.damages) > 0
            scale, unit = (1e-6, "MPa") if self.unit == "Pa" else (1.0, self.unit)
            heads = [f"{word} [{unit}]" if unit else word for word in ("range", "mean")]
            lines.append(f"  {heads[0]:>12} {heads[1]:>12} {'count':>6}" + (f" {'damage':>12}" if judged else ""))
            order = np.argsort(-(self.damages if judged else self.ranges), kind="stable")[:10]
            for k in order:
                line = f"  {scale * self.ranges[k]:12.5g} {scale * self.means[k]:12.5g} {self.counts[k]:6g}"
                lines.append(line + (f" {self.damages[k]:12.4g}" if judged else ""))
            if len(self) > len(order):
                lines.append(f"  and {len(self) - len(order)} more")
        return "\n".join(lines)


@dataclass(frozen=True, eq=False)
class RainflowMatrix:
    """Counts (rows, columns) of cycles between edges (rows + 1), (columns + 1).

    kind: "range-mean", rows are ranges and columns means; "from-to", rows are where cycles begin, columns where they turn.
    """

    counts: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    kind: str
    name: str = ""
    unit: str = ""

    def plot(self, file: str | Path | None = None) -> Figure:
        """Draw it: to an image file, or in a window."""
        from flexor.fatigue.pictures import draw_matrix

        return draw_matrix(self, file)

    def __repr__(self) -> str:
        return f"rainflow matrix {self.name} ({self.kind}): {self.counts.sum():g} cycles in {self.counts.shape} bins"


def rainflow(
    values: Sequence[float] | np.ndarray,
    *,
    gate: Quantity = 0.0,
    residue: str = "closed",
    name: str = "",
    unit: str = "",
) -> Cycles:
    """Rainflow cycles of a history: an array, or a signal of a run.

    gate: smaller oscillations are passed over, in the unit of the values.
    residue: ranges that no later one closes. "closed": the history repeats itself, all cycles are full (FTG 9.1.2, ASTM 5.4.5);
        "half": half a cycle each (ASTM 5.4.4);  "none": left out.
    """
    name, unit = name or str(getattr(values, "name", "")), unit or str(getattr(values, "unit", ""))
    x = history_values(values, name)
    try:
        counter = Counter(len(x), _gate(gate, name, unit), residue)
        ranges, means, counts, begin, end = counter.cycles(x)
    except Spoilt as bad:
        raise spoilt(name, bad.row, x[bad.row]) from None
    return Cycles(ranges, means, counts, x[begin], begin, end, name, unit, residue)


def turning_points(values: Sequence[float] | np.ndarray, *, gate: Quantity = 0.0) -> np.ndarray:
    """Rows at which a history turns, its ends included; oscillations smaller than the gate are passed over.   FTG 9.1.1"""
    name = str(getattr(values, "name", ""))
    x = history_values(values, name)
    try:
        return Counter(len(x), _gate(gate, name, str(getattr(values, "unit", "")))).turning_points(x)
    except Spoilt as bad:
        raise spoilt(name, bad.row, x[bad.row]) from None


def history_values(values: Any, name: str) -> np.ndarray:
    """(T,) floats, two or more."""
    where = f"history '{name}'" if name else "history"
    x = numbers_of(values, where)
    if x.ndim != 1:
        why, fix = "cycles are counted in one signal", "choose a component, or count each column"
        raise ModelError(Problem(where, f"it has the shape {x.shape}", why, fix))
    refuse_short(len(x), where)
    return x


def numbers_of(values: Any, where: str) -> np.ndarray:
    """An array of floats, of a signal its values."""
    try:
        found = np.asarray(getattr(values, "values", values))
        if np.iscomplexobj(found):
            raise TypeError("complex")
        return found.astype(float, copy=False)
    except (TypeError, ValueError):
        why, fix = "it takes numbers over time", 'e.g. run["wrist.force_x"], or an array'
        raise ModelError(Problem(where, f"{values!r:.40} is no history", why, fix)) from None


def _gate(gate: Quantity, name: str, unit: str) -> float:
    """In the unit of the values; text with a unit must be one of theirs."""
    if not isinstance(gate, str):
        return float(si(gate))
    same = [dimension for dimension, (known, _) in DIMENSIONS.items() if known == unit.replace(" ", "·") and unit]
    if not same:
        where, why = f"history '{name}'" if name else "history", "the unit of its values is not known"
        raise ModelError(Problem(where, f"gate = '{gate}'", why, "give a number in that unit"))
    return float(si(gate, same[0]))


def refuse_short(rows: int, where: str) -> None:
    """ModelError for a history without cycles."""
    if rows < 2:
        what = f"it has {'one value' if rows == 1 else 'no value'}"
        why, fix = "a cycle needs a maximum and a minimum", "give the history of a run over time, two values or more"
        raise ModelError(Problem(where, what, why, fix))


def spoilt(name: str, row: int, value: float) -> ModelError:
    """The error for a value that is no number."""
    why, fix = "cycles cannot be counted through it", "leave that part of the history out, or mend it"
    return ModelError(Problem(f"history '{name}'" if name else "history", f"value {row + 1} is {value}", why, fix))


def rainflow_matrix(cycles: Cycles, bins: int, kind: str) -> RainflowMatrix:
    """Counts in bins."""
    if kind not in ("range-mean", "from-to"):
        raise ModelError(Problem("rainflow matrix", f"there is no kind '{kind}'", "", "range-mean or from-to"))
    if not 1 <= bins <= MOST_BINS:
        raise ModelError(Problem("rainflow matrix", f"bins = {bins}", "", f"1 to {MOST_BINS}"))
    if kind == "range-mean":
        rows, columns = cycles.ranges, cycles.means
        limits = (0.0, float(rows.max(initial=0.0))), _limits(columns, NARROWEST * float(rows.max(initial=0.0)))
    else:
        rows, columns = cycles.first, cycles.last
        limits = (_limits(np.concatenate([rows, columns])),) * 2
    limits = tuple((low, high if high > low else low + 1.0) for low, high in limits)  # type: ignore[assignment]
    counts, first, second = np.histogram2d(rows, columns, bins=bins, range=limits, weights=cycles.counts)
    return RainflowMatrix(counts, first, second, kind, cycles.name, cycles.unit)


def _limits(values: np.ndarray, least: float = 0.0) -> tuple[float, float]:
    """Of the values, at least so far apart."""
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    more = max(0.5 * (least - (high - low)), 0.0)
    return low - more, high + more
