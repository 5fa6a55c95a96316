"""Plane stress in a triangle with rotations about the normal: Felippa's optimal triangle (OPT).

C. A. Felippa, "A study of optimal membrane triangles with drilling freedoms", CMAME 192 (2003). A constant strain that
passes the patch test, and a linear one of mean zero driven by the corners' rotations against the triangle as a whole,
scaled so that in-plane bending of a rectangle of such triangles is exact. Freedoms: u, v, θz at each node.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

_LUMPING = 1.5  # α_b
_CORNERS = np.array(  # β₁ … β₉ of the optimal element at the three corners, rows: sides 12, 23, 31
    [
        [[1, 2, 1], [0, 1, -1], [-1, -1, -2]],
        [[-2, -1, -1], [1, 1, 2], [-1, 0, 1]],
        [[1, -1, 0], [-1, -2, -1], [2, 1, 1]],
    ]
)


def membrane_strain(xy: np.ndarray, A: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Function from area coordinates (3,) to the operator (m, 3, 9) of strain (xx, yy, γxy).

    xy: (m, 3, 2) nodes in the plane, counter-clockwise;  A: (m|1, 3, 3) membrane stiffness [N/m].
    """
    nxt, prv = [1, 2, 0], [2, 0, 1]
    p, q = xy[:, nxt] - xy, xy[:, prv] - xy  # from each node to the next, to the one before
    area = (p[:, 0, 0] * q[:, 0, 1] - p[:, 0, 1] * q[:, 0, 0])[:, None, None] / 2
    a, b = q[..., 0] - p[..., 0], p[..., 1] - q[..., 1]  # 2 area × gradient of the area coordinates: (b, a)

    basic = np.zeros((len(xy), 3, 9))
    basic[:, 0, 0::3] = basic[:, 2, 1::3] = b
    basic[:, 1, 1::3] = basic[:, 2, 0::3] = a
    basic[:, 0, 2::3] = _LUMPING / 6 * (q[..., 1] ** 2 - p[..., 1] ** 2)
    basic[:, 1, 2::3] = _LUMPING / 6 * (q[..., 0] ** 2 - p[..., 0] ** 2)
    basic[:, 2, 2::3] = _LUMPING / 3 * (p[..., 0] * p[..., 1] - q[..., 0] * q[..., 1])
    basic /= 2 * area

    # corners' rotations against that of the whole, ½ (v,x − u,y)
    turn = np.zeros((len(xy), 3, 9))
    turn[:, :, 0::3], turn[:, :, 1::3] = a[:, None], -b[:, None]
    turn /= 4 * area
    turn[:, range(3), [2, 5, 8]] += 1.0

    square = np.einsum("mki,mki->mk", p, p)[:, :, None]
    along = np.stack([p[..., 0] ** 2, p[..., 1] ** 2, p[..., 0] * p[..., 1]], axis=-1) / square  # strain of each side
    scale = 1.5 * np.sqrt(np.maximum((1 - 4 * _poisson(A) ** 2) / 2, 0.01))[:, None, None]  # β₀ = ½ (1 − 4 ν²)
    higher = scale * np.linalg.inv(along) * (2 * area / 3) / square.swapaxes(1, 2)

    def strain(point: np.ndarray) -> np.ndarray:
        return basic + higher @ np.tensordot(point, _CORNERS, axes=1) @ turn

    return strain


def _poisson(A: np.ndarray) -> np.ndarray:
    """(m|1,) Poisson's ratio of a stiffness, of its mean over all directions if it depends on them (Tsai–Pagano)."""
    trace, a12, a66 = A[:, 0, 0] + A[:, 1, 1], A[:, 0, 1], A[:, 2, 2]
    return (trace + 6 * a12 - 4 * a66) / (3 * trace + 2 * a12 + 4 * a66)
