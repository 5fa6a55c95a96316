"""How one surface touches a solid with what it has of points, rings and lines.

A new kind of shape is a line in TOUCHING, and a case of `touches`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from flexor.bodies.shape import Box, Cone, Cylinder, Extruded, Plane, Revolved, Sphere, Stl, Torus, Triangles
from flexor.contact.approach.convex.pairs import FRUSTA
from flexor.contact.approach.hollow.within import ends_within, rims_within
from flexor.contact.approach.lines.along import end_on_prism, with_ends
from flexor.contact.approach.lines.ends import beside_ends, ends_of_contour, ends_of_frustum, on_ends
from flexor.contact.approach.lines.line import between_rims, frustum_on
from flexor.contact.approach.lines.overhang import end_over_border, off_border
from flexor.contact.approach.pair import SurfacePair as Pair
from flexor.contact.approach.pair import joined, turned
from flexor.contact.approach.point import (
    MOST_CORNERS,
    approach_plane_sphere,
    corner_of_box,
    corners_on,
    points_on,
    sphere_on,
)
from flexor.contact.approach.profiles.contour import contour_on
from flexor.contact.approach.profiles.cut import beside_cut
from flexor.contact.approach.profiles.prism import groups_of, prism_on_plane
from flexor.contact.approach.profiles.profile import profile_on_plane
from flexor.contact.approach.rings.rim import rims_on
from flexor.contact.approach.rings.ring import (
    later,
    ring_of_contour,
    ring_of_cylinder,
    ring_of_torus,
    rings_on,
    rings_on_plane,
    slices_on_plane,
)
from flexor.contact.approach.rings.ring_on_face import (
    POINTS,
    beside_places,
    nearest_beside_places,
    places_on,
    square_to_any,
    square_to_box,
    square_to_ends,
)
from flexor.contact.approach.rings.two_of_ring import two_of_rings
from flexor.contact.distance.extruded import number_on_extruded, side_of_extruded
from flexor.contact.distance.kinds import DISTANCES, SECTIONS
from flexor.contact.distance.planar import opposite
from flexor.contact.distance.revolved import side_of_revolved
from flexor.contact.surfaces import SURFACES
from flexor.contact.surfaces.contour import ContourSize
from flexor.contact.surfaces.surface import is_hollow
from flexor.contact.surfaces.triangles import TrianglesSize

TOUCHING: tuple[type, ...] = (Sphere, Torus, Cylinder, Cone, Revolved, Extruded, Box, Stl, Triangles)
"""What can touch a solid, those first that do so with the least: of a pair the earlier one touches the later one."""

CORNERED = (Box, Stl, Triangles)
"""What touches others with its corners."""

SLICES = 16
"""Of bodies of revolution on what is no plane, if nobody tells how many; of convex ones on what is curved or not convex alone."""


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


def usual_slices(shape: Any, flat: bool) -> int:
    """Of what touches a plane (flat), or another solid; negative: with the corners and ends of its profile."""
    return -SLICES if isinstance(shape, Revolved) and not flat else 0


def rank(shape: Any) -> int:
    kind = type(shape)
    return TOUCHING.index(kind) if kind in TOUCHING else len(TOUCHING)


def touches(solid: Any, b: Any, slices: int, lines: bool = False) -> Pair | None:
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
        count = slices or usual_slices(b, type(solid) is Plane)
        rings = int(ContourSize(SURFACES[kind].pack(b, count).words).slices)
        if type(solid) is not Plane:
            found = Pair(rings_on(ring_of_contour, distance), rings)
            if not slices:  # its corners are the last of them
                sliced = 2 * SLICES if kind is Revolved and b.profile.closed else SLICES
                found = joined(
                    Pair(two_of_rings(ring_of_contour, distance), 2 * sliced),
                    _rings(solid, later(ring_of_contour, sliced), rings - sliced),
                )
            return _and_on_ends(found, solid, b) if isinstance(solid, Extruded) and not slices else found
        if slices:
            return Pair(slices_on_plane(ring_of_contour), rings)
        if kind is Cone or b.profile.kind == "lines":
            return Pair(rings_on_plane(ring_of_contour), 4 * rings)
        return Pair(profile_on_plane, 4 + 4 * rings + _lobes(b))
    if kind is Extruded:
        if not b.profile.closed:
            return None
        if type(solid) is Plane:
            curved = b.profile.kind != "lines"
            corners = groups_of(ContourSize(SURFACES[kind].pack(b).words))
            return Pair(prism_on_plane(curved), 2 * corners + (8 + 2 * _lobes(b) if curved else 0))
        if is_hollow(solid):
            return reduce(joined, [Pair(ends_within(distance, True), 2), *_mouths(solid, b)])
        return Pair(contour_on(distance))
    count = int(TrianglesSize(SURFACES[kind].pack(b).words).corners)
    return Pair(corners_on(distance), min(count, MOST_CORNERS)) if count else None


def _lobes(b: Any) -> int:
    return int(ContourSize(SURFACES[type(b)].pack(b).words).lobes)


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

    level = places_on(ring, distance, square_to_ends)  # its rims on flat ends and shoulders of what is no convex body

    def on_side(side: Callable) -> Pair:
        nearest, rim = frustum_on(ends, side), rims_on(ends, side)
        if isinstance(solid, Revolved | Extruded | Stl | Triangles):
            nearest = beside_ends(nearest, rim, ends, DISTANCES[type(b)], side)
        if isinstance(solid, Revolved):
            nearest = beside_places(nearest, level, 2 * POINTS)
        if not lines or not isinstance(solid, Extruded | Stl | Triangles):
            return Pair(nearest)
        if isinstance(b, Cone):
            return with_ends(nearest, rim)
        end = end_on_prism(ends, side) if isinstance(solid, Extruded) else end_over_border(rim, side, False)
        return with_ends(off_border(nearest, end), end)

    found = _with_corners(on_side(distance), solid, on_side)
    if isinstance(solid, Revolved):
        found = joined(found, Pair(level, 2 * POINTS))
    return _and_on_ends(found, solid, b)


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
    flat = None if is_hollow(solid) else touches(Plane(), solid, 0)
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


def side_numbers(solid: Any) -> int:
    """How many numbers the sides of its contour have; 1: it has no corner that opens outwards."""
    if not isinstance(solid, Revolved | Extruded):
        return 1
    size = ContourSize(SURFACES[type(solid)].pack(solid).words)
    return 1 + int(max(size.sides[i] for i in range(size.count)))


def _with_corners(pair: Pair, solid: Any, touching: Callable) -> Pair:
    """A place for each side of the contour of a solid, where it has corners that open outwards: in them both sides touch."""
    numbers = side_numbers(solid)
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
