"""How a side of a body that deforms touches a rigid solid: as a side of shape functions, as the skin of a mesh, or with the nodes of that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.bodies.shape import Box, Extruded, Plane, Sphere, Stl, Torus, Triangles
from flexor.bodies.shape_body.shape_body import ShapeBody
from flexor.bodies.side import Side
from flexor.bodies.superelement.layout import CorotatedBody
from flexor.contact.deformable.facet_search import facet_search
from flexor.contact.deformable.facets import Facets, facet_shapes, packed_facets
from flexor.contact.deformable.moving_touch import BESIDE, WITHIN, MovingSurface, nothing_to_begin
from flexor.contact.deformable.series_place import series_shapes, sum_up
from flexor.contact.deformable.series_search import series_search
from flexor.contact.deformable.series_side import SeriesSide, packed_side, series_room, slice_place
from flexor.contact.deformable.skin_nodes import SkinNodes, node_search, node_shapes, packed_nodes, packed_points
from flexor.errors import ModelError, Problem
from flexor.law.record import Packed

if TYPE_CHECKING:
    from flexor.bodies.shape_body.surface_point import ShapeSurface
    from flexor.contact.contact import Contact

MOST_NODES = 2000
"""Of a skin that touches with its nodes."""


@dataclass(frozen=True, eq=False)
class MovingPair:
    """A deforming surface on a rigid solid.

    surface: its kind.   numbers: of it.   size: numbers of the solid.   room: words that the search needs.   places: at how many they may touch.
    points: (n, 3) places on the undeformed surface to begin with, from the centre of mass; starts: (n, 3) s, t, face of each.
    shared: whether the places share the stiffness of the law.
    """

    surface: MovingSurface
    numbers: Packed
    room: int
    places: int
    points: np.ndarray
    starts: np.ndarray
    shared: bool = False


def pair_on(name: str, body: Any, side: Side, solid: Any) -> MovingPair:
    """How a side of a body touches a solid; refused where it cannot."""
    _refuse(name, body, side)
    modes, center = frame_of(body)
    if isinstance(body, ShapeBody):
        if side.every_node:
            what, why = "every_node is for meshed bodies", "a body of shape functions has no nodes"
            raise ModelError(Problem(f"contact '{name}'", what, why, "give points, e.g. points: 4"))
        return _of_series(body, modes, center, side, has_edges(solid))
    return _of_mesh(name, body, modes, center, side, solid)


def floats(body: Any) -> bool:
    """Whether it moves as a floating body."""
    from flexor.bodies.floating.formulation import Floating  # loads SciPy

    return body.formulation_class is Floating


def carried_by_elements(body: Any) -> bool:
    """Whether it moves as a full mesh."""
    from flexor.bodies.full_mesh.formulation import FullMesh  # loads SciPy

    return body.formulation_class is FullMesh


def frame_of(body: Any) -> tuple[np.ndarray, np.ndarray]:
    """Φ (r, m): from the coordinates by which its surface moves to those of the reduced body; and where its frame stands in its axes [m]."""
    if floats(body):
        return body.realisation.axes.modes, body.realisation.axes.com
    if carried_by_elements(body):
        return np.zeros((0, 0)), np.zeros(3)
    parameters = CorotatedBody(body.realisation.parameters.words)
    return np.eye(body.reduced.size), np.array(parameters.origin)


def _refuse(name: str, body: Any, side: Side) -> None:
    where = f"contact '{name}'"
    if not hasattr(body, "formulation_class"):
        what = f"body '{getattr(body, 'name', 'ground')}' does not deform, so that it has no side '{side.side}'"
        raise ModelError(Problem(where, what, "", "give a shape, e.g. {type: sphere, radius: 10 mm}"))
    from flexor.bodies.superelement.formulation import Superelement  # loads SciPy

    if not floats(body) and not carried_by_elements(body) and body.formulation_class is not Superelement:
        what = f"body '{body.name}' moves as {body.formulation.replace('_', ' ')}"
        why = "contact over its whole surface is known of superelements, floating bodies and full meshes"
        fix = "use formulation: superelement, floating or full_mesh, or a shape at one of its markers"
        raise ModelError(Problem(where, what, why, fix))
    if body.stiffening and floats(body):
        why = "its points move by terms of second order, too, which its surface does not know"
        fix = "leave out stiffening, or touch a shape at one of its markers"
        raise ModelError(Problem(where, f"body '{body.name}' has geometric stiffening", why, fix))


def _of_series(body: Any, modes: np.ndarray, center: np.ndarray, side: Side, edged: bool) -> MovingPair:
    from flexor.bodies.shape_body.surface_point import shape_surface  # loads SciPy

    found = shape_surface(body.reduced, side.side or "?")
    if side.points:
        return _of_points(found, modes, center, side.points)
    numbers = packed_side(found, modes, side.slices, edged)
    order, lines = found.A.shape[:2]
    s = np.linspace(*found.s, 2 * lines + 2, endpoint=not found.turns)
    view = SeriesSide(numbers.words)
    t = [slice_place(view, k) for k in range(side.slices)] if side.slices else _inside(*found.t, 2 * order + 1)
    starts = np.array([(u, v, 0.0) for v in t for u in s])
    points = np.array([found.shapes(u, v)[0][0] for u, v, _ in starts]) - center
    surface = MovingSurface(SeriesSide, series_search, series_shapes, sum_up, BESIDE)
    return MovingPair(surface, numbers, series_room(found), max(side.slices, 1), points, starts, True)


def point_grid(side: ShapeSurface, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Parameters s, t of a grid with count × count places, those on the bounds among them but for an axis, which is one place."""
    s, t = np.linspace(*side.s, count, endpoint=not side.turns), np.linspace(*side.t, count)
    if side.turns:
        ends = [np.linalg.norm(np.subtract(*(side.shapes(u, v)[0][0] for u in (0.0, np.pi)))) for v in side.t]
        bare = 1e-6 * max(ends)
        t = np.linspace(*side.t, count + (ends[0] < bare) + (ends[1] < bare))
        t = t[int(ends[0] < bare) : len(t) - int(ends[1] < bare)]
    return s, t


