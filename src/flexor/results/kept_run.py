"""Running a solver with its results kept, whatever happens: success, failure, Ctrl-C or a full disk."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress

from flexor.errors import FileError, FlexorError
from flexor.results.interruption import Interruption
from flexor.results.progress import Progress
from flexor.results.run import Run
from flexor.results.writer import RunWriter


def record(
    solver: Callable[..., object],
    title: str,
    writer: RunWriter,
    show: bool | None,
    stop: Callable[[], bool] | None = None,
) -> Run:
    """Call solver(sink=…, progress=…) with the writer as its sink, and close the file properly.

    show: None for a progress bar on a terminal and lines elsewhere, False for none.
    stop: asked between chunks of steps whether to end the run here, as Ctrl-C does; it may take its time.
    """
    with Interruption() as interruption, Progress(title, show) as bar:

        def tell(time: float, step: int, iterations: int, fraction: float) -> None:
            bar(time, step, iterations, fraction)
            interruption.pause()
            if stop is not None and stop():
                raise KeyboardInterrupt

        try:
            solver(sink=writer, progress=tell)
            writer.close("finished")
        except KeyboardInterrupt:
            if not writer.opened:
                raise
            writer.close("interrupted", "stopped by Ctrl-C")
        except BaseException as error:
            _close_failed(writer, error)
            raise
    run = writer.run()
    if run.status == "interrupted":
        at = f" at t = {run.time[-1]:.6g} s" if len(run) else ""
        kept = f"; results so far: {run.file}" if run.file else "; the rows so far are kept"
        print(f"{title}: stopped{at}{kept}", file=sys.stderr)
    return run


def _close_failed(writer: RunWriter, error: BaseException) -> None:
    """Note in the file why the run failed, and in the error where the results so far are."""
    with suppress(FileError):  # the error at hand tells more
        writer.close("failed", str(error) or type(error).__name__)
    if writer.opened and isinstance(error, FlexorError):
        error.result = writer.path  # type: ignore[attr-defined]
        error.run = writer.run()  # type: ignore[attr-defined]
