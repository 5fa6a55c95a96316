"""Gmsh .msh of version 2: $PhysicalNames, $Nodes, $Elements."""

from __future__ import annotations

import numpy as np

from flexor.io.file_text import wrong
from flexor.io.gmsh.mesh_data import Elements, MshData, n_nodes
from flexor.io.gmsh.numbers import ByteNumbers, Numbers, TextNumbers
from flexor.io.gmsh.sections import MshFile


def read_msh2(file: MshFile) -> MshData:
    found = MshData()
    file.read("Nodes", lambda numbers: _nodes(numbers, file, found))
    file.read("Elements", lambda numbers: _elements(numbers, file, found))
    return found


def _count(numbers: Numbers, file: MshFile, section: str) -> int:
    """The count on the first line, which is text in binary files too."""
    if isinstance(numbers, TextNumbers):
        return int(numbers.integers(1)[0])
    end = file.data.find(b"\n", numbers.at)
    word = file.data[numbers.at : end].strip() if end > 0 else b""
    if not word.isdigit() or len(word) > 15:
        raise wrong(file.path, None, f"${section} does not begin with its count", fix="save the file again")
    numbers.at = end + 1
    return int(word)


def _nodes(numbers: Numbers, file: MshFile, found: MshData) -> None:
    count = _count(numbers, file, "Nodes")
    if isinstance(numbers, ByteNumbers):
        bytes_each = 28
        if count * bytes_each > len(file.data):
            raise wrong(file.path, None, "$Nodes ends too early", fix="save the file again")
        kind = np.dtype([("id", file.order + "i4"), ("x", file.order + "f8", 3)])
        raw = numbers._take("u1", count * bytes_each).view(kind)
        found.ids.append(raw["id"].astype(np.int64))
        found.points.append(raw["x"].astype(float))
        return
    table = numbers.reals(4 * count).reshape(count, 4)
    ids = table[:, 0]
    if (ids != np.floor(ids)).any() or not (np.abs(ids) < 2**53).all():
        raise wrong(file.path, numbers.line, "$Nodes: a node number is not whole", fix="save the file again")
    found.ids.append(ids.astype(np.int64))
    found.points.append(table[:, 1:])


def _elements(numbers: Numbers, file: MshFile, found: MshData) -> None:
    count = _count(numbers, file, "Elements")
    done = 0
    while done < count:
        if isinstance(numbers, ByteNumbers):
            kind, follow, tags = numbers.integers(3).tolist()
            width = 1 + tags + n_nodes(kind, file.path, None)
            if not 0 < follow <= count - done or not 0 <= tags < 1000:
                raise wrong(file.path, None, "$Elements: a block does not fit the count", fix="save the file again")
            table = numbers.integers(follow * width).reshape(follow, width)
            _keep(found, kind, table[:, 0], table[:, 1 : 1 + tags], table[:, 1 + tags :])
        else:
            follow = _run(numbers, file, count - done, found)
        done += follow


def _run(numbers: TextNumbers, file: MshFile, most: int, found: MshData) -> int:
    """Elements from here on that have the same type and number of tags: number, type, tags, nodes on each line."""
    head = numbers.peek(3)
    if len(head) < 3 or not (np.abs(head) < 2**53).all() or not 0 <= head[2] < 1000:
        raise wrong(file.path, numbers.line, "$Elements ends too early or is garbled", fix="save the file again")
    kind, tags = int(head[1]), int(head[2])
    width = 3 + tags + n_nodes(kind, file.path, numbers.line)
    alike, chunk = 0, 64
    while alike < most:
        rows = min(chunk, most - alike, numbers.left // width - alike)
        if rows <= 0:
            break
        ahead = numbers.peek((alike + rows) * width).reshape(-1, width)[alike:]
        same = (ahead[:, 1] == kind) & (ahead[:, 2] == tags)
        first_other = rows if same.all() else int(np.argmin(same))
        alike += first_other
        if first_other < rows:
            break
        chunk *= 2
    if alike == 0:
        raise wrong(file.path, numbers.line, "$Elements ends too early", fix="the file may be cut off: save it again")
    table = numbers.records(alike, width)
    _keep(found, kind, table[:, 0], table[:, 3 : 3 + tags], table[:, 3 + tags :])
    return alike


def _keep(found: MshData, kind: int, ids: np.ndarray, tags: np.ndarray, nodes: np.ndarray) -> None:
    """Split by the first tag, the physical group (0: none)."""
    group = np.abs(tags[:, 0]) if tags.shape[1] else np.zeros(len(ids), dtype=np.int64)
    for number in dict.fromkeys(group.tolist()):
        chosen = group == number
        found.elements.append(Elements(kind, ids[chosen], nodes[chosen], (number,) if number else ()))
