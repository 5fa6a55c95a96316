"""A run: its signals by name, its story, its plots; from a results file or straight from the solver.

    run = Run("slider-crank.flexor.h5")
    run["main.angle"].max()
    run.plot("main.torque", "drive.*", file="torque.png")

Nothing is read before it is asked for.
"""

from __future__ import annotations

import csv
import importlib
from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, cast

import numpy as np

from flexor.dotted import owner
from flexor.engine.memory import TotalEnergy
from flexor.errors import FileError, FlexorError, Problem
from flexor.files import as_path
from flexor.io.replaceable import check_replaceable, unwritable
from flexor.io.seal import seal_of
from flexor.results import run_file
from flexor.results.between import RelativeMotion
from flexor.results.bodies import body_history, forces_in_sections, functions_in_motion, refuse_changed, refuse_no_gauge
from flexor.results.claim import is_written
from flexor.results.disk import absolute
from flexor.results.in_memory import RunInMemory
from flexor.results.marker_motion import Attached, marker_signals, marker_values, motion_of
from flexor.results.names import MOST, UnknownSignal, by_owner, listed, matching, refuse_nameless, unknown
from flexor.results.plot import plot
from flexor.results.signal import Signal, component_names
from flexor.results.spectrum import Spectrum, Waterfall, spectrum_of, waterfall_of
from flexor.shown import counted
from flexor.units import Quantity

if TYPE_CHECKING:  # a file is opened without loading solvers and declarations
    from matplotlib.figure import Figure

    import flexor as fx
    from flexor.fatigue import Damage, SNCurve
    from flexor.fatigue.accumulation import DamageOptions
    from flexor.model import Model
    from flexor.recover import BodyHistory, GaugeReading, LineForces, SectionForces, StrainGauge, StressHistory
    from flexor.recover.export import VtuOptions
    from flexor.recover.stress import StressOptions
    from flexor.results.moment import Moment
    from flexor.results.pressure_map import PressureMap
    from flexor.results.side_pressure import SidePressure

T = TypeVar("T")

UNFINISHED = "still running or killed"
__all__ = ["Run", "UnknownSignal"]
TABLE = "table of signals"
ENERGIES = tuple(field.name for field in TotalEnergy.FIELDS)
_BLOCK = 1 << 22  # bytes read at a time
_OF_MARKERS = ("position", "orientation", "velocity", "acceleration", "angular", "euler")


