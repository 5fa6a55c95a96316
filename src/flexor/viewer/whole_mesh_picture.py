"""A body that moves with its whole mesh: its recorded rows in few shapes of displacement and stress together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from flexor.errors import ModelError
from flexor.recover import MeshHistory
from flexor.recover.sites import Sites, has_shells, sites_of
from flexor.spatial import matrix_to_quaternion
from flexor.viewer.buffers import Buffers
from flexor.viewer.compressed import Compressed, compressed
from flexor.viewer.mesh_picture import SIDES, stress_field
from flexor.viewer.skin import MeshSkin

ROWS = 64
"""Rows that are looked at together."""


class WholeMotion:
    """The motion of a mesh whose every row was recorded. z: (T, r); poses: (T, 7) of its frame."""

    def __init__(self, history: MeshHistory, skin: MeshSkin) -> None:
        self._history, self._skin = history, skin
        self._sites = _stress_sites(history)
        self._inside = [_places(each, len(history.reduced.nodes))[skin.nodes] for each in self._sites.values()]
        self.poses = np.hstack([history.position, matrix_to_quaternion(history.orientation)])
        n = len(skin.nodes)
        largest = np.max([[_largest(rows[:, : 3 * n]), _largest(rows[:, 3 * n :])] for rows in self._batches()], axis=0)
        scale = np.repeat(np.where(largest > 0, largest, 1.0), [3 * n, 6 * n * len(self._sites)])
        self._found: Compressed = compressed(self._batches, scale)

    @property
    def z(self) -> np.ndarray:
        return self._found.z

    def _batches(self) -> Iterator[np.ndarray]:
        history, skin = self._history, self._skin
        for begin in range(0, len(history), ROWS):
            rows = np.arange(begin, min(begin + ROWS, len(history)))
            u = np.stack([skin.carried(history.deformed(int(row))).ravel() for row in rows])
            if not self._sites:
                yield u
                continue
            coordinates = history.z[rows]
            stress = np.zeros((len(rows), len(self._sites), len(skin.nodes), 6))
            for side, (sites, inside) in enumerate(zip(self._sites.values(), self._inside)):
                have = inside >= 0
                for k in range(len(rows)):
                    stress[k, side, have] = sites.modes.field(coordinates[k])[inside[have]]
            yield np.hstack([u, stress.reshape(len(rows), -1)])

    def parts(self, buffers: Buffers) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """Shapes of displacement (r, N, 3), and the fields."""
        n, r = len(self._skin.nodes), len(self._found.shapes)
        shapes = buffers.add(self._found.shapes[:, : 3 * n].reshape(r, n, 3))
        stress = self._found.shapes[:, 3 * n :].reshape(r, len(self._sites), n, 6)
        return shapes, [stress_field(SIDES[side], buffers.add(stress[:, k])) for k, side in enumerate(self._sites)]


def _stress_sites(history: MeshHistory) -> dict[str, Sites]:
    """By the sides of shells; of what has no shells one, of beams none."""
    mesh = history.reduced.mesh
    sides = ("top", "bottom") if mesh is not None and has_shells(mesh) else ("top",)
    try:
        return {side: sites_of(history, "stress", "nodes", side) for side in sides}
    except ModelError:  # beams have none
        return {}


def _places(sites: Sites, count: int) -> np.ndarray:
    """Number of the site at each node; −1 where there is none."""
    found = np.full(count, -1)
    found[sites.rows] = np.arange(len(sites.rows))
    return found


def _largest(values: np.ndarray) -> float:
    return float(np.abs(values).max()) if values.size else 0.0
