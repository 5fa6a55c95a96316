"""A position of equilibrium: its signals, and what happens in its flexible bodies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from flexor.errors import FlexorError
from flexor.model import Model
from flexor.recover import BodyHistory, GaugeReading, LineForces, SectionForces, StrainGauge, StressHistory, export_vtu
from flexor.recover.export import VtuOptions
from flexor.recover.stress import StressOptions
from flexor.results.between import RelativeMotion
from flexor.results.bodies import body_history, forces_in_sections, one_row, refuse_no_gauge
from flexor.results.marker_motion import Attached, marker_signals, marker_values, motion_of
from flexor.results.names import Named, matching, refuse_nameless, unknown, value_table
from flexor.solve.statics import Equilibrium

if TYPE_CHECKING:
    from flexor.results.pressure_map import PressureMap
    from flexor.results.side_pressure import SidePressure


class Position(Named):
    """An equilibrium with the model that it belongs to."""

    def __init__(self, model: Model, found: Equilibrium) -> None:
        self.model = model
        self._found = found
        self.told: set[str] = set()
        """Bodies about whose stress a warning was given."""

    @property
    def signals(self) -> dict[str, float]:
        """All values by name, vectors component by component."""
        return self._found.signals

    @property
    def units(self) -> dict[str, str]:
        """Their units."""
        return self._found.units

    @property
    def iterations(self) -> int:
        """How many it took to find it."""
        return self._found.iterations

    @property
    def state(self) -> dict[str, Any]:
        """Position, velocity, reactions and the turns that joints have made, for `start` of another analysis."""
        return self._found.state

    def __repr__(self) -> str:
        return f"equilibrium of '{self.model.name}': {len(self.names)} signals, {self.iterations} iterations"

    def __str__(self) -> str:
        """The values of everything that is not zero, vectors in a row."""
        return "\n".join([repr(self), *value_table({name: self.signals[name] for name in self.names}, self.units)])

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all signals."""
        return tuple(name for name in self.signals if name != "time")

    def __getitem__(self, name: str) -> float | np.ndarray:
        """A value by its name, as of a run: a number, or "crank.position" as a vector; also of markers, "crank.tip.position"."""
        refuse_nameless(name)
        try:
            return self._found[name]
        except FlexorError:
            pass
        found = marker_values(self.model, one_row(self.signals), name)
        if found is None:
            raise unknown(name, (*self.names, *marker_signals(self.model)), "this position")
        values = found[0][0]
        return values if np.ndim(values) else float(values)

    def find(self, pattern: str = "*") -> list[str]:
        """Names that contain a word, or match a pattern (see `Run.find`)."""
        derived = [name for name in marker_signals(self.model) if f"{name}_x" not in self.signals]
        return matching((*self.names, *derived), pattern)

    def between(self, first: Attached, second: Attached) -> RelativeMotion:
        """Distance and relative place of two markers, in the axes of the first (see `Run.between`)."""
        signals = one_row(self.signals)
        a, b = (motion_of(self.model, signals, marker) for marker in (first, second))
        return RelativeMotion((str(first), str(second)), a, b, single=True)

    def nodal(self, body: str) -> np.ndarray:
        """(n_nodes, 6) displacement [m] and rotation [rad] of the nodes of a flexible body, against its frame."""
        return self.body(body).deformed(0)

    def body(self, name: str) -> BodyHistory:
        """A flexible body in this position, as a history of one row."""
        return body_history(self.model, one_row(self.signals), name, self.told)

    def stress(self, name: str, measure: str = "von_mises", **options: Unpack[StressOptions]) -> StressHistory:
        """Stress in a flexible body: position.stress("rod").max()"""
        return StressHistory(self.body(name), measure, **options)

    def gauge(self, gauge: StrainGauge) -> GaugeReading:
        """What a virtual strain gauge reads in this position."""
        refuse_no_gauge(gauge)
        return gauge.read(self.body(gauge.body))

    def section_forces(self, name: str) -> LineForces | SectionForces:
        """N, Qy, Qz, T, My, Mz in a beam, or in the beam elements of a flexible body."""
        return forces_in_sections(self.model, one_row(self.signals), name, self.told)

    def pressure_map(
        self, name: str, surface: str | None = None, grid: tuple[int, int] = (200, 100), coupled: bool = False
    ) -> PressureMap | SidePressure:
        """Pressure over a surface of a contact (see `Run.pressure_map`)."""
        from flexor.results.pressure_map import pressure_map  # loads contacts

        return pressure_map(self.model, one_row(self.signals), name, surface, 0.0, grid, coupled)

    def vtu(self, name: str, folder: str | Path, **options: Unpack[VtuOptions]) -> Path:
        """Write a flexible body in this position for ParaView (see `fx.export_vtu`)."""
        return export_vtu(self.body(name), folder, **options)
