"""Gmsh .msh of version 4.1: $Entities say which physical groups the blocks of $Elements belong to."""

from __future__ import annotations

import numpy as np

from flexor.io.file_text import wrong
from flexor.io.gmsh.mesh_data import Elements, MshData, n_nodes
from flexor.io.gmsh.numbers import Numbers, TextNumbers
from flexor.io.gmsh.sections import MshFile

Groups = dict[tuple[int, int], tuple[int, ...]]
"""(dimension, number) of an entity → its physical groups."""


def read_msh4(file: MshFile) -> MshData:
    found = MshData()
    groups: Groups = {}
    if "PartitionedEntities" in file.starts:
        line = file.line_of(file.starts["PartitionedEntities"])
        raise wrong(file.path, line, "the mesh is partitioned", "that is not read", "save it without partitions")
    if "Entities" in file.starts:
        file.read("Entities", lambda numbers: _entities(numbers, groups))
    file.read("Nodes", lambda numbers: _nodes(numbers, file, found))
    file.read("Elements", lambda numbers: _elements(numbers, file, found, groups))
    return found


def _entities(numbers: Numbers, groups: Groups) -> None:
    counts = numbers.sizes(4).tolist()
    for dimension, count in enumerate(counts):
        for _ in range(count):
            tag = int(numbers.integers(1)[0])
            numbers.reals(3 if dimension == 0 else 6)
            found = numbers.integers(int(numbers.sizes(1)[0]))
            groups[dimension, tag] = tuple(dict.fromkeys(np.abs(found).tolist()))
            if dimension:
                numbers.integers(int(numbers.sizes(1)[0]))  # bounding entities


def _nodes(numbers: Numbers, file: MshFile, found: MshData) -> None:
    blocks, total, *_ = numbers.sizes(4).tolist()
    read = 0
    for _ in range(blocks):
        dimension, _, parametric = numbers.integers(3).tolist()
        count = int(numbers.sizes(1)[0])
        found.ids.append(numbers.sizes(count))
        columns = 3 + (dimension if parametric else 0)
        found.points.append(numbers.reals(columns * count).reshape(count, columns)[:, :3])
        read += count
    _check(file, numbers, "Nodes", total, read)


def _elements(numbers: Numbers, file: MshFile, found: MshData, groups: Groups) -> None:
    blocks, total, *_ = numbers.sizes(4).tolist()
    read = 0
    line = numbers.line if isinstance(numbers, TextNumbers) else None
    for _ in range(blocks):
        dimension, tag, kind = numbers.integers(3).tolist()
        count = int(numbers.sizes(1)[0])
        table = numbers.records(count, 1 + n_nodes(kind, file.path, line))
        found.elements.append(Elements(kind, table[:, 0], table[:, 1:], groups.get((dimension, tag), ())))
        read += count
    _check(file, numbers, "Elements", total, read)


def _check(file: MshFile, numbers: Numbers, section: str, said: int, read: int) -> None:
    if said != read:
        line = numbers.line if isinstance(numbers, TextNumbers) else None
        what = f"${section} says {said} and holds {read}"
        raise wrong(file.path, line, what, fix="the file may be cut off: save it again")
