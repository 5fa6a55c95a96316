"""From a declared contact with a side of a body that deforms to its term: which surface, against which solid, and where they are nearest at the start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.bodies.shape import Cylinder, Plane, Sphere, Torus
from flexor.bodies.shape_body.shape_body import ShapeBody
from flexor.bodies.side import Side
from flexor.contact.approach import DISTANCES
from flexor.contact.deformable import series_side
from flexor.contact.deformable.facets import Facets, facet_search, facet_shapes, packed_facets
from flexor.contact.deformable.material_point import BY_S, BY_T, DISTANCE, PARAMETERS, PLACE, POINT_WORDS
from flexor.contact.deformable.moving_touch import (
    MovingRecord,
    MovingSurface,
    MovingTouch,
    moving_law,
    moving_room,
    nothing_to_begin,
)
from flexor.contact.deformable.series_side import (
    SeriesSide,
    packed_side,
    series_room,
    series_search,
    series_shapes,
    slice_place,
    sum_up,
)
from flexor.contact.deformable.skin_nodes import SkinNodes, node_search, node_shapes, packed_nodes
from flexor.contact.laws.normal import Stiffness
from flexor.contact.normal_laws import Hertz
from flexor.contact.surfaces import SURFACES
from flexor.coordinates.frames import Frame, packed
from flexor.errors import ModelError, Problem
from flexor.law import Term
from flexor.law.record import Packed
from flexor.spatial import Pose

if TYPE_CHECKING:
    from flexor.contact.contact import Contact
    from flexor.joints.surroundings import Carrier, Surroundings

SOLIDS = (Plane, Sphere, Cylinder, Torus)
"""Rigid shapes over which a surface that deforms may move."""
MOST_NODES = 2000
"""Of a skin that touches with its nodes."""


def check_sides(a: Any, b: Any) -> None:
    """ValueError if two shapes, one of which is a side, cannot touch."""
    if isinstance(a, Side) and isinstance(b, Side):
        raise ValueError(
            "two sides that deform cannot touch each other; give one of them as a shape at a marker of its body, "
            "e.g. shape: {type: sphere, radius: 10 mm}"
        )
    rigid = b if isinstance(a, Side) else a
    if rigid is not None and not isinstance(rigid, SOLIDS):
        known = ", ".join(SURFACES[kind].name for kind in SOLIDS)
        raise ValueError(f"a {rigid.type} cannot touch a side of a body that deforms; choose one of {known}")


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
    axes = body.realisation.axes
    if isinstance(body, ShapeBody):
        return _of_series(body, axes, side)
    return _of_mesh(name, body, axes, side, solid)


def _refuse(name: str, body: Any, side: Side) -> None:
    where = f"contact '{name}'"
    if not hasattr(body, "formulation_class"):
        what = f"body '{getattr(body, 'name', 'ground')}' does not deform, so that it has no side '{side.side}'"
        raise ModelError(Problem(where, what, "", "give a shape, e.g. {type: sphere, radius: 10 mm}"))
    if body.formulation != "floating":
        what = f"body '{body.name}' moves as {body.formulation.replace('_', ' ')}"
        why = "contact over its whole surface is known of floating bodies"
        fix = "use formulation: floating, or a shape at one of its markers"
        raise ModelError(Problem(where, what, why, fix))
    if body.stiffening:
        why = "its points move by terms of second order, too, which its surface does not know"
        fix = "leave out stiffening, or touch a shape at one of its markers"
        raise ModelError(Problem(where, f"body '{body.name}' has geometric stiffening", why, fix))


def _of_series(body: Any, axes: Any, side: Side) -> MovingPair:
    from flexor.bodies.shape_body.surface_point import shape_surface  # loads SciPy

    found = shape_surface(body.reduced, side.side or "?")
    numbers = packed_side(found, axes.modes, side.slices)
    order, lines = found.A.shape[:2]
    s = np.linspace(*found.s, 2 * lines + 2, endpoint=not found.turns)
    view = SeriesSide(numbers.words)
    t = [slice_place(view, k) for k in range(side.slices)] if side.slices else np.linspace(*found.t, 2 * order + 1)
    starts = np.array([(u, v, 0.0) for v in t for u in s])
    points = np.array([found.shapes(u, v)[0][0] for u, v, _ in starts]) - axes.com
    surface = MovingSurface(SeriesSide, series_search, series_shapes, sum_up)
    return MovingPair(surface, numbers, series_room(found), max(side.slices, 1), points, starts, True)


def _of_mesh(name: str, body: Any, axes: Any, side: Side, solid: Any) -> MovingPair:
    from flexor.contact.deformable.skin import body_skin  # loads SciPy

    where = f"contact '{name}'"
    if side.slices:
        why = "the skin of a mesh is flat triangle by triangle"
        raise ModelError(Problem(where, "slices are for bodies of shape functions", why, "leave them out"))
    skin = body_skin(body.reduced, axes.modes, axes.com, side)
    points, count = skin.points - axes.com, len(skin.points)
    if not touches_with_nodes(solid):
        numbers = packed_facets(skin)
        view = Facets(numbers.words)
        faces = np.asarray(view.around)[np.asarray(view.first)[:-1].astype(int)]
        corner = np.asarray(view.corners).reshape(-1, 3)[faces.astype(int)] == np.arange(count)[:, None]
        starts = np.column_stack([corner[:, 1], corner[:, 2], faces]).astype(float)
        return MovingPair(
            MovingSurface(Facets, facet_search, facet_shapes, nothing_to_begin), numbers, 0, 1, points, starts
        )
    if count > MOST_NODES:
        why = f"on a {solid.type} each node of the skin touches by itself, and it has {count}"
        fix = f"choose a part of it with {MOST_NODES} nodes at most, e.g. fx.plane(at=(0, 0, 0.01), normal='z')"
        raise ModelError(Problem(where, "the skin has too many nodes", why, fix))
    starts = np.column_stack([np.zeros((count, 2)), np.arange(count)])
    kind = MovingSurface(SkinNodes, node_search, node_shapes, nothing_to_begin)
    return MovingPair(kind, packed_nodes(skin), 0, count, points, starts)


def touches_with_nodes(solid: Any) -> bool:
    """Whether flat triangles rest on it with several nodes at a time: planes, and what is touched from within."""
    return isinstance(solid, Plane) or bool(getattr(solid, "inside", False))


@dataclass(frozen=True, eq=False)
class Beginning:
    """Where a pair is nearest at the start: of each place the words of the material point, its triangle or node, and the pose of the body seen from the solid."""

    points: tuple[np.ndarray, ...]
    faces: tuple[int, ...]
    X: Pose
    pair: MovingPair
    solid: Any

    @property
    def gap(self) -> float:
        """The least distance [m]."""
        return min(float(Y[DISTANCE]) for Y in self.points)

    @property
    def nearest(self) -> np.ndarray:
        """The material point that is nearest, as the search leaves it."""
        return min(self.points, key=lambda Y: float(Y[DISTANCE]))

    def curvatures(self) -> tuple[float, float]:
        """Relative principal curvatures of both surfaces there, the larger one first [1/m]."""
        Y, X = self.nearest, self.X
        size = SURFACES[type(self.solid)].size(_size(self.solid).words)
        z = X.apply(Y[PLACE : PLACE + 3])
        d, n, t, k, c = DISTANCES[type(self.solid)](size, tuple(z))
        b = np.cross(n, t)
        along = X.R @ np.stack([Y[BY_S : BY_S + 3], Y[BY_T : BY_T + 3]], axis=1)
        bends = k / (1 - k * d) * np.outer(t, t) + c / (1 - c * d) * np.outer(b, b)
        p: Any = self.pair.surface.record(self.pair.numbers.words)
        if not isinstance(p, SeriesSide):  # it is flat
            low, high = np.linalg.eigvalsh(np.stack([t, b]) @ bends @ np.stack([t, b]).T)
            return float(high), float(low)
        w = np.zeros(self.pair.room)
        sum_up(p, 0, np.zeros(0), w)
        count = 3 * (p.order + 1) * p.lines
        series_side.functions(p, Y[PARAMETERS], Y[PARAMETERS + 1], w[2 * count :])
        second = series_side.second_slopes(p, w, Y[PARAMETERS], w[2 * count :], 0.0)
        ss, st, tt = (float(np.dot(n, X.R @ np.array(u))) for u in second)
        H = along.T @ bends @ along + np.array([[ss, st], [st, tt]])
        metric = along.T @ along
        low, high = np.sort(np.linalg.eigvals(np.linalg.solve(metric, H)).real)
        return float(high), float(low)


def beginning(pair: MovingPair, solid: Any, X: Pose) -> Beginning:
    """Where they are nearest; X: pose of the body's frame, at its centre of mass, in the axes of the solid."""
    distance = DISTANCES[type(solid)]
    size = SURFACES[type(solid)].size(_size(solid).words)
    search: Any = pair.surface.search(distance)
    p: Any = pair.surface.record(pair.numbers.words)
    places = pair.points @ X.R.T + X.p
    far = np.array([distance(size, tuple(z))[0] for z in places])
    found, faces = [], []
    many = len(places) // pair.places
    w = np.zeros(max(pair.room, 1))
    pair.surface.begin(p, 0, np.zeros(0), w)
    for k in range(pair.places):
        own = slice(many * k, many * (k + 1))
        s, t, face = pair.starts[own][int(np.argmin(far[own]))]
        memory = np.array(MovingTouch.begin(s=s, t=t, face=face))
        Y = np.zeros(POINT_WORDS)
        undeformed: Any = p
        pose = tuple(X.p), tuple(X.R.ravel())
        where = search(undeformed, size, k, MovingTouch(memory), 0, _NO_STATES, *pose, Y, w, False)
        found.append(Y)
        faces.append(where[0])
    return Beginning(tuple(found), tuple(faces), X, pair, solid)


