"""Superelement: a reduced body that is carried by its connection nodes, co-rotated.   FTG 4"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from flexor.bodies.superelement.layout import CorotatedBody, FieldInertia, SuperelementHistory, interlaced
from flexor.bodies.superelement.shadow_frame import shadow_frame
from flexor.law import Term
from flexor.law.record import Packed
from flexor.reduce.nodal_inertia import NodalInertia
from flexor.spatial import Pose, skew

FrameKind = Literal["average", "triangle"]
Inertia = Literal["consistent", "nodal"]


def superelement_parameters(
    points: np.ndarray,
    K: np.ndarray,
    M: np.ndarray,
    *,
    D: np.ndarray | None = None,
    inertia: NodalInertia | None = None,
    mass: float,
    center: np.ndarray,
    momentum: np.ndarray,
    frame: FrameKind = "average",
    turning: bool = True,
    name: str = "body",
) -> Packed:
    """Parameters of the superelement law.

    points: (c, 3) nodes in the body's axes [m].   K, M, D: (N, N) in [motions of the nodes, six each; modes].
    inertia: what the field has beyond the nodal form, or None for the nodal form (FTG 7.7.3) alone.
    mass, center: mass [kg] and its centre in the body's axes [m].   momentum: (3, N) ∫ρS, for the potential energy.
    turning: whether the nodes have rotations.
    """
    from flexor.law.column_arrays import padded  # loads the compiler

    c, N = len(points), padded(len(K))
    more = N - len(K)

    def widen(values: ArrayLike, axes: int = 1) -> np.ndarray:
        """Zeros for the coordinates beyond the true ones, along the last axes."""
        values = np.asarray(values)
        return np.pad(values, [(0, 0)] * (values.ndim - axes) + [(0, more)] * axes)

    diagonal = np.diag(M)[: 6 * c].reshape(c, 2, 3).mean(axis=2)
    masses, inertias = diagonal[:, 0], diagonal[:, 1] if turning else np.zeros(c)
    if not np.all(masses > 0):
        masses, inertias = np.ones(c), np.zeros(c)
    made = shadow_frame(points, masses, inertias, frame, name, turning)
    damping = None if D is None or not np.any(D) else _without_rigid_motion(D, M, points, turning)
    return CorotatedBody.pack(
        frame=made.packed(points),
        consistent=inertia is not None,
        damped=damping is not None,
        turning=turning,
        mass=mass,
        center=center,
        origin=made.weights @ points,
        stiffness=widen(K.T, 2),
        inertia=widen(M.T, 2),
        momentum=widen(momentum),
        damping=() if damping is None else widen(damping.T, 2),
        field=NO_FIELD if inertia is None else _field(inertia, M, *made.at_rest(points), widen),
    )


NO_FIELD = FieldInertia.pack(load=(), matrices=(), spin=(), felt=np.zeros(18), moment=(), mobility=())
PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""Order of the products ωᵢωⱼ."""


def _field(
    inertia: NodalInertia, M: np.ndarray, spin: np.ndarray, centripetal: np.ndarray, widen: Callable[..., np.ndarray]
) -> Packed:
    """Inertia of the field;  spin, centripetal: of the frame, at rest."""

    def both(values: np.ndarray) -> np.ndarray:
        return np.array([values[i, j] + (values[j, i] if i != j else 0.0) for i, j in PAIRS])

    whole = np.zeros((3, len(M)))
    whole[:, : spin.shape[1]] = spin
    return FieldInertia.pack(
        load=widen(both(inertia.load)),
        matrices=interlaced(widen(np.concatenate([inertia.gyroscopic, both(inertia.softening), M[None]]), 2)),
        spin=widen(whole),
        felt=both(centripetal),
        moment=widen([both(moment) for moment in inertia.moment]),
        mobility=widen(np.linalg.pinv(M, rcond=1e-12, hermitian=True), 2),
    )


def superelement_term(
    name: str, nodes: Sequence[int], scalars: Sequence[int], parameters: Packed, center: np.ndarray, X_WB: Pose
) -> Term:
    """The element of a body that stands at X_WB, with its centre of mass at `center` in its own axes."""
    from flexor.bodies.superelement.law import superelement  # loads the compiler
    from flexor.bodies.superelement.work import scratch

    return Term(
        name,
        superelement,
        tuple(nodes),
        tuple(scalars),
        parameters=parameters,
        history=SuperelementHistory.begin(center=X_WB.apply(np.asarray(center, dtype=float))),
        scratch=scratch(len(nodes), len(scalars)),
    )


def _without_rigid_motion(D: np.ndarray, M: np.ndarray, points: np.ndarray, turning: bool) -> np.ndarray:
    """D as it acts on deformation against mean axes, in the reference position: PᵀDP, P = 1 − R (RᵀMR)⁻¹ RᵀM"""
    R = np.zeros((len(D), 6))
    nodal = R[: 6 * len(points)].reshape(-1, 6, 6)
    nodal[:, :3, :3] = np.eye(3)
    nodal[:, :3, 3:] = [-skew(x - points.mean(axis=0)) for x in points]
    if turning:
        nodal[:, 3:, 3:] = np.eye(3)
    inertia = R.T @ M @ R
    P = np.eye(len(D)) - R @ np.linalg.pinv(inertia, rcond=1e-12, hermitian=True) @ (R.T @ M)
    return P.T @ D @ P
