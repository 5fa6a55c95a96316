"""Analyses of the full finite-element model, to check a mesh before it is reduced: linear statics, natural modes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from flexor.arguments import whole
from flexor.elements.assembly.dofs import COMPONENTS
from flexor.elements.assembly.loads import Load, load_vector, loads_of
from flexor.elements.assembly.model import FeModel
from flexor.elements.assembly.stress import nodal_stress, von_mises
from flexor.errors import SingularError, SolveError
from flexor.reduce.factor import Factors, factorise
from flexor.reduce.modes import lowest_modes
from flexor.threads import few_threads

LOOSE = 1e-10
"""Stiffness against a motion, relative to the largest of the piece, below which nothing resists it."""
ZERO = 1e-3
"""Share of the model's own scale of frequency below which a frequency is zero but for rounding."""
MOST = 5
"""Loose pieces that are named."""


@dataclass(frozen=True, eq=False)
class StaticSolution:
    """K u = f with links and supports.

    u: (n,) displacements and rotations of all equations [m, rad];  f: (n,) applied nodal forces [N, N m].
    """

    model: FeModel
    u: np.ndarray
    f: np.ndarray

    @cached_property
    def nodal(self) -> np.ndarray:
        """(n_nodes, 6) displacements and rotations of the nodes [m, rad]."""
        return self.model.dofs.nodal(self.u)

    def __getitem__(self, name: str) -> np.ndarray:
        """(k, 6) displacements and rotations of the nodes of a node set."""
        return np.asarray(self.nodal[self.model.mesh.nodes_of(name)])

    @cached_property
    def reactions(self) -> np.ndarray:
        """(n_nodes, 6) forces and moments of supports and links on the nodes, K u − f [N, N m]."""
        return self.model.dofs.nodal(self.model.K @ self.u - self.f)

    @cached_property
    def stress(self) -> np.ndarray:
        """(n_nodes, 6) stress averaged at the nodes, xx yy zz xy yz zx in global axes [Pa]."""
        return nodal_stress(self.model, self.u)

    @property
    def energy(self) -> float:
        """Strain energy ½ uᵀ K u [J]."""
        return 0.5 * float(self.u @ (self.model.K @ self.u))

    @property
    def residual(self) -> float:
        """Largest unbalanced force of an independent degree of freedom, relative to the largest nodal force."""
        unbalanced = self.model.T.T @ (self.model.K @ self.u - self.f)
        inner = abs(self.model.K) @ np.abs(self.u)
        return float(np.abs(unbalanced).max(initial=0.0) / max(inner.max(initial=0.0), 1e-300))

    def __str__(self) -> str:
        ids = self.model.mesh.node_ids
        size = np.linalg.norm(self.nodal[:, :3], axis=1)
        far = int(np.argmax(size))
        lines = [
            f"largest displacement {size[far]:.6g} m at node {ids[far]}",
            f"strain energy {self.energy:.6g} J, residual {self.residual:.1e}",
        ]
        equivalent = von_mises(self.stress)
        if np.any(np.isfinite(equivalent)):
            worst = int(np.nanargmax(equivalent))
            lines.append(f"largest von Mises stress {equivalent[worst]:.6g} Pa at node {ids[worst]} (averaged)")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, eq=False)
