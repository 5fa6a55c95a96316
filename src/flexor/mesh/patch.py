"""Meshes from curved bricks and quadrilaterals: each is a regular grid in parameters 0…1 and a map into space."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from flexor.errors import ModelError, Problem
from flexor.mesh.cells import BRICK, TETRAHEDRON, WEDGE
from flexor.mesh.coincident import merged

SOLID = ("tet4", "tet10", "wedge6", "wedge15", "hex8", "hex20")
SURFACE = ("shell3", "shell4")
"""Elements that bricks and quadrilaterals can be filled with."""

Map = Callable[[np.ndarray], np.ndarray]
"""(…, d) parameters → (…, 3) positions."""

_WEDGES = ((0, 1, 2, 4, 5, 6), (0, 2, 3, 4, 6, 7))
_TRIANGLES = ((0, 1, 2), (0, 2, 3))
_LINEAR = {"hex20": ("hex8", BRICK), "wedge15": ("wedge6", WEDGE), "tet10": ("tet4", TETRAHEDRON)}
# quadratic elements: the linear one with the same corners, and the edges with a node in their middle
# corners of a wedge renamed so that a chosen one comes first   (Dompierre et al. 1999)
_TURNED = np.array(
    [
        [0, 1, 2, 3, 4, 5],
        [1, 2, 0, 4, 5, 3],
        [2, 0, 1, 5, 3, 4],
        [3, 5, 4, 0, 2, 1],
        [4, 3, 5, 1, 0, 2],
        [5, 4, 3, 2, 1, 0],
    ]
)
_TETS = np.array([[[0, 1, 2, 5], [0, 1, 5, 4], [0, 4, 5, 3]], [[0, 1, 2, 4], [0, 4, 2, 5], [0, 4, 5, 3]]])


@dataclass(frozen=True)
class Patch:
    """A grid of divisions[0] × divisions[1] (× divisions[2]) cells, and where its parameters lie in space."""

    divisions: tuple[int, ...]
    position: Map


def mesh_patches(patches: Sequence[Patch], element: str) -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) and elements (m, k) of one kind; patches that touch share their nodes."""
    solid = len(patches[0].divisions) == 3
    fitting = SOLID if solid else SURFACE
    if element not in fitting:
        raise ModelError(Problem("mesh generator", f"'{element}' does not fit", "", f"use one of {', '.join(fitting)}"))
    if any(n < 1 for patch in patches for n in patch.divisions):
        raise ModelError(Problem("mesh generator", "a number of divisions is below 1", "", "use 1 or more"))
    grids = [_grid(patch.divisions) for patch in patches]
    points = np.concatenate([patch.position(grid) for patch, (grid, _) in zip(patches, grids)])
    first = np.cumsum([0, *(len(grid) for grid, _ in grids)])
    cells = np.concatenate([cells + at for (_, cells), at in zip(grids, first)])
    parameters = np.concatenate([grid for grid, _ in grids])[cells]  # (m, 8, d)
    owner = np.repeat(np.arange(len(patches)), [len(cells) for _, cells in grids])
    points, index = merged(points, 1e-9 * float(np.ptp(points, axis=0).max()))
    cells = index[cells]

    parent, local = _split(cells, _LINEAR[element][0] if element in _LINEAR else element)
    nodes = cells[parent[:, None], local]
    if element not in _LINEAR:
        return points, nodes
    edges = np.array(_LINEAR[element][1])
    ends = np.sort(nodes[:, edges], axis=2).reshape(-1, 2)
    unique, where, edge = np.unique(ends, axis=0, return_index=True, return_inverse=True)
    middle = parameters[parent[:, None, None], local[:, edges]].mean(axis=2).reshape(len(ends), -1)[where]
    middle_owner = np.repeat(owner[parent], len(edges))[where]
    added = np.empty((len(unique), 3))
    for p, patch in enumerate(patches):
        added[middle_owner == p] = patch.position(middle[middle_owner == p])
    nodes = np.hstack([nodes, len(points) + edge.reshape(len(nodes), -1)])
    return np.concatenate([points, added]), nodes


def _grid(divisions: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Parameters of the nodes of a grid (n, d), and its cells (m, 2^d) in the order of hex8 or of a quadrilateral."""
    axes = [np.linspace(0, 1, n + 1) for n in divisions]
    parameters = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(divisions))
    numbers = np.arange(len(parameters)).reshape([n + 1 for n in divisions])
    square = ((0, 0), (1, 0), (1, 1), (0, 1))
    corners = square if len(divisions) == 2 else tuple((*c, k) for k in (0, 1) for c in square)
    cells = [numbers[tuple(slice(c, c + n) for c, n in zip(corner, divisions))].ravel() for corner in corners]
    return parameters, np.stack(cells, axis=1)


def _split(cells: np.ndarray, element: str) -> tuple[np.ndarray, np.ndarray]:
    """The cell of each element, and which of the cell's corners are its nodes."""
    pieces = {"wedge6": _WEDGES, "tet4": _WEDGES, "shell3": _TRIANGLES}.get(element)
    if pieces is None:
        return np.arange(len(cells)), np.tile(np.arange(cells.shape[1]), (len(cells), 1))
    parent = np.repeat(np.arange(len(cells)), len(pieces))
    local = np.tile(np.array(pieces), (len(cells), 1))
    if element != "tet4":
        return parent, local
    # cut each side of a wedge through its lowest node, so that neighbours cut it alike
    lowest = np.argmin(cells[parent[:, None], local], axis=1)
    local = np.take_along_axis(local, _TURNED[lowest], axis=1)
    nodes = cells[parent[:, None], local]
    choice = np.minimum(nodes[:, 1], nodes[:, 5]) > np.minimum(nodes[:, 2], nodes[:, 4])
    tets = _TETS[choice.astype(int)]  # (wedges, 3, 4)
    local = np.take_along_axis(local[:, None, :], tets, axis=2).reshape(-1, 4)
    return np.repeat(parent, 3), local
