"""What a reduction works on: the matrices of a free body, its connection nodes and its rigid-body motions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy import sparse
from scipy.linalg import null_space

from flexor.elements.assembly.dofs import COMPONENTS
from flexor.errors import SolveError
from flexor.mesh.mesh import Mesh
from flexor.mesh.note import changing
from flexor.reduce.held import Held
from flexor.reduce.modes import ROUGH, lowest_modes
from flexor.reduce.precise import product
from flexor.reduce.sparse_rows import SparseRows

RIGID = 1e-6
"""Largest force in a rigid-body motion, relative to the forces that cancel in it."""


class MassOnMesh(Protocol):
    """What integrals over the mass of a body need; see `FreeBody`."""

    @property
    def mesh(self) -> Mesh | None: ...
    @property
    def options(self) -> Mapping[str, object]: ...
    @property
    def nodes(self) -> np.ndarray: ...
    @property
    def owners(self) -> np.ndarray: ...
    @property
    def M_full(self) -> sparse.csc_array: ...
    @property
    def T(self) -> np.ndarray | sparse.csc_array: ...
    @property
    def rigid(self) -> np.ndarray: ...


FAR = 500.0
"""Distance of a mesh from the origin, in its sizes, from which on its digits are told to be lost."""


@dataclass(frozen=True, eq=False)
class FreeBody:
    """Stiffness and mass of a free body in its independent coordinates q.

    K, M: (n, n) symmetric [N/m, kg, …];  C: (6c, n) motion of the c connection nodes, each x y z θx θy θz, is C q.
    points: (c, 3) positions of the connection nodes [m];  names: of the interfaces.
    rigid: (n, 6) q in unit translations along and unit rotations about the global axes through the origin.
    T: (N, n) all degrees of freedom of the mesh are u = T q;  M_full: (N, N) their mass matrix.
    owners: (N, 2) node and component of each;  nodes: (n_nodes, 3) positions;  node_ids: their numbers.
    D: (n, n) damping matrix, where one came with the matrices.
    mesh, options: elements with the connection nodes and ties, and options of the elements, where there are any.
    """

    K: sparse.csc_array
    M: sparse.csc_array
    C: sparse.csr_array
    points: np.ndarray
    names: tuple[str, ...]
    rigid: np.ndarray
    T: sparse.csc_array
    M_full: sparse.csc_array
    owners: np.ndarray
    nodes: np.ndarray
    node_ids: np.ndarray
    D: sparse.csc_array | None = None
    mesh: Mesh | None = field(default=None, repr=False)
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Number of independent coordinates."""
        return self.K.shape[0]

    @property
    def n_connections(self) -> int:
        """Number of connection coordinates, six per node."""
        return self.C.shape[0]

    @cached_property
    def size(self) -> float:
        """Typical distance between parts of the body [m]; makes rotations comparable with displacements."""
        return float(np.linalg.norm(np.ptp(self.nodes, axis=0))) / 2 or 1.0

    @cached_property
    def node_dofs(self) -> np.ndarray:
        """(n_nodes, 6) row of T for each node and component, −1 where a node lacks it."""
        numbers = np.full((len(self.nodes), 6), -1)
        numbers[tuple(self.owners.T)] = np.arange(len(self.owners))
        return numbers

    @cached_property
    def moved(self) -> np.ndarray:
        """(n,) a node that each independent coordinate moves, its own in general."""
        return self.owners[self.T.indices[self.T.indptr[:-1]], 0]

    @property
    def called(self) -> Callable[[int], str]:
        """How a message names an independent coordinate; a function that does not keep the body alive."""
        T, owners, ids = self.T, self.owners, self.node_ids

        def name(q: int) -> str:
            node, component = owners[T.indices[T.indptr[q]]]
            return f"node {ids[node]}, {COMPONENTS[component]}"

        return name

    @cached_property
    def held(self) -> Held:
        """The body with its connection nodes held (without any: in six coordinates that are just enough)."""
        C = self.C if self.n_connections else _just_enough(self.rigid, self.size)
        return Held(self.K, C, self.size, self.moved, self.nodes[self.moved], self.called)

    @cached_property
    def static(self) -> np.ndarray:
        """(n, 6c) static shapes of unit motions of the connection nodes."""
        return self.with_rigid_motion(self.held.static())

    def with_rigid_motion(self, S: np.ndarray) -> np.ndarray:
        """Shapes S (n, 6c) of unit motions of the connection nodes, corrected to the last digit: S C R = R."""
        if not self.n_connections:
            return S
        R_b = self.C @ self.rigid
        return S + (self.rigid - S @ R_b) @ np.linalg.pinv(R_b)

    @cached_property
    def rigid_mass(self) -> np.ndarray:
        """6×6 mass matrix of the rigid body about the origin."""
        return self.rigid.T @ (self.M @ self.rigid)

    @cached_property
    def rigid_modes(self) -> np.ndarray:
        """(n, 6) rigid-body motions, mass-orthonormal."""
        if not np.linalg.eigvalsh(self.rigid_mass * _units(self.size))[0] > 0:
            raise SolveError(
                "the body has no mass or no inertia about some axis",
                causes=[*self.far_away(), "the material has no density", "all mass lies on one line"],
            )
        return np.linalg.solve(np.linalg.cholesky(self.rigid_mass), self.rigid.T).T

    def far_away(self) -> list[str]:
        """What a distance from the origin does, where it costs more than half of the digits: inertia grows with its square."""
        center = self.nodes.mean(axis=0)
        times = float(np.linalg.norm(center)) / self.size
        if times < FAR:
            return []
        where = ", ".join(f"{c:.4g}" for c in center)
        return [
            f"the mesh is drawn {times:.3g} times its own size away from the origin, around ({where}) m, where inertia about it is lost in rounding: "
            "draw it near the origin and place the body by `position`; or its units are wrong"
        ]

    def balanced(self, f: np.ndarray) -> np.ndarray:
        """Loads f plus the inertia of the rigid-body acceleration they cause: they deform a free body, no more."""
        return f - self.M @ (self.rigid_modes @ (self.rigid_modes.T @ f))

    def solve_free(self, f: np.ndarray) -> np.ndarray:
        """Deformation of the free body under balanced loads f, no rigid-body motion in it (RᵀMq = 0).

        K q = f + Cᵀλ with the connection nodes held leaves the reactions −λ, which vanish in the static shapes
        S K_bb⁺ Sᵀf. K_bb = SᵀKS is inverted on motions of the connection nodes without rigid-body motion.
        """
        S, weights, inverse = self._free
        q = self.held.solve(f) + S @ (weights @ (inverse @ (weights.T @ (S.T @ f))))
        return q - self.rigid_modes @ (self.rigid_modes.T @ (self.M @ q))

    @cached_property
    def _free(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        S = self.static
        scale = np.tile(np.repeat([1.0, 1 / self.size], 3), S.shape[1] // 6)
        moved = (self.held.C @ self.rigid) / scale[:, None]
        weights = scale[:, None] * null_space(moved.T)
        K = weights.T @ (S.T @ product(self.K, S @ weights))
        return S, weights, np.linalg.inv(K)

    def free_modes(self, count: int, up_to: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
        """(ω², shapes) of the `count` lowest elastic modes of the free body, and of all others below ω² = up_to."""
        solve = lambda b: self.solve_free(self.balanced(b))  # noqa: E731
        return lowest_modes(solve, self.M, min(count, self.n - 6), up_to=up_to, without=self.rigid_modes)

    def free_squares(self, guess: np.ndarray) -> np.ndarray:
        """ω² alone of as many of the lowest elastic modes of the free body as there are shapes (n, k) that are like theirs."""
        solve = lambda b: self.solve_free(self.balanced(b))  # noqa: E731
        count = min(guess.shape[1], self.n - 6)
        return lowest_modes(solve, self.M, count, without=self.rigid_modes, tolerance=ROUGH, guess=guess)[0]

    def held_modes(self, count: int, up_to: float = 0.0, roughly: int = 0) -> tuple[np.ndarray, np.ndarray]:
        """(ω², shapes) of the `count` lowest modes with all connection nodes held, and of all below ω² = up_to;
        roughly: of how many of them, the highest, ω² alone matters."""
        count = min(count, self.n - self.n_connections)
        squares, shapes = self.held.modes(self.M, count, up_to, roughly)
        self.held_squares.append(squares)
        return squares, shapes

    @cached_property
    def held_squares(self) -> list[np.ndarray]:
        """ω² of the lowest modes with all connection nodes held, of every time that some were computed."""
        return []

    def clamped_modes(self, interface: str, count: int) -> tuple[np.ndarray, np.ndarray]:
        """(ω², shapes) of the `count` lowest modes with one connection node held and the others free."""
        k = self.names.index(interface)
        others = np.setdiff1d(np.arange(self.n_connections), np.arange(6 * k, 6 * k + 6))
        S = self.static[:, others]
        inverse = np.linalg.inv(S.T @ product(self.K, S))
        return lowest_modes(lambda f: self.held.solve(f) + S @ (inverse @ (S.T @ f)), self.M, count)

    def check(self) -> None:
        """Refuse a body that is not free, has no mass or is not one piece."""
        _ = self.rigid_modes
        _refuse_grounded(self)
        _refuse_pieces(self)


def _units(size: float) -> np.ndarray:
    """Factors that make a 6×6 mass or stiffness matrix comparable in all entries."""
    scale = np.repeat([1.0, 1 / size], 3)
    return np.outer(scale, scale)


def _just_enough(rigid: np.ndarray, size: float) -> sparse.csr_array:
    """Six coordinates that hold a body without strain."""
    from scipy.linalg import qr

    _, order = qr((rigid * np.repeat([1.0, 1 / size], 3)).T, mode="r", pivoting=True)
    return sparse.csr_array((np.ones(6), (np.arange(6), order[:6])), shape=(6, len(rigid)))


def _refuse_grounded(p: FreeBody) -> None:
    """K times a rigid-body motion must vanish."""
    motions = p.rigid * np.repeat([1.0, 1 / p.size], 3)
    K = SparseRows.of_symmetric(p.K)
    force, parts = np.abs(K @ motions), K.with_entries(np.abs(p.K.data)) @ np.abs(motions)
    ratio = force.max(axis=0) / parts.max(axis=0)
    j = int(np.argmax(ratio))
    if ratio[j] <= RIGID:
        return
    motion = ("translation along ", "rotation about ")[j // 3] + "xyz"[j % 3]
    raise SolveError(
        f"a rigid-body {motion} of the body meets a force at {p.called(int(np.argmax(force[:, j])))}: it is not free",
        causes=[
            "supports in the mesh (SPC, *BOUNDARY); a body to be reduced must be free: remove them",
            "a spring to ground, or a rigid link that ties a node to a fixed one",
            "nodes with coordinate systems of their own in matrices that were read; give them in global axes",
        ],
    )


def _not_read(p: FreeBody) -> list[str]:
    """What a reader left out that may have connected the pieces."""
    lost = changing(p.mesh.notes if p.mesh is not None else (), "mesh", severity="left out")
    return [f"what the mesh file has beside: {note}" for note in lost] or [
        "a contact or tie of the FE program that was not read"
    ]


def _refuse_pieces(p: FreeBody) -> None:
    symmetric = sparse.csr_array((p.K.data, p.K.indices, p.K.indptr), shape=p.K.shape)
    if len(sparse.csgraph.breadth_first_order(symmetric, 0, return_predecessors=False)) == p.n:
        return  # all can be reached from one
    order = np.argsort(p.moved, kind="stable")
    same = np.flatnonzero(np.diff(p.moved[order]) == 0)  # coordinates of one node belong together
    ties = sparse.csc_array((np.ones(len(same)), (order[same], order[same + 1])), shape=p.K.shape)
    count, label = sparse.csgraph.connected_components(p.K + ties, directed=False)
    if count == 1:
        return
    smallest = np.flatnonzero(label == np.argmin(np.bincount(label)))
    raise SolveError(
        f"the body falls into {count} pieces that nothing connects; the smallest has "
        f"{len(smallest)} coordinates, e.g. {p.called(int(smallest[0]))}",
        causes=["nodes at the same place that were not merged", *_not_read(p)],
    )
