"""The profile of a cam: a plane curve through points, of straight lines, circular arcs, or a spline.   FTG 6.3.3"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from flexor.coordinates.curve import ARC, CUBIC, LINE, Piece, arc_length, foot_on, point_and_tangent
from flexor.declaration import Declaration, quantity
from flexor.law.record import Packed

Plane = tuple[Annotated[float, quantity("length")], Annotated[float, quantity("length")]]
"""A point of the plane [m]."""
STRAIGHT = 1e-9
"""Height of an arc in parts of its chord below which it is a line."""
SMOOTH = 1e-3
"""Angle between the ends of two pieces that is no corner [rad]."""
SAME = 1e-12
"""Distance in parts of the whole that is none."""


class Profile(Declaration):
    """A plane curve through points: `Profile([(0, 0), (1, 0), (1, 1)], kind="lines")`, in the x-y plane of its frame.

    "spline": a smooth cubic spline through the points. "lines": straight from one to the next. "arcs": an arc (or line) from the first point
    through the second to the third, from there through the fourth to the fifth, and so on.
    """

    positional: ClassVar[tuple[str, ...]] = ("points",)
    points: tuple[Plane, ...] = Field(description="Points [m] in the order in which it runs.")
    kind: Literal["spline", "lines", "arcs"] = Field("spline", description="What is between the points.")
    closed: bool = Field(
        False, description="Whether it returns from the last point to the first (arcs: by the last point given)."
    )

    @model_validator(mode="after")
    def _makes_a_curve(self) -> Self:
        count, least = len(self.points), {"spline": 3, "lines": 2, "arcs": 3}[self.kind]
        if count < least:
            raise ValueError(f"it has {count} points; a curve of {self.kind} needs {least} or more")
        if self.kind == "arcs" and count % 2 != (0 if self.closed else 1):
            rule = (
                "an even number, the last one in the middle of the arc that closes it"
                if self.closed
                else "an odd number"
            )
            raise ValueError(f"it has {count} points; arcs take begin, middle, end, middle, end …: {rule}")
        points = np.array(self._round())
        steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
        if np.any(steps <= SAME * steps.sum()):
            raise ValueError(
                f"points {int(np.argmin(steps)) + 1} and {int(np.argmin(steps)) + 2} coincide; leave out one of them"
            )
        for i, turn in self.corners():
            if abs(turn) > np.pi - SMOOTH:
                x, y = self.points[i % count]
                raise ValueError(f"it turns back on itself at ({x:g}, {y:g}) m; a curve has no corner of 180°")
        return self

    def _round(self) -> list[tuple[float, float]]:
        return [*self.points, self.points[0]] if self.closed else list(self.points)

    def pieces(self) -> list[Packed]:
        """Its lines, arcs or cubics."""
        return [piece.pack(turn) for piece, turn in zip(self._pieces, self._turns)]

    @cached_property
    def _pieces(self) -> list[_Shape]:
        points = np.array(self._round())
        if self.kind == "spline":
            return _cubics(points, self.closed)
        if self.kind == "lines":
            return _in_a_row([_line(a, b) for a, b in pairwise(points)])
        return _in_a_row([_arc(*points[i : i + 3]) for i in range(0, len(points) - 2, 2)])

    @cached_property
    def _turns(self) -> list[float]:
        """Angle of the corner at the begin of each piece, zero where it is smooth [rad]."""
        if self.kind == "spline":
            return [0.0] * len(self._pieces)
        ends = [piece.tangents for piece in self._pieces]
        turns = []
        for (_, before), (after, _) in zip([ends[-1], *ends[:-1]], ends):
            turn = float(np.arctan2(before[0] * after[1] - before[1] * after[0], before @ after))
            turns.append(turn if abs(turn) > SMOOTH else 0.0)
        return turns if self.closed else [0.0, *turns[1:]]

    def corners(self) -> list[tuple[int, float]]:
        """Number of the point and angle [rad], positive to the left, of each corner between two pieces."""
        every = 2 if self.kind == "arcs" else 1
        return [(i * every, turn) for i, turn in enumerate(self._turns) if turn]

    def nearest(self, y: np.ndarray) -> tuple[int, float]:
        """Number of the piece and parameter on it of the point of the curve that is nearest to y."""
        found = []
        for i, packed in enumerate(self.pieces()):
            piece = Piece(packed.words)
            for guess in (0.0, 0.5 * piece.end, piece.end):
                s = min(max(float(foot_on(piece, y[0], y[1], guess)), 0.0), piece.end)
                c_1, c_2, _, _ = point_and_tangent(piece, s)
                found.append((float(np.hypot(y[0] - c_1, y[1] - c_2)), i, s))
        return min(found)[1:]

    def tangent(self, piece: int, parameter: float) -> tuple[float, float]:
        """Along the curve at a parameter of a piece."""
        _, _, t_1, t_2 = point_and_tangent(Piece(self.pieces()[piece].words), parameter)
        return float(t_1), float(t_2)

    @property
    def length(self) -> float:
        """Of the curve [m]."""
        last = Piece(self._pieces[-1].pack(0.0).words)
        return float(arc_length(last, last.end))

    @property
    def area(self) -> float:
        """Inside a closed curve [m²], positive where it runs counter-clockwise; by the points."""
        x, y = np.array(self._round()).T
        return float(0.5 * np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))

    @classmethod
    def circle(cls, radius: float, at: tuple[float, float] = (0.0, 0.0)) -> Self:
        """A circle, counter-clockwise, as two arcs."""
        x, y = at
        points = ((x + radius, y), (x, y + radius), (x - radius, y), (x, y - radius))
        return cls(points=points, kind="arcs", closed=True)


@dataclass(frozen=True)
class _Shape:
    """A piece before its corner is known: as `Piece`."""

    kind: int
    end: float
    p: tuple[float, ...]
    first: float = 0.0

    def pack(self, turn: float) -> Packed:
        return Piece.pack(kind=self.kind, end=self.end, first=self.first, left_turn=turn, p=self.p)

    @property
    def tangents(self) -> tuple[np.ndarray, np.ndarray]:
        """Directions at begin and end of a line or arc."""
        if self.kind == LINE:
            t = np.array(self.p[2:4])
            return t, t
        angles = self.p[3], self.p[3] + self.end / self.p[2]
        first, last = (np.sign(self.p[2]) * np.array([-np.sin(angle), np.cos(angle)]) for angle in angles)
        return first, last


def _line(a: np.ndarray, b: np.ndarray) -> _Shape:
    length = float(np.linalg.norm(b - a))
    return _Shape(LINE, length, (*a, *((b - a) / length), 0.0, 0.0, 0.0, 0.0))


def _arc(a: np.ndarray, middle: np.ndarray, b: np.ndarray) -> _Shape:
    """The circle through three points, from the first to the last."""
    u, v = middle - a, b - a
    twice = 2.0 * (u[0] * v[1] - u[1] * v[0])
    if abs(twice) <= 2.0 * STRAIGHT * (v @ v) and u @ v > 0.0:
        return _line(a, b)
    center = a + np.array([v[1] * (u @ u) - u[1] * (v @ v), u[0] * (v @ v) - v[0] * (u @ u)]) / twice
    radius = float(np.linalg.norm(a - center))
    sign = 1.0 if twice > 0.0 else -1.0
    first, last = (float(np.arctan2(*(p - center)[::-1])) for p in (a, b))
    swept = (sign * (last - first)) % (2.0 * np.pi)
    return _Shape(ARC, radius * swept, (*center, sign * radius, first, 0.0, 0.0, 0.0, 0.0))


def _in_a_row(pieces: list[_Shape]) -> list[_Shape]:
    ends = np.cumsum([piece.end for piece in pieces])
    return [replace(piece, first=float(end - piece.end)) for piece, end in zip(pieces, ends)]


def _cubics(points: np.ndarray, closed: bool) -> list[_Shape]:
    """A cubic spline over the chords; free ends, or periodic."""
    from scipy.interpolate import CubicSpline  # takes half a second

    chords = np.linalg.norm(np.diff(points, axis=0), axis=1)
    at = np.concatenate([[0.0], np.cumsum(chords)])
    spline = CubicSpline(at, points, bc_type="periodic" if closed else "natural")
    first, found = 0.0, []
    nodes, weights = np.polynomial.legendre.leggauss(5)
    for i, h in enumerate(chords):
        c = spline.c[::-1, i, :] * (h ** np.arange(4))[:, None]
        found.append(_Shape(CUBIC, 1.0, (*c[:, 0], *c[:, 1]), first))
        s = 0.5 * (1.0 + nodes)[:, None]
        first += float(0.5 * weights @ np.linalg.norm(c[1] + 2.0 * s * c[2] + 3.0 * s**2 * c[3], axis=1))
    return found
