"""The profile of a cam: a plane curve through points, of straight lines, circular arcs, or a spline.   FTG 6.3.3"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from flexor.coordinates.curve import Piece, arc_length, foot_on, point_and_tangent
from flexor.coordinates.profile_pieces import Shape, Trace, arc, cubics, in_a_row, line, trace
from flexor.coordinates.roller import Room, room
from flexor.coordinates.self_crossing import SelfCrossing, self_crossing
from flexor.declaration import Declaration, quantity
from flexor.law.record import Packed

Plane = tuple[Annotated[float, quantity("length")], Annotated[float, quantity("length")]]
"""A point of the plane [m]."""
SMOOTH = 1e-3
"""Angle between the ends of two pieces that is no corner [rad]."""
SAME = 1e-12
"""Distance in parts of the whole that is none."""


class Profile(Declaration):
    """A plane curve through points: `Profile([(0, 0), (1, 0), (1, 1)], kind="lines")`, in the x-y plane of its frame.

    "spline": a smooth cubic spline through the points. "lines": straight from one to the next. "arcs": an arc (or line) from the first point
    through the second to the third, from there through the fourth to the fifth, and so on; of a closed one the last point is in the
    middle of the arc back to the first. Left and right are seen in the direction of the points. fx.Profile.circle(radius, at=(x, y)).
    """

    positional: ClassVar[tuple[str, ...]] = ("points",)
    samples: ClassVar[tuple[dict[str, object], ...]] = (
        {"points": (("50 mm", 0), (0, "50 mm"), ("-50 mm", 0), (0, "-40 mm")), "kind": "arcs", "closed": True},
    )
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
        if self.kind == "arcs":
            begins, ends = points[:-2:2], points[2::2]
            same = np.linalg.norm(ends - begins, axis=1) <= SAME * steps.sum()
            if np.any(same):
                i = 2 * int(np.argmax(same))
                fix = "Profile.circle(…), or two arcs" if len(same) == 1 else "two arcs"
                raise ValueError(
                    f"points {i + 1} and {(i + 2) % count + 1} coincide, the ends of one arc, which then has any radius; a whole circle is {fix}"
                )
        for i, turn in self.corners():
            if abs(turn) > np.pi - SMOOTH:
                raise ValueError(
                    f"it turns back on itself at {told(self.points[i % count])}; a curve has no corner of 180°"
                )
        for i, piece in enumerate(self._pieces):
            if (at := piece.cusp()) is not None:
                where = f"{told(at)}, {self.between(i)}"
                raise ValueError(
                    f"its spline turns back on itself at {where}; give points on both sides of the bend, not on one line"
                )
        return self

    def _round(self) -> list[tuple[float, float]]:
        return [*self.points, self.points[0]] if self.closed else list(self.points)

    def pieces(self) -> list[Packed]:
        """Its lines, arcs or cubics."""
        return [piece.pack(turn) for piece, turn in zip(self._pieces, self._turns)]

    @cached_property
    def _pieces(self) -> list[Shape]:
        points = np.array(self._round())
        if self.kind == "spline":
            return cubics(points, self.closed)
        if self.kind == "lines":
            return in_a_row([line(a, b) for a, b in pairwise(points)])
        return in_a_row([arc(*points[i : i + 3]) for i in range(0, len(points) - 2, 2)])

    @cached_property
    def trace(self) -> Trace:
        """The curve in small steps."""
        return trace(self._pieces)

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

    @cached_property
    def area(self) -> float:
        """Inside a closed curve [m²], positive where it runs counter-clockwise."""
        x, y = self.trace.points.T
        return float(0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))

    @cached_property
    def crossing(self) -> SelfCrossing | None:
        """Where it crosses or touches itself."""
        return self_crossing(self._pieces, self.trace)

    @cached_property
    def _rooms(self) -> dict[float, Room]:
        return {}

    def room(self, side: float) -> Room:
        """How large a roller may be along it; side: 1 to the left of its direction, −1 to the right."""
        if side not in self._rooms:
            self._rooms[side] = room(self.trace, side)
        return self._rooms[side]

    def between(self, piece: int) -> str:
        """Where a piece is, counted from 0: `between points 2 and 3`."""
        every, count = (2 if self.kind == "arcs" else 1), len(self.points)
        return f"between points {piece * every + 1} and {(piece * every + every) % count + 1}"

    @classmethod
    def circle(cls, radius: float, at: tuple[float, float] = (0.0, 0.0)) -> Self:
        """A circle, counter-clockwise, as two arcs."""
        x, y = at
        points = ((x + radius, y), (x, y + radius), (x - radius, y), (x, y - radius))
        return cls(points=points, kind="arcs", closed=True)


def told(point: Sequence[float] | np.ndarray) -> str:
    """A point of the plane in a message: `(0.5, -1) m`."""
    return f"({round(point[0], 9) + 0.0:.4g}, {round(point[1], 9) + 0.0:.4g}) m"
