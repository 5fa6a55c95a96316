"""Angles that stand where they end, for the diagnosis of a run that cannot go on.

Of three successive rotations the middle one, β, has to stay below ±90°: there the axes of the two others coincide and no rates of the
angles make up the spin. What acts on one of the three then has a gradient ~ 1/cos β. A homokinetic joint and the components of a
rotation vector end at half a turn, which their laws tell themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from flexor.coordinates.angle import sine_and_cosine
from flexor.coordinates.combination import Combination, Member
from flexor.coordinates.constraint import constraint_on
from flexor.coordinates.measure import ANGLE, MIDDLE, Measure
from flexor.coordinates.penalty import penalty_on
from flexor.engine.system import System
from flexor.joints.pose_constraint import PoseConstraint, pose_constraint
from flexor.law import Term
from flexor.model.mechanism import Follower

NEAR = np.radians(5)
"""How far from 90° the middle angle is taken for the likely cause."""


def angles_at_limits(system: System) -> list[str]:
    """What acts on angles that are close to where they end, with the remedy."""
    R = system.memory.R.reshape(-1, 9)
    eliminated = list(_eliminated(system))
    joints = dict(_middle_angles(system)) | {nodes: name for nodes, name, _ in eliminated}
    found, told = [], set()
    for term in system.mechanism.terms:
        for p, (a, b) in _coordinates(term):
            beta = _middle(p.m, p, np.concatenate([R[a], R[b]]))
            if beta is None or beta < 0.5 * np.pi - NEAR:
                continue
            name = joints.get((a, b), "")
            if name:
                told.add(name)
                which = f"'{term.name}' acts on an angle of a joint whose '{name}'"
                fix = "turn the joint's axes so that it stays away from there, or use a ball with form: rotation_vector"
            else:
                which = f"'{term.name}' acts on one of three successive rotations, the middle one of which, about y,"
                fix = "turn the axes from which they are seen"
                if term.law in (constraint_on, penalty_on):
                    fix = f"prescribe all three angles, which together have no limit, or {fix}"
            found.append(_told(which, beta, fix))
            break
    for name, angle in _turned_by_vector(system):
        if angle > 2.0 * np.pi - NEAR:
            which = f"the rotation vector of joint '{name}', which is enforced by elimination, is {np.degrees(angle):.4g} deg long"
            found.append(f"{which}: at 360 deg it ends; use enforcement: multipliers")
    for _, name, beta in eliminated:
        if name not in told and beta > 0.5 * np.pi - NEAR:
            which = f"a joint that is enforced by elimination, whose '{name}'"
            found.append(_told(which, beta, "use enforcement: multipliers, or turn its axes"))
    return found


def _told(which: str, beta: float, fix: str) -> str:
    return f"{which} is at ±{np.degrees(beta):.4g} deg: at 90 deg the axes of the two others coincide and the angles end; {fix}"


def _coordinates(term: Term) -> Iterator[tuple[Any, tuple[int, int]]]:
    """Coordinates on which a term acts, each with its two nodes."""
    if term.parameters is None or term.law.parameters is None:
        return
    p: Any = term.law.parameters(term.parameters.words)
    fields = {field.name: field.record for field in p.FIELDS}
    if fields.get("m") is Measure:
        yield p, (term.nodes[0], term.nodes[1])
    together = p if isinstance(p, Combination) else p.e if fields.get("e") is Combination else None
    if together is not None:
        for i in range(together.count):
            yield Member(together.members, i), (term.nodes[2 * i], term.nodes[2 * i + 1])


def _middle(m: Measure, p: Any, R: np.ndarray) -> float | None:
    """|β| of the rotations among which an angle is measured; None of anything else."""
    if m.kind not in (ANGLE, MIDDLE):
        return None
    A, B = (R[:9].reshape(3, 3) @ p.a.R.reshape(3, 3)).ravel(), (R[9:].reshape(3, 3) @ p.b.R.reshape(3, 3)).ravel()
    n, c, _ = sine_and_cosine(m, A, B)
    size = np.clip(abs(n) if m.kind == MIDDLE else np.sqrt(max(1.0 - n * n - c * c, 0.0)), 0.0, 1.0)
    return float(np.arcsin(size))


def _middle_angles(system: System) -> Iterator[tuple[tuple[int, int], str]]:
    """Names of the middle angles of joints with three, by the nodes of the joint."""
    for term in system.mechanism.terms:
        if term.law is not pose_constraint or term.parameters is None:
            continue
        p = PoseConstraint(term.parameters.words)
        for i in range(p.n_variables):
            if Measure(p.measures, i).kind == MIDDLE:
                yield (term.nodes[0], term.nodes[1]), f"{term.name}.{term.outputs[2 * i].name}"


def _turned_by_vector(system: System) -> Iterator[tuple[str, float]]:
    """Rotation vectors of balls by elimination, their lengths."""
    for follower in system.mechanism.followers:
        if follower.joint and follower.shapes is not None:
            yield follower.joint, float(np.linalg.norm([system.memory.s[3 * scalar] for scalar in follower.scalars]))


def three_angles(system: System) -> Iterator[tuple[Follower, list[int]]]:
    """Joints by elimination with three angles, and the scalars that these are; −1 where a motor gives one."""
    for follower in system.mechanism.followers:
        if follower.shapes is None and sum(turns for turns, _ in follower.motions) == 3:
            free = iter(follower.scalars)
            scalars = [-1 if drive else next(free) for drive in follower.drives or ("",) * len(follower.motions)]
            yield follower, [scalar for scalar, (turns, _) in zip(scalars, follower.motions, strict=True) if turns]


def _eliminated(system: System) -> Iterator[tuple[tuple[int, int], str, float]]:
    """Nodes, name and size of the middle angles of joints by elimination, where they are among the unknowns."""
    for follower, turning in three_angles(system):
        if turning[1] >= 0:
            beta = float(system.memory.s[3 * turning[1]])
            name = system.mechanism.scalars[turning[1]].name
            yield (follower.master, follower.node), name, float(np.abs(np.arcsin(np.sin(beta))))
