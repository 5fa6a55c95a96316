"""How far a run is: a progress bar on a terminal, else a line every few seconds; always on stderr."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import rich.progress

LINE_INTERVAL = 5.0
"""Seconds between lines where there is no terminal; a run shorter than this prints none."""


class Progress:
    """Called by a solver as progress(time, step, iterations, fraction); used in a with block.

    show: None for a bar on a terminal and lines elsewhere, False for nothing.
    """

    def __init__(self, title: str, show: bool | None = None) -> None:
        self.title = title
        self._printed = time.monotonic()
        self._first: tuple[float, float] | None = None  # clock and fraction at the first call
        self._silent = show is False
        self._bar: rich.progress.Progress | None = None
        self._task: rich.progress.TaskID | None = None

    def __enter__(self) -> Progress:
        if not self._silent and sys.stderr.isatty():
            self._bar = _bar()
            self._bar.start()
            self._task = self._bar.add_task(self.title, total=1.0, said="preparing")
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, time: float, step: int, iterations: int, fraction: float) -> None:
        """time: reached [s].   step, iterations: how many so far.   fraction: done, 0 … 1."""
        said = f"t = {time:.4g} s · step {step} · {iterations / max(step, 1):.1f} iterations a step"
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=fraction, said=said)
        elif not self._silent:
            self._line(said, fraction)

    def _line(self, said: str, fraction: float) -> None:
        now = time.monotonic()
        self._first = self._first or (now, fraction)
        begin, done = self._first
        if now - self._printed >= LINE_INTERVAL:
            self._printed = now
            left = f" · {(now - begin) * (1 - fraction) / (fraction - done):.0f} s left" if fraction > done else ""
            print(f"{self.title}: {said} · {100 * fraction:.0f} %{left}", file=sys.stderr, flush=True)


def _bar() -> rich.progress.Progress:
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as RichProgress

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=28),
        TaskProgressColumn(),
        TextColumn("{task.fields[said]}"),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    return RichProgress(*columns, console=Console(stderr=True), refresh_per_second=8)
