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

Convex solids – boxes, cylinders, cones, convex bodies of revolution, and these on convex prisms and triangulated solids with few flat faces – touch each other where they are separated most, and lie on
each other with the corners of what their flat faces share (`convex_pairs`). Triangulated surfaces, boxes and prisms touch each other as polyhedra (`polyhedra`). A sphere in what is hollow, or on a ring, touches
both sides of the axis. What is not seen is told (`limits`, `flexor.contact.unseen`).

A new kind of shape is one more line in DISTANCES, and in one of the tables below if it has such features.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, reduce
from typing import Any

from flexor.bodies.shape import Box, Cone, Cylinder, Extruded, Plane, Revolved, Sphere, Stl, Torus, Triangles
from flexor.contact.approach.along import end_on_prism, with_ends
from flexor.contact.approach.contour import contour_on
from flexor.contact.approach.convex_pairs import (
    FRUSTA,
    ROUND,
    are_convex,
    convex_pair,
    is_hollow,
    on_polyhedron,
    polyhedron_pair,
)
from flexor.contact.approach.cut import beside_cut
from flexor.contact.approach.ends import beside_ends, ends_of_contour, ends_of_frustum, on_ends
from flexor.contact.approach.line import between_rims, frustum_on
from flexor.contact.approach.mouth import (
    MOST_EDGES,
    juts,
    mouths_of_contour,
    mouths_of_cylinder,
    on_rims,
)
from flexor.contact.approach.mouth import on_ends as on_ends_of_slot
from flexor.contact.approach.overhang import end_over_border, off_border
from flexor.contact.approach.pair import SurfacePair as Pair
from flexor.contact.approach.pair import joined, nearer, turned
from flexor.contact.approach.point import (
    MOST_CORNERS,
    approach_plane_sphere,
    approach_sphere_sphere,
    corner_of_box,
    corners_on,
    points_on,
    sphere_on,
)
from flexor.contact.approach.polyhedra import (
    BY_FACETS,
    WITHIN,
    CurvedPrism,
    by_angle,
    by_facets,
    packed_for,
    route,
)
from flexor.contact.approach.prism import groups_of, prism_on_plane
from flexor.contact.approach.profile import profile_on_plane
from flexor.contact.approach.rim import rims_on
from flexor.contact.approach.ring import (
    later,
    ring_of_contour,
    ring_of_cylinder,
    ring_of_torus,
    rings_on,
    rings_on_plane,
    slices_on_plane,
)
from flexor.contact.approach.ring_on_face import (
    POINTS,
    nearest_beside_places,
    places_on,
    square_to_any,
    square_to_box,
    square_to_ends,
)
from flexor.contact.approach.two_of_ring import two_of_rings
from flexor.contact.approach.within import ends_within, rims_within
from flexor.contact.distance.box import distance_box
from flexor.contact.distance.contour import distance_contour
from flexor.contact.distance.cylinder import distance_cylinder, section_of_cylinder
from flexor.contact.distance.extruded import distance_extruded, number_on_extruded, side_of_extruded
from flexor.contact.distance.planar import opposite
from flexor.contact.distance.plane import distance_plane
from flexor.contact.distance.revolved import distance_revolved, side_of_revolved
from flexor.contact.distance.sphere import distance_sphere
from flexor.contact.distance.torus import distance_torus, section_of_torus
from flexor.contact.distance.triangles import distance_triangles
from flexor.contact.surfaces import SURFACES
from flexor.contact.surfaces.contour import ContourSize
from flexor.contact.surfaces.facets import facets_of
from flexor.contact.surfaces.triangles import TrianglesSize
from flexor.law.record import Packed, Record

DISTANCES: dict[type, Callable] = {
    Plane: distance_plane,
    Sphere: distance_sphere,
    Box: distance_box,
    Cylinder: distance_cylinder,
    Torus: distance_torus,
    Cone: distance_revolved,
    Revolved: distance_revolved,
    Extruded: distance_extruded,
    Stl: distance_triangles,
    Triangles: distance_triangles,
}
"""Signed distance of a point from each kind of solid."""

TOUCHING: tuple[type, ...] = (Sphere, Torus, Cylinder, Cone, Revolved, Extruded, Box, Stl, Triangles)
"""What can touch a solid, those first that do so with the least: of a pair the earlier one touches the later one."""

