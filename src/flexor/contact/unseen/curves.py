"""The sharp edges of a solid as short pieces of lines and arcs, on its surface.

A piece begins at o along u, bends towards w with the curvature κ (0 of a line), and has a length ℓ:

    x(s) = o + sin(κ s)/κ u + (1 − cos(κ s))/κ w,     0 ≤ s ≤ ℓ
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from flexor.bodies.shape import Box, Cone, Cylinder, Extruded, Plane, Revolved, Stl, Triangles
from flexor.contact.surfaces.facets import facets_of, few
from flexor.contact.surfaces.sharp import ROD
from flexor.contact.surfaces.triangles import TrianglesSize

PIECE = 11
"""Numbers of a piece: o, u, w (3 each), ℓ, κ."""
CIRCLE, EDGE, HEIGHTS = 8, 4, 17
"""Pieces of a circle and of an edge; circles of a curved profile."""
BOW = 2e-3
"""Height of the arcs that stand for a curved contour, in parts of its extent."""
STRAIGHT = 1e-9
"""Height of a bow, in parts of its chord, that is none."""
MOST = 512
"""Pieces beyond which a surface has no sharp edges: it is a curved one, cut into triangles."""


def curves_of(shape: Any) -> np.ndarray:
    """(n, PIECE), in the axes of the surface"""
    if isinstance(shape, Plane):
        return np.zeros((0, PIECE))
    if isinstance(shape, Cylinder | Cone):
        half = 0.5 * shape.length
        top = shape.top if isinstance(shape, Cone) else shape.radius
        return np.concatenate([_circle(shape.radius, -half), _circle(top, half)])
    if isinstance(shape, Revolved):
        points = _thinned(shape.profile)
        return np.concatenate([_circle(r, z) for r, z in points])
    if isinstance(shape, Extruded):
        found = _prism(shape)
    elif isinstance(shape, Box | Stl | Triangles):
        found = _rods(shape)
    else:
        found = np.zeros((0, PIECE))
    return found if len(found) <= MOST else np.zeros((0, PIECE))


def _line(p: np.ndarray, q: np.ndarray, parts: int) -> list[np.ndarray]:
    ends = p + np.linspace(0.0, 1.0, parts + 1)[:, None] * (q - p)
    way = (q - p) / np.linalg.norm(q - p)
    return [np.array([*one, *way, 0.0, 0.0, 0.0, np.linalg.norm(other - one), 0.0]) for one, other in pairwise(ends)]


def _circle(r: float, z: float) -> np.ndarray:
    """About the axis; a point of none"""
    if r <= 0.0:
        return np.array([[0.0, 0.0, z, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]])
    angle = 2 * np.pi * np.arange(CIRCLE) / CIRCLE
    c, s, none = np.cos(angle), np.sin(angle), np.zeros(CIRCLE)
    length, bend = np.full(CIRCLE, 2 * np.pi * r / CIRCLE), np.full(CIRCLE, 1 / r)
    return np.column_stack([r * c, r * s, none + z, -s, c, none, -c, -s, none, length, bend])


def _bow(p: np.ndarray, m: np.ndarray, q: np.ndarray) -> list[np.ndarray]:
    """The arc from p through m to q; some pieces of a straight line"""
    chord, off = q - p, (m if np.any(m != p) else 0.5 * (p + q)) - p
    long = float(np.linalg.norm(chord))
    along = chord / long
    high = off - (off @ along) * along
    if np.linalg.norm(high) < STRAIGHT * long:
        return _line(p, q, EDGE)
    up = high / np.linalg.norm(high)
    x, y = float(off @ along), float(np.linalg.norm(high))
    down = (x * (long - x) - y * y) / (2 * y)  # how far the centre is below the chord
    radius = float(np.hypot(0.5 * long, down))
    half = np.arctan2(0.5 * long, down)
    u = np.cos(half) * along + np.sin(half) * up
    w = np.sin(half) * along - np.cos(half) * up
    return [np.array([*p, *u, *w, 2 * half * radius, 1 / radius])]


def _thinned(profile: Any) -> np.ndarray:
    """Points of a profile: corners of straight ones, and some along curves"""
    if profile.kind == "lines":
        return np.array(profile.points, dtype=float)
    points = profile.trace.points
    every = np.unique(np.linspace(0, len(points) - 1, HEIGHTS).round().astype(int))
    return points[np.unique(np.concatenate([every, np.flatnonzero(np.diff(profile.trace.piece))]))]


def _prism(shape: Extruded) -> np.ndarray:
    """The contour at both ends, and edges along the axis"""
    half, trace = 0.5 * shape.length, shape.profile.trace
    found: list[np.ndarray] = []
    for z in (-half, half):
        for piece in range(int(trace.piece.max()) + 1):
            own = trace.points[trace.piece == piece]
            own = np.column_stack([own, np.full(len(own), z)])
            kept = few(own[:, :2], 0, len(own) - 1, BOW * float(np.abs(trace.points).max()))
            for i, j in pairwise(kept):
                found += _bow(own[i], own[(i + j) // 2], own[j])
    for p in _corners(trace):
        found += _line(np.array([*p, -half]), np.array([*p, half]), EDGE)
    return np.array(found).reshape(-1, PIECE)


def _corners(trace: Any) -> np.ndarray:
    """Of a contour, where its pieces meet"""
    first = np.concatenate([[0], np.flatnonzero(np.diff(trace.piece)) + 1])
    return trace.points[first]


def _rods(shape: Box | Stl | Triangles) -> np.ndarray:
    """The edges of a polyhedron that open inwards"""
    size = TrianglesSize(facets_of(shape).words)
    found: list[np.ndarray] = []
    if size.edges * EDGE > MOST:
        return np.zeros((0, PIECE))
    for i in range(size.edges):
        rod = np.array([size.rods[ROD * i + j] for j in range(7)])
        found += _line(rod[:3], rod[:3] + rod[6] * rod[3:6], EDGE)
    return np.array(found).reshape(-1, PIECE)
