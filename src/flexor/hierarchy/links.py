"""Mechanisms without loops as articulated trees: which are some, their links, and the state of these."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexor.bodies.rigid_body import Inertial, moment_matrix, rigid_body
from flexor.coordinates.measure import nearest
from flexor.engine.system import System
from flexor.hierarchy.memory import (
    BALL,
    CONSTRAINT,
    INERTIA,
    READING,
    SLIDE,
    STUCK,
    TURN,
    Link,
    LinkGiven,
    LinkMotion,
)
from flexor.joints.pose_constraint import PoseConstraint, pose_constraint
from flexor.law import Term
from flexor.law.rotation_vector import store_quaternion
from flexor.law.term import GROUND
from flexor.spatial import cross

TO_Z = tuple(np.eye(3)[:, [(axis + 1) % 3, (axis + 2) % 3, axis]] for axis in range(3))
"""Rotations by which an axis becomes z."""


@dataclass(frozen=True)
class Hinge:
    """A joint as seen from the ground: its term, the node that carries it, the node that it carries.

    sign: −1 where it carries its own body A.
    """

    term: int
    parent: int
    child: int
    sign: int


def hinges(system: System, kinds: np.ndarray) -> list[Hinge] | None:
    """Joints of a mechanism without loops, parents first; bodies that no joint leads to from the ground hang on it freely (term −1).

    None if it has loops, coordinates beside those of rigid bodies, other constraints than joints, other inertia, or forces by sensors.
    """
    m = system.mechanism
    if m.followers or m.scalars or len(system._locked_freedoms):
        return None
    neighbours: dict[int, list[tuple[int, int, int]]] = {node: [] for node in range(len(m.nodes))}
    massive: set[int] = set()
    joints = 0
    for number, (term, kind) in enumerate(zip(m.terms, kinds, strict=True)):
        if term.reads and not kind & READING:
            return None
        if term.law is rigid_body:  # it may have no mass
            massive.add(term.nodes[0])
        elif kind & INERTIA:
            return None
        if kind & CONSTRAINT:
            if term.law is not pose_constraint or PoseConstraint(term.words()).bisects:
                return None
            a, b = term.nodes
            neighbours[a].append((number, b, 1))
            neighbours[b].append((number, a, -1))
            joints += 1
    if len(massive) != len(m.nodes) - 1:
        return None
    found: list[Hinge] = []
    seen = {GROUND}
    for root in range(len(m.nodes)):
        if root not in seen:
            found.append(Hinge(-1, GROUND, root, 1))
            seen.add(root)
        elif root != GROUND:
            continue
        stack = [(hinge, root) for hinge in reversed(neighbours[root])]
        while stack:
            (number, node, sign), before = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            found.append(Hinge(number, before, node, sign))
            stack += [(hinge, node) for hinge in reversed(neighbours[node])]
    return found if sum(hinge.term >= 0 for hinge in found) == joints else None


_Frames = tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""Position and axes of a joint frame on two nodes."""


@dataclass
class _Frame:
    """A frame on a link: R, p in the axes of the link."""

    link: int
    R: np.ndarray
    p: np.ndarray


