"""Series of shape functions as products: of a function of two coordinates and one of the third.

    cylindrical:  u_k = Σ x · f_a(r, z) · T_b(φ),   k = r, φ, z;    f = g_i(r) g_j(z),  T = 1, cos φ, sin φ, …       NAK (7-1)
    Cartesian:    u_k = Σ x · f_a(x, y) · T_b(z),   k = x, y, z;    f = g_i(x) g_j(y),  T = g_k(z)                  NAK (7-2)

so that strain, displacement and rotation are sums of a few such products, and integrals over the body are products of an
integral over the plane and one along the line. All polynomials are of coordinates −1 … 1 and lie between −1 and 1: the states x are lengths [m].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import ClassVar, NamedTuple

import numpy as np
from scipy import sparse

from flexor.bodies.shape_body.chebyshev import chebyshev, clenshaw_curtis, waves
from flexor.bodies.shape_body.profile import HalfSection

Tables = Mapping[str, np.ndarray]
"""Values by name, (Q, n) of n functions at Q places."""


class Summand(NamedTuple):
    """One product in a sum: ± plane function · line function of a component of the displacement."""

    component: int
    plane: str
    line: str
    sign: float = 1.0


Sum = tuple[Summand, ...]


class ShapeName(NamedTuple):
    """One shape function: component of the displacement and orders along the three coordinates."""

    component: str
    orders: tuple[str, str, str]

    def __str__(self) -> str:
        return f"{self.component}: {' · '.join(each for each in self.orders if each) or '1'}"


@dataclass(frozen=True, eq=False)
class Quadrature:
    """Places and weights of integrals over the volume: two coordinates (Q,), and the third (L,)."""

    plane: tuple[np.ndarray, np.ndarray]
    weights: np.ndarray
    line: np.ndarray
    line_weights: np.ndarray


Orders = tuple[int, int, int]
STRAINS = 6


class ShapeSeries:
    """What both kinds of series answer.

    orders: of each component along each coordinate.   size: number of products 3 n_plane n_line, of which `chosen` are shape functions.
    """

    strain: ClassVar[tuple[Sum, ...]]
    """xx, yy, zz, xy, yz, zx in the axes of the coordinates, shear as γ."""
    displacement: ClassVar[tuple[Sum, ...]]
    """x, y, z in fixed axes."""
    rotation: ClassVar[tuple[Sum, ...]]
    """½ ∇ × u in the axes of the coordinates."""
    n_plane: int
    n_line: int

    @property
    def size(self) -> int:
        return 3 * self.n_plane * self.n_line

    def coordinates(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """First and second coordinate in the plane, and that along the line, of points (Q, 3) [m]."""
        raise NotImplementedError

    def plane_tables(self, u: np.ndarray, v: np.ndarray) -> Tables:
        raise NotImplementedError

    def line_tables(self, w: np.ndarray) -> Tables:
        raise NotImplementedError

    def axes(self, points: np.ndarray) -> np.ndarray | None:
        """(Q, 3, 3) columns: axes of the coordinates at points; None where they are the fixed ones."""
        raise NotImplementedError

    @property
    def chosen(self) -> tuple[sparse.csc_array, list[ShapeName], np.ndarray]:
        """(size, n) shape functions by products, their names, and (n,) classes between which neither K nor M has entries."""
        raise NotImplementedError

    def quadrature(self) -> Quadrature:
        raise NotImplementedError

    def position(self, q: Quadrature) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
        """x, y, z at the points of a quadrature, each as a product of a function of the plane (Q,) and of the line (L,)."""
        raise NotImplementedError

    def sums(self, sums: Sequence[Sum], points: np.ndarray, V: np.ndarray) -> np.ndarray:
        """(Q, len(sums), m) values at points (Q, 3) of sums, for shapes V (size, m) made of the products."""
        u, v, w = self.coordinates(points)
        plane, line = self.plane_tables(u, v), self.line_tables(w)
        by_component = V.reshape(3, self.n_plane, self.n_line, -1)
        m = by_component.shape[-1]
        found = np.zeros((len(points), len(sums), m))
        done: dict[tuple[int, str], np.ndarray] = {}
        for row, parts in enumerate(sums):
            for k, p, l, sign in parts:
                if (k, p) not in done:
                    flat = plane[p] @ by_component[k].reshape(self.n_plane, -1)
                    done[k, p] = flat.reshape(len(points), self.n_line, m)
                found[:, row] += sign * np.einsum("qb,qbm->qm", line[l], done[k, p])
        return found


class CartesianSeries(ShapeSeries):
    """Chebyshev polynomials along x, y, z of a box about the origin.   NAK (7-2)"""

    strain = (
        (Summand(0, "fx", "T"),),
        (Summand(1, "fy", "T"),),
        (Summand(2, "f", "T'"),),
        (Summand(0, "fy", "T"), Summand(1, "fx", "T")),
        (Summand(1, "f", "T'"), Summand(2, "fy", "T")),
        (Summand(2, "fx", "T"), Summand(0, "f", "T'")),
    )
    displacement = ((Summand(0, "f", "T"),), (Summand(1, "f", "T"),), (Summand(2, "f", "T"),))
    rotation = (
        (Summand(2, "fy", "T", 0.5), Summand(1, "f", "T'", -0.5)),
        (Summand(0, "f", "T'", 0.5), Summand(2, "fx", "T", -0.5)),
        (Summand(1, "fx", "T", 0.5), Summand(0, "fy", "T", -0.5)),
    )

    def __init__(self, size: Sequence[float], orders: tuple[Orders, Orders, Orders]) -> None:
        self.half = np.array(size, dtype=float) / 2
        self.orders = orders
        self.most = tuple(int(n) for n in np.array(orders).max(axis=0))
        self.n_plane, self.n_line = (self.most[0] + 1) * (self.most[1] + 1), self.most[2] + 1

    def coordinates(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        x, y, z = points.T
        return x, y, z

    def plane_tables(self, u: np.ndarray, v: np.ndarray) -> Tables:
        a, b, _ = self.half
        (g, gs), (h, hs) = chebyshev(u / a, self.most[0]), chebyshev(v / b, self.most[1])
        return {"f": _outer(g, h), "fx": _outer(gs / a, h), "fy": _outer(g, hs / b)}

    def line_tables(self, w: np.ndarray) -> Tables:
        g, gs = chebyshev(w / self.half[2], self.most[2])
        return {"T": g, "T'": gs / self.half[2]}

    def axes(self, points: np.ndarray) -> np.ndarray | None:
        return None

    @cached_property
    def chosen(self) -> tuple[sparse.csc_array, list[ShapeName], np.ndarray]:
        columns, names, classes = [], [], []
        n = [order + 1 for order in self.most]
        for k, orders in enumerate(self.orders):
            for i in product(*(range(order + 1) for order in orders)):
                columns.append((k * n[0] * n[1] + i[0] * n[1] + i[1]) * n[2] + i[2])
                names.append(ShapeName("xyz"[k], tuple(f"g{o}({c})" if o else "" for o, c in zip(i, "xyz"))))  # type: ignore[arg-type]
                # a strain ∂u_k/∂x_k has the other parity along k: shapes of different parity do not couple
                parity = [(o + (axis == k)) % 2 for axis, o in enumerate(i)]
                classes.append(4 * parity[0] + 2 * parity[1] + parity[2])
        return _picked(columns, self.size), names, np.array(classes)

    def quadrature(self) -> Quadrature:
        (x, wx), (y, wy), (z, wz) = (clenshaw_curtis(2 * order + 3) for order in self.most)
        a, b, c = self.half
        plane = np.repeat(a * x, len(y)), np.tile(b * y, len(x))
        return Quadrature(plane, a * b * np.outer(wx, wy).ravel(), c * z, c * wz)

    def position(self, q: Quadrature) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
        one, line = np.ones(len(q.weights)), np.ones(len(q.line))
        return (q.plane[0], line), (q.plane[1], line), (one, q.line)


class CylindricalSeries(ShapeSeries):
    """Chebyshev polynomials of radius and height, waves round the circumference.   NAK (7-1), of solid bodies NAK 7.3

    Solid bodies: the polynomials of the radius vanish on the axis, (r/R) g_i in place of g_{i+1} less its constant, which span the same; and the
    axis itself moves by polynomials of its height in Cartesian components, u_x, u_y, u_z = g_j(z). Divided by r these are
    u_r/r = g cos φ/r and u_φ/r = −g sin φ/r, which cancel in every strain: they are left out of the tables.
    """

    strain = (
        (Summand(0, "fr", "T"),),
        (Summand(0, "f/r", "T"), Summand(1, "f/r", "T'")),
        (Summand(2, "fz", "T"),),
        (Summand(0, "f/r", "T'"), Summand(1, "fr-f/r", "T")),
        (Summand(2, "f/r", "T'"), Summand(1, "fz", "T")),
        (Summand(0, "fz", "T"), Summand(2, "fr", "T")),
    )
    displacement = (
        (Summand(0, "f", "Tc"), Summand(1, "f", "Ts", -1.0)),
        (Summand(0, "f", "Ts"), Summand(1, "f", "Tc")),
        (Summand(2, "f", "T"),),
    )
    rotation = (
        (Summand(2, "f/r", "T'", 0.5), Summand(1, "fz", "T", -0.5)),
        (Summand(0, "fz", "T", 0.5), Summand(2, "fr", "T", -0.5)),
        (Summand(1, "fr+f/r", "T", 0.5), Summand(0, "f/r", "T'", -0.5)),
    )

    def __init__(self, section: HalfSection, orders: tuple[Orders, Orders, Orders]) -> None:
        """orders: radial order, waves, axial order of each component."""
        self.section, self.orders = section, orders
        self.most = tuple(int(n) for n in np.array(orders).max(axis=0))
        self.n_plane, self.n_line = (self.most[0] + 1) * (self.most[2] + 1), 2 * self.most[1] + 1

    def coordinates(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        x, y, z = points.T
        return np.hypot(x, y), z, np.arctan2(y, x)

    def plane_tables(self, u: np.ndarray, v: np.ndarray) -> Tables:
        (inner, outer), (low, high) = self.section.r, self.section.z
        h, hs = chebyshev((2 * v - low - high) / (high - low), self.most[2])
        hs = hs * 2 / (high - low)
        over = np.zeros((len(u), self.most[0] + 1))
        if self.section.solid:
            g, gs = np.zeros((2, len(u), self.most[0] + 1))
            g[:, 0] = 1.0  # of the axis
            if self.most[0]:
                p, ps = chebyshev(2 * u / outer - 1, self.most[0] - 1)
                over[:, 1:] = p / outer
                g[:, 1:], gs[:, 1:] = u[:, None] * over[:, 1:], over[:, 1:] + u[:, None] * ps * 2 / outer**2
        else:
            g, gs = chebyshev((2 * u - inner - outer) / (outer - inner), self.most[0])
            gs = gs * 2 / (outer - inner)
            over = g / u[:, None]
        return {
            "f": _outer(g, h),
            "fr": _outer(gs, h),
            "fz": _outer(g, hs),
            "f/r": _outer(over, h),
            "fr-f/r": _outer(gs - over, h),
            "fr+f/r": _outer(gs + over, h),
        }

    def line_tables(self, w: np.ndarray) -> Tables:
        T, slope = waves(w, self.most[1])
        c, s = np.cos(w)[:, None], np.sin(w)[:, None]
        return {"T": T, "T'": slope, "Tc": T * c, "Ts": T * s}

    def axes(self, points: np.ndarray) -> np.ndarray | None:
        _, _, phi = self.coordinates(points)
        c, s, zero = np.cos(phi), np.sin(phi), np.zeros(len(phi))
        return np.stack([c, -s, zero, s, c, zero, zero, zero, zero + 1], axis=1).reshape(-1, 3, 3)

    @cached_property
    def chosen(self) -> tuple[sparse.csc_array, list[ShapeName], np.ndarray]:
        rows, columns, values = [], [], []
        names: list[ShapeName] = []
        classes = []
        axial, around = self.most[2] + 1, self.n_line

        def add(parts: Sequence[tuple[int, int, int, int, float]], name: ShapeName, label: int) -> None:
            for k, i, j, b, value in parts:
                rows.append((k * self.n_plane + i * axial + j) * around + b)
                columns.append(len(names))
                values.append(value)
            names.append(name)
            classes.append(label)

        for k, (radial, most, high) in enumerate(self.orders):
            for i, b, j in product(range(int(self.section.solid), radial + 1), range(2 * most + 1), range(high + 1)):
                n, sine = (b + 1) // 2, b > 0 and b % 2 == 0
                # u_r, u_z with cos nφ couple with u_φ with sin nφ, and the other way round
                label = 2 * n + int(sine != (k == 1))
                wave = f"{'sin' if sine else 'cos'} {n}φ" if n else ""
                factor = (f"r g{i - 1}(r)" if self.section.solid else f"g{i}(r)") if i else ""
                name = ShapeName(("radial", "tangential", "axial")[k], (factor, wave, f"g{j}(z)" if j else ""))
                add([(k, i, j, b, 1.0)], name, label)
        if self.section.solid:
            high = max(orders[2] for orders in self.orders)
            for j in range(high + 1):
                of = f"g{j}(z)" if j else ""
                if self.most[1]:
                    add([(0, 0, j, 1, 1.0), (1, 0, j, 2, -1.0)], ShapeName("axis x", ("", "", of)), 2)
                    add([(0, 0, j, 2, 1.0), (1, 0, j, 1, 1.0)], ShapeName("axis y", ("", "", of)), 3)
                add([(2, 0, j, 0, 1.0)], ShapeName("axis z", ("", "", of)), 0)
        found = sparse.csc_array((values, (rows, columns)), shape=(self.size, len(names)))
        return found, names, np.array(classes)

    def quadrature(self) -> Quadrature:
        """Radius first, then height, then the circumference.   NAK 7.4"""
        radial, around, axial = self.most
        section = self.section
        bent = 0 if section.straight else 16
        r, z, w = section.points(2 * radial + 20, 2 * (axial + radial) + 6 + bent)
        count = 2 * (2 * around + 1) + 2  # more than twice the waves of a product
        phi = 2 * np.pi * np.arange(count) / count - np.pi
        return Quadrature((r, z), w * r, phi, np.full(count, 2 * np.pi / count))

    def position(self, q: Quadrature) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
        r, z = q.plane
        return (r, np.cos(q.line)), (r, np.sin(q.line)), (z, np.ones(len(q.line)))


def _outer(f: np.ndarray, g: np.ndarray) -> np.ndarray:
    """(Q, n m) products of functions (Q, n) and (Q, m)."""
    return (f[:, :, None] * g[:, None, :]).reshape(len(f), -1)


def _picked(rows: Sequence[int], size: int) -> sparse.csc_array:
    return sparse.csc_array((np.ones(len(rows)), (list(rows), np.arange(len(rows)))), shape=(size, len(rows)))
