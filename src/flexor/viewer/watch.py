"""Watching a run while it computes: the page reads the growing results file; the solver looks for wishes between its steps."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from flexor.errors import FlexorError
from flexor.results.disk import target
from flexor.results.run import Run
from flexor.units import Quantity, si
from flexor.viewer.live import Live, Wishes, state_of
from flexor.viewer.of_run import scene_of_run
from flexor.viewer.scene import Scene
from flexor.viewer.server import View
from flexor.viewer.stage import Stage


class Watch:
    """A server that shows the results file of a run to come; used in a with block. `follow` computes, `stay` serves on."""

    def __init__(self, file: Path, until: Quantity, port: int = 0) -> None:
        self._file, self._until = target(file), float(si(until, "time"))
        self._wishes = Wishes()
        self._begun = threading.Event()
        self._failed: FlexorError | None = None
        self._run: Run | None = None
        live = Live(self._state, self._wishes)
        self.view = View(Stage([self._scene], [self._file.name]), port, live)

    def __enter__(self) -> Watch:
        self.view.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._begun.set()
        self.view.close()

    def follow(self, compute: Callable[..., Run]) -> Run:
        """compute(stop=…), watched; the error of a run that fails is told on the page as well, and raised."""
        try:
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
        return scene_of_run(self._opened())

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
