"""Several Flexor models advanced together with an exact interface, in one process: the reference for couplings with a delay.   GER

Each model makes its step with the forces λ at its interfaces given, and returns the motion of these and its condensed matrix

    C = ∂q/∂λ = β h² Bᵀ S⁻¹ B        S: matrix of the step, factorised already; B: what unit forces put into the equations

Newton's method on the gaps between connected markers finds λ at the end of the step; then all models make the step for good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from flexor.bodies.marker import MarkerRef
from flexor.cosim.component.flexor_model import LAW
from flexor.cosim.component.line_law import KEPT, Arriving, Told, line_end
from flexor.engine.columns import choose_signals, take_rows
from flexor.engine.diagnose import describe_failure
from flexor.engine.initial import solve_accelerations
from flexor.engine.memory import CHUNK_DONE, OK
from flexor.engine.system import System
from flexor.errors import ModelError, Problem, SolveError
from flexor.forces import UserLaw
from flexor.law import RESIDUAL
from flexor.mistakes import suggestion
from flexor.model import Model
from flexor.results.run import Run
from flexor.results.writer import RunWriter
from flexor.solve.begin import set_begin
from flexor.solve.dynamics import prepare
from flexor.solve.settings import DynamicsSettings
from flexor.solve.state import save_state
from flexor.spatial import cross, log_so3
from flexor.threads import one_thread
from flexor.units import Quantity

CLOSED = 1e-12
"""Gap of an interface that counts as none, in parts of the model's size and in rad."""
ROUNDS = 12
APART, FASTER = 1e-6, 1e-6
"""Gap [m, rad] and difference of velocities [m/s, rad/s] at the start that are refused."""


@dataclass
class WeldEnd:
    """One end of a connection: the law that applies the force, and its marker."""

    name: str
    law: Arriving
    node: int
    turn: np.ndarray
    """From λ of the connection to the law's wave: ±1 for forces, ±C for torques, which are in axes of the first end."""

    def apply(self, force: np.ndarray) -> None:
        """Let λ of the connection act."""
        self.law.waves[:6] = self.turn @ force

    def arm(self, system: System) -> np.ndarray:
        return system.memory.R.reshape(-1, 3, 3)[self.node] @ self.law.a.p

    def pose(self, system: System) -> tuple[np.ndarray, np.ndarray]:
        """Position and axes of the marker."""
        R = system.memory.R.reshape(-1, 3, 3)[self.node]
        return system.nodes("x")[self.node] + self.arm(system), R @ self.law.a.R.reshape(3, 3)

    def rates(self, system: System, name: str) -> np.ndarray:
        """Velocity ("v") or acceleration ("a") of the marker, without what ω × (ω × s) gives."""
        q = system.nodes(name)[self.node]
        return np.concatenate([q[:3] + cross(q[3:], self.arm(system)), q[3:]])


class Part:
    """One of the models, ready to run."""

    def __init__(
        self, name: str, model: Model, markers: Sequence[str], chosen: DynamicsSettings, file: Path | None
    ) -> None:
        self.name, self.model, self.chosen = name, model, chosen
        laws = [_law(i, marker) for i, marker in enumerate(markers)]
        self.system = prepare(model.with_item(*laws), chosen)
        self.interfaces: list[tuple[int, WeldEnd]] = []
        names = [term.name for term in self.system.mechanism.terms]
        for marker, law in zip(markers, laws, strict=True):
            i = names.index(law.name)
            record = Arriving(self.system.memory.p_parameters[int(self.system.terms["p"][i]) :])
            node = self.system.mechanism.terms[i].nodes[0]
            self.interfaces.append((-1, WeldEnd(f"{name}.{marker}", record, node, np.eye(6))))
        self.writer = RunWriter(model, {"until": chosen.until, "step": chosen.step}, file=file)

    def loads(self, forces: np.ndarray) -> None:
        for k, interface in self.interfaces:
            interface.apply(forces[6 * k : 6 * k + 6])

    def columns(self) -> np.ndarray:
        """What unit forces of λ at each interface put into the equations: B, 6 columns for each."""
        system = self.system
        found = []
        for _, interface in self.interfaces:
            before = interface.law.waves[:6].copy()
            interface.law.waves[:6] = 0.0
            system.run.want = RESIDUAL
            system.call("assemble")
            rest = system.memory.residual.copy()
            for unit in np.eye(6):
                interface.law.waves[:6] = interface.turn @ unit
                system.call("assemble")
                found.append(system.memory.residual - rest)
            interface.law.waves[:6] = before
        return np.column_stack(found)

    def condensed(self, factor: float) -> np.ndarray:
        """factor · Bᵀ S⁻¹ B with the factors at hand."""
        B = self.columns()
        solved = np.column_stack([self._solved(column) for column in B.T])
        return factor * B.T @ solved

    def _solved(self, column: np.ndarray) -> np.ndarray:
        vector = column.copy()
        self.system.solver.solve(vector)
        return vector

    def try_step(self, h: float) -> None:
        """The end of a step with the forces as they are; its begin stays."""
        run = self.system.run
        run.step_size = h
        status = self.system.call("step")
        if status != OK:
            raise describe_failure(self.system, status)

    def make_step(self) -> None:
        """The same for good."""
        run = self.system.run
        target = min(run.start_time + (run.step_count + 1) * run.max_step, run.end_time)
        run.steps_max = 1
        outcome = self.system.call("loop")
        if outcome != CHUNK_DONE:
            raise describe_failure(self.system, outcome)
        if run.time0 < target - 1e-9 * run.max_step:
            what = f"its step at t = {run.time0:.6g} s had to be cut"
            why = "models that are solved together make their steps together"
            raise SolveError(Problem(f"model '{self.name}'", what, why, "give a shorter step, or smooth what jumps"))
        rows, history = take_rows(self.system)
        self.writer.rows(rows)
        self.writer.history(history)


