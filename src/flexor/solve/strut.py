"""A reduced body as something that buckles: its loads, and its geometric stiffness under them.

The stress is that of all its loads on the mesh, so deformations that its shapes lack count as well: forces and moments at its
points, loads on the mesh itself (pressure, traction, ...), its spin, and the inertia and weight that balance them,

    f = Σ N_pᵀ f_p + λ(t) f_mesh − ∫ρ ω × (ω × x) − M (rigid-body acceleration)

Loads on the mesh count as if they kept their direction, as loads at points do: a body that is clamped at one end buckles by a
pressure on the other as by a force there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from scipy import linalg, sparse

from flexor.bodies import DeformableBody
from flexor.bodies.carried_load import nodal_forces
from flexor.bodies.floating.formulation import Floating
from flexor.bodies.floating.loaded_mesh import LoadedMesh, Stressed
from flexor.bodies.floating.mean_axes import MeanAxes, mean_axes
from flexor.bodies.superelement.formulation import Superelement
from flexor.bodies.superelement.layout import CorotatedBody
from flexor.bodies.superelement.shadow_frame import find_frame, turning_condition
from flexor.dotted import split
from flexor.engine.system import System
from flexor.errors import FlexorError
from flexor.law import RESIDUAL
from flexor.reduce.reduced import ReducedBody
from flexor.spatial import skew


@dataclass(frozen=True)
class Loads:
    """What loads a body, in its own axes.

    at_points: force and moment at each of its points [N, N m].   factors: of the loads on its mesh.
    omega: angular velocity [rad/s].
    """

    at_points: dict[str, np.ndarray]
    factors: np.ndarray
    omega: np.ndarray


@dataclass(frozen=True)
class Loaded:
    """A body under its loads, in its own axes and coordinates: frame and modes, or nodes and modes.

    G: geometric stiffness that the mechanism's own matrices lack.   missing: what the body's formulation leaves out.
    rigid, U: displacements of the mesh by the coordinates, of a frame if there is one, then others.   stress: that of the loads.
    held: (n, 6 per point) unit loads at its points.
    """

    G: np.ndarray
    missing: np.ndarray
    rigid: np.ndarray
    U: np.ndarray
    stress: Stressed
    held: np.ndarray

    def displacements(self, moved: np.ndarray) -> np.ndarray:
        """(n, m) of the mesh by columns of its coordinates."""
        frame = self.rigid.shape[1]
        return np.asarray(self.rigid @ moved[:frame] + self.U @ moved[frame:])


class Numbers:
    """Numbers of what belongs to each body of a mechanism, by its name."""

    def __init__(self, system: System) -> None:
        mechanism = system.mechanism
        self.points: dict[str, dict[str, int]] = {}
        self.modes: dict[str, list[int]] = {}
        for i, node in enumerate(mechanism.nodes):
            body, point = split(node.name, mechanism.items)
            if point:
                self.points.setdefault(body, {})[point] = i
        for i, scalar in enumerate(mechanism.scalars):
            body, mode = split(scalar.name, mechanism.items)
            if mode.startswith("mode_"):
                self.modes.setdefault(body, []).append(i)
        self.terms = {term.name: i for i, term in reversed(list(enumerate(mechanism.terms)))}
        self.followers = {int(follower.node): i for i, follower in enumerate(mechanism.followers)}


class Strut:
    """A reduced body as something that buckles."""

    def __init__(self, body: DeformableBody, system: System, numbers: Numbers) -> None:
        self.body, self.reduced = body, body.reduced
        at_work = body.realisation
        self.floating = isinstance(at_work, Floating)
        self.axes: Any = at_work.axes if isinstance(at_work, Floating) else _free_modes(self.reduced)
        self.scalars = numbers.modes.get(body.name, [])
        self.term = numbers.terms[body.name]
        self.nodes = system.mechanism.terms[self.term].nodes
        self.points = numbers.points.get(body.name, {})
        self.followers = numbers.followers
        self.own = [self.followers[node] for node in self.points.values() if node in self.followers]
        self.length = self.reduced.length
        self.on_mesh = [load for load in system.mesh_loads if load.body == body.name]
        carried = {load.name for load in self.on_mesh}
        terms = system.mechanism.terms if carried else ()
        self.load_terms = [i for i, term in enumerate(terms) if term.name in carried]

    @property
    def stressed(self) -> bool:
        """Whether the stress under a load can be found: the mesh is known."""
        return self.reduced.holds_together and self.reduced.stretch == 1.0

    @property
    def mesh(self) -> LoadedMesh:
        """That of the body, whose factors serve all analyses."""
        at_work = self.body.realisation
        assert isinstance(at_work, Floating | Superelement)
        return at_work.loaded_mesh

    @cached_property
    def heavier(self) -> float:
        """Its mass over that of its mesh: it may have been scaled."""
        return float(self.reduced.invariants.mass / self.mesh.model.mass_properties.mass)

    @cached_property
    def carried(self) -> np.ndarray:
        """(n, k) forces of the loads on its mesh at all equations of the mesh, where their factors are 1."""
        forces = [nodal_forces(self.reduced, load.loads) for load in self.on_mesh]
        return np.array(forces).reshape(len(forces), len(self.reduced.shapes)).T

    @cached_property
    def carried_sizes(self) -> np.ndarray:
        """(k,) sums of the sizes of these forces [N]."""
        forces = self.reduced.elements().dofs.nodal(self.carried)[:, :3]
        found: np.ndarray = np.linalg.norm(forces, axis=1).sum(axis=0)
        return found

    def loads(self, system: System) -> Loads:
        """What loads it in the present state; a residual must be assembled."""
        R, V, factors = self.frame(system), system.nodes("v"), self._factors(system)
        if self.floating:
            forces = -system.memory.follower_force.reshape(-1, 6)
            found = {name: forces[self.followers[node]] for name, node in self.points.items() if node in self.followers}
            omega = R.T @ V[self.nodes[0], 3:]
            at_points = {name: np.concatenate([R.T @ f[:3], R.T @ f[3:]]) for name, f in found.items()}
            return Loads(at_points, factors, omega)
        nodes = list(self.nodes)
        arms = system.nodes("x")[nodes] @ R
        arms -= arms.mean(axis=0)
        omega = self._spin(arms, V[nodes].reshape(-1, 3) @ R)
        (own,) = system.residuals_alone([self.term])
        forces = (own[: 6 * len(nodes)].reshape(-1, 3) @ R).ravel()
        system.evaluate(RESIDUAL)
        if len(factors):  # what the loads on the mesh put there is no force of a joint
            forces -= self.reduced.shapes[:, : len(forces)].T @ (self.carried @ factors)
        return Loads(dict(zip(self.reduced.interfaces, forces.reshape(-1, 6))), factors, omega)

    def _spin(self, arms: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Angular velocity of the rigid motion that fits those of the nodes best;  v: (2c, 3), linear and angular in turn."""
        size = 0.1 * self.length
        A = np.vstack([np.block([[np.eye(3), -skew(x)], [np.zeros((3, 3)), size * np.eye(3)]]) for x in arms])
        found: np.ndarray = np.linalg.lstsq(A, (v * np.tile([[1.0], [size]], (len(arms), 1))).ravel())[0][3:]
        return found

    def share(self, loads: Loads) -> float:
        """Load over buckling load of a beam on two hinges with its length and lowest frequency."""
        on_mesh = float(np.abs(loads.factors) @ self.carried_sizes) if len(loads.factors) else 0.0
        return self._share(np.array([*loads.at_points.values()]), loads.omega, on_mesh) if self.buckling else 0.0

    def _share(self, forces: np.ndarray, omega: np.ndarray, on_mesh: float = 0.0) -> float:
        sizes = np.sqrt(np.square(forces).reshape(-1, 3).sum(axis=1))
        most = float((sizes[::2] + sizes[1::2] / self.length).max(initial=0.0))
        pull = self.mass * float(omega @ omega) * self.length / 8  # of a spin: ⅛ m ω² L
        return (most + on_mesh + pull) / self.buckling

    @cached_property
    def mass(self) -> float:
        return float(self.axes.invariants.mass)

    @cached_property
    def buckling(self) -> float:
        """π² EI/L² by the lowest free mode, ω² = 4.73⁴ EI/(μ L⁴) [N]; zero if it has none."""
        if self.axes is None or not self.axes.size:
            return 0.0
        return float(np.pi**2 / 4.73**4 * self.mass * self.length * self.axes.squares[0])

    def _factors(self, system: System) -> np.ndarray:
        now, share = float(system.run.time), float(system.memory.coefficients.load)
        return np.array([share * float(load.factor(now)) for load in self.on_mesh])

    def frame(self, system: System) -> np.ndarray:
        """R_WB of the axes in which it deforms."""
        R = system.memory.R.reshape(-1, 3, 3)
        if self.floating:
            return np.array(R[self.nodes[0]])
        shadow = CorotatedBody(system.mechanism.terms[self.term].parameters.words).frame  # type: ignore[union-attr]
        nodes = list(self.nodes)
        _, _, found = find_frame(shadow, len(nodes), system.nodes("x")[nodes].ravel(), R[nodes].ravel())
        return np.reshape(found, (3, 3))

    @cached_property
    def K(self) -> np.ndarray:
        """Stiffness in its own axes and coordinates: frame and modes, or nodes and modes."""
        if self.floating:
            return np.diag(np.concatenate([np.zeros(6), self.axes.squares]))
        return self.reduced.K

    def rows(self, system: System) -> sparse.csr_array:
        """These coordinates by those of the mechanism."""
        turn = [self.frame(system).T] * (2 * len(self.nodes)) + [sparse.eye_array(len(self.scalars))]
        return sparse.csr_array(sparse.block_diag(turn) @ _motions(system, self.nodes, self.scalars))

    def loaded(self, system: System, loads: Loads) -> Loaded:
        """Its matrices under loads."""
        w, axes, mesh = loads.omega, self.axes, self.mesh
        spin = mesh.spins @ np.array([w[0] ** 2, w[1] ** 2, w[2] ** 2, w[0] * w[1], w[1] * w[2], w[2] * w[0]])
        spin *= self.heavier
        U = self.reduced.shapes @ axes.modes if self.floating else self.reduced.shapes
        kept = spin + self.carried @ loads.factors if len(loads.factors) else spin
        places = getattr(self.body.realisation, "points", {})
        points = {name: name if name in self.reduced.interfaces else places.get(name) for name in loads.at_points}
        unit = {name: mesh.unit_loads(point) for name, point in points.items() if point is not None}
        load = kept + sum(unit[name] @ loads.at_points[name] for name in unit)
        (stress,) = mesh.stressed(load[:, None])
        held = np.hstack([np.zeros((len(load), 0)), *unit.values()])
        dofs = mesh.model.dofs
        if self.floating:
            n = 6 + axes.size
            missing, G = np.zeros((n, n)), np.zeros((n, n))
            if not self.body.stiffening:
                missing[6:, 6:] = G[6:, 6:] = stress.stiffness(U)
                _add_turning(G, mesh, kept, axes.com, U)
            return Loaded(G, missing, dofs.rigid_modes(self.reduced.nodes, axes.com), U, stress, held)
        K_g, P = stress.stiffness(U), self._against_frame(system)
        return Loaded(K_g, P.T @ K_g @ P, np.zeros((dofs.n, 0)), U, stress, held)

    def _against_frame(self, system: System) -> np.ndarray:
        """P: of motions of nodes and modes in the undeformed body, what is left in the frame that follows them."""
        shadow = CorotatedBody(system.mechanism.terms[self.term].parameters.words).frame  # type: ignore[union-attr]
        c, X = len(self.nodes), self.reduced.points
        A, B = np.reshape(shadow.A[: 9 * c], (c, 3, 3)), np.asarray(shadow.B[: 27 * c])
        X = X - np.asarray(shadow.weights[:c]) @ X
        D = [np.reshape(turning_condition(b, np.eye(3).ravel()), (3, 3)) for b in B.reshape(c, 27)]
        W = sum(-a @ skew(x) + d for a, x, d in zip(A, X, D))
        turn = np.linalg.solve(W, np.hstack([np.hstack([a, d]) for a, d in zip(A, D)]))
        P = np.eye(self.reduced.size)
        P[: 6 * c, : 6 * c] -= np.vstack([np.vstack([-skew(x), np.eye(3)]) for x in X]) @ turn
        return P