def _of_points(side: ShapeSurface, modes: np.ndarray, center: np.ndarray, count: int) -> MovingPair:
    """Points of a grid."""
    s, t = point_grid(side, count)
    grid = [side.shapes(u, v)[0] for v in t for u in s]
    points = np.array([each[0] for each in grid]) - center
    shapes = np.array([modes.T @ each[1:] for each in grid])
    starts = np.column_stack([np.zeros((len(grid), 2)), np.arange(len(grid))])
    kind = MovingSurface(SkinNodes, node_search, node_shapes, nothing_to_begin)
    return MovingPair(kind, packed_points(points, shapes), 0, len(grid), points, starts, True)


def _inside(low: float, high: float, count: int) -> np.ndarray:
    """So many values from end to end, which are not quite reached: one of them may be an axis."""
    t = np.linspace(low, high, count)
    t[[0, -1]] += np.array([1e-3, -1e-3]) * (high - low)
    return t


def _of_mesh(name: str, body: Any, modes: np.ndarray, center: np.ndarray, side: Side, solid: Any) -> MovingPair:
    from flexor.contact.deformable.skin import body_skin  # loads SciPy

    where = f"contact '{name}'"
    if side.slices or side.points:
        what = f"{'slices' if side.slices else 'points'} are for bodies of shape functions"
        why = "the skin of a mesh is flat triangle by triangle; its nodes are its points"
        raise ModelError(Problem(where, what, why, "leave them out"))
    skin = body_skin(body.made, modes, center, side)
    points, count = skin.points - center, len(skin.points)
    if not touches_with_nodes(solid) and not side.every_node:
        numbers = packed_facets(skin, has_edges(solid) and skin.faces_out)
        view = Facets(numbers.words)
        faces = np.asarray(view.around)[np.asarray(view.first)[:-1].astype(int)]
        corner = np.asarray(view.corners).reshape(-1, 3)[faces.astype(int)] == np.arange(count)[:, None]
        starts = np.column_stack([corner[:, 1], corner[:, 2], faces]).astype(float)
        kind = MovingSurface(Facets, facet_search, facet_shapes, nothing_to_begin, WITHIN)
        return MovingPair(kind, numbers, 0, 1, points, starts)
    if count > MOST_NODES and not carried_by_elements(body):
        why = f"on a {solid.type} each node of the skin touches by itself, and it has {count}"
        fix = f"choose a part of it with {MOST_NODES} nodes at most, e.g. fx.plane(at=(0, 0, 0.01), normal='z')"
        raise ModelError(Problem(where, "the skin has too many nodes", why, fix))
    starts = np.column_stack([np.zeros((count, 2)), np.arange(count)])
    kind = MovingSurface(SkinNodes, node_search, node_shapes, nothing_to_begin)
    return MovingPair(kind, packed_nodes(skin), 0, count, points, starts)


def refuse_moments(contact: Contact, body: Any, pair: MovingPair) -> None:
    """Resistance to rolling and spinning acts on the frame of a body, or on the triangle of a full mesh that touches; nodes of one cannot bear it."""
    turns = contact.friction.rolling or contact.friction.spinning
    if turns and carried_by_elements(body) and pair.surface.record is SkinNodes:
        why = f"'{body.name}' is a full mesh that touches with its nodes, which take forces, and not the moments of it"
        fix = "leave out rolling and spinning, or use formulation: superelement or floating"
        raise ModelError(Problem(f"contact '{contact.name}'", "it resists rolling or spinning", why, fix))


def touches_with_nodes(solid: Any) -> bool:
    """Whether flat triangles rest on it with several nodes at a time: what has flat faces, what is touched from within, and what deforms."""
    return isinstance(solid, Plane | Box | Extruded | Stl | Triangles | Side) or bool(getattr(solid, "inside", False))


def has_edges(solid: Any) -> bool:
    """Whether its normal may jump."""
    return not isinstance(solid, Plane | Sphere | Torus)
