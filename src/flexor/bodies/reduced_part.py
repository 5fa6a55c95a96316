"""The reduced body of a declared flexible body."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import numpy as np

from flexor.bodies.body_mesh import mesh_of, refuse_forgotten
from flexor.elements.assembly.dofs import element_widths
from flexor.errors import ModelError, Problem
from flexor.io.file_mark import difference, files_read, note_file
from flexor.mesh.mesh import Mesh
from flexor.mesh.select import mesh_size
from flexor.reduce.cache import content_hash
from flexor.reduce.interface import Interface, Neighbourhood
from flexor.reduce.reduced import ReducedBody
from flexor.reduce.reduction import reduce_quietly, tell_short

if TYPE_CHECKING:
    from flexor.bodies.flexible_body import FlexibleBody


_OF_EACH = {
    *("name", "position", "orientation", "velocity", "angular_velocity", "markers", "shapes"),
    *("formulation", "frame", "inertia", "stiffening", "ignore_loads"),
}
"""Fields of a body that its reduced body does not depend on; markers only where they become connection nodes."""

_in_use: WeakValueDictionary[str, ReducedBody] = WeakValueDictionary()
"""Reduced bodies of flexible bodies that are still there, by what they are made of."""


def reduced_part(body: FlexibleBody) -> ReducedBody:
    """Read, reduce (or take from the cache) and scale what the declaration asks for.

    Bodies that differ in name and place alone share what the first of them is made of, as long as its files are the same.
    """
    refuse_forgotten(body)
    if isinstance(body.reduced_body, ReducedBody):
        return _anew(body)
    key = _made_of(body)
    found = _in_use.get(key)
    if found is None or not _unchanged(found):
        _in_use[key] = found = _anew(body)
    elif body.mesh is not None and found.name != body.name:
        found = replace(found, name=body.name)
        tell_short(found, body.reduction)
    return found


def _made_of(body: FlexibleBody) -> str:
    """All that a reduced body depends on but for the contents of files, which are compared."""
    source = body.mesh if body.reduced_body is None else body.reduced_body
    mesh = os.path.abspath(source) if isinstance(source, str) else content_hash(source)
    at_markers = body.formulation_class.at_interfaces_alone and bool(body.interfaces)
    points = {name: marker.at for name, marker in body.markers.items()} if at_markers else {}
    return f"{mesh} {body.model_dump_json(exclude=_OF_EACH)} {points}"


def _unchanged(found: ReducedBody) -> bool:
    """Whether all files that it was made of are as they were."""
    try:
        return not any(difference(Path(path), mark) for path, mark in found.files.items())
    except OSError:
        return False


def _anew(body: FlexibleBody) -> ReducedBody:
    with files_read() as files:
        found = _unscaled(body)
    if body.stiffness_scale != 1.0 or body.mass_scale != 1.0:
        found = found.scaled(stiffness=body.stiffness_scale, density=body.mass_scale)
    return replace(found, files=files)


def _unscaled(body: FlexibleBody) -> ReducedBody:
    if body.reduced_body is not None:
        found = body.reduced_body
        if isinstance(found, str):
            file, found = Path(found), ReducedBody.load(found)
            note_file(file)
        return found if body.damping is None else replace(found, damping=body.damping)
    return _from_mesh(body)


def _from_mesh(body: FlexibleBody) -> ReducedBody:
    mesh = mesh_of(body)
    interfaces: dict[str, Interface] = dict(body.interfaces)
    if body.formulation_class.at_interfaces_alone and interfaces:
        points = {name: marker.at for name, marker in body.markers.items() if name not in interfaces}
        interfaces |= {name: interface_around(mesh, np.array(at)) for name, at in points.items()}
    try:
        return reduce_quietly(
            mesh,
            interfaces or None,
            body.reduction,
            name=body.name,
            damping=body.damping,
            ignore_supports=body.ignore_supports,
            progress=partial(_tell, body.name),
        )
    except ModelError as error:
        told = [_of_marker(problem, body, mesh) for problem in error.problems]
        raise ModelError(told or str(error)) from None


def _of_marker(problem: Problem, body: FlexibleBody, mesh: Mesh) -> Problem:
    """A mistake in the interface that was made for a marker, in words of the marker; another one as it is."""
    for name, marker in body.markers.items():
        if name not in body.interfaces and problem.where == f"interface '{name}'":
            away = float(np.linalg.norm(mesh.points - np.array(marker.at), axis=1).min())
            off = f", {away:.3g} m off the mesh," if away > 0.5 * mesh_size(mesh) else ""
            what = f"marker '{name}'{off} cannot be a node of the {body.formulation}"
            why = f"it would follow the nodes of the elements nearest to it, but {problem.what}"
            fix = (
                "check its position and the units"
                if off
                else "move it more than an element away, attach to the interface itself, or use formulation: floating"
            )
            return Problem(f"flexible body '{body.name}'", what, why, fix)
    return problem


def _tell(name: str, stage: str, fraction: float) -> None:
    """A line on a terminal while a body is reduced; nothing if it comes from the cache."""
    if sys.stderr.isatty() and stage not in ("reading the mesh", "taken from the cache"):
        end = "\n" if fraction >= 1 else ""
        print(f"\rreducing '{name}': {stage:32s} {100 * fraction:3.0f} %", end=end, file=sys.stderr, flush=True)


def interface_around(mesh: Mesh, point: np.ndarray) -> Interface:
    """A connection node at a point that moves with the mesh there and does not stiffen it.

    It follows the nearest node if that has rotations, else the average of the nodes of the elements around it.
    """
    nearest = int(np.argmin(np.linalg.norm(mesh.points - point, axis=1)))
    turns = element_widths(mesh)[nearest] == 6
    touching = [block.nodes[np.any(block.nodes == nearest, axis=1)].ravel() for block in mesh.blocks]
    chosen = [nearest] if turns else np.unique(np.concatenate(touching))
    ids = [int(mesh.node_ids[node]) for node in chosen]
    tie = "rigid" if turns else "average"
    return Neighbourhood({"type": "numbered", "ids": ids}, at=tuple(map(float, point)), tie=tie)
