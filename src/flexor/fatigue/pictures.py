"""Pictures of fatigue: S-N curves, rainflow matrices."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from flexor.figure import COLORS, STYLE, drawing_library, new_figure, show, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

    from flexor.fatigue.cycles import RainflowMatrix
    from flexor.fatigue.sn_curve import SNCurve

_MEGA = {"Pa": (1e-6, "MPa")}


def matrix_on(ax: Axes, matrix: RainflowMatrix) -> ScalarMappable:
    """Draw a rainflow matrix; returns what a colour bar is made from."""
    scale, unit = _MEGA.get(matrix.unit, (1.0, matrix.unit))
    counts = np.where(matrix.counts > 0, matrix.counts, np.nan)
    across, up = ("mean", "range") if matrix.kind == "range-mean" else ("to", "from")
    drawn = ax.pcolormesh(scale * matrix.columns, scale * matrix.rows, counts, cmap="viridis", vmin=0)
    bracket = f" [{unit}]" if unit else ""
    ax.set_xlabel(across + bracket)
    ax.set_ylabel(up + bracket)
    return drawn


def draw_matrix(matrix: RainflowMatrix, file: str | Path | None = None) -> Figure:
    """A rainflow matrix with its colour bar."""
    library = drawing_library()
    with library.rc_context(STYLE):
        figure = new_figure((6, 4.5), shown=file is None)
        ax = figure.add_subplot()
        figure.colorbar(matrix_on(ax, matrix), ax=ax, label="cycles")
        ax.set_title(f"rainflow matrix {matrix.name}".rstrip(), loc="left", fontsize=10)
        write(figure, file)
    show(file)
    return figure


def curve_on(ax: Axes, curve: SNCurve, color: str = COLORS[0]) -> None:
    """Draw an S-N curve in double logarithms."""
    first, last = curve.points[0][0] / 100, 100 * curve.points[-1][0]
    N = np.unique(np.concatenate([np.geomspace(max(first, 1.0), last, 50), [p[0] for p in curve.points]]))
    ax.loglog(N, curve.stress(N) / 1e6, color=color, label=curve.name or None)
    ax.set_xlabel("cycles")
    ax.set_ylabel(f"stress {curve.quantity} [MPa]")


def draw_curve(curve: SNCurve, file: str | Path | None = None) -> Figure:
    """An S-N curve."""
    library = drawing_library()
    with library.rc_context(STYLE):
        figure = new_figure((6, 4), shown=file is None)
        ax = figure.add_subplot()
        curve_on(ax, curve)
        ax.set_title(curve.name or "S-N curve", loc="left", fontsize=10)
        write(figure, file)
    show(file)
    return figure
