"""What the check of a model says about bodies that are made of finite elements: whether they can be made, and what looks wrong."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from flexor.bodies import Beam, Body, DeformableBody, FlexibleBody, ShapeBody
from flexor.bodies.attachment import CLOSE
from flexor.bodies.marker import MarkerRef
from flexor.bodies.shape import Box
from flexor.bodies.shape_body.geometry import TurnedPart
from flexor.dotted import within
from flexor.elements.assembly.massless import REMEDY, massless
from flexor.elements.thin import HARDLY_BEND, one_layer
from flexor.errors import FlexorError, ModelError, Problem
from flexor.forces import LineLoad, MeshLoad
from flexor.joints import Joint
from flexor.joints.surroundings import Carrier
from flexor.mesh.likely_units import looks_like_millimetres
from flexor.mesh.note import changing
from flexor.mistakes import suggestion
from flexor.model.report import Findings
from flexor.model.roster import Roster

LOCAL = 1.25
"""Yielding of a point beside that of the material round it from which on a joint there is doubtful."""
BLURRED = 1e-3
"""Relative error of the frequencies of a body of shape functions by rounding from which it is told."""
STIFF = 0.02
"""Relative error of the lowest frequency of a body of shape functions from which it is told."""
ENOUGH = 4
"""Order of polynomials by which the lowest mode of a body of any form is found within a percent or so."""
MANY = 0.01
"""Share of shape functions that depend on others from which it is told."""


def check_makings(found: Findings) -> set[int]:
    """Numbers of the bodies that cannot be made: a mesh that is not there, a reduction that fails."""
    unmade = set()
    for number, item in found.items.of(Body):
        if isinstance(item, Body):
            try:
                item.prepare()
            except FlexorError as error:
                unmade.add(number)
                for problem in _problems(error):
                    own = problem.where in ("", f"flexible body '{item.name}'")
                    what = problem.what if own else f"{problem.where}: {problem.what}"
                    found.error(number, what, problem.why, problem.fix)
            if isinstance(item, FlexibleBody):
                if number not in unmade:
                    _check_markers(found, number, item)
                    _check_units(found, number, item)
                    _check_notes(found, number, item)
                    _check_mass(found, number, item)
                    _check_bending(found, number, item)
                _check_fields(found, number, item)
            if isinstance(item, ShapeBody) and number not in unmade:
                _check_shapes(found, number, item)
    return unmade


def _problems(error: FlexorError) -> Sequence[Problem]:
    return error.problems or (Problem("", str(error)),)


def _check_markers(found: Findings, number: int, body: FlexibleBody) -> None:
    """Markers that stand for an interface elsewhere, have no node, or are far off the body."""
    made = body.made
    size = float(np.ptp(made.nodes, axis=0).max())
    held = body.reduced_body is not None and body.formulation_class.at_interfaces_alone
    for name, marker in body.markers.items():
        at = np.array(marker.at, dtype=float)
        off = np.linalg.norm(made.points - at, axis=1)
        if name in made.interfaces and off[made.interfaces.index(name)] > CLOSE * size:
            what = f"marker '{name}' has the name of an interface at another place"
            why = "it would be open which of them is meant"
            found.error(number, what, why, f"rename it; the interface is at {_point(made.at(name))}", "markers")
        elif held and off.min(initial=np.inf) > CLOSE * size:
            why = f"a {body.formulation} from a file has nodes at its interfaces alone"
            fix = "use formulation: floating, or name that point as an interface when the mesh is reduced"
            found.warning(number, f"marker '{name}' has no node", why, fix, "markers")
        away = float(np.linalg.norm(made.nodes - at, axis=1).min())
        if away > size:
            why = f"that is further than the body is long, {size:.3g} m"
            fix = "check its position, and the units of the mesh"
            found.warning(number, f"marker '{name}' is {away:.3g} m away from the mesh", why, fix, "markers")


def _check_shapes(found: Findings, number: int, body: ShapeBody) -> None:
    """Markers off a body of shape functions, which are evaluated there all the same, and sets with functions too many."""
    from flexor.bodies.shape_body.shape_field import OFF  # loads SciPy

    made = body.reduced
    size = made.field.series.extent
    if made.mesh is not None and (sign := looks_like_millimetres(made.mesh)):
        fix = "write units: 20 mm, 210 GPa"
        found.warning(number, sign, "Flexor takes numbers without units for SI", fix, "geometry")
    for name, marker in body.markers.items():
        if (away := made.field.outside(marker.at)) > OFF * size:
            why = "its shape functions are told inside of it, and grow quickly outside"
            fix = "put it on the body; to attach beside it, fix a rigid body to a marker on it"
            found.warning(number, f"marker '{name}' is {away:.3g} m off the body", why, fix, "markers")
    if made.blur > BLURRED:
        what = f"it is so thin that its lowest frequencies are uncertain by {100 * made.blur:.2g} %"
        why = "it bends so much more easily than it shears that rounding shows"
        found.warning(number, what, why, "use a beam, or a flexible_body with a mesh of shells or beams", "geometry")
    if (high := _stiff_at_steps(body)) > STIFF:
        what = f"its lowest frequency may be some {100 * high:.2g} % too high"
        why = "polynomials over its whole height cannot bend at its steps, and come nearer to that with the order but slowly"
        found.warning(number, what, why, "raise the axial order, or use a flexible_body with a mesh", "orders")
    elif (fall := _fall_by_orders(body)) is not None:
        few, more, orders = fall
        what = f"its lowest frequency falls from {few:.4g} to {more:.4g} Hz with orders {orders}"
        why = "its shape functions are too few to let it bend as it would"
        found.warning(number, what, why, "raise the orders until what you want to know stays", "orders")
    if made.dependent > MANY * made.functions:
        what = f"{made.dependent} combinations of its shape functions cannot be told apart from others by rounding"
        found.warning(number, what, "they were left out", "lower the orders; the others describe it as well", "orders")


def _stiff_at_steps(body: ShapeBody) -> float:
    """About how much too high the lowest frequency of a part with steps is, by that with an axial order of two less; 0 of others.

    With the order n the error falls like 1/n: from n − 2 to n by 2/(n − 2) of what it is at n.
    """
    if not isinstance(body.geometry, TurnedPart) or body.geometry.section.conforming:
        return 0.0
    orders = body.all_orders
    n = max(each[2] for each in orders)
    if n < 4:
        return 0.0
    lower = tuple((r, waves, max(z - 2, 1)) for r, waves, z in orders)
    whole = body.replace(orders=orders, up_to=None, keep=None).reduced.frequencies[0]
    return float(body.replace(orders=lower, up_to=None, keep=None).reduced.frequencies[0] / whole - 1) * (n - 2) / 2


def _fall_by_orders(body: ShapeBody) -> tuple[float, float, str] | None:
    """Lowest frequency [Hz] with its orders and with higher ones, and which these are, where it falls by more than STIFF.

    Orders of ENOUGH show the lowest mode; both are found with no more, and with the two waves that bend rings and shafts, to be quick.
    """
    waves = not isinstance(body.geometry, Box)
    raised = tuple((_more(a), b if waves else _more(b), _more(c)) for a, b, c in body.all_orders)
    if raised == body.all_orders:
        return None
    from flexor.bodies.shape_body.make import lowest_frequency  # loads SciPy

    def lowest(orders: Sequence[tuple[int, int, int]]) -> float:
        few = [[min(a, ENOUGH), min(b, 2 if waves else ENOUGH), min(c, ENOUGH)] for a, b, c in orders]
        return lowest_frequency(body.replace(orders=few))

    own, better = lowest(body.all_orders), lowest(raised)
    told = raised[0] if len(set(raised)) == 1 else raised
    return (own, better, str(told)) if own > (1 + STIFF) * better else None


def _more(order: int) -> int:
    """A higher order that may show a softer body: one with even and odd functions more."""
    return order + 1 if order == 1 else max(order, ENOUGH)


def check_held_points(found: Findings, sound: Roster) -> None:
    """Joints that hold a point of a body of shape functions, which yields far more than the material round it."""
    bodies = {item.name: item for _, item in sound.of(ShapeBody) if isinstance(item, ShapeBody)}
    if not bodies:
        return
    from flexor.bodies.shape_body.mean_motion import motion_around  # loads SciPy
    from flexor.bodies.shape_body.surface_point import surface_sides  # loads SciPy

    for number, item in sound.of(Joint):
        for end in ("a", "b"):
            held = getattr(item, end, None)
            if not isinstance(held, MarkerRef) or held.body not in bodies:
                continue
            body = bodies[held.body]
            if held.marker in body.interfaces:
                continue
            made = body.reduced
            at = body.marker(held.marker).at if held.marker is not None else held.at or (0.0, 0.0, 0.0)
            point, around = made.motion_at(at), motion_around(made.field, at)
            yielding = np.diag(made.K)
            with np.errstate(invalid="ignore", divide="ignore"):
                ratio = np.nanmax(
                    np.append((point**2 / yielding).sum(axis=1) / (around**2 / yielding).sum(axis=1), 1.0)
                )
            if ratio > LOCAL:
                what = f"it holds '{body.name}' at a point, which yields {ratio:.3g} times as much as the material round it"
                why = "under a force or moment at a point a solid has no limit of its motion: the higher its orders, the softer the joint"
                sides = surface_sides(made)
                fix = f"give '{body.name}' interfaces: {{held: {sides[0]}}} or another of its sides ({', '.join(sides[1:])}), and attach the joint to it"
                found.warning(number, what, why, fix, end)


def _point(x: np.ndarray) -> str:
    return "(" + ", ".join(f"{c + 0.0:.4g}" for c in x) + ") m"


def _check_bending(found: Findings, number: int, body: FlexibleBody) -> None:
    """A thin part of elements that hardly bend."""
    if body.made.mesh is None or not body.flexible:
        return
    for kind, count in one_layer(body.made.mesh).items():
        why = "strain is constant across each of them, so that the body is far too stiff in bending"
        fix = f"mesh it with {HARDLY_BEND[kind]}, or with shells"
        found.warning(number, f"it is one layer of {count} {kind} elements thick", why, fix, "mesh")


def _check_units(found: Findings, number: int, body: FlexibleBody) -> None:
    """A mesh in millimetres that was taken for metres."""
    if body.made.mesh is not None and (sign := looks_like_millimetres(body.made.mesh)):
        fix = 'if the file is in millimetres, tonnes, seconds, add units: mm-t-s (Python: units="mm-t-s")'
        if body.reduced_body is not None:
            fix = "if the mesh was in millimetres, reduce it again with units mm-t-s"
        found.warning(number, sign, "Flexor takes numbers without units for SI", fix, "units" if body.mesh else "")


def _check_notes(found: Findings, number: int, body: FlexibleBody) -> None:
    """What of the mesh file was left out, or taken otherwise than it says."""
    mesh = body.made.mesh
    notes = () if mesh is None else mesh.notes
    for note in changing(notes, "mesh"):
        found.warning(number, note, "", "change the file, or make sure that it does not matter", _source(body))
    for note in () if body.ignore_loads else changing(notes, "loads"):
        found.warning(number, note, "", "", _source(body))


def _check_mass(found: Findings, number: int, body: FlexibleBody) -> None:
    """Elements whose material has no density, beside others that have mass."""
    for what in massless(body.made.mesh)[0] if body.made.mesh is not None else ():
        found.warning(number, what, "they have neither weight nor inertia", REMEDY, _source(body))


def _source(body: FlexibleBody) -> str:
    return "mesh" if body.mesh is not None else "reduced_body"


def _check_fields(found: Findings, number: int, body: FlexibleBody) -> None:
    """What was given and does nothing in the formulation."""
    for name, (why, fix) in body.formulation_class.without_effect.items():
        if getattr(body, name) != type(body).model_fields[name].get_default():
            found.warning(number, f"{name} has no effect", why, fix, name)


def check_mesh_loads(found: Findings, sound: Roster, broken: Collection[str]) -> None:
    """Loads on meshes: that there is such a body, and that it has such faces and nodes."""
    loads = sound.of(MeshLoad)
    flexible = {name: body for name, body in sound.bodies.items() if isinstance(body, DeformableBody)} if loads else {}
    for number, item in loads:
        if not isinstance(item, MeshLoad) or within(item.body, broken):
            continue
        if item.body not in flexible:
            fix = suggestion(item.body, flexible, "flexible bodies are") or "declare one with FlexibleBody"
            found.error(number, f"there is no flexible body '{item.body}'", "", fix, "body")
            continue
        try:
            item.on_body(Carrier(flexible[item.body], 1, 0))
        except FlexorError as error:
            for problem in _problems(error):
                what = f"{problem.where}: {problem.what}" if problem.where else problem.what
                found.error(number, what, problem.why, problem.fix, "load")


def check_line_loads(found: Findings, sound: Roster, broken: Collection[str]) -> None:
    """Line loads: that there is such a beam, and that they are on it."""
    loads, bodies = sound.of(LineLoad), sound.bodies
    beams = {name: body for name, body in bodies.items() if isinstance(body, Beam)} if loads else {}
    for number, item in loads:
        if not isinstance(item, LineLoad) or within(item.body, broken):
            continue
        if item.body not in beams:
            what = f"body '{item.body}' is no beam" if item.body in bodies else f"there is no beam '{item.body}'"
            why = "a force per length needs a line" if item.body in bodies else ""
            fix = suggestion(item.body, beams, "beams are") or "declare one with Beam"
            found.error(number, what, why, fix, "body")
            continue
        try:
            item.refuse_outside(beams[item.body])
        except ModelError as error:
            for problem in error.problems:
                found.error(number, problem.what, problem.why, problem.fix, problem.where)
