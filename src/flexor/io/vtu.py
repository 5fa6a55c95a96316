"""VTU files for ParaView and other viewers: a mesh with fields at nodes and elements; .pvd collects time series."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from flexor.elements import by_name
from flexor.errors import ModelError, Problem
from flexor.io.element_names import in_their_order
from flexor.io.replaceable import write_file
from flexor.mesh.mesh import Mesh, refuse_swapped

Fields = Mapping[str, np.ndarray]
_TYPES = {"f8": "Float64", "f4": "Float32", "i8": "Int64", "i4": "Int32", "u1": "UInt8"}
_POINT, _LINE = 1, 3
HEAD = ('<?xml version="1.0"?>', "<!-- written by Flexor -->")


def write_vtu(
    path: str | Path,
    mesh: Mesh,
    point_data: Fields | None = None,
    cell_data: Fields | None = None,
    *,
    displacement: np.ndarray | None = None,
    encoding: str = "raw",
) -> Path:
    """Write a mesh and its fields.

    point_data: name → (n_points,) or (n_points, c);  cell_data: name → (n_elements, …), blocks one after the other.
    Vectors have 3 components, stress and strain 6 (xx, yy, zz, xy, yz, zx, which is also the order of viewers).
    displacement: (n_points, 3) [m] added to the points.   encoding: "raw" (compact) or "ascii".
    """
    refuse_swapped("write_vtu", path, mesh)
    if encoding not in ("raw", "ascii"):
        raise ModelError(Problem("write_vtu", f"encoding {encoding!r} is unknown", fix='"raw" or "ascii"'))
    points = np.asarray(mesh.points, dtype=float)
    if displacement is not None:
        points = points + _field("displacement", displacement, len(points), "nodes")[:, :3]
    connectivity, offsets, types = _cells(mesh)
    ids = np.concatenate([np.asarray(b.ids, dtype=np.int64) for b in mesh.blocks] or [np.zeros(0, dtype=np.int64)])
    sections = {
        "PointData": {"node": np.asarray(mesh.node_ids, dtype=np.int64)}
        | {k: _field(k, v, len(points), "nodes") for k, v in (point_data or {}).items()},
        "CellData": {"element": ids} | {k: _field(k, v, len(types), "elements") for k, v in (cell_data or {}).items()},
        "Points": {"points": points},
        "Cells": {"connectivity": connectivity, "offsets": offsets, "types": types},
    }
    return write_file(path, _document(sections, len(points), len(types), encoding), "VTU file")


def _cells(mesh: Mesh) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Nodes of all cells in a row, where each ends, and its type."""
    nodes, sizes, types = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.uint8)]
    for block in mesh.blocks:
        kind = by_name.get(block.element)
        if kind is not None and kind.vtk is not None:
            number, theirs = kind.vtk, in_their_order(block.nodes, kind.vtk_order)
        else:  # something without a shape of its own: a line, or its first node
            number, theirs = (_LINE, block.nodes[:, :2]) if block.nodes.shape[1] > 1 else (_POINT, block.nodes)
        nodes.append(np.asarray(theirs, dtype=np.int64).ravel())
        sizes.append(np.full(len(theirs), theirs.shape[1], dtype=np.int64))
        types.append(np.full(len(theirs), number, dtype=np.uint8))
    return np.concatenate(nodes), np.cumsum(np.concatenate(sizes)), np.concatenate(types)


def _field(name: str, values: np.ndarray, count: int, of: str) -> np.ndarray:
    array = np.asarray(values)
    if array.ndim not in (1, 2) or len(array) != count or array.dtype.kind not in "fiub":
        what = f"shape {array.shape} of {array.dtype}"
        why = f"a field has real values for {count} {of}, in one or more columns"
        raise ModelError(Problem(f"field {name!r}", what, why, f"e.g. ({count}, 3)"))
    return array.astype(np.float64 if array.dtype.kind == "f" else np.int64)


def _document(sections: dict[str, dict[str, np.ndarray]], n_points: int, n_cells: int, encoding: str) -> bytes:
    from xml.sax.saxutils import quoteattr  # loads what speaks to servers

    appended = bytearray()
    rows = [
        *HEAD,
        '<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64">',
        f'<UnstructuredGrid><Piece NumberOfPoints="{n_points}" NumberOfCells="{n_cells}">',
    ]
    for section, arrays in sections.items():
        rows.append(f"<{section}>")
        for name, array in arrays.items():
            kind = _TYPES[array.dtype.str[1:]]
            columns = f' NumberOfComponents="{array.shape[1]}"' if array.ndim == 2 else ""
            head = f'<DataArray type="{kind}" Name={quoteattr(name)}{columns}'
            if encoding == "ascii":
                text = " ".join(repr(v) if kind == "Float64" else str(v) for v in array.ravel().tolist())
                rows.append(f'{head} format="ascii">{text}</DataArray>')
            else:
                data = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).tobytes()
                rows.append(f'{head} format="appended" offset="{len(appended)}"/>')
                appended += len(data).to_bytes(8, "little") + data
        rows.append(f"</{section}>")
    rows.append("</Piece></UnstructuredGrid>")
    document = "\n".join(rows).encode()
    if encoding == "raw":
        document += b'\n<AppendedData encoding="raw">\n_' + bytes(appended) + b"\n</AppendedData>"
    return document + b"\n</VTKFile>\n"


def write_pvd(path: str | Path, times: Sequence[float], files: Sequence[str | Path]) -> Path:
    """A collection that lets viewers play files over time [s]; file names are stored relative to it."""
    from xml.sax.saxutils import quoteattr  # loads what speaks to servers

    path = Path(path)
    rows = [
        *HEAD,
        '<VTKFile type="Collection" version="0.1" byte_order="LittleEndian">',
        "<Collection>",
    ]
    for time, file in zip(times, files, strict=True):
        file = Path(file)
        name = file.relative_to(path.parent).as_posix() if file.is_relative_to(path.parent) else str(file)
        rows.append(f'<DataSet timestep="{float(time)!r}" part="0" file={quoteattr(name)}/>')
    return write_file(path, "\n".join([*rows, "</Collection>", "</VTKFile>", ""]), "PVD collection")


def write_series(
    path: str | Path,
    mesh: Mesh,
    times: Sequence[float],
    point_data: Fields | None = None,
    cell_data: Fields | None = None,
) -> Path:
    """A .pvd with one .vtu per time beside it; fields have a leading axis of time."""
    path = Path(path)
    files = []
    for i in range(len(times)):
        now = [
            {name: np.asarray(values)[i] for name, values in (fields or {}).items()}
            for fields in (point_data, cell_data)
        ]
        files.append(write_vtu(path.with_name(f"{path.stem}_{i:05d}.vtu"), mesh, *now))
    return write_pvd(path.with_suffix(".pvd"), times, files)
