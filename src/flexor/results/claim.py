"""One writer per results file: claimed before it is written, and watched as long as it is.

A claim is a lock of the operating system on the file itself (flock). It vanishes with the process that holds it, however
that ends, and leaves no file behind. Readers do not need it. Where a disk or a system knows no locks, nothing is refused.
"""

from __future__ import annotations

import errno
import os
import shutil
import time
from pathlib import Path
from typing import BinaryIO

from flexor.errors import FileError, Problem
from flexor.io.seal import DAMAGED, SIZE, WRITING, Seal, mark, new_token

try:
    import fcntl
except ImportError:  # Windows, where an open file cannot be replaced anyway
    fcntl = None  # type: ignore[assignment]

PATIENCE = 0.3
"""Seconds in which a lock that someone holds may vanish; a look at the file takes none of it."""

MOST_TRIES = 100
"""Attempts to put a file into place where others are quicker."""

GONE, SPOILED = "deleted, moved or replaced", "cut short or overwritten"
"""What other programs may do to the file: what was written is still there, or is not."""


class Claim:
    """The file of a run while it is written: open, locked, and recognised by its seal."""

    def __init__(self, path: Path, image: bytes) -> None:
        """Write the first bytes of a file, whose first 512 are for the seal, under another name, and lock it."""
        self.path = path
        self.seal = Seal(WRITING, token=new_token())
        self.place = path.with_name(f"{path.name}.{os.getpid()}-{self.seal.token[:6]}.part")
        """Where it is: under another name at first."""
        try:
            self.place.write_bytes(self.seal.block() + image[SIZE:])
            self.file: BinaryIO = self.place.open("r+b", buffering=0)
        except OSError:
            self.place.unlink(missing_ok=True)
            raise
        self._watched: tuple[int, bytes] = (0, b"")
        _lock(self.file)

    def take_place(self) -> None:
        """Put it into place, where no other run writes."""
        tries = 0
        while self.place != self.path:
            if (tries := tries + 1) > MOST_TRIES:
                why, fix = "it is there, but cannot be opened or linked to", "choose another name or folder"
                raise FileError(Problem(f"results file {self.path}", "cannot be written", why, fix))
            held = hold(self.path)
            try:
                if held is None and fcntl is not None and _linked(self.place, self.path):
                    self.place.unlink()
                elif held is None and fcntl is not None and os.access(self.path, os.R_OK):
                    time.sleep(0.001)
                    continue  # another run was quicker
                elif fcntl is None:  # Windows moves no open file
                    self.file.close()
                    os.replace(self.place, self.path)
                    self.file = self.path.open("r+b", buffering=0)
                else:
                    os.replace(self.place, self.path)
            finally:
                if held is not None:
                    held.close()
            self.place = self.path

    def lost(self, least: int) -> str:
        """What happened to the file of which at least so many bytes were written: "", GONE or SPOILED."""
        about = os.fstat(self.file.fileno())
        self.file.seek(0)
        if about.st_size < least or self.file.read(SIZE) != self.seal.block():
            return SPOILED
        if self._at(self._watched[0], len(self._watched[1])) != self._watched[1]:
            return SPOILED
        try:
            there = os.stat(self.place)
        except OSError:
            return GONE
        return "" if (there.st_dev, there.st_ino) == (about.st_dev, about.st_ino) else GONE

    def watch(self, offset: int, size: int) -> None:
        """Bytes that stay as they are now: where one cut the file before them, they are zeros or missing from then on."""
        self._watched = (offset, self._at(offset, size))

    def _at(self, offset: int, size: int) -> bytes:
        self.file.seek(offset)
        return self.file.read(size)

    def rescue(self) -> Path:
        """Copy what was written to its old place, or beside it if that is taken; the path of the copy."""
        for name in (self.path, self.path.with_name(f"{self.path.name}.rescued-{self.seal.token[:6]}.h5")):
            try:
                with name.open("xb") as copy:
                    self.file.seek(0)
                    shutil.copyfileobj(self.file, copy, 1 << 22)
                return name
            except FileExistsError:
                continue
        return self.path

    def condemn(self, least: int) -> None:
        """Mark the file as damaged; as long as it was, for whoever looks at what is left."""
        if os.fstat(self.file.fileno()).st_size < least:
            self.file.truncate(least)
        mark(self.file, Seal(DAMAGED, token=self.seal.token))

    def drop(self) -> None:
        """End the claim, and remove what did not come into place."""
        self.file.close()
        if self.place != self.path:
            self.place.unlink(missing_ok=True)


def _linked(part: Path, path: Path) -> bool:
    """Give a file a second name, which unlike a replacement fails where there is such a file."""
    try:
        os.link(part, path)
    except OSError:  # there is one now, or the disk has no hard links
        return False
    return True


def hold(path: Path) -> BinaryIO | None:
    """An existing file locked against other runs, until it is closed; None if there is none. FileError if one writes it."""
    if fcntl is None:
        return None
    while True:
        try:
            file = path.open("rb", buffering=0)
        except FileNotFoundError:
            return None
        except OSError:  # not readable, but perhaps replaceable
            return None
        if not _lock(file):
            file.close()
            why, fix = "another run writes it now", "give this one another file, or wait for the other to end"
            raise FileError(Problem(f"results file {path}", "is in use", why, fix))
        try:
            there, here = os.stat(path), os.fstat(file.fileno())
            if (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino):
                return file
        except FileNotFoundError:
            pass
        file.close()  # it was replaced meanwhile


def is_written(path: Path) -> bool:
    """Whether a run writes the file now."""
    if fcntl is None:
        return False
    try:
        with path.open("rb", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno in (errno.EWOULDBLOCK, errno.EACCES)
    return False


def _lock(file: BinaryIO) -> bool:
    """Whether the file is ours now; also true where there are no locks."""
    if fcntl is None:
        return True
    end = time.monotonic() + PATIENCE
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except OSError as error:
            if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                return True
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
