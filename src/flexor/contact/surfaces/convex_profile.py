"""The profile of a convex body of revolution as its normals see it, from the low end to the high one.

The outward normal of a convex profile turns from straight down to straight up: φ = −90° … 90°. Each of its *parts* is touched by the normals up to its last one:

    rim     a corner (r, z), the begin or the end of a line
    arc     (r, z) is its centre, and the solid there that of a rim with a ball of its radius around each point
    cubic   a piece of a spline; its circle of curvature is found where it is touched

A line is touched by one φ: the generators between a rim and the next one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexor.bodies.shape import Revolved
from flexor.coordinates.curve import ARC, LINE, Piece, curvature, point_and_tangent

WORDS = 6
"""Of a part: radius and height of a rim or of the centre of an arc, radius of the arc; cos φ and sin φ of its last normal; piece of a cubic, else −1."""
SMOOTH = 1e-9
"""Turn of the normal from one piece to the next that is none [rad]."""
TRIED = 33
"""Places of a cubic at which it must bend outwards."""


@dataclass(frozen=True)
class ConvexProfile:
    """Parts of a convex profile."""

    parts: np.ndarray
    """(n, WORDS)"""
    generators: list[int]
    """Parts behind which a line begins."""
    widest: float
    """Its largest radius [m]."""

    @property
    def rims(self) -> list[int]:
        """Parts that are rims between both ends."""
        inner = range(1, len(self.parts) - 1)
        return [i for i in inner if self.parts[i, 2] == 0.0 and self.parts[i, 5] < 0.0]

    @property
    def wall(self) -> int:
        """Number of the longest line; 0 if there is none."""
        ways = [self.parts[i + 1, :2] - self.parts[i, :2] for i in self.generators]
        return int(np.argmax([np.hypot(*way) for way in ways])) if ways else 0

    @property
    def curved(self) -> bool:
        """Whether it has arcs or cubics."""
        return len(self.rims) + 2 < len(self.parts)


@dataclass
class _Run:
    """A piece, upwards."""

    piece: Piece
    number: int
    begin: tuple[float, float]
    end: tuple[float, float]
    first: float
    """φ where it begins."""
    last: float


def convex_profile(shape: Revolved) -> ConvexProfile | None:
    """Of a solid body of revolution; None if it is not convex."""
    if shape.inside or shape.profile.closed:
        return None
    runs = _upwards(shape)
    while runs and _level(runs[0]):
        runs.pop(0)
    while runs and _level(runs[-1]):
        runs.pop()
    if not runs or not all(map(_bends_outwards, runs)):
        return None
    normals = [-0.5 * np.pi, *(phi for run in runs for phi in (run.first, run.last)), 0.5 * np.pi]
    if np.diff(normals).min() < -SMOOTH:
        return None
    return _parts(runs, float(shape.profile.trace.points[:, 0].max()))


def _upwards(shape: Revolved) -> list[_Run]:
    """Its pieces from the low end to the high one."""
    found = []
    points = shape.profile.trace.points
    first = int(shape.profile.trace.points[0, 0] != 0.0)  # behind a flat end, in the contour that is packed
    down = points[-1, 1] < points[0, 1]
    for i, each in enumerate(shape.profile.pieces()):
        piece = Piece(each.words)
        x_0, z_0, u_0, v_0 = map(float, point_and_tangent(piece, 0.0))
        x_1, z_1, u_1, v_1 = map(float, point_and_tangent(piece, piece.end))
        ends, sign = ((x_0, z_0, u_0, v_0), (x_1, z_1, u_1, v_1)), -1.0 if down else 1.0
        (x_0, z_0, u_0, v_0), (x_1, z_1, u_1, v_1) = reversed(ends) if down else ends
        begin, end = float(np.arctan2(-sign * u_0, sign * v_0)), float(np.arctan2(-sign * u_1, sign * v_1))
        found.append(_Run(piece, first + i, (max(x_0, 0.0), z_0), (max(x_1, 0.0), z_1), begin, end))
    return found[::-1] if down else found


def _level(run: _Run) -> bool:
    """Whether it is a line across the axis: a flat end."""
    return run.piece.kind == LINE and abs(np.cos(run.first)) < SMOOTH


def _bends_outwards(run: _Run) -> bool:
    """Whether its normal turns upwards all the way."""
    if run.piece.kind == LINE:
        return True
    down = float(point_and_tangent(run.piece, 0.0)[1]) != run.begin[1]
    places = np.linspace(0.0, run.piece.end, 2 if run.piece.kind == ARC else TRIED)
    bends = [curvature(run.piece, s, 1.0 if down else -1.0) for s in places]
    most = max(bends)
    return most > 0.0 and min(bends) >= -SMOOTH * most


def _parts(runs: list[_Run], widest: float) -> ConvexProfile:
    parts: list[list[float]] = []
    generators: list[int] = []

    def rim(at: tuple[float, float]) -> None:
        parts.append([*at, 0.0, 0.0, 1.0, -1.0])

    def up_to(phi: float) -> None:
        phi = float(np.clip(phi, -0.5 * np.pi, 0.5 * np.pi))
        parts[-1][3:5] = max(np.cos(phi), 0.0), np.sin(phi)

    rim(runs[0].begin)
    before: _Run | None = None
    for run in runs:
        straight = run.piece.kind == LINE
        smooth = before is not None and run.first - before.last < SMOOTH
        if before is not None and before.piece.kind != LINE and (straight or not smooth):
            up_to(before.last)
            rim(run.begin)
        if before is not None and before.piece.kind == LINE and straight and smooth:  # it goes on
            parts[-1][:2] = run.end
            before = run
            continue
        up_to(run.first)
        if straight:
            generators.append(len(parts) - 1)
            rim(run.end)
        elif run.piece.kind == ARC:
            parts.append([run.piece.p[0], run.piece.p[1], abs(run.piece.p[2]), 0.0, 1.0, -1.0])
        else:
            parts.append([0.0, 0.0, 0.0, 0.0, 1.0, float(run.number)])
        before = run
    if before is not None and before.piece.kind != LINE:
        up_to(before.last)
        rim(runs[-1].end)
    return ConvexProfile(np.array(parts, dtype=float), generators, widest)