@one_thread
def multi_model(
    models: Mapping[str, Model],
    welds: Sequence[tuple[str, str]],
    until: Quantity,
    step: Quantity,
    *,
    files: Mapping[str, str | Path] | None = None,
    **settings: Any,
) -> dict[str, Run]:
    """Simulate models that are fixed to each other at markers, each written model.body.marker; a Run for each.

    welds: pairs of markers that stay together, in all six directions.   step: a fixed step, the same for all.
    files: results files by the names of the models.   settings: those of `model.dynamics`.
    """
    chosen = DynamicsSettings(until=until, step=step, **settings)
    if chosen.error is not None or chosen.accuracy is not None or chosen.start != "consistent":
        raise ModelError(
            Problem(
                "multi_model", "it takes a fixed step and a consistent start", "", "leave error, accuracy and start out"
            )
        )
    parts = _parts(models, welds, chosen, files or {})
    forces = np.zeros(6 * len(welds))
    try:
        _check_start(parts, welds)
        _accelerations(parts, forces)
        for part in parts:
            set_begin(part.system)
            part.system.call("commit")
            columns = choose_signals(part.system, chosen.record, chosen.energies)
            part.writer.open(columns, {"settings": chosen.model_dump(mode="json")})
            if chosen.energies:
                part.system.run.step_size = 0.0
                part.system.call("energies")
            part.system.call("write")
        run = parts[0].system.run
        while run.end_time - run.time0 > 1e-9 * run.max_step:
            target = min(run.start_time + (run.step_count + 1) * run.max_step, run.end_time)
            _close(parts, forces, float(target - run.time0))
            for part in parts:
                part.make_step()
    except BaseException as error:
        for part in parts:
            if part.writer.opened:
                part.writer.close("failed", str(error))
        raise
    for part in parts:
        part.writer.checkpoint(save_state(part.system))
        part.writer.close("finished", "")
    return {part.name: part.writer.run() for part in parts}


