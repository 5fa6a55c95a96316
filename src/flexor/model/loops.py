"""The equations that bodies must satisfy at the start, with the bodies taken as rigid.

Rows and columns are made free of units by the size L of the model: lengths in parts of L, angles in rad. Masses play
no part. The mechanisms that share nothing but the ground (parts) stand side by side in the same arrays, so that one
evaluation and one factorisation serve all of them; what is decided about a part depends on that part alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from flexor.bodies import Body
from flexor.control import CONTROLS
from flexor.declaration import Item
from flexor.functions import Constant
from flexor.joints import Joint
from flexor.joints.batches import Frames, Markers
from flexor.law import VELOCITY_LEVEL
from flexor.law.coordinates import Scalar
from flexor.model.attachments import attachments
from flexor.model.equations import STRUCTURE, EquationGroup, law_rows, locked_motions, motors, rods, stated
from flexor.model.givens import Motion, given_at_start
from flexor.model.joint_state import GROUND, Placement
from flexor.model.joint_table import JointTable
from flexor.model.surroundings import Placed
from flexor.spatial import Pose, exp_so3, shift_twist


@dataclass(frozen=True)
class Rows:
    """Equations in units of the model's size: how far each is from being met, their gradient, and whose they are.

    kind: STRUCTURE, DRIVER or STATED.   turning: whether it measures an angle, up to whole turns.
    owner: number of the item (STRUCTURE, DRIVER) or of the given (STATED).   part: number of the mechanism.
    scale: what the equations' own values are multiplied with, 1/L for lengths.
    """

    r: np.ndarray
    J: sparse.csr_matrix
    kind: np.ndarray
    turning: np.ndarray
    owner: np.ndarray
    part: np.ndarray
    scale: np.ndarray

    def off(self, targets: np.ndarray | float = 0.0) -> np.ndarray:
        """r − targets, angles in the nearest turn."""
        off = self.r - targets
        return np.where(self.turning, off - 2 * np.pi * np.round(off / (2 * np.pi)), off)


class Loops:
    """The bodies of some mechanisms as rigid, each with one node, and the equations between them."""

    def __init__(self, parts: Sequence[Sequence[Item]], placement: Placement, size: float) -> None:
        self.size, self.count = size, len(parts)
        self.flexible = any(item.flexible for part in parts for item in part if isinstance(item, Body))
        items = [item.rigid() if isinstance(item, Body) else item for part in parts for item in part]
        of_item = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        self.owners = items
        self.bodies = [item for item in items if isinstance(item, Body)]
        self.node_part = np.array(
            [-1, *(part for part, item in zip(of_item.tolist(), items) if isinstance(item, Body))], dtype=int
        )
        number = {body.name: i for i, body in enumerate(self.bodies, start=1)}
        self.offsets = np.array([(0.0, 0.0, 0.0), *(body.node_offset for body in self.bodies)])
        self._columns()
        scalars: list[Scalar] = []  # coordinates of items' own, which keep the values they start with
        own: dict[str, tuple[int, ...]] = {}
        for item in items:
            more = getattr(item, "own_scalars", ())
            own[item.name] = tuple(range(len(scalars), len(scalars) + len(more)))
            scalars += more
        first = {name: (i, 0) for name, i in number.items()}
        placed = Placed(tuple(items), placement, first, own)
        joints = [(i, item) for i, item in enumerate(items) if isinstance(item, Joint)]
        self.table = JointTable([joint for _, joint in joints], _markers(placed, [joint for _, joint in joints]))
        self.joint_part = of_item[[i for i, _ in joints]] if joints else np.zeros(0, dtype=int)
        nodes = {name: (i, -self.offsets[i]) for name, i in number.items()}
        self.positions = given_at_start(items, self.table, nodes, rate=False)
        self.velocities = given_at_start(items, self.table, nodes, rate=True)
        locked = locked_motions(self.table, np.array([i for i, _ in joints], dtype=int))
        position, velocity = locked, [block.rate() for block in locked]
        of_joints = {joint.name for _, joint in joints}
        drives = [
            (i, item.name, item.drive)
            for i, item in enumerate(items)
            if item.drive is not None and item.drive.joint in of_joints
        ]
        held, driven = motors(drives, self.table)
        position, velocity = [*position, held], [*velocity, driven]
        prescribed = [(i, item, item.line) for i, item in enumerate(items) if item.line and item.line.prescribed]
        if prescribed:
            lengths = [
                (i, rod.name, line.length or Constant(placed.distance(*attachments(rod))))
                for i, rod, line in prescribed
            ]
            at, rate = rods(lengths, _markers(placed, [rod for _, rod, _ in prescribed]))
            position, velocity = [*position, at], [*velocity, rate]
        done = {i for i, *_ in (*drives, *prescribed)}
        for i, item in enumerate(items):
            if i not in done and not isinstance(item, (Body, Joint, *CONTROLS)):
                drive = item.drive
                if drive is not None and drive.by_spring:  # it starts with the motion, as without the spring
                    item = item.replace(stiffness=None, damping=0.0)
                for term in placed.terms(item):
                    if len(term.rows) > term.readings:
                        if drive is None or drive.position is not None:
                            position.append(law_rows(term, i, scalars, 0))
                        if drive is None or drive.acceleration is None:
                            velocity.append(law_rows(term, i, scalars, VELOCITY_LEVEL))
        self._last: tuple[Motion, Rows] | None = None
        self._position = _Pattern([*position, *stated(self.positions, self.table, False)], self)
        self._velocity = _Pattern([*velocity, *stated(self.velocities, self.table, True)], self)

    def _columns(self) -> None:
        self.column = np.full((len(self.bodies) + 1, 6), -1)
        free = [(i, dof) for i, body in enumerate(self.bodies, start=1) for dof in range(6) if dof not in body.locked]
        node, dof = np.array(free, dtype=int).reshape(-1, 2).T
        self.column[node, dof] = np.arange(len(free))
        self.lengths = dof < 3
        self.column_part = self.node_part[node]
        self.unit = np.where(self.lengths, self.size, 1.0)
        """What a column of the gradient is multiplied with: moves count in parts of the size."""

    # -- motion ----------------------------------------------------------------------------------------------

    def motion(self, poses: dict[str, Pose], twists: dict[str, np.ndarray]) -> Motion:
        """The nodes where the bodies stand and move like this."""
        names = [GROUND, *(body.name for body in self.bodies)]
        R = np.array([poses[name].R for name in names])
        arms = (R @ self.offsets[..., None])[..., 0]
        v = shift_twist(np.array([twists[name] for name in names]), arms)
        return Motion(np.array([poses[name].p for name in names]) + arms, R, v)

    def poses(self, motion: Motion) -> dict[str, Pose]:
        names = [GROUND, *(body.name for body in self.bodies)]
        return dict(zip(names, Pose.each(motion.x + self._to_origins(motion), motion.R), strict=True))

    def twists(self, motion: Motion) -> dict[str, np.ndarray]:
        names = [GROUND, *(body.name for body in self.bodies)]
        return dict(zip(names, shift_twist(motion.v, self._to_origins(motion)), strict=True))

    def _to_origins(self, motion: Motion) -> np.ndarray:
        return (motion.R @ -self.offsets[..., None])[..., 0]

    def displaced(self, motion: Motion, move: np.ndarray) -> Motion:
        """x + δx, exp(δθ) R for a move in units of the size."""
        delta = self._spread(move)
        return Motion(motion.x + delta[:, :3], exp_so3(delta[:, 3:]) @ motion.R, motion.v)

    def sped(self, motion: Motion, change: np.ndarray) -> Motion:
        """The same place with other velocities."""
        return Motion(motion.x, motion.R, motion.v + self._spread(change))

    def _spread(self, move: np.ndarray) -> np.ndarray:
        full = np.append(move * self.unit, 0.0)
        return full[self.column]

    def chosen(self, motion: Motion, other: Motion, parts: np.ndarray) -> Motion:
        """With some parts (a mask) as in the other motion."""
        return motion.taking(other, np.append(parts, False)[self.node_part])

    # -- equations -------------------------------------------------------------------------------------------

    def position_rows(self, motion: Motion) -> Rows:
        """Φ of what binds positions, and what is stated about them."""
        if self._last is None or self._last[0] is not motion:  # it is asked for by one after the other
            self._last = motion, self._position.rows(motion, self.frames(motion), True)
        return self._last[1]

    def velocity_rows(self, motion: Motion) -> Rows:
        """Φ̇, and what is stated about velocities."""
        return self._velocity.rows(motion, self.frames(motion), False)

    def frames(self, motion: Motion) -> Frames:
        return self.table.markers.frames(motion.x, motion.R)

    def tilts(self, motion: Motion) -> np.ndarray:
        """Angles [rad] by which the frames of joints are turned against each other in what they lock."""
        frames = self.frames(motion)
        return self.table.gaps(frames, self.table.variables(frames)[0])[1]

    def position_name(self, i: int) -> str:
        """The user's name of a constraint row: "pin: point x"."""
        return self._position.names[i]

    def velocity_name(self, i: int) -> str:
        return self._velocity.names[i]

    def called(self, owner: int) -> str:
        """joint 'pin'"""
        item = self.owners[owner]
        return str(item.called(item.name))


