"""Compiled functions on disk, one file per fingerprint, in the user's cache folder.

An unwritable folder, a truncated or foreign file is treated as a miss: the function is compiled again. Set
FLEXOR_CACHE to choose another folder, or to the empty string to switch the cache off.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import sys
import uuid
from pathlib import Path

from numba.core.compiler import CompileResult


def cache_folder() -> Path | None:
    """Folder of compiled functions, or None when the cache is switched off."""
    chosen = os.environ.get("FLEXOR_CACHE")
    if chosen is not None:
        return Path(chosen) if chosen else None
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "flexor" / "compiled"


class DiskCache:
    """The two methods that Numba's C callback asks of its cache (`CFunc._cache`)."""

    def __init__(self, name: str, key: str):
        folder = cache_folder()
        self.path = None if folder is None else folder / f"{name}-{key[:32]}.nbc"

    def load_overload(self, sig, target_context):
        if self.path is None:
            return None
        try:
            payload = pickle.loads(self.path.read_bytes())
            target_context.refresh()
            return CompileResult._rebuild(target_context, *payload)
        except Exception:  # a missing, truncated, foreign or outdated file: compile again
            return None

    def save_overload(self, sig, compiled) -> None:
        if self.path is None:
            return
        temporary = self.path.with_suffix(f".{uuid.uuid4().hex[:12]}")
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                temporary.write_bytes(pickle.dumps(compiled._reduce(), protocol=-1))
                temporary.replace(self.path)
            finally:
                temporary.unlink(missing_ok=True)
