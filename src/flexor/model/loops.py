"""The equations that bodies must satisfy at the start, from the laws of joints, rods, motors and contacts themselves.

Each constraint is evaluated by the plain Python form of its law, on the bodies taken as rigid. Rows and columns are
made free of units by the size L of the model: lengths in parts of L, angles in rad. Masses play no part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from flexor.bodies import Body
from flexor.errors import LawError
from flexor.forces import MeshLoad
from flexor.joints import Motor
from flexor.law import MATRIX, RESIDUAL, VELOCITY_LEVEL, Element
from flexor.law.law import N_COEFFICIENTS
from flexor.model.givens import Given, Motion, stated_positions, stated_velocities
from flexor.model.joint_state import GROUND, Placement
from flexor.model.surroundings import Surroundings
from flexor.spatial import Pose, exp_so3, shift_twist

STRUCTURE, DRIVER, STATED = 0, 1, 2
"""Kinds of equations: of joints, rods and contacts; of motors; of what the user stated."""


class Rows(NamedTuple):
    """Equations in units of the model's size: how far each is from being met, their gradient, and whose they are.

    kind: STRUCTURE, DRIVER or STATED.   turning: whether it measures an angle, up to whole turns.
    owner: number of the element (STRUCTURE, DRIVER) or of the given (STATED).
    scale: what the laws' own values are multiplied with, 1/L for lengths.
    """

    r: np.ndarray
    J: sparse.csr_matrix
    kind: np.ndarray
    turning: np.ndarray
    owner: np.ndarray
    scale: np.ndarray

    def off(self, targets: np.ndarray | float = 0.0) -> np.ndarray:
        """r − targets, angles in the nearest turn."""
        off = self.r - targets
        return np.where(self.turning, off - 2 * np.pi * np.round(off / (2 * np.pi)), off)


class Loops:
    """The bodies of a model as rigid, each with one node, and the equations between them."""

    def __init__(self, items: Sequence[Any], placement: Placement, size: float) -> None:
        kept = [item for item in items if not isinstance(item, MeshLoad)]
        self.items = [item.rigid() if isinstance(item, Body) else item for item in kept]
        self.flexible = any(item.flexible for item in kept if isinstance(item, Body))
        self.size = size
        self.bodies = [item for item in self.items if isinstance(item, Body)]
        number = {body.name: i for i, body in enumerate(self.bodies, start=1)}
        self.scalars: list[Any] = []
        """Scalar coordinates of items' own, which keep the values they start with."""
        own: dict[str, tuple[int, ...]] = {}
        for item in self.items:
            more = getattr(item, "own_scalars", ())
            own[item.name] = tuple(range(len(self.scalars), len(self.scalars) + len(more)))
            self.scalars += more
        around = Surroundings(
            tuple(self.items), placement, {name: (i, 0) for name, i in number.items()}, own, python=True
        )
        self.offsets = np.array([(0.0, 0.0, 0.0), *(body.node_offset for body in self.bodies)])
        nodes = {name: (i, -self.offsets[i]) for name, i in number.items()}
        self.positions = stated_positions(self.items, around, nodes)
        self.velocities = stated_velocities(self.items, around, nodes)
        self.owners: list[Any] = []
        self.elements: list[Element] = []
        for item in self.items:
            if isinstance(item, Body):
                continue
            for element in around.elements(item):
                if element.rows:
                    self.elements.append(element)
                    self.owners.append(item)
        self.parameters = {
            id(e): (np.array(e.ints, dtype=np.int64), np.array(e.floats, dtype=float), np.array(e.history, dtype=float))
            for e in self.elements
        }
        self.column = np.full((len(self.bodies) + 1, 6), -1)
        free = [(i, dof) for i, body in enumerate(self.bodies, start=1) for dof in range(6) if dof not in body.locked]
        for column, (node, dof) in enumerate(free):
            self.column[node, dof] = column
        self.lengths = np.array([dof < 3 for _, dof in free], dtype=bool)
        self.unit = np.where(self.lengths, size, 1.0)
        """What a column of the gradient is multiplied with: moves count in parts of the size."""

    # -- motion ----------------------------------------------------------------------------------------------

    def motion(self, poses: dict[str, Pose], twists: dict[str, np.ndarray]) -> Motion:
        """The nodes where the bodies stand and move like this."""
        X = [Pose(), *(poses[body.name] for body in self.bodies)]
        arms = [pose.rotate(offset) for pose, offset in zip(X, self.offsets)]
        v = [np.zeros(6), *(shift_twist(twists[body.name], arm) for body, arm in zip(self.bodies, arms[1:]))]
        return Motion(np.array([pose.p + arm for pose, arm in zip(X, arms)]), np.array([p.R for p in X]), np.array(v))

    def poses(self, motion: Motion) -> dict[str, Pose]:
        arms = np.einsum("nij,nj->ni", motion.R, -self.offsets)
        found = {b.name: Pose(motion.x[i] + arms[i], motion.R[i]) for i, b in enumerate(self.bodies, start=1)}
        return {GROUND: Pose(), **found}

    def twists(self, motion: Motion) -> dict[str, np.ndarray]:
        arms = np.einsum("nij,nj->ni", motion.R, -self.offsets)
        found = {b.name: shift_twist(motion.v[i], arms[i]) for i, b in enumerate(self.bodies, start=1)}
        return {GROUND: np.zeros(6), **found}

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

    # -- equations -------------------------------------------------------------------------------------------

    def position_rows(self, motion: Motion) -> Rows:
        """Φ of what binds positions, and what is stated about them."""
        table = _Table(self)
        for number, (element, owner) in enumerate(zip(self.elements, self.owners)):
            if isinstance(owner, Motor) and owner.position is None:
                continue  # it goes on from where its joint starts
            kind = DRIVER if isinstance(owner, Motor) else STRUCTURE
            r, gradient = self._evaluate(element, motion, 0)
            last = len(r) - element.nonholonomic
            table.add(number, kind, element.nodes, r[:last], gradient[:last])
        return table.finished(self.positions, motion, True)

    def velocity_rows(self, motion: Motion) -> Rows:
        """Φ̇, and what is stated about velocities."""
        table = _Table(self)
        for number, (element, owner) in enumerate(zip(self.elements, self.owners)):
            if isinstance(owner, Motor) and owner.acceleration is not None:
                continue
            kind = DRIVER if isinstance(owner, Motor) else STRUCTURE
            table.add(number, kind, element.nodes, *self._evaluate(element, motion, VELOCITY_LEVEL))
        return table.finished(self.velocities, motion, False)

    def _evaluate(self, element: Element, motion: Motion, level: int) -> tuple[np.ndarray, np.ndarray]:
        """Values of an element's constraint rows, and their gradient with six columns per node."""
        nodes, size = list(element.nodes), element.size
        c = np.zeros(N_COEFFICIENTS)
        c[1 if level else 0] = 1.0
        r, K = np.zeros(size), np.zeros(size * size)
        call = getattr(element.law, "evaluate", element.law.function)
        ints, floats, history = self.parameters[id(element)]
        s = np.array([(self.scalars[i].value, self.scalars[i].rate, 0.0) for i in element.scalars]).ravel()
        status = call(
            RESIDUAL | MATRIX | level, (len(nodes), len(element.scalars), len(element.rows)), ints, floats, history, 0.0, c,
            motion.x[nodes].ravel(), motion.R[nodes].ravel(), motion.v[nodes].ravel(), np.zeros(6 * len(nodes)), s,
            np.zeros(len(element.rows)), r, K, np.zeros(max(element.law.scratch, element.scratch)),
        )  # fmt: skip
        if status:
            raise LawError(f"'{element.name}': {element.law.errors.get(status, f'status {status}')}")
        first = size - len(element.rows)
        return r[first:], K.reshape(size, size)[first:, : 6 * len(nodes)]

    def name(self, rows: Rows, i: int) -> str:
        """The user's name of a constraint row: "pin: point x"."""
        element = self.elements[rows.owner[i]]
        return f"{element.name}: {element.rows[i - int(np.flatnonzero(rows.owner == rows.owner[i])[0])]}"

    def called(self, element: int) -> str:
        """joint 'pin'"""
        owner = self.owners[element]
        return str(owner.called(owner.name))


