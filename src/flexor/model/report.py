"""What the check of a model found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from flexor.errors import ModelError, Problem

Source = Callable[[int, tuple[str | int, ...]], str]
"""File and line of a field of an item, by the item's number and the path of the field."""


@dataclass(frozen=True)
class Report:
    """Everything found in one check: mistakes that forbid a computation, and warnings."""

    problems: tuple[Problem, ...] = ()
    warnings: tuple[Problem, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there are no mistakes; there may be warnings."""
        return not self.problems

    def raise_errors(self) -> None:
        """Raise ModelError with all mistakes, if there are any."""
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

    items: list[tuple[int, Any]]
    source: Source = lambda number, path: ""
    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)

    @cached_property
    def _numbered(self) -> dict[int, Any]:
        return dict(self.items)

    def error(self, number: int, what: str, why: str = "", fix: str = "", *at: str | int) -> None:
        """A mistake in an item; `at` is the field it stands in, and where inside it."""
        self.problems.append(self._problem(number, what, why, fix, *at))

    def warning(self, number: int, what: str, why: str = "", fix: str = "", *at: str | int) -> None:
        self.warnings.append(self._problem(number, what, why, fix, *at))

    def _problem(self, number: int, what: str, why: str, fix: str, *at: str | int) -> Problem:
        item = self._numbered[number]
        return Problem(item.called(item.name), what, why, fix, self.source(number, at))

    def report(self) -> Report:
        return Report(tuple(self.problems), tuple(self.warnings))