CORNERED = (Box, Stl, Triangles)
"""What touches others with its corners."""

SLICES = 16
"""Of bodies of revolution on what is no plane, if nobody tells how many; of convex ones on what is curved or not convex alone."""


SECTIONS: dict[type, tuple[Callable, Callable]] = {
    Cylinder: (section_of_cylinder, lambda size: size.radius),
    Cone: (distance_contour, lambda size: size.extent),
    Revolved: (distance_contour, lambda size: size.extent),
    Torus: (section_of_torus, lambda size: size.ring),
}
"""Of solids of revolution the distance in the meridian, and their size."""


SQUARE_TO: dict[type, Callable] = {
    Box: square_to_box,
    Cylinder: square_to_ends,
    Cone: square_to_ends,
    Revolved: square_to_ends,
    Extruded: square_to_any,
    Stl: square_to_any,
    Triangles: square_to_any,
}
"""Of solids with flat faces: whether a ring about an axis may lie on one."""


def pair_of(a: Any, b: Any, slices: int = 0, lines: bool = False) -> Pair | None:
    """How these shapes approach each other; None if that is not known.

    slices: into how many a cylinder, cone or body of revolution is cut along its axis for line contact; 0: as many places as they need.
    lines: with the ends of lines along which they lie on each other, which share the law with the nearest place (`flexor.contact.laws.line_share`).
    """
    way = route(a, b)
    if way == BY_FACETS:
        return by_facets(a, b)
    if way == WITHIN:
        return _within(a, b) if is_hollow(a) else turned(_within(b, a))
    found = _pair_of(a, b, slices, lines and not slices)
    return by_angle(a, b, found) if way and found else found


def _within(solid: Any, b: Any) -> Pair:
    """What has straight edges in what is hollow: with its corners, and with its edges across the rims of that."""
    distance, size = DISTANCES[type(solid)], TrianglesSize(facets_of(b).words)
    corners = Pair(corners_on(distance), min(int(size.corners), MOST_CORNERS))
    if type(solid) not in MOUTHS:
        return corners
    mouth_of, count = MOUTHS[type(solid)]
    rims, edges = count(solid), min(int(size.edges), MOST_EDGES)
    if not rims:
        return corners
    crossing = on_rims(mouth_of, distance, rims) if mouth_of else on_ends_of_slot(distance)
    return joined(corners, Pair(crossing, 2 * rims * edges))


def _rims_of_contour(solid: Any) -> int:
    """How many sharp edges about its axis a hollow body of revolution has."""
    size = ContourSize(SURFACES[type(solid)].pack(solid).words)
    return sum(bool(juts(size, i)) for i in range(size.count - (0 if size.closed else 1)))


MOUTHS: dict[type, tuple[Callable | None, Callable]] = {
    Cylinder: (mouths_of_cylinder, lambda solid: 2),
    Extruded: (None, lambda solid: 2),
    Cone: (mouths_of_contour, _rims_of_contour),
    Revolved: (mouths_of_contour, _rims_of_contour),
}
"""Of what is hollow its sharp rims about an axis, and how many it has; of a slot its contour at both ends."""


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
    if type(a) is type(b) and not is_hollow(a) and not is_hollow(b):
        return _alike(a, b, slices)
    if _touching(a, b) is a:
        found = _pair_of(b, a, slices, lines)
        return None if found is None else turned(found)
    found = _touches(a, b, slices, lines)
    if found is None or slices or not isinstance(a, CORNERED) or isinstance(b, Sphere | Torus):
        return found
    corners = _touches(b, a, 0)  # its corners touch what the features of b do not show: flat ends
    return found if corners is None else joined(found, turned(corners))


def _touching(a: Any, b: Any) -> Any:
    """Which of both touches the other one, the solid."""
    if is_hollow(a) or is_hollow(b):
        return b if is_hollow(a) else a
    return b if _rank(b) <= _rank(a) else a


def _alike(a: Any, b: Any, slices: int) -> Pair | None:
    """Of the same kind: each touches the other."""
    if isinstance(a, Extruded):
        return _prisms(a, b)
    one, other = _touches(a, b, slices), _touches(b, a, slices)
    if one is None or other is None:
        return one or (turned(other) if other else None)
    if slices and not isinstance(a, Box):
        return turned(other) if cut_of(a, b) is a else one
    return one if isinstance(a, Torus) else joined(one, turned(other))


