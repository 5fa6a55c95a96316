"""How deep points of a side are below what they touch, after a run: of many points at many instants, most of which are far away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from flexor.contact.deformable.beginning import size_of
from flexor.contact.deformable.deforming_solid import Deformed
from flexor.contact.deformable.facets import Facets
from flexor.contact.deformable.mesh_solid import WHOLE, MeshSolid
from flexor.contact.deformable.mesh_states import Nodes
from flexor.contact.deformable.pair_contact import TouchedSide
from flexor.contact.distance.kinds import DISTANCES
from flexor.contact.surfaces import SURFACES
from flexor.law.tuples import diagonal

NO_FOOT = np.zeros(0)


class Below:
    """What is touched, by its signed distance from a point (`flexor.contact.distance`).

    As |∇d| = 1, a point is asked for again when it and the surface may have come as near as that since it was asked for last.
    """

    def __init__(self, distance: Callable[[tuple[float, ...]], float]) -> None:
        self._distance = distance
        self._z, self._d, self._before = np.zeros((0, 3)), np.zeros(0), np.zeros(0)

    def depths(self, z: np.ndarray, way: float = 0.0) -> np.ndarray:
        """(n,) of points (n, 3) in the axes of the surface, 0 outside of it; way: by how much it has deformed so far, all changes summed up [m]."""
        if len(self._d) != len(z):
            self._z, self._d, self._before = z.copy(), np.full(len(z), -np.inf), np.full(len(z), way)
        near = np.flatnonzero(self._d < np.linalg.norm(z - self._z, axis=1) + way - self._before)
        self._z[near], self._before[near] = z[near], way
        self._d[near] = [self._distance(tuple(point)) for point in z[near].tolist()]
        found = np.zeros(len(z))
        found[near] = np.maximum(-self._d[near], 0.0)
        return found


class BelowRigid(Below):
    """A rigid surface."""

    def __init__(self, shape: Any) -> None:
        distance, size = DISTANCES[type(shape)], SURFACES[type(shape)].size(size_of(shape).words)
        super().__init__(lambda z: float(distance(size, z)[0]))


class BelowSkin(Below):
    """The skin of a meshed body, seen in global axes."""

    def __init__(self, side: TouchedSide) -> None:
        known: Any = Facets(side.numbers.words)
        fields = {field.name: getattr(known, field.name) for field in Facets.FIELDS}
        self._p: Any = MeshSolid(MeshSolid.pack(**fields, nodes=np.arange(known.vertices)).words)
        self._w = np.zeros(side.room)
        self._vertices, self.way = np.zeros((0, 3)), 0.0
        here = Deformed(self._p, 0, NO_FOOT, self._w, NO_FOOT)
        super().__init__(lambda z: float(WHOLE.distance(here, z)[0]))

    def place(self, vertices: np.ndarray) -> None:
        """(n, 3) where its vertices are now."""
        if len(self._vertices):
            self.way += float(np.linalg.norm(vertices - self._vertices, axis=1).max())
        self._vertices = vertices
        rest: Any = Nodes(vertices.ravel(), np.zeros(vertices.size // 3 * 6), (0.0, 0.0, 0.0), diagonal(1.0))
        WHOLE.begin(self._p, 0, rest, self._w)


class BelowSeries(Below):
    """A side of shape functions, seen in the axes of its body."""

    def __init__(self, side: TouchedSide, reach: np.ndarray) -> None:
        """reach: (m,) the largest displacement by each coordinate [m]."""
        self._here, self._kind, self._reach = side.at_rest, side.kind, reach
        self._q, self.way = np.zeros(len(reach)), 0.0
        self._now = self._here._replace(m=len(reach), s=np.zeros(3 * len(reach)))
        super().__init__(lambda z: float(self._kind.distance(self._now, z)[0]))

    def place(self, q: np.ndarray) -> None:
        """(m,) its coordinates now."""
        self.way += float(np.abs(q - self._q) @ self._reach)
        self._q = q
        self._now.s[::3] = q
        self._kind.begin(self._now.p, self._now.m, self._now.s, self._now.w)
