"""The mesh of a reduced body under loads: its stress, its geometric stiffness, its answers to further loads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse

from flexor.bodies.floating.control_point import motion_rows
from flexor.bodies.floating.law import PAIRS, pair_sum
from flexor.bodies.floating.tie_stiffness import tie_stiffness
from flexor.elements.assembly.initial_stress import geometric_stiffness, initial_stress
from flexor.elements.assembly.model import FeModel, assemble
from flexor.errors import ModelError, Problem
from flexor.reduce.free_body import FreeBody
from flexor.reduce.invariants import spin_loads
from flexor.reduce.of_mesh import rigid_coordinates
from flexor.reduce.reduced import ReducedBody
from flexor.reduce.tie import connections_of
from flexor.threads import few_threads


@dataclass(frozen=True, eq=False)
class LoadedMesh:
    """The mesh of a reduced body under loads that its rigid-body inertia balances."""

    reduced: ReducedBody

    @cached_property
    def model(self) -> FeModel:
        body = self.reduced
        where = f"body '{body.name}'"
        if body.mesh is None:
            why, fix = "it was reduced from matrices", "reduce the mesh itself"
            raise ModelError(Problem(where, "there are no elements whose stress could stiffen it", why, fix))
        if body.stretch != 1.0:
            why, fix = "its mesh is that of the body before", "scale the mesh, then reduce it"
            raise ModelError(Problem(where, "the stress of a body of another size is not known", why, fix))
        return assemble(body.mesh, options=body.options)

    @cached_property
    def problem(self) -> FreeBody:
        model, mesh = self.model, self.model.mesh
        return FreeBody(
            K=model.K_reduced,
            M=model.M_reduced,
            C=connections_of(model.T, np.zeros((0, 6), dtype=int), ()),
            points=np.zeros((0, 3)),
            names=(),
            rigid=rigid_coordinates(model.dofs, mesh.points, model.independent),
            T=model.T,
            M_full=model.M,
            owners=model.dofs.owners,
            nodes=mesh.points,
            node_ids=mesh.node_ids,
            mesh=mesh,
            options=model.options,
        )

    @property
    def spins(self) -> np.ndarray:
        """(n, 6) inertia loads of unit products ωᵢωⱼ, all equations."""
        loads = spin_loads(self.problem)
        return -np.array([pair_sum(loads, *pair) for pair in PAIRS]).T

    def unit_loads(self, point: str | np.ndarray) -> np.ndarray:
        """(n, 6) unit forces and moments at an interface or a place, all equations."""
        if not isinstance(point, str):
            return np.asarray(motion_rows(self.reduced, point).toarray().T)
        if (rows := self.reduced.interface_rows(point)) is not None:
            return np.asarray(rows.toarray().T)
        loads = np.zeros((self.model.dofs.n, 6))
        loads[self.model.dofs.node_dofs[self._connection_node(self.reduced.at(point))], np.arange(6)] = 1.0
        return loads

    def _connection_node(self, x: np.ndarray) -> int:
        """The node at x; of several the last with rotations: connection nodes stand behind those of the mesh."""
        points = self.model.mesh.points
        same = np.flatnonzero(np.linalg.norm(points - x, axis=1) <= 1e-9 * np.ptp(points))
        return int([n for n in same if np.all(self.model.dofs.node_dofs[n] >= 0)][-1])

    def stretches(self, com: np.ndarray) -> np.ndarray:
        """(n, 6) the fields eᵢ × (eⱼ × x) at all equations, without rigid-body motion; nodes do not turn in them."""
        p, model = self.problem, self.model
        x = model.mesh.points - com
        fields = []
        for i, j in PAIRS:
            nodal = np.zeros((len(x), 6))
            for a, b in ((i, j), (j, i)) if i != j else ((i, i),):
                nodal[:, :3] += np.cross(np.eye(3)[a], np.cross(np.eye(3)[b], x))
            fields.append(nodal[tuple(model.independent.T)])
        q = np.array(fields).T
        return np.asarray(p.T @ (q - p.rigid_modes @ (p.rigid_modes.T @ (p.M @ q))))

    def stiffness(self, loads: np.ndarray, U: np.ndarray) -> np.ndarray:
        """(k, m, m) geometric stiffness in the shapes U of the stress under loads (n, k)."""
        with few_threads(self.problem.n):
            return np.array([state.stiffness(U) for state in self.stressed(loads)])

    def stressed(self, loads: np.ndarray) -> Iterator[Stressed]:
        """Its states of stress under loads (n, k), one after the other."""
        p = self.problem
        whole = p.T @ p.rigid_modes
        loads = loads - p.M_full @ (whole @ (whole.T @ loads))  # in balance
        u = np.asarray(p.T @ p.solve_free(p.T.T @ loads))
        stress = initial_stress(self.model, u)
        held = np.asarray(self.model.K @ u) - loads  # forces of the ties
        for case in range(loads.shape[1]):
            K_g = geometric_stiffness(self.model, [values[..., case] for values in stress])
            yield Stressed(self.model, K_g, held[:, case])

    def while_held(self, held: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
        """From forces (n, k) to displacements, while points stay where they are;  held: (n, c) unit loads at these."""
        p = self.problem

        def free(forces: np.ndarray) -> np.ndarray:
            return np.asarray(p.T @ p.solve_free(p.balanced(p.T.T @ forces)))

        by_points = np.hstack([free(held), p.T @ p.rigid_modes])
        moved = np.linalg.pinv(held.T @ by_points)

        def answers(forces: np.ndarray) -> np.ndarray:
            u = free(forces)
            return np.asarray(u - by_points @ (moved @ (held.T @ u)))

        return answers


@dataclass(frozen=True, eq=False)
class Stressed:
    """A mesh under the stress of one load.

    K_g: geometric stiffness of its elements.   ties: forces (n,) that links put on the nodes they tie.
    """

    model: FeModel
    K_g: sparse.csc_array
    ties: np.ndarray

    def stiffness(self, U: np.ndarray) -> np.ndarray:
        """(m, m) geometric stiffness of elements and links in the shapes U (n, m)."""
        K = U.T @ (self.K_g @ U) + tie_stiffness(self.model, self.ties, U)
        return np.asarray(0.5 * (K + K.T))
