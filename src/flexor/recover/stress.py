"""Stress and strain of a body over time, from the stress modes: what `run.stress("rod")` gives.

    stress = StressHistory(history)                   von Mises, averaged at the nodes
    print(stress.max())                               212 MPa at node 8841, t = 0.312 s
    stress.max(ties=False)                            away from the nodes that interfaces and links hold
    stress.measure("principal_1").at(node=8841)       over time
    stress.frame("0.312 s")                           at all nodes
    stress.envelope().max                             largest value of every node

Nothing is computed before it is asked for. Stress is linear in the coordinates z, so between two rows it is interpolated
linearly, component by component.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypedDict

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.mistakes import suggestion
from flexor.recover.history import BATCH, BodyHistory, Series
from flexor.recover.linear_field import Combined
from flexor.recover.lost_stress import warn_of_lost_stress
from flexor.recover.measures import StressMeasure, measure_of
from flexor.recover.sites import NONE, Sites, has_shells, sites_of, tied_nodes
from flexor.units import Quantity

_VALUES = 1 << 15  # of one product: its results stay in the processor's cache


@dataclass(frozen=True)
class Peak:
    """An extreme value: how large [Pa, or 1 for strain], where and when."""

    value: float
    node: int | None
    element: int | None
    position: tuple[float, float, float]
    """Of the site in the axes of the body, undeformed [m]."""
    time: float
    label: str
    unit: str = "Pa"
    tied: bool = False
    """Whether a tie holds the node: a rigid one concentrates stress at its border, any one spreads loads by itself."""
    away: Peak | None = None
    """Where a tie holds the node, the extreme of all other places."""

    def __str__(self) -> str:
        text = f"{quantity_text(self.value, self.unit)} at {self.label}, t = {self.time:.6g} s"
        if not self.tied:
            return text
        return f"{text} (on a tie{f'; {self.away} away from ties' if self.away else ''})"


@dataclass(frozen=True, eq=False)
class Envelope:
    """Largest and smallest value over time of every site (not-a-number where there is none), and when they occur [s]."""

    max: np.ndarray
    min: np.ndarray
    time_of_max: np.ndarray
    time_of_min: np.ndarray
    name: str = ""
    unit: str = ""
    sites: Sites | None = None

    def __repr__(self) -> str:
        return f"envelope of {self.name or 'values'} at {np.count_nonzero(np.isfinite(self.max))} sites"

    def __str__(self) -> str:
        """The extremes of all, and the sites with the largest values."""
        lines = [repr(self)]
        if np.any(np.isfinite(self.max)):
            order = np.argsort(-np.where(np.isfinite(self.largest), self.largest, -1.0))[:5]
            lines.append(f"  {'site':20} {'smallest':>14} {'at':>12} {'largest':>14} {'at':>12}")
            for row in order[np.isfinite(self.largest[order])]:
                low, high = (quantity_text(float(values[row]), self.unit) for values in (self.min, self.max))
                when = f"{self.time_of_min[row]:.5g} s", f"{self.time_of_max[row]:.5g} s"
                lines.append(f"  {self._label(int(row)):20} {low:>14} {when[0]:>12} {high:>14} {when[1]:>12}")
        return "\n".join(lines)

    def _label(self, row: int) -> str:
        if self.sites is None:
            return f"row {row}"
        found = np.flatnonzero(self.sites.rows == row)
        return str(self.sites.label(int(found[0]))) if len(found) else f"row {row}"

    @property
    def largest(self) -> np.ndarray:
        """Largest absolute value over time."""
        return np.maximum(np.abs(self.max), np.abs(self.min))


class StressOptions(TypedDict, total=False):
    """Options of `StressHistory`."""

    quantity: str
    place: str
    surface: str


class StressHistory:
    """Stress [Pa] or strain (engineering shear) in the axes of the body, over time.

    quantity: "stress" or "strain".   measure: one of `MEASURES`, or a `StressMeasure` of your own.
    place: "nodes" (averaged), "elements" (at their nodes, not averaged), "centers", "fibres" (beams).
    surface: of shells, "top", "middle" or "bottom"; each is looked at on its own.
    """

    def __init__(
        self,
        history: BodyHistory,
        measure: str | StressMeasure = "von_mises",
        *,
        quantity: str = "stress",
        place: str = "nodes",
        surface: str = "top",
        sites: Sites | None = None,
    ) -> None:
        if quantity not in ("stress", "strain"):
            fix = suggestion(quantity, ("stress", "strain"))
            raise ModelError(Problem(history.where, f"there is no quantity '{quantity}'", "", fix))
        warn_of_lost_stress(history)
        self.history = history
        self.quantity, self.place, self.surface = quantity, place, surface
        self._measure: StressMeasure = measure if isinstance(measure, StressMeasure) else measure_of(measure, quantity)
        self._sites = sites

    @property
    def name(self) -> str:
        """`rod.von_mises stress`"""
        return f"{self.history.reduced.name}.{self._measure.name} {self.quantity}"

    @property
    def unit(self) -> str:
        return "Pa" if self.quantity == "stress" else ""

    @property
    def sites(self) -> Sites:
        """Where it is recovered, with the modes; computed on first use."""
        if self._sites is None:
            self._sites = sites_of(self.history, self.quantity, self.place, self.surface)
        return self._sites

    def measure(self, name: str) -> StressHistory:
        """The same with another measure: xx, yy, zz, xy, yz, zx, von_mises, principal_1 … 3, signed_max, tresca, …"""
        return self._with(measure_of(name, self.quantity), self.quantity, self.place, self.surface, self.sites)

    def on(self, surface: str) -> StressHistory:
        """The same on another surface of shells: top, middle or bottom."""
        return self._with(self._measure, self.quantity, self.place, surface, None)

    def at_place(self, place: str) -> StressHistory:
        """The same at "nodes", "elements", "centers" or "fibres"."""
        return self._with(self._measure, self.quantity, place, self.surface, None)

    def max(self, *, ties: bool = True) -> Peak:
        """The largest value of all sites and times. Where a tie holds its node it says so, with the largest of the others;
        ties=False leaves such nodes out."""
        return self._extreme(self._bounds.max, self._bounds.time_of_max, 1.0, ties)

    def min(self, *, ties: bool = True) -> Peak:
        """The smallest value of all sites and times; ties as in `max`."""
        return self._extreme(self._bounds.min, self._bounds.time_of_min, -1.0, ties)

    def at(self, node: int | None = None, *, element: int | None = None, fibre: int | None = None) -> Series:
        """The measure over time at a node; where not averaged, at an element, its node, a fibre of its section."""
        site = self.sites.find(self.history.where, node, element, fibre)
        values = self._measure(self.sites.modes.at(site, self.history.z))
        return Series(values, self.history.times, f"{self.name} at {self.sites.label(site)}", self.unit)

    def tensor_at(self, node: int | None = None, *, element: int | None = None, fibre: int | None = None) -> Series:
        """(T, 6) all components xx, yy, zz, xy, yz, zx over time at one place."""
        site = self.sites.find(self.history.where, node, element, fibre)
        name = f"{self.history.reduced.name}.{self.quantity} at {self.sites.label(site)}"
        return Series(self.sites.modes.at(site, self.history.z), self.history.times, name, self.unit)

    def frame(self, time: Quantity | None = None) -> np.ndarray:
        """The measure of all nodes (or sites) at a time; not-a-number at nodes without elements. An equilibrium needs no time.

        At nodes, in the order of `history.reduced.node_ids`.
        """
        return self._field(self._values(self.history.coordinates(time)[None])[0])

    def tensor(self, time: Quantity | None = None) -> np.ndarray:
        """(n, 6) components of all nodes (or sites) at a time."""
        return self._field(self.sites.modes.field(self.history.coordinates(time)))

    def frames(self, rows: slice | np.ndarray = slice(None)) -> Iterator[tuple[float, np.ndarray]]:
        """(time, measure of all nodes) of the recorded rows, computed in batches."""
        chosen = np.arange(len(self.history))[rows]
        for begin in range(0, len(chosen), BATCH):
            batch = chosen[begin : begin + BATCH]
            for row, values in zip(batch, self._values(self.history.z[batch])):
                yield float(self.history.times[row]), self._field(values)

    def over_time(self, span: slice = slice(None)) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """(rows, values (T, m)): the history of some nodes (or sites) after the other, e.g. to count cycles.

        rows: which rows of a frame these are.   span: rows of the history; all by default.
        """
        z = self.history.z
        known = isinstance(z, np.ndarray)  # coordinates of a whole mesh are made for all times at once
        z = z[span] if known else z
        for some in _portions(len(self.sites), len(self.history.times[span])):
            values = self._measure.value(self._modes.of(z, some))
            yield self.sites.rows[some], values if known else values[span]

    def envelope(self, measure: str | None = None) -> Envelope:
        """Extreme values over all recorded rows with the times when they occur; memory is that of the field."""
        chosen = self if measure is None else self.measure(measure)
        bounds = chosen._bounds
        fields = (bounds.max, bounds.min, bounds.time_of_max, bounds.time_of_min)
        high, low, when_high, when_low = (self._field(values) for values in fields)
        return Envelope(high, low, when_high, when_low, chosen.name, chosen.unit, self.sites)

    def __str__(self) -> str:
        return f"{self.name}: {len(self.history)} times, {len(self.sites)} sites, largest {self.max()}"

    def __repr__(self) -> str:
        return f"{self.name} at {self.place}: {len(self.history)} times"

    def _with(
        self, measure: StressMeasure, quantity: str, place: str, surface: str, sites: Sites | None
    ) -> StressHistory:
        return StressHistory(self.history, measure, quantity=quantity, place=place, surface=surface, sites=sites)

    @cached_property
    def _modes(self) -> Combined:
        """Modes of the combinations that the measure is made of."""
        return self.sites.modes.combined(self._measure.combine)

    def _values(self, z: np.ndarray) -> np.ndarray:
        """(T, n) the measure for coordinates z (T, r)."""
        values = np.empty((len(z), len(self.sites)))
        for some in _portions(len(self.sites), len(z)):
            values[:, some] = self._measure.value(self._modes.of(z, some))
        return values

    @cached_property
    def _bounds(self) -> Envelope:
        times = self.history.times
        n = len(self.sites)
        high, low = np.full(n, -np.inf), np.full(n, np.inf)
        when_high, when_low = np.zeros(n, dtype=int), np.zeros(n, dtype=int)
        for begin, z, some in self._tiles():
            values = self._measure.value(self._modes.of(z, some))
            _raise(high[some], when_high[some], values, begin)
            _raise(low[some], when_low[some], values, begin, -1.0)
        return Envelope(high, low, times[when_high], times[when_low])

    def _tiles(self) -> Iterator[tuple[int, np.ndarray, slice]]:
        """(first row, coordinates, sites) of all products; coordinates that must be computed are computed once."""
        z, starts, parts = self.history.z, range(0, len(self.history), BATCH), [*_portions(len(self.sites), BATCH)]
        if isinstance(z, np.ndarray):  # the modes of some sites stay in the cache
            yield from ((begin, z[begin : begin + BATCH], some) for some in parts for begin in starts)
            return
        for begin in starts:
            batch = z[begin : begin + BATCH]
            yield from ((begin, batch, some) for some in parts)

    def _field(self, values: np.ndarray) -> np.ndarray:
        """Values of the sites among all rows."""
        if self.sites.count == len(values):
            return values
        field = np.full((self.sites.count, *values.shape[1:]), np.nan)
        field[self.sites.rows] = values
        return field

    def _extreme(self, values: np.ndarray, times: np.ndarray, sign: float, ties: bool) -> Peak:
        tied = np.isin(self.sites.nodes, tied_nodes(self.history.reduced.mesh))
        away = None
        if not tied.all():
            away = self._peak(values, times, int(np.argmax(np.where(tied, -np.inf, sign * values))))
        if ties:
            site = int(np.argmax(sign * values))
            return self._peak(values, times, site, bool(tied[site]), away if tied[site] else None)
        if away is None:
            what = f"ties hold all {len(tied)} places where stress is recovered"
            raise ModelError(Problem(self.history.where, what, "", "use ties=True, or a finer mesh"))
        return away

    def _peak(
        self, values: np.ndarray, times: np.ndarray, site: int, tied: bool = False, away: Peak | None = None
    ) -> Peak:
        sites = self.sites
        side = f" ({self.surface})" if self.place != "fibres" and has_shells(self.history.reduced.mesh) else ""
        x, y, z = (float(c) for c in sites.positions[site])
        return Peak(
            value=float(values[site]),
            node=None if sites.nodes[site] == NONE else int(sites.nodes[site]),
            element=None if sites.elements[site] == NONE else int(sites.elements[site]),
            position=(x, y, z),
            time=float(times[site]),
            label=sites.label(site) + side,
            unit=self.unit,
            tied=tied,
            away=away,
        )


def _portions(sites: int, times: int) -> Iterator[slice]:
    size = max(_VALUES // max(times, 1), 64)
    return (slice(begin, min(begin + size, sites)) for begin in range(0, sites, size))


def _raise(best: np.ndarray, when: np.ndarray, values: np.ndarray, begin: int, sign: float = 1.0) -> None:
    """Note in `best` (n,) the largest of values (T, n), or the smallest for sign −1, and in `when` its row."""
    found = values.max(axis=0) if sign > 0 else values.min(axis=0)
    better = np.flatnonzero(sign * found > sign * best)
    if len(better):
        columns = values[:, better]
        best[better] = found[better]
        when[better] = begin + (columns.argmax(axis=0) if sign > 0 else columns.argmin(axis=0))


def quantity_text(value: float, unit: str) -> str:
    """`212 MPa`, `1.01e-03`"""
    if unit != "Pa":
        return f"{value:.4g}"
    for scale, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= scale:
            return f"{value / scale:.4g} {prefix}Pa"
    return f"{value:.4g} Pa"
