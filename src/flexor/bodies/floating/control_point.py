"""What a point of a floating body does in its modes: displacement, rotation, strain, stress; and loads on the modes.

These are the control points of NAK 9: places where joints, sensors and loads attach to a deforming body.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from flexor.elements.assembly.batches import kind_of
from flexor.elements.assembly.stress import has_stress, nodal_stress_matrix
from flexor.errors import ModelError, Problem
from flexor.spatial import skew

if TYPE_CHECKING:
    from flexor.bodies.floating.mean_axes import MeanAxes
    from flexor.reduce.reduced import ReducedBody

NEIGHBOURS = 8
"""Nodes whose mean rotation stands for that of a point, where there are no elements to tell its neighbours."""


Place = ArrayLike | str
"""A point in the axes of the body [m], or the name of an interface."""


def shape_at(reduced: ReducedBody, modes: np.ndarray, point: Place) -> tuple[np.ndarray, np.ndarray]:
    """S and Ψ (3, m): displacement and rotation by the modes of an interface, by name, or of a point [m].

    At an interface they are the motion of its connection node. Elsewhere they are those of the node nearest to the point,
    on a rigid arm from there. A node of solids has no rotation; its own is that of the rigid motion which fits
    the displacements of all nodes of the elements that meet there best, in the sense of least squares. A body of shape functions
    knows the motion of every point.
    """
    if isinstance(point, str):
        reduced.at(point)  # refuses unknown names
        rows = 6 * reduced.interfaces.index(point) + np.arange(6)
        motion = reduced.at_connections[rows] @ modes
    elif (exact := reduced.motion_at(point)) is not None:
        motion = exact @ modes
    else:
        rows = motion_rows(reduced, point)
        used = np.unique(rows.indices)
        motion = rows[:, used] @ (reduced.shapes[used] @ modes)
    return motion[:3], motion[3:]


def motion_rows(reduced: ReducedBody, point: ArrayLike) -> sparse.csr_array:
    """(6, N) displacement and rotation of a point [m] by all degrees of freedom of the mesh; see `shape_at`."""
    x = np.asarray(point, dtype=float)
    node = nearest_node(reduced, x)
    N = len(reduced.shapes)
    S, turned = _picked(reduced.node_dofs[node, :3], N), reduced.node_dofs[node, 3:]
    Psi = _picked(turned, N) if np.all(turned >= 0) else _mean_rotation(reduced, node)
    return sparse.csr_array(sparse.vstack([S - skew(x - reduced.nodes[node]) @ Psi, Psi]))  # u = u_n + ψ × d


def _picked(equations: np.ndarray, N: int) -> sparse.csr_array:
    return sparse.csr_array(
        (np.ones(len(equations)), (np.arange(len(equations)), equations)), shape=(len(equations), N)
    )


def nearest_node(reduced: ReducedBody, point: ArrayLike) -> int:
    """Index of the node nearest to a point among those that move in all three directions."""
    moves = np.flatnonzero(np.all(reduced.node_dofs[:, :3] >= 0, axis=1))
    return int(moves[np.argmin(np.linalg.norm(reduced.nodes[moves] - np.asarray(point, dtype=float), axis=1))])


def stress_at(reduced: ReducedBody, modes: np.ndarray, point: Place, *, surface: str = "top") -> np.ndarray:
    """(6, m) stress by the modes at the node nearest to a point, xx yy zz xy yz zx in the body's axes [Pa]."""
    return reduced.stiffening * _recovered(reduced, modes, point, "stress", surface)


def strain_at(reduced: ReducedBody, modes: np.ndarray, point: Place, *, surface: str = "top") -> np.ndarray:
    """The same for strain, with engineering shear γ = 2 ε."""
    return _recovered(reduced, modes, point, "strain", surface)


def load_on(reduced: ReducedBody, axes: MeanAxes, f: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(6 + m,) force and moment at the frame, in its axes, and modal forces of nodal forces f on the mesh [N, N m].

    They turn with the body. By virtual work the modal forces are (shapes Φ)ᵀ f. And (3, m): the moment that the forces
    gain per unit of each mode as they move along with the nodes, ∫ S × f.
    """
    model, U = reduced.loadable(), reduced.shapes @ axes.modes
    rigid = model.dofs.rigid_modes(reduced.nodes, about=axes.com)
    moved, forces = model.dofs.nodal(U)[:, :3], model.dofs.nodal(f)[:, :3]
    lever = np.cross(moved, forces[:, :, None], axis=1).sum(axis=0)
    return np.concatenate([rigid.T @ f, U.T @ f]), lever


def _recovered(
    reduced: ReducedBody, modes: np.ndarray, point: Place, quantity: Literal["stress", "strain"], surface: str
) -> np.ndarray:
    model, u = reduced.strained()
    x = reduced.at(point) if isinstance(point, str) else np.asarray(point, dtype=float)
    node = _nearest_stressed(reduced, x)
    matrix = nodal_stress_matrix(model, np.array([node]), quantity=quantity, surface=surface)
    return np.asarray((matrix @ u) @ modes)


def _nearest_stressed(reduced: ReducedBody, x: np.ndarray) -> int:
    """The node of a solid or shell nearest to a point."""
    blocks = [block for block in reduced.mesh.blocks if has_stress(kind_of(block))]  # type: ignore[union-attr]
    if not blocks:
        why, fix = "it has neither solids nor shells", "use the section forces of its beams"
        raise ModelError(Problem(f"body '{reduced.name}'", "it has no stress at a point", why, fix))
    nodes = np.unique(np.concatenate([np.ravel(block.nodes) for block in blocks]))
    return int(nodes[np.argmin(np.linalg.norm(reduced.nodes[nodes] - x, axis=1))])


def _mean_rotation(reduced: ReducedBody, node: int) -> sparse.csr_array:
    """(3, N) rotation of the rigid motion that fits the displacements of the nodes around one best."""
    around = nodes_around(reduced, node)
    d = reduced.nodes[around] - reduced.nodes[around].mean(axis=0)
    J = np.einsum("ni,ni->", d, d) * np.eye(3) - d.T @ d
    if np.linalg.eigvalsh(J)[0] <= 1e-9 * np.trace(J):
        what = f"the nodes around node {reduced.node_ids[node]} lie on one line"
        raise ModelError(
            Problem(f"body '{reduced.name}'", what, "they do not tell a rotation", "name an interface there")
        )
    u = _picked(reduced.node_dofs[around, :3].ravel(), len(reduced.shapes))
    return sparse.csr_array(np.linalg.solve(J, np.hstack(list(skew(d)))) @ u)  # J ψ = Σ d × u


def nodes_around(reduced: ReducedBody, node: int) -> np.ndarray:
    """Nodes of the elements that meet at a node, itself included."""
    found = [] if reduced.mesh is None else [
        np.unique(np.asarray(b.nodes)[np.any(np.asarray(b.nodes) == node, axis=1)]) for b in reduced.mesh.blocks
    ]  # fmt: skip
    around = np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=int)
    around = around[np.all(reduced.node_dofs[around, :3] >= 0, axis=1)]
    if len(around) >= 3:
        return around
    moves = np.flatnonzero(np.all(reduced.node_dofs[:, :3] >= 0, axis=1))
    order = np.argsort(np.linalg.norm(reduced.nodes[moves] - reduced.nodes[node], axis=1), kind="stable")
    return moves[order[:NEIGHBOURS]]
