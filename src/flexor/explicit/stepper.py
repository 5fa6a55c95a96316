"""Steps of free bodies with forces between them: what makes the steps of a run with many contacts."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexor.contact.broad.cells import CellTable, Counts
from flexor.engine.diagnose import describe_failure
from flexor.engine.memory import LAW_FAILED, NOT_FINITE, OK
from flexor.engine.system import System
from flexor.errors import DivergenceError, SolveError
from flexor.explicit.loop import loop
from flexor.explicit.memory import NEEDS_ROOM, ExplicitMemory, ExplicitNumbers, Grip, Inert, SurfaceRecord
from flexor.explicit.near import find_pairs
from flexor.explicit.refuse import inert_terms, refuse_inertia
from flexor.explicit.step import begin
from flexor.explicit.tables import body_table, surface_tables
from flexor.law import MATRIX, RESIDUAL
from flexor.law.face import INTEGRATED
from flexor.law.table import AddressTable
from flexor.solve.begin import set_begin
from flexor.solve.settings import DynamicsSettings
from flexor.warning import warn

KERNELS = {"search": find_pairs, "begin": begin, "loop": loop}
MARGIN = 0.5
"""Distance within which surfaces are near, in radii of the smallest."""
GIVEN, CHOSEN = 1.0, 0.1
"""Part of the longest stable step by stiffness that is taken: where the step is given, and where it is to resolve the contacts."""
PREFIX, KEPT = "explicit_", ("force", "momentum", "sought", "swung")
CARRIED = ("n_pairs", "searches", "tests", "mends", "fastest", "pull", "strayed", "limit", "soon")
"""Names in the state for a restart: arrays, and numbers, that go on as they are."""
SHORTEST = 1e-9
"""Step, in parts of that of the grid, at which a run is given up."""
SHORTENED = 0.1
"""Part of the steps that were shortened, from which on it is told."""


DAMPED_MOSTLY = 0.5
"""Part of the chosen steps that damping or friction shortened to a third and less, from which on it is told."""


class ShortenedSteps(UserWarning):
    """Steps were shortened for stability."""


class ExplicitStepper:
    """Velocity Verlet of free rigid bodies and particles with any forces between them, and contacts among many of them."""

    def __init__(self, system: System, chosen: DynamicsSettings) -> None:
        self.system = system
        self.chosen = chosen
        bodies = inert_terms(system)
        terms = system.mechanism.terms
        self.names = [term.name for term in bodies]
        self.table = AddressTable(ExplicitMemory, system.python)
        self.memory = self.table.view
        self.numbers = ExplicitNumbers(np.zeros(ExplicitNumbers.WORDS))
        self.bodies = body_table(bodies)
        many = [(i, term.many) for i, term in enumerate(terms) if term.many is not None]
        inert = {id(term) for term in bodies}
        others = [i for i, term in enumerate(terms) if term.many is None and id(term) not in inert]
        self._bound_forces(others)
        body_of = {int(term.nodes[0]): i for i, term in enumerate(bodies)}
        self.surfaces = surface_tables(system, many, body_of)  # type: ignore[arg-type]
        self._fill(others, [i for i, _ in many])
        run = system.run
        run.min_step = chosen.min_step or SHORTEST * run.max_step

    # -- filling -----------------------------------------------------------------------------------------------------

    def _bound_forces(self, others: list[int]) -> None:
        """Bounds of ω² and d/m by other forces, as they are at the start; those that depend on accelerations are refused."""
        terms = self.system.mechanism.terms
        body_of = {int(Inert(row).node): row for row in self.bodies}
        late = []
        for i in others:
            size = terms[i].size
            if not size:
                continue
            K, C, M = (self._matrix(i, size, *each) for each in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
            if np.abs(M).max(initial=0.0) > 0:
                late.append(terms[i].name)
            light = np.concatenate([self._agility(body_of.get(node)) for node in terms[i].nodes])
            for matrix, field in ((K, "base_stiffness"), (C, "base_damping")):
                rows = np.sum(np.abs(light[:, None] * matrix * light[None, :]), axis=1).reshape(-1, 6).max(axis=1)
                for node, bound in zip(terms[i].nodes, rows, strict=True):
                    if node in body_of:
                        body = Inert(body_of[node])
                        setattr(body, field, getattr(body, field) + float(bound))
        refuse_inertia(late)

    def _matrix(self, term: int, size: int, *coefficients: float) -> np.ndarray:
        with self.system.alone(term):
            if self.system.evaluate(RESIDUAL | MATRIX, *coefficients) != OK:
                return np.zeros((size, size))
            return self.system.memory.buffer_matrix[: size * size].reshape(size, size).copy()

    def _agility(self, row: np.ndarray | None) -> np.ndarray:
        """√ of inverse masses of six motions; of what stands still none."""
        if row is None:
            return np.zeros(6)
        body = Inert(row)
        return np.sqrt(np.repeat([body.lightness, body.nimbleness], 3))

    def _fill(self, others: list[int], tallies: list[int]) -> None:
        system, surfaces, own = self.system, self.surfaces, self.numbers
        n, nodes, count = len(surfaces.surfaces), len(system.mechanism.nodes), len(self.bodies)
        own.n_bodies, own.n_surfaces, own.n_groups = count, n, len(surfaces.groups)
        own.n_families, own.n_forces, own.n_tallies = len(surfaces.group_of), len(others), len(tallies)
        own.margin = MARGIN * 0.5 * surfaces.smallest
        own.share = CHOSEN if self.chosen.step is None else GIVEN
        own.lazy = int(not others)
        h = system.terms["h"]
        for name, value in {
            "engine": system.table, "numbers": own, "bodies": self.bodies.view(np.int64), "surfaces": surfaces.surfaces.view(np.int64),
            "groups": surfaces.groups.view(np.int64), "group_of": surfaces.group_of, "turned": surfaces.turned, "sizes": surfaces.sizes,
            "forces": np.array([*others, 0], dtype=np.int64), "tallies": np.array([int(h[i]) for i in tallies] + [0], dtype=np.int64),
            "counts": np.zeros(max(n, own.n_groups) + 2, dtype=np.int64), "old_first": np.zeros(2 * own.n_groups + 1, dtype=np.int64),
            "old_places": np.zeros(own.n_groups + 1, dtype=np.int64),
        }.items():  # fmt: skip
            self.table.set(name, value)
        for name, length in {
            "force": 6 * nodes, "half_velocity": 3 * count, "momentum": 3 * count, "half_momentum": 3 * count, "stiffness": count + 1,
            "firmness": count + 1, "damping": count + 1, "place": 3 * n, "axes": 9 * n, "sought": 3 * n, "swung": n,
        }.items():  # fmt: skip
            self.table.set(name, np.zeros(length + 1))
        for i, row in enumerate(surfaces.surfaces):  # those on the ground stay where they are
            self._stand(i, row)
        self.cells = AddressTable(CellTable, system.python)
        self.cell_counts = Counts(np.zeros(Counts.WORDS, dtype=np.int64))
        self.cell_counts.n, self.cell_counts.slots = n, 1 << max(4, (2 * n).bit_length())
        self.cells.set("counts", self.cell_counts)
        for name, array in {
            "edge": np.array([surfaces.edge + own.margin]), "low": np.zeros(3 * n + 1), "high": np.zeros(3 * n + 1), "kind": surfaces.kinds,
            "cell": np.zeros(3 * n + 1, dtype=np.int64), "head": np.zeros(self.cell_counts.slots, dtype=np.int64),
            "next": np.zeros(n + 1, dtype=np.int64),
        }.items():  # fmt: skip
            self.cells.set(name, array)
        self.table.set("cells", self.cells)
        self._make_room(12 * n + 16)
        self.table.set_kernel("pairs", surfaces.kernel)
        for name, kernel in KERNELS.items():
            self.table.set_kernel(name, kernel)

    def _stand(self, i: int, row: np.ndarray) -> None:
        s = SurfaceRecord(row)
        self.memory.place[3 * i : 3 * i + 3] = s.p
        self.memory.axes[9 * i : 9 * i + 9] = s.R

    def _make_room(self, pairs: int) -> None:
        """For so many pairs; what there is stays."""
        memory, width = self.memory, self.surfaces.most_places * Grip.WORDS
        for name, length, kind in (
            ("pair_a", pairs, np.int64), ("pair_b", pairs, np.int64), ("old_a", pairs, np.int64), ("old_b", pairs, np.int64),
            ("order", pairs, np.int64), ("grips", width * pairs, float), ("old_grips", width * pairs, float),
        ):  # fmt: skip
            new, before = np.zeros(length, dtype=kind), getattr(memory, name)
            if before is not None:
                new[: len(before)] = before
            self.table.set(name, new)
        self.cells.set("pairs", np.zeros(2 * pairs, dtype=np.int64))
        self.cell_counts.most = self.numbers.most_pairs = pairs

    # -- steps -------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Forces and accelerations of the present state, which begins the first step."""
        self._call("begin")
        self.system.memory.pseudo[:] = self.system.memory.a
        set_begin(self.system)
        own, run = self.numbers, self.system.run
        own.written = own.shown = float(run.time0)
        own.shown_count = int(run.step_count)

    def go_on(self, state: dict[str, Any]) -> None:
        """Likewise, of a state that was read for a restart: with the pairs, what they remember, and the forces that there were."""
        history = self.system.memory.history.copy()
        self.start()
        known = {
            name.removeprefix(PREFIX): np.asarray(value) for name, value in state.items() if name.startswith(PREFIX)
        }
        groups, memory = self.surfaces.groups, self.memory
        if not known or known["groups"].shape != groups.shape or known["force"].shape != memory.force.shape:
            return  # of a run with another solver, or other surfaces
        pairs = known["pairs"].reshape(2, -1).astype(np.int64)
        count = pairs.shape[1]
        if count > self.numbers.most_pairs:
            self._make_room(2 * count)
        memory.pair_a[:count], memory.pair_b[:count] = pairs
        memory.grips[: len(known["grips"])] = known["grips"]
        groups[:] = known["groups"]
        for name in KEPT:
            getattr(memory, name)[:] = known[name]
        for name, value in zip(CARRIED, known["numbers"], strict=True):
            setattr(self.numbers, name, type(getattr(self.numbers, name))(value))
        self.system.memory.history[:] = history

    def state(self) -> dict[str, Any]:
        """What a restart needs beside the engine's state."""
        n, m = int(self.numbers.n_pairs), self.memory
        found = {name: getattr(m, name).copy() for name in KEPT}
        found["pairs"] = np.concatenate([m.pair_a[:n], m.pair_b[:n]])
        found["grips"] = m.grips[: n * self.surfaces.most_places * Grip.WORDS].copy()
        found["groups"] = self.surfaces.groups.copy()
        found["numbers"] = np.array([float(getattr(self.numbers, name)) for name in CARRIED])
        return {f"{PREFIX}{name}": value for name, value in found.items()}

    def loop(self) -> int:
        """Several steps; the status that ended them."""
        self.system.memory.coefficients.states = INTEGRATED
        while True:
            status = self.table.call("loop")
            if status != NEEDS_ROOM:
                return status
            self._make_room(int(1.5 * self.numbers.needed_pairs))

    def _call(self, kernel: str) -> None:
        while (status := self.table.call(kernel)) == NEEDS_ROOM:
            self._make_room(int(1.5 * self.numbers.needed_pairs))
        if status != OK:
            raise describe_failure(self.system, status)

    def finished(self) -> None:
        """Tell where steps were much shorter than the one that was asked for, or than stiffness asks for."""
        own, run = self.numbers, self.system.run
        mean = (float(run.time0) - float(run.start_time)) / max(int(run.iterations), 1)
        if own.damped > DAMPED_MOSTLY * run.iterations:
            warn(
                f"explicit steps are {mean:.2g} s in the mean, as damping or sticking friction of contacts ask for, at the end those of "
                f"'{self.names[int(own.briefest)]}'; in {own.damped} of {run.iterations} stiffness would allow for three times as long ones and more. What helps: a larger "
                "rest_speed or restitution (or less damping) of the law, a larger micro_slip of the friction",
                ShortenedSteps,
            )
        if self.chosen.step is None or own.shortened <= SHORTENED * max(int(run.iterations), 1):
            return
        warn(
            f"explicit steps of {run.max_step:.3g} s are too long for the contacts or springs of this model: {own.shortened} of {run.iterations} were "
            f"shortened, to {mean:.3g} s in the mean, as stability and impacts ask for; give such a step, or softer laws (stiffness; damping and restitution "
            "with a larger rest_speed; friction with a larger micro_slip)",
            ShortenedSteps,
        )

    def failure(self, status: int) -> SolveError:
        """What a status means."""
        system, run = self.system, self.system.run
        if status == LAW_FAILED:
            return describe_failure(system, status)
        what = (
            "values grow without bound"
            if status == NOT_FINITE
            else f"contacts ask for steps below {run.min_step:.2g} s"
        )
        causes = [
            "surfaces that overlap at the start, which throw the bodies apart; see model.check()",
            "a spring or damper that became stiffer than at the start: explicit steps need h below 2/ω, and m/d at a damper; shorten the step",
        ]
        return DivergenceError(what, time=float(run.time0), step=int(run.step_count), causes=causes)
