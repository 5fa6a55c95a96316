"""Rows of modes: the real and the imaginary part of each, then the position at rest.

The page moves a body by   rest + a (Re cos φ − Im sin φ):   of a pose dx, dy, dz [m] and a rotation vector [rad] in global axes.
"""

from __future__ import annotations

from typing import Any

import numpy as np


def rows_of_modes(moves: np.ndarray, rest: np.ndarray) -> np.ndarray:
    """(2 n + 1, width) from complex moves (n, width) and the row at rest."""
    rows = np.empty((2 * len(moves) + 1, len(rest)), dtype=np.float32)
    rows[:-1:2], rows[1:-1:2], rows[-1] = moves.real, moves.imag, rest
    return rows


def mode_header(
    frequency: float, damping: float | None = None, kind: str = "", whirl: str = "", most: str = ""
) -> dict[str, Any]:
    """frequency [Hz]; damping ratio, none where it was left out; kind: rigid, unstable, or nothing to say; most: what moves most."""
    return {"frequency": frequency, "damping": damping, "kind": kind, "whirl": whirl, "most": most}
