"""flexor reduce: from a mesh file to a reduced body with its proof."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flexor.cli.declared import fields_of
from flexor.cli.mesh_input import Lenient, MaterialOption, Thickness, Units, mesh_from
from flexor.cli.output import Json, plain_warnings, print_json

if TYPE_CHECKING:
    from flexor.reduce.interface import Interface
    from flexor.reduce.methods import Method


def reduce(
    mesh: Annotated[Path, typer.Argument(help="Mesh file: .inp, .bdf, .nas, .dat, .msh.")],
    interface: Annotated[
        list[str],
        typer.Option(
            "--interface",
            "-i",
            help="NAME=SET, NAME=KIND:key=value:… with KIND cylinder, plane, sphere, box, nearest or numbered; "
            "e.g. big=cylinder:at=0,0,0:radius=18 mm:axis=z. Repeat for each.",
        ),
    ] = [],  # noqa: B006
    up_to: Annotated[str | None, typer.Option(help='Highest frequency of interest, e.g. "5 kHz".')] = None,
    modes: Annotated[int | None, typer.Option(help="Number of modes instead.", min=0)] = None,
    points: Annotated[
        str | None,
        typer.Option(
            help='Frequencies of krylov (expansion points) and response_modes (excitation), e.g. "20 Hz, 140 Hz" or '
            '"126 rad/s".'
        ),
    ] = None,
    moments: Annotated[int | None, typer.Option(help="Moments that krylov matches at each point.", min=1)] = None,
    method: Annotated[
        str, typer.Option(help="craig_bampton, guyan, response_modes, free_interface, krylov or modal.")
    ] = "craig_bampton",
    tie: Annotated[str, typer.Option(help="rigid or average: how nodes follow their interface.")] = "rigid",
    units: Units = "SI",
    material: MaterialOption = None,
    thickness: Thickness = None,
    ignore_supports: Annotated[
        bool, typer.Option("--ignore-supports", help="Leave out the supports of the file: the body is to move freely.")
    ] = False,
    ignore_loads: Annotated[
        bool, typer.Option("--ignore-loads", help="Leave out the loads of the file without a warning.")
    ] = False,
    lenient: Lenient = False,
    out: Annotated[Path | None, typer.Option(help="File of the reduced body; MESH.reduced.h5 if left out.")] = None,
    json: Json = False,
) -> None:
    """Reduce a finite-element mesh to a body with a few coordinates, and prove it against the full model."""
    from flexor.reduce import reduce_mesh

    plain_warnings()
    given = dict(_interface(text, tie) for text in interface) or None
    chosen = _method(method, modes=modes, up_to=up_to, frequencies=points, moments=moments)
    read = mesh_from(mesh, units, material, thickness, lenient)
    body = reduce_mesh(
        read,
        given,
        chosen,
        name=mesh.stem,
        ignore_supports=ignore_supports,
        ignore_loads=ignore_loads,
        progress=None if json else _tell,
    )
    target = out or mesh.with_suffix(".reduced.h5")
    body.save(target)
    if json:
        validation = body.validation.to_dict() if body.validation else None
        print_json(
            {
                "file": target,
                "interfaces": list(body.interfaces),
                "coordinates": body.size,
                "validation": validation,
                "notes": list(body.mesh.notes if body.mesh is not None else read.notes),
            }
        )
        return
    print(body)
    print(f"reduced body: {target}")


def _tell(stage: str, fraction: float) -> None:
    if sys.stderr.isatty():
        print(f"\r{stage:40s} {100 * fraction:3.0f} %", end="\n" if fraction >= 1 else "", file=sys.stderr, flush=True)


def _interface(text: str, tie: str) -> tuple[str, Interface]:
    """From NAME=KIND:key=value:… to (name, Interface)."""
    from flexor.errors import ModelError, Problem
    from flexor.reduce import Interface

    name, equals, what = text.partition("=")
    if not equals or not name or not what:
        fix = "write e.g. --interface left=plane:at=0,0,0:normal=x"
        raise ModelError(Problem("--interface", f"'{text}' has no NAME=…", "", fix))
    return name, Interface(fields_of(what), tie=tie)


OPTIONS = {"modes": "--modes", "up_to": "--up-to", "frequencies": "--points", "moments": "--moments"}
"""Field of a method → how it is given here."""


def _method(name: str, **fields: object) -> Method:
    """The declaration of a method by its name, from those fields that are given."""
    from flexor.errors import ModelError, Problem
    from flexor.reduce import METHODS

    kinds = {kind.model_fields["type"].default: kind for kind in METHODS}
    if name not in kinds:
        raise ModelError(Problem("--method", f"'{name}' is unknown", "", f"choose one of {', '.join(kinds)}"))
    given = {field: value for field, value in fields.items() if value is not None}
    known = [OPTIONS[field] for field in fields if field in kinds[name].model_fields]
    for field in given:
        if field not in kinds[name].model_fields:
            fix = f"leave it out; {name} takes {' and '.join(known) or 'no options'}"
            raise ModelError(Problem(OPTIONS[field], f"the method {name} has no such option", "", fix))
    if "frequencies" in given:
        given["frequencies"] = tuple(part.strip() for part in str(given["frequencies"]).split(",") if part.strip())
    return kinds[name](**given)
