"""Files in the browser: a server whose page shows them, or says what is wrong with them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from flexor.errors import FileError, Problem
from flexor.results.run import Run
from flexor.viewer.live import Live
from flexor.viewer.server import View
from flexor.viewer.show import stage_of_files
from flexor.viewer.shown_file import mark_of
from flexor.viewer.stage import Refused, Stage
from flexor.viewer.story import Story, model_of, state_of


def serve_files(files: Sequence[Path], port: int = 0, verify: bool = True) -> View:
    """A server that is ready to run. What is wrong with a file that is there is told, and shown on the page, too."""
    for file in files:
        if not file.is_file():
            what = "is a folder" if file.is_dir() else "does not exist"
            raise FileError(Problem(str(file), what, fix="check the path; runs write <model name>.flexor.h5"))
    stage = stage_of_files(files, verify)
    shown = View(stage, port, _followed(files[0], verify))
    threading.Thread(target=_make, args=(stage,), name="flexor scenes", daemon=True).start()
    return shown


def _make(stage: Stage) -> None:
    """Make all scenes, while the page says that it waits for them."""
    for number in range(len(stage.names)):
        try:
            stage.scene(number)
        except Refused as refused:
            print(f"error: {refused.problem}", file=sys.stderr)


def _followed(file: Path, verify: bool) -> Live | None:
    """What follows a run that another program may compute now; the page asks it where the run is not ended."""
    if file.suffix.lower() not in (".h5", ".hdf5") or file.name.endswith(".reduced.h5"):
        return None

    @cache
    def opened(inode: int) -> tuple[Run, Story]:
        run = Run(file, verify)
        return run, Story(run, model_of(run)[0])

    def now() -> tuple[Run, Story]:
        """Of the file that is there now: another run may have taken its place."""
        mark = mark_of(file)
        return opened(mark.inode if mark else 0)

    return Live(lambda: state_of(now()[0]), story=lambda status: now()[1].told(status))
