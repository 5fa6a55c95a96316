"""Marks of files: their length and check-sum, by which a file that has changed is found."""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

_open_lists: ContextVar[tuple[dict[str, FileMark], ...]] = ContextVar("files read", default=())
_PIECE = 1 << 22


@dataclass(frozen=True)
class FileMark:
    """Length [bytes] and CRC-32 of a file's content."""

    length: int
    checksum: int

    @staticmethod
    def of(content: bytes) -> FileMark:
        return FileMark(len(content), zlib.crc32(content))

    @staticmethod
    def of_file(path: Path) -> FileMark:
        """Of the file as it is now; OSError if it cannot be read."""
        length = checksum = 0
        with path.open("rb") as file:
            while piece := file.read(_PIECE):
                length, checksum = length + len(piece), zlib.crc32(piece, checksum)
        return FileMark(length, checksum)

    def __str__(self) -> str:
        return f"{self.length} bytes, check-sum {self.checksum:08x}"


@contextmanager
def files_read() -> Iterator[dict[str, FileMark]]:
    """The marks of all files whose whole content is read inside, by absolute path: of what was used, whatever comes after."""
    found: dict[str, FileMark] = {}
    token = _open_lists.set((*_open_lists.get(), found))
    try:
        yield found
    finally:
        _open_lists.reset(token)


def note_content(path: Path, content: bytes) -> None:
    """Enter a file into the lists of files read."""
    if lists := _open_lists.get():
        _enter(path, FileMark.of(content), lists)


def note_file(path: Path) -> None:
    """The same for a file that a library opens by itself."""
    if lists := _open_lists.get():
        _enter(path, FileMark.of_file(path), lists)


def _enter(path: Path, mark: FileMark, lists: tuple[dict[str, FileMark], ...]) -> None:
    for each in lists:
        each[os.path.abspath(path)] = mark


def difference(path: Path, then: FileMark) -> str:
    """What differs in a file since it was marked: `it had 812 bytes, now 815; changed 2026-03-01 12:00:05`; empty if nothing."""
    now = FileMark.of_file(path)
    if now == then:
        return ""
    changed = datetime.fromtimestamp(path.stat().st_mtime).isoformat(" ", "seconds")
    if now.length != then.length:
        return f"it had {then.length} bytes and has {now.length}, changed {changed}"
    return (
        f"its {now.length} bytes had the check-sum {then.checksum:08x} and have {now.checksum:08x}, changed {changed}"
    )
