"""What the commands tell about mesh files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from flexor.cli.mesh_input import mesh_from
from flexor.cli.output import print_json

if TYPE_CHECKING:
    from flexor.reduce.full import NaturalModes

SUFFIXES = (".inp", ".bdf", ".nas", ".dat", ".msh")


def is_mesh(file: Path) -> bool:
    return file.suffix.lower() in SUFFIXES


def mesh_info(file: Path, json: bool) -> None:
    """Counts, materials, sets, quality, and what the reader could not take over."""
    from flexor.elements.quality import quality
    from flexor.io.read_mesh import mesh_of_file
    from flexor.mesh.note import changing

    mesh = mesh_of_file(file)
    changed = changing(mesh.notes, "mesh", "loads", "units")
    found = quality(mesh)
    if json:
        print_json(
            {
                "file": file,
                "nodes": len(mesh.points),
                "elements": found.elements,
                "materials": list(mesh.materials),
                "node_sets": {name: len(nodes) for name, nodes in mesh.node_sets.items()},
                "element_sets": {name: len(ids) for name, ids in mesh.element_sets.items()},
                "loads": [load.model_dump(mode="json") for load in mesh.loads],
                "notes": list(mesh.notes),
                "changes_the_answer": changed,
                "quality": str(found),
            }
        )
        return
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    print(f"mesh '{mesh.title or file.name}': {len(mesh.points)} nodes, {mesh.n_elements} elements")
    print(f"  from ({_point(low)}) to ({_point(high)}) m")
    for what, names in (
        ("materials", mesh.materials),
        ("sections", mesh.sections),
        ("node sets", mesh.node_sets),
        ("element sets", mesh.element_sets),
    ):
        if names:
            print(f"  {what}: {', '.join(map(str, names))}")
    links = len(mesh.rigid_links) + len(mesh.rigid_bars) + len(mesh.average_links)
    if links or mesh.masses:
        print(f"  {links} links, {len(mesh.masses)} concentrated masses")
    if mesh.fixed or mesh.loads:
        print(f"  {len(mesh.fixed)} supported nodes, {len(mesh.loads)} loads")
    print(found)
    for note in mesh.notes:
        print(f"  {'warning' if note in changed else 'note'}: {note}")


def _point(p: Iterable[float]) -> str:
    return ", ".join(f"{c:.4g}" for c in p)


def mesh_modes(
    file: Path, count: int, json: bool, *, units: str, material: str | None, thickness: str | None, lenient: bool
) -> NaturalModes:
    """Natural frequencies of the full finite-element model, with the supports of the file; options of `mesh_from`."""
    from flexor.elements.assembly.model import assemble
    from flexor.reduce import natural_modes

    mesh = mesh_from(file, units, material, thickness, lenient)
    found = natural_modes(assemble(mesh), count)
    if json:
        about = {"rigid_body_modes": found.rigid, "free_modes": max(found.rigid, found.free)}
        print_json({"file": file, "frequencies_hz": list(found.frequencies), **about, "notes": list(mesh.notes)})
    else:
        print(found)
    return found
