"""Geometric stiffness of ties: nodes on rigid arms move in second order as well, and the forces in the ties work on that.

A node that a rigid link carries on an arm r moves by ψ × r + ½ ψ × (ψ × r). With the forces c_k that hold the dependent nodes

    ½ qᵀKq = Σ c_k·½ ψ × (ψ × r_k)

The reference node of an average link turns by the rotation that fits its independent nodes best, which is

    ½ qᵀKq = Σ c_k·(ψ × u_k − ½ ψ × (ψ × y_k))

in the independent nodes' displacements u_k and places y_k against their centre.
"""

from __future__ import annotations

import numpy as np

from flexor.bodies.floating.control_point import motion_rows, nearest_node, nodes_around
from flexor.elements.assembly.model import FeModel
from flexor.reduce.reduced import ReducedBody
from flexor.spatial import PERMUTATION


def tie_stiffness(model: FeModel, held: np.ndarray, U: np.ndarray) -> np.ndarray:
    """(m, m) in the shapes U (n, m) for the forces (n,) that links put on the nodes they tie."""
    dofs, points = model.dofs.node_dofs, model.mesh.points
    forces, moved = model.dofs.nodal(held)[:, :3], model.dofs.nodal(U)
    K = np.zeros((U.shape[1], U.shape[1]))
    for rigid in model.mesh.rigid_links:
        nodes = [n for n in rigid.dependents if np.all(dofs[n, :3] >= 0)]
        V = forces[nodes].T @ (points[nodes] - points[rigid.node])
        K += _turned(V, moved[rigid.node, 3:])
    for average in model.mesh.average_links:
        nodes = list(average.independents)
        weights = np.asarray(average.weights or np.ones(len(nodes)), dtype=float)
        K += _fitted(forces[nodes], points[nodes], moved[nodes, :3], moved[average.node, 3:], weights / weights.sum())
    return 0.5 * (K + K.T)


def on_arm(model: FeModel, reduced: ReducedBody, point: np.ndarray, U: np.ndarray) -> np.ndarray:
    """(6, m, m) displacement and rotation of second order, ½ qᵀNq, of a point by its rigid arm from the nearest node.

    See `motion_rows`: the arm d turns by ψ, ½ ψ × (ψ × d), and where the node itself does not turn, ψ is fitted to the nodes around.
    """
    rows = motion_rows(reduced, point)
    psi = rows[3:] @ U
    node = nearest_node(reduced, point)
    d = np.asarray(point, dtype=float) - reduced.nodes[node]
    N = np.zeros((6, U.shape[1], U.shape[1]))
    if np.any(reduced.node_dofs[node, 3:] < 0):
        around = nodes_around(reduced, node)
        weights = np.full(len(around), 1 / len(around))
        moved = model.dofs.nodal(U)[around, :3]
        for axis in range(3):
            forces = model.dofs.nodal(np.ravel(rows[[3 + axis]].toarray()))[around, :3]
            N[3 + axis] = -_fitted(forces, reduced.nodes[around], moved, psi, weights)
    along = d @ psi
    N[:3] = np.cross(N[3:], d[:, None, None], axis=0)  # ψ⁽²⁾ × d
    N[:3] += 0.5 * (psi[:, :, None] * along + along[:, None] * psi[:, None, :]) - d[:, None, None] * (psi.T @ psi)
    return 0.5 * (N + N.swapaxes(1, 2))


def _fitted(forces: np.ndarray, points: np.ndarray, u: np.ndarray, psi: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """2 Σ c·(ψ × u − ½ ψ × (ψ × y)), u and y against their weighted means"""
    y, u = points - weights @ points, u - np.tensordot(weights, u, 1)
    K = 2 * np.einsum("na,abc,bi,ncj->ij", forces, PERMUTATION, psi, u, optimize=True)
    return 0.5 * (K + K.T) - _turned(forces.T @ y, psi)


def _turned(V: np.ndarray, psi: np.ndarray) -> np.ndarray:
    """Σ c·ψ × (ψ × r) = ψᵀ [sym V − tr V] ψ,  V = Σ c rᵀ"""
    return psi.T @ (0.5 * (V + V.T) - np.trace(V) * np.eye(3)) @ psi
