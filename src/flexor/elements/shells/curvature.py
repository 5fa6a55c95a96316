"""Curvature of the surface that flat facets stand for, from the nodes of the facets around each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

_FOLD = np.cos(np.radians(40.0))  # facets that meet at a larger angle are a fold, not a curved surface
_FLAT = 1e-9  # tilt of the normal over one facet [rad] that counts as none
_RIDGE = 1e-3  # of the fit: curvature that the nodes around do not show is none


def facet_curvature(points: np.ndarray, facets: np.ndarray, surface: Sequence[np.ndarray]) -> np.ndarray:
    """(m, 3, 3) symmetric tensors C [1/m] in global axes: near a facet with the normal n the surface has n + C (x − x₀).

    points: (n, 3);  facets: (m, k) nodes;  surface: arrays (…, k) of all facets, these among them.
    A parabola z = c + g·x − ½ xᵀCx is fitted to the nodes of all facets that share a node and are no fold, in the
    facet's own axes.
    """
    m = len(facets)
    normal, centre, size = _facets(points, facets)
    if not np.all(size > 0):  # no area, no normal: the element itself refuses its nodes
        C = np.zeros((m, 3, 3))
        C[size > 0] = facet_curvature(points, facets[size > 0], surface) if np.any(size > 0) else 0.0
        return C
    around = np.concatenate([_facets(points, each)[0] for each in surface])
    own, other = _incidence(facets, len(points)), sp.vstack([_incidence(each, len(points)) for each in surface])
    a, b = (own @ other.T).nonzero()
    smooth = np.abs(np.einsum("ij,ij->i", normal[a], around[b])) > _FOLD
    touching = sp.csr_array((np.ones(smooth.sum()), (a[smooth], b[smooth])), shape=(m, other.shape[0]))
    a, node = (touching @ other).nonzero()

    first = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal), axis=1)])
    first /= np.linalg.norm(first, axis=1, keepdims=True)
    axes = np.stack([first, np.cross(normal, first), normal], axis=-1)
    X = np.einsum("ij,ijk->ik", (points[node] - centre[a]) / size[a, None], axes[a])
    round_ = _rounding(X[:, :2], a, m)  # skewed and slender facets are fitted as well as square ones
    (x, y), z = np.einsum("ij,ijk->ki", X[:, :2], round_[a]), X[:, 2]
    terms = [np.ones_like(x), x, y, -x * x / 2, -x * y, -y * y / 2]
    N, right = np.zeros((m, 6, 6)), np.zeros((m, 6))
    for i, term in enumerate(terms):
        right[:, i] = np.bincount(a, term * z, m)
        for j in range(i, 6):
            N[:, i, j] = N[:, j, i] = np.bincount(a, term * terms[j], m)
    N[:, range(3, 6), range(3, 6)] *= 1 + _RIDGE
    xx, xy, yy = np.linalg.solve(N, right[..., None])[:, 3:, 0].T
    local = round_ @ np.stack([np.stack([xx, xy], axis=-1), np.stack([xy, yy], axis=-1)], axis=1) @ round_
    local[np.abs(local).max(axis=(1, 2)) < _FLAT] = 0.0
    plane = axes[:, :, :2]
    return plane @ (local / size[:, None, None]) @ plane.swapaxes(1, 2)


def _rounding(X: np.ndarray, owner: np.ndarray, m: int) -> np.ndarray:
    """(m, 2, 2) symmetric maps that make the nodes (…, 2) around each of m facets spread alike in all directions."""
    xx, xy, yy = (np.bincount(owner, X[:, i] * X[:, j], m) for i, j in ((0, 0), (0, 1), (1, 1)))
    spread = np.stack([np.stack([xx, xy], axis=-1), np.stack([xy, yy], axis=-1)], axis=1)
    values, vectors = np.linalg.eigh(spread / np.bincount(owner, minlength=m)[:, None, None])
    values = np.maximum(values, 1e-12 * values[:, 1:])
    return (vectors / np.sqrt(values)[:, None, :]) @ vectors.swapaxes(1, 2)


def _facets(points: np.ndarray, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Normals (m, 3), centres (m, 3) and sizes √area (m,)."""
    X = points[nodes]
    centre = X.mean(axis=1)
    r = X - centre[:, None]
    area = np.cross(r, np.roll(r, -1, axis=1)).sum(axis=1) / 2
    size = np.sqrt(np.linalg.norm(area, axis=1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return area / size[:, None] ** 2, centre, size


def _incidence(facets: np.ndarray, n: int) -> sp.csr_array:
    m, k = facets.shape
    return sp.csr_array((np.ones(m * k), (np.repeat(np.arange(m), k), np.ravel(facets))), shape=(m, n))