class _Table:
    """Collects equations."""

    def __init__(self, loops: Loops) -> None:
        self.loops = loops
        self.r: list[np.ndarray] = [np.zeros(0)]
        self.marks: list[tuple[int, int, int]] = []
        self.columns: list[np.ndarray] = [np.zeros(0, dtype=int)]
        self.values: list[np.ndarray] = [np.zeros(0)]
        self.count = 0
        self.rows: list[np.ndarray] = [np.zeros(0, dtype=int)]

    def add(self, owner: int, kind: int, nodes: Sequence[int], r: np.ndarray, gradient: np.ndarray) -> None:
        """Equations on some nodes, with the gradient (rows, 6 per node)."""
        m = len(r)
        columns = self.loops.column[list(nodes)].ravel()
        self.r.append(r)
        self.marks += [(owner, kind, m)]
        self.columns.append(np.tile(columns, m))
        self.rows.append(np.repeat(np.arange(self.count, self.count + m), len(columns)))
        self.values.append(gradient.ravel())
        self.count += m

    def finished(self, givens: Sequence[Given], motion: Motion, turning: bool) -> Rows:
        """With what is stated; turning: whether equations measure angles."""
        for number, given in enumerate(givens):
            self.add(number, STATED, given.nodes, given.off(motion), given.gradient(motion))
        owner, kind, m = (np.array(self.marks, dtype=int).reshape(-1, 3)[:, i] for i in range(3))
        rows, columns, values = (np.concatenate(part) for part in (self.rows, self.columns, self.values))
        kept = (columns >= 0) & (values != 0.0)
        unit = self.loops.unit
        shape = (self.count, len(unit))
        J = sparse.coo_matrix((values[kept], (rows[kept], columns[kept])), shape=shape).tocsr()
        length = np.zeros(self.count, dtype=bool)
        length[rows[kept][self.loops.lengths[columns[kept]] & (np.abs(values[kept]) > 1e-6)]] = True
        scale = np.where(length, 1.0 / self.loops.size, 1.0)
        J = sparse.csr_matrix(sparse.diags(scale) @ J @ sparse.diags(unit))
        kinds = np.repeat(kind, m)
        angles = (kinds != STRUCTURE) & ~length & turning
        return Rows(scale * np.concatenate(self.r), J, kinds, angles, np.repeat(owner, m), scale)
