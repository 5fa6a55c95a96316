"""Geometric stiffening of a floating body: displacements of second order in its modes, by the stress of unit loads.

As a body bends it draws its points together: u = S q + u⁽²⁾, where u⁽²⁾ = ½ qᵀS⁽²⁾q keeps the strain linear in q. By
reciprocity the work of a load on u⁽²⁾ is that of its stress on the quadratic strain, so with the geometric stiffness K_g of the
stress under that load

    ∫ f·u⁽²⁾ = −½ qᵀ K_g(f) q

Unit forces at a point give u⁽²⁾ there; the inertia of a steady spin gives how the mass of the body moves. The loads are in
balance with the rigid-body inertia of the body, so u⁽²⁾ has no momentum: the frame follows the body in the mean, in second
order as well. Whatever pulls at the points of the body, and its own inertia and weight, then stiffens or softens it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from flexor.bodies.floating.law import PAIRS, pair_sum
from flexor.bodies.floating.loaded_mesh import LoadedMesh
from flexor.bodies.floating.mean_axes import MeanAxes
from flexor.bodies.floating.stiffened import Shortening
from flexor.bodies.floating.tie_stiffness import on_arm
from flexor.reduce.invariants import Invariants, invariants
from flexor.reduce.reduced import ReducedBody

SAME = 1e-6
"""Kinetic energy of a field, relative to that of its parts, below which it counts as a sum of others."""
NEGLIGIBLE = 1e-5
"""Shortening at equal strain energy, relative to the largest, that is left out."""


def shortening(
    reduced: ReducedBody,
    axes: MeanAxes,
    points: Mapping[str, str | np.ndarray] | None = None,
    mesh: LoadedMesh | None = None,
) -> Shortening:
    """Displacements of second order in the modes: of the mass of the body, and of points where forces attach.

    points: interfaces by name, or places [m]. The stress is that of the whole mesh, not of the reduced body; one
    factorisation, 6 loads and 6 for each point.
    """
    mesh = mesh or LoadedMesh(reduced)
    m, points = axes.size, dict(points or {})
    loads = np.hstack([mesh.spins, *(mesh.unit_loads(point) for point in points.values())])
    found = -mesh.stiffness(loads, reduced.shapes @ axes.modes)
    N, inertia, mass = _of_the_mass(mesh, axes, found[:6])
    own = _with_own(inertia, axes.invariants)
    mass[:m, :m] = np.eye(m)
    at_points = {}
    for i, (name, point) in enumerate(points.items()):
        at_points[name] = found[6 + 6 * i : 12 + 6 * i]
        if not isinstance(point, str):
            at_points[name] = at_points[name] + on_arm(mesh.model, reduced, point, reduced.shapes @ axes.modes)
    return Shortening(N, mass, own, at_points)


def _of_the_mass(mesh: LoadedMesh, axes: MeanAxes, known: np.ndarray) -> tuple[np.ndarray, Invariants, np.ndarray]:
    """N, and inertia and mass matrix of modes and fields together.

    The matrices ∫ρ gₚ·S⁽²⁾ = −known are projections on the six fields gₚ = eᵢ × (eⱼ × x), the homogeneous stretches. u⁽²⁾ is
    taken as the sum F η of these fields, without their rigid-body motion, that has the same projections: of all
    displacements with them the one of least kinetic energy.
    """
    p, reduced, m = mesh.problem, mesh.reduced, axes.size
    U = np.hstack([reduced.shapes @ axes.modes, mesh.stretches(axes.com)])
    scale = axes.invariants.mass / mesh.model.mass_properties.mass  # of the body against its mesh
    inertia, mass = invariants(p, U).about(axes.com), U.T @ (p.M_full @ U)
    felt = np.array([pair_sum(inertia.centrifugal, *pair) for pair in PAIRS])[:, m:]  # the projections of the fields
    size = np.sqrt(np.maximum(np.diag(mass)[m:], 0.0))
    size[size <= 1e-9 * size.max()] = np.inf
    energy, V = np.linalg.eigh(mass[m:, m:] / np.outer(size, size))
    V = (V / size[:, None])[:, energy > SAME] / np.sqrt(energy[energy > SAME])  # orthonormal fields
    N = np.linalg.solve(V.T @ felt @ V, np.tensordot(V.T, -known, 1).reshape(V.shape[1], -1))
    frequency = np.sqrt(axes.squares)
    Q, values, _ = np.linalg.svd(N / np.outer(frequency, frequency).ravel(), full_matrices=False)
    Q = Q[:, values > NEGLIGIBLE * values[0]]
    basis = np.block([[np.eye(m), np.zeros((m, Q.shape[1]))], [np.zeros((6, m)), V @ Q]])
    return (Q.T @ N).reshape(-1, m, m), inertia.in_basis(basis).heavier(scale), scale * basis.T @ mass @ basis


def _with_own(inertia: Invariants, own: Invariants) -> Invariants:
    """The invariants of modes and fields, with those of the modes as the body has them."""
    m = own.size
    products = inertia.products.copy()
    products[:, :, :m, :m] = own.products

    def joined(first: np.ndarray, second: np.ndarray) -> np.ndarray:
        return np.concatenate([first, second[..., m:]], axis=-1)

    return replace(
        own,
        translation=joined(own.translation, inertia.translation),
        rotation=joined(own.rotation, inertia.rotation),
        centrifugal=joined(own.centrifugal, inertia.centrifugal),
        products=products,
    )