def _prisms(a: Extruded, b: Extruded) -> Pair | None:
    """Contours touch each other where they are nearest; the sides of one that has corners that open outwards each by themselves."""
    numbers = _side_numbers(a)
    if numbers == 1 and _side_numbers(b) > 1:
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
            found.append(surface.pack(shape, slices or _usual_slices(shape, flat)))
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


def _usual_slices(shape: Any, flat: bool) -> int:
    """Of what touches a plane (flat), or another solid; negative: with the corners and ends of its profile."""
    return -SLICES if isinstance(shape, Revolved) and not flat else 0


def _rank(shape: Any) -> int:
    kind = type(shape)
    return TOUCHING.index(kind) if kind in TOUCHING else len(TOUCHING)


def _touches(solid: Any, b: Any, slices: int, lines: bool = False) -> Pair | None:
    """How b touches a solid."""
    kind, distance = type(b), DISTANCES.get(type(solid))
    if distance is None or kind not in TOUCHING:
        return None
    if kind is Sphere:
        if type(solid) is Plane:
            return Pair(approach_plane_sphere)
        return _and_opposite(_with_corners(Pair(sphere_on(distance)), solid, lambda side: Pair(sphere_on(side))), solid)
    if kind is Box:
        return Pair(points_on(corner_of_box, distance), 8)
    if kind is Torus:
        if type(solid) is Plane:
            return Pair(rings_on_plane(ring_of_torus), 4)
        return _rings(solid, ring_of_torus, 1)
    if kind in FRUSTA and (type(solid) is not Plane or kind is Cylinder):
        return _frustum(solid, b, distance, slices, lines)
    if kind is Cone or kind is Revolved:
        count = slices or _usual_slices(b, type(solid) is Plane)
        rings = int(ContourSize(SURFACES[kind].pack(b, count).words).slices)
        if type(solid) is not Plane:
            found = Pair(rings_on(ring_of_contour, distance), rings)
            if not slices:  # its corners are the last of them
                found = joined(
                    Pair(two_of_rings(ring_of_contour, distance), 2 * SLICES),
                    _rings(solid, later(ring_of_contour, SLICES), rings - SLICES),
                )
            return _and_on_ends(found, solid, b) if isinstance(solid, Extruded) and not slices else found
        if slices:
            return Pair(slices_on_plane(ring_of_contour), rings)
        if kind is Cone or b.profile.kind == "lines":
            return Pair(rings_on_plane(ring_of_contour), 4 * rings)
        return Pair(profile_on_plane, 4 + 4 * rings)
    if kind is Extruded:
        if not b.profile.closed:
            return None
        if type(solid) is Plane:
            curved = b.profile.kind != "lines"
            corners = groups_of(ContourSize(SURFACES[kind].pack(b).words))
            return Pair(prism_on_plane(curved), 2 * corners + (8 if curved else 0))
        if is_hollow(solid):
            return reduce(joined, [Pair(ends_within(distance, True), 2), *_mouths(solid, b)])
        return Pair(contour_on(distance))
    count = int(TrianglesSize(SURFACES[kind].pack(b).words).corners)
    return Pair(corners_on(distance), min(count, MOST_CORNERS)) if count else None


def _rings(solid: Any, ring: Callable, count: int) -> Pair:
    """Rings of the same kind: their two nearest points; on flat faces they lie as on a plane."""
    distance = DISTANCES[type(solid)]
    if type(solid) not in SQUARE_TO:
        return Pair(two_of_rings(ring, distance), 2 * count)
    square_to = SQUARE_TO[type(solid)]
    return joined(
        Pair(nearest_beside_places(ring, distance, square_to), 2 * count),
        Pair(places_on(ring, distance, square_to), POINTS * count),
    )


