"""Whether a file holds what was written to it, seen by reading it back.

Between two looks at a results file another program may cut it short and HDF5 write on behind the cut: the file is long
enough again, with zeros inside. Therefore check-sums of the rows are kept as they are written, and before the file is
sealed all rows are read from the disk and compared (about a second for a gigabyte).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import BinaryIO

import h5py
import numpy as np

from flexor.io.steady_hdf5 import steady
from flexor.results import run_file

_PIECE = run_file.CHUNK[0]  # rows of a check-sum: those of HDF5's chunks, so that each is read once
_BLOCK = 1 << 22  # bytes read at a time


class FileDamage(Exception):
    """A file is not what was written; so many of its first rows are."""

    def __init__(self, rows: int) -> None:
        super().__init__(rows)
        self.rows = rows


class Written:
    """Check-sums of the rows written to the tables of a file."""

    def __init__(self) -> None:
        self._rows = {"signals": 0, "history": 0}
        self._sums: dict[str, list[int]] = {table: [] for table in self._rows}
        """CRC-32 of each piece of a table, the last one perhaps of fewer rows."""

    def add(self, table: str, end: int, rows: np.ndarray) -> None:
        """Rows that are now the last ones of a table of `end` rows; those known already do not count again."""
        known, sums = self._rows[table], self._sums[table]
        rows = rows[known - (end - len(rows)) :]
        while len(rows):
            within = known % _PIECE
            piece, rows = rows[: _PIECE - within], rows[_PIECE - within :]
            sums[known // _PIECE :] = [zlib.crc32(piece.data, sums[-1] if within else 0)]
            known += len(piece)
        self._rows[table] = known

    def compare(self, file: BinaryIO) -> None:
        """Read a file back from the disk; FileDamage where it is not what was written."""
        right = 0
        try:
            with steady(file.fileno()) as stored:
                for rows in self._intact(stored, "signals"):
                    right = rows
                for _ in self._intact(stored, "history"):
                    pass
                run_file.introduction(stored)
                run_file.read_checkpoint(stored)
        except Exception:  # HDF5 and NumPy have many ways to say that a file is damaged
            raise FileDamage(right) from None

    def _intact(self, stored: h5py.File, table: str) -> Iterator[int]:
        """Numbers of rows that are as written, growing; ValueError where one is not."""
        data = stored[table]
        count, size = self._rows[table], max(_BLOCK // (8 * data.shape[1] * _PIECE), 1) * _PIECE
        for first in range(0, count, size):
            block = data[first : min(first + size, count)]
            for start in range(0, len(block), _PIECE):
                if zlib.crc32(block[start : start + _PIECE].data) != self._sums[table][(first + start) // _PIECE]:
                    raise ValueError("rows are not what was written")
                yield first + min(start + _PIECE, len(block))
