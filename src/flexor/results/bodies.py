"""Flexible bodies in results: their deformation and stress over time, from the recorded signals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.mistakes import suggestion
from flexor.recover import BodyHistory, GaugeReading, StrainGauge, StressHistory, history_of, mesh_history_of


def body_history(model: Any, signals: Any, name: str) -> BodyHistory:
    """What recovery needs of a flexible body: its frame and coordinates at all recorded times.

    In every formulation: a rigid one has neither displacement nor stress, a whole mesh the strain of each element.
    signals: a Run, or values by name, "time" among them.
    """
    body = _flexible(model, name)
    if body.formulation == "full_mesh":
        return mesh_history_of(body.realisation, signals)
    modes = getattr(body.realisation, "modes", None)
    return history_of(body.reduced, signals, name, body.formulation, modes)


def stress_history(model: Any, signals: Any, name: str, measure: str, options: dict) -> StressHistory:
    return StressHistory(body_history(model, signals, name), measure, **options)


def gauge_reading(model: Any, signals: Any, gauge: StrainGauge) -> GaugeReading:
    return gauge.read(body_history(model, signals, gauge.body))


def one_row(signals: Mapping[str, float]) -> dict[str, np.ndarray]:
    """Signals of one position as a history of one row."""
    return {"time": np.zeros(1), **{name: np.array([value]) for name, value in signals.items()}}


def _flexible(model: Any, name: str) -> Any:
    known = [item.name for item in model.items if getattr(item, "reduced", None) is not None]
    if name not in known:
        what = "it does not deform" if name in model else "there is no such body"
        fix = suggestion(name, known, "flexible bodies are") or "the model has no flexible body"
        raise ModelError(Problem(f"body '{name}'", what, "", fix))
    return model[name]
