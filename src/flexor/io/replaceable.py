"""Whether a file may be replaced: only what Flexor itself has written, so that a slip of the pen costs no model or mesh.

All writers ask here. What a file is, its content tells, never its name; one that is write-protected is kept. Pictures
are known by the program that draws ours, or by their format where that leaves no sign; models may come from any hand.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from flexor.errors import FileError, Problem
from flexor.files import as_path
from flexor.io.seal import seal_of
from flexor.io.steady_hdf5 import steady

LOOKED_AT = 1 << 16
"""Bytes at the beginning and at the end of a file in which its sign is sought."""
_WITH_ITEMS = rb"""(^|[{,])\s*["']?items["']?\s*:"""
SIGNS = {
    "table of signals": rb"\Atime \[s\]",
    "table of pressures": rb"\A[^\n]*,x \[m\],y \[m\],z \[m\],pressure \[Pa\]",
    "VTU file": rb'\A<\?xml[^>]*>\s*<!-- written by Flexor -->\s*<VTKFile type="UnstructuredGrid"',
    "PVD collection": rb'\A<\?xml[^>]*>\s*<!-- written by Flexor -->\s*<VTKFile type="Collection"',
    "Abaqus input file": rb"\A\*\* written by Flexor",
    "archive of matrices": rb"\APK.*dofs\.npy",
    "table of a response": rb"\Afrequency \[Hz\],",
    "archive of a response": rb"\APK.*output_units\.npy",
    "picture": rb"\A(\x89PNG|%PDF|%!PS|<\?xml|%% Creator).*Matplotlib|\A(\xff\xd8\xff|II\*|MM\x00\*|RIFF....WEBP)",
    "meta-model": rb"""\A(?!FLEXWAVE).*(<SubModels>|(^|[{,])\s*["']?sub_models["']?\s*:)""",
    "wave log": rb"\AFLEXWAVE",
    "model file": _WITH_ITEMS,
    "component file": _WITH_ITEMS,
}
"""By what the files of each kind are known; those in HDF5 by their attribute `format`."""


def check_replaceable(path: Path, kind: str, where: str) -> None:
    """FileError for a file that is neither empty nor Flexor's own of a kind; a damaged one of its own may go.

    kind: one of SIGNS, or the attribute `format` of an HDF5 file.   where: how the message calls the file.
    """
    if not path.is_file():
        return
    if not _ours(path, kind):
        what, why = "exists and would be lost", f"it is no {kind} written by Flexor"
        raise FileError(Problem(where, what, why, "choose another name, or delete that file yourself"))
    if not path.stat().st_mode & 0o222:  # which does not keep root from writing
        what, why = "exists and is kept", "it is write-protected"
        raise FileError(Problem(where, what, why, "choose another name, or take the protection away"))


def write_file(path: str | Path, content: bytes | str, kind: str) -> Path:
    """Write a file, in the place of one of its own kind if there is such; FileError where that cannot be."""
    path = as_path(path, kind)
    try:
        check_replaceable(path, kind, f"{kind} {path}")
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except (OSError, ValueError) as error:  # ValueError: a name that no file can have
        raise unwritable(path, kind, error) from None
    return path


def unwritable(path: Path, kind: str, error: Exception) -> FileError:
    """The failure to write a file, with its cause."""
    why, fix = str(getattr(error, "strerror", None) or error), "check name, folder and disk space"
    if isinstance(error, FileNotFoundError):
        why, fix = "its folder does not exist", "create it first"
        try:
            Path.cwd()
        except FileNotFoundError:
            why, fix = "the working directory was deleted", "change to another one"
    return FileError(Problem(f"{kind} {path}", "cannot be written", why, fix))


def _ours(path: Path, kind: str) -> bool:
    size = path.stat().st_size
    if size == 0:
        return True
    if kind in SIGNS:
        with suppress(OSError), path.open("rb") as file:  # one that cannot be read may be anything
            looked_at = file.read(LOOKED_AT)
            file.seek(max(size - LOOKED_AT, len(looked_at)))
            looked_at += file.read(LOOKED_AT)
            return re.search(SIGNS[kind], looked_at, re.DOTALL | re.MULTILINE) is not None
        return False
    with suppress(Exception), steady(path) as stored:
        found = stored.attrs.get("format", "")
        return (found.decode() if isinstance(found, bytes) else str(found)) == kind
    return seal_of(path) is not None