def _frustum(solid: Any, b: Any, distance: Callable, slices: int, lines: bool) -> Pair:
    """A cylinder, or a cone on what is no plane."""
    ends, ring = FRUSTA[type(b)]
    if type(solid) is Plane:
        return Pair(slices_on_plane(ring), slices) if slices else Pair(rings_on_plane(ring), 8)
    if slices:
        return Pair(rings_on(ring, distance), slices)
    if is_hollow(solid):
        rims = reduce(joined, [Pair(rims_within(ring, distance, True), 2), *_mouths(solid, b)])
        if not isinstance(solid, Extruded) and not (isinstance(solid, Revolved) and len(solid.profile.points) > 2):
            return rims
        return joined(Pair(between_rims(frustum_on(ends, distance), rims.function, rims.places)), rims)

    def on_side(side: Callable) -> Pair:
        nearest, rim = frustum_on(ends, side), rims_on(ends, side)
        if isinstance(solid, Revolved | Extruded | Stl | Triangles):
            nearest = beside_ends(nearest, rim, ends, DISTANCES[type(b)], side)
        if not lines or not isinstance(solid, Extruded | Stl | Triangles):
            return Pair(nearest)
        if isinstance(b, Cone):
            return with_ends(nearest, rim)
        end = end_on_prism(ends, side) if isinstance(solid, Extruded) else end_over_border(rim, side, False)
        return with_ends(off_border(nearest, end), end)

    return _and_on_ends(_with_corners(on_side(distance), solid, on_side), solid, b)


def _mouths(solid: Any, b: Any) -> list[Pair]:
    """The edges of a bore or slot on what goes through it."""
    if isinstance(solid, Extruded) and solid.profile.closed:
        return [turned(Pair(ends_within(DISTANCES[type(b)], False), 2))]
    if not isinstance(solid, Cylinder | Cone | Revolved) or (isinstance(solid, Revolved) and solid.profile.closed):
        return []
    ring = ring_of_cylinder if isinstance(solid, Cylinder) else ring_of_contour
    count = 2 if isinstance(solid, Cylinder) else int(ContourSize(SURFACES[type(solid)].pack(solid).words).slices)
    return [turned(Pair(rims_within(ring, DISTANCES[type(b)], False, count - 1), count))]


def _and_on_ends(found: Pair, solid: Any, b: Any) -> Pair:
    """A body of revolution or a prism, as on a plane, on the flat ends of what touches it."""
    flat = None if is_hollow(solid) else _touches(Plane(), solid, 0)
    if flat is None or type(solid) not in (Revolved, Extruded) or (isinstance(b, Revolved) and b.profile.closed):
        return found
    ends = ends_of_frustum if isinstance(b, Cylinder) else ends_of_contour
    return joined(
        found, turned(Pair(on_ends(flat.function, ends, DISTANCES[type(b)], DISTANCES[type(solid)]), flat.places))
    )


def _and_opposite(pair: Pair, solid: Any) -> Pair:
    """A sphere touches what is hollow, or a ring, on both sides of the axis."""
    ring = isinstance(solid, Torus) or (isinstance(solid, Revolved) and solid.profile.closed)
    if type(solid) not in SECTIONS or not (ring or is_hollow(solid)):
        return pair
    return joined(pair, Pair(sphere_on(opposite(*SECTIONS[type(solid)]))))


def _side_numbers(solid: Any) -> int:
    """How many numbers the sides of its contour have; 1: it has no corner that opens outwards."""
    if not isinstance(solid, Revolved | Extruded):
        return 1
    size = ContourSize(SURFACES[type(solid)].pack(solid).words)
    return 1 + int(max(size.sides[i] for i in range(size.count)))


def _with_corners(pair: Pair, solid: Any, touching: Callable) -> Pair:
    """A place for each side of the contour of a solid, where it has corners that open outwards: in them both sides touch."""
    numbers = _side_numbers(solid)
    if numbers == 1:
        return pair
    side = side_of_revolved if isinstance(solid, Revolved) else side_of_extruded
    sides = [touching(side(i)) for i in range(numbers)]
    if (
        isinstance(solid, Extruded)
        and ContourSize(SURFACES[Extruded].pack(solid).words).concave == 1
        and pair.lines == sides[0].lines
    ):
        sides = [_beside_cut(pair, each, i) for i, each in enumerate(sides)]
    return reduce(joined, sides)


def _beside_cut(whole: Pair, sided: Pair, number: int) -> Pair:
    return Pair(beside_cut(whole.function, sided.function, number, number_on_extruded), sided.places, lines=sided.lines)
