"""Strain on the surface of a body by its coordinates: where a gauge sits, its axes, and what it shows of unit coordinates."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from flexor.elements.assembly.batches import batches, kind_of
from flexor.elements.surface import SurfacePoint, nearest_on_surface, sharing
from flexor.errors import ModelError, Problem
from flexor.mesh.mesh import Mesh
from flexor.reduce.meshed_body import MeshedBody
from flexor.reduce.reduced import ReducedBody

SURFACES = ("top", "middle", "bottom")
Side = Literal["top", "bottom"]


class ElementOperator(NamedTuple):
    """Six components at a point by the motion of the nodes of one element: (6, k dofs).   nodes: (k,)"""

    nodes: np.ndarray
    dofs: int
    matrix: np.ndarray


def mesh_of(reduced: MeshedBody) -> Mesh:
    """The mesh of a body, as it was before scaling."""
    if reduced.mesh is None:
        what, why = "there are no elements to recover anything in", "it was reduced from matrices"
        raise ModelError(Problem(f"body '{reduced.name}'", what, why, "reduce the mesh itself"))
    return reduced.mesh


def node_motion(reduced: ReducedBody, nodes: np.ndarray) -> np.ndarray:
    """(…, 6, r) motion of nodes (…) that strains the mesh, as it was before scaling, like the body."""
    dofs = reduced.node_dofs[nodes]
    motion = np.where(dofs[..., None] >= 0, reduced.shapes[dofs], 0.0)
    motion[..., :3, :] /= reduced.stretch
    return motion


def operators_at(reduced: MeshedBody, point: SurfacePoint, side: Side) -> tuple[ElementOperator, ElementOperator]:
    """Strain and stress [Pa] at a point of the surface, in the axes of the mesh."""
    mesh = mesh_of(reduced)
    block = mesh.blocks[point.block]
    batch = next(b for b in batches(mesh, block, reduced.options) if b.rows.start <= point.row < b.rows.stop)
    one = slice(point.row - batch.rows.start, point.row - batch.rows.start + 1)
    kind = kind_of(block)
    local = np.array(kind.faces[point.face])
    if kind.dofs == 6:
        local = local + SURFACES.index(side) * kind.n_nodes
    found = []
    for make, scale in ((kind.strain_operator, 1.0), (kind.stress_operator, reduced.stiffening)):
        at_nodes = make(batch.X, batch.properties, "nodes")[one][0][local]  # (k, 6, N)
        matrix = scale * np.einsum("k,kcn->cn", point.weights, at_nodes)
        found.append(ElementOperator(batch.nodes[one][0], kind.dofs, matrix))
    return found[0], found[1]


def axes_on(normal: np.ndarray, direction: np.ndarray, angle: float, where: str) -> np.ndarray:
    """(3, 3) columns: first leg, across it in the surface, outward normal; axes of the body.   where: who is told of mistakes."""
    d = np.array(direction) / np.linalg.norm(direction)
    first = d - (d @ normal) * normal
    if np.linalg.norm(first) < 1e-3:
        told = ", ".join(f"{c:.3g}" for c in normal)
        what, why = "its direction stands on the surface", f"the normal is ({told})"
        raise ModelError(Problem(where, what, why, "give a direction along the surface"))
    first = first / np.linalg.norm(first)
    second = np.cross(normal, first)
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([c * first + s * second, c * second - s * first, normal], axis=1)


def in_plane(axes: np.ndarray, shear: float) -> np.ndarray:
    """(3, 6) from components xx, yy, zz, xy, yz, zx to those in the surface; shear: tensor per stored component."""
    rows = []
    for a, b in ((0, 0), (1, 1), (0, 1)):
        p, q = axes[:, a], axes[:, b]
        pairs = ((0, 1), (1, 2), (2, 0))
        row = np.array([*(p * q), *(shear * (p[i] * q[j] + p[j] * q[i]) for i, j in pairs)])
        rows.append(row / (1.0 if a == b else shear))
    return np.array(rows)


def strain_along(
    reduced: ReducedBody, where: str, at: np.ndarray, direction: np.ndarray, side: Side = "top"
) -> np.ndarray:
    """(r,) strain that a gauge shows of unit coordinates, averaged over the elements that share its place on the surface.

    at: it sits on the nearest point of the surface [m], axes of the body.   direction: projected onto the surface.
    where: who is told of mistakes.
    """
    mesh = mesh_of(reduced)
    point = nearest_on_surface(mesh, where, np.asarray(at) / reduced.stretch)
    points = sharing(mesh, point)
    normal = np.mean([each.normal for each in points], axis=0)
    normal = normal / np.linalg.norm(normal)
    shell = kind_of(mesh.blocks[point.block]).dofs == 6
    axes = axes_on(-normal if shell and side == "bottom" else normal, direction, 0.0, where)
    if (exact := reduced.tensors_at(point.position)) is not None:
        return np.asarray(in_plane(axes, 0.5)[0] @ exact[0])
    rows = []
    for each in points:
        strain, _ = operators_at(reduced, each, side)
        motion = node_motion(reduced, strain.nodes)[:, : strain.dofs].reshape(strain.matrix.shape[1], -1)
        rows.append(strain.matrix @ motion)
    found: np.ndarray = in_plane(axes, 0.5)[0] @ np.mean(rows, axis=0)
    return found
