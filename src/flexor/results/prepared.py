"""A prepared model: checked, lowered and compiled once, run many times with other numbers."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

from flexor.errors import ModelError, Problem
from flexor.model import Model
from flexor.results.kept_run import record
from flexor.results.run import Run
from flexor.results.writer import RunWriter
from flexor.solve.repeated import RepeatedRuns
from flexor.solve.settings import DynamicsSettings
from flexor.solve.state import HasState, state_of
from flexor.units import Quantity


class Prepared:
    """What `model.prepare(until, step, …)` gives. Its runs are those of `model.dynamics` with the same settings, number for number.

    prepared = model.prepare(until="1 s", step="1 ms")
    for stiffness in (10e3, 20e3, 40e3):
        run = prepared.run({"spring.stiffness": stiffness})

    All runs use one memory: those that several threads ask for follow each other. For runs side by side prepare the model in each thread.
    """

    def __init__(
        self, model: Model, until: Quantity, step: Quantity | None, show: bool | None, settings: dict[str, Any]
    ) -> None:
        python = bool(settings.pop("python", False))
        start = settings.get("start", "consistent")
        self._start: Any = start if isinstance(start, str) else state_of(settings.pop("start"))
        self._asked = {"until": until, "step": step, **settings}
        self._runs = RepeatedRuns(model, DynamicsSettings(**self._asked), python)
        self._show = show
        self._last: tuple[dict[str, object], Model] = ({}, model)
        self._turn = Lock()
        """Held by the run that has the memory."""

    @property
    def model(self) -> Model:
        """The model that was prepared."""
        return self._runs.model

    @property
    def settings(self) -> DynamicsSettings:
        """Settings of all runs."""
        return self._runs.chosen

    def __repr__(self) -> str:
        chosen = self.settings
        return f"prepared model '{self.model.name}': runs until {chosen.until:g} s"

    def run(
        self,
        values: Mapping[str, object] | None = None,
        *,
        start: HasState | None = None,
        file: str | Path | None = None,
        overwrite: bool = True,
        compress: bool = False,
    ) -> Run:
        """The motion with other values of fields, by dotted names as in `model.with_values`; without any that of the model itself.

        values: what springs, loads, motors and controllers do, mass and inertia of rigid bodies and point masses, scales and damping
            of flexible bodies, gravity, and initial values: position, orientation,
            velocity, angular_velocity of bodies, start and start_rate of joints. Each is validated; of the model as a whole only initial values
            are checked again. ModelError names what would make other equations, as points, axes and meshes.
        start: the result of another analysis, whose position, velocity and time are taken.   file, overwrite, compress: as of `model.dynamics`.
        """
        begin = self._start if start is None else state_of(start)
        with self._turn:
            model = self._with(_named(values))
            writer = RunWriter(model, self._asked, file=file, overwrite=overwrite, compress=compress)
            return record(partial(self._runs.run, model, start=begin), model.name, writer, self._show)

    def _with(self, asked: dict[str, object]) -> Model:
        """The model with these values; the one of the last run if they are the same."""
        if not asked:
            return self.model
        if not _same(asked, self._last[0]):
            self._last = (deepcopy(asked), self.model.with_values(asked))  # the caller may change lists in place
        return self._last[1]


def _same(asked: dict[str, object], last: dict[str, object]) -> bool:
    """Whether the values are those of the last run; arrays are taken for others."""
    try:
        return asked == last
    except ValueError:
        return False


def _named(values: object) -> dict[str, object]:
    """Values by name; ModelError where they are something else."""
    if values is None:
        return {}
    if not isinstance(values, Mapping) or not all(isinstance(name, str) for name in values):
        fix = 'write e.g. prepared.run({"spring.stiffness": "30 kN/m"})'
        raise ModelError(Problem("run", f"values = {values!r:.80}", "they are given by the names of fields", fix))
    return dict(values)
