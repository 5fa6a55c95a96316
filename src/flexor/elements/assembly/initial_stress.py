"""Geometric stiffness: what stress that is there already adds to the stiffness of a mesh.

In a body under initial stress σ the quadratic part of Green's strain does work,

    ½ uᵀ K_g u = ∫ σ : ½ (∇u)ᵀ∇u dV ,      tension stiffens, compression softens

    solids   ∫ ∇Nₐ·σ ∇N_b dV, the same for all three displacements
    shells   the same with the membrane forces N = ∫σ dz in the element's plane, bilinear or linear displacement
    beams    ∫ N (v'² + w'² + I_p/A θ'²) dx with cubic v, w: the beam-column; N constant along the element; and the work of
             the moments at its ends on the local rotations ψ of second order, see `moment_matrices`

Bending moments of shells are left out; springs have none.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from flexor.elements.assembly.batches import Batch, batches
from flexor.elements.assembly.model import FeModel
from flexor.elements.axes import matrix_to_global
from flexor.elements.element import Properties
from flexor.elements.lines.beam2 import Beam2, _Beam
from flexor.elements.needs import section_of
from flexor.elements.shells.shell import Shell, _on_arms
from flexor.elements.solids.gradient_stiffness import VOIGT
from flexor.elements.solids.isoparametric import Solid
from flexor.mesh.section import BEAM_SECTIONS

_PLANE = np.array([[0, 2], [2, 1]])
"""Place of the component (i, j) in xx, yy, xy."""


def initial_stress(model: FeModel, u: np.ndarray) -> list[np.ndarray]:
    """Stress of displacements u (n, …) as `geometric_stiffness` takes it, per block of the mesh:

    solids (m, points, 6, …) at the points of the stiffness rule [Pa]; shells (m, points, 3, …) membrane forces xx, yy,
    xy in the element's axes [N/m]; beams (m, 2, 6, …) section forces N, Qy, Qz, T, My, Mz at the ends; other kinds (m, 0, 0, …).
    """
    values = []
    for block in model.mesh.blocks:
        parts = [_stress(batch, model, u) for batch in batches(model.mesh, block, model.options)]
        values.append(np.concatenate(parts) if parts else np.empty((0, 0, 0, *u.shape[1:])))
    return values


def geometric_stiffness(model: FeModel, stress: Sequence[np.ndarray]) -> sp.csc_array:
    """(n, n) geometric stiffness of all equations, before links and supports, for the stress of one load."""
    rows, columns, entries = [], [], []
    for block, values in zip(model.mesh.blocks, stress, strict=True):
        for batch in batches(model.mesh, block, model.options):
            K = element_matrices(batch, values[batch.rows])
            if K is None:
                continue
            equations = model.dofs.node_dofs[batch.nodes, : batch.kind.dofs].reshape(len(K), -1)
            rows.append(np.broadcast_to(equations[:, :, None], K.shape).ravel())
            columns.append(np.broadcast_to(equations[:, None, :], K.shape).ravel())
            entries.append(K.ravel())
    shape = (model.dofs.n, model.dofs.n)
    if not entries:
        return sp.csc_array(shape)
    found = sp.coo_array((np.concatenate(entries), (np.concatenate(rows), np.concatenate(columns))), shape=shape)
    return sp.csc_array(found.tocsc())


def element_matrices(batch: Batch, stress: np.ndarray) -> np.ndarray | None:
    """(m, N, N) geometric stiffness of some elements under their stress; None for kinds that have none."""
    kind = batch.kind
    if issubclass(kind, Solid):
        return solid_matrices(kind, batch.X, batch.properties, stress)
    if issubclass(kind, Shell):
        return shell_matrices(kind, batch.X, batch.properties, stress)
    if issubclass(kind, Beam2):
        return beam_matrices(batch.X, batch.properties, stress)
    return None


def solid_matrices(kind: type[Solid], X: np.ndarray, p: Properties, stress: np.ndarray) -> np.ndarray:
    """(m, 3k, 3k) from stress (m, points, 6) at the points of the stiffness rule."""
    rule = kind.stiffness_rule
    G, det = kind.gradients(X, rule.points, p)
    flow = np.matmul(G, stress[:, :, VOIGT]) * (det * rule.weights)[:, :, None, None]  # ∇Nₐ·σ dV
    one = np.einsum("mqaj,mqbj->mab", flow, G, optimize=True)
    return _all_directions(one, 3)


def shell_matrices(kind: type[Shell], X: np.ndarray, p: Properties, forces: np.ndarray) -> np.ndarray:
    """(m, 6k, 6k) from membrane forces (m, points, 3) at the points of the element's rule."""
    R, xy, arm, _ = kind._flat(X, p)
    one = np.zeros((len(X), kind.n_nodes, kind.n_nodes))
    for q, (point, weight) in enumerate(zip(kind.rule.points, kind.rule.weights)):
        _, dN = kind.shapes(point)
        G = np.linalg.solve(dN @ xy, np.broadcast_to(dN, (len(X), *dN.shape)))  # (m, 2, k) ∂N/∂x, ∂N/∂y
        area = (weight * kind.area_ratio(xy, point))[:, None, None]
        one += area * (G.swapaxes(1, 2) @ forces[:, q][:, _PLANE] @ G)
    K = _all_directions(one, 6)
    K = _on_arms(_on_arms(K, arm).swapaxes(1, 2), arm)
    return matrix_to_global(np.ascontiguousarray(K), R)


