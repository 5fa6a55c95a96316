"""CalculiX .sti, .mas, .dof (*FREQUENCY, SOLVER=MATRIXSTORAGE): row, column, value; node.component of each row."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from scipy import sparse

from flexor.io.file_text import must_end, read_lines, wrong
from flexor.io.matrices.abaqus_mtx import Labelled, read_table
from flexor.io.matrices.matrix_model import Entries, full_matrix

_DOF = re.compile(r"\s*(\d{1,12})[.,\s]\s*([1-6])\s*$")


def read_dofs(path: Path) -> np.ndarray:
    """(n, 2) node and component from 0, of lines "node.component" or "node component" (1 to 6)."""
    lines = read_lines(path)
    must_end(lines)
    found = []
    for number, text in zip(lines.numbers, lines.text):
        if not text.strip() or text.lstrip()[0] == "#":
            continue
        match = _DOF.match(text)
        if not match:
            what = f"{text.strip()[:20]!r} is no degree of freedom"
            raise wrong(path, number, what, fix="a line is: node.component, e.g. 12.3")
        found.append((int(match[1]), int(match[2]) - 1))
    dofs = np.array(found, dtype=np.int64).reshape(-1, 2)
    if len(np.unique(dofs, axis=0)) < len(dofs):
        raise wrong(path, None, "a degree of freedom is listed twice", fix="export the file again")
    return dofs


def read_triangle(path: Path, n: int, name: str) -> sparse.csc_matrix:
    """The matrix of a .sti or .mas file; every diagonal term must be there, or the file is cut off."""
    entries = read_table(path)
    if isinstance(entries, Labelled):
        raise wrong(path, None, "a line is: row column value", fix="is this a CalculiX matrix?")
    present = np.zeros(n, dtype=bool)
    on_diagonal = entries.rows[entries.rows == entries.columns]
    present[on_diagonal[on_diagonal < n]] = True
    if not present.all():
        what = f"{name} lacks the diagonal term of row {int(np.argmin(present)) + 1}"
        raise wrong(path, None, what, fix="the file may be cut off: run CalculiX again")
    return full_matrix(Entries(entries.rows, entries.columns, entries.values, n), path, name)
