"""Surfaces whose section is a plane curve of lines, arcs and cubics: cones, bodies of revolution, prisms."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from flexor.bodies.shape import Cone, Extruded, Revolved
from flexor.contact.surfaces.contour_tree import tree_of
from flexor.contact.surfaces.convex_profile import ConvexProfile, convex_profile
from flexor.contact.surfaces.facets import facets_of, polygon
from flexor.contact.surfaces.lobes import lobes_of
from flexor.contact.surfaces.slices import heights, rings
from flexor.contact.surfaces.surface import Surface, along_axis, as_oriented
from flexor.contact.surfaces.triangles import TrianglesSize
from flexor.coordinates.curve import LINE, Piece, curvature, point_and_tangent
from flexor.coordinates.polygon import area, hull
from flexor.coordinates.profile import Profile
from flexor.coordinates.profile_pieces import line
from flexor.law.record import Packed, Record, integer, number, tail

FAR = 1e3
"""Length by which an open curve goes on straight, in parts of its extent."""
CORNER = 0.02
"""Angle at which a corner that opens towards the free side is one [rad]."""
SAME = 1e-9
"""Distance, in parts of the extent, that is none."""
BENDS, WIDTHS = 17, 64
"""Places of a piece at which it must not bend inwards; directions along which the width of a contour is looked at."""


class ContourSize(Record):
    """A curve with a solid on one side, and what is made of it."""

    side = number("the free one: 1 to the left of its direction, −1 to the right")
    closed = integer("1: its end is its begin")
    extent = number("of the whole", "m")
    half = number("half of the length of a prism", "m")
    slices = integer("rings in which it touches: slices for line contact, or the corners of its contour")
    count = integer("pieces")
    pieces = tail("each a Piece")
    nodes = tail(
        "tree of the pieces, node by node: circle around them (3), the node behind all below it, its piece or −1", "m"
    )
    concave = integer("corners that open towards the free side: there two sides touch at a time")
    sides = tail(
        "number of the side that each piece belongs to, from one such corner to the next: 0, 1 or 2, of neighbours not the same"
    )
    rings = tail("radius and height of each ring, and how much of the height it stands for", "m")
    corners = integer("with which it touches planes: of a prism at each of its ends, of a body of revolution its rings")
    begins = tail("numbers of the pieces that begin at these corners")
    lobes = integer("between hollows of it; none of a convex contour")
    lobe_begins = tail("numbers of the pieces with which these begin")
    hull = integer(
        "parts of the profile of a convex body of revolution (`flexor.contact.surfaces.convex_profile`); 0: it is not convex"
    )
    parts = tail("of each")
    lines = integer("straight ones among them")
    generators = tail("parts behind which these begin")
    wall = integer("the longest of these")
    inner = integer("rims between both ends")
    rims = tail("parts that are these")
    widest = number("its largest radius", "m")
    solid = tail("of a convex prism with flat sides its faces, a `PolyhedronSize`; none of others")
    flats = integer("lines among the pieces, flat sides of a prism")
    flat_sides = tail("their numbers")
    thin = number("half of the least thickness of a convex prism; of others none", "m")


def packed(
    pieces: Sequence[Packed],
    side: float,
    closed: bool,
    extent: float,
    half: float = 0.0,
    rings: np.ndarray | None = None,
    begins: Sequence[int] = (),
    convex: ConvexProfile | None = None,
    solid: np.ndarray | None = None,
    thin: float = 0.0,
) -> Packed:
    rings = np.zeros((0, 3)) if rings is None else rings
    concave, sides = _sides(pieces, side, closed)
    curve = [Piece(piece.words) for piece in pieces]
    lobes = lobes_of(curve, side, closed, extent)
    flats = np.array([i for i, piece in enumerate(curve) if piece.kind == LINE], dtype=float)
    parts, generators, rims = (
        (np.zeros((0, 6)), [], []) if convex is None else (convex.parts, convex.generators, convex.rims)
    )
    return ContourSize.pack(
        side=side, closed=int(closed), extent=extent, half=half, slices=len(rings), count=len(pieces),
        pieces=np.concatenate([piece.words for piece in pieces]), nodes=tree_of(curve),
        concave=concave, sides=sides, rings=rings, corners=len(begins), begins=np.array(begins, dtype=float),
        lobes=len(lobes), lobe_begins=np.array(lobes, dtype=float),
        hull=len(parts), parts=parts, lines=len(generators), generators=np.array(generators, dtype=float), wall=0 if convex is None else convex.wall,
        inner=len(rims), rims=np.array(rims, dtype=float), widest=0.0 if convex is None else convex.widest,
        solid=np.zeros(0) if solid is None else solid, flats=len(flats), flat_sides=flats, thin=thin,
    )  # fmt: skip


def _sides(pieces: Sequence[Packed], side: float, closed: bool) -> tuple[int, np.ndarray]:
    """How many corners open towards the free side, and the number of the side of each piece: 0 and 1 in turn, 2 where that does not go up around a contour.

    A closed contour with one such corner has one side, which is cut in two.
    """
    ends = [
        side * _turn(before, after) > CORNER for before, after in zip(pieces, [*pieces[1:], pieces[0]], strict=True)
    ]
    if not closed:
        ends[-1] = False
    concave, found = sum(ends), np.zeros(len(pieces))
    if not concave:
        return 0, found
    first = ends.index(True) + 1 if closed else 0  # the piece with which a side begins
    order = [(first + i) % len(pieces) for i in range(len(pieces))]
    found[order] = np.concatenate([[0], np.cumsum([ends[i] for i in order[:-1]])])
    if closed and concave == 1:
        found[order[len(order) // 2 :]] = 1.0
        return 1, found
    last = closed and concave % 2 == 1
    return concave, np.where((found == concave - 1) & last, 2.0, found % 2)


def _turn(before: Packed, after: Packed) -> float:
    """Angle from the end of a piece to the begin of the next, positive to the left [rad]."""
    _, _, a_1, a_2 = point_and_tangent(Piece(before.words), Piece(before.words).end)
    _, _, b_1, b_2 = point_and_tangent(Piece(after.words), 0.0)
    return float(np.arctan2(a_1 * b_2 - a_2 * b_1, a_1 * b_1 + a_2 * b_2))


def _straight(a: Sequence[float] | np.ndarray, b: Sequence[float] | np.ndarray) -> list[Packed]:
    """A line, unless it has no length."""
    begin, end = np.array(a, dtype=float), np.array(b, dtype=float)
    return [line(begin, end).pack(0.0)] if np.linalg.norm(end - begin) > 0.0 else []


def about_axis(profile: Profile, inside: bool) -> tuple[list[Packed], float, bool]:
    """(pieces, free side, closed) of what a profile turned about x = 0 encloses; an open one gets flat ends."""
    points = profile.trace.points
    if profile.closed:
        return profile.pieces(), (1.0 if inside else -1.0) * float(np.sign(profile.area)), True
    first, last = points[0], points[-1]
    x, y = np.array([[0.0, first[1]], *points, [0.0, last[1]]]).T
    area = 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))
    to = FAR * float(np.abs(points).max()) if inside else 0.0
    ends = _straight((to, first[1]), first), _straight(last, (to, last[1]))
    side = -1.0 if area > 0.0 else 1.0
    return [*ends[0], *profile.pieces(), *ends[1]], -side if inside else side, False


def profile_of(shape: Cone | Revolved) -> Profile:
    """The contour of a cone or a body of revolution."""
    if isinstance(shape, Revolved):
        return shape.profile
    return Profile([(shape.radius, -0.5 * shape.length), (shape.top, 0.5 * shape.length)], kind="lines")


def _pack_cone(shape: Cone, slices: int = 0) -> Packed:
    profile = profile_of(shape)
    extent = max(shape.radius, shape.top, shape.length)
    return packed(*about_axis(profile, shape.inside), extent, rings=heights(profile, slices))


def _pack_revolved(shape: Revolved, slices: int = 0) -> Packed:
    profile = shape.profile
    extent = float(np.abs(profile.trace.points).max())
    pieces, side, closed = about_axis(profile, shape.inside)
    first = int(not closed and (shape.inside or profile.trace.points[0, 0] != 0.0))  # behind a flat end
    begins = [] if slices else [first + i for i in rings(profile)]
    outer = convex_profile(shape)
    return packed(pieces, side, closed, extent, rings=heights(profile, slices), begins=begins, convex=outer)


def _pack_extruded(shape: Extruded) -> Packed:
    profile = shape.profile
    points = profile.trace.points
    extent = float(np.abs(points).max())
    free = -1.0 if shape.inside else 1.0
    if profile.closed:
        side, begins = -free * float(np.sign(profile.area)), _outer_corners(profile)
        thin = _thin(shape) if is_convex_prism(shape) else 0.0
        return packed(
            profile.pieces(), side, True, extent, 0.5 * shape.length, begins=begins, solid=_solid(shape), thin=thin
        )
    t = profile.trace.tangents
    far = FAR * max(extent, profile.length)
    pieces = [
        *_straight(points[0] - far * t[0], points[0]),
        *profile.pieces(),
        *_straight(points[-1], points[-1] + far * t[-1]),
    ]
    return packed(pieces, free, False, extent, 0.5 * shape.length)


def _solid(shape: Extruded) -> np.ndarray | None:
    """The faces of a convex prism with flat sides, a `PolyhedronSize`; None of others."""
    if shape.inside or shape.profile.kind != "lines":
        return None
    section = polygon(shape.profile)
    if area(hull(section)) - area(section) > SAME * area(section):
        return None
    return TrianglesSize(facets_of(shape).words).solid


@lru_cache(maxsize=256)
def is_convex_prism(shape: Extruded) -> bool:
    """Whether a prism is a convex solid."""
    profile = shape.profile
    if shape.inside or not profile.closed:
        return False
    side = -float(np.sign(profile.area))
    pieces = [Piece(each.words) for each in profile.pieces()]
    if any(side * piece.left_turn > 0.0 for piece in pieces):
        return False
    bends = [curvature(piece, s, side) for piece in pieces for s in np.linspace(0.0, piece.end, BENDS)]
    return min(bends) * float(np.abs(profile.trace.points).max()) > -SAME


def _thin(shape: Extruded) -> float:
    angle = np.linspace(0.0, np.pi, WIDTHS, endpoint=False)
    across = shape.profile.trace.points @ np.array([np.cos(angle), np.sin(angle)])
    return 0.5 * min(shape.length, float(np.ptp(across, axis=0).min()))


def _outer_corners(profile: Profile) -> list[int]:
    """Numbers of the pieces of a closed profile that begin at a corner, or where a line meets a curve, and which a straight edge can touch there."""
    pieces = profile.pieces()
    kinds = [Piece(each.words).kind for each in pieces]
    at = np.array([point_and_tangent(Piece(each.words), 0.0)[:2] for each in pieces])
    outer = hull(np.concatenate([at, profile.trace.points]))
    extent = float(np.abs(outer).max())
    found = []
    for i, turn in enumerate(Piece(each.words).left_turn for each in pieces):
        ends = kinds[i] == LINE or kinds[i - 1] == LINE or turn != 0.0
        if ends and np.linalg.norm(outer - at[i], axis=1).min() < SAME * extent:
            found.append(i)
    return found


def _reach_cone(shape: Cone) -> tuple[float, float, float]:
    most = max(shape.radius, shape.top)
    return most, most, 0.5 * shape.length


def _reach_revolved(shape: Revolved) -> tuple[float, float, float]:
    x, y = np.abs(shape.profile.trace.points).max(axis=0) * (1.0 + 1e-3)
    return float(x), float(x), float(y)


def _reach_extruded(shape: Extruded) -> tuple[float, float, float]:
    x, y = np.abs(shape.profile.trace.points).max(axis=0) * (1.0 + 1e-3)
    return float(x), float(y), 0.5 * shape.length


CONE = Surface("cone", ContourSize, _pack_cone, along_axis, _reach_cone, sliced=True)
REVOLVED = Surface("body of revolution", ContourSize, _pack_revolved, along_axis, _reach_revolved, sliced=True)
EXTRUDED = Surface("prism", ContourSize, _pack_extruded, as_oriented, _reach_extruded)
