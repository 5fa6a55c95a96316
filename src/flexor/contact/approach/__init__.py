"""How near two surfaces are.

Of each pair one is the *solid*, whose signed distance from a point is known (`flexor.contact.distance`), the other one touches it with what
it has of points, rings and lines:

| | with its |
| --- | --- |
| sphere | centre; in a corner of a contour two sides are touched |
| box, triangles | corners; those of many triangles in groups |
| torus | circle |
| cylinder, cone | wall and rims; its two rims on planes and in what is hollow |
| body of revolution | slices, if it is not convex; its bulge and corners on planes |
| prism with a closed contour | that contour; its corners and bulges on planes |

Convex solids – boxes, cylinders, cones, convex bodies of revolution, these on convex prisms and triangulated solids with few flat faces, and all of them on convex prisms with curved contours – touch each other where they are separated most, and lie on
each other with the corners of what their flat faces share (`convex.pairs`). Triangulated surfaces, boxes and prisms touch each other as polyhedra (`polyhedra.pairs`). A sphere in what is hollow, or on a ring, touches
both sides of the axis. What is not seen is told (`limits`, `flexor.contact.unseen`).

A new kind of shape is a line in `flexor.contact.distance.kinds`, and one in `touching` if it has such features. Each folder is a way of touching: `convex`, `polyhedra`, `rings`, `lines`,
`hollow`, `profiles`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, reduce
from typing import Any

from flexor.bodies.shape import Box, Cone, Cylinder, Extruded, Plane, Revolved, Sphere, Torus
from flexor.contact.approach.convex.pairs import (
    ROUND,
    are_convex,
    convex_pair,
    curved_prism_pair,
    on_curved_prism,
    on_polyhedron,
    polyhedron_pair,
)
from flexor.contact.approach.hollow.edges import edges_within
from flexor.contact.approach.pair import SurfacePair as Pair
from flexor.contact.approach.pair import joined, nearer, turned
from flexor.contact.approach.point import approach_sphere_sphere
from flexor.contact.approach.polyhedra.pairs import (
    BY_FACETS,
    WITHIN,
    CurvedPrism,
    along_or_across,
    by_angle,
    by_facets,
    by_support,
    packed_for,
    route,
)
from flexor.contact.approach.profiles.contour import contour_on
from flexor.contact.approach.touching import CORNERED, rank, side_numbers, touches, usual_slices
from flexor.contact.distance.extruded import distance_extruded, side_of_extruded
from flexor.contact.distance.kinds import DISTANCES
from flexor.contact.distance.triangles import distance_triangles
from flexor.contact.surfaces import SURFACES
from flexor.contact.surfaces.surface import is_hollow
from flexor.contact.surfaces.triangles import TrianglesSize
from flexor.law.record import Packed, Record


def pair_of(a: Any, b: Any, slices: int = 0, lines: bool = False) -> Pair | None:
    """How these shapes approach each other; None if that is not known.

    slices: into how many a cylinder, cone or body of revolution is cut along its axis for line contact; 0: as many places as they need.
    lines: with the ends of lines along which they lie on each other, which share the law with the nearest place (`flexor.contact.laws.line_share`).
    """
    way = route(a, b)
    if way == BY_FACETS:
        return by_facets(a, b)
    if way == WITHIN:
        return edges_within(a, b) if is_hollow(a) else turned(edges_within(b, a))
    found = _pair_of(a, b, slices, lines and not slices)
    return by_angle(a, b, found) if way and found else found


def _pair_of(a: Any, b: Any, slices: int, lines: bool) -> Pair | None:
    """By what they are."""
    if isinstance(a, Sphere) and isinstance(b, Sphere):
        return None if a.inside and b.inside else Pair(approach_sphere_sphere)
    if is_hollow(a) and is_hollow(b):
        return None
    if not slices and are_convex(a, b):
        return convex_pair(a, b, lines)
    if on_polyhedron(a, b) and not slices:
        return polyhedron_pair(a, b, lines) if type(b) in ROUND else turned(polyhedron_pair(b, a, lines))
    if on_curved_prism(a, b) and not slices:
        return curved_prism_pair(a, b, lines) if isinstance(a, Extruded) else turned(curved_prism_pair(b, a, lines))
    if type(a) is type(b) and not is_hollow(a) and not is_hollow(b):
        return _alike(a, b, slices)
    if _touching(a, b) is a:
        found = _pair_of(b, a, slices, lines)
        return None if found is None else turned(found)
    found = touches(a, b, slices, lines)
    if found is None or slices or not isinstance(a, CORNERED) or isinstance(b, Sphere | Torus):
        return found
    corners = touches(b, a, 0)  # its corners touch what the features of b do not show: flat ends
    return found if corners is None else joined(found, turned(corners))


def _touching(a: Any, b: Any) -> Any:
    """Which of both touches the other one, the solid."""
    if is_hollow(a) or is_hollow(b):
        return b if is_hollow(a) else a
    return b if rank(b) <= rank(a) else a


def _alike(a: Any, b: Any, slices: int) -> Pair | None:
    """Of the same kind: each touches the other."""
    if isinstance(a, Extruded):
        along = _prisms(a, b)
        return along_or_across(along, curved_prism_pair(a, b, False)) if along and by_support(a, b) else along
    one, other = touches(a, b, slices), touches(b, a, slices)
    if one is None or other is None:
        return one or (turned(other) if other else None)
    if slices and not isinstance(a, Box):
        return turned(other) if cut_of(a, b) is a else one
    return one if isinstance(a, Torus) else joined(one, turned(other))


def _prisms(a: Extruded, b: Extruded) -> Pair | None:
    """Contours touch each other where they are nearest; the sides of one that has corners that open outwards each by themselves."""
    numbers = side_numbers(a)
    if numbers == 1 and side_numbers(b) > 1:
        found = _prisms(b, a)
        return None if found is None else turned(found)
    if not a.profile.closed and not b.profile.closed:
        return None
    return reduce(joined, [_contours(a, b, i) for i in (range(numbers) if numbers > 1 else (-1,))])


def _contours(a: Extruded, b: Extruded, number: int) -> Pair:
    """Of two prisms, where those sides of a that have a number touch b; −1: all of them."""
    side = distance_extruded if number < 0 else side_of_extruded(number)
    one, other = Pair(contour_on(side)), turned(Pair(contour_on(distance_extruded, number)))
    if not a.profile.closed or not b.profile.closed:
        return one if b.profile.closed else other
    return nearer(one, other)


def cut_of(a: Any, b: Any) -> Any:
    """Which of two surfaces is cut into slices for line contact; of two alike the shorter one. None: neither."""
    alike = type(a) is type(b) and not is_hollow(a) and not is_hollow(b)
    found = min((a, b), key=lambda shape: extent_along(shape) or 0.0) if alike else _touching(a, b)
    return found if extent_along(found) else None


def extent_along(shape: Any) -> float | None:
    """Length along its axis of what can be cut into slices [m]; None of others."""
    if isinstance(shape, Cylinder | Cone):
        return float(shape.length)
    if isinstance(shape, Revolved):
        heights = [z for _, z in shape.profile.points]
        return float(max(heights) - min(heights))
    return None


def sizes_of(a: Any, b: Any, slices: int = 0) -> tuple[Packed, Packed]:
    """The numbers of both shapes, as the functions of `pair_of` read them."""
    if way := route(a, b):
        return packed_for(a, way), packed_for(b, way)
    if not slices and are_convex(a, b):
        return SURFACES[type(a)].pack(a), SURFACES[type(b)].pack(b)
    touching = _touching(a, b)
    alike = type(a) is type(b) and not is_hollow(a) and not is_hollow(b)
    flat = isinstance(a, Plane) or isinstance(b, Plane)
    found = []
    for shape in (a, b):
        surface = SURFACES[type(shape)]
        if surface.sliced and (alike or shape is touching):
            found.append(surface.pack(shape, slices or usual_slices(shape, flat)))
        else:
            found.append(surface.pack(shape))
    return found[0], found[1]


def records_of(a: Any, b: Any) -> tuple[type[Record], type[Record]]:
    """The records of these numbers."""
    own: list[Any] = [SURFACES[type(shape)].size for shape in (a, b)]
    way = route(a, b)
    if way == WITHIN:
        return (own[0], TrianglesSize) if is_hollow(a) else (TrianglesSize, own[1])
    if way:
        record = TrianglesSize if way == BY_FACETS else CurvedPrism
        return record, record
    return own[0], own[1]


def distances_of(a: Any, b: Any) -> tuple[Callable, Callable]:
    """The signed distances from both, of a record of `records_of` and a point."""
    way = route(a, b)
    if way == BY_FACETS:
        return distance_triangles, distance_triangles
    found = DISTANCES[type(a)], DISTANCES[type(b)]
    if way == WITHIN:
        return (found[0], distance_triangles) if is_hollow(a) else (distance_triangles, found[1])
    records: list[Any] = [SURFACES[type(shape)].size for shape in (a, b)]
    return (_of_own(found[0], records[0]), _of_own(found[1], records[1])) if way else found


@cache
def _of_own(distance: Callable, record: Any) -> Callable:
    """The distance from a curved prism as what it is."""

    def of_own(size, y):  # type: ignore[no-untyped-def]
        return distance(record(size.own), y)

    return of_own
