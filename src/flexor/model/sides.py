"""What the check of a model says about contacts that move over bodies that deform: whether they can, and what their modes leave out."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexor.bodies import Body, ShapeBody
from flexor.bodies.side import Side
from flexor.contact import Contact
from flexor.contact.contact import OVERLAP
from flexor.contact.deformable.beginning import Beginning, beginning
from flexor.contact.deformable.local_yielding import local_yielding
from flexor.contact.deformable.material_point import BY_S, BY_T
from flexor.contact.deformable.moving_contact import sides_of, start_pose, stiffness_on
from flexor.contact.deformable.moving_pair import pair_on, refuse_moments, touches_with_nodes
from flexor.contact.deformable.pair_contact import PairBeginning, pair_beginning, paired, start_of
from flexor.contact.laws.normal import Stiffness
from flexor.contact.normal_laws import FLAT
from flexor.errors import FlexorError
from flexor.model.joint_state import Placement
from flexor.model.report import Findings
from flexor.model.roster import Roster
from flexor.model.surroundings import Placed

COARSER = 1.5
"""How much wider the nodes of a mesh that touch may stand than those of the side that they touch, before it is told."""
HELD = 0.9
"""Share of the yielding under a force that modes should have."""
MATTERS = 0.1
"""What they leave out, in parts of the yielding of the contact's law, from which it is told."""
TILTED = 0.05
"""Angle between faces up to which they lie on each other sooner or later [rad]."""
G = 9.81


def lies_flat(start: Beginning, curvature: float) -> bool:
    """Whether a side and a solid touch over a face; curvature: the larger relative one where they are nearest [1/m]."""
    n = start.X.R.T @ start.normal
    along = [start.nearest[i : i + 3] for i in (BY_S, BY_T)]
    tilted = any(abs(n @ u) > TILTED * np.linalg.norm(u) for u in along)
    return not tilted and bool(abs(curvature) * np.ptp(start.pair.points, axis=0).max() <= FLAT)


def lies_along(start: Beginning, high: float, low: float) -> bool:
    """Whether they touch along a line; high, low: relative curvatures where they are nearest, infinite of an edge or a corner [1/m]."""
    most = high if np.isfinite(high) else 1.0 / np.ptp(start.pair.points, axis=0).max()
    return bool(low <= FLAT * max(most, 0.0))


def check_sides(found: Findings, sound: Roster, placement: Placement) -> None:
    """Contacts with sides of bodies."""
    touching = [(n, item) for n, item in sound.of(Contact) if isinstance(item, Contact) and item.over_surfaces]
    if not touching:
        return
    items = tuple(item for _, item in sound)
    placed = Placed(items, placement, {}, {})
    weight = G * sum(item.weights[0] for item in items if isinstance(item, Body))
    for number, contact in touching:
        try:
            _check(found, number, contact, placed, weight)
        except FlexorError as error:
            for problem in error.problems:
                found.error(number, problem.what, problem.why, problem.fix)


def _started(contact: Contact, shapes: tuple[Any, Any], placed: Placed) -> tuple[str, Side, Any, Beginning]:
    """Field, side and body of the surface that moves over the other one, and where they begin."""
    if isinstance(shapes[0], Side) and isinstance(shapes[1], Side):
        bodies: Any = tuple(placed.bodies.get(end.body) for end in (contact.a, contact.b))
        poses = tuple(placed.pose(end, placed.placement) for end in (contact.a, contact.b))
        one, moving, touched = paired(contact, bodies, shapes)
        start = pair_beginning(moving, touched, start_of(bodies, one, (poses[0], poses[1])))
        return "ab"[one], shapes[one], bodies[one], start
    field, side, other, solid = sides_of(contact, shapes)
    body: Any = placed.bodies.get(getattr(contact, field).body)
    pair = pair_on(contact.name, body, side, solid)
    refuse_moments(contact, body, pair)
    X_body, X_rigid = (placed.pose(getattr(contact, end), placed.placement) for end in (field, other))
    first = beginning(pair, solid, start_pose(body, X_body, X_rigid, solid))
    return field, side, body, first


