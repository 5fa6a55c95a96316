"""How the solver went, as signals beside those of the mechanism: at each recorded row, of the steps since the row before."""

from __future__ import annotations

import numpy as np

from flexor.results.run import Run
from flexor.viewer.scene import Scene

OWNER = "solver"
SIGNALS = {"step_size": "s", "iterations": "", "cut_backs": ""}
"""step_size and iterations: mean of the steps; where rows are closer than steps, of the step that holds the row.
cut_backs: how many."""


def with_solver_signals(scene: Scene, run: Run) -> Scene:
    """The scene with the signals of its solver, if its steps were noted."""
    if not len(run.steps()) and scene.header["status"] != "running":
        return scene
    own = [
        {"name": f"{OWNER}.{name}", "unit": unit, "quantity": name, "owner": OWNER} for name, unit in SIGNALS.items()
    ]
    taken = {each["owner"] for each in scene.header["signals"]}
    if OWNER in taken:  # an object of the model has this name
        return scene
    header = {**scene.header, "signals": [*scene.header["signals"], *own]}

    def signal(name: str) -> np.ndarray:
        owner, _, quantity = name.rpartition(".")
        return at_rows(run, quantity) if owner == OWNER and quantity in SIGNALS else scene.signal(name)

    return Scene(header, scene.buffers, scene.frames, signal)


def at_rows(run: Run, quantity: str) -> np.ndarray:
    """(T,) values of one of SIGNALS."""
    time, history = np.asarray(run["time"]), run.history
    values, ends = history[quantity], history["time"]
    if not len(time) or not len(ends):
        return np.zeros(len(time))
    slack = 1e-9 * max(abs(float(time[-1])), float(np.ptp(time)))  # times of rows and steps are added up apart
    first = np.searchsorted(ends, time[:-1] + slack, side="right")  # steps after the row before
    last = np.searchsorted(ends, time[1:] + slack, side="right")
    sums = np.concatenate([[0.0], np.cumsum(values)])
    count = last - first
    total = sums[last] - sums[first]
    if quantity == "cut_backs":
        return np.concatenate([[0.0], total])
    inside = values[np.minimum(first, len(values) - 1)]
    own = np.where(count > 0, total / np.maximum(count, 1), inside)
    return np.concatenate([own[:1] if len(own) else values[:1], own])
