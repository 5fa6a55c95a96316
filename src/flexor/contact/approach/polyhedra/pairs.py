"""Boxes, prisms and triangulated surfaces on each other: as polyhedra, or curved prisms along parallel axes by their contours."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from flexor.bodies.shape import Box, Extruded, Stl, Triangles
from flexor.contact.approach.convex.flats import FLAT
from flexor.contact.approach.convex.prism import prism
from flexor.contact.approach.convex.separation import apart_of
from flexor.contact.approach.pair import AXES, ORIGIN, SurfacePair, far, plain, plain_axes, turned
from flexor.contact.approach.polyhedra.faceted import faceted, places_of, searched, told
from flexor.contact.surfaces import SURFACES
from flexor.contact.surfaces.contour import is_convex_prism
from flexor.contact.surfaces.facets import chord, facets_of
from flexor.contact.surfaces.surface import is_hollow
from flexor.contact.surfaces.triangles import TrianglesSize
from flexor.law.primitives import called
from flexor.law.record import Packed, Record, tail
from flexor.law.tuples import dot, neg, scale, sub

PARALLEL = 1e-3
"""Angle between the axes of curved prisms, or a prism and a box, up to which their contours touch [rad]; beyond it facets do."""
STACKED = 0.05
"""Overlap along parallel axes, in parts of half of the shorter one, up to which ends stand on each other: those that are not convex do so as polyhedra."""
BY_FACETS, BY_ANGLE, WITHIN = 1, 2, 3


class CurvedPrism(Record):
    """A prism, or a box, as what it is and as a polyhedron."""

    own = tail("its numbers")
    facets = tail("those of a triangulated surface")


def route(a: Any, b: Any) -> int:
    """How two shapes touch: BY_FACETS, BY_ANGLE that way or by their contours, WITHIN what is hollow with corners and edges; 0: as others do."""
    if is_hollow(a) != is_hollow(b):
        other = b if is_hollow(a) else a
        return WITHIN if _has_faces(other) and not _is_curved(other) else 0
    if not all(_has_faces(shape) for shape in (a, b)) or (isinstance(a, Box) and isinstance(b, Box)):
        return 0
    if by_support(a, b):
        return 0
    straight = not any(map(_is_curved, (a, b)))
    return BY_FACETS if straight or isinstance(a, Stl | Triangles) or isinstance(b, Stl | Triangles) else BY_ANGLE


def by_support(a: Any, b: Any) -> bool:
    """Whether two prisms, or a prism and a box, are convex solids, one of them curved: they touch where they are separated most."""
    convex = all(isinstance(shape, Box) or (isinstance(shape, Extruded) and is_convex_prism(shape)) for shape in (a, b))
    return convex and any(map(_is_curved, (a, b)))


def _has_faces(shape: Any) -> bool:
    if isinstance(shape, Extruded):
        return bool(shape.profile.closed and not shape.inside)
    return isinstance(shape, Box | Stl | Triangles)


def _is_curved(shape: Any) -> bool:
    return isinstance(shape, Extruded) and shape.profile.kind != "lines"


def by_facets(a: Any, b: Any) -> SurfacePair:
    """As polyhedra; that one has places for its edges which has fewer of them."""
    A, B = (TrianglesSize(facets_of(shape).words) for shape in (a, b))
    if (B.edges, B.corners) > (A.edges, A.corners):
        return turned(SurfacePair(faceted, places_of(B, A), searched, told))
    return SurfacePair(faceted, places_of(A, B), searched, told)


def by_angle(a: Any, b: Any, contours: SurfacePair) -> SurfacePair:
    """Curved prisms: contours along parallel axes, else facets."""
    facets = by_facets(a, b)
    records: list[Any] = [SURFACES[type(shape)].size for shape in (a, b)]
    boxes = 1 if isinstance(a, Box) else 2 if isinstance(b, Box) else 0
    function = _by_angle(contours.function, facets.function, contours.places, *records, boxes)
    return SurfacePair(function, contours.places + facets.places)


def along_or_across(along: SurfacePair, across: SurfacePair) -> SurfacePair:
    """Of two convex prisms: their contours where these touch side by side along parallel axes, another way elsewhere."""
    function = _along_or_across(along.function, across.function, along.places)
    return SurfacePair(function, along.places + across.places)


@cache
def _along_or_across(along: Callable, across: Callable, places: int) -> Callable:
    solid = prism()
    apart, placed, middle, face, faces = apart_of(solid, solid), solid.placed, solid.middle, solid.face, solid.faces

    @called
    def flat_on_flat(A, B):  # type: ignore[no-untyped-def]
        """How far they are separated along a flat side of A that looks at one of B; −1e300: none does"""
        best = -1e300
        for i in range(2, faces(A)):
            n = face(A, i)
            for j in range(2, faces(B)):
                if dot(n, face(B, j)) < -FLAT:
                    best = max(best, apart(A, B, n))
        return best

    @called
    def side_by_side(a, b, p, R):  # type: ignore[no-untyped-def]
        """Whether they are separated more across their axes than along them, and no flat side lies on another one; plain numbers"""
        A, B = placed(a, ORIGIN, AXES), placed(b, p, R)
        ends, flat = max(apart(A, B, A[2]), apart(A, B, neg(A[2]))), flat_on_flat(A, B)
        way = sub(middle(B), middle(A))
        long = way[0] * way[0] + way[1] * way[1]
        towards = apart(A, B, scale(long**-0.5, (way[0], way[1], 0.0 * long))) if long > 0.0 else -1e300
        if flat > ends and flat >= towards:
            return False
        if towards > ends:
            return True
        _, n, _ = along(a, b, p, R, 0)
        return abs(n[2]) < 0.5 and apart(A, B, n) > max(ends, flat)

    @called
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        beside = off_axis(R, 0) < PARALLEL * PARALLEL and side_by_side(a, b, plain(p), plain_axes(R))
        if k < places and beside:
            return along(a, b, p, R, k)
        if k < places or beside:
            return far(p, R)
        return across(a, b, p, R, k - places)

    return approach


def _half_of_prism(size, u):
    """Half of its length"""
    return size.half


def _half_of_box(size, u):
    """Half of its side that is nearest to a direction"""
    x, y, z = abs(u[0]), abs(u[1]), abs(u[2])
    return size.half[0] if x > max(y, z) else size.half[1] if y > z else size.half[2]


@cache
def _by_angle(contours: Callable, facets: Callable, places: int, of_a: Any, of_b: Any, boxes: int) -> Callable:
    half_a = _half_of_box if boxes == 1 else _half_of_prism
    half_b = _half_of_box if boxes == 2 else _half_of_prism

    @called
    def side_by_side(a, b, p, R):  # type: ignore[no-untyped-def]
        """Whether axes are parallel, and the solids do not stand on each other with their ends; plain numbers"""
        u, v = ((R[2], R[5], R[8]), (0.0, 0.0, 1.0)) if boxes == 1 else ((0.0, 0.0, 1.0), (R[6], R[7], R[8]))
        one, other = half_a(a, u), half_b(b, v)
        return off_axis(R, boxes) < PARALLEL * PARALLEL and one + other - abs(dot(p, u)) > STACKED * min(one, other)

    @called
    def approach(a, b, p, R, k):  # type: ignore[no-untyped-def]
        along = side_by_side(of_a(a.own), of_b(b.own), plain(p), plain_axes(R))
        if k < places:
            if along:
                return contours(of_a(a.own), of_b(b.own), p, R, k)
            return far(p, R)
        if along:
            return far(p, R)
        return facets(TrianglesSize(a.facets), TrianglesSize(b.facets), p, R, k - places)

    return approach


def off_axis(R, boxes):
    """Square of the sine between the axes of two prisms, or of a prism and that of a box which is nearest; boxes: 1 if a is one, 2 if b is"""
    most = R[8] * R[8]
    if boxes == 1:
        most = max(most, max(R[2] * R[2], R[5] * R[5]))
    if boxes == 2:
        most = max(most, max(R[6] * R[6], R[7] * R[7]))
    return 1.0 - most


def packed_for(shape: Any, way: int) -> Packed:
    """The numbers of a shape for a route."""
    if way == WITHIN and is_hollow(shape):
        return SURFACES[type(shape)].pack(shape)
    if way != BY_ANGLE:
        return facets_of(shape)
    return CurvedPrism.pack(own=SURFACES[type(shape)].pack(shape).words, facets=facets_of(shape).words)


def faceted_by(a: Any, b: Any, R: np.ndarray) -> float:
    """How far the facets by which curved prisms touch at this angle may be from them [m]; 0: they touch by what they are."""
    way = route(a, b)
    boxes = 1 if isinstance(a, Box) else 2 if isinstance(b, Box) else 0
    if way not in (BY_FACETS, BY_ANGLE) or (way == BY_ANGLE and off_axis(np.ravel(R), boxes) < PARALLEL**2):
        return 0.0
    return sum(chord(shape.profile) for shape in (a, b) if isinstance(shape, Extruded))
