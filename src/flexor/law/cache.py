"""Compiled functions on disk, one file per fingerprint, in the user's cache folder.

A file begins with a check-sum of the rest. It is written under a name of its own and then takes its place at once, so that
processes that share the folder see the file before or the file after, never a part. A missing, damaged or foreign one is a miss: the function is compiled again. That
takes a minute or two for all of the engine, so what is wrong with the cache is told, once in a process. Set FLEXOR_CACHE to
choose another folder, or to the empty string to switch the cache off.
"""

from __future__ import annotations

import os
import pickle
import sys
import uuid
import zlib
from pathlib import Path

from numba.core.base import BaseContext
from numba.core.compiler import CompileResult
from numba.core.environment import Environment


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


_MARK = b"flexor compiled 1 "
_told: set[str] = set()


class DiskCache:
    """The two methods that Numba's C callback asks of its cache (`CFunc._cache`)."""

    def __init__(self, name: str, key: str):
        folder = cache_folder()
        self.path = None if folder is None else folder / f"{name}-{key[:32]}.machine"
        self._loaded: CompileResult | None = None

    def load(self, target_context: BaseContext) -> bool:
        """Whether the function was compiled before and can be used; if not, it has to be compiled now."""
        payload = None if self.path is None else _read(self.path)
        if payload is not None:
            try:
                target_context.refresh()
                self._loaded = CompileResult._rebuild(target_context, *payload)
            except Exception:  # of another Numba, or of a machine that its key does not tell apart
                _tell(self.path, "holds code that cannot be used here")
        return self._loaded is not None

    def load_overload(self, sig, target_context):
        return self._loaded

    def save_overload(self, sig, compiled) -> None:
        if self.path is None:
            return
        temporary = self.path.with_suffix(f".{uuid.uuid4().hex[:12]}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                payload = pickle.dumps(_movable(compiled._reduce()), protocol=-1)
                temporary.write_bytes(_MARK + f"{zlib.crc32(payload):08x}\n".encode() + payload)
                temporary.replace(self.path)
            finally:
                temporary.unlink(missing_ok=True)
        except OSError as error:
            _tell(self.path, f"cannot be written ({error.strerror}), every start compiles anew")


def _movable(parts: tuple[object, ...]) -> tuple[object, ...]:
    """What is kept of a compiled function, without the module that it came from.

    Numba looks for that module when it loads the code, for Python objects that exceptions need; compiled code raises none, and
    a function that was made while a program ran has no module that can be found again.
    """
    return tuple(_movable(part) if isinstance(part, tuple) else _nowhere(part) for part in parts)


def _nowhere(part: object) -> object:
    if not isinstance(part, Environment):
        return part
    copy = Environment({"__name__": "builtins"})
    copy.consts[:] = part.consts
    copy.env_name = part.env_name
    return copy


def _read(path: Path) -> tuple[object, ...] | None:
    """The contents of a file; None if there is none, or a damaged one."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    head, _, payload = data.partition(b"\n")
    if head == _MARK + f"{zlib.crc32(payload):08x}".encode():
        try:
            return pickle.loads(payload)
        except (
            Exception
        ):  # whole, but made of classes that this version does not have: another one uses the folder, too
            _tell(path, "holds code of another version of Flexor, which is compiled anew")
            return None
    _tell(path, "is damaged and is made anew")
    return None


def _tell(path: Path | None, what: str) -> None:
    """One line for each kind of trouble."""
    if what not in _told and path is not None:
        _told.add(what)
        print(f"flexor: the cache of compiled code {what}: {path.parent}", file=sys.stderr, flush=True)
