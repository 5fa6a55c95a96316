"""How figures look, and where they go: to an image file, or to a window."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from flexor.errors import FileError, FlexorError, Problem
from flexor.files import as_path
from flexor.io.replaceable import check_replaceable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

STYLE = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#888888",
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.formatter.use_mathtext": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.8,
    "lines.linewidth": 1.4,
    "xtick.color": "#444444",
    "ytick.color": "#444444",
    "legend.frameon": False,
}
COLORS = ("#1f5fa8", "#d1562a", "#2f8f5b", "#8a4fa0", "#b98a00", "#3aa0b5", "#a8324a", "#6b6b6b")


def drawing_library() -> ModuleType:
    try:
        import matplotlib
        import matplotlib.figure
    except ImportError:
        fix = "install it with:  pip install 'flexor[plot]'"
        problem = Problem("plot", "matplotlib is not installed", "plots are drawn with it", fix)
        raise FlexorError(problem) from None
    return matplotlib


def new_figure(size: tuple[float, float], shown: bool) -> Figure:
    """An empty figure; size in inches.   shown: it is to open in a window."""
    if shown:
        import matplotlib.pyplot as plt

        return plt.figure(figsize=size, layout="constrained")
    from matplotlib.figure import Figure

    return Figure(figsize=size, layout="constrained")


def write(figure: Figure, file: str | Path | None) -> None:
    """Write a figure to an image file, if one is named."""
    if file is not None:
        check_replaceable(as_path(file, "plot"), "picture", f"plot {file}")
        try:
            figure.savefig(file, dpi=150)
        except (OSError, ValueError) as error:
            fix = "choose a writable folder and a name that ends in .png, .svg or .pdf"
            raise FileError(Problem(f"plot {file}", "cannot be written", str(error), fix)) from None


def show(file: str | Path | None) -> None:
    """Open the plot in a window, where there is one and no file is named."""
    if file is None:
        import matplotlib.pyplot as plt

        plt.show(block=None)
