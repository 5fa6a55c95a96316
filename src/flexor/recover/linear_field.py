"""Stress, strain or section forces at n sites as linear functions of a body's coordinates.

BodyField     of a body in modes: dense, six components of n sites by r coordinates
ElementField  of a whole mesh: sparse, by the displacements of every element in its own frame
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from scipy import sparse


class Columns(Protocol):
    """Coordinates of a whole history, too many to be kept: made when they are asked for."""

    def columns(self, columns: np.ndarray) -> np.ndarray:
        """(T, m) some of the coordinates."""
        ...


class Combined(Protocol):
    """k combinations of the components."""

    def of(self, z: np.ndarray, some: slice) -> np.ndarray:
        """(k, T, m) at some sites for coordinates z (T, r), or those of a whole history."""
        ...


class LinearField(Protocol):
    """Six components at n sites."""

    def __len__(self) -> int: ...

    def at(self, site: int, z: np.ndarray) -> np.ndarray:
        """(T, 6) at one site for all coordinates z of a history."""
        ...

    def field(self, coordinates: np.ndarray) -> np.ndarray:
        """(n, 6) at all sites for coordinates (r,)."""
        ...

    def combined(self, L: np.ndarray) -> Combined:
        """Of the combinations L (k, 6) of components."""
        ...


@dataclass(frozen=True, eq=False)
class BodyField:
    """values: (n, 6, r) of unit coordinates."""

    values: np.ndarray

    def __len__(self) -> int:
        return len(self.values)

    def at(self, site: int, z: np.ndarray) -> np.ndarray:
        return z @ self.values[site].T

    def field(self, coordinates: np.ndarray) -> np.ndarray:
        return self.values @ coordinates

    def combined(self, L: np.ndarray) -> BodyCombined:
        return BodyCombined(np.ascontiguousarray(np.tensordot(L, self.values, axes=(1, 1)).transpose(0, 2, 1)))


@dataclass(frozen=True, eq=False)
class BodyCombined:
    """values: (k, r, n) of unit coordinates."""

    values: np.ndarray

    def of(self, z: np.ndarray, some: slice) -> np.ndarray:
        return z @ self.values[:, :, some]


@dataclass(frozen=True, eq=False)
class ElementField:
    """matrix: (6 n, N) from the displacements of all elements, row 6·site + component."""

    matrix: sparse.csr_array

    def __len__(self) -> int:
        return self.matrix.shape[0] // 6

    def at(self, site: int, z: np.ndarray | Columns) -> np.ndarray:
        rows = self.matrix[6 * site : 6 * site + 6]
        columns = np.unique(rows.indices)
        some = z[:, columns] if isinstance(z, np.ndarray) else z.columns(columns)
        return some @ rows[:, columns].toarray().T

    def field(self, coordinates: np.ndarray) -> np.ndarray:
        return (self.matrix @ coordinates).reshape(-1, 6)

    def combined(self, L: np.ndarray) -> ElementCombined:
        return ElementCombined(self, L)


@dataclass(frozen=True, eq=False)
class ElementCombined:
    """Combinations L of sparse modes."""

    modes: ElementField
    L: np.ndarray

    @cached_property
    def rows(self) -> tuple[sparse.csr_array, ...]:
        """k matrices (n, N)."""
        own = self.modes
        pick = [
            sparse.kron(sparse.eye_array(len(own)), sparse.csr_array(row[None]), format="csr") @ own.matrix
            for row in self.L
        ]
        return tuple(sparse.csr_array(matrix) for matrix in pick)

    def of(self, z: np.ndarray | Columns, some: slice) -> np.ndarray:
        found = []
        for matrix in self.rows:
            part = matrix[some]
            if isinstance(z, np.ndarray):
                found.append((part @ z.T).T)
                continue
            columns = np.unique(part.indices)
            found.append((part[:, columns] @ z.columns(columns).T).T)
        return np.stack(found)
