"""A flexible body in a few coordinates, with all that a simulation and its post-processing ask of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from flexor.elements.assembly.model import FeModel
from flexor.elements.assembly.stress import element_stress, nodal_stress
from flexor.errors import ModelError, Problem
from flexor.reduce.damping import Damping, Rayleigh
from flexor.reduce.free_body import FreeBody
from flexor.reduce.invariants import Invariants, invariants
from flexor.reduce.meshed_body import MeshedBody, fields_of
from flexor.reduce.nodal_inertia import NodalInertia, nodal_inertia
from flexor.reduce.precise import product
from flexor.spatial import MassProperties, skew
from flexor.threads import few_threads

if TYPE_CHECKING:
    from pathlib import Path

    from flexor.elements.assembly.model import FeModel
    from flexor.reduce.proof import Validation


@dataclass(frozen=True, eq=False, kw_only=True)
class ReducedBody(MeshedBody):
    """M z̈ + D ż + K z = f in z = [motions of the connection nodes, six each; generalised coordinates].

    K, M: (r, r) reduced stiffness and mass.
    at_connections: (6c, r) motion of the connection nodes; [1 0] unless the body has free modes alone.
    gravity: (3, r) generalised load of a unit acceleration field along x, y, z [kg, …].
    invariants: inertia in large motion.   damping: what D is made of.
    shapes: (N, r) displacements and rotations of all nodes, rows as `node_dofs` has them: recovery of displacement.
    viscous: (r, r) damping that came with matrices, beside `damping`, or None.
    method, why: how it was reduced, as a declaration's JSON, and in sentences.
    stretch, stiffening: see `scaled`.   validation: the proof that it is right.
    """

    K: np.ndarray
    M: np.ndarray
    at_connections: np.ndarray
    gravity: np.ndarray
    invariants: Invariants
    shapes: np.ndarray
    damping: Damping = field(default_factory=Rayleigh)
    viscous: np.ndarray | None = None
    method: str = ""
    why: tuple[str, ...] = ()
    validation: Validation | None = field(default=None, repr=False)

    @property
    def size(self) -> int:
        """Number of coordinates r."""
        return len(self.K)

    @property
    def n_connections(self) -> int:
        """How many of the coordinates are motions of connection nodes: the first ones, six each, or none."""
        return 6 * len(self.interfaces) if self.has_connections else 0

    @property
    def has_connections(self) -> bool:
        """Whether the first coordinates are the motions of the connection nodes."""
        count = 6 * len(self.interfaces)
        return count > 0 and np.array_equal(self.at_connections, np.eye(count, self.size))

    @property
    def D(self) -> np.ndarray:
        """(r, r) reduced damping matrix [N s/m, …]."""
        own = self.damping.matrix(self.K, self.M)
        return own if self.viscous is None else own + self.viscous

    @property
    def mass_properties(self) -> MassProperties:
        """Mass, centre of mass and inertia of the undeformed body."""
        return self.invariants.mass_properties

    @cached_property
    def length(self) -> float:
        """Diagonal of the box around its nodes [m]."""
        return float(np.linalg.norm(np.ptp(self.nodes, axis=0)))

    @cached_property
    def rigid(self) -> np.ndarray:
        """(r, 6) coordinates in unit translations and rotations about the origin."""
        R = np.zeros((self.size, 6))
        if self.has_connections:
            R[: self.n_connections] = rigid_motion(self.points)
        return R

    def displacement(self, z: np.ndarray) -> np.ndarray:
        """(n_nodes, 6, …) displacements and rotations of all nodes for coordinates z (r, …) [m, rad]."""
        u = self.shapes @ z
        return np.concatenate([u, np.zeros((1, *u.shape[1:]))])[self.node_dofs]

    @property
    def holds_together(self) -> bool:
        """Whether the elements of its mesh are connected as the body is, so that its stress under any load can be found by them."""
        return self.mesh is not None

    def motion_at(self, point: ArrayLike) -> np.ndarray | None:
        """(6, r) displacement and rotation of a material point [m] by the coordinates, where they are known without its nodes."""
        return None

    def interface_rows(self, name: str) -> sparse.csr_array | None:
        """(6, N) motion of an interface by all degrees of freedom of the mesh, where it is no node of the mesh."""
        return None

    def tensors_at(self, point: ArrayLike) -> tuple[np.ndarray, np.ndarray] | None:
        """(6, r) strain and stress [Pa] of unit coordinates at a material point [m], where they are known without the elements."""
        return None

    def stress(self, z: np.ndarray, *, surface: str = "top") -> np.ndarray:
        """(n_nodes, 6, …) stress averaged at the nodes, xx yy zz xy yz zx in the mesh's axes [Pa]."""
        modes = self.stress_modes if surface == "top" else self._stress_modes(surface)
        return np.tensordot(modes, z, axes=(2, 0))

    @cached_property
    def stress_modes(self) -> np.ndarray:
        """(n_nodes, 6, r) stress of unit coordinates averaged at the nodes [Pa]; computed on first use."""
        return self._stress_modes("top")

    def _stress_modes(self, surface: str) -> np.ndarray:
        model, u = self.strained()
        return self.stiffening * nodal_stress(model, u, surface=surface)

    def element_stress_modes(self, where: str = "center") -> list[np.ndarray]:
        """Per block of the mesh (m, points, 6, r) stress of unit coordinates in the elements [Pa]."""
        model, u = self.strained()
        return [self.stiffening * values for values in element_stress(model, u, where=where)]  # type: ignore[arg-type]

    def strained(self) -> tuple[FeModel, np.ndarray]:
        """The mesh as it was, and displacements of it that strain it like the (scaled) body."""
        model = self.elements()
        moves = model.dofs.owners[:, 1] < 3
        return model, np.where(moves[:, None], self.shapes / self.stretch, self.shapes)

    def nodal_inertia(self) -> NodalInertia:
        """What the inertia forces have beyond the interpolation of the connection nodes' accelerations."""
        if not self.has_connections:
            why, fix = "it has no connection coordinates", "use the invariants, or another reduction method"
            raise ModelError(Problem(f"body '{self.name}'", "there is no nodal form of its inertia", why, fix))
        return nodal_inertia(self.M, self.points, self.invariants)

    def scaled(self, length: float = 1.0, stiffness: float = 1.0, density: float = 1.0) -> ReducedBody:
        """The body with all lengths, Young's moduli and densities multiplied.   NAK 6.4

        Also a change of units: from mm, t, s it is length=1e-3, stiffness=1e6, density=1e12. Generalised coordinates
        are scaled so that their mass stays what it was.
        """
        for name, factor in (("length", length), ("stiffness", stiffness), ("density", density)):
            if not factor > 0:
                raise ModelError(Problem("scaling", f"the factor {factor!r} of {name} is not above zero"))
        a, n = float(length), self.n_connections
        # K' = e a Q K Q, M' = ρ a³ Q M Q, Q = 1 for displacements, a for rotations, (ρa³)^−½ for modes
        Q = np.full(self.size, (density * a**3) ** -0.5)
        Q[:n] = np.tile(np.repeat([1.0, a], 3), n // 6)
        mass = density * a**3
        rows = np.ones(len(self.shapes))
        rotations = self.node_dofs[:, 3:]
        rows[rotations[rotations >= 0]] = 1 / a
        inv = self.invariants
        heavier = Invariants(
            mass=mass * inv.mass,
            first=mass * a * inv.first,
            second=mass * a**2 * inv.second,
            translation=mass * inv.translation * Q,
            rotation=mass * a * inv.rotation * Q,
            centrifugal=mass * a * inv.centrifugal * Q,
            products=mass * Q[:, None] * inv.products * Q,
        )
        at = self.at_connections * Q / np.tile(np.repeat([1.0, a], 3), len(self.at_connections) // 6)[:, None]
        return replace(
            self,
            points=a * self.points,
            nodes=a * self.nodes,
            K=stiffness * a * Q[:, None] * self.K * Q,
            M=mass * Q[:, None] * self.M * Q,
            at_connections=np.eye(*at.shape) if self.has_connections else at,
            gravity=mass * self.gravity * Q,
            viscous=None if self.viscous is None else stiffness * a * Q[:, None] * self.viscous * Q,
            invariants=heavier,
            shapes=rows[:, None] * self.shapes * Q,
            stretch=a * self.stretch,
            stiffening=stiffness * self.stiffening,
            validation=self.validation and self.validation.scaled(length, stiffness, density),
        )

    def save(self, file: str | Path) -> None:
        """Write the body to one HDF5 file."""
        from flexor.reduce.store import save

        save(self, file)

    @staticmethod
    def load(file: str | Path) -> ReducedBody:
        """The body in a file."""
        from flexor.reduce.store import load

        return load(file)

    def __repr__(self) -> str:
        return f"reduced body '{self.name}': {self.size} coordinates, {len(self.nodes)} nodes"

    def __str__(self) -> str:
        m = self.mass_properties
        kinds = f"{self.n_connections} connection and {self.size - self.n_connections} generalised coordinates"
        lines = [
            f"reduced body '{self.name}': {kinds}, {len(self.nodes)} nodes",
            f"  mass {m.mass:.6g} kg, centre {_vector(m.com)} m, inertia {_vector(np.diag(m.inertia))} kg m²",
            *(f"  interface '{name}' at {_vector(at)} m" for name, at in zip(self.interfaces, self.points)),
            *(f"  {sentence}" for sentence in self.why),
        ]
        return "\n".join(lines + ([str(self.validation)] if self.validation else []))


def rigid_motion(points: np.ndarray) -> np.ndarray:
    """(6c, 6) motion of points, with rotations, in unit translations and rotations about the origin."""
    R = np.zeros((len(points), 6, 6))
    R[:] = np.eye(6)
    R[:, :3, 3:] = [-skew(x) for x in points]  # u = e × x = −x × e
    return R.reshape(-1, 6)


def project(p: FreeBody, H: np.ndarray, name: str = "body", **about: Any) -> ReducedBody:
    """The body in the coordinates of a basis H (n, r)."""
    with few_threads(p.n):
        return _projected(p, H, name, about)


def _reach(p: FreeBody, M: np.ndarray) -> np.ndarray:
    """(6c, r) how far unit coordinates move nodes on average, and turn them: modes of unit mass move small bodies far."""
    mean = np.sqrt(np.maximum(M.diagonal(), 0.0) / (np.trace(p.rigid_mass[:3, :3]) / 3))
    return np.outer(np.tile(np.repeat([1.0, 1 / p.size], 3), p.n_connections // 6), mean)


def _projected(p: FreeBody, H: np.ndarray, name: str, about: dict[str, Any]) -> ReducedBody:
    U = np.asarray(p.T @ H)
    M = _symmetric(H.T @ (p.M @ H))
    count = p.n_connections
    at, unit = np.asarray(p.C @ H), np.eye(count, H.shape[1])
    if count and np.all(np.abs(at - unit) <= 1e-6 * np.maximum(_reach(p, M), 1.0)):
        at = unit
        K = _deformation_stiffness(p, H, M)
    else:
        K = _symmetric(H.T @ product(p.K, H))
    inertia = invariants(p, U)
    return ReducedBody(
        name=name,
        K=K,
        M=M,
        at_connections=at,
        gravity=inertia.translation,
        invariants=inertia,
        shapes=U,
        viscous=None if p.D is None else _symmetric(H.T @ (p.D @ H)),
        **fields_of(p),
        **about,
    )


def _deformation_stiffness(p: FreeBody, H: np.ndarray, M: np.ndarray) -> np.ndarray:
    """PᵀHᵀK H P, P = 1 − R (RᵀMR)⁻¹RᵀM: of what motions have beyond the rigid-body motion of the same momentum.

    P only takes out rounding errors of K, which would resist a rigid-body motion R (r, 6).
    """
    R = np.zeros((len(M), 6))
    R[: p.n_connections] = rigid_motion(p.points)
    momentum = R.T @ M
    share = np.linalg.solve(momentum @ R, momentum)
    D = H - p.rigid @ share
    K = _symmetric(D.T @ product(p.K, D))
    KR = K @ R
    K = K - KR @ share - share.T @ KR.T + share.T @ (R.T @ KR) @ share
    return _symmetric(K)


def _symmetric(A: np.ndarray) -> np.ndarray:
    return 0.5 * (A + A.T)


def _vector(values: np.ndarray) -> str:
    return "(" + ", ".join(f"{v + 0.0:.5g}" for v in values) + ")"