class _NoStates:
    """The states of modes that are not deformed."""

    def __getitem__(self, i: int) -> float:
        return 0.0


_NO_STATES = _NoStates()


def _size(solid: Any) -> Packed:
    return SURFACES[type(solid)].pack(solid)


def sides_of(contact: Contact, shapes: tuple[Any, Any]) -> tuple[str, Side, str, Any]:
    """Field and side of the body that deforms, field and shape of the rigid surface."""
    if isinstance(shapes[0], Side):
        return "a", shapes[0], "b", shapes[1]
    return "b", shapes[1], "a", shapes[0]


def start_pose(body: Any, X_body: Pose, X_rigid: Pose, solid: Any) -> Pose:
    """The body's frame seen from the solid; X_rigid: of its marker."""
    com = body.realisation.axes.com
    return (
        (X_rigid @ Pose(np.array(solid.at), SURFACES[type(solid)].axes(solid))).inverse()
        @ X_body
        @ Pose(com, np.eye(3))
    )


def moving_terms(contact: Contact, shapes: tuple[Any, Any], around: Surroundings) -> list[Term]:
    """The term of a contact with a side."""
    field, side, other, solid = sides_of(contact, shapes)
    carrier: Carrier = around.deforming(field)
    body: Any = carrier.body
    site = around.end(other)
    pair = pair_on(contact.name, body, side, solid)
    poses = dict(zip("ab", around.poses("now")[:2], strict=True))
    start = beginning(pair, solid, start_pose(body, poses[field], poses[other], solid))
    symmetric = not contact.friction.rubs and not contact.law.damping and contact.law.restitution == 1.0
    surface = SURFACES[type(solid)]
    rigid = Frame.pack(p=site.p_NM + site.R_NM @ np.array(solid.at), R=site.R_NM @ surface.axes(solid))
    axes = body.realisation.axes
    own = Frame.pack(p=-axes.com, R=np.eye(3))
    record: Any = surface.size
    history: tuple[float, ...] = ()
    for Y, face in zip(start.points, start.faces, strict=True):
        z = start.X.apply(Y[PLACE : PLACE + 3])
        s, t = Y[PARAMETERS : PARAMETERS + 2]
        history += MovingTouch.begin(p=z, R=start.X.R.ravel(), x=z, s=s, t=t, face=face)
    parameters = MovingRecord.pack(
        rigid=rigid,
        marker=own if field == "a" else packed(site),
        turned=int(field == "a"),
        stiffness=stiffness_on(contact, start),
        rubbing=contact.friction.packed(),
        places=pair.places,
        size=_size(solid).words,
        surface=pair.numbers.words,
    )
    law = moving_law(pair.surface, DISTANCES[type(solid)], record, symmetric)
    scalars = tuple(range(carrier.scalar, carrier.scalar + axes.size))
    nodes = (site.node, carrier.node)
    room = moving_room(axes.size, pair.room)
    return [Term(contact.name, law, nodes, scalars, parameters=parameters, history=history, scratch=room)]


def stiffness_on(contact: Contact, start: Beginning) -> Packed:
    """Numbers of the normal force at one place."""
    where = f"contact '{contact.name}'"
    if isinstance(contact.law, Hertz) and start.pair.places > 1:
        what, why = "Hertz's law is of one point", "here several places touch"
        fix = "use law: {type: penalty, …}, or hertz_line with slices of the side"
        raise ModelError(Problem(where, what, why, fix))
    try:
        found = contact.law.packed(start.curvatures())
    except ValueError as error:
        raise ModelError(Problem(where, str(error))) from None
    words = found.words.copy()
    if start.pair.shared:
        Stiffness(words).K /= start.pair.places
    return Packed(words, found.evaluators)
