"""Where a side that deforms and a solid are nearest at the start."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexor.contact.curvature import ABOVE, SHARP
from flexor.contact.deformable.material_point import BY_S, DISTANCE, PARAMETERS, PLACE, POINT_WORDS
from flexor.contact.deformable.moving_pair import MovingPair
from flexor.contact.deformable.moving_touch import MovingTouch
from flexor.contact.deformable.series_place import functions_in, second_slopes, side_place, sum_up
from flexor.contact.deformable.series_side import SeriesSide
from flexor.contact.distance.kinds import DISTANCES
from flexor.contact.surfaces import SURFACES
from flexor.law.record import Packed
from flexor.spatial import Pose

POLE = 1e-3
"""Distance from the axis of an end, in sizes of it, within which curvatures are those beside it."""


@dataclass(frozen=True, eq=False)
class Beginning:
    """Where a pair is nearest at the start: of each place the words of the material point, its triangle or node, and the pose of the body seen from the solid."""

    points: tuple[np.ndarray, ...]
    faces: tuple[int, ...]
    X: Pose
    pair: MovingPair
    solid: Any

    def distance(self, z: np.ndarray) -> tuple[Any, ...]:
        """Of a point from the solid, with its derivatives, in the axes of that."""
        size = SURFACES[type(self.solid)].size(size_of(self.solid).words)
        found: tuple[Any, ...] = DISTANCES[type(self.solid)](size, tuple(z))
        return found

    @property
    def gap(self) -> float:
        """The least distance [m]."""
        return min(float(Y[DISTANCE]) for Y in self.points)

    @property
    def nearest(self) -> np.ndarray:
        """The material point that is nearest, as the search leaves it."""
        return min(self.points, key=lambda Y: float(Y[DISTANCE]))

    @property
    def normal(self) -> np.ndarray:
        """∇d of the solid there, in its axes."""
        return np.array(self.distance(self.X.apply(self.nearest[PLACE : PLACE + 3]))[1])

    @property
    def above(self) -> float:
        """How far above the solid its curvature is asked for [m]."""
        return ABOVE * min(self.reach, float(np.ptp(self.pair.points, axis=0).max()))

    @property
    def reach(self) -> float:
        """Size of the solid [m]."""
        return float(max(SURFACES[type(self.solid)].reach(self.solid)))

    def curvatures(self) -> tuple[float, float]:
        """Relative principal curvatures of both surfaces there, the larger one first [1/m]: infinite across an edge of the solid, both at a corner."""
        z = self.X.apply(self.nearest[PLACE : PLACE + 3])
        d, n, *_ = self.distance(z)
        d, n, t, k, c = self.distance(z - (d - self.above) * np.array(n))
        n, t = np.array(n), np.array(t)
        b = np.cross(n, t)
        sharp_t, sharp_b = (abs(1.0 - bend * d) < SHARP for bend in (k, c))
        if sharp_t and sharp_b:
            return math.inf, math.inf
        own = self._own_curvature(n, t, b)
        if sharp_t or sharp_b:
            along = own[1, 1] + c / (1 - c * d) if sharp_t else own[0, 0] + k / (1 - k * d)
            return math.inf, float(along)
        low, high = np.linalg.eigvalsh(own + np.diag([k / (1 - k * d), c / (1 - c * d)]))
        return float(high), float(low)

    def _own_curvature(self, n: np.ndarray, t: np.ndarray, b: np.ndarray) -> np.ndarray:
        """That of the side which moves, in the axes t and b of the solid's tangent plane [1/m]; triangles and points are flat."""
        p: Any = self.pair.surface.record(self.pair.numbers.words)
        if not isinstance(p, SeriesSide):
            return np.zeros((2, 2))
        Y, X = self.nearest, self.X
        w = np.zeros(self.pair.room)
        sum_up(p, 0, np.zeros(0), w)
        s, u = Y[PARAMETERS : PARAMETERS + 2]
        if p.turns and np.linalg.norm(Y[BY_S : BY_S + 3]) < POLE * p.extent:  # on the axis the angle has no direction
            u = u + 2 * POLE * p.t_half * (1 if u < p.t_middle else -1)
        _, *first = side_place(p, w, s, u, 0.0)
        second = second_slopes(p, w, s, functions_in(p, w), 0.0)
        along = X.R @ np.transpose(first)
        own = np.cross(*along.T)  # normal of the side: at an edge of it the solid has another one
        own *= np.sign(np.dot(own, n)) / np.linalg.norm(own)
        ss, st, tt = (float(np.dot(own, X.R @ np.array(each))) for each in second)
        ways = np.linalg.pinv(along) @ np.column_stack([t, b])
        found: np.ndarray = ways.T @ np.array([[ss, st], [st, tt]]) @ ways
        return found


def beginning(pair: MovingPair, solid: Any, X: Pose) -> Beginning:
    """Where they are nearest; X: pose of the body's frame, at its centre of mass, in the axes of the solid."""
    distance = DISTANCES[type(solid)]
    size = SURFACES[type(solid)].size(size_of(solid).words)
    places = pair.points @ X.R.T + X.p
    far = np.array([distance(size, tuple(z))[0] for z in places])
    return Beginning(*searched(pair, distance, size, X, far), X, pair, solid)


def searched(
    pair: MovingPair, distance: Callable, size: Any, X: Pose, far: np.ndarray
) -> tuple[tuple[np.ndarray, ...], tuple[int, ...]]:
    """Of each place the words of the material point, and its triangle or node; far: how far the places of the surface are from the solid."""
    search: Any = pair.surface.search(distance)
    p: Any = pair.surface.record(pair.numbers.words)
    found, faces = [], []
    many = len(far) // pair.places
    w = np.zeros(max(pair.room, 1))
    pair.surface.begin(p, 0, np.zeros(0), w)
    for k in range(pair.places):
        own = slice(many * k, many * (k + 1))
        s, t, face = pair.starts[own][int(np.argmin(far[own]))]
        memory = np.array(MovingTouch.begin(s=s, t=t, face=face))
        Y = np.zeros(POINT_WORDS)
        undeformed: Any = p
        pose = tuple(X.p), tuple(X.R.ravel())
        where = search(undeformed, size, k, MovingTouch(memory), 0, _NO_STATES, *pose, Y, w, False)
        found.append(Y)
        faces.append(where[0])
    return tuple(found), tuple(faces)


class _NoStates:
    """The states of modes that are not deformed."""

    def __getitem__(self, i: int) -> float:
        return 0.0


_NO_STATES = _NoStates()


def size_of(solid: Any) -> Packed:
    return SURFACES[type(solid)].pack(solid)
