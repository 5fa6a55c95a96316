"""A plane: z = 0 of its axes; the solid is below."""

from __future__ import annotations

import numpy as np

from flexor.bodies.shape import Plane
from flexor.contact.surfaces.surface import Surface
from flexor.law.record import Packed, Record, number
from flexor.spatial import triad


class PlaneSize(Record):
    """A plane has no size."""

    nothing = number("0")


def _pack(shape: Plane) -> Packed:
    return PlaneSize.pack(nothing=0.0)


def _axes(shape: Plane) -> np.ndarray:
    return triad(shape.normal)


def _curvatures(shape: Plane) -> tuple[float, float]:
    return 0.0, 0.0


def _reach(shape: Plane) -> tuple[float, float, float]:
    return np.inf, np.inf, np.inf


PLANE = Surface("plane", PlaneSize, _pack, _axes, _curvatures, _reach)
