"""How hard a body is loaded beside the load at which it buckles as the mechanism holds it.

At a state, with the motions q that the constraints permit, B q = 0, all bodies moving along:

    K_e  stiffness without load: bodies, beams, springs
    G    geometric stiffness of all loads: of the forces in joints on their arms, of the stress in flexible bodies

    G v = λ K_e v,   |λ| = load / buckling load        (22.20a) of the theory manual

among the modes of K_e and the mass matrix in which the body bends; free motions and those of rigid bodies on springs are no
buckling of the body. What the body itself leaves out of G, the work of its stress on deformations against its own frame, is
compared with K_e in the same motions: the error of its stiffness.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg, sparse
from scipy.sparse import csgraph

from flexor.bodies import FlexibleBody
from flexor.bodies.floating.formulation import Floating
from flexor.bodies.floating.mean_axes import MeanAxes, mean_axes
from flexor.bodies.floating.shortening import LoadedMesh
from flexor.bodies.superelement.layout import CorotatedBody
from flexor.bodies.superelement.shadow_frame import find_frame, turning_condition
from flexor.engine.memory import OK
from flexor.engine.system import System
from flexor.errors import FlexorError
from flexor.law import MATRIX, RESIDUAL
from flexor.reduce.reduced import ReducedBody
from flexor.solve.all_modes import all_undamped
from flexor.solve.few_modes import ModesNotProven, few_undamped
from flexor.solve.free_motions import NotFound
from flexor.solve.linearise import Linearisation
from flexor.solve.pencil import pencil
from flexor.spatial import skew
from flexor.threads import few_threads

SMALL, LARGEST = 300, 1500
"""Coordinates up to which all modes are found, and up to which they are where the lowest alone are not."""
FEW = 40
"""Modes in which a body bends that are looked at."""
BENDS, ITS_OWN = 1e-3, 0.1
"""Share of a body in the strain energy of a mode, and of a form of buckling, from which it counts as one of that body."""
STATE = ("x", "R", "v", "a", "proper", "s", "lam")
"""Arrays that tell the loads."""


@dataclass(frozen=True)
class Loaded:
    """A body under its loads, in its own axes and coordinates: frame and modes, or nodes and modes.

    rows: the coordinates by those of the mechanism.   K: stiffness.   G: geometric stiffness that the mechanism's own matrices
    lack.   missing: what the body's formulation leaves out.
    """

    rows: sparse.csr_array
    K: np.ndarray
    G: np.ndarray
    missing: np.ndarray


class Strut:
    """A reduced body as something that buckles."""

    def __init__(self, body: FlexibleBody, system: System) -> None:
        nodes = {node.name: i for i, node in enumerate(system.mechanism.nodes)}
        self.body, self.reduced = body, body.reduced
        at_work = body.realisation
        self.floating = isinstance(at_work, Floating)
        self.axes: Any = at_work.axes if isinstance(at_work, Floating) else _free_modes(self.reduced)
        self.scalars = [
            i for i, each in enumerate(system.mechanism.scalars) if each.name.startswith(f"{body.name}.mode_")
        ]
        self.term = next(i for i, term in enumerate(system.mechanism.terms) if term.name == body.name)
        self.nodes = system.mechanism.terms[self.term].nodes
        self.points = {name.partition(".")[2]: i for name, i in nodes.items() if name.startswith(f"{body.name}.")}
        self.followers = {int(follower.node): i for i, follower in enumerate(system.mechanism.followers)}
        self.length = float(np.linalg.norm(np.ptp(self.reduced.nodes, axis=0)))
        self._mesh: LoadedMesh | None = None

    @property
    def stressed(self) -> bool:
        """Whether the stress under a load can be found: the mesh is known."""
        return self.reduced.mesh is not None and self.reduced.stretch == 1.0

    @property
    def mesh(self) -> LoadedMesh:
        self._mesh = self._mesh or LoadedMesh(self.reduced)
        return self._mesh

    def loads(self, system: System) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """Forces and moments at its points, and its angular velocity, in its own axes; a residual must be assembled."""
        R, V = self.frame(system), system.nodes("v")
        if self.floating:
            forces = -system.memory.follower_force.reshape(-1, 6)
            found = {name: forces[self.followers[node]] for name, node in self.points.items() if node in self.followers}
            omega = V[self.nodes[0], 3:]
        else:
            forces = _residual_of(system, self.term)[: 6 * len(self.nodes)].reshape(-1, 6)
            found = dict(zip(self.reduced.interfaces, forces))
            v = V[list(self.nodes)]  # the rigid motion that fits best
            arms = system.nodes("x")[list(self.nodes)]
            A = np.vstack([np.hstack([np.eye(3), -skew(x - arms.mean(axis=0))]) for x in arms])
            turns = np.hstack([np.zeros((3, 3)), 0.1 * self.length * np.eye(3)])
            A = np.vstack([A, *[turns] * len(v)])
            omega = np.linalg.lstsq(A, np.concatenate([v[:, :3].ravel(), 0.1 * self.length * v[:, 3:].ravel()]))[0][3:]
        return {name: np.concatenate([R.T @ f[:3], R.T @ f[3:]]) for name, f in found.items()}, R.T @ omega

    def estimate(self, loads: dict[str, np.ndarray], omega: np.ndarray) -> float:
        """Load over buckling load of a beam on two hinges with its length and lowest frequency."""
        if self.axes is None or not self.axes.size:
            return 0.0
        sizes = [float(np.linalg.norm(f[:3]) + np.linalg.norm(f[3:]) / self.length) for f in loads.values()]
        mass = self.axes.invariants.mass
        # π² EI/L² by the lowest free mode, ω² = 4.73⁴ EI/(μ L⁴);  pull of a spin ⅛ m ω² L
        buckling = np.pi**2 / 4.73**4 * mass * self.length * float(self.axes.squares[0])
        return float((max(sizes, default=0.0) + mass * float(omega @ omega) * self.length / 8) / buckling)

    def frame(self, system: System) -> np.ndarray:
        """R_WB of the axes in which it deforms."""
        R = system.memory.R.reshape(-1, 3, 3)
        if self.floating:
            return np.array(R[self.nodes[0]])
        shadow = CorotatedBody(system.mechanism.terms[self.term].parameters.words).frame  # type: ignore[union-attr]
        nodes = list(self.nodes)
        _, _, found = find_frame(shadow, len(nodes), system.nodes("x")[nodes].ravel(), R[nodes].ravel())
        return np.reshape(found, (3, 3))

    def loaded(self, system: System, loads: dict[str, np.ndarray], omega: np.ndarray) -> Loaded:
        """Its matrices under loads."""
        w, axes, mesh = omega, self.axes, self.mesh
        spin = mesh.spins @ np.array([w[0] ** 2, w[1] ** 2, w[2] ** 2, w[0] * w[1], w[1] * w[2], w[2] * w[0]])
        load = spin.copy()
        points = getattr(self.body.realisation, "points", {})
        for name, force in loads.items():
            point = name if name in self.reduced.interfaces else points.get(name)
            if point is not None:
                load += mesh.unit_loads(point) @ force
        U = self.reduced.shapes @ axes.modes if self.floating else self.reduced.shapes
        (K_g,) = mesh.stiffness(load[:, None], U)
        R = self.frame(system)
        rows = sparse.csr_array(
            sparse.block_diag([R.T] * (2 * len(self.nodes)) + [sparse.eye_array(len(self.scalars))])
            @ _motions(system, self.nodes, self.scalars)
        )
        if self.floating:
            n = 6 + axes.size
            missing, G = np.zeros((n, n)), np.zeros((n, n))
            missing[6:, 6:] = K_g
            G[6:, 6:] = K_g
            _add_turning(G, mesh, spin, axes.com, U)
            K = np.diag(np.concatenate([np.zeros(6), axes.squares]))
            return Loaded(rows, K, G, missing)
        P = self._against_frame(system)
        return Loaded(rows, self.reduced.K, K_g, P.T @ K_g @ P)

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


def _free_modes(reduced: ReducedBody) -> MeanAxes | None:
    """Its elastic modes; nothing where it has none, or mass and stiffness that have no modes."""
    try:
        return mean_axes(reduced)
    except (FlexorError, linalg.LinAlgError):
        return None


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


def _residual_of(system: System, term: int) -> np.ndarray:
    """What one term alone puts into the equations of its coordinates."""
    with system.alone(term):
        system.evaluate(RESIDUAL)
        found: np.ndarray = system.memory.buffer_residual.copy()
    system.evaluate(RESIDUAL)
    return found


def share_of_buckling(system: System, struts: list[Strut], judged: Strut, least: float) -> tuple[float, float]:
    """(load over buckling load, error of the stiffness) of a body in the present state, positive for what stiffens.

    least: estimate from which on a body's own stress is counted. NotFound if it bends in none of the modes that were looked at.
    """
    system.run.want = RESIDUAL
    if system.call("assemble") != OK:
        raise NotFound
    bodies = {}
    for strut in struts:
        loads, omega = strut.loads(system)
        if strut is judged or (strut.stressed and strut.estimate(loads, omega) > least):
            bodies[strut] = strut.loaded(system, loads, omega)
    own = system.coordinates
    K_e, G, M, B = _matrices(system, [strut.term for strut in bodies if not strut.floating], own)
    for strut, body in bodies.items():
        T = body.rows[:, own]
        G = G + T.T @ sparse.csr_array(body.G) @ T
        if not strut.floating:
            K_e = K_e + T.T @ sparse.csr_array(body.K) @ T
    this = bodies[judged]
    near = _connected([K_e, G, M, B.T @ B], this.rows[:, own])
    K_e, G, M, B = K_e[near][:, near], G[near][:, near], M[near][:, near], B[:, near]
    squares, V = _elastic_modes(K_e, M, B)
    moved = this.rows[:, own[near]] @ V
    strain = np.einsum("ik,ik->k", moved, this.K @ moved)
    bending = np.flatnonzero(strain > BENDS * squares)[:FEW]
    if not len(bending):
        raise NotFound
    V, moved, size = V[:, bending], moved[:, bending], 1.0 / np.sqrt(squares[bending])
    shares, forms = np.linalg.eigh((V.T @ (G @ V)) * np.outer(size, size))
    missing = np.linalg.eigvalsh((moved.T @ this.missing @ moved) * np.outer(size, size))
    forms = moved @ (size[:, None] * forms)
    shares = shares[np.einsum("ik,ik->k", forms, this.K @ forms) > ITS_OWN]
    return _largest(shares), _largest(missing)


def _connected(matrices: list[sparse.csr_array], rows: sparse.csr_array) -> np.ndarray:
    """Coordinates that anything but the ground connects with those of a body."""
    pattern = sum(abs(matrix) for matrix in matrices)
    _, part = csgraph.connected_components(pattern, directed=False)
    return np.flatnonzero(np.isin(part, part[np.unique(rows.tocoo().col)]))


def _largest(values: np.ndarray) -> float:
    return float(values[np.argmax(np.abs(values))]) if len(values) else 0.0


def _elastic_modes(K: sparse.csr_array, M: sparse.csr_array, B: sparse.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """(ω², shapes) of the lowest modes that meet resistance, VᵀMV = 1."""
    n = K.shape[0]
    none, empty, own = sparse.csr_array(K.shape), sparse.csr_array((0, n)), np.arange(n)
    p = pencil(Linearisation(K, none, M, B, empty, empty, ("",) * n, own, own), symmetric=True)
    with few_threads(n), warnings.catch_warnings():
        warnings.simplefilter("ignore", ModesNotProven)  # any of them will do
        try:
            if len(p) <= SMALL:
                squares, xi, _ = all_undamped(p)
            else:
                squares, xi, _ = few_undamped(p, FEW)
        except (NotFound, linalg.LinAlgError):
            if len(p) > LARGEST:
                return np.zeros(0), np.zeros((len(p), 0))
            squares, xi, _ = all_undamped(p)
    positive = squares > 1e-12 * squares.max(initial=0.0)
    return squares[positive], p.shapes(xi[:, positive])


def _matrices(system: System, masked: list[int], own: np.ndarray) -> tuple[sparse.csr_array, ...]:
    """(K_e, G, M, B), symmetric: stiffness without loads, geometric stiffness of the loads, mass, all constraints.

    masked: terms whose stiffness is left out of both.
    """
    constraints = system.constraints
    rolling = np.isin(constraints, system.equations.nonholonomic())
    system.use_lu()
    kept, terms, followers = system.copy(*STATE), system.terms.copy(), system.followers.copy()
    coefficients = system.memory.coefficients.words.copy()
    try:
        M = _part(system, (0.0, 0.0, 1.0), own, own)
        A = _part(system, (0.0, 1.0, 0.0), constraints[rolling], own)
        system.zero("v")
        system.memory.s[1::3] = 0.0
        system.terms["scatter_count"][masked] = 0
        full = _part(system, (1.0, 0.0, 0.0), own, own)
        B = _part(system, (1.0, 0.0, 0.0), constraints[~rolling], own)
        system.zero("a", "proper", "lam")
        system.memory.s[2::3] = 0.0
        system.share_loads(0.0)
        system.followers["scatter_count"] = 0
        free = _part(system, (1.0, 0.0, 0.0), own, own)
    finally:
        system.terms[:], system.followers[:] = terms, followers
        system.memory.coefficients.words[:] = coefficients
        system.put(kept)
    K, G = 0.5 * (free + free.T), full - free
    return K, 0.5 * (G + G.T), 0.5 * (M + M.T), sparse.csr_array(sparse.vstack([B, A]))


def _part(system: System, c: tuple[float, float, float], rows: np.ndarray, columns: np.ndarray) -> sparse.csr_array:
    """Some rows and columns of the matrix, without what locks coordinates."""
    status = system.evaluate(RESIDUAL | MATRIX, *c)
    if status != OK:
        raise NotFound
    locked = np.isin(np.arange(system.equations.pattern.n), system.memory.locked_eq)
    switch = sparse.diags_array(np.where(locked, 0.0, 1.0))
    matrix = sparse.csr_array(switch @ sparse.csr_array(system.solver.to_csc()) @ switch)
    return sparse.csr_array(matrix[rows][:, columns])
