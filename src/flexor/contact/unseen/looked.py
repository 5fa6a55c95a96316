"""Which pairs of surfaces are looked at for overlaps that they do not see, and with what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from flexor.bodies.shape import Box, Cone, Cylinder, Extruded, Plane, Revolved, Sphere, Torus
from flexor.contact.approach import distances_of
from flexor.contact.approach.polyhedra.pairs import BY_ANGLE, BY_FACETS, route
from flexor.contact.approach.touching import TOUCHING
from flexor.contact.surfaces import SURFACES
from flexor.contact.surfaces.facets import chord
from flexor.contact.unseen.curves import curves_of
from flexor.contact.unseen.look import floor_of, look_along
from flexor.spatial import Pose

SLACK = 2e-4
"""Depth, in parts of half of the extent of the smaller solid, that is nothing to speak of."""


@dataclass(frozen=True)
class Looked:
    """What looks at two surfaces, None if they see all of each other; and its parameters, fields of `flexor.contact.touch_law.TouchRecord`."""

    look: Callable | None = None
    parameters: dict[str, Any] = field(
        default_factory=lambda: {
            "slack": 0.0,
            "count_a": 0,
            "edges_a": np.zeros(0),
            "count_b": 0,
            "edges_b": np.zeros(0),
        }
    )

    def unseen(self, a: Any, b: Any, X: Pose, told: float) -> float:
        """Depth of an overlap that is not seen as they stand [m], 0 if there is none; a, b: their numbers, X: pose of b in a, told: the least gap that is seen."""
        if self.look is None:
            return 0.0
        own, floor = self.parameters, floor_of(self.parameters["slack"], told)
        edges = own["edges_a"], own["count_a"], own["edges_b"], own["count_b"]
        d = self.look(a, b, *edges, tuple(X.p), tuple(X.R.ravel()), floor)
        return float(-d) if d < floor else 0.0


def looked_at(a: Any, b: Any, slices: int = 0) -> Looked:
    """How two shapes are looked at; slices: as of `pair_of`."""
    if not _is_looked_at(a, b, slices):
        return Looked()
    (edges_a, count_a), (edges_b, count_b) = _edges(a), _edges(b)
    return Looked(
        look_along(*distances_of(a, b)),
        {"slack": _slack(a, b), "count_a": count_a, "edges_a": edges_a, "count_b": count_b, "edges_b": edges_b},
    )


@lru_cache(maxsize=256)
def _edges(shape: Any) -> tuple[np.ndarray, int]:
    found = curves_of(shape)
    return found.ravel(), len(found)


def _is_looked_at(a: Any, b: Any, slices: int = 0) -> bool:
    """Whether two shapes, as they touch each other, are looked at for overlaps that are not seen; slices: as of `pair_of`."""
    kinds = {type(a), type(b)}
    if slices or kinds & {Sphere, Torus} or not kinds <= set(TOUCHING) | {Plane}:
        return False
    if Plane in kinds:
        return Revolved in kinds
    if any(isinstance(shape, Extruded) and not shape.profile.closed for shape in (a, b)):
        return False  # no solid
    hollow = any(getattr(shape, "inside", False) for shape in (a, b))
    return hollow or not (kinds <= {Box, Cylinder, Cone} or route(a, b) == BY_FACETS)


def _slack(a: Any, b: Any) -> float:
    """How deep an overlap may be that is not told [m]"""
    size = min(max(SURFACES[type(shape)].reach(shape)) for shape in (a, b))
    curved = (shape for shape in (a, b) if isinstance(shape, Extruded) and route(a, b) in (BY_FACETS, BY_ANGLE))
    return float(SLACK * size + sum(chord(shape.profile) for shape in curved))
