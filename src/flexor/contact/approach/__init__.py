"""How near two surfaces are.

Of each pair one is the *solid*, whose signed distance from a point is known (`flexor.contact.distance`), the other one touches it with what
it has of points, rings and lines:

| | with its |
| --- | --- |
| sphere | centre; in a corner of a contour two sides are touched |
| box, triangles | corners; those of many triangles in groups |
| torus | circle |
| cylinder, cone | wall and rims; its two rims on planes and in what is hollow |
| body of revolution | slices; its bulge and corners on planes |
| prism with a closed contour | that contour; its corners and bulges on planes |

Boxes, cylinders and cones touch each other where they are separated most (`separation`), and lie on each other with the corners of what their flat faces
share (`flats`). Triangulated surfaces, boxes and prisms touch each other as polyhedra (`polyhedra`). A sphere in what is hollow, or on a ring, touches both sides of the axis.

A new kind of shape is one more line in DISTANCES, and in one of the tables below if it has such features.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, reduce
from typing import Any

import numpy as np

from flexor.bodies.shape import Box, Cone, Cylinder, Extruded, Plane, Revolved, Sphere, Stl, Torus, Triangles
from flexor.contact.approach.along import end_of_walls, end_on_edge, end_on_prism, with_ends
from flexor.contact.approach.contour import contour_on, contours_on
from flexor.contact.approach.convex import Convex, box, ends_of_cone, ends_of_cylinder, frustum
from flexor.contact.approach.ends import beside_ends, ends_of_contour, ends_of_frustum, on_ends
from flexor.contact.approach.flats import (
    beside_flats,
    edges_on_edges,
    lying_on_edges,
    lying_on_rim,
    rim_on_edges,
    rim_on_rim,
    spots,
)
from flexor.contact.approach.line import frustum_on
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
    CurvedPrism,
    by_angle,
    by_facets,
    off_axis,
    packed_for,
    route,
)
from flexor.contact.approach.prism import groups_of, prism_on_plane
from flexor.contact.approach.profile import profile_on_plane
from flexor.contact.approach.rim import rims_on
from flexor.contact.approach.ring import (
    ring_of_contour,
    ring_of_cylinder,
    ring_of_torus,
    rings_on,
    rings_on_plane,
    slices_on_plane,
)
from flexor.contact.distance.box import distance_box
from flexor.contact.distance.contour import distance_contour
from flexor.contact.distance.cylinder import distance_cylinder, section_of_cylinder
from flexor.contact.distance.extruded import distance_extruded, side_of_extruded
from flexor.contact.distance.planar import opposite
from flexor.contact.distance.plane import distance_plane
from flexor.contact.distance.revolved import distance_revolved, side_of_revolved
from flexor.contact.distance.sphere import distance_sphere
from flexor.contact.distance.torus import distance_torus, section_of_torus
from flexor.contact.distance.triangles import distance_triangles
from flexor.contact.surfaces import SURFACES
from flexor.contact.surfaces.contour import ContourSize, bridged
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
"""Of bodies of revolution on what is no plane, if nobody tells how many."""

ALONG = np.radians(0.1)
"""Angle between axes up to which a cylinder lies along another surface [rad]."""

SOLIDS: dict[type, Convex] = {
    Box: box(),
    Cylinder: frustum(ends_of_cylinder),
    Cone: frustum(ends_of_cone),
}
"""Convex solids with flat faces."""

FRUSTA: dict[type, tuple[Callable, Callable]] = {
    Cylinder: (ends_of_cylinder, ring_of_cylinder),
    Cone: (ends_of_cone, ring_of_contour),
}
"""Of cylinders and cones radius and height of both rims, and these as rings."""

SECTIONS: dict[type, tuple[Callable, Callable]] = {
    Cylinder: (section_of_cylinder, lambda size: size.radius),
    Cone: (distance_contour, lambda size: size.extent),
    Revolved: (distance_contour, lambda size: size.extent),
    Torus: (section_of_torus, lambda size: size.ring),
}
"""Of solids of revolution the distance in the meridian, and their size."""


def pair_of(a: Any, b: Any, slices: int = 0, lines: bool = False) -> Pair | None:
    """How these shapes approach each other; None if that is not known.

    slices: into how many a cylinder, cone or body of revolution is cut along its axis for line contact; 0: as many places as they need.
    lines: with the ends of lines along which they lie on each other, which share the law with the nearest place (`flexor.contact.laws.line_share`).
    """
    way = route(a, b)
    if way == BY_FACETS:
        return by_facets(a, b)
    found = _pair_of(a, b, slices, lines and not slices)
    return by_angle(a, b, found) if way and found else found


def _pair_of(a: Any, b: Any, slices: int, lines: bool) -> Pair | None:
    """By what they are."""
    if isinstance(a, Sphere) and isinstance(b, Sphere):
        return None if a.inside and b.inside else Pair(approach_sphere_sphere)
    if _hollow(a) and _hollow(b):
        return None
    if type(a) in SOLIDS and type(b) in SOLIDS and not slices and not _hollow(a) and not _hollow(b):
        return _convex(a, b, lines)
    if type(a) is type(b) and not _hollow(a) and not _hollow(b):
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
    if _hollow(a) or _hollow(b):
        return b if _hollow(a) else a
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


def _convex(a: Any, b: Any, lines: bool) -> Pair:
    """Two boxes, cylinders or cones: where they are separated most, and the corners of what flat faces share."""
    if isinstance(b, Box) and not isinstance(a, Box):
        return turned(_convex(b, a, lines))
    A, B = SOLIDS[type(a)], SOLIDS[type(b)]
    nearest = beside_flats(A, B)
    end = None if isinstance(b, Box) else end_on_edge(A, B) if isinstance(a, Box) else end_of_walls(A, B)
    found = [
        with_ends(nearest, end) if lines and end else Pair(nearest),
        Pair(spots(A, B), 8),
        turned(Pair(spots(B, A, False), 8)),
    ]
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
    return reduce(joined, found)


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
    alike = type(a) is type(b) and not _hollow(a) and not _hollow(b)
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
    touching = _touching(a, b)
    alike = type(a) is type(b) and not _hollow(a) and not _hollow(b)
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
    if way := route(a, b):
        record = TrianglesSize if way == BY_FACETS else CurvedPrism
        return record, record
    return SURFACES[type(a)].size, SURFACES[type(b)].size


def distances_of(a: Any, b: Any) -> tuple[Callable, Callable]:
    """The signed distances from both, of a record of `records_of` and a point."""
    way = route(a, b)
    if way == BY_FACETS:
        return distance_triangles, distance_triangles
    found = DISTANCES[type(a)], DISTANCES[type(b)]
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


def refusal(a: Any, b: Any) -> str:
    """Why two shapes cannot touch, and what can be done."""
    if _hollow(a) and _hollow(b):
        return "both are touched from within; leave out inside: true of one of them"
    for one, other in ((a, b), (b, a)):
        if _hollow(one) and type(other) not in TOUCHING:
            return f"the {one.type} is touched from within, and a {other.type} has no end; leave out inside: true"
    known = ", ".join(dict.fromkeys(SURFACES[kind].name for kind in TOUCHING))
    return f"one of both must be of a kind that touches others: {known} (a prism with a closed contour)"


def left_out(a: Any, b: Any, lines: bool = False) -> tuple[str, str, str] | None:
    """What the approach of two shapes does not see: what, why, and what can be done; None: nothing.   lines: as of `pair_of`."""
    kinds = {type(a), type(b)}
    if not kinds & {Stl, Triangles}:
        return None
    if Extruded in kinds and not route(a, b):
        why = "edges that cross those of the prism are not seen: there both sink in until a corner meets a face"
        return "it finds contact by corners and faces", why, "put spheres or cylinders where edges may meet"
    for each in (a, b):
        if isinstance(each, Cylinder | Cone) and not _hollow(each):
            what = f"its {each.type} touches triangles with one place of its wall and rims, the nearest, and with their corners"
            why = "what stands on its end, or lies on several edges, is held at one of them and rocks"
            if lines:
                what = f"its {each.type} touches triangles with its wall and the nearest place of its rims, and with their corners"
                why = "what stands on its end is held at one place and rocks"
            return what, why, "let it touch a box, a plane or a prism, or give it as triangles"
    return None


def tilted(a: Any, b: Any, R: np.ndarray) -> tuple[float, float]:
    """Of an open prism, which touches others at one height: by which angle their axes are off each other [rad], and by how much their ends may overlap
    unseen [m]; R: axes of b's surface in a's.
    """
    if not (isinstance(a, Extruded) and isinstance(b, Extruded)) or _hollow(a) or _hollow(b) or route(a, b):
        return 0.0, 0.0
    sine = float(np.sqrt(max(off_axis(np.ravel(R), 0), 0.0)))
    return float(np.arcsin(min(sine, 1.0))), 0.5 * min(a.length, b.length) * sine


def lies_along(a: Any, b: Any, p: np.ndarray, R: np.ndarray) -> bool:
    """Whether a cylinder is beside another one, or a prism, with an axis parallel to its own, so that one place stands for a line; p, R: axes of b's surface in a's."""
    shapes = {type(a), type(b)}
    if Cylinder not in shapes or not shapes <= {Cylinder, Extruded} or _hollow(a) or _hollow(b):
        return False
    if abs(R[2, 2]) < np.cos(ALONG) or abs(p[2]) > 0.5 * (a.length + b.length):
        return False
    return Extruded in shapes or float(np.hypot(p[0], p[1])) > max(a.radius, b.radius)


def bridging(a: Any, b: Any) -> float:
    """How wide the hollow of a curved prism is that may lie on a plane with both sides of it [m]; 0: there is none."""
    shape = next((each for each in (a, b) if isinstance(each, Extruded)), None)
    if Plane not in {type(a), type(b)} or shape is None or shape.profile.kind == "lines":
        return 0.0
    return bridged(shape.profile)


def _hollow(shape: Any) -> bool:
    """Whether it is touched from within: then it cannot touch others. Triangles may be turned for other reasons."""
    return bool(getattr(shape, "inside", False)) and not isinstance(shape, Stl | Triangles)


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
        return Pair(rings_on(ring_of_torus, distance))
    if kind in FRUSTA and (type(solid) is not Plane or kind is Cylinder):
        return _frustum(solid, b, distance, slices, lines)
    if kind is Cone or kind is Revolved:
        count = slices or _usual_slices(b, type(solid) is Plane)
        rings = int(ContourSize(SURFACES[kind].pack(b, count).words).slices)
        if type(solid) is not Plane:
            found = Pair(rings_on(ring_of_contour, distance), rings)
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
        return Pair(contours_on(distance), 2) if _hollow(solid) else Pair(contour_on(distance))
    count = int(TrianglesSize(SURFACES[kind].pack(b).words).corners)
    return Pair(corners_on(distance), min(count, MOST_CORNERS)) if count else None


def _frustum(solid: Any, b: Any, distance: Callable, slices: int, lines: bool) -> Pair:
    """A cylinder, or a cone on what is no plane."""
    ends, ring = FRUSTA[type(b)]
    if type(solid) is Plane:
        return Pair(slices_on_plane(ring), slices) if slices else Pair(rings_on_plane(ring), 8)
    if slices:
        return Pair(rings_on(ring, distance), slices)
    rims = Pair(rings_on(ring, distance), 2)
    if type(solid) in FRUSTA and _hollow(solid):  # the edges of the bore on what goes through it
        return joined(rims, turned(Pair(rings_on(FRUSTA[type(solid)][1], DISTANCES[type(b)]), 2)))
    if _hollow(solid):
        wall = Pair(frustum_on(ends, distance))
        return joined(wall, rims) if isinstance(solid, Revolved) and len(solid.profile.points) > 2 else rims

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


def _and_on_ends(found: Pair, solid: Any, b: Any) -> Pair:
    """A body of revolution or a prism, as on a plane, on the flat ends of what touches it."""
    flat = None if _hollow(solid) else _touches(Plane(), solid, 0)
    if flat is None or type(solid) not in (Revolved, Extruded) or (isinstance(b, Revolved) and b.profile.closed):
        return found
    ends = ends_of_frustum if isinstance(b, Cylinder) else ends_of_contour
    return joined(found, turned(Pair(on_ends(flat.function, ends, DISTANCES[type(b)]), flat.places)))


def _and_opposite(pair: Pair, solid: Any) -> Pair:
    """A sphere touches what is hollow, or a ring, on both sides of the axis."""
    ring = isinstance(solid, Torus) or (isinstance(solid, Revolved) and solid.profile.closed)
    if type(solid) not in SECTIONS or not (ring or _hollow(solid)):
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
    return reduce(joined, [touching(side(i)) for i in range(numbers)])
