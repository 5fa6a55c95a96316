"""Commands of several processes that mpiexec has started: the first one speaks and writes for all."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import typer

from flexor.cli.output import FAILED, WRONG, exit_code
from flexor.errors import FlexorError, ModelError, Problem
from flexor.mpi import place

if TYPE_CHECKING:
    from flexor.hierarchy.partners import Partners


class Nowhere:
    """Takes the results of a process whose results are those of the first one."""

    def open(self, columns: Any, meta: Any) -> None: ...
    def rows(self, rows: Any) -> None: ...
    def history(self, steps: Any) -> None: ...
    def checkpoint(self, state: Any) -> None: ...
    def close(self, status: str, message: str) -> None: ...


def refuse_under_mpi(solver: str | None, watch: bool, threads: int | None) -> None:
    """What several processes cannot do together."""
    rank, size = place()
    problems = []
    if solver != "tree":
        why = "all of them would compute the same: only the tree solver divides a mechanism"
        problems.append(
            Problem("mpiexec", f"there are {size} processes", why, "give --solver tree, or leave mpiexec out")
        )
    if watch:
        why = "a run of several processes cannot be paused in the browser"
        problems.append(Problem("mpiexec", "--watch is given", why, "leave it out; flexor view shows the results file"))
    if threads is not None:
        why = "each process computes its branches in one thread"
        problems.append(Problem("mpiexec", "--threads is given", why, "leave it out, and start more processes"))
    if problems:
        if rank:
            raise typer.Exit(WRONG)
        raise ModelError(problems)


def by_ranks(work: Callable[[Partners], None]) -> None:
    """Do work in all processes; errors and warnings are told once, and no process waits for one that has failed."""
    from flexor.hierarchy.partners import Partners
    from flexor.hierarchy.ranks import Ranks

    first = place()[0] == 0
    if not first:
        warnings.showwarning = lambda *_, **__: None
    try:
        partners = Partners(Ranks())
    except FlexorError:
        if first:
            raise
        raise typer.Exit(WRONG) from None
    try:
        work(partners)
    except BaseException as error:
        partners.leave(_reason(error))
        if partners.lost is not None:
            _end(first, error)
        if first:
            raise
        if isinstance(error, FlexorError):
            raise typer.Exit(exit_code(error)) from None
        if not isinstance(error, typer.Exit | KeyboardInterrupt):
            traceback.print_exc()
        raise typer.Exit(FAILED) from None
    partners.leave()
    if first and (partners.reasons or partners.lost is not None):
        raise partners.failure()


def _reason(error: BaseException) -> str:
    return str(error) if isinstance(error, FlexorError) else f"{type(error).__name__}: {error}"


def _end(first: bool, error: BaseException) -> None:
    """End without a word to MPI, which would wait for who has died."""
    if first:
        print(f"error: {error}", file=sys.stderr, flush=True)
    os._exit(FAILED)
