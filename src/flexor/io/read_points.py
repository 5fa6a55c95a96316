"""read_points: numbers and positions of nodes from a mesh file or a plain table."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from flexor.io.file_text import read_lines, wrong
from flexor.io.file_units import FileUnits
from flexor.io.number_table import real
from flexor.io.read_mesh import format_of


def read_points(path: str | Path, units: FileUnits | None = None) -> tuple[np.ndarray, np.ndarray]:
    """(k,) numbers and (k, 3) positions [m] from .inp, .bdf, .msh, or lines "number x y z" (spaces or commas)."""
    path, units = Path(path), units or FileUnits()
    readers = {"abaqus": _abaqus, "nastran": _nastran, "gmsh": _gmsh}
    kind = format_of(path, None)
    ids, points = readers[kind](path) if kind else _table(path)
    if len(np.unique(ids)) < len(ids):
        raise wrong(path, None, "a node is given twice", fix="remove one of them")
    return ids, points * units.length


def _abaqus(path: Path) -> tuple[np.ndarray, np.ndarray]:
    from flexor.io.abaqus.deck import Deck
    from flexor.io.abaqus.keywords import read_keywords
    from flexor.io.abaqus.nodes_elements import node
    from flexor.io.draft import Draft

    deck = Deck(Draft(path, FileUnits()))
    for keyword in read_keywords(path)[0]:
        if keyword.name == "NODE":
            node(deck, keyword)
    deck.draft.settle()
    return deck.draft.node_ids, deck.draft.points


def _nastran(path: Path) -> tuple[np.ndarray, np.ndarray]:
    from flexor.io.nastran.bulk import read_bulk
    from flexor.io.nastran.coordinates import read_grids

    grids, _ = read_grids(read_bulk(path))
    return grids.ids, grids.points


def _gmsh(path: Path) -> tuple[np.ndarray, np.ndarray]:
    from flexor.io.gmsh.reader import read_gmsh

    mesh = read_gmsh(path, FileUnits())
    return mesh.node_ids, mesh.points


def _table(path: Path) -> tuple[np.ndarray, np.ndarray]:
    lines = read_lines(path)
    rows: list[list[float]] = []
    for number, text in zip(lines.numbers, lines.text):
        words = text.replace(",", " ").replace(";", " ").split()
        if not words or words[0][0] == "#":
            continue
        try:
            values = [real(word) for word in words]
            if len(values) != 4 or values[0] != int(values[0]):
                raise ValueError("a line is: number x y z")
        except ValueError as error:
            if not rows and not words[0].replace(".", "").isdigit():
                continue  # a line of headings
            raise wrong(path, number, str(error), fix="correct the line") from None
        rows.append(values)
    table = np.array(rows).reshape(-1, 4)
    return table[:, 0].astype(np.int64), table[:, 1:]
