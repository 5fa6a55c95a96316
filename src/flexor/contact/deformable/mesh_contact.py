"""The terms of a contact over the skin of a full mesh: one that watches, and those that act where it touches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.contact.deformable.beginning import Beginning
from flexor.contact.deformable.facets import Facets
from flexor.contact.deformable.inner_skin import by_triangles as inner_by_triangles
from flexor.contact.deformable.mesh_search import FACES, POINTS, SkinNumbers
from flexor.contact.deformable.mesh_states import BodyFrame
from flexor.contact.deformable.mesh_touch import (
    SkinPatch,
    Watched,
    touching_law,
    watching_law,
    watching_room,
)
from flexor.contact.deformable.moving_touch import MovingTouch
from flexor.contact.deformable.skin import BodySkin, body_skin
from flexor.contact.deformable.triangle_turning import triad
from flexor.contact.distance.kinds import DISTANCES
from flexor.contact.surfaces import SURFACES
from flexor.law import Term
from flexor.law.record import Packed

if TYPE_CHECKING:
    from flexor.bodies.marker import Site
    from flexor.bodies.side import Side
    from flexor.contact.contact import Contact
    from flexor.joints.surroundings import Carrier


def mesh_terms(
    contact: Contact,
    carrier: Carrier,
    side: Side,
    site: Site,
    start: Beginning,
    parameters: dict[str, Any],
    history: tuple[float, ...],
    symmetric: bool,
) -> list[Term]:
    """site: of the rigid surface.   parameters: those of a moving contact; history: likewise, with what each place begins."""
    body: Any = carrier.body
    solid = type(start.solid)
    distance = DISTANCES[solid]
    record: Any = SURFACES[solid].size
    skin = body_skin(body.made, np.zeros((0, 0)), np.zeros(3), side)
    nodes = nodes_of(carrier, skin.nodes)
    by_triangles = start.pair.surface.record is Facets
    kind, surface = FACES if by_triangles else POINTS, _packed(start, skin, nodes, by_triangles)
    if by_triangles:
        history = _in_axes_of_triangle(start, skin, history)
    seen = packed_frame(carrier)
    watched = Watched.pack(**{**parameters, "surface": surface.words}, node=site.node, seen=seen)
    law = watching_law(kind, distance, record)
    watching = Term(
        contact.name, law, parameters=watched, history=history, scratch=watching_room(BodyFrame(seen.words).carriers)
    )
    patch = SkinPatch.pack(
        extent=SkinNumbers(surface.words).extent,
        ball=SkinNumbers(surface.words).ball,
        **{name: parameters[name] for name in ("rigid", "stiffness", "rubbing", "size")},
    )
    acting = touching_law(kind, distance, record, symmetric)

    def term(corners: list[int], place: int, number: int) -> Term:
        at = (site.node, *corners)
        return Term(contact.name, acting, at, parameters=patch, borrows=place * MovingTouch.WORDS, number=number)

    if by_triangles:
        triangles = nodes[np.asarray(SkinNumbers(surface.words).corners).astype(int)].reshape(-1, 3).tolist()
        return [watching, *(term(corners, 0, i) for i, corners in enumerate(triangles))]
    return [watching, *(term([node], i, 1) for i, node in enumerate(nodes.tolist()))]


def _in_axes_of_triangle(start: Beginning, skin: BodySkin, history: tuple[float, ...]) -> tuple[float, ...]:
    """What is remembered at first, with the axes of the triangle that is nearest as those of the body."""
    words = np.array(history)
    corners = np.asarray(Facets(start.pair.numbers.words).corners).astype(int)[3 * start.faces[0] :][:3]
    a, b, c = skin.points[corners]
    MovingTouch(words).R[:] = (start.X.R @ np.reshape(triad((a, b - a, c - a)), (3, 3))).ravel()
    return tuple(words.tolist())


def nodes_of(carrier: Carrier, chosen: Sequence[int] | np.ndarray) -> np.ndarray:
    """Numbers, in the engine, of nodes of a full mesh."""
    whole: Any = carrier.body.realisation  # type: ignore[attr-defined]
    numbers = {index: carrier.node + i for i, index in enumerate(whole.kept)}
    return np.array([numbers[int(i)] for i in chosen])


def packed_frame(carrier: Carrier) -> Packed:
    """The frame of a full mesh."""
    body: Any = carrier.body
    chosen, frame = body.realisation.frame
    points = body.made.mesh.points[chosen]
    return BodyFrame.pack(
        frame=frame.packed(points),
        origin=frame.weights @ points,
        carriers=len(chosen),
        carrying=nodes_of(carrier, chosen),
    )


def _packed(start: Beginning, skin: BodySkin, nodes: np.ndarray, by_triangles: bool) -> Packed:
    """Numbers of the skin; nodes: of its vertices, in the engine. The order of its triangles is that in which the start was found."""
    if not by_triangles:
        extent = float(np.ptp(start.pair.points, axis=0).max())
        return SkinNumbers.pack(
            extent=extent, ball=0.0, faces=0, nodes=nodes, corners=(), first=(), around=(), inner=(), rho=()
        )
    known = Facets(start.pair.numbers.words)
    triangles = np.asarray(known.corners).astype(int).reshape(-1, 3)
    out = np.asarray(known.out).reshape(-1, 3)
    return SkinNumbers.pack(
        extent=known.extent,
        ball=known.ball,
        faces=len(triangles),
        nodes=nodes,
        corners=known.corners,
        first=known.first,
        around=known.around,
        inner=inner_by_triangles(skin.points, triangles, out) if known.ball > 0.0 else (),
        rho=known.rho,
    )
