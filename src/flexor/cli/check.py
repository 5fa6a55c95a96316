"""flexor check: every mistake in a model, one per line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flexor.cli.output import Json, print_json


def check(
    file: Annotated[Path, typer.Argument(help="Model file, .yaml or .json.")],
    json: Json = False,
) -> None:
    """Look for mistakes in a model; prints each with its place and its fix."""
    from dataclasses import asdict

    from flexor.cli.models import examine

    problems, warnings = examine(file)
    if json:
        found = {"problems": [asdict(p) for p in problems], "warnings": [asdict(w) for w in warnings]}
        print_json({"file": file, "ok": not problems, **found})
    else:
        for problem in problems:
            print(problem)
        for warning in warnings:
            print(f"warning: {warning}")
        if not problems:
            print(f"{file}: no mistakes")
    if problems:
        raise typer.Exit(2)
