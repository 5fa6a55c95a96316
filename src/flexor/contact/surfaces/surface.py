"""What contact needs of a shape: its numbers, its axes, how far it reaches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexor.bodies.shape import Stl, Triangles
from flexor.law.record import Packed, Record
from flexor.spatial import quaternion_to_matrix, triad


@dataclass(frozen=True)
class Surface:
    """A kind of shape as a surface.

    name: its kind in words and in the table of pairs.
    size: record of its numbers, which the functions of approach read.
    pack(shape): these numbers.
    axes(shape): columns are the axes of the surface in those of the shape's body or marker.
    pack takes `slices` too, where the surface can be cut into slices along its axis for line contact (`sliced`).
    reach(shape): half sides of a box about the origin of its axes that holds all of it [m]; infinite for a plane.
    """

    name: str
    size: type[Record]
    pack: Callable[..., Packed]
    axes: Callable[[Any], np.ndarray]
    reach: Callable[[Any], tuple[float, float, float]]
    sliced: bool = False


def own_axes(shape: Any) -> np.ndarray:
    """Of a shape without direction."""
    return np.eye(3)


def along_axis(shape: Any) -> np.ndarray:
    """Of a shape about its field `axis`."""
    return triad(shape.axis)


def as_oriented(shape: Any) -> np.ndarray:
    """Of a shape with an orientation."""
    return quaternion_to_matrix(shape.orientation)


def is_hollow(shape: Any) -> bool:
    """Whether it is touched from within: then it cannot touch others. Triangles may be turned for other reasons."""
    return bool(getattr(shape, "inside", False)) and not isinstance(shape, Stl | Triangles)
