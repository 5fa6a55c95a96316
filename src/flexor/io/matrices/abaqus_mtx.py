"""Abaqus .mtx: assembled matrices (*MATRIX OUTPUT: labels, matrix input, coordinate) and substructures."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse

from flexor.io.file_text import Lines, must_end, read_lines, wrong
from flexor.io.matrices.matrix_model import SCALAR, Entries, full_matrix
from flexor.io.number_table import integer, real, word_table

_HELD = 1e35
"""Diagonal terms from here on mark degrees of freedom with boundary conditions (Abaqus writes 1e36)."""
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?")
_ROLE = {"STIFFNESS": "K", "MASS": "M", "VISCOUS DAMPING": "C", "DAMPING": "C"}


@dataclass(frozen=True)
class Labelled:
    """Entries with row and column named by node and component (from 1)."""

    rows: np.ndarray
    columns: np.ndarray
    values: np.ndarray


def is_substructure(lines: Lines) -> bool:
    return any(text.lstrip()[:13].upper() == "*USER ELEMENT" for text in lines.text[:200])


def read_table(path: Path) -> Labelled | Entries:
    """Rows "node, component, node, component, value", or "row column value" counted from 1."""
    lines = read_lines(path)
    must_end(lines)
    keep = [i for i, text in enumerate(lines.text) if text.strip() and text.lstrip()[0] not in "*%"]
    lines = lines.kept(keep)
    if not len(lines):
        raise wrong(path, None, "the file holds no matrix", fix="export it again")
    width = len(lines.text[0].replace(",", " ").split())
    if width not in (3, 5):
        why = "a line is: node, component, node, component, value; or: row column value"
        raise wrong(path, lines.numbers[0], f"a line of {width} values", why, "export the matrix again")
    table = word_table(lines, width)
    labels = table[:, :-1]
    if (labels != np.floor(labels)).any() or not (np.abs(labels) < 2**53).all():
        at = int(np.argmax((labels != np.floor(labels)).any(axis=1)))
        raise wrong(path, lines.numbers[at], "a node, component or row is not a whole number", fix="export it again")
    labels = labels.astype(np.int64)
    if width == 5:
        return Labelled(labels[:, :2], labels[:, 2:4], table[:, 4])
    if (labels < 1).any():
        raise wrong(path, lines.numbers[int(np.argmax((labels < 1).any(axis=1)))], "rows are counted from 1")
    return Entries(labels[:, 0] - 1, labels[:, 1] - 1, table[:, 2], int(labels.max()))


def join_labelled(
    parts: dict[str, tuple[Labelled, Path]],
) -> tuple[dict[str, sparse.csc_matrix], np.ndarray, list[str]]:
    """Matrices over the degrees of freedom that any of them names, node by node; held ones are taken out."""
    ends = [pairs for part, _ in parts.values() for pairs in (part.rows, part.columns)]
    dofs, index = np.unique(np.concatenate(ends), axis=0, return_inverse=True)
    index = index.ravel()
    found, start = {}, 0
    for name, (part, path) in parts.items():
        m = len(part.values)
        rows, columns = index[start : start + m], index[start + m : start + 2 * m]
        start += 2 * m
        found[name] = full_matrix(Entries(rows, columns, part.values, len(dofs)), path, name)
    free = ~(found["K"].diagonal() >= _HELD) if "K" in found else np.ones(len(dofs), dtype=bool)
    notes = []
    if not free.all():
        notes.append(f"{int((~free).sum())} degrees of freedom with boundary conditions are taken out")
        chosen = np.flatnonzero(free)
        found = {name: A[chosen][:, chosen].tocsc() for name, A in found.items()}
    dofs = dofs[free]
    component = np.where((dofs[:, 1] >= 1) & (dofs[:, 1] <= 6), dofs[:, 1] - 1, SCALAR)
    return found, np.stack([dofs[:, 0], component], axis=1), notes


def read_substructure(path: Path) -> tuple[dict[str, sparse.csc_matrix], np.ndarray]:
    """*USER ELEMENT with its nodes in a comment, components per node, and *MATRIX, TYPE=STIFFNESS, MASS, …"""
    lines = read_lines(path)
    must_end(lines)
    nodes: list[int] = []
    active: list[tuple[int, list[int]]] = []
    values: dict[str, list[str]] = {}
    state, role = "", ""
    for number, raw in zip(lines.numbers, lines.text):
        text = raw.strip()
        if text.startswith("**"):
            inside = text.lstrip("*").strip()
            if inside.upper().startswith("ELEMENT NODES"):
                state = "nodes"
            elif state == "nodes" and inside:
                nodes += _integers(inside, path, number)
        elif text.startswith("*"):
            upper = " ".join(text.upper().split())
            if upper.startswith("*USER ELEMENT"):
                state = "dofs"
            elif upper.startswith("*MATRIX"):
                state = "values"
                kind = upper.partition("TYPE=")[2].strip()
                role = _ROLE.get(kind, "")
                if role:
                    values[role] = []
            else:
                state = "other"
        elif state == "values" and role:
            values[role].append(text)
        elif state in ("nodes", "dofs") and text:
            row = _integers(text, path, number)
            first = 1 if not active else row.pop(0)
            active.append((first, row))
    if not nodes or not active or "K" not in values:
        why = "it needs *USER ELEMENT, the nodes in a comment, components and *MATRIX, TYPE=STIFFNESS"
        raise wrong(path, None, "the substructure is not complete", why, "export it again")
    dofs = _active(nodes, active, path)
    return {name: _triangle(rows, len(dofs), path, name) for name, rows in values.items()}, dofs


def _integers(text: str, path: Path, number: int) -> list[int]:
    try:
        return [integer(word.strip()) for word in text.split(",") if word.strip()]
    except ValueError as error:
        raise wrong(path, number, str(error), fix="export it again") from None


def _active(nodes: list[int], active: list[tuple[int, list[int]]], path: Path) -> np.ndarray:
    """(n, 2) node and component; the components of a line hold from its node on."""
    dofs = []
    for position, node in enumerate(nodes, start=1):
        own = [row for first, row in active if first <= position][-1:]
        for component in own[0] if own else ():
            dofs.append((node, component - 1 if 1 <= component <= 6 else SCALAR))
    if not dofs:
        raise wrong(path, None, "the substructure has no degrees of freedom", fix="export it again")
    return np.array(dofs, dtype=np.int64)


def _triangle(rows: list[str], n: int, path: Path, name: str) -> sparse.csc_matrix:
    """Lower triangle row by row, or (of unsymmetric elements) all of it."""
    words = _NUMBER.findall(" ".join(rows))
    if len(words) not in (n * n, n * (n + 1) // 2):
        what = f"{name} has {len(words)} values where {n * (n + 1) // 2} belong to {n} degrees of freedom"
        raise wrong(path, None, what, fix="the file may be cut off: export it again")
    try:
        values = np.array([real(word) for word in words])
    except ValueError as error:
        raise wrong(path, None, f"{name}: {error}", fix="export it again") from None
    if len(words) == n * n:
        return sparse.csc_matrix(values.reshape(n, n))
    A = np.zeros((n, n))
    A[np.tril_indices(n)] = values
    return sparse.csc_matrix(A + np.tril(A, -1).T)
