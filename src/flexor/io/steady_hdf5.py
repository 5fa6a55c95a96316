"""HDF5 files that were not finished, or whose history is unknown, opened so that reading them always ends.

A file that is being written, or was left by a killed process, is marked so in its superblock, and HDF5 opens it in its
single-writer-multiple-reader mode alone. There a wrong check-sum counts as a write in progress, and HDF5 tries again a
hundred times, each after twice the pause of the one before: it never comes back from a damaged file. Here the file is
shown to HDF5 without that mark, and with its present length. What the writer left is consistent at any moment, since it
writes in the order that the mode prescribes; a block caught half-written fails at once, and the reader opens the file anew.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import h5py

from flexor.io.seal import SIGNATURE, SIZE

if TYPE_CHECKING:
    from typing_extensions import Buffer

_SUPERBLOCK = 48
_FLAGS, _BASE, _END, _CHECKSUM = 11, 12, 28, 44
_WORD = 0xFFFFFFFF


class SteadyFile(io.RawIOBase):
    """The bytes of a file with those of its superblock that say "open for writing" replaced; short reads are errors."""

    def __init__(self, source: Path | int) -> None:
        self._file = io.FileIO(os.dup(source) if isinstance(source, int) else source)
        self._length = os.fstat(self._file.fileno()).st_size
        self._at = 0
        self._offset, self._superblock = self._shown_superblock()

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._at = offset + (0, self._at, self._length)[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Buffer) -> int:
        view = memoryview(buffer).cast("B")
        data = self._read(self._at, len(view))
        if len(data) < len(view):
            raise OSError("the file ends too early")
        view[:] = data
        low = max(self._at, self._offset)
        high = min(self._at + len(view), self._offset + len(self._superblock))
        if low < high:
            view[low - self._at : high - self._at] = self._superblock[low - self._offset : high - self._offset]
        self._at += len(view)
        return len(view)

    def close(self) -> None:
        self._file.close()
        super().close()

    def _read(self, at: int, count: int) -> bytes:
        pieces = []
        self._file.seek(at)
        while count > 0 and (piece := self._file.read(count)):
            pieces.append(piece)
            count -= len(piece)
        return b"".join(pieces)

    def _shown_superblock(self) -> tuple[int, bytes]:
        """Where the superblock is and what it is to say; of older kinds, what it says."""
        for offset in (0, SIZE):
            block = self._read(offset, _SUPERBLOCK)
            if not block.startswith(SIGNATURE) or len(block) < _SUPERBLOCK or block[8] not in (2, 3):
                continue
            if checksum(block[:_CHECKSUM]) != int.from_bytes(block[_CHECKSUM:], "little"):
                raise OSError("the superblock is damaged")
            if int.from_bytes(block[_BASE : _BASE + 8], "little") != offset:
                raise OSError("the superblock is not in its place")
            end = int.from_bytes(block[_END : _END + 8], "little")
            if end > self._length:
                raise OSError(f"the file has {self._length} of {end} bytes")
            shown = bytearray(block[:_CHECKSUM])
            shown[_FLAGS] = 0
            shown[_END : _END + 8] = self._length.to_bytes(8, "little")
            return offset, bytes(shown) + checksum(bytes(shown)).to_bytes(4, "little")
        return 0, b""


@contextmanager
def steady(source: Path | int) -> Iterator[h5py.File]:
    """A file, by its path or descriptor, opened for reading as it stands now; OSError where it is damaged."""
    with SteadyFile(source) as shown, h5py.File(shown, "r") as file:
        yield file


def checksum(data: bytes) -> int:
    """Check-sum of HDF5's metadata: Jenkins' lookup3 (hashlittle, from zero)."""
    a = b = c = (0xDEADBEEF + len(data)) & _WORD
    whole = max(len(data) - 1, 0) // 12 * 12
    words = [int.from_bytes(data[i : i + 4].ljust(4, b"\0"), "little") for i in range(0, max(whole + 12, 12), 4)]
    for i in range(0, whole // 4, 3):
        a, b, c = (a + words[i]) & _WORD, (b + words[i + 1]) & _WORD, (c + words[i + 2]) & _WORD
        for turn, (x, y, z) in zip((4, 6, 8, 16, 19, 4), ((0, 2, 1), (1, 0, 2), (2, 1, 0)) * 2):
            v = [a, b, c]
            v[x] = ((v[x] - v[y]) & _WORD) ^ _turned(v[y], turn)
            v[y] = (v[y] + v[z]) & _WORD
            a, b, c = v
    if not data:
        return c
    last = words[whole // 4 : whole // 4 + 3]
    a, b, c = (a + last[0]) & _WORD, (b + last[1]) & _WORD, (c + last[2]) & _WORD
    for turn, (x, y) in zip((14, 11, 25, 16, 4, 14, 24), ((2, 1), (0, 2), (1, 0), (2, 1), (0, 2), (1, 0), (2, 1))):
        v = [a, b, c]
        v[x] = ((v[x] ^ v[y]) - _turned(v[y], turn)) & _WORD
        a, b, c = v
    return c


def _turned(word: int, bits: int) -> int:
    return ((word << bits) | (word >> (32 - bits))) & _WORD
