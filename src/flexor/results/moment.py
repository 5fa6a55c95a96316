"""One moment of a run: its signals, what happens in its flexible bodies, and its state as the start of another analysis."""

from __future__ import annotations

import warnings
from functools import cached_property
from typing import Any

import numpy as np

from flexor.bodies.full_mesh.signals import MOVES, TURNS, node_signals
from flexor.control.hysteresis import play
from flexor.engine.initial import solve_accelerations
from flexor.engine.system import System
from flexor.errors import ModelError, Problem
from flexor.results.position import Position
from flexor.results.run import Run
from flexor.solve.prepare import compile_model
from flexor.solve.state import save_state
from flexor.solve.statics import Equilibrium
from flexor.spatial import quaternion_to_matrix
from flexor.units import Quantity, si
from flexor.warning import warn

NEAR = 1e-6
"""How far from a recorded time, relative to the spacing of rows, counts as that time."""


class Moment(Position):
    """The mechanism at a recorded time; taken from the recorded rows, no state need have been saved there."""

    def __init__(self, run: Run, time: Quantity) -> None:
        """run: a Run.   time: one of its recorded times [s]."""
        asked, times = float(si(time, "time")), run.time
        row = int(np.argmin(np.abs(times - asked))) if len(times) else 0
        spacing = float(np.diff(times).min(initial=np.inf)) if len(times) > 1 else 1.0
        if not len(times) or not abs(times[row] - asked) <= NEAR * spacing:  # nor is it near NaN
            finite = np.isfinite(asked)
            nearest = sorted(times, key=lambda t: abs(t - asked))[:2] if finite else (*times[:1], *times[-1:])
            around = ", ".join(f"{t:.9g} s" for t in nearest)
            fix = f"{'the nearest are' if finite else 'its first and last are'} {around}"
            raise ModelError(
                Problem(repr(run), f"no row was recorded at {asked:.9g} s", "", fix if around else "it has no rows")
            )
        values = _row(run, row)
        found = Equilibrium(dict(zip(run.names, values[1:], strict=True)), dict(run.units), {}, 0)
        super().__init__(run.model, found)
        self.run, self.row, self.time = run, row, float(times[row])

    @cached_property
    def state(self) -> dict[str, Any]:
        """As of an equilibrium; found from the rows up to this one when it is first asked for."""
        run, row = self.run, self.row
        with warnings.catch_warnings():  # the run has told all that
            warnings.simplefilter("ignore")
            system = compile_model(self.model)
        _warn_of_blocks(system, self.time)
        columns = _Columns(system, run)
        before = 0.0
        # joints count turns from row to row
        walked = list(run.blocks("signals", row + 1)) if len(system.memory.history) else [_row(run, row)[None]]
        for values in np.vstack(walked):
            columns.set(system, values)
            system.memory.coefficients.step = values[0] - before
            system.call("commit")
            before = values[0]
        system.run.time = system.run.time0 = before
        solve_accelerations(system)
        return save_state(system, factors=False)


class ForgottenStates(UserWarning):
    """Blocks of the control system remember more than rows of a run tell."""


def _warn_of_blocks(system: System, time: float) -> None:
    remember = [term for term in system.mechanism.terms if term.outputs and (term.rates or term.law is play)]
    names = [f"'{term.name}'" for term in remember]
    if names and time > 0.0:
        several = ", ".join(names[:6]) + (" …" if len(names) > 6 else "")
        warn(
            f"at t = {time:g} s rows do not tell the states of {several}: they begin anew there, as at the start of the model. What helps: "
            f'run until "{time:g} s" and give that run as start, which goes on with them',
            ForgottenStates,
        )


class _Columns:
    """Where positions and velocities of nodes and scalars stand in a row."""

    def __init__(self, system: System, run: Run) -> None:
        number = {name: i for i, name in enumerate(run.units)}
        m = system.mechanism
        # nodes of a whole mesh have no names of their own; a term of each writes its motion down
        written = {t.nodes[0]: f"{t.name}.{t.outputs[0].name}" for t in m.terms if t.law is node_signals}
        self.nodes = [int(i) for i in system.memory.node_list if i > 0]
        names = [f"{m.nodes[i].name}.position_x" if m.nodes[i].name else written.get(i, "") for i in self.nodes]
        if missing := sorted(({*names} | {scalar.name for scalar in m.scalars}) - number.keys()):
            told = ", ".join(dict.fromkeys(name.removesuffix(".position_x") for name in missing[:6]))
            why, fix = (
                "a state needs every body and joint",
                "leave out `record`, or run until that time and take run.state",
            )
            raise ModelError(Problem(repr(run), f"does not record {told}", why, fix))
        self.moves, self.turns = (
            np.array([[number.get(name.replace("position_x", each), -1) for each, _ in signals] for name in names])
            .reshape(-1, len(signals))
            .astype(np.int64)
            for signals in (MOVES, TURNS)
        )
        self.turning = np.all(self.turns >= 0, axis=1)  # nodes of solid elements have no axes
        self.scalars = np.array([number[scalar.name] for scalar in m.scalars], dtype=np.int64)
        self.origins = np.array([m.nodes[i].p_NO for i in self.nodes]).reshape(-1, 3)

    def set(self, system: System, row: np.ndarray) -> None:
        """Motion of each node; value, rate, second rate of each scalar."""
        if len(self.nodes):
            nodes, turn = np.array(self.nodes), np.flatnonzero(self.turning)
            moves, turns = row[self.moves], row[self.turns[turn]]
            R = system.memory.R.reshape(-1, 3, 3)
            R[nodes[turn]] = np.array([quaternion_to_matrix(q) for q in turns[:, :4]]).reshape(-1, 3, 3)
            arm, omega = np.einsum("nij,nj->ni", R[nodes], self.origins), np.zeros((len(nodes), 3))
            omega[turn] = turns[:, 4:]
            system.nodes("x")[nodes] = moves[:, :3] - arm
            system.nodes("v")[nodes] = np.hstack([moves[:, 3:] - np.cross(omega, arm), omega])
        if len(self.scalars):
            system.memory.s.reshape(-1, 3)[:] = row[self.scalars[:, None] + np.arange(3)]
        if system.mechanism.followers:
            system.call("follow")


def _row(run: Run, row: int) -> np.ndarray:
    first = 0
    for block in run.blocks("signals", row + 1):
        if row < first + len(block):
            return np.array(block[row - first])
        first += len(block)
    raise IndexError(row)
