"""Which signals a run records, their names, units and order."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from flexor.dotted import prefixes, within
from flexor.engine.memory import NodeRow, StepRow, TotalEnergy
from flexor.engine.system import ROWS_PER_CHUNK, System
from flexor.errors import ModelError, Problem
from flexor.joints.joint import REACTIONS
from flexor.mistakes import suggestion
from flexor.model.mechanism import Mechanism

NODE_SIGNALS = tuple(
    (f"{field.name}_{i}", field.unit) for field in NodeRow.FIELDS for i in ("wxyz" if field.size == 4 else "xyz")
)


def choose_signals(system: System, record: Iterable[str] | None, energies: bool) -> list[tuple[str, str]]:
    """Set up the rows of a run; returns (name, unit) of every column, time first.

    record: names of the objects, or of components, whose signals are kept; None keeps all.
    """
    m = system.mechanism
    chosen = None if record is None else set(record)
    columns = [("time", "s")]

    def kept(names: Iterable[str]) -> list[int]:
        """Numbers of those that have a name and are to be recorded."""
        if chosen is not None and not chosen:
            return []
        return [i for i, name in enumerate(names) if name and (chosen is None or within(m.owner(name), chosen))]

    if chosen:
        _refuse_unknown(m, chosen)
    nodes = kept(node.name if i else "" for i, node in enumerate(m.nodes))
    for i in nodes:
        columns += [(f"{m.nodes[i].name}.{signal}", unit) for signal, unit in NODE_SIGNALS]
    scalars = kept(scalar.name for scalar in m.scalars)
    for i in scalars:
        name, unit = m.scalars[i].name, m.scalars[i].unit
        columns += [(name, unit), (f"{name}_rate", f"{unit}/s"), (f"{name}_acceleration", f"{unit}/s²")]
    followers = kept(follower.joint for follower in m.followers)  # ties have no name
    for i in followers:
        columns += [(f"{m.followers[i].joint}.{output.name}", output.unit) for output in REACTIONS]
    terms = kept(term.name if term.outputs else "" for term in m.terms)
    for i in terms:
        columns += [(f"{m.terms[i].name}.{output.name}", output.unit) for output in m.terms[i].outputs]
    if energies:
        columns += [(f"energy.{field.name}", field.unit) for field in TotalEnergy.FIELDS]
    names = [name for name, _ in columns]
    of_nodes = {f"{m.nodes[i].name}.orientation_w" for i in nodes}  # the kernel sees to these
    system.quaternions = [i for i, name in enumerate(names) if name.endswith(".orientation_w") and name not in of_nodes]
    for name, chosen_list in (
        ("record_nodes", nodes), ("record_scalars", scalars), ("record_followers", followers), ("record_terms", terms),
    ):  # fmt: skip
        system.set(name, np.array(chosen_list, dtype=np.int64))
        setattr(system.run, f"n_{name}", len(chosen_list))
    system.run.use_energy = int(energies)
    system.run.row_length = len(columns)
    rows = max(2, min(ROWS_PER_CHUNK, 4_000_000 // len(columns)))
    system.run.rows_max = rows
    system.set("rows", np.zeros((rows + 1, len(columns))))  # the last of a chunk is kept behind
    system.run.recorded = 0
    return columns


def _refuse_unknown(m: Mechanism, chosen: set[str]) -> None:
    """A name to record that nothing answers to is an error."""
    if not chosen:
        return
    named = [node.name for node in m.nodes[1:]] + [scalar.name for scalar in m.scalars] + [s.joint for s in m.followers]
    named += [term.name for term in m.terms if term.outputs]
    known = dict.fromkeys(each for name in named if name for each in prefixes(m.owner(name)))
    problems = []
    for name in sorted(chosen - known.keys()):
        owner = m.owner(name)
        fix = f"name the object, '{owner}'" if owner in known else suggestion(name, known, "objects with signals are")
        problems.append(Problem("record", f"there are no signals of '{name}'", "", fix))
    if problems:
        raise ModelError(problems)


def take_rows(system: System) -> tuple[np.ndarray, np.ndarray]:
    """Recorded rows and step history since the last call."""
    n, width = int(system.run.rows_used), int(system.run.row_length)
    buffer = system.memory.rows.reshape(-1, width)
    rows = buffer[:n].copy()
    for column in system.quaternions:
        _keep_sign(rows[:, column : column + 4], buffer[-1, column : column + 4])
    if n:
        buffer[-1] = rows[-1]
    steps = system.memory.step_rows.reshape(-1, StepRow.WORDS)[: system.run.step_rows_used].copy()
    system.run.rows_used = 0
    system.run.step_rows_used = 0
    return rows, steps


def _keep_sign(q: np.ndarray, before: np.ndarray) -> None:
    """Let quaternions (n, 4) not jump from one sign to the other; `before`: the last one recorded, zero if there is none."""
    steps = np.einsum("ij,ij->i", q, np.vstack([before, q[:-1]]))
    q *= np.cumprod(np.where(steps < 0, -1.0, 1.0))[:, None]