_FOUND: WeakKeyDictionary[ReducedBody, MeanAxes | None] = WeakKeyDictionary()


def _free_modes(reduced: ReducedBody) -> MeanAxes | None:
    """Its elastic modes; nothing where it has none, or mass and stiffness that have no modes. They are found once."""
    if reduced not in _FOUND:
        try:
            _FOUND[reduced] = mean_axes(reduced)
        except (FlexorError, linalg.LinAlgError):
            _FOUND[reduced] = None
    return _FOUND[reduced]


def _add_turning(G: np.ndarray, mesh: LoadedMesh, load: np.ndarray, com: np.ndarray, U: np.ndarray) -> None:
    """Add the work −f·[½ θ × (θ × r) + θ × u] of a load on the mesh of a floating body whose frame turns by θ."""
    dofs = mesh.model.dofs
    f = dofs.nodal(load)[:, :3]
    V = f.T @ (mesh.model.mesh.points - com)
    G[3:6, 3:6] -= 0.5 * (V + V.T) - np.trace(V) * np.eye(3)
    cross = -np.cross(np.moveaxis(dofs.nodal(U)[:, :3], 2, 1), f[:, None, :]).sum(axis=0)  # (m, 3)
    G[6:, 3:6] += cross
    G[3:6, 6:] += cross.T


