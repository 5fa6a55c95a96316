"""Whether a file may be replaced: only what Flexor itself has written, so that a slip of the pen costs no model or mesh."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from flexor.errors import FileError, Problem
from flexor.io.seal import seal_of
from flexor.io.steady_hdf5 import steady


def check_replaceable(path: Path, kind: str, where: str) -> None:
    """FileError for a file that is neither empty nor Flexor's own of a kind; a damaged one of its own may go.

    kind: attribute `format` of the HDF5 file.   where: how the message calls the file.
    """
    if path.is_file() and not _ours(path, kind):
        what, why = "exists and would be lost", f"it is no {kind} written by Flexor"
        raise FileError(Problem(where, what, why, "choose another name, or delete that file yourself"))


def _ours(path: Path, kind: str) -> bool:
    with suppress(Exception), steady(path) as stored:
        found = stored.attrs.get("format", "")
        return (found.decode() if isinstance(found, bytes) else str(found)) == kind
    return path.stat().st_size == 0 or seal_of(path) is not None
