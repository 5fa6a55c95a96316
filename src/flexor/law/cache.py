"""Compiled functions on disk, one file per fingerprint, in the user's cache folder.

A file begins with a check-sum of the rest. It is written under a name of its own and then takes its place at once, so that
processes that share the folder see the file before or the file after, never a part. A missing, damaged or foreign one is a miss: the function is compiled again. That
takes a minute or two for all of the engine, so what is wrong with the cache is told, once in a process. Set FLEXOR_CACHE to
choose another folder, or to the empty string to switch the cache off.
"""

from __future__ import annotations

import os
import sys
import uuid
import zlib
from pathlib import Path


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


_MARK = b"flexor compiled 2 "
_told: set[str] = set()


class DiskCache:
    """A file of the cache: the name of a C function and the object file that holds it."""

    def __init__(self, name: str, key: str):
        folder = cache_folder()
        self.path = None if folder is None else folder / f"{name}-{key[:32]}.machine"

    def load(self) -> tuple[str, bytes] | None:
        """Name and object file; None if there is none, or a damaged one: it has to be compiled now."""
        if self.path is None:
            return None
        try:
            data = self.path.read_bytes()
        except OSError:
            return None
        head, _, payload = data.partition(b"\n")
        if head != _MARK + f"{zlib.crc32(payload):08x}".encode():
            self.tell("is damaged and is made anew")
            return None
        name, _, code = payload.partition(b"\n")
        return name.decode(), code

    def save(self, name: str, code: bytes) -> None:
        """Keep an object file, so that the next process finds it."""
        if self.path is None:
            return
        temporary = self.path.with_suffix(f".{uuid.uuid4().hex[:12]}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                payload = name.encode() + b"\n" + code
                temporary.write_bytes(_MARK + f"{zlib.crc32(payload):08x}\n".encode() + payload)
                temporary.replace(self.path)
            finally:
                temporary.unlink(missing_ok=True)
        except OSError as error:
            self.tell(f"cannot be written ({error.strerror}), every start compiles anew")

    def tell(self, what: str) -> None:
        """One line for each kind of trouble."""
        if what not in _told and self.path is not None:
            _told.add(what)
            print(f"flexor: the cache of compiled code {what}: {self.path.parent}", file=sys.stderr, flush=True)
