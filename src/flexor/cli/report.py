"""flexor report: one file that shows a run to someone who has nothing installed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flexor.cli.output import Json, Verify, plain_warnings, print_json


def report(
    file: Annotated[Path, typer.Argument(help="Results (.h5), model (.yaml, .json), mesh or reduced body.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Page to write, .html; beside the file by default.")
    ] = None,
    signals: Annotated[
        list[str] | None,
        typer.Option(help='Signal to plot, by name or pattern, e.g. "main.*"; repeatable. "*" holds all.'),
    ] = None,
    frames: Annotated[int, typer.Option(help="Rows at most; of a longer run every n-th is taken.", min=2)] = 600,
    stress: Annotated[bool, typer.Option(help="Whether it holds the stress of flexible bodies.")] = True,
    verify: Verify = True,
    json: Json = False,
) -> None:
    """Write a page that shows a run, a model, a mesh or a reduced body and opens from disk, offline, in any browser."""
    from flexor.viewer.report import write_report
    from flexor.viewer.show import scene_of_file

    plain_warnings()
    out = out or Path(file.name.removesuffix(file.suffix).removesuffix(".flexor") + ".html")
    written = write_report(scene_of_file(file, verify), out, signals=signals, frames=frames, stress=stress)
    if json:
        print_json({"file": written.absolute(), "bytes": written.stat().st_size})
    else:
        print(f"report: {written} ({written.stat().st_size / 1e6:.1f} MB); open it in a browser")
