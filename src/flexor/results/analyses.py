"""What a user asks for, with its results kept: runs a solver of `flexor.solve` and hands back a Run."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from flexor.errors import FileError, FlexorError, Problem
from flexor.results.interruption import Interruption
from flexor.results.progress import Progress
from flexor.results.run import Run
from flexor.results.writer import RunWriter
from flexor.units import si


def dynamics(
    model: Any,
    until: Any,
    step: Any = None,
    *,
    file: str | Path | None = None,
    overwrite: bool = True,
    compress: bool = False,
    show: bool | None = None,
    **settings: Any,
) -> Run:
    """Integrate the equations of motion from the initial state up to a time; see `flexor.solve.dynamics`.

    until: end time.   step: step size; chosen and controlled by the error if left out.
    file: results file to write, kept readable at any moment; without it the results stay in memory.
    overwrite: whether an existing file may be replaced.   compress: smaller file, slower to write.
    show: None for a progress bar on a terminal (elsewhere a line every few seconds), False for none.

    Ctrl-C ends the run at the next step; the Run then has the status "interrupted" and all rows so far.
    Where the solver has to give up, SolveError is raised; its `run` holds the results so far, its `result`
    their file.
    """
    from flexor import solve

    asked = {"until": until, "step": step, **settings}
    writer = RunWriter(model.to_yaml(), asked, file=file, overwrite=overwrite, compress=compress)
    return _record(partial(solve.dynamics, model, until, step, **settings), model.name, writer, show)


def resume(run: Run, until: Any, settings: dict[str, Any]) -> Run:
    """Continue a run from its last checkpoint; see `Run.continue_until`."""
    from flexor import solve

    state, rows, _ = run.checkpoint()
    reached = run.time[rows - 1] if rows else 0.0
    if si(until, "time") <= reached:
        what, why = f"cannot be continued until {until}", f"its checkpoint is at {reached:.6g} s"
        raise FileError(Problem(str(run), what, why, "ask for a later time"))
    show = settings.pop("show", None)
    asked = {**run.settings, **settings, "until": until}
    model = run.model
    writer = RunWriter(run.model_text, asked, file=run.file, earlier=run)
    return _record(partial(solve.dynamics, model, restart=state, **asked), model.name, writer, show)


def _record(solver: Callable[..., Any], title: str, writer: RunWriter, show: bool | None) -> Run:
    """Run a solver with a writer as its sink; close the file properly whatever happens."""
    with Interruption() as interruption, Progress(title, show) as bar:

        def tell(time: float, step: int, iterations: int, fraction: float) -> None:
            bar(time, step, iterations, fraction)
            interruption.pause()

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