class NaturalModes:
    """Natural modes in ascending frequency.

    frequencies: (m,) [Hz];  shapes: (n, m) of all equations, mass-normalised: φᵀ M φ = 1;
    rigid: how many of them, the first, are rigid-body motions;  free: how many have no stiffness at all, those of loose pieces
    and mechanisms included.
    """

    model: FeModel
    frequencies: np.ndarray
    shapes: np.ndarray
    rigid: int
    free: int = 0

    def __len__(self) -> int:
        return len(self.frequencies)

    @cached_property
    def nodal(self) -> np.ndarray:
        """(modes, n_nodes, 6) displacements and rotations of the nodes in each mode."""
        return np.moveaxis(self.model.dofs.nodal(self.shapes), 2, 0)

    def __getitem__(self, name: str) -> np.ndarray:
        """(modes, k, 6) those of the nodes of a node set."""
        return np.asarray(self.nodal[:, self.model.mesh.nodes_of(name)])

    def __str__(self) -> str:
        lines = ["mode   frequency [Hz]"]
        for i, f in enumerate(self.frequencies):
            what = (
                "   rigid body" if i < self.rigid else "   free: a loose piece or a mechanism" if i < self.free else ""
            )
            lines.append(f"{i + 1:4d} {f:16.6g}{what}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)


def statics(model: FeModel, loads: Sequence[Load] | np.ndarray | None = None) -> StaticSolution:
    """Displacements under loads, or under nodal forces (n,) of all equations; under the mesh's own loads if left out."""
    acting = loads_of(model.mesh) if loads is None else loads
    f = acting if isinstance(acting, np.ndarray) else load_vector(model, acting)
    free = free_motions(model)
    if free:
        raise SingularError(
            f"the mesh can move as a whole: {', '.join(free)}",
            causes=["too few supports: fix nodes (mesh.fixed, SPC, *BOUNDARY) against these motions"],
        )
    with few_threads(len(f)):
        q = _regular(model).solve(model.T.T @ f)
    return StaticSolution(model, model.T @ q, f)


def _regular(model: FeModel) -> Factors:
    """The factors of the stiffness; SingularError that names the node, its direction, and the pieces that can move."""

    def called(row: int) -> str:
        node, component = model.independent[row]
        return f"node {model.mesh.node_ids[node]}, {COMPONENTS[component]}"

    try:
        return factorise(model.K_reduced, equation=called)
    except SingularError as error:
        pieces = loose_pieces(model)
        raise SingularError(str(error.args[0]), causes=pieces or error.causes) from None


def loose_pieces(model: FeModel) -> list[str]:
    """The pieces of the mesh that nothing holds, each with its free motions in words."""
    K = model.K_reduced
    count, piece = connected_components(K, directed=False)
    points, told = model.mesh.points, []
    for number in range(count):
        rows = np.flatnonzero(piece == number)
        nodes = np.unique(model.independent[rows, 0])
        own = points[nodes]
        motions = model.dofs.rigid_modes(points, about=own.mean(axis=0))
        motions[:, 3:] /= float(np.ptp(own, axis=0).max(initial=0.0)) or 1.0
        R = motions[model.dofs.node_dofs[tuple(model.independent[rows].T)]]
        own_K = K[rows][:, rows]
        part = R.T @ (own_K @ R)
        values, vectors = np.linalg.eigh(0.5 * (part + part.T))
        free = vectors[:, values <= LOOSE * float(abs(own_K).max()) * len(rows)].T
        if len(free):
            words = ", ".join(_in_words(free))
            whole = (
                "the mesh"
                if count == 1
                else f"the piece of {len(nodes)} nodes with node {model.mesh.node_ids[nodes[0]]}"
            )
            told.append(f"{whole} can move: {words}; hold it, or tie it to the rest")
    return [*told[:MOST], *([f"and {len(told) - MOST} more pieces"] if len(told) > MOST else [])]


def natural_modes(model: FeModel, count: int = 10) -> NaturalModes:
    """The lowest natural modes; a free mesh has six rigid-body ones first."""
    count = whole("modes", "count", count)
    K, M = model.K_reduced, model.M_reduced
    if not np.any(M.diagonal() > 0):
        raise SolveError("the mesh has no mass, so it has no modes", causes=["a material without density"])
    shift, factors = 0.0, None
    if not free_motions(model):
        try:
            factors = factorise(K)
        except SingularError:  # a mechanism or a loose piece: its modes have zero frequency
            factors = None
    if factors is None:
        shift = -small_square(K, M)
        factors = factorise(K - shift * M)
    with few_threads(K.shape[0]):
        squares, shapes = lowest_modes(factors.solve, M, count, shift=shift)
    frequencies = np.sqrt(np.maximum(squares, 0.0)) / (2 * np.pi)
    full = model.T @ shapes
    nothing = ZERO * np.sqrt(small_square(K, M)) / (2 * np.pi)
    free = int(np.argmin([*(frequencies < nothing), False]))
    return NaturalModes(model, frequencies, full, _rigid_count(model, full), free)


def small_square(K: sparse.csc_array, M: sparse.csc_array) -> float:
    """A small ω² [1/s²] of the model's own scale: far above rounding, of the order of its lowest elastic modes."""
    stiffness, mass = K.diagonal(), M.diagonal()
    return 1e-7 * float(np.median(stiffness[mass > 0] / mass[mass > 0]))


def free_motions(model: FeModel) -> tuple[str, ...]:
    """Motions of the mesh as a whole that the supports leave free, in words."""
    points = model.mesh.points
    center = points.mean(axis=0)
    size = float(np.ptp(points, axis=0).max(initial=0.0)) or 1.0
    motions = model.dofs.rigid_modes(points, about=center)
    motions[:, 3:] /= size
    held = np.array([model.dofs.node_dofs[n, c] for n, cs in model.mesh.fixed for c in cs], dtype=int)
    rows = motions[held[held >= 0]]
    _, values, vectors = np.linalg.svd(np.vstack([rows, np.zeros((6, 6))]))
    return _in_words(vectors[values < 1e-9 * max(values[0], 1.0)])


def _in_words(directions: np.ndarray) -> tuple[str, ...]:
    """Motions (k, 6), translations and rotations: `along x`, `along y with about z`."""
    names = ("along x", "along y", "along z", "about x", "about y", "about z")
    if len(directions) == 6:
        return ("in every direction",)
    # a motion of its own axis, or a combination
    return tuple(" with ".join(names[i] for i in np.flatnonzero(np.abs(d) > 0.1)) for d in _simple(directions))


def _simple(directions: np.ndarray) -> np.ndarray:
    """The same space spanned by vectors with as many zeros as possible (reduced row echelon form)."""
    A = directions.copy()
    row = 0
    for column in range(A.shape[1]):
        if row == len(A):
            break
        pivot = row + int(np.argmax(np.abs(A[row:, column])))
        if abs(A[pivot, column]) < 1e-9:
            continue
        A[[row, pivot]] = A[[pivot, row]]
        A[row] /= A[row, column]
        others = np.arange(len(A)) != row
        A[others] -= np.outer(A[others, column], A[row])
        row += 1
    return A


def _rigid_count(model: FeModel, shapes: np.ndarray) -> int:
    """Leading modes that move the mesh as a rigid body: all their kinetic energy is that of a rigid motion."""
    R = model.dofs.rigid_modes(model.mesh.points, about=model.mesh.points.mean(axis=0))
    MR = model.M @ R
    total = R.T @ MR
    if np.linalg.matrix_rank(total) < 6:
        return 0
    part = MR.T @ shapes
    share = np.einsum("im,im->m", part, np.linalg.solve(total, part))
    rigid = share > 1 - 1e-6
    return int(np.argmin(rigid)) if not rigid.all() else len(rigid)
