"""What the check of a model found."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from flexor.declaration import Item
from flexor.errors import AssemblyError, ModelError, Problem
from flexor.model.joint_state import Placement
from flexor.model.roster import Roster

Locate = Callable[[int, tuple[str | int, ...]], str]
"""File and line of a field of an item, by the item's number and the path of the field."""


Say = Callable[..., None]
"""Tells what is wrong with an item: `Findings.error` or `Findings.warning`."""

OF_OTHERS = ("a", "b", "on", "joint", "variable", "body", "position", "speed", "acceleration")
"""Fields that refer to other items, or whose units depend on them."""


@dataclass(frozen=True)
class Report:
    """Everything found in one check: mistakes that forbid a computation, and warnings; `for problem in report` goes through both.

    failure: the parts are sound, but cannot be put together as stated; its problems are among the others.
    placement: where the bodies start and how they move, loops closed.
    """

    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()
    failure: AssemblyError | None = field(default=None, compare=False)
    placement: Placement | None = field(default=None, compare=False, repr=False)

    def __iter__(self) -> Iterator[Problem]:
        """One after another, mistakes before warnings."""
        return iter((*self.problems, *self.warnings))

    @property
    def ok(self) -> bool:
        """Whether there are no mistakes; there may be warnings."""
        return not self.problems

    def with_resting(self, held: Report, resting: Sequence[Item]) -> Report:
        """With what was found in a second look, at the model with the items that act at rest only.

        Mistakes of the others are told once; of warnings those of these items are, and where the bodies are stays as without them.
        """
        names = {item.called(item.name) for item in resting}
        problems = [each for each in held.problems if each not in self.problems]
        warnings = [each for each in held.warnings if each.where in names]
        return replace(
            self,
            problems=(*self.problems, *problems),
            warnings=(*self.warnings, *warnings),
            failure=self.failure or (held.failure if not self.problems else None),
        )

    def raise_errors(self) -> None:
        """Raise ModelError with all mistakes, if there are any; AssemblyError if the parts only do not go together."""
        if self.failure is not None and len(self.problems) == max(1, len(self.failure.problems)):
            raise self.failure
        if self.problems:
            raise ModelError(self.problems)

    def __str__(self) -> str:
        if not self.problems and not self.warnings:
            return "no problems"
        lines = [f"error: {problem}" for problem in Problem.listed(self.problems)]
        return "\n".join(lines + [f"warning: {problem}" for problem in Problem.listed(self.warnings)])


@dataclass
class Findings:
    """Collects what is found while a model is looked through; items are called by their number in it."""

    items: Roster
    source: Locate = lambda number, path: ""
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    failure: AssemblyError | None = None
    guessed: frozenset[int] = frozenset()
    """Items that are not what was written; of them only the fields that refer to others, or act on them, are judged."""

    @cached_property
    def _numbered(self) -> dict[int, Item]:
        return dict(self.items)

    def item(self, number: int) -> Item:
        """The item of this number."""
        return self._numbered[number]

    def error(self, number: int, what: str, why: str = "", fix: str = "", *at: str | int) -> None:
        """A mistake in an item; `at` is the field it stands in, and where inside it."""
        if number not in self.guessed or (at and at[0] in OF_OTHERS):
            self.problems.append(self._problem(number, what, why, fix, *at))

    def warning(
        self, number: int, what: str, why: str = "", fix: str = "", *at: str | int, since: float = -math.inf
    ) -> None:
        """since: time [s] of a motion that has to pass it for this to matter."""
        if number not in self.guessed:
            self.warnings.append(replace(self._problem(number, what, why, fix, *at), since=since))

    def _problem(self, number: int, what: str, why: str, fix: str, *at: str | int) -> Problem:
        item = self.item(number)
        return Problem(item.called(item.name), what, why, fix, self.source(number, at))

    def cannot_be(self, failure: AssemblyError) -> None:
        """The parts cannot be put together."""
        if failure.problems:
            failure = AssemblyError(self._with_sources(failure.problems))
        self.failure = failure
        self.problems += failure.problems or [Problem("model", str(failure).splitlines()[0])]

    def doubt(self, problems: Sequence[Problem]) -> None:
        """What agrees only nearly where the parts are put together."""
        self.warnings += self._with_sources(problems)

    def _with_sources(self, problems: Sequence[Problem]) -> list[Problem]:
        numbers = {item.called(item.name): number for number, item in self.items}
        found = []
        for problem in problems:
            number, said = numbers.get(problem.where), problem.what.split()[0]
            source = "" if number is None else self.source(number, (said,))
            found.append(replace(problem, source=source))
        return found

    def report(self, placement: Placement | None = None) -> Report:
        return Report(tuple(self.problems), tuple(self.warnings), self.failure, placement)
