"""How strongly two surfaces are curved where they are nearest: what Hertz's theory needs.

At the point of contact each surface has the tensor κ₁ t₁ t₁ᵀ + κ₂ t₂ t₂ᵀ in its tangent plane. The gap between both grows from there as ½ v · K · v with
the sum K of both tensors, whatever the angle between their directions is; its principal values are the relative curvatures.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexor.contact.approach import DISTANCES, pair_of, sizes_of
from flexor.contact.surfaces import SURFACES

ABOVE = 1e-6
"""How far above a surface its curvature is asked for, in parts of its size: there edges and corners show themselves."""
SHARP = 1e-3
"""1 − k d of a point above a sharp edge or corner, whose curvature is infinite."""


def relative_curvatures(a: Any, b: Any, p: np.ndarray, R: np.ndarray, slices: int = 0) -> tuple[float, float]:
    """The larger and the smaller relative curvature of two shapes where they are nearest [1/m]; p, R: pose of b's surface in a's axes.

    Infinite where an edge or a corner touches.
    """
    pair = pair_of(a, b, slices)
    assert pair is not None
    packed = sizes_of(a, b, slices)
    sizes = [SURFACES[type(shape)].size(size.words) for shape, size in zip((a, b), packed, strict=True)]
    places = (pair.function(*sizes, tuple(p), tuple(np.ravel(R)), k) for k in range(pair.places))
    g, normal, x = min(places, key=lambda found: found[0])
    n, step = np.array(normal), ABOVE * min(max(SURFACES[type(shape)].reach(shape)) for shape in (a, b))
    of_a = _tensor(DISTANCES[type(a)], sizes[0], x + (step - 0.5 * g) * n)
    of_b = _tensor(DISTANCES[type(b)], sizes[1], R.T @ (x - (step - 0.5 * g) * n - p))
    if of_a is None or of_b is None:
        return np.inf, np.inf
    of_b = R @ of_b @ R.T
    across = np.linalg.svd(n[None])[2][1:]  # two directions of the tangent plane
    low, high = np.linalg.eigvalsh(across @ (of_a + of_b) @ across.T)
    return float(high), float(low)


def _tensor(distance: Any, size: Any, y: np.ndarray) -> np.ndarray | None:
    """Of the surface of a solid below y, κ = k/(1 − k d); None of an edge or corner."""
    d, n, t, k, c = distance(size, tuple(y))
    t = np.array(t)
    found = np.zeros((3, 3))
    for bend, way in ((k, t), (c, np.cross(n, t))):
        if abs(1.0 - bend * d) < SHARP:
            return None
        found += bend / (1.0 - bend * d) * np.outer(way, way)
    return found
