"""What contact needs of a shape: its numbers, its axes, how strongly it is curved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexor.law.record import Packed, Record


@dataclass(frozen=True)
class Surface:
    """A kind of shape as a surface.

    name: its kind in words and in the table of pairs.
    size: record of its numbers, which the functions of approach read.
    pack(shape): these numbers.
    axes(shape): columns are the axes of the surface in those of the shape's body or marker.
    curvatures(shape): principal curvatures where it is touched, positive where it bulges out [1/m]; of a surface on which they vary the
        largest.
    """

    name: str
    size: type[Record]
    pack: Callable[[Any], Packed]
    axes: Callable[[Any], np.ndarray]
    curvatures: Callable[[Any], tuple[float, float]]


def own_axes(shape: Any) -> np.ndarray:
    """Of a shape without direction."""
    return np.eye(3)
