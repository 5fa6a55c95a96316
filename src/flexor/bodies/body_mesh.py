"""The mesh of a declared flexible body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexor.bodies.flexible_body import IN_MEMORY
from flexor.io.read_mesh import mesh_of_file
from flexor.mesh.made_of import made_of
from flexor.mesh.mesh import Mesh

if TYPE_CHECKING:
    from flexor.bodies.flexible_body import FlexibleBody


def mesh_of(body: FlexibleBody) -> Mesh:
    """The mesh, of the material and section that the body says; what its file lacks is told by the check of the model."""
    assert body.mesh is not None, "it has a mesh or a reduced body"
    mesh = body.mesh if isinstance(body.mesh, Mesh) else mesh_of_file(body.mesh, units=body.units)
    return made_of(mesh, body.material, body.section)


def refuse_forgotten(body: FlexibleBody) -> None:
    """Refuse a body from a model file whose mesh or reduced body was an object that the file could not name."""
    if IN_MEMORY in (body.mesh, body.reduced_body):
        why, fix = "a file cannot carry it", "write the mesh to a file and name that, or use the model in Python"
        raise body.refuse("its mesh was an object in memory", why, fix)
