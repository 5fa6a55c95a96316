"""Where stress histories come from: all places of a body, a gauge, arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.fatigue.cycles import refuse_short
from flexor.fatigue.planes import directions, in_surface, normal_stress, step_of
from flexor.fatigue.signed_stress import fast
from flexor.mistakes import suggestion
from flexor.recover import GaugeReading, StressHistory
from flexor.recover.measures import MEASURES, measure_of
from flexor.recover.sites import Sites, has_shells, tied_nodes
from flexor.units import Quantity, si

CRITICAL_PLANE = "critical_plane"
UNSIGNED = ("von_mises", "tresca", "max_shear")
Blocks = Callable[[int], Iterator[tuple[np.ndarray, np.ndarray]]]
Between = tuple[Quantity, Quantity]


@dataclass(frozen=True, eq=False)
class Source:
    """Histories of stress [Pa] at places that are rows of a field.

    times: (T,) [s].   count: rows of the field.   normals: (k, 3) of the planes to be tried, or none.
    blocks: number of the plane → (rows, values (T, m)), some places after the other.   one: (row, plane) → (T,) values.
    """

    name: str
    where: str
    measure: str
    times: np.ndarray
    count: int
    label: Callable[[int], str]
    blocks: Blocks
    one: Callable[[int, int], np.ndarray]
    normals: np.ndarray | None = None
    sites: Sites | None = None
    stress: StressHistory | None = None

    @property
    def passes(self) -> int:
        """How often each place is looked at."""
        return 1 if self.normals is None else len(self.normals)

    @property
    def duration(self) -> float:
        """Time from the first to the last value [s]."""
        return float(self.times[-1] - self.times[0])

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
    normals = directions(step_of(plane_step)) if measure == CRITICAL_PLANE else None
    kinds = [fast(_known(measure))] if normals is None else list(map(normal_stress, normals))

    def seen(k: int) -> StressHistory:
        return StressHistory(history, kinds[k], place=stress.place, surface=stress.surface, sites=stress.sites)

    def blocks(k: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        for some, values in seen(k).over_time():
            yield some, values[rows]

    site_of = np.full(stress.sites.count, -1)
    site_of[stress.sites.rows] = np.arange(len(stress.sites))
    side = f" ({stress.surface})" if stress.place != "fibres" and has_shells(history.reduced.mesh) else ""

    def one(row: int, k: int) -> np.ndarray:
        return kinds[k](stress.sites.modes.at(int(site_of[row]), history.z))[rows]

    def label(row: int) -> str:
        return stress.sites.label(int(site_of[row])) + side

    return Source(f"{history.reduced.name}.{measure} stress", where, measure, history.times[rows], stress.sites.count,
                  label, blocks, one, normals, stress.sites, stress)  # fmt: skip


def of_gauge(reading: GaugeReading, measure: str, between: Between | None, plane_step: Quantity) -> Source:
    """What a strain gauge reads, in its own axes: xx along the first leg, yy across it."""
    name = reading.gauge.name
    where = f"fatigue at strain gauge '{name}'"
    rows = chosen_rows(reading.time, between, where)
    tensor = np.zeros((len(reading.time), 6))
    tensor[:, [0, 1, 3]] = reading.stress
    normals = in_surface(step_of(plane_step)) if measure == CRITICAL_PLANE else None
    kinds = [measure_of(_known(measure))] if normals is None else list(map(normal_stress, normals))
    return _listed(
        f"{name}.{measure} stress", where, measure, reading.time[rows],
        [[kind(tensor)[rows]] for kind in kinds], lambda row: f"strain gauge '{name}'", normals,
    )  # fmt: skip


def of_array(values: np.ndarray, times: np.ndarray, name: str, between: Between | None) -> Source:
    """Histories (T,) or (T, m) [Pa]."""
    where = f"fatigue of '{name}'" if name else "fatigue"
    rows = chosen_rows(times, between, where)
    table = values[rows].reshape(len(times[rows]), -1)
    many = table.shape[1] > 1
    return _listed(
        name or "stress", where, "as given", times[rows], [list(table.T)],
        lambda row: f"column {row + 1}" if many else name or "the history", None,
    )  # fmt: skip


def _listed(
    name: str,
    where: str,
    measure: str,
    times: np.ndarray,
    values: list[list[np.ndarray]],
    label: Callable[[int], str],
    normals: np.ndarray | None,
) -> Source:
    """values: of each plane, the history of each place."""

    def blocks(k: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        yield np.arange(len(values[k])), np.array(values[k]).T

    return Source(name, where, measure, times, len(values[0]), label, blocks, lambda row, k: values[k][row], normals)


def _known(measure: str) -> str:
    """ModelError for a measure that is none, or that has no sign."""
    if measure not in MEASURES:
        fix = suggestion(measure, (CRITICAL_PLANE, *MEASURES), "there are")
        raise ModelError(Problem("fatigue", f"there is no measure '{measure}'", "", fix))
    if measure in UNSIGNED:
        what, why = f"{measure} has no sign", "stress that changes its sign would count with half its range"
        raise ModelError(Problem("fatigue", what, why, 'take measure="signed_von_mises", "signed_max" or a component'))
    return measure
