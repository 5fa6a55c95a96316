"""Mesh files on the command line: options that all commands share, and what a file lacks told or refused."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flexor.cli.declared import fields_of

if TYPE_CHECKING:
    from flexor.mesh import Mesh

Units = Annotated[str, typer.Option(help="Units of a mesh file: SI or mm-t-s.")]
MaterialOption = Annotated[
    str | None,
    typer.Option(
        "--material",
        help="Material of all elements of a mesh, instead of what the file says: steel, aluminium, or "
        "isotropic:young=210 GPa:poisson=0.3:density=7850. Gmsh files hold none.",
    ),
]
Thickness = Annotated[str | None, typer.Option(help='Thickness of all shells of a mesh likewise, e.g. "2 mm".')]
Lenient = Annotated[
    bool, typer.Option("--lenient", help="Go on with a warning where parts of a mesh file are left out.")
]


def refuse_options(file: Path, kind: str, other: str, given: Mapping[str, object], fix: str = "") -> None:
    """Refuse options that mean nothing for this kind of file. given: their values by name, falsy where they are left out."""
    from flexor.errors import ModelError, Problem

    names = [name for name, value in given.items() if value]
    if names:
        what, why = f"{' and '.join(names)} {'is' if len(names) == 1 else 'are'} for {other}", f"{file.name} is {kind}"
        raise ModelError(Problem("option", what, why, fix or f"leave {'it' if len(names) == 1 else 'them'} out"))


def mesh_options(units: str, material: str | None, thickness: str | None, lenient: bool) -> dict[str, object]:
    """The options of all meshes by name, as `refuse_options` takes them."""
    return {"--units": units != "SI", "--material": material, "--thickness": thickness, "--lenient": lenient}


def mesh_from(
    file: Path, units: str, material: str | None, thickness: str | None, lenient: bool, loads: bool = False
) -> Mesh:
    """The mesh in a file. What was left out of it and changes the answer is refused, or told if that is `lenient`; what
    was taken otherwise than the file says is told. loads: whether the answer depends on the loads of the file too."""
    from flexor.errors import FileError, Problem
    from flexor.io.read_mesh import mesh_of_file
    from flexor.mesh.made_of import as_material
    from flexor.mesh.note import Concern, IncompleteMesh, changing
    from flexor.mesh.section import ShellSection

    section = None if thickness is None else ShellSection(thickness)
    made = None if material is None else as_material(fields_of(material))
    mesh = mesh_of_file(file, units=units, material=made, section=section)
    concerns: tuple[Concern, ...] = ("mesh", "units", "loads") if loads else ("mesh", "units")
    lost = changing(mesh.notes, *concerns, severity="left out")
    if lost and not lenient:
        why, fix = "the answer would be another", "change the file, or add --lenient to go on without it"
        raise FileError([Problem("", note, why, fix) for note in lost])
    for note in changing(mesh.notes, *concerns):
        warnings.warn(note.replace('read it with units="mm-t-s"', "add --units mm-t-s"), IncompleteMesh, stacklevel=2)
    return mesh
