"""The reduced body of a declared flexible body."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.bodies.flexible_body import IN_MEMORY
from flexor.bodies.interface import Interface
from flexor.elements.dofs import element_widths
from flexor.io import read_mesh
from flexor.mesh.mesh import Mesh
from flexor.reduce.reduced import ReducedBody
from flexor.reduce.reduction import reduce_mesh

if TYPE_CHECKING:
    from flexor.bodies.flexible_body import FlexibleBody


def reduced_part(body: FlexibleBody) -> ReducedBody:
    """Read, reduce (or take from the cache) and scale what the declaration asks for."""
    if IN_MEMORY in (body.mesh, body.reduced_body):
        why, fix = "a file cannot carry it", "write the mesh to a file and name that, or use the model in Python"
        raise body.refuse("its mesh was an object in memory", why, fix)
    if body.reduced_body is not None:
        found = body.reduced_body if isinstance(body.reduced_body, ReducedBody) else ReducedBody.load(body.reduced_body)
    else:
        mesh = body.mesh if isinstance(body.mesh, Mesh) else read_mesh(body.mesh, units=body.units)
        interfaces: dict[str, Any] = dict(body.interfaces)
        if body.formulation == "superelement" and interfaces:  # which is held at interfaces alone
            points = {name: marker.at for name, marker in body.markers.items() if name not in interfaces}
            interfaces |= {name: interface_around(mesh, np.array(at)) for name, at in points.items()}
        found = reduce_mesh(
            mesh,
            interfaces or None,
            body.reduction,
            name=body.name,
            material=body.material,
            damping=body.damping,
            ignore_supports=body.ignore_supports,
            progress=partial(_tell, body.name),
        )
    if body.stiffness_scale != 1.0 or body.mass_scale != 1.0:
        found = found.scaled(stiffness=body.stiffness_scale, density=body.mass_scale)
    return found


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
    return Interface({"type": "numbered", "ids": ids}, at=tuple(map(float, point)), tie="rigid" if turns else "average")
