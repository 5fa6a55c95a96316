"""STL files, binary or text: triangles for display and for outlines of rigid bodies."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from flexor.files import read_bytes
from flexor.io.file_text import wrong
from flexor.io.file_units import FileUnits

_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_VERTEX = re.compile(rb"\bvertex\s+(\S+)\s+(\S+)\s+(\S+)", re.IGNORECASE)


def read_stl(path: str | Path, *, units: str = "SI") -> tuple[np.ndarray, np.ndarray]:
    """Points (n, 3) [m] and triangles (m, 3) of indices into them, outward side by the right-hand rule.

    Equal corners are merged. units: as for read_mesh; STL files are often in millimetres: "mm-t-s".
    """
    path = Path(path)
    factor = FileUnits.of(units).length
    data = read_bytes(path)
    corners = _binary(data, path) if _is_binary(data) else _text(data, path)
    if not np.isfinite(corners).all():
        raise wrong(path, None, "a corner has no finite position", fix="export the file again")
    points, index = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    return points * factor, index.reshape(-1, 3)


def _is_binary(data: bytes) -> bool:
    if len(data) >= 84:
        count = int.from_bytes(data[80:84], "little")
        if len(data) == 84 + 50 * count:
            return True
    return data.lstrip()[:5].lower() != b"solid"


def _binary(data: bytes, path: Path) -> np.ndarray:
    count = int.from_bytes(data[80:84], "little") if len(data) >= 84 else 0
    if len(data) < 84 or len(data) < 84 + 50 * count or not count:
        what = f"the file holds {max(len(data) - 84, 0) // 50} of {count} triangles"
        raise wrong(path, None, what, fix="it may be cut off: export it again")
    return np.frombuffer(data, dtype=_TRIANGLE, count=count, offset=84)["corners"].astype(float)


def _text(data: bytes, path: Path) -> np.ndarray:
    if not re.search(rb"\bendsolid\b", data, re.IGNORECASE):
        raise wrong(path, None, "endsolid is missing", fix="the file may be cut off: export it again")
    found = _VERTEX.findall(data)
    facets = len(re.findall(rb"\bendfacet\b", data, re.IGNORECASE))
    if not found or len(found) != 3 * facets:
        raise wrong(path, None, f"{len(found)} corners for {facets} triangles", fix="export the file again")
    try:
        return np.array(found, dtype=float).reshape(-1, 3, 3)
    except ValueError as error:
        raise wrong(path, None, str(error), fix="export the file again") from None
