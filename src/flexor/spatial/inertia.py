"""Mass, centre of mass and inertia of rigid bodies: moving, turning, adding, checking, simple shapes.

The inertia is the tensor ∫ (|r|² I − r rᵀ) dm, so its products carry a minus sign: I_xy = −∫ x y dm.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import pi

import numpy as np
from numpy.typing import ArrayLike

from flexor.errors import ModelError, Problem
from flexor.spatial.pose import Pose, triad
from flexor.spatial.rotation import skew
from flexor.units import si

Value = float | str  # in SI units, or with a unit as in "18 mm"

_TOLERANCE = 1e-6  # relative; programs that compute inertias often print six digits


@dataclass(frozen=True, eq=False)
class MassProperties:
    """What rigid-body dynamics needs to know about a body."""

    mass: float
    """Mass, in kg."""
    com: np.ndarray = field(default_factory=lambda: np.zeros(3))
    """Centre of mass in the frame of the body, in m."""
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))
    """Inertia about the centre of mass in the axes of the body, in kg·m²: 3×3, or its diagonal of three."""

    def __post_init__(self) -> None:
        com, inertia = np.array(self.com, dtype=float), np.array(self.inertia, dtype=float)
        inertia = np.diag(inertia) if inertia.shape == (3,) else inertia
        if com.shape != (3,) or inertia.shape != (3, 3):
            what = f"centre of mass and inertia have shapes {com.shape} and {inertia.shape}"
            why = "they must be 3 and 3×3"
            raise ModelError(Problem("mass properties", what, why, "e.g. inertia: [1, 1, 2]"))
        object.__setattr__(self, "mass", float(self.mass))
        for name, array in (("com", com), ("inertia", inertia)):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MassProperties):
            return NotImplemented
        same = self.mass == other.mass and np.array_equal(self.com, other.com)
        return same and np.array_equal(self.inertia, other.inertia)

    def __add__(self, other: MassProperties) -> MassProperties:
        """Both bodies as one, in their common frame."""
        if not isinstance(other, MassProperties):
            return NotImplemented
        mass = self.mass + other.mass
        com = (self.mass * self.com + other.mass * other.com) / mass if mass else self.com
        return MassProperties(mass, com, self.inertia_about(com) + other.inertia_about(com))

    def inertia_about(self, point: ArrayLike) -> np.ndarray:
        """The inertia about another point of the frame: I + m (|r|² − r rᵀ), the parallel-axis theorem."""
        r = self.com - np.asarray(point, dtype=float)
        return self.inertia + self.mass * ((r @ r) * np.eye(3) - np.outer(r, r))

    def moved(self, X_AB: Pose) -> MassProperties:
        """The properties, given in B, in A; also the body after the motion X_AB."""
        return MassProperties(self.mass, X_AB.apply(self.com), X_AB.R @ self.inertia @ X_AB.R.T)

    def rotated(self, R_AB: ArrayLike) -> MassProperties:
        """The properties, given in the axes of B, in those of A, with the same origin."""
        return self.moved(Pose(np.zeros(3), np.asarray(R_AB, dtype=float)))

    def matrix(self, point: ArrayLike = (0.0, 0.0, 0.0)) -> np.ndarray:
        """The 6×6 mass matrix at a point of the frame: the twist t = (v, ω) there has the energy ½ tᵀ M t."""
        r = self.com - np.asarray(point, dtype=float)
        S = self.mass * skew(r)
        return np.block([[self.mass * np.eye(3), -S], [S, self.inertia_about(point)]])

    @staticmethod
    def of_matrix(matrix: ArrayLike, point: ArrayLike = (0.0, 0.0, 0.0)) -> MassProperties:
        """The properties whose 6×6 mass matrix at a point is this one: the inverse of `matrix`."""
        M, at = np.asarray(matrix, dtype=float), np.asarray(point, dtype=float)
        mass = float(np.trace(M[:3, :3]) / 3)
        if mass <= 0:
            return MassProperties(0.0, at)
        # the upper right block is −m skew(r)
        r = np.array([M[1, 5] - M[2, 4], M[2, 3] - M[0, 5], M[0, 4] - M[1, 3]]) / (2 * mass)
        return MassProperties(mass, at + r, M[3:, 3:] - mass * ((r @ r) * np.eye(3) - np.outer(r, r)))

    def principal(self) -> tuple[np.ndarray, np.ndarray]:
        """Principal moments about the centre of mass, ascending, and R with the principal axes as columns.

        inertia = R diag(moments) Rᵀ, R is right-handed, the largest component of its first two axes positive.
        """
        moments, R = np.linalg.eigh((self.inertia + self.inertia.T) / 2)
        for axis in (0, 1):
            R[:, axis] *= np.sign(R[np.argmax(np.abs(R[:, axis])), axis])
        R[:, 2] = np.cross(R[:, 0], R[:, 1])
        return moments, R

    def problems(self, where: str = "mass properties") -> list[Problem]:
        """Why no real body can have these properties; empty if one can. `where` names the body."""
        if not np.all(np.isfinite((self.mass, *self.com, *self.inertia.flat))):
            what, why = "mass, centre of mass or inertia is not finite", "the motion would be undefined"
            return [Problem(where, what, why, "give numbers")]
        found = []
        if self.mass < 0:
            what, why = f"mass is negative ({self.mass:g} kg)", "it would run away from its load"
            found.append(Problem(where, what, why, "give a positive mass"))
        size = np.max(np.abs(self.inertia))
        a, b, c = self.principal()[0]
        if np.max(np.abs(self.inertia - self.inertia.T)) > _TOLERANCE * size:
            what, why = "inertia is not symmetric", "I_xy and I_yx are the same integral"
            found.append(Problem(where, what, why, "give both the same value"))
        elif a < -_TOLERANCE * size:
            what, why = f"a principal inertia is negative ({a:g} kg·m²)", "a sum of m r² cannot be"
            found.append(Problem(where, what, why, "check the signs of I_xy, I_yz, I_xz"))
        elif a + b < c * (1 - _TOLERANCE):
            what = f"principal inertias {a:g}, {b:g}, {c:g} kg·m² break the triangle inequality"
            why, fix = "none may exceed the sum of the others", "check axes, units and reference point"
            found.append(Problem(where, what, why, fix))
        return found

    def check(self, where: str = "mass properties") -> None:
        """Raise ModelError if no real body can have these properties."""
        if problems := self.problems(where):
            raise ModelError(problems)


def box(x: Value, y: Value, z: Value, *, mass: Value | None = None, density: Value | None = None) -> MassProperties:
    """A solid box with edges x, y, z along the axes, centred at the origin."""
    a, b, c = (_size("box", name, each) for name, each in (("x", x), ("y", y), ("z", z)))
    m = _mass("box", a * b * c, mass, density)
    return MassProperties(m, np.zeros(3), m / 12 * np.array([b * b + c * c, a * a + c * c, a * a + b * b]))


def cylinder(
    radius: Value,
    length: Value,
    *,
    mass: Value | None = None,
    density: Value | None = None,
    axis: ArrayLike | str = "z",
) -> MassProperties:
    """A solid round cylinder along the axis, centred at the origin."""
    r, l = _size("cylinder", "radius", radius), _size("cylinder", "length", length)
    return _round(_mass("cylinder", pi * r * r * l, mass, density), r * r, l, axis)


def tube(
    outer: Value,
    inner: Value,
    length: Value,
    *,
    mass: Value | None = None,
    density: Value | None = None,
    axis: ArrayLike | str = "z",
) -> MassProperties:
    """A round tube with outer and inner radius along the axis, centred at the origin."""
    a, b = _size("tube", "outer radius", outer), _size("tube", "inner radius", inner)
    l = _size("tube", "length", length)
    if b > a:
        what = f"inner radius {b:g} m exceeds outer radius {a:g} m"
        raise ModelError(Problem("tube", what, "no material is left", "swap the radii"))
    volume = pi * (a - b) * (a + b) * l
    return _round(_mass("tube", volume, mass, density), a * a + b * b, l, axis)


def rod(
    length: Value,
    *,
    mass: Value | None = None,
    density: Value | None = None,
    area: Value | None = None,
    axis: ArrayLike | str = "z",
) -> MassProperties:
    """A thin straight rod along the axis, centred at the origin; the density needs the area of its section.

    Its inertia about the axis itself is zero: use `cylinder` where the radius matters.
    """
    l = _size("rod", "length", length)
    if density is not None and area is None:
        why = "the mass is density times length times area"
        raise ModelError(Problem("rod", "density is given without area", why, 'e.g. area: "250 mm^2"'))
    volume = l * si(area, "area") if area is not None else 0.0
    return _round(_mass("rod", volume, mass, density), 0.0, l, axis)


def sphere(radius: Value, *, mass: Value | None = None, density: Value | None = None) -> MassProperties:
    """A solid sphere centred at the origin."""
    r = _size("sphere", "radius", radius)
    m = _mass("sphere", 4 / 3 * pi * r**3, mass, density)
    return MassProperties(m, np.zeros(3), np.full(3, 0.4 * m * r * r))


def _round(m: float, r2: float, l: float, axis: ArrayLike | str) -> MassProperties:
    """Cylinder, tube or rod; r2 is the sum of the squared outer and inner radius."""
    across, along = m * (3 * r2 + l * l) / 12, m * r2 / 2
    return MassProperties(m, np.zeros(3), np.array([across, across, along])).rotated(triad(axis))


def _size(shape: str, name: str, value: Value) -> float:
    size = si(value, "length")
    if not (np.isfinite(size) and size > 0):
        raise ModelError(Problem(shape, f"{name} is {size:g} m", "it must be positive", 'e.g. "18 mm"'))
    return size


def _mass(shape: str, volume: float, mass: Value | None, density: Value | None) -> float:
    if (mass is None) == (density is None):
        said = "neither mass nor density is given" if mass is None else "both mass and density are given"
        raise ModelError(Problem(shape, said, "one follows from the other", "give one of them"))
    m = si(density, "density") * volume if mass is None else si(mass, "mass")  # type: ignore[arg-type]
    if not (np.isfinite(m) and m >= 0):
        why = "it must be a number and not negative"
        raise ModelError(Problem(shape, f"mass is {m:g} kg", why, 'e.g. mass: "1.2 kg"'))
    return m
