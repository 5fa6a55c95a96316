"""Pieces of a plane curve: lines, arcs through three points, cubics of a spline, and how they are walked along."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from flexor.coordinates.curve import ARC, CUBIC, LINE, Piece
from flexor.law.record import Packed

STRAIGHT = 1e-9
"""Height of an arc in parts of its chord below which it is a line."""
FINE = np.radians(4.0)
"""Angle by which the curve turns from one point of a trace to the next."""
STEPS = 300
"""Of a trace, at least."""
CUSP = 1e-4
"""Speed of a spline over its parameter, in parts of the chord, at which it stands still and turns back."""


@dataclass(frozen=True)
class Shape:
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
        _, (first, last), _ = self.at(np.array([0.0, self.end]))
        return first, last

    def at(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """c, c', c'' at parameters, each (n, 2)"""
        p, s = self.p, np.asarray(s, dtype=float)[:, None]
        if self.kind == LINE:
            begin, along = np.array(p[:2]), np.array(p[2:4])
            return begin + s * along, along + 0.0 * s, 0.0 * (s + along)
        if self.kind == ARC:
            angle = p[3] + s / p[2]
            out = np.hstack([np.cos(angle), np.sin(angle)])
            turned = np.sign(p[2]) * np.hstack([-np.sin(angle), np.cos(angle)])
            return np.array(p[:2]) + abs(p[2]) * out, turned, -out / abs(p[2])
        c = np.array(p).reshape(2, 4).T
        return (
            c[0] + s * (c[1] + s * (c[2] + s * c[3])),
            c[1] + s * (2.0 * c[2] + 3.0 * s * c[3]),
            2.0 * c[2] + 6.0 * s * c[3],
        )

    def cusp(self) -> np.ndarray | None:
        """Where a cubic stands still and turns back, if it does."""
        if self.kind != CUBIC:
            return None
        chord = float(np.hypot(sum(self.p[1:4]), sum(self.p[5:8])))
        if np.linalg.norm(self.at(np.linspace(0.0, 1.0, 9))[1], axis=1).min() > 0.5 * chord:
            return None
        x, y = (np.polynomial.Polynomial(each).deriv() for each in np.array(self.p).reshape(2, 4))
        square = x * x + y * y  # |c'|²
        tried = np.real(square.deriv().roots()) if square.degree() else np.zeros(0)
        tried = np.clip(np.concatenate([[0.0, 1.0], tried]), 0.0, 1.0)
        points, along, _ = self.at(tried)
        slowest = int(np.argmin(np.linalg.norm(along, axis=1)))
        return points[slowest] if np.linalg.norm(along[slowest]) < CUSP * chord else None


def line(a: np.ndarray, b: np.ndarray) -> Shape:
    """Straight from a to b."""
    length = float(np.linalg.norm(b - a))
    return Shape(LINE, length, (*a, *((b - a) / length), 0.0, 0.0, 0.0, 0.0))


def arc(a: np.ndarray, middle: np.ndarray, b: np.ndarray) -> Shape:
    """The circle through three points, from the first to the last."""
    u, v = middle - a, b - a
    twice = 2.0 * (u[0] * v[1] - u[1] * v[0])
    if abs(twice) <= 2.0 * STRAIGHT * (v @ v) and u @ v > 0.0:
        return line(a, b)
    center = a + np.array([v[1] * (u @ u) - u[1] * (v @ v), u[0] * (v @ v) - v[0] * (u @ u)]) / twice
    radius = float(np.linalg.norm(a - center))
    sign = 1.0 if twice > 0.0 else -1.0
    first, last = (float(np.arctan2(*(p - center)[::-1])) for p in (a, b))
    swept = (sign * (last - first)) % (2.0 * np.pi)
    return Shape(ARC, radius * swept, (*center, sign * radius, first, 0.0, 0.0, 0.0, 0.0))


def in_a_row(pieces: list[Shape]) -> list[Shape]:
    """Lines and arcs, each with the arc length at which it begins."""
    ends = np.cumsum([piece.end for piece in pieces])
    return [replace(piece, first=float(end - piece.end)) for piece, end in zip(pieces, ends)]


def cubics(points: np.ndarray, closed: bool) -> list[Shape]:
    """A cubic spline over the chords; free ends, or periodic."""
    from scipy.interpolate import CubicSpline  # takes half a second

    chords = np.linalg.norm(np.diff(points, axis=0), axis=1)
    at = np.concatenate([[0.0], np.cumsum(chords)])
    spline = CubicSpline(at, points, bc_type="periodic" if closed else "natural")
    first, found = 0.0, []
    nodes, weights = np.polynomial.legendre.leggauss(5)
    for i, h in enumerate(chords):
        c = spline.c[::-1, i, :] * (h ** np.arange(4))[:, None]
        found.append(Shape(CUBIC, 1.0, (*c[:, 0], *c[:, 1]), first))
        s = 0.5 * (1.0 + nodes)[:, None]
        first += float(0.5 * weights @ np.linalg.norm(c[1] + 2.0 * s * c[2] + 3.0 * s**2 * c[3], axis=1))
    return found


@dataclass(frozen=True, eq=False)
class Trace:
    """Points along a curve, close to each other, with both ends of every piece."""

    piece: np.ndarray
    """Number of the piece of each."""
    s: np.ndarray
    """Parameter on it."""
    points: np.ndarray
    """(n, 2) [m]"""
    tangents: np.ndarray
    """(n, 2), of unit length"""
    curvature: np.ndarray
    """[1/m], positive where it turns to the left."""
    sagitta: np.ndarray
    """How far the curve is at most from the chord to the next point [m]."""
    lengths: np.ndarray
    """Of the chord to the next point of the piece [m], 0 at its end."""


def trace(pieces: list[Shape]) -> Trace:
    """The curve in small steps."""
    extents = [_extent(piece) for piece in pieces]
    whole = sum(length for length, _ in extents)
    least = 3 if 3 * len(pieces) < STEPS else 1
    found: list[list[np.ndarray]] = []
    for i, (piece, (length, turn)) in enumerate(zip(pieces, extents)):
        count = 1 + int(np.clip(np.ceil(max(turn / FINE, STEPS * length / whole)), least, 3 * STEPS))
        s = np.linspace(0.0, piece.end, count)
        c, first, second = piece.at(s)
        speed = np.linalg.norm(first, axis=1)
        bend = (first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / speed**3
        acceleration = np.linalg.norm(second, axis=1)
        largest = np.maximum(acceleration, np.roll(acceleration, -1)) * (s[1] - s[0]) ** 2 / 8
        chords = np.append(np.linalg.norm(np.diff(c, axis=0), axis=1), 0.0)
        found.append([np.full(count, i), s, c, first / speed[:, None], bend, largest, chords])
    return Trace(*(np.concatenate(each) for each in zip(*found)))


def _extent(piece: Shape) -> tuple[float, float]:
    """Length [m] and angle by which it turns [rad], nearly."""
    if piece.kind == LINE:
        return piece.end, 0.0
    if piece.kind == ARC:
        return piece.end, piece.end / abs(piece.p[2])
    _, first, _ = piece.at(np.linspace(0.0, 1.0, 9))
    turns = np.arctan2(
        first[:-1, 0] * first[1:, 1] - first[:-1, 1] * first[1:, 0], np.sum(first[:-1] * first[1:], axis=1)
    )
    return float(np.linalg.norm(first, axis=1).mean()), float(np.abs(turns).sum())
