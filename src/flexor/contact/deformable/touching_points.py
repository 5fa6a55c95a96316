"""The points with which a side of a body that deforms touches, each by itself, and the share of the surface that each stands for.

Nodes of a mesh have the area that their shape functions give them on the undeformed faces, A_i = ∫ N_i dA, so that the forces of an even pressure on linear faces are p A_i.
Forces on faces with mid-side nodes leap from those to the corners, whatever the pressure is. There they are summed up face by face,

    a_if  area of node i on face f,   p_f = Σ_i N_i (a_if / A_i) / A_f,   p_i = Σ_f p_f a_if / A_i

which has the same sum Σ p_i A_i = Σ N_i. Points of a side of shape functions have
the part of it that is nearest to them in its parameters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.bodies.shape_body.shape_body import ShapeBody
from flexor.bodies.side import Side
from flexor.contact.deformable.moving_pair import carried_by_elements, point_grid, touches_with_nodes
from flexor.elements.faces import area_vectors

if TYPE_CHECKING:
    from flexor.bodies.shape_body.surface_point import ShapeSurface

GAUSS = 3
"""Points of the quadrature around a point of shape functions, along each parameter."""
LINEAR = 4
"""Nodes at most of a face without mid-sides."""


@dataclass(frozen=True, eq=False)
class TouchingPoints:
    """n points of a side.

    X: (n, 3) undeformed, in the axes of the body [m].   numbers: (n,) of the nodes in their mesh, or 1, 2, ….   index: (n,) nodes of a full mesh, or None.
    shapes: (n, 3, r) how they move with the r coordinates of the reduced body.   faces: arrays (m, k) of points, between which pressure is drawn.
    shares: of each array of faces (m, k) areas that its points have of it [m²].
    """

    X: np.ndarray
    numbers: np.ndarray
    index: np.ndarray | None
    shapes: np.ndarray
    faces: tuple[np.ndarray, ...]
    shares: tuple[np.ndarray, ...]

    @cached_property
    def areas(self) -> np.ndarray:
        """(n,) [m²]"""
        found = np.zeros(len(self.X))
        for faces, shares in zip(self.faces, self.shares, strict=True):
            np.add.at(found, faces, shares)
        return found

    @cached_property
    def has_mid_sides(self) -> bool:
        return any(faces.shape[1] > LINEAR for faces in self.faces)

    def pressure(self, forces: np.ndarray) -> np.ndarray:
        """(n,) [Pa] of normal forces (n,)."""
        even = forces / self.areas
        if not self.has_mid_sides:
            return even
        found = np.zeros(len(self.X))
        for faces, shares in zip(self.faces, self.shares, strict=True):
            of_face = np.sum(even[faces] * shares, axis=1, keepdims=True) / shares.sum(axis=1, keepdims=True)
            np.add.at(found, faces, of_face * shares)
        return found / self.areas


def touches_by_points(body: Any, side: Side, other: Any) -> bool:
    """Whether a side touches another surface with points each of which presses by itself."""
    if isinstance(body, ShapeBody):
        return side.points > 0
    return side.every_node or touches_with_nodes(other)


def touching_points(body: Any, side: Side) -> TouchingPoints:
    """Those of a side that touches by points."""
    if isinstance(body, ShapeBody):
        from flexor.bodies.shape_body.surface_point import shape_surface  # loads SciPy

        return _of_series(shape_surface(body.reduced, side.side or "?"), side.points)
    return material_points(body, side)


def material_points(body: Any, side: Side) -> TouchingPoints:
    """The nodes of a side of a mesh."""
    from flexor.contact.deformable.skin import body_skin, faces_of  # loads SciPy

    whole = carried_by_elements(body)
    skin = body_skin(body.made, np.zeros((0, 0)) if whole else np.eye(body.reduced.size), np.zeros(3), side)
    faces = tuple(np.searchsorted(skin.nodes, each) for each in faces_of(body.made, side))
    shares = tuple(_shares(skin.points[each]) for each in faces)
    numbers = np.asarray(body.made.node_ids)[skin.nodes]
    return TouchingPoints(skin.points, numbers, skin.nodes if whole else None, skin.shapes, faces, shares)


def _shares(X: np.ndarray) -> np.ndarray:
    """(m, k) areas that the nodes of faces X (m, k, 3) have of them; of faces with mid-sides, where ∫ N_i dA of corners is none or less, equal ones."""
    N, directed = area_vectors(X)
    dA = np.linalg.norm(directed, axis=2)
    if X.shape[1] > LINEAR:
        return np.repeat(dA.sum(axis=1, keepdims=True), X.shape[1], axis=1) / X.shape[1]
    return dA @ N


def _of_series(side: ShapeSurface, count: int) -> TouchingPoints:
    s, t = point_grid(side, count)
    grid = np.array([side.shapes(u, v)[0] for v in t for u in s])
    i = np.arange(len(s) if side.turns else len(s) - 1)
    row = len(s) * np.arange(len(t) - 1)[:, None]
    j = (i + 1) % len(s)
    faces = np.stack([row + i, row + j, row + j + len(s), row + i + len(s)], axis=-1).reshape(-1, 4)
    area = _cells(side, s, t).ravel()
    at = np.bincount(faces.ravel(), minlength=len(grid))
    shares = (area / at)[faces]
    return TouchingPoints(
        grid[:, 0], np.arange(1, len(grid) + 1), None, np.swapaxes(grid[:, 1:], 1, 2), (faces,), (shares,)
    )


def _cells(side: ShapeSurface, s: np.ndarray, t: np.ndarray) -> np.ndarray:
    """(len(t), len(s)) areas of the parts of a side that are nearest to each point of a grid, in its parameters."""
    half = np.pi / len(s)
    edges = np.append(s - half, s[-1] + half) if side.turns else _between(s, side.s)
    us, by_u = _gauss(edges)
    vs, by_v = _gauss(_between(t, side.t))
    slopes = [[side.shapes(u, v)[1:] for u in us] for v in vs]
    size = np.array([[np.linalg.norm(np.cross(along[0], over[0])) for along, over in row] for row in slopes])
    found: np.ndarray = (size * by_v[:, None] * by_u).reshape(len(t), GAUSS, len(s), GAUSS).sum(axis=(1, 3))
    return found


def _between(values: np.ndarray, bounds: tuple[float, float]) -> np.ndarray:
    """Bounds of the intervals around values."""
    return np.concatenate([bounds[:1], (values[1:] + values[:-1]) / 2, bounds[1:]])


def _gauss(edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points and weights of quadrature over intervals, one after the other."""
    x, w = np.polynomial.legendre.leggauss(GAUSS)
    half = np.diff(edges)[:, None] / 2
    return (edges[:-1, None] + half * (1 + x)).ravel(), (half * w).ravel()
