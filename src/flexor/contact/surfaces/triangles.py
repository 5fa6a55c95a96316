"""Triangulated surfaces: STL files, the skin of a mesh. They are searched by a tree of boxes; edges and corners have normals of their own.

The normal of an edge is the mean of those of its triangles, the normal of a corner their mean weighted by angles: with these the side on
which a point lies is right everywhere, of a closed surface (Bærentzen and Aanæs, IEEE Trans. Vis. Comp. Graph. 11, 2005).
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np

from flexor.bodies.shape import Stl, Triangles
from flexor.contact.surfaces.polyhedron import solid_of
from flexor.contact.surfaces.sharp import sharp
from flexor.contact.surfaces.surface import Surface, as_oriented
from flexor.errors import ModelError, Problem
from flexor.law.record import Packed, Record, integer, number, tail
from flexor.warning import warn

LEAF = 4
"""Triangles in a box of the tree that is divided no further."""
THIN = 1e-10
"""Height of a triangle in parts of its longest side at which it has no area."""


class OpenSurface(UserWarning):
    """A triangulated surface has edges with one triangle only; beyond them it is not known what is inside."""


class InwardSurface(UserWarning):
    """The triangles of a closed surface face inwards: the solid is outside of it."""


class TrianglesSize(Record):
    """Numbers of a triangulated surface."""

    extent = number("of the whole", "m")
    nodes = tail(
        "boxes of the tree: lowest (3), highest (3) corner, the next box outside of it, first triangle, how many", "m"
    )
    faces = tail(
        "corners a, b, c, normal, normals of the edges ab, bc, ca and of the corners, 3 each: 30 for each triangle"
    )
    sides = integer("how many numbers its faces have, so that those which meet at a hollow edge differ")
    side_of = tail("that number of each triangle")
    corners = integer("points with which it touches others")
    points = tail("these corners, 3 each", "m")
    stars = tail("of each corner the first of its rays, how many, and the longest edge there: 3", "m")
    rays = tail("directions of the triangles' edges that leave corners, 3 each")
    point_nodes = tail("boxes of the tree of corners, as of triangles", "m")
    edges = integer("straight edges with which it touches those of others")
    colours = integer("how many numbers of places they have, so that those around a face differ")
    rods = tail("these edges, see `flexor.contact.surfaces.sharp.ROD`")
    rod_nodes = tail("boxes of the tree of edges, as of triangles", "m")
    convex = integer("1 of a convex solid with few faces")
    solid = tail("of a convex solid with few faces these, a `PolyhedronSize`; none of others")


class TriangleTree:
    """Boxes around triangles, edges or corners, each followed by those inside of it; their order is that of the boxes."""

    def __init__(self, low: np.ndarray, high: np.ndarray) -> None:
        self.order = np.arange(len(low))
        if not len(low):  # one box that is far from everything
            self.nodes = np.array([[*3 * (np.inf,), *3 * (-np.inf,), 1.0, 0.0, 0.0]])
            return
        rows: list[tuple[float, ...]] = []
        middle = 0.5 * (low + high)
        waiting = [(0, len(low))]
        ends: list[int] = []
        while waiting:
            first, end = waiting.pop()
            inside = self.order[first:end]
            leaf = end - first <= LEAF
            ends.append(end)
            rows.append((*low[inside].min(axis=0), *high[inside].max(axis=0), 0.0, first, end - first if leaf else 0))
            if not leaf:
                axis = int(np.argmax(np.ptp(middle[inside], axis=0)))
                half = (end - first) // 2
                self.order[first:end] = inside[np.argpartition(middle[inside, axis], half)]
                waiting += [(first + half, end), (first, first + half)]
        self.nodes = np.array(rows, dtype=float)
        behind = np.searchsorted(
            self.nodes[:, 7], np.array(ends), side="left"
        )  # boxes stand in the order of their first triangles
        self.nodes[:, 6] = behind


def checked(where: str, points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """The triangles that have an area; what makes no surface is refused, what is open or inside out is told."""
    a, b, c = (points[triangles[:, i]] for i in range(3))
    twice = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    longest = np.max(
        [np.linalg.norm(b - a, axis=1), np.linalg.norm(c - b, axis=1), np.linalg.norm(a - c, axis=1)], axis=0
    )
    kept = triangles[twice > THIN * longest**2]
    if not len(kept):
        raise ModelError(Problem(where, "none of its triangles has an area", "it is no surface", "export it again"))
    ways = kept[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    _, count = np.unique(ways, axis=0, return_counts=True)
    if count.max() > 1:
        raise ModelError(
            Problem(
                where,
                f"at {int(np.sum(count > 1))} edges two triangles run in the same direction",
                "their outward sides contradict each other, or surfaces overlap",
                "repair it in the program that made it (unify normals, remove duplicates)",
            )
        )
    _, meeting = np.unique(np.sort(ways, axis=1), axis=0, return_counts=True)
    if lonely := int(np.sum(meeting == 1)):
        warn(
            f"{where}: it is open, {lonely} of its {len(meeting)} edges belong to one triangle only; a contact works near its triangles, "
            "but beyond its border inside and outside are not known. Close it in the program that made it",
            OpenSurface,
        )
    else:
        volume = float(np.einsum("ij,ij->", points[kept[:, 0]], np.cross(points[kept[:, 1]], points[kept[:, 2]]))) / 6.0
        if volume < 0.0:
            warn(
                f"{where}: its triangles face inwards, so that all is solid but the {-volume:.4g} m³ inside of it; "
                "for a solid body turn its triangles round (write inside: true, or export it with outward normals)",
                InwardSurface,
            )
    return kept


def skin(where: str, points: np.ndarray, triangles: np.ndarray) -> Packed:
    """The numbers of a triangulated surface."""
    points, triangles = np.asarray(points, dtype=float), np.asarray(triangles, dtype=int)
    if not np.isfinite(points).all():
        raise ModelError(Problem(where, "a corner has no finite position", "it is no surface", "export it again"))
    points, index = np.unique(points, axis=0, return_inverse=True)  # corners that coincide are one
    triangles = checked(where, points, index.reshape(-1)[triangles])
    return _packed(points.tobytes(), triangles.tobytes())


@lru_cache(maxsize=16)
def _packed(points_of: bytes, triangles_of: bytes) -> Packed:
    """Of points and triangles in memory, as they are asked for several times."""
    points = np.frombuffer(points_of).reshape(-1, 3)
    triangles = np.frombuffer(triangles_of, dtype=int).reshape(-1, 3)
    used, index = np.unique(triangles, return_inverse=True)
    points, triangles = points[used], index.reshape(-1, 3)
    corners = points[triangles]
    tree = TriangleTree(corners.min(axis=1), corners.max(axis=1))
    triangles = triangles[tree.order]
    faces = _faces(points, triangles)
    found = sharp(points, triangles, faces[:, 9:12])
    corner_tree = TriangleTree(found.corners, found.corners)
    ends = np.stack([found.rods[:, :3], found.rods[:, :3] + found.rods[:, 6:7] * found.rods[:, 3:6]])
    rod_tree = TriangleTree(ends.min(axis=0), ends.max(axis=0))
    number = np.argsort(corner_tree.order)
    rods = found.rods[rod_tree.order]
    rods[:, 12:14] = number[rods[:, 12:14].astype(int)]
    ordered, extent = found.corners[corner_tree.order], float(np.abs(points).max())
    solid = solid_of(ordered, rods[:, 12:14].astype(int), points[triangles], extent)
    return TrianglesSize.pack(
        extent=extent,
        nodes=tree.nodes,
        faces=faces,
        sides=1 + int(found.sides.max()),
        side_of=found.sides,
        corners=len(found.corners),
        points=ordered,
        stars=found.stars[corner_tree.order],
        rays=found.rays,
        point_nodes=corner_tree.nodes,
        edges=len(rods),
        colours=1 + int(rods[:, 11].max(initial=0.0)),
        rods=rods,
        rod_nodes=rod_tree.nodes,
        convex=int(len(solid) > 0),
        solid=solid,
    )


def _faces(points: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    corners = points[triangles]
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    at_corner = np.zeros_like(points)
    for i in range(3):
        u, v = corners[:, (i + 1) % 3] - corners[:, i], corners[:, (i + 2) % 3] - corners[:, i]
        angle = np.arctan2(np.linalg.norm(np.cross(u, v), axis=1), np.einsum("ij,ij->i", u, v))
        np.add.at(at_corner, triangles[:, i], angle[:, None] * normal)
    edges = np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2), axis=1)
    _, number = np.unique(edges, axis=0, return_inverse=True)
    number = number.reshape(-1)
    at_edge = np.zeros((number.max() + 1, 3))
    np.add.at(at_edge, number, np.repeat(normal, 3, axis=0))
    at_edge, at_corner = _unit(at_edge), _unit(at_corner)
    of_edges, of_corners = at_edge[number].reshape(-1, 9), at_corner[triangles].reshape(-1, 9)
    return np.column_stack([corners.reshape(-1, 9), normal, of_edges, of_corners])


def _unit(normals: np.ndarray) -> np.ndarray:
    """Of unit length; those that vanish (a fold) point along z."""
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.where(length > 1e-9, normals / np.maximum(length, 1e-300), [0.0, 0.0, 1.0])


@lru_cache(maxsize=32)
def _read(file: str, stamp: int, scale: float) -> tuple[np.ndarray, np.ndarray]:
    from flexor.io.stl import read_stl  # loads h5py

    points, triangles = read_stl(Path(file))
    return scale * points, triangles


def corners_of(shape: Stl | Triangles) -> tuple[np.ndarray, np.ndarray]:
    """Points [m] and triangles of a shape, in its own axes."""
    if isinstance(shape, Stl):
        path = Path(shape.file)
        points, triangles = _read(shape.file, path.stat().st_mtime_ns if path.exists() else 0, shape.scale)
    else:
        points, triangles = np.array(shape.points), np.array(shape.triangles)
    return points, triangles[:, ::-1] if shape.inside else triangles


def _pack(shape: Stl | Triangles) -> Packed:
    where = f"surface '{shape.file}'" if isinstance(shape, Stl) else "triangulated surface"
    return skin(where, *corners_of(shape))


def _reach(shape: Stl | Triangles) -> tuple[float, float, float]:
    x, y, z = np.abs(corners_of(shape)[0]).max(axis=0)
    return float(x), float(y), float(z)


STL = Surface("triangulated surface", TrianglesSize, _pack, as_oriented, _reach)
TRIANGLES = Surface("triangulated surface", TrianglesSize, _pack, as_oriented, _reach)
