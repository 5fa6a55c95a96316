"""Damage and life of a body, a gauge or histories: what `run.damage("rod", curve)` gives.   FTG 9.1.3

damage = run.damage("rod", fx.SNCurve.fkm("800 MPa", "forged_steel"), mean_stress=fx.FKM.of("800 MPa"), between=("0.2 s", "0.3 s"))
print(damage)                       worst node, life, what was counted how
damage.values                       of every node; damage.life in repetitions
damage.cycles(node=812).plot()      rainflow matrix there
damage.vtu("damage.vtu")            a map for ParaView
(10 * start + 5000 * cruise).max()  load events
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real
from pathlib import Path

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.fatigue.counter import Counter
from flexor.fatigue.cycles import Cycles
from flexor.fatigue.mean_stress import MeanStress
from flexor.fatigue.sn_curve import SNCurve
from flexor.fatigue.source import Source
from flexor.fatigue.worst import WorstPlace
from flexor.io.vtu import write_vtu
from flexor.recover.sites import mesh_of
from flexor.shown import counted


@dataclass(frozen=True)
class Method:
    """How damage was found: part of what results say, and what must agree where damages are added."""

    curve: SNCurve
    correction: MeanStress | None = None
    gate: float = 0.0
    residue: str = "closed"
    stress_factor: float = 1.0

    def counter(self, rows: int) -> Counter:
        return Counter(rows, self.gate, self.residue, self.curve, self.correction)

    def __str__(self) -> str:
        name = self.curve.name or "S-N curve"
        tests = "" if self.curve.ratio is None else f", R = {self.curve.ratio:g}"
        mean = "not corrected" if self.correction is None else self.correction.words
        mean += "; the curve holds for any" if self.curve.ratio is None else ""
        lines = [f"S-N curve    {name} (stress {self.curve.quantity}{tests})", f"mean stress  {mean}"]
        gate = f", gate {self.gate / 1e6:.4g} MPa" if self.gate else ""
        factor = f", stress × {self.stress_factor:g}" if self.stress_factor != 1 else ""
        return "\n".join([*lines, f"cycles       rainflow of stress ranges, residue {self.residue}{gate}{factor}"])


@dataclass(frozen=True, eq=False)
class Damage:
    """Miner's sum C of one passage of a load history; failure is expected at C = 1.

    values: (n,) C of every node (or site, gauge, column), not-a-number where there is no stress, in the order of
        `history.reduced.node_ids`.   largest: (n,) largest range after mean-stress correction [Pa].
    highest, lowest: (n,) extremes of the stress [Pa].   duration: of one passage [s].
    normals: (n, 3) of the plane with most damage, for the measure critical_plane.
    """

    source: Source
    method: Method
    values: np.ndarray
    largest: np.ndarray
    highest: np.ndarray
    lowest: np.ndarray
    duration: float
    planes: np.ndarray | None = None
    parts: tuple[tuple[float, Damage], ...] = ()
    between_events: np.ndarray | None = None

    @property
    def name(self) -> str:
        """`rod.signed_max stress`"""
        return self.source.name

    @property
    def life(self) -> np.ndarray:
        """(n,) repetitions of the history until failure, 1/C; infinite where there is no damage."""
        with np.errstate(divide="ignore"):
            return 1 / self.values

    @property
    def life_time(self) -> np.ndarray:
        """(n,) time until failure [s], T/C.   FTG (9.3)"""
        return self.duration * self.life

    @property
    def normals(self) -> np.ndarray | None:
        """(n, 3) normal of the plane with most damage."""
        return None if self.planes is None or self.source.normals is None else self.source.normals[self.planes]

    def max(self, *, ties: bool = True) -> WorstPlace:
        """The place with most damage; where a tie holds its node it says so. ties=False leaves such nodes out."""
        tied = self.source.tied
        rank = self.values if np.nanmax(self.values) > 0 else self.largest
        away = None
        if not tied.all():
            away = self._place(int(np.nanargmax(np.where(tied, -1.0, rank))))
        if not ties:
            if away is None:
                what = f"ties hold all {len(tied)} places"
                raise ModelError(Problem(self.source.where, what, "", "use ties=True, or a finer mesh"))
            return away
        row = int(np.nanargmax(rank))
        return replace(self._place(row), tied=bool(tied[row]), away=away if tied[row] else None)

    def at(self, node: int | None = None, *, element: int | None = None, fibre: int | None = None) -> float:
        """C at a node; where stress is not averaged, at an element, its node, a fibre."""
        return float(self.values[self._row(node, element, fibre)])

    def cycles(self, node: int | None = None, *, element: int | None = None, fibre: int | None = None) -> Cycles:
        """Rainflow cycles with the damage of each, at a place; without one, where damage is largest."""
        if self.parts:
            what, fix = "it is a sum of load events", "ask each event: event.cycles(…)"
            raise ModelError(Problem(self.source.where, what, "each has cycles of its own", fix))
        given = node is not None or element is not None or fibre is not None
        row = self._row(node, element, fibre) if given else self.max().row
        return self._cycles_at(row)

    def vtu(self, path: str | Path) -> Path:
        """Write the mesh with damage, log₁₀ of the life in repetitions, and the largest corrected range [Pa], for ParaView."""
        stress = self.source.stress
        if stress is None or stress.place != "nodes":
            what, fix = "only damage at the nodes of a body is a map", 'run.damage("rod", …), place="nodes"'
            raise ModelError(Problem(self.source.where, what, "", fix))
        with np.errstate(divide="ignore"):
            fields = {"damage": self.values, "log10_life": -np.log10(self.values), "largest_range": self.largest}
        if self.normals is not None:
            fields["critical_normal"] = self.normals
        return write_vtu(path, mesh_of(stress.history.reduced), fields)

    def repeated(self, times: float) -> Damage:
        """The same history so many times."""
        if not isinstance(times, Real) or not 0 < times < np.inf:
            what, why = f"{times!r} repetitions", "a load event happens once or more often per block"
            raise ModelError(Problem(self.source.where, what, why, "give a positive number"))
        return _sum(((times, self),))

    def __mul__(self, times: float) -> Damage:
        return self.repeated(times)

    __rmul__ = __mul__

    def __add__(self, other: Damage) -> Damage:
        """Damage of both load events, and of one cycle between their extremes.

        By critical planes, each event has its own worst plane at a place: the sum is on the safe side.
        """
        if not isinstance(other, Damage):
            return NotImplemented
        return _sum((*(self.parts or ((1.0, self),)), *(other.parts or ((1.0, other),))))

    def __radd__(self, other: object) -> Damage:
        """`sum(events)` begins with 0."""
        return self if isinstance(other, int) and other == 0 else NotImplemented

    def __repr__(self) -> str:
        return f"damage by {self.name} at {counted(int(np.count_nonzero(np.isfinite(self.values))), 'place')}"

    def __str__(self) -> str:
        """The worst place, its life, and how it was found."""
        worst = self.max()
        lines = [repr(self), f"  worst        {worst}"]
        if worst.away is not None:
            lines.append(f"  off ties     {worst.away}")
        if len(self.parts) > 1:
            lines += [f"  event        {times:g} × {part.duration:.6g} s: C = {times * part.values[worst.row]:.4g} there"
                      for times, part in self.parts]  # fmt: skip
            if self.between_events is not None and self.between_events[worst.row] > 0:
                lines.append(
                    f"  between      one cycle per block between their extremes: C = {self.between_events[worst.row]:.4g} there"
                )
        return "\n".join([*lines, *(f"  {line}" for line in str(self.method).splitlines())])

    @cached_property
    def _counter(self) -> Counter:
        return self.method.counter(len(self.source.times))

    def _cycles_at(self, row: int) -> Cycles:
        plane = 0 if self.planes is None else int(self.planes[row])
        x = self.method.stress_factor * self.source.one(row, plane)
        ranges, means, counts, begin, end = self._counter.cycles(x)
        damages, corrected = self._counter.judged(ranges, means, counts)
        name = f"{self.name} at {self.source.label(row)}"
        return Cycles(ranges, means, counts, x[begin], begin, end, name, "Pa", self.method.residue, damages, corrected)

    def _row(self, node: int | None, element: int | None, fibre: int | None) -> int:
        sites = self.source.sites
        if sites is None:
            number = 0 if node is None else node
            if not 0 <= number < self.source.count:
                raise ModelError(Problem(self.source.where, f"there is no place {number}", "", "they count from 0"))
            return number
        return int(sites.rows[sites.find(self.source.where, node, element, fibre)])

    def _place(self, row: int) -> WorstPlace:
        sites, node, position = self.source.sites, None, None
        if sites is not None:
            site = int(np.flatnonzero(sites.rows == row)[0])
            node = int(sites.nodes[site]) if sites.nodes[site] >= 0 else None
            position = tuple(float(c) for c in sites.positions[site])
        value, largest = float(self.values[row]), float(self.largest[row])
        return WorstPlace(value, row, self.source.label(row), node, position, self.duration, largest)


def _sum(parts: tuple[tuple[float, Damage], ...]) -> Damage:
    """Miner's rule over load events. Where one does not span the extremes of all, one cycle between them is added."""
    parts = tuple((a * b, each) for a, part in parts for b, each in (part.parts or ((1.0, part),)))
    first = parts[0][1]
    for _, other in parts[1:]:
        if (other.name, other.source.count, other.method) != (first.name, first.source.count, first.method):
            what = f"{first.name} by {first.method.curve.name or 'a curve'} and {other.name} by {other.method.curve.name or 'a curve'}"
            why, fix = (
                "events add up at the same places, by the same curve and corrections",
                "use the same options for each",
            )
            raise ModelError(Problem("load events", f"{what} do not belong together", why, fix))
    values = np.sum([times * part.values for times, part in parts], axis=0)
    high = np.max([part.highest for _, part in parts], axis=0)
    low = np.min([part.lowest for _, part in parts], axis=0)
    largest = np.max([part.largest for _, part in parts], axis=0)
    span, own = high - low, np.max([part.highest - part.lowest for _, part in parts], axis=0)
    extra = None
    if len(parts) > 1:
        extra = np.where(np.isfinite(values), 0.0, np.nan)
        wider = np.flatnonzero(span > own * (1 + 1e-12))
        if len(wider):
            judged = first.method.counter(len(wider)).judged(
                span[wider], 0.5 * (high + low)[wider], np.ones(len(wider))
            )
            extra[wider], largest[wider] = judged[0], np.maximum(largest[wider], judged[1])
        values = values + extra
    duration = sum(times * part.duration for times, part in parts)
    return Damage(first.source, first.method, values, largest, high, low, duration, None, parts, extra)
