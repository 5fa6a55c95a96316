"""Matrix Market files (.mtx, .mm): coordinate or array, general or symmetric."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy import sparse

from flexor.io.file_text import Lines, must_end, read_lines, wrong
from flexor.io.matrices.matrix_model import Entries, full_matrix
from flexor.io.number_table import integer, word_table

HEADER = b"%%MatrixMarket"
_LARGEST = 10**9
_CUT = "the file may be cut off: export it again"


def read_matrix_market(path: Path, name: str) -> sparse.csc_matrix:
    """A square, real matrix with both triangles."""
    lines = read_lines(path)
    must_end(lines)
    header = lines.text[0].lower().split()
    if len(header) < 5 or header[0] != "%%matrixmarket" or header[2] not in ("coordinate", "array"):
        raise wrong(path, 1, "the first line is garbled", fix="e.g. %%MatrixMarket matrix coordinate real symmetric")
    if header[3] not in ("real", "integer", "double") or header[4] not in ("general", "symmetric"):
        what, why = f"the matrix is {header[3]} and {header[4]}", "stiffness, mass and damping are real"
        raise wrong(path, 1, what, why, "export it as real and general or symmetric")
    body = lines.kept([i for i, text in enumerate(lines.text) if text.strip() and not text.startswith("%")])
    sizes = _sizes(body, 3 if header[2] == "coordinate" else 2)
    body = body.kept(range(1, len(body)))
    symmetric = header[4] == "symmetric"
    read = _coordinate if header[2] == "coordinate" else _array
    return full_matrix(read(body, sizes, symmetric), path, name)


def _sizes(body: Lines, count: int) -> list[int]:
    words = body.text[0].split() if len(body) else []
    line = body.numbers[0] if len(body) else None
    try:
        sizes = [integer(word) for word in words]
    except ValueError as error:
        raise wrong(body.path, line, f"the line of sizes is garbled: {error}", fix="rows, columns, entries") from None
    if len(sizes) != count or sizes[0] != sizes[1] or not 0 < sizes[0] < _LARGEST:
        what = f"the sizes are {' '.join(words)[:40]}"
        raise wrong(body.path, line, what, "the matrix must be square", "rows, columns and, for coordinates, entries")
    return sizes


def _coordinate(body: Lines, sizes: list[int], symmetric: bool) -> Entries:
    if len(body) != sizes[2]:
        raise wrong(body.path, None, f"the file holds {len(body)} of {sizes[2]} entries", fix=_CUT)
    table = word_table(body, 3)
    places = table[:, :2]
    if (places != np.floor(places)).any() or (places < 1).any() or (places > sizes[0]).any():
        at = int(np.argmax(((places != np.floor(places)) | (places < 1) | (places > sizes[0])).any(axis=1)))
        raise wrong(body.path, body.numbers[at], "row or column lies outside of the matrix", fix="export it again")
    rows, columns = places.astype(np.int64).T - 1
    if symmetric and ((rows > columns).any() and (rows < columns).any()):
        raise wrong(body.path, None, "a symmetric matrix must list one triangle only", fix="export it again")
    return Entries(rows, columns, table[:, 2], sizes[0])


def _array(body: Lines, sizes: list[int], symmetric: bool) -> Entries:
    """Column by column; of symmetric matrices from the diagonal down."""
    n = sizes[0]
    expected = n * (n + 1) // 2 if symmetric else n * n
    if len(body) != expected:
        raise wrong(body.path, None, f"the file holds {len(body)} of {expected} values", fix=_CUT)
    values = word_table(body, 1)[:, 0]
    if symmetric:
        columns, rows = np.triu_indices(n)
    else:
        columns, rows = (each.ravel() for each in np.indices((n, n)))
    keep = values != 0
    return Entries(rows[keep], columns[keep], values[keep], n)
