"""Mean motion of a side of a body of shape functions, and of the material round a point: what joints hold.   (40.11)

A point of a solid yields without bound under a force or moment as shape functions are added, since its stress is infinite in the limit. Spread over a side of the
surface, displacement and rotation are those of the rigid motion that fits best, in the sense of least squares over the area A:

    u = 1/A ∫ S dA,      ψ = J⁻¹ ∫ d × S dA,      J = ∫ (d·d 1 − d dᵀ) dA,      d from the centre of the area

By virtual work a force at such an interface is an even traction on the side, a moment one that grows with d.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.spatial import cKDTree

from flexor.bodies.shape_body.shape_field import ShapeField
from flexor.bodies.shape_body.surface_point import ShapeSurface, shape_surface
from flexor.spatial import skew

AROUND = 0.25
"""Distance of the material round a point that is looked at, in parts of the thickness of the body."""


@dataclass(frozen=True)
class _Shaped:
    """A body whose shapes are known, before it is made."""

    name: str
    field: ShapeField


@dataclass(frozen=True, eq=False)
class MeanMotion:
    """center: (3,) of the area [m].   motion: (6, m) displacement there and rotation of unit modes [m, rad].

    places, shares: (Q, 3) points over which it is taken [m] and (Q,) the part of the area that each stands for.
    """

    center: np.ndarray
    motion: np.ndarray
    places: np.ndarray
    shares: np.ndarray

    def rows(self, nodes: np.ndarray) -> sparse.csr_array:
        """(6, 3n) the same motion by displacements of nodes (n, 3) of a mesh of the body: every place moves as the node that is nearest."""
        nearest = cKDTree(nodes).query(self.places)[1]
        used, which = np.unique(nearest, return_inverse=True)
        unit = np.eye(3 * len(used)).reshape(len(used), 3, 3 * len(used))
        found = _fitted(nodes[used], unit, np.bincount(which, weights=self.shares))
        u, turn = found.motion[:3], found.motion[3:]
        motion = np.vstack([u - skew(self.center - found.center) @ turn, turn])
        columns = (3 * used[:, None] + np.arange(3)).ravel()
        cells = np.repeat(np.arange(6), len(columns)), np.tile(columns, 6)
        return sparse.csr_array((motion.ravel(), cells), shape=(6, 3 * len(nodes)))


def mean_motion(name: str, field: ShapeField, side: str) -> MeanMotion:
    """Of a side by name, see `shape_surface`."""
    surface = shape_surface(_Shaped(name, field), side)
    values, areas = _sampled(surface)
    return _fitted(values[:, 0], values[:, 1:].transpose(0, 2, 1), areas)


def motion_around(field: ShapeField, point: ArrayLike) -> np.ndarray:
    """(6, m) mean motion of the material round a point, carried to it [m, rad]; NaN where there is too little of it."""
    x, step = np.asarray(point, dtype=float), AROUND * field.series.thickness * np.array([-1.0, 0.0, 1.0])
    places = x + np.stack(np.meshgrid(step, step, step, indexing="ij"), axis=-1).reshape(-1, 3)
    places = np.array([place for place in places if field.outside(place) <= 1e-9 * field.series.extent])
    if len(places) < 4:
        return np.full((6, field.size), np.nan)
    found = _fitted(places, field.displacement(places), np.ones(len(places)))
    u, turn = found.motion[:3], found.motion[3:]
    return np.vstack([u - skew(x - found.center) @ turn, turn])


def _fitted(x: np.ndarray, u: np.ndarray, weights: np.ndarray) -> MeanMotion:
    """The rigid motion of points x (Q, 3) that fits displacements u (Q, 3, m) best."""
    w = weights / weights.sum()
    center = w @ x
    center[np.abs(center) < 1e-12 * np.ptp(x)] = 0.0  # rounding
    d = x - center
    J = (w @ np.einsum("qi,qi->q", d, d)) * np.eye(3) - np.einsum("q,qi,qj->ij", w, d, d)
    turn = np.linalg.solve(J, np.einsum("q,qij,qjm->im", w, np.array([skew(each) for each in d]), u))
    return MeanMotion(center, np.vstack([np.einsum("q,qim->im", w, u), turn]), x, w)


def _sampled(surface: ShapeSurface) -> tuple[np.ndarray, np.ndarray]:
    """(Q, 1 + m, 3) places and shapes at the points of a quadrature over a side, and (Q,) the area of each.

    Gauss along straight coordinates, even steps round the circumference: exact for products of two functions of the series.
    """
    order, lines = surface.A.shape[0], surface.A.shape[1]
    t, weight_t = _gauss(order + 2, *surface.t)
    if surface.turns:
        count = 2 * lines + 2
        s, weight_s = -np.pi + 2 * np.pi * np.arange(count) / count, np.full(count, 2 * np.pi / count)
    else:
        s, weight_s = _gauss(lines + 2, *surface.s)
    values, areas = [], []
    for t_i, w_t in zip(t, weight_t, strict=True):
        for s_i, w_s in zip(s, weight_s, strict=True):
            value, by_s, by_t = surface.shapes(float(s_i), float(t_i))
            values.append(value)
            areas.append(w_t * w_s * np.linalg.norm(np.cross(by_s[0], by_t[0])))
    return np.array(values), np.array(areas)


def _gauss(count: int, low: float, high: float) -> tuple[np.ndarray, np.ndarray]:
    x, w = np.polynomial.legendre.leggauss(count)
    half = (high - low) / 2
    return (low + high) / 2 + half * x, half * w
