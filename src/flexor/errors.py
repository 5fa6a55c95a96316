"""Everything Flexor raises on purpose.

    FlexorError
    ├── ModelError            the model as declared cannot be right
    │   └── ComponentError    a component of it cannot
    ├── UnitError             a value has an unknown unit or the wrong dimension
    ├── FileError             a file is missing, unreadable or says something impossible
    ├── CompileError          a law or expression could not be compiled
    └── SolveError            the model is well formed but the computation had to stop
        ├── AssemblyError     the parts cannot be put together in the given position
        ├── DivergenceError   Newton's iteration did not converge
        ├── SingularError     the system matrix has no inverse
        └── LawError          a law refused its arguments

A message says where, what, why and how to fix it. `ModelError` and `UnitError` are also `ValueError`s, so
that a validator which raises one lets validation go on and collect the other mistakes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "AssemblyError",
    "CompileError",
    "ComponentError",
    "DivergenceError",
    "FileError",
    "FlexorError",
    "LawError",
    "ModelError",
    "Problem",
    "SingularError",
    "SolveError",
    "UnitError",
]


MOST_SHOWN = 50
"""Mistakes that are told one by one; nobody reads more."""


@dataclass(frozen=True)
class Problem:
    """One mistake, in the words of the person who has to mend it."""

    where: str
    """The thing concerned, e.g. `joint 'pin'`; empty if there is no name for it."""
    what: str
    """What is wrong, e.g. `axis is zero-length`."""
    why: str = ""
    """Why that will not do, e.g. `it needs a direction`."""
    fix: str = ""
    """What to write instead, e.g. `e.g. axis: [0, 0, 1]`."""
    source: str = ""
    """File and line it was read from, e.g. `model.yaml:31`."""
    since: float = -math.inf
    """Time [s] of a motion that has to pass it for the problem to matter."""

    def __str__(self) -> str:
        where = f"{self.where}: " if self.where else ""
        advice = ", ".join(part for part in (self.why, self.fix) if part)
        source = f"  ({self.source})" if self.source else ""
        return where + self.what + (f"; {advice}" if advice else "") + source

    @staticmethod
    def listed(problems: Sequence[Problem]) -> list[str]:
        """A line for each of the first ones, and how many more there are."""
        rest = len(problems) - MOST_SHOWN
        return [*map(str, problems[:MOST_SHOWN]), *([f"… and {rest} more"] if rest > 0 else [])]


class FlexorError(Exception):
    """Base of all errors below; raise it with a sentence, one `Problem` or many."""

    problems: tuple[Problem, ...]

    def __init__(self, said: str | Problem | Iterable[Problem]) -> None:
        if isinstance(said, str):
            super().__init__(said)
            self.problems = ()
        else:
            self.problems = (said,) if isinstance(said, Problem) else tuple(said)
            super().__init__(self.problems)

    def __str__(self) -> str:
        if not self.problems:
            return str(self.args[0])
        if len(self.problems) == 1:
            return str(self.problems[0])
        return f"{len(self.problems)} problems:\n" + "\n".join(f"  {each}" for each in Problem.listed(self.problems))


class ModelError(FlexorError, ValueError):
    """The model as declared cannot be right; `problems` lists every mistake found, one line each."""


class ComponentError(ModelError):
    """A component cannot be used as stated: its ports, parameters or files are not there, or its items are wrong."""


class UnitError(FlexorError, ValueError):
    """A value has an unknown unit or the wrong dimension.

    `places` says for each problem where in the thing given the value stands, e.g. ("terms", 0, "final").
    """

    def __init__(self, said: str | Problem | Iterable[Problem], places: Sequence[tuple[str | int, ...]] = ()) -> None:
        super().__init__(said)
        self.places = tuple(places)


class FileError(FlexorError):
    """A file is missing, unreadable or says something impossible."""


class CompileError(FlexorError):
    """A law or expression could not be compiled."""


class SolveError(FlexorError):
    """The model is well formed but the computation had to stop."""

    def __init__(
        self,
        message: str | Problem | Iterable[Problem],
        *,
        time: float | None = None,
        step: int | None = None,
        worst: Sequence[tuple[str, float]] = (),
        causes: Sequence[str] = (),
        result: str | Path | None = None,
    ) -> None:
        """`time`: in s, where it stopped.   `step`: number of the time step.
        `worst`: equations with the largest residual, as (name, value).
        `causes`: likely causes, each with its remedy.   `result`: file that keeps what was computed so far.
        """
        super().__init__(message)
        self.time = time
        self.step = step
        self.worst = tuple(worst)
        self.causes = tuple(causes)
        self.result = result

    def __str__(self) -> str:
        lines = [super().__str__()]
        if self.time is not None and self.step is not None:
            lines.append(f"  at t = {self.time:.9g} s, step {self.step}")
        elif self.time is not None:
            lines.append(f"  at t = {self.time:.9g} s")
        elif self.step is not None:
            lines.append(f"  at step {self.step}")
        if self.worst:
            lines.append("  worst equations:")
            lines += [f"    {name}  {value:.3g}" for name, value in self.worst]
        if self.causes:
            lines.append("  likely causes:")
            lines += [f"    - {cause}" for cause in self.causes]
        if self.result is not None:
            lines.append(f"  results so far: {self.result}")
        return "\n".join(lines)


class AssemblyError(SolveError):
    """The parts cannot be put together in the given position."""


class DivergenceError(SolveError):
    """Newton's iteration did not converge."""


class SingularError(SolveError):
    """The system matrix has no inverse: a part is free, or constraints repeat each other."""


class LawError(SolveError):
    """A law refused its arguments, e.g. a spring whose ends coincide."""
