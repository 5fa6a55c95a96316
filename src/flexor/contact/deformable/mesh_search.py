"""Where the skin of a full mesh is nearest to a solid: by the triangles between its nodes, or by each of its nodes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from flexor.contact.deformable.facet_search import facet_walk, triangle_search
from flexor.contact.deformable.facets import corners_of
from flexor.contact.deformable.inner_skin import carried, inner_triangle
from flexor.contact.deformable.mesh_states import node_place
from flexor.contact.deformable.moving_touch import WITHIN, MovingSurface, nothing_to_begin
from flexor.contact.deformable.skin_nodes import leave_fixed
from flexor.contact.deformable.triangle_turning import turning
from flexor.law.primitives import at
from flexor.law.record import Record, integer, number, tail
from flexor.law.tuples import add, dot, mv


class SkinNumbers(Record):
    """Numbers of the skin of a full mesh."""

    extent = number("its size", "m")
    ball = number(
        "largest radius of the balls around an inner skin by which it touches solids with edges; 0: none", "m"
    )
    faces = integer("how many triangles")
    nodes = tail("numbers of the nodes that its vertices are")
    corners = tail("vertices of the triangles, 3 each")
    first = tail("where the triangles around each vertex begin, and the end")
    around = tail("triangles around the vertices")
    inner = tail("α, β, γ of the corners of the triangles, 9 each, or none")
    rho = tail("radii of the balls at the vertices, or none", "m")


node_sides = corners_of(node_place)
"""Vertex a of a triangle, and the sides to b and c."""


def inner_corners(p, face, states, rate):
    """Likewise of the inner skin, if there is one; velocities (rate 1) are those of the skin."""
    a, e, g = node_sides(p, face, states, rate)
    if rate or p.ball == 0.0:
        return a, e, g
    return inner_triangle(at(p.inner, 9 * face), a, e, g)


def node_outward(p, face, states, s, t):
    """w at a point of a triangle."""
    _a, e, g = node_sides(p, face, states, 0)
    zero = 0.0 * (e[0] + s)
    if p.ball == 0.0:
        return zero, zero, zero
    return carried(at(p.inner, 9 * face), e, g, s, t)[3]


def node_turning(p, face, states):
    """ω of a triangle."""
    (_a, e, g), (_v, v_e, v_g) = node_sides(p, face, states, 0), node_sides(p, face, states, 1)
    return turning(e, g, v_e, v_g)


@cache
def face_search(distance: Callable) -> Callable:
    """The search over the triangles of the skin of a full mesh."""
    lower, _walk = facet_walk(distance, inner_corners)

    def elsewhere(p, size, states, z_0, Q, found):  # type: ignore[no-untyped-def]
        """All triangles that may be nearer, as no point of one is farther from a corner than the longer side there is long."""
        for j in range(p.faces):
            a, e, g = inner_corners(p, j, states, 0)
            above = distance(size, add(z_0, mv(Q, a)))[0] - p.ball - found[1]
            if above <= 0.0 or above * above < max(dot(e, e), dot(g, g)):
                found = lower(p, size, j, states, z_0, Q, found)
        return found

    return triangle_search(distance, inner_corners, node_outward, node_turning, elsewhere)


@cache
def place_search(distance: Callable) -> Callable:
    """The distance of a node of a skin from a solid whose signed distance is given."""

    def search(p, size, place, h, m, states, z_0, Q, Y, w, anew):  # type: ignore[no-untyped-def]
        y = node_place(p, place, states, 0)
        leave_fixed(y, node_place(p, place, states, 1), distance(size, add(z_0, mv(Q, y)))[0], Y)
        return 1, 0

    return search


def _no_shapes(p, m, Y, found, S, w):
    """A full mesh has no modes."""


FACES = MovingSurface(SkinNumbers, face_search, _no_shapes, nothing_to_begin, WITHIN)
POINTS = MovingSurface(SkinNumbers, place_search, _no_shapes, nothing_to_begin)
"""A skin that touches with the nearest point of its triangles, and one whose nodes touch each by itself."""
