"""Threads of NumPy's own linear algebra: more than one slows matrices of our sizes down, two to tenfold."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, ParamSpec, TypeVar

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")

SMALL, FEW = 20_000, 4
"""Equations below which one thread is fastest; threads that pay beyond."""

_in_force = 0
"""The limit that holds, 0 for none."""
_allowed = 0
"""Threads that the user, or the machine, allows: what there was before the first limit."""


@contextlib.contextmanager
def few_threads(n: int = 0) -> Iterator[None]:
    """Limit the threads of linear algebra, while the block runs, to what pays with n equations.

    It is meant for whole analyses. Inside another block with the same limit it costs nothing.
    """
    global _in_force, _allowed
    limit = 1 if n < SMALL else FEW
    if limit == _in_force:
        yield
        return
    pools = _pools(len(sys.modules))
    if not _in_force:
        _allowed = max((pool["num_threads"] for pool in pools.info()), default=1)
    before, _in_force = _in_force, limit
    try:
        with pools.limit(limits=min(limit, _allowed)):
            yield
    finally:
        _in_force = before


@functools.lru_cache(maxsize=1)
def _pools(modules: int) -> ThreadpoolController:
    """The libraries of linear algebra that are loaded. To find them takes milliseconds: once while no module is added."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController().select(internal_api=["openblas", "blis"])  # MKL's Pardiso chooses for itself


def one_thread(analysis: Callable[_Given, _Found]) -> Callable[_Given, _Found]:
    """An analysis of a mechanism, whose own dense matrices are small; parts with large ones may take more inside."""

    @functools.wraps(analysis)
    def limited(*args: _Given.args, **options: _Given.kwargs) -> _Found:
        with few_threads():
            return analysis(*args, **options)

    return limited
