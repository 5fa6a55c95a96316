"""The four-node quadrilateral: shape functions, Jacobians, area."""

from __future__ import annotations

import numpy as np

EDGES = ((0, 1), (1, 2), (2, 3), (3, 0))
CORNERS = ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
_XI, _ETA = np.array(CORNERS).T


def shapes(point: np.ndarray | tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Values (4,) and natural derivatives (2, 4) at a point (ξ, η)."""
    xi, eta = point
    a, b = 1 + _XI * xi, 1 + _ETA * eta
    return a * b / 4, np.stack([_XI * b, _ETA * a]) / 4


def at(xy: np.ndarray, point: np.ndarray | tuple[float, float]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Shape functions (4,), Jacobian (m, 2, 2) with rows ∂/∂ξ, ∂/∂η, and its determinant (m,)."""
    N, dN = shapes(point)
    J = dN @ xy
    return N, J, J[:, 0, 0] * J[:, 1, 1] - J[:, 0, 1] * J[:, 1, 0]


def area(xy: np.ndarray) -> np.ndarray:
    """(m,) areas of plane quadrilaterals (m, 4, 2)."""
    p, q = xy[:, 2] - xy[:, 0], xy[:, 3] - xy[:, 1]
    return (p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]) / 2
