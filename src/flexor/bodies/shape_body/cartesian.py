"""Series of a box: polynomials along x, y, z.   NAK (7-2)"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product

import numpy as np
from scipy import sparse

from flexor.bodies.shape_body.chebyshev import chebyshev, clenshaw_curtis
from flexor.bodies.shape_body.series import Orders, Quadrature, ShapeName, ShapeSeries, Summand, Tables, products


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
        return {"f": products(g, h), "fx": products(gs / a, h), "fy": products(g, hs / b)}

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

    @property
    def extent(self) -> float:
        return float(2 * self.half.max())

    @property
    def thickness(self) -> float:
        return float(2 * self.half.min())

    def outside(self, point: np.ndarray) -> float:
        return float(np.linalg.norm(np.maximum(np.abs(point) - self.half, 0.0)))

    def position(self, q: Quadrature) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
        one, line = np.ones(len(q.weights)), np.ones(len(q.line))
        return (q.plane[0], line), (q.plane[1], line), (one, q.line)


def _picked(rows: Sequence[int], size: int) -> sparse.csc_array:
    return sparse.csc_array((np.ones(len(rows)), (list(rows), np.arange(len(rows)))), shape=(size, len(rows)))
