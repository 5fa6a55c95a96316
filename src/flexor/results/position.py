"""A position of equilibrium: its signals, and the stress in its flexible bodies."""

from __future__ import annotations

from typing import Any

from flexor.recover import BodyHistory, StressHistory
from flexor.results.bodies import body_history, one_row, stress_history
from flexor.solve.statics import Equilibrium


class Position(Equilibrium):
    """An equilibrium with the model that it belongs to."""

    def __init__(self, model: Any, found: Equilibrium) -> None:
        super().__init__(found.signals, found.units, found.state, found.iterations)
        object.__setattr__(self, "model", model)

    def body(self, name: str) -> BodyHistory:
        """A flexible body in this position, as a history of one row."""
        return body_history(self.model, one_row(self.signals), name)  # type: ignore[attr-defined]

    def stress(self, name: str, measure: str = "von_mises", **options: Any) -> StressHistory:
        """Stress in a flexible body: position.stress("rod").max()"""
        return stress_history(self.model, one_row(self.signals), name, measure, options)  # type: ignore[attr-defined]
