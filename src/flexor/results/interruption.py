"""Ctrl-C during a run: the first asks it to stop at the next safe point, the second stops at once."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType


class Interruption:
    """Used in a with block; `pause()` is a safe point and raises KeyboardInterrupt if the user asked to stop.

    Results are written only between safe points, so an interrupted run leaves whole rows.
    """

    def __init__(self) -> None:
        self.asked = False
        self._before: Callable[[int, FrameType | None], object] | int | None = None
        self._active = False

    def __enter__(self) -> Interruption:
        here = threading.current_thread() is threading.main_thread()
        if here and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self._ask)
            self._active = True
        return self

    def __exit__(self, *_: object) -> None:
        self._restore()

    def pause(self) -> None:
        if self.asked:
            raise KeyboardInterrupt

    def _ask(self, number: int, frame: object) -> None:
        self.asked = True
        self._restore()
        print("\nstopping at the next step; press Ctrl-C again to stop at once", file=sys.stderr, flush=True)

    def _restore(self) -> None:
        if self._active:
            self._active = False
            signal.signal(signal.SIGINT, self._before)
