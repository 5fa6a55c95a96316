"""flexor check: every mistake in a model, one per line."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import typer

from flexor.cli.output import Json, plain_warnings, print_json


def check(
    file: Annotated[Path, typer.Argument(help="Model file, .yaml or .json.")],
    json: Json = False,
) -> None:
    """Look for mistakes in a model; prints each with its place and its fix."""
    from dataclasses import asdict

    from flexor.cli.models import examine

    plain_warnings()
    problems, warnings = examine(file)
    if json:
        told = {"problems": problems, "warnings": warnings}
        found = {what: [_facts(asdict(each)) for each in listed] for what, listed in told.items()}
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


def _facts(problem: dict[str, Any]) -> dict[str, Any]:
    """Without the time from which it matters, if that is any."""
    return {key: value for key, value in problem.items() if key != "since" or isfinite(value)}
