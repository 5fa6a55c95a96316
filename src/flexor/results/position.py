"""A position of equilibrium: its signals, and what happens in its flexible bodies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flexor.recover import BodyHistory, GaugeReading, LineForces, SectionForces, StrainGauge, StressHistory, export_vtu
from flexor.results.bodies import body_history, forces_in_sections, one_row
from flexor.solve.statics import Equilibrium


class Position(Equilibrium):
    """An equilibrium with the model that it belongs to."""

    model: Any
    told: set[str]
    """Bodies about whose stress a warning was given."""

    def __init__(self, model: Any, found: Equilibrium) -> None:
        super().__init__(found.signals, found.units, found.state, found.iterations)
        vars(self).update(model=model, told=set())

    def body(self, name: str) -> BodyHistory:
        """A flexible body in this position, as a history of one row."""
        return body_history(self.model, one_row(self.signals), name, self.told)

    def stress(self, name: str, measure: str = "von_mises", **options: Any) -> StressHistory:
        """Stress in a flexible body: position.stress("rod").max()"""
        return StressHistory(self.body(name), measure, **options)

    def gauge(self, gauge: StrainGauge) -> GaugeReading:
        """What a virtual strain gauge reads in this position."""
        return gauge.read(self.body(gauge.body))

    def section_forces(self, name: str) -> LineForces | SectionForces:
        """N, Qy, Qz, T, My, Mz in a beam, or in the beam elements of a flexible body."""
        return forces_in_sections(self.model, one_row(self.signals), name, self.told)

    def vtu(self, name: str, folder: str | Path, **options: Any) -> Path:
        """Write a flexible body in this position for ParaView (see `fx.export_vtu`)."""
        return export_vtu(self.body(name), folder, **options)
