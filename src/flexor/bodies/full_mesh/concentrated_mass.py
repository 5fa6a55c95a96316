"""Concentrated masses of a mesh as rigid bodies in large motion."""

from __future__ import annotations

import numpy as np

from flexor.bodies.attachment import Refuse
from flexor.bodies.rigid_body import Inertial, rigid_body
from flexor.law import Term
from flexor.mesh.mesh import Mesh, NodalMass
from flexor.spatial import MassProperties, skew


def rigid_properties(
    mesh: Mesh, concentrated: NodalMass, turning: bool, scale: float, refuse: Refuse
) -> MassProperties:
    """Mass, centre from the node and inertia about it, of a matrix that is that of a rigid body; else it is refused.

    turning: whether the node turns; if not, it takes no moment, as in the finite-element model.   scale: factor on it.
    """
    A = scale * np.asarray(concentrated.matrix, dtype=float)
    mass = float(np.trace(A[:3, :3]) / 3)
    if not turning:
        A = np.pad(A[:3, :3], (0, 3))
    c = np.array([A[1, 5] - A[2, 4], A[2, 3] - A[0, 5], A[0, 4] - A[1, 3]]) / (2 * mass or 1.0)
    arm = skew(c)
    as_body = np.block([[mass * np.eye(3), -mass * arm], [mass * arm, A[3:, 3:]]])
    if not np.allclose(A, as_body, rtol=0, atol=1e-9 * np.abs(A).max()):
        node = mesh.node_ids[concentrated.node]
        why, fix = "a mass in large motion is the same in all directions", "use formulation: superelement"
        raise refuse(f"the mass at node {node} is not that of a rigid body", why, fix)
    c = np.where(np.abs(c) > 1e-12 * np.abs(mesh.points).max(initial=1.0), c, 0.0)
    return MassProperties(mass, c, A[3:, 3:] + mass * arm @ arm)


def mass_term(name: str, node: int, mass: float, J: np.ndarray, at: np.ndarray) -> Term:
    """A mass with the inertia J about a node that stands `at` a place at the start [m]."""
    moments = (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
    packed = Inertial.pack(mass=mass, inertia=moments, start=at, point=0)
    return Term(name, rigid_body, (node,), own_outputs=(), parameters=packed)
