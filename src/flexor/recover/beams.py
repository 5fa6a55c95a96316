"""Section forces of the beams in a reduced body, over time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexor.elements.assembly.batches import batches, kind_of
from flexor.elements.lines.beam2 import Beam2
from flexor.errors import ModelError, Problem
from flexor.mistakes import suggestion
from flexor.recover.history import BodyHistory, Portion, Series
from flexor.recover.linear_field import LinearField
from flexor.recover.lost_stress import warn_of_lost_stress
from flexor.recover.sites import mesh_of
from flexor.units import Quantity

FORCES = ("N", "Qy", "Qz", "T", "My", "Mz")
UNITS = ("N", "N", "N", "N m", "N m", "N m")


@dataclass(frozen=True, eq=False)
class SectionForces:
    """N, Qy, Qz, T, My, Mz [N, N m] at both ends of every beam, in the section's axes: x along the beam.

    They are what the part beyond exerts on the part before, so that N > 0 is tension.
    elements: (m,) numbers of the beams.   modes: of their ends, one beam after the other.
    """

    history: BodyHistory
    elements: np.ndarray
    modes: LinearField

    def __repr__(self) -> str:
        return f"section forces of {self.history.where}: {len(self.elements)} beams, {len(self.history)} times"

    def __str__(self) -> str:
        """Smallest and largest of each force, and in which beam."""
        low, high = self.extremes()
        lines = [repr(self)]
        for k, (name, unit) in enumerate(zip(FORCES, UNITS, strict=True) if len(self.elements) else ()):
            least, most = int(np.argmin(low[:, :, k])), int(np.argmax(high[:, :, k]))
            bounds = ((low[:, :, k].ravel()[least], least), (high[:, :, k].ravel()[most], most))
            told = [f"{value:.5g} {unit} in element {self.elements[place // 2]}" for value, place in bounds]
            lines.append(f"  {name:3} {' … '.join(told)}")
        return "\n".join(lines)

    def at(self, element: int, end: int = 1) -> Series:
        """(T, 6) over time at end 1 or 2 of a beam."""
        values = self.modes.at(2 * self._index(element) + self._end(end), self.history.z)
        name = f"{self.history.reduced.name}.section forces of element {element}, end {end}"
        return Series(values, self.history.times, name, "N, N m")

    def force(self, name: str, element: int, end: int = 1) -> Series:
        """(T,) one of N, Qy, Qz, T, My, Mz over time."""
        if name not in FORCES:
            fix = suggestion(name, FORCES, "there are")
            raise ModelError(Problem(self.history.where, f"there is no section force '{name}'", "", fix))
        k = FORCES.index(name)
        values = self.at(element, end).values[:, k]
        return Series(values, self.history.times, f"{self.history.reduced.name}.{name} of element {element}", UNITS[k])

    def frame(self, time: Quantity) -> np.ndarray:
        """(m, 2, 6) of all beams at a time."""
        return self.modes.field(self.history.coordinates(time)).reshape(-1, 2, 6)

    def extremes(self) -> tuple[np.ndarray, np.ndarray]:
        """(smallest, largest), each (m, 2, 6), over all recorded rows."""
        every = self.modes.combined(np.eye(6))
        low, high = (np.full((6, len(self.modes)), s * np.inf) for s in (1.0, -1.0))
        for rows in self.history.batches():
            values = every.of(self.history.z[rows], slice(None))
            low, high = np.minimum(low, values.min(axis=1)), np.maximum(high, values.max(axis=1))
        return low.T.reshape(-1, 2, 6), high.T.reshape(-1, 2, 6)

    def _index(self, element: int) -> int:
        found = np.flatnonzero(self.elements == element)
        if not len(found):
            near = self.elements[np.argsort(np.abs(self.elements - element), kind="stable")[:3]]
            fix = f"near that number there are {', '.join(map(str, near))}"
            raise ModelError(Problem(self.history.where, f"there is no beam {element}", "", fix))
        return int(found[0])

    def _end(self, end: int) -> int:
        if end not in (1, 2):
            raise ModelError(Problem(self.history.where, f"a beam has no end {end}", "", "end=1 or end=2"))
        return end - 1


def section_forces(history: BodyHistory) -> SectionForces:
    """Of all two-node beams of the body."""
    reduced = history.reduced
    mesh = mesh_of(reduced)
    # a scaled body: stress × area, stress × area × length
    scale = reduced.stiffening * reduced.stretch ** np.repeat([2.0, 3.0], 3)
    ids, portions = [], []
    for b, block in enumerate(mesh.blocks):
        if kind_of(block) is not Beam2:
            continue
        ids.append(np.asarray(block.ids))
        for batch in batches(mesh, block, reduced.options):
            operator = scale[:, None] * Beam2.force_operator(batch.X, batch.properties)
            portions.append(Portion(b, np.arange(batch.rows.start, batch.rows.stop), batch.nodes, 6, operator))
    if not ids:
        fix = "look at the stress of solids and shells"
        raise ModelError(Problem(history.where, "there is no beam", "section forces belong to beams", fix))
    warn_of_lost_stress(history)
    return SectionForces(history, np.concatenate(ids), history.modes_of(portions))
