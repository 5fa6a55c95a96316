"""Series of a body of revolution: polynomials of radius and height, waves round the circumference.   NAK (7-1), 7.3"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product

import numpy as np
from scipy import sparse

from flexor.bodies.shape_body.chebyshev import chebyshev, waves
from flexor.bodies.shape_body.profile import HalfSection
from flexor.bodies.shape_body.series import Orders, Quadrature, ShapeName, ShapeSeries, Summand, Tables, products

ON_AXIS = 1e-6
"""Radius over size below which a point lies on the axis."""


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
            "f": products(g, h),
            "fr": products(gs, h),
            "fz": products(g, hs),
            "f/r": products(over, h),
            "fr-f/r": products(gs - over, h),
            "fr+f/r": products(gs + over, h),
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

    @property
    def extent(self) -> float:
        (_, outer), (low, high) = self.section.r, self.section.z
        return max(2 * outer, high - low)

    @property
    def thickness(self) -> float:
        (inner, outer), (low, high) = self.section.r, self.section.z
        return min(outer - inner, high - low)

    @property
    def holds_together(self) -> bool:
        return self.section.conforming

    def outside(self, point: np.ndarray) -> float:
        r, z = np.hypot(point[0], point[1]), point[2]
        gaps = []
        for strip in self.section.strips:
            up = np.clip(z, strip.low, strip.high)
            inner, outer = float(strip.inner.at(up)), float(strip.outer.at(up))
            gaps.append(np.hypot(z - up, max(inner - r, 0.0, r - outer)))
        return float(min(gaps))

    def all_round(self, points: np.ndarray) -> list[tuple[int, np.ndarray]]:
        near = ON_AXIS * self.section.r[1]
        count = 4 * self.most[1] + 8
        phi = 2 * np.pi * np.arange(count) / count
        ring = near * np.stack([np.cos(phi), np.sin(phi), 0 * phi], axis=1)
        numbers = np.flatnonzero(np.hypot(*points[:, :2].T) < near)
        return [(int(i), ring + np.array([0.0, 0.0, points[i, 2]])) for i in numbers]

    def position(self, q: Quadrature) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
        r, z = q.plane
        return (r, np.cos(q.line)), (r, np.sin(q.line)), (z, np.ones(len(q.line)))