def _motions(system: System, nodes: tuple[int, ...], scalars: list[int]) -> sparse.csr_array:
    """(6 per node + 1 per scalar, equations) how they move with the coordinates of the mechanism."""
    eq, memory = system.equations, system.memory
    n = eq.pattern.n
    rows, columns, values = [], [], []
    for i, node in enumerate(nodes):
        first, follower = int(memory.node_eq[node]), int(memory.node_follower[node])
        if first >= 0:
            own, T = [first + j for j in range(6)], np.eye(6)
        elif follower >= 0:
            own = [int(eq.equation(*column)) for column in eq.follower_columns[follower]]
            begin = int(system.followers["gradient"][follower])
            T = memory.gradients[begin : begin + 6 * len(own)].reshape(-1, 6)
        else:
            continue
        rows.append(np.tile(6 * i + np.arange(6), len(own)))
        columns.append(np.repeat(own, 6))
        values.append(T.ravel())
    rows.append(6 * len(nodes) + np.arange(len(scalars)))
    columns.append(memory.scalar_eq[scalars])
    values.append(np.ones(len(scalars)))
    where = np.concatenate(rows), np.concatenate(columns).astype(int)
    return sparse.csr_array((np.concatenate(values), where), shape=(6 * len(nodes) + len(scalars), n))
