"""flexor eig: natural frequencies and modes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flexor.cli.mesh_input import Lenient, MaterialOption, Thickness, Units, mesh_options, refuse_options
from flexor.cli.output import Json, plain_warnings, print_json
from flexor.cli.shown import Browser, Port, ViewOption, show

if TYPE_CHECKING:
    from flexor.results.mode_shapes import ModeShapes


def eig(
    file: Annotated[Path, typer.Argument(help="Model file (.yaml, .json) or mesh file (.inp, .bdf, .msh …).")],
    modes: Annotated[int, typer.Option(help="How many, from the lowest.", min=1)] = 10,
    complex_modes: Annotated[
        bool, typer.Option("--complex", help="With damping and gyroscopic terms; gives damping ratios.")
    ] = False,
    at_start: Annotated[
        bool, typer.Option("--at-start", help="About the initial position instead of the equilibrium.")
    ] = False,
    units: Units = "SI",
    material: MaterialOption = None,
    thickness: Thickness = None,
    lenient: Lenient = False,
    view: ViewOption = False,
    port: Port = 0,
    browser: Browser = True,
    json: Json = False,
) -> None:
    """Natural frequencies of a model about its static equilibrium, or of a whole mesh."""
    from flexor.cli.meshes import is_mesh, mesh_modes

    plain_warnings()
    if is_mesh(file):
        refuse_options(file, "a mesh", "models", {"--complex": complex_modes, "--at-start": at_start})
        of_mesh = mesh_modes(file, modes, json, units=units, material=material, thickness=thickness, lenient=lenient)
        if view:
            show(of_mesh, port, browser)
        return
    refuse_options(file, "a model", "meshes", mesh_options(units, material, thickness, lenient))
    from flexor.cli.models import load
    from flexor.results import analyses

    at = "start" if at_start else "equilibrium"
    found = analyses.modes(load(file), modes, at=at, complex=complex_modes or None)
    if json:
        print_json({"file": file, "about": at, "modes": [_mode(found, i) for i in range(len(found))]})
    elif not len(found):
        print("no modes: every motion of the model is prescribed or locked")
    else:
        print(found)
        if not found.complex:
            print("(from stiffness and mass alone; --complex counts damping and gyroscopic terms)")
    if view:
        show(found, port, browser)


def _mode(found: ModeShapes, i: int) -> dict[str, object]:
    eigenvalue = found.eigenvalues[i]
    ratio = {"damping_ratio": found.damping[i]} if found.complex else {}
    rigid = {"rigid": True} if found.rigid[i] else {}
    return {"frequency_hz": found.frequencies[i], **ratio, "eigenvalue": [eigenvalue.real, eigenvalue.imag], **rigid}
