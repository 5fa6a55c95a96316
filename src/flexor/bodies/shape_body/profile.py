"""Half section of a body of revolution: its profile of lines, arcs and cubics, cut into strips that each have one inner and one outer side.

NAK 7.4: the heights of all corners, and of the highest and lowest points of arcs, bound intervals along the axis. Within one of them the
sides stay in the same order, and material lies between the first and the second, the third and the fourth, …
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import Field

from flexor.bodies.shape_body.chebyshev import clenshaw_curtis
from flexor.coordinates.curve import ARC, LINE, Piece
from flexor.coordinates.profile import Profile
from flexor.declaration import AS_LIST, Declaration, quantity

SAME = 1e-9
"""Distance over size within which two places of a profile are one."""

Place = Annotated[tuple[Annotated[float, quantity("length")], Annotated[float, quantity("length")]], AS_LIST]


class ProfileArc(Declaration):
    """A corner of a profile to which a circular arc leads."""

    positional: ClassVar[tuple[str, ...]] = ("to", "through")
    to: Place = Field(description="Radius and height of the corner [m].")
    through: Place = Field(description="A point of the arc between the corner before and this one [m].")


Corner = Place | ProfileArc


@dataclass(frozen=True)
class ProfileSide:
    """A piece of a profile between two heights, r(z): a line, an arc about `center`, or a part of a cubic.

    bulge: 0 of a line; of an arc 1 outward, −1 inward; 1 of a cubic.   cubic: its coefficients, r (4) and z (4), and its parameters at both heights.
    """

    z: tuple[float, float]
    r: tuple[float, float]
    center: tuple[float, float] = (0.0, 0.0)
    radius: float = 0.0
    bulge: int = 0
    cubic: tuple[float, ...] = ()

    def at(self, z: np.ndarray) -> np.ndarray:
        """Radius at heights."""
        if self.cubic:
            return np.maximum(self._on_cubic(np.asarray(z, dtype=float)), 0.0)
        if self.bulge:
            up = np.clip(z - self.center[1], -self.radius, self.radius)
            return np.maximum(self.center[0] + self.bulge * np.sqrt(np.maximum(self.radius**2 - up**2, 0.0)), 0.0)
        share = (z - self.z[0]) / (self.z[1] - self.z[0])
        return self.r[0] + share * (self.r[1] - self.r[0])

    def _on_cubic(self, z: np.ndarray) -> np.ndarray:
        """By bisection: its height rises from the first parameter to the second."""
        r, height = (np.polynomial.Polynomial(self.cubic[i : i + 4]) for i in (0, 4))
        low, high = (np.full(z.shape, each) for each in self.cubic[8:])
        for _ in range(60):
            middle = 0.5 * (low + high)
            above = height(middle) > z
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        return np.asarray(r(0.5 * (low + high)))


@dataclass(frozen=True)
class ProfileStrip:
    """Material between two sides and two heights."""

    low: float
    high: float
    inner: ProfileSide
    outer: ProfileSide


@dataclass(frozen=True)
class HalfSection:
    """Half section of a body of revolution.

    strips: its material.   r, z: least and largest radius and height [m].
    """

    strips: tuple[ProfileStrip, ...]
    r: tuple[float, float]
    z: tuple[float, float]

    @property
    def solid(self) -> bool:
        """Whether there is material on the axis."""
        return self.r[0] == 0.0

    @property
    def straight(self) -> bool:
        """Whether it has no arcs."""
        return not any(side.bulge for strip in self.strips for side in (strip.inner, strip.outer))

    @property
    def conforming(self) -> bool:
        """Whether strips that meet have the same radii where they meet, so that a mesh of them holds together."""
        for low in self.strips:
            for high in self.strips:
                if low.high != high.low:
                    continue
                z = np.array(low.high)
                a, b = ([float(s.inner.at(z)), float(s.outer.at(z))] for s in (low, high))
                if max(a[0], b[0]) < min(a[1], b[1]) and not np.allclose(a, b, rtol=0, atol=SAME * self.r[1]):
                    return False
        return True

    def points(self, radial: int, axial: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """r, z (Q,) [m] and weights of ∫∫ f dr dz, with so many Clenshaw-Curtis points across and along each strip.

        Where a side is an arc, r(z) may begin with a vertical tangent; heights are then z(t) with z′ = 0 at both ends,
        z = ½ (3t − t³), in which r is smooth.
        """
        t, wt = clenshaw_curtis(axial)
        s, ws = clenshaw_curtis(radial)
        found = []
        for strip in self.strips:
            half, middle = (strip.high - strip.low) / 2, (strip.high + strip.low) / 2
            u, wu = (0.5 * (3 * t - t**3), 1.5 * (1 - t**2) * wt) if strip.inner.bulge or strip.outer.bulge else (t, wt)
            z = middle + half * u
            a, b = strip.inner.at(z), strip.outer.at(z)
            r = (a + b)[:, None] / 2 + (b - a)[:, None] / 2 * s
            w = half * wu[:, None] * (b - a)[:, None] / 2 * ws
            found.append((r.ravel(), np.repeat(z, len(s)), w.ravel()))
        r, z, w = (np.concatenate(each) for each in zip(*found))
        return r, z, w


def profile_of(corners: Sequence[Any]) -> Profile:
    """A list of corners, some of which arcs lead to, as a closed profile; a corner that is given twice counts once."""
    if isinstance(corners[0], ProfileArc):
        raise ValueError("its first corner is an arc, which has nowhere to begin; begin with a corner [r, z]")
    kept: list[Any] = []
    for corner in corners:
        if not kept or isinstance(corner, ProfileArc) or corner != _end(kept[-1]):
            kept.append(corner)
    if len(kept) > 2 and _end(kept[-1]) == kept[0] and not isinstance(kept[-1], ProfileArc):
        kept.pop()
    if not any(isinstance(corner, ProfileArc) for corner in kept):
        return Profile(points=tuple(kept), kind="lines", closed=True)
    for begin, corner in pairwise(kept):
        if isinstance(corner, ProfileArc):
            u, v = np.subtract(corner.through, _end(begin)), np.subtract(corner.to, _end(begin))
            if abs(u[0] * v[1] - u[1] * v[0]) <= 1e-9 * max(float(u @ u), float(v @ v)):
                raise ValueError(f"the points of the arc to {corner.to} lie on one line; leave out `through`")
    points: list[tuple[float, float]] = []
    back = isinstance(kept[-1], ProfileArc) and _end(kept[-1]) == kept[0]  # an arc closes it
    for number, corner in enumerate(kept):
        begin = _end(kept[number - 1])
        if number:
            straight = (0.5 * (begin[0] + _end(corner)[0]), 0.5 * (begin[1] + _end(corner)[1]))
            points.append(corner.through if isinstance(corner, ProfileArc) else straight)
        if not (back and number == len(kept) - 1):
            points.append(_end(corner))
    if not back:
        first, last = kept[0], _end(kept[-1])
        points.append((0.5 * (first[0] + last[0]), 0.5 * (first[1] + last[1])))
    return Profile(points=tuple(points), kind="arcs", closed=True)


def _end(corner: Any) -> tuple[float, float]:
    return corner.to if isinstance(corner, ProfileArc) else corner


def section_of(profile: Profile | Sequence[Any]) -> HalfSection:
    """The section within a profile, or a list of corners; ValueError if it is none. An open profile is closed by flat ends to the axis."""
    profile = profile if isinstance(profile, Profile) else profile_of(profile)
    pieces = [Piece(each.words) for each in profile.pieces()]
    size = float(np.ptp(profile.trace.points, axis=0).max())
    sides = [side for piece in pieces for side in _sides(piece, size)]
    if not profile.closed and any(min(side.z) != max(side.z) for side in sides):
        heights = [float(each[1]) for each in profile.trace.points[[0, -1]]]
        sides += _line(np.array([0.0, heights[1]]), np.array([0.0, heights[0]]), size)
    if any(min(side.r) < -SAME * size for side in sides):
        raise ValueError("it has a negative radius; radii are measured from the axis, 0 and above")
    r = [value for side in sides for value in (*side.r, *([side.center[0] + side.radius] if _wide(side) else []))]
    least = [value for side in sides for value in (*side.r, *([side.center[0] - side.radius] if _narrow(side) else []))]
    if not sides or min(least, default=0.0) < -SAME * size:
        raise ValueError("it has no material: all corners lie on one line, or an arc crosses the axis")
    strips = _strips(sides, size)
    low = 0.0 if min(least) <= SAME * size else min(least)
    return HalfSection(strips, (low, max(r)), (min(s.low for s in strips), max(s.high for s in strips)))


def _sides(piece: Piece, size: float) -> list[ProfileSide]:
    """The parts of a piece that rise or fall."""
    p = np.array(piece.p[:8], dtype=float)
    if piece.kind == LINE:
        return _line(p[:2], p[:2] + piece.end * p[2:4], size)
    if piece.kind == ARC:
        return _arc(p[:2], abs(p[2]), p[3], piece.end / p[2], size)
    return _cubic(p, size)


def _wide(side: ProfileSide) -> bool:
    return side.radius > 0 and side.bulge > 0 and side.z[0] < side.center[1] < side.z[1]


def _narrow(side: ProfileSide) -> bool:
    return side.radius > 0 and side.bulge < 0 and side.z[0] < side.center[1] < side.z[1]


def _line(begin: np.ndarray, end: np.ndarray, size: float) -> list[ProfileSide]:
    if abs(end[1] - begin[1]) <= SAME * size:
        return []  # level: it bounds a strip
    low, high = (begin, end) if begin[1] < end[1] else (end, begin)
    return [ProfileSide((float(low[1]), float(high[1])), (float(low[0]), float(high[0])))]


def _arc(center: np.ndarray, radius: float, first: float, turn: float, size: float) -> list[ProfileSide]:
    """Of an arc about a centre, from an angle by a turn [rad]."""
    tops = [(k + 0.5) * np.pi for k in range(-5, 5)]  # its highest and lowest points
    inside = [each for each in tops if 1e-9 < (each - first) / turn < 1 - 1e-9]
    angles = [first, *sorted(inside, key=lambda each: (each - first) / turn), first + turn]
    found = []
    for one, two in pairwise(angles):
        ends = sorted(
            (float(center[1] + radius * np.sin(t)), float(center[0] + radius * np.cos(t))) for t in (one, two)
        )
        (z0, r0), (z1, r1) = ends
        if z1 - z0 > SAME * size:
            bulge = 1 if np.cos((one + two) / 2) > 0 else -1
            found.append(ProfileSide((z0, z1), (r0, r1), (float(center[0]), float(center[1])), radius, bulge))
    return found


def _cubic(p: np.ndarray, size: float) -> list[ProfileSide]:
    """Of a cubic, cut where its height or its radius has an extreme."""
    r, z = np.polynomial.Polynomial(p[:4]), np.polynomial.Polynomial(p[4:])
    cuts = {0.0, 1.0}
    for each in (r.deriv(), z.deriv()):
        roots = np.atleast_1d(each.trim(1e-14 * size).roots()) if each.trim(1e-14 * size).degree() else np.zeros(0)
        cuts |= {float(root.real) for root in roots if abs(root.imag) < 1e-12 and 1e-9 < root.real < 1 - 1e-9}
    found = []
    for one, two in pairwise(sorted(cuts)):
        low, high = (one, two) if z(one) < z(two) else (two, one)
        if z(high) - z(low) > SAME * size:
            ends = (float(z(low)), float(z(high))), (float(r(low)), float(r(high)))
            found.append(ProfileSide(*ends, bulge=1, cubic=(*map(float, p), low, high)))
    return found


def _strips(sides: list[ProfileSide], size: float) -> tuple[ProfileStrip, ...]:
    heights: list[float] = []
    for z in sorted(z for side in sides for z in side.z):
        if not heights or z - heights[-1] > SAME * size:
            heights.append(z)
    found = []
    for low, high in pairwise(heights):
        slack = SAME * size
        here = [side for side in sides if side.z[0] <= low + slack and side.z[1] >= high - slack]
        middle = np.array((low + high) / 2)
        here.sort(key=lambda side: float(side.at(middle)))
        if len(here) % 2 or not here:
            raise ValueError(f"it is not closed between the heights {low:g} and {high:g} m; give corners all round")
        between = low + (high - low) * np.linspace(0.02, 0.98, 25)
        r = np.array([side.at(between) for side in here])
        gaps = np.diff(r, axis=0)
        if np.any(gaps < -SAME * size) or np.any(gaps[::2].max(axis=1) <= 1e-6 * size):
            what = "crosses itself" if np.any(gaps < -SAME * size) else "has no thickness"
            raise ValueError(f"it {what} between the heights {low:g} and {high:g} m; go round the material once")
        found += [ProfileStrip(low, high, a, b) for a, b in zip(here[::2], here[1::2])]
    return tuple(found)
