"""From a declared contact with a side of a body that deforms to its term."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from flexor.bodies.side import Side
from flexor.bodies.superelement.layout import CorotatedBody
from flexor.contact.deformable.beginning import Beginning, beginning, size_of
from flexor.contact.deformable.corotated_touch import CorotatedRecord, corotated_law, corotated_room
from flexor.contact.deformable.material_point import OUT, PARAMETERS, PLACE
from flexor.contact.deformable.moving_law import moving_law, moving_room
from flexor.contact.deformable.moving_pair import carried_by_elements, floats, frame_of, pair_on, refuse_moments
from flexor.contact.deformable.moving_touch import MovingTouch
from flexor.contact.deformable.pair_contact import pair_terms
from flexor.contact.deformable.rigid_partner import MovingRecord
from flexor.contact.distance.kinds import DISTANCES
from flexor.contact.laws.normal import Stiffness
from flexor.contact.lightness import lightness
from flexor.contact.normal_laws import Hertz
from flexor.contact.surfaces import SURFACES
from flexor.coordinates.frames import Frame, packed
from flexor.errors import ModelError, Problem
from flexor.law import Term
from flexor.law.record import Packed, repacked
from flexor.spatial import Pose

if TYPE_CHECKING:
    from flexor.contact.contact import Contact
    from flexor.joints.surroundings import Carrier, Surroundings


def check_sides(a: Any, b: Any) -> None:
    """ValueError if two shapes, one of which is a side, cannot touch."""
    if isinstance(a, Side) and isinstance(b, Side):
        return
    rigid = b if isinstance(a, Side) else a
    if rigid is not None and type(rigid) not in DISTANCES:
        known = ", ".join(dict.fromkeys(SURFACES[kind].name for kind in DISTANCES))
        raise ValueError(f"a {rigid.type} cannot touch a side of a body that deforms; choose one of {known}")


def check_slices(law: Any, *shapes: Any) -> None:
    """ValueError if a law has slices other than its default, which on a side that deforms do nothing: the side has them."""
    field = type(law).model_fields.get("slices")
    own = [shape.slices for shape in shapes if isinstance(shape, Side)]
    if field is None or law.slices in (field.default, *own):
        return
    raise ValueError(
        f"its law has slices: {law.slices}, which do nothing on a side of a body that deforms; give them to the side of a body of shape functions, "
        f"e.g. surface('outer', slices={law.slices}), and leave them out of the law"
    )


def sides_of(contact: Contact, shapes: tuple[Any, Any]) -> tuple[str, Side, str, Any]:
    """Field and side of the body that deforms, field and shape of the rigid surface."""
    if isinstance(shapes[0], Side):
        return "a", shapes[0], "b", shapes[1]
    return "b", shapes[1], "a", shapes[0]


def start_pose(body: Any, X_body: Pose, X_rigid: Pose, solid: Any) -> Pose:
    """The body's frame seen from the solid; X_rigid: of its marker."""
    _, center = frame_of(body)
    return (
        (X_rigid @ Pose(np.array(solid.at), SURFACES[type(solid)].axes(solid))).inverse()
        @ X_body
        @ Pose(center, np.eye(3))
    )


def moving_terms(contact: Contact, shapes: tuple[Any, Any], around: Surroundings) -> list[Term]:
    """The term of a contact with a side."""
    if isinstance(shapes[0], Side) and isinstance(shapes[1], Side):
        light = lightness(around, contact.a, contact.b)
        return pair_terms(contact, shapes, around, lambda start: stiffness_on(contact, start, light))
    field, side, other, solid = sides_of(contact, shapes)
    carrier: Carrier = around.deforming(field)
    body: Any = carrier.body
    site = around.end(other)
    pair = pair_on(contact.name, body, side, solid)
    refuse_moments(contact, body, pair)
    poses = dict(zip("ab", around.poses("now")[:2], strict=True))
    start = beginning(pair, solid, start_pose(body, poses[field], poses[other], solid))
    symmetric = not contact.friction.rubs and not contact.law.damping and contact.law.restitution == 1.0
    surface = SURFACES[type(solid)]
    rigid = Frame.pack(p=site.p_NM + site.R_NM @ np.array(solid.at), R=site.R_NM @ surface.axes(solid))
    modes, center = frame_of(body)
    own = Frame.pack(p=-center, R=np.eye(3))
    record: Any = surface.size
    history: tuple[float, ...] = ()
    for Y, face in zip(start.points, start.faces, strict=True):
        z = start.X.apply(Y[PLACE : PLACE + 3] + Y[OUT : OUT + 3])
        s, t = Y[PARAMETERS : PARAMETERS + 2]
        history += MovingTouch.begin(p=z, R=start.X.R.ravel(), x=z, s=s, t=t, face=face, acts=-1.0)
    parameters: dict[str, Any] = {
        "rigid": rigid,
        "marker": own if field == "a" else packed(site),
        "turned": int(field == "a"),
        "stiffness": stiffness_on(contact, start, lightness(around, contact.a, contact.b)),
        "rubbing": contact.friction.packed(),
        "places": pair.places,
        "size": size_of(solid).words,
        "surface": pair.numbers.words,
    }
    if carried_by_elements(body):
        from flexor.contact.deformable.mesh_contact import mesh_terms  # loads SciPy

        return mesh_terms(contact, carrier, side, site, start, parameters, history, symmetric)
    distance, m = DISTANCES[type(solid)], modes.shape[1]
    nodes: tuple[int, ...]
    if floats(body):
        law = moving_law(pair.surface, distance, record, symmetric)
        nodes, room, words = (carrier.node,), moving_room(m, pair.room), MovingRecord.pack(**parameters)
    else:
        law, c = corotated_law(pair.surface, distance, record, symmetric), len(body.reduced.interfaces)
        nodes, room = tuple(range(carrier.node, carrier.node + c)), corotated_room(c, m, pair.room)
        m -= 6 * c
        frame = repacked(CorotatedBody(body.realisation.parameters.words).frame)
        words = CorotatedRecord.pack(**parameters, frame=frame)
    scalars = tuple(range(carrier.scalar, carrier.scalar + m))
    return [Term(contact.name, law, (site.node, *nodes), scalars, parameters=words, history=history, scratch=room)]


def stiffness_on(contact: Contact, start: Beginning, light: float) -> Packed:
    """Numbers of the normal force at one place; light: 1/m_a + 1/m_b of the bodies [1/kg]."""
    where = f"contact '{contact.name}'"
    if isinstance(contact.law, Hertz) and start.pair.places > 1:
        what, why = "Hertz's law is of one point", "here several places touch"
        fix = "use law: {type: penalty, …}, or hertz_line with slices of the side"
        raise ModelError(Problem(where, what, why, fix))
    try:
        found = contact.law.packed(start.curvatures(), lightness=light)
    except ValueError as error:
        raise ModelError(Problem(where, str(error))) from None
    words = found.words.copy()
    if start.pair.shared:
        Stiffness(words).K /= start.pair.places
    return Packed(words, found.evaluators)