class Links:
    """Links of an articulated tree: their records, and their state from that of the engine.

    arrays: for the tree's memory.   lazy: nothing depends on the engine's state between rows.
    """

    def __init__(self, system: System, kinds: np.ndarray, found: list[Hinge], joint_of: np.ndarray) -> None:
        self.system, self.hinges = system, found
        self.size = 0
        links: list[list[int]] = [[0, STUCK, 0, -1, -1, 0]]
        given: list[np.ndarray] = [LinkGiven.pack(**_NO_MASS, R=np.eye(3), p=np.zeros(3)).words]
        bodies = {GROUND: _Frame(0, np.eye(3), np.zeros(3))}
        inertia = {term.nodes[0]: Inertial(term.words()) for term in system.mechanism.terms if term.law is rigid_body}
        self.steps: list[
            list[tuple[int, int, int]]
        ] = []  # of each hinge: kind, axis of the joint frame, place in the state
        self.frames: list[_Frames] = []
        counts: list[int] = []
        covered: set[int] = set()
        for hinge in found:
            at = bodies[hinge.parent]
            term = system.mechanism.terms[hinge.term] if hinge.term >= 0 else None
            self.frames.append(_frames(term, hinge.sign))
            (p_1, R_1), (p_2, R_2) = self.frames[-1]
            frame = _Frame(at.link, at.R @ R_1, at.p + at.R @ p_1)
            steps = []
            motions = _motions(term, hinge.sign)
            for kind, axis in motions or [(STUCK, 2)]:
                turn = TO_Z[axis] if kind in (TURN, SLIDE) else np.eye(3)
                links.append([frame.link, kind, self.size, -1, -1, 0])
                given.append(LinkGiven.pack(**_NO_MASS, R=frame.R @ turn, p=frame.p).words)
                frame = _Frame(len(links) - 1, turn.T, np.zeros(3))
                steps.append((kind, axis, self.size))
                self.size += {TURN: 2, SLIDE: 2, BALL: 7, STUCK: 0}[kind]
            self.steps.append(steps)
            R_N = frame.R @ R_2.T
            p_N = -R_N @ p_2
            bodies[hinge.child] = _Frame(frame.link, R_N, p_N)
            own = inertia[hinge.child]
            mass = float(own.mass)
            J = R_N @ moment_matrix(tuple(own.inertia.tolist())) @ R_N.T + mass * (
                p_N @ p_N * np.eye(3) - np.outer(p_N, p_N)
            )
            view = LinkGiven(given[-1])
            view.mass = mass
            for name, value in (("c", p_N), ("J", J[np.triu_indices(3)]), ("R_N", R_N.reshape(-1)), ("p_N", p_N)):
                getattr(view, name)[:] = value
            links[-1][3] = hinge.child
            if term is not None:
                links[-1][4] = int(joint_of[hinge.term])
                links[-1][5] = 1 if hinge.sign > 0 and hinge.parent != GROUND else 0
                turns = [o for kind, _, o in steps if kind == TURN]
                if not any(kind == BALL for kind, _, _ in steps):
                    covered.add(hinge.term)
                    h = int(system.terms["h"][hinge.term])
                    for i, o in enumerate(turns if hinge.sign > 0 else reversed(turns)):
                        counts += [o, h + i, hinge.sign]
        self.forces = [
            i
            for i, (term, kind) in enumerate(zip(system.mechanism.terms, kinds, strict=True))
            if not kind & (INERTIA | CONSTRAINT | READING) and term.law not in (pose_constraint, rigid_body)
        ]
        remembering = {int(i) for i in system.memory.with_history}
        self.lazy = not self.forces and remembering <= covered
        motion = np.zeros(len(links) * LinkMotion.WORDS)
        LinkMotion(motion).R[:] = np.eye(3).reshape(-1)
        self.n_links, self.n_counts = len(links), len(counts) // 3
        self.arrays = {
            "links": np.array(links, dtype=np.int64).reshape(-1),
            "given": np.concatenate(given),
            "motion": motion,
            "forces": np.array(self.forces or [0], dtype=np.int64),
            "counts": np.array(counts or [0], dtype=np.int64),
        }
        assert len(links[0]) == Link.WORDS
        assert all(len(words) == LinkGiven.WORDS for words in given)

    def error_weights(self, length: float) -> tuple[np.ndarray, np.ndarray]:
        """By what an error of each number of the state is measured, and which of these are rates."""
        weights: list[float] = []
        rates: list[int] = []
        for steps in self.steps:
            for kind, _, _ in steps:
                weights += {TURN: [1.0] * 2, SLIDE: [1 / length] * 2, BALL: [2.0] * 4 + [1.0] * 3, STUCK: []}[kind]
                rates += {TURN: [0, 1], SLIDE: [0, 1], BALL: [0] * 4 + [1] * 3, STUCK: []}[kind]
        return np.array(weights), np.array(rates, dtype=np.int64)

    def state(self) -> np.ndarray:
        """Coordinates and velocities of the joints, from positions and velocities of the engine's nodes."""
        x, v = self.system.nodes("x"), self.system.nodes("v")
        R = self.system.memory.R.reshape(-1, 3, 3)
        y = np.zeros(self.size)
        for hinge, steps, frames in zip(self.hinges, self.steps, self.frames, strict=True):
            (p_1, R_1), (p_2, R_2) = frames
            P, Q = R[hinge.parent] @ R_1, R[hinge.child] @ R_2
            w_1, w_2 = v[hinge.parent, 3:], v[hinge.child, 3:]
            if len(steps) == 1 and steps[0][0] == TURN:
                _, axis, o = steps[0]
                (y[o],) = _angles(P.T @ Q, [axis])
                y[o + 1] = (w_2 - w_1) @ P[:, axis]
                continue
            arm_1, arm_2 = R[hinge.parent] @ p_1, R[hinge.child] @ p_2
            gap = x[hinge.child] + arm_2 - x[hinge.parent] - arm_1
            rate = v[hinge.child, :3] + cross(w_2, arm_2) - v[hinge.parent, :3] - cross(w_1, arm_1)
            values = _angles(P.T @ Q, [axis for kind, axis, _ in steps if kind == TURN])
            # axes of the motions as they stand, and velocities of both joint frames' origins against each other
            columns: list[np.ndarray] = []
            at, frame = np.zeros(3), P
            turned = iter(values)
            slides = Q if hinge.sign < 0 else P
            for kind, axis, o in steps:
                if kind == TURN:
                    y[o] = next(turned)
                    columns.append(np.concatenate([cross(frame[:, axis], gap - at), frame[:, axis]]))
                    frame = frame @ _about(axis, y[o])
                elif kind == SLIDE:
                    y[o] = gap @ slides[:, axis]
                    at = at + y[o] * slides[:, axis]
                    columns.append(np.concatenate([slides[:, axis], np.zeros(3)]))
            twist = np.concatenate([rate - cross(w_1, gap), w_2 - w_1])
            ball = [o for kind, _, o in steps if kind == BALL]
            if ball:
                y[ball[0] : ball[0] + 4] = _quaternion(Q)
                y[ball[0] + 4 : ball[0] + 7] = twist[3:]
                if hinge.sign < 0 and columns:  # the origin moves on with what turns
                    twist[:3] -= cross(twist[3:], gap)
            if columns:
                rows = 3 if ball else 6
                rates = np.linalg.lstsq(np.array(columns).T[:rows], twist[:rows], rcond=None)[0]
                for (_, _, o), each in zip([s for s in steps if s[0] in (TURN, SLIDE)], rates, strict=True):
                    y[o + 1] = each
        self._count_turns(y)
        return y

    def without_inertia(self) -> str:
        """Name of a body that its joint leaves free without any inertia behind it, if there is one."""
        node = 0
        for number in reversed(range(1, self.n_links)):
            link, m = Link(self.arrays["links"], number), LinkMotion(self.arrays["motion"], number)
            node = int(link.node) if link.node >= 0 else node
            if link.kind in (TURN, SLIDE) and not np.isfinite(m.over):
                return self.system.mechanism.nodes[node].name
            if link.kind == BALL and not np.isfinite(m.U_n).all():
                return self.system.mechanism.nodes[node].name
        return ""

    def _count_turns(self, y: np.ndarray) -> None:
        """Whole turns that the joints have counted."""
        counts = self.arrays["counts"]
        for i in range(self.n_counts):
            o, h, sign = counts[3 * i : 3 * i + 3].tolist()
            y[o] = sign * nearest(sign * float(y[o]), float(self.system.memory.history[h]))


