"""Threads of NumPy's own linear algebra: more than one slows matrices of our sizes down, two to tenfold."""

from __future__ import annotations

import contextlib
import functools
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")

SMALL, FEW = 20_000, 4
"""Equations below which one thread is fastest to factorise; threads that pay beyond."""
LARGE = 60_000
"""Equations below which one thread is fastest in products of a few columns: they wait for memory, and threads for each other."""

_blocks: list[tuple[object, int]] = []
"""The blocks that are running, in any thread of the process, each with its limit; that of the last one holds."""
_limiters: list[Any] = []
"""What was done, to be undone when the last block ends."""
_in_force = 0
"""The limit that holds, 0 for none."""
_allowed = 0
"""Threads that the user, or the machine, allows: what there was before the first limit."""
_lock = threading.Lock()


@contextlib.contextmanager
def few_threads(n: int = 0) -> Iterator[None]:
    """Limit the threads of linear algebra, while the block runs, to what pays with n equations.

    It is meant for whole analyses, which may run in several threads at once. Inside another block with the same limit it costs
    nothing.
    """
    block = (object(), 1 if n < LARGE else FEW)
    with _lock:
        _blocks.append(block)
        _enforce()
    try:
        yield
    finally:
        with _lock:
            _blocks.remove(block)
            _enforce()


def _enforce() -> None:
    """Let the limit of the last block hold, or none if there is no block."""
    global _in_force, _allowed
    limit = _blocks[-1][1] if _blocks else 0
    if limit == _in_force:
        return
    if limit:
        pools = _pools(len(sys.modules))
        if not _in_force:
            _allowed = max((pool["num_threads"] for pool in pools.info()), default=1)
        _limiters.append(pools.limit(limits=min(limit, _allowed)))
    else:
        while _limiters:
            _limiters.pop().restore_original_limits()
    _in_force = limit


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
