"""The terms of a contact between two sides that deform, one or both of which are of full meshes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.bodies.side import Side
from flexor.contact.deformable.deforming_solid import Deformed
from flexor.contact.deformable.facet_solid import placed_sides
from flexor.contact.deformable.facets import Facets
from flexor.contact.deformable.mesh_contact import nodes_of, packed_frame
from flexor.contact.deformable.mesh_pair_law import PairPatch, WatchedPair, acting_pair, pair_rooms, watching_pair
from flexor.contact.deformable.mesh_search import POINTS, SkinNumbers
from flexor.contact.deformable.mesh_solid import WHOLE, MeshPairTouch, MeshSolid
from flexor.contact.deformable.mesh_states import BodyFrame
from flexor.contact.deformable.moving_pair import carried_by_elements
from flexor.contact.deformable.pair_contact import NO_FRAME, Carriage, PairBeginning, carriage, in_its_frame, memory
from flexor.contact.deformable.skin import body_skin
from flexor.contact.deformable.triangle_turning import triad
from flexor.law import Term
from flexor.law.record import Packed

if TYPE_CHECKING:
    from flexor.contact.contact import Contact
    from flexor.joints.surroundings import Carrier

NOBODY = Carriage(0, 0, range(0), range(0), NO_FRAME)
"""Carries a body with modes where there is none."""


def mesh_pair_terms(
    contact: Contact,
    sides: Sequence[tuple[Carrier, Side]],
    start: PairBeginning,
    common: dict[str, Any],
    symmetric: bool,
) -> list[Term]:
    """sides: a, which is touched, and b, which moves over it.   common: parameters that the law has with any partner."""
    meshes = [carried_by_elements(carrier.body) for carrier, _ in sides]
    modal = NOBODY if all(meshes) else carriage(sides[meshes.index(False)][0])
    pair, solid = start.pair, start.solid
    surface, kind = pair.numbers, pair.surface
    corners, numbers, whole = np.zeros((0, 3), dtype=int), solid.numbers, solid.kind
    if meshes[0]:
        corners, numbers = _solid(*sides[0], solid.numbers)
        whole = WHOLE
    nodes = np.zeros(0, dtype=int)
    if meshes[1]:
        nodes, kind = _vertices(*sides[1]), POINTS
        extent = float(np.ptp(pair.points, axis=0).max())
        surface = SkinNumbers.pack(
            extent=extent, ball=0.0, faces=0, nodes=nodes, corners=(), first=(), around=(), inner=(), rho=()
        )
    told = 1 if common["turned"] else 0  # the side whose body tells the axes of signals
    seen = packed_frame(sides[told][0]) if meshes[told] else NO_BODY_FRAME
    carried = {"nodes": modal.connections, "modes": len(modal.scalars), "shadow": modal.frame, "room_a": solid.room}
    watched = WatchedPair.pack(
        **common, **carried, node=modal.nodes.start, seen=seen, solid=numbers.words, surface=surface.words
    )
    rooms = pair_rooms(modal.connections, modal.coordinates, (solid.room, pair.room), BodyFrame(seen.words).carriers)
    history = memory(start, MeshPairTouch, _of_triangle if meshes[0] else in_its_frame)
    scalars = tuple(modal.scalars)
    watching = Term(
        contact.name, watching_pair(whole, kind), (), scalars, parameters=watched, history=history, scratch=rooms[0]
    )
    patch = PairPatch.pack(
        **common,
        **carried,
        extent=float(solid.kind.record(solid.numbers.words).extent),
        solid=() if meshes[0] else numbers.words,
        surface=() if meshes[1] else surface.words,
    )
    law = acting_pair(whole, kind, symmetric)

    def term(at: Sequence[int], place: int, number: int) -> Term:
        borrows = place * MeshPairTouch.WORDS
        return Term(
            contact.name, law, tuple(at), scalars, parameters=patch, borrows=borrows, number=number, scratch=rooms[1]
        )

    def carries_b(place: int) -> list[int]:
        return [int(nodes[place])] if meshes[1] else [*modal.nodes]

    if meshes[0]:
        faces = corners.tolist()
        acting = [
            term([*face, *carries_b(place)], place, number)
            for place in range(pair.places)
            for number, face in enumerate(faces)
        ]
    else:
        acting = [term([*modal.nodes, *carries_b(place)], place, 1) for place in range(pair.places)]
    return [watching, *acting]


def _vertices(carrier: Carrier, side: Side) -> np.ndarray:
    """Nodes, in the engine, that the vertices of a side are."""
    body: Any = carrier.body
    return nodes_of(carrier, body_skin(body.made, np.zeros((0, 0)), np.zeros(3), side).nodes)


def _solid(carrier: Carrier, side: Side, numbers: Packed) -> tuple[np.ndarray, Packed]:
    """Nodes of the corners of each triangle (k, 3), and the numbers of the skin with its nodes."""
    known, nodes = Facets(numbers.words), _vertices(carrier, side)
    fields = {field.name: getattr(known, field.name) for field in Facets.FIELDS}
    corners = nodes[np.asarray(known.corners).astype(int)].reshape(-1, 3)
    return corners, MeshSolid.pack(**fields, nodes=nodes)


def _of_triangle(body: Deformed, face: int) -> np.ndarray:
    """Axes of a triangle."""
    return np.array(triad(placed_sides(body.p, face, body.w, 0)))


NO_BODY_FRAME = BodyFrame.pack(frame=NO_FRAME, origin=np.zeros(3), carriers=0, carrying=())
"""Where signals are told in the axes of a body with modes."""
