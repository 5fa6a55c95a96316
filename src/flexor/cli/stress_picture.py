"""A picture of the stress in a body: its outer faces seen from a corner, deformed, coloured by stress."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from flexor.elements.faces import face_kind, outer_faces
from flexor.elements.solids.isoparametric import monomials
from flexor.recover.sites import mesh_of
from flexor.spatial import euler_to_matrix

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable

    from flexor.recover import BodyHistory, StressHistory

VIEW = (0.0, np.radians(16), np.radians(-32))
"""Angles about z, y and x by which the body is turned; the picture shows its x and y axes then."""
SHARP = np.cos(np.radians(40))
"""Faces that meet at a larger angle have an edge between them."""
EDGE = (0.1, 0.1, 0.1, 1.0)


def draw_stress(
    ax: Axes, stress: StressHistory, time: float, exaggeration: float = 1.0, cells: int = 6
) -> ScalarMappable:
    """Draw the stress of a body at a time; returns what a colour bar is made from [MPa].

    stress: `run.stress("rod")`; other arguments as of `draw_field`.
    """
    return draw_field(ax, stress.history, stress.frame(time) / 1e6, time, exaggeration, cells)


def draw_field(
    ax: Axes, history: BodyHistory, values: np.ndarray, time: float, exaggeration: float = 1.0, cells: int = 6
) -> ScalarMappable:
    """Draw a body of solids with quadrilateral faces at a time, coloured by values of its nodes; returns what a colour bar is made from.

    exaggeration: factor on the displacements.   cells: each face is drawn in cells².
    What lies behind is painted first; the edges of the undeformed body are grey.
    """
    from matplotlib.cm import ScalarMappable
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.colors import Normalize

    reduced = history.reduced
    R = euler_to_matrix(VIEW, "zyx", fixed=True)
    rest = reduced.nodes @ R.T
    bent = rest + exaggeration * history.displacement(time)[:, :3] @ R.T
    scale = ScalarMappable(Normalize(0, np.nanmax(values)), "turbo")
    polygons, colors, widths, ghost = [], [], [], []
    for faces in outer_faces(mesh_of(reduced)):
        N = _corners_of_cells(faces.shape[1], cells)
        X = np.einsum("qcn,fni->fqci", N, bent[faces])
        towards = np.cross(X[:, :, 2] - X[:, :, 0], X[:, :, 3] - X[:, :, 1])[..., 2] > 0
        edges = _sharp_edges(faces, rest, np.any(towards, axis=1))
        sides = bent[edges] + [0, 0, 0.04 * np.ptp(rest[:, 2])]  # just in front of their faces
        polygons += [*X[towards], *sides]
        colors += [*scale.to_rgba(np.einsum("qcn,fn->fq", N, values[faces])[towards] / 4), *([EDGE] * len(sides))]
        widths += [0.5] * int(towards.sum()) + [0.6] * len(sides)
        ghost += [*rest[_sharp_edges(faces, rest)]]
    order = np.argsort([polygon[:, 2].mean() for polygon in polygons])
    ax.add_collection(LineCollection([line[:, :2] for line in ghost], colors="#b0b0b0", linewidths=0.7, zorder=0))
    chosen = [colors[i] for i in order]
    widths = [widths[i] for i in order]
    shapes = [polygons[i][:, :2] for i in order]
    ax.add_collection(PolyCollection(shapes, facecolors=chosen, edgecolors=chosen, linewidths=widths, closed=False))
    ax.autoscale()
    ax.set_aspect("equal")
    ax.set_axis_off()
    return scale


def _corners_of_cells(count: int, cells: int) -> np.ndarray:
    """(cells², 4, k) shape functions of a quadrilateral face at the corners of its cells."""
    line = np.linspace(-1, 1, cells + 1)
    corners = ((0, 0), (1, 0), (1, 1), (0, 1))
    at = np.array([[(line[i + a], line[j + b]) for a, b in corners] for i in range(cells) for j in range(cells)])
    kind = face_kind(count)
    N = monomials(kind.monomials, at.reshape(-1, 2)) @ kind.coefficients
    return N.reshape(cells**2, 4, count)


def _sharp_edges(faces: np.ndarray, X: np.ndarray, seen: np.ndarray | None = None) -> np.ndarray:
    """(m, 2) neighbouring nodes on the sides of faces at which the skin has an edge; of seen faces only."""
    normals = np.cross(X[faces[:, 2]] - X[faces[:, 0]], X[faces[:, 3]] - X[faces[:, 1]])
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    sides: dict[tuple[int, int], int] = {}
    found: list[tuple[int, int]] = []
    for f, face in enumerate(faces.tolist()):
        for i in range(4):
            a, b = face[i], face[(i + 1) % 4]
            other = sides.setdefault((min(a, b), max(a, b)), f)
            if normals[f] @ normals[other] < SHARP and (seen is None or seen[f] or seen[other]):
                found += pairwise([a, *face[4 + i : 5 + i], b])
    return np.array(found)
