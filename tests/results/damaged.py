"""All that a reader does with a results file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from flexor.results import Run


def read(path: Path) -> float:
    """Everything that a run file holds, in one number."""
    return _read(Run(path))


def read_unverified(path: Path) -> float:
    """The same without looking at the seal."""
    return _read(Run(path, verify=False))


def _read(run: Run) -> float:
    total = sum(float(np.nansum(block)) for block in run.blocks("signals"))
    total += sum(float(np.nansum(values)) for values in run.history.values())
    total += sum(float(np.sum(run[name].values)) for name in run.names[:3])
    state, rows, steps = run.checkpoint()
    return total + rows + steps + len(state) + len(f"{run.status}{run.message}{run.settings}{run.meta}{run.model_text}")
