"""Watching a run while it computes: the page reads the growing results file; the solver looks for wishes between its steps."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from flexor.errors import FlexorError
from flexor.results.disk import target
from flexor.results.run import Run
from flexor.units import Quantity, si
from flexor.viewer.live import Live, Wishes
from flexor.viewer.of_run import scene_of_run
from flexor.viewer.scene import Scene
from flexor.viewer.server import View
from flexor.viewer.stage import Stage
from flexor.viewer.story import Story, Warned, model_of, state_of


class Watch:
    """A server that shows the results file of a run to come; used in a with block. `follow` computes, `stay` serves on."""

    def __init__(self, file: Path, until: Quantity, port: int = 0) -> None:
        self._file, self._until = target(file), float(si(until, "time"))
        self._wishes = Wishes()
        self._begun = threading.Event()
        self._failed: FlexorError | None = None
        self._run: Run | None = None
        self._story: Story | None = None
        self._warned: list[Warned] = []
        """Warnings that the solver gave."""
        live = Live(self._state, self._wishes, self._told)
        self.view = View(Stage([self._scene], [self._file.name]), port, live)

    def __enter__(self) -> Watch:
        self.view.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._begun.set()
        self.view.close()

    def follow(self, compute: Callable[..., Run]) -> Run:
        """compute(stop=…), watched; warnings, and the error of a run that fails, are told on the page as well."""
        try:
            with self._heard():
                return compute(stop=self._between)
        except FlexorError as error:
            self._failed = error
            raise
        finally:
            self._begun.set()

    def stay(self) -> None:
        """Serve until Ctrl-C."""
        with suppress(KeyboardInterrupt):
            self.view.wait()

    def _between(self) -> bool:
        self._begun.set()
        return self._wishes.wait()

    def _scene(self) -> Scene:
        self._begun.wait()
        return scene_of_run(self._opened(), self._followed())

    @contextmanager
    def _heard(self) -> Iterator[None]:
        """Warnings are noted for the page, with the last recorded time, and shown as before."""
        shown = warnings.showwarning

        def show(message: Warning | str, *where: Any, **more: Any) -> None:
            state = self._state()
            self._warned.append({"text": str(message), "time": state["time"] if state["rows"] else None})
            shown(message, *where, **more)

        warnings.showwarning = show
        try:
            yield
        finally:
            warnings.showwarning = shown

    def _followed(self) -> Story:
        if self._story is None:
            run = self._opened()
            self._story = Story(run, model_of(run)[0], lambda: tuple(self._warned))
        return self._story

    def _told(self, status: str) -> dict[str, Any]:
        if self._begun.is_set():
            return self._followed().told(status)
        return {"summary": [["status", "preparing"]], "warnings": list(self._warned), "cutbacks": []}

    def _opened(self) -> Run:
        if self._run is None:
            if self._failed is not None and not self._file.is_file():
                raise self._failed
            self._run = Run(self._file)
        return self._run

    def _state(self) -> dict[str, Any]:
        if not self._begun.is_set():
            return {"rows": 0, "time": 0.0, "until": self._until, "status": "running"}
        try:
            return {**state_of(self._opened()), "until": self._until}
        except FlexorError:
            return {"rows": 0, "time": 0.0, "until": self._until, "status": "failed"}
