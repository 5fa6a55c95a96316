"""The whole mesh of a declared flexible body, with its connection nodes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from flexor.elements.assembly.dofs import element_widths
from flexor.io.file_mark import files_read
from flexor.io.read_mesh import mesh_of_file
from flexor.mesh.made_of import made_of
from flexor.mesh.mesh import Mesh
from flexor.reduce.interface import interfaces_of
from flexor.reduce.tie import tied

if TYPE_CHECKING:
    from flexor.bodies.flexible_body import FlexibleBody


def tied_mesh(body: FlexibleBody) -> tuple[Mesh, list[int]]:
    """The mesh without supports, its interfaces tied by links, and the indices of the connection nodes."""
    if body.mesh is None:
        why, fix = "a reduced body keeps its coordinates alone", "name the mesh, or use formulation: superelement"
        raise body.refuse("it has no mesh whose elements could move", why, fix)
    with files_read() as files:
        mesh = replace(mesh_of(body), fixed=())
    if files != body.reduced.files:
        what, why = "its mesh file changed while it was read", "its elements are not those that were reduced"
        raise body.refuse(what, why, "declare the body again")
    named = interfaces_of(body.interfaces or None, mesh)
    return tied(replace(mesh, retained=()), element_widths(mesh), named)


def mesh_of(body: FlexibleBody) -> Mesh:
    """The mesh, of the material and section that the body says; what its file lacks is told by the check of the model."""
    mesh = body.mesh if isinstance(body.mesh, Mesh) else mesh_of_file(body.mesh, units=body.units)
    return made_of(mesh, body.material, body.section)