def beam_matrices(X: np.ndarray, p: Properties, forces: np.ndarray) -> np.ndarray:
    """(m, 12, 12) from section forces (m, 2, 6) at the ends, tension positive."""
    beam = _Beam(X, p)
    L = beam.length
    force = forces[:, :, 0].mean(axis=1)
    per_length = np.divide(force, L, out=np.zeros_like(L), where=L > 0)
    K = np.zeros((len(X), 12, 12))
    # ∫ N v'² dx with cubic v:  N/L [6/5 at the displacements, L/10 between them and slopes, L²(2/15, −1/30) at slopes]
    for v, slope, sign in ((1, 5, 1.0), (2, 4, -1.0)):  # θz = v', θy = −w'
        at, turn = (v, v + 6), (slope, slope + 6)
        for a in range(2):
            for b in range(2):
                K[:, at[a], at[b]] += per_length * (1.2 if a == b else -1.2)
                K[:, turn[a], turn[b]] += per_length * L**2 * (2 / 15 if a == b else -1 / 30)
                bend = per_length * L * sign * (0.1 if a == 0 else -0.1)
                K[:, at[a], turn[b]] += bend
                K[:, turn[b], at[a]] += bend
    section = section_of("beam2", p, BEAM_SECTIONS)
    polar = (section.Iy + section.Iz) / section.area if section.area > 0 else 0.0
    for a, b, sign in ((3, 3, 1.0), (9, 9, 1.0), (3, 9, -1.0), (9, 3, -1.0)):
        K[:, a, b] += sign * polar * per_length
    return beam.to_nodes(K + moment_matrices(L, forces))


def moment_matrices(L: np.ndarray, forces: np.ndarray) -> np.ndarray:
    """(m, 12, 12) of the torque and the bending moments (m, 2, 6) at the ends of beams of length L, local axes.

    The frame of a beam turns with its chord, w = (u₂ − u₁)/L, and the mean twist τ of its ends. Its end k turns against that by
    exp ψ_k = exp(−θ_e) exp θ_k, to second order

        ψ_k = θ_k − θ_e − ½ θ_e × θ_k,    θ_e = (τ, −w_z, w_y) + (…, w_x w_z + ½ τ w_y, −w_x w_y + ½ τ w_z)
    """
    one = np.eye(12)
    per = np.divide(1.0, L, out=np.zeros_like(L), where=L > 0)[:, None]
    along, y, z = (per * (one[6 + i] - one[i]) for i in range(3))  # w
    twist = np.broadcast_to(0.5 * (one[3] + one[9]), y.shape)
    K = np.zeros((len(L), 12, 12))

    def add(factor: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
        """½ qᵀKq += factor · (a·q)(b·q)"""
        part = factor[:, None, None] * a[:, :, None] * np.broadcast_to(b, a.shape)[:, None, :]
        K[:] += part + part.swapaxes(1, 2)

    for end, sign in ((0, -1.0), (1, 1.0)):  # moments that hold the ends
        My, Mz = sign * forces[:, end, 4], sign * forces[:, end, 5]
        x_k, y_k, z_k = one[6 * end + 3 : 6 * end + 6]
        add(-My, along, z)
        add(-0.5 * My, y, twist)
        add(-0.5 * My, y, x_k)
        add(0.5 * My, twist, z_k)
        add(Mz, along, y)
        add(-0.5 * Mz, z, twist)
        add(-0.5 * Mz, z, x_k)
        add(-0.5 * Mz, twist, y_k)
    torque = forces[:, :, 3].mean(axis=1)
    add(0.5 * torque, y, one[10] - one[4])
    add(0.5 * torque, z, one[11] - one[5])
    return K


def _stress(batch: Batch, model: FeModel, u: np.ndarray) -> np.ndarray:
    kind, X, p = batch.kind, batch.X, batch.properties
    if issubclass(kind, Solid):
        operator = p.D[:, None] @ kind.strain_matrices(X, kind.stiffness_rule.points, p)
    elif issubclass(kind, Shell):
        operator = kind.resultant_operator(X, p, "points")[:, :, :3]
    elif issubclass(kind, Beam2):
        operator = kind.force_operator(X, p, "nodes")
    else:
        return np.empty((len(X), 0, 0, *u.shape[1:]))
    m, points, components, N = operator.shape
    local = u[model.dofs.node_dofs[batch.nodes, : kind.dofs].reshape(m, N)].reshape(m, N, -1)
    return np.matmul(operator.reshape(m, points * components, N), local).reshape(m, points, components, *u.shape[1:])


def _all_directions(one: np.ndarray, dofs: int) -> np.ndarray:
    """(m, k·dofs, k·dofs) matrices that act like (m, k, k) on each of the three displacements."""
    m, k, _ = one.shape
    K = np.zeros((m, k, dofs, k, dofs))
    for i in range(3):
        K[:, :, i, :, i] = one
    return K.reshape(m, k * dofs, k * dofs)
