"""Convex polyhedra: flat faces with their borders, families of parallel edges, corners.

What is packed here of a triangulated surface is nothing unless it is closed and convex, with few faces that meet at clear angles:

    each triangle lies on the plane of its face, at the height of the highest corner along its normal     all is below all faces
    the corners on that plane, one after the other around the normal, are joined by edges                 its border
    each edge belongs to the borders of two faces                                                         it is closed
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from flexor.contact.surfaces.sharp import FLAT
from flexor.law.record import Record, integer, number, numbers, tail

FACES = 40
"""At most; more are searched by trees."""
CLEAR = 0.04
"""Least angle between faces that meet [rad]: what lies flat (`flexor.contact.approach.convex.flats.FLAT`) lies on one of them."""
LEVEL = 1e-6
"""Distance of a corner from a plane, in parts of the extent, that is none: of files with single precision."""
PARALLEL = 1e-10
"""Sine of the angle between edges that are parallel."""
PLANE, BORDER, FAMILY, EDGE = 6, 10, 5, 10
"""Numbers of each."""


class PolyhedronSize(Record):
    """Numbers of a convex polyhedron."""

    thickness = number("half of what it is thick along the normal of a face, the least", "m")
    middle = numbers(3, "mean of its corners", "m")
    faces = integer("flat ones")
    families = integer("directions of edges")
    corners = integer("points")
    spots = integer("kinds of corners, those around a face are of different ones")
    most = integer("corners of a face")
    points = tail("corners, 3 each, kind by kind", "m")
    kinds = tail("first corner of each kind, and behind the last one how many there are")
    planes = tail("of each face: outward normal (3), height along it, first part of its border, how many")
    borders = tail(
        "counter-clockwise around each face: begin (3), direction (3), length, outward direction in the plane (3)"
    )
    ways = tail("of each family: direction (3), first edge, how many")
    rods = tail(
        "edges, family by family: begin (3), length, normals of both faces, from one to the other about the direction"
    )


def solid_of(corners: np.ndarray, edges: np.ndarray, triangles: np.ndarray, extent: float) -> np.ndarray:
    """Words of a `PolyhedronSize`, none if it is no such solid.

    corners (n, 3); edges (m, 2): corners at both ends; triangles (k, 3, 3): their corners.
    """
    none = np.zeros(0)
    if not 4 <= len(corners) <= 2 * FACES - 4 or len(edges) > 3 * FACES - 6:  # Euler
        return none
    normals = _normals(triangles)
    if normals is None:
        return none
    heights = corners @ normals.T
    levels = heights.max(axis=0)
    near = LEVEL * extent
    if not _on_planes(triangles, normals, levels, near):
        return none
    loops = [
        _around(corners, n, np.flatnonzero(h > level - near))
        for n, h, level in zip(normals, heights.T, levels, strict=True)
    ]
    sides = _sides(loops, edges)
    if sides is None or any(normals[i] @ normals[j] > np.cos(CLEAR) for i, j in sides):
        return none
    return _packed(corners, edges, normals, levels, loops, sides)


def _normals(triangles: np.ndarray) -> np.ndarray | None:
    """Unit normals of faces, of triangles of one plane their mean; None: there are too many."""
    areas = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    units = areas / np.linalg.norm(areas, axis=1, keepdims=True)
    found: list[np.ndarray] = []
    left = np.ones(len(units), dtype=bool)
    while left.any():
        if len(found) == FACES:
            return None
        same = left & (np.linalg.norm(units - units[np.argmax(left)], axis=1) < FLAT)
        n = areas[same].sum(axis=0)
        found.append(n / np.linalg.norm(n))
        left &= ~same
    return np.array(found)


def _on_planes(triangles: np.ndarray, normals: np.ndarray, levels: np.ndarray, near: float) -> bool:
    """Whether each triangle is as high as the face that looks the same way."""
    areas = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    own = np.argmax(areas @ normals.T, axis=1)
    heights = np.einsum("ijk,ik->ij", triangles, normals[own])
    return bool((heights > levels[own, None] - near).all())


def _around(corners: np.ndarray, n: np.ndarray, on: np.ndarray) -> list[int]:
    """The corners of a face, counter-clockwise about its normal."""
    e = np.linalg.svd(n[None, :])[2][1]
    off = corners[on] - corners[on].mean(axis=0)
    angle = np.arctan2(off @ np.cross(n, e), off @ e)
    return [int(i) for i in on[np.argsort(angle)]]


def _sides(loops: Sequence[Sequence[int]], edges: np.ndarray) -> list[tuple[int, int]] | None:
    """Of each edge the faces that have it to their left along its direction and against it; None: the borders are not those edges, each twice."""
    owner: dict[tuple[int, int], int] = {}
    for face, loop in enumerate(loops):
        for begin, end in zip(loop, [*loop[1:], *loop[:1]], strict=True):
            if (begin, end) in owner:
                return None
            owner[begin, end] = face
    ends = [(int(begin), int(end)) for begin, end in edges]
    if len(owner) != 2 * len(ends) or any(e not in owner or e[::-1] not in owner for e in ends):
        return None
    return [(owner[e], owner[e[::-1]]) for e in ends]


def _kinds(loops: Sequence[Sequence[int]], count: int) -> np.ndarray:
    """Numbers of corners, those around a face different ones."""
    found = np.full(count, -1)
    for corner in range(count):
        beside = {int(found[i]) for loop in loops if corner in loop for i in loop}
        found[corner] = next(kind for kind in range(count) if kind not in beside)
    return found


def _families(ways: np.ndarray) -> np.ndarray:
    """Number of the first edge to which each edge is parallel."""
    sines = np.linalg.norm(np.cross(ways[:, None], ways[None]), axis=2)
    found: np.ndarray = np.argmax(sines < PARALLEL, axis=1)
    return found


def _packed(
    corners: np.ndarray,
    edges: np.ndarray,
    normals: np.ndarray,
    levels: np.ndarray,
    loops: Sequence[Sequence[int]],
    sides: Sequence[tuple[int, int]],
) -> np.ndarray:
    kinds = _kinds(loops, len(corners))
    order = np.argsort(kinds, kind="stable")
    firsts = np.searchsorted(kinds[order], np.arange(kinds.max() + 2))
    borders = [_border(corners, loop, n) for loop, n in zip(loops, normals, strict=True)]
    counts = np.array([len(loop) for loop in loops])
    planes = np.column_stack([normals, levels, np.cumsum(counts) - counts, counts])
    along = corners[edges[:, 1]] - corners[edges[:, 0]]
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    first = _families(along)
    leaders = np.unique(first)
    ways: list[list[float]] = []
    rods: list[list[float]] = []
    for leader in leaders:
        members = np.flatnonzero(first == leader).tolist()
        ways.append([*along[leader], len(rods), len(members)])
        rods += [_rod(corners[edges[i]], normals[list(sides[i])], along[leader]) for i in members]
    widths = levels - (corners @ normals.T).min(axis=0)
    return PolyhedronSize.pack(
        thickness=0.5 * float(widths.min()), middle=corners.mean(axis=0), faces=len(normals), families=len(ways), corners=len(corners),
        spots=int(kinds.max()) + 1, most=int(counts.max()), points=corners[order], kinds=firsts, planes=planes,
        borders=np.concatenate(borders), ways=np.array(ways), rods=np.array(rods),
    ).words  # fmt: skip


def _border(corners: np.ndarray, loop: Sequence[int], n: np.ndarray) -> np.ndarray:
    begin = corners[list(loop)]
    way = np.roll(begin, -1, axis=0) - begin
    length = np.linalg.norm(way, axis=1, keepdims=True)
    out = np.cross(way / length, n)
    return np.column_stack([begin, way / length, length, out / np.linalg.norm(out, axis=1, keepdims=True)])


def _rod(ends: np.ndarray, normals: np.ndarray, way: np.ndarray) -> list[float]:
    """An edge along the direction of its family: about it the normal of the face to its left turns to that of the other one."""
    turned = (ends[1] - ends[0]) @ way < 0.0
    begin, end = ends[::-1] if turned else ends
    left, right = normals[::-1] if turned else normals
    return [*begin, float((end - begin) @ way), *left, *right]
