"""flexor info: what is in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from flexor.cli.output import Json, print_json


def info(
    file: Annotated[Path, typer.Argument(help="Model file (.yaml, .json) or results file (.h5).")],
    json: Json = False,
) -> None:
    """Summarise a model or a results file."""
    if file.suffix in (".h5", ".hdf5"):
        _results(file, json)
    else:
        _model(file, json)


def _results(file: Path, json: bool) -> None:
    from flexor.cli.run import run_facts
    from flexor.results import Run

    run = Run(file)
    if json:
        print_json(run_facts(run))
        return
    print(run.summary())
    print("  signals")
    for owner, signals in _by_owner(run.names).items():
        print(f"    {owner}: {', '.join(signals)}")


def _by_owner(names: Any) -> dict[str, list[str]]:
    """Signals by the object they belong to; components of vectors are told once."""
    found: dict[str, list[str]] = {}
    for name in names:
        owner, _, signal = name.rpartition(".")
        vector = signal[:-2] if signal[-2:] in ("_w", "_x", "_y", "_z") else signal
        signals = found.setdefault(owner, [])
        if vector not in signals:
            signals.append(vector)
    return found


def _model(file: Path, json: bool) -> None:
    from flexor.cli.models import facts, load

    found = facts(load(file))
    if json:
        print_json({"file": file, **found})
        return
    print(f"model '{found['name']}', gravity {found['gravity']} m/s²")
    for kind, names in found["items"].items():
        print(f"  {len(names):>4} {kind}: {_listed(names)}")


def _listed(names: list[str], most: int = 12) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
