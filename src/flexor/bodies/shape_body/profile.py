"""Profile of a body of revolution: corners joined by lines and arcs, cut into strips that each have one inner and one outer side.

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
    """A piece of a profile between two heights, r(z): a line, or an arc about `center` that bulges outward (1) or inward (−1)."""

    z: tuple[float, float]
    r: tuple[float, float]
    center: tuple[float, float] = (0.0, 0.0)
    radius: float = 0.0
    bulge: int = 0

    def at(self, z: np.ndarray) -> np.ndarray:
        """Radius at heights."""
        if self.bulge:
            up = np.clip(z - self.center[1], -self.radius, self.radius)
            return np.maximum(self.center[0] + self.bulge * np.sqrt(np.maximum(self.radius**2 - up**2, 0.0)), 0.0)
        share = (z - self.z[0]) / (self.z[1] - self.z[0])
        return self.r[0] + share * (self.r[1] - self.r[0])


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


def section_of(corners: Sequence[Any]) -> HalfSection:
    """The section within a closed profile; ValueError if it is none."""
    places = [np.array(c.to if isinstance(c, ProfileArc) else c, dtype=float) for c in corners]
    if isinstance(corners[0], ProfileArc):
        raise ValueError("its first corner is an arc, which has nowhere to begin; begin with a corner [r, z]")
    size = float(np.ptp(np.array(places), axis=0).max())
    sides: list[ProfileSide] = []
    for number, corner in enumerate([*corners[1:], corners[0]]):
        begin, end = places[number], places[(number + 1) % len(places)]
        sides += _arc(begin, corner, size) if isinstance(corner, ProfileArc) else _line(begin, end, size)
    if any(min(side.r) < -SAME * size for side in sides):
        raise ValueError("it has a negative radius; radii are measured from the axis, 0 and above")
    r = [value for side in sides for value in (*side.r, *([side.center[0] + side.radius] if _wide(side) else []))]
    least = [value for side in sides for value in (*side.r, *([side.center[0] - side.radius] if _narrow(side) else []))]
    if not sides or min(least, default=0.0) < -SAME * size:
        raise ValueError("it has no material: all corners lie on one line, or an arc crosses the axis")
    strips = _strips(sides, size)
    low = 0.0 if min(least) <= SAME * size else min(least)
    return HalfSection(strips, (low, max(r)), (min(s.low for s in strips), max(s.high for s in strips)))


def _wide(side: ProfileSide) -> bool:
    return side.bulge > 0 and side.z[0] < side.center[1] < side.z[1]


def _narrow(side: ProfileSide) -> bool:
    return side.bulge < 0 and side.z[0] < side.center[1] < side.z[1]


def _line(begin: np.ndarray, end: np.ndarray, size: float) -> list[ProfileSide]:
    if abs(end[1] - begin[1]) <= SAME * size:
        return []  # level: it bounds a strip
    low, high = (begin, end) if begin[1] < end[1] else (end, begin)
    return [ProfileSide((float(low[1]), float(high[1])), (float(low[0]), float(high[0])))]


def _arc(begin: np.ndarray, arc: ProfileArc, size: float) -> list[ProfileSide]:
    """The pieces of an arc that rise or fall."""
    a, m, b = begin, np.array(arc.through, dtype=float), np.array(arc.to, dtype=float)
    A = 2 * np.array([m - a, b - a])
    if abs(np.linalg.det(A)) <= 1e-9 * size**2:
        raise ValueError(f"the points of the arc to {tuple(map(float, b))} lie on one line; leave out `through`")
    center = np.linalg.solve(A, np.array([m @ m - a @ a, b @ b - a @ a]))
    radius = float(np.linalg.norm(a - center))
    first, through, last = (float(np.arctan2(*(p - center)[::-1])) for p in (a, m, b))
    turn = (last - first) % (2 * np.pi)
    if (through - first) % (2 * np.pi) > turn:
        turn -= 2 * np.pi
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
