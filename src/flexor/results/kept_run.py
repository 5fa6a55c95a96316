"""Running a solver with its results kept, whatever happens: success, failure, Ctrl-C or a full disk."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from flexor.errors import FileError, FlexorError, Problem
from flexor.results.bodies import files_of
from flexor.results.interruption import Interruption
from flexor.results.progress import Progress
from flexor.results.run import Run
from flexor.results.writer import RunWriter
from flexor.units import Quantity, si


def record(solver: Callable[..., object], title: str, writer: RunWriter, show: bool | None) -> Run:
    """Call solver(sink=…, progress=…) with the writer as its sink, and close the file properly.

    show: None for a progress bar on a terminal and lines elsewhere, False for none.
    """
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


def resume(run: Run, until: Quantity, settings: dict[str, object], show: bool | None = None) -> Run:
    """Continue a run from its last checkpoint; see `Run.continue_until`."""
    from flexor import solve

    state, rows, _ = run.checkpoint()
    reached = run.time[rows - 1] if rows else 0.0
    if si(until, "time") <= reached:
        what, why = f"cannot be continued until {until}", f"its checkpoint is at {reached:.6g} s"
        raise FileError(Problem(repr(run), what, why, "ask for a later time"))
    if run.meta.get("analysis") == "kinematics":
        what, why = "cannot be continued", "a kinematic analysis has no memory"
        raise FileError(Problem(repr(run), what, why, "ask model.kinematics for the later times, start=run"))
    asked = {**run.settings, **settings, "until": until}
    model = run.model
    writer = RunWriter(run.model_text, asked, file=run.file, earlier=run, files=partial(files_of, model))
    longer = record(partial(solve.dynamics, model, restart=state, **asked), model.name, writer, show)
    longer.__dict__["model"] = model  # with what it may hold in memory
    return longer


def _close_failed(writer: RunWriter, error: BaseException) -> None:
    """Note in the file why the run failed, and in the error where the results so far are."""
    with suppress(FileError):  # the error at hand tells more
        writer.close("failed", str(error) or type(error).__name__)
    if writer.opened and isinstance(error, FlexorError):
        error.result = writer.path  # type: ignore[attr-defined]
        error.run = writer.run()  # type: ignore[attr-defined]
