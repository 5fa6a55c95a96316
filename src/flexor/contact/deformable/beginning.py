"""Where a side that deforms and a solid are nearest at the start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexor.contact.approach import DISTANCES
from flexor.contact.deformable import series_side
from flexor.contact.deformable.material_point import BY_S, DISTANCE, PARAMETERS, PLACE, POINT_WORDS
from flexor.contact.deformable.moving_pair import MovingPair
from flexor.contact.deformable.moving_touch import MovingTouch
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

    def curvatures(self) -> tuple[float, float]:
        """Relative principal curvatures of both surfaces there, the larger one first [1/m]."""
        Y, X = self.nearest, self.X
        d, n, t, k, c = self.distance(X.apply(Y[PLACE : PLACE + 3]))
        b = np.cross(n, t)
        bends = k / (1 - k * d) * np.outer(t, t) + c / (1 - c * d) * np.outer(b, b)
        p: Any = self.pair.surface.record(self.pair.numbers.words)
        if not isinstance(p, series_side.SeriesSide):  # it is flat
            low, high = np.linalg.eigvalsh(np.stack([t, b]) @ bends @ np.stack([t, b]).T)
            return float(high), float(low)
        w = np.zeros(self.pair.room)
        series_side.sum_up(p, 0, np.zeros(0), w)
        count = 3 * (p.order + 1) * p.lines
        s, t = Y[PARAMETERS : PARAMETERS + 2]
        if p.turns and np.linalg.norm(Y[BY_S : BY_S + 3]) < POLE * p.extent:  # on the axis the angle has no direction
            t = t + 2 * POLE * p.t_half * (1 if t < p.t_middle else -1)
        series_side.functions(p, s, t, w[2 * count :])
        _, *first = series_side.first_slopes(p, w, s, w[2 * count :], 0.0)
        second = series_side.second_slopes(p, w, s, w[2 * count :], 0.0)
        along = X.R @ np.transpose(first)
        own = np.cross(*along.T)  # normal of the side: at an edge of it the solid has another one
        own *= np.sign(np.dot(own, n)) / np.linalg.norm(own)
        ss, st, tt = (float(np.dot(own, X.R @ np.array(u))) for u in second)
        H = along.T @ bends @ along + np.array([[ss, st], [st, tt]])
        metric = along.T @ along
        low, high = np.sort(np.linalg.eigvals(np.linalg.solve(metric, H)).real)
        return float(high), float(low)


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
