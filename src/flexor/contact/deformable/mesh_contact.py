"""The terms of a contact over the skin of a full mesh: one that watches, and those that act where it touches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.contact.approach import DISTANCES
from flexor.contact.deformable.beginning import Beginning
from flexor.contact.deformable.facets import Facets
from flexor.contact.deformable.inner_skin import by_triangles as inner_by_triangles
from flexor.contact.deformable.mesh_touch import (
    FACES,
    POINTS,
    SkinNumbers,
    SkinPatch,
    Watched,
    touching_law,
    watching_law,
    watching_room,
)
from flexor.contact.deformable.moving_touch import MovingTouch
from flexor.contact.deformable.skin import BodySkin, body_skin
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
    whole, solid = body.realisation, type(start.solid)
    distance = DISTANCES[solid]
    record: Any = SURFACES[solid].size
    skin = body_skin(body.made, np.zeros((0, 0)), np.zeros(3), side)
    numbers = {index: carrier.node + i for i, index in enumerate(whole.kept)}
    nodes = np.array([numbers[int(i)] for i in skin.nodes])
    by_triangles = start.pair.surface.record is Facets
    kind, surface = FACES if by_triangles else POINTS, _packed(start, skin, nodes, by_triangles)
    chosen, frame = whole.frame
    points = body.made.mesh.points[chosen]
    watched = Watched.pack(
        **{**parameters, "surface": surface.words},
        node=site.node,
        frame=frame.packed(points),
        origin=frame.weights @ points,
        carriers=len(chosen),
        carrying=[numbers[i] for i in chosen],
    )
    law = watching_law(kind, distance, record)
    watching = Term(contact.name, law, parameters=watched, history=history, scratch=watching_room(len(chosen)))
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
