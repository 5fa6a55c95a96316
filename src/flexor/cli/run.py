"""flexor run: the motion of a model over time."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer

import flexor as fx
from flexor.cli.output import Json, plain_warnings, print_json


def run(
    file: Annotated[Path, typer.Argument(help="Model file, .yaml or .json.")],
    until: Annotated[str, typer.Option(help='End time, e.g. "1 s".')],
    step: Annotated[str | None, typer.Option(help='Time step, e.g. "1 ms".')] = None,
    error: Annotated[float | None, typer.Option(help="Error per step, e.g. 1e-6; the step adapts to it.")] = None,
    out: Annotated[Path | None, typer.Option(help="Results file; <model name>.flexor.h5 by default.")] = None,
    output: Annotated[str | None, typer.Option(help="Time between recorded rows; every step by default.")] = None,
    rho: Annotated[float | None, typer.Option(help="Spectral radius of generalized-α: 1 no damping, 0 most.")] = None,
    record: Annotated[list[str] | None, typer.Option(help="Name of an object to record; repeatable.")] = None,
    start: Annotated[
        str | None, typer.Option(help='Where from: "equilibrium" instead of the declared position.')
    ] = None,
    compress: Annotated[bool, typer.Option("--compress", help="Smaller results file, slower to write.")] = False,
    keep: Annotated[bool, typer.Option("--keep", help="Do not replace an existing results file.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
    json: Json = False,
) -> None:
    """Compute the motion of a model and write a results file."""
    from flexor.cli.models import load
    from flexor.results.analyses import dynamics

    plain_warnings()
    model = load(file)
    given = {"error": error, "output": output, "integrator": rho, "record": record or None, "start": start}
    settings: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    out = out or Path(re.sub(r"[^\w.-]+", "-", model.name) + ".flexor.h5")
    show = False if quiet else None
    done = dynamics(model, until, step, show=show, file=out, overwrite=not keep, compress=compress, **settings)
    finish(done, json)


def finish(run: fx.Run, json: bool) -> None:
    """Print what came out of a run; exit code 130 if it was interrupted."""
    if json:
        print_json(run_facts(run))
    else:
        print(run.summary())
        print(f"results: {run.file}")
    if run.status == "interrupted":
        raise typer.Exit(130)


def run_facts(run: fx.Run) -> dict[str, object]:
    """A run in numbers."""
    from flexor.results.summary import energy_drift, peaks

    history, time = run.history, run.time
    drift = energy_drift(run) if len(time) else None
    return {
        "file": run.file,
        "status": run.status,
        "message": run.message,
        "rows": len(time),
        "time": [time[0], time[-1]] if len(time) else None,
        "seconds": run.seconds,
        "steps": len(history["time"]),
        "iterations": int(history["iterations"].sum()),
        "cut_backs": int(history["cut_backs"].sum()),
        "transitions": int(history["transitions"].sum()),
        "energy_drift": None if drift is None else {"joule": drift[0], "relative": drift[1]},
        "largest": [{"name": n, "value": v, "unit": u, "time": t} for n, v, u, t in (peaks(run) if len(time) else [])],
        "signals": {name: run.units[name] for name in run.names},
        "settings": run.settings,
        "versions": run.versions,
    }
