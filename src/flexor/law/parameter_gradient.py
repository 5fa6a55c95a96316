"""How the residual of a law changes with its parameters, ∂r/∂p, by dual numbers: exact to rounding, of any law with a record.

    parameter_gradient(term, "of.stiffness", now)      (size, 1)
    parameter_gradient(term, "a.p", now)               (size, 3): position of marker A

It runs the law's Python form once for each number of the field.
"""

from __future__ import annotations

import numpy as np

from flexor.errors import LawError, ModelError
from flexor.law.dual import Dual, dual
from flexor.law.face import RESIDUAL, State
from flexor.law.record import NESTED, NUMBER, NUMBERS, TAIL, Field, Record
from flexor.law.term import Term


class Moved:
    """Memory of parameters, one number of which carries the derivative one."""

    __slots__ = ("_moved", "_words")
    dtype = np.dtype(float)

    def __init__(self, words: np.ndarray, moved: int) -> None:
        self._words, self._moved = words, moved

    def __len__(self) -> int:
        return len(self._words)

    def __getitem__(self, i: int | slice) -> Dual | float | Moved:
        if isinstance(i, slice):
            return Moved(self._words[i], self._moved - (i.start or 0))
        return Dual(self._words[i], 1.0) if i == self._moved else self._words[i]

    def view(self, kind: type) -> Moved | np.ndarray:
        """Whole numbers among the floats do not move."""
        return self._words.view(kind) if kind is np.int64 else self

    def copy(self) -> np.ndarray:
        """The numbers themselves."""
        return np.array([self[i] for i in range(len(self))], dtype=object)


def parameter_gradient(term: Term, field: str, now: State, level: int = 0) -> np.ndarray:
    """∂r/∂p of the numbers of one field, (size of the term, numbers of the field), in a state of its coordinates.

    field: its name; of one in a nested record the names on the way to it, "a.p".
    level: VELOCITY_LEVEL or ACCELERATION_LEVEL for constraint rows of these levels.
    """
    words = term.words(python=True)
    first, count = _place(term, words, field)
    return np.array([_column(term, words, first + i, now, level) for i in range(count)]).reshape(count, term.size).T


def _column(term: Term, words: np.ndarray, moved: int, now: State, level: int) -> list[float]:
    r, w = (np.array([Dual(0.0)] * n, dtype=object) for n in (term.size, term.workspace))
    counts = np.array([len(term.nodes), len(term.scalars), len(term.rows)])
    ints = np.array(term.ints, dtype=np.int64)
    _, h, t, c, x, R, v, a, s, lam = now
    status = term.law.function(
        RESIDUAL | level, counts, ints, Moved(words, moved), h, t, c, x, R, v, a, s, lam, r, np.zeros(0), w
    )
    if status:
        raise LawError(f"'{term.name}': {term.law.errors.get(status, f'status {status}')}")
    return [dual(entry).b for entry in r]


def _place(term: Term, words: np.ndarray, path: str) -> tuple[int, int]:
    """Where the numbers of a field stand, and how many there are."""
    record: type[Record] | None = term.law.parameters
    if record is None:
        raise ModelError(f"'{term.name}': law {term.law.name} has no record of parameters; declare it by @law(Record)")
    at, names = 0, path.split(".")
    for i, name in enumerate(names):
        field = getattr(record, name, None)
        if not isinstance(field, Field):
            raise ModelError(
                f"'{term.name}': {record.__name__} has no '{name}'; it has {', '.join(f.name for f in record.FIELDS)}"
            )
        if field.kind == NESTED and i + 1 < len(names):
            at, record = at + field.offset, field.record
            continue
        if field.kind not in (NUMBER, NUMBERS, TAIL) or i + 1 < len(names):
            raise ModelError(
                f"'{term.name}': {record.__name__}.{name} ({field.words}) is no number, nor an array of them"
            )
        if field.kind == TAIL:
            begin, length = words[at + field.offset :][:2].view(np.int64)
            return at + int(begin), int(length)
        return at + field.offset, field.size
    raise AssertionError("a path has at least one name")
