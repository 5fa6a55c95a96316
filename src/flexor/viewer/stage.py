"""Scenes that a server shows: each is made when it is first asked for, and what goes wrong becomes a message."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from flexor.errors import FlexorError, Problem
from flexor.viewer.scene import Scene
from flexor.viewer.shown_file import FileState

Make = Callable[[], Scene]
Look = Callable[[], FileState | None]
MOST = 1 << 26
"""Numbers of rows at most in one answer."""


class Refused(Exception):
    """What the page is told: where, what, why, fix."""

    def __init__(self, problem: Problem, status: int = 422) -> None:
        super().__init__(str(problem))
        self.problem, self.status = problem, status


class Stage:
    """One scene, or two to be compared. names: of the scenes."""

    def __init__(self, makers: Sequence[Make], names: Sequence[str], marks: Sequence[Look] = ()) -> None:
        """marks: of the files that the scenes are made from, where they are (`flexor.viewer.shown_file`)."""
        self._makers, self.names, self._marks = list(makers), list(names), list(marks)
        self._made_from: dict[int, FileState | None] = {}
        self._scenes: dict[int, Scene] = {}
        self._told_of: set[int] = set()
        """Scenes whose header the page has got."""
        self.busy = False
        """Whether a scene is being made."""
        self._lock = threading.RLock()

    def scene(self, run: int = 0) -> Scene:
        """Refused if it cannot be made."""
        if not 0 <= run < len(self._makers):
            raise Refused(Problem("viewer", f"there is no run {run}", f"it shows {len(self._makers)}"), 404)
        with self._lock:
            if run not in self._scenes:
                self.busy = True
                self._made_from[run] = self._marks[run]() if self._marks else None
                try:
                    self._scenes[run] = self._told(self._makers[run], self.names[run])
                finally:
                    self.busy = False
            return self._scenes[run]

    def header(self, run: int = 0) -> dict[str, Any]:
        with self._lock:
            if run in self._told_of and (self.changed(run) or self.scene(run).header["status"] == "running"):
                self._scenes.pop(
                    run, None
                )  # the page loads anew: more rows are there by now, it has ended, or is another one
            found = self.scene(run).header
            self._told_of.add(run)
        return {**found, "runs": self.names} if len(self.names) > 1 and run == 0 else found

    def changed(self, run: int) -> bool:
        """Whether its file is no longer the one that the scene was made from."""
        before = self._made_from.get(run)
        if before is None or run not in self._scenes:
            return False
        now = self._marks[run]()
        return now is not None and now.is_other(before, self._scenes[run].header["status"] == "running")

    def _current(self, run: int) -> Scene:
        """The scene, refused where its file has changed since."""
        scene = self.scene(run)
        if self.changed(run):
            what, why = "has changed since this page was opened", "another run, or another version, was written to it"
            raise Refused(Problem(self.names[run], what, why, "reload the page"), 409)
        return scene

    def buffer(self, run: int, number: int) -> bytes:
        scene = self._current(run)
        with self._lock:
            if not 0 <= number < len(scene.buffers):
                raise Refused(Problem("viewer", f"there is no buffer {number}"), 404)
            return bytes(self._told(lambda: scene.buffers.data(number)))

    def frames(self, run: int, first: int, count: int) -> bytes:
        scene = self._current(run)
        width = max(int(scene.header["frames"]["width"]), 1)
        if first < 0 or count < 0:
            raise Refused(Problem("viewer", "rows are counted from 0"), 400)
        with self._lock:
            rows = self._told(lambda: scene.frames(first, min(count, MOST // width)))
        return np.ascontiguousarray(rows, dtype="<f4").tobytes()

    def signal(self, run: int, name: str) -> bytes:
        scene = self._current(run)
        with self._lock:
            values = self._told(lambda: scene.signal(name))
        return np.ascontiguousarray(values, dtype="<f8").tobytes()

    def _told(self, make: Callable[[], Any], name: str = "viewer") -> Any:
        """What a function gives; what it raises as a message for the page. name: of what it makes."""
        try:
            return make()
        except Refused:
            raise
        except FlexorError as error:
            problem = error.problems[0] if error.problems else Problem("", str(error))
            raise Refused(problem, 404 if isinstance(error, KeyError) else 422) from None
        except MemoryError:
            raise Refused(Problem(name, "there is not enough memory to show this")) from None
        except Exception as error:  # a damaged file has many ways to fail; none of them is a traceback for the reader
            why = f"{type(error).__name__}: {error}"[:500]
            raise Refused(Problem(name, "this cannot be shown", why, "the file may be damaged")) from None
