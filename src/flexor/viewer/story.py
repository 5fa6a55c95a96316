"""How a run went, or goes: its solver's steps, energies and warnings, added up as rows and steps come."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from flexor.errors import FileError, FlexorError, Problem
from flexor.model import Model
from flexor.results.run import UNFINISHED, Run
from flexor.results.run_file import HISTORY
from flexor.results.summary import DRIFT, EnergyBalance, energy_drift, peaks
from flexor.shown import counted

STATUS = {"finished": "finished", "interrupted": "stopped", "failed": "failed"}
KILLED = "the program that computed it was killed: these are the rows that it had written by then"
GOING = ("running", "paused")
"""What a run is called that has not ended."""
BATCH = 4096
"""Rows that are looked at together."""
COLUMN = {name: i for i, name in enumerate(HISTORY)}

Warned = dict[str, Any]
"""text, time [s] or None"""


def status_of(run: Run) -> str:
    """How the page calls it: finished, stopped, failed, running, killed."""
    growing = run.is_growing  # looked at first: a run that ends meanwhile was not killed
    status = run.status
    return STATUS.get(status, status) if status != UNFINISHED else "running" if growing else "killed"


class Story:
    """What the page tells of a run; of one that goes on, each look reads only what is new.

    noted: warnings that its solver gave by now, where this program computes it.
    """

    def __init__(self, run: Run, model: Model | None, noted: Callable[[], Sequence[Warned]] = tuple) -> None:
        self._run, self._model, self._noted = run, model, noted
        self._lock = threading.Lock()
        self._rows = self._steps = 0
        self._start = self._end = 0.0
        self._sums = np.zeros(len(HISTORY))
        self._last = np.zeros(len(HISTORY))
        self._smallest, self._largest = np.inf, 0.0
        self._cutbacks: list[float] = []
        self._balance = EnergyBalance()
        self._energies = [1 + i for i, name in enumerate(run.names) if name in EnergyBalance.SIGNALS]

    def told(self, status: str) -> dict[str, Any]:
        """summary, warnings, cutbacks, as the header has them."""
        with self._lock:
            self._look(status in GOING)
            drift = self._drift(status)
            return {
                "summary": self._summary(status, drift),
                "warnings": self._warnings(status, drift),
                "cutbacks": list(self._cutbacks),
            }

    # ---- looking

    def _look(self, growing: bool) -> None:
        run = self._run
        steps = run.steps(self._steps)
        if len(steps):
            self._steps += len(steps)
            self._sums += steps.sum(axis=0)
            self._last = steps[-1]
            sizes = steps[:, COLUMN["step_size"]]
            self._smallest, self._largest = min(self._smallest, sizes.min()), max(self._largest, sizes.max())
            self._cutbacks += steps[steps[:, COLUMN["cut_backs"]] > 0, COLUMN["time"]].tolist()
        if not growing:  # its energies are read as columns
            self._rows = len(run)
            if self._rows:
                self._start, self._end = (float(run.rows(row, 1)[0, 0]) for row in (0, self._rows - 1))
            return
        while len(rows := run.rows(self._rows, BATCH)):
            if not self._rows:
                self._start = float(rows[0, 0])
            self._rows += len(rows)
            self._end = float(rows[-1, 0])
            if self._energies:
                names = [run.names[column - 1] for column in self._energies]
                self._balance.add(dict(zip(names, rows[:, self._energies].T, strict=True)))
            if len(rows) < BATCH:
                return

    def _drift(self, status: str) -> tuple[float, float] | None:
        if not self._rows:
            return None
        return self._balance.drift if status in GOING else energy_drift(self._run)

    # ---- telling

    def _summary(self, status: str, drift: tuple[float, float] | None) -> list[list[str]]:
        run = self._run
        found = [["file", run.file.name if run.file else "in memory"], ["status", status]]
        if not self._rows:
            return found
        going = status in GOING
        found.append(["time", f"{self._start:.6g} … {self._end:.6g} s, {counted(self._rows, 'row')}"])
        if self._steps:
            size, iterations = self._last[COLUMN["step_size"]], self._last[COLUMN["iterations"]]
            least, most = f"{self._smallest:.3g}", f"{self._largest:.3g}"
            now = f", the last of {size:.3g} s" if going and least != most else ""
            found.append(["steps", f"{self._steps} of {least if least == most else f'{least} … {most}'} s{now}"])
            now = f", {iterations:.0f} in the last" if going else ""
            found.append(["iterations", f"{self._sum('iterations') / self._steps:.2f} a step{now}"])
            found.append(["refactorisations", f"{self._sum('refactorisations'):.0f}"])
            found.append(["cut-backs", f"{self._sum('cut_backs'):.0f}"])
            if changes := int(self._sum("transitions")):
                found.append(["transitions", str(changes)])
        seconds = run.seconds
        found.append(["wall time", f"{seconds:.3g} s"])
        if going and seconds > 0:
            found.append(["speed", f"{(self._end - self._start) / seconds:.3g} s of motion per second"])
        settings = run.meta.get("settings", {})
        integrator = settings.get("integrator") if isinstance(settings, dict) else None
        if isinstance(integrator, dict):
            told = ", ".join(f"{key} {value}" for key, value in integrator.items() if key != "type")
            found.append(["integrator", f"{integrator.get('type', '')} {told}".strip()])
        if drift is not None:
            found.append(["energy check-sum", f"drifts by {drift[0]:.3g} J, {drift[1]:.2g} of the largest energy"])
        for name, value, unit, when in () if going else peaks(run):
            found.append([f"largest {name}", f"{value:.4g} {unit} at {when:.4g} s"])
        found.append(["versions", ", ".join(f"{name} {text}" for name, text in run.versions.items())])
        return found

    def _warnings(self, status: str, drift: tuple[float, float] | None) -> list[Warned]:
        """What the check of the model says, what ended the run, a drift of its energies, constraints left out."""
        run, there = self._run, self._rows > 0
        found: list[Warned] = []
        if status == "killed":
            found.append({"text": KILLED, "time": self._end if there else None})
        if run.message:
            found.append({"text": run.message, "time": self._end if there and status == "failed" else None})
        redundant = run.meta.get("redundant") or []
        if redundant:
            found.append({"text": f"redundant constraints left out: {', '.join(map(str, redundant))}", "time": None})
        for doubt in self._doubts:
            if doubt.since < self._end or not there:
                found.append({"text": str(doubt), "time": float(doubt.since) if doubt.since > 0 else None})
        if drift is not None and drift[1] > DRIFT:
            text = f"the energy check-sum drifts by {100 * drift[1]:.2g} % of the largest energy"
            found.append({"text": text, "time": None})
        known = {each["text"] for each in found}
        return [*found, *(each for each in self._noted() if each["text"] not in known)]

    def _sum(self, name: str) -> float:
        return float(self._sums[COLUMN[name]])

    @cached_property
    def _doubts(self) -> Sequence[Problem]:
        if self._model is None:
            return ()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return tuple(self._model.check(raise_errors=False).warnings)


def model_of(run: Run) -> tuple[Model | None, str]:
    """The model of a run; or None, and why it cannot be read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return run.model, ""
    except FlexorError as error:
        return None, str(error)


def state_of(run: Run) -> dict[str, Any]:
    """How far a run in a file is, by what is written so far."""
    until = run.meta.get("settings", {}).get("until")
    try:
        status = status_of(run)  # looked at first: what has ended has all its rows, what goes on may have more by now
        rows = len(run)
        time_ = float(run.rows(rows - 1, 1)[0, 0]) if rows else 0.0
    except FileError:
        return {"rows": 0, "time": 0.0, "until": until, "status": "running"}
    return {"rows": rows, "time": time_, "until": until, "status": status}
