"""Blocks of equations that bodies must satisfy at the start: locked motions of joints, motors, rods, stated values, laws.

The rows of all joints, rods, motors and stated values are evaluated together in NumPy. What else binds bodies (rolling
discs, laws of the user's own) is evaluated one by one in the plain Python form of its law.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from flexor.effects import Drive, OfTime
from flexor.errors import LawError
from flexor.joints.batches import Frames, Markers, Values, length_rows, perpendicular_rows, point_rows, variable_rows
from flexor.joints.motor import variable_index
from flexor.law import MATRIX, RESIDUAL, Term
from flexor.law.coordinates import Scalar
from flexor.law.face import Coefficients
from flexor.model.givens import Given, GivenPoint, GivenTurn, GivenVariable, Motion
from flexor.model.joint_table import JointTable
from flexor.spatial import log_so3, quaternion_to_matrix, skew

STRUCTURE, DRIVER, STATED = 0, 1, 2
"""Kinds of equations: of joints, rods and contacts; of motors; of what the user stated."""


@dataclass(frozen=True)
class EquationGroup:
    """Equations of one sort.

    kind: STRUCTURE, DRIVER or STATED.   owner: number of the item, or of the stated value, that each row belongs to.
    nodes: (m, k) that they bind.   names: of the rows, for messages.
    evaluate: their values (m,) and gradients (m, 6 k), from a motion and the joints' frames in it.
    """

    kind: int
    owner: np.ndarray
    nodes: np.ndarray
    names: Sequence[str]
    evaluate: Callable[[Motion, Frames], Values]

    def rate(self, targets: np.ndarray | float = 0.0) -> EquationGroup:
        """The same as velocities: G v − targets."""

        def evaluate(motion: Motion, frames: Frames) -> Values:
            _, G = self.evaluate(motion, frames)
            return np.sum(G * motion.of(self.nodes), axis=1) - targets, G

        return EquationGroup(self.kind, self.owner, self.nodes, self.names, evaluate)


def locked_motions(table: JointTable, owner: np.ndarray) -> list[EquationGroup]:
    """What the joints lock; owner: number of each joint."""
    of, pair_of = table.point_of, table.pair_of
    i, j = table.pairs.T
    names = [joint.name for joint in table.joints]
    points = [f"{names[n]}: point {'xyz'[axis]}" for n, axis in zip(of, table.axis)]
    axes = [f"{names[n]}: {row}" for n in range(len(names)) for row in table.joints[n].free.axis_row_names]
    return [
        EquationGroup(
            STRUCTURE, owner[of], table.markers.nodes(of), points,
            lambda _, frames: point_rows(frames, of, table.axis, table.fixed),
        ),
        EquationGroup(
            STRUCTURE, owner[pair_of], table.markers.nodes(pair_of), axes,
            lambda _, frames: perpendicular_rows(frames, pair_of, i, j, table.bisects),
        ),
    ]  # fmt: skip


def rods(found: Sequence[tuple[int, str, OfTime]], markers: Markers) -> tuple[EquationGroup, EquationGroup]:
    """Distances and their rates; found: number and name of a rod, and its length as a function of time."""
    lengths = np.array([length(0.0) for _, _, length in found])
    rates = np.array([length.derivative(0.0) for _, _, length in found])

    for (_, name, _), length in zip(found, lengths):
        if length <= 0.0:
            raise LawError(f"'{name}': its length must stay positive")

    def evaluate(motion: Motion, _: Frames) -> Values:
        length, G = length_rows(markers.frames(motion.x, motion.R), np.arange(len(markers.a)))
        if np.any(length < 1e-12):
            name = found[int(np.argmin(length))][1]
            raise LawError(f"'{name}': its ends coincide; the rod has no direction")
        return length - lengths, G

    nodes = np.stack([markers.a, markers.b], axis=1)
    names = [f"{name}: length" for _, name, _ in found]
    block = EquationGroup(STRUCTURE, np.array([number for number, _, _ in found]), nodes, names, evaluate)
    return block, block.rate(rates)


def motors(found: Sequence[tuple[int, str, Drive]], table: JointTable) -> tuple[EquationGroup, EquationGroup]:
    """Positions and speeds that motors prescribe at t = 0; found: number and name of a motor, and what it drives.

    A motor with a given speed goes on from where its joint starts, one with a given acceleration, or by sensors, from its speed too.
    """
    held = [each for each in found if each[2].position is not None]
    driven = [each for each in found if each[2].acceleration is None and not each[2].by_sensors]
    positions = np.array([drive.value() for _, _, drive in held], dtype=float)
    speeds = np.array([drive.rate() for _, _, drive in driven], dtype=float)
    return _drivers(held, table, positions), _drivers(driven, table, 0.0).rate(speeds)


def _drivers(found: Sequence[tuple[int, str, Drive]], table: JointTable, targets: np.ndarray | float) -> EquationGroup:
    rows, names = np.zeros(len(found), dtype=int), []
    for i, (_, name, drive) in enumerate(found):
        number = table.number[drive.joint]
        index = variable_index(table.joints[number], drive.variable)
        rows[i] = table.first[number] + index
        names.append(f"{name}: {table.joints[number].variables[index]}")
    owner = np.array([number for number, _, _ in found], dtype=int)
    return EquationGroup(
        DRIVER, owner, table.markers.nodes(table.variable_of[rows]), names, _variables(table, rows, targets)
    )


def _variables(table: JointTable, rows: np.ndarray, targets: np.ndarray | float) -> Callable[[Motion, Frames], Values]:
    """q − targets of some joint variables, angles in the nearest turn."""
    of, measures, turning = table.variable_of[rows], table.measures[rows], table.turning[rows]

    def evaluate(_: Motion, frames: Frames) -> Values:
        q, G = variable_rows(frames, of, measures)
        off = q - targets
        return np.where(turning, off - 2 * np.pi * np.floor(off / (2 * np.pi) + 0.5), off), G

    return evaluate


def stated(givens: Sequence[Given], table: JointTable, rate: bool) -> list[EquationGroup]:
    """What the user stated about positions, or (rate) about velocities."""
    variables = [(n, given) for n, given in enumerate(givens) if isinstance(given, GivenVariable)]
    points = [(n, given) for n, given in enumerate(givens) if isinstance(given, GivenPoint)]
    turns = [(n, given) for n, given in enumerate(givens) if isinstance(given, GivenTurn)]
    blocks = []
    if variables:
        rows = np.array([given.row for _, given in variables])
        values = np.concatenate([given.value for _, given in variables])
        nodes = table.markers.nodes(table.variable_of[rows])
        owner = np.array([n for n, _ in variables])
        block = EquationGroup(STATED, owner, nodes, (), _variables(table, rows, 0.0 if rate else values))
        blocks.append(block.rate(values) if rate else block)
    if points:
        node, p = np.array([given.node for _, given in points]), np.array([given.p_NO for _, given in points])
        blocks.append(_triples(points, node, rate, _origins(node, p, np.array([given.value for _, given in points]))))
    if turns:
        node, at = np.array([given.node for _, given in turns]), np.array([given.value for _, given in turns])
        blocks.append(_triples(turns, node, rate, _turns(node, None if rate else quaternion_to_matrix(at))))
    return blocks


def _triples(
    found: Sequence[tuple[int, Given]], node: np.ndarray, rate: bool, evaluate: Callable[[Motion, Frames], Values]
) -> EquationGroup:
    """Three rows for each stated vector."""
    owner = np.repeat([n for n, _ in found], 3)
    block = EquationGroup(STATED, owner, np.repeat(node, 3)[:, None], (), evaluate)
    return block.rate(np.concatenate([given.value for _, given in found])) if rate else block


def _origins(node: np.ndarray, p_NO: np.ndarray, targets: np.ndarray) -> Callable[[Motion, Frames], Values]:
    """x + R p_NO − targets"""

    def evaluate(motion: Motion, _: Frames) -> Values:
        arms = (motion.R[node] @ p_NO[..., None])[..., 0]
        still = np.broadcast_to(np.eye(3), (len(node), 3, 3))
        return (motion.x[node] + arms - targets).ravel(), np.concatenate([still, -skew(arms)], axis=2).reshape(-1, 6)

    return evaluate


def _turns(node: np.ndarray, targets: np.ndarray | None) -> Callable[[Motion, Frames], Values]:
    """log(R R₀ᵀ)"""
    G = np.tile(np.eye(6)[3:], (len(node), 1))

    def evaluate(motion: Motion, _: Frames) -> Values:
        if targets is None:
            return np.zeros(len(G)), G
        return log_so3(motion.R[node] @ np.swapaxes(targets, 1, 2)).ravel(), G

    return evaluate


def law_rows(term: Term, number: int, scalars: Sequence[Scalar], level: int) -> EquationGroup:
    """The constraint rows of a term by its own law; at position level without those that bind velocities only at the start."""
    count = len(term.rows) - (0 if level else term.nonholonomic + term.from_start)
    nodes = np.tile(np.array(term.nodes, dtype=int), (count, 1))
    names = [f"{term.name}: {row}" for row in term.rows[:count]]
    k, p, h = _parameters(term)
    s = np.array([(scalars[i].value, scalars[i].rate, 0.0) for i in term.scalars]).ravel()
    n = np.array([len(term.nodes), len(term.scalars), len(term.rows)])
    call = getattr(term.law, "evaluate", term.law.function)
    coefficients = Coefficients(np.zeros(Coefficients.WORDS))
    coefficients.K, coefficients.C = (0.0, 1.0) if level else (1.0, 0.0)
    c = coefficients.words
    on, size = list(term.nodes), term.size
    first = size - len(term.rows)
    # a holonomic constraint pulls along its gradient: one call for each row, instead of dual numbers for each coordinate
    by_forces = bool(term.law.duals) and term.law.function.__module__.startswith("flexor.") and not term.nonholonomic

    def answer(motion: Motion, want: int, lam: np.ndarray, K: np.ndarray) -> np.ndarray:
        r = np.zeros(size)
        status = call(
            want | level, n, k, p, h, 0.0, c,
            motion.x[on].ravel(), motion.R[on].ravel(), motion.v[on].ravel(), np.zeros(6 * n[0]), s, lam, r, K, np.zeros(term.workspace),
        )  # fmt: skip
        if status:
            raise LawError(f"'{term.name}': {term.law.errors.get(status, f'status {status}')}")
        return r

    def evaluate(motion: Motion, _: Frames) -> Values:
        rows, free, K = slice(first, first + count), 6 * n[0], np.zeros(size * size)
        if not by_forces:
            r = answer(motion, RESIDUAL | MATRIX, np.zeros(n[2]), K)
            return r[rows], K.reshape(size, size)[rows, :free]
        r = answer(motion, RESIDUAL, np.zeros(n[2]), K)
        pushed = [answer(motion, RESIDUAL, unit, K)[:free] - r[:free] for unit in np.eye(n[2])[:count]]
        return r[rows], np.array(pushed).reshape(count, free)

    return EquationGroup(STRUCTURE, np.full(count, number), nodes, names, evaluate)


def _parameters(term: Term) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What the plain Python form of a law is given as k, p and h."""
    return np.array(term.ints, dtype=np.int64), term.words(python=True), np.array(term.history, dtype=float)
