"""flexor new: a model file to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flexor.cli.output import Json, print_json
from flexor.errors import FileError, Problem

STARTER = """\
# {name}: a pendulum with a spring. Change it to the mechanism you have in mind.
#
#   flexor check {file}                                      every mistake, with its fix
#   flexor run   {file} --until "5 s" --step "1 ms"          writes {name}.flexor.h5
#   flexor plot  {name}.flexor.h5 hinge.angle spring.force   draws it
#
# Values are SI numbers or text with a unit: 0.3, "300 mm", "20 N/mm", "90 deg".

name: {quoted}
gravity: [0, -9.81, 0]               # m/s², global axes

items:
  # Bodies: mass, and inertia about the centre of mass (xx, yy, zz) in the body's own axes.
  - type: rigid_body
    name: bar
    mass: 1.2 kg
    inertia: [1e-4, 9e-3, 9e-3]      # kg m²
    center_of_mass: [150 mm, 0, 0]   # from the body's origin
    markers:                         # named points that joints and forces attach to
      tip: {{at: [300 mm, 0, 0]}}

  # Joints: from the first body (or ground) to the second.
  - type: revolute
    name: hinge
    a: ground
    b: bar                           # a body alone means its origin
    axis: z

  # Forces.
  - type: axial_spring
    name: spring
    a: {{body: ground, at: [0.3, 0.4, 0]}}
    b: bar.tip
    stiffness: 80 N/m
    free_length: 300 mm
  - type: joint_spring
    name: bearing
    joint: hinge
    damping: 0.02                    # N m s/rad
"""


def new(
    name: Annotated[str, typer.Argument(help="Name of the model; the file is NAME.yaml.")],
    json: Json = False,
) -> None:
    """Write a commented model file to start from; it can be run as it is."""
    from flexor.model.check import unfit_name

    stem = Path(name.removesuffix(".yaml")).name
    if complaint := "is empty" if name.endswith(("/", "\\")) else unfit_name(stem):
        raise FileError(
            Problem("new", f"the name {name!r} {complaint}", "the model is called by it", "write e.g. press")
        )
    file = Path(f"{name.removesuffix('.yaml')}.yaml")
    try:
        with file.open("x", encoding="utf-8") as target:
            target.write(STARTER.format(name=stem, quoted=_quoted(stem), file=file))
    except FileExistsError:
        raise FileError(Problem(str(file), "exists already", fix="choose another name")) from None
    except OSError as error:
        fix = "choose a name without special characters, in a folder of your own"
        raise FileError(Problem(str(file), "cannot be written", str(error.strerror), fix)) from None
    if json:
        print_json({"file": file.absolute()})
    else:
        print(f'{file} is written; try:  flexor run {file} --until "5 s" --step "1 ms"')


def _quoted(name: str) -> str:
    """A name as YAML reads it as that text: in quotes unless it is a plain word."""
    import json

    import yaml

    plain = name.replace("-", "").replace("_", "").isalnum() and isinstance(yaml.safe_load(name), str)
    return name if plain else json.dumps(name, ensure_ascii=False)
