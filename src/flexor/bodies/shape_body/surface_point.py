"""Motion of whichever point of the surface of a body of shape functions is asked for: what moving contact needs.   (40.10)

A side of the surface has two parameters: s = φ [rad] and t = height z (or radius r, on an end face) [m] of a body of revolution; two coordinates [m] of a
face of a box. On it all shapes are series once more,

    S(s, t) = Σ_j Σ_b A_jb g_j(t̄) T_b(s)      T = 1, cos s, sin s, … in components radial, tangential, axial;  T = g_b(s̄) in x, y, z for a box

and so is the undeformed surface. Outside of laws:

    side = shape_surface(body.made, "outer")
    there = side.at(φ, z, x, R, q, twist, rates)       # position, velocity, jacobian, slopes, normal

In laws, over numbers or duals, so that a contact point that moves over the surface has exact derivatives:

    p.surface = nested(SurfaceShapes, …);   surface=side.packed()
    surface_shape(p.surface, 1 + m, s, t, w)           # w[3 i … 3 i + 2], axes of the body: the place X for i = 0, then S of each mode
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from flexor.bodies.shape_body.cartesian import CartesianSeries
from flexor.bodies.shape_body.chebyshev import chebyshev, waves
from flexor.bodies.shape_body.cylindrical import CylindricalSeries
from flexor.bodies.shape_body.profile import ProfileSide
from flexor.bodies.shape_body.shape_field import ShapeField
from flexor.errors import ModelError, Problem
from flexor.law.dual import cos, sin
from flexor.law.record import Packed, Record, integer, number, numbers, tail
from flexor.mistakes import suggestion
from flexor.spatial import Pose, skew

ARC = 32
"""Orders by which the series of a curved side goes beyond those of the shapes."""


class HasShapes(Protocol):
    """A body of shape functions, as far as its surface goes."""

    @property
    def name(self) -> str: ...
    @property
    def field(self) -> ShapeField: ...


class SurfaceShapes(Record):
    """A side of the surface, as laws read it."""

    turns = integer("1: s is an angle, and components are radial, tangential, axial")
    waves = integer("highest number of waves, or order, along s")
    order = integer("highest order along t")
    columns = integer("how many vector functions there are: the undeformed place, then the modes")
    s_middle = number("s where s̄ = 0, of a box", "m")
    s_half = number("from there to s̄ = 1", "m")
    t_middle = number("t where t̄ = 0", "m")
    t_half = number("from there to t̄ = 1", "m")
    origin = numbers(3, "origin of the series in the body", "m")
    axes = numbers(9, "its axes in the body")
    A = tail("coefficients: for every j, b and column three components", "m")


def surface_shape(p, count, s, t, w):
    """The first `count` vector functions of a side at (s, t), in the axes of the body: the undeformed place, then the modes."""
    zero = 0.0 * s + 0.0 * t
    for i in range(3 * count):
        w[i] = zero
    x = (t - p.t_middle) / p.t_half
    y = s - p.s_middle if p.turns else (s - p.s_middle) / p.s_half
    c1, s1 = cos(y), sin(y)
    lines = 2 * p.waves + 1 if p.turns else p.waves + 1
    g, before = 1.0 + zero, x + zero  # g₋₁ = g₁
    for j in range(p.order + 1):
        T, T_before = 1.0 + zero, y + zero
        c, d = 1.0 + zero, zero
        for b in range(lines):
            if p.turns and b:
                if b % 2:
                    c, d = c * c1 - d * s1, d * c1 + c * s1  # the next wave
                T = c if b % 2 else d
            elif b:
                T, T_before = (y if b == 1 else 2.0 * y * T - T_before), T
            f = g * T
            o = 3 * p.columns * (j * lines + b)
            for i in range(3 * count):
                w[i] += f * p.A[o + i]
        g, before = (x if j == 0 else 2.0 * x * g - before), g
    R, origin = p.axes, p.origin
    for i in range(count):
        a, b, z = w[3 * i], w[3 * i + 1], w[3 * i + 2]
        if p.turns:
            a, b = c1 * a - s1 * b, s1 * a + c1 * b
        for k in range(3):
            w[3 * i + k] = R[3 * k] * a + R[3 * k + 1] * b + R[3 * k + 2] * z
    for k in range(3):
        w[k] += origin[k]
    return 0


class MovingPoint(NamedTuple):
    """A point of the surface of a moving body, in global axes.

    position [m], velocity [m/s]: (3,).   jacobian: (3, 6 + m) of the position by displacement and rotation δθ of the body's node at its centre of
    mass, global axes, and by the modes.   along: (3, 2) slopes of the position by s and t.   normal: (3,) of the deformed surface, outward.
    """

    position: np.ndarray
    velocity: np.ndarray
    jacobian: np.ndarray
    along: np.ndarray
    normal: np.ndarray


@dataclass(frozen=True, eq=False)
class ShapeSurface:
    """A side of a body of shape functions.

    A: (order + 1, lines, 1 + m, 3) coefficients, see above.   turns: whether s is an angle.   s, t: least and largest parameters.
    outward: +1 where ∂x/∂s × ∂x/∂t points outward, else −1.   center: of mass, in the body.
    """

    A: np.ndarray
    turns: bool
    s: tuple[float, float]
    t: tuple[float, float]
    pose: Pose
    outward: float
    center: np.ndarray

    @property
    def size(self) -> int:
        """Number of modes m."""
        return self.A.shape[2] - 1

    def packed(self) -> Packed:
        """Parameters of `surface_shape`."""
        lines = self.A.shape[1]
        return SurfaceShapes.pack(
            turns=int(self.turns),
            waves=(lines - 1) // 2 if self.turns else lines - 1,
            order=self.A.shape[0] - 1,
            columns=self.A.shape[2],
            s_middle=0.0 if self.turns else (self.s[0] + self.s[1]) / 2,
            s_half=1.0 if self.turns else (self.s[1] - self.s[0]) / 2,
            t_middle=(self.t[0] + self.t[1]) / 2,
            t_half=(self.t[1] - self.t[0]) / 2,
            origin=self.pose.p,
            axes=self.pose.R,
            A=self.A,
        )

    def shapes(self, s: float, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(1 + m, 3) undeformed place and displacements by the modes in the axes of the body [m], and their slopes by s and by t."""
        half = (self.t[1] - self.t[0]) / 2
        g, gt = (each[0] for each in chebyshev(np.array([(t - sum(self.t) / 2) / half]), len(self.A) - 1))
        if self.turns:
            T, Ts = (each[0] for each in waves(np.array([s]), (self.A.shape[1] - 1) // 2))
        else:
            across = (self.s[1] - self.s[0]) / 2
            T, Ts = (each[0] for each in chebyshev(np.array([(s - sum(self.s) / 2) / across]), self.A.shape[1] - 1))
            Ts = Ts / across
        value, by_s, by_t = (np.einsum("j,b,jbck->ck", u, v, self.A) for u, v in ((g, T), (g, Ts), (gt / half, T)))
        R = self.pose.R
        if self.turns:
            c, d = np.cos(s), np.sin(s)
            R = R @ np.array([[c, -d, 0.0], [d, c, 0.0], [0.0, 0.0, 1.0]])
            by_s = by_s + value @ np.array([[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])  # the axes turn with φ
        value = value @ R.T
        value[0] += self.pose.p
        return value, by_s @ R.T, by_t @ R.T

    def at(
        self,
        s: float,
        t: float,
        x: np.ndarray,
        R: np.ndarray,
        q: np.ndarray,
        twist: np.ndarray | None = None,
        rates: np.ndarray | None = None,
    ) -> MovingPoint:
        """The point at (s, t) of a body whose node, at its centre of mass, is at x with the axes R (3, 3) and has the modes q.

        twist: (6,) velocity of the node and angular velocity, global axes.   rates: q̇.
        """
        value, by_s, by_t = self.shapes(s, t)
        z = np.concatenate([[1.0], q])
        arm = R @ (z @ value - self.center)
        S = R @ value[1:].T
        twist = np.zeros(6) if twist is None else np.asarray(twist, dtype=float)
        velocity = twist[:3] + np.cross(twist[3:], arm) + (0.0 if rates is None else S @ rates)
        along = R @ np.stack([z @ by_s, z @ by_t], axis=1)
        n = self.outward * np.cross(along[:, 0], along[:, 1])
        return MovingPoint(
            np.asarray(x) + arm,
            velocity,
            np.hstack([np.eye(3), -skew(arm), S]),
            along,
            n / max(float(np.linalg.norm(n)), 1e-300),
        )


def surface_sides(body: HasShapes) -> tuple[str, ...]:
    """Names of the sides of a body."""
    return tuple(_sides(body))


def shape_surface(body: HasShapes, side: str) -> ShapeSurface:
    """A side by name: outer, inner, start, end of a body of revolution (outer 1, outer 2, … of one with steps); x_min … z_max of a box."""
    sides = _sides(body)
    if side not in sides:
        fix = suggestion(side, sides, "its sides are")
        raise ModelError(Problem(f"body '{body.name}'", f"it has no side '{side}'", "", fix))
    return sides[side]()


def _sides(body: HasShapes) -> dict[str, Callable[[], ShapeSurface]]:
    series = body.field.series
    if isinstance(series, CartesianSeries):
        return {
            f"{'xyz'[axis]}_{'max' if up > 0 else 'min'}": lambda axis=axis, up=up: _face(body, series, axis, up)  # type: ignore[misc]
            for axis in range(3)
            for up in (-1, 1)
        }
    assert isinstance(series, CylindricalSeries)
    strips = series.section.strips
    found: dict[str, Callable[[], ShapeSurface]] = {}
    for place, strip in enumerate(strips):
        name = f" {place + 1}" if len(strips) > 1 else ""
        for which, edge, out in (("outer", strip.outer, 1.0), ("inner", strip.inner, -1.0)):
            if max(edge.r) > 0 or edge.bulge:
                found[which + name] = lambda edge=edge, out=out, own=(strip.low, strip.high): _wall(
                    body, series, edge, own, out
                )  # type: ignore[misc]
    low, high = strips[0], strips[-1]
    for which, strip, z, out in (("start", low, low.low, 1.0), ("end", high, high.high, -1.0)):
        a, b = (float(edge.at(np.array(z))) for edge in (strip.inner, strip.outer))
        if b - a > 1e-9 * series.section.r[1]:
            found[which] = lambda a=a, b=b, z=z, out=out: _end(body, series, (a, b), z, out)  # type: ignore[misc]
    return found


def _face(body: HasShapes, series: CartesianSeries, axis: int, up: int) -> ShapeSurface:
    """A face of a box; s and t are the next two coordinates in cyclic order, so that their cross product points along `axis`."""
    one, two = (axis + 1) % 3, (axis + 2) % 3
    a, b = series.half[one], series.half[two]
    rows = []
    s, to_s = _nodes(series.most[one])
    t, to_t = _nodes(series.most[two])
    for each in t:
        x = np.zeros((len(s), 3))
        x[:, axis], x[:, one], x[:, two] = up * series.half[axis], a * s, b * each
        rows.append(_sampled(body, x, None))
    A = np.einsum("jt,bs,tsck->jbck", to_t, to_s, np.array(rows))
    return ShapeSurface(A, False, (-a, a), (-b, b), body.field.pose, float(up), body.field.com)


def _wall(
    body: HasShapes, series: CylindricalSeries, edge: ProfileSide, heights: tuple[float, float], out: float
) -> ShapeSurface:
    order = series.most[0] + series.most[2] + (ARC if edge.bulge else 0)
    t, to_t = _nodes(order)
    z = sum(heights) / 2 + (heights[1] - heights[0]) / 2 * t
    return _round(body, series, edge.at(z), z, to_t, heights, out)


def _end(body: HasShapes, series: CylindricalSeries, radii: tuple[float, float], z: float, out: float) -> ShapeSurface:
    t, to_t = _nodes(max(series.most[0], 1))
    r = sum(radii) / 2 + (radii[1] - radii[0]) / 2 * t
    return _round(body, series, r, np.full(len(r), z), to_t, radii, out)


def _round(
    body: HasShapes,
    series: CylindricalSeries,
    r: np.ndarray,
    z: np.ndarray,
    to_t: np.ndarray,
    ends: tuple[float, float],
    out: float,
) -> ShapeSurface:
    """Of radii and heights (n,) at the nodes of t."""
    most = series.most[1] + 1  # a rigid motion that is taken away has one wave
    count = 2 * most + 2
    phi = 2 * np.pi * np.arange(count) / count
    T, _ = waves(phi, most)
    to_s = (T * np.where(np.arange(T.shape[1]) == 0, 1.0, 2.0)).T / count
    rows = [_sampled(body, _ring(radius, phi, height), phi) for radius, height in zip(r, z)]
    A = np.einsum("jt,bs,tsck->jbck", to_t, to_s, np.array(rows))
    return ShapeSurface(A, True, (-np.pi, np.pi), ends, body.field.pose, out, body.field.com)


def _ring(r: float, phi: np.ndarray, z: float) -> np.ndarray:
    return np.stack([r * np.cos(phi), r * np.sin(phi), np.full(len(phi), z)], axis=1)


def _nodes(order: int) -> tuple[np.ndarray, np.ndarray]:
    """Chebyshev nodes (order + 1,), and the matrix from values there to coefficients."""
    x = np.cos(np.pi * (np.arange(order + 1) + 0.5) / (order + 1))
    g, _ = chebyshev(x, order)
    return x, np.linalg.inv(g)


def _sampled(body: HasShapes, local: np.ndarray, phi: np.ndarray | None) -> np.ndarray:
    """(Q, 1 + m, 3) place and displacements at points in the axes of the series, in components of the coordinates."""
    R = body.field.pose.R
    u = np.einsum("qkm,kl->qml", body.field.displacement(body.field.pose.apply(local)), R)
    found = np.concatenate([local[:, None], u], axis=1)
    if phi is None:
        return found
    c, d = np.cos(phi)[:, None], np.sin(phi)[:, None]
    x, y, z = np.moveaxis(found, 2, 0)
    return np.stack([c * x + d * y, c * y - d * x, z], axis=2)
