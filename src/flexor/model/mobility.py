"""Bodies that can move in a direction in which they have no inertia: there the acceleration is undefined.

Each body is looked at alone, its neighbours held still. Its velocities (v of the centre of mass, ω) that
every joint permits and that carry no momentum must be none:

    rank [inertia; joints] = 6

with one row per principal direction of inertia and one per constraint of a joint, a distance rod, a motor or whatever else binds. A
spring does not make an acceleration defined, but lets an implicit integrator go on: it turns the mistake
into a warning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from flexor.bodies import Body, MarkerRef
from flexor.coordinates.between import Between
from flexor.declaration import Item
from flexor.joints import Joint
from flexor.joints.along import acts_along
from flexor.joints.choice import chosen_variable
from flexor.joints.motor import variable_index
from flexor.joints.path import Path
from flexor.model.attachments import attachments
from flexor.model.fit import model_size
from flexor.model.joint_frames import JointState
from flexor.model.joint_state import AT_NODE, Placement, attachment
from flexor.model.report import Findings, Say
from flexor.model.roster import Roster
from flexor.spatial import stacked

_NEGLIGIBLE = 1e-12  # of the largest principal moment of inertia
_INDEPENDENT = 1e-8  # smallest singular value of rows of unit length


def check_mobility(found: Findings, items: Roster, placement: Placement) -> None:
    """Report bodies that can move without inertia."""
    bodies = items.bodies
    inertia = {
        name: _inertia_rows(*inert, placement.poses[name].R)
        for name, inert in _too_light([(name, body.mass_and_inertia) for name, body in bodies.items()])
    }
    if not inertia:
        return
    declared, joints = items.items, items.joints
    paths = {item.name: item for _, item in items.of(Path) if isinstance(item, Path)}
    light = {name: bodies[name] for name in inertia}
    held: dict[str, list[np.ndarray]] = {}
    sprung: dict[str, list[np.ndarray]] = {}
    for item in declared:
        if isinstance(item, Joint):
            _add(held, light, placement, (item.a, item.b), joint_rows(item, placement.joints[item.name]))
        elif (inert := item.adds_inertia) is not None:
            ends = attachments(item)
            _add(held, light, placement, ends, _inertia_wrenches(*inert, ends[0], bodies, placement))
        elif item.line is not None:
            ends = attachments(item)
            rows = _line_row(*(placement.point(bodies, end) for end in ends))
            _add(held if item.line.prescribed else sprung, light, placement, ends, rows)
        elif acts_along(item) and item.joint in paths:
            if not _drives(item, paths):
                ends = attachments(paths[item.joint])
                points = np.array([placement.point(bodies, end) for end in ends])
                rows = [(row, points[-1], np.zeros(3)) for row in paths[item.joint].directions(points)]
                _add(sprung, light, placement, ends, rows)
        elif acts_along(item):
            joint = joints[item.joint]
            rows = _variable_row(joint, placement.joints[joint.name], variable_index(joint, item.variable))
            by_spring = item.drive is None or item.drive.by_spring
            _add(sprung if by_spring else held, light, placement, (joint.a, joint.b), rows)
        elif item.holds and not item.binds:
            _add(sprung, light, placement, attachments(item), _elastic_rows(item, bodies, placement))
        elif not item.binds:
            for each in item.couples:
                joint = joints[each.joint]
                rows = _variable_row(joint, placement.joints[joint.name], chosen_variable(joint, each))
                _add(sprung, light, placement, (joint.a, joint.b), rows)
    size = model_size(placement, declared)
    _bind(held, placement, declared, size)
    for number, body in items:
        if isinstance(body, Body) and body.name in light:
            firm = [*inertia[body.name], *held.get(body.name, [])]
            free = _null_space(firm, size)
            soft = _null_space([*firm, *sprung.get(body.name, [])], size)
            massless = body.weights[0] == 0
            if len(soft):
                _report(found.error, number, massless, placement.poses[body.name].R, soft)
            elif len(free):
                _report(found.warning, number, massless, placement.poses[body.name].R, free)


def _drives(item: Item, paths: Mapping[str, Path]) -> bool:
    """Whether it prescribes the position on a path."""
    return item.drive is not None and item.drive.joint in paths and not item.drive.by_spring


Wrench = tuple[np.ndarray, np.ndarray, np.ndarray]
"""A row of a constraint: force direction, its point, and free moment."""


def joint_rows(joint: Joint, state: JointState) -> list[Wrench]:
    """What it locks, on B against A."""
    A, B, p, none = state.X_WJa.R, state.X_WJb.R, state.X_WJb.p, np.zeros(3)
    rows = [(A[:, i], p, none) for i in joint.free.locked_translations]
    return rows + [(none, p, g) for g in joint.free.turnings(A, B)]


def _inertia_wrenches(
    mass: float, inertia: np.ndarray, on: MarkerRef, bodies: dict[str, Body], placement: Placement
) -> list[Wrench]:
    """The directions in which an added mass has inertia."""
    p, R_BM = attachment(bodies, on)
    R = placement.poses[on.body].R if R_BM is None else placement.poses[on.body].R @ R_BM
    at = placement.poses[on.body].apply(p)
    return [(row[:3], at, row[3:]) for row in _inertia_rows(mass, inertia, R)]


def _line_row(p_a: np.ndarray, p_b: np.ndarray) -> list[Wrench]:
    return [(p_b - p_a, p_b, np.zeros(3))]


def _elastic_rows(item: Item, bodies: Mapping[str, Body], placement: Placement) -> list[Wrench]:
    a, *_, b = attachments(item)
    R = attachment(bodies, a)[1]
    axes = placement.poses[a.body].R @ (np.eye(3) if R is None else R)
    rows = [np.array(row) for row in item.resists(axes)]
    return [(row[:3], placement.point(bodies, b), row[3:]) for row in rows]


def _variable_row(joint: Joint, state: JointState, index: int) -> list[Wrench]:
    x, R = [*state.X_WJa.p, *state.X_WJb.p], [*state.X_WJa.R.ravel(), *state.X_WJb.R.ravel()]
    g = Between(joint.free.measures[index], AT_NODE, AT_NODE).gradient(x, R)
    return [(g[6:9], state.X_WJb.p, g[9:12])]


def _add(
    rows: dict[str, list[np.ndarray]],
    bodies: dict[str, Body],
    placement: Placement,
    ends: Sequence[MarkerRef],
    found: list[Wrench],
) -> None:
    """The rows as seen by each body that has one of its ends: f·v + (s × f + m)·ω."""
    for ref in ends:
        if ref.body in bodies:
            center = placement.poses[ref.body].apply(bodies[ref.body].node_offset)
            own = [np.concatenate([f, np.cross(p - center, f) + m]) for f, p, m in found]
            rows.setdefault(ref.body, []).extend(own)


def _bind(rows: dict[str, list[np.ndarray]], placement: Placement, items: Sequence[Item], size: float) -> None:
    """The rows of what else binds bodies, by its own law."""
    paths = {item.name: item for item in items if isinstance(item, Path)}
    others = [
        item
        for item in items
        if _drives(item, paths) or (item.binds and item.line is None and not isinstance(item, Joint))
    ]
    if not others:
        return
    from flexor.model.equations import STRUCTURE  # loads SciPy
    from flexor.model.loops import Loops  # loads SciPy

    on = [path for path in paths.values() if path not in others]
    loops = Loops([[*(item for item in items if isinstance(item, Body | Joint)), *on, *others]], placement, size)
    found = loops.velocity_rows(loops.motion(placement.poses, placement.twists))
    own = [i for i, owner in enumerate(loops.owners) if owner.name in {item.name for item in others}]
    J = found.J.toarray()[(found.kind == STRUCTURE) & np.isin(found.owner, own)] / loops.unit
    for body, columns in zip(loops.bodies, loops.column[1:]):
        rows.setdefault(body.name, []).extend(np.where(columns >= 0, J[:, columns], 0.0))


def _too_light(
    every: Sequence[tuple[str, tuple[float, np.ndarray] | None]],
) -> list[tuple[str, tuple[float, np.ndarray]]]:
    """Of bodies with their mass and inertia those that lack some."""
    given = [(name, inert) for name, inert in every if inert is not None]
    if not given:
        return []
    different = {id(inert[1]): inert[1] for _, inert in given}  # bodies that are alike may share theirs
    moments = np.linalg.eigvalsh(stacked(list(different.values()), 3, 3))
    enough = np.all((moments > _NEGLIGIBLE * moments[:, 2:]) & (moments > 0), axis=1)
    turns = dict(zip(different, enough.tolist()))
    return [each for each in given if not (each[1][0] > 0 and turns[id(each[1][1])])]


def _inertia_rows(mass: float, inertia: np.ndarray, R_WB: np.ndarray) -> list[np.ndarray]:
    rows = [np.eye(6)[i] for i in range(3)] if mass > 0 else []
    moments, axes = np.linalg.eigh(inertia)
    for moment, axis in zip(moments, axes.T, strict=True):
        if moment > _NEGLIGIBLE * moments[2] and moment > 0:
            rows.append(np.concatenate([np.zeros(3), R_WB @ axis]))
    return rows


def _null_space(rows: list[np.ndarray], size: float) -> np.ndarray:
    """Velocities (v, ω) that no row notices, one per row; lengths are measured in the model's size."""
    scaled = [row / np.array([1.0] * 3 + [size] * 3) for row in rows]
    scaled = [row / np.linalg.norm(row) for row in scaled if np.linalg.norm(row) > 0]
    if not scaled:
        return np.eye(6)
    if not np.all(np.isfinite(scaled)):
        return np.empty((0, 6))
    _, singular, Vt = np.linalg.svd(np.array(scaled))
    return Vt[int(np.sum(singular > _INDEPENDENT)) :]


