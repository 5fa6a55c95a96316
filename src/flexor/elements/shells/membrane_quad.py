"""Plane stress in a quadrilateral with rotations about the normal: hybrid, with a stress in equilibrium.

Inside, nine stress modes that satisfy equilibrium, all of them derived from biharmonic Airy functions φ, so that they
are compatible too in an isotropic plate: the constant ones, all linear ones, and φ = x⁴ − y⁴ and x³y − xy³. As many as
the element has ways to deform (12 freedoms − 3 rigid motions): no spurious mode and no penalty factor.
On each edge from node i to j a displacement that is linear, plus, normal to the edge (s from −1 to 1),
    L/8 (θ_i − θ_j)(1 − s²) + L/4 α (s³ − s) ,   α = mean of the θ − ½ (v,x − u,y)
where the parabola is Allman's (1984) and the cubic lets the mean rotation of the corners against the element have
stiffness. Both vanish under constant strain, and constant stress does no work on the cubic: the patch test is passed.
    H β = G u ,   H = ∫ Pᵀ A⁻¹ P dA ,   G = ∮ (P n)ᵀ N ds ,   K = Gᵀ H⁻¹ G
Strain is A⁻¹ P β. Kindred: Madeo, Zagari, Casciaro, "An isostatic quadrilateral membrane finite element with drilling
rotations and no spurious modes", Finite Elem. Anal. Des. 50 (2012). Freedoms: u, v, θz at each node.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexor.elements import quadrature
from flexor.elements.shells.quad import EDGES, area, at

_INSIDE, _EDGE = quadrature.quadrilateral(3), quadrature.line(3)  # exact for the modes


def membrane_strain(xy: np.ndarray, A: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Function from natural coordinates (2,) to the operator (m, 3, 12) of strain (xx, yy, γxy).

    xy: (m, 4, 2) nodes in the plane, counter-clockwise, with x and y as close to the midlines as they can be so that
    the numbering does not matter;  A: (m|1, 3, 3) membrane stiffness [N/m].
    """
    size, centre = np.sqrt(area(xy)), xy.mean(axis=1)
    inverse = np.linalg.inv(A)

    def stress(point: np.ndarray) -> np.ndarray:
        return _modes(*((point - centre) / size[:, None]).T)

    H = np.zeros((len(xy), 9, 9))
    for point, weight in zip(_INSIDE.points, _INSIDE.weights):
        N, _, det = at(xy, point)
        P = stress(N @ xy)
        H += (weight * det)[:, None, None] * (P.swapaxes(1, 2) @ (inverse @ P))
    beta = np.linalg.solve(H, _work(xy, stress))

    def strain(point: np.ndarray) -> np.ndarray:
        return inverse @ stress(at(xy, point)[0] @ xy) @ beta

    return strain


def _modes(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """P (m, 3, 9): σxx = φ,yy   σyy = φ,xx   τxy = −φ,xy."""
    o, z = np.ones_like(x), np.zeros_like(x)
    xx = [o, z, z, y, z, z, x, -y * y, -x * y]
    yy = [z, o, z, z, x, y, z, x * x, x * y]
    xy = [z, z, o, z, z, -x, -y, z, (y * y - x * x) / 2]
    return np.stack([np.stack(row, axis=-1) for row in (xx, yy, xy)], axis=1)


def _work(xy: np.ndarray, stress: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """G (m, 9, 12): work of the modes' tractions on the edges per unit of the freedoms."""
    mean = _mean_rotation(xy)
    G = np.zeros((len(xy), 9, 12))
    for i, j in EDGES:
        side = xy[:, j] - xy[:, i]
        left = np.stack([-side[:, 1], side[:, 0]], axis=-1)  # L × normal to the edge, inwards
        for s, weight in zip(_EDGE.points[:, 0], _EDGE.weights):
            U = np.zeros((len(xy), 2, 12))
            U[:, [0, 1], [3 * i, 3 * i + 1]] = (1 - s) / 2
            U[:, [0, 1], [3 * j, 3 * j + 1]] = (1 + s) / 2
            U += (s**3 - s) / 4 * left[:, :, None] * mean[:, None, :]
            U[:, :, 3 * i + 2] += (1 - s * s) / 8 * left
            U[:, :, 3 * j + 2] -= (1 - s * s) / 8 * left
            P = stress(xy[:, i] * (1 - s) / 2 + xy[:, j] * (1 + s) / 2)
            nx, ny = -left[:, :1] / 2, -left[:, 1:] / 2  # outwards, L/2 from ds
            traction = np.stack([P[:, 0] * nx + P[:, 2] * ny, P[:, 2] * nx + P[:, 1] * ny], axis=-1)
            G += weight * (traction @ U)
    return G


def _mean_rotation(xy: np.ndarray) -> np.ndarray:
    """(m, 12) α: mean rotation of the corners less the rotation ½ (v,x − u,y) of the element as a whole."""
    across = (xy[:, [1, 2, 3, 0]] - xy[:, [3, 0, 1, 2]]) / (2 * area(xy))[:, None, None]
    mean = np.full((len(xy), 12), 0.25)
    mean[:, 0::3], mean[:, 1::3] = -across[..., 0] / 2, -across[..., 1] / 2  # N,y = −Δx/2A   N,x = Δy/2A
    return mean
