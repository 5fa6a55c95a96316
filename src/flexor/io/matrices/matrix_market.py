"""Matrix Market files (.mtx, .mm): coordinate or array, general or symmetric."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy import io as scipy_io
from scipy import sparse

from flexor.io.file_text import read_bytes, wrong
from flexor.io.matrices.matrix_model import Entries, full_matrix

HEADER = b"%%MatrixMarket"


def read_matrix_market(path: Path, name: str) -> sparse.csc_matrix:
    data = read_bytes(path)
    header = data[:200].split(b"\n", 1)[0].lower().split()
    if not data.startswith(HEADER) or len(header) < 5:
        raise wrong(path, 1, "this is no Matrix Market file", "it begins with %%MatrixMarket", "export it again")
    if header[3] == b"complex":
        raise wrong(path, 1, "the matrix is complex", "stiffness, mass and damping are real", "export the real part")
    if data[-1:] != b"\n":
        raise wrong(path, None, "the last line has no end", fix="the file may be cut off: export it again")
    _plausible(path, data, header)
    try:
        A = scipy_io.mmread(str(path))
    except (ValueError, OverflowError, MemoryError, TypeError, OSError, StopIteration) as error:
        raise wrong(
            path, None, f"the matrix cannot be read: {error}", fix="the file may be cut off: export it again"
        ) from None
    A = sparse.coo_matrix(A)
    if A.shape[0] != A.shape[1]:
        raise wrong(path, None, f"the matrix is {A.shape[0]} × {A.shape[1]}", "it must be square")
    entries = Entries(A.row.astype(np.int64), A.col.astype(np.int64), A.data.astype(float), A.shape[0])
    return full_matrix(entries, path, name)


def _plausible(path: Path, data: bytes, header: list[bytes]) -> None:
    """The sizes must fit the length of the file, so that nothing absurd is allocated."""
    start = 0
    line = 0
    for row in data.split(b"\n", 10_000)[:10_000]:
        line += 1
        if row.strip() and not row.startswith(b"%"):
            break
        start += len(row) + 1
    words = data[start : start + 200].split(b"\n", 1)[0].split()
    if not all(word.isdigit() and len(word) < 16 for word in words) or len(words) < 2:
        raise wrong(path, line, "the line of sizes is garbled", fix="rows, columns, entries")
    sizes = [int(word) for word in words]
    values = sizes[2] if header[2] == b"coordinate" and len(sizes) > 2 else sizes[0] * sizes[1] // 2
    if 2 * values > len(data) - start or max(sizes[:2]) > 10**9:
        what = f"the file holds fewer than the {values} values it says"
        raise wrong(path, line, what, fix="the file may be cut off: export it again")
