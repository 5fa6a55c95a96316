"""What the page shows: a header of plain values, arrays that are sent once, rows of numbers over time, signals by name.

The header is described in `web/src/protocol.ts`; `HEADER` lists its fields, and a test compares both.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from flexor.errors import FileError, Problem
from flexor.viewer.buffers import Buffers
from flexor.viewer.glyph_size import GLYPH, glyph_size
from flexor.viewer.picture import Picture

VERSION = 1
HEADER = (
    *("version", "kind", "name", "status", "summary", "warnings", "notes", "cutbacks", "times", "frames", "box", "up"),
    *("glyph_size", "plots", "bodies", "items", "arrows", "signals", "values", "modes", "campbell"),
)
FAR = 3.0
"""How much larger than at its start the box of a scene may be; what travels farther is followed by eye."""


def no_rows(first: int, count: int) -> np.ndarray:
    return np.zeros((0, 0), dtype=np.float32)


def no_signal(name: str) -> np.ndarray:
    raise FileError(Problem(f"signal '{name:.200}'", "there is none", "nothing was recorded here"))


@dataclass(frozen=True, eq=False)
class Scene:
    """header: as JSON takes it.   buffers: arrays by number.   frames: (count, width) rows from the first on, float32.
    signal: values (T,) of a signal by name; an error if there is none.
    """

    header: dict[str, Any]
    buffers: Buffers
    frames: Callable[[int, int], np.ndarray] = field(default=no_rows)
    signal: Callable[[str], np.ndarray] = field(default=no_signal)


def header(kind: str, name: str = "", **fields: Any) -> dict[str, Any]:
    """A header with every field, empty where nothing is given."""
    found: dict[str, Any] = {
        "version": VERSION,
        "kind": kind,
        "name": name,
        "status": "",
        **{
            key: []
            for key in ("summary", "warnings", "notes", "cutbacks", "plots", "bodies", "items", "arrows", "signals")
        },
        "times": None,
        "frames": {"count": 0, "width": 0},
        "box": [[-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]],
        "up": [0.0, 0.0, 1.0],
        "glyph_size": GLYPH,
        "values": None,
        "modes": None,
        "campbell": None,
    }
    return {key: {**found, **fields}[key] for key in HEADER}


def box_of(pictures: list[Picture], rows: np.ndarray, offsets: list[int]) -> tuple[list[list[float]], float]:
    """The box of all bodies at the first of some rows, or at all where it does not travel far; and the glyph size [m]."""
    if not len(rows):
        return [[-0.5] * 3, [0.5] * 3], GLYPH
    corners = [_corners(rows, picture, offset) for picture, offset in zip(pictures, offsets)]
    points = np.concatenate([each for each in corners if each.size] or [np.zeros((len(rows), 1, 3))], axis=1)
    points = np.where(np.isfinite(points), points, 0.0)
    first = points[0].min(axis=0), points[0].max(axis=0)
    every = points.min(axis=(0, 1)), points.max(axis=(0, 1))
    size, largest = (float(np.linalg.norm(high - low)) for low, high in (first, every))
    low, high = every if largest <= FAR * size else first
    diagonal = float(np.linalg.norm(high - low)) or 1.0
    if not np.linalg.norm(high - low) > 0:
        low, high = low - 0.5, high + 0.5
    shown = min(diagonal, 1.5 * size if size > 0 else diagonal)
    found = [np.nan_to_num(each[0], posinf=0.0, neginf=0.0) for each in corners]
    return [low.tolist(), high.tolist()], glyph_size(shown, found, [each.header["shapes"] for each in pictures])


def _corners(rows: np.ndarray, picture: Picture, offset: int) -> np.ndarray:
    """(rows, k, 3) where the corners of a body are."""
    if not picture.width:
        return np.zeros((len(rows), 0, 3))
    if picture.header["beam"] is not None:
        own = rows[:, offset : offset + 7 * (1 + picture.header["beam"]["stations"])].reshape(len(rows), -1, 7)
        return own[:, 1:, :3].astype(float)  # of its stations
    x, q = rows[:, offset : offset + 3].astype(float), rows[:, offset + 3 : offset + 7].astype(float)
    w, v = q[:, None, :1], q[:, None, 1:]
    c = picture.corners[None]
    t = 2 * np.cross(np.broadcast_to(v, (len(rows), c.shape[1], 3)), c)
    return np.asarray(x[:, None] + c + w * t + np.cross(np.broadcast_to(v, t.shape), t))


def up_of(gravity: tuple[float, float, float]) -> list[float]:
    """Against gravity; z without it."""
    g = np.array(gravity, dtype=float)
    size = float(np.linalg.norm(g))
    return [float(c) + 0.0 for c in -g / size] if size > 0 else [0.0, 0.0, 1.0]
