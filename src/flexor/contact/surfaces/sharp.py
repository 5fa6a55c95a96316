"""Corners and edges of a triangulated surface, with which it touches others: those of the polyhedron, however its faces are cut into triangles.

Edges between triangles of one plane are none, nor are corners within a face or along a straight edge. Edges that open outwards (of notches) touch nothing.
What an edge touches along a direction n depends on the angle between n and its middle normal m, up to half of the angle between its faces; what a
corner touches on the rays that leave it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

FLAT = 2e-5
"""Angle between triangles, or parts of an edge, that is none [rad]."""
LYING = 0.02
"""Angle up to which an edge that looks at a face lies on it [rad], as between boxes (`flexor.contact.approach.convex.flats.FLAT`)."""
EXACT = 1e-9
"""Likewise where nothing lies flat [rad]."""
ROD = 15
"""Numbers of an edge: begin (3), direction (3), length, middle normal (3), cosine of how far others may be off that, colour, corners at both ends, and the
cosine without what lies flat."""
HOLLOW = 0.3
"""Angle between faces that meet at a hollow edge, at which both are touched there at a time [rad]."""
SIDES = 3
"""Numbers of such faces: in the corner of a room three of them meet."""
FEW, COLOURS = 64, 8
"""Colours of edges: those of one face differ, up to COLOURS; more than FEW edges have one."""


@dataclass(frozen=True)
class Sharp:
    """Corners (n, 3), the rays of all corners (m, 3), of each corner the first of its rays, how many, and the longest edge there; edges (k, ROD); number of the
    side of each triangle."""

    corners: np.ndarray
    rays: np.ndarray
    stars: np.ndarray
    rods: np.ndarray
    sides: np.ndarray


@dataclass(frozen=True)
class _Bends:
    """Between triangles, edge by edge: its ends (n, 2), normals to the left and to the right as seen along it, whether it is sharp, opens inwards, is clear."""

    ends: np.ndarray
    left: np.ndarray
    right: np.ndarray
    sharp: np.ndarray
    convex: np.ndarray
    clear: np.ndarray
    faces: np.ndarray
    """Triangles on both sides; twice the same at a border."""


def sharp(points: np.ndarray, triangles: np.ndarray, normals: np.ndarray) -> Sharp:
    """Of triangles with unit normals; every point belongs to one."""
    bends = _bends(points, triangles, normals)
    chains = _chains(points, bends)
    used = np.unique(
        np.array([end for chain, bend in chains for end in (chain[0], chain[-1]) if bends.convex[bend]], dtype=int)
    )
    number = np.full(len(points), -1)
    number[used] = np.arange(len(used))
    rods, faces = [], []
    of_face = _plane_faces(len(triangles), bends)
    for chain, bend in chains:
        if not bends.convex[bend]:
            continue
        begin, end = chain[0], chain[-1]
        way = points[end] - points[begin]
        length = float(np.linalg.norm(way))
        rods.append(
            [
                *points[begin],
                *(way / length),
                length,
                *_middle(points, bends, bend),
                0.0,
                number[begin],
                number[end],
                0.0,
            ]
        )
        rods[-1][14] = _cosine(bends, bend, rods[-1][7:10], EXACT)
        faces.append(of_face[bends.faces[bend]])
    table = np.array(rods, dtype=float).reshape(-1, ROD)
    if len(table):
        table[:, 11] = _colours(faces)
    rays, stars = _stars(points, bends, used)
    for chain, _ in chains:
        for end in (number[chain[0]], number[chain[-1]]):
            if end >= 0:
                stars[end, 2] = max(stars[end, 2], np.linalg.norm(points[chain[-1]] - points[chain[0]]))
    return Sharp(points[used], rays, stars, table, _sides(of_face, bends))


def _bends(points: np.ndarray, triangles: np.ndarray, normals: np.ndarray) -> _Bends:
    ways = triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    owner = np.repeat(np.arange(len(triangles)), 3)
    forward = ways[:, 0] < ways[:, 1]
    ends, number, count = np.unique(np.sort(ways, axis=1), axis=0, return_inverse=True, return_counts=True)
    number = number.reshape(-1)
    faces = np.full((len(ends), 2), -1)
    faces[number[forward], 0] = owner[forward]  # the triangle that runs along it has it to its left
    faces[number[~forward], 1] = owner[~forward]
    along = points[ends[:, 1]] - points[ends[:, 0]]
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    left, right = normals[faces[:, 0]], normals[faces[:, 1]]
    for lone, known, side in ((faces[:, 0] < 0, right, -1.0), (faces[:, 1] < 0, left, 1.0)):
        outward = np.cross(side * along, known)  # beyond a border, in the plane of its triangle
        (left if side < 0 else right)[lone] = outward[lone]
    border = (faces < 0).any(axis=1)
    faces = np.where(faces < 0, faces[:, ::-1], faces)
    turn = np.einsum("ij,ij->i", np.cross(left, right), along)
    angle = np.arctan2(np.linalg.norm(np.cross(left, right), axis=1), np.einsum("ij,ij->i", left, right))
    clear = count <= 2
    folded = angle > np.pi - FLAT
    return _Bends(
        ends, left, right, (angle > FLAT) | border | ~clear, (turn > 0.0) | border | ~clear | folded, clear, faces
    )


def _chains(points: np.ndarray, bends: _Bends) -> list[tuple[list[int], int]]:
    """Straight edges as the points along them, and the number of one of their parts."""
    rim: list[list[int]] = [[] for _ in points]
    of = np.flatnonzero(bends.sharp)
    for bend in of:
        for end in bends.ends[bend]:
            rim[end].append(int(bend))
    through = {v: both for v, both in enumerate(rim) if len(both) == 2 and _goes_on(points, bends, v, both[0], both[1])}
    done: set[int] = set()
    found: list[tuple[list[int], int]] = []
    for bend in of:
        if bend in done:
            continue
        done.add(int(bend))
        chain = [int(v) for v in bends.ends[bend]]
        for side in (1, 0):
            last = int(bend)
            while (v := chain[-1]) in through:
                last = through[v][0] if through[v][1] == last else through[v][1]
                if last in done:
                    break
                done.add(last)
                a, b = bends.ends[last]
                chain.append(int(b if a == v else a))
            if side:
                chain.reverse()
        if chain[0] != chain[-1]:
            found.append((chain, int(bend)))
    return found


def _goes_on(points: np.ndarray, bends: _Bends, v: int, one: int, other: int) -> bool:
    """Whether an edge goes on straight at a point, between the same planes."""
    if bends.convex[one] != bends.convex[other] or not (bends.clear[one] and bends.clear[other]):
        return False
    away = []
    for bend in (one, other):
        a, b = bends.ends[bend]
        way = points[b if a == v else a] - points[v]
        away.append(way / np.linalg.norm(way))
    if np.linalg.norm(away[0] + away[1]) > FLAT:
        return False
    turned = (bends.ends[one][0] == v) == (bends.ends[other][0] == v)
    left, right = bends.left[other], bends.right[other]
    if turned:
        left, right = right, left
    return bool(np.linalg.norm(bends.left[one] - left) < FLAT and np.linalg.norm(bends.right[one] - right) < FLAT)


def _middle(points: np.ndarray, bends: _Bends, bend: int) -> tuple[float, ...]:
    """Middle normal of an edge, and the cosine of how far a direction may be off it."""
    left, right = bends.left[bend], bends.right[bend]
    m = left + right
    if np.linalg.norm(m) < 1e-6:  # of a fold: away from both
        along = points[bends.ends[bend][1]] - points[bends.ends[bend][0]]
        m = np.cross(along, left)
    m = m / np.linalg.norm(m)
    return (*m, _cosine(bends, bend, m, LYING))


def _cosine(bends: _Bends, bend: int, m: np.ndarray | list[float], room: float) -> float:
    """Of half the angle between the faces of an edge, and some room."""
    half = float(np.arccos(np.clip(np.dot(m, bends.left[bend]), -1.0, 1.0)))
    return float(np.cos(min(half + room, np.pi))) if bends.clear[bend] else -1.0


def _plane_faces(count: int, bends: _Bends) -> np.ndarray:
    """Number of the plane face of each triangle."""
    found = np.arange(count)
    one, other = bends.faces[~bends.sharp].T
    while True:
        least = np.minimum(found[one], found[other])
        before = found.copy()
        np.minimum.at(found, one, least)
        np.minimum.at(found, other, least)
        found = found[found]
        if (found == before).all():
            return found


def _sides(of_face: np.ndarray, bends: _Bends) -> np.ndarray:
    """Numbers of triangles, so that plane faces differ which meet at a hollow edge: what lies there touches both. 0 of all others."""
    turn = np.einsum("ij,ij->i", bends.left, bends.right)
    beside: dict[int, set[int]] = {}
    for bend in np.flatnonzero(bends.sharp & ~bends.convex & (turn < np.cos(HOLLOW))):
        one, other = (int(face) for face in of_face[bends.faces[bend]])
        beside.setdefault(one, set()).add(other)
        beside.setdefault(other, set()).add(one)
    found: dict[int, int] = {}
    for face in sorted(beside):
        used = {found[other] for other in beside[face] if other in found}
        found[face] = next((side for side in range(SIDES) if side not in used), 0)
    return np.array([found.get(int(face), 0) for face in of_face])


def _colours(faces: list[np.ndarray]) -> list[int]:
    most = COLOURS if len(faces) <= FEW else 1
    taken: dict[int, set[int]] = {}
    found = []
    for i, both in enumerate(faces):
        used = set().union(*(taken.setdefault(int(face), set()) for face in both))
        colour = next((c for c in range(most) if c not in used), i % most)
        found.append(colour)
        for face in both:
            taken[int(face)].add(colour)
    return found


def _stars(points: np.ndarray, bends: _Bends, used: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Directions of all triangles' edges at some points; of each of these the first and how many, with room for the longest edge."""
    ends = np.concatenate([bends.ends, bends.ends[:, ::-1]])
    ends = ends[np.argsort(ends[:, 0], kind="stable")]
    ways = points[ends[:, 1]] - points[ends[:, 0]]
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    first, last = (np.searchsorted(ends[:, 0], used, side=side) for side in ("left", "right"))
    count = last - first
    kept = np.repeat(first - np.cumsum(count) + count, count) + np.arange(count.sum())
    return ways[kept.astype(int)], np.column_stack([np.cumsum(count) - count, count, np.zeros(len(used))])
