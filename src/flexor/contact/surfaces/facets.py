"""Boxes and prisms as polyhedra, for contact with triangulated surfaces and at any angle."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from flexor.bodies.shape import Box, Extruded, Stl, Triangles
from flexor.contact.surfaces.triangles import STL, TRIANGLES, skin
from flexor.coordinates.polygon import area, distinct, lid
from flexor.coordinates.profile import Profile
from flexor.law.record import Packed

CHORD = 1e-3
"""How far facets may be from a curved contour, in parts of its extent."""


def facets_of(shape: Box | Extruded | Stl | Triangles) -> Packed:
    """The numbers of a triangulated surface; of a box, or a prism with a closed contour, that of its faces."""
    if isinstance(shape, Stl):
        return STL.pack(shape)
    if isinstance(shape, Triangles):
        return TRIANGLES.pack(shape)
    if isinstance(shape, Box):
        x, y = 0.5 * shape.x, 0.5 * shape.y
        return _prism(((-x, -y), (x, -y), (x, y), (-x, y)), shape.z)
    return _prism(tuple(map(tuple, polygon(shape.profile).tolist())), shape.length)


def chord(profile: Profile) -> float:
    """How far the facets of a prism may be from its curved contour [m]; none of straight sides."""
    return 0.0 if profile.kind == "lines" else CHORD * float(np.abs(profile.trace.points).max())


def polygon(profile: Profile) -> np.ndarray:
    """A closed profile as a polygon, counter-clockwise: points on the curve, so far from each other that its chords stay within `chord`."""
    trace = profile.trace
    if profile.kind == "lines":
        points = np.array(profile.points)
    else:
        kept = []
        for piece in range(int(trace.piece.max()) + 1):
            own = trace.points[trace.piece == piece]
            kept.append(own[few(own, 0, len(own) - 1, chord(profile))])
        points = np.concatenate(kept)
    points = distinct(points, True)
    return points if area(points) > 0.0 else points[::-1]


def few(points: np.ndarray, first: int, last: int, room: float) -> list[int]:
    """Numbers of those points between which all others are within some room of the chords."""
    way = points[last] - points[first]
    off = points[first : last + 1] - points[first]
    beside = np.abs(off[:, 0] * way[1] - off[:, 1] * way[0]) / max(float(np.linalg.norm(way)), 1e-300)
    if np.linalg.norm(way) == 0.0:
        beside = np.linalg.norm(off, axis=1)
    middle = first + int(np.argmax(beside))
    if beside.max() <= room or middle in (first, last):
        return [first, last]
    return [*few(points, first, middle, room), *few(points, middle, last, room)[1:]]


@lru_cache(maxsize=64)
def _prism(section: tuple[tuple[float, float], ...], length: float) -> Packed:
    """From a polygon in the x-y plane, counter-clockwise."""
    flat, half, n = np.array(section), 0.5 * length, len(section)
    points = np.concatenate([np.column_stack([flat, np.full(n, z)]) for z in (-half, half)])
    i = np.arange(n)
    j = (i + 1) % n
    sides = np.concatenate([np.column_stack([i, j, n + j]), np.column_stack([i, n + j, n + i])])
    ends = lid(flat)
    return skin("prism", points, np.concatenate([sides, ends[:, ::-1], ends + n]))
