"""Counting at all places: one pass for a measure, one for each plane and direction where the worst of them is searched."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.fatigue.counter import Counter, Overloaded, Spoilt
from flexor.fatigue.cycles import spoilt
from flexor.fatigue.mean_stress import MeanStress
from flexor.fatigue.sn_curve import SNCurve
from flexor.fatigue.source import Source


@dataclass(frozen=True)
class Method:
    """How damage was found: part of what results say, and what must agree where damages are added."""

    curve: SNCurve
    correction: MeanStress | None = None
    gate: float = 0.0
    residue: str = "closed"
    stress_factor: float = 1.0

    def counter(self, rows: int, shear: bool = False) -> Counter:
        """shear: whether the sign of what is counted means nothing, as it does to a curve of shear stress."""
        return Counter(rows, self.gate, self.residue, self.curve, self.correction, shear or self.curve.kind == "shear")

    def __str__(self) -> str:
        curve = self.curve
        tests = "" if curve.ratio is None else f", R = {curve.ratio:g}"
        tests += "" if curve.survival is None else f", {100 * curve.survival:.6g} % survive"
        mean = "not corrected" if self.correction is None else self.correction.words
        mean += "; the curve holds for any" if curve.ratio is None else ""
        stress = "shear stress" if curve.kind == "shear" else "stress"
        lines = [f"S-N curve    {curve.name or 'S-N curve'} ({stress} {curve.quantity}{tests})", f"mean stress  {mean}"]
        gate = f", gate {self.gate / 1e6:.4g} MPa" if self.gate else ""
        factor = f", stress × {self.stress_factor:g}" if self.stress_factor != 1 else ""
        return "\n".join([*lines, f"cycles       rainflow of stress ranges, residue {self.residue}{gate}{factor}"])


@dataclass(frozen=True, eq=False)
class Fields:
    """(n,) of all places: damage, largest corrected range, highest and lowest stress, and the largest normal stress where shear
    was counted [Pa]; which pass each is from. Not-a-number where there is no stress."""

    damage: np.ndarray
    largest: np.ndarray
    highest: np.ndarray
    lowest: np.ndarray
    peaks: np.ndarray
    which: np.ndarray

    @classmethod
    def none(cls, count: int) -> Fields:
        damage, largest, highest, lowest, peaks = np.full((5, count), np.nan)
        return cls(damage, largest, highest, lowest, peaks, np.zeros(count, dtype=int))

    def take_worse(self, other: Fields, rows: np.ndarray | slice = slice(None)) -> None:
        """At places where the other does more damage, or as much by a larger range, keep the other; rows: where it is of."""
        now, than = self.damage[rows], self.largest[rows]
        more = ~(now >= other.damage) | ((now == other.damage) & (other.largest > than))  # of the first pass all
        more &= ~np.isnan(other.damage)
        chosen = np.arange(len(self.damage))[rows][more]
        for mine, theirs in zip(vars(self).values(), vars(other).values()):
            mine[chosen] = theirs[more]


def worst_of_all(source: Source, method: Method) -> Fields:
    """Of each place the pass with most damage."""
    counter, found = method.counter(len(source.times), source.shear), Fields.none(source.count)
    for k in range(source.passes):
        _look(source, method, counter, k, found)
    return found


def of_pass(source: Source, method: Method, k: int) -> Fields:
    """Of all places one pass."""
    found = Fields.none(source.count)
    _look(source, method, method.counter(len(source.times), source.shear), k, found)
    return found


def _look(source: Source, method: Method, counter: Counter, k: int, into: Fields) -> None:
    factor = method.stress_factor
    for rows, values, peaks in source.blocks(k):
        values, peaks = (values, peaks) if factor == 1 else (factor * values, factor * peaks)
        try:
            found = counter.damage(values, peaks)
        except Spoilt as bad:
            raise _refusal(bad, source, method, k, int(rows[bad.column]), values[:, bad.column]) from None
        into.take_worse(Fields(*found, np.broadcast_to(peaks, len(rows)), np.full(len(rows), k)), rows)


def _refusal(bad: Spoilt, source: Source, method: Method, k: int, row: int, x: np.ndarray) -> ModelError:
    where = f"{source.name} at {source.label(row)}"
    if not isinstance(bad, Overloaded):
        return spoilt(f"{where}, t = {source.times[bad.row]:.6g} s", bad.row, float(x[bad.row]))
    if source.looks and source.looks[k].along is not None and source.tensor is not None:
        return overload(where, method, method.stress_factor * float(source.looks[k].across(source.tensor(row)).max()))
    means = Counter(len(x), method.gate, method.residue).cycles(x)[1]
    return overload(where, method, float(np.abs(means).max() if source.shear else means.max()))


def overload(where: str, method: Method, stress: float) -> ModelError:
    """The error for a mean stress, or a normal stress on a plane, beyond what the correction can take."""
    kind = type(method.correction).__name__
    strength = getattr(method.correction, "strength", np.nan)
    what = f"a mean stress of {stress / 1e6:.4g} MPa reaches the strength of {strength / 1e6:.4g} MPa"
    if kind == "McDiarmid":
        what = f"a normal stress of {stress / 1e6:.4g} MPa reaches twice the strength of {strength / 1e6:.4g} MPa"
    fix = "check loads, units and the strength; a part that is only overloaded there needs no fatigue analysis"
    return ModelError(Problem(where, what, f"{kind}'s formula ends there", fix))
