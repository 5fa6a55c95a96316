"""How large joints, springs and other signs are drawn: in proportion to everything, but neither over nor inside the bodies they join."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial import KDTree

GLYPH = 0.03
"""Size of glyphs in parts of the diagonal of the scene."""
CROWDED = 0.15
"""At most in parts of what most bodies of the scene measure, or are away from their neighbours."""
OUT_OF_BALL = 1.5
"""At least in parts of the radius of the balls at the ends of derived bars: the pin of a hinge is 1.8 long."""


def glyph_size(diagonal: float, points: list[np.ndarray], shapes: list[list[dict[str, Any]]]) -> float:
    """[m].   diagonal: of all bodies [m].   points: (k, 3) that span each body [m].   shapes: primitives of each body.

    A chain of hundreds of links is long beside a link: signs in proportion to the chain would bury them.
    """
    size = GLYPH * diagonal
    typical = max(_median(_spans(points)), _median(_gaps(points)))
    if typical > 0:
        size = min(size, CROWDED * typical)
    return max(size, OUT_OF_BALL * _largest_ball(shapes))


def _spans(points: list[np.ndarray]) -> np.ndarray:
    """Of each body, the diagonal of its box [m]."""
    return np.array([float(np.linalg.norm(np.ptp(each, axis=0))) for each in points if len(each)])


def _gaps(points: list[np.ndarray]) -> np.ndarray:
    """From the middle of each body to that of the nearest that stands elsewhere [m]."""
    middles = np.array([each.mean(axis=0) for each in points if len(each)]).reshape(-1, 3)
    apart = np.unique(middles, axis=0)
    if len(apart) < 2:
        return np.zeros(0)
    return np.asarray(KDTree(apart).query(apart, k=2)[0][:, 1])


def _median(values: np.ndarray) -> float:
    """Of those that are not 0; 0 where there are none."""
    found = values[values > 0]
    return float(np.median(found)) if found.size else 0.0


def _largest_ball(shapes: list[list[dict[str, Any]]]) -> float:
    """Radius of the balls at the ends of bars that stand for bodies without shapes [m]."""
    balls = [
        one["size"][0]
        for each in shapes
        for one in each
        if one["kind"] == "sphere" and one.get("derived") and not one["relative"]
    ]
    return max(balls, default=0.0)
