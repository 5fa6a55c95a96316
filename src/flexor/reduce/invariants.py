"""Inertia invariants of a reduced body: what its mass does in large motion, in constant numbers.

A point at x of the body frame, displaced by S(x) z, has the acceleration (in that frame)

    a = r̈ + α × (x + Sz) + ω × (ω × (x + Sz)) + 2 ω × Sż + Sz̈

and the virtual work of ρa in Sδz is made of the integrals below. They are evaluated with the finite-element mass
matrix: the momentum of a motion v of the nodes is (p, h) = M v at every node, and the inertia load of a rigid spin is

    b = (ω × p, ω × h + v × p),   v = ω × x,

which gives the exact total force and moment for every element, also with rotations at the nodes; for solids, whose mass
matrix is the same in all directions, it equals M times the nodal field ω × (ω × x). Beams have their own load,
∫Nᵀ ρ ω × (ω × x), which differs from it in how it is shared among the nodes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from flexor.elements.assembly.batches import batches, kind_of
from flexor.elements.lines.beam2 import Beam2
from flexor.reduce.free_body import FreeBody, MassOnMesh
from flexor.reduce.translation_products import translation_products
from flexor.spatial import PERMUTATION, MassProperties, skew

AXES = np.eye(3)


@dataclass(frozen=True, eq=False)
class Invariants:
    """Integrals over the body about the origin of its frame; S (3, r) are the displacements of the r coordinates.

    mass: ∫ρ [kg];  first: (3,) ∫ρ x [kg m];  second: (3, 3) ∫ρ x xᵀ [kg m²]
    translation: (3, r) ∫ρ S;  rotation: (3, r) ∫ρ x × S
    centrifugal: (3, 3, r) ∫ρ Sᵀ (eᵢ × (eⱼ × x)): Σ ωᵢωⱼ of it is the generalised inertia force of a steady spin
    products: (3, 3, r, r) ∫ρ Sₖᵀ Sₗ                                                                 NAK (3-22)
    """

    mass: float
    first: np.ndarray
    second: np.ndarray
    translation: np.ndarray
    rotation: np.ndarray
    centrifugal: np.ndarray
    products: np.ndarray

    @property
    def size(self) -> int:
        """Number of coordinates r."""
        return self.translation.shape[1]

    @property
    def inertia(self) -> np.ndarray:
        """(3, 3) inertia about the origin [kg m²]."""
        return np.trace(self.second) * AXES - self.second

    @property
    def mass_properties(self) -> MassProperties:
        """Mass, centre of mass and inertia about it."""
        c = self.first / self.mass if self.mass else np.zeros(3)
        return MassProperties(self.mass, c, self.inertia - self.mass * ((c @ c) * AXES - np.outer(c, c)))

    @cached_property
    def position_products(self) -> np.ndarray:
        """(3, 3, r) ∫ρ xₖ Sₗ.   NAK (3-23)

        Its symmetric part follows from ∫ρ Sᵀ(eᵢ × (eⱼ × x)) = ∫ρ xᵢSⱼ − δᵢⱼ ∫ρ x·S, the rest from ∫ρ x × S.
        """
        sums = 0.5 * (self.centrifugal + self.centrifugal.transpose(1, 0, 2))
        sums = sums - 0.5 * AXES[:, :, None] * np.einsum("kkr->r", self.centrifugal)
        turns = np.einsum("ijk,kr->ijr", PERMUTATION, self.rotation)
        return sums + 0.5 * turns

    @cached_property
    def gyroscopic(self) -> np.ndarray:
        """(3, r, r) ∫ρ Sᵀ (eₖ × S), antisymmetric: Σ 2ωₖ of it times ż is the Coriolis force."""
        # a·(eₖ × b) = ε_akb aₐ b_b
        return np.einsum("akb,abrs->krs", PERMUTATION, self.products)

    @cached_property
    def softening(self) -> np.ndarray:
        """(3, 3, r, r) ∫ρ Sᵀ (eᵢ × (eⱼ × S)): Σ ωᵢωⱼ of it times z is the change of the centrifugal force."""
        # eᵢ × (eⱼ × s) = eⱼ sᵢ − δᵢⱼ s
        return self.products.transpose(1, 0, 2, 3) - AXES[:, :, None, None] * np.einsum("kkrs->rs", self.products)

    def in_basis(self, basis: np.ndarray) -> Invariants:
        """The same for other coordinates w, z = basis (r, s) · w."""
        return Invariants(
            mass=self.mass,
            first=self.first,
            second=self.second,
            translation=self.translation @ basis,
            rotation=self.rotation @ basis,
            centrifugal=self.centrifugal @ basis,
            products=np.einsum("ra,klrs,sb->klab", basis, self.products, basis, optimize=True),
        )

    def heavier(self, factor: float) -> Invariants:
        """The same for a body of the same shape and another density."""
        return Invariants(**{name: factor * value for name, value in vars(self).items() if name in _FIELDS})

    def about(self, origin: np.ndarray) -> Invariants:
        """The same with another origin of the body frame, its axes unchanged."""
        d = np.asarray(origin, dtype=float)
        S = self.translation
        shift = np.einsum("ijk,kr->ijr", _rotated_twice(d), S)  # ∫ρ Sᵀ (eᵢ × (eⱼ × d))
        return Invariants(
            mass=self.mass,
            first=self.first - self.mass * d,
            second=self.second - np.outer(d, self.first) - np.outer(self.first, d) + self.mass * np.outer(d, d),
            translation=S,
            rotation=self.rotation - np.cross(d, S, axisb=0, axisc=0),
            centrifugal=self.centrifugal - shift,
            products=self.products,
        )


_FIELDS = tuple(field.name for field in fields(Invariants))


def _rotated_twice(d: np.ndarray) -> np.ndarray:
    """(3, 3, 3) vectors eᵢ × (eⱼ × d) = eⱼ dᵢ − δᵢⱼ d."""
    return np.einsum("jk,i->ijk", AXES, d) - np.einsum("ij,k->ijk", AXES, d)


def invariants(p: MassOnMesh, U: np.ndarray) -> Invariants:
    """Of a body whose degrees of freedom move as u = U z, U (N, r)."""
    motions = _rigid_fields(p)
    momentum = p.M_full @ motions
    total = motions.T @ momentum
    m = float(np.trace(total[:3, :3]) / 3)
    # the upper right block is −m skew(c)
    first = 0.5 * np.array([total[1, 5] - total[2, 4], total[2, 3] - total[0, 5], total[0, 4] - total[1, 3]])
    J = total[3:, 3:]
    coupling = momentum.T @ U

    loads = spin_loads(p, momentum)
    return Invariants(
        mass=m,
        first=first,
        second=0.5 * np.trace(J) * AXES - J,
        translation=coupling[:3],
        rotation=coupling[3:],
        centrifugal=(loads.reshape(9, -1) @ U).reshape(3, 3, -1),
        products=translation_products(p, U),
    )


def spin_loads(p: MassOnMesh, momentum: np.ndarray | None = None) -> np.ndarray:
    """(3, 3, N) inertia forces at all degrees of freedom: Σ ωᵢωⱼ of them is that of a steady spin.

    momentum: M_full times the rigid motions, if it is known.
    """
    node, component = p.owners.T
    momentum = p.M_full @ _rigid_fields(p) if momentum is None else momentum
    nodal = np.zeros((len(p.nodes), 6, 3))
    nodal[node, component] = momentum[:, 3:]
    loads = _turned_momentum(p.nodes, nodal) + _own_loads_of_beams(p)
    return loads[:, :, node, component]


def _turned_momentum(X: np.ndarray, momentum: np.ndarray) -> np.ndarray:
    """(3, 3, …, 6) forces eᵢ × pⱼ and moments eᵢ × hⱼ + (eᵢ × x) × pⱼ at nodes X (…, 3) with the momenta (…, 6, 3)."""
    loads = np.zeros((3, 3, *X.shape[:-1], 6))
    for i, e in enumerate(AXES):
        v = np.cross(e, X)
        for j in range(3):
            p, h = momentum[..., :3, j], momentum[..., 3:, j]
            loads[i, j] = np.concatenate([np.cross(e, p), np.cross(e, h) + np.cross(v, p)], axis=-1)
    return loads


def _own_loads_of_beams(p: MassOnMesh) -> np.ndarray:
    """(3, 3, nodes, 6) what beams, which know how they move between their nodes, have beyond the momenta of the nodes."""
    found = np.zeros((len(p.nodes), 3, 3, 6))
    if p.mesh is None:
        return found.transpose(1, 2, 0, 3)
    mass = np.zeros((len(p.nodes), 6))
    for block in p.mesh.blocks:
        if kind_of(block) is not Beam2:
            continue
        for batch in batches(p.mesh, block, p.options):
            m = len(batch.nodes)
            M = Beam2.mass(batch.X, batch.properties)
            spins = np.zeros((m, 2, 6, 3))
            spins[:, :, :3] = [[-skew(x) for x in X] for X in batch.X]
            spins[:, :, 3:] = AXES
            shared = _turned_momentum(batch.X, (M @ spins.reshape(m, 12, 3)).reshape(m, 2, 6, 3))
            own = Beam2.spin_load(batch.X, batch.properties).reshape(m, 3, 3, 2, 6)
            np.add.at(found, batch.nodes, own.transpose(0, 3, 1, 2, 4) - shared.transpose(2, 3, 0, 1, 4))
            np.add.at(mass, batch.nodes, np.einsum("mii->mi", M).reshape(m, 2, 6))
    node, component = p.owners.T
    rest = p.M_full.diagonal() - mass[node, component]
    if rest.min(initial=0.0) < -1e-9 * mass.max(initial=0.0):  # lumped: the nodes alone have mass
        found[:] = 0.0
    return found.transpose(1, 2, 0, 3)


def inertia_loads(p: FreeBody) -> np.ndarray:
    """(n, 12) loads on the coordinates: unit accelerations (3), angular accelerations (3), products ωᵢωⱼ (6)."""
    spin = spin_loads(p)
    pairs = [spin[i, j] + (spin[j, i] if i != j else 0.0) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    return np.hstack([p.M @ p.rigid, p.T.T @ np.array(pairs).T])


def _rigid_fields(p: MassOnMesh) -> np.ndarray:
    """(N, 6) all degrees of freedom in unit translations and rotations about the origin."""
    return np.asarray(p.T @ p.rigid)
