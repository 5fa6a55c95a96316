"""Where stress histories come from: all places of a body, a gauge, arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.fatigue.cycles import refuse_short
from flexor.fatigue.planes import CRITICAL_PLANE, CRITICAL_SHEAR, Look, looks_at
from flexor.fatigue.signed_stress import fast
from flexor.mistakes import suggestion
from flexor.recover import GaugeReading, StressHistory
from flexor.recover.measures import MEASURES, StressMeasure
from flexor.recover.sites import Sites, has_shells, tied_nodes
from flexor.units import Quantity, si

UNSIGNED = ("von_mises", "tresca", "max_shear")
SHEAR = ("xy", "yz", "zx")
"""Measures whose sign means nothing."""
SIGNED = ("signed_max", "signed_von_mises")
"""Measures whose sign may jump."""
Part = tuple[np.ndarray, np.ndarray, np.ndarray | float]
Blocks = Callable[[int], Iterator[Part]]
Between = tuple[Quantity, Quantity]


@dataclass(frozen=True, eq=False)
class Source:
    """Histories of stress [Pa] at places that are rows of a field.

    times: (T,) [s].   count: rows of the field.   looks: what each pass over all places counts; none of plain histories.
    blocks: number of the pass → (rows, values (T, m), largest normal stress of each where shear is counted), some places after
    the other.   one: (row, pass) → (T,) values.   tensor: row → (T, 6) components.
    """

    name: str
    where: str
    measure: str
    times: np.ndarray
    count: int
    label: Callable[[int], str]
    blocks: Blocks
    one: Callable[[int, int], np.ndarray]
    looks: tuple[Look, ...] = ()
    tensor: Callable[[int], np.ndarray] | None = None
    sites: Sites | None = None
    stress: StressHistory | None = None

    @property
    def passes(self) -> int:
        """How often each place is looked at."""
        return max(len(self.looks), 1)

    @property
    def normals(self) -> np.ndarray | None:
        """(k, 3) of the planes that are tried."""
        found = [look.normal for look in self.looks if look.normal is not None]
        return np.array(found) if found else None

    @property
    def shear(self) -> bool:
        """Whether the sign of what is counted means nothing."""
        return self.measure in SHEAR

    @property
    def duration(self) -> float:
        """Time from the first to the last value [s]."""
        return float(self.times[-1] - self.times[0])

    @property
    def side(self) -> str:
        """Where in the body: nodes, elements …, and of shells which surface."""
        return "" if self.stress is None else f"{self.stress.place} {self.stress.surface}"

    @property
    def two_sided(self) -> bool:
        """Whether it is of shells, whose other side has another stress."""
        stress = self.stress
        return stress is not None and stress.place != "fibres" and has_shells(stress.history.reduced.mesh)

    @property
    def tied(self) -> np.ndarray:
        """Whether a tie holds each row of the field."""
        found = np.zeros(self.count, dtype=bool)
        if self.sites is not None and self.stress is not None:
            held = tied_nodes(self.stress.history.reduced.mesh)
            found[self.sites.rows] = np.isin(self.sites.nodes, held)
        return found


def chosen_rows(times: np.ndarray, between: Between | None, where: str) -> slice:
    """Rows from one time to another, both included."""
    if between is None:
        refuse_short(len(times), where)
        return slice(0, len(times))
    if not isinstance(between, tuple | list) or len(between) != 2:
        fix = 'write between=("0.2 s", "0.3 s")'
        raise ModelError(Problem(where, f"between = {between!r} is no span of time", "it has a begin and an end", fix))
    begin, end = (float(si(t, "time")) for t in between)
    slack = 1e-9 * max(abs(float(times[0])), abs(float(times[-1])), 1e-30)
    rows = np.flatnonzero((times >= begin - slack) & (times <= end + slack))
    if len(rows) < 2:
        what = f"{'one row is' if len(rows) else 'no row is'} between {begin:.6g} and {end:.6g} s"
        fix = f"it covers {times[0]:.6g} … {times[-1]:.6g} s in {len(times)} rows"
        raise ModelError(Problem(where, what, "cycles need two rows or more", fix))
    return slice(int(rows[0]), int(rows[-1]) + 1)


def of_stress(stress: StressHistory, measure: str, between: Between | None, plane_step: Quantity) -> Source:
    """All places where the stress of a body is recovered."""
    history = stress.history
    where = f"fatigue of {history.where}"
    rows = chosen_rows(history.times, between, where)
    if stress.quantity != "stress":
        raise ModelError(Problem(where, "it is strain", "S-N curves are of stress", 'take quantity="stress"'))
    looks = _looks(measure, plane_step)

    def over_time(kind: StressMeasure) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        seen = StressHistory(history, kind, place=stress.place, surface=stress.surface, sites=stress.sites)
        return seen.over_time(rows)

    peaks = _Peaks(stress.sites.count, over_time)

    def blocks(k: int) -> Iterator[Part]:
        across = peaks.of(looks[k])
        for some, values in over_time(looks[k].measure):
            yield some, values, 0.0 if across is None else across[some]

    site_of = np.full(stress.sites.count, -1)
    site_of[stress.sites.rows] = np.arange(len(stress.sites))
    side = f" ({stress.surface})" if stress.place != "fibres" and has_shells(history.reduced.mesh) else ""

    def tensor(row: int) -> np.ndarray:
        return np.asarray(stress.sites.modes.at(int(site_of[row]), history.z)[rows])

    def label(row: int) -> str:
        return stress.sites.label(int(site_of[row])) + side

    return Source(f"{history.reduced.name}.{measure} stress", where, measure, history.times[rows], stress.sites.count, label, blocks,
                  lambda row, k: looks[k].measure(tensor(row)), tuple(looks), tensor, stress.sites, stress)  # fmt: skip


def of_gauge(reading: GaugeReading, measure: str, between: Between | None, plane_step: Quantity) -> Source:
    """What a strain gauge reads, in its own axes: xx along the first leg, yy across it."""
    name = reading.gauge.name
    tensor = np.zeros((len(reading.time), 1, 6))
    tensor[:, 0, [0, 1, 3]] = reading.stress
    where, looks = f"fatigue at strain gauge '{name}'", _looks(measure, plane_step, surface=True)
    return _of_tensors(tensor, reading.time, name, where, measure, between, looks, lambda row: f"strain gauge '{name}'")


def of_tensors(
    values: np.ndarray, times: np.ndarray, name: str, measure: str, between: Between | None, plane_step: Quantity
) -> Source:
    """Components (T, m, 6) of stress [Pa] at m places: xx, yy, zz, xy, yz, zx."""
    where, looks = f"fatigue of '{name}'" if name else "fatigue", _looks(measure, plane_step)
    return _of_tensors(values, times, name, where, measure, between, looks, lambda row: f"place {row + 1}")


def of_array(values: np.ndarray, times: np.ndarray, name: str, between: Between | None) -> Source:
    """Histories (T,) or (T, m) [Pa]."""
    where = f"fatigue of '{name}'" if name else "fatigue"
    rows = chosen_rows(times, between, where)
    table = values[rows].reshape(len(times[rows]), values.shape[1] if values.ndim == 2 else 1)
    many = table.shape[1] > 1

    def blocks(k: int) -> Iterator[Part]:
        yield np.arange(table.shape[1]), table, 0.0

    return Source(
        name or "stress", where, "as given", times[rows], table.shape[1],
        lambda row: f"column {row + 1}" if many else name or "the history", blocks, lambda row, k: table[:, row],
    )  # fmt: skip


def _of_tensors(
    values: np.ndarray,
    times: np.ndarray,
    name: str,
    where: str,
    measure: str,
    between: Between | None,
    looks: list[Look],
    label: Callable[[int], str],
) -> Source:
    rows = chosen_rows(times, between, where)
    table = values[rows]
    places = np.arange(table.shape[1])
    peaks = _Peaks(len(places), lambda kind: iter([(places, kind(table))]))

    def blocks(k: int) -> Iterator[Part]:
        across = peaks.of(looks[k])
        yield places, looks[k].measure(table), 0.0 if across is None else across

    return Source(f"{name}.{measure} stress".lstrip("."), where, measure, times[rows], len(places), label, blocks,
                  lambda row, k: looks[k].measure(table[:, row]), tuple(looks), lambda row: table[:, row])  # fmt: skip


class _Peaks:
    """Largest normal stress over time at all places, on the plane that was asked for last."""

    def __init__(
        self, count: int, over_time: Callable[[StressMeasure], Iterator[tuple[np.ndarray, np.ndarray]]]
    ) -> None:
        self._count, self._over_time = count, over_time
        self._normal: np.ndarray | None = None
        self._found = np.zeros(0)

    def of(self, look: Look) -> np.ndarray | None:
        """Of a look at shear; else none."""
        if look.along is None:
            return None
        if look.normal is not self._normal:
            self._normal, self._found = look.normal, np.zeros(self._count)
            for some, values in self._over_time(look.across):
                self._found[some] = values.max(axis=0)
        return self._found


def _looks(measure: str, plane_step: Quantity, *, surface: bool = False) -> list[Look]:
    """ModelError for a measure that is none, or that has no sign."""
    if measure in (CRITICAL_PLANE, CRITICAL_SHEAR):
        return looks_at(measure, plane_step, surface=surface)
    if measure not in MEASURES:
        fix = suggestion(measure, (CRITICAL_PLANE, CRITICAL_SHEAR, *MEASURES), "there are")
        raise ModelError(Problem("fatigue", f"there is no measure '{measure}'", "", fix))
    if measure in UNSIGNED:
        what, why = f"{measure} has no sign", "stress that changes its sign would count with half its range"
        raise ModelError(Problem("fatigue", what, why, 'take measure="signed_von_mises", "signed_max" or a component'))
    return [Look(fast(measure))]
