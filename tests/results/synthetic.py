"""A run with known signals: a solver that knows the answer, and the model it pretends to solve."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from flexor.results import RunWriter, analyses

COLUMNS = [
    ("time", "s"),
    ("main.angle", "rad"),
    ("main.angle_rate", "rad/s"),
    ("drive.torque", "N m"),
    *[(f"pin.force_{axis}", "N") for axis in "xyz"],
    *[(f"rod.orientation_{axis}", "") for axis in "wxyz"],
    *[(f"energy.{name}", "J") for name in ("kinetic", "potential", "strain", "dissipated", "input", "check_sum")],
]
OMEGA = 10.0


def model(text: str) -> Any:
    """What stands for a model: it knows its text."""
    made = SimpleNamespace(name="slider-crank", items=(), to_text=lambda: text)
    made.with_files = lambda change: made
    return made


MODEL = model("name: slider-crank   # Kurbeltrieb, φ = ω t\n")


def rows_at(t: np.ndarray) -> np.ndarray:
    """φ = ω t, torque sin ωt, a force of 5 N that turns, a check-sum that drifts by 1e-6 J/s."""
    zero, angle = 0 * t, OMEGA * t
    force = [3 * np.cos(angle), 3 * np.sin(angle), 4 + zero]
    orientation = [np.cos(angle / 2), zero, zero, np.sin(angle / 2)]
    energies = [2 + np.sin(angle), 1 - np.sin(angle), zero, zero, zero, 3 + 1e-6 * t]
    return np.column_stack([t, angle, OMEGA + zero, np.sin(angle), *force, *orientation, *energies])


def dynamics(
    model: Any,
    until: float,
    step: float | None = None,
    *,
    sink: Any,
    progress: Any,
    restart: dict[str, Any] | None = None,
    chunk: int = 20,
    at_chunk: Any = lambda number: None,
    **settings: Any,
) -> None:
    """Hands chunks of rows to the sink as a solver does; `at_chunk(number)` may disturb it before each."""
    step = step or 1e-3
    first = restart["step"] if restart else 0
    last = round(until / step)
    sink.open(COLUMNS, {"solver": "synthetic"})
    for number, start in enumerate(range(first, last + 1, chunk)):
        at_chunk(number)
        steps = np.arange(start, min(start + chunk, last + 1))
        t = step * steps
        sink.rows(rows_at(t))
        sink.history(np.column_stack([t, step + 0 * t, 2 + 0 * t, 1 + 0 * t, 0 * t]))
        sink.checkpoint({"step": int(steps[-1]), "q": np.array([OMEGA * t[-1]]), "h": step})
        progress(float(t[-1]), int(steps[-1]), 2, float(t[-1] / until))
    sink.close("finished", "")


def install(monkeypatch: Any, **solvers: Any) -> None:
    """Put these functions in the place of `flexor.solve`."""
    monkeypatch.setattr(analyses, "solve", SimpleNamespace(**solvers))


def write(path: Any, text: str = "name: older") -> bytes:
    """A short finished run in a file; its bytes."""
    sink = RunWriter(model(text), {}, file=path)
    sink.open(COLUMNS, {})
    sink.rows(rows_at(1e-3 * np.arange(10)))
    sink.checkpoint({"step": 9})
    sink.close("finished")
    return bytes(path.read_bytes())
