"""From a declared contact between two sides that both deform to its term: which of them moves over the other, where they begin, their numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from flexor.bodies.shape_body.shape_body import ShapeBody
from flexor.bodies.side import Side
from flexor.bodies.superelement.layout import CorotatedBody
from flexor.bodies.superelement.shadow_frame import Shadow
from flexor.contact.deformable.beginning import Beginning, searched
from flexor.contact.deformable.deforming_partner import PairTouch, deforming_partner, foot_room
from flexor.contact.deformable.deforming_solid import Deformed, DeformingSolid
from flexor.contact.deformable.facet_solid import distance_facets, facet_room, leave_facets, place_vertices
from flexor.contact.deformable.facets import Facets, facet_shapes, packed_facets
from flexor.contact.deformable.material_point import PARAMETERS, PLACE
from flexor.contact.deformable.moving_pair import (
    MovingPair,
    carried_by_elements,
    floats,
    frame_of,
    pair_on,
    refuse_moments,
)
from flexor.contact.deformable.pair_law import PairRecord, pair_law, pair_room
from flexor.contact.deformable.series_place import series_shapes, sum_up
from flexor.contact.deformable.series_side import series_room
from flexor.contact.deformable.series_solid import SeriesSolid, distance_series, leave_series, packed_solid
from flexor.coordinates.frames import Frame
from flexor.errors import ModelError, Problem
from flexor.law import Term
from flexor.law.record import Packed, repacked
from flexor.spatial import Pose

if TYPE_CHECKING:
    from flexor.contact.contact import Contact
    from flexor.joints.surroundings import Carrier, Surroundings

SERIES = DeformingSolid(SeriesSolid, sum_up, distance_series, leave_series, series_shapes)
SKIN = DeformingSolid(Facets, place_vertices, distance_facets, leave_facets, facet_shapes)
MOST = 200_000
"""Pairs of a place of one side and a triangle of a full mesh, each of which has a term that stands by."""
ROUND = "outer"
"""How sides begin that are curved outwards."""


@dataclass(frozen=True, eq=False)
class TouchedSide:
    """A side that another one moves over: its kind, its numbers, how many words it takes to be summed up, and places (n, 3) on it, from the centre of mass."""

    kind: DeformingSolid
    numbers: Packed
    room: int
    points: np.ndarray

    @property
    def at_rest(self) -> Deformed:
        """Undeformed."""
        record: Any = self.kind.record
        room = np.zeros(max(self.room, 1))
        self.kind.begin(record(self.numbers.words), 0, np.zeros(0), room)
        return Deformed(record(self.numbers.words), 0, np.zeros(3), room, np.zeros(foot_room(0)))


@dataclass(frozen=True, eq=False)
class PairBeginning(Beginning):
    """Likewise of two sides that deform; solid: the one that is touched."""

    def distance(self, z: np.ndarray) -> tuple[Any, ...]:
        found: tuple[Any, ...] = self.solid.kind.distance(self.solid.at_rest, tuple(z))
        return found

    @property
    def reach(self) -> float:
        return float(np.ptp(self.solid.points, axis=0).max())


def moves(bodies: tuple[Any, Any], sides: tuple[Side, Side]) -> int:
    """Which of two sides moves over the other one: 0 the first, 1 the second.

    That which is cut into slices or points; a round side of shape functions over a skin, else the nodes of the skin over it; of two alike the second.
    """
    cut = [bool(side.slices or side.points) for side in sides]
    if cut[0] != cut[1]:
        return 0 if cut[0] else 1
    smooth = [isinstance(body, ShapeBody) for body in bodies]
    if smooth[0] == smooth[1]:
        return 1
    one = 0 if smooth[0] else 1
    return one if cut[one] or sides[one].side.startswith(ROUND) else 1 - one


def touched_side(name: str, body: Any, side: Side, frame: tuple[np.ndarray, np.ndarray] | None = None) -> TouchedSide:
    """A side as the solid of another one; frame: as of `frame_of`, if it is to be another one."""
    own = frame_of(body)
    modes, center = frame or own
    if isinstance(body, ShapeBody):
        from flexor.bodies.shape_body.surface_point import shape_surface  # loads SciPy

        grid = pair_on(name, body, side, side)
        found, points = shape_surface(body.reduced, side.side or "?"), grid.points + own[1] - center
        return TouchedSide(SERIES, packed_solid(found, modes, points, grid.starts), series_room(found), points)
    from flexor.contact.deformable.skin import body_skin  # loads SciPy

    skin = body_skin(body.made, modes, center, side)
    numbers = packed_facets(skin)
    return TouchedSide(SKIN, numbers, facet_room(numbers), skin.points - center)


def paired(contact: Contact, bodies: tuple[Any, Any], sides: tuple[Side, Side]) -> tuple[int, MovingPair, TouchedSide]:
    """Which side moves, as what, and the other one; refused where they cannot touch."""
    where = f"contact '{contact.name}'"
    for body, side in zip(bodies, sides, strict=True):
        pair_on(contact.name, body, side, side)
    if all(side.slices or side.points for side in sides):
        what, why = "both sides have slices or points", "one of them touches the other so, which is touched anywhere"
        raise ModelError(Problem(where, what, why, "leave them out of one side"))
    one = moves(bodies, sides)
    moving = pair_on(contact.name, bodies[one], sides[one], sides[1 - one])
    refuse_moments(contact, bodies[one], moving)
    touched = touched_side(contact.name, bodies[1 - one], sides[1 - one])
    if carried_by_elements(bodies[1 - one]):
        _refuse_many(where, moving.places, len(Facets(touched.numbers.words).corners) // 3)
    return one, moving, touched


def _refuse_many(where: str, places: int, triangles: int) -> None:
    """Each place may touch each triangle of a full mesh."""
    if places * triangles > MOST:
        what = f"{places} places of one side may touch {triangles} triangles of a full mesh"
        why = f"of these pairs {MOST} at most are looked after"
        fix = "touch with the parts of both skins that meet, e.g. body.surface(fx.plane(at=(0, 0, 0.01), normal='z'))"
        raise ModelError(Problem(where, what, why, fix))


def pair_beginning(pair: MovingPair, solid: TouchedSide, X: Pose) -> PairBeginning:
    """Where they are nearest; X: the frame of the body that moves, in that of the other one."""
    from scipy.spatial import cKDTree  # loads SciPy

    away, _ = cKDTree(solid.points).query(pair.points @ X.R.T + X.p)
    return PairBeginning(*searched(pair, solid.kind.distance, solid.at_rest, X, away), X, pair, solid)


def start_of(bodies: tuple[Any, Any], one: int, poses: tuple[Pose, Pose]) -> Pose:
    """The frame of the body that moves, seen from that of the other one; poses: of both bodies."""
    a, b = (poses[i] @ Pose(frame_of(bodies[i])[1], np.eye(3)) for i in (1 - one, one))
    return a.inverse() @ b


def in_its_frame(body: Deformed, face: int) -> np.ndarray:
    """Of a solid whose frame carries what is remembered."""
    return np.eye(3)


class Carriage(NamedTuple):
    """What carries a body with modes: how many connection nodes, 0 if it floats; coordinates of its shapes, its nodes and scalars, the frame that follows the nodes."""

    connections: int
    coordinates: int
    nodes: range
    scalars: range
    frame: Packed


def carriage(carrier: Carrier) -> Carriage:
    """Of a floating body or a superelement."""
    body: Any = carrier.body
    m, c = frame_of(body)[0].shape[1], 0 if floats(body) else len(body.reduced.interfaces)
    frame = repacked(CorotatedBody(body.realisation.parameters.words).frame) if c else NO_FRAME
    nodes, scalars = range(carrier.node, carrier.node + max(c, 1)), range(carrier.scalar, carrier.scalar + m - 6 * c)
    return Carriage(c, m, nodes, scalars, frame)


def pair_terms(contact: Contact, shapes: tuple[Any, Any], around: Surroundings, stiffness: Any) -> list[Term]:
    """The term of a contact between two sides; stiffness(start): numbers of the normal force."""
    carriers = around.deforming("a"), around.deforming("b")
    bodies: tuple[Any, Any] = carriers[0].body, carriers[1].body
    one, moving, solid = paired(contact, bodies, shapes)
    poses = around.poses("now")
    start = pair_beginning(moving, solid, start_of(bodies, one, (poses[0], poses[1])))
    symmetric = not contact.friction.rubs and not contact.law.damping and contact.law.restitution == 1.0
    common: dict[str, Any] = {
        "marker": Frame.pack(p=-frame_of(bodies[0])[1], R=np.eye(3)),
        "turned": int(one == 0),
        "stiffness": stiffness(start),
        "rubbing": contact.friction.packed(),
        "places": moving.places,
    }
    order = (1 - one, one)
    if carried_by_elements(bodies[0]) or carried_by_elements(bodies[1]):
        from flexor.contact.deformable.mesh_pair import mesh_pair_terms  # loads SciPy

        ordered = [(carriers[i], shapes[i]) for i in order]
        return mesh_pair_terms(contact, ordered, start, common, symmetric)
    counts, frames, coordinates = [], [], []
    nodes: list[int] = []
    scalars: list[int] = []
    for i in order:
        own = carriage(carriers[i])
        counts.append(own.connections)
        coordinates.append(own.coordinates)
        nodes += own.nodes
        scalars += own.scalars
        frames.append(own.frame)
    words = PairRecord.pack(
        **common,
        nodes_a=counts[0],
        nodes_b=counts[1],
        modes_a=coordinates[0] - 6 * counts[0],
        modes_b=coordinates[1] - 6 * counts[1],
        room_a=solid.room,
        frame_a=frames[0],
        frame_b=frames[1],
        solid=solid.numbers.words,
        surface=moving.numbers.words,
    )
    room = pair_room((counts[0], counts[1]), (coordinates[0], coordinates[1]), (solid.room, moving.room))
    law = pair_law(solid.kind, moving.surface, symmetric)
    history = memory(start, PairTouch)
    return [Term(contact.name, law, tuple(nodes), tuple(scalars), parameters=words, history=history, scratch=room)]


def memory(start: PairBeginning, record: type[PairTouch], axes: Callable = in_its_frame) -> tuple[float, ...]:
    """What the contact remembers at first; axes(body, face): those of the solid in which it does."""
    found: tuple[float, ...] = ()
    solid, pose = start.solid, (tuple(start.X.p), tuple(start.X.R.ravel()))
    body, partner = solid.at_rest, deforming_partner(solid.kind, bool(start.pair.surface.balls))
    for Y, face in zip(start.points, start.faces, strict=True):
        on = partner.leave(body, Y, *pose, PairTouch(np.array(PairTouch.begin())))
        A = np.reshape(axes(body, on[0]), (3, 3))
        gap = A.T @ (start.X.apply(Y[PLACE : PLACE + 3]) - body.foot[PLACE : PLACE + 3])
        s, t = Y[PARAMETERS : PARAMETERS + 2]
        s_a, t_a = body.foot[PARAMETERS : PARAMETERS + 2]
        R = (A.T @ start.X.R).ravel()
        found += record.begin(p=gap, R=R, x=gap, s=s, t=t, face=face, acts=-1.0, s_a=s_a, t_a=t_a, face_a=on[0])
    return found


NO_FRAME = Shadow.pack(method=0, corners=(0, 0, 0), offsets=np.zeros(6), triad=np.eye(3), X=(), weights=(), A=(), B=())
"""Of a body that floats."""
