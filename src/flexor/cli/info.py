"""flexor info: what is in a file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from flexor.cli.output import Json, Verify, print_json


def info(
    file: Annotated[
        Path,
        typer.Argument(
            help="Model (.yaml, .json), results, frequency response or reduced body (.h5), mesh (.inp, .bdf, .msh …)."
        ),
    ],
    tree: Annotated[
        bool, typer.Option("--tree", help="Draw the tree of subsystems of a model, for --solver tree.")
    ] = False,
    verify: Verify = True,
    json: Json = False,
) -> None:
    """Summarise a model, a results file, a frequency response, a mesh or a reduced body."""
    from flexor.cli.meshes import is_mesh, mesh_info

    if is_mesh(file):
        mesh_info(file, json)
    elif file.name.endswith(".reduced.h5"):
        _body(file, json)
    elif file.suffix in (".h5", ".hdf5"):
        (_response if _is_response(file) else partial(_results, verify=verify))(file, json=json)
    else:
        _model(file, json, tree)


def _results(file: Path, *, verify: bool, json: bool) -> None:
    from flexor.cli.run import run_facts
    from flexor.results import Run
    from flexor.results.names import by_owner, listed

    run = Run(file, verify)
    if json:
        print_json(run_facts(run))
        return
    print(run.summary())
    print("  signals")
    for owner, signals in by_owner(run.names).items():
        print(f"    {owner}: {listed(signals)}")


def _is_response(file: Path) -> bool:
    from flexor.solve.frequency.store import STORE

    return STORE.is_at(file)


def _response(file: Path, *, json: bool) -> None:
    from flexor.cli.frequency import facts
    from flexor.solve import FrequencyResponse

    response = FrequencyResponse.load(file)
    if json:
        print_json({"file": file, **facts(response)})
    else:
        print(response)


def _body(file: Path, json: bool) -> None:
    from flexor.reduce import ReducedBody

    body = ReducedBody.load(file)
    if json:
        print_json({"file": file, "interfaces": list(body.interfaces), "coordinates": body.size})
    else:
        print(body)


def _model(file: Path, json: bool, tree: bool) -> None:
    from flexor.cli.models import components, facts, load, names_by_kind

    model = load(file)
    if tree:
        from flexor.cli.output import plain_warnings
        from flexor.hierarchy.drawing import drawn
        from flexor.hierarchy.stepper import Tree
        from flexor.solve.prepare import compile_model

        plain_warnings()
        print("\n".join(drawn(Tree(compile_model(model)))))
        return
    if json:
        print_json({"file": file, **facts(model)})
        return
    print(f"model '{model.name}', gravity {list(model.gravity)} m/s²")
    for kind, names in names_by_kind(model).items():
        print(f"  {len(names):>4} {kind}: {_listed(names)}")
    if parts := [f"{name} ({of})" for name, of in components(model).items()]:
        print(f"  {len(parts):>4} components: {_listed(parts)}")


def _listed(names: list[str], most: int = 12) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")
