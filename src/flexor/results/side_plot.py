"""Figure of the pressure over a side of a body that deforms."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from flexor.figure import STYLE, drawing_library, new_figure, show, write

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from flexor.results.side_pressure import SidePressure

AROUND = {3: (0, 1, 2), 4: (0, 1, 2, 3), 6: (0, 3, 1, 4, 2, 5), 8: (0, 4, 1, 5, 2, 6, 3, 7)}
"""Nodes of a face in the order in which they stand around it, by how many there are: corners first, then mid-sides."""
MARGIN = 0.15
"""Around what is pressed, in parts of it."""
LEVELS = 41
LEAST = 5e-3
"""Pressure, in parts of the highest, that is drawn as none."""


def plot_side(found: SidePressure, file: str | Path | None) -> Figure:
    """Colours over two axes of the body, along the third of which the pressed part is seen; its free part white, with the lines of the mesh."""
    matplotlib = drawing_library()
    from matplotlib.tri import Triangulation

    points, pressure, triangles = _triangles(found)
    k, toward, front = _view(points, pressure, triangles)
    pressed = (pressure[triangles] > 0).any(axis=1)
    i, j = (each for each in range(3) if each != k)
    x, y = 1e3 * points[:, i], 1e3 * points[:, j]
    some = points[triangles[front & pressed]].reshape(-1, 3)
    with matplotlib.rc_context({**STYLE, "axes.grid": False}):
        figure = new_figure((6.5, 5.0), shown=file is None)
        ax = figure.subplots()
        levels = np.linspace(LEAST * found.peak, found.peak, LEVELS) / 1e6
        net = Triangulation(x, y, triangles[front])
        drawn = ax.tricontourf(net, pressure / 1e6, levels=levels, cmap="inferno_r", vmin=0)
        there = np.zeros(len(points), dtype=bool)
        there[triangles[front]] = True
        for faces in found.faces:
            around = faces[there[faces].all(axis=1)][:, AROUND[faces.shape[1]]]
            ax.plot(*(values[np.column_stack([around, around[:, :1]])].T for values in (x, y)), color="0.8", lw=0.3)
        for axis, limit in ((i, ax.set_xlim), (j, ax.set_ylim)):
            low, high = 1e3 * some[:, axis].min(), 1e3 * some[:, axis].max()
            limit(low - MARGIN * (high - low), high + MARGIN * (high - low))
        ax.set_aspect("equal")
        bar = figure.colorbar(drawn, ax=ax, ticks=matplotlib.ticker.MaxNLocator(7))
        bar.set_label("pressure [MPa]" if found.time is not None else "highest pressure [MPa]")
        bar.outline.set_visible(False)
        ax.set_xlabel(f"{'xyz'[i]} [mm]")
        ax.set_ylabel(f"{'xyz'[j]} [mm]")
        when = "in the run" if found.time is None else f"at {found.time:.4g} s"
        half = f", seen from {toward}{'xyz'[k]}" if np.any(pressed & ~front) else ""
        ax.set_title(f"{found.contact}, '{found.body}', {when}{half}: up to {found.peak / 1e6:.4g} MPa", fontsize=10)
        write(figure, file)
    show(file)
    return figure


def _triangles(found: SidePressure) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points and pressure with those in the middles of faces, around which the triangles (k, 3) lie."""
    points, pressure, triangles, first = [found.points], [found.pressure], [], len(found.points)
    for faces in found.faces:
        around = faces[:, AROUND[faces.shape[1]]]
        middle = np.arange(first, first + len(faces))
        first += len(faces)
        points.append(found.points[faces].mean(axis=1))
        pressure.append(found.pressure[faces].mean(axis=1))
        sides = zip(around.T, np.roll(around, -1, axis=1).T, strict=True)
        triangles += [np.column_stack([middle, a, b]) for a, b in sides]
    return np.concatenate(points), np.concatenate(pressure), np.concatenate(triangles)


def _view(points: np.ndarray, pressure: np.ndarray, triangles: np.ndarray) -> tuple[int, str, np.ndarray]:
    """The axis along which most of what is pressed is seen, + or − where the viewer is, and which triangles face him; what is pressed all around is seen where it is pressed most."""
    a, b, c = (points[triangles[:, i]] for i in range(3))
    facing = np.cross(b - a, c - a)
    weighted = pressure[triangles].sum(axis=1, keepdims=True) * facing
    size = np.linalg.norm(weighted, axis=1)
    normal = weighted.sum(axis=0)
    if np.linalg.norm(normal) < 0.5 * size.sum():
        normal = weighted[np.argmax(size)]
    k = int(np.argmax(np.abs(normal)))
    return (
        k,
        "+" if normal[k] > 0 else "−",
        facing[:, k] * normal[k] > 1e-6 * np.abs(normal[k]) * np.abs(facing[:, k]).max(),
    )