def _check_spacing(found: Findings, number: int, field: str, start: PairBeginning) -> None:
    """Whether what is touched fits between the nodes that touch it."""
    own, other = _spacing(start.pair.points), _spacing(start.solid.points)
    if own > COARSER * other:
        what = f"the nodes of {field}, which touch, are {own:.3g} m apart, those of the other side {other:.3g} m"
        why = "what is smaller than the gaps between them passes through unseen"
        found.warning(
            number, what, why, "exchange a and b, so that the finer mesh touches, or refine the mesh", f"shape_{field}"
        )


def _spacing(points: np.ndarray) -> float:
    """Of most points to the fourth next one [m]: nearer ones may be on the other face of a thin plate."""
    from scipy.spatial import cKDTree  # not for models without meshes

    count = min(len(points), 5)
    return float(np.median(cKDTree(points).query(points, k=[count])[0]))


def _check(found: Findings, number: int, contact: Contact, placed: Placed, weight: float) -> None:
    """An overlap at the start, and what the modes of the body leave out under the contact."""
    of_bodies = [getattr(placed.bodies.get(end.body), "shapes", ()) for end in (contact.a, contact.b)]
    shapes, problems = contact.fitting(of_bodies)
    if problems:
        return
    field, side, body, start = _started(contact, (shapes[0], shapes[1]), placed)
    if isinstance(start, PairBeginning) and not isinstance(body, ShapeBody):
        _check_spacing(found, number, field, start)
    numbers = Stiffness(stiffness_on(contact, start, 0.0).words)
    K, exponent = numbers.K, numbers.exponent
    rest = (weight / K) ** (1 / exponent)
    if (depth := -start.gap) > OVERLAP * rest:
        why = f"it begins with a force of {K * depth**exponent:.3g} N, which throws them apart"
        fix = "move the bodies apart, or correct the shapes"
        found.warning(number, f"its surfaces overlap by {depth:.3g} m at the start", why, fix)
    high, low = start.curvatures()
    if side.points:
        pass  # they touch by themselves, however many at a time
    elif isinstance(body, ShapeBody) and lies_flat(start, high):
        why = "each slice, or the whole face, touches in one point, which jumps from end to end of it: steps become very short"
        fix = "give points, e.g. points: 4, which touch one by one"
        found.warning(number, "its surfaces touch over a face", why, fix, f"shape_{field}")
    elif isinstance(body, ShapeBody) and not side.slices and lies_along(start, high, low):
        why = "one point of the line is taken, and that may jump from end to end of it"
        found.warning(
            number, "its surfaces touch along a line, or a face", why, "give slices, e.g. slices: 4", f"shape_{field}"
        )
    elif (
        not isinstance(body, ShapeBody)
        and not side.every_node
        and not touches_with_nodes(shapes["ba".index(field)])
        and lies_along(start, high, low)
    ):
        why = "one point of the line is taken, and that may jump from end to end of it: steps become short, and equilibria may not be found"
        fix = "give every_node: true, with a mesh that is fine beside the area of contact"
        found.warning(number, "its surfaces touch along a line", why, fix, f"shape_{field}")
    known = local_yielding(body, start)
    own = 1.0 / (exponent * K * rest ** (exponent - 1))  # of the law, under the weight of all bodies
    if known is None or known.share >= HELD or known.missing <= MATTERS * own:
        return
    x, y, z = known.at
    what = f"the modes of '{body.name}' take {100 * known.share:.0f} % of its yielding under a force at ({x:.4g}, {y:.4g}, {z:.4g}) m"
    why = f"they leave out {known.missing:.3g} m/N; the law of the contact yields by {own:.3g} m/N"
    fix = (
        "keep more modes, add a marker or an interface there, whose static shapes are kept, or make the law of the contact softer by "
        f"it: {1 / (own + known.missing):.3g} N/m"
    )
    found.warning(number, what, why, fix)
