"""flexor run: the motion of a model over time."""

from __future__ import annotations

import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import flexor as fx
from flexor.cli.by_ranks import Nowhere, by_ranks, refuse_under_mpi
from flexor.cli.output import Json, plain_warnings, print_json
from flexor.cli.shown import Browser, Port
from flexor.mpi import place

if TYPE_CHECKING:
    from flexor.hierarchy.partners import Partners


def run(
    file: Annotated[Path, typer.Argument(help="Model file, .yaml or .json.")],
    until: Annotated[str, typer.Option(help='End time, e.g. "1 s".')],
    step: Annotated[str | None, typer.Option(help='Time step, e.g. "1 ms".')] = None,
    error: Annotated[float | None, typer.Option(help="Error per step, e.g. 1e-6; the step adapts to it.")] = None,
    accuracy: Annotated[
        float | None,
        typer.Option(help="Largest error of all signals, e.g. 1e-6 of their largest values; for smooth motion."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Results file; <model name>.flexor.h5 by default.")] = None,
    output: Annotated[str | None, typer.Option(help="Time between recorded rows; every step by default.")] = None,
    rho: Annotated[float | None, typer.Option(help="Spectral radius of generalized-α: 1 no damping, 0 most.")] = None,
    record: Annotated[list[str] | None, typer.Option(help="Name of an object to record; repeatable.")] = None,
    start: Annotated[
        str | None, typer.Option(help='Where from: "equilibrium" instead of the declared position.')
    ] = None,
    solver: Annotated[
        str | None,
        typer.Option(
            help='"tree": explicit steps, subsystem by subsystem; "explicit": of free bodies, many in contact; implicit steps by default.'
        ),
    ] = None,
    coordinates: Annotated[
        str | None, typer.Option(help='Of the tree solver: "all", those of all bodies, where those of joints would do.')
    ] = None,
    threads: Annotated[
        int | None, typer.Option(help="Of the tree solver: threads that share the work; by measurement by default.")
    ] = None,
    compress: Annotated[bool, typer.Option("--compress", help="Smaller results file, slower to write.")] = False,
    digits: Annotated[
        int | None, typer.Option(help="Significant digits of signals to keep; a file with 7 is half as large.")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Do not replace an existing results file.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Show the run in the browser while it computes; pause or stop it there.")
    ] = False,
    port: Port = 0,
    browser: Browser = True,
    json: Json = False,
) -> None:
    """Compute the motion of a model and write a results file.

    mpiexec -n 4 flexor run … --solver tree divides the tree among four processes (flexor[mpi]).
    """
    from flexor.cli.models import load
    from flexor.results.analyses import over_time

    plain_warnings()
    given = {
        "error": error,
        "accuracy": accuracy,
        "output": output,
        "integrator": rho,
        "record": record or None,
        "start": start,
        "solver": solver,
        "coordinates": coordinates,
        "threads": threads,
    }
    settings: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    if place()[1] > 1:
        refuse_under_mpi(solver, watch, threads)
        by_ranks(partial(_part, file, until, step, out, keep, (compress, digits), quiet, json, settings))
        return
    model = load(file)
    out = out or _default_file(model)
    show = False if quiet else None
    compute = partial(over_time, "dynamics", model, until, step, out, not keep, (compress, digits), show, settings)
    if watch:
        from flexor.viewer.watch import Watch

        with Watch(out, until, port) as seen:
            print(f"watch: {seen.view.url}", file=sys.stderr, flush=True)
            if browser:
                seen.view.open_browser()
            finish(seen.follow(compute), json, exit_code=False)
            print("the run stays in the browser until Ctrl-C", file=sys.stderr, flush=True)
            seen.stay()
        return
    finish(compute(), json)


def _default_file(model: fx.Model) -> Path:
    return Path(re.sub(r"[^\w.-]+", "-", model.name) + ".flexor.h5")


def _part(
    file: Path,
    until: str,
    step: str | None,
    out: Path | None,
    keep: bool,
    packing: tuple[bool, int | None],
    quiet: bool,
    json: bool,
    settings: dict[str, Any],
    partners: Partners,
) -> None:
    """What one of several processes does for a run: its part of the tree; the first one keeps the results."""
    from flexor import hierarchy
    from flexor.cli.models import load
    from flexor.results.analyses import over_time

    model = load(file)
    if partners.rank:
        hierarchy.dynamics(model, until, step, sink=Nowhere(), partners=partners, **settings)
        return
    show = False if quiet else None
    out = out or _default_file(model)
    finish(over_time("dynamics", model, until, step, out, not keep, packing, show, settings, partners=partners), json)


def finish(run: fx.Run, json: bool, exit_code: bool = True) -> None:
    """Print what came out of a run; exit code 130 if it was interrupted, unless that is wished for."""
    if json:
        print_json(run_facts(run))
    else:
        print(run.summary())
        print(f"results: {run.file}")
    if run.status == "interrupted" and exit_code:
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