def _close(parts: list[Part], forces: np.ndarray, h: float) -> None:
    """Find the forces with which all interfaces are closed at the end of a step."""
    size = max(float(part.system.run.length_scale) for part in parts)
    worst = last = np.inf
    for _ in range(ROUNDS):
        for part in parts:
            part.loads(forces)
            part.try_step(h)
        gaps = _gaps(parts, len(forces))
        worst = float(np.abs(gaps / np.tile([size] * 3 + [1.0] * 3, len(forces) // 6)).max(initial=0.0))
        if worst <= CLOSED or (worst < 1e-9 and worst > 0.3 * last):
            return
        last = worst
        beta = float(parts[0].system.run.beta)
        forces -= np.linalg.lstsq(_condensed(parts, len(forces), beta * h * h), gaps, rcond=1e-13)[0]
    at = float(parts[0].system.run.time0)
    raise SolveError(
        f"the interfaces do not close: a gap of {worst:.3g} is left", time=at, causes=["a step that is too long"]
    )


def _condensed(parts: list[Part], n: int, factor: float) -> np.ndarray:
    whole = np.zeros((n, n))
    for part in parts:
        rows = np.concatenate([np.arange(6 * k, 6 * k + 6) for k, _ in part.interfaces])
        np.add.at(whole, (rows[:, None], rows[None, :]), part.condensed(factor))
    return whole


def _ends(parts: list[Part], n: int) -> list[list[tuple[Part, WeldEnd]]]:
    ends: list[list[tuple[Part, WeldEnd]]] = [[] for _ in range(n // 6)]
    for part in parts:
        for k, interface in part.interfaces:
            ends[k].append((part, interface))
    return [sorted(pair, key=lambda end: -end[1].turn[0, 0]) for pair in ends]


def _gaps(parts: list[Part], n: int) -> np.ndarray:
    """x_a − x_b in global axes, and the rotation from b to a in axes of a."""
    found = []
    for (pa, a), (pb, b) in _ends(parts, n):
        (xa, Ra), (xb, Rb) = a.pose(pa.system), b.pose(pb.system)
        C = -b.turn[3:, 3:]  # R_bᵀ R_a at the start
        found += [xa - xb, Ra.T @ log_so3(Ra @ (Rb @ C).T)]
    return np.concatenate(found)


def _accelerations(parts: list[Part], forces: np.ndarray) -> None:
    """Forces with which connected markers have the same accelerations at the start."""
    for _ in range(2):
        for part in parts:
            part.loads(forces)
            solve_accelerations(part.system)
        gaps, whole = [], np.zeros((len(forces),) * 2)
        for (pa, a), (pb, b) in _ends(parts, len(forces)):
            difference = _acceleration(pa, a) - _acceleration(pb, b)
            axes = a.pose(pa.system)[1]
            gaps += [difference[:3], axes.T @ difference[3:]]
        for part in parts:
            rows = np.concatenate([np.arange(6 * k, 6 * k + 6) for k, _ in part.interfaces])
            np.add.at(whole, (rows[:, None], rows[None, :]), _mobility(part, forces))
        forces -= np.linalg.lstsq(whole, np.concatenate(gaps), rcond=1e-13)[0]
    for part in parts:
        part.loads(forces)
        solve_accelerations(part.system)


def _acceleration(part: Part, interface: WeldEnd) -> np.ndarray:
    omega = part.system.nodes("v")[interface.node, 3:]
    return interface.rates(part.system, "a") + np.concatenate(
        [cross(omega, cross(omega, interface.arm(part.system))), np.zeros(3)]
    )


def _mobility(part: Part, forces: np.ndarray) -> np.ndarray:
    """Accelerations at all interfaces of a model for unit forces of λ, in the sense of the gaps."""
    system = part.system
    base = [interface.rates(system, "a").copy() for _, interface in part.interfaces]
    columns = []
    for k, interface in part.interfaces:
        for unit in np.eye(6):
            interface.law.waves[:6] = interface.turn @ (forces[6 * k : 6 * k + 6] + unit)
            solve_accelerations(system)
            moved = []
            for (_, other), before in zip(part.interfaces, base, strict=True):
                change = other.rates(system, "a") - before
                change[3:] = other.pose(system)[1].T @ change[3:]
                moved.append(other.turn.T @ change)
            columns.append(np.concatenate(moved))
        interface.apply(forces[6 * k : 6 * k + 6])
    solve_accelerations(system)
    return np.column_stack(columns)


def _parts(
    models: Mapping[str, Model],
    welds: Sequence[tuple[str, str]],
    chosen: DynamicsSettings,
    files: Mapping[str, str | Path],
) -> list[Part]:
    """The models with their interfaces, numbered by welds."""
    wanted: dict[str, list[tuple[int, int, str]]] = {name: [] for name in models}
    for k, pair in enumerate(welds):
        for end, text in enumerate(pair):
            name, _, marker = text.partition(".")
            if name not in models:
                raise ModelError(Problem(f"weld '{text}'", f"there is no model '{name}'", "", suggestion(name, models)))
            wanted[name].append((k, end, marker))
    parts = []
    for name, model in models.items():
        if not wanted[name]:
            what, fix = "no weld leads to it", "connect it, or leave it out"
            raise ModelError(Problem(f"model '{name}'", what, "", fix))
        file = files.get(name)
        part = Part(
            name, model, [marker for _, _, marker in wanted[name]], chosen, None if file is None else Path(file)
        )
        part.interfaces = [(k, each) for (k, _, _), (_, each) in zip(wanted[name], part.interfaces, strict=True)]
        parts.append(part)
    first: dict[int, np.ndarray] = {}
    for end in (0, 1):
        for part in parts:
            for (k, which, _), (_, interface) in zip(wanted[part.name], part.interfaces, strict=True):
                if which != end:
                    continue
                axes = interface.pose(part.system)[1]
                if end == 0:
                    first[k] = axes
                else:
                    interface.turn = -np.block([[np.eye(3), np.zeros((3, 3))], [np.zeros((3, 3)), axes.T @ first[k]]])
    return parts


def _check_start(parts: list[Part], welds: Sequence[tuple[str, str]]) -> None:
    problems = []
    for pair, ((pa, a), (pb, b)) in zip(welds, _ends(parts, 6 * len(welds)), strict=True):
        apart = float(np.linalg.norm(a.pose(pa.system)[0] - b.pose(pb.system)[0]))
        faster = float(np.abs(a.rates(pa.system, "v") - b.rates(pb.system, "v")).max())
        where = f"weld '{pair[0]} – {pair[1]}'"
        if apart > APART * max(1.0, float(pa.system.run.length_scale)):
            problems.append(
                Problem(where, f"its ends are {apart:.3g} m apart at the start", "", "move one of the models")
            )
        if faster > FASTER:
            what = f"its ends move differently at the start, by {faster:.3g} m/s or rad/s"
            problems.append(Problem(where, what, "", "give both models the same initial motion there"))
    if problems:
        raise ModelError(problems)


def _law(number: int, marker: str) -> UserLaw:
    values = {
        "which": number,
        "count": 1,
        "impedance": 0.0,
        "rotary": 0.0,
        "times": [0.0] * KEPT,
        "waves": [0.0] * (6 * KEPT),
    }
    name = LAW + f"{marker.replace('.', ' ')}"
    return UserLaw(
        name, line_end, on=(MarkerRef.model_validate(marker),), parameters=values, history=(0.0,) * Told.WORDS
    )
