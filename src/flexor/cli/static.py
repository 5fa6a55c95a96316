"""flexor static: the equilibrium of a model, or linear statics of a mesh, to check it before it is reduced."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flexor.cli.declared import fields_of
from flexor.cli.mesh_input import Lenient, MaterialOption, Thickness, Units, mesh_from, mesh_options, refuse_options
from flexor.cli.output import Json, plain_warnings, print_json
from flexor.cli.shown import Browser, Port, ViewOption, show

if TYPE_CHECKING:
    from flexor.results.position import Position


def static(
    mesh: Annotated[
        Path, typer.Argument(help="Model file, .yaml or .json; or mesh file: .inp, .bdf, .nas, .dat, .msh.")
    ],
    fix: Annotated[
        list[str], typer.Option(help="Nodes to hold, besides the supports of the file: a node set, or KIND:key=value:…")
    ] = [],  # noqa: B006
    load: Annotated[
        list[str],
        typer.Option(
            help="KIND:key=value:… with KIND point_load, pressure, traction, gravity or centrifugal; "
            "e.g. pressure:on=TOP:pressure=1 MPa. They act besides the loads of the file. Repeat for each."
        ),
    ] = [],  # noqa: B006
    ignore_loads: Annotated[bool, typer.Option("--ignore-loads", help="Leave out the loads of a mesh file.")] = False,
    units: Units = "SI",
    material: MaterialOption = None,
    thickness: Thickness = None,
    lenient: Lenient = False,
    vtu: Annotated[Path | None, typer.Option(help="Write displacements and stress of a mesh for ParaView.")] = None,
    spin: Annotated[
        str | None, typer.Option(help='Of a model: it turns steadily with its ground, e.g. "0, 0, 300 rpm".')
    ] = None,
    view: ViewOption = False,
    port: Port = 0,
    browser: Browser = True,
    json: Json = False,
) -> None:
    """Position in which a model rests, or displacements and stress of a whole mesh under loads."""
    if mesh.suffix.lower() in (".yaml", ".yml", ".json"):
        for_meshes = {"--fix": fix, "--load": load, "--ignore-loads": ignore_loads, "--vtu": vtu}
        refuse_options(mesh, "a model", "meshes", {**for_meshes, **mesh_options(units, material, thickness, lenient)})
        found_rest = _model(mesh, spin, json)
        if view:
            show(found_rest, port, browser)
        return
    fix_spin = 'write --load "centrifugal:speed=0,0,300 rpm" instead'
    refuse_options(mesh, "a mesh", "models", {"--spin": spin}, fix_spin)
    refuse_options(mesh, "a mesh", "models", {"--view": view}, "write --vtu for ParaView")
    from flexor.io import write_vtu
    from flexor.io.replaceable import check_replaceable
    from flexor.reduce.study import MeshStudy

    plain_warnings()
    if vtu is not None:
        check_replaceable(vtu, "VTU file", f"VTU file {vtu}")  # before the work, not after it
    read = mesh_from(mesh, units, material, thickness, lenient, loads=not ignore_loads)
    study = MeshStudy(
        replace(read, notes=()),  # which are told by now
        fix=[fields_of(text) for text in fix],
        loads=[fields_of(text) for text in load],
        ignore_loads=ignore_loads,
    )
    found = study.statics()
    if vtu is not None:
        write_vtu(vtu, found.model.mesh, {"displacement": found.nodal[:, :3], "stress": found.stress})
    if json:
        print_json(
            {
                "file": mesh,
                "largest_displacement_m": study.largest_displacement(found),
                "strain_energy_j": found.energy,
                "loads": [load.model_dump(mode="json") for load in study.all_loads],
                "notes": list(read.notes),
            }
        )
        return
    own = 0 if ignore_loads else len(read.loads)
    print(f"loads: {own} of the file, {len(study.loads)} given here")
    print(found)
    if vtu is not None:
        print(f"fields: {vtu}")


def _model(file: Path, spin: str | None, json: bool) -> Position:
    """Positions of the bodies, joint variables and forces in equilibrium, and the largest stress in flexible bodies."""
    from flexor.cli.models import load
    from flexor.results.analyses import statics
    from flexor.results.summary import stresses

    plain_warnings()
    model = load(file)
    turning = {} if spin is None else {"angular_velocity": tuple(part.strip() for part in spin.split(","))}
    found = statics(model, **turning)
    if json:
        print_json({"file": file, "iterations": found.iterations, "signals": found.signals})
        return found
    print(found)
    for line in stresses(model, found):
        print(line)
    return found
