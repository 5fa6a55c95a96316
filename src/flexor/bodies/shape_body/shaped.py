"""A body of shape functions as a reduced body: what the floating law, recovery and the viewer take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from dataclasses import field as field_of_class

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from flexor.bodies.shape_body.free_shapes import FreeShapes
from flexor.bodies.shape_body.integrals import Integrals
from flexor.bodies.shape_body.mean_motion import MeanMotion
from flexor.bodies.shape_body.shape_field import ShapeField
from flexor.mesh.mesh import Mesh
from flexor.reduce.damping import Damping
from flexor.reduce.invariants import AXES, Invariants
from flexor.reduce.reduced import ReducedBody
from flexor.spatial import PERMUTATION, Pose


@dataclass(frozen=True, eq=False, kw_only=True)
class ShapedBody(ReducedBody):
    """Its coordinates are free modes made of shape functions; `field` knows them everywhere, the mesh draws them.

    functions: how many shape functions there were.   names, dropped: of those that it has, and of those that were left out.   states: (n, r) of its coordinates by those that it has.   dependent: combinations left out as sums of others to within rounding.
    blur: relative error of its lowest frequencies by rounding.   held: the sides that are its interfaces, by name.
    """

    field: ShapeField
    functions: int = 0
    names: tuple[str, ...] = ()
    states: np.ndarray = field_of_class(default_factory=lambda: np.zeros((0, 0)))
    dropped: tuple[str, ...] = ()
    dependent: int = 0
    blur: float = 0.0
    held: Mapping[str, MeanMotion] = field_of_class(default_factory=dict)

    def motion_at(self, point: ArrayLike) -> np.ndarray:
        """(6, r) displacement and rotation of a material point [m], by the shape functions themselves."""
        return self.field.motion_at(point)

    def interface_rows(self, name: str) -> sparse.csr_array:
        """(6, N) mean motion of the side by the nodes of the drawn mesh."""
        return self.held[name].rows(self.nodes)

    def tensors_at(self, point: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """(6, r) strain and stress [Pa] at a material point, by the slopes of the shape functions."""
        x = np.asarray(point, dtype=float)[None]
        return self.field.strain(x)[0], self.field.stress(x)[0]

    @property
    def holds_together(self) -> bool:
        """Of a turned part with steps the drawn mesh does not; it is for looking and loading."""
        return self.field.series.holds_together

    def _stress_modes(self, surface: str) -> np.ndarray:
        """At the nodes of the drawn mesh, by the slopes of the shape functions themselves."""
        return self.field.stress(self.nodes)

    @property
    def frequencies(self) -> np.ndarray:
        """(r,) of the free body [Hz]."""
        return np.sqrt(np.diag(self.K)) / (2 * np.pi)


def shaped_body(
    name: str,
    found: Integrals,
    shapes: FreeShapes,
    field: ShapeField,
    mesh: Mesh,
    damping: Damping,
    interfaces: Mapping[str, MeanMotion],
    **about: object,
) -> ShapedBody:
    """The reduced body of free shapes."""
    nodes = mesh.points
    m, count = len(shapes.squares), len(nodes)
    numbers = np.full((count, 6), -1)
    numbers[:, :3] = np.arange(3 * count).reshape(count, 3)
    inertia = _invariants(found, shapes, field.pose)
    return ShapedBody(
        name=name,
        interfaces=tuple(interfaces),
        points=np.array([each.center for each in interfaces.values()]).reshape(-1, 3),
        nodes=nodes,
        node_ids=mesh.node_ids,
        node_dofs=numbers,
        mesh=mesh,
        K=np.diag(shapes.squares),
        M=np.eye(m),
        at_connections=np.vstack([np.zeros((0, m)), *(each.motion for each in interfaces.values())]),
        gravity=inertia.translation,
        invariants=inertia,
        shapes=field.displacement(nodes).reshape(3 * count, m),
        damping=damping,
        field=field,
        states=shapes.V,
        dependent=shapes.dependent,
        blur=shapes.blur,
        held=interfaces,
        **about,  # type: ignore[arg-type]
    )


def _invariants(found: Integrals, shapes: FreeShapes, X_BG: Pose) -> Invariants:
    """About the origin of the body, in its axes. The modes have no momentum, which is set to zero exactly."""
    m, c, R = found.mass, found.first / found.mass, X_BG.R
    spread = found.second - m * np.outer(c, c)
    V, k = shapes.V, len(shapes.squares)
    products = found.products(V)
    position = (found.position_products - c[:, None, None] * found.translation) @ V
    if np.abs(shapes.rigid).max(initial=0.0) > 1e-9 * np.abs(V).max(initial=1.0):
        products, position = _without_rigid(found, shapes, c, spread, products, position)
    position = 0.5 * (position + position.transpose(1, 0, 2))
    if not np.array_equal(R, np.eye(3)):
        products = np.einsum("ik,jl,klrs->ijrs", R, R, products, optimize=True)
        position = np.einsum("ik,jl,klr->ijr", R, R, position)
    com = X_BG.apply(c)
    return Invariants(
        mass=m,
        first=m * com,
        second=R @ spread @ R.T + m * np.outer(com, com),
        translation=np.zeros((3, k)),
        rotation=np.zeros((3, k)),
        centrifugal=position - AXES[:, :, None] * np.einsum("kkr->r", position),
        products=products,
    )


def _without_rigid(
    found: Integrals, shapes: FreeShapes, c: np.ndarray, spread: np.ndarray, products: np.ndarray, arms: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(3, 3, m, m) ∫ρ SₖᵀSₗ and (3, 3, m) ∫ρ (x − c)ₖ Sₗ of shapes less their rigid motions t + θ × (x − c).

    products, arms: the same of the shapes as they are.
    """
    m, a = found.mass, shapes.rigid
    t = np.hstack([np.eye(3), np.zeros((3, 3))])
    A = np.zeros((3, 6, 3))
    A[:, 3:] = PERMUTATION  # (e_a × d)_l = ε_lab d_b
    S = found.translation @ shapes.V
    mixed = np.einsum("kn,lj->klnj", S, t) + np.einsum("bkn,ljb->klnj", arms, A)  # ∫ρ Sₖ R_l
    mixed = mixed @ a
    own = m * np.einsum("ki,lj->klij", t, t) + np.einsum("kib,ljc,bc->klij", A, A, spread)
    own = np.einsum("in,klij,jm->klnm", a, own, a, optimize=True)
    whole = products - mixed - mixed.transpose(1, 0, 3, 2) + own
    return whole, arms - np.einsum("ljb,kb->klj", A, spread) @ a
