"""The memory of a system as it was, to begin from there again."""

from __future__ import annotations

import numpy as np

from flexor.engine.system import System

FIXED = {
    *("scatter", "p_parameters", "k_parameters", "term_nodes", "term_scalars", "term_reads", "laws", "sites"),
    *("strings", "string_parameters"),
    *("condense_map", "condense_eq", "values", "work", "order", "columns", "sources", "runs", "tails", "identity"),
    *("pads", "lanes", "carried", "seats", "pairs"),
}
"""Arrays that no analysis changes, and those that are filled anew before they are read."""


class Snapshot:
    """Copies of all that an analysis changes; `restore` puts it back."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._tables = [
            (table, [(name, array, array.copy()) for name, array in _arrays(table.view) if name not in FIXED])
            for table in (system.table, system.solver.table)
        ]
        records = (system.run, system.memory.coefficients, system.solver.numbers)
        self._records = [(record, record._memory.copy()) for record in records]
        self.matrix, self._dropped = system.matrix, list(system.dropped)
        """How the matrix was factorised."""
        self._gravity, self._weights = system.gravity.copy(), system._weights.copy()

    def restore(self) -> bool:
        """Put all back; False where that cannot be done: another factorisation is in use since."""
        system = self._system
        if system.matrix != self.matrix:
            return False
        for table, arrays in self._tables:
            for name, array, copy in arrays:
                array[:] = copy
                if getattr(table.view, name) is not array:
                    table.set(name, array)
        for record, copy in self._records:
            record._memory[:] = copy
        system.dropped = list(self._dropped)
        system.gravity[:], system._weights[:] = self._gravity, self._weights
        system.run.factored = 0
        return True


def _arrays(view: object) -> list[tuple[str, np.ndarray]]:
    """Arrays of a record of addresses, by name."""
    names = [field.name for field in type(view).FIELDS]  # type: ignore[attr-defined]
    found = [(name, getattr(view, name)) for name in names]
    return [(name, value) for name, value in found if isinstance(value, np.ndarray)]
