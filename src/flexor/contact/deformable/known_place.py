"""Where two surfaces touch of which one is a full mesh, as the watching law has found it: the point of b, the foot on a.

Both follow the state from there by the equations of `flexor.contact.deformable.deforming_partner`.
"""

from __future__ import annotations

from flexor.contact.deformable.deforming_solid import FACES, FREE_S, FREE_T, SIGN, DeformingSolid
from flexor.contact.deformable.facet_solid import leave_on_triangle, on_triangle, placed_vertex
from flexor.contact.deformable.facets import Facets, corners_of, facet_shapes, vertex
from flexor.contact.deformable.material_point import (
    BACK,
    DISTANCE,
    INWARD,
    PARAMETERS,
    SKEWED,
    WAY,
    YIELD,
    leave_parameters,
)
from flexor.contact.deformable.mesh_solid import MeshSolid, triangle_shapes
from flexor.contact.deformable.moving_touch import nothing_to_begin
from flexor.contact.deformable.series_place import functions, functions_in, leave_side, series_shapes, sum_up
from flexor.contact.deformable.series_side import SeriesSide
from flexor.contact.deformable.series_solid import SeriesSolid, leave_on_side
from flexor.contact.deformable.skin_nodes import SkinNodes, leave_fixed
from flexor.contact.deformable.triangle_turning import triad
from flexor.law.tuples import add, mat, mm, mv, store, sub, vec


def note(h, Y, where, foot, on, R):
    """Leave in the history where they touch: the point of b and what it belongs to, the foot on a and its triangle; R: the axes in which that was found."""
    h.point, h.s_now, h.t_now = float(where[0]), Y[PARAMETERS], Y[PARAMETERS + 1]
    store(h.yields, 0, vec(Y, YIELD))
    h.inward = Y[INWARD]
    h.face_now, h.feature = float(on[0]), float(on[1])
    h.s_foot, h.t_foot = foot[PARAMETERS], foot[PARAMETERS + 1]
    h.holds[0], h.holds[1], h.holds[2], h.holds[3] = foot[FREE_S], foot[FREE_T], foot[SIGN], foot[FACES]
    store(h.back, 0, mv(R, vec(foot, BACK)))


def _hold(h, Y):
    """What is known of a foot beside its place."""
    zero = 0.0 * Y[DISTANCE]
    Y[FREE_S] = h.holds[0] + zero
    Y[FREE_T] = h.holds[1] + zero
    Y[SIGN] = h.holds[2] + zero
    Y[FACES] = h.holds[3] + zero


def known_on_side(solid, z, h, Y):
    """The foot on a side of shape functions."""
    leave_on_side(solid, z, h.s_foot, h.t_foot, h, Y)
    _hold(h, Y)
    return 0, 0


_modal_sides = corners_of(vertex)


def known_on_skin(solid, z, h, Y):
    """The foot on the skin of a body with modes."""
    p, face, feature = solid.p, int(h.face_now), int(h.feature)
    sides, rates = _modal_sides(p, face, solid.s, 0), _modal_sides(p, face, solid.s, 1)
    before = on_triangle(_modal_sides(p, int(h.face_a), solid.s, 0), h.s_a, h.t_a)
    leave_on_triangle(sides, rates, h.s_foot, h.t_foot, feature, before, z, Y)
    _hold(h, Y)
    return face, feature


def _corners(w, rate):
    """Vertex a of a triangle whose corners are placed in w, and the sides to b and c."""
    a = placed_vertex(0, 0, w, rate)
    return a, sub(placed_vertex(0, 1, w, rate), a), sub(placed_vertex(0, 2, w, rate), a)


def known_on_triangle(solid, z, h, Y):
    """The foot on a triangle of a full mesh; where that has not changed the material that was the foot before is on it."""
    sides, rates, feature = _corners(solid.w, 0), _corners(solid.w, 1), int(h.feature)
    before = add(on_triangle(sides, h.s_foot, h.t_foot), vec(h.back, 0))
    if h.face_a == h.acts:
        before = on_triangle(sides, h.s_a, h.t_a)
    leave_on_triangle(sides, rates, h.s_foot, h.t_foot, feature, before, z, Y)
    _hold(h, Y)
    return 0, feature


def known_axes(solid, h):
    """Axes of the triangle that was touched at the end of the last step."""
    T = triad(_corners(solid.w, 0))
    if h.face_a != h.acts:
        zero = 0.0 * T[0]
        A = mat(h.axes, 0)
        T = mm(A, (1.0 + zero, zero, zero, zero, 1.0 + zero, zero, zero, zero, 1.0 + zero))
    return T


def nowhere(solid, z):
    """The distance from what is known is not asked for."""
    return 0.0 * z[0], z, z, 0.0 * z[0], 0.0 * z[0]


ON_SIDE = DeformingSolid(SeriesSolid, sum_up, nowhere, known_on_side, series_shapes)
ON_SKIN = DeformingSolid(Facets, nothing_to_begin, nowhere, known_on_skin, facet_shapes)
ON_TRIANGLE = DeformingSolid(MeshSolid, nothing_to_begin, nowhere, known_on_triangle, triangle_shapes)
KNOWN_FEET = {SeriesSolid: ON_SIDE, Facets: ON_SKIN, MeshSolid: ON_TRIANGLE}
"""By the record of the solid a."""


def _known_on_moving_side(p, h, states, Y, w):
    """The point of a side of shape functions."""
    zero = 0.0 * w[0]
    s, t = h.s_now + zero, h.t_now + zero
    functions(p, s, t, functions_in(p, w))
    leave_side(p, w, s, zero, Y)
    store(Y, BACK, (zero, zero, zero))
    Y[WAY] = s - h.s
    Y[WAY + 1] = t - h.t
    for i in range(3):
        Y[YIELD + i] = h.yields[i] + zero
    Y[SKEWED] = zero
    leave_parameters(Y, s, t, zero)
    Y[INWARD] = h.inward + zero


def _known_node(p, h, states, Y, w):
    """A node of a skin, or a fixed point of a side."""
    node = int(h.point)
    y = vertex(p, node, states, 0)
    leave_fixed(y, vertex(p, node, states, 1), 0.0 * y[0], Y)


KNOWN_POINTS = {SeriesSide: _known_on_moving_side, SkinNodes: _known_node}
"""Of a body with modes, by the record of the surface b."""
