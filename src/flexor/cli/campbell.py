"""flexor campbell: natural frequencies over speed, critical speeds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flexor.cli.output import Json, plain_warnings, print_json
from flexor.cli.shown import Browser, Port, ViewOption, show


def campbell(
    file: Annotated[Path, typer.Argument(help="Model file (.yaml, .json).")],
    to: Annotated[str, typer.Option(help='Highest speed, e.g. "6000 rpm"; a number is in rad/s.')],
    steps: Annotated[int, typer.Option(help="Speeds beside zero.", min=1)] = 12,
    modes: Annotated[int, typer.Option(help="How many, from the lowest.", min=1)] = 8,
    rotor: Annotated[
        str | None, typer.Option(help="Joint whose angle turns, or body; without it all turns with the ground.")
    ] = None,
    axis: Annotated[str | None, typer.Option(help="Axis of a body or of the whole: x, y or z.")] = None,
    order: Annotated[float, typer.Option(help="Critical speeds are where frequency = order · speed.", min=0.0)] = 1.0,
    plot: Annotated[Path | None, typer.Option(help="Image to draw the diagram to.")] = None,
    view: ViewOption = False,
    port: Port = 0,
    browser: Browser = True,
    json: Json = False,
) -> None:
    """Natural frequencies over the speed of a rotor, and its critical speeds."""
    import numpy as np

    from flexor.cli.models import load
    from flexor.io.replaceable import check_replaceable
    from flexor.results import analyses
    from flexor.units import si

    plain_warnings()
    if plot is not None:
        check_replaceable(plot, "picture", f"plot {plot}")  # before the work, not after it
    top = float(si(float(to) if to.replace(".", "", 1).isdigit() else to, "angular velocity"))
    found = analyses.campbell(load(file), np.linspace(0.0, top, steps + 1), modes, rotor=rotor, axis=axis)
    critical = found.crossings(order)
    if plot is not None:
        found.plot(plot, orders=(order,))
    if json:
        print_json(
            {
                "file": file,
                "frame": found.frame,
                "speeds_rad_s": found.speeds,
                "frequencies_hz": found.frequencies,
                "damping_ratios": found.damping,
                "whirl": found.whirl,
                "order": order,
                "critical_speeds_rad_s": [crossing.speed for crossing in critical],
                "critical_modes": [crossing.mode + 1 for crossing in critical],
                "critical_whirl": [crossing.whirl for crossing in critical],
            }
        )
    else:
        print(found)
        if order != found.unbalance:
            print(found.critical_told(order))
        if plot is not None:
            print(f"diagram: {plot}")
    if view:
        show(found, port, browser)
