"""Series of shape functions as products: of a function of two coordinates and one of the third.

    cylindrical:  u_k = Σ x · f_a(r, z) · T_b(φ),   k = r, φ, z;    f = g_i(r) g_j(z),  T = 1, cos φ, sin φ, …       NAK (7-1)
    Cartesian:    u_k = Σ x · f_a(x, y) · T_b(z),   k = x, y, z;    f = g_i(x) g_j(y),  T = g_k(z)                  NAK (7-2)

so that strain, displacement and rotation are sums of a few such products, and integrals over the body are products of an
integral over the plane and one along the line. All polynomials are of coordinates −1 … 1 and lie between −1 and 1: the states x are lengths [m].
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from scipy import sparse

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


class ShapeSeries(ABC):
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
    most: tuple[int, ...]
    """Highest orders along the three coordinates."""

    @property
    def size(self) -> int:
        return 3 * self.n_plane * self.n_line

    @abstractmethod
    def coordinates(self, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """First and second coordinate in the plane, and that along the line, of points (Q, 3) [m]."""

    @abstractmethod
    def plane_tables(self, u: np.ndarray, v: np.ndarray) -> Tables: ...

    @abstractmethod
    def line_tables(self, w: np.ndarray) -> Tables: ...

    @abstractmethod
    def axes(self, points: np.ndarray) -> np.ndarray | None:
        """(Q, 3, 3) columns: axes of the coordinates at points; None where they are the fixed ones."""

    @property
    @abstractmethod
    def chosen(self) -> tuple[sparse.csc_array, list[ShapeName], np.ndarray]:
        """(size, n) shape functions by products, their names, and (n,) classes between which neither K nor M has entries."""

    @abstractmethod
    def quadrature(self) -> Quadrature: ...

    @property
    @abstractmethod
    def extent(self) -> float:
        """Largest size of the body [m]."""

    @property
    @abstractmethod
    def thickness(self) -> float:
        """Smallest size of the body [m]."""

    @property
    def holds_together(self) -> bool:
        """Whether a mesh of its strips is connected as the body is."""
        return True

    @abstractmethod
    def outside(self, point: np.ndarray) -> float:
        """How far a point (3,) is outside of the body [m]; 0 inside."""

    def all_round(self, points: np.ndarray) -> list[tuple[int, np.ndarray]]:
        """Of points on an axis, where slopes depend on the side from which one comes: their numbers, and points (k, 3) close around."""
        return []

    @abstractmethod
    def position(self, q: Quadrature) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
        """x, y, z at the points of a quadrature, each as a product of a function of the plane (Q,) and of the line (L,)."""

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


def products(f: np.ndarray, g: np.ndarray) -> np.ndarray:
    """(Q, n m) products of functions (Q, n) and (Q, m)."""
    return (f[:, :, None] * g[:, None, :]).reshape(len(f), -1)
