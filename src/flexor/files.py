"""Files as they come: only such as have an end are read, and what is wrong with one is told."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from flexor.errors import FileError, Problem

LARGEST = 4 << 30
"""Files are read whole, so there is a limit to their size [byte]."""
_KINDS = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"))


def as_path(given: object, what: str) -> Path:
    """The path that a text or a path names; FileError for what can be none.   what: what the file is, e.g. "mesh"."""
    if (
        isinstance(given, str | os.PathLike)
        and "\0" not in (text := os.fspath(given))
        and isinstance(text, str)
        and text
    ):
        return Path(given)
    shown = repr(given) if isinstance(given, str | bytes | int | float | None) else f"a {type(given).__name__}"
    raise FileError(
        Problem(what, f"{shown[:60]} is no name of a file", "", 'write it as text, e.g. "folder/name.ending"')
    )


def kind_of(mode: int) -> str:
    """What something that is no regular file is: a folder, a pipe, a device; empty if it is a file."""
    if stat.S_ISREG(mode):
        return ""
    return next((name for fits, name in _KINDS if fits(mode)), "a device")


def read_bytes(path: Path, most: int | None = None) -> bytes:
    """The file's content, at most its first bytes if they are told; or a FileError that says why not."""
    try:
        found = path.stat()
        if kind := kind_of(found.st_mode):
            fix = "name the file in it" if kind == "a folder" else "write what it yields to a file and name that"
            raise FileError(Problem(str(path), f"this is {kind}, not a file", fix=fix))
        if found.st_size > LARGEST and most is None:
            what = f"the file has {found.st_size / 1e9:.3g} GB"
            raise FileError(Problem(str(path), what, f"at most {LARGEST / 1e9:.3g} GB are read", "split it"))
        with path.open("rb") as file:
            return file.read(LARGEST if most is None else most)
    except FileNotFoundError:
        raise FileError(Problem(str(path), "file does not exist", fix="check the name and the folder")) from None
    except (OSError, ValueError) as error:
        raise FileError(Problem(str(path), f"file cannot be read: {error}")) from None
