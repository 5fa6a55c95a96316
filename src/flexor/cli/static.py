"""flexor static: linear statics of a mesh, to check it before it is reduced."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flexor.cli.declared import fields_of
from flexor.cli.output import Json, print_json


def static(
    mesh: Annotated[Path, typer.Argument(help="Mesh file: .inp, .bdf, .nas, .dat, .msh.")],
    fix: Annotated[
        list[str], typer.Option(help="Nodes to hold, besides the supports of the file: a node set, or KIND:key=value:…")
    ] = [],  # noqa: B006
    load: Annotated[
        list[str],
        typer.Option(
            help="KIND:key=value:… with KIND point_load, pressure, traction, gravity or centrifugal; "
            "e.g. pressure:on=TOP:pressure=1 MPa. Repeat for each."
        ),
    ] = [],  # noqa: B006
    units: Annotated[str, typer.Option(help="Units of the file: SI or mm-t-s.")] = "SI",
    vtu: Annotated[Path | None, typer.Option(help="Write displacements and stress for ParaView.")] = None,
    json: Json = False,
) -> None:
    """Displacements and stress of a whole mesh under loads."""
    from flexor.io import read_mesh, write_vtu
    from flexor.reduce.study import MeshStudy

    study = MeshStudy(
        read_mesh(mesh, units=units), fix=[fields_of(text) for text in fix], loads=[fields_of(text) for text in load]
    )
    found = study.statics()
    if vtu is not None:
        write_vtu(vtu, found.model.mesh, {"displacement": found.nodal[:, :3], "stress": found.stress})
    if json:
        print_json(
            {"file": mesh, "largest_displacement_m": study.largest_displacement(found), "strain_energy_j": found.energy}
        )
        return
    print(found)
    if vtu is not None:
        print(f"fields: {vtu}")