_NO_MASS = {"mass": 0.0, "c": np.zeros(3), "J": np.zeros(6), "R_N": np.eye(3), "p_N": np.zeros(3)}


def _frames(term: Term | None, sign: int) -> _Frames:
    """Position and axes of the joint frame on what carries and on what is carried."""
    if term is None:
        return (np.zeros(3), np.eye(3)), (np.zeros(3), np.eye(3))
    p = PoseConstraint(term.words())
    a, b = ((np.array(f.p), np.array(f.R).reshape(3, 3)) for f in (p.a, p.b))
    return (a, b) if sign > 0 else (b, a)


def _motions(term: Term | None, sign: int) -> list[tuple[int, int]]:
    """Kind and axis of each motion from what carries to what is carried: translations, then rotations; or the other way round."""
    if term is None:
        return [(SLIDE, 0), (SLIDE, 1), (SLIDE, 2), (BALL, 2)]
    p = PoseConstraint(term.words())
    locked = {int(axis) for axis in p.points[: int(p.n_points)]} if p.n_points < 3 else {0, 1, 2}
    slides = [(SLIDE, axis) for axis in range(3) if axis not in locked]
    pairs = [int(axis) for axis in p.pairs]
    rotations = {
        3: [],
        2: [(TURN, pairs[1])],
        1: [(TURN, pairs[0]), (TURN, pairs[1])],
        0: [(BALL, 2)],
    }[int(p.n_pairs)]
    return [*slides, *rotations] if sign > 0 else [*reversed(rotations), *slides]


def _angles(R: np.ndarray, axes: list[int]) -> list[float]:
    """Of R = R_i(q₁) R_j(q₂), or R_i(q)."""
    if not axes:
        return []
    if len(axes) == 1:
        j, k = (axes[0] + 1) % 3, (axes[0] + 2) % 3
        return [float(np.arctan2(R[k, j], R[j, j]))]
    i, j = axes
    k = 3 - i - j
    e = 1 if (j - i) % 3 == 1 else -1
    return [float(np.arctan2(e * R[k, j], R[j, j])), float(np.arctan2(e * R[i, k], R[i, i]))]


def _about(axis: int, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    j, k = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[j, j] = R[k, k] = c
    R[j, k], R[k, j] = -s, s
    return R


def _quaternion(R: np.ndarray) -> np.ndarray:
    q = np.zeros(4)
    store_quaternion(tuple(R.reshape(-1)), q)
    return q
