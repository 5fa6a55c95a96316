"""Python's search for cyclic garbage, which looks at all objects again and again while many are made that stay."""

from __future__ import annotations

import contextlib
import functools
import gc
from collections.abc import Callable, Iterator
from typing import ParamSpec, TypeVar

_Given = ParamSpec("_Given")
_Found = TypeVar("_Found")


@contextlib.contextmanager
def rare_collection() -> Iterator[None]:
    """It happens a hundred times less often: compilers and large models would spend a tenth to a fifth of their time on it.

    What was made meanwhile mostly stays: it counts as old afterwards, instead of being looked through as soon as this ends.
    """
    usual = gc.get_threshold()
    if usual[0] >= RARE:
        yield
        return
    gc.set_threshold(RARE, *usual[1:])
    try:
        yield
    finally:
        if not gc.get_freeze_count():  # what somebody has frozen stays so
            gc.freeze()
            gc.unfreeze()
        gc.set_threshold(*usual)


RARE = 70_000
"""Objects that are made before it looks at the new ones; 700 by default."""


def rarely_collected(function: Callable[_Given, _Found]) -> Callable[_Given, _Found]:
    """A function that makes many objects which stay."""

    @functools.wraps(function)
    def called(*args: _Given.args, **options: _Given.kwargs) -> _Found:
        with rare_collection():
            return function(*args, **options)

    return called
