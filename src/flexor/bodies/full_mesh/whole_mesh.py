"""The whole mesh of a declared flexible body, with its connection nodes and its mass; nothing of it is reduced."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from flexor.bodies.attachment import Refuse
from flexor.bodies.body_mesh import mesh_of, refuse_forgotten
from flexor.bodies.full_mesh.corotated_element import KINDS
from flexor.bodies.full_mesh.ties import refuse_ties
from flexor.elements.assembly.batches import kind_of
from flexor.io.file_mark import files_read
from flexor.mesh.mesh import Mesh
from flexor.reduce.free_body import FreeBody
from flexor.reduce.meshed_body import MeshedBody, fields_of
from flexor.reduce.of_mesh import connected, free_body
from flexor.spatial import MassProperties
from flexor.threads import few_threads

if TYPE_CHECKING:
    from flexor.bodies.flexible_body import FlexibleBody

MOST_MEMORY = 0.5
"""Share of the machine's memory that the matrices of the elements may take, if no two of them are alike."""


@dataclass(frozen=True, eq=False, kw_only=True)
class WholeMesh(MeshedBody):
    """A mesh whose elements all move.

    mesh: without supports, its interfaces tied by links.   connections: indices of the connection nodes.
    shares: (c, 2) mass and mean rotational inertia that each connection node carries [kg, kg m²].
    rigid_mass: 6×6 mass matrix of the undeformed body about the origin.
    """

    mesh: Mesh
    connections: tuple[int, ...]
    shares: np.ndarray
    rigid_mass: np.ndarray

    @property
    def mass_properties(self) -> MassProperties:
        return MassProperties.of_matrix(self.rigid_mass)


def whole_mesh(body: FlexibleBody) -> WholeMesh:
    """Read and prove sound what the declaration asks for."""
    refuse_forgotten(body)
    if body.mesh is None:
        why, fix = "a reduced body keeps its coordinates alone", "name the mesh, or use formulation: superelement"
        raise body.refuse("it has no mesh whose elements could move", why, fix)
    with files_read() as files:
        mesh = mesh_of(body)
    _refuse_elements(mesh, body.refuse)
    whole = connected(mesh, body.interfaces or None, body.ignore_supports)
    problem = free_body(whole)
    refuse_ties(whole.mesh, body.refuse)
    return WholeMesh(
        name=body.name,
        connections=tuple(whole.nodes),
        shares=body.mass_scale * _shares(problem),
        rigid_mass=body.mass_scale * problem.rigid_mass,
        stiffening=body.stiffness_scale,
        files=files,
        **fields_of(problem),
    )


def _shares(p: FreeBody) -> np.ndarray:
    """(c, 2) of the connection nodes: diag SᵀMS, S the static shapes of their unit motions, as a superelement has them.

    That the stiffness has factors where these nodes are held proves that the mesh is no mechanism.
    """
    with few_threads(p.n):
        _ = p.held.factors
        if not p.n_connections:
            return np.zeros((0, 2))
        S = p.static
        return np.einsum("ij,ij->j", S, p.M @ S).reshape(-1, 2, 3).mean(axis=2)


def _memory() -> float:
    """Memory of the machine [bytes]; infinite where that cannot be asked."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE")) * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return math.inf


def _refuse_elements(mesh: Mesh, refuse: Refuse) -> None:
    kinds = [(len(block.nodes), kind_of(block)) for block in mesh.blocks]
    needed = 8.0 * sum(m * (6 * kind.n_nodes) ** 2 * (2 if kind.dofs == 3 else 11) for m, kind in kinds)
    if needed > MOST_MEMORY * (memory := _memory()):
        why = f"their matrices may take {needed / 1e9:.3g} GB, and the machine has {memory / 1e9:.3g} GB"
        raise refuse(
            f"its mesh has {mesh.n_elements} elements", why, "use formulation: superelement, or a coarser mesh"
        )
    for block in mesh.blocks:
        if block.element not in KINDS:
            what = f"its mesh has {block.element} elements"
            why = "their stiffness between single directions has no meaning in large rotation"
            raise refuse(what, why, "use forces between bodies, or formulation: superelement")