def _markers(placed: Placed, joints: Sequence[Item]) -> Markers:
    ends = [placed.ends(joint) for joint in joints]
    return Markers.of([(a.node, a.p_NM, a.R_NM, b.node, b.p_NM, b.R_NM) for a, b in ends])


class _Pattern:
    """Blocks of equations, and where each number of their gradients goes."""

    def __init__(self, blocks: Sequence[EquationGroup], loops: Loops) -> None:
        self.blocks = [block for block in blocks if len(block.owner)]
        self.loops = loops
        self.names = [name for block in self.blocks for name in block.names or [""] * len(block.owner)]
        none = np.zeros(0, dtype=int)
        self.kind = np.concatenate([none, *(np.full(len(block.owner), block.kind) for block in self.blocks)])
        self.owner = np.concatenate([none, *(block.owner for block in self.blocks)])
        self.part = np.concatenate([none, *(loops.node_part[block.nodes].max(axis=1) for block in self.blocks)])
        columns = [loops.column[block.nodes].ravel() for block in self.blocks]
        widths = [np.full(len(block.owner), 6 * block.nodes.shape[1]) for block in self.blocks]
        row = np.repeat(np.arange(len(self.owner)), np.concatenate([none, *widths]))
        every = np.concatenate([none, *columns])
        self.kept = every >= 0
        self.row, self.column = row[self.kept], every[self.kept]
        self.long = loops.lengths[self.column]

    def rows(self, motion: Motion, frames: Frames, turning: bool) -> Rows:
        """turning: whether equations measure angles."""
        found = [block.evaluate(motion, frames) for block in self.blocks]
        r = np.concatenate([np.zeros(0), *(values for values, _ in found)])
        data = np.concatenate([np.zeros(0), *(gradient.ravel() for _, gradient in found)])[self.kept]
        count = len(r)
        length = np.bincount(self.row[self.long & (np.abs(data) > 1e-6)], minlength=count) > 0
        scale = np.where(length, 1.0 / self.loops.size, 1.0)
        filled = np.flatnonzero(data)
        row, column = self.row[filled], self.column[filled]
        data = data[filled] * scale[row] * self.loops.unit[column]
        begin = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=count))])
        J = sparse.csr_matrix((data, column, begin), shape=(count, len(self.loops.unit)))
        angles = (self.kind != STRUCTURE) & ~length & turning
        return Rows(scale * r, J, self.kind, angles, self.owner, self.part, scale)
