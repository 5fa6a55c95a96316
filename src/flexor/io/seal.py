"""A seal in front of an HDF5 file: what state it is in, how long it is, and the check-sum of everything behind.

It stands in the user block, the first 512 bytes, which HDF5 leaves alone, so that the file is ordinary HDF5 for every program.
What a copy lost, or a disk changed, is found before HDF5 sees the file: that library takes some damage for a write
in progress, which it waits for, and loops without end on other.

    Flexor seal 1
    state     finished
    bytes     527567
    check-sum 8a3f00c1
    token     0f…                  who writes it
    seal      77b31d0e             check-sum of the lines above
"""

from __future__ import annotations

import os
import uuid
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from flexor.errors import FileError, Problem

SIZE = 512
SIGNATURE = b"\x89HDF\r\n\x1a\n"
"""First bytes of HDF5 itself."""
WRITING, FINISHED, DAMAGED = "writing", "finished", "damaged"
_TITLE = b"Flexor seal 1\n"
_PIECE = 1 << 22


@dataclass(frozen=True)
class Seal:
    """State of a file; its length in bytes and the CRC-32 of what follows the seal, once it is finished."""

    state: str
    length: int = 0
    checksum: int = 0
    token: str = ""

    def block(self) -> bytes:
        """The 512 bytes in front of the file."""
        lines = (
            f"state     {self.state}\nbytes     {self.length}\ncheck-sum {self.checksum:08x}\ntoken     {self.token}\n"
        )
        text = _TITLE + lines.encode()
        return (text + f"seal      {zlib.crc32(text):08x}\n".encode()).ljust(SIZE, b"\0")


def new_token() -> str:
    """A word that tells one writer from another."""
    return uuid.uuid4().hex


def read_seal(block: bytes) -> Seal | None:
    """The seal in the first 512 bytes of a file; None if these are not what was written."""
    lines = (line.partition(" ") for line in block.decode("ascii", "replace").splitlines())
    words = {name: value.strip() for name, _, value in lines}
    try:
        found = Seal(words["state"], int(words["bytes"]), int(words["check-sum"], 16), words["token"])
    except (KeyError, ValueError):
        return None
    return found if found.block() == block else None


def seal_of(path: Path) -> Seal | None:
    """The seal of a file, nothing verified; None if there is none to see."""
    try:
        with path.open("rb") as file:
            return read_seal(file.read(SIZE))
    except OSError:
        return None


def checksum_of(file: BinaryIO) -> tuple[int, int]:
    """Length of an open file [bytes] and CRC-32 of what follows its seal."""
    found = 0
    length = file.seek(SIZE)
    while piece := file.read(_PIECE):
        found, length = zlib.crc32(piece, found), length + len(piece)
    return length, found


def finish(file: BinaryIO, token: str = "", verify: Callable[[], None] = lambda: None) -> None:
    """Mark a complete file, open for reading and writing, as finished.

    verify: called in between; raises where the file is not what was written. The check-sum is taken before, so that what
    happens to the file afterwards cannot be sealed either.
    """
    length, checksum = checksum_of(file)
    verify()
    mark(file, Seal(FINISHED, length, checksum, token))


def mark(file: BinaryIO, state: Seal) -> None:
    """Write the seal."""
    file.seek(0)
    file.write(state.block())
    file.flush()


def check(path: Path, what: str, fix: str) -> Seal | None:
    """The seal of a file after everything that it promises was verified; None for an HDF5 file without one.

    what: how messages call the file.   fix: what to do about a damaged one.
    A finished file is read once in a process as long as it does not change (about a second per gigabyte).
    """
    where = f"{what} {path}"
    try:
        with path.open("rb") as file:
            block = file.read(SIZE)
            if block.startswith(SIGNATURE):
                return None
            found = read_seal(block)
            if found is None:
                whose = block.startswith(_TITLE[:6]) or _TITLE in block
                told = "is damaged" if whose else "cannot be read as HDF5"
                why = "its first 512 bytes are not what was written" if whose else "it begins with something else"
                raise FileError(Problem(where, told, why, fix))
            if found.state == DAMAGED:
                why = "another program cut it short or overwrote it while it was written"
                raise FileError(Problem(where, "is damaged", why, fix))
            if found.state == FINISHED:
                _verify(path, file, found, where, fix)
            return found
    except OSError as error:
        raise FileError(Problem(where, "cannot be read", str(error.strerror or error), "check the path")) from None


_verified: dict[str, tuple[int, int, int]] = {}


def _verify(path: Path, file: BinaryIO, promised: Seal, where: str, fix: str) -> None:
    about = os.fstat(file.fileno())
    identity = (about.st_ino, about.st_mtime_ns, about.st_size)
    if _verified.get(str(path)) == identity:
        return
    if about.st_size != promised.length:
        kind = "is cut short" if about.st_size < promised.length else "is longer than it was"
        why = f"it has {about.st_size} of {promised.length} bytes"
        raise FileError(Problem(where, kind, why, fix))
    if checksum_of(file)[1] != promised.checksum:
        why = "it is not what was written: its check-sum is wrong"
        raise FileError(Problem(where, "is damaged", why, fix))
    _verified[str(path)] = identity
