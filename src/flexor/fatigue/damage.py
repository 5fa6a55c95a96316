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
from typing import Any

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.fatigue.counter import Counter, Overloaded
from flexor.fatigue.cycles import Cycles
from flexor.fatigue.passes import Fields, Method, of_pass, overload
from flexor.fatigue.source import Source
from flexor.fatigue.worst import WorstPlace
from flexor.io.vtu import write_vtu
from flexor.recover.sites import mesh_of
from flexor.shown import counted


@dataclass(frozen=True, eq=False)
class Damage:
    """Miner's sum C of one passage of a load history; failure is expected at C = 1.

    values: (n,) C of every node (or site, gauge, column), not-a-number where there is no stress, in the order of
        `history.reduced.node_ids`.   largest: (n,) largest range after mean-stress correction [Pa].
    highest, lowest: (n,) extremes of the stress [Pa].   duration: of one passage [s].   peaks: (n,) where shear was counted,
        the largest normal stress on the plane [Pa].
    normals: (n, 3) of the plane with most damage, for the measures critical_plane and critical_shear.
    """

    source: Source
    method: Method
    values: np.ndarray
    largest: np.ndarray
    highest: np.ndarray
    lowest: np.ndarray
    duration: float
    peaks: np.ndarray
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
        normals = self.source.normals
        return None if self.planes is None or normals is None else normals[self.planes]

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
        return self.cycles_in(row)

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

        By critical planes, all planes are looked at again: at each place the one that is worst for the sum counts.
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
            own = "" if self.planes is None else ", on its own worst plane"
            lines += [f"  event        {times:g} × {part.duration:.6g} s: C = {times * part.values[worst.row]:.4g} there{own}"
                      for times, part in self.parts]  # fmt: skip
            if self.between_events is not None and self.between_events[worst.row] > 0:
                lines.append(
                    f"  between      one cycle per block between their extremes: C = {self.between_events[worst.row]:.4g} there"
                )
        return "\n".join([*lines, *(f"  {line}" for line in str(self.method).splitlines())])

    @property
    def _fields(self) -> Fields:
        which = np.zeros(len(self.values), dtype=int) if self.planes is None else self.planes
        return Fields(self.values, self.largest, self.highest, self.lowest, self.peaks, which)

    @cached_property
    def _counter(self) -> Counter:
        return self.method.counter(len(self.source.times), self.source.shear)

    def history(self, row: int) -> np.ndarray:
        """(T,) what was counted in a row of `values` [Pa], of critical planes on the worst one."""
        plane = 0 if self.planes is None else int(self.planes[row])
        return self.method.stress_factor * self.source.one(row, plane)

    def cycles_in(self, row: int) -> Cycles:
        """Cycles in a row of `values`."""
        x = self.history(row)
        ranges, means, counts, begin, end = self._counter.cycles(x)
        damages, corrected = self._counter.judged(ranges, means, counts, self.peaks[row])
        name = f"{self.name} at {self.source.label(row)}"
        return Cycles(ranges, means, counts, x[begin], begin, end, name, "Pa", self.method.residue, damages, corrected)

    def again(self, row: int, ranges: np.ndarray, cycles: Cycles) -> float:
        """Damage of cycles in a row of `values`, if they had other ranges."""
        return float(self._counter.judged(ranges, cycles.means, cycles.counts, self.peaks[row])[0].sum())

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
        corrected = self.method.correction is not None
        return WorstPlace(
            value, row, self.source.label(row), node, position, self.duration, largest, corrected=corrected
        )


def damage_by(source: Source, method: Method, found: Fields, duration: float, **more: Any) -> Damage:
    """Damage from the fields of all places."""
    planes = found.which if source.normals is not None else None
    fields = (found.damage, found.largest, found.highest, found.lowest)
    return Damage(source, method, *fields, duration, found.peaks, planes, **more)


def _sum(parts: tuple[tuple[float, Damage], ...]) -> Damage:
    """Miner's rule over load events. Where one does not span the extremes of all, one cycle between them is added."""
    parts = tuple((a * b, each) for a, part in parts for b, each in (part.parts or ((1.0, part),)))
    first = parts[0][1]
    for _, other in parts[1:]:
        _refuse_strangers(first, other)
    duration = sum(times * part.duration for times, part in parts)
    repeats = [times for times, _ in parts]
    if len(parts) == 1 or first.source.normals is None:
        found, extra = _block(first, repeats, [part._fields for _, part in parts])
        return damage_by(first.source, first.method, found, duration, parts=parts, between_events=extra)
    found, between = Fields.none(first.source.count), np.full(first.source.count, np.nan)
    for k in range(first.source.passes):  # a plane that is harmless in each event may be the worst of their sum
        block, extra = _block(first, repeats, [of_pass(part.source, part.method, k) for _, part in parts])
        block.which[:] = k
        found.take_worse(block)
        between = np.where(found.which == k, extra, between)
    return damage_by(first.source, first.method, found, duration, parts=parts, between_events=between)


def _refuse_strangers(first: Damage, other: Damage) -> None:
    """ModelError unless both are of the same places, by the same curve and corrections."""
    mine, theirs = ((each.name, each.source.count, each.source.side, each.source.passes) for each in (first, other))
    if mine == theirs and first.method == other.method:
        return
    named = [f"{each.name} {each.source.side}".rstrip() for each in (first, other)]
    curves = [each.method.curve.name or "a curve" for each in (first, other)]
    what = f"{named[0]} by {curves[0]} and {named[1]} by {curves[1]} do not belong together"
    why = "events add up at the same places, by the same curve and corrections"
    raise ModelError(Problem("load events", what, why, "use the same options for each, of shells the same surface=…"))


def _block(first: Damage, repeats: list[float], events: list[Fields]) -> tuple[Fields, np.ndarray]:
    """Fields of a block of events, and the damage between them."""
    values = np.sum([times * event.damage for times, event in zip(repeats, events)], axis=0)
    high, peaks, largest = (
        np.max([getattr(event, key) for event in events], axis=0) for key in ("highest", "peaks", "largest")
    )
    low = np.min([event.lowest for event in events], axis=0)
    span, own = high - low, np.max([event.highest - event.lowest for event in events], axis=0)
    extra = np.where(np.isfinite(values), 0.0, np.nan)
    wider = np.flatnonzero(span > own * (1 + 1e-12))
    if len(wider):
        counter, means = first.method.counter(len(wider), first.source.shear), 0.5 * (high + low)[wider]
        try:
            judged = counter.judged(span[wider], means, np.ones(len(wider)), peaks[wider])
        except Overloaded as bad:
            where = f"load events of {first.name} at {first.source.label(int(wider[bad.row]))}"
            raise overload(where, first.method, float(means[bad.row])) from None
        extra[wider], largest[wider] = judged[0], np.maximum(largest[wider], judged[1])
    return Fields(values + extra, largest, high, low, peaks, events[0].which.copy()), extra
