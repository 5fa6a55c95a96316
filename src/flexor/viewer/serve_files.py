"""Files in the browser: a server whose page shows them, or says what is wrong with them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from flexor.errors import FileError, Problem
from flexor.results.run import Run
from flexor.viewer.live import Live, state_of
from flexor.viewer.server import View
from flexor.viewer.show import stage_of_files, thing_in
from flexor.viewer.stage import Refused


def serve_files(files: Sequence[Path], port: int = 0, verify: bool = True) -> View:
    """A server that is ready to run. What is wrong with a file that is there is told, and shown on the page, too."""
    for file in files:
        if not file.is_file():
            what = "is a folder" if file.is_dir() else "does not exist"
            raise FileError(Problem(str(file), what, fix="check the path; runs write <model name>.flexor.h5"))
    stage = stage_of_files(files, verify)
    live = _growing(files[0], verify)
    shown = View(stage, port, live)
    for number in range(len(files)):
        try:
            stage.scene(number)
        except Refused as refused:
            print(f"error: {refused.problem}", file=sys.stderr)
    return shown


def _growing(file: Path, verify: bool) -> Live | None:
    """What follows a run that another program computes now."""
    if file.suffix not in (".h5", ".hdf5") or file.name.endswith(".reduced.h5"):
        return None
    try:
        run = thing_in(file, verify)
    except FileError:
        return None
    return Live(partial(state_of, run)) if isinstance(run, Run) and run.is_growing else None