def _report(say: Say, number: int, massless: bool, R_WB: np.ndarray, free: np.ndarray) -> None:
    turning = np.linalg.norm(free[:, 3:]) > 1e-6
    if massless:
        what, why = "it has no mass, and its joints leave it free to move", "its acceleration is undefined"
        say(number, what, why, "give it a mass and inertia, or hold it with further joints", "mass")
    elif turning:
        axes = R_WB.T @ free[:, 3:].T
        what = f"it has no moment of inertia about {_axis(axes)}, but can turn about it"
        fix = "give it inertia, or make it a point_mass"
        say(number, what, "its angular acceleration is undefined", fix, "inertia")


def _axis(axes: np.ndarray) -> str:
    """The name of the only axis among the columns, in the body's axes; several if there are more."""
    if np.linalg.matrix_rank(axes, tol=1e-6) > 1:
        return "some axis"
    column = axes[:, np.argmax(np.linalg.norm(axes, axis=0))]
    column = column / np.linalg.norm(column)
    main = int(np.argmax(np.abs(column)))
    if abs(column[main]) > 1 - 1e-9:
        return f"its {'xyz'[main]} axis"
    return "its axis (" + ", ".join(f"{round(c, 3) + 0.0:g}" for c in column * np.sign(column[main])) + ")"
