"""Geometric stiffening of a floating body: stress of its own inertia loads, as stiffness of its modes.

A body that is carried along by a joint is loaded by its inertia, −ρ(a + ω̇ × x + ω × (ω × x)), x from the centre of mass,
and stands under a stress that is linear in the proper acceleration a of its frame, in ω̇ and in the products ωᵢωⱼ. The
geometric stiffness of that stress is linear in them, too:

    Σ aₖ Bₖ + Σ ω̇ₖ Aₖ + Σ ωᵢωⱼ Kᵢⱼ

Which forces hold the body against the load decides the stress. `held` names the interfaces that take them: the root of a
blade. A body without, held nowhere in particular (a spinning free body, or one supported softly all over), is in balance
with itself: its rigid-body inertia takes the net load, a and ω̇ leave no stress, and a spin does as far as it stretches.
Forces that other joints or loads put into the body are not in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexor.bodies.floating import PAIRS, Stiffening
from flexor.bodies.mean_axes import MeanAxes
from flexor.elements.assembly import FeModel, assemble
from flexor.elements.initial_stress import geometric_stiffness, initial_stress
from flexor.errors import ModelError
from flexor.errors import Problem as Mistake
from flexor.reduce.factor import few_threads
from flexor.reduce.from_mesh import rigid_coordinates
from flexor.reduce.problem import Problem
from flexor.reduce.reduced import ReducedBody
from flexor.reduce.tie import connections_of


def stiffening(reduced: ReducedBody, axes: MeanAxes, held: str | Sequence[str] | None = None) -> Stiffening:
    """Geometric stiffness of the modes per unit motion of the frame.

    held: interface (or interfaces) whose forces carry the body's inertia, e.g. "root"; None: a body in balance with
    itself. The stress is that of the whole mesh, not of the reduced body; one factorisation, 12 load cases.
    """
    names = () if held is None else (held,) if isinstance(held, str) else tuple(held)
    at = [reduced.at(name) for name in names]  # refuses unknown names
    mesh = _Loaded(reduced, axes.com, names, np.array(at).reshape(-1, 3))
    U = reduced.shapes @ axes.modes
    with few_threads(mesh.problem.n):
        stress = initial_stress(mesh.model, mesh.displacements())
        parts = []
        for case in range(12):
            G = geometric_stiffness(mesh.model, [values[..., case] for values in stress])
            K = U.T @ (G @ U)
            parts.append(0.5 * (K + K.T))
    found = np.array(parts)
    return Stiffening(found[:3], found[3:6], found[6:])


@dataclass(frozen=True, eq=False)
class _Loaded:
    """The mesh of a reduced body, held at some interfaces, under its inertia."""

    reduced: ReducedBody
    com: np.ndarray
    names: tuple[str, ...]
    at: np.ndarray

    @cached_property
    def model(self) -> FeModel:
        body = self.reduced
        where = f"body '{body.name}'"
        if body.mesh is None:
            why, fix = "it was reduced from matrices", "reduce the mesh itself"
            raise ModelError(Mistake(where, "there are no elements whose stress could stiffen it", why, fix))
        model = assemble(body.mesh, options=body.options)
        mass = model.mass_properties.mass
        if body.stretch != 1.0 or body.stiffening != 1.0 or abs(mass / body.invariants.mass - 1) > 1e-6:
            why, fix = "its mesh is that of the body before", "scale the mesh and its material, then reduce it"
            raise ModelError(Mistake(where, "the stress of a scaled body is not known", why, fix))
        return model

    @cached_property
    def problem(self) -> Problem:
        model, mesh = self.model, self.model.mesh
        nodes = [self._connection_node(x) for x in self.at]
        return Problem(
            K=model.K_reduced,
            M=model.M_reduced,
            C=connections_of(model.T, model.dofs.node_dofs[nodes].reshape(-1, 6), self.names),
            points=mesh.points[nodes].reshape(-1, 3),
            names=self.names,
            rigid=rigid_coordinates(model.dofs, mesh.points, model.independent),
            T=model.T,
            M_full=model.M,
            owners=model.dofs.owners,
            nodes=mesh.points,
            node_ids=mesh.node_ids,
        )

    def _connection_node(self, x: np.ndarray) -> int:
        """The node at x; of several the last with rotations: connection nodes stand behind those of the mesh."""
        points = self.model.mesh.points
        same = np.flatnonzero(np.linalg.norm(points - x, axis=1) <= 1e-9 * np.ptp(points))
        return int([n for n in same if np.all(self.model.dofs.node_dofs[n] >= 0)][-1])

    def loads(self) -> np.ndarray:
        """(n, 12) inertia loads of unit accelerations, angular accelerations and products ωᵢωⱼ, all equations."""
        model = self.model
        x = model.mesh.points - self.com
        motions = model.dofs.rigid_modes(model.mesh.points, about=self.com)
        momentum = model.M @ motions
        nodal = model.dofs.nodal(momentum[:, 3:])  # (n_nodes, 6, 3)
        node, component = model.dofs.owners.T
        spins = []
        for i, j in PAIRS:
            load = _turned(i, nodal[..., j], x) + (_turned(j, nodal[..., i], x) if i != j else 0.0)
            spins.append(load[node, component])
        return -np.column_stack([momentum, *spins])

    def displacements(self) -> np.ndarray:
        """(n, 12) displacements of all equations under the loads."""
        p = self.problem
        f = p.T.T @ self.loads()
        q = p.held.solve(f) if self.names else p.solve_free(p.balanced(f))
        return np.asarray(p.T @ q)


def _turned(i: int, momentum: np.ndarray, x: np.ndarray) -> np.ndarray:
    """(n_nodes, 6) loads that turn the momenta (p, h) of the nodes about eᵢ: (e × p, e × h + (e × x) × p)."""
    e = np.eye(3)[i]
    linear, angular = momentum[:, :3], momentum[:, 3:]
    return np.hstack([np.cross(e, linear), np.cross(e, angular) + np.cross(np.cross(e, x), linear)])
