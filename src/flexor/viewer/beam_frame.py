"""The frame that a beam's deflection is seen from: it moves rigidly, so that the page can enlarge the deflection alone.

It stays with what holds the beam: a clamp on the ground keeps it wholly, hinges keep their points in it, and what these leave open
is the best fit to all nodes. At each time the pose (p, R) is that for which

    Σ w |x − p − R X|² + ℓ² Σ v |A − R|²   is least,     R = polar rotation of  Σ w (x − x̄)(X − X̄)ᵀ + ℓ² Σ v A,   p = x̄ − R X̄,

with the places x, X and the turn A of the nodes, moved and at rest in the body's axes, and the beam's length ℓ (Kabsch's method).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from flexor.bodies import Beam
from flexor.declaration import Item
from flexor.joints import Fixed, Joint
from flexor.model.joint_state import GROUND, Placement
from flexor.spatial import continuous_quaternions, matrix_to_quaternion

ON_GROUND, JOINED, FREE = 1.0, 1e-4, 1e-8
"""Weights of nodes: what stands on the ground decides, then what is joined to other bodies, then the rest."""


def weights_of(beam: Beam, items: Iterable[Item], placement: Placement) -> tuple[np.ndarray, np.ndarray]:
    """(nodes,) weights of places and of turns, by the joints of a beam."""
    w = np.full(len(beam.geometry[0]), FREE)
    v = w.copy()
    for joint in items:
        state = placement.joints.get(joint.name) if isinstance(joint, Joint) else None
        if state is None or not isinstance(joint, Joint):
            continue
        for own, other, X in ((joint.a, joint.b, state.X_AJ), (joint.b, joint.a, state.X_BJ)):
            if own.body != beam.name:
                continue
            node, _ = beam.carrier(None, X.p)
            size = ON_GROUND if other.body == GROUND else JOINED
            w[node] = max(w[node], size)
            if isinstance(joint, Fixed):
                v[node] = max(v[node], size)
    return w, v


def frames_of(x: np.ndarray, A: np.ndarray, X: np.ndarray, w: np.ndarray, v: np.ndarray) -> np.ndarray:
    """(n, 7) poses from nodes at x (n, k, 3), turned by A (n, k, 3, 3), at rest at X (k, 3)."""
    length2 = float(np.sum(np.diff(X, axis=0) ** 2, axis=1).sum()) * max(len(X) - 1, 1)
    share = w / w.sum()
    middle, X_middle = share @ x, share @ X
    M = np.einsum("k,nki,kj->nij", w, x - middle[:, None], X - X_middle) + length2 * np.einsum("k,nkij->nij", v, A)
    U, _, Vt = np.linalg.svd(M)
    U[..., 2] *= np.sign(np.linalg.det(U @ Vt))[:, None]
    R = U @ Vt
    return np.hstack([middle - R @ X_middle, continuous_quaternions(matrix_to_quaternion(R))])
