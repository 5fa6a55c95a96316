"""Geometric stiffening of a floating body: stress of its own inertia loads, as displacements of second order in its modes.

A body that is carried along by a joint is loaded by its inertia, −ρ(a + ω̇ × x + ω × (ω × x)), x from the centre of mass,
and stands under a stress that is linear in the proper acceleration a of its frame, in ω̇ and in the products ωᵢωⱼ. The
geometric stiffness of that stress is linear in them, too:

    Σ aₖ Bₖ + Σ ω̇ₖ Aₖ + Σ ωᵢωⱼ Kᵢⱼ

By reciprocity these matrices tell how the mass of the body moves in second order: ½qᵀBₖq = ∫ρ u⁽²⁾ₖ and so on (`Shortening`).

Which forces hold the body against the load decides the stress. `held` names the interfaces that take them: the root of a
blade. A body without, held nowhere in particular (a spinning free body, or one supported softly all over), is in balance
with itself: its rigid-body inertia takes the net load, a and ω̇ leave no stress, and a spin does as far as it stretches.
Forces that other joints or loads put into the body are not in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from flexor.bodies.floating import PAIRS, pair_sum
from flexor.bodies.mean_axes import MeanAxes
from flexor.bodies.stiffened import Shortening
from flexor.elements.assembly import FeModel, assemble
from flexor.elements.initial_stress import geometric_stiffness, initial_stress
from flexor.errors import ModelError
from flexor.errors import Problem as Mistake
from flexor.reduce.factor import few_threads
from flexor.reduce.from_mesh import rigid_coordinates
from flexor.reduce.invariants import Invariants, invariants
from flexor.reduce.problem import Problem
from flexor.reduce.reduced import ReducedBody
from flexor.reduce.tie import connections_of

SAME = 1e-6
"""Kinetic energy of a field, relative to that of its parts, below which it counts as a sum of others."""
NEGLIGIBLE = 1e-5
"""Shortening at equal strain energy, relative to the largest, that is left out."""


@dataclass(frozen=True, eq=False)
class Stiffening:
    """Geometric stiffness (m, m) of the modes per unit of the frame's motion, in the axes and at the origin of the frame.

    acceleration: (3, m, m) per proper acceleration a − g [1/(m/s²)];  spin: (3, m, m) per angular acceleration;
    centrifugal: (6, m, m) per product ωᵢωⱼ, order `PAIRS`.
    """

    acceleration: np.ndarray
    spin: np.ndarray
    centrifugal: np.ndarray


def stiffening(reduced: ReducedBody, axes: MeanAxes, held: str | Sequence[str] | None = None) -> Stiffening:
    """Geometric stiffness of the modes per unit motion of the frame.

    held: interface (or interfaces) whose forces carry the body's inertia, e.g. "root"; None: a body in balance with
    itself. The stress is that of the whole mesh, not of the reduced body; one factorisation, 12 load cases.
    """
    mesh = _loaded(reduced, axes, held)
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


def shortening(reduced: ReducedBody, axes: MeanAxes, held: str | Sequence[str] | None = None) -> Shortening:
    """Displacements of second order in the modes, from the geometric stiffness; `held` as for `stiffening`.

    The twelve matrices are the projections of u⁽²⁾ on the fields eₖ, eₖ × x, eᵢ × (eⱼ × x), which span all affine fields
    t + L x. u⁽²⁾ is taken as the affine field F η that has these projections: of all with them, the one of least
    kinetic energy.
    """
    mesh = _loaded(reduced, axes, held)
    p, m = mesh.problem, axes.size
    stiff = stiffening(reduced, axes, held)
    known = np.concatenate([stiff.acceleration, stiff.spin, stiff.centrifugal])  # ∫ρ f·u⁽²⁾ = ½ qᵀ known q
    U = np.hstack([reduced.shapes @ axes.modes, _affine(mesh.model, axes.com)])
    inertia, mass = invariants(p, U).about(axes.com), U.T @ (p.M_full @ U)
    felt = [inertia.translation, inertia.rotation, [pair_sum(inertia.centrifugal, *pair) for pair in PAIRS]]
    felt = np.concatenate(felt)[:, m:]  # the same projections of the fields

    size = np.sqrt(np.maximum(np.diag(mass)[m:], 0.0))
    size[size == 0] = np.inf
    energy, V = np.linalg.eigh(mass[m:, m:] / np.outer(size, size))
    V = (V / size[:, None])[:, energy > SAME] / np.sqrt(energy[energy > SAME])  # orthonormal fields
    N = np.linalg.solve(V.T @ felt @ V, np.tensordot(V.T, known, 1).reshape(V.shape[1], -1))
    stiffness = np.sqrt(axes.squares)
    Q, values, _ = np.linalg.svd(N / np.outer(stiffness, stiffness).ravel(), full_matrices=False)
    Q = Q[:, values > NEGLIGIBLE * values[0]]
    basis = _block(np.eye(m), V @ Q)
    mass = basis.T @ mass @ basis
    mass[:m, :m] = np.eye(m)
    return Shortening((Q.T @ N).reshape(-1, m, m), mass, _with_own(inertia.in_basis(basis), axes.invariants))


def _affine(model: FeModel, com: np.ndarray) -> np.ndarray:
    """(N, 12) displacements of all freedoms: rigid motions, and the fields of ωᵢωⱼ with nodes that do not turn."""
    points = model.mesh.points
    x = points - com
    stretches = []
    for i, j in PAIRS:
        nodal = np.zeros((len(x), 6))
        for a, b in ((i, j), (j, i)) if i != j else ((i, i),):
            nodal[:, :3] += np.cross(np.eye(3)[a], np.cross(np.eye(3)[b], x))
        stretches.append(nodal[tuple(model.independent.T)])
    return np.hstack([model.dofs.rigid_modes(points, about=com), model.T @ np.array(stretches).T])


def _block(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    zero = np.zeros
    return np.block([[A, zero((len(A), B.shape[1]))], [zero((len(B), A.shape[1])), B]])


def _with_own(inertia: Invariants, own: Invariants) -> Invariants:
    """The invariants of modes and fields, with those of the modes as the body has them."""
    m = own.size
    products = inertia.products.copy()
    products[:, :, :m, :m] = own.products
    joined = {
        name: np.concatenate([getattr(own, name), getattr(inertia, name)[..., m:]], axis=-1)
        for name in ("translation", "rotation", "centrifugal")
    }
    return replace(own, **joined, products=products)


def _loaded(reduced: ReducedBody, axes: MeanAxes, held: str | Sequence[str] | None) -> _Loaded:
    names = () if held is None else (held,) if isinstance(held, str) else tuple(held)
    at = [reduced.at(name) for name in names]  # refuses unknown names
    return _Loaded(reduced, axes.com, names, np.array(at).reshape(-1, 3))


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
            mesh=mesh,
            options=model.options,
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
