"""flexor plot: signals of a results file as an image."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flexor.cli.output import Json, Verify, print_json


def plot(
    file: Annotated[Path, typer.Argument(help="Results file, .h5.")],
    names: Annotated[list[str], typer.Argument(help='Signals, by name or pattern, e.g. "main.*".')],
    out: Annotated[Path | None, typer.Option(help="Image: .png, .svg or .pdf; beside the results by default.")] = None,
    verify: Verify = True,
    json: Json = False,
) -> None:
    """Draw signals over time to an image file."""
    from flexor.results import Run

    run = Run(file, verify)
    out = out or file.with_name(file.name.removesuffix(".h5").removesuffix(".flexor") + ".png")
    run.plot(*names, file=out)
    if json:
        print_json({"file": out.absolute()})
    else:
        print(f"plot: {out}")
