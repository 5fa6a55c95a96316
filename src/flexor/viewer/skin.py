"""The outer surface of a mesh as triangles and lines: faces of solids and shells, tubes around beam elements.

A vertex belongs to a node of the mesh and is carried along by it: u_v = u_n + θ_n × r, where r is zero but on tubes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from flexor.elements.assembly.batches import kind_of
from flexor.elements.faces import outer_faces
from flexor.elements.lines.beam2 import Beam2
from flexor.mesh.mesh import Block, Mesh
from flexor.viewer.outline import is_convex, outline_of

SHARP = np.cos(np.radians(35.0))
"""Faces that meet at a larger angle have an edge between them."""
_TRIANGLES = {
    3: ((0, 1, 2),),
    4: ((0, 1, 2), (0, 2, 3)),
    6: ((0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5)),
    8: ((0, 4, 7), (4, 1, 5), (5, 2, 6), (6, 3, 7), (4, 5, 6), (4, 6, 7)),
}
"""Faces by their number of nodes, corners first, then mid-sides."""
_SIDES = {
    3: ((0, 1), (1, 2), (2, 0)),
    4: ((0, 1), (1, 2), (2, 3), (3, 0)),
    6: ((0, 3), (3, 1), (1, 4), (4, 2), (2, 5), (5, 0)),
    8: ((0, 4), (4, 1), (1, 5), (5, 2), (2, 6), (6, 3), (3, 7), (7, 0)),
}


@dataclass(frozen=True, eq=False)
class MeshSkin:
    """Vertices (N) with the node that carries each and their arm (N, 3) from it [m]; triangles (M, 3), sharp edges and all
    sides of elements (E, 2) by vertices."""

    nodes: np.ndarray
    arms: np.ndarray
    triangles: np.ndarray
    edges: np.ndarray
    wires: np.ndarray

    def with_nodes(self, nodes: np.ndarray) -> MeshSkin:
        """The same with vertices at further nodes, which no triangle uses."""
        new = np.setdiff1d(nodes, self.nodes[~self.arms.any(axis=1)])
        return replace(
            self, nodes=np.concatenate([self.nodes, new]), arms=np.concatenate([self.arms, np.zeros((len(new), 3))])
        )

    def vertices(self, points: np.ndarray) -> np.ndarray:
        """(N, 3) for nodes at points."""
        return points[self.nodes] + self.arms

    def carried(self, motion: np.ndarray) -> np.ndarray:
        """(…, N, 3) displacements of the vertices for displacements and rotations (…, n_nodes, 6) of the nodes."""
        own = motion[..., self.nodes, :]
        if not self.arms.any():
            return own[..., :3]
        return own[..., :3] + np.cross(own[..., 3:], self.arms)


def skin_of(mesh: Mesh, points: np.ndarray | None = None) -> MeshSkin:
    """The skin of a mesh, its nodes at `points` if not where the mesh has them."""
    points = mesh.points if points is None else points
    faces = [group for group in outer_faces(mesh) if len(group)]
    parts = [_of_faces(faces, points)] if faces else []
    slender = [block for block in mesh.blocks if not kind_of(block).faces and np.shape(block.nodes)[1] == 2]
    return _joined([*parts, *(_tubes(mesh, block, points) or _lines(block) for block in slender)])


def _of_faces(groups: list[np.ndarray], points: np.ndarray) -> MeshSkin:
    triangles = np.concatenate([faces[:, t] for faces in groups for t in _TRIANGLES[faces.shape[1]]])
    sides = np.concatenate([faces[:, s] for faces in groups for s in _SIDES[faces.shape[1]]])
    normals = np.concatenate([n for faces in groups for n in [_normals(points[faces])] * len(_SIDES[faces.shape[1]])])
    keys, first, inverse, count = np.unique(
        np.sort(sides, axis=1), axis=0, return_index=True, return_inverse=True, return_counts=True
    )
    agree = np.einsum("si,si->s", normals, normals[first][inverse.ravel()])  # with the first face at the same side
    least = np.full(len(keys), 1.0)
    np.minimum.at(least, inverse.ravel(), np.abs(agree))
    sharp = (count == 1) | (least < SHARP)
    nodes, triangles = np.unique(triangles, return_inverse=True)
    number = np.searchsorted(nodes, keys)
    return MeshSkin(nodes, np.zeros((len(nodes), 3)), triangles.reshape(-1, 3), number[sharp], number)


def _normals(X: np.ndarray) -> np.ndarray:
    """(m, 3) unit normals of faces X (m, k, 3)."""
    k = 3 if X.shape[1] in (3, 6) else 4
    n = np.cross(X[:, 1] - X[:, 0], X[:, 2] - X[:, 0]) if k == 3 else np.cross(X[:, 2] - X[:, 0], X[:, 3] - X[:, 1])
    size = np.linalg.norm(n, axis=1)
    return n / np.where(size > 0, size, 1.0)[:, None]


def _tubes(mesh: Mesh, block: Block, points: np.ndarray) -> MeshSkin | None:
    """Prisms around beam elements, with the outline of their section; a line where the section tells none."""
    section = mesh.sections.get(block.section) if block.section is not None else None
    outline = outline_of(section) if kind_of(block) is Beam2 else None
    if outline is None:
        return None
    nodes = np.asarray(block.nodes)
    x = points[nodes[:, 1]] - points[nodes[:, 0]]
    x = x / np.maximum(np.linalg.norm(x, axis=1), 1e-300)[:, None]
    given = _across(x) if block.orientation is None else np.asarray(block.orientation)[:, :, 1]
    z = np.cross(x, given)
    size = np.linalg.norm(z, axis=1)
    z = np.where(size[:, None] > 1e-9, z / np.maximum(size, 1e-300)[:, None], np.cross(x, _across(x)))
    y = np.cross(z, x)
    m, k = len(nodes), len(outline)
    ring = outline[:, 0, None] * y[:, None] + outline[:, 1, None] * z[:, None]  # (m, k, 3)
    carrier = np.repeat(nodes, k, axis=1).ravel()
    arms = np.tile(ring[:, None], (1, 2, 1, 1)).reshape(-1, 3)
    i = np.arange(k)
    j = (i + 1) % k
    strip = np.concatenate([np.stack([i, j, j + k], axis=1), np.stack([i, j + k, i + k], axis=1)])
    if is_convex(outline):
        caps = np.array([(0, a, a + 1) for a in range(1, k - 1)])
        strip = np.concatenate([strip, caps[:, ::-1], caps + k])
    first = 2 * k * np.arange(m)[:, None, None]
    rings = np.concatenate([np.stack([i, j], axis=1), np.stack([i + k, j + k], axis=1)])
    wires = (first + rings).reshape(-1, 2)
    return MeshSkin(carrier, arms, (first + strip).reshape(-1, 3), np.zeros((0, 2), dtype=int), wires)


def _across(x: np.ndarray) -> np.ndarray:
    """(m, 3) unit vectors across others."""
    least = np.eye(3)[np.argmin(np.abs(x), axis=1)]
    y = np.cross(x, least)
    return y / np.linalg.norm(y, axis=1)[:, None]


def _lines(block: Block) -> MeshSkin:
    """Elements of two nodes as lines."""
    nodes, lines = np.unique(np.asarray(block.nodes), return_inverse=True)
    lines = lines.reshape(-1, 2)
    return MeshSkin(nodes, np.zeros((len(nodes), 3)), np.zeros((0, 3), dtype=int), lines, lines)


def _joined(parts: list[MeshSkin]) -> MeshSkin:
    none = np.zeros((0, 2), dtype=int)
    if not parts:
        return MeshSkin(np.zeros(0, dtype=int), np.zeros((0, 3)), np.zeros((0, 3), dtype=int), none, none)
    starts = np.concatenate([[0], np.cumsum([len(part.nodes) for part in parts])])
    return MeshSkin(
        np.concatenate([part.nodes for part in parts]),
        np.concatenate([part.arms for part in parts]),
        *(
            np.concatenate([getattr(part, what) + start for part, start in zip(parts, starts)])
            for what in ("triangles", "edges", "wires")
        ),
    )
