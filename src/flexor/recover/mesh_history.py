"""A body as its whole mesh over time, from the signals that a run recorded of its nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
from scipy import sparse

from flexor.bodies.full_mesh.formulation import FullMesh
from flexor.bodies.full_mesh.whole_mesh import WholeMesh
from flexor.elements.assembly.batches import kind_of
from flexor.errors import ModelError, Problem
from flexor.mesh.mesh import RigidLink
from flexor.recover.element_frames import ElementDisplacements, NodeMotion, groups_of
from flexor.recover.from_signals import Reader, Signals
from flexor.recover.history import BodyHistory, Portion, turn
from flexor.recover.linear_field import ElementField
from flexor.recover.sites import operators
from flexor.spatial import MassProperties, log_so3, quaternion_to_matrix


@dataclass(frozen=True, eq=False)
class MeshHistory(BodyHistory):
    """A whole mesh at T times.

    z: displacements of every element in its own frame (`flexor.recover.element_frames`), on which stress depends linearly.
        Stress has the axes of the mesh, carried along by the element: where the body bends far, by more than its frame.
    position, orientation: of the frame that follows the interfaces; displacements of nodes are measured from it.
    reduced: its mesh and interfaces; nothing of it is reduced.   nodal: the motion of all nodes.   masses: (index of the node, MassProperties) of concentrated masses.
    """

    reduced: WholeMesh  # type: ignore[assignment]
    z: ElementDisplacements  # type: ignore[assignment]
    nodal: NodeMotion = None  # type: ignore[assignment]
    masses: tuple[tuple[int, MassProperties], ...] = ()

    __repr__ = BodyHistory.__repr__

    @property
    def n_coordinates(self) -> int:
        return int(self.z.shape[1])

    def _deformed(self, row: int) -> np.ndarray:
        reduced, nodal = self.reduced, self.nodal
        R0 = self.orientation[row]
        u = np.zeros((len(reduced.nodes), 6))
        u[:, :3] = (nodal.x[row] - self.position[row]) @ R0 - reduced.nodes
        own = np.flatnonzero(np.all(reduced.node_dofs[:, 3:] >= 0, axis=1) & (nodal.turning >= 0))
        u[own, 3:] = log_so3(R0.T @ nodal.R[row, nodal.turning[own]])
        return u

    def _path(self, index: int) -> np.ndarray:
        return self._seen(index, slice(None))

    def _connection(self, k: int, rows: slice | np.ndarray | list[int]) -> tuple[np.ndarray, np.ndarray]:
        node = self.reduced.connections[k]
        R = self.nodal.R[rows][:, self.nodal.turning[node]]
        return self._seen(node, rows), np.swapaxes(self.orientation[rows], 1, 2) @ R

    def _seen(self, node: int, rows: slice | np.ndarray | list[int]) -> np.ndarray:
        """(T, 3) displacement of a node against the body frame."""
        arm = turn(np.swapaxes(self.orientation[rows], 1, 2), self.nodal.x[rows][:, node] - self.position[rows])
        return arm - self.reduced.nodes[node]

    def modes_of(self, portions: Sequence[Portion]) -> ElementField:
        rows, columns, values = [], [], []
        sites = 0
        for part in portions:
            m, count, c, N = part.operator.shape
            own = self.z.groups[part.block].first + part.rows[:, None] * N + np.arange(N)
            at = sites + np.arange(m * count).reshape(m, count)
            rows.append(np.broadcast_to((c * at[..., None] + np.arange(c))[..., None], part.operator.shape).ravel())
            columns.append(np.broadcast_to(own[:, None, None], part.operator.shape).ravel())
            values.append(part.operator.ravel())
            sites += m * count
        return ElementField(_matrix(values, rows, columns, (6 * sites, self.n_coordinates)))

    def nodal_modes(self, quantity: str, surface: str) -> tuple[ElementField, np.ndarray]:
        portions = list(operators(self.reduced, quantity, surface, "nodes"))
        every = self.modes_of(portions)  # each element at its own nodes
        nodes = np.concatenate([part.nodes.ravel() for part in portions] or [np.zeros(0, dtype=int)])
        found, inverse, count = np.unique(nodes, return_inverse=True, return_counts=True)
        mean = _matrix([1 / count[inverse]], [inverse], [np.arange(len(nodes))], (len(found), len(nodes)))
        return ElementField(sparse.csr_array(sparse.kron(mean, sparse.eye_array(6)) @ every.matrix)), found

    def strain_energy(self) -> np.ndarray:
        return np.concatenate([self.z.strain_energy(rows) for rows in self.batches()])

    def kinetic_energy(self) -> np.ndarray:
        """Without what the nodal form leaves out in beams and shells (chapter 24), which falls with their strain."""
        total = np.concatenate([self.z.kinetic_energy(rows) for rows in self.batches()])
        nodal = self.nodal
        for node, m in self.masses:
            v, at = nodal.v[:, node], nodal.turning[node]
            if at >= 0:
                R, omega = nodal.R[:, at], nodal.omega[:, at]
                v = v + np.cross(omega, R @ m.com)
                spin = turn(np.swapaxes(R, 1, 2), omega)
                total += 0.5 * np.einsum("ti,ij,tj->t", spin, m.inertia, spin)
            total += 0.5 * m.mass * np.einsum("ti,ti->t", v, v)
        return total

    @property
    def motion(self) -> NoReturn:
        what, why = "it has no rates of modes", "a whole mesh has none"
        raise ModelError(Problem(self.where, what, why, "look at the velocities of its nodes: history.nodal.v"))


def mesh_history_of(realisation: FullMesh, signals: Signals) -> MeshHistory:
    """realisation: the body at work.   signals: a Run, or values by name."""
    body, mesh = realisation.body.name, realisation.mesh
    read = Reader(signals, body)
    times = read("time")
    position, orientation = read.pose(body)
    motion = _nodes(realisation, read, position, orientation)
    kinds = [(len(block.nodes), kind_of(block).dofs) for block in mesh.blocks]
    z = ElementDisplacements(motion, groups_of(realisation.placed, kinds))
    masses = tuple(realisation.concentrated_masses())
    return MeshHistory(realisation.made, times, position, orientation, z, nodal=motion, masses=masses)


def _nodes(realisation: FullMesh, read: Reader, position: np.ndarray, orientation: np.ndarray) -> NodeMotion:
    """The recorded nodes, those that follow them, and points that nothing holds, which stay in the body's frame."""
    mesh, T, n = realisation.mesh, len(position), len(realisation.mesh.points)
    turns = (realisation.width == 6) | np.isin(np.arange(n), list(realisation.dependents))
    turning = np.where(turns, np.cumsum(turns) - 1, -1)
    x = position[:, None] + np.einsum("tij,nj->tni", orientation, mesh.points)
    v = np.zeros((T, n, 3))
    R, omega = np.tile(np.eye(3), (T, int(turns.sum()), 1, 1)), np.zeros((T, int(turns.sum()), 3))
    named = {i: name for i, name in realisation.named.items() if i not in realisation.dependents}
    names = {**named, **{i: f"node_{mesh.node_ids[i]}" for i in realisation.recorded}}
    wanted = [(i, f"{read.body}.{name}") for i, name in names.items()]
    table = read.table([
        f"{name}.{signal}" for i, name in wanted for signal in (*_MOVES, *(_TURNS if turns[i] else ()))
    ])  # fmt: skip
    at = 0
    for i, _ in wanted:
        x[:, i], v[:, i] = table[:, at : at + 3], table[:, at + 3 : at + 6]
        at += 6
        if turns[i]:
            R[:, turning[i]] = quaternion_to_matrix(table[:, at : at + 4])
            omega[:, turning[i]] = table[:, at + 4 : at + 7]
            at += 7
    for link in _masters_first(realisation.links):
        master = turning[link.node]
        for i in link.dependents:
            arm = R[:, master] @ (mesh.points[i] - mesh.points[link.node])
            x[:, i] = x[:, link.node] + arm
            v[:, i] = v[:, link.node] + np.cross(omega[:, master], arm)
            R[:, turning[i]], omega[:, turning[i]] = R[:, master], omega[:, master]
    return NodeMotion(x, v, turning, R, omega)


_MOVES = tuple(f"{what}_{i}" for what in ("position", "velocity") for i in "xyz")
_TURNS = (*(f"orientation_{i}" for i in "wxyz"), *(f"angular_velocity_{i}" for i in "xyz"))


def _masters_first(links: Sequence[RigidLink]) -> list[RigidLink]:
    """Links in such an order that what a link follows is known before."""
    waiting, ordered = list(links), list[RigidLink]()
    while waiting:
        behind = {node for link in waiting for node in link.dependents}
        ready = [link for link in waiting if link.node not in behind]
        ordered += ready
        waiting = [link for link in waiting if link.node in behind]
        if not ready:  # a loop, which the engine has refused
            return ordered + waiting
    return ordered


def _matrix(
    values: list[np.ndarray], rows: list[np.ndarray], columns: list[np.ndarray], shape: tuple[int, int]
) -> sparse.csr_array:
    if not values:
        return sparse.csr_array(shape)
    return sparse.csr_array((np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))), shape=shape)