class Run:
    """Results of a run. Signals are read from the file when asked for, so opening a large file is quick.

    A file that is still being written can be opened, too; each reading takes what is there by then.
    """

    def __init__(self, source: str | Path | RunInMemory, verify: bool = True, *, model: Model | None = None) -> None:
        """source: a results file; or what is kept in memory of a run.

        verify: whether length and check-sum of a finished file must be those stored at its end (about a second per gigabyte,
            once), and the meshes that its model names those it was computed with; without it, what can be read of a
            damaged file is shown, and meshes are taken as they are now.
        model: the one that was run, where it is at hand, with what it may hold in memory; else it is read from the file.
        """
        self._model = model
        self._memory = source if isinstance(source, RunInMemory) else None
        self._verify = verify
        self.file = None if isinstance(source, RunInMemory) else absolute(source)
        """Path of the results file; None if the run is kept in memory."""
        self._seal = seal_of(self.file) if self.file else None
        self.settings: dict[str, Any]
        self.meta: dict[str, Any]
        self.versions: dict[str, str]
        found = self._read(run_file.introduction) if self._memory is None else self._memory.introduction()
        names, units, self.settings, self.meta, self.versions, self._text = found
        self._columns = {name: i for i, name in enumerate(names)}
        self.names: tuple[str, ...] = tuple(names[1:])
        """Names of all signals."""
        self.units: dict[str, str] = dict(zip(names, units, strict=True))
        """SI unit of each signal."""
        self.told: set[str] = set()
        """Bodies about whose stress a warning was given."""

    def __getitem__(self, name: str) -> Signal:
        """A signal by its name; "crank.position" collects crank.position_x, _y and _z to a vector.

        Also of markers of rigid bodies: "crank.tip.velocity", "crank.center_of_mass.acceleration", "crank.tip.euler_zyx".
        """
        refuse_nameless(name)
        parts = self._parts(name)
        if not parts:
            found = self._of_marker(name)
            if found is None:
                raise self._unknown(name)
            return found
        columns = [0, *(self._columns[part] for part in parts)]
        time, *values = self._read(lambda file: _columns_of(file["signals"], columns))
        table = np.stack(values, axis=1)
        return Signal(table[:, 0] if len(parts) == 1 else table, time, name, self.units[parts[0]])

    def __contains__(self, name: str) -> bool:
        return isinstance(name, str) and (bool(self._parts(name)) or self._of_marker(name) is not None)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        """Number of recorded times."""
        return self._read(lambda file: int(file["signals"].shape[0]))

    @property
    def time(self) -> np.ndarray:
        """Recorded times [s]."""
        return self["time"].values

    def find(self, pattern: str = "*") -> list[str]:
        """Names that contain a word, "top", or match a pattern: * any text, ? one letter, e.g. "*.force_?".

        Recorded ones first, then those of markers of rigid bodies, which are computed.
        """
        return matching((*self.names, *self._marker_signals), pattern)

    def between(self, first: Attached, second: Attached) -> RelativeMotion:
        """Distance and relative motion of two markers over time, in the axes of the first: run.between("a.x", "b.y").velocity

        A marker is "body.marker", "body" (its origin), "body.center_of_mass", "ground", or a point, crank.at(0.1, 0, 0).
        """
        a, b = (motion_of(self.model, self, marker) for marker in (first, second))
        return RelativeMotion((str(first), str(second)), a, b)

    def nodal(self, body: str, time: Quantity | None = None) -> np.ndarray:
        """(n_nodes, 6) displacement [m] and rotation [rad] of the nodes of a flexible body at a time, against its frame.

        Without a time at all rows, (rows, n_nodes, 6).
        """
        history = self.body(body)
        if time is not None:
            return history.displacement(time)
        return np.stack([history.deformed(row) for row in range(len(history))])

    @property
    def status(self) -> str:
        """ "finished", "interrupted", "failed", or "still running or killed"."""
        status = self._read(lambda file: file["status"][()].decode())
        return UNFINISHED if status == run_file.RUNNING else status

    @property
    def is_growing(self) -> bool:
        """Whether a solver writes it now."""
        return self.file is not None and is_written(self.file) and self.status == UNFINISHED

    @property
    def message(self) -> str:
        """Why the run ended as it did; empty if there is nothing to say."""
        return self._read(lambda file: str(file["message"][()].decode()))

    @property
    def seconds(self) -> float:
        """Wall time spent on it, compilation not counted."""
        return self._read(lambda file: float(file["seconds"][()]))

    @property
    def history(self) -> dict[str, np.ndarray]:
        """Per step: time [s], step_size [s], iterations, refactorisations, cut_backs, transitions (of friction, springs that fail) at its end."""
        table = self.steps()
        return {name: table[:, i] for i, name in enumerate(run_file.HISTORY)}

    def error(self, name: str) -> float:
        """Estimated largest error of a recorded signal over the run, in its unit; of a vector that of its components.

        Of a run with `accuracy`: model.dynamics(until="1 s", accuracy=1e-6).error("pin.angle")
        """
        errors = self.meta.get("accuracy", {}).get("errors")
        if errors is None:
            what, why = f"the error of '{name}' is not known", "it was computed with one step length, or stopped early"
            fix = "give model.dynamics(…, accuracy=1e-6)"
            raise FileError(Problem(repr(self), what, why, fix))
        parts = self._parts(name)
        if not parts:
            raise self._unknown(name)
        return max(float(errors[part]) for part in parts)

    def energies(self) -> dict[str, Signal]:
        """Kinetic, potential, strain, dissipated and input energy [J] and their check-sum.   FTG 9.2

        The check-sum, kinetic + potential + strain + dissipated − input, is constant if all is exact.
        """
        there = [name for name in ENERGIES if f"energy.{name}" in self._columns]
        columns = [0, *(self._columns[f"energy.{name}"] for name in there)]
        time, *values = self._read(lambda file: _columns_of(file["signals"], columns))
        owned = {name: f"energy.{name}" for name in there}
        return {name: Signal(each, time, owned[name], self.units[owned[name]]) for name, each in zip(there, values)}

    @property
    def model_text(self) -> str:
        """The model as YAML text."""
        return self._text or self.model.to_text()  # a run in memory has the model itself

    @property
    def model(self) -> fx.Model:
        """The model that was run, as it was then; FileError if a mesh that it names has changed since."""
        from flexor.model import Model  # loads every declaration

        if self._model is None:
            if self._verify:
                refuse_changed(self.meta.get("files", {}), f"run {self.file.name}" if self.file else "the run")
            self._model = Model.from_text(self._text)
        return cast("fx.Model", self._model)  # with its analyses

    def body(self, name: str) -> BodyHistory:
        """A flexible body over time: frame, coordinates, displacements of its nodes (`flexor.recover.BodyHistory`)."""
        return body_history(self.model, self, name, self.told)

    def stress(self, name: str, measure: str = "von_mises", **options: Unpack[StressOptions]) -> StressHistory:
        """Stress in a flexible body at all nodes and times (`flexor.recover.StressHistory`): run.stress("rod").max()

        measure: von_mises, principal_1 … 3, signed_max, tresca, pressure, or a component xx … zx.
        """
        from flexor.recover import StressHistory  # loads recovery

        return StressHistory(self.body(name), measure, **options)

    def needed_functions(self, name: str, threshold: float = 1e-2) -> tuple[str, ...]:
        """Names of the shape functions of a body that this run needed, for `keep=fx.CharacteristicSet(functions=…)`: a trial of one
        revolution makes those that follow quicker (NAK 7.5).   threshold: share of a deformation that may be lost with the others.
        """
        return functions_in_motion(self.body(name), threshold)

    def pressure_map(
        self,
        name: str,
        surface: str | None = None,
        time: Quantity | None = None,
        grid: tuple[int, int] = (200, 100),
        coupled: bool = False,
    ) -> PressureMap | SidePressure:
        """Pressure over a surface of a contact (`flexor.results.pressure_map.PressureMap`): run.pressure_map("race").peak

        The highest that each place has seen at the recorded times, or the pressure at the row nearest to a time.
        surface: "a" or "b" of the contact; if left out a, or the side of a body that deforms which touches with its nodes or points: that one is mapped
        at these (`flexor.results.side_pressure.SidePressure`).   grid: points along both parameters, around what was pressed.
        coupled: whether slices of a line contact press each other down as strips on a half space do, under the same force and moment, which
        shows peaks at sharp ends of rollers; else each is pressed as its own depth asks for, as in the run.
        """
        from flexor.results.pressure_map import pressure_map  # loads contacts

        return pressure_map(self.model, self, name, surface, time, grid, coupled)

    def spectrum(self, name: str, window: str = "hann") -> Spectrum:
        """Amplitudes of a signal over frequency (`flexor.results.spectrum`): run.spectrum("table.acceleration_z").peaks()

        window: "hann", or "none" where the run holds whole periods.
        """
        return spectrum_of(self[name], window)

    def waterfall(
        self,
        name: str,
        segment: Quantity | None = None,
        overlap: float = 0.75,
        over: str | None = None,
        orders: Sequence[float] = (),
    ) -> Waterfall:
        """Spectra of a signal window by window, over time or over another signal as the speed of a run-up.

        segment: length of a window [s], which tells frequencies 2/segment apart; about 40 windows if left out.   overlap: of neighbours.
        over: name of the signal along which they are.   orders: multiples of it, a speed [rad/s], drawn as lines.
        """
        return waterfall_of(self[name], segment, overlap, None if over is None else self[over], orders)

    def gauge(self, gauge: StrainGauge) -> GaugeReading:
        """What a virtual strain gauge (fx.StrainGauge) reads over time."""
        refuse_no_gauge(gauge)
        return gauge.read(self.body(gauge.body))

    def damage(
        self,
        what: str | StrainGauge,
        curve: SNCurve,
        *,
        place: str = "nodes",
        surface: str | None = None,
        **options: Unpack[DamageOptions],
    ) -> Damage:
        """Fatigue damage in a flexible body at all nodes, or at a strain gauge: run.damage("rod", fx.SNCurve.dnv("D")).max()

        Options as of `fx.damage_of`: measure, mean_stress, gate, residue, stress_factor, between; place and surface as of `stress`.
        Of shells it is, unless a surface is named, the side on which the worst place is worse.
        """
        from flexor.fatigue import damage_of  # loads the counting of cycles
        from flexor.recover import StrainGauge  # loads recovery

        if isinstance(what, StrainGauge):
            return damage_of(self.gauge(what), curve, **options)
        found = damage_of(self.stress(what, place=place, surface=surface or "top"), curve, **options)
        if surface is not None or not found.source.two_sided:
            return found
        below = damage_of(self.stress(what, place=place, surface="bottom"), curve, **options)
        return max(found, below, key=lambda each: (each.max().value, each.max().largest))

    def section_forces(self, name: str) -> LineForces | SectionForces:
        """N, Qy, Qz, T, My, Mz over time in a beam, run.section_forces("mast").force("My", "1.2 m"), or in the beam elements
        of a flexible body, run.section_forces("frame").force("My", element=12).
        """
        return forces_in_sections(self.model, self, name, self.told)

    def vtu(self, name: str, folder: str | Path, **options: Unpack[VtuOptions]) -> Path:
        """Write a flexible body over time as VTU files with a .pvd collection, for ParaView (see `fx.export_vtu`)."""
        from flexor.recover import export_vtu  # loads recovery

        return export_vtu(self.body(name), folder, **options)

    def plot(self, *names: str, file: str | Path | None = None) -> Figure:
        """Draw signals, by name or pattern, one subplot per unit: to an image file, or in a window."""
        return plot([self[name] for name in self._select(names)], file=file)

    def to_csv(self, path: str | Path, names: list[str] | tuple[str, ...] | None = None) -> Path:
        """Write signals (by name or pattern; all by default) as comma-separated values, the time first."""
        chosen = self._select(self.names if names is None else names)
        computed = [self[name] for name in chosen if not self._parts(name)]
        wanted = [part for name in chosen for part in self._parts(name)]
        columns = [0, *(self._columns[name] for name in wanted)]
        headings = [_heading(name, self.units[name]) for name in ("time", *wanted)]
        headings += [_heading(part, signal.unit) for signal in computed for part in component_names(signal)]
        path = as_path(path, TABLE)
        try:
            check_replaceable(path, TABLE, f"{TABLE} {path}")
            with path.open("w", newline="", encoding="utf-8") as target:
                table = csv.writer(target, lineterminator="\n")
                table.writerow(headings)
                begin = 0
                for block in self.blocks("signals"):
                    rows = slice(begin, begin + len(block))
                    begin += len(block)
                    beside = [signal.values[rows].reshape(len(block), -1) for signal in computed]
                    table.writerows(np.hstack([block[:, columns], *beside]).tolist())
        except (OSError, ValueError) as error:
            raise unwritable(path, TABLE, error) from None
        return path

    def view(self, *others: Run, **options: Any) -> Any:
        """Show it in the browser, or within a notebook: moving, bending, with stress, forces and plots; `others` beside it.

        Options: gauges (strain gauges to draw and read), damage (of `run.damage`, as a field), port, browser, wait (see `fx.view`).
        """
        return importlib.import_module("flexor.viewer.show").view(self, *others, **options)

    def report(
        self,
        file: str | Path,
        *,
        signals: list[str] | None = None,
        frames: int = 600,
        stress: bool = True,
        gauges: Sequence[StrainGauge] = (),
        damage: Damage | Sequence[Damage] = (),
    ) -> Path:
        """Write one page that shows the run, offline and without Flexor.

        signals: to plot, by name or pattern; some telling ones if left out.   frames: rows at most, evenly spread.
        stress: whether it holds the stress of flexible bodies.   gauges: strain gauges on them, drawn and read.
        damage: of `run.damage`, shown as fields.
        """
        show = importlib.import_module("flexor.viewer.show")
        return cast("Path", show.report(self, file, gauges, damage, signals=signals, frames=frames, stress=stress))

    def summary(self) -> str:
        """What happened, and the largest value for each unit."""
        from flexor.results.summary import summary

        return summary(self)

    def continue_until(self, until: Quantity, *, show: bool | None = None, **settings: object) -> Run:
        """Go on from the last checkpoint to a later time; the new rows join those before.

        The results file is replaced by the longer one; a run in memory stays in memory. Settings are those of
        the run unless given anew.
        """
        from flexor.results.analyses import resume  # loads the solvers

        return resume(self, until, settings, show)

    @property
    def state(self) -> dict[str, Any]:
        """The last saved state, the start of another analysis: model.modes(start=run)."""
        return self.checkpoint()[0]

    def at(self, time: Quantity) -> Moment:
        """The mechanism at a recorded time (`Moment`): its signals and stresses, and a state for other analyses.

        run.at("0.3 s")["pin.angle"];  run.at("0.3 s").stress("rod").max();  model.modes(start=run.at("0.3 s"))
        """
        from flexor.results.moment import Moment  # loads the solvers

        return Moment(self, time)

    def checkpoint(self) -> tuple[dict[str, Any], int, int]:
        """The last saved state, and how many rows and steps were recorded by then."""
        found = self._read(run_file.read_checkpoint) if self._memory is None else self._memory.checkpoint()
        if found is None:
            why, fix = "the run ended before one was saved", "run the model again from the start"
            raise FileError(Problem(repr(self), "has no checkpoint", why, fix))
        return found

    @property
    def packing(self) -> tuple[bool, int | None]:
        """Whether the signals are compressed, and to how many digits they were rounded, if they were."""
        return self._read(lambda file: getattr(file["signals"], "compression", None) is not None), self.meta.get(
            "digits"
        )

    def rows(self, first: int, count: int) -> np.ndarray:
        """(rows, 1 + signals) recorded rows from the first on, as far as they are there; columns are the time, then `names`."""
        return self._read(lambda file: np.asarray(file["signals"][first : first + count]))

    def steps(self, first: int = 0) -> np.ndarray:
        """(steps, 6) what `history` holds, as a table, from a step on, as far as it is there."""
        return run_file.whole_history(self._read(lambda file: np.asarray(file["history"][first:])))

    def blocks(self, table: str, rows: int | None = None) -> Iterator[np.ndarray]:
        """The rows of "signals" or "history" in blocks of a few megabytes: the first `rows`, or all."""
        length, width = self._read(lambda file: file[table].shape)
        rows = length if rows is None else rows
        size = max(_BLOCK // (8 * width), 1)
        for start in range(0, rows, size):
            some = slice(start, min(start + size, rows))
            yield self._read(lambda file, some=some: file[table][some])  # type: ignore[misc]

    def __repr__(self) -> str:
        name = self.file.name if self.file else "in memory"
        try:
            rows, signals = counted(len(self), "row"), counted(len(self.names), "signal")
            return f"run {name}: {self.status}, {rows} of {signals}"
        except FileError:
            return f"run {name}: cannot be read any more"

    def __str__(self) -> str:
        """What was recorded, by object."""
        lines = [repr(self)]
        time = self.time
        lines += [f"  time {time[0]:.6g} … {time[-1]:.6g} s"] if len(time) else []
        owners = by_owner(self.names)
        width = max(map(len, list(owners)[:MOST]), default=0)
        lines += [f"  {owner:{width}}  {listed(signals)}" for owner, signals in list(owners.items())[:MOST]]
        return "\n".join([*lines, *([f"  and {len(owners) - MOST} more objects"] if len(owners) > MOST else [])])

    def _read(self, look: Callable[[Any], T]) -> T:
        """What a function finds in the file as it is now; FileError if that is damaged."""
        if self._memory is not None:
            return look(self._memory)
        assert self.file is not None
        try:
            return run_file.read(self.file, look, self._verify)
        finally:
            if run_file.replaced(self.file, self._seal):
                why = "another run was written to it since, or a longer one"
                fix = "fx.Run(file) opens that one; give each run a file of its own"
                raise FileError(Problem(f"results file {self.file}", "is no longer that of this run", why, fix))

    def _parts(self, name: str) -> list[str]:
        """The columns of a signal: itself, or the components of a vector (xyz) or a quaternion (wxyz)."""
        if name in self._columns:
            return [name]
        parts = [f"{name}_{axis}" for axis in "wxyz" if f"{name}_{axis}" in self._columns]
        return parts if len(parts) >= 3 else []

    def _select(self, wanted: tuple[str, ...] | list[str]) -> list[str]:
        """Names for names and patterns, in the order asked for, each once."""
        chosen: dict[str, None] = {}
        for name in wanted if isinstance(wanted, list | tuple) else [wanted]:
            refuse_nameless(name)
            found = [name] if name in self else matching(self.names, name) if "*" in name or "?" in name else []
            found = found or ([each for each in self._marker_signals if fnmatchcase(each, name)])
            if not found:
                raise self._unknown(name)
            chosen.update(dict.fromkeys(found))
        return list(chosen)

    def _of_marker(self, name: str) -> Signal | None:
        """A signal that follows from those of a rigid body."""
        if name.rpartition(".")[2].partition("_")[0] not in _OF_MARKERS:
            return None
        try:
            found = marker_values(self.model, self, name)
        except FileError:
            raise
        except FlexorError:  # a model that cannot be read again, as one with a law of the user's
            return None
        return None if found is None else Signal(found[0], self.time, name, found[1])

    @cached_property
    def _marker_signals(self) -> list[str]:
        try:
            names = [name for name in marker_signals(self.model) if not self._parts(name)]
        except FlexorError:
            return []
        return [name for name in names if self._owner(name) in self._owners]

    @cached_property
    def _owners(self) -> set[str]:
        """Names of the objects that were recorded."""
        return {self._owner(name) for name in self.names}

    @cached_property
    def _items(self) -> set[str]:
        try:
            return {item.name for item in self.model.items}
        except FlexorError:  # a model that cannot be read again
            return set()

    def _owner(self, name: str) -> str:
        """The object that a signal belongs to."""
        return owner(name, self._items)

    def _unknown(self, name: str) -> UnknownSignal:
        """The error for a signal that is not there: one of an object that was not recorded, or a slip of the pen."""
        owner = self._owner(name)
        if "." in name and owner not in self._owners and owner in self._items:
            fix = f"run it with record=[…, '{owner}'], or without record for all"
            return UnknownSignal(Problem(f"signal '{name}'", "is not in this run", f"'{owner}' was not recorded", fix))
        return unknown(name, (*self.names, *self._marker_signals), "this run")


def _columns_of(data: Any, columns: list[int]) -> list[np.ndarray]:
    """Some columns of a table, which may be growing meanwhile; those that lie in one strip of HDF5's chunks are read together."""
    rows, width = data.shape
    strip = data.chunks[1] if data.chunks else width
    found = {column: np.empty(rows) for column in columns}
    for number in sorted({column // strip for column in found}):
        own = [column for column in found if column // strip == number]
        first, last = min(own), max(own) + 1
        size = max(_BLOCK // (8 * (last - first)), 1)
        for start in range(0, rows, size):
            block = data[start : min(start + size, rows), first:last]
            for column in own:
                found[column][start : start + len(block)] = block[:, column - first]
    return [found[column] for column in columns]


def _heading(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name
