"""The primitives that pictures are made of, as the page draws them (`web/src/protocol.ts`).

Positions and orientations are in the axes of a body, or of one of an item's ends (`end`). Sizes in metres, or with
relative=True in parts of the scene's glyph size, so that signs keep their proportion.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from flexor.spatial import matrix_to_quaternion, triad

Primitive = dict[str, Any]

NO_TURN = (1.0, 0.0, 0.0, 0.0)
TO_Z = {"x": triad((1, 0, 0)), "y": triad((0, 1, 0)), "z": np.eye(3)}
"""Axes whose z axis is the named one."""


def floats(values: ArrayLike) -> list[float]:
    """Plain numbers, for JSON."""
    return [float(value) for value in np.asarray(values, dtype=float).ravel()]


def points_of(values: ArrayLike) -> list[list[float]]:
    return [floats(row) for row in np.asarray(values, dtype=float)]


def quaternion(R: ArrayLike | None) -> list[float]:
    """w, x, y, z of a rotation matrix."""
    return list(NO_TURN) if R is None else floats(matrix_to_quaternion(np.asarray(R, dtype=float)))


def primitive(
    kind: str,
    size: Sequence[float] = (),
    position: ArrayLike = (0.0, 0.0, 0.0),
    R: ArrayLike | None = None,
    *,
    end: int | str | None = None,
    color: str | None = None,
    relative: bool = False,
    **more: Any,
) -> Primitive:
    """size: box x, y, z; cylinder radius, length about z; sphere radius; cone radius, length; ring radius, tube; coil radius,
    turns; damper radius; arrow length; frame length; plane x, y."""
    found: Primitive = {"kind": kind, "position": floats(position), "orientation": quaternion(R), "size": floats(size)}
    found |= {"color": color, "relative": relative}
    if end is not None:
        found["end"] = end
    return found | more


def sign(
    kind: str, *size: float, end: int = 0, axis: str = "z", at: ArrayLike = (0.0, 0.0, 0.0), **more: Any
) -> Primitive:
    """Part of a glyph: sizes and place in parts of the glyph size, its z axis along a named axis of the end."""
    return primitive(kind, size, at, TO_Z[axis], end=end, relative=True, **more)


def between(kind: str, *size: float, ends: tuple[int, int] = (0, 1), **more: Any) -> Primitive:
    """From one end to another: a line, a coil, a damper."""
    return primitive(kind, size, end="between", ends=list(ends), relative=True, **more)


def curve(points: ArrayLike, *, closed: bool = False, end: int = 0, **more: Any) -> Primitive:
    """A line through points [m] in the axes of an end."""
    return primitive("curve", end=end, points=points_of(points), closed=closed, **more)


def cylinder_between(a: ArrayLike, b: ArrayLike, radius: float, **more: Any) -> Primitive:
    """A bar from point to point in a body's axes [m]."""
    p, q = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    return primitive("cylinder", (radius, float(np.linalg.norm(q - p))), (p + q) / 2, triad(q - p), **more)
