"""Warnings point to the line of the user's program that led to them, however deep in the package they arise."""

from __future__ import annotations

import sys
import warnings
from types import FrameType

PASSED = {"flexor", "contextlib", "functools", "pydantic"}
"""Packages whose lines are passed over: ours, and what stands between two of our own."""


def warn(text: str, kind: type[Warning] = UserWarning) -> None:
    """Warn at the first line outside of the package."""
    frame: FrameType | None = sys._getframe(1)
    level = 2
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] in PASSED:
        frame, level = frame.f_back, level + 1
    warnings.warn(text, kind, stacklevel=level)
