"""Reduced bodies are kept in the user's cache folder under a hash of everything they depend on.

The hash covers mesh, interfaces, method, options and Flexor's own finite-element code. A damaged or foreign file is a miss:
the body is reduced again, and a warning says so. The folder is FLEXOR_CACHE, or the user's own; empty switches it off. The
oldest bodies are removed when the folder exceeds 4 GB.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import uuid
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path

import numpy as np

from flexor.errors import FlexorError
from flexor.reduce.reduced import ReducedBody
from flexor.reduce.store import STORE, load, save
from flexor.warning import warn

MOST_BYTES = 4 << 30


def folder() -> Path | None:
    """Folder of reduced bodies, or None when the cache is switched off."""
    from flexor.law.cache import cache_folder  # loads the compiler

    compiled = cache_folder()
    if compiled is None:
        return None
    return (compiled if "FLEXOR_CACHE" in os.environ else compiled.parent) / "reduced"


def content_hash(*things: object) -> str:
    """Hexadecimal digest of arrays, texts, numbers, declarations and anything made of them."""
    digest = hashlib.sha256(f"{STORE.version} {_code()}".encode())
    _feed(digest, things)
    return digest.hexdigest()


def kept(key: str) -> ReducedBody | None:
    """The body of a hash, or None."""
    place = folder()
    if place is None:
        return None
    path = place / f"{key[:40]}.h5"
    if not path.exists():
        return None
    try:
        body = load(path)
    except FlexorError as error:
        warn(f"a body in the cache of reductions cannot be used and is reduced anew: {error}")
        return None
    with contextlib.suppress(OSError):
        os.utime(path)  # used lately
    return body


def keep(key: str, body: ReducedBody) -> None:
    """Put a body into the cache; an unwritable folder is passed over."""
    place = folder()
    if place is None:
        return
    temporary = place / f"{key[:40]}.{uuid.uuid4().hex[:12]}"
    with contextlib.suppress(OSError, FlexorError):
        place.mkdir(parents=True, exist_ok=True)
        try:
            save(body, temporary)
            temporary.replace(place / f"{key[:40]}.h5")
        finally:
            temporary.unlink(missing_ok=True)
        _tidy(place)


def _tidy(place: Path) -> None:
    files = sorted(((f.stat().st_mtime, f.stat().st_size, f) for f in place.glob("*.h5")), reverse=True)
    total = 0
    for _, size, file in files:
        total += size
        if total > MOST_BYTES:
            file.unlink(missing_ok=True)


@cache
def _code() -> str:
    """Digest of the program text that a reduced body depends on."""
    digest = hashlib.sha256()
    root = Path(__file__).resolve().parents[1]
    for name in ("elements", "materials", "mesh", "reduce"):
        for file in sorted((root / name).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _feed(digest: hashlib._Hash, thing: object) -> None:
    """Every value with its kind, so that different things never look alike."""
    if isinstance(thing, np.ndarray):
        digest.update(f"array {thing.dtype.str} {thing.shape} ".encode())
        digest.update(np.ascontiguousarray(thing).tobytes() if thing.dtype != object else repr(thing.tolist()).encode())
    elif isinstance(thing, Mapping):
        digest.update(f"map {len(thing)} ".encode())
        for key, value in thing.items():
            _feed(digest, (str(key), value))
    elif isinstance(thing, list | tuple):
        digest.update(f"list {len(thing)} ".encode())
        for value in thing:
            _feed(digest, value)
    elif hasattr(thing, "model_dump_json"):
        digest.update(f"{type(thing).__name__} {thing.model_dump_json()} ".encode())
    elif is_dataclass(thing) and not isinstance(thing, type):
        digest.update(f"{type(thing).__name__} ".encode())
        for f in fields(thing):
            _feed(digest, (f.name, getattr(thing, f.name)))
    else:
        digest.update(f"{type(thing).__name__} {thing!r} ".encode())
