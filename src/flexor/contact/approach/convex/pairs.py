"""Pairs of convex solids: where they are separated most, and the corners of what their flat faces share.

A new kind of convex solid is one more line in SOLIDS.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from flexor.bodies.shape import Box, Cone, Cylinder, Extruded, Revolved, Stl, Triangles
from flexor.contact.approach.convex.borders import CROSSINGS, borders_cross
from flexor.contact.approach.convex.flats import (
    any_of,
    beside_flats,
    edges_on_edges,
    exactly,
    lying_on_edges,
    lying_on_rim,
    rim_on_edges,
    rim_on_rim,
    spots,
)
from flexor.contact.approach.convex.polyhedron import places_on, polyhedron, shared_places
from flexor.contact.approach.convex.prism import SPOTS, prism
from flexor.contact.approach.convex.revolved import revolved
from flexor.contact.approach.convex.solid import Convex, box, ends_of_cone, ends_of_cylinder, frustum
from flexor.contact.approach.lines.along import end_of_walls, end_on_edge, with_ends
from flexor.contact.approach.pair import SurfacePair as Pair
from flexor.contact.approach.pair import joined, turned
from flexor.contact.approach.rings.ring import ring_of_contour, ring_of_cylinder
from flexor.contact.surfaces import SURFACES
from flexor.contact.surfaces.contour import is_convex_prism
from flexor.contact.surfaces.convex_profile import convex_profile
from flexor.contact.surfaces.polyhedron import PolyhedronSize
from flexor.contact.surfaces.surface import is_hollow

SOLIDS: dict[type, Convex] = {
    Box: box(),
    Cylinder: frustum(ends_of_cylinder),
    Cone: frustum(ends_of_cone),
    Revolved: revolved(),
}
"""Convex solids with flat faces."""

FRUSTA: dict[type, tuple[Callable, Callable]] = {
    Cylinder: (ends_of_cylinder, ring_of_cylinder),
    Cone: (ends_of_cone, ring_of_contour),
}
"""Of cylinders and cones radius and height of both rims, and these as rings."""

ROUND = (*FRUSTA, Revolved)
"""What is round about an axis, and may be convex."""


def convex_pair(a: Any, b: Any, lines: bool) -> Pair:
    """Two boxes, cylinders, cones or convex bodies of revolution: where they are separated most, and the corners of what flat faces share."""
    if isinstance(b, Box) and not isinstance(a, Box):
        return turned(convex_pair(b, a, lines))
    A, B = SOLIDS[type(a)], SOLIDS[type(b)]
    found = [Pair(spots(A, B), _spots(b)), turned(Pair(spots(B, A, False), _spots(a)))]
    if isinstance(b, Box):
        found += [
            Pair(edges_on_edges(A, B), 16),
            Pair(lying_on_edges(A, B), 4),
            turned(Pair(lying_on_edges(B, A), 4)),
        ]
    elif isinstance(a, Box):
        found += [Pair(rim_on_edges(A, B), 8), Pair(lying_on_edges(A, B), 4), turned(Pair(lying_on_rim(B, A), 2))]
    else:
        found += [Pair(rim_on_rim(A, B), 2), Pair(lying_on_rim(A, B), 2), turned(Pair(lying_on_rim(B, A), 2))]
    others = reduce(joined, found)
    nearest = beside_flats(A, B, any_of(others.function, exactly(others.places)))
    end = None if isinstance(b, Box) else end_on_edge(A, B) if isinstance(a, Box) else end_of_walls(A, B)
    straight = all(map(_has_lines, (a, b)))
    return joined(with_ends(nearest, end) if lines and end and straight else Pair(nearest), others)


def are_convex(a: Any, b: Any) -> bool:
    """Whether both are convex solids that touch where they are separated most."""
    return all(map(is_convex, (a, b)))


def is_convex(shape: Any) -> bool:
    if isinstance(shape, Revolved):
        return convex_profile(shape) is not None
    return type(shape) in SOLIDS and not is_hollow(shape)


def _has_lines(shape: Any) -> bool:
    """Whether it has straight lines along which it may lie on something."""
    profile = convex_profile(shape) if isinstance(shape, Revolved) else None
    return profile is None or bool(profile.generators)


def _spots(shape: Any) -> int:
    """With how many points it may stand on a flat face."""
    if not isinstance(shape, Revolved):
        return 8
    profile = convex_profile(shape)
    return 8 + len(profile.rims) + int(profile.curved) if profile else 8


def on_polyhedron(a: Any, b: Any) -> bool:
    """Whether a cylinder, a cone or a convex body of revolution is on a convex solid with few flat faces: a prism, triangles."""
    for one, other in ((a, b), (b, a)):
        if type(one) in ROUND and isinstance(other, Extruded | Stl | Triangles) and is_convex(one):
            return _faces_of(other) is not None
    return False


def _faces_of(shape: Extruded | Stl | Triangles) -> PolyhedronSize | None:
    """Of a convex solid with few flat faces."""
    surface = SURFACES[type(shape)]
    size: Any = surface.size(surface.pack(shape).words)
    return PolyhedronSize(size.solid) if len(size.solid) else None


def polyhedron_pair(a: Any, b: Any, lines: bool) -> Pair:
    """A cylinder, cone or body of revolution b on a convex solid a with flat faces, as on a box."""
    A, B, faces = polyhedron(), SOLIDS[type(b)], _faces_of(a)
    assert faces is not None
    by_corners = shared_places(spots(B, A, False), rim_on_edges(A, B), lying_on_edges(A, B))
    others = joined(
        joined(Pair(spots(A, B), _spots(b)), turned(Pair(lying_on_rim(B, A), 2))),
        Pair(by_corners, int(faces.spots + 3 * faces.most)),
    )
    nearest = beside_flats(A, B, any_of(others.function, places_on(2 + _spots(b))))
    return joined(with_ends(nearest, end_on_edge(A, B)) if lines and _has_lines(b) else Pair(nearest), others)


def on_curved_prism(a: Any, b: Any) -> bool:
    """Whether a box, a cylinder, a cone or a convex body of revolution is on a convex prism with curved sides."""
    for one, other in ((a, b), (b, a)):
        if type(one) in (Box, *ROUND) and isinstance(other, Extruded) and is_convex(one):
            return other.profile.kind != "lines" and is_convex_prism(other)
    return False


def curved_prism_pair(a: Any, b: Any, lines: bool) -> Pair:
    """A box, a body of revolution or a prism b on a convex prism a: where they are separated most, and the corners of what flat faces share."""
    A, B = prism(), prism() if isinstance(b, Extruded) else SOLIDS[type(b)]
    count = SPOTS if isinstance(b, Extruded) else _spots(b)
    standing = joined(Pair(spots(A, B), count), turned(Pair(spots(B, A, False), SPOTS)))
    others = joined(standing, Pair(borders_cross(A, B), CROSSINGS))
    nearest = beside_flats(A, B, any_of(others.function, exactly(others.places)), crossings=False)
    with_line = lines and type(b) in ROUND and _has_lines(b)
    return joined(with_ends(nearest, end_of_walls(A, B)) if with_line else Pair(nearest), others)
