"""What a rigid body looks like: its declared shapes, or sensible ones from its markers and its inertia."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from flexor.bodies import Body, Box, Cone, Cylinder, Extruded, Plane, Revolved, Sphere, Stl, Torus, Triangles
from flexor.errors import FlexorError
from flexor.io.stl import read_stl
from flexor.spatial import quaternion_to_matrix, triad
from flexor.viewer import shape_meshes
from flexor.viewer.buffers import Buffers
from flexor.viewer.primitive import Primitive, cylinder_between, primitive

SLENDER, THIN, COMMON = 0.05, 0.012, 0.03
"""Radius of a bar between markers: at most and at least in parts of its length, and in parts of the mean length of all bars."""
BLOCK, BALL = (1.5, 1.5, 2.2), 0.8
"""Sides and radius of what stands for a body without size, in parts of the glyph size: more than a bar's end has."""
PLATE = 0.02
"""Thickness of the plate that stands for a plane, in parts of its side."""
APART = 1e-6
"""Distance in parts of the largest at which points are the same."""


def declared_shapes(body: Body, buffers: Buffers, notes: list[str]) -> list[Primitive]:
    """The shapes that the user gave; what cannot be read is noted."""
    found = []
    for shape in body.shapes:
        try:
            found.append(buffers.sent(drawn_shape(shape)))
        except (FlexorError, OSError) as error:
            notes.append(f"body '{body.name}': its shape cannot be drawn: {error}")
    return found


def drawn_shape(shape: Any) -> Primitive:
    """A shape, in the axes of what it belongs to; through a hollow one what is inside can be seen."""
    found = _SHAPES[type(shape)](shape)
    return found | {"hollow": True} if getattr(shape, "inside", False) else found


def _box(shape: Box) -> Primitive:
    R = quaternion_to_matrix(shape.orientation)
    return primitive("box", (shape.x, shape.y, shape.z), shape.at, R, color=shape.color)


def _cylinder(shape: Cylinder) -> Primitive:
    return primitive("cylinder", (shape.radius, shape.length), shape.at, triad(shape.axis), color=shape.color)


def _sphere(shape: Sphere) -> Primitive:
    return primitive("sphere", (shape.radius,), shape.at, color=shape.color)


def _plane(shape: Plane) -> Primitive:
    """A plate below it."""
    R, thick = triad(shape.normal), PLATE * shape.size
    return primitive("box", (shape.size, shape.size, thick), shape.at - 0.5 * thick * R[:, 2], R, color=shape.color)


def _stl(shape: Stl) -> Primitive:
    points, triangles = read_stl(Path(shape.file))
    return _surface(shape, shape.scale * points, triangles, quaternion_to_matrix(shape.orientation))


def _triangles(shape: Triangles) -> Primitive:
    points, triangles = np.array(shape.points), np.array(shape.triangles)
    return _surface(shape, points, triangles, quaternion_to_matrix(shape.orientation))


def _extruded(shape: Extruded) -> Primitive:
    return _surface(shape, *shape_meshes.extruded(shape), quaternion_to_matrix(shape.orientation))


def _about_axis(mesh: Callable[[Any], shape_meshes.Mesh]) -> Callable[[Any], Primitive]:
    def draw(shape: Any) -> Primitive:
        return _surface(shape, *mesh(shape), triad(shape.axis))

    return draw


def _surface(shape: Any, points: np.ndarray, triangles: np.ndarray, R: np.ndarray) -> Primitive:
    box = [points.min(axis=0).tolist(), points.max(axis=0).tolist()]
    arrays = {"vertices": points, "triangles": triangles}
    return primitive("surface", (), shape.at, R, color=shape.color, box=box, arrays=arrays)


_SHAPES: dict[type, Callable[[Any], Primitive]] = {
    Box: _box,
    Cylinder: _cylinder,
    Sphere: _sphere,
    Plane: _plane,
    Stl: _stl,
    Triangles: _triangles,
    Torus: _about_axis(shape_meshes.torus),
    Cone: _about_axis(shape_meshes.cone),
    Revolved: _about_axis(shape_meshes.revolved),
    Extruded: _extruded,
}


def derived_shapes(
    points: Sequence[np.ndarray],
    mass: float,
    J: np.ndarray,
    center: np.ndarray,
    radius: float = math.inf,
    slides: np.ndarray | None = None,
) -> list[Primitive]:
    """Bars between the points (in the body's axes [m]) where something attaches, else a box of the same inertia.

    J: about the centre of mass [kg m²].   radius: that bars of this model have (`common_radius`) [m], within bounds of their length.
    slides: axes (3, 3) whose z the body slides along, if it does.
    Without size at all: a small block where it slides, else a small ball, in parts of the glyph size.
    """
    apart = distinct([np.asarray(p, dtype=float) for p in points])
    if len(apart) == 2:
        return _bars([apart[0]], apart[1], radius)
    if len(apart) > 2:
        return _bars(apart, np.mean(apart, axis=0), radius)
    box = inertia_box(mass, J)
    if box is not None:
        size, R = box
        return [primitive("box", size, center, R, derived=True)]
    if slides is not None:
        return [primitive("box", BLOCK, apart[0] if apart else center, slides, relative=True, derived=True)]
    return [primitive("sphere", (BALL,), center, relative=True, derived=True)]


def common_radius(spans: Sequence[float]) -> float:
    """Of the bars of a mechanism, so that a long body does not hide the short ones beside it: from the mean of their lengths [m]."""
    found = [span for span in spans if span > 0]
    return COMMON * float(np.exp(np.mean(np.log(found)))) if found else math.inf


def _bars(ends: Sequence[np.ndarray], hub: np.ndarray, radius: float) -> list[Primitive]:
    """From a hub to each end."""
    longest = max(float(np.linalg.norm(end - hub)) for end in ends)
    radius = min(max(radius, THIN * longest), SLENDER * longest)
    found = [cylinder_between(hub, end, radius, derived=True) for end in ends if np.linalg.norm(end - hub) > 0]
    found += [primitive("sphere", (1.5 * radius,), end, derived=True) for end in (*ends, hub)]
    return found


def inertia_box(mass: float, J: np.ndarray) -> tuple[tuple[float, float, float], np.ndarray] | None:
    """Sides and axes of the box of uniform density that has this mass and inertia; None if it has no size.

    J_x = m (b² + c²)/12 and so on: a² = 6 (J_y + J_z − J_x)/m
    """
    if not mass > 0:
        return None
    moments, axes = np.linalg.eigh(np.asarray(J, dtype=float))
    if np.linalg.det(axes) < 0:
        axes = axes * [1, 1, -1]
    sides = np.sqrt(np.maximum(6 * (moments.sum() - 2 * moments) / mass, 0.0))
    if not sides.max() > 0:
        return None
    a, b, c = (float(side) for side in np.maximum(sides, 0.1 * sides.max()))
    return (a, b, c), axes


def distinct(points: list[np.ndarray]) -> list[np.ndarray]:
    if not points:
        return []
    size = max(float(np.ptp([p[i] for p in points])) for i in range(3))
    found: list[np.ndarray] = []
    for p in points:
        if all(np.linalg.norm(p - q) > APART * max(size, 1e-12) for q in found):
            found.append(p)
    return found


def span_of(points: Sequence[np.ndarray]) -> float:
    """Largest distance of two of some points [m]; 0 of a single one."""
    apart = distinct([np.asarray(p, dtype=float) for p in points])
    return max((float(np.linalg.norm(p - q)) for p in apart for q in apart), default=0.0)
