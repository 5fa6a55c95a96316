"""Bending and transverse shear of thick and thin plates: discrete Kirchhoff–Mindlin (DKMT, DKMQ: Katili 1993).

Along each edge k from node i to j the normal turns quadratically,
    β_s = (1 − s) β_i + s β_j + 4 s (1 − s) Δβ_k ,     s from 0 to 1
and the shear strain γ_k is constant. Both follow from the nodes by ∫(w,s + β_s − γ_k) ds = 0 and by equilibrium of
the edge taken as a beam:
    Δβ_k = −3/2 e_k / (L (1 + φ_k)) ,   γ_k = φ_k/(1 + φ_k) e_k/L ,   e_k = w_j − w_i + L/2 (β_i + β_j)
    φ_k = 12 D_ss / (S_ss L²)     (bending against shear stiffness along the edge)
so that a thin plate obeys Kirchhoff's law along its edges and never locks, and a thick one is Mindlin's.
The normal moves by u = z β with β = (θy, −θx); curvatures are (βx,x  βy,y  βx,y + βy,x), shear is γ = ∇w + β.
Freedoms of a plate: w, θx, θy at each node.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class PlateEdge:
    """One edge of m plates: from nodes' freedoms (3k) to its parabola of rotation and to its shear.

    direction: (m, 2);  bulge: (m, 3k) Δβ_k;  shear: (m, 3k) L γ_k, the shear strain summed up along the edge.
    """

    direction: np.ndarray
    bulge: np.ndarray
    shear: np.ndarray


def plate_edge(xy: np.ndarray, i: int, j: int, D: np.ndarray, S: np.ndarray) -> PlateEdge:
    """The edge from node i to node j of plates with nodes xy (m, k, 2), D (m|1, 3, 3) and S (m|1, 2, 2)."""
    side = xy[:, j] - xy[:, i]
    L = np.linalg.norm(side, axis=1)
    t = side / L[:, None]
    e = np.zeros((len(xy), 3 * xy.shape[1]))
    e[:, 3 * i], e[:, 3 * j] = -1.0, 1.0
    for node in (i, j):  # β_s = t · (θy, −θx)
        e[:, 3 * node + 1], e[:, 3 * node + 2] = -side[:, 1] / 2, side[:, 0] / 2
    curvature = np.stack([t[:, 0] ** 2, t[:, 1] ** 2, 2 * t[:, 0] * t[:, 1]], axis=-1)
    D_ss = np.einsum("mi,mij,mj->m", curvature, np.broadcast_to(D, (len(xy), 3, 3)), curvature)
    S_ss = np.einsum("mi,mij,mj->m", t, np.broadcast_to(S, (len(xy), 2, 2)), t)
    phi = (12 * D_ss / (S_ss * L**2))[:, None]
    return PlateEdge(t, -1.5 * e / (L[:, None] * (1 + phi)), phi / (1 + phi) * e)


def curvature(gradient: np.ndarray, edges: list[tuple[PlateEdge, np.ndarray]]) -> np.ndarray:
    """(m, 3, 3k) curvature from the gradients (m, 2, k) of the corners' shape functions and, for each edge, the
    gradient (m, 2) of the function that is 1 in its middle and 0 on the other edges."""
    m, _, k = gradient.shape
    B = np.zeros((m, 3, 3 * k))
    B[:, 0, 2::3], B[:, 1, 1::3] = gradient[:, 0], -gradient[:, 1]
    B[:, 2, 2::3], B[:, 2, 1::3] = gradient[:, 1], -gradient[:, 0]
    for edge, g in edges:
        t = edge.direction
        shape = np.stack([g[:, 0] * t[:, 0], g[:, 1] * t[:, 1], g[:, 1] * t[:, 0] + g[:, 0] * t[:, 1]], axis=-1)
        B += shape[:, :, None] * edge.bulge[:, None, :]
    return B
