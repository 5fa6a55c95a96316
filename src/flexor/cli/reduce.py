"""flexor reduce: from a mesh file to a reduced body with its proof."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from flexor.cli.declared import fields_of
from flexor.cli.output import Json, plain_warnings, print_json


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
    method: Annotated[str, typer.Option(help="craig_bampton, guyan, free_interface or modal.")] = "craig_bampton",
    tie: Annotated[str, typer.Option(help="rigid or average: how nodes follow their interface.")] = "rigid",
    units: Annotated[str, typer.Option(help="Units of the file: SI or mm-t-s.")] = "SI",
    out: Annotated[Path | None, typer.Option(help="File of the reduced body; MESH.reduced.h5 if left out.")] = None,
    json: Json = False,
) -> None:
    """Reduce a finite-element mesh to a body with a few coordinates, and prove it against the full model."""
    from flexor.reduce import reduce_mesh

    plain_warnings()
    given = dict(_interface(text, tie) for text in interface) or None
    body = reduce_mesh(mesh, given, _method(method, modes, up_to), units=units, progress=None if json else _tell)
    target = out or mesh.with_suffix(".reduced.h5")
    body.save(target)
    if json:
        validation = body.validation.to_dict() if body.validation else None
        print_json(
            {"file": target, "interfaces": list(body.interfaces), "coordinates": body.size, "validation": validation}
        )
        return
    print(body)
    print(f"reduced body: {target}")


def _tell(stage: str, fraction: float) -> None:
    if sys.stderr.isatty():
        print(f"\r{stage:40s} {100 * fraction:3.0f} %", end="\n" if fraction >= 1 else "", file=sys.stderr, flush=True)


def _interface(text: str, tie: str) -> tuple[str, Any]:
    """From NAME=KIND:key=value:… to (name, Interface)."""
    from flexor.errors import ModelError, Problem
    from flexor.reduce import Interface

    name, equals, what = text.partition("=")
    if not equals or not name or not what:
        fix = "write e.g. --interface left=plane:at=0,0,0:normal=x"
        raise ModelError(Problem("--interface", f"'{text}' has no NAME=…", "", fix))
    return name, Interface(fields_of(what), tie=tie)


def _method(name: str, modes: int | None, up_to: str | None) -> Any:
    from flexor.errors import ModelError, Problem
    from flexor.reduce import CraigBampton, FreeInterface, Guyan, Modal

    kinds: dict[str, Any] = {
        "craig_bampton": CraigBampton,
        "guyan": Guyan,
        "free_interface": FreeInterface,
        "modal": Modal,
    }
    if name not in kinds:
        raise ModelError(Problem("--method", f"'{name}' is unknown", "", f"choose one of {', '.join(kinds)}"))
    if name == "guyan":
        return Guyan()
    chosen: dict[str, Any] = {}
    if modes is not None:
        chosen["modes"] = modes
    if up_to is not None:
        chosen["up_to"] = up_to
    return kinds[name](**chosen)
